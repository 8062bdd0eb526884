"""The plain twin against the rules' words and the published example."""

from __future__ import annotations

import pytest
from plain_twin import Twin, count_by_depth

from deals import FreeCellBoard, freecell, parse_card

ALL_HOME = (13, 13, 13, 13)


def cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def test_every_feature_is_zero_at_the_goal() -> None:
    goal = Twin.from_board(FreeCellBoard(((),) * 8, (), ALL_HOME))
    assert set(goal.heuristics().values()) == {0.0}


def test_bottom_cards_of_the_papers_example() -> None:
    bottoms = ["2C", "3C", "9C", "JC", "6C", "2D", "8C", "JD"]
    twin = Twin([cards(name) for name in bottoms], [], [0, 0, 0, 0])
    assert twin.heuristics()["SumOfBottomCards"] == pytest.approx(0.48)


def test_features_of_a_small_position() -> None:
    twin = Twin(
        [cards("3S 2D AC"), cards("KD QS JH"), cards("2S KH")], cards("9C"), [0, 0, 0, 1], 2
    )
    assert twin.heuristics() == pytest.approx(
        {
            "HSDH": 1 / 96,  # The KH on the 2S; the AC is exposed, the red aces are nowhere.
            "NumberWellPlaced": (8 - 6) / 52,
            "NumCardsNotAtFoundations": 51 / 52,
            "FreeCells": 1 - 1 / 5,
            "DifferenceFromTop": (13 + 25 / 3 - 1 / 4) / 26,
            "LowestHomeCard": 1.0,
            "HighestHomeCard": 12 / 13,
            "DifferenceHome": 1 / 13,
            "SumOfBottomCards": (39 - 18) / 100,
        }
    )
    twin.cells += cards("9D")
    assert twin.heuristics()["HSDH"] == pytest.approx(2 / 96)


@pytest.mark.parametrize(
    ("foundations", "column", "left"),
    [
        ([0, 0, 0, 0], "2C AC", 0),  # Twos never hold anything but aces.
        ([2, 2, 2, 2], "3C", 0),
        ([3, 2, 2, 1], "4C", 0),  # Both red twos and the AS are home.
        ([3, 2, 2, 0], "4C", 1),
        ([3, 2, 1, 3], "4C", 1),
        ([3, 2, 2, 3], "5C 4C", 1),
    ],
)
def test_safe_home_moves(foundations: list[int], column: str, left: int) -> None:
    twin = Twin([cards(column)], [], foundations)
    twin.safe_home_moves()
    assert len(twin.cascades[0]) == left


def test_safe_home_moves_free_one_another() -> None:
    twin = Twin([cards("2H AD"), cards("2D AC")], cards("AH"), [0, 0, 0, 0])
    assert len(twin.safe_home_moves()) == 5
    assert twin.foundations == [1, 2, 2, 0]


def test_a_move_that_is_not_listed_is_refused() -> None:
    with pytest.raises(ValueError, match="is not among the moves"):
        Twin.from_board(freecell(1)).play((0, "home", 1))


def test_states_by_depth_of_a_last_card() -> None:
    # The KS goes home or to the cell, and from there home or back.
    board = FreeCellBoard((tuple(cards("KS")), (), (), ()), (), (13, 13, 13, 12), 1)
    assert count_by_depth(board, 2, safe=True) == [1, 0, 0]
    assert count_by_depth(board, 2, safe=False) == [1, 2, 0]
