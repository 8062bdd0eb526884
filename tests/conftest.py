"""Settings of all tests: the same examples on every run, and no clock on them.

``pytest --hypothesis-profile=random`` looks for new examples instead.
"""

from __future__ import annotations

import os
import signal
import site
import subprocess
import sys
import venv
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Some examples wait for a kernel to compile, and one board takes many random choices.
_HOUSE = settings(
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("fixed", _HOUSE, derandomize=True, database=None)
settings.register_profile("random", _HOUSE, max_examples=500)
settings.load_profile("fixed")


_SEARCHES = """
from {}.solver import SOLVER
for name, search in SOLVER.searches.items():
    (SOLVER.instance_with_rules if search.rules else SOLVER.instance)(name)
"""
_PATIENCE = """
from gafreecell.solitaire.patience.game import LIBRARY
LIBRARY.game("eight-off").solver.solve(1, "baseline", None)
"""
_COLLECTION = "import pytest; pytest.main(['--collect-only'])"
_HIDDEN = """
from deals import klondike
from gafreecell.solitaire.klondike.hidden import POLICIES, play
for policy in POLICIES:
    if (policy.name == "best") is {}:
        play(klondike(1), policy.name, {{p.name: 1 for p in policy.parameters}})
"""


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile kernels and modules once, before several workers would compile the same ones."""
    # Shells start background commands with Ctrl-C ignored, but some tests press it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Nothing that a test writes need outlive a power cut.
    os.fsync = lambda handle: None  # type: ignore[assignment]
    config = session.config
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        return
    # Klondike's searches are first: its players need their kernels.
    solitaire = "gafreecell.solitaire"
    packages = f"{solitaire}.klondike", "hsd", f"{solitaire}.pyramid"
    klondike, freecell, pyramid = map(_SEARCHES.format, packages)
    players, best = map(_HIDDEN.format, (False, True))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(_run, [klondike, freecell, _PATIENCE, players, best, _COLLECTION, pyramid]))


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Path]:
    """A new environment in which what is installed here can be imported; its Python."""
    folder = tmp_path / "venv"
    venv.create(folder, symlinks=os.name == "posix")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    packages = subprocess.check_output(
        [python, "-c", "import site; print(site.getsitepackages()[0])"], text=True
    )
    lines = [f"import site; site.addsitedir({path!r})" for path in site.getsitepackages()]
    (Path(packages.strip()) / "here.pth").write_text("\n".join(lines))
    yield python


def _run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
