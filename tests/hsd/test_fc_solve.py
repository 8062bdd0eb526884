"""What fc-solve prints, read as moves and replayed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hsd
from deals import freecell
from gafreecell.solving import solutions
from hsd.fc_solve import is_output, read_moves

DATA = Path(__file__).parent / "data"
RAW = {path.stem: path.read_text() for path in sorted((DATA / "fc_solve_raw").glob("*.txt"))}
SOLVED = {name: text for name, text in RAW.items() if not name.startswith("11982")}
NOTATION = {
    (int(row[0]), row[1]): row[3:]
    for row in map(str.split, (DATA / "fc_solve_solutions.txt").read_text().splitlines())
    if row[0] != "#"
}


@pytest.mark.parametrize("name", SOLVED)
def test_a_solution_is_read_and_right(name: str) -> None:
    board, text = freecell(int(name.partition("_")[0])), SOLVED[name]
    moves = read_moves(text)
    assert hsd.GAME.verify(board, moves) == ""
    assert hsd.GAME.verify(board, moves[:-1])
    # A part of the output, too.
    for part in (
        text,
        text.replace("\n", "\r\n"),
        re.sub("(?m)^", "  ", text),
        "\n".join(line for line in text.splitlines() if line.strip()),
        text.replace("-=-=-=-=-=-=-=-=-=-=-=-", ""),
    ):
        assert hsd.GAME.read_moves(part) == moves


def test_words_and_notation_say_the_same() -> None:
    """fc-solve's own notation is the oracle for its words."""
    assert read_moves(RAW["1_m_snx"]) == NOTATION[1, "-snx"]
    assert read_moves(RAW["1_m_sn"]) == NOTATION[1, "-sn"]
    # -snx gives the count of a run to an empty cascade alone, the words that of any.
    words = read_moves(RAW["1_m"])
    assert [re.sub("v.", "", move) for move in words] == NOTATION[1, "-sn"]
    pairs = zip(words, NOTATION[1, "-snx"], strict=True)
    assert all(word == token for word, token in pairs if "v" in token)
    assert any("v" in word for word in words)
    assert read_moves(RAW["300_opt_m_sam"]) == read_moves(RAW["300_opt_m_p_t_sam_sel"])


def test_the_moves_alone_need_no_frame() -> None:
    lines = [line for line in RAW["1_m"].splitlines() if line.startswith("Move")]
    assert hsd.GAME.read_moves("\n".join(lines)) == read_moves(RAW["1_m"])
    plain = " ".join(NOTATION[1, "-snx"])
    assert not is_output(plain)
    assert hsd.GAME.read_moves(plain) == solutions.read_moves(plain) == NOTATION[1, "-snx"]


def test_an_output_without_moves() -> None:
    with pytest.raises(ValueError, match=r"got fc-solve's message 'I could not solve this game\.'"):
        hsd.GAME.read_moves(RAW["11982_m"])
    text = RAW["300_opt_m_p_t_sam_sel"]
    positions = "\n".join(line for line in text.splitlines() if not line.startswith("Move"))
    with pytest.raises(ValueError, match="without moves: run it with -m, or -m -snx"):
        hsd.GAME.read_moves(positions)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Move a card from stack 9 to freecell 0", "expected a stack from 0 to 8, got 9"),
        ("Move a card from stack 0 to freecell 7", "expected a freecell from 0 to 6, got 7"),
        ("Move 16 cards from stack 0 to stack 1", "expected a run of at most 15 cards, got 16"),
        ("Move a card from stack 1 to nowhere", "expected a move such as 'Move a card from"),
        ("Move a card from stack 1 to the found", "got 'Move a card from stack 1 to the found'"),
        ("Move: 4z", "or '4a', as fc-solve writes them, got 'Move: 4z'"),
        ("4h 7x 1c", "got '4h 7x 1c'"),
        ("1. 4h", "got '1. 4h'"),
    ],
)
def test_a_damaged_move_is_named_with_its_line(line: str, reason: str) -> None:
    lines = RAW["1_m"].splitlines()
    with pytest.raises(ValueError, match=r"^line 7: ") as fault:
        read_moves("\n".join([*lines[:6], line, *lines[7:]]))
    assert reason in str(fault.value)


@given(
    st.integers(0, 500), st.sampled_from(["7a", "Move: 1h", "Move a card from stack 0 to stack 1"])
)
def test_no_move_is_passed_over(place: int, line: str) -> None:
    lines = RAW["300_opt_m_snx_p_t_sam_sel"].splitlines()
    moves = read_moves("\n".join(lines))
    assert len(read_moves("\n".join([*lines[:place], line, *lines[place:]]))) == len(moves) + 1


OTHERS = "6z 7q", "prose", ": 6z 7q", ": 6h", "Scan: 6h", "Freecells: 6h 7h", "Foundations: 1a"


@pytest.mark.parametrize("line", [*OTHERS, "8h: 5"])
@pytest.mark.parametrize("name", ["1_m", "1_m_snx", "300_opt_m_snx_p_t_sam_sel", "300_opt_m_sam"])
def test_a_line_that_fc_solve_does_not_print_is_refused(name: str, line: str) -> None:
    lines = RAW[name].splitlines()
    for place in (0, 5, len(lines)):
        text = "\n".join([*lines[:place], line, *lines[place:]])
        with pytest.raises(ValueError, match=rf"^line {place + 1}: expected .*{line}"):
            hsd.GAME.read_moves(text)


BEHIND = [", a King onto an Ace", "777", "x", " 3", ": 4h", " and 4h", "; 4h", ", 4h", ".."]


@given(st.data())
def test_a_sentence_is_read_as_a_whole_or_refused(data: st.DataObject) -> None:
    lines = [line for line in RAW["1_m"].splitlines() if line.startswith("Move")]
    place = data.draw(st.integers(0, len(lines) - 1))
    extra = data.draw(st.sampled_from([*BEHIND, f" {lines[place]}", f". {lines[0]}"]))
    wrong = [*lines[:place], lines[place] + extra, *lines[place + 1 :]]
    with pytest.raises(ValueError, match=rf"^line {place + 1}: expected a "):
        hsd.GAME.read_moves("\n".join(wrong))
    wrong[place] = extra.strip() + " " + lines[place]
    with pytest.raises(ValueError, match=rf"^line {place + 1}: expected a move"):
        hsd.GAME.read_moves("\n".join(wrong))


@pytest.mark.parametrize("name", ["1_m", "1_m_snx"])
def test_dots_comments_headings_and_commands_are_no_moves(name: str) -> None:
    text, moves = SOLVED[name], read_moves(SOLVED[name])
    made = "pi-make-microsoft-freecell-board -t 1 | fc-solve -m"
    for changed in (
        f"Deal 1:\n{text}",
        f"# deal 1\n{text}\n# found by fc-solve",
        f"{text}  # found by fc-solve\n",
        f"user@host:~$ {made}\n{text}",
        f"(venv) ~/x$ cat board.txt | fc-solve -m\n{text}\n$ ",
        f"```text\n$ {made}\n{text}\n```\n",
        re.sub("(?m)^(Move .*)$", r"\1.", text),
        re.sub("(?m)^(Move .*|[1-9a-h ]+)$", r"\1  # nice", text),
    ):
        assert hsd.GAME.read_moves(changed.removesuffix("$ ")) == moves
    for line in ("Deal 1: 4h", "```4h", "4h$ fc", "$ 4h | 5a"):
        with pytest.raises(ValueError, match="line 1: "):
            hsd.GAME.read_moves(f"{line}\n{text}")


def test_a_line_of_equals_signs_makes_no_output_of_fc_solve() -> None:
    first, second = (" ".join(NOTATION[1, "-snx"][half]) for half in (slice(40), slice(40, None)))
    text = "\n".join(["=" * 24, first, "6z 7q", second])
    assert not is_output(text)
    with pytest.raises(ValueError, match=r"^line 1: expected a move"):
        hsd.GAME.read_moves(text)
    with pytest.raises(ValueError, match=r"^line 3: "):
        read_moves(text)


def test_counts_of_states_are_no_moves() -> None:
    head = (
        "Iteration: 12\nDepth: 11\nStored-States: 23\nScan: 15\n\nThis scan generated 19 states.\n"
    )
    tail = "Total number of states checked is 45.\n" + RAW["1_m_snx"]
    assert read_moves(head + tail) == NOTATION[1, "-snx"]
