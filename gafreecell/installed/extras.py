"""Optional packages: what to install if one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from deals.errors import BadInput


class MissingExtra(BadInput, ImportError):
    """A package that is not installed; the message says how to get it."""


@contextmanager
def needed(package: str, what: str, extra: str = "") -> Iterator[None]:
    """Wrap the import of a package that comes with an extra.

    Args:
        package: the name of the package.
        what: what needs the package, in words.
        extra: the name of the extra; by default that of the package.

    Raises:
        MissingExtra: if it, or a package that it needs, is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        lacking = "" if error.name == package else f" ({error.name} is missing)"
        install = f"pip install 'gafreecell[{extra or package}]'"
        raise MissingExtra(f"{what} needs the package {package}{lacking}: {install}") from None
