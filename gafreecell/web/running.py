"""The run folders below the folder that the app was started in: listed, watched, stopped."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from deals.errors import BadInput
from gafreecell import stop_request
from gafreecell.earlier_phases import validated
from gafreecell.game import full_title
from gafreecell.record import Run
from gafreecell.run import load
from gafreecell.run_folder import JOB, LOCK, LOG, STATE
from gafreecell.web.desk import Refused

DEEPEST = 4
"""How many folders deep run folders are looked for."""
MOST = 500
"""The most run folders that are listed."""
_SKIPPED = {"node_modules", "__pycache__", "build", "dist"}


class Runs:
    """The runs in a folder.

    Args:
        root: the folder; nothing outside it is read.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    @property
    def root(self) -> Path:
        """The folder."""
        return self._root

    def names(self) -> list[str]:
        """The run folders, as paths from the root, in order; links are not followed."""
        found = []
        for folder, below, files in os.walk(self._root):
            path = Path(folder)
            depth = len(path.relative_to(self._root).parts)
            below[:] = sorted(
                name
                for name in below
                if depth < DEEPEST and not name.startswith(".") and name not in _SKIPPED
            )
            if JOB in files and {STATE, LOG} & set(files):
                found.append(path.relative_to(self._root).as_posix())
                below.clear()
            if len(found) == MOST:
                break
        return found

    def folder(self, name: str) -> Path:
        """The folder of a run.

        Raises:
            Refused: if there is no such run below the root.
        """
        # Only names that the walk found are opened, so no name leads outside the root.
        if name not in self.names():
            raise Refused(f"there is no run {name!r:.80} below {self._root}", 404)
        return self._root / name

    def listed(self) -> list[dict[str, Any]]:
        """Each run in a line of the list."""
        return [self._line(name) for name in self.names()]

    def _line(self, name: str) -> dict[str, Any]:
        try:
            run = load(self._root / name)
        except BadInput as error:
            return {"name": name, "fault": str(error)}
        return {"name": name, "running": is_running(run.folder), **head_of(run)}

    def progress(self, name: str, since: int) -> dict[str, Any]:
        """How far a run is, with the lines of its log after generation ``since``."""
        folder = self.folder(name)
        run = load(folder)
        return {
            **head_of(run),
            "running": is_running(folder),
            "asked": stop_request.is_asked(folder),
            "lines": [_entry(line) for line in run.lines[max(0, since) :]],
        }

    def stop(self, name: str) -> None:
        """Ask a run to stop.

        Raises:
            Refused: if it is not running.
        """
        folder = self.folder(name)
        if not is_running(folder):
            raise Refused(f"the run {name} is not running", 409)
        stop_request.ask(folder)


def is_running(folder: Path) -> bool:
    """Whether a process works on a run: it then holds the lock of the folder."""
    if not (folder / LOCK).exists():
        return False
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    except OSError:
        # Nobody can work in a folder that cannot be written to.
        return False
    lock.release()
    return False


def head_of(run: Run) -> dict[str, Any]:
    """A run in a few words."""
    job, champion = run.job, run.state.champion
    best = ""
    if champion is not None:
        nodes = f", {champion.nodes:,.0f} nodes on average" if champion.solved else ""
        best = f"generation {champion.generation}: {validated(job, champion.solved)}{nodes}"
    return {
        "job": job.name,
        "game": full_title(job.load_game()),
        "trainer": job.trainer,
        "scheme": job.scheme,
        "seed": job.seed,
        "generation": run.generation,
        "generations": job.generations,
        "ending": run.ending,
        "best": best,
    }


def _entry(line: Mapping[str, Any]) -> dict[str, Any]:
    """What a page shows of a line of the log."""
    solvers, problems = line["solvers"], line["problems"]
    return {
        "generation": line["generation"],
        "value": line["validation"]["value"],
        "best": solvers["best"],
        "mean": solvers["mean"],
        "problems": problems["mean"] if problems else None,
        "solved": line["solved"],
        "evaluations": line["evaluations"],
        "seconds": line["machine"].get("seconds"),
    }
