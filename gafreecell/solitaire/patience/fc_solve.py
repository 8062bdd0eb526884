"""The command ``gafreecell-fc-solve``: answers as fc-solve does to the programs that call it.

It takes the options with which PySol FC calls ``fc-solve`` 5.0 (``pysollib/hint.py``), a board on
standard input, and prints the moves as ``fc-solve -m -p`` does. ``-opt`` asks for fewer moves.
Other options that only choose a search or its output are taken and change nothing: the search is
the one of ``--game``, with its weights.
"""

from __future__ import annotations

import signal
import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from deals.errors import BadInput
from gafreecell.solitaire.patience.game import EVOLVED, game_of
from gafreecell.solitaire.patience.moves import CELLS, HOME
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import (
    ANY,
    CARD,
    COLOUR,
    KING,
    NONE,
    RUN,
    SUIT,
    Cells,
    Foundations,
    Piles,
    Rules,
)
from gafreecell.solitaire.patience.text import read_boards
from gafreecell.solving.outcome import Limits, Outcome, Search, Status, Task

NAME = "gafreecell-fc-solve"
SHORTER_NODES = 50_000
"""Nodes of the second search for which ``-opt`` asks."""
REFUSED = 255
"""The status with which fc-solve refuses options and boards."""
VERSION = "5.0.0"
BUILDS = {"alternate_color": COLOUR, "suit": SUIT, "rank": ANY}
MOVES = {"limited": CARD, "unlimited": RUN}
SPACES = {"any": ANY, "kings": KING, "none": NONE}
_FREECELL = Rules("fc-solve", "freecell", piles=Piles(8), cells=Cells(4))
_SUITED = replace(_FREECELL, piles=Piles(8, build=SUIT))
_KINGS = replace(_FREECELL, piles=Piles(8, build=SUIT, space=KING))
_TOWERS = replace(_FREECELL, piles=Piles(10, build=SUIT, space=KING))
_CASTLE = replace(_FREECELL, piles=Piles(8, build=ANY), cells=Cells(0))
_SNAKE = replace(_FREECELL, decks=2, piles=Piles(9, space=NONE), cells=Cells(8))
PRESETS = {
    "freecell": _FREECELL,
    "relaxed_freecell": replace(_FREECELL, piles=Piles(8, move=RUN)),
    "forecell": replace(_FREECELL, piles=Piles(8, space=KING)),
    "bakers_game": _SUITED,
    "kings_only_bakers_game": _KINGS,
    "ko_bakers_game": _KINGS,
    "eight_off": replace(_KINGS, cells=Cells(8)),
    "seahaven_towers": _TOWERS,
    "seahaven": _TOWERS,
    "relaxed_seahaven_towers": replace(_TOWERS, piles=replace(_TOWERS.piles, move=RUN)),
    "relaxed_seahaven": replace(_TOWERS, piles=replace(_TOWERS.piles, move=RUN)),
    "beleaguered_castle": _CASTLE,
    "streets_and_alleys": _CASTLE,
    "citadel": _CASTLE,
    "bakers_dozen": replace(_CASTLE, piles=Piles(13, build=ANY, space=NONE)),
    "good_measure": replace(_CASTLE, piles=Piles(10, build=ANY, space=NONE)),
    "cruel": replace(_CASTLE, piles=Piles(12, build=SUIT, space=NONE)),
    "fan": replace(_CASTLE, piles=Piles(18, build=SUIT, space=KING)),
    "die_schlange": _SNAKE,
    "der_katzenschwanz": replace(_SNAKE, piles=Piles(9, space=NONE, move=RUN)),
    "der_katz": replace(_SNAKE, piles=Piles(9, space=NONE, move=RUN)),
    "simple_simon": replace(
        _CASTLE,
        piles=Piles(10, build=ANY, move=RUN, run=SUIT),
        foundations=Foundations(runs=True),
    ),
}
"""The rules of fc-solve's games (its ``scripts/gen-presets.pl``)."""
LIKE = {COLOUR: "free-cell", SUIT: "bakers-game", ANY: "beleaguered-castle"}
"""The game whose weights serve, by how piles are built."""


class _Preset(Action):
    """A game by its name, which counts for more than what the options before it say."""

    def __call__(self, parser: Any, given: Namespace, values: Any, option: Any = None) -> None:
        vars(given).update(dict.fromkeys(_CHANGES), preset=values)


_CHANGES = (
    *("decks_num", "stacks_num", "freecells_num"),
    *("sequences_are_built_by", "sequence_move", "empty_stacks_filled_by"),
)
"""Options that change the rules of a game."""


class _Parser(ArgumentParser):
    def format_help(self) -> str:
        # PySol FC takes the command for a solver if its help begins with this word.
        return f"fc-solve, answered by gafreecell\n\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        sys.stderr.write(f"{NAME}: {message}\n")
        sys.exit(REFUSED)


def main(words: Sequence[str] | None = None) -> int:
    """Answer a call; returns the exit status."""
    if words is None:
        # As in any filter, Ctrl-C or a reader that went away ends it without a word.
        for ending in (signal.SIGINT, signal.SIGPIPE):
            signal.signal(ending, signal.SIG_DFL)
    given = _parser().parse_args(words)
    if given.version:
        print(f"{NAME}\nanswers as libfreecell-solver version {VERSION}")
        return 0
    try:
        rules = _rules(given)
        board = _board(rules, sys.stdin.read())
        # A number below zero is none for fc-solve, too.
        most = None if given.max_iters is None or given.max_iters < 0 else Limits(given.max_iters)
    except BadInput as error:
        sys.stderr.write(f"{NAME}: {error}\n")
        return REFUSED
    name = "simple-simon" if rules.foundations.runs else LIKE[rules.piles.build]
    game = game_of(name, rules)
    weights = game.preset(EVOLVED)
    task = Task(board, weights.evaluator, weights.search, most or weights.limits)
    (found,) = game.run([task])
    if given.opt and found.moves is not None:
        # Solutions of its depth-first search may have four times as many moves as others.
        search = Search(task.search.name, {**task.search.parameters, "dive": 0})
        limits = Limits(min(SHORTER_NODES, task.limits.nodes))
        (other,) = game.run([replace(task, search=search, limits=limits)])
        if other.moves is not None and len(other.moves) < len(found.moves):
            found = other
    print("\n".join(_answer(found, rules.foundations.runs)))
    return 0


def _parser() -> ArgumentParser:
    parser = _Parser(NAME, description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="store_true")
    for flag in ("-m", "-p", "-s", "-opt", "-sel", "-hoi", "--iter-output"):
        parser.add_argument(flag, action="store_true")
    for option in ("--iter-output-step", "--load-config", "-l"):
        parser.add_argument(option)
    parser.add_argument("--max-iters", "-mi", type=int)
    parser.add_argument(
        "--preset", "--game", "-g", action=_Preset, choices=PRESETS, default="freecell"
    )
    parser.add_argument("--decks-num", type=int)
    parser.add_argument("--stacks-num", type=int)
    parser.add_argument("--freecells-num", type=int)
    parser.add_argument("--sequences-are-built-by", choices=BUILDS)
    parser.add_argument("--sequence-move", choices=MOVES)
    parser.add_argument("--empty-stacks-filled-by", choices=SPACES)
    return parser


def _rules(given: Namespace) -> Rules:
    """The rules that the options name; ``BadInput`` if there are no such rules here."""
    rules = PRESETS[given.preset]
    changes = {
        "count": given.stacks_num,
        "build": BUILDS.get(given.sequences_are_built_by),
        "move": MOVES.get(given.sequence_move),
        "space": SPACES.get(given.empty_stacks_filled_by),
    }
    piles = replace(rules.piles, **{key: one for key, one in changes.items() if one is not None})
    cells = rules.cells if given.freecells_num is None else Cells(given.freecells_num)
    most = {"--stacks-num": (1, piles.count, 24), "--freecells-num": (0, cells.count, 12)}
    decks = rules.decks if given.decks_num is None else given.decks_num
    most["--decks-num"] = 1, decks, 2
    for option, (least, count, largest) in most.items():
        if not least <= count <= largest:
            raise BadInput(f"{option}: expected {least} to {largest}, got {count}")
    return replace(rules, piles=piles, cells=cells, decks=decks)


def _board(rules: Rules, text: str) -> Position:
    """The board on standard input, with fc-solve's labels; ``BadInput`` if there is none."""
    lines = text.rstrip("\n").split("\n")
    labels = {"Founds": "Foundations", "Foundations": "Foundations", "FC": "Cells"}
    labels["Freecells"] = "Cells"
    told = []
    for line in lines:
        label, colon, rest = line.partition(":")
        if colon and label.strip() in labels:
            told.append(f"{labels[label.strip()]}: {rest}")
        else:
            # A card that lies face down is known to fc-solve, and turns up in time.
            told.append(line.lstrip(": ").replace("<", "").replace(">", "") or "-")
    piles = sum(":" not in line for line in told)
    told += ["-"] * (rules.piles.count - piles)
    (board,) = read_boards(rules, "\n".join(told))
    assert board is not None
    return board


def _answer(found: Outcome, runs: bool) -> Iterator[str]:
    """What fc-solve prints; whether whole runs go home."""
    ends = {
        Status.SOLVED: "This game is solveable.",
        Status.UNSOLVABLE: "I could not solve this game.",
    }
    if found.moves is not None:
        yield "-=-=-=-=-=-=-=-=-=-=-=-\n"
        for token in found.moves:
            yield f"Move {_told(token, runs)}\n\n====================\n"
    yield ends.get(found.status, "Iterations count exceeded.")
    yield f"Total number of states checked is {found.nodes.expanded}."
    yield f"This scan generated {found.nodes.generated} states."


def _told(token: str, runs: bool) -> str:
    """A move in fc-solve's words."""
    places, _, number = token.partition("v")
    source, target = places.split("-")
    if runs and target == HOME:
        return f"the sequence on top of Stack {int(source) - 1} to the foundations"
    ends = "the foundations" if target == HOME else _place(target)
    return f"{f'{number} cards' if number else 'a card'} from {_place(source)} to {ends}"


def _place(name: str) -> str:
    return f"stack {int(name) - 1}" if name.isdigit() else f"freecell {CELLS.index(name)}"


if __name__ == "__main__":
    sys.exit(main())
