"""Optional packages: what to install if one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from deals.errors import BadInput


class MissingExtra(BadInput, ImportError):
    """A package that is not installed; the message says how to get it."""


@contextmanager
def needed(package: str, what: str) -> Iterator[None]:
    """Wrap the import of a package that comes with an extra of the same name.

    Args:
        package: the name of the package and of the extra.
        what: what needs the package, in words.

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
