"""``make winnable``: what share of the deals of games given as rules can be won.

Deals 1 to 10,000 of each game are solved with all cards known, some at a time: the next are always
those of the game that took least time so far, so that quick games are soon counted.
docs/winnable.csv keeps the counts, so that an interrupted run goes on. ``winnable.py tables`` only
writes the table from it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import joblib
from pages import fill, read_lines, write_lines

from gafreecell.comparing.statistics import wilson
from gafreecell.solitaire.game import game
from gafreecell.solitaire.patience import library
from gafreecell.solving.outcome import Limits, Status, Task
from gafreecell.terminal.tables import table

FILE, PAGE = Path("docs/winnable.csv"), Path("docs/patience.md")
WANTED, BLOCK, PIECE = 10_000, 100, 25
NODES = 1_000_000
PUBLISHED = {
    "free-cell": (99.998881, 0.000207),
    "free-cell-3-cell": (99.3583, 0.0),
    "free-cell-2-cell": (79.544, 0.0),
    "free-cell-1-cell": (19.348, 0.0),
    "free-cell-0-cell": (0.2137, 0.0),
    "free-cell-4-pile": (0.00866, 0.0),
    "free-cell-5-pile": (3.859, 0.0),
    "free-cell-6-pile": (61.421, 0.0),
    "free-cell-7-pile": (98.857, 0.0),
    "bakers-game": (75.053, 0.028),
    "eight-off": (99.8805, 0.0022),
    "seahaven-towers": (89.332, 0.020),
    "fore-cell": (85.617, 0.0),
    "fore-cell-same-suit": (10.564, 0.0),
    "beleaguered-castle": (68.170, 0.0),
    "fan": (48.776, 0.0),
    "king-albert": (68.542, 0.0),
    "simple-simon": (97.450, 0.0),
    "canfield": (71.245, 0.0),
    "spider": (98.487, 1.513),
    "golf": (45.109, 0.032),
    "black-hole": (86.944, 0.0),
    "worm-hole": (99.89, 0.0),
    "klondike-deal-1": (90.480, 0.116),
    "klondike-deal-3": (81.945, 0.084),
}
"""Per cent, and half the width of the 95 % interval where we have it (Blake and Gent 2026, "The
Winnability of Klondike Solitaire and Many Other Patience Games", JAIR 85:21)."""


@dataclass(frozen=True)
class Line:
    """The first deals of a game.

    Attributes:
        game: its name.
        deals: how many.
        solved, unsolvable, undecided: how many are won, are proved lost, met the limit.
        nodes: positions generated.
        seconds: processor time.
    """

    game: str
    deals: int
    solved: int
    unsolvable: int
    undecided: int
    nodes: int
    seconds: float


def counted(line: Line) -> Line:
    """With some more deals, each solution replayed."""
    pieces = range(line.deals + 1, line.deals + BLOCK + 1, PIECE)
    with joblib.Parallel(-1, return_as="generator_unordered") as pool:
        parts = list(pool(joblib.delayed(piece)(line.game, start) for start in pieces))
    _, *before = astuple(line)
    *counts, seconds = map(
        sum, zip(before, (BLOCK, *map(sum, zip(*parts, strict=True))), strict=True)
    )
    return Line(line.game, *counts, round(seconds, 2))


def piece(name: str, first: int) -> tuple[int, int, int, int, float]:
    """Decide a few deals: counts by verdict, nodes, seconds."""
    played = game(name)
    weights = played.preset(played.default_preset)
    deals = range(first, first + PIECE)
    tasks = [Task(deal, weights.evaluator, weights.search, Limits(NODES)) for deal in deals]
    found = played.run(tasks)
    for deal, outcome in zip(deals, found, strict=True):
        if outcome.moves is not None:
            fault = played.verify(played.deal(deal), outcome.moves)
            assert not fault, (name, deal, fault)
    verdicts = [outcome.status for outcome in found]
    solved, lost = verdicts.count(Status.SOLVED), verdicts.count(Status.UNSOLVABLE)
    nodes = sum(outcome.nodes.generated for outcome in found)
    seconds = sum(outcome.seconds for outcome in found)
    return solved, lost, PIECE - solved - lost, nodes, seconds


def rows(lines: Sequence[Line]) -> list[list[str]]:
    """The table: a row for each game, with the share that can be won if all undecided deals can be,
    and if none can."""
    found = []
    for one in lines:
        low = wilson(one.solved, one.deals)[0]
        high = wilson(one.solved + one.undecided, one.deals)[1]
        share, half = PUBLISHED.get(one.game, (None, 0.0))
        told = "" if share is None else f"{share:g}" + (f" ± {half:g}" if half else "")
        found.append(
            [
                game(one.game).title,
                f"{one.deals:,}",
                f"{100 * one.solved / one.deals:.2f}",
                f"{100 * one.undecided / one.deals:.2f}",
                f"{100 * low:.2f} to {100 * high:.2f}",
                told,
                f"{1000 * one.seconds / one.deals:.1f}",
            ]
        )
    return found


def write(lines: Sequence[Line]) -> None:
    header = ["game", "deals", "won, %", "undecided, %", "95 % interval", "published", "ms a deal"]
    fill("winnable", table(header, rows(lines)), PAGE)


def main(words: Sequence[str]) -> None:
    lines = {line.game: line for line in read_lines(FILE, Line)}
    names = [*words] or sorted(library.names(), key=lambda name: name not in PUBLISHED)
    while "tables" not in words:
        known = [lines.get(name) or Line(name, 0, 0, 0, 0, 0, 0.0) for name in names]
        left = [one for one in known if one.deals < WANTED]
        if not left:
            break
        line = counted(min(left, key=lambda one: one.seconds))
        lines[line.game] = line
        write_lines(FILE, Line, [one for _, one in sorted(lines.items())])
        print(line, flush=True)
    write([one for _, one in sorted(lines.items())])


if __name__ == "__main__":
    main(sys.argv[1:])
