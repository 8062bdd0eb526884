"""``survey``: decides long ranges of deals into a folder of compact files."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from deals.words import plural
from gafreecell.cli.options import varied, workers_of
from gafreecell.cli.rating import summary
from gafreecell.cli.statuses import DONE, UNDECIDED, Stopped
from gafreecell.cli.telling import folded
from gafreecell.comparing.statistics import wilson
from gafreecell.service.inputs import InputError
from gafreecell.service.least_cells import cells_of
from gafreecell.service.solvers import default_solver, game_of, named_solver
from gafreecell.service.survey import (
    CELLS,
    GENERATED,
    GRADE,
    MOST_DEALS,
    MOST_SHARDS,
    SOLVED,
    STATUS,
    STATUSES,
    UNKNOWN,
    Survey,
    asked_before,
    ranges,
)
from gafreecell.service.surveying import alone, decide, decided_again
from gafreecell.solitaire.abilities import Rates
from gafreecell.solitaire.game import Game, able
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import BOUND, Status
from gafreecell.terminal.progress import counted
from gafreecell.workers.chosen import Workers
from gafreecell.workers.errors import WorkersError

LISTED = 30
"""So many unsolvable or undecided deals are named."""


def survey(given: Namespace) -> int:
    """Decide what is left of a survey, decide a sample again, and sum up."""
    asked, workers = _asked(given), workers_of(given)
    with alone(asked):
        done = 0
        try:
            asked.write_plan()
            left = asked.left()
            done = len(asked) - sum(map(len, left.values()))
            with (
                counted(
                    len(asked), not given.no_progress, good="decided", before=(done, done)
                ) as advance,
                closing(decide(asked, left, workers)) as rows,
            ):
                for row in rows:
                    done += 1
                    advance(1, STATUSES[row[0]].decided)
            if given.check:
                _check(asked, given, workers)
            return _sum_up(asked)
        except (KeyboardInterrupt, WorkersError) as error:
            why = str(error) if isinstance(error, WorkersError) else "interrupted"
            told = (
                f"{why}; {done:,} of {plural(len(asked), 'deal')} are done, and what was found is "
                f"saved in {asked.folder}"
            )
            kind = WorkersError if isinstance(error, WorkersError) else Stopped
            raise kind(f"{told}\ncontinue: {given.command_line}") from None


def _check(asked: Survey, given: Namespace, workers: Workers) -> None:
    """Decide a sample again."""
    sample, shown = min(given.check, len(asked)), not given.no_progress
    with (
        counted(sample, shown, "again", good="") as advance,
        closing(decided_again(asked, sample, workers)) as rows,
    ):
        for deal, then, now in rows:
            if now != then:
                raise InputError(
                    f"{asked.folder}: deal {deal} has {_told(asked, then)}, but is "
                    f"{_told(asked, now)} when decided again: the files are damaged, or another "
                    "version made them"
                )
            advance(1, False)
    print(f"decided again and found as in the files: {plural(sample, 'deal')}")


def _asked(given: Namespace) -> Survey:
    """The survey that the options ask for."""
    game = find_game(given.game)
    name = given.weights or default_solver(game)
    weights = named_solver(name, game)
    game = varied(game_of({name: weights}, game), given)
    limits = weights.limits.unless(given.nodes, None, given.memory)
    earlier = asked_before(Path(given.output))
    if given.verdicts and GENERATED in earlier:
        raise InputError(
            f"{given.output} was begun with nodes and lengths: leave out --verdicts, or name "
            "another folder"
        )
    measured = GENERATED in earlier if earlier else not given.verdicts
    columns = [STATUS]
    if measured:
        columns += [GENERATED, *(unit for unit in _units(game) if unit != BOUND)]
    if given.grades or GRADE in earlier:
        able(game, Rates, "cannot grade its deals")
        columns.append(GRADE)
    if given.least_cells or CELLS in earlier:
        cells_of(game)
        columns.append(CELLS)
    solver = replace(weights, variant=game.variant, limits=limits)
    deals = ranges(given.deals, game)
    if given.shard > MOST_DEALS:
        raise InputError(f"--shard takes {MOST_DEALS:,} at most, got {given.shard:,}")
    # A length of more than 64 bits has no len().
    files = sum((part.stop - part.start) // given.shard for part in deals)
    if files > MOST_SHARDS:
        raise InputError(
            f"a survey has {MOST_SHARDS:,} files at most, got some {files:,}: ask for fewer deals, "
            "or for more in a file with --shard"
        )
    return Survey(Path(given.output), game, solver, deals, tuple(columns), given.shard)


def _units(game: Game) -> Iterable[str]:
    """The units of the lengths of a game's solutions."""
    return getattr(game, "length_meanings", ())


def _told(asked: Survey, row: Sequence[int]) -> str:
    status, *numbers = row
    named = zip(asked.columns[1:], numbers, strict=True)
    told = [f"{name} {value}" for name, value in named if value != UNKNOWN]
    return ", ".join([STATUSES[status].value, *told])


def _sum_up(asked: Survey) -> int:
    """Print the sums of a complete survey; returns the exit status."""
    counts: dict[str, Counter[int]] = {STATUS: Counter(), GRADE: Counter(), CELLS: Counter()}
    others = [name for name in asked.columns if name not in counts]
    sums, named = Counter[str](), list[str]()
    for shard in asked.shards:
        columns = asked.read(shard)
        won = columns[STATUS] == SOLVED
        for name, counter in counts.items():
            if name in columns:
                values, times = np.unique(columns[name], return_counts=True)
                counter.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
        for name in others:
            sums[name] += int(columns[name][won].sum(dtype=np.int64))
        lost = np.flatnonzero(~won)[: LISTED + 1 - len(named)]
        named += [f"{shard[at]} ({STATUSES[columns[STATUS][at]].value})" for at in lost.tolist()]
    statuses = Counter({STATUSES[code]: many for code, many in counts[STATUS].items()})
    many = statuses[Status.SOLVED]
    if getattr(asked.game, "counts_decks", False):
        within = "neighbouring numbers deal almost the same cards"
    else:
        within = "95 % interval {:.4%} to {:.4%}".format(*wilson(many, len(asked)))
    print(
        f"{asked.title}: {many:,} of "
        f"{plural(len(asked), 'deal')} solved, {many / len(asked):.4%} ({within}); "
        f"{statuses[Status.UNSOLVABLE]:,} proved unsolvable, "
        f"{sum(n for status, n in statuses.items() if not status.decided):,} not decided"
    )
    if 0 < len(named) <= LISTED:
        print(folded(f"not solved: {', '.join(named)}", "  "))
    if many and others:
        means = [f"{sums[name] / many:,.2f} {name}" for name in others]
        print(f"means of the solved deals: {', '.join(means)}")
    if CELLS in asked.columns:
        fewest = [f"{n:,} with {cells}" for cells, n in sorted(counts[CELLS].items()) if cells >= 0]
        if counts[CELLS][UNKNOWN]:
            fewest.append(f"{counts[CELLS][UNKNOWN]:,} not decided")
        print(f"fewest free cells: {', '.join(fewest)}")
    if GRADE in asked.columns:
        del counts[GRADE][UNKNOWN]
        print(summary(statuses, counts[GRADE]))
    decided = all(status.decided for status in statuses) and not counts[CELLS][UNKNOWN]
    return DONE if decided else UNDECIDED
