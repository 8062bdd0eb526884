"""CMA-ES as a trainer: it finds what it is sent for, and its state is all there is to it."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import cmaes
import numpy as np
import pytest
from cmaes import CMA
from conftest import Command, job_table, refused
from run_folders import ONE, log_of, put_state, same, snapshot, state_of, write_job
from threadpoolctl import threadpool_info, threadpool_limits

from gafreecell.evolution.trainers import cma_strategy
from gafreecell.evolution.trainers.cma_strategy import StrategyError, begin, draw, follow
from gafreecell.runs.run import ResumeWarning, evolve, load, resume

TARGET = np.array([0.2, 0.9, 0.5, 0.0])


def fitness(genome: list[float]) -> float:
    """Larger the nearer a genome lies to the target."""
    return -float(((np.array(genome) - TARGET) ** 2).sum())


def test_it_finds_the_best() -> None:
    strategy = begin([0.5] * 4, 0.3)
    for number in range(80):
        genomes = draw(strategy, 10, np.random.default_rng((1, number)))
        assert all(0 <= gene <= 1 for genome in genomes for gene in genome)
        strategy = follow(strategy, genomes, [fitness(genome) for genome in genomes])
    assert np.array(strategy.mean) == pytest.approx(TARGET, abs=0.02)
    assert strategy.updates == 80


def test_a_restored_strategy_learns_what_one_never_put_away_learns() -> None:
    """The package's object keeps nothing that our state leaves out."""
    bounds = np.array([[0.0, 1.0]] * 4)
    never = CMA(mean=np.full(4, 0.5), sigma=0.3, bounds=bounds, population_size=10, seed=1)
    strategy = begin([0.5] * 4, 0.3)
    for number in range(30):
        genomes = draw(strategy, 10, np.random.default_rng(number))
        values = [fitness(genome) for genome in genomes]
        never.tell([(np.array(g), -value) for g, value in zip(genomes, values, strict=True)])
        strategy = follow(strategy, genomes, values)
        assert strategy.mean == pytest.approx(never._mean.tolist(), rel=1e-9, abs=1e-12)
        assert strategy.spread == pytest.approx(float(never._sigma), rel=1e-9)
        assert np.array(strategy.covariance) == pytest.approx(never._C, rel=1e-9, abs=1e-12)


def test_a_mean_that_rounding_takes_beyond_a_bound_is_no_error() -> None:
    beyond = [float(np.nextafter(1, 2)), float(np.nextafter(0, -1)), 0.5, 0.5]
    strategy = replace(begin([0.5] * 4, 2.0), mean=beyond)
    genomes = draw(strategy, 10, np.random.default_rng(1))
    assert all(0 <= gene <= 1 for genome in genomes for gene in genome)
    strategy = follow(strategy, genomes, [fitness(genome) for genome in genomes])
    assert np.isfinite(strategy.mean).all()


# Libraries


@pytest.fixture
def fresh() -> Iterator[Callable[[], None]]:
    """The package is looked at anew, whenever this is called and for the tests that follow."""

    def forget() -> None:
        cma_strategy.libraries.cache_clear()
        cma_strategy._checked_kind.cache_clear()

    forget()
    yield forget
    forget()


SOURCE = inspect.getsource(inspect.getmodule(CMA))  # type: ignore[arg-type]


def package(source: str) -> ModuleType:
    """Another version of the package, with this source."""
    made = ModuleType("cmaes")
    vars(made)["__version__"] = "99.0"
    exec(source, vars(made))
    return made


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("name", ["_sigma", "_C", "_p_sigma", "_pc", "_g"])
def test_a_version_that_renames_what_the_state_is_made_of_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed = re.sub(rf"self\.{name}\b", f"self.{name}_now", SOURCE)
    assert renamed != SOURCE
    monkeypatch.setitem(sys.modules, "cmaes", package(renamed))
    with pytest.raises(StrategyError, match=rf"cmaes 99\.0: it has no {name};"):
        draw(begin([0.5] * 4, 0.3), 10, np.random.default_rng(1))


def test_with_such_a_version_a_run_is_refused_before_any_work(
    begun: Path, fresh: Callable[[], None], command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh()
    monkeypatch.setitem(sys.modules, "cmaes", package(SOURCE.replace("_p_sigma", "_s_path")))
    before = snapshot(begun)
    refused(command("resume", begun), "cmaes 99.0", "_p_sigma", "requirements")
    assert snapshot(begun) == before
    assert command("show", begun).status == 0


@pytest.mark.usefixtures("fresh")
def test_a_version_with_more_state_than_we_keep_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Heavy(CMA):  # type: ignore[misc]
        """Its mean moves on in the direction of the step before."""

        step = 0.0

        def tell(self, solutions: list[Any]) -> None:
            before, inherited = self._mean.copy(), self.step
            super().tell(solutions)
            self.step = self._mean - before
            self._mean += 0.01 * inherited

    monkeypatch.setattr(cmaes, "CMA", Heavy)
    with pytest.raises(StrategyError, match="a restored sampler differs from one that was never"):
        follow(begin([0.5] * 4, 0.3), [[0.5] * 4] * 10, [0.0] * 10)


def blas_threads() -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


@pytest.mark.usefixtures("fresh")
def test_linear_algebra_runs_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[int]] = []

    class Watched(CMA):  # type: ignore[misc]
        def ask(self) -> Any:
            seen.append(blas_threads())
            return super().ask()

        def tell(self, solutions: list[Any]) -> None:
            seen.append(blas_threads())
            super().tell(solutions)

    monkeypatch.setattr(cmaes, "CMA", Watched)
    with threadpool_limits(limits=2, user_api="blas"):
        allowed = blas_threads()
        strategy = begin([0.5] * 4, 0.3)
        follow(strategy, draw(strategy, 10, np.random.default_rng(1)), range(10))
        assert blas_threads() == allowed, "others get their threads back"
    assert len(seen) >= 11
    assert all(threads <= {1} for threads in seen)


def test_the_number_of_threads_that_blas_may_use_changes_no_bit() -> None:
    """Where products are large enough to be shared out."""
    rng = np.random.default_rng(1)
    genomes, values = rng.random((400, 50)).tolist(), rng.random(400).tolist()
    found = []
    for threads in (1, 2):
        with threadpool_limits(limits=threads, user_api="blas"):
            once = follow(begin([0.5] * 50, 0.3), genomes, values)
            found.append(follow(once, genomes, values))
    assert found[0] == found[1]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("population", [2, 3])
def test_few_solvers_are_followed_without_a_warning(population: int) -> None:
    """The fittest of two or three is the only parent, so it is the new mean."""
    strategy = begin([0.5, 0.5], 0.1)
    genomes = draw(strategy, population, np.random.default_rng(3))
    after = follow(strategy, genomes, [sum(genome) for genome in genomes])
    np.testing.assert_allclose(after.mean, max(genomes, key=sum))


# Runs


@pytest.fixture
def begun(toy: Any, tmp_path: Path) -> Path:
    """A run of CMA-ES after one of its four generations."""
    job = write_job(tmp_path, trainer="cma-es", scheme="resampled", generations=4)
    return Path(evolve(job, tmp_path / "begun", ONE, [lambda run, line: True]).folder)


def strategy_of(folder: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((folder / "state.json").read_text())["trainer"]["strategy"]
    return kept


def change_strategy(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    state = state_of(folder)
    change(state["trainer"]["strategy"])
    put_state(folder, state)


def test_a_state_says_its_format_and_the_libraries_that_computed_it(begun: Path) -> None:
    kept = strategy_of(begun)
    assert kept["format"] == {"name": "gafreecell-cma-es", "version": 2}
    (computed,) = kept["libraries"]
    versions = {"cmaes": cmaes.__version__, "numpy": np.__version__}
    assert computed == {"since": 0, **versions, "blas": computed["blas"]}
    loaded = [one for one in threadpool_info() if one["user_api"] == "blas"]
    expected = [str(one["version"]) for one in loaded] or ["unknown"]
    assert any(version in computed["blas"] for version in expected)


def test_on_a_cosine_scale_it_starts_there_too_and_resumes(toy: Any, tmp_path: Path) -> None:
    table = job_table(trainer="cma-es", scheme="resampled", generations=4)
    start = {"scale": "cosine", "sigma": 1e-6, "start": {"near": 1.0, "far": -0.5}}
    first = evolve({**table, "cma": start}, tmp_path / "start", ONE).lines[0]["best_weights"]
    assert first == pytest.approx([1, 0.5, -0.5], abs=1e-4)
    table["cma"] = {"scale": "cosine"}
    whole = evolve(table, tmp_path / "whole", ONE)
    for line in whole.lines:
        near, middle, far = line["best_weights"]
        assert 0 <= near <= 1 and 0 <= middle <= 1 and -1 <= far <= 2
    linear = evolve({**table, "cma": {}}, tmp_path / "linear", ONE)
    assert linear.lines[0]["best_weights"] != whole.lines[0]["best_weights"]
    begun = evolve(table, tmp_path / "begun", ONE, [lambda run, line: line["generation"] == 2])
    resume(begun.folder, jobs=ONE)
    same(Path(begun.folder), Path(whole.folder))


@pytest.mark.filterwarnings("error")
def test_a_run_made_here_resumes_without_a_word(begun: Path, tmp_path: Path) -> None:
    whole = evolve(tmp_path / "a.toml", tmp_path / "whole", ONE).folder
    resume(begun, jobs=ONE)
    same(begun, whole)


def test_a_run_of_other_libraries_resumes_with_a_warning(begun: Path, tmp_path: Path) -> None:
    change_strategy(begun, lambda kept: kept["libraries"][0].update(numpy="1.0"))
    expected = f"^{begun} is no longer bit-identical.*numpy 1.0 then and {np.__version__} here$"
    with pytest.warns(ResumeWarning, match=expected) as told:
        assert resume(begun, jobs=ONE).finished
    assert len(told) == 1, "only what differs, and once"
    assert told[0].filename == __file__
    first, second = strategy_of(begun)["libraries"]
    assert (first["since"], first["numpy"]) == (0, "1.0")
    assert (second["since"], second["numpy"]) == (2, np.__version__)
    assert load(begun).finished
    assert len(log_of(begun)) == 4


@pytest.mark.filterwarnings("error")
def test_a_state_without_libraries_resumes_to_the_same_bits(begun: Path, tmp_path: Path) -> None:
    """Those of some reference runs are not known."""
    whole = evolve(tmp_path / "a.toml", tmp_path / "whole", ONE).folder
    change_strategy(begun, lambda kept: kept["libraries"].clear())
    resume(begun, jobs=ONE)
    assert log_of(begun) == log_of(whole)
    expected = strategy_of(whole)
    (here,) = expected["libraries"]
    assert strategy_of(begun) == expected | {"libraries": [here | {"since": 2}]}


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda kept: kept["covariance"].pop(), "not of one size"),
        (lambda kept: kept["format"].update(version=3), "version 3 is not known"),
        (lambda kept: kept.pop("format"), "'format' must be an object"),
        (lambda kept: kept.pop("mean"), "'mean'"),
        ({"libraries": "abc"}, "libraries must be a list of tables"),
        ({"libraries": None}, "libraries must be a list of tables"),
        ({"updates": 1.5}, "updates must be a whole number, got 1.5"),
        ({"spread": float("nan")}, "must be finite numbers"),
        ({"spread": 0}, "spread must be positive"),
        ({"step_path": ["a"] * 3}, "must be finite numbers"),
    ],
)
def test_a_damaged_state_is_refused(damage: Any, word: str, begun: Path, command: Command) -> None:
    change_strategy(begun, damage if callable(damage) else lambda kept: kept.update(damage))
    for verb in ("show", "resume"):
        done = command(verb, begun)
        assert (done.status, len(done.lines)) == (2, 1)
        assert "state.json is damaged" in done.err
        assert word in done.err
