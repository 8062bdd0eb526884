"""The moves of any game: their rules one by one, and against other code for two games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import brute
import pytest
from patience_games import (
    BELEAGUERED_CASTLE,
    BLACK_HOLE,
    CANFIELD,
    FAN,
    FORTY_THIEVES,
    FREECELL,
    GAMES,
    GARGANTUA,
    GOLF,
    KING_ALBERT,
    KLONDIKE,
    SPIDER,
    YUKON,
)
from random_positions import played, scattered, shortened, shuffled

from deals import FreeCellBoard, KlondikeBoard
from deals.cards import card_name, parse_card
from deals.errors import BadInput
from gafreecell.solitaire.klondike import legal_moves as of_klondike
from gafreecell.solitaire.patience.moves import CELLS, after, is_won, legal_moves
from gafreecell.solitaire.patience.position import Position, settled
from gafreecell.solitaire.patience.rules import Piles, Rules, Stock
from gafreecell.solitaire.patience.text import _read, write_board
from gafreecell.solving.notations import IllegalMove
from hsd import legal_moves as of_freecell
from tests.klondike.klondike_flood import can_be_won


def every_token(rules: Rules) -> Iterator[str]:
    """All moves that the places of a game may have, and some that they have not."""
    piles = [str(number) for number in range(1, rules.piles.count + 2)]
    cells = CELLS[: rules.cells.count + 1]
    reserve = [f"r{number}" for number in range(1, rules.reserve.count + 2)]
    deck = [card_name(card) for card in range(4, 56)]
    for source in (*piles, *cells, "w", "r", *reserve, *deck):
        for target in (*piles, *cells, *"h"[: source not in deck]):
            yield f"{source}-{target}"
            if source in piles and target in piles:
                yield from (f"{source}-{target}v{number}" for number in range(2, 15))
    yield from ("draw", "redeal", "deal")


def naive(position: Position) -> set[str]:
    """The legal moves, by trying all tokens."""
    alike = position.rules.stock.to != "piles" or not position.stock
    piles = {str(number): pile for number, pile in enumerate(position.piles, start=1)}
    spaces = [name for name, pile in piles.items() if not pile]
    free = [cell for cell, card in zip(CELLS, position.cells, strict=False) if not card]
    found = set()
    for token in every_token(position.rules):
        try:
            there = after(position, token)
        except IllegalMove:
            continue
        source, _, target = token.partition("v")[0].partition("-")
        if target in free[1:] or (alike and target in spaces[1:]):
            continue
        if alike and target in spaces and there.piles[int(target) - 1] == piles.get(source):
            continue
        found.add(token)
    return found


def late(rules: Rules, generator: random.Random) -> Iterator[Position]:
    """Some positions of each kind."""
    yield played(shuffled(rules, generator), generator, generator.randint(0, 60), 0.8)
    yield played(shuffled(shortened(rules, 4), generator), generator, 20)
    yield scattered(rules, generator, 12)
    yield scattered(rules, generator, 30)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.title)
def test_legal_moves_are_those_that_can_be_played(rules: Rules) -> None:
    generator = random.Random(rules.title)
    for position in late(rules, generator):
        assert position == settled(position)
        found = legal_moves(position)
        assert len({*found}) == len(found)
        assert {*found} == naive(position)
        for token in found:
            there = after(position, token)
            assert there == settled(there) and there != position
            if not position.hole:
                assert Counter(there.cards) == Counter(position.cards)
            assert len(position.unplayed) - len(there.unplayed) == played_at_once(position, token)
            check_order(there)


def played_at_once(position: Position, token: str) -> int:
    """How many cards go home with a move; -1 for one that comes back."""
    if token[-2:] == "-h":
        return position.rules.ranks if position.rules.foundations.runs else 1
    return int(token == "deal" and position.hole > 0) - (token[1] in "CDHS")


def check_order(position: Position) -> None:
    """Foundations of a suit in order, and no count out of range."""
    halves = position.home[:4], position.home[4:] or (0,) * 4
    assert all(first >= second for first, second in zip(*halves, strict=True))
    assert all(0 <= count <= position.rules.ranks for count in position.home)


def test_moves_of_single_cards_are_those_of_freecell() -> None:
    generator = random.Random(5)
    met: Counter[str] = Counter()
    for cards in range(4, 50, 2):
        position = scattered(FREECELL, generator, cards)
        c, d, h, s = position.home
        held = {i: card for i, card in enumerate(position.cells) if card}
        board = FreeCellBoard(
            position.piles, tuple(held.values()), (c, d, h, s), 4, places=tuple(held)
        )
        expected = {
            f"{move[0]}-{move[1]}" for move in of_freecell.legal_moves(board) if len(move) == 2
        }
        found = {*legal_moves(position)}
        # FreeCell's list has moves of a whole pile of one card to an empty one.
        assert found <= expected
        for move in expected - found:
            source, _, target = move.partition("-")
            assert len(position.piles[int(source) - 1]) == 1
            assert not position.piles[int(target) - 1]
        for move in found:
            there = of_freecell.after(board, move.replace("-", ""))
            ours = after(position, move)
            assert there.cascades == ours.piles and there.foundations == ours.home
            assert tuple(card or 0 for card in there.cell_row) == ours.cells
        met.update(move[-1] if move[-1] in CELLS + "h" else "pile" for move in found)
    assert min(met[kind] for kind in ("a", "h", "pile")) > 3


def of_klondike_board(board: KlondikeBoard, rules: Rules) -> Position:
    return Position(
        rules,
        board.piles,
        board.face_down,
        (),
        board.foundations,
        1,
        (),
        board.stock,
        board.waste,
        0,
        -1 if board.redeals is None else board.redeals,
    )


@pytest.mark.parametrize(("draw", "redeals"), [(3, None), (1, 2), (3, 0)])
def test_moves_are_those_of_klondike(draw: int, redeals: int | None) -> None:
    generator = random.Random(draw)
    stock = Stock(24, draw=draw, redeals=-1 if redeals is None else redeals)
    rules = replace(KLONDIKE, stock=stock)
    deck = [*range(4, 56)]
    met: Counter[str] = Counter()
    for _ in range(6):
        generator.shuffle(deck)
        board = replace(KlondikeBoard.deal(deck), draw=draw, redeals=redeals)
        for _ in range(40):
            position = of_klondike_board(board, rules)
            theirs = {written(move, position): move for move in of_klondike.legal_moves(board)}
            found = legal_moves(position)
            assert {*found} <= {*theirs}
            for move in {*theirs} - {*found}:
                source, target = move.split("v")[0].split("-")
                pile, number = position.piles[int(source) - 1], int((move + "v1").split("v")[1])
                assert number == len(pile) and not position.piles[int(target) - 1]
            if not found:
                break
            home = [move for move in found if move.endswith("h")]
            # Moves of the stock are last.
            move = generator.choice(home or [found[-1], generator.choice(found)])
            met[move[-1] if "-" in move else move] += 1
            board = of_klondike.after(board, theirs[move])
            assert of_klondike_board(board, rules) == after(position, move)
    assert met["h"] > 9 and met["draw"] > 9 and (met["redeal"] > 0) == (redeals != 0)


def written(move: str, position: Position) -> str:
    """A move of Klondike's notation in ours."""
    if move in ("draw", "redeal"):
        return move
    number = int(move[3:], 16) if "v" in move else 1
    suit = "CDHS".find(move[0])
    source = card_name(4 * position.home[suit] + suit) if suit >= 0 else move[0]
    return f"{source}-{move[1]}" + f"v{number}" * (number > 1)


# The rules one by one


def board(rules: Rules, text: str) -> Position:
    """A position of which only the cards that are named exist."""
    return settled(_read(rules, [*enumerate(text.strip().splitlines(), start=1)]))


def legal(rules: Rules, text: str) -> str:
    return " ".join(legal_moves(board(rules, text)))


def small(**changes: object) -> Rules:
    """A game of three piles and no other places."""
    return Rules("small", piles=Piles(3, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("build", "moves"),
    [("none", ""), ("suit", "1-3"), ("colour", "2-3"), ("any", "1-3 2-3")],
)
def test_build(build: str, moves: str) -> None:
    assert legal(small(build=build), "4H\n4S\n5H") == moves


@pytest.mark.parametrize(
    ("move", "run", "moves"),
    [
        ("card", "", "1-3"),
        ("run", "", "1-3 1-2v2"),
        ("run", "suit", "1-3"),
        ("pile", "", ""),
        ("loose", "", "1-3 1-2v2"),
    ],
)
def test_move(move: str, run: str, moves: str) -> None:
    # Of pile 1 the 4S and 5D are a run; the 9D lies beneath them.
    rules = small(move=move, run=run)
    assert legal(rules, "9D 5D 4S\n6S\n5H") == (moves + " 3-2").strip()


def test_loose_cards_need_no_order() -> None:
    rules = replace(YUKON, piles=Piles(3, "52 0 0", "2 0 0", move="loose", space="king"))
    assert legal(rules, "<2C> 5D KS 4S\n6S\n-") == "1-3v2 1-2v3"
    assert legal(rules, "<2C> 5D 9S 4S\n6S\n9H") == "1-2v3"
    assert legal(rules, "<2C> <5D> 9S 4S\n6S\n9H") == ""


def test_only_a_whole_pile_moves() -> None:
    rules = small(move="pile")
    assert legal(rules, "5D 4S\n6S\n5H") == "1-2v2 3-2"
    assert legal(rules, "9D 5D 4S\n6S\n-") == ""
    rules = replace(rules, piles=replace(rules.piles, face_down="1 0 0", dealt="50 1 1"))
    assert legal(rules, "<5D> 4S\n6S\n5H") == "3-2"


@pytest.mark.parametrize(
    ("space", "moves"), [("any", "1-2 1-2v2 1-2v3"), ("king", "1-2v3"), ("none", "")]
)
def test_space(space: str, moves: str) -> None:
    text = "2S KS QD JS\n-\n-"
    assert legal(small(space=space, move="run"), text) == moves


def test_the_last_of_fewer_ranks_is_the_king() -> None:
    rules = Rules("x", ranks=5, piles=Piles(3, space="king", build="suit"))
    assert legal(rules, "2C 5H\n3S 4H\n-") == "1-3 2-1"


def test_a_king_is_the_card_before_the_base() -> None:
    piles = Piles(3, space="king", move="run", build="any")
    rules = Rules("x", piles=piles, foundations=replace(CANFIELD.foundations))
    text = "Base: 5\n9S 4S 3D\n2C AC KD\n-"
    # With a base of 5, a 4 is highest, and the two goes on the three with all that lie on it.
    assert legal(rules, text) == "1-3v2 2-1v3"
    # With a base of 2, nothing lies on a two, and an ace is highest.
    assert legal(rules, text.replace("5\n9S", "2\n9S")) == "2-3v2"


def test_ranks_go_round() -> None:
    rules = replace(CANFIELD, piles=Piles(3, build="any"))
    assert legal(rules, "Base: 5\nFoundations: C-K\nAC 2C\nKD\nAH") == "2-3 3-1"
    assert legal(rules, "Base: 5\nFoundations: C-K\nAC\nKD\nAH") == "1-h 2-1 2-3"
    # A base of an ace: a king lies on nothing.
    assert legal(rules, "AC 2C\nKD\nAH") == "3-h 3-1"


def test_only_the_first_of_empty_cells_and_piles_is_listed() -> None:
    text = "Cells: 9S - -\n9H 5D\n-\n-\n-\n-\n-\n-\n-"
    assert legal(FREECELL, text) == "1-2 1-b a-2"
    there = after(board(FREECELL, text), "1-d")
    assert there.cells[3] == parse_card("5D")
    assert after(board(FREECELL, text), "a-8").piles[7] == (parse_card("9S"),)
    assert legal(FREECELL, "9H\n-\n-\n-\n-\n-\n-\n-") == "1-a"


def test_the_order_of_piles_matters_while_the_stock_deals_to_them() -> None:
    rules = replace(SPIDER, piles=Piles(3, move="run"), stock=Stock(4, "piles"))
    assert legal(rules, "Stock: 2S\n9H\n-\n-") == "1-2 1-3 deal"
    assert legal(rules, "9H\n-\n-") == ""
    rules = replace(rules, stock=Stock(4, "piles", spaces=False))
    assert legal(rules, "Stock: 2S\n9H\n-\n-") == "1-2 1-3"
    assert legal(rules, "Stock: 2S\n9H\n7D\n7C") == "deal"


def test_a_row_is_dealt_from_the_first_pile_on() -> None:
    rules = replace(SPIDER, piles=Piles(3), stock=Stock(5, "piles"))
    position = board(rules, "Stock: 2S 3S 4S 5S 6S\n9H\n-\n7C")
    position = after(position, "deal")
    assert write_board(position) == "Stock: 5S 6S\n9H 2S\n3S\n7C 4S"
    assert write_board(after(position, "deal")) == "9H 2S 5S\n3S 6S\n7C 4S"
    with pytest.raises(IllegalMove, match="expected cards in the stock, got none"):
        after(after(position, "deal"), "deal")


RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"


def test_whole_runs_go_home() -> None:
    rest = "\n".join(["2H"] * 9)
    position = board(SPIDER, f"9D {RUN}\n{rest}")
    assert "1-h" in legal_moves(position)
    there = after(position, "1-h")
    assert there.home == (0, 0, 0, 13, 0, 0, 0, 0) and there.piles[0] == (parse_card("9D"),)
    again = after(replace(there, piles=position.piles), "1-h")
    assert again.home == (0, 0, 0, 13, 0, 0, 0, 13)
    assert "1-h" not in legal_moves(board(SPIDER, f"{RUN[3:]}\n{rest}"))
    assert "1-h" not in legal_moves(board(SPIDER, f"{RUN.replace('9S', '9C')}\n{rest}"))
    assert not any(move[-1] == "h" for move in legal_moves(board(SPIDER, f"AS\n{rest}")))
    down = replace(position, down=(2, *[0] * 9))
    with pytest.raises(IllegalMove, match="pile 1 does not end in a whole run in suit"):
        after(down, "1-h")


def test_cards_come_back_from_foundations() -> None:
    rules = Rules("x", piles=Piles(2), cells=replace(FREECELL.cells, count=1))
    back = replace(rules, foundations=replace(rules.foundations, back=True))
    text = "Foundations: C-0 D-3 H-0 S-4\n4C\n9H"
    assert legal(rules, text) == "1-a 2-a"
    assert legal(back, text) == "1-a 2-a 3D-1 3D-a 4S-a"
    there = after(board(back, text), "3D-1")
    assert there.home == (0, 2, 0, 4) and there.piles[0] == (parse_card("4C"), parse_card("3D"))
    with pytest.raises(IllegalMove, match="the 2D cannot be played back from a foundation"):
        after(board(back, text), "2D-a")


def test_two_foundations_of_a_suit_keep_their_order() -> None:
    rules = replace(GARGANTUA, piles=Piles(2))
    text = "Foundations: D-3 D-2\n3D\n4C"
    there = after(board(rules, text), "1-h")
    assert there.home == (0, 3, 0, 0, 0, 3, 0, 0)
    assert after(there, "3D-2").home == (0, 3, 0, 0, 0, 2, 0, 0)
    assert legal_moves(there).count("3D-2") == 1
    assert after(board(rules, text), "3D-2").home == (0, 2, 0, 0, 0, 2, 0, 0)


def test_the_reserve() -> None:
    rules = replace(KING_ALBERT, piles=Piles(2))
    text = "Reserve: 4S - AS\n5H\n9D"
    assert legal(rules, text) == "r3-h r1-1"
    assert after(board(rules, text), "r1-1").reserve == (0, 0, parse_card("AS"), *[0] * 4)
    stacked = replace(CANFIELD, piles=Piles(2))
    text = "Reserve: 4S AS\nFoundations: H-A\n5H\n2D"
    assert legal(stacked, text) == "r-h r-2"
    assert after(board(stacked, text), "r-h").reserve == (parse_card("4S"),)
    with pytest.raises(IllegalMove, match="there is no place r1"):
        after(board(stacked, text), "r1-2")


def test_once_the_reserve_is_empty_only_the_waste_fills_spaces() -> None:
    rules = replace(CANFIELD, piles=replace(CANFIELD.piles, count=3))
    text = "Foundations: C-A\nWaste: 9D 5H\n3D\n-\n-"
    assert legal(rules, text) == "w-2 redeal"
    with pytest.raises(IllegalMove, match="only the waste's top card"):
        after(board(rules, text), "1-2")
    there = after(board(rules, "Reserve: 9S 7S\nWaste: 5H\n2C\n3D\n4S"), "1-2")
    assert write_board(there) == "Reserve: 9S\nWaste: 5H\n7S\n3D 2C\n4S"


def test_the_stock_and_the_waste() -> None:
    rules = replace(KLONDIKE, stock=Stock(5, draw=3, redeals=1), piles=Piles(1, space="none"))
    position = board(rules, "Stock: 2S 3S 4S 5S 6S\n9H")
    position = after(position, "draw")
    assert write_board(position) == "Waste: 2S 3S 4S\nStock: 5S 6S\n9H"
    assert legal_moves(position) == ["draw"]
    position = after(position, "draw")
    assert write_board(position) == "Waste: 2S 3S 4S 5S 6S\n9H"
    assert legal_moves(position) == ["redeal"]
    position = after(position, "redeal")
    assert write_board(position) == "Stock: 2S 3S 4S 5S 6S\nRedeals: 0\n9H"
    position = after(after(position, "draw"), "draw")
    assert legal_moves(position) == []
    with pytest.raises(IllegalMove, match="no more redeals"):
        after(position, "redeal")


def test_the_waste_fills_a_space_at_once() -> None:
    rules = replace(GARGANTUA, piles=replace(GARGANTUA.piles, count=2, face_down="none"))
    there = after(board(rules, "Waste: 9D 5H\nStock: 2D\n4S\n5D"), "1-2")
    assert write_board(there) == "Waste: 9D\nStock: 2D\n5H\n5D 4S"
    last = after(board(rules, "Stock: 2D 3D\n4S\n5D"), "1-2")
    assert write_board(last) == "Stock: 3D\n2D\n5D 4S"


def test_cards_turn_up_when_nothing_lies_on_them() -> None:
    rest = "\n".join(["KH"] * 5)
    text = f"<2C> <3C> 4S\n5H\n{rest}"
    there = after(board(KLONDIKE, text), "1-2")
    assert write_board(there).splitlines()[:2] == ["<2C> 3C", "5H 4S"]


@pytest.mark.parametrize(
    ("hole", "wraps", "moves"),
    [("AS", True, "1-h 2-h"), ("AS", False, "1-h"), ("KS", True, "3-h"), ("KS", False, "3-h")],
)
def test_the_hole(hole: str, wraps: bool, moves: str) -> None:
    rules = replace(GOLF, piles=Piles(3, build="none", space="none"))
    rules = replace(rules, hole=replace(rules.hole, wraps=wraps))
    position = board(rules, f"Stock: 9D\nHole: {hole}\n5S 2H\nKC\nQD")
    assert " ".join(legal_moves(position)) == f"{moves} deal"
    assert after(position, "deal").hole == parse_card("9D")
    assert after(position, moves[:3]).hole == position.piles[int(moves[0]) - 1][-1]


def test_winning() -> None:
    assert is_won(board(FREECELL, "Foundations: C-K D-K H-K S-K\n" + "-\n" * 8))
    assert not is_won(board(FREECELL, "Foundations: C-K D-K H-K S-Q\nKS\n" + "-\n" * 7))
    won = board(BLACK_HOLE, "Hole: 9S\n" + "-\n" * 17)
    assert is_won(won) and legal_moves(won) == []
    assert not is_won(board(GOLF, "Stock: 2S\nHole: 9S\n" + "-\n" * 7))


@pytest.mark.parametrize(
    "token",
    [
        *("", "3h", "3-n", "3-25", "0-1", "h-3", "QS-h", "1-QS", "3-4v1", "a-3v2", "3-hv13"),
        *("r-r", "w-w", "draws", "1-2 ", "r0-1", "XS-1", None, 3),
    ],
)
def test_what_is_no_move(token: str) -> None:
    position = shuffled(FREECELL, random.Random(1))
    with pytest.raises(BadInput, match="is no move: expected draw, redeal, deal or a move such"):
        after(position, token)


@pytest.mark.parametrize(
    ("token", "fault"),
    [
        ("9-1", "there is no place 9"),
        ("1-e", "there is no place e"),
        ("w-1", "expected a card in w, got none"),
        ("r1-1", "there is no place r1"),
        ("b-1", "expected a card in b, got none"),
        ("a-b", "a card does not move from cell to cell"),
        ("1-a", "cell a holds the KS"),
        ("1-1", "expected two different piles"),
        ("1-2", "the 5D does not go on the 9C"),
        ("1-3v2", r"expected as many cards as may move at once from pile 1 \(1\), got 2"),
        ("1-h", "the 5D does not go home yet"),
        ("AC-1", "the AC cannot be played back from a foundation"),
        ("deal", "there is no deal in this game"),
        ("draw", "expected cards in the stock, got none"),
        ("redeal", "expected cards in the waste, got none"),
    ],
)
def test_illegal_moves(token: str, fault: str) -> None:
    position = board(FREECELL, "Foundations: C-A\nCells: KS\n6S 5D\n9C\n7H\n-\n-\n-\n-\n-")
    with pytest.raises(IllegalMove, match=f"^{fault}$"):
        after(position, token)


def test_letters_may_be_small_or_capital() -> None:
    position = board(
        replace(FREECELL, foundations=replace(FREECELL.foundations, back=True)),
        "Foundations: C-A\n" + "2D\n" + "-\n" * 7,
    )
    assert after(position, "ac-A") == after(position, "AC-a")


def test_forty_thieves_moves_one_card_at_a_time() -> None:
    rest = "\n".join(["KH"] * 8)
    assert legal(FORTY_THIEVES, f"6S 5S\n6S\n{rest}").split() == ["1-2"]
    assert not any("v" in move for move in legal_moves(shuffled(FAN, random.Random(3))))
    assert not any("draw" in move for move in legal_moves(shuffled(FAN, random.Random(3))))
    assert len(legal_moves(shuffled(BELEAGUERED_CASTLE, random.Random(3)))) > 0


def test_a_game_can_be_won_if_it_can_be_after_some_move() -> None:
    generator = random.Random(2)
    met: Counter[str] = Counter()
    for rules in (GOLF, BLACK_HOLE):
        for _ in range(12):
            position = scattered(rules, generator, 12)
            here = brute.search(position, 150)
            if here is None:
                continue
            found = {brute.search(after(position, m), 150) for m in legal_moves(position)}
            if None not in found:
                met[here] += 1
                assert ("solved" in found) == (here == "solved")
    assert min(met["solved"], met["unsolvable"]) > 2


def test_late_games_of_klondike_are_decided_as_by_another_search() -> None:
    generator = random.Random(8)
    met: Counter[str] = Counter()
    rules = replace(KLONDIKE, stock=Stock(24, draw=3))
    for _ in range(12):
        steps = generator.randint(30, 90)
        position = played(shuffled(rules, generator), generator, steps, 0.9)
        home = position.home[0], position.home[1], position.home[2], position.home[3]
        places = position.piles, position.down, position.stock, position.waste
        theirs = can_be_won(KlondikeBoard(*places, home, redeals=0), 150)
        found = brute.search(position, 150)
        if found is not None and theirs is not None:
            met[found] += 1
            assert theirs[0] == (found == "solved")
    assert met["unsolvable"] > 3
