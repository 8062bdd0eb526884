"""Choices with reference values: the deals on which a judgement of moves evolves.

A *choice* is a position of a game with hidden cards in which the player can choose between two
moves or more. Its reference values come from thousands of determinizations. A decision costs its
*regret*, by how much the move chosen is worth less than the best one, plus the price of the states
that the solver generated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from deals import KlondikeBoard
from gafreecell.jit.kernels.draws import new_draws
from gafreecell.solitaire.klondike.hidden.best import Best
from gafreecell.solitaire.klondike.hidden.judgement import judgement_of
from gafreecell.solitaire.klondike.hidden.players import Clock, play_game
from gafreecell.solitaire.klondike.hidden.view import View
from gafreecell.solving.outcome import Evaluator


@dataclass(frozen=True)
class Choice:
    """A choice between moves.

    Attributes:
        view: what the player sees.
        values: float64, for each move the chance to win after it, in the player's order of moves.
    """

    view: View
    values: np.ndarray


class Chooser:
    """Makes and values choices with the player ``best``."""

    def __init__(self) -> None:
        self._player = Best()

    def decide(
        self, choice: Choice, evaluator: Evaluator | None, samples: int, seed: int
    ) -> tuple[float, int]:
        """What a decision costs by its move, and the states of the solver that it took.

        Args:
            choice: where to choose.
            evaluator: a judgement; None for none.
            samples: the player's parameter.
            seed: of its random numbers.

        Returns:
            The regret, as a share of a game, and the states.
        """
        player = self._player
        player.judge(None if evaluator is None else judgement_of(evaluator))
        player.start(new_draws(seed, 0), {"samples": samples}, Clock(None))
        edge, states = player.decide(choice.view)
        return float(choice.values.max() - choice.values[edge]), states

    def collect(
        self, board: KlondikeBoard, samples: int, kept: int, deep: int, seed: int
    ) -> list[Choice]:
        """Some of the choices of a game.

        Args:
            board: the deal.
            samples: with which the player plays the game.
            kept: how many choices to keep, drawn at random.
            deep: determinizations won for the reference values.
            seed: of all random numbers.
        """
        seen: list[View] = []

        class Watched(Best):
            def _race(self, view: View) -> int:
                # After a move that may come back, what is allowed depends on the game.
                if not self.may_repeat:
                    seen.append(view)
                return super()._race(view)

        play_game(Watched(), board, {"samples": samples}, seed)
        found = []
        for place in sorted(Random(seed).sample(range(len(seen)), min(kept, len(seen)))):
            self._player.start(new_draws(seed, 1 + place), {"samples": samples}, Clock(None))
            found.append(Choice(seen[place], self._player.value_all(seen[place], deep)))
        return found


def write(file: Path, choices: Sequence[Choice], deals: Sequence[int]) -> None:
    """Store choices and the numbers of their deals in a compressed file."""
    most = max(choice.values.size for choice in choices)
    values = np.full((len(choices), most), np.nan, np.float32)
    for row, choice in zip(values, choices, strict=True):
        row[: choice.values.size] = choice.values
    views = [choice.view for choice in choices]
    packed = np.stack([view.packed for view in views]).astype(np.int32)
    unseen = [sum(1 << int(card) for card in view.unseen) for view in views]
    np.savez_compressed(
        file,
        deals=np.array(deals, np.int32),
        packed=packed,
        unseen=np.array(unseen, np.uint64),
        values=values,
    )


def read(file: Path) -> tuple[list[Choice], list[int]]:
    """The choices of a file, and the numbers of their deals."""
    with np.load(file) as stored:
        columns = [stored[name] for name in ("deals", "packed", "unseen", "values")]
    choices = []
    for packed, unseen, values in zip(*columns[1:], strict=True):
        cards = [card for card in range(52) if int(unseen) >> card & 1]
        view = View(packed.astype(np.int64), np.array(cards, np.int64))
        choices.append(Choice(view, values[~np.isnan(values)].astype(np.float64)))
    return choices, columns[0].tolist()
