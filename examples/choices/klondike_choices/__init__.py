"""Choices of hidden Klondike: a judgement of moves evolves on them.

A deal stands for some choices of its game, kept in ``choices.npz`` with reference
values (``collect.py``). It costs what the player ``best`` loses by its choices, on average, plus
the price of the states that its solver generates. So this is a game without boards or solutions:
``solve`` returns an outcome with a cost of its own.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path

import numpy as np

from gafreecell import BaseGame, Outcome, Search, Status
from gafreecell.solitaire.klondike.hidden.best import price_of
from gafreecell.solitaire.klondike.hidden.choices import Choice, Chooser, read
from gafreecell.solitaire.klondike.hidden.judgement import FEATURES
from gafreecell.solitaire.klondike.presets import CHOICES
from gafreecell.solving.outcome import Evaluator, Nodes
from gafreecell.solving.parameters import Parameter, ParameterError

SAMPLES = 100
"""Samples of the player by default."""
MILLIONTHS = 1_000_000
"""Costs are in millionths of a game."""
GAINED = 0.25
"""What another look gains, as a share of what the player's race expects of it, on stored choices.

So a state is charged at this share of the race's price.
"""


class KlondikeChoices(BaseGame):
    """Each deal stands for choices of its game; the weights are a judgement of moves."""

    name = CHOICES
    title = "Klondike's choices"
    features = FEATURES
    largest = 10_000_000
    training, validation = "4200001-4200600", "4200601-4200800"
    held_out = "4200801-4201000"
    searches = ("choose",)

    # Any edit of this file would give it another engine number. A change of the player's searches
    # asks for a new one here.
    engine = "choices-1"

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        return (Parameter("samples", SAMPLES, "samples of the player, which set the price", low=1),)

    def deal(self, number: int) -> list[Choice]:
        known = _choices()
        first, last = min(known), max(known)
        if not first <= number <= last:
            raise ParameterError(
                f"there are no choices of deal {number}: choices.npz has those of deals "
                f"{first} to {last}"
            )
        # There are games without a choice.
        return known.get(number, [])

    def solve(
        self, deal: list[Choice], weights: np.ndarray, nodes: int, search: Search | None = None
    ) -> Outcome:
        samples = int(search.parameters["samples"]) if search else SAMPLES
        names = tuple(feature.name for feature in self.features)
        evaluator = Evaluator(names, tuple(map(float, weights)))
        decided = [
            _mind.chooser.decide(choice, evaluator, samples, seed)
            for seed, choice in enumerate(deal)
        ]
        states = sum(spent for _, spent in decided)
        lost = sum(regret for regret, _ in decided) + GAINED * price_of(samples) * states
        # Every outcome counts a state, also that of a game without a choice.
        counts = Nodes(expanded=0, generated=max(1, states))
        cost = MILLIONTHS * lost / max(1, len(deal))
        return Outcome(Status.SOLVED, (), {"choices": len(deal)}, counts, cost=cost)


class _Mind(threading.local):
    """The chooser of this thread, which keeps its arrays."""

    def __init__(self) -> None:
        self.chooser = Chooser()


_mind = _Mind()


@cache
def _choices() -> dict[int, list[Choice]]:
    """The choices of each deal."""
    found: dict[int, list[Choice]] = {}
    choices, deals = read(Path(__file__).with_name("choices.npz"))
    for deal, choice in zip(deals, choices, strict=True):
        found.setdefault(deal, []).append(choice)
    return found
