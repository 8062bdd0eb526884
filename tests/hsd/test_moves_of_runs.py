"""The units column and manual: lengths, and the presets that save such moves."""

from __future__ import annotations

import numpy as np
import pytest
from player import manual_moves
from positions import engine_move
from searching import BOUNDED, beam, run, solve

import hsd
from deals import FreeCellBoard, freecell
from gafreecell.solving.parameters import ParameterError
from hsd.kernels.verifier import which_solve
from hsd.notation import lengths, lengths_of_runs
from hsd.verifier import verify


def test_some_runs_are_longer_than_the_places_for_their_cards() -> None:
    """``solve`` compares all lengths with the verifier's."""
    longer = 0
    for deal in range(2, 32):
        outcome = solve(beam(width=32, unit="manual"), deal)
        moves = np.array([engine_move(move) for move in outcome.moves or ()], np.int64)
        counted = lengths_of_runs(moves, "column", 8, 4)
        assert list(counted) == ["column", "single", "manual"]
        assert {**counted, "bound": outcome.lengths["bound"]} == outcome.lengths
        longer += counted["single"] > lengths(moves)["single"]
    assert longer > 0


@pytest.mark.parametrize("unit", ["column", "manual"])
def test_wider_beams_save_more_of_the_moves_of_runs(unit: str) -> None:
    totals = []
    for width in (4, 32):
        outcomes = [solve(beam(width=width, unit=unit), deal) for deal in range(2, 22)]
        totals.append(sum(outcome.lengths[unit] for outcome in outcomes))
    assert totals[0] > totals[1]


def test_column_and_manual_are_the_same_search() -> None:
    for deal in (3, 617):
        column, manual = (solve(beam(unit=unit), deal) for unit in ("column", "manual"))
        assert (column.moves, column.nodes) == (manual.moves, manual.nodes)
        assert column.lengths["bound"] == manual.lengths["bound"] + 52


def test_a_unit_that_is_none_is_refused() -> None:
    with pytest.raises(ParameterError, match="unit must be single or column or manual"):
        run(1, "beam", BOUNDED, {"unit": "cards"})


DEALS = range(2001, 2003)


def test_solutions_of_the_preset_replayed_by_three_players() -> None:
    outcomes = hsd.solve_many(DEALS, "fewest-moves")
    moves = [outcome.moves for outcome in outcomes]
    assert all(which_solve(DEALS, moves, 8, 4))
    total = 0
    for deal, outcome in zip(DEALS, outcomes, strict=True):
        counted = manual_moves(deal, outcome.moves)
        assert verify(freecell(deal), outcome.moves).manual == counted == outcome.lengths["manual"]
        total += counted
    short = hsd.solve_many(DEALS, "shortest")
    assert total < sum(outcome.lengths["manual"] for outcome in short)


PROVED = {2: 21, 3: 18, 7: 24}
"""Fewest manual moves of some deals: 52 fewer than the lengths of Paul and Helmert (2016)."""


def test_the_fewest_moves_are_proved() -> None:
    for deal, fewest in PROVED.items():
        found = hsd.solve(deal, "optimal-moves")
        assert (found.lengths["manual"], found.lengths["bound"]) == (fewest, fewest)
        assert manual_moves(deal, found.moves) == fewest


@pytest.mark.parametrize("preset", ["fewest-moves", "optimal-moves"])
@pytest.mark.parametrize("board", ["S-K\n--", "S-Q\nKS", "S-J\nKS QS"])
def test_a_board_that_home_moves_alone_win_takes_no_move(preset: str, board: str) -> None:
    # Each further beam found a solution that was not shorter, so they went on for ever.
    text = f"Foundations: C-K D-K H-K {board}\n" + "--\n" * 7
    found = hsd.solve(FreeCellBoard.from_text(text), preset)
    assert (found.lengths["manual"], found.lengths["bound"]) == (0, 0)
