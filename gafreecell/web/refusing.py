"""Answers that say why a request was refused: JSON for scripts, a page for people."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import HTMLResponse, Response

from gafreecell.pages.page import render

MOST_TOLD = 600
"""The longest message of a refusal, in characters."""


class Json(Response):
    """JSON in ASCII, because a text from a question may hold what has no encoding."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def refusal(path: str, message: str, status: int, **more: Any) -> Response:
    """The answer to a request that is refused.

    Args:
        path: what was asked for; scripts ask below ``/api/``.
        message: why, and what to do.
        status: of HTTP.
        more: what else a script is told.
    """
    if len(message) > MOST_TOLD:
        # It quotes what was pasted.
        message = f"{message[: MOST_TOLD - 100]} ... {message[-100:]}"
    if path.startswith("/api/"):
        return Json({"error": message, **more}, status)
    # A report is asked for by a form on the pages of runs.
    back = "/runs" if path.startswith(("/report", "/runs/")) else "/"
    page = render("refused.html", titles={}, here="", message=message, back=back)
    return HTMLResponse(page, status)
