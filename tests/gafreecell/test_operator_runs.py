"""Runs with operators by name: bit-identical however they go, and nobody else's numbers touched."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import job_table
from deap import tools
from operators_brought import any_of_the_best, halfway, step
from run_folders import ONE, log_of, same
from test_operators import USABLE, table

from deals.errors import BadInput
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.populations import Individual
from gafreecell.installed import plugins
from gafreecell.runs.folder import RunError
from gafreecell.runs.run import evolve, load, resume
from gafreecell.workers.chosen import Workers

pytestmark = pytest.mark.usefixtures("toy")


def global_states() -> list[Any]:
    state: Any = np.random.get_state(legacy=False)
    state["state"]["key"] = state["state"]["key"].tolist()
    return [random.getstate(), state]


GIVEN = ("operators", "options")


def bred(kind: str, name: str, **changes: Any) -> dict[str, Any]:
    if name == "selTournamentDCD":
        changes |= {"trainer": "nsga-ii", "fitness": {"measure": "log-nodes"}}
    rates = {"crossover": 0.4, "mutation": 0.4, "gene_mutation": 0.5}
    return table(kind, name, **changes, solvers=rates)


@pytest.fixture
def disturbed() -> Iterator[list[Any]]:
    """Global generators in the middle of something, which must go on as if nothing had been."""
    kept = random.getstate(), np.random.get_state()
    random.seed(11)
    np.random.seed(11)
    random.gauss(0, 1)
    np.random.standard_normal()
    yield global_states()
    random.setstate(kept[0])
    np.random.set_state(kept[1])


def together() -> Iterator[dict[str, str]]:
    """Each operator in some job, by kind; as many of them in one job as go together."""
    kinds = [[name for kind, name in USABLE if kind == one] for one in plugins.FUNCTIONS]
    for names in zip_longest(*kinds):
        chosen = zip(plugins.FUNCTIONS, names, strict=True)
        yield {kind: name for kind, name in chosen if name}
    yield {"selection": "selTournamentDCD"}


@pytest.mark.parametrize("chosen", together(), ids=lambda chosen: "-".join(chosen.values()))
def test_a_run_with_any_operators_resumes_to_the_same_bits_with_any_workers(
    chosen: dict[str, str], tmp_path: Path, disturbed: list[Any]
) -> None:
    given: dict[str, Any] = {}
    for one in chosen.items():
        further = bred(*one, generations=2)
        merged = {key: {**given.get(key, {}), **further.get(key, {})} for key in GIVEN}
        given = {**further, **merged}
    whole = evolve(given, tmp_path / "whole", Workers(2)).folder
    assert global_states() == disturbed
    folder = evolve(given, tmp_path / "r", ONE, [lambda *_: True]).folder
    random.seed(5)
    np.random.seed(5)
    resume(folder, 2, Workers(3))
    same(whole, folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"problems": {"every": 1, "virulence": 0.75}},
        {"solvers": {"selection": "tournament", "sigma": 0.2}, "scheme": "resampled"},
        {"trainer": "nsga-ii", "fitness": {"measure": "log-nodes"}},
        {"trainer": "nsga-ii", "fitness": {"measure": "log-nodes"}, "nsga": {"parents": "uniform"}},
    ],
    ids=["coevolution", "tournament", "nsga-ii", "uniform"],
)
def test_what_trainers_and_problems_draw_is_the_runs_own(
    changes: dict[str, Any], tmp_path: Path, disturbed: list[Any]
) -> None:
    """Without operators of a job, too, the global generators are lent and given back."""
    given = job_table(**changes, generations=3)
    whole = evolve(given, tmp_path / "whole", Workers(2)).folder
    assert global_states() == disturbed
    folder = evolve(given, tmp_path / "r", ONE, [lambda _, line: line["generation"] == 2]).folder
    random.seed(5)
    np.random.seed(5)
    resume(folder, jobs=ONE)
    same(whole, folder)


def test_an_operator_of_each_kind_takes_the_place_of_the_trainers_own(tmp_path: Path) -> None:
    jobs = [bred(*one, generations=2) for one in USABLE[::6]]
    jobs.append({**jobs[0], "operators": {}, "options": {}})
    logs = [log_of(evolve(one, tmp_path / str(i), ONE).folder) for i, one in enumerate(jobs)]
    assert {kind for kind, _ in USABLE[::6]} == {*plugins.FUNCTIONS}
    assert len({repr(log[0]) for log in logs}) == 1, "all start alike"
    assert len({repr(log[1]) for log in logs}) == len(jobs)


@pytest.mark.parametrize("kind", ["crossover", "mutation"])
def test_nsga_ii_breeds_with_operators_too(kind: str, tmp_path: Path) -> None:
    name = {"crossover": "cxSimulatedBinaryBounded", "mutation": "mutPolynomialBounded"}[kind]
    given = {"trainer": "nsga-ii", "fitness": {"measure": "log-nodes"}, "generations": 2}
    folder = evolve(table(kind, name, **given), tmp_path / "r", ONE).folder
    plain = evolve(job_table(**given, scheme="resampled"), tmp_path / "plain", ONE).folder
    assert log_of(plain)[0] == log_of(folder)[0]
    assert log_of(plain) != log_of(folder)


def test_numbers_are_put_back_whatever_numpy_draws_from() -> None:
    kept = np.random.get_state()
    source = np.random.get_bit_generator()  # type: ignore[attr-defined]
    mine = np.random.PCG64(5)
    np.random.set_bit_generator(mine)  # type: ignore[attr-defined]
    try:
        np.random.standard_normal()
        before = np.random.get_state(legacy=False), random.getstate()
        with pytest.raises(KeyError), global_generators_from(np.random.default_rng(1)):
            first = random.random(), float(np.random.random()), random.gauss(0, 1)
            raise KeyError
        assert np.random.get_bit_generator() is mine  # type: ignore[attr-defined]
        assert (np.random.get_state(legacy=False), random.getstate()) == before
        with global_generators_from(np.random.default_rng(1)):
            assert first == (random.random(), np.random.random(), random.gauss(0, 1))
    finally:
        np.random.set_bit_generator(source)  # type: ignore[attr-defined]
        np.random.set_state(kept)


def test_two_evolutions_at_once_do_not_draw_each_others_numbers() -> None:
    found: dict[int, list[float]] = {}
    barrier = threading.Barrier(2)

    def work(number: int) -> None:
        barrier.wait()
        with global_generators_from(np.random.default_rng(1)):
            found[number] = [random.random() for _ in range(2000)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]


# One's own

OWN = {"crossover": halfway, "mutation": step, "selection": any_of_the_best}


def test_operators_of_ones_own_are_handed_in_and_asked_for_again(
    tmp_path: Path, disturbed: list[Any]
) -> None:
    options = {"step": {"size": 2.0}, "any_of_the_best": {"share": 0.3}}
    given = job_table(scheme="fixed", options=options)
    whole = evolve(given, tmp_path / "whole", Workers(2), **OWN)
    assert whole.job.operators.crossover == "halfway"
    genes = np.array(whole.state.trainer["solvers"])
    assert (genes.min(axis=0) == [0, 0, -1]).any()
    folder = evolve(given, tmp_path / "r", ONE, [lambda *_: True], **OWN).folder
    assert global_states() == disturbed
    plugins._handed.clear()
    with pytest.raises(RunError, match=r"the crossover 'halfway'.*crossover=\.\.\."):
        resume(folder, jobs=ONE)
    assert load(folder).generation == load(folder, **OWN).generation == 1
    for again in (load, resume):
        with pytest.raises(TypeError, match=r"the parts game, .*, selection, got 'crosover'"):
            again(folder, crosover=halfway)  # type: ignore[call-arg]
    plugins._handed.clear()
    random.seed(5)
    np.random.seed(5)
    assert resume(folder, jobs=ONE, **OWN).finished
    same(whole.folder, folder)


def test_deaps_own_functions_and_names_can_be_handed_in(tmp_path: Path) -> None:
    given = {**job_table(generations=1), "options": {"cxBlend": {"alpha": 0.1}}}
    for number, one in enumerate(("cxBlend", tools.cxBlend)):
        run = evolve(given, tmp_path / str(number), ONE, crossover=one)
        assert run.job.operators.crossover == "cxBlend"


def named(name: str, call: Any) -> Any:
    """A function with this name."""
    call.__name__ = name
    return call


@pytest.mark.parametrize(
    ("kind", "brought", "said"),
    [
        ("crossover", named("cxBlend", lambda a, b: (a, b)), "has a cxBlend as well: take a"),
        ("crossover", lambda a, b: (a, b), "a function with a name of its own"),
        ("crossover", 3, "takes the name of an operator, or a function, got 3"),
        ("crossover", Individual, "takes the name of an operator, or a function"),
        ("crossover", named("lonely", lambda a: (a, a)), "lonely must take two individuals first"),
        ("mutation", named("shorter", lambda one: (one[1:],)), "'shorter' must make 3 weights"),
        ("mutation", named("listless", lambda one: one), "must return a tuple of 1 individual"),
        ("mutation", named("raises", lambda one: 1 / 0), "raises fails on .*: ZeroDivisionError"),
        (
            "selection",
            named("others", lambda all, k: [Individual(one) for one in all]),
            "some of the ",
        ),
    ],
)
def test_what_is_no_operator_is_refused(kind: str, brought: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=said):
        evolve(job_table(), tmp_path / "r", ONE, **{kind: brought})
    assert not (tmp_path / "r").exists()


def test_operators_work_where_the_evolution_runs_when_no_task_is_being_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from toy_game import Toy

    solving, seen, run = [0], [], Toy.run

    def counted(self: Toy, tasks: Any) -> Any:
        solving[0] += 1
        try:
            return run(self, tasks)
        finally:
            solving[0] -= 1

    def watched(individual: Any) -> Any:
        seen.append((threading.current_thread(), solving[0]))
        return (individual,)

    monkeypatch.setattr(Toy, "run", counted)
    evolve(job_table(), tmp_path / "r", Workers(3), mutation=watched)
    assert len(seen) > 5
    assert {*seen} == {(threading.main_thread(), 0)}
