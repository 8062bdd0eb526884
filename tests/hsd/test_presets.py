"""The presets: what they are copies of, and that they solve."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

import hsd
from deals import freecell
from gafreecell.solving.weights import WeightsError
from hsd.kernels.features import HSDH_RANGE
from hsd.presets import DEFAULT, NAMES, preset

ROOT = Path(__file__).parents[2]


EVOLVED = {
    "hsd-evolved": "freecell-nine-mean/weights/best.json",
    "fast": "freecell-fast-e/weights/fast.json",
    "fastest": "freecell-fastest-d/weights/fastest.json",
    "best-first": "freecell-fast/weights/best.json",
    "balanced": "freecell-short/weights/balanced.json",
    "short": "freecell-short/weights/short.json",
    "shortest": "freecell-short/weights/shortest.json",
    "optimal": "freecell-short/weights/optimal.json",
    "fewest-moves": "freecell-moves/weights/fewest-moves.json",
    "optimal-moves": "freecell-moves/weights/optimal-moves.json",
}


@pytest.mark.parametrize(("name", "file"), EVOLVED.items())
def test_an_evolved_preset_is_a_copy_of_the_reference_run(name: str, file: str) -> None:
    packaged = resources.files("hsd").joinpath("presets_data", f"{name}.json").read_bytes()
    assert packaged == (ROOT / "runs" / file).read_bytes()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*EVOLVED, "depth-first")])
def test_the_others_name_their_publication(name: str) -> None:
    assert preset(name).provenance["published"]


def test_depth_first_takes_the_weights_of_best_first() -> None:
    deep, best_first = preset("depth-first"), preset("best-first")
    assert (deep.evaluator, deep.provenance) == (best_first.evaluator, best_first.provenance)


def test_hsdh_is_as_published() -> None:
    weights = preset("hsdh")
    assert (weights.evaluator.features, weights.evaluator.weights) == (("HSDH",), (1.0,))
    assert weights.search.parameters == {"depth": 7, "automatic": "none", "table": 200_000}
    assert weights.limits.nodes == 2_000_000


def test_heineman_adds_a_card_for_each_that_is_not_home() -> None:
    hsdh, heineman = preset("hsdh"), preset("heineman-2009")
    assert heineman.search == hsdh.search
    assert heineman.evaluator.features == ("HSDH", "NumCardsNotAtFoundations")
    # 26 less the four next ranks is the number of cards not home less 30.
    for_one, for_all = heineman.evaluator.weights
    assert for_one / HSDH_RANGE == pytest.approx(for_all / 52)


def test_one_feature_alone_in_the_same_search() -> None:
    alone, evolved = preset("well-placed"), preset("hsd-evolved")
    assert (alone.evaluator.features, alone.evaluator.weights) == (("NumberWellPlaced",), (1.0,))
    assert (alone.search, alone.limits) == (evolved.search, evolved.limits)
    assert alone.provenance["published"].startswith("none: ")


def test_hsdh_in_the_same_search() -> None:
    same, evolved = preset("hsdh-same-search"), preset("hsd-evolved")
    assert (same.search, same.limits) == (evolved.search, evolved.limits)
    assert evolved.search.parameters["depth"] >= 2


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(WeightsError, match=f"'slow'.*{DEFAULT}"):
        preset("slow")


# It takes seconds a deal to prove a solution shortest: these presets have tests of their own.
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in [*EVOLVED, "depth-first", "ga-freecell-2011", "hsdh-same-search"]
        if "optimal" not in name
    ],
)
def test_presets_solve(name: str) -> None:
    for deal in (2, 3):
        moves = hsd.solve(deal, name).moves
        assert hsd.verify(freecell(deal), moves).solved


@pytest.mark.parametrize(
    ("quicker", "shorter"),
    [("fastest", "fast"), ("fast", "balanced"), ("balanced", "short"), ("short", "shortest")],
)
def test_a_slower_preset_is_shorter(quicker: str, shorter: str) -> None:
    totals = []
    for name in (quicker, shorter):
        outcomes = hsd.solve_many(range(2_000_001, 2_000_016), name)
        totals.append(sum(o.lengths["single"] for o in outcomes))
    assert totals[1] < totals[0]


@pytest.mark.parametrize(
    "name", ["fast", "fastest", "best-first", "balanced", "short", "shortest", "depth-first"]
)
def test_what_cannot_be_solved_is_proved(name: str) -> None:
    assert hsd.solve(11982, name).status == "unsolvable"


def test_the_shortest_is_proved() -> None:
    found = hsd.solve(3, "optimal")
    assert hsd.verify(freecell(3), found.moves or ()).solved
    assert found.lengths == {"single": 73, "column": 73, "manual": 73 - 52, "bound": 73}
