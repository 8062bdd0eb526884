"""``make klondike-best``: ``best`` on fresh deals, beside the player that it replaced.

Plays hidden Klondike with unlimited redeals and a known stock, drawing three cards and one: within
0.3 seconds a game, and with 1,000 samples, the default. Writes the table of docs/results and
``docs/klondike-best.csv.gz``, which has the outcome of each game.

The player before is that of commit e1cd0e9, so its games come from a checkout of that commit;
``--before`` prints the commands that play them there. Put their files into ``out/klondike-best``,
where all games are kept; an interrupted run can be continued. Name series, such as
``"draw 3, 0.3 s"``, to play only these; the others then stay as the table has them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pages import (
    Outcomes,
    fill,
    interval,
    read_outcomes,
    results_of,
    wins,
    won_cells,
    write_outcomes,
    written,
)

from gafreecell.terminal.tables import table

FOLDER, TABLE = Path("out/klondike-best"), Path("docs/klondike-best.csv.gz")
FIRST, MOST = 5_000_001, 10_000
DEALS = range(FIRST, FIRST + MOST)


class Series(NamedTuple):
    """Games of the player.

    Attributes:
        name: of the series.
        draw: cards that a draw turns.
        samples: of the player.
        games: how many it plays.
        before: samples with which the player before takes as long; 0 if it does not play.
    """

    name: str
    draw: int
    samples: int
    games: int
    before: int = 0

    @property
    def file(self) -> str:
        """The name of the file of the games."""
        return self.name.replace(",", "").replace(" ", "-") + ".jsonl"

    @property
    def column(self) -> str:
        """The name of the games of the player before."""
        return f"{self.name}, before"

    def words(self, samples: int) -> list[str]:
        """The words of the command that plays the games."""
        words = [f"{FIRST}-{FIRST + self.games - 1}", "--policy", "best"]
        return [*words, "--samples", str(samples), "--variant", f"draw={self.draw}"]


SERIES = (
    Series("draw 3, 0.3 s", 3, 300, MOST, 330),
    Series("draw 3, 1 s", 3, 1_000, 4_000),
    Series("draw 1, 0.3 s", 1, 165, MOST, 400),
    Series("draw 1, 2 s", 1, 1_000, 4_000),
)


def main() -> None:
    """Play missing games and write the page."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("names", nargs="*", help="series to play (default: all)")
    reader.add_argument("--before", action="store_true", help="print commands, play nothing")
    given = reader.parse_args()
    if given.before:
        for series in SERIES:
            if series.before:
                words = ["gafreecell", "play", *series.words(series.before), "--format", "jsonl"]
                print(*words, "-o", f"before-{series.file}", "--resume")
        return
    games = read_outcomes(TABLE)
    for series in SERIES:
        if not given.names or series.name in given.names:
            lines = written(FOLDER / series.file, "play", *series.words(series.samples))
            games[series.name] = results_of(lines)
            assert len(games[series.name][0]) == series.games
        earlier = FOLDER / f"before-{series.file}"
        if series.before and earlier.exists():
            with earlier.open(encoding="utf-8") as text:
                found = results_of(map(json.loads, text))
            if len(found[0]) == series.games:
                games[series.column] = found
            else:
                print(f"{earlier}: {len(found[0])} of {series.games} games", file=sys.stderr)
                # The games of an earlier run may be fewer, too, and cannot be paired.
                games.pop(series.column, None)
    write_outcomes(TABLE, DEALS, games)
    header = ["series", "player", "won, %", "99 % interval", "games", "s a game"]
    header.append("gain, 95 % interval")
    fill("klondike-best", table(header, [row for one in SERIES for row in rows(one, games)]))


def rows(series: Series, games: Outcomes) -> list[list[str]]:
    """The rows of a series: the player, then the one before it."""
    lines = []
    players = {series.name: f"best {series.samples}", series.column: f"before {series.before}"}
    for name, player in players.items():
        if name in games:
            won = wins(games[name])
            cells = won_cells(int(won.sum()), won.size, float(np.mean(games[name][1])))
            lines.append([series.name, player, *cells, "-"])
    if len(lines) == 2:
        gain = 100 * (wins(games[series.name]) - wins(games[series.column]))
        lines[0][-1] = interval(gain, 2)
    return lines


if __name__ == "__main__":
    main()
