"""Deals, tests, searches, plays back and times many deals in one call of a kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import int64, kernel, new_registers
from gafreecell.jit.batches import DONE, FULL, BatchRegisters
from gafreecell.jit.kernels.clock import thread_seconds
from gafreecell.jit.kernels.shuffles import Shuffled, new_shuffled
from gafreecell.jit.slices import GROW, RUNNING, SOLVED, UNSOLVABLE
from gafreecell.solitaire.klondike.cards import PILES
from gafreecell.solitaire.klondike.complete.kernels.layout import (
    Unpacked,
    most_written,
    new_unpacked,
    play_back,
    unpack,
)
from gafreecell.solitaire.klondike.complete.kernels.search import Work, advance, restart
from gafreecell.solitaire.klondike.kernels.board import Board, empty_board
from gafreecell.solitaire.klondike.kernels.dead_ends import lost_at_once
from gafreecell.solitaire.klondike.kernels.dealing import deal
from gafreecell.solitaire.klondike.packed import PACKED

DEAL_TRIES = 20
"""What a deal costs besides its search, in moves tried."""


class Registers(BatchRegisters):
    """Where a batch stands.

    Attributes:
        code: how the last slice of the current deal ended.
        root: its first state, before it is settled.
    """

    code: int
    root: int


class Batch(NamedTuple):
    """Deals and their results.

    Attributes:
        registers, codes, seconds, ends, moves: as in ``jit.batches.Batch``.
        numbers: int64[deals], deal numbers; 0 where the position is packed already.
        packed: int64[deals * 74], positions.
        nodes: int64[deals * 2], states expanded and generated.
    """

    registers: Registers
    numbers: np.ndarray
    packed: np.ndarray
    codes: np.ndarray
    nodes: np.ndarray
    seconds: np.ndarray
    ends: np.ndarray
    moves: np.ndarray


class Scratch(NamedTuple):
    """Arrays in which deals are prepared.

    Attributes:
        shuffled: for dealing.
        board, at, twins: for the tests of dead ends (``klondike.kernels.dead_ends``).
        unpacked: the current position.
    """

    shuffled: Shuffled
    board: Board
    at: np.ndarray
    twins: np.ndarray
    unpacked: Unpacked


def new_batch(deals: int, moves: int = 256) -> Batch:
    """Arrays for a number of deals, with room for ``moves`` moves of each and for one long path."""
    return Batch(
        registers=new_registers(Registers),
        numbers=np.zeros(deals, np.int64),
        packed=np.zeros(deals * PACKED, np.int64),
        codes=np.zeros(deals, np.int64),
        nodes=np.zeros(deals * 2, np.int64),
        seconds=np.zeros(deals),
        ends=np.zeros(deals, np.int64),
        moves=np.zeros(moves * (deals + 80), np.int64),
    )


def new_scratch() -> Scratch:
    """Arrays in which to prepare deals."""
    sets = np.zeros(8 * PILES, np.uint64)
    return Scratch(new_shuffled(), empty_board(), np.zeros(PILES, np.int64), sets, new_unpacked())


@kernel
def advance_batch(
    scratch: Scratch,
    work: Work,
    batch: Batch,
    ordered: int,
    options: int,
    tests: bool,
    alone: bool,
    limit: int,
    tries: int,
) -> int:
    """Continue until all deals are decided or ``tries`` moves were tried.

    Args:
        scratch: the same in every slice.
        work: the arrays of the search, which the deals use one after the other.
        batch: the deals.
        ordered, options, limit: as for ``restart`` and ``advance`` of the search.
        tests: whether to run the dead-end tests first, and search only what they do not prove lost.
        alone: whether to return after the current deal.
        tries: moves tried after which to return ``RUNNING``.

    Returns:
        ``DONE``, ``RUNNING``, ``GROW`` if arrays of the search must be enlarged first, or ``FULL``
        if those of the batch must.
    """
    registers, search = batch.registers, work.registers
    left = tries
    while registers.deal < batch.codes.size:
        i = registers.deal
        if registers.begun == 0:
            registers.begun = 1
            registers.started = thread_seconds()
            packed = batch.packed[PACKED * i : PACKED * (i + 1)]
            if batch.numbers[i] > 0:
                deal(batch.numbers[i], packed, scratch.shuffled)
            restart(work, ordered)
            registers.code = RUNNING
            # Only the first state is tested. If it passes, later ones hardly ever fail.
            if tests and lost_at_once(scratch.board, scratch.at, scratch.twins, packed):
                registers.code = UNSOLVABLE
                search.generated = 1
            else:
                # With two redeals left or more, it is negative as a signed number.
                registers.root = int64(unpack(scratch.unpacked, packed))
            left -= DEAL_TRIES
        if registers.code in (RUNNING, GROW):
            before = search.tried
            registers.code = advance(
                scratch.unpacked.deal, work, registers.root, options, limit, before + max(left, 1)
            )
            left -= search.tried - before
        batch.nodes[2 * i] = search.expanded
        batch.nodes[2 * i + 1] = search.generated
        if registers.code in (RUNNING, GROW):
            return registers.code
        if registers.code == SOLVED:
            depth = search.depth
            if registers.moves + most_written(depth) > batch.moves.size:
                return FULL
            registers.moves += play_back(
                scratch.unpacked.layout, work.up, work.bases, work.made, depth,
                batch.moves[registers.moves :],
            )  # fmt: skip
        batch.codes[i] = registers.code
        batch.ends[i] = registers.moves
        batch.seconds[i] = thread_seconds() - registers.started
        registers.deal += 1
        registers.begun = 0
        if alone or left <= 0:
            return DONE if registers.deal == batch.codes.size else RUNNING
    return DONE
