"""Searches under other settings of numba; ``test_jitted`` runs it in processes of its own.

Prints ``checked`` if deliberate faults were caught, ``plain`` if nothing is jitted, then a line of
results for each case: the settings must not change them. Plain Python begins with the smallest
arrays, so that few nodes show how they grow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from deals import FreeCellBoard, freecell
from gafreecell.jit import DISABLED, kernel
from gafreecell.solving.outcome import DEPTH_IN_TURN, Evaluator, Limits, Phase, Search
from gafreecell.solving.parameters import read_parameters
from gafreecell.solving.rules import AND, AT_MOST, OR, OVER, Comparison, Rule
from hsd import solver
from hsd.kernels.board import CELL, HOME, empty_board
from hsd.kernels.features import DEADLOCK_BOUND, NAMES, ON_BOARD
from hsd.kernels.linear import compiled_policy, linear_score
from hsd.kernels.packed import load, pack_board
from hsd.kernels.policy import rules_of, score_by
from hsd.kernels.replay import Root
from hsd.presets import preset
from hsd.searches import best_first
from hsd.searches.kernels import a_star, beam
from hsd.searches.kernels import best_first as best_first_kernels
from hsd.searches.kernels import schedule as schedule_kernels
from hsd.searches.kernels.staged import advance, begin, new_work
from hsd.searches.schedule import Schedule
from hsd.searches.search import Position

TREES = {"best-first": best_first_kernels, "beam": beam, "a-star": a_star}
MIDDLE = FreeCellBoard.from_text(
    "Foundations: C-9 D-8 H-9 S-9\nFreecells: KH\nKS QD JC TD\nQH KC JS TH\nJD TS 9D\nQC\n:\n"
    "KD QS JH TC",
    cells=1,
    cascades=6,
)
FULL = FreeCellBoard.from_text(
    "Freecells: KC KD KH KS QC QD QH\nQS JC JD 2C 3D\nJH JS TC 2D 3H\nTD TH TS 2H 3S\n"
    "9C 9D 9H 2S 4C\n9S 8C 8D 3C 4D\n8H 8S 7C AC 4H\n7D 7H 7S AD 4S\n6C 6D 6H AH 5C\n"
    "6S 5D 5H AS 5S",
    cells=7,
    cascades=9,
)
GOAL = FreeCellBoard(((),) * 9, (), (13, 13, 13, 13), 7)
HSDH = Evaluator(("HSDH",), (1.0,))
UNLIKE = Evaluator(NAMES[:ON_BOARD], tuple(-1.0 / (i + 2) for i in range(ON_BOARD)))
EVOLVED = preset("hsd-evolved").evaluator

EVERY = Evaluator(NAMES[: ON_BOARD + 1], tuple(1.0 / (i + 2) for i in range(ON_BOARD + 1)))
BOUNDED = Evaluator(("DeadlockBound", "NotPlaced", "LeastAboveNext"), (1.0, 0.4, 0.2))
QUICK = Evaluator(("NotPlaced", "OwnSuitBelow", "MovesMade"), (1.0, 0.7, 0.1))
DEEP = Evaluator(("MovesMade", "NumCardsNotAtFoundations"), (-1.0, -100.0))
ASTRAY = Evaluator(("NumCardsNotAtFoundations", "KingsBuried"), (-1.0, -0.4))
# What a move changes by itself, a charge for the last move among it.
BY_MOVES = tuple(name for name in NAMES if name not in Schedule.cannot_weigh | {DEADLOCK_BOUND: ""})
PHASES = Evaluator(
    BY_MOVES,
    tuple((-1) ** phase / (i + phase + 2) for phase in range(3) for i in range(len(BY_MOVES))),
    (Phase(60), Phase(200, DEPTH_IN_TURN), Phase()),
)
# Every feature that best-first search knows is compared somewhere, with what it often is.
RULED = Evaluator(
    EVERY.features,
    tuple((-1) ** rule / (i + rule + 2) for rule in range(13) for i in range(ON_BOARD + 1)),
    rules=tuple(
        Rule(
            (
                Comparison(NAMES[2 * i], (OVER, AT_MOST)[i % 2], 0.03 * (i + 1)),
                Comparison(NAMES[2 * i + 1], (OVER, AT_MOST)[i // 2 % 2], 0.04 * (i + 1)),
            ),
            (AND, OR)[i // 4 % 2],
        )
        for i in range(12)
    ),
    offsets=tuple(0.1 * rule for rule in range(13)),
)
RULED_ON_BOARD = replace(
    RULED,
    features=NAMES[:ON_BOARD],
    weights=tuple(weight for row in RULED.rows for weight in row[:-1]),
)
TWO = Evaluator(
    ("NotPlaced", "CellsFull", "MovesMade"),
    (1.0, 0.0, 0.1, 0.5, 1.0, 0.0, 1.0, 0.0, 0.0),
    rules=(
        Rule((Comparison("CellsFull", OVER, 0.5),)),
        Rule((Comparison("MovesMade", AT_MOST, 0.2), Comparison("NotPlaced", OVER, 0.5)), OR),
    ),
    offsets=(0.5, 0.0, -0.25),
)


def staged(depth: int, automatic: str, table: int) -> Search:
    return Search("staged", {"depth": depth, "automatic": automatic, "table": table})


def by_score(automatic: str, supermoves: str, patience: int = 0) -> Search:
    parameters = {"automatic": automatic, "supermoves": supermoves, "patience": patience}
    return Search("best-first", parameters)


CASES: list[tuple[FreeCellBoard, Evaluator | None, Search]] = [
    (freecell(1), EVOLVED, staged(2, "safe", 0)),
    (freecell(2), HSDH, staged(7, "none", 2000)),
    (freecell(3), UNLIKE, staged(1, "none", 0)),
    (freecell(617, 9, 7), EVOLVED, staged(1, "safe", 0)),
    (freecell(617, 9, 7), UNLIKE, staged(16, "none", 0)),
    (freecell(5, 4, 0), EVOLVED, staged(3, "safe", 0)),
    (freecell(5, 4, 7), HSDH, staged(4, "safe", 100)),
    (freecell(11982), EVOLVED, staged(1, "safe", 0)),
    (MIDDLE, HSDH, staged(4, "none", 0)),
    (MIDDLE, EVOLVED, staged(1, "safe", 0)),
    (GOAL, HSDH, staged(1, "none", 0)),
    (freecell(1), QUICK, by_score("safe", "yes")),
    (freecell(2), EVOLVED, by_score("none", "no")),
    (freecell(3), EVERY, by_score("none", "yes")),
    (freecell(4), ASTRAY, by_score("none", "yes", 20)),
    (freecell(617, 9, 7), QUICK, by_score("safe", "no")),
    (freecell(617, 9, 7), DEEP, by_score("none", "yes", 300)),
    (freecell(5, 4, 0), HSDH, by_score("safe", "yes")),
    (freecell(5, 4, 7), EVERY, by_score("none", "yes")),
    (freecell(11982), QUICK, by_score("safe", "yes", 1000)),
    (MIDDLE, HSDH, by_score("none", "no")),
    (GOAL, HSDH, by_score("safe", "yes")),
    (freecell(1), RULED, by_score("safe", "yes")),
    (freecell(617, 9, 7), RULED, by_score("none", "no", 50)),
    (freecell(5, 4, 0), RULED, by_score("none", "yes")),
    (freecell(2), TWO, by_score("safe", "yes")),
    (MIDDLE, RULED, by_score("none", "no")),
    (GOAL, RULED, by_score("safe", "yes")),
    (freecell(1), RULED_ON_BOARD, staged(2, "safe", 0)),
    (freecell(617, 9, 7), RULED_ON_BOARD, staged(1, "none", 0)),
    (MIDDLE, RULED_ON_BOARD, staged(4, "none", 100)),
    (freecell(3), RULED_ON_BOARD, Search("ida-star", {"depth": 5})),
    (MIDDLE, RULED_ON_BOARD, Search("ida-star", {"bound": "f"})),
    (freecell(1), PHASES, Search("schedule")),
    (freecell(3), QUICK, Search("schedule", {"rule": "depth-in-turn", "shorten": "no"})),
    (freecell(617, 9, 7), PHASES, Search("schedule", {"automatic": "none"})),
    (freecell(5, 4, 7), PHASES, Search("schedule", {"shorten": "detours"})),
    (freecell(11982), PHASES, Search("schedule")),
    (FULL, PHASES, Search("schedule", {"automatic": "none"})),
    (MIDDLE, PHASES, Search("schedule", {"automatic": "none"})),
    (GOAL, PHASES, Search("schedule")),
    (freecell(1), BOUNDED, Search("beam", {"width": 20, "wider": 60})),
    (freecell(2), EVOLVED, Search("beam", {"width": 1, "supermoves": "yes"})),
    (freecell(617, 9, 7), BOUNDED, Search("beam", {"width": 3, "automatic": "none"})),
    (freecell(5, 4, 7), BOUNDED, Search("beam", {"width": 2, "supermoves": "yes"})),
    (MIDDLE, BOUNDED, Search("a-star", {"width": 5})),
    (freecell(3), None, Search("a-star", {"automatic": "none"})),
    (freecell(11982), BOUNDED, Search("beam", {"width": 50})),
    (GOAL, BOUNDED, Search("beam")),
]


@kernel
def read_at(array, index):  # type: ignore[no-untyped-def]
    """The element at an index, inside the array or outside."""
    return array[index]


def checks_bounds() -> bool:
    """Whether kernels, and those inlined into them, refuse an index outside their arrays."""
    packed = pack_board(freecell(1))
    narrow = empty_board()._replace(column=np.zeros(4, np.uint8))
    few = new_work()._replace(next=np.zeros(0, np.int64))
    weights, root = np.ones(len(NAMES)), Root(packed, 8, 4, True)
    short = best_first.BestFirst()
    tree = short._small.tree._replace(keys=np.zeros(0, np.uint64))
    short._small = short._small._replace(tree=tree)
    values = read_parameters("", short.parameters, {})
    partial = Schedule()
    few_records = partial._small.tree._replace(records=np.zeros(80, np.int64))
    partial._small = partial._small._replace(tree=few_records)
    as_schedule = read_parameters("", partial.parameters, {})
    begin(empty_board(), few, root, weights, None)
    policy = solver.SOLVER.policy(TWO)
    k, rules = compiled_policy(policy, 8, 4)
    without_rows = rules._replace(room=np.zeros((0, 80), np.int64))
    without_conditions = rules_of(policy)._replace(
        conditions=rules.conditions._replace(threshold=np.zeros(0))
    )
    dealt = empty_board()
    load(dealt, packed, 0, 8, 4)
    faults = (
        lambda: score_by(dealt, policy.default, without_conditions, np.zeros(len(NAMES))),
        lambda: linear_score(dealt, k, without_rows, 0),
        lambda: read_at(np.zeros(4, np.int64), 4),
        lambda: load(narrow, packed, 0, 8, 4),
        lambda: advance(empty_board(), few, root, 2, 0, weights, None, 100, 100),
        lambda: short.run(Position(packed, 8, 4), weights, values, Limits()),
        lambda: partial.run(Position(packed, 8, 4), weights, as_schedule, Limits()),
    )
    return all(map(_refused, faults))


def _refused(fault: Callable[[], object]) -> bool:
    try:
        fault()
    except IndexError:
        return True
    return False


def results(nodes: int) -> list[str]:
    """A line for each case: its status, counts and solution."""
    lines = []
    for case in CASES:
        outcome = solver.run(*case, Limits(nodes=nodes))
        found = outcome.nodes
        counts = f"{found.expanded} {found.generated} {found.scored}"
        lines.append(f"{outcome.status} {counts} {' '.join(outcome.moves or ())}".strip())
    return lines


def begin_small() -> None:
    """Let searches begin with the smallest arrays."""
    for name, kernels in TREES.items():
        solver.SOLVER.instance(name)._small = kernels.new_work(closed=2, entries=4)  # type: ignore[attr-defined]
    solver.SOLVER.instance("staged")._small = new_work(stages=2, slots=4)  # type: ignore[attr-defined]
    solver.SOLVER.instance("schedule")._small = schedule_kernels.new_work(32)  # type: ignore[attr-defined]


def long_runs() -> None:
    """The longest runs and the most cells and cascades: every place that a move can name."""
    from engine import Engine

    black, red = "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC", "KD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2C AD"
    other, last = "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH", "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"
    text = "\n".join([black, red, other, last])
    engine = Engine(FreeCellBoard.from_text(text, 7, 9))
    start = engine.packed()
    for _ in range(60):
        for move in engine.moves():
            suit = engine.suit_home(move)
            engine.stays_quiet(move)
            engine.key_after(move)
            engine.play(move)
            engine.features()
            engine.linear_score(dict.fromkeys(NAMES, 1.0), 9)
            engine.moves(longest=1)
            engine.unplay_safe_home(engine.play_safe_home())
            engine.unplay(move, suit)
        moves = [move for move in engine.moves() if (move >> 5) & 31 != HOME]
        # The longest run first; to the last cell and the last cascade if there is a choice.
        engine.play(max(moves, key=lambda move: (move >> 10, move & 31 < CELL, move)))
        here = engine.packed()
        engine.reload(start)
        engine.reload(here)


if __name__ == "__main__":
    found = "checked" if checks_bounds() else "not checked"
    print("plain" if DISABLED else found)
    if DISABLED:
        begin_small()
    long_runs()
    print("\n".join(results(int(sys.argv[1]))))
