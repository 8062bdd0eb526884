"""Boards of Klondike: which there are, and which cards of the talon can be reached."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from board_texts import DEAL, MIDDLE, hide

from deals import DealError, KlondikeBoard, klondike, read_klondike_boards
from deals.cards import DECK


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"piles": ((),) * 6}, "a board has 7 piles, got 6 and 7 face-down counts"),
        ({"face_down": (0,) * 8}, "a board has 7 piles, got 7 and 8 face-down counts"),
        ({"foundations": (14, 0, 0, 0)}, "four ranks from 0 to 13"),
        ({"foundations": (0, 0, 0)}, "four ranks from 0 to 13"),
        ({"foundations": (0, 0, 0, -1)}, "four ranks from 0 to 13"),
        ({"stock": (3,)}, "stock: expected cards from 4 to 55, got 3"),
        ({"waste": (56,)}, "waste: expected cards from 4 to 55, got 56"),
        ({"piles": ((-1,), *klondike(3).piles[1:])}, "pile 1: expected cards from 4 to 55, got -1"),
        ({"face_down": (0, 1, 2, 3, 4, 5, 8)}, "pile 7: expected 0 to 7 of its cards face down"),
        ({"face_down": (0, 1, -1, 3, 4, 5, 6)}, "pile 3: expected 0 to 3 of its cards face down"),
        ({"face_down": (0, 1, 2, 4, 4, 5, 6)}, "pile 4: expected at most 3 cards face down, got 4"),
        ({"waste": (0,)}, "stock and waste together, got 25"),
        ({"piles": ((0,), *klondike(3).piles[1:])}, "pile 1: expected a known card face up, got"),
    ],
)
def test_boards_there_are_not(change: dict[str, tuple[int, ...]], reason: str) -> None:
    deal = klondike(3)
    parts = {"piles": deal.piles, "face_down": deal.face_down, "stock": deal.stock, **change}
    with pytest.raises(DealError, match=re.escape(reason)):
        KlondikeBoard(**parts)  # type: ignore[arg-type]


def test_a_deck_of_another_size_is_no_deal() -> None:
    for size in (0, 51, 53):
        with pytest.raises(DealError, match=f"expected 52 cards, got {size}"):
            KlondikeBoard.deal((*DECK, 4)[:size])


def test_only_a_known_deal_has_a_deals_text() -> None:
    deal = KlondikeBoard.from_text(DEAL)
    drawn = replace(deal, stock=deal.stock[3:], waste=deal.stock[:3])
    sorted_deck = KlondikeBoard.deal(DECK)
    first, second, third, *others = sorted_deck.piles
    moved = replace(sorted_deck, piles=((), second, third + first, *others))
    for board in (KlondikeBoard.from_text(MIDDLE), hide(deal), drawn, moved):
        with pytest.raises(DealError, match="expected a deal with all cards known"):
            board.deal_text()


def talon_board(stock: int, waste: int) -> KlondikeBoard:
    """A board with so many cards in stock and waste; the others, from aces up, are home."""
    at_home, talon = DECK[: 52 - stock - waste], DECK[52 - stock - waste :]
    tops = [sum(card % 4 == suit for card in at_home) for suit in range(4)]
    home = (tops[0], tops[1], tops[2], tops[3])
    return KlondikeBoard(((),) * 7, (0,) * 7, talon[:stock], talon[stock:], home)


def test_numbers_of_stock_and_waste_are_those_that_draws_leave() -> None:
    reached = set()
    # Every game is: redeal what is left, then draw and play from the waste at will.
    for left in range(25):
        pairs = {(left, 0)}
        while pairs:
            reached |= pairs
            drawn = {(stock - min(3, stock), waste + min(3, stock)) for stock, waste in pairs}
            played = {(stock, waste - 1) for stock, waste in pairs if waste}
            pairs = (drawn | played) - reached
    for stock in range(25):
        for waste in range(25 - stock):
            if (stock, waste) in reached:
                board = talon_board(stock, waste)
                assert (len(board.stock), len(board.waste)) == (stock, waste)
            else:
                with pytest.raises(DealError, match=r"stock: draws of three .* \d[CDHS] cannot be"):
                    talon_board(stock, waste)
    assert (21, 3) in reached and (23, 1) not in reached


@pytest.mark.parametrize("draw", [3, 1])
@pytest.mark.parametrize("redeals", [None, 0, 1, 2])
def test_reachable_cards_are_those_that_draws_and_redeals_bring_up(
    draw: int, redeals: int | None
) -> None:
    for count in range(25):
        for turned in range(count + 1):
            stock, waste = list(range(turned, count)), list(range(turned))
            try:
                board = replace(talon_board(count - turned, turned), draw=draw, redeals=redeals)
            except DealError:
                continue
            brought_up = set()
            left = 3 if redeals is None else redeals
            while True:
                brought_up |= set(waste[-1:])
                if stock:
                    stock, waste = stock[draw:], waste + stock[:draw]
                elif left:
                    stock, waste, left = waste, [], left - 1
                else:
                    break
            assert board.reachable == tuple(sorted(brought_up))


@pytest.mark.parametrize(
    ("rules", "draw", "redeals"),
    [
        *[("draw=1", 1, None), ("redeals=2", 3, 2), ("draw=1 redeals=0", 1, 0)],
        ("DRAW = 1, Redeals=unlimited", 1, None),
    ],
)
def test_a_board_names_its_rules(rules: str, draw: int, redeals: int | None) -> None:
    deal = klondike(7)
    for text in (f"Rules: {rules}\n{deal}", f"Seven:\nRules: {rules}\n{deal.deal_text()}"):
        board = KlondikeBoard.from_text(text)
        assert (board.draw, board.redeals) == (draw, redeals)
        assert board.piles == deal.piles
        assert KlondikeBoard.from_text(str(board)) == board


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        ("draw=2", "expected draw=3 or draw=1; got 'draw=2'"),
        ("redeals=4", "expected redeals=0 to redeals=3, or redeals=unlimited; got 'redeals=4'"),
        ("redeals=", "expected rules such as"),
        ("", "expected rules such as .*; got none"),
        ("draw=1 draw=3", "expected each rule once; got 'draw=1 draw=3'"),
        ("draw=1 stock=hidden", "in angle brackets or as .*; got 'draw=1 stock=hidden'"),
        ("draw=1 cells=3", "expected rules such as"),
    ],
)
def test_rules_that_no_game_has_are_refused(rules: str, fault: str) -> None:
    with pytest.raises(DealError, match=f"line 1: .*{fault}"):
        KlondikeBoard.from_text(f"Rules: {rules}\n{klondike(7)}")


def test_rules_that_were_asked_for_may_not_be_contradicted() -> None:
    def read(rules: str, **asked: Any) -> tuple[int, int | None]:
        (board,) = read_klondike_boards(f"Rules: {rules}\n{klondike(7)}", **asked)
        assert board is not None
        return board.draw, board.redeals

    assert read("draw=1 redeals=1", redeals=2) == (1, 1)
    assert read("redeals=1", draw=3) == (3, 1)
    # A limit is fewer than unlimited.
    assert read("redeals=0", redeals="unlimited") == (3, 0)
    for rules, asked in (
        ("draw=1", {"draw": 3}),
        ("redeals=3", {"redeals": 2}),
        ("redeals=unlimited", {"redeals": 2}),
    ):
        with pytest.raises(DealError, match="as the options or the weights say, got"):
            read(rules, **asked)


def test_a_stock_that_nobody_has_seen_is_in_brackets() -> None:
    deal = klondike(7, unseen=True)
    assert "Stock: <" in str(deal)
    assert KlondikeBoard.from_text(str(deal)) == deal != klondike(7)
    unknown = str(replace(deal, stock=(0,) * 24))
    assert KlondikeBoard.from_text(unknown).unseen
    first = str(deal).index("<")
    mixed = str(deal)[:first] + str(deal)[first + 1 :].replace(">", "", 1)
    with pytest.raises(DealError, match="brackets around all cards of the stock"):
        KlondikeBoard.from_text(mixed)
    (asked,) = read_klondike_boards(deal.deal_text(), unseen=True)
    assert asked is not None and asked.unseen


def test_rules_of_another_type_are_refused() -> None:
    board = klondike(3)
    for wrong in (1.0, "1", True, [1]):
        with pytest.raises(DealError, match="expected draw=3 or draw=1, got"):
            replace(board, draw=wrong)  # type: ignore[arg-type]
        with pytest.raises(DealError, match="expected redeals=0 to redeals=3 or no limit, got"):
            replace(board, redeals=wrong)  # type: ignore[arg-type]
    text = str(board)
    with pytest.raises(DealError, match="expected draw=3 or draw=1, got '1'"):
        read_klondike_boards(text, draw="1")  # type: ignore[arg-type]
    with pytest.raises(DealError, match="no limit, got 'x'"):
        read_klondike_boards(text, redeals="x")
    assert read_klondike_boards(text, draw=3, redeals="unlimited") == [board]
