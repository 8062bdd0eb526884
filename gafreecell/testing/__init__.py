"""Checks that the parts you bring keep the framework's contracts: one line each in your own tests.

    from gafreecell.testing import check_game

    def test_my_game_keeps_the_contract() -> None:
        check_game(MyGame())

A breach raises an ``AssertionError`` that says what was expected, what came and how to mend it.
"""

from gafreecell.testing.games import check_game
from gafreecell.testing.operators import check_crossover, check_mutation, check_selection
from gafreecell.testing.parts import check_measure, check_scheme, check_trainer

__all__ = [
    "check_crossover",
    "check_game",
    "check_measure",
    "check_mutation",
    "check_scheme",
    "check_selection",
    "check_trainer",
]
