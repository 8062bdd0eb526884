"""``make thoughtful``: Klondike with all cards known, beside the figures of the papers.

``out/thoughtful`` keeps every outcome, so an interrupted run can be continued. Writes the tables
in docs/results and the figure ``plots/rollouts.png``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pages import fill, solved

from deals import KlondikeBoard
from gafreecell.figures.style import COLOURS, LEGEND_OUTSIDE, new_axes, save, subtitle, tidy
from gafreecell.solitaire import klondike
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.kernels.board import empty_board, load
from gafreecell.solitaire.klondike.kernels.dead_ends import find_twins, is_lost, relaxed_dead
from gafreecell.solitaire.klondike.packed import pack_deck
from gafreecell.solving.files import write_atomically
from gafreecell.solving.outcome import Limits, Search
from gafreecell.terminal.tables import rounded, table

FOLDER = Path("out/thoughtful")
FIGURE = Path("plots/rollouts.png")
# From Bjarnason, Tadepalli and Fern 2007, table 2(a): nesting, wins in per cent, half the 99 %
# interval, seconds per game; then how many games we play.
TABLE_2 = (
    ("0", 16.17, 0.42, "0.02", 200_000),
    ("1", 60.98, 0.56, "0.74", 100_000),
    ("2", 74.03, 0.51, "7.37", 20_000),
    ("1,1", 74.94, 0.50, "3.64", 50_000),
    ("3", 77.99, 0.79, "302.85", 3_000),
    ("2,1", 78.94, 0.47, "212.38", 10_000),
    ("4", 79.17, 3.05, "5,350", 60),
    ("3,1", 82.24, 2.71, "1,900", 1_323),
)
NESTED = range(400_001, 400_001 + max(games for *_, games in TABLE_2))
"""The deals of the longest row; each row plays the first of them."""
UNLIMITED = "1000000000"
# From table 3: wins within 1, 4, 16 and 64 seconds.
TABLE_3 = {
    "0": (16.17, 16.17, 16.17, 16.17),
    "1": (49.03, 60.38, 60.97, 60.98),
    "1,1": (56.98, 69.82, 74.23, 74.94),
    "2": (52.38, 67.88, 73.23, 74.03),
    "2,1": (56.87, 70.47, 76.11, 78.06),
    "3": (53.41, 69.22, 75.33, 77.14),
    "3,1": (57.82, 72.26, 78.31, 80.57),
    "4": (55.44, 69.98, 74.92, 77.21),
}
UNTIMED = ("0", "4")
"""Rows by time without a limit of nodes: one needs none, the other would be cut short too often."""
# From table 3: seconds of a win and of a loss; the paper gives some in minutes.
SPLIT = {
    "0": ("0.06", "0.02"),
    "1": ("0.60", "0.95"),
    "2": ("1.45", "24.29"),
    "1,1": ("1.35", "10.50"),
    "3": ("17", "1,313"),
    "2,1": ("13", "960"),
    "4": ("127", "25,201"),
    "3,1": ("26", "10,576"),
}
SPLIT_GAMES = 1_000
"""Games of each row of table 2 whose times we split into those of wins and of losses."""
TENTHS = (0.1, 0.4, 1.6, 6.4)
"""A tenth of the paper's seconds."""
TIMED, TIMED_DEALS = "2000000", "500001-504000"
BEST_NODES = "24000000"
"""The limit of nodes for the best row, some five seconds."""
PAIRED, PAIRED_NODES = "600001-620000", "60000"
SHARE = "700001-720000"
DEAD, PROVED = 5_000_000, 5_000
DECIDED = ("solved", "unsolvable")
Outcomes = list[dict[str, Any]]


def main() -> None:
    """Measure what is missing and write the results."""
    parts = [
        kept("dead-ends", dead_ends),
        table_2(),
        wins_and_losses(),
        real_time(),
        paired(),
        kept("confirmed", confirmed),
        complete(),
    ]
    fill("thoughtful", "\n\n".join(parts))


def kept(name: str, measure: Callable[[], str]) -> str:
    """The kept result of a measurement, which is made now if there is none."""
    file = FOLDER / f"{name}.md"
    if not file.exists():
        write_atomically(file, measure())
    return file.read_text(encoding="utf-8")


def outcomes(name: str, deals: str, preset: str, *more: str) -> Outcomes:
    """The output of ``gafreecell solve`` on one core."""
    known = ("--game", "klondike", "--preset", preset, "--jobs", "1")
    return list(solved(FOLDER / f"{name}.jsonl", deals, *known, *more))


def percent(hits: int, games: int) -> str:
    """A share in per cent with its 99 % interval, as the papers print them."""
    share = hits / games
    return f"{100 * share:.2f} ± {257.6 * np.sqrt(share * (1 - share) / games):.2f}"


def wins(found: Outcomes, seconds: float = np.inf) -> int:
    return sum(one["status"] == "solved" and one["seconds"] <= seconds for one in found)


def dead_ends() -> str:
    """How many deals the dead-end tests reject before any move."""
    generator = np.random.default_rng(2007)
    board, at, twins = empty_board(), np.zeros(PILES, np.int64), np.zeros(8 * PILES, np.uint64)
    found = np.zeros(3, int)
    for _ in range(DEAD):
        load(board, pack_deck(tuple((generator.permutation(52) + 4).tolist())))
        find_twins(board, twins)
        found += (
            relaxed_dead(board, at),
            is_lost(board, at, twins, False),
            is_lost(board, at, twins, True),
        )
    names = ("relaxed game alone", "with the second pattern", "the pattern carried further")
    rows = [
        [name, percent(int(n), DEAD), paper]
        for name, n, paper in zip(names, found, ("-", "8.56", "-"), strict=True)
    ]
    header = [f"dead at the deal, of {DEAD:,} shuffled decks", "%", "paper"]
    return table(header, rows)


def confirmed() -> str:
    """Exhaustive searches, without dead-end tests, of deals that these tests reject."""
    board, at, twins = empty_board(), np.zeros(PILES, np.int64), np.zeros(8 * PILES, np.uint64)
    generator = np.random.default_rng(2005)
    decks = [tuple((generator.permutation(52) + 4).tolist()) for _ in range(PROVED)]
    dead = []
    for deck in decks:
        load(board, pack_deck(deck))
        find_twins(board, twins)
        if is_lost(board, at, twins, True):
            dead.append(KlondikeBoard.deal(deck))
    complete = klondike.preset("complete")
    off = replace(complete, search=Search("complete", {"dead-ends": "no"}))
    found = klondike.solve_many(dead, off, jobs=1, limits=Limits(10**9, memory=4 * 10**9))
    counts = [sum(one.status == status for one in found) for status in ("unsolvable", "solved")]
    left = len(dead) - sum(counts)
    return (
        f"The dead-end tests reject {len(dead)} of {PROVED:,} shuffled decks. Without these tests "
        f"the complete search proves {counts[0]} of the {len(dead)} unwinnable, wins {counts[1]} "
        f"and leaves {left} undecided."
    )


def nested(nesting: str) -> Outcomes:
    """The games of a row of table 2, without a limit of nodes."""
    games = {name: games for name, *_, games in TABLE_2}[nesting]
    deals = f"{NESTED[0]}-{NESTED[games - 1]}"
    given = ("--set", f"nesting={nesting}", "--nodes", UNLIMITED)
    return outcomes(f"nesting-{nesting}", deals, "rollouts-2007", *given)


def table_2() -> str:
    rows = []
    for nesting, paper, interval, seconds, games in TABLE_2:
        found = nested(nesting)
        mean = np.mean([one["seconds"] for one in found])
        row = [named(nesting), f"{paper:.2f} ± {interval:.2f}", percent(wins(found), games)]
        rows.append([*row, f"{games:,}", seconds, f"{mean:.4g}"])
    header = ["nesting", "paper: won, %", "ours: won, %", "games", "paper: s a game", "ours"]
    return table(header, rows)


def wins_and_losses() -> str:
    """Table 3: seconds of a win and of a loss."""
    rows = []
    for nesting, (paper_win, paper_loss) in SPLIT.items():
        found = nested(nesting)[:SPLIT_GAMES]
        times: dict[bool, list[float]] = {True: [], False: []}
        for one in found:
            times[one["status"] == "solved"].append(one["seconds"])
        cells = [paper_win, mean_time(times[True]), paper_loss, mean_time(times[False])]
        rows.append([named(nesting), f"{len(found):,}", *cells])
    header = ["nesting", "games", "paper: s a win", "ours: ms", "paper: s a loss", "ours: ms"]
    return table(header, rows)


def mean_time(seconds: list[float]) -> str:
    """The mean of times in milliseconds with half its 99 % interval."""
    half = 2.576 * np.std(seconds, ddof=1) / np.sqrt(len(seconds))
    return f"{rounded(1000 * float(np.mean(seconds)))} ± {rounded(1000 * float(half))}"


def named(nesting: str) -> str:
    """A nesting in the paper's notation."""
    if "," not in nesting:
        return f"n={nesting}"
    return ";".join(f"n{h}={level}" for h, level in enumerate(nesting.split(",")))


def real_time() -> str:
    """Table 3 and figure 10: wins by time."""
    rows = []
    (axes,) = new_axes(1, 10.5, 5)
    times = 2.0 ** np.arange(-13, 3)
    drawn = [nesting for nesting in TABLE_3 if nesting not in UNTIMED]
    for nesting, paper in TABLE_3.items():
        found = nested(nesting)[:SPLIT_GAMES] if nesting in UNTIMED else timed(nesting)
        games = len(found)
        # From the earliest time at which a game hit its node limit, the wins are a lower bound.
        known = min((o["seconds"] for o in found if o["status"] == "node-limit"), default=np.inf)
        within = ["≥ " * (s > known) + percent(wins(found, s), games) for s in TENTHS]
        rows.append([named(nesting), f"{games:,}", *within])
        rows.append(["  the paper, ten times as long", "", *(f"{share:.2f}" for share in paper)])
        if nesting not in drawn:
            continue
        colour = COLOURS[drawn.index(nesting)]
        shares = np.array([wins(found, s) / games if s <= known else np.nan for s in times])
        errors = 257.6 * np.sqrt(shares * (1 - shares) / games)
        axes.errorbar(times, 100 * shares, errors, fmt=".-", color=colour, label=named(nesting))
    best = TABLE_3["3,1"]
    axes.plot(
        [1, 4, 16, 64], best, "s", mfc="none", color=COLOURS[5], label="the paper's best row, 2007"
    )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("processor time a deal in seconds (one core)")
    axes.set_ylabel("deals won, per cent")
    tidy(axes, "Nested rollouts, weights of 2007: deals won by time, 99 % intervals")
    subtitle(axes, "n: levels of nesting with H2 alone; n0;n1: with H1 and then with H2")
    axes.legend(**LEGEND_OUTSIDE)
    FIGURE.parent.mkdir(exist_ok=True)
    save(axes, FIGURE)
    print(f"wrote {FIGURE}", file=sys.stderr)
    return table(["won, % within", "games", *(f"{s:g} s" for s in TENTHS)], rows)


def timed(nesting: str) -> Outcomes:
    """The games of a row by time, with a limit of nodes."""
    given = ("--set", f"nesting={nesting}", "--nodes", BEST_NODES if nesting == "3,1" else TIMED)
    return outcomes(f"timed-{nesting}", TIMED_DEALS, "rollouts-2007", *given)


def paired() -> str:
    """Evolved weights against the published ones, at equal node limits."""
    rows, won = [], []
    for preset in ("rollouts-2007", "rollouts-evolved"):
        found = outcomes(f"paired-{preset}", PAIRED, preset, "--nodes", PAIRED_NODES)
        won.append(np.array([one["status"] == "solved" for one in found]))
        mean = 1000 * np.mean([one["seconds"] for one in found])
        longest = 1000 * max(one["seconds"] for one in found)
        counts = [percent(wins(found), len(found)), rounded(mean), rounded(longest)]
        rows.append([preset, f"{len(found):,}", *counts])
    header = [f"at most {int(PAIRED_NODES):,} nodes", "games", "won, %", "ms, mean", "ms, longest"]
    more, fewer = int((won[1] & ~won[0]).sum()), int((won[0] & ~won[1]).sum())
    # The sign test by its normal approximation.
    deviations = (more - fewer) / np.sqrt(more + fewer)
    return table(header, rows) + (
        f"\n\n{more} deals are won only with the evolved weights, {fewer} only with the published "
        f"ones. The difference is {deviations:.1f} standard deviations (sign test)."
    )


def complete() -> str:
    """The complete search: its speed, and how many deals can be won."""
    timed = outcomes("timed-complete", TIMED_DEALS, "complete")
    seconds = np.array([one["seconds"] for one in timed])
    decided = np.array([one["status"] in DECIDED for one in timed])
    rows = [
        [f"{limit:g} s", f"{100 * np.mean(decided & (seconds <= limit)):.2f}"]
        for limit in (0.001, 0.01, 0.1, 1, 4, 16)
    ]
    speed = (
        f"On the {len(timed):,} deals of the table by time, `complete` takes "
        f"{seconds.mean():.4f} s on average (median "
        f"{1e6 * np.median(seconds):.0f} us, longest {seconds.max():.1f} s) and generates "
        f"{np.mean([one['nodes']['generated'] for one in timed]):,.0f} states a deal."
    )
    found = outcomes("complete", SHARE, "complete")
    won, left = wins(found), sum(one["status"] not in DECIDED for one in found)
    low, high = won / len(found), (won + left) / len(found)
    share = (
        f"Of {len(found):,} other deals it wins {percent(won, len(found))} % and leaves {left} "
        f"undecided, so between {100 * low:.2f} and {100 * high:.2f} % of them can be won."
    )
    return table(["within", "decided, %"], rows) + f"\n\n{speed} {share}"


if __name__ == "__main__":
    main()
