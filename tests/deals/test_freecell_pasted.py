"""FreeCell boards as people paste them: separators, symbols, labels, tables, one line."""

from __future__ import annotations

from functools import partial

import pytest
from board_texts import SYMBOLS, all_spelled, head, lengths, names, refused_by, rows, sized
from hypothesis import example, given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random_base import RandomBase
from random_boards import boards

from deals import DealError, FreeCellBoard, card_name, freecell, parse_card, read_freecell_boards
from deals.cards import DECK, RANKS, SUITS
from deals.freecell_layout import sink_like_rows
from deals.microsoft import LARGEST_DEAL

FIRST = freecell(1)
LINES = str(FIRST).splitlines()
SEVERAL = freecell(1), freecell(617), freecell(24, 6), freecell(3, 9)
refused = partial(refused_by, FreeCellBoard.from_text)


# Lines of cards

BETWEEN = st.sampled_from([" ", "  ", "\t", ",", ", ", " ,", "|", " | ", ";", " ; "])
LABELS = ("Freecells:", "Free cells:", "free-cells :", "FreeCell:", "FC:", "Cells =", "Freecells")
HOMES = ("Foundations:", "foundation:", "Founds:", "Home:", "Home cells:", "FOUNDATIONS =")


@st.composite
def heads(draw: st.DrawFn, board: FreeCellBoard) -> list[str]:
    """Lines that say what is home and in the cells, in any of their spellings."""
    home: list[str] = []
    for rank, suit in zip(board.foundations, SUITS, strict=True):
        name = draw(st.sampled_from([suit, suit.lower(), *SYMBOLS[suit]]))
        if not rank:
            forms = ["-", "--", f"{name}-0", f"{name}:0", f"{name} : 0"]
        else:
            r = draw(st.sampled_from([RANKS[rank - 1], RANKS[rank - 1].replace("T", "10")]))
            forms = [f"{name}-{r}", f"{name}:{r}", f"{name}: {r}", f"{name}{r}", f"{r}{name}"]
            forms += [f"{name}={rank}", f"{name}-{rank}"]
        home.append(draw(st.sampled_from(forms)))
    gap = draw(st.sampled_from(["-", "--", "---", "\u2013", "\u2014"]))
    held = draw(all_spelled(list(board.cells))) + [gap] * (board.cell_count - len(board.cells))
    lines = [
        draw(st.sampled_from(HOMES)) + " " + draw(BETWEEN).join(draw(st.permutations(home))),
        draw(st.sampled_from(LABELS)) + " " + (draw(BETWEEN).join(held) or "none"),
    ]
    return draw(st.permutations(lines))


@given(st.data())
def test_any_board_in_any_mixture_of_spellings(data: st.DataObject) -> None:
    board = data.draw(boards())
    between = data.draw(BETWEEN)
    lines = [between.join(data.draw(all_spelled(list(column)))) for column in board.cascades]
    if data.draw(st.booleans()):
        lines = [f"| {line} |" if line else line for line in lines]
    mark = data.draw(st.sampled_from(["", ": "]))
    lines = [mark + line if line else ":" for line in lines]
    text = "\n".join(data.draw(heads(board)) + lines)
    if any(board.cascades):
        assert FreeCellBoard.from_text(text, **sized(board), layout="columns") == board
    # A table is taken for a screen's rows if its lines could be some.
    if mark:
        assert FreeCellBoard.from_text(text, **sized(board)) == board


@pytest.mark.parametrize("between", [" ", ", ", " | ", "|", ",", ";", "\t|\t"])
@pytest.mark.parametrize("symbols", ["♣♦♥♠", "♧♢♡♤", "cdhs", "CDHS"])
@pytest.mark.parametrize("suit_first", [False, True])
def test_deals_need_no_word_of_how_they_are_written(
    between: str, symbols: str, suit_first: bool
) -> None:
    signs = dict(zip(SUITS, symbols, strict=True))
    for board in SEVERAL:
        words = [
            [signs[n[1]] + n[0] if suit_first else n[0] + signs[n[1]] for n in names(c).split()]
            for c in board.cascades
        ]
        text = "\n".join(between.join(column) for column in words)
        bordered = "\n".join(f"| {line} |" for line in text.splitlines())
        ended = text.replace("\n", between.strip() + "\n") + between.strip()
        for same in (text, bordered, ended):
            assert FreeCellBoard.from_text(same, cascades=len(board.cascades)) == board


# From 2^31 on pysol-cards sets a bit of the generator's output: other deals, not ours.
@given(st.integers(1, 32000) | st.integers(32001, LARGEST_DEAL), st.booleans())
@example(LARGEST_DEAL, True)
@example(LARGEST_DEAL - 1, True)
def test_what_pysols_cards_package_prints(number: int, tens: bool) -> None:
    game = Game("freecell", number, RandomBase.DEALS_MS)
    text = game.calc_layout_string(CardRenderer(not tens))
    assert FreeCellBoard.from_text(text) == freecell(number)


@given(st.integers(1, 10**20), st.booleans())
def test_what_pysols_cards_package_prints_with_cards_in_the_cells(number: int, tens: bool) -> None:
    game = Game("forecell", number, RandomBase.DEALS_PYSOLFC)
    text = game.calc_layout_string(CardRenderer(not tens))
    board = FreeCellBoard.from_text(text)
    assert list(board.cells) == list(map(parse_card, text.splitlines()[0].split()[1:]))
    assert lengths(board) == [6] * 8


def test_what_pysol_hands_to_fc_solve() -> None:
    """As ``FreeCellSolver_Hint.calcBoardString`` of PySol FC writes a position."""
    text = "Founds: C-9 S-9 H-9 D-8\nFC: KH - - -\nKS QD JC TD\nQH KC JS TH\nJD TS 9D\nQC\n\n"
    board = FreeCellBoard.from_text(text + "KD QS JH TC\n\n\n")
    assert (board.foundations, board.cells) == ((9, 8, 9, 9), (parse_card("KH"),))
    assert lengths(board) == [4, 4, 3, 1, 4, 0, 0, 0]


# Tables


def table(board: FreeCellBoard, gap: str, between: str, border: bool) -> str:
    """The rows of a screen with separators, and a word or nothing where a cascade has no card."""
    lines = map(between.join, rows(board, gap))
    return "\n".join(f"| {line} |" if border else line for line in lines)


@given(
    boards(), st.sampled_from(["", " ", "-", "--"]), st.sampled_from(["|", " | ", ",", " ; "]),
    st.booleans(),
)  # fmt: skip
def test_any_board_as_a_table_of_rows(
    board: FreeCellBoard, gap: str, between: str, border: bool
) -> None:
    if not any(board.cascades):
        return
    lines = table(board, gap, between, border).splitlines()
    text = "\n".join([*head(board), *lines])
    if between.strip() == "|" and all(line.strip().startswith("|") for line in lines):
        # Nothing tells empty cascades at the sides from a border but the number of places.
        least = max(line.count("|") for line in lines) + 1
        if not border or (gap.strip() == "" and least <= len(board.cascades)):
            assert " end" in refused(text, **sized(board), layout="rows")
            return
    assert FreeCellBoard.from_text(text, **sized(board), layout="rows") == board
    assert refused(text, **sized(board)), "it is never taken for a list of cascades"


@pytest.mark.parametrize("gap", ["", "  ", "\t"])
def test_a_place_without_a_card_is_no_cascade_that_moves_up(gap: str) -> None:
    text = table(FreeCellBoard.from_text(POSITION, layout="rows"), gap, " | ", True)
    assert "by columns, with 3-1 cards in the cascades, or by rows, with 2-0-1-1:" in refused(text)
    uneven = text.replace(f"QH | {gap} |", "QH |")
    assert refused(uneven).startswith("line 1: a gap as wide as a card")
    board = FreeCellBoard.from_text("Foundations: C-K D-K H-J S-J\n" + text, layout="rows")
    assert lengths(board) == [2, 0, 1, 1, 0, 0, 0, 0]


def test_borders_that_could_stand_beside_empty_cascades() -> None:
    home = "Foundations: C-K D-K H-J S-J\n"
    text = home + "| KS | QH |\n| QS | |\n| KH | |"
    assert refused(text, layout="rows").startswith("line 2: | at both ends can be a border, or ")
    for plain in (text.replace("| |", "| -- |"), home + "KS | QH\nQS |\nKH |"):
        board = FreeCellBoard.from_text(plain, layout="rows")
        assert lengths(board) == [3, 1, 0, 0, 0, 0, 0, 0]
    columns = FreeCellBoard.from_text(text, cascades=4, layout="columns").cascades
    assert [*map(names, columns[1:])] == ["QS", "KH", ""]
    six = "\n".join(f"| {line} |" for line in table(freecell(1, 6), "", "|", False).splitlines())
    assert FreeCellBoard.from_text(six, cascades=6, layout="rows") == freecell(1, 6)


POSITION = "Foundations: C-K D-K H-J S-J\nKS -- KH QS\nQH -- -- --"


def test_a_table_of_a_position_may_be_rows() -> None:
    text = "Foundations: C-9 D-9 H-9 S-9\nKS | QH | JC | TD\nKH | QS | JH | TS\nKD | QC | JS | TC\n"
    text += "KC | QD | JD | TH"
    reason = refused(text)
    assert "lines 2 to 5 can be read in two ways: by columns, with 4-4-4-4 cards" in reason
    for layout, first in (("columns", "KS QH JC TD"), ("rows", "KS KH KD KC")):
        assert names(FreeCellBoard.from_text(text, layout=layout).cascades[0]) == first
    assert "can be read in two ways" in refused(text.replace(" |", ""))


def test_groups_of_cards_in_several_lines() -> None:
    pairs = [" | ".join(LINES[i : i + 2]) for i in range(0, 8, 2)]
    reason = refused("\n".join(pairs))
    assert reason.startswith(f"line 1: {LINES[0]!r} stands between separators")
    assert "between cascades if it has one" in reason


# One line


@pytest.mark.parametrize("between", [" | ", "|", ";", " ; ", ", ", ","])
@pytest.mark.parametrize("cards", [" ", "  "])
def test_cascades_on_one_line(between: str, cards: str) -> None:
    for board in SEVERAL:
        text = between.join(str(board).splitlines()).replace(" ", cards)
        for same in (text, text + between, f"Freecells: - - - -\n{text}"):
            assert FreeCellBoard.from_text(same, cascades=len(board.cascades)) == board
    assert FreeCellBoard.from_text(f"| {' | '.join(LINES)} |") == FIRST
    if between.strip() != ",":
        assert FreeCellBoard.from_text(between.strip().join(LINES).replace(" ", ",")) == FIRST


@given(boards(), st.sampled_from(["|", ";", " | "]), st.sampled_from(["", " ", "-", "--"]))
def test_any_cascades_on_one_line(board: FreeCellBoard, between: str, gap: str) -> None:
    if max(map(len, board.cascades)) < 2 or len(board.cascades[0]) == 0:
        return
    columns = [names(column) or gap for column in board.cascades]
    text = "\n".join([*head(board), between.join(columns)])
    if sink_like_rows([length for length in lengths(board) if length]):
        return
    assert FreeCellBoard.from_text(text, **sized(board)) == board


BY_ROWS = [name for row in rows(FIRST) for name in row if name]
BY_COLUMNS = " ".join(LINES).split()


def test_rows_on_one_line_are_noticed() -> None:
    groups = [" ".join(BY_ROWS[i : i + 8]) for i in range(0, 52, 8)]
    text = " | ".join(groups)
    said = "line 1 can be read in two ways: by columns, with 8-8-8-8-8-8-4"
    assert refused(text).startswith(said)
    assert FreeCellBoard.from_text(text, layout="rows") == FIRST
    assert names(FreeCellBoard.from_text(text, layout="columns").cascades[0]) == groups[0]


@pytest.mark.parametrize("between", [" ", ", ", "|", " ; "])
@pytest.mark.parametrize("words", [BY_ROWS, BY_COLUMNS])
def test_a_numbered_deal_settles_how_52_cards_on_one_line_are_read(
    between: str, words: list[str]
) -> None:
    text = between.join(words)
    assert FreeCellBoard.from_text(text) == FIRST
    assert FreeCellBoard.from_text(f"FC: -- -- -- --\n{text}\n") == FIRST
    by_rows = FreeCellBoard.from_text(text, layout="rows")
    by_columns = FreeCellBoard.from_text(text, layout="columns")
    assert by_rows != by_columns
    assert (by_rows if words is BY_ROWS else by_columns) == FIRST


@pytest.mark.parametrize("cascades", range(4, 10))
def test_it_does_for_any_number_of_cascades_that_is_given(cascades: int) -> None:
    board = freecell(11982, cascades)
    dealt = " ".join(name for row in rows(board) for name in row if name)
    for text in (" ".join(str(board).split()), dealt):
        assert FreeCellBoard.from_text(text, cascades=cascades) == board


def test_52_cards_on_one_line_that_are_no_numbered_deal_are_refused() -> None:
    text = names(DECK)
    assert refused(text) == (
        "line 1: 52 cards on one line can be read in two ways: by columns, with AC AD AH AS 2C 2D "
        "2H in the first cascade, or by rows, with AC 3C 5C 7C 9C JC KC, and neither is a numbered "
        "deal: say --columns or --rows, or write | between the cascades"
    )
    assert FreeCellBoard.from_text(text, layout="rows").cascades[0] == DECK[::8]
    by_columns = FreeCellBoard.from_text(text, layout="columns")
    assert by_columns.cascades[0] == DECK[:7]
    assert lengths(by_columns) == [7, 7, 7, 7, 6, 6, 6, 6]


@given(st.permutations(DECK), st.integers(4, 9))
def test_52_cards_on_one_line_by_rows_and_by_columns(deck: list[int], cascades: int) -> None:
    board = FreeCellBoard(tuple(tuple(deck[i::cascades]) for i in range(cascades)))
    dealt, flat = names(deck), " ".join(map(names, board.cascades))
    assert FreeCellBoard.from_text(dealt, cascades=cascades, layout="rows") == board
    assert FreeCellBoard.from_text(flat, cascades=cascades, layout="columns") == board
    assert "can be read in two ways" in refused(dealt, cascades=cascades)


def test_one_long_cascade_says_that_it_is_one() -> None:
    board = FreeCellBoard((DECK, *((),) * 7))
    assert FreeCellBoard.from_text(str(board)) == board
    assert FreeCellBoard.from_text(": " + names(DECK)) == board


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("KS | QD | JC", "line 1 can be read in two ways: by columns, with 3 cards in one cascade"),
        ("KS, QD, JC", "or by rows, with a card in each of 3 cascades: say --columns or --rows"),
        ("| KS QD | JC", "line 1: | at the left end only: write it at both ends as a border"),
        ("| KS\n| QD | JC", "line 1: | at the left end only"),
        ("KS, QD\nJC,, TD", "line 2: a gap as wide as a card"),
        ("KS QD | JC 1D", "line 1: '1D' is not a card"),
        ("KS QD | JC KS", "line 1: KS appears twice, also in line 1"),
        ("Freecells: KS,, QD\nJC", "line 1: nothing between two separators of the free cells"),
        ("Freecells: none\nFC: KS\nQD", "line 2: free cells again: line 1 already has them"),
        ("KS 042", "line 1: '042' is not a card"),
        ("012" * 52, "line 1: 156 digits are a Klondike deal: say --game klondike"),
    ],
)
def test_what_could_be_read_in_two_ways_or_none(text: str, reason: str) -> None:
    assert reason in refused(text)


def test_a_place_without_a_card_among_all_cards_on_one_line() -> None:
    words = [*BY_ROWS[:9], "", *BY_ROWS[9:]]
    for layout in (None, "rows", "columns"):
        assert refused(",".join(words), layout=layout) == (
            "line 1: an empty place between the 52 cards of a deal"
        )


# Many boards


def test_many_boards_of_one_line() -> None:
    deals = [freecell(number) for number in range(1, 6)]
    lines = [" | ".join(str(deal).splitlines()) for deal in deals]
    flat = [" ".join(str(deal).split()) for deal in deals]
    for parts in (lines, flat, [*lines[:2], *flat[2:]]):
        assert read_freecell_boards("\n".join(parts)) == deals
        assert read_freecell_boards("\n\n".join(parts) + "\n") == deals
        labelled = [f"Freecells: -- --\n{part}" for part in parts]
        two = [freecell(number, cells=2) for number in range(1, 6)]
        assert read_freecell_boards("\n".join(labelled)) == two
    mixed = "\n".join([lines[0], flat[1], "", str(deals[2]), "", lines[3], lines[4]])
    assert read_freecell_boards(mixed) == deals


def test_labels_that_could_belong_to_either_of_two_lines() -> None:
    lines = [" | ".join(str(freecell(number)).splitlines()) for number in (1, 2)]
    with pytest.raises(DealError, match=r"line 1: .* stands between separators"):
        read_freecell_boards("\n".join([lines[0], "Freecells: -- --", lines[1]]))


def test_the_wrong_board_is_named_and_the_others_are_read() -> None:
    flat = " ".join(str(FIRST).split())
    text = "\n".join([flat, flat.replace("JD", "XD"), flat])
    with pytest.raises(DealError, match=r"^board 2, line 2: 'XD' is not a card"):
        read_freecell_boards(text)
    faults: list[str] = []
    assert read_freecell_boards(text, faults=faults) == [FIRST, None, FIRST]
    card = "a card is a rank of A23456789TJQK and a suit of CDHS, as in TD"
    assert faults == [f"board 2, line 2: 'XD' is not a card: {card}"]


@given(boards(), st.data())
def test_one_wrong_card_is_never_taken_however_it_is_written(
    board: FreeCellBoard, data: st.DataObject
) -> None:
    spots = [(c, i) for c, column in enumerate(board.cascades) for i in range(len(column))]
    if not spots:
        return
    c, i = data.draw(st.sampled_from(spots))
    columns = [list(column) for column in board.cascades]
    right = columns[c][i]
    wrong = columns[c][i] = data.draw(st.sampled_from([card for card in DECK if card != right]))
    with pytest.raises(DealError) as fault:
        FreeCellBoard(tuple(columns), board.cells, board.foundations, board.cell_count)
    assert card_name(right) in str(fault.value) and card_name(wrong) in str(fault.value)
    reason = refused("\n".join([*head(board), *(names(c) or ":" for c in columns)]), **sized(board))
    assert card_name(wrong) in reason and "line " in reason
    between = data.draw(BETWEEN)
    lines = [":" + between.join(data.draw(all_spelled(column))) for column in columns]
    assert refused("\n".join(data.draw(heads(board)) + lines), **sized(board))


# What stands around a board


@pytest.mark.parametrize(
    "heading",
    ["FreeCell game #164", "Freecell Game 164", "MS FreeCell deal #164:", "Deal No. 164", "game"],
)
def test_headings_are_passed_over(heading: str) -> None:
    assert FreeCellBoard.from_text(f"{heading}\n{FIRST}") == FIRST
    assert FreeCellBoard.from_text(f"{heading}\n\n{FIRST}") == FIRST
    both = f"{heading}\n{FIRST}\n{heading}\n{freecell(2)}"
    assert read_freecell_boards(both) == [FIRST, freecell(2)]


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "  > "])
def test_quotation_marks_are_passed_over(mark: str) -> None:
    lines = f"FreeCell game #1\n{FIRST}\n\n{freecell(2)}".splitlines()
    assert read_freecell_boards("\n".join(mark + line for line in lines)) == [FIRST, freecell(2)]
    # A line without one is not part of a quotation.
    assert "line 1" in refused(f"> {FIRST}")


def test_a_refusal_names_the_line_of_what_was_pasted() -> None:
    text = "\n".join(["FreeCell game #1", *LINES[:-1], "7H 8H 9X"])
    assert refused(text).startswith("line 9: ")
