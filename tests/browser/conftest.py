"""A real browser for the tests of this folder, and what each page in it must keep.

Without Chromium or Playwright ``make test`` does not collect these tests; those marked ``long``,
which ``make test-all`` runs, then fail and say what to install.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from chromium import missing, started
from visits import Server, Visit, Windows, serving

from gafreecell.cli.main import run

Visiting = Callable[..., Visit]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the files of this folder out where no browser can be had and none was asked for."""
    chosen = config.option.markexpr.replace("not long", "")
    return True if missing() and "long" not in chosen else None


@pytest.fixture(scope="module")
def windows() -> Iterator[Windows]:
    """Those of a headless Chromium."""
    with started() as browser:
        yield Windows(browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The local app, started in a folder of its own."""
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """The address of the page that a command with ``--html`` writes; each is written once."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def write(*words: object) -> str:
        if words not in made:
            page = folder / f"{len(made)}.html"
            with redirect_stdout(StringIO()):
                assert run([*map(str, words), "--html", str(page)]) in (0, 1)
            made[words] = page.as_uri()
        return made[words]

    return write


@pytest.fixture
def visit(windows: Windows) -> Iterator[Visiting]:
    """Open an address; at the end no page may have met an error or looked elsewhere."""
    visits = []

    def open_page(address: str, *size: int, **options: Any) -> Visit:
        visits.append(windows.open(address, *size, **options))
        return visits[-1]

    yield open_page
    for one in visits:
        one.end()
