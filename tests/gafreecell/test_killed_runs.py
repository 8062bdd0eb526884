"""Whatever a run is made of, killed by SIGKILL it resumes to the same bits with any workers.

Each time it is a process of its own, as users start them: addresses, hash seeds and the libraries
that happen to be loaded differ. ``test_resume`` goes through the single steps of one run.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import as_toml, job_table, package, start
from own_cache import own_cache
from run_folders import ONE, generations_of, names_of, same

from gafreecell.runs.run import evolve, load, resume
from gafreecell.workers.chosen import Workers

RELATIVE, LOG_NODES = {"measure": "relative"}, {"measure": "log-nodes"}
FEATURES = ["NotPlaced", "AboveNext", "CellsUsed"]
OWN = """
[gafreecell.crossovers]
halfway = operators_brought:halfway
[gafreecell.mutations]
step = operators_brought:step
[gafreecell.selections]
any_of_the_best = operators_brought:any_of_the_best
"""


def freecell(**changes: Any) -> dict[str, Any]:
    """A small job of FreeCell."""
    return {
        "name": "small",
        "generations": 8,
        "scheme": "informative",
        "trained": {"search": "best-first", "features": FEATURES, "nodes": 4000},
        "solvers": {"population": 10},
        "sample": {"deals": 6},
        "fitness": RELATIVE,
        "deals": {"train": "1-60", "validation": "101-120"},
        **changes,
    }


CELLS: dict[str, dict[str, Any]] = {
    "informative": job_table(scheme="informative", fitness=RELATIVE, informative={"age": 3}),
    "growing sample": job_table(
        scheme="resampled", sample={"deals": 3, "growth": {"3": 6, "5": 9}}, fitness=RELATIVE
    ),
    "sample by agreement": job_table(
        scheme="resampled", sample={"deals": 3, "agreement": 1, "most": 9}
    ),
    "race": job_table(
        scheme="informative",
        fitness=RELATIVE,
        racing={"rounds": 3, "share": 0.6},
        sample={"deals": 9},
    ),
    "virulence": job_table(
        individuals=True,
        fitness=RELATIVE,
        problems={"virulence": 0.75, "encounters": "shared", "every": 1},
    ),
    "cma-es": job_table(
        scheme="informative",
        trainer="cma-es",
        fitness=RELATIVE,
        validation={"candidate": "centroid"},
        exports={"other": {"search": "think", "parameters": {"effort": 500}}},
    ),
    "nsga-ii": job_table(
        trainer="nsga-ii",
        fitness=LOG_NODES,
        individuals=True,
        operators={"selection": "selTournamentDCD"},
    ),
    "operators": job_table(
        scheme="resampled",
        operators={"crossover": "cxBlend", "mutation": "mutGaussian", "selection": "selLexicase"},
        options={"cxBlend": {"alpha": 0.3}, "mutGaussian": {"mu": 0, "sigma": 0.1}},
    ),
    "operators of one's own": job_table(
        operators={"crossover": "halfway", "mutation": "step", "selection": "any_of_the_best"},
    ),
    "evaluations": job_table(
        scheme="informative", fitness=RELATIVE, racing={"rounds": 2}, stop={"evaluations": 300}
    ),
    "rules-gp": freecell(
        trainer="rules-gp", generations=5, rules={"count": 2, "structure": "evolved"}
    ),
    "rules drawn": freecell(trainer="cma-es", rules={"count": 2, "structure": "drawn"}),
    "phases": freecell(
        scheme="resampled",
        trainer="cma-es",
        trained={
            "search": "schedule",
            "features": ["NotPlaced", "OwnSuitBelow", "BreaksRun"],
            "parameters": {"rule": "depth-in-turn"},
            "nodes": 2000,
        },
        phases={"quick": {"nodes": 90, "weights": {"NotPlaced": 1.0, "AboveNext": 0.25}}},
        fitness={"measure": "cost-per-solved", "scoring": 0.1},
        validation={"ranking": "cost-per-solved", "scoring": 0.1},
    ),
    "plain": job_table(),
}
OFTEN = ("virulence",)
"""Those that ``make test`` kills; ``make test-all`` kills all of them."""
MOMENTS = {"working": 0.08, "writing": 0.006, "beginning": 0.02, "interrupted": 0.08}
"""Once a generation is saved; once it is in the log, before the state is replaced; once the job is
written, before there is a state or as the log is cut back to it. Of each the longest delay after
that, in seconds. ``interrupted`` is as ``working``, but by Ctrl-C, which keeps some outcomes."""


@pytest.fixture
def site(toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game and operators of one's own, registered in this process and those it starts."""
    own = package(tmp_path / "site", "own_operators", OWN)
    monkeypatch.syspath_prepend(own)
    monkeypatch.setenv("PYTHONPATH", f"{own}{os.pathsep}{os.environ['PYTHONPATH']}")


@dataclass(frozen=True)
class Death:
    """When a process is killed.

    Attributes:
        of: one of ``MOMENTS``.
        generation: of those after the ones that are saved when the process starts, from 1.
        delay: seconds after that.
    """

    of: str
    generation: int
    delay: float

    @classmethod
    def drawn(cls, of: str, rng: np.random.Generator) -> Death:
        return cls(of, int(rng.integers(1, 3)), float(rng.uniform(0, MOMENTS[of])))

    def comes(self, folder: Path) -> Callable[[], bool]:
        """Whether it is time, asked while a process works that is to be started."""
        job, log = folder / "job.toml", folder / "log.jsonl"
        if self.of == "beginning":
            before = _file_number(job)
            return lambda: _file_number(job) != before
        number = max(generations_of(folder), 0) + self.generation
        if self.of == "writing":
            return lambda: log.exists() and log.read_bytes().count(b"\n") >= number
        return lambda: generations_of(folder) >= number


def _file_number(path: Path) -> int:
    """Another one once the file is replaced."""
    return path.stat().st_ino if path.exists() else 0


def killed(death: Death, folder: Path, words: list[Any], env: dict[str, str]) -> bool:
    """Run a command and kill all its processes; False if it was done before."""
    by = signal.SIGINT if death.of == "interrupted" else signal.SIGKILL
    comes = death.comes(folder)
    process = start(*words, env=env)
    end = time.monotonic() + 120
    while process.poll() is None and not comes():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.001)
    time.sleep(death.delay)
    if process.poll() is None:
        os.killpg(process.pid, by)
    _, said = process.communicate()
    # A Ctrl-C may also come as Python ends.
    assert process.returncode in (0, -by, *([130] if by == signal.SIGINT else [])), said
    return process.returncode != 0


def killed_again_and_again(
    job: Path, folder: Path, deaths: list[Death], env: dict[str, str]
) -> int:
    """A run that is killed some times, on two threads and on one in turn; how often it was."""
    count = 0
    for number, death in enumerate(deaths):
        begun = (folder / "state.json").exists()
        words: list[Any] = ["resume", folder] if begun else ["evolve", job, "--out", folder]
        count += killed(death, folder, [*words, "--jobs", 2 - number % 2], env)
    if (folder / "state.json").exists():
        resume(folder, jobs=Workers(2))
    else:
        evolve(job, folder, Workers(2))
    return count


OFTEN_AND_LONG = [
    *(pytest.param(cell, 0, id=cell) for cell in OFTEN),
    *(
        pytest.param(cell, seed, id=f"{cell} {seed}", marks=pytest.mark.long)
        for cell in CELLS
        for seed in (1, 2)
    ),
]


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("cell", "seed"), OFTEN_AND_LONG)
def test_killed_again_and_again_it_resumes_to_the_same_bits(
    cell: str, seed: int, tmp_path: Path
) -> None:
    job, folder = tmp_path / "job.toml", tmp_path / "killed"
    job.write_text(as_toml(CELLS[cell]))
    whole = evolve(job, tmp_path / "whole", ONE)
    done = whole.generation == CELLS[cell]["generations"]
    assert whole.finished and done != (cell == "evaluations")
    rng = np.random.default_rng([[*CELLS].index(cell), seed])
    moments = [*rng.permutation([*MOMENTS])] if seed else ["working", "writing"]
    deaths = [Death.drawn(str(of), rng) for of in moments]
    env = {"GAFREECELL_CACHE": own_cache(tmp_path / "other"), "TOY_PAUSE": "0.004"}
    assert killed_again_and_again(job, folder, deaths, env) > 0
    same(whole.folder, folder)
    assert names_of(folder) == names_of(whole.folder)
    assert load(folder).ending == whole.ending
