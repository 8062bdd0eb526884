"""A second verifier, jitted: it replays a hundred thousand solutions of deals a second.

It is written from the rules and shares nothing with the engine, not even how cards are dealt or
numbered: here a card is ``13 * suit + rank - 1``. The plain verifier (``hsd.verifier``) has the
last word; the tests compare the two. This one accepts only notation as the engine writes it, with a
count for every run. A solution that it rejects goes to the plain one, which says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gafreecell.jit import int64, kernel, large_kernel

_SPACE, _END, _RUN, _HOME = b" \nvh"
_CELLS, _TO_HOME = 16, 32
"""The places of the first cell and of home; cascades are 0 and up."""
_HEIGHT = 64


@kernel
def _deal(number: int, cascades: int, table: np.ndarray, heights: np.ndarray) -> None:
    """Deal a number: the generator of Microsoft's C run-time library draws from 52 cards."""
    left = table[16 * _HEIGHT :]
    for i in range(52):
        # Microsoft's order: ace of clubs, diamonds, hearts, spades, then the twos.
        left[i] = 13 * (i % 4) + i // 4
    for c in range(cascades):
        heights[c] = 0
    seed = number
    for i in range(52):
        seed = (214013 * seed + 2531011) % 2147483648
        drawn = (seed // 65536) % (52 - i)
        c = i % cascades
        table[_HEIGHT * c + heights[c]] = left[drawn]
        heights[c] += 1
        left[drawn] = left[51 - i]


@kernel
def _lies_on(card: int, other: int) -> bool:
    """Whether a card may lie on another: one rank lower, of the other colour."""
    red = card // 13 == 1 or card // 13 == 2
    other_red = other // 13 == 1 or other // 13 == 2
    return card % 13 + 1 == other % 13 and red != other_red


@kernel
def _place(letter: int, cascades: int, cells: int) -> int:
    """A place by its letter: cascades from 0, cells from 16, home 32; -1 for none."""
    if 49 <= letter < 49 + cascades:
        return letter - 49
    if 97 <= letter < 97 + cells:
        return letter - 97 + _CELLS
    return _TO_HOME if letter == _HOME else -1


@kernel
def _digit(letter: int) -> int:
    """The value of a hexadecimal digit from 1 to d; -1 for other letters."""
    if 49 <= letter <= 57:
        return letter - 48
    return letter - 87 if 97 <= letter <= 100 else -1


@kernel
def _play(
    source: int,
    target: int,
    count: int,
    cascades: int,
    cells: int,
    table: np.ndarray,
    heights: np.ndarray,
    held: np.ndarray,
    homes: np.ndarray,
) -> bool:
    """Play a move if it is legal; returns whether it was."""
    if source < _CELLS:
        if heights[source] < count:
            return False
        card = table[_HEIGHT * source + heights[source] - 1]
    else:
        card = held[source - _CELLS]
        if card < 0:
            return False
    if count == 1:
        if target == _TO_HOME:
            if homes[card // 13] != card % 13:
                return False
            homes[card // 13] += 1
        elif target >= _CELLS:
            if source >= _CELLS or held[target - _CELLS] >= 0:
                return False
            held[target - _CELLS] = card
        else:
            top = _HEIGHT * target + heights[target]
            if target == source or (heights[target] > 0 and not _lies_on(card, table[top - 1])):
                return False
            table[top] = card
            heights[target] += 1
        if source < _CELLS:
            heights[source] -= 1
        else:
            held[source - _CELLS] = -1
        return True
    if source >= _CELLS or target >= _CELLS or source == target:
        return False
    room = 1
    for i in range(cells):
        if held[i] < 0:
            room += 1
    for c in range(cascades):
        if heights[c] == 0 and c != target:
            room *= 2
    if count > room:
        return False
    first = _HEIGHT * source + heights[source] - count
    top = _HEIGHT * target + heights[target]
    if heights[target] > 0 and not _lies_on(table[first], table[top - 1]):
        return False
    for i in range(1, count):
        if not _lies_on(table[first + i], table[first + i - 1]):
            return False
    for i in range(count):
        table[top + i] = table[first + i]
    heights[source] -= count
    heights[target] += count
    return True


@kernel
def _replays(
    text: np.ndarray,
    at: int,
    end: int,
    cascades: int,
    cells: int,
    table: np.ndarray,
    heights: np.ndarray,
    held: np.ndarray,
    homes: np.ndarray,
) -> bool:
    """Play the moves of ``text[at:end]``; returns whether all were well-formed and legal."""
    while at < end:
        if at + 2 > end:
            return False
        source = _place(int64(text[at]), cascades, cells)
        target = _place(int64(text[at + 1]), cascades, cells)
        at += 2
        count = 1
        if at + 2 <= end and text[at] == _RUN:
            count = _digit(int64(text[at + 1]))
            at += 2
            if source >= _CELLS or target >= _CELLS:
                return False
        if at < end:
            # A space must follow, and then another move.
            if text[at] != _SPACE or at + 1 == end:
                return False
            at += 1
        if source < 0 or source == _TO_HOME or target < 0 or count < 1:
            return False
        if not _play(source, target, count, cascades, cells, table, heights, held, homes):
            return False
    return True


@large_kernel
def replay(
    numbers: np.ndarray,
    cascades: int,
    cells: int,
    text: np.ndarray,
    scratch: np.ndarray,
    solved: np.ndarray,
) -> None:
    """Replay solutions of deals.

    Args:
        numbers: int64[deals], Microsoft deal numbers.
        cascades, cells: the game's size.
        text: uint8, for each deal a line of its moves, separated by spaces.
        scratch: int64[1200].
        solved: int64[deals], receives whether all moves are legal and bring all cards home.
    """
    heights = scratch[:16]
    held = scratch[16:32]
    homes = scratch[32:36]
    table = scratch[64:]
    at = 0
    for i in range(numbers.size):
        _deal(numbers[i], cascades, table, heights)
        for k in range(cells):
            held[k] = -1
        for s in range(4):
            homes[s] = 0
        end = at
        while text[end] != _END:
            end += 1
        legal = _replays(text, at, end, cascades, cells, table, heights, held, homes)
        solved[i] = legal and homes[0] + homes[1] + homes[2] + homes[3] == 52
        at = end + 1


def which_solve(
    numbers: Sequence[int], moves: Sequence[Sequence[str]], cascades: int, cells: int
) -> list[bool]:
    """Which solutions this verifier accepts; others may still be legal in another notation.

    Args:
        numbers: Microsoft deal numbers.
        moves: the solution of each deal, in standard notation.
        cascades, cells: the game's size.
    """
    lines = "".join(f"{_line(tokens)}\n" for tokens in moves)
    text = np.frombuffer(lines.encode("ascii", "replace"), np.uint8)
    solved = np.zeros(len(numbers), np.int64)
    scratch = np.zeros(1200, np.int64)
    replay(np.array(numbers, np.int64), cascades, cells, text, scratch, solved)
    return [bool(one) for one in solved]


def load_kernels() -> None:
    """Load the kernel."""
    which_solve([], [], 8, 4)


def _line(tokens: Sequence[str]) -> str:
    """The moves separated by spaces; an illegal line if some token is not a single word."""
    line = " ".join(tokens)
    return line if line.count(" ") == len(tokens) - 1 and "\n" not in line else "?"
