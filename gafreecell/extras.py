"""Packages that only some features need: what to install where one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from deals.errors import BadInput


class MissingExtra(BadInput, ImportError):
    """A package that is not installed; the message says how to get it."""


@contextmanager
def needed(package: str, what: str) -> Iterator[None]:
    """Within it, a package is imported that an extra of the same name brings.

    Args:
        package: as it is imported, and as the extra is called.
        what: it is needed for, in words.

    Raises:
        MissingExtra: if it, or a package that it needs, is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        lacking = "" if error.name == package else f" ({error.name} is missing)"
        raise MissingExtra(
            f"{what} needs the package {package}{lacking}: pip install 'gafreecell[{package}]'"
        ) from None
