"""Job files, reference runs and examples that come with the package."""

from pathlib import Path

_INSTALLED = Path(__file__).parent / "shipped"
FOLDER = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parents[1]
"""The folder that holds ``runs`` and ``examples``: setup.py copies them into an installed package;
in a clone they stand beside it."""
NAMES = ("runs", "examples")


def files() -> list[Path]:
    """All files that come with the package, relative to ``FOLDER``, in order of their names."""
    found = [path for name in NAMES for path in (FOLDER / name).rglob("*") if path.is_file()]
    return sorted(
        path.relative_to(FOLDER)
        for path in found
        if "__pycache__" not in path.parts and not any(p.endswith(".egg-info") for p in path.parts)
    )
