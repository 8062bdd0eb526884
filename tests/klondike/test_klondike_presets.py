"""The presets of Klondike: what they are copies of, what they solve, what they refuse."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

import deals
from deals import KlondikeBoard
from gafreecell.solitaire import klondike
from gafreecell.solitaire.klondike.presets import DEFAULT, NAMES, preset
from gafreecell.solitaire.klondike.rollouts.values import PUBLISHED, USUAL_NAMES
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.weights import WeightsError

ROOT = Path(__file__).parents[2]
EVOLVED = {
    "complete": "klondike-order/weights/best.json",
    "vegas-1": "klondike-vegas-1/weights/best.json",
    "vegas-3": "klondike-vegas-3/weights/best.json",
    "rollouts-evolved": "klondike-values/weights/best.json",
}


@pytest.mark.parametrize(("name", "file"), EVOLVED.items())
def test_an_evolved_preset_is_a_copy_of_the_reference_run(name: str, file: str) -> None:
    packaged = (
        resources.files("gafreecell.solitaire.klondike")
        .joinpath("presets_data", f"{name}.json")
        .read_bytes()
    )
    assert packaged == (ROOT / "runs" / file).read_bytes()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in EVOLVED])
def test_the_others_name_their_publication(name: str) -> None:
    assert preset(name).provenance["published"]


def test_the_published_weights_are_those_of_the_paper() -> None:
    evaluator = preset("rollouts-2007").evaluator
    assert evaluator is not None
    assert evaluator.features == USUAL_NAMES
    assert evaluator.weights == tuple(PUBLISHED[: len(USUAL_NAMES)])


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(WeightsError, match=f"'slow'; Klondike has {DEFAULT}"):
        preset("slow")


def test_the_default_decides_and_its_table_is_small() -> None:
    outcomes = klondike.solve_many(range(1, 61), jobs=1, limits=Limits(nodes=200_000))
    statuses = [outcome.status for outcome in outcomes]
    assert statuses.count(Status.SOLVED) > 35
    assert statuses.count(Status.UNSOLVABLE) > 4
    for number, outcome in zip(range(1, 61), outcomes, strict=True):
        if outcome.moves is not None:
            verdict = klondike.verify(deals.klondike(number), outcome.moves)
            assert verdict.solved
    # Eight bytes a state, a table at most seven eighths full, its size a power of two.
    assert 8 * 2 ** (preset("complete").limits.nodes * 8 // 7).bit_length() <= 400_000_000


def test_a_board_is_solved_like_its_number() -> None:
    board = deals.klondike(3)
    assert isinstance(board, KlondikeBoard)
    assert klondike.solve(board).moves == klondike.solve(3).moves
