"""What parts of a run return is checked before it is used, and named before anything is written."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import job_table
from handed_in import Countdown, EasyFirst, HillClimb, Positions, Share
from run_folders import ONE, generations_of

import gafreecell
from deals.checks import finite, plain, shown, too_large, whole
from deals.errors import BadInput
from gafreecell.evolution import returned
from gafreecell.evolution.generation import Encounter, Learnt, Moment, Result, Setting
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.log_lines import COLUMNS, line_fault
from gafreecell.evolution.measures.log_nodes import LogNodes
from gafreecell.evolution.populations import quantiles
from gafreecell.figures import deals_data, fitness_data, front_data
from gafreecell.installed import plugins
from gafreecell.runs.folder import RunError
from gafreecell.runs.rows import rows_of
from gafreecell.runs.run import evolve, load
from gafreecell.solving.contract import checked_outcome
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.outcome import Nodes, Outcome, Status, Task

pytestmark = [pytest.mark.usefixtures("toy"), pytest.mark.filterwarnings("ignore")]

FEW = {"name": "c", "generations": 1, "trained": {"search": "solve"}, "scheme": "fixed"}
"""A job of games that are handed in."""
NO_NUMBERS = [None, math.nan, math.inf, 1j, 10**400, 10**5000, "text", "1.5", [1.0], 1e61]
KINDS = ["none", "nan", "inf", "complex", "huge", "unprintable", "text", "digits", "list", "1e61"]
RIGHT = Outcome(Status.UNSOLVABLE, None, None, Nodes(1, 1), 0.1)
BY_CASES = {"scheme": "fixed", "operators": {"selection": "selLexicase"}}
MASKED = np.ma.array([1, 2], mask=[True, False])
NSGA = {"trainer": "nsga-ii"}
each_wrong = pytest.mark.parametrize("wrong", NO_NUMBERS, ids=KINDS)


class TwoCosts(LogNodes):
    name = "two-costs"


def refused(tmp_path: Path, said: str, changes: Any = (), **parts: Any) -> None:
    """The run is refused in a sentence, and its log stays empty."""
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    with pytest.raises(BadInput) as fault:
        evolve(job_table(generations=2, **dict(changes)), folder, ONE, **parts)
    assert said in str(fault.value)
    assert len(str(fault.value)) < 500
    log = folder / "log.jsonl"
    assert not log.exists() or log.read_text() == ""
    assert not (folder / "weights").exists()
    assert generations_of(folder) <= 0


def returning(base: Any, method: str, made: Any) -> Any:
    """A subclass whose method returns what ``made`` makes of the right value."""

    def call(self: Any, *given: Any) -> Any:
        return made(getattr(base, method)(self, *given))

    return type("Wrong", (base,), {method: call})


# Numbers


@each_wrong
def test_what_is_no_finite_number_is_refused_in_every_place(toy: Any, wrong: Any) -> None:
    job = make_job(job_table(trainer="random"))
    setting, row = Setting(job, toy, lambda _: []), (0.5, wrong, 0.5)
    cost = 1j if wrong is None else wrong
    for said, check in {
        "the trainer 'random' must ask for": lambda: returned.solvers([row] * 8, setting),
        "the trainer 'random' must name": lambda: returned.learnt(Learnt(row), setting),
        "the fitness measure 'm' must give": lambda: returned.fitness([wrong, 1], 2, "m"),
        "so asked": lambda: returned.rows([row], 1, 3, "so asked"),
        "f must have a finite cost": lambda: checked_outcome(replace(RIGHT, cost=cost), 9, "f"),
        "f must have its proc": lambda: checked_outcome(replace(RIGHT, seconds=wrong), 9, "f"),
        "f must count": lambda: checked_outcome(replace(RIGHT, nodes=Nodes(1, wrong)), 9, "f"),
    }.items():
        with pytest.raises(BadInput, match=said) as fault:
            check()
        assert len(str(fault.value)) < 500


@pytest.mark.parametrize(
    ("kind", "base", "method", "made", "changes"),
    [
        ("trainer", HillClimb, "ask", lambda all: [(0.5, math.nan, 0.5), *all[1:]], {}),
        ("trainer", HillClimb, "tell", lambda learnt: Learnt((0.5, math.nan, 0.5)), {}),
        ("measure", Share, "fitness", lambda values: [*values[:-1], math.nan], {}),
        ("measure", Share, "cases", lambda rows: [*rows[:-1], (1j, *rows[-1][1:])], BY_CASES),
        ("measure", TwoCosts, "costs", lambda rows: [*rows[:-1], (1.0, math.nan)], NSGA),
    ],
)
def test_a_run_uses_none_of_them(
    kind: str, base: Any, method: str, made: Any, changes: dict[str, Any], tmp_path: Path
) -> None:
    refused(tmp_path, f"{base.name!r} must", changes, **{kind: returning(base, method, made)})


def test_a_mutation_that_fails_only_in_the_run_is_refused(tmp_path: Path) -> None:
    calls = []

    def late(individual: Any) -> Any:
        calls.append(1)
        return ([math.nan if len(calls) > 30 else 0.5, *individual[1:]],)

    rates = {"mutation": 0.8, "crossover": 0.0, "population": 40}
    refused(tmp_path, "the mutation 'late' must make 3 weights", {"solvers": rates}, mutation=late)


@pytest.mark.parametrize("cost", [math.nan, "text", -1.0])
def test_costs_of_games(tmp_path: Path, cost: Any) -> None:
    class Costly(Positions):
        name = "costly"

        def run(self, tasks: Sequence[Task]) -> list[Outcome]:
            return [replace(one, cost=cost) for one in super().run(tasks)]

    with pytest.raises(BadInput, match=r"the game 'costly', deal .* finite cost of 0 or more"):
        evolve(FEW, tmp_path / "r", ONE, game=Costly)
    assert not list((tmp_path / "r").glob("unfinished.json"))


# Everything else

ORIGIN = (0.0, 0.0, 0.0)
ENCOUNTER: Any = Encounter
LEARNT: Any = Learnt


@pytest.mark.parametrize(
    ("method", "value", "said"),
    [
        ("ask", None, "the trainer 'hill-climb' must ask for 8 solvers of 3 weights, got None"),
        ("ask", {}, "must ask for 8 solvers"),
        ("ask", [None] * 8, "must ask for 3 finite weights, got None"),
        ("tell", None, "'hill-climb' must return a gafreecell.Learnt from tell, got None"),
        ("tell", LEARNT(None), "must name as Learnt.best 3 finite weights, got None"),
        ("tell", Learnt((5.0, 0, 0)), "must name as Learnt.best weights in their range"),
        ("tell", LEARNT(ORIGIN, [1]), "tells the log must be a mapping, got [1]"),
        ("tell", Learnt(ORIGIN, {"a": 10**400}), "is not a finite number"),
        ("tell", Learnt(ORIGIN, {"solvers_best": 1}), "keys of its own, not solvers_best"),
        ("tell", Learnt(ORIGIN, {"front": [3]}), "its front must be a list of"),
        ("tell", Learnt(ORIGIN, {"met": 3}), "keys of its own, not met"),
        ("tell", LEARNT(ORIGIN, {1: 1, "1": 2}), "2 keys of one mapping are written '1'"),
        ("state", None, "the state of the trainer 'hill-climb' must be a mapping, got None"),
    ],
)
def test_trainers(tmp_path: Path, method: str, value: Any, said: str) -> None:
    refused(tmp_path, said, trainer=returning(HillClimb, method, lambda right: value))


@pytest.mark.parametrize(
    ("method", "value", "said"),
    [
        ("ask", None, "the scheme 'in-turn' must give each of 8 solvers an encounter, got None"),
        ("ask", [None] * 8, "a gafreecell.Encounter, got None"),
        ("ask", [ENCOUNTER((math.nan,))] * 8, "meet deals of setting.pool, got nan"),
        ("ask", [ENCOUNTER(None)] * 8, "meet deals of setting.pool, got None"),
        ("ask", [ENCOUNTER(([],))] * 8, "meet deals of setting.pool, got []"),
        ("tell", 5, "tells the log must be None, or as gafreecell.evolution.populations.quantiles"),
        ("tell", {"best": 1.0, "mean": 1.0}, "it lacks quantiles"),
        ("tell", {"best": 1.0, "mean": None, "quantiles": [0] * 5}, "must be numbers"),
        ("tell", {"best": 1.0, "mean": 1.0, "quantiles": [0] * 4}, "the 5 quantiles must be"),
        ("tell", {"others": 10**400}, "is not a finite number"),
        ("state", [], "the state of the scheme 'in-turn' must be a mapping, got []"),
    ],
)
def test_schemes(tmp_path: Path, method: str, value: Any, said: str) -> None:
    refused(tmp_path, said, scheme=returning(EasyFirst, method, lambda right: value))


@pytest.mark.parametrize("value", [None, {}, "12345678", [1.0] * 7, {1.0, 2.0}])
def test_measures(tmp_path: Path, value: Any) -> None:
    refused(tmp_path, "'share' must give", measure=returning(Share, "fitness", lambda _: value))


@pytest.mark.parametrize("value", [None, 3, [None], ["a"]])
def test_selections(tmp_path: Path, value: Any) -> None:
    def chosen(individuals: Any, k: int) -> Any:
        return value

    refused(tmp_path, "the selection 'chosen' must return some of the ind", selection=chosen)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "run must return a list of"),
        ([], "run must return a list of"),
        ([None] * 16, "run must return an Outcome for each task, got None"),
        ([Outcome(Status.SOLVED, None, None, Nodes(1, 1))] * 16, "must have moves"),
    ],
)
def test_games(tmp_path: Path, value: Any, said: str) -> None:
    class Own(Positions):
        name = "own"

        def run(self, tasks: Sequence[Task]) -> Any:
            return value

    job = {**FEW, "sample": {"deals": 8}, "solvers": {"population": 2}}
    with pytest.raises(BadInput, match=f"the game 'own'.*{said}"):
        evolve(job, tmp_path / "r", ONE, game=Own)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"scales": Scales(nodes=0)}, "scales must be"),
        ({"scales": None}, "scales must be"),
        ({"engine": 3}, "engine must be a string, got 3"),
        ({"largest": "100"}, "largest must be a whole number, got '100'"),
        ({"features": (Feature("a", "", 0.0, 10**400),)}, "a finite range"),
        ({"features": (Feature("a", "", 0.0, 1j),)}, "must have numbers"),  # type: ignore[arg-type]
        ({"deals": lambda *_: None}, "must be a list of numbers and names, got None"),
        ({"deals": lambda *_: [1, None]}, "must be a list of numbers and names"),
        ({"deals": lambda *_: [1.5]}, "must be a list of numbers and names"),
    ],
)
def test_what_games_declare(tmp_path: Path, members: Mapping[str, Any], said: str) -> None:
    odd = type("Odd", (Countdown,), {"name": "odd", **members})
    with pytest.raises(BadInput, match=f"the game 'odd'.*{said}"):
        evolve({**FEW, "scheme": "coevolution"}, tmp_path / "r", ONE, game=odd)


# What is right


def test_numpys_numbers_are_numbers(tmp_path: Path) -> None:
    """In single precision, too, they are those that were written."""
    log = {"spread": np.float32(0.1), "all": np.ones(2)}
    trainer = returning(HillClimb, "tell", lambda learnt: replace(learnt, log=log))
    parts = {
        "trainer": returning(trainer, "ask", np.array),
        "scheme": returning(
            EasyFirst, "ask", lambda met: [Encounter(tuple(np.array(one.deals))) for one in met]
        ),
        "measure": returning(Share, "fitness", np.array),
    }
    run = evolve(job_table(generations=2), tmp_path / "r", ONE, **parts)
    assert (run.lines[-1]["spread"], run.lines[-1]["all"]) == (0.1, [1.0, 1.0])
    assert load(run.folder).lines == run.lines
    plugins._handed.clear()
    parts = {"trainer": HillClimb, "scheme": EasyFirst, "measure": Share}
    assert evolve(job_table(generations=2), tmp_path / "p", ONE, **parts).best == run.best


def test_numbers_are_read_as_they_were_written() -> None:
    assert plain(np.float32(0.2)) == plain(np.array(0.2, np.float16)).__round__(3) == 0.2
    assert plain(np.longdouble("0.2")) == 0.2
    assert [finite(one) for one in NO_NUMBERS] == [None] * len(NO_NUMBERS)
    assert [finite(np.ma.masked), finite(np.ma.array(3, mask=True)), whole(MASKED[0])] == 3 * [None]
    assert (finite(MASKED[1]), whole(np.ma.array(3))) == (2.0, 3)
    assert [finite(one) for one in (1, True, np.float32(0.1), -1e60)] == [1, 1, 0.1, -1e60]
    assert shown(10**5000) == "a value of the type int"


class Table(tuple[int, int]):
    """A data frame of one row, which gives its labels when it is iterated."""

    columns = (3, 5)


@pytest.mark.parametrize(
    "value",
    [Table((3, 5)), bytearray(2), memoryview(b"ab"), {3: 1, 5: 2}, {3, 5}, "35", np.ones((1, 2))],
)
def test_what_is_no_list_is_not_read_as_one(value: Any) -> None:
    with pytest.raises(BadInput, match="must give each of 2 solvers a finite number"):
        returned.fitness(value, 2, "m")


TIMES = [np.datetime64(5, "ns"), np.timedelta64(5, "ns"), np.timedelta64(5), np.datetime64("NaT")]


@pytest.mark.parametrize("time", TIMES)
def test_times_are_no_numbers(time: Any) -> None:
    assert (finite(time), whole(time), too_large(time)) == (None, None, "")


def test_arrays_hold_the_numbers_that_were_written() -> None:
    single = np.array([[0.1, 0.2]], np.float32)
    found = returned.json_of({"a": single, "b": single[0, 0]}, "the log")
    assert found == {"a": [[0.1, 0.2]], "b": 0.1}


@pytest.mark.parametrize(
    "value",
    [memoryview(b"ab"), MASKED, np.ma.masked, *TIMES, *[np.array([time]) for time in TIMES]],
)
def test_what_is_no_plain_number_is_in_no_log(value: Any) -> None:
    for given in ([value], {"at": value}):
        with pytest.raises(BadInput, match="the log must be plain numbers"):
            returned.json_of(given, "the log")


@pytest.mark.parametrize(
    ("log", "taken"),
    [
        ({"weight_norm": 1, "machine_temperature": 2, "met": None} | {"problems_seen": 3}, "met"),
        ({"candidate": {"value": -5.0}}, "candidate_value"),
        ({"weight": {"far": -99.0}}, "weight_far"),
        ({"nest": {"b": 1}, "nest_b": 7}, "nest_b"),
        ({"quantiles": [1, 2, 3, 4, 5], "q25": 1}, "q25"),
        ({"machine_costs_validation": {"nodes": 1}, "solvers_q05": 1}, "machine_costs_val.*, solv"),
        ({"problems": {"best": 1}}, "problems, problems_best"),
        ({"problems_left": 1}, "problems_left"),
    ],
)
def test_a_trainers_numbers_have_own_columns(toy: Any, log: dict[str, Any], taken: str) -> None:
    job = make_job(job_table(trainer="random"))
    setting = Setting(job, toy, lambda _: [])
    row = (0.5, 0.5, 0.5)
    others = ["problems_left"]
    with pytest.raises(BadInput, match=f"keys of its own, not {taken}"):
        returned.learnt(Learnt(row, log), setting, others)
    free = {"weight_norm": 1, "machine_temperature": 2, "problems_seen": 3, "candidate": {"a": 1}}
    assert returned.learnt(Learnt(row, free), setting, others).log == free


def test_a_schemes_numbers_have_columns_of_their_own() -> None:
    for entry in ({"a": {"b": 1}, "a_b": 2}, {**quantiles([1.0]), "q05": 3}):
        with pytest.raises(BadInput, match=r"must have each column once, not (a_b|q05)"):
            returned.told(entry, "s")


def test_the_columns_of_our_own_keys_are_known(whole: Path) -> None:
    run = load(whole)
    rows = rows_of(run.lines, run.validated, run.features, machine=True)
    own = {*COLUMNS, *(f"weight_{name}" for name in run.features)}
    assert {column for row in rows for column in row} <= own | {"problems_distinct_deals"}
    assert own - {column for row in rows for column in row} <= {"met_informativeness"}


def test_numbers_that_are_only_too_large_are_told_so() -> None:
    with pytest.raises(BadInput, match=r"a finite number, at most 1e60 in size, got -1e\+100"):
        returned.fitness([1, -1e100], 2, "m")
    with pytest.raises(BadInput, match=r"0 or more, at most 1e60 in size, or None, got 1e\+61"):
        checked_outcome(replace(RIGHT, cost=1e61), 9, "f")
    with pytest.raises(BadInput, match="a finite number, got inf"):
        returned.fitness([1, math.inf], 2, "m")


class Costs(Positions):
    """Tells the cost also as a length, in one mapping for all deals."""

    name = "costs"

    def __init__(self) -> None:
        super().__init__()
        self.told: dict[str, int] = {}

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        outcomes = []
        for one in super().run(tasks):
            self.told["moves"] = np.int64(20 * (one.cost or 0))  # type: ignore[assignment]
            outcomes.append(replace(one, lengths=self.told, seconds=np.float32(0.5)))
        return outcomes


class Longest(gafreecell.Measure):
    """Edits the lengths that it is shown."""

    name = "longest"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        found = [max((one.lengths or {})["moves"] for one in r.outcomes) for r in results]
        for one in (one for result in results for one in result.outcomes):
            one.lengths["moves"] = 0  # type: ignore[index]
        return [float(length) for length in found]


def test_every_outcome_keeps_lengths_of_its_own(tmp_path: Path) -> None:
    job = {**FEW, "generations": 2, "sample": {"deals": 20}, "solvers": {"population": 3}}
    run = evolve(job, tmp_path / "r", ONE, game=Costs, measure=Longest)
    assert [line["solvers"]["best"] for line in run.lines] == [20.0, 20.0]
    given = {"moves": np.int64(3)}
    kept = checked_outcome(Outcome(Status.SOLVED, (), given, Nodes(1, 1), np.float32(0.2)), 9, "f")  # type: ignore[arg-type]
    given["moves"] = np.int64(4)
    assert (kept.lengths, type(kept.lengths["moves"]), kept.seconds) == ({"moves": 3}, int, 0.2)  # type: ignore[index]


class Shuffles(EasyFirst):
    name = "shuffles"

    def ask(self, moment: Moment, solvers: int) -> list[Encounter]:
        moment.rng(100).shuffle(self.setting.pool)  # type: ignore[arg-type]
        return super().ask(moment, solvers)


def test_no_part_changes_the_pool(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="'tuple' object does not support"):
        evolve(FEW, tmp_path / "r", ONE, game=Positions, scheme=Shuffles)


def test_no_mean_overflows(tmp_path: Path) -> None:
    """Of eight values of the largest size, and no log holds what JSON does not know."""
    part = returning(Share, "fitness", lambda values: [1e60] * len(values))
    run = evolve(job_table(generations=1), tmp_path / "r", ONE, measure=part)
    assert run.lines[0]["solvers"]["mean"] == pytest.approx(1e60)
    text = (run.folder / "log.jsonl").read_text()
    json.loads(text, parse_constant=pytest.fail)


# Logs


def damaged(line: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    first, _, rest = key.partition(".")
    return {**line, first: damaged(line[first], rest, value) if rest else value}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("solvers", None),
        ("solvers.mean", math.inf),
        ("solvers.best", "high"),
        ("solvers.quantiles", [1, 2]),
        ("problems", 7),
        ("problems.mean", math.nan),
        ("best_weights", [0.5]),
        ("best_weights", [0.5, None, 0.5]),
        ("evaluations", 0),
        ("nodes", "many"),
        ("met", []),
        ("met.hardness", None),
        ("met.middle", {"price": [1]}),
        ("validation.value", 10**400),
        ("validation", {}),
        ("machine", []),
        ("machine.nodes_per_second", math.inf),
        ("machine.costs", {"solvers": {}}),
        ("front", [math.inf]),
        ("front", []),
    ],
)
def test_a_log_that_is_accepted_can_be_read_by_all(whole: Path, key: str, value: Any) -> None:
    log = whole / "log.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    lines[3] = damaged(lines[3], key, value)
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(RunError, match=r"log\.jsonl, line 4 is damaged: "):
        load(whole)


def test_figures_take_the_largest_numbers(whole: Path) -> None:
    run = load(whole)
    lines = run.lines
    for number, line in enumerate(lines):
        size = 10.0 ** (60 * (number % 2)) * (-1) ** number
        line["solvers"] = {"best": size, "mean": size, "quantiles": [size] * 5}
        line["problems"] = {**line["solvers"], "others": {"quantiles": "odd"}}
        line["met"]["hardness"] = 10.0**18
        line["met"]["middle"] = {"hardness": [0, 10.0**18]}
        line["validation"]["value"] = 1.7e308
        if number != 2:
            line["front"] = [{"log_nodes": size, "length": size, "weights": [0.1, 0.2, 0.3]}]
        assert line_fault(line, number + 1, 3) == ""
    drawn = [fitness_data(run).solvers.rows, deals_data(run).hardness.mean]
    fronts = front_data(run, [201, 202], 1).fronts
    assert all(np.isfinite(one).all() for one in drawn)
    assert [one.generation for one in fronts] == [1, 2, 4, 5, 6]
    assert run.front[0].nodes < math.inf
    assert len(run.logbook) == len(lines)
    assert len(rows_of(run.lines, run.validated, run.features)) == len(lines)


# Fitness below 0


class Below(Share):
    name = "below"

    def fitness(self, results: Sequence[Result]) -> list[float]:
        return [-10.0 - r.solver[0] for r in results]


@pytest.mark.parametrize("selection", ["", "selRoulette", "selStochasticUniversalSampling"])
def test_parents_of_negative_fitness_are_many(tmp_path: Path, selection: str) -> None:
    """Otherwise one parent wins every draw."""
    rates = {"reproduction": 1.0, "crossover": 0.0, "mutation": 0.0, "population": 24, "elite": 0}
    job = job_table(generations=2, solvers=rates, operators={"selection": selection})
    with pytest.warns(UserWarning, match="'below' is negative.*draws parents in proportion") as all:
        run = evolve(job, tmp_path / "r", ONE, measure=Below)
    said = [one for one in all if "negative" in str(one.message)]
    assert len(said) == 1, "once a run"
    parents = {tuple(one) for one in run.state.trainer["solvers"]}
    assert len(parents) > 4
