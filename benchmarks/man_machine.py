"""``make man-machine``: the table of "Solitaire: Man Versus Machine" (2005) beside ours.

Plays PySol FC's deals from 1 on, on one core: some minutes for the nestings, and as long for other
interpretations of the poster where it is ambiguous. Writes both tables in docs/results.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from pages import fill

from deals import klondike
from gafreecell.comparing.statistics import wilson
from gafreecell.solitaire.klondike.man_machine.search import ManMachine
from gafreecell.solitaire.klondike.packed import pack_board
from gafreecell.solitaire.klondike.presets import preset
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.parameters import Value, read_parameters
from gafreecell.terminal.tables import rounded, table

# For each nesting in the poster: its name, the win rate and half its 99 % interval in per cent, the
# number of games, the time per game, and how many games we can play in some minutes.
PUBLISHED = (
    ("heuristic", 13.05, 0.882, 10_000, "0.021 s", 100_000),
    ("1 rollout", 31.20, 1.20, 10_000, "0.67 s", 50_000),
    ("2 rollouts", 47.60, 1.30, 10_000, "7.13 s", 30_000),
    ("3 rollouts", 56.83, 1.30, 10_000, "96 s", 15_000),
    ("4 rollouts", 60.51, 4.00, 1_000, "1,087 s", 6_000),
    ("5 rollouts", 70.20, 8.34, 200, "6,300 s", 2_000),
)
READINGS: tuple[dict[str, Value], ...] = (
    {},
    {"piles": 0},
    {"waste-home": 5},
    {"waste-home": 0},
    {"piles": 0, "waste-home": 0},
    {"first": "priority"},
    {"queens": "colour"},
    {"queens": "other-colour"},
    {"ties": "last"},
    {"ties": "chance"},
    {"avoid": "nowhere"},
    {"avoid": "everywhere"},
    {"piles": 0, "waste-home": 0, "avoid": "nowhere"},
)
GAMES = (100_000, 20_000, 5_000)
"""Games to play of each interpretation, for the heuristic and for 1 and 2 rollouts."""
PRESETS = tuple(f"man-machine-2005-n{n}" for n in range(len(PUBLISHED)))
DEALS = {name: range(1, row[-1] + 1) for name, row in zip(PRESETS, PUBLISHED, strict=True)}
READING_DEALS = {name: range(1, games + 1) for name, games in zip(PRESETS, GAMES, strict=False)}
SEARCH = ManMachine()


def play(
    packed: Sequence[np.ndarray], limits: Limits, given: dict[str, Value]
) -> tuple[int, int, float]:
    """How many games are won, how many reach a limit, and processor milliseconds per game."""
    values = read_parameters("man-machine", ManMachine.parameters, given)
    found = [SEARCH.run(position, np.zeros(0), values, limits) for position in packed]
    won = sum(one.status is Status.SOLVED for one in found)
    limited = len(found) - won - sum(one.status is Status.EXHAUSTED for one in found)
    return won, limited, 1000 * sum(one.seconds for one in found) / len(found)


def share(won: int, games: int) -> str:
    """A share in per cent with its 99 % interval."""
    low, high = wilson(won, games, 0.99)
    return f"{100 * won / games:.2f} [{100 * low:.2f}, {100 * high:.2f}]"


def main() -> None:
    """Play everything and write the tables."""
    packed = [pack_board(klondike(number)) for number in max(DEALS.values(), key=len)]
    play(packed[:1], Limits(), {})  # compiles
    rows = []
    for n, (name, rate, half, theirs, time, games) in enumerate(PUBLISHED):
        weights = preset(PRESETS[n])
        parameters = dict(weights.search.parameters)
        won, limited, milliseconds = play(packed[:games], weights.limits, parameters)
        rows.append(
            [
                name, f"{rate:.2f} [{rate - half:.2f}, {rate + half:.2f}]", f"{theirs:,}", time,
                share(won, games), f"{games:,}", str(limited), f"{rounded(milliseconds)} ms",
            ]
        )  # fmt: skip
        print(*rows[-1], file=sys.stderr, flush=True)
    header = ["player", "poster, %", "games", "a game", "ours, %", "games", "at a limit", "a game"]
    nestings = table(header, rows)
    rows = []
    for given in READINGS:
        name = " ".join(f"`{key}={value}`" for key, value in given.items()) or "as above"
        shares = [
            share(play(packed[:games], Limits(), {**given, "nesting": n})[0], games)
            for n, games in enumerate(GAMES)
        ]
        rows.append([name, *shares])
        print(*rows[-1], file=sys.stderr, flush=True)
    header = ["reading", *(name for name, *_ in PUBLISHED[: len(GAMES)])]
    *first, last = (f"{games:,}" for games in GAMES)
    readings = table(header, rows)
    fill(
        "man-machine",
        f"{nestings}\n\nGames won in % [99 % interval] under other interpretations of the poster, "
        f"of {', '.join(first)} and {last} games:\n\n{readings}",
    )


if __name__ == "__main__":
    main()
