"""``make solvitaire``: games given as rules beside Solvitaire, on the same deals and one core.

Solvitaire (Blake and Gent 2026, github.com/thecharlieblake/Solvitaire) has to be built first, with
the flags of its own release, ``-O3 -flto -DNDEBUG``; without the last it prints every position.
``SOLVITAIRE`` in the environment is the path of the program, ``solvitaire`` if it is not set.

It gets a tenth of its limit with its streamliners, then the rest without (``smart-solvability``),
as its authors ran it. The deals of games with cells are its own, by seed, as it does not read empty
cells; those of others are ours. Times are processor times: of its process, and of our search. Our
solutions are replayed. docs/solvitaire.csv keeps each deal, so that an interrupted run goes on;
``solvitaire.py tables`` writes the table from it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pages import fill, read_lines, spent_by, write_lines

from deals.cards import card_name
from gafreecell.solitaire.game import game
from gafreecell.solitaire.patience.position import Position
from gafreecell.solving.outcome import LARGEST, Limits, Task
from gafreecell.terminal.tables import table

FILE, PAGE, OUT = Path("docs/solvitaire.csv"), Path("docs/patience.md"), Path("out/solvitaire")
PROGRAM = os.environ.get("SOLVITAIRE", "solvitaire")
SECONDS = 10
MEMORY = 4_000_000_000
SEEDS = 100
GAMES = (
    *("free-cell", "bakers-game", "eight-off", "seahaven-towers", "fore-cell", "fan"),
    *("king-albert", "canfield", "beleaguered-castle", "streets-and-alleys", "golf"),
    *("black-hole", "klondike-deal-1", "forty-thieves", "raglan", "flower-garden", "somerset"),
    *("scotch-patience", "worm-hole"),
)
"""Simple Simon and Spider's kin are missing: Solvitaire's reader looks for the key ``complete
piles``, but its rules and their schema say ``only complete pile moves``, so that single cards go
home there, which makes these games easy."""
FEWER = {"forty-thieves": 20, "scotch-patience": 20}
"""Deals of games of which one program, or both, leave most open after ten seconds each."""


@dataclass(frozen=True)
class Line:
    """A deal.

    Attributes:
        game: its name.
        seed: Solvitaire's.
        ours, theirs: ``solved``, ``unsolvable``, or empty.
        nodes: positions that our search generated.
        milliseconds, theirs_milliseconds: processor time.
    """

    game: str
    seed: int
    ours: str
    theirs: str
    nodes: int
    milliseconds: float
    theirs_milliseconds: float


def measured(name: str, seed: int) -> Line:
    """Solve a deal by both."""
    played = game(name)
    if played.rules.cells.count:
        source = ("--random", str(seed))
        _, dealt = _spent_by("--type", name, *source, "--deal-only")
        (board,) = played.read_boards(dealt[dealt.index("{") :])
    else:
        board = played.deal(seed)
        file = OUT / f"{name}-{seed}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(as_json(board)), encoding="utf-8")
        source = (str(file),)
    weights = played.preset(played.default_preset)
    limits = Limits(LARGEST, memory=MEMORY, seconds=SECONDS)
    # The first task of a process also loads the kernels.
    warm_up = Task(board, weights.evaluator, weights.search, Limits(3_000))
    task = Task(board, weights.evaluator, weights.search, limits)
    _, found = played.run([warm_up, task])
    if found.moves is not None:
        fault = played.verify(board, found.moves)
        assert not fault, (name, seed, fault)
    limit = ("--timeout", str(1000 * SECONDS), "--streamliners", "smart-solvability")
    spent, answer = _spent_by("--type", name, "--classify", *limit, *source)
    told = answer.strip().rpartition(",")[2].strip()
    ours, theirs = (
        word if word in ("solved", "unsolvable") else "" for word in (str(found.status), told)
    )
    return Line(
        name,
        seed,
        ours,
        theirs,
        found.nodes.generated,
        round(1000 * found.seconds, 3),
        round(1000 * spent, 1),
    )


def as_json(board: Position) -> dict[str, Any]:
    """A board as Solvitaire reads it; cards that lie face down are in small letters."""
    told: dict[str, Any] = {
        "tableau piles": [
            [_named(card).lower() if i < down else _named(card) for i, card in enumerate(pile)]
            for pile, down in zip(board.piles, board.down, strict=True)
        ]
    }
    parts = {
        "foundations": board.tops,
        "reserve": board.reserve,
        "stock": board.stock[::-1],
        "hole": (board.hole,),
    }
    for part, cards in parts.items():
        if any(cards):
            told[part] = [_named(card) for card in cards if card]
    if board.hole:
        told["hole"] = _named(board.hole)
    return told


def _spent_by(*words: str) -> tuple[float, str]:
    return spent_by([PROGRAM, *words], check=False)


def _named(card: int) -> str:
    return card_name(card).replace("T", "10")


def rows(lines: Sequence[Line]) -> list[list[str]]:
    """The table: a row for each game."""
    found = []
    for name in dict.fromkeys(line.game for line in lines):
        own = [line for line in lines if line.game == name]
        differ = sum(bool(one.ours and one.theirs and one.ours != one.theirs) for one in own)
        both = [line for line in own if line.ours and line.theirs]
        times = np.array([(one.milliseconds, one.theirs_milliseconds) for one in both])
        ours, theirs = times.mean(axis=0) if both else (np.nan, np.nan)
        found.append(
            [
                f"{game(name).title} ({len(own)})",
                *_side([line.ours for line in own], [line.milliseconds for line in own]),
                *_side([line.theirs for line in own], [line.theirs_milliseconds for line in own]),
                f"{theirs / ours:.3g}",
                str(differ),
            ]
        )
    return found


def _side(verdicts: Sequence[str], milliseconds: Sequence[float]) -> list[str]:
    solved, proved = verdicts.count("solved"), verdicts.count("unsolvable")
    middle, mean = np.median(milliseconds), np.mean(milliseconds)
    return [f"{solved} / {proved} / {verdicts.count('')}", f"{middle:.2f} / {mean:.1f}"]


def write(lines: Sequence[Line]) -> None:
    sides = ("solved / proved / open", "median / mean, ms")
    header = ["game (deals)", *sides, *(f"Solvitaire: {one}" for one in sides)]
    header += ["ratio of means", "verdicts that differ"]
    fill("solvitaire", table(header, rows(lines)), PAGE)


def main(words: Sequence[str]) -> None:
    kept: dict[Any, Line] = {(line.game, line.seed): line for line in read_lines(FILE, Line)}
    if "tables" not in words:
        for seed in range(1, SEEDS + 1):
            for name in words or GAMES:
                if seed <= FEWER.get(name, SEEDS) and (name, seed) not in kept:
                    kept[name, seed] = measured(name, seed)
                    print(json.dumps(kept[name, seed].__dict__), flush=True)
                    order = sorted(kept.values(), key=lambda one: (GAMES.index(one.game), one.seed))
                    write_lines(FILE, Line, order)
    write([*kept.values()])


if __name__ == "__main__":
    main(sys.argv[1:])
