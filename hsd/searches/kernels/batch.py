"""Many deals in one call of a kernel, which deals, searches, shortens and times them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gafreecell.jit import kernel, new_registers
from gafreecell.jit.batches import DONE, FULL, BatchRegisters
from gafreecell.jit.kernels.clock import thread_seconds
from gafreecell.jit.slices import GROW, RUNNING, SOLVED
from hsd.kernels.board import Board
from hsd.kernels.detours import drop_detours
from hsd.kernels.packed import PACKED, deal
from hsd.kernels.replay import Root
from hsd.searches.kernels.schedule import Phases, ScheduleWork, advance


class Batch(NamedTuple):
    """Deals and their results.

    Attributes:
        registers, codes, seconds, ends, moves: as in ``jit.batches.Batch``.
        numbers: int64[deals], deal numbers; 0 for a position that is already packed.
        packed: uint64[deals * 16], positions.
        nodes: int64[deals * 3], states expanded, generated and scored.
        deck: int64[52], scratch.
    """

    registers: BatchRegisters
    numbers: np.ndarray
    packed: np.ndarray
    codes: np.ndarray
    nodes: np.ndarray
    seconds: np.ndarray
    ends: np.ndarray
    moves: np.ndarray
    deck: np.ndarray


def new_batch(deals: int) -> Batch:
    """Arrays for a number of deals."""
    return Batch(
        registers=new_registers(BatchRegisters),
        numbers=np.zeros(deals, np.int64),
        packed=np.zeros(deals * PACKED, np.uint64),
        codes=np.zeros(deals, np.int64),
        nodes=np.zeros(deals * 3, np.int64),
        seconds=np.zeros(deals),
        ends=np.zeros(deals, np.int64),
        moves=np.zeros(256 * (deals + 1), np.int64),
        deck=np.zeros(52, np.int64),
    )


@kernel
def advance_batch(
    board: Board,
    work: ScheduleWork,
    batch: Batch,
    phases: Phases,
    cascades: int,
    cells: int,
    automatic: bool,
    detours: bool,
    alone: bool,
    node_limit: int,
    expansions: int,
) -> int:
    """Continue until all deals are decided or ``expansions`` nodes were expanded.

    Args:
        board: scratch.
        work: the arrays of the search, used for one deal after another.
        batch: the deals.
        phases, node_limit: as in ``schedule.advance``.
        cascades, cells, automatic: as in ``replay.Root``.
        detours: whether to drop the detours of solutions.
        alone: whether to return after the current deal.
        expansions: nodes expanded at which to return ``RUNNING``.

    Returns:
        ``DONE``, ``RUNNING``, ``GROW`` if arrays of the search must be enlarged first, or ``FULL``
        if those of the batch must.
    """
    registers = batch.registers
    search = work.tree.registers
    left = expansions
    while registers.deal < batch.codes.size:
        at = PACKED * registers.deal
        if registers.begun == 0:
            registers.begun = 1
            registers.started = thread_seconds()
            search.generated = search.expanded = 0
            if batch.numbers[registers.deal] > 0:
                number = batch.numbers[registers.deal]
                deal(number, cascades, batch.packed, at, batch.deck)
        before = search.expanded
        root = Root(batch.packed[at : at + PACKED], cascades, cells, automatic)
        code = advance(board, work, root, phases, node_limit, before + left)
        left -= search.expanded - before
        i = registers.deal
        batch.nodes[3 * i] = search.expanded
        batch.nodes[3 * i + 1] = search.generated
        batch.nodes[3 * i + 2] = search.scored
        if code in (RUNNING, GROW):
            return code
        if code == SOLVED:
            length = search.length
            if registers.moves + length > batch.moves.size:
                return FULL
            path = work.tree.path
            if detours:
                # The part of ``path`` after the solution is scratch now.
                if 3 * length > path.size:
                    search.length = path.size
                    return GROW
                length = drop_detours(
                    board,
                    root,
                    path[:length],
                    path[length : 2 * length],
                    path[2 * length : 3 * length],
                )
            for k in range(length):
                batch.moves[registers.moves + k] = path[k]
            registers.moves += length
        batch.codes[registers.deal] = code
        batch.ends[registers.deal] = registers.moves
        batch.seconds[registers.deal] = thread_seconds() - registers.started
        registers.deal += 1
        registers.begun = 0
        if alone or left <= 0:
            return DONE if registers.deal == batch.codes.size else RUNNING
    return DONE
