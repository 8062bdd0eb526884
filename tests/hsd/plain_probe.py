"""A cross-section of the engine's tasks as plain Python; ``test_jitted`` runs it in a process.

Prints ``plain`` if nothing is jitted, then a line of results for each task.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from deals import FreeCellBoard
from gafreecell.jit import DISABLED
from gafreecell.solving.outcome import Limits, Task
from hsd import solver
from hsd.engine import tasks

AT_FIRST, IN_ENDINGS = 60, 600
"""The most nodes generated from deals, and from positions with cards home."""


def cross_section() -> list[Task]:
    """Of each evaluator and search a deal and two endings, others than of the one before it."""
    chosen = []
    kinds = groupby(tasks(), lambda task: (task.evaluator, task.search))
    for i, (_, group) in enumerate(kinds):
        of_kind = list(group)
        endings = [task for task in of_kind if is_ending(task)]
        deals = [task for task in of_kind if not is_ending(task)]
        chosen.append(replace(deals[i % len(deals)], limits=Limits(AT_FIRST)))
        for place in (i, i + 2):
            ending = endings[place % len(endings)]
            chosen.append(replace(ending, limits=Limits(IN_ENDINGS)))
    return chosen


def is_ending(task: Task) -> bool:
    """Whether a task begins with cards home."""
    return isinstance(task.deal, FreeCellBoard) and any(task.deal.foundations)


def results() -> list[str]:
    """A line for each task: its status, counts, bound and solution."""
    lines = []
    for task in cross_section():
        outcome = solver.run(task.deal, task.evaluator, task.search, task.limits)
        bound = (outcome.lengths or {}).get("bound")
        lines.append(f"{outcome.status} {task.search.name} {outcome.nodes} {bound} {outcome.moves}")
    return lines


if __name__ == "__main__":
    print("plain" if DISABLED else "jitted")
    print("\n".join(results()))
