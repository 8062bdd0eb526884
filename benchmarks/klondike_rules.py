"""``make klondike-rules``: Klondike as people play it, under each rule.

With all cards known, the complete search decides 20,000 of PySol FC's deals under eight rules: how
many can be won, and what a deal costs. With hidden cards, players play the deals from 1 on: draw
three and draw one without a limit of redeals, and the rules called Vegas (one pass drawing one,
three passes drawing three), with the stock known from the start and with each card of the stock
known once it was turned.

Writes the tables of docs/results.md, the figure ``plots/klondike-rules.png`` and
``docs/klondike-rules.csv.gz``, which has a line for each deal and each game. Outputs are kept in
``out/klondike-rules/``, so an interrupted run can be continued. Name series to make only these.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pages import fill, solved, written

from gafreecell.figures.style import COLOURS, new_axes, save
from gafreecell.statistics import wilson
from gafreecell.tables import rounded, table

FOLDER, FIGURE = Path("out/klondike-rules"), Path("plots/klondike-rules.png")
CSV = Path("docs/klondike-rules.csv.gz")
KNOWN = "700001-720000"
"""Deals that the complete search decides under each rule."""
PUBLISHED = {
    (3, ""): "81.945 ± 0.084 (Blake and Gent)",
    (1, ""): "about 90.5 (Blake and Gent)",
}


@dataclass(frozen=True)
class Rules:
    """Rules of a game.

    Attributes:
        name: for people.
        draw: cards that a draw turns.
        redeals: how often the waste may be turned over; empty for no limit.
    """

    name: str
    draw: int
    redeals: str = ""

    def options(self, stock: str = "known") -> list[str]:
        """The options of the command line."""
        settings = [f"draw={self.draw}"]
        settings += [f"redeals={self.redeals}"] if self.redeals else []
        settings += ["stock=hidden"] if stock == "hidden" else []
        return [word for one in settings for word in ("--variant", one)]


ALL_KNOWN = tuple(
    Rules(f"draw {draw}" + (f", redeals {redeals}" if redeals else ""), draw, redeals)
    for draw in (3, 1)
    for redeals in ("", "2", "1", "0")
)
PLAYED = (
    Rules("draw 3", 3),
    Rules("draw 1", 1),
    Rules("draw 3, three passes", 3, "2"),
    Rules("draw 1, one pass", 1, "0"),
)
STOCKS = "known", "hidden"


class Player(NamedTuple):
    """A player and its games.

    Attributes:
        name: of the series.
        options: of ``gafreecell play``; ``{samples}`` stands for a number of samples.
        games: how many it plays under each rule.
    """

    name: str
    options: str
    games: int

    @property
    def policy(self) -> str:
        return self.options.split()[1]


PLAYERS = (
    Player("best, 0.3 s", "--policy best --samples {samples}", 4_000),
    Player("best, 3 s", "--policy best --samples {samples}", 500),
    Player("greedy", "--policy greedy", 100_000),
    Player("random", "--policy random", 100_000),
)
DEALS = {
    policy: range(1, 1 + max(player.games for player in PLAYERS if player.policy == policy))
    for policy in dict.fromkeys(player.policy for player in PLAYERS)
}
"""The deals of each policy; its series with fewer games play the first of them."""
SAMPLES = {
    ("draw 3", "best, 0.3 s"): 400,
    ("draw 3", "best, 3 s"): 4_000,
    ("draw 1", "best, 0.3 s"): 400,
    ("draw 1", "best, 3 s"): 4_000,
    ("draw 3, three passes", "best, 0.3 s"): 100,
    ("draw 3, three passes", "best, 3 s"): 1_000,
    ("draw 1, one pass", "best, 0.3 s"): 100,
    ("draw 1, one pass", "best, 3 s"): 1_000,
}
"""Samples with which a game of ``best`` takes about so long."""


class Decided(NamedTuple):
    """What the complete search made of the deals of a rule."""

    won: int
    lost: int
    undecided: int
    seconds: np.ndarray


def main() -> None:
    """Play and solve what is missing and write the pages; if series are named, only make these."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("names", nargs="*", help="solve, or names of players")
    names = reader.parse_args().names
    rows: list[tuple[Any, ...]] = []
    known = [decided(rules, rows) for rules in ALL_KNOWN] if not names or "solve" in names else []
    games = {
        (rules.name, stock, player.name): played(rules, stock, player, rows)
        for player in PLAYERS
        if not names or player.name in names
        for rules in PLAYED
        for stock in STOCKS
    }
    if names:
        return
    fill("klondike-rules", f"{known_table(known)}\n\n{hidden_table(games)}")
    draw(games)
    write(rows)


def decided(rules: Rules, rows: list[tuple[Any, ...]]) -> Decided:
    """The verdicts on the deals of a rule."""
    file = FOLDER / f"solve-{rules.draw}-{rules.redeals or 'unlimited'}.jsonl"
    words = [KNOWN, "--game", "klondike", *rules.options()]
    found = [(one["deal"], one["status"], one["seconds"]) for one in solved(file, *words)]
    rows += [(rules.name, "known", "complete", deal, status) for deal, status, _ in found]
    won, lost = (sum(status == wanted for _, status, _ in found) for wanted in _VERDICTS)
    seconds = np.array([seconds for _, _, seconds in found])
    print(rules.name, won, lost, len(found) - won - lost, file=sys.stderr)
    return Decided(won, lost, len(found) - won - lost, seconds)


_VERDICTS = "solved", "unsolvable"


class Games(NamedTuple):
    """Games won, games, and a game's mean seconds."""

    won: int
    games: int
    seconds: float


def played(rules: Rules, stock: str, player: Player, rows: list[tuple[Any, ...]]) -> Games:
    """The games of a player under a rule."""
    name = "-".join((rules.name, stock, player.name)).replace(",", "").replace(" ", "-")
    options = player.options.format(samples=SAMPLES.get((rules.name, player.name)))
    words = [f"1-{player.games}", *options.split(), *rules.options(stock)]
    games = [
        (one["deal"], one["won"], one["seconds"])
        for one in written(FOLDER / f"{name}.jsonl", "play", *words)
    ]
    rows += [(rules.name, stock, player.name, deal, int(won)) for deal, won, _ in games]
    won = sum(won for _, won, _ in games)
    seconds = float(np.mean([seconds for _, _, seconds in games]))
    print(name, won, len(games), f"{seconds:.3f} s", file=sys.stderr)
    return Games(won, len(games), seconds)


def known_table(known: Sequence[Decided]) -> str:
    """The share of deals that can be won, and what a deal costs."""
    header = ["rules", "won", "lost", "undecided", "can be won, %, 99 % interval", "published, %"]
    header += ["mean", "median", "99 %"]
    lines = []
    for rules, found in zip(ALL_KNOWN, known, strict=True):
        total = found.won + found.lost + found.undecided
        # An undecided deal may be won or lost, so it widens the interval on both sides.
        low, high = wilson(found.won, total, 0.99)[0], wilson(total - found.lost, total, 0.99)[1]
        percentiles = np.percentile(found.seconds, [50, 99])
        times = [1000 * float(time) for time in (found.seconds.mean(), *percentiles)]
        lines.append(
            [
                rules.name,
                *(f"{count:,}" for count in found[:3]),
                f"{100 * low:.2f} to {100 * high:.2f}",
                PUBLISHED.get((rules.draw, rules.redeals), "-"),
                *(f"{rounded(time)} ms" for time in times),
            ]
        )
    return table(header, lines)


def hidden_table(games: dict[tuple[str, str, str], Games]) -> str:
    """The share of games won under each rule."""
    header = ["rules", "stock", "player", "won, %", "99 % interval", "games", "s a game"]
    lines = []
    for rules in PLAYED:
        for stock in STOCKS:
            for player in PLAYERS:
                found = games[rules.name, stock, player.name]
                low, high = (100 * end for end in wilson(found.won, found.games, 0.99))
                share = f"{100 * found.won / found.games:.2f}"
                line = [rules.name, stock, player.policy, share, f"{low:.2f} to {high:.2f}"]
                lines.append([*line, f"{found.games:,}", rounded(found.seconds)])
    return table(header, lines)


def draw(games: dict[tuple[str, str, str], Games]) -> None:
    """Bars of the games won under each rule, with the stock known and hidden."""
    (axes,) = new_axes(1, 9, 5)
    width = 0.8 / (len(PLAYERS) * len(STOCKS))
    for i, player in enumerate(PLAYERS):
        for k, stock in enumerate(STOCKS):
            found = [games[rules.name, stock, player.name] for rules in PLAYED]
            shares = np.array([100 * one.won / one.games for one in found])
            ends = np.array([wilson(one.won, one.games, 0.99) for one in found]) * 100
            places = np.arange(len(PLAYED)) + (2 * i + k - 3.5) * width
            axes.bar(
                places, shares, width * 0.9, color=COLOURS[i], alpha=1.0 if k == 0 else 0.5,
                yerr=[shares - ends[:, 0], ends[:, 1] - shares],
                label=f"{player.name}, stock {stock}",
            )  # fmt: skip
    axes.set_xticks(range(len(PLAYED)), [rules.name for rules in PLAYED])
    axes.set_ylabel("games won, %, with 99 % intervals")
    axes.set_title("Klondike with hidden cards under the rules that people play")
    axes.legend()
    save(axes, FIGURE)
    print(f"wrote {FIGURE}", file=sys.stderr)


def write(rows: Sequence[tuple[Any, ...]]) -> None:
    """Write all deals and games as a compressed table, the same bytes for the same rows."""
    with (
        CSV.open("wb") as file,
        gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed,
        io.TextIOWrapper(packed, "utf-8", newline="") as text,
    ):
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["rules", "stock", "player", "deal", "result"])
        writer.writerows(rows)
    print(f"wrote {CSV}", file=sys.stderr)


if __name__ == "__main__":
    main()
