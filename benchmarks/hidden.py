"""``make hidden``: Klondike with hidden cards, beside Bjarnason, Fern and Tadepalli (2009).

Plays PySol FC's deals from 1 on with each row of the paper's Tables 1 and 2, then with ``best``
under growing budgets. Writes the tables, the figure ``plots/hidden.png`` and
``docs/hidden-best.csv``, which has a line for each game of ``best``. Games are kept in
``out/hidden/``, a file for each row, so an interrupted run can be continued. Name rows, or players
such as ``best``, to play only these; the others then stay as the table has them. ``--scale X``
multiplies the number of games; games already kept count as well. ``--readings`` instead plays
``random`` and ``greedy`` on shuffled decks under other readings of the paper's rules and writes the
second table; ``--ties`` plays ``hop`` with other choices among equal actions and writes the third.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pages import fill, tabled, won_cells, written
from players.kernels import klondike as kernels
from players.kernels.klondike import Reading

from deals import klondike
from gafreecell.comparing.statistics import wilson
from gafreecell.figures.style import COLOURS, LEGEND_OUTSIDE, new_axes, save, subtitle, tidy
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.klondike.hidden.planners import Hop
from gafreecell.solitaire.klondike.hidden.players import play_game
from gafreecell.solitaire.klondike.kernels.board import empty_board
from gafreecell.solitaire.klondike.packed import pack_deck
from gafreecell.terminal.tables import table

FOLDER, FIGURE = Path("out/hidden"), Path("plots/hidden.png")
CSV = Path("docs/hidden-best.csv")


@dataclass(frozen=True)
class Row:
    """A way to play.

    Attributes:
        name: of the row and its file.
        options: of ``gafreecell play``.
        games: how many to play, about ten minutes on two cores.
        paper: the paper's win rate, half its 99 % interval and seconds per game; 0 for what the
            paper does not print, and for ``best``.
        trajectories: per choice, for planners that grow trees.
    """

    name: str
    options: str
    games: int
    paper: tuple[float, float, float] = (0, 0, 0)
    trajectories: int = 0

    @property
    def policy(self) -> str:
        return self.options.split()[1]


BASELINES = (
    Row("random", "--policy random", 1_000_000, (7.135, 0, 0)),
    Row("greedy", "--policy greedy", 1_000_000, (12.992, 0, 0)),
)
HOP = (
    Row("hop 10x0", "--policy hop --samples 10 --level 0", 16_000, (22.96, 0.34, 43.54)),
    Row("hop 100x0", "--policy hop --samples 100 --level 0", 1_600, (27.20, 0.80, 689.78)),
    Row("hop 10x1", "--policy hop --samples 10 --level 1", 2_000, (25.24, 0.78, 833.26)),
    Row("hop 100x1", "--policy hop --samples 100 --level 1", 200, (26.13, 2.66, 9056.58)),
)


def _uct(kind: str, t: int, n: int, w: int, games: int, *paper: float) -> Row:
    """A row of Table 2: T trajectories in each of N trees, width w (0 for infinite)."""
    named = {"": t, "x": n if n > 1 else 0, " w": w if kind != "hop-uct" else 0}
    name = f"{kind} " + "".join(f"{mark}{value}" for mark, value in named.items() if value)
    trees = f" --trees {n}" if n > 1 else ""
    width = f" --width {w}" if w and kind != "hop-uct" else ""
    rate, half, seconds = paper
    options = f"--policy {kind} --trajectories {t}{trees}{width}"
    return Row(name, options, games, (rate, half, seconds), t * n)


UCT = (
    _uct("uct", 100, 1, 0, 20_000, 24.64, 3.04, 44.50),
    _uct("uct", 1000, 1, 0, 2_000, 34.24, 4.52, 1042.56),
    _uct("uct", 2000, 1, 0, 800, 34.41, 4.01, 2980.44),
    _uct("hop-uct", 100, 20, 1, 800, 35.47, 4.00, 767.57),
    _uct("hop-uct", 1000, 5, 1, 400, 30.58, 4.53, 3531.12),
    _uct("sparse-uct", 100, 1, 1, 20_000, 22.65, 2.41, 40.11),
    _uct("sparse-uct", 1000, 1, 1, 2_000, 28.66, 4.21, 566.65),
    _uct("sparse-uct", 1000, 1, 5, 2_000, 33.98, 1.63, 495.68),
    _uct("sparse-uct", 1000, 1, 10, 2_000, 33.79, 3.11, 747.82),
    _uct("sparse-uct", 2000, 1, 4, 800, 35.62, 2.58, 1485.19),
    _uct("ensemble-uct", 200, 20, 0, 300, 36.97, 1.92, 2280.55),
    _uct("ensemble-uct", 100, 10, 0, 1_200, 32.86, 1.57, 669.90),
    _uct("ensemble-sparse-uct", 50, 50, 2, 600, 35.27, 2.16, 1302.38),
)
BEST = tuple(
    Row(f"best {samples}", f"--policy best --samples {samples}", 2_000)
    for samples in (10, 30, 100, 300)
)
ROWS = (*BASELINES, *HOP, *UCT, *BEST)
DEALS = {
    policy: range(1, 1 + max(row.games for row in ROWS if row.policy == policy))
    for policy in dict.fromkeys(row.policy for row in ROWS)
}
"""The deals of each policy; rows with fewer games play the first of them."""
LONELYBOT = ((0.305, 46, 100), (2.8, 7_149, 15_024))
"""Seconds per game on such a machine, games won, games: of our re-run and of its author."""

READINGS = {
    "as our players read them": Reading(),
    "no pairs: moves that can be undone are dropped": Reading(kernels.NO_PAIRS),
    "no home move as a second move": Reading(home=0),
    "second moves that can be undone, too": Reading(kernels.REVERSIBLE),
    "second moves anywhere": Reading(kernels.UNRELATED),
    "home moves that can be undone only in pairs": Reading(home=2),
    "any card leaves its foundation": Reading(back=kernels.ALWAYS),
    "no card leaves its foundation": Reading(back=kernels.NEVER),
    "... unless all cards one rank lower are home": Reading(back=kernels.ONE_RANK),
    "... unless those of the other colour are home": Reading(back=kernels.OTHER_COLOUR),
    "kings to each empty pile": Reading(kings=1),
    "kings from the bottom of a pile as well": Reading(kings=2),
    "no greedy search at the end": Reading(end=kernels.NOT_AT_ALL),
    "one greedy search": Reading(end=kernels.ONCE),
    "one greedy search; the game is lost if it fails": Reading(end=kernels.LOST_AFTERWARDS),
    "a class by chance, then an action of it": Reading(choice=kernels.BY_CLASS),
    "all single moves, no loop prevention": Reading(kernels.ALL_SINGLE),
    "all single moves, no restriction": Reading(kernels.ALL_SINGLE, back=kernels.ALWAYS),
}
"""Readings of the rules; the first is that of the players."""
READ_GAMES = {"random": 200_000, "greedy": 50_000}
SLOW_GAMES = 50_000
"""Games of ``random`` with all single moves, which take ten times as long."""
TIES = ("first", "chance", "last")
TIED = ((10, 500, TIES), (100, 200, TIES[:2]))
"""Samples and games of HOP at level 0, and the choices among equal actions."""


class TiedHop(Hop):
    """HOP that plays the first of equal actions, the last, or one by chance.

    Args:
        way: one of ``TIES``.
    """

    def __init__(self, way: str) -> None:
        super().__init__()
        self._way, self._chance = way, np.random.default_rng(1)

    def rate(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        won, taken = super().rate(actions)
        if self._way == "chance":
            won += 1e-9 * self._chance.random(won.size)
        elif self._way == "last":
            won += 1e-9 * np.arange(won.size)
        return won, taken


Point = tuple[float, int, int]
"""Seconds a game, games won, games."""


class Series(NamedTuple):
    """Games won, games, and a game's mean seconds and choices."""

    won: int
    games: int
    seconds: float
    decisions: float


def main() -> None:
    """Play missing games and write the page; if rows or players are named, only play these."""
    reader = argparse.ArgumentParser()
    reader.add_argument("names", nargs="*")
    reader.add_argument("--scale", type=float, default=1.0)
    reader.add_argument("--readings", action="store_true")
    reader.add_argument("--ties", action="store_true")
    given = reader.parse_args()
    if given.readings:
        fill("hidden readings", readings(given.scale))
    if given.ties:
        fill("hidden ties", ties(given.scale))
    if given.readings or given.ties:
        return
    cells = tabled("hidden")
    for row in ROWS:
        if not given.names or {row.name, row.policy} & {*given.names}:
            cells[row.name] = shown(row, played(row, max(1, round(given.scale * row.games))))
            print(row.name, *cells[row.name], file=sys.stderr)
    header = ["policy", "paper, %", "paper, s", "won, %", "99 % interval", "games", "s a game"]
    header += ["trajectories a s"]
    lines = [[row.name, *cells[row.name]] for row in ROWS if row.name in cells]
    fill("hidden", table(header, lines))
    points = {name: _point(line) for name, line in cells.items()}
    best = [points[row.name] for row in BEST if row.name in points]
    draw(best, [points[row.name] for row in (*HOP, *UCT) if row.name in points])
    if all(_file(row).exists() for row in BEST):
        write_best()


def readings(scale: float) -> str:
    """What ``random`` and ``greedy`` win under each reading."""
    rows = []
    for name, reading in READINGS.items():
        cells = []
        for policy, games in READ_GAMES.items():
            if policy == "greedy":
                if reading.pairs == kernels.ALL_SINGLE or reading.choice != kernels.AT_RANDOM:
                    cells.append("-")
                    continue
                reading = reading._replace(choice=kernels.GREEDY)
            elif reading.pairs == kernels.ALL_SINGLE:
                games = SLOW_GAMES
            games = round(scale * games)
            won = played_as(reading, games)
            low, high = wilson(won, games, 0.99)
            cells.append(f"{100 * won / games:.2f} ({100 * low:.2f} to {100 * high:.2f})")
        rows.append([name, *cells])
        print(*rows[-1], sep="; ", file=sys.stderr, flush=True)
    return table(["reading", "random, % (99 %)", "greedy, % (99 %)"], rows)


def played_as(reading: Reading, games: int) -> int:
    """How many games on shuffled decks a reading wins."""
    board, scratch, draws = empty_board(), kernels.new_scratch(), new_draws(2009, 0)
    packed, won, slice_ = pack_deck(tuple(range(4, 56))), 0, 1_000
    # A kernel cannot be interrupted, so it plays a slice at a time.
    for start in range(0, games, slice_):
        many = min(slice_, games - start)
        won += kernels.wins_of(board, reading, scratch, packed, draws, many)
    return won


def ties(scale: float) -> str:
    """What HOP wins with each choice among equal actions, on the same deals."""
    rows = []
    for samples, games, ways in TIED:
        games = round(scale * games)
        name = f"hop {samples}x0"
        paper = next(row.paper for row in HOP if row.name == name)
        cells = [name, f"{paper[0]:g} ± {paper[1]:g}", f"{games:,}"]
        for way in TIES:
            cells.append(tied(way, samples, games) if way in ways else "-")
        rows.append(cells)
        print(*cells, sep="; ", file=sys.stderr, flush=True)
    shares = (f"{way}, % (99 %)" for way in TIES)
    return table(["policy", "paper, %", "games", *shares], rows)


def tied(way: str, samples: int, games: int) -> str:
    """A cell: the games that HOP wins with a choice among equal actions, in per cent."""
    player, won = TiedHop(way), 0
    play_game(player, klondike(1), {"samples": 1, "level": 0})  # compiles
    for number in DEALS["hop"][:games]:
        values = {"samples": samples, "level": 0}
        won += play_game(player, klondike(number), values, place=number - 1).won
    low, high = wilson(won, games, 0.99)
    return f"{100 * won / games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _point(cells: list[str]) -> Point:
    """A row's point of the figure."""
    _, _, rate, _, games, seconds, _ = (cell.replace(",", "") for cell in cells)
    return float(seconds), round(float(rate) / 100 * int(games)), int(games)


def played(row: Row, games: int) -> Series:
    """At least so many games of a row; missing ones are played now."""
    file = _file(row)
    kept = file.read_bytes().count(b"\n") if file.exists() else 0
    series = written(file, "play", f"1-{max(games, kept)}", *row.options.split())
    won, seconds, decisions = np.array(
        [(line["won"], line["seconds"], line["decisions"]) for line in series], float
    ).T
    return Series(int(won.sum()), len(won), float(seconds.mean()), float(decisions.mean()))


def _file(row: Row) -> Path:
    return FOLDER / (row.name.replace(" ", "-") + ".jsonl")


def shown(row: Row, series: Series) -> list[str]:
    """The row's cells after its name."""
    won, games, seconds, decisions = series
    rate, half, time = row.paper
    return [
        (f"{rate:g} ± {half:g}" if half else f"{rate:g}") if rate else "-",
        f"{time:,.0f}" if time else "-",
        *won_cells(won, games, seconds),
        f"{decisions * row.trajectories / seconds:,.0f}" if row.trajectories else "-",
    ]


def draw(best: list[Point], planners: list[Point]) -> None:
    """Win rate against seconds a game."""
    (axes,) = new_axes(1, 10.5, 5)
    _points(axes, best, "o-", 0, "best")
    _points(axes, list(LONELYBOT), "s", 1, "lonelybot")
    _points(axes, planners, ".", 3, "planners of 2009, here")
    papers = [row.paper for row in (*HOP, *UCT)]
    rates, halves, seconds = (list(column) for column in zip(*papers, strict=True))
    axes.errorbar(
        seconds, rates, yerr=halves, fmt="x", color=COLOURS[2],
        label="planners of 2009, as published",
    )  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlabel("seconds a game, one core")
    axes.set_ylabel("games won, %, with 99 % intervals")
    tidy(axes, "Klondike with hidden cards: games won by time")
    subtitle(axes, "Published figures and those of lonelybot are of other deals and machines.")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.legend(**LEGEND_OUTSIDE)
    save(axes, FIGURE)
    print(f"wrote {FIGURE}", file=sys.stderr)


def write_best() -> None:
    """Write the result of each game of ``best``, so that anyone can check one."""
    with CSV.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["samples", "deal", "won", "decisions", "moves"])
        for row in BEST:
            samples = row.name.split()[1]
            with _file(row).open(encoding="utf-8") as lines:
                for game in map(json.loads, lines):
                    won, moves = int(game["won"]), len(game["moves"])
                    writer.writerow([samples, game["deal"], won, game["decisions"], moves])
    print(f"wrote {CSV}", file=sys.stderr)


def _points(axes, points, style: str, colour: int, label: str) -> None:
    seconds, won, games = (np.array(column, float) for column in zip(*points, strict=True))
    ends = [wilson(int(w), int(n), 0.99) for w, n in zip(won, games, strict=True)]
    rates = 100 * won / games
    errors = [
        [rate - 100 * low for rate, (low, _) in zip(rates, ends, strict=True)],
        [100 * high - rate for rate, (_, high) in zip(rates, ends, strict=True)],
    ]
    axes.errorbar(seconds, rates, yerr=errors, fmt=style, color=COLOURS[colour], label=label)


if __name__ == "__main__":
    main()
