"""NSGA-II against a plain reading of Deb et al. 2002, and the fronts of its runs."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import call, patch

import numpy as np
import pytest
from chances import fits
from conftest import Command, copied, job_table, refused
from deap import tools
from hypothesis import given, settings
from hypothesis import strategies as st
from run_folders import ONE, log_of, same

from gafreecell.evolution.generation import Setting
from gafreecell.evolution.job import JobError
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.operators.global_random import global_generators_from
from gafreecell.evolution.parts import no_baseline
from gafreecell.evolution.populations import Individual, Rates, toolbox_of
from gafreecell.evolution.trainers.nsga_ii import (
    NsgaII,
    Point,
    front,
    next_front,
    survivors,
)
from gafreecell.installed import plugins
from gafreecell.runs.folder import RunError
from gafreecell.runs.record import Run
from gafreecell.runs.run import evolve, load
from gafreecell.service.described import described
from gafreecell.solving.weights import read_weights

RUNS = Path(__file__).parents[2] / "runs"
Costs = tuple[float, float]
COSTS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=24)
FEW = st.tuples(*[st.sampled_from([0.0, 1.0, 2.0, 3.0])] * 2)


def dominates(one: Costs, other: Costs) -> bool:
    """Section II: no worse in any cost, better in one."""
    return one[0] <= other[0] and one[1] <= other[1] and one != other


def plain_ranks(costs: Sequence[Costs]) -> list[int]:
    """Section III-A: fronts by number, each what nothing dominates once those before are gone."""
    ranks, left, rank = [0] * len(costs), set(range(len(costs))), 0
    while left:
        first = {i for i in left if not any(dominates(costs[j], costs[i]) for j in left)}
        for i in first:
            ranks[i] = rank
        left, rank = left - first, rank + 1
    return ranks


def plain_distances(costs: Sequence[Costs]) -> list[float]:
    """Section III-B, crowding-distance-assignment, front by front."""
    ranks, distances = plain_ranks(costs), [0.0] * len(costs)
    for rank in set(ranks):
        members = [i for i in range(len(costs)) if ranks[i] == rank]
        for m in (0, 1):
            members.sort(key=lambda i: costs[i][m])
            smallest, largest = costs[members[0]][m], costs[members[-1]][m]
            distances[members[0]] = distances[members[-1]] = math.inf
            for before, i, after in zip(members, members[1:], members[2:], strict=False):
                if largest > smallest:
                    distances[i] += (costs[after][m] - costs[before][m]) / (largest - smallest)
    return distances


CROWDED = partial(tools.selTournament, tournsize=2, fit_attr="order")
"""The tournament that the trainer registers, as a test of runs says."""


def tournaments(points: Sequence[Point], pairs: Sequence[tuple[int, int]]) -> list[Point]:
    """The winners if these pairs are drawn."""
    drawn = [points[i] for pair in pairs for i in pair]
    with patch("random.choice", side_effect=drawn) as choice:
        won: list[Point] = CROWDED(points, len(pairs))
    assert choice.call_args_list == [call(points)] * len(drawn)
    return won


@settings(max_examples=60)
@given(COSTS | st.lists(FEW, min_size=2, max_size=24, unique=True))
def test_the_tournament_is_the_papers(costs: list[Costs]) -> None:
    """Of any two survivors the better one by the crowded comparison wins, also of many fronts."""
    ranks, distances = plain_ranks(costs), plain_distances(costs)
    kept = survivors(costs, (len(costs) + 1) // 2)
    pairs = [(i, j) for i in range(len(kept)) for j in range(len(kept))]

    def beats(one: int, other: int) -> bool:
        further = distances[one] > distances[other] * (1 + 1e-9)
        return ranks[one] < ranks[other] or (ranks[one] == ranks[other] and further)

    won = tournaments(kept, pairs)
    for (i, j), winner in zip(pairs, won, strict=True):
        one, other = kept[i].place, kept[j].place
        loser = other if beats(one, other) else one if beats(other, one) else None
        assert winner.place in {one, other} - {loser}


@given(COSTS)
def test_survivors_are_the_papers(costs: list[Costs]) -> None:
    """Section III-C: whole fronts as long as they fit, then the least crowded of the next."""
    count = (len(costs) + 1) // 2
    ranks, distances = plain_ranks(costs), plain_distances(costs)
    kept = survivors(costs, count)
    assert len({point.place for point in kept}) == len(kept) == count
    assert [point.rank for point in kept] == sorted(ranks)[:count]
    assert all(point.rank == ranks[point.place] for point in kept)
    last = kept[-1].rank
    inside = [distances[point.place] for point in kept if point.rank == last]
    places = {point.place for point in kept}
    outside = [d for i, d in enumerate(distances) if ranks[i] == last and i not in places]
    assert not outside or min(inside) >= max(outside) * (1 - 1e-9)


def test_ranks_come_before_domination() -> None:
    """Two that do not dominate each other can lie in different fronts: DEAP asks their distance."""
    costs = [(0.0, 4.0), (1.0, 3.0), (1.5, 2.9), (2.0, 2.0), (9.0, 1.0), (0.5, 9.0)]
    first, second = Point(2, costs[2]), Point(5, costs[5])
    kept = {point.place: point for point in survivors(costs, 6)}
    assert (kept[2].rank, kept[5].rank) == (0, 1)
    assert kept[5].fitness.crowding_dist == math.inf > kept[2].fitness.crowding_dist
    assert not first.fitness.dominates(second.fitness)
    (winner,) = tournaments([kept[5], kept[2]], [(0, 1)])
    assert winner.place == 2


def counts(drawn: Sequence[Point], size: int) -> list[int]:
    return [sum(point.place == place for point in drawn) for place in range(size)]


def test_equals_win_as_often_as_each_other() -> None:
    points = survivors([(1.0, 1.0)] * 2, 2)
    with global_generators_from(np.random.default_rng(1)):
        assert fits(counts(CROWDED(points, 20_000), 2), [1, 1])


@pytest.mark.parametrize(
    ("select", "expected"), [(CROWDED, [7, 5, 3, 1]), (tools.selRandom, [1, 1, 1, 1])]
)
@pytest.mark.parametrize("crossover", [0.0, 1.0])
def test_children_have_the_parents_that_were_selected(
    select: Any, expected: list[int], crossover: float
) -> None:
    rates = Rates(4000, 0, crossover, 1 - crossover, gene_mutation=0)
    toolbox = toolbox_of(rates, 2)
    toolbox.register("mutate", lambda one: (one,))
    toolbox.register("select", lambda points, k: select(points[:4], k))
    population = [Individual([i, i]) for i in range(4000)]
    costs = [(float(i), float(i)) for i in range(4)] + [(9.0, 9.0)] * 3996
    with global_generators_from(np.random.default_rng(1)):
        children = next_front(population, costs, rates, toolbox)[2000:]
    for gene in (0, 1):
        drawn = Counter(child[gene] for child in children)
        assert set(drawn) == {0, 1, 2, 3}
        assert fits([drawn[place] for place in range(4)], expected)
    both = sum(child[0] != child[1] for child in children)
    assert bool(both) == bool(crossover)
    if crossover:
        swapped = [[second, first] for first, second in children[::2]]
        assert swapped == children[1::2], "both children are kept"


def test_the_front_holds_those_that_no_other_beats_in_both() -> None:
    costs = [(3.0, 1.0), (1.0, 3.0), (2.0, 2.0), (2.0, 2.0), (2.5, 2.5), (3.0, 3.0)]
    assert front(costs) == [1, 2, 0], "each pair once, the first cost rising"
    assert {point.place for point in survivors(costs, 4)} == {0, 1, 2, 3}
    assert {point.place for point in survivors(costs, 5)} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("size", [6, 7])
def test_nsga_ii_keeps_its_survivors_and_adds_their_children(size: int) -> None:
    rates = Rates(size, reproduction=0, crossover=0.5, mutation=0.5, gene_mutation=1)
    toolbox = toolbox_of(rates, 2)
    toolbox.register("mutate", lambda one: (Individual(gene + 100 for gene in one),))
    toolbox.register("select", CROWDED)
    population = [Individual([i, i], 0.5) for i in range(6)]
    costs = [(float(i), float(-i) if i < 3 else 9.0) for i in range(6)]
    with global_generators_from(np.random.default_rng(1)):
        after = next_front(population, costs, rates, toolbox)
    kept, bred = after[: (size + 1) // 2], after[(size + 1) // 2 :]
    assert sorted(one[0] for one in kept)[:3] == [0, 1, 2]
    assert len(after) == size and not any(one.fitness.valid for one in after)
    assert all(gene >= 100 and [gene - 100] * 2 in kept for one in bred for gene in one)
    assert [list(one) for one in population] == [[i, i] for i in range(6)]


# Runs

MEASURE = {"measure": "log-nodes", "length": 1.0}


def job(**changes: Any) -> dict[str, Any]:
    return job_table(trainer="nsga-ii", scheme="resampled", fitness=MEASURE, **changes)


@pytest.mark.parametrize("parents", ["crowded-tournament", "uniform"])
@pytest.mark.usefixtures("toy")
def test_the_trainer_registers_deaps_selections(parents: str) -> None:
    made = make_job(job(nsga={"parents": parents}))
    trainer = NsgaII(Setting(made, made.load_game(), no_baseline))
    select = trainer._toolbox(np.random.default_rng(1), []).select
    expected = CROWDED if parents == "crowded-tournament" else partial(tools.selRandom)
    assert (select.func, select.keywords) == (expected.func, expected.keywords)


@pytest.mark.usefixtures("toy")
def test_a_job_says_how_parents_are_chosen(tmp_path: Path) -> None:
    crowded = evolve(job(generations=2), tmp_path / "crowded", ONE)
    assert crowded.job.nsga.parents == "crowded-tournament"
    stated = job(generations=2, nsga={"parents": "crowded-tournament"})
    same(crowded.folder, evolve(stated, tmp_path / "stated", ONE).folder)
    drawn = evolve(job(generations=2, nsga={"parents": "uniform"}), tmp_path / "uniform", ONE)
    assert log_of(drawn.folder)[0] == log_of(crowded.folder)[0], "before there were parents"
    assert log_of(drawn.folder) != log_of(crowded.folder)
    assert drawn.job.digest != crowded.job.digest


def test_the_committed_run_is_what_its_job_file_gives() -> None:
    run = load(RUNS / "freecell-tradeoff")
    assert run.job.nsga.parents == "uniform"
    assert run.job.digest == json.loads((run.folder / "state.json").read_text())["job"]
    assert make_job(run.job, nsga={"parents": "crowded-tournament"}).digest != run.job.digest


# Fronts


@pytest.fixture
def tradeoff(toy: object, tmp_path: Path, made: Path) -> Run:
    """A run whose last front has several places."""
    job = job_table(trainer="nsga-ii", scheme="fixed", fitness={"measure": "log-nodes"})
    return load(copied(made, tmp_path / "tradeoff", lambda folder: evolve(job, folder, ONE)))


def test_a_front_has_weights_and_costs(tradeoff: Run) -> None:
    last = tradeoff.lines[-1]
    assert len(tradeoff.front) == len(last["front"]) > 0
    for place, (point, logged) in enumerate(zip(tradeoff.front, last["front"], strict=True)):
        assert (point.log_nodes, point.length) == (logged["log_nodes"], logged["length"])
        assert point.shift == tradeoff.job.load_game().scales.nodes > 0
        assert point.nodes == pytest.approx(math.exp(logged["log_nodes"]) - point.shift)
        assert point.weights.evaluator is not None
        assert list(point.weights.evaluator.weights) == logged["weights"]
        assert point.weights.evaluator.features == tradeoff.features
        assert point.weights.search == tradeoff.weights.search
        assert point.weights.limits == tradeoff.weights.limits
        source = point.weights.provenance
        assert (source["run"], source["generation"], source["front"]) == ("small", 6, place)
    assert load(tradeoff.folder).front == tradeoff.front


def test_export_writes_a_place_of_it(tradeoff: Run, tmp_path: Path, command: Command) -> None:
    file, last = tmp_path / "w.json", len(tradeoff.front) - 1
    done = command("export", tradeoff.folder, "--front", last, "-o", file)
    assert (done.status, done.out) == (0, "")
    assert f"place {last} of the front of tradeoff" in done.err
    weights = tradeoff.front[last].weights
    assert replace(read_weights(file), provenance=weights.provenance) == weights
    done = command("export", tradeoff.folder, "--front", 0, "-o", "-")
    assert done.out == described(tradeoff.front[0].weights, tradeoff.job.load_game()).to_text()
    done = command("export", tradeoff.folder, "--front", last + 1, "-o", file)
    refused(done, f"places 0 to {last}", f"--front {last + 1}", "gafreecell show")
    refused(command("export", tradeoff.folder, "--front", "x", "-o", file), "--front")


def test_show_lists_it(tradeoff: Run, command: Command) -> None:
    out = command("show", tradeoff.folder).out
    _, _, listed = out.partition("front of generation 6")
    rows = [line for line in listed.splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert [int(row.split("|")[1]) for row in rows] == list(range(len(tradeoff.front)))
    assert f"{tradeoff.front[0].nodes:,.0f}" in rows[0]
    assert f"{tradeoff.front[0].length:.1f}" in rows[0]


def test_other_runs_have_none(whole: Path, tmp_path: Path, command: Command) -> None:
    with pytest.raises(RunError, match="only runs of the trainer nsga-ii have one"):
        _ = load(whole).front
    refused(command("export", whole, "--front", 0, "-o", tmp_path / "w.json"), "has no front")
    assert "front" not in command("show", whole).out
    plugins.hand_in("trainer", type("Mine", (NsgaII,), {"name": "mine"}))
    with pytest.raises(RunError, match="only runs of the trainer mine or nsga-ii have one, and i"):
        _ = load(whole).front


@pytest.mark.usefixtures("toy")
def test_messages_name_a_trainer_derived_from_it() -> None:
    plugins.hand_in("trainer", type("Mine", (NsgaII,), {"name": "mine"}))
    with pytest.raises(JobError, match="must be log-nodes for the trainer mine, which needs two"):
        make_job(job_table(trainer="mine", fitness={"measure": "cost-per-solved"}))
