"""The player ``best`` under other rules than the usual ones."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from deals import DealError, KlondikeBoard, klondike
from deals.klondike_board import UNKNOWN
from gafreecell.solitaire.klondike.hidden import advise, play
from gafreecell.solitaire.klondike.hidden.view import seen
from gafreecell.solitaire.klondike.legal_moves import after, legal_moves
from gafreecell.solitaire.klondike.verifier import verify

BUDGET = {"samples": 10}


@pytest.mark.parametrize(("draw", "draws"), [(3, 8), (1, 24)])
def test_without_a_limit_of_redeals_an_unseen_stock_makes_no_difference(
    draw: int, draws: int
) -> None:
    for number in range(1, 4):
        known = play(klondike(number, draw), "best", BUDGET)
        hidden = play(klondike(number, draw, unseen=True), "best", BUDGET)
        assert hidden.moves == ("draw",) * draws + ("redeal",) + known.moves
        assert (hidden.won, hidden.decisions) == (known.won, known.decisions)


def test_from_a_draw_that_is_not_whole_the_stock_is_not_turned_through() -> None:
    """A redeal would change which cards can be reached."""
    for number in range(1, 12):
        board = after(klondike(number, unseen=True), "draw")
        taken = [move for move in legal_moves(board) if move[0] == "w" and move != "wh"]
        if taken:
            board = after(board, taken[0])
            assert (len(board.waste), board.unseen) == (2, True)
            moves = play(board, "best", BUDGET).moves
            assert moves[:8] != ("draw",) * 7 + ("redeal",)


@pytest.mark.parametrize(("draw", "redeals"), [(1, 0), (3, 2), (3, 0), (1, 1)])
@pytest.mark.parametrize("unseen", [False, True])
def test_games_keep_the_limit_of_redeals(draw: int, redeals: int, unseen: bool) -> None:
    for number in range(1, 5):
        board = klondike(number, draw, redeals, unseen)
        played = play(board, "best", BUDGET)
        verdict = verify(board, played.moves)
        assert (verdict.solved, verdict.moves_played) == (played.won, len(played.moves))


def test_a_hint_rates_the_draw_from_an_unseen_stock() -> None:
    drawn = 0
    for number in range(1, 5):
        board = klondike(number, 1, 0, unseen=True)
        for _ in range(3):
            board = after(board, "draw")
        found = advise(board, parameters={"samples": 60})
        drawn += any(one.moves[-1] == "draw" for one in found)
        for one in found:
            assert "redeal" not in one.moves and one.moves.count("draw") <= 1
            assert verify(board, one.moves).moves_played == len(one.moves)
        # The cards that nobody has seen do not change the hint.
        turned = replace(board, stock=board.stock[::-1])
        assert advise(turned, parameters={"samples": 60}) == found
    # Where a card can go home at no risk, nothing else is listed.
    assert 0 < drawn < 4


@pytest.mark.parametrize(("draw", "draws"), [(3, 8), (1, 24)])
def test_a_hint_turns_through_an_unseen_stock_if_that_is_free(draw: int, draws: int) -> None:
    for number in (1, 3):
        board = klondike(number, draw, unseen=True)
        (found,) = advise(board, parameters={"samples": 60})
        assert found.moves == ("draw",) * draws + ("redeal",)
        # Ten stocks, with a hundred samples that can be won each, or up to four hundred in all.
        assert 1000 <= found.samples <= 4000
        assert 0 < found.low < found.chance < found.high < 1
        # The cards that nobody has seen do not change it.
        turned = replace(board, stock=board.stock[::-1])
        assert advise(turned, parameters={"samples": 60}) == [found]
    (last,) = advise(forgotten(klondike(3, draw, unseen=True), 24), parameters={"samples": 10})
    assert last.moves == ("redeal",)


def test_the_chance_after_a_trip_is_that_of_the_stocks_that_it_may_show() -> None:
    board = klondike(5, 1, unseen=True)
    (few,), (many,) = (advise(board, parameters={"samples": n}) for n in (1, 400))
    assert few.low < many.chance < few.high
    # By hand: shuffle all cards that nobody has seen, and ask for a hint with the stock known.
    rng, chances = random.Random(1), []
    for _ in range(40):
        cards = [*board.stock]
        for pile, n in zip(board.piles, board.face_down, strict=True):
            cards += pile[:n]
        rng.shuffle(cards)
        piles = []
        for pile, n in zip(board.piles, board.face_down, strict=True):
            piles.append((*cards[:n], *pile[n:]))
            del cards[:n]
        known = replace(board, piles=tuple(piles), stock=tuple(cards), unseen=False)
        chances.append(advise(known, parameters={"samples": 40})[0].chance)
    assert many.low - 0.06 < sum(chances) / len(chances) < many.high + 0.06


def test_a_hint_turns_through_a_stock_whose_other_cards_are_all_known() -> None:
    """Every stock that it may show can be won, but that proves nothing."""
    text = "Rules: draw=1\nFoundations: C-13 D-13 H-13 S-10\nStock: <JS> <QS>\n:\nKS\n" + ":\n" * 5
    (found,) = advise(KlondikeBoard.from_text(text), parameters={"samples": 10})
    assert found.moves == ("draw", "draw", "redeal")
    assert found.chance == pytest.approx(11 / 12) and found.low < found.chance < 1


def test_a_hint_tells_how_many_samples_its_chances_come_from() -> None:
    for redeals in (None, 0):
        found = advise(klondike(3, 3, redeals), parameters={"samples": 50})
        (samples,) = {one.samples for one in found}
        assert 50 <= samples <= 200
        # The chance is a share of all that were drawn, also of those that no move wins.
        assert redeals is None or max(one.chance for one in found) * samples < 50


def test_no_player_plays_a_board_with_unknown_cards() -> None:
    with pytest.raises(DealError):
        play(replace(klondike(1), stock=(0,) * 24), "best", BUDGET)


def forgotten(board: KlondikeBoard, waste: int) -> KlondikeBoard:
    """A board after draws, of whose waste the player remembers the top card alone."""
    cards = [*board.waste, *board.stock]
    turned = (UNKNOWN,) * (waste - 1) + (cards[waste - 1],)
    return replace(seen(board), waste=turned, stock=(UNKNOWN,) * (24 - waste))


@pytest.mark.parametrize(("draw", "redeals"), [(3, None), (3, 2), (1, 1), (3, 0), (1, 0)])
@pytest.mark.parametrize("unseen", [False, True])
def test_a_hint_without_the_waste_rates_a_draw_once_and_a_redeal_at_its_price(
    draw: int, redeals: int | None, unseen: bool
) -> None:
    # Where redeals are free, each hint takes ten stocks.
    for number in (3,) if redeals is None else (3, 5, 8):
        board = klondike(number, draw, redeals, unseen)
        for waste in (6, 24):
            found = advise(forgotten(board, waste), "best", {"samples": 20})
            words = [one.moves for one in found if one.moves in (("draw",), ("redeal",))]
            if redeals is None:
                # Turning through the stock costs nothing, and shows the waste again.
                assert [one.moves[-1] for one in found] == ["redeal"]
                continue
            may = waste < 24 or redeals != 0
            assert words == ([("draw",) if waste < 24 else ("redeal",)] if may else [])


def test_a_redeal_costs_a_redeal_in_a_hint() -> None:
    # At the end of a pass, other moves win only if a redeal follows, so they are worth as much.
    for redeals in (1, 2):
        found = advise(forgotten(klondike(3, 1, redeals), 24), "best", {"samples": 400})
        chances = {one.moves: one.chance for one in found}
        others = max(chance for moves, chance in chances.items() if moves != ("redeal",))
        assert chances["redeal",] == pytest.approx(others, abs=0.05)
