"""Searches as tests run them: ways to search, checks of every outcome, and plain references."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st
from plain_rules import Guide, Plain
from plain_schedule import FEATURES, PlainSchedule, Whole, weights_of
from plain_staged import PlainStaged, Result, forced_moves_sorted
from plain_tree import PlainBeam, PlainBestFirst, PlainDepthFirst

from deals import FreeCellBoard, freecell
from gafreecell.solving.outcome import (
    BEST_FIRST,
    DEPTH_IN_TURN,
    Evaluator,
    Limits,
    Outcome,
    Phase,
    Search,
    Status,
)
from gafreecell.solving.rules import parse_rule
from hsd import solver
from hsd.kernels.features import BREAKS_RUN, DEADLOCK_BOUND, NAMES
from hsd.kernels.moves import ANY, MOST_MOVES
from hsd.presets import preset
from hsd.verifier import verify

NONE: dict[str, float] = {}
HSDH = {"HSDH": 1.0}
PRESET = preset("hsd-evolved").evaluator
EVOLVED = dict(zip(PRESET.features, PRESET.weights, strict=True))
QUICK = {"NotPlaced": 1.0, "OwnSuitBelow": 0.7, "CellsUsedSquared": 0.4, "AboveNext": 0.5}
ASTRAY = {"NumCardsNotAtFoundations": -1.0, "DifferenceFromTop": -0.37}
BOUND = {"DeadlockBound": 1.0}
BOUNDED = {"DeadlockBound": 1.0, "NotPlaced": 0.4, "AboveNext": 0.3, "CellsUsedSquared": 0.1}

BOTH = [False, True]
OPTIONS = list(product(BOTH, BOTH))
"""Safe home moves forced, supermoves."""
SHARED = {"best-first": ("supermoves", "shorten")}
SHARED["beam"] = SHARED["best-first"]
SHARED["schedule"] = SHARED["depth-first"] = ("shorten",)
"""The parameters that searches share, besides ``automatic``."""
PROVING = "best-first", "beam", "a-star", "schedule", "depth-first"


class Way(NamedTuple):
    """A search with an evaluator and parameters.

    Attributes:
        search: its name.
        weights: by feature, none for a blind search; or a policy.
        safe: force safe home moves.
        supermoves: move runs as one; only some searches can be told.
        own: the search's further parameters.
    """

    search: str
    weights: Guide
    safe: bool = True
    supermoves: bool = True
    own: Mapping[str, int | str] = {}

    def __str__(self) -> str:
        features = [] if isinstance(self.weights, Plain) else list(self.weights)[:2]
        words = [self.search, *features, "safe" * self.safe, "runs" * self.supermoves]
        words += [f"{name}={value}" for name, value in self.own.items() if value]
        return " ".join(filter(None, words))

    @property
    def parameters(self) -> dict[str, int | str]:
        """All parameters, for solutions exactly as the search found them."""
        given = options(self.safe, self.supermoves)
        taken = ("automatic", *SHARED.get(self.search, ()))
        return {name: given[name] for name in taken} | {**self.own}

    @property
    def bounded(self) -> bool:
        """Whether it tells a bound of the shortest solution."""
        wider = int(self.own.get("wider", 0)) > 0
        return self.search == "a-star" or wider or DEADLOCK_BOUND in self.weights

    @property
    def longest(self) -> int:
        """The most cards that a move may take."""
        return ANY if self.supermoves else 1

    @property
    def nothing_left(self) -> Status:
        """What it says where no state is left to expand."""
        return Status.UNSOLVABLE if self.search in PROVING else Status.EXHAUSTED

    @property
    def over(self) -> int:
        """By how many nodes it may exceed its limit, and one more."""
        return MOST_MOVES if self.search in ("best-first", "beam", "a-star") else 1

    def in_all_options(self) -> list[Way]:
        """The same with and without safe home moves and supermoves."""
        tells = "supermoves" in SHARED.get(self.search, ())
        given = OPTIONS if tells else [(safe, self.supermoves) for safe in BOTH]
        return [self._replace(safe=safe, supermoves=runs) for safe, runs in given]


def best_first(
    weights: Guide = QUICK, safe: bool = True, supermoves: bool = True, patience: int = 0
) -> Way:
    return Way("best-first", weights, safe, supermoves, {"patience": patience})


def beam(
    weights: Mapping[str, float] = BOUNDED,
    safe: bool = True,
    supermoves: bool = False,
    width: int = 16,
    wider: int = 0,
    unit: str = "single",
) -> Way:
    return Way("beam", weights, safe, supermoves, {"width": width, "wider": wider, "unit": unit})


def a_star(
    weights: Mapping[str, float] = NONE,
    safe: bool = True,
    width: int = 0,
    wider: int = 0,
    unit: str = "single",
) -> Way:
    return Way("a-star", weights, safe, False, {"width": width, "wider": wider, "unit": unit})


def schedule(
    weights: Mapping[str, float] = QUICK, safe: bool = True, rule: str = BEST_FIRST
) -> Way:
    """A schedule of a single phase."""
    return Way("schedule", weights, safe, own={"rule": rule})


def depth_first(weights: Mapping[str, float] = QUICK, safe: bool = True) -> Way:
    return Way("depth-first", weights, safe)


def staged(weights: Guide = EVOLVED, depth: int = 2, safe: bool = True, table: int = 0) -> Way:
    return Way("staged", weights, safe, own={"depth": depth, "table": table})


BLIND, ORDERED = Way("iterative-deepening", EVOLVED), Way("ida-star", EVOLVED)
TEXTBOOK = Way("ida-star", EVOLVED, own={"bound": "f"})


def each(*ways: Way) -> Callable[[Any], Any]:
    """Parametrize a test by ways."""
    return pytest.mark.parametrize("way", ways, ids=str)


def each_in_all_options(*ways: Way) -> Callable[[Any], Any]:
    """Parametrize a test by ways with and without safe home moves and supermoves."""
    return each(*(other for way in ways for other in way.in_all_options()))


def evaluator(guide: Guide) -> Evaluator:
    """Weights by name, or a policy, as searches take them."""
    if not isinstance(guide, Plain):
        return Evaluator(tuple(guide), tuple(guide.values()))
    sums = [one for _, one in guide.rules] + [guide.default]
    named = [name for _, weights in sums for name in weights]
    words = [word for text, _ in guide.rules for word in text.split() if word in NAMES]
    features = tuple(dict.fromkeys([*words, *named]))
    return Evaluator(
        features,
        tuple(weights.get(name, 0.0) for _, weights in sums for name in features),
        rules=tuple(parse_rule(text, features) for text, _ in guide.rules),
        offsets=tuple(offset for offset, _ in sums),
    )


def run(
    deal: FreeCellBoard | int,
    name: str,
    weights: Guide,
    parameters: Mapping[str, int | str],
    nodes: int = 200_000,
    **more: float,
) -> Outcome:
    """Run a search; its further limits by name."""
    return solver.run(deal, evaluator(weights), Search(name, parameters), Limits(nodes, **more))


def solve(way: Way, deal: FreeCellBoard | int, nodes: int = 200_000, **limits: float) -> Outcome:
    """The outcome; its solution is checked."""
    outcome = run(deal, way.search, way.weights, way.parameters, nodes, **limits)
    board = freecell(deal) if isinstance(deal, int) else deal
    check_solution(board, outcome, way.bounded, str(way.own.get("unit", "single")))
    return outcome


def options(safe: bool, supermoves: bool) -> dict[str, str]:
    """Both as parameters, for solutions exactly as the search found them."""
    automatic, runs = "safe" if safe else "none", "yes" if supermoves else "no"
    return {"automatic": automatic, "supermoves": runs, "shorten": "no"}


def found(outcome: Outcome) -> tuple[object, ...]:
    """Everything but the seconds."""
    return outcome.status, outcome.moves, outcome.lengths, outcome.nodes


def single(outcome: Outcome) -> int:
    """The length of a solution."""
    return outcome.lengths["single"]


def check_solution(
    board: FreeCellBoard, outcome: Outcome, bounded: bool = False, unit: str = "single"
) -> None:
    """If there are moves, they solve the board and have the lengths given."""
    assert (outcome.moves is not None) == (outcome.status is Status.SOLVED)
    if outcome.moves is None:
        assert outcome.lengths is None
        return
    verdict = verify(board, outcome.moves)
    assert verdict.reason == ""
    counted = dict(outcome.lengths)
    if bounded:
        home = 0 if unit == "manual" else 52 - sum(board.foundations)
        assert home <= counted.pop("bound") <= getattr(verdict, unit)
    assert counted == {"single": verdict.single, "column": verdict.column, "manual": verdict.manual}
    assert next(iter(counted)) == unit


# ------------------------------------------------------------------ the plain references


def in_order(result: Result) -> Result:
    """A plain search's result with consecutive home moves sorted."""
    moves = None if result.moves is None else forced_moves_sorted(result.moves)
    return replace(result, moves=moves)


def check_against(plain: Any, board: FreeCellBoard, outcome: Outcome) -> Result:
    """Run a plain search and compare a search's outcome with it; returns the plain result."""
    expected = plain.run(board)
    nodes, moves = outcome.nodes, None if outcome.moves is None else list(outcome.moves)
    result = Result(outcome.status, moves, nodes.expanded, nodes.generated, nodes.scored)
    assert in_order(result) in map(in_order, [expected, *plain.early])
    return expected


def compare(way: Way, board: FreeCellBoard, limit: int) -> Any:
    """Run a search and its plain reference and compare them; returns the plain one."""
    own = list(way.own.values())
    if way.search == "best-first":
        plain: Any = PlainBestFirst(way.weights, way.safe, way.supermoves, limit, *own)
    elif way.search == "beam":
        plain = PlainBeam(way.weights, way.safe, way.supermoves, limit, own[0], str(own[2]))
    elif way.search == "depth-first":
        plain = PlainDepthFirst(way.weights, way.safe, limit)
    else:
        depth, table = own
        plain = PlainStaged(way.weights, depth, way.safe, table, limit)
    check_against(plain, board, solve(way, board, nodes=limit))
    return plain


# ------------------------------------------------------------------ schedules

RULES = BEST_FIRST, DEPTH_IN_TURN


class Plan(NamedTuple):
    """A schedule whose coefficients are whole numbers.

    Attributes:
        phases: limits and rules.
        weights: of each phase, in the steps of ``plain_schedule``.
        safe: force safe home moves.
    """

    phases: tuple[Phase, ...]
    weights: tuple[Whole, ...]
    safe: bool

    def __str__(self) -> str:
        phases = zip(self.phases, self.weights, strict=True)
        words = [f"{phase.rule} {phase.nodes} {' '.join(list(w)[:2])}" for phase, w in phases]
        return ", ".join([*words, "safe" if self.safe else "none"])

    @property
    def search(self) -> Search:
        """The search, for solutions exactly as it found them."""
        return Search("schedule", {"automatic": "safe" if self.safe else "none", "shorten": "no"})

    def evaluator(self, cascades: int, cells: int) -> Evaluator:
        """Its weights in a game of this size."""
        rows = [weights_of(whole, cascades, cells) for whole in self.weights]
        return Evaluator(FEATURES, tuple(w for row in rows for w in row), self.phases)

    def solve(self, board: FreeCellBoard, nodes: int = 200_000, **more: float) -> Outcome:
        """The outcome; its solution is checked."""
        evaluator = self.evaluator(len(board.cascades), board.cell_count)
        outcome = solver.run(board, evaluator, self.search, Limits(nodes, **more))
        check_solution(board, outcome)
        return outcome

    def compare(self, board: FreeCellBoard, limit: int) -> tuple[PlainSchedule, Result]:
        """Run it and its plain reference and compare them; returns the plain one."""
        plain = PlainSchedule(self.phases, self.weights, self.safe, limit)
        return plain, check_against(plain, board, self.solve(board, limit))


def plan(*parts: tuple[int | None, str, Whole], safe: bool = True) -> Plan:
    """A schedule of phases, each with its limit, rule and weights."""
    phases = tuple(Phase(nodes, rule) for nodes, rule, _ in parts)
    return Plan(phases, tuple(whole for *_, whole in parts), safe)


@st.composite
def plans(draw: st.DrawFn, rules: Sequence[str] = RULES) -> Plan:
    """Up to three phases with any few weights."""
    whole = st.dictionaries(st.sampled_from(FEATURES), st.integers(-3, 12), max_size=4)
    limits = [*draw(st.lists(st.sampled_from([1, 2, 5, 20, 60]), max_size=2)), None]
    parts = [(nodes, draw(st.sampled_from(rules)), draw(whole)) for nodes in limits]
    return plan(*parts, safe=draw(st.booleans()))


# ------------------------------------------------------------------ ways drawn

WIDTHS = st.integers(1, 4)
PATIENCES = st.sampled_from([0, 0, 1, 2, 7, 30])
GUIDES = [
    HSDH,
    NONE,  # Every score is 0: the state met last comes first.
    QUICK,
    EVOLVED,
    {"HSDH": -1.0, "FreeCells": 0.5},  # Negative scores.
]
MOVES_WEIGHED = [
    {"MovesMade": 1.0},  # Breadth first, a run as far as its cards.
    {"MovesMade": 0.25, "HSDH": 1.0, "NotPlaced": 0.5},
    {"MovesMade": -1.0, "OccupiedColumns": -0.5},
    {"NumberWellPlaced": 0.25, "FreeCells": 0.125},
    {name: 1 / (i + 2) for i, name in enumerate(NAMES) if name not in (DEADLOCK_BOUND, BREAKS_RUN)},
]
BOUND_WEIGHED = [
    BOUND,
    BOUNDED,
    {"DeadlockBound": 0.3, "OccupiedColumns": -0.5, "InversionDepth": 0.2},
    {"DeadlockBound": 0.01, "HSDH": -1.0},
]
# Features whose sums are the same to the last bit in both, so that equal scores are equal.
TIED = [
    HSDH,
    NONE,  # Every score is 0: the open list holds one state.
    {"HSDH": 1.0, "NumCardsNotAtFoundations": 0.5},
    {"NumCardsNotAtFoundations": 1.0},
    {"NumberWellPlaced": 0.25, "FreeCells": 0.125},
    {"HSDH": -1.0, "FreeCells": 0.5},  # Negative scores.
    {"LowestHomeCard": -3.0, "HSDH": 1e-9},
    {"HSDH": 3e9, "FreeCells": -1e12},
]
BEAM_GUIDES, BOOLEANS = st.sampled_from(GUIDES + BOUND_WEIGHED), st.booleans()
DRAWN = {
    "best-first": st.builds(
        best_first, st.sampled_from(GUIDES + MOVES_WEIGHED), BOOLEANS, BOOLEANS, PATIENCES
    ),
    "depth-first": st.builds(depth_first, st.sampled_from(GUIDES + MOVES_WEIGHED), BOOLEANS),
    "beam": st.builds(beam, BEAM_GUIDES, BOOLEANS, BOOLEANS, WIDTHS),
    "beam of runs": st.builds(
        beam, BEAM_GUIDES, BOOLEANS, BOOLEANS, WIDTHS, unit=st.sampled_from(["column", "manual"])
    ),
}
STAGED = st.builds(
    staged, st.sampled_from(TIED), st.integers(1, 4), BOOLEANS, st.sampled_from([0, 1, 30, 200])
)
SCHEDULES = st.builds(
    schedule,
    st.sampled_from([NONE, QUICK, {"MovesMade": 1.0}, {"BreaksRun": -1.0, "NotPlaced": 0.5}]),
    BOOLEANS,
    st.sampled_from(RULES),
)
