"""Whether the packages beside this one are its own: another project is called ``hsd``, too."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("deals", "hsd")
_OURS = b"FreeCell"
"""What the first module of each of them has, and none of another project's."""


def check_neighbours() -> None:
    """Refuse to work with another project's package.

    One whose first module is missing still does its work: uninstalling another project's package
    from the same folder removes it.

    Raises:
        ImportError: naming the package and its folder; a command exits with that sentence instead.
    """
    beside = Path(__file__).parents[2]
    for name in PACKAGES:
        spec = find_spec(name)
        folders = list(spec.submodule_search_locations or ()) if spec else []
        folder = Path(folders[0]) if folders else None
        if folder == beside / name and _is_ours(folder / "__init__.py"):
            continue
        found = f"the one in {folder} is another project's" if folder else "there is none"
        fault = (
            f"the package {name!r} that comes with gafreecell is needed, but {found}: run 'pip "
            f"uninstall {name}', or install gafreecell in an environment of its own"
        )
        # As ``python -m gafreecell`` begins, its name is not known yet.
        if Path(sys.argv[0] if sys.argv else "").stem in ("gafreecell", "-m"):
            sys.exit(f"gafreecell: {fault}")
        raise ImportError(fault)


def _is_ours(first: Path) -> bool:
    return not first.exists() or _OURS in first.read_bytes()
