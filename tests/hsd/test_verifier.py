"""The verifier against hand-made boards, brute force, a plain twin and fc-solve's solutions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from freecell_perft import Node
from plain_twin import Move, Twin
from positions import GOAL, MIDDLE, middle
from test_legal_moves import every_token

from deals import FreeCellBoard, card_name, freecell
from hsd import solve
from hsd.interpreting import with_counts
from hsd.legal_moves import after, legal_moves
from hsd.verifier import (
    CELL_LETTERS,
    IllegalMove,
    Position,
    Verdict,
    most_carried,
    single_moves,
    verify,
)

SAMPLE = Path(__file__).parent / "data" / "fc_solve_solutions.txt"
SPADES = """\
Foundations: C-K D-K H-K S-0
2S KS QS JS TS 9S 8S 7S 6S 5S 4S 3S
AS
"""


def snapshot(position: Position) -> tuple[list[list[int]], list[int | None], list[int]]:
    columns = [list(column) for column in position.cascades]
    return columns, list(position.cells), list(position.foundations)


@pytest.mark.parametrize(
    ("cells", "token", "reason"),
    [
        *(
            (2, token, "expected a move such as 6a, a6, 6h, ah, 26 or 26v3")
            for token in ("6x", "h6", "34v0", "")
        ),
        (2, "6bv1", "expected a count only between two cascades"),
        (2, "ab", "expected a cell's card to go to a cascade or home, got a cell"),
        (2, "33", "expected two different cascades"),
        (2, "7a", "there is no cascade 7: the board has 6"),
        (2, "17", "there is no cascade 7: the board has 6"),
        (2, "1c", "there is no cell c: the board has 2"),
        (1, "b1", "there is no cell b: the board has 1"),
        (1, "1a", "cell a holds the KH"),
        (2, "b1", "cell b is empty"),
        (2, "5b", "cascade 5 is empty"),
        (2, "5h", "cascade 5 is empty"),
        (2, "54v2", "cascade 5 is empty"),
        (2, "1h", "expected the 9D to go home, got the TD"),
        (2, "ah", "expected the TH to go home, got the KH"),
        (2, "a6", "expected a red 9 on the TC of cascade 6, got the KH"),
        (2, "16", "expected a red 9 on the TC of cascade 6, got the TD"),
        (2, "14v2", "expected a red J on the QC of cascade 4, got the JC"),
        (2, "61v1", "expected a black 9 on the TD of cascade 1, got the TC"),
        (2, "34v4", "expected at most 3 cards of cascade 3, got 4"),
        (2, "25v3", "expected a sorted run of 3 in cascade 2, got the JS on the KC"),
        (1, "34v3", "expected at most 2 cards (free cells 0, other empty cascades 1), got 3"),
        (1, "34", "expected at most 2 cards (free cells 0, other empty cascades 1), got 3"),
        (2, "35vd", "expected at most 3 cards of cascade 3, got 13"),
        (2, "65v4", "expected at most 2 cards (free cells 1, other empty cascades 0), got 4"),
    ],
)
def test_illegal_move_gives_its_reason_and_changes_nothing(
    cells: int, token: str, reason: str
) -> None:
    position = Position.from_board(middle(cells))
    before = snapshot(position)
    with pytest.raises(IllegalMove) as fault:
        position.play(token)
    assert str(fault.value) == reason
    assert snapshot(position) == before


def test_nothing_goes_on_an_ace() -> None:
    position = Position.from_board(FreeCellBoard.from_text(SPADES))
    with pytest.raises(IllegalMove, match="expected nothing on the AS of cascade 2, got the 3S"):
        position.play("12")


def test_held_cards_lie_in_their_cells() -> None:
    board = FreeCellBoard.from_text(MIDDLE.replace("KH", "- KH - TC").replace("JH TC", "JH"))
    names = [card and card_name(card) for card in Position.from_board(board).cells]
    assert names == [None, "KH", None, "TC"]
    board = FreeCellBoard(board.cascades, board.cells, board.foundations)
    names = [card and card_name(card) for card in Position.from_board(board).cells]
    assert names == ["KH", "TC", None, None], "the first ones, where a board does not say"


def test_solutions_name_the_cells_of_the_board() -> None:
    generator = random.Random(6)
    apart = 0
    for number in range(1, 31):
        board = freecell(number, cells=generator.randint(4, 7))
        for _ in range(10):
            moves = legal_moves(board)
            board = after(board, generator.choice(moves)) if moves else board
        again = FreeCellBoard.from_text(str(board), board.cell_count)
        assert (again, again.cell_row) == (board, board.cell_row)
        packed = FreeCellBoard(board.cascades, board.cells, board.foundations, board.cell_count)
        one, other = solve(board), solve(packed)
        assert (one.moves is None) == (other.moves is None)
        if one.moves:
            assert verify(board, one.moves).solved
            # The search is the same, only the names of cells differ.
            assert one.lengths == other.lengths
            apart += board.cell_row != packed.cell_row
    assert apart >= 3


@pytest.mark.parametrize(
    ("cells", "token", "source", "target", "cost"),
    [
        (2, "34", "", "QC JD TS 9D", 5),
        (2, "34v3", "", "QC JD TS 9D", 5),
        (2, "64v2", "KD QS", "QC JH TC", 3),
        (2, "64", "KD QS", "QC JH TC", 3),
        (2, "65", "KD QS JH", "TC", 1),
        (2, "65v2", "KD QS", "JH TC", 3),
        (1, "64v2", "KD QS", "QC JH TC", 3),
    ],
)
def test_move_between_cascades(cells: int, token: str, source: str, target: str, cost: int) -> None:
    position = Position.from_board(middle(cells))
    assert position.play(token) == cost
    left, moved = (position.cascades[int(place) - 1] for place in token[:2])
    assert " ".join(map(card_name, left)) == source
    assert " ".join(map(card_name, moved)) == target


def test_one_card_goes_before_a_longer_run() -> None:
    text = MIDDLE.replace("JH TC", "JH").replace("QC\n", "QC JD TS\n").replace("JD TS 9D", "TC 9D")
    position = Position.from_board(FreeCellBoard.from_text(text, cascades=6))
    assert position.play("34") == 1
    assert card_name(position.cascades[3][-1]) == "9D"


def test_solution_is_counted() -> None:
    board = FreeCellBoard.from_text(SPADES)
    rest = ["1a", "1b", "1c", "1d", "13", "14", "15", "16", "17", "18", "12"]
    # Eleven cards lie on the 2S; the AS, once home, leaves the last place for them.
    moves = ["2h", *rest, "1h", "ah", "bh", "ch", "dh", "3h", "4h", "5h", "6h", "7h", "8h", "2h"]
    assert verify(board, moves) == Verdict(True, "", 24, 24, 11, 24)
    short = verify(board, moves[:-1])
    assert short == Verdict(False, "after move 23: expected 52 cards home, got 51", 23, 23, 11, 23)
    more = verify(board, [*moves, "2h"])
    assert (more.solved, more.reason) == (False, "move 25 '2h': cascade 2 is empty")


def test_verdict_names_the_move_that_fails() -> None:
    verdict = verify(middle(1), ["64v2", "3h", "1a", "1h"])
    assert verdict == Verdict(False, "move 3 '1a': cell a holds the KH", 4, 2, 1, 2)


def test_nothing_to_do_is_solved() -> None:
    assert verify(GOAL, []).solved


def fc_solve_solutions(notation: str) -> list[tuple[int, list[str]]]:
    rows = [line.split() for line in SAMPLE.read_text().splitlines() if line[0] != "#"]
    return [(int(row[0]), row[3:]) for row in rows if row[1] == notation]


@pytest.mark.parametrize(("deal", "moves"), fc_solve_solutions("-snx"))
def test_fc_solve_solution_with_counts(deal: int, moves: list[str]) -> None:
    verdict = verify(freecell(deal), moves)
    assert verdict.reason == ""
    assert verdict.column == verdict.moves_played == len(moves)
    assert verdict.single > verdict.column
    assert verdict.manual == sum(move[1] != "h" for move in moves) == verdict.column - 52


@pytest.mark.parametrize(("deal", "moves"), fc_solve_solutions("-sn"))
def test_fc_solve_solution_without_counts(deal: int, moves: list[str]) -> None:
    counted = with_counts(freecell(deal), moves)
    assert [token[:2] for token in counted] == moves
    assert verify(freecell(deal), counted).reason == ""


def test_moves_that_no_counts_rescue_come_back_as_they_were() -> None:
    moves = ["65", "6b", "6h"]
    assert with_counts(middle(2), moves) == moves
    assert with_counts(middle(2), ["79"]) == ["79"]


# The brute force knows single cards only: cards 1 (exposed) to n, each of which
# lies on the next or on a place that takes it. The first column is the source,
# the second the target, the others are empty cascades.
Puzzle = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]


def puzzle_successors(
    state: Puzzle, cells: int, open_columns: tuple[bool, ...], last: int
) -> Iterator[Puzzle]:
    held, columns = state
    for card in {*held, *(column[-1] for column in columns if column)}:
        rest = tuple(other for other in held if other != card)
        lifted = tuple(c[:-1] if c and c[-1] == card else c for c in columns)
        if len(rest) < cells:
            yield tuple(sorted((*rest, card))), lifted
        for i, column in enumerate(lifted):
            takes = column[-1] == card + 1 if column else open_columns[i] or card == last
            if takes:
                yield rest, (*lifted[:i], (*column, card), *lifted[i + 1 :])


def brute_force(
    count: int, cells: int, columns: int, target_empty: bool, source_emptied: bool
) -> int | None:
    """Length of the shortest sequence of single-card moves; None if there is none.

    A source with cards under the run, like a target with cards, takes only what
    it took before: the run's deepest card.
    """
    run = tuple(range(count, 0, -1))
    open_columns = (source_emptied, target_empty, *(True,) * columns)
    level: set[Puzzle] = {((), (run, (), *((),) * columns))}
    seen = set(level)
    length = 0
    while level:
        if any(state[1][1] == run for state in level):
            return length
        reached = {
            (held, (*piles[:2], *sorted(piles[2:])))
            for state in level
            for held, piles in puzzle_successors(state, cells, open_columns, count)
        }
        level = reached - seen
        seen |= level
        length += 1
    return None


@pytest.mark.parametrize("target_empty", [False, True])
@pytest.mark.parametrize("source_emptied", [False, True])
def test_single_moves_against_brute_force(target_empty: bool, source_emptied: bool) -> None:
    for cells in range(4):
        for columns in range(4):
            for count in range(1, min(6, most_carried(cells, columns)) + 1):
                arguments = (count, cells, columns, target_empty, source_emptied)
                assert single_moves(*arguments) == brute_force(*arguments), arguments


@pytest.mark.parametrize(("cells", "columns"), [(1, 2), (0, 3)])
def test_runs_long_enough_to_need_the_room_of_both_cascades(cells: int, columns: int) -> None:
    costs = []
    for target_empty in (False, True):
        for source_emptied in (False, True):
            arguments = (8, cells, columns, target_empty, source_emptied)
            costs.append(single_moves(*arguments))
            assert costs[-1] == brute_force(*arguments)
    assert costs == [27, 25, 25, 23]


@pytest.mark.parametrize(("cells", "columns"), [(0, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2)])
def test_longest_run_against_brute_force(cells: int, columns: int) -> None:
    longest = most_carried(cells, columns)
    assert brute_force(longest, cells, columns, True, False) is not None
    assert brute_force(longest + 1, cells, columns, True, False) is None
    with pytest.raises(ValueError, match=f"expected 1 to {longest} cards?"):
        single_moves(longest + 1, cells, columns)


def test_single_moves_costs_two_a_card_while_there_is_room() -> None:
    for cells in range(8):
        for columns in range(5):
            for count in range(1, cells + columns + 2):
                if count <= most_carried(cells, columns):
                    assert single_moves(count, cells, columns) == 2 * count - 1


def token_of(move: Move, position: Position) -> str:
    source, target, count = move
    if isinstance(source, int):
        start = str(source + 1)
    else:
        start = CELL_LETTERS[position.cells.index(int(source[1]))]
    if target == "home":
        return start + "h"
    if target == "cell":
        return start + CELL_LETTERS[position.cells.index(None)]
    assert isinstance(target, int)
    return f"{start}{target + 1}" + (f"v{count:x}" if count > 1 else "")


def engine_successors(board: FreeCellBoard, position: Position) -> set[Node]:
    """States that any token reaches, except by runs that need piles to be carried.

    Those cost more than 2n - 1 single-card moves.
    """
    reached = set()
    for token in every_token(board):
        after = Position(*snapshot(position))
        try:
            cost = after.play(token)
        except IllegalMove:
            continue
        if cost == 2 * int(token[3:] or "1", 16) - 1:
            reached.add(Node.of(after))
    return reached - {Node.of(position)}


WALKS = [
    freecell(1),
    freecell(2, cascades=4, cells=7),
    freecell(3, cascades=9, cells=0),
    freecell(4, cascades=6, cells=5),
    *(middle(cells) for cells in (1, 2, 4)),
]


@pytest.mark.parametrize("board", WALKS)
def test_verifier_and_twin_allow_the_same_moves(board: FreeCellBoard) -> None:
    generator = random.Random(1)
    position, twin = Position.from_board(board), Twin.from_board(board)
    for _ in range(30):
        moves = twin.moves()
        successors = {node_of(twin.after(move)) for move in moves}
        assert successors == engine_successors(board, position)
        if not moves:
            break
        move = generator.choice(moves)
        position.play(token_of(move, position))
        twin.play(move)
        assert Node.of(position) == node_of(twin)


def node_of(twin: Twin) -> Node:
    return Node.of(Position.from_board(twin.as_board()))
