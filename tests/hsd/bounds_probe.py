"""Searches under other settings of numba; ``test_jitted`` runs it in processes of its own.

Prints ``checked`` if deliberate faults were caught, ``plain`` if nothing is jitted, then a line of
results for each case: the settings must not change them. Plain Python begins with the smallest
arrays, so that few nodes show how they grow.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby

import numpy as np
from positions import GOAL, middle, root_of

from deals import FreeCellBoard, freecell
from gafreecell.jit import DISABLED, kernel
from gafreecell.solving.outcome import Limits, Task
from gafreecell.solving.parameters import read_parameters
from hsd import solver
from hsd.engine import tasks
from hsd.kernels.board import CELL, HOME, empty_board
from hsd.kernels.features import NAMES
from hsd.kernels.linear import compiled_policy, linear_score
from hsd.kernels.packed import load
from hsd.kernels.policy import rules_of, score_by
from hsd.searches.best_first import BestFirst
from hsd.searches.kernels import a_star, beam, best_first, depth_first, schedule
from hsd.searches.kernels.staged import advance, begin, new_ahead, new_work
from hsd.searches.schedule import Schedule
from hsd.searches.search import Position

TREES = {"best-first": best_first, "beam": beam, "a-star": a_star}
FULL = FreeCellBoard.from_text(
    "Freecells: KC KD KH KS QC QD QH\nQS JC JD 2C 3D\nJH JS TC 2D 3H\nTD TH TS 2H 3S\n"
    "9C 9D 9H 2S 4C\n9S 8C 8D 3C 4D\n8H 8S 7C AC 4H\n7D 7H 7S AD 4S\n6C 6D 6H AH 5C\n"
    "6S 5D 5H AS 5S",
    cells=7,
    cascades=9,
)
OTHERS = freecell(617, 9, 7), middle(1), GOAL, freecell(5, 4, 7), freecell(5, 4, 0)


def cases() -> list[Task]:
    """Each search, parameter and feature of the engine's tasks, on boards of every size.

    Of each evaluator and search a deal, two endings and a board of another size, others than of the
    one before it; and now and then the largest board, with every cell full, which takes longest.
    """
    chosen = []
    kinds = groupby(tasks(), lambda task: (task.evaluator, task.search))
    for i, (_, group) in enumerate(kinds):
        endings: list[Task] = []
        deals: list[Task] = []
        for task in group:
            (endings if is_ending(task) else deals).append(task)
        chosen += [deals[i % len(deals)], *(endings[n % len(endings)] for n in (i, i + 2))]
        others = (FULL, OTHERS[i % len(OTHERS)]) if i % 3 == 0 else (OTHERS[i % len(OTHERS)],)
        chosen += [replace(deals[0], deal=board) for board in others]
    return chosen


def is_ending(task: Task) -> bool:
    """Whether a task begins with cards home."""
    return isinstance(task.deal, FreeCellBoard) and any(task.deal.foundations)


@kernel
def read_at(array, index):  # type: ignore[no-untyped-def]
    """The element at an index, inside the array or outside."""
    return array[index]


def checks_bounds() -> bool:
    """Whether kernels, and those inlined into them, refuse an index outside their arrays."""
    root = root_of(freecell(1), True)
    position = Position(root.packed, 8, 4)
    narrow = empty_board()._replace(column=np.zeros(4, np.uint8))
    few = new_work()._replace(next=np.zeros(0, np.int64))
    weights = np.ones(len(NAMES))
    short = BestFirst()
    tree = short._small.tree._replace(keys=np.zeros(0, np.uint64))
    short._small = short._small._replace(tree=tree)
    values = read_parameters("", short.parameters, {})
    partial = Schedule()
    few_records = partial._small.tree._replace(records=np.zeros(80, np.int64))
    partial._small = partial._small._replace(tree=few_records)
    as_schedule = read_parameters("", partial.parameters, {})
    begin(empty_board(), few, root, weights, None)
    (ruled, *_) = (task.evaluator for task in tasks() if task.evaluator and task.evaluator.rules)
    policy = solver.SOLVER.policy(ruled)
    k, rules = compiled_policy(policy, 8, 4)
    without_rows = rules._replace(room=np.zeros((0, 80), np.int64))
    without_conditions = rules_of(policy)._replace(
        conditions=rules.conditions._replace(threshold=np.zeros(0))
    )
    dealt = empty_board()
    load(dealt, root.packed, 0, 8, 4)
    faults = (
        lambda: score_by(dealt, policy.default, without_conditions, np.zeros(len(NAMES))),
        lambda: linear_score(dealt, k, without_rows, 0),
        lambda: read_at(np.zeros(4, np.int64), 4),
        lambda: load(narrow, root.packed, 0, 8, 4),
        lambda: advance(empty_board(), few, new_ahead(), root, 2, 0, weights, None, 100, 100),
        lambda: short.run(position, weights, values, Limits()),
        lambda: partial.run(position, weights, as_schedule, Limits()),
    )
    return all(map(_refused, faults))


def _refused(fault: Callable[[], object]) -> bool:
    try:
        fault()
    except IndexError:
        return True
    return False


def results(nodes: int) -> list[str]:
    """A line for each case: its status, counts, bound and solution."""
    lines = []
    for task in cases():
        outcome = solver.run(task.deal, task.evaluator, task.search, Limits(nodes))
        bound = (outcome.lengths or {}).get("bound")
        lines.append(f"{outcome.status} {task.search.name} {outcome.nodes} {bound} {outcome.moves}")
    return lines


def begin_small() -> None:
    """Let searches begin with the smallest arrays."""
    for name, kernels in TREES.items():
        solver.SOLVER.instance(name)._small = kernels.new_work(closed=2, entries=4)  # type: ignore[attr-defined]
    solver.SOLVER.instance("staged")._small = new_work(stages=2, slots=4)  # type: ignore[attr-defined]
    solver.SOLVER.instance("schedule")._small = schedule.new_work(32)  # type: ignore[attr-defined]
    solver.SOLVER.instance("depth-first")._small = depth_first.new_work(4)  # type: ignore[attr-defined]


def long_runs() -> None:
    """The longest runs and the most cells and cascades: every place that a move can name."""
    from engine import Engine

    black, red = "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC", "KD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2C AD"
    other, last = "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH", "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"
    text = "\n".join([black, red, other, last])
    engine = Engine(FreeCellBoard.from_text(text, 7, 9))
    start = engine.packed()
    places = set()
    # Three of the longest runs; then single cards fill the cascades and the cells to the last one.
    for wanted in (*[_count] * 3, *[_to_cascade] * 4, *[_to_cell] * 7):
        moves = engine.moves()
        for move in moves:
            places |= {move & 31, _target(move)}
            suit = engine.suit_home(move)
            engine.stays_quiet(move)
            engine.key_after(move)
            engine.play(move)
            engine.features()
            engine.linear_score(dict.fromkeys(NAMES, 1.0), 9)
            engine.moves(longest=1)
            engine.unplay_safe_home(engine.play_safe_home())
            engine.unplay(move, suit)
        engine.play(max(moves, key=wanted))
        here = engine.packed()
        engine.reload(start)
        engine.reload(here)
    assert places == {*range(HOME + 1)}


def _target(move: int) -> int:
    return (move >> 5) & 31


def _count(move: int) -> int:
    return move >> 10


def _to_cascade(move: int) -> int:
    return _target(move) if _count(move) == 1 and _target(move) < CELL else -1


def _to_cell(move: int) -> int:
    return _target(move) if CELL <= _target(move) < HOME else -1


if __name__ == "__main__":
    found = "checked" if checks_bounds() else "not checked"
    print("plain" if DISABLED else found)
    if DISABLED:
        begin_small()
    long_runs()
    print("\n".join(results(int(sys.argv[1]))))
