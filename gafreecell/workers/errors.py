"""The error of workers."""

from __future__ import annotations

from deals.errors import BadInput


class WorkersError(BadInput):
    """Workers that are not available, or cannot do the work."""
