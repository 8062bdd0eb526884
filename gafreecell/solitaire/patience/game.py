"""Games given as rules as games of the framework (see ``solitaire.game.Game``)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np

from deals.errors import BadInput
from deals.signs import RULES_LEGEND
from gafreecell.solitaire.patience import drawing, library, moves
from gafreecell.solitaire.patience.dealing import deck_of, largest
from gafreecell.solitaire.patience.features import features_of
from gafreecell.solitaire.patience.position import Position, dealt
from gafreecell.solitaire.patience.rules import Rules
from gafreecell.solitaire.patience.search import Portfolio, Start, row_of, values_of
from gafreecell.solitaire.patience.solution import tokens
from gafreecell.solitaire.patience.telling import told
from gafreecell.solitaire.patience.text import read_boards, write_board
from gafreecell.solitaire.patience.verifier import verify
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.games import SearchedGame
from gafreecell.solving.outcome import Evaluator, Limits, Search
from gafreecell.solving.parameters import NO_GOAL, Value
from gafreecell.solving.settings import as_table
from gafreecell.solving.solutions import read_moves
from gafreecell.solving.solver import Solver, Written
from gafreecell.solving.weights import Presets, Weights, parse_weights

ENGINE = "f4cc8050b268e824"
"""The digest of the outcomes of ``engine``. A game's engine number has a hash of its rules, too."""
EVOLVED, FAMILY, BASELINE = "evolved", "family", "baseline"
MEANINGS = {
    EVOLVED: "weights evolved for the game; if there are none, those of its family",
    FAMILY: "weights evolved for another game of its family",
    BASELINE: "the features' baseline weights, best first, then depth first to the end",
}


@dataclass(frozen=True)
class RulesPresets(Presets):
    """The presets of a game given as rules.

    Attributes:
        game: its name.
        rules: its rules.
    """

    game: str = ""
    rules: Rules | None = None

    def read(self, name: str) -> Weights:
        if name not in self.names or self.rules is None:
            return super().read(name)
        own = features_of(self.rules)
        if name != BASELINE:
            known = library.weights(self.game, self.rules)
            if not known:
                raise BadInput(f"the weights of {self.game} are gone: put their file back")
            made_for, text = [*known.items()][0 if name == EVOLVED else -1]
            made = parse_weights(text, f"weights of {made_for}")
            assert made.evaluator is not None
            provenance = {**made.provenance, "game": made_for}
            fitted = _fitted(made.evaluator, own)
            return replace(made, game=self.game, evaluator=fitted, provenance=provenance)
        evaluator = Evaluator(tuple(one.name for one in own), tuple(one.baseline for one in own))
        source = {"published": "the features' baseline weights, untrained"}
        return Weights(self.game, {}, evaluator, Search(Portfolio.name), Limits(), source)


def _fitted(evaluator: Evaluator, features: Sequence[Feature]) -> Evaluator:
    """An evaluator of another game for one with these features; new ones weigh nothing."""
    rows = np.atleast_2d(np.reshape(evaluator.weights, (-1, len(evaluator.features))))
    known = dict(zip(evaluator.features, rows.T.tolist(), strict=True))
    nothing = [0.0] * len(rows)
    fitted = np.array([known.get(one.name, nothing) for one in features]).T
    names = tuple(one.name for one in features)
    return replace(evaluator, features=names, weights=tuple(fitted.ravel().tolist()))


class RulesGame(SearchedGame):
    """A game given as rules; ``game_of`` makes it.

    Attributes:
        rules: its rules.
    """

    name = "rules"
    rules: ClassVar[Rules]
    engine = ENGINE
    scales = Scales(nodes=100, moves=200)
    training, validation = "1001-11000", "11001-11500"
    length_meanings: ClassVar[Mapping[str, str]] = {"moves": "moves, draws included"}
    legend = RULES_LEGEND
    positions = staticmethod(drawing.positions)
    legal_moves = staticmethod(moves.legal_moves)
    after = staticmethod(moves.after)

    def deal(self, number: int) -> Position:
        return _dealt(self.rules, number)

    def write_board(self, board: Position) -> str:
        return write_board(board)

    def read_boards(self, text: str, faults: list[str] | None = None) -> list[Position | None]:
        return read_boards(self.rules, text, faults)

    def verify(self, board: Any, moves: Sequence[str], goal: Mapping[str, Value] = NO_GOAL) -> str:
        return verify(board, moves)

    def read_moves(self, text: str) -> list[str]:
        """The moves in a text.

        Raises:
            ValueError: if it has none, or if a word is no move.
        """
        return read_moves(text, (moves.NOTATION,))

    def feature_values(self, board: Position) -> Mapping[str, float]:
        return dict(zip((one.name for one in self.features), values_of(board), strict=True))

    def __reduce__(self) -> Any:
        return _varied, (self.name, self.rules, self.given)


def _varied(name: str, rules: Rules, given: Mapping[str, Value]) -> RulesGame:
    made = game_of(name, rules)
    return made.vary(**given) if given else made


@lru_cache(maxsize=1000)
def game_of(name: str, rules: Rules) -> RulesGame:
    """The game of some rules.

    Args:
        name: as ``--game`` takes it.
        rules: its rules.
    """
    table = json.dumps(as_table(rules), sort_keys=True).encode()
    weights = [*library.weights(name, rules)]
    others = (FAMILY,) if {*weights} - {name} else ()
    known = (EVOLVED, *others, BASELINE) if weights else (BASELINE,)
    presets = RulesPresets(rules.title, "", known, known[0], MEANINGS, name, rules)
    solver = Solver(
        name,
        rules.title,
        (Portfolio,),
        features_of(rules),
        presets,
        pack=partial(_pack, rules),
        write=partial(_write, rules),
        trial=partial(_trial, rules),
    )
    members = {
        "__module__": __name__,
        "name": name,
        "title": rules.title,
        "names": rules.names,
        "rules": rules,
        "how_to_play": told(rules),
        "largest": largest(rules),
        "comparison_presets": (BASELINE, *others),
        "solver": solver,
        "features": features_of(rules),
        "engine": f"{ENGINE}-{hashlib.sha256(table).hexdigest()[:12]}",
    }
    made: RulesGame = type("RulesGame", (RulesGame,), members)()
    return made


@lru_cache(maxsize=1000)
def _dealt(rules: Rules, number: int) -> Position:
    return dealt(rules, deck_of(rules, number))


def _board(rules: Rules, deal: Position | int) -> Position:
    return deal if isinstance(deal, Position) else _dealt(rules, deal)


def _pack(rules: Rules, deal: Position | int, variant: Mapping[str, Value]) -> Start:
    return Start(rules, row_of(_board(rules, deal)))


def _write(
    rules: Rules, deal: Position | int, moves: np.ndarray, values: Mapping[str, Value]
) -> Written:
    written = tokens(_board(rules, deal), moves)
    return written, {"moves": len(written)}


def _trial(rules: Rules) -> tuple[Start, dict[str, Value]]:
    """A position that is won already."""
    return Start(rules, np.zeros_like(row_of(_dealt(rules, 1)))), {}


class Library:
    """The games given as rules, for ``installed.plugins``."""

    @staticmethod
    def has(name: str) -> bool:
        """Whether a name is that of such a game, or of a file of rules."""
        return library.is_file(name) or library.proper_name(name) in library.names()

    listing = staticmethod(library.listing)
    drawn = staticmethod(library.families)

    @staticmethod
    def how_to_play(name: str) -> str:
        """The rules of a game in sentences; much quicker than to make the game."""
        return told(library.rules(name))

    @staticmethod
    def game(name: str) -> RulesGame:
        """A game by its name, or by the file of its rules.

        Raises:
            BadInput: if there is none, or the file has no rules.
        """
        return game_of(library.proper_name(name), library.rules(name))


LIBRARY = Library()
