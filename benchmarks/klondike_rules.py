"""``make klondike-rules``: Klondike as people play it, under each rule.

With all cards known, the complete search decides 20,000 of PySol FC's deals under eight rules: how
many can be won, and what a deal costs. With hidden cards, players play the deals from 1 on: draw
three and draw one without a limit of redeals, and the rules called Vegas (one pass drawing one,
three passes drawing three), with the stock known from the start and with each card of the stock
known once it was turned.

Writes the tables of docs/results, the figure ``plots/klondike-rules.png`` and a compressed table
for each series, ``docs/klondike-rules/*.csv.gz``, with the outcome and the seconds of each deal.
Outputs are kept in ``out/klondike-rules/``, so an interrupted run can be continued. All of it takes
some five hours on two cores. Name parts to make only these, such as ``"solve, draw 1"`` for the
draw-one rules or ``greedy`` for all games of ``greedy``; the others then stay as the tables have
them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pages import (
    Column,
    Outcomes,
    fill,
    read_outcomes,
    results_of,
    solved,
    won_cells,
    write_outcomes,
    written,
)

from gafreecell.comparing.statistics import wilson
from gafreecell.figures.style import COLOURS, caption, new_axes, save, tidy
from gafreecell.terminal.tables import rounded, table

FOLDER, FIGURE = Path("out/klondike-rules"), Path("plots/klondike-rules.png")
TABLES = Path("docs/klondike-rules")
KNOWN = "700001-720000"
"""Deals that the complete search decides under each rule."""
PUBLISHED = {
    (3, ""): "81.945 ± 0.084 (Blake and Gent), 81.942 ± 0.080 (Dang and others)",
    (1, ""): "90.480 ± 0.116 (Blake and Gent), 90.454 ± 0.090 (Dang and others)",
}

BEST_PUBLISHED = {
    "draw 3, stock known": (46.5, 47.6, 48.6, "lonelybot"),
    "draw 3, stock hidden": (40.4, 44.4, 48.5, "Milas *"),
    "draw 1, stock hidden": (59.2, 63.2, 67.0, "Milas *"),
    "draw 3, three passes, stock hidden": (7.4, 7.6, 7.8, "SolitaireSolver"),
    "draw 1, one pass, stock hidden": (3.8, 4.0, 4.2, "SolitaireSolver"),
}
"""The highest published shares of games won with hidden cards, %, between the ends of their
intervals, and whose they are."""
NOTE = "* does not say whether the stock is known"


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

    def with_stock(self, stock: str) -> str:
        """The name of these rules with a known or a hidden stock."""
        return f"{self.name}, stock {stock}"

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


class Series(NamedTuple):
    """Games of a player, or verdicts of the complete search.

    Attributes:
        name: of the series.
        options: of ``gafreecell play``; ``{samples}`` stands for a number of samples.
        games: how many it plays under each rule.
    """

    name: str
    options: str
    games: int

    @property
    def file(self) -> str:
        return self.name.replace(",", "").replace(" ", "-")

    @property
    def policy(self) -> str:
        return self.options.split()[1]


SOLVE = "solve"
PUBLISHED_BY = "best published player"
PLAYERS = (
    Series("best, 0.3 s", "--policy best --samples {samples}", 4_000),
    Series("best, 3 s", "--policy best --samples {samples}", 500),
    Series("greedy", "--policy greedy", 100_000),
    Series("random", "--policy random", 100_000),
)
DEALS = {
    policy: range(1, 1 + max(player.games for player in PLAYERS if player.policy == policy))
    for policy in dict.fromkeys(player.policy for player in PLAYERS)
}
"""The deals of each policy; its series with fewer games play the first of them."""
SAMPLES = {
    ("draw 3", "known"): 300,
    ("draw 1", "known"): 200,
    ("draw 3, three passes", "known"): 800,
    ("draw 3, three passes", "hidden"): 700,
    ("draw 1, one pass", "known"): 750,
    ("draw 1, one pass", "hidden"): 600,
}
"""Samples with which a game of ``best`` takes about 0.3 s; it gets ten times as many for 3 s."""


def main() -> None:
    """Make the parts that are asked for, and write the pages from the tables of all series."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("parts", nargs="*", help="how the names of parts begin (default: all)")
    parts = tuple(reader.parse_args().parts) or ("",)
    made: Outcomes = {}
    for rules in ALL_KNOWN:
        if f"{SOLVE}, {rules.name}".startswith(parts):
            made[rules.name] = decided(rules)
    write(SOLVE, deals_of(KNOWN), made)
    for player in PLAYERS:
        made = {}
        for rules in PLAYED:
            for stock in STOCKS:
                name = rules.with_stock(stock)
                if f"{player.name}, {name}".startswith(parts):
                    made[name] = played(rules, stock, player)
        write(player.file, range(1, player.games + 1), made)
    known, games = read(SOLVE), {player.name: read(player.file) for player in PLAYERS}
    fill("klondike-rules", f"{known_table(known)}\n\n{hidden_table(games)}")
    draw(games)


def decided(rules: Rules) -> Column:
    """The verdicts on the deals of a rule, and the seconds that they took."""
    file = FOLDER / f"solve-{rules.draw}-{rules.redeals or 'unlimited'}.jsonl"
    words = [KNOWN, "--game", "klondike", *rules.options()]
    found = [(one["status"], one["seconds"]) for one in solved(file, *words)]
    print(rules.name, Counter(status for status, _ in found), file=sys.stderr)
    return [status for status, _ in found], [seconds for _, seconds in found]


def played(rules: Rules, stock: str, player: Series) -> Column:
    """A player's games under a rule, and the seconds that they took."""
    if player.policy == "best" and not rules.redeals:
        # A free round trip through the stock shows it, so these games are those of a known stock
        # (tests/klondike/test_best_rules.py).
        stock = "known"
    name = "-".join((rules.name, stock, player.file)).replace(",", "").replace(" ", "-")
    samples = SAMPLES.get((rules.name, stock), 0) * (10 if player.name == "best, 3 s" else 1)
    words = [f"1-{player.games}", *player.options.format(samples=samples).split()]
    words += rules.options(stock)
    found = results_of(written(FOLDER / f"{name}.jsonl", "play", *words))
    print(name, Counter(found[0]), file=sys.stderr)
    return found


def deals_of(text: str) -> range:
    """The deals of a range such as ``5-8``."""
    first, last = map(int, text.split("-"))
    return range(first, last + 1)


def write(name: str, deals: range, made: Outcomes) -> None:
    """Put outcomes into a series' compressed table."""
    if made:
        # A search may take microseconds; the fastest player takes 0.4 milliseconds for a game.
        rounding = "{:.2g}" if name == SOLVE else "{:.4f}"
        write_outcomes(TABLES / f"{name}.csv.gz", deals, read(name) | made, rounding)


def read(name: str) -> Outcomes:
    """The outcomes of a series; none if its table was never made."""
    return read_outcomes(TABLES / f"{name}.csv.gz")


def known_table(known: Outcomes) -> str:
    """The share of deals that can be won, and what a deal costs."""
    header = ["rules", "won", "lost", "undecided", "can be won, %", "99 % interval"]
    header += ["published, %", "mean", "median", "99 %"]
    lines = []
    for rules in ALL_KNOWN:
        if rules.name not in known:
            continue
        results, seconds = known[rules.name]
        counts = [results.count(verdict) for verdict in ("solved", "unsolvable")]
        won, lost, total = *counts, len(results)
        # An undecided deal may be won or lost, so it widens the interval on both sides.
        low, high = wilson(won, total, 0.99)[0], wilson(total - lost, total, 0.99)[1]
        times = [np.mean(seconds), *np.percentile(seconds, [50, 99])]
        lines.append(
            [
                rules.name,
                *(f"{count:,}" for count in (won, lost, total - won - lost)),
                f"{100 * won / total:.2f}",
                f"{100 * low:.2f} to {100 * high:.2f}",
                PUBLISHED.get((rules.draw, rules.redeals), "-"),
                *(f"{rounded(1000 * float(time))} ms" for time in times),
            ]
        )
    return table(header, lines)


def hidden_table(games: Mapping[str, Outcomes]) -> str:
    """The share of games won under each rule."""
    header = ["rules", "stock", "player", "won, %", "99 % interval", "games", "s a game"]
    lines = []
    for rules in PLAYED:
        for stock in STOCKS:
            for player in PLAYERS:
                name = rules.with_stock(stock)
                if name not in games[player.name]:
                    continue
                results, seconds = games[player.name][name]
                cells = won_cells(results.count("won"), len(results), float(np.mean(seconds)))
                lines.append([rules.name, stock, player.name, *cells])
    return table(header, lines)


def in_short(share: float) -> str:
    """A share in per cent, narrow enough to stand over a bar."""
    return "< 0.01" if 0 < share < 0.01 else f"{share:.1f}" if share >= 1 else f"{share:.2f}"


def draw(games: Mapping[str, Outcomes]) -> None:
    """A panel for each stock: the games that each player wins under each rule, as bars."""
    panels = new_axes(len(STOCKS), 11, 8)
    # The last place is that of the published player.
    width = 0.86 / (len(PLAYERS) + 1)
    for stock, axes in zip(STOCKS, panels, strict=True):
        names = [rules.with_stock(stock) for rules in PLAYED]
        for i, player in enumerate(PLAYERS):
            there = [k for k, name in enumerate(names) if name in games[player.name]]
            found = [games[player.name][names[k]][0] for k in there]
            if not found:
                continue
            shares = np.array([100 * one.count("won") / len(one) for one in found])
            ends = 100 * np.array([wilson(one.count("won"), len(one), 0.99) for one in found])
            places = np.array(there) + (i - len(PLAYERS) / 2) * width
            axes.bar(
                places, shares, width * 0.9, color=COLOURS[i], label=player.name,
                yerr=[shares - ends[:, 0], ends[:, 1] - shares],
            )  # fmt: skip
            for place, share, end in zip(places, shares, ends, strict=True):
                axes.annotate(
                    in_short(share), (place, end[1]), (0, 2), textcoords="offset points",
                    ha="center", fontsize=9,
                )  # fmt: skip
        for k, name in enumerate(names):
            if name in BEST_PUBLISHED:
                low, share, high, whose = BEST_PUBLISHED[name]
                place = k + len(PLAYERS) / 2 * width
                axes.bar(
                    place, share, width * 0.9, color="white", edgecolor="black", hatch="//",
                    label=PUBLISHED_BY, yerr=[[share - low], [high - share]],
                )  # fmt: skip
                axes.annotate(
                    f"{whose}\n{share}", (place, high), (0, 2), textcoords="offset points",
                    ha="center", fontsize=9,
                )  # fmt: skip
        axes.set_xticks(range(len(PLAYED)), [rules.name for rules in PLAYED])
        axes.set_ylabel("games won, %")
        axes.margins(y=0.1)
        tidy(axes, f"Klondike with hidden cards, stock {stock} (bars: 99 % intervals)")
    # A player may have played with one kind of stock alone.
    bars = {
        label: bar
        for axes in panels
        for bar, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    names = [name for name in (*(one.name for one in PLAYERS), PUBLISHED_BY) if name in bars]
    panels[0].legend([bars[name] for name in names], names, frameon=False)
    caption(panels[-1], [NOTE])
    save(panels[0], FIGURE)
    print(f"wrote {FIGURE}", file=sys.stderr)


if __name__ == "__main__":
    main()
