"""The moves of a position as a person makes them: what they take, where it goes, what is seen."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from deals.cards import card_name
from deals.errors import BadInput
from gafreecell.pages.replay import HIDDEN
from gafreecell.service.table_moves import TableMove, drawing_of, is_won, table_moves
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.drawing import COPY, Drawing, Pile, name
from gafreecell.web import at_play

GAMES = (
    *("freecell", "klondike", "pyramid", "yukon", "golf", "canfield", "spiderette", "black-hole"),
    *("spider", "forty-thieves"),
)


def games_played(name: str, moves: int = 12) -> Iterator[tuple[Any, Any, list[TableMove]]]:
    """Positions of a game that is played at random, with their moves."""
    game, draws = find_game(name), random.Random(7)
    board = game.read_deal(3)
    for _ in range(moves):
        found = table_moves(game, board)
        if not found:
            return
        yield game, board, found
        board = game.after(board, draws.choice(found).move)


def alike(pile: Pile) -> list[int]:
    """The cards of a pile, however two of two decks that are alike are told apart."""
    return sorted(card % COPY for card in pile.cards)


@pytest.mark.parametrize("name", GAMES)
def test_moves_do_what_they_say(name: str) -> None:
    for game, board, found in games_played(name):
        before = drawing_of(game, board).piles
        assert {*game.legal_moves(board)} <= {one.move for one in found}
        assert len({one.move for one in found}) == len(found)
        for one in found:
            after = drawing_of(game, game.after(board, one.move)).piles
            assert [*map(alike, one.piles)] == [*map(alike, after)]
            for pile, place in one.takes:
                taken = before[pile].cards[place:]
                assert taken and not {*taken} & {*one.piles[pile].cards}
            assert one.tap is None or one.move.lower() in ("draw", "deal", "redeal", "recycle")


def test_each_empty_place_has_its_own_move() -> None:
    game = find_game("freecell")
    moves = {one.move: one for one in table_moves(game, game.read_deal(617))}
    assert {"1a", "1b", "1c", "1d"} <= {*moves}
    assert moves["1c"].piles[2].cards and "cell c" in moves["1c"].words
    assert not is_won(game, game.read_deal(617))


def test_hidden_cards_never_reach_the_page() -> None:
    game, draws, made = find_game("klondike").vary(stock="hidden"), random.Random(3), []
    board = game.read_deal(5)
    for _ in range(25):
        told = at_play.position({"game": "klondike", "text": "5", "moves": made})
        piles = drawing_of(game, board).piles
        down = {card for pile in piles for card in pile.cards[: pile.face_down]}
        frames = [told["cards"], *(one["changes"].values() for one in told["moves"])]
        assert not down & {card % HIDDEN for frame in frames for cards in frame for card in cards}
        words = " ".join(one["words"] for one in told["moves"])
        assert not [name for name in map(card_name, down) if name in words]
        made.append(draws.choice(told["moves"])["move"])
        board = game.after(board, made[-1])
    # Whoever asks for them sees them.
    told = at_play.position({"game": "klondike", "text": "5", "open": True})
    assert len({card % HIDDEN for cards in told["cards"] for card in cards}) == 52


def test_a_card_is_named_although_its_copy_lies_face_down() -> None:
    told = at_play.position({"game": "spider", "text": "1"})
    [seen] = find_game("spider").positions(find_game("spider").read_deal(1), ())
    hidden = {card for pile in seen.piles for card in pile.cards[: pile.face_down]}
    frames = [told["cards"], *(one["changes"].values() for one in told["moves"])]
    assert not hidden & {card % HIDDEN for frame in frames for cards in frame for card in cards}
    down = {name(card) for pile in seen.piles for card in pile.cards[: pile.face_down]}
    words = [one["words"] for one in told["moves"] if "tap" not in one]
    assert [text for text in words if any(f"the {card} from" in text for card in down)]
    assert not [text for text in words if "??" in text]


def test_the_coach_knows_what_is_lost() -> None:
    asked = {"game": "freecell", "text": "617", "moves": ["1a", "2b"]}
    kept = at_play.coach(asked)
    assert kept["status"] == "won" and kept["moves"]
    # Whoever plays does not wait for it.
    began = time.thread_time()
    lost = at_play.coach({**asked, "moves": ["1a", "2b", "3c"]})
    assert time.thread_time() - began < 0.2
    assert lost == {"status": "lost"}
    every = at_play.coach({**asked, "every": True})
    worth = {row["moves"][0]: row["verdict"] for row in every["rows"]}
    assert worth["3c"] == "bad" and "good" in worth.values()


def test_deals_are_of_their_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("freecell")
    found = at_play.deal({"game": "freecell", "kind": "very hard", "since": 1})["deal"]
    grades = [game.rate(number).grade for number in range(1, found + 1)]
    assert grades[-1] in (9, 10) and not {9, 10} & {*grades[:-1]}
    # Deal 11982 cannot be won.
    asked = {"game": "freecell", "since": 11982}
    assert at_play.deal({**asked, "kind": "winnable"})["deal"] == 11983
    assert at_play.deal({**asked, "kind": "any"})["deal"] == 11982
    monkeypatch.setattr(at_play, "DEAL_SECONDS", 0.0)
    with pytest.raises(BadInput, match="from number 11,982 on: choose any deal instead"):
        at_play.deal({**asked, "kind": "winnable"})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"moves": ["1a", "9z"]}, "move 2 '9z': expected a move"),
        ({"moves": "1a"}, "moves must be a list of texts"),
        ({"moves": ["1a"] * 6000}, "a game may have 5,000 moves"),
        ({"game": "golf"}, "drawn without piles"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    wrong: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_game("golf"), "positions", lambda *_: iter([Drawing(["a text"])]))
    with pytest.raises(BadInput, match=said):
        at_play.position({"game": "freecell", "text": "617", **wrong})


@pytest.mark.parametrize("variant", [{}, {"stock": "hidden", "draw": 1}])
def test_whoever_sees_all_cards_has_a_coach_who_does(variant: dict[str, Any]) -> None:
    asked = {"game": "klondike", "text": "164", "variant": variant, "moves": ["draw"]}
    assert at_play.coach({**asked, "open": True})["status"] == "won"


def test_the_last_move_names_the_cards_that_it_turned_up() -> None:
    asked = {"game": "klondike", "text": "164"}
    told = at_play.position(asked)
    assert told["words"] == ""
    assert "9S" not in next(one["words"] for one in told["moves"] if one["move"] == "draw")
    told = at_play.position({**asked, "moves": ["draw"]})
    assert told["words"] == "turn three cards of the stock onto the waste: 9S 9H QC"


def test_a_short_solution_is_the_shortest_known() -> None:
    asked = {"game": "freecell", "text": "617"}
    quick, short = (len(at_play.coach({**asked, "short": one})["moves"]) for one in (False, True))
    assert short <= quick
    every = at_play.coach({**asked, "every": True})
    assert f"{len(every['moves']) - 1} more to the end" in every["rows"][0]["worth"]


def test_the_coach_guesses_where_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_play.playing, "NODES", 1000)
    asked = {"game": "spider", "text": "1", "longer": True}
    found = at_play.coach(asked)
    moves = find_game("spider").legal_moves(find_game("spider").read_deal(1))
    assert found["status"] == "open" and found["guess"] in moves
    # It does not take a move back.
    again = at_play.coach({**asked, "moves": [found["guess"]]})["guess"]
    assert again and again != "-".join(reversed(found["guess"].split("-")))


def test_each_move_of_a_game_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position is asked for after every move: it must not cost several replays of the game."""
    game, played = find_game("freecell"), list[str]()
    board = game.read_deal(3)
    for _ in range(30):
        played.append(game.legal_moves(board)[-1])
        board = game.after(board, played[-1])
    made, after = [], type(game).after
    monkeypatch.setattr(
        type(game), "after", lambda game, board, move: made.append(move) or after(game, board, move)
    )
    monkeypatch.setattr("gafreecell.service.table_moves.table_moves", lambda game, board: [])
    at_play.position({"game": "freecell", "text": "3", "moves": played})
    assert made == played
