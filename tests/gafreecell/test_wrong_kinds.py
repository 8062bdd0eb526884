"""What is of a wrong kind is refused in a sentence; numbers of numpy's are numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import deals
import gafreecell
import hsd
from gafreecell import figures
from gafreecell.solitaire import klondike, pyramid
from gafreecell.solving.files import read_text
from gafreecell.solving.outcome import Evaluator, Limits, Search
from gafreecell.workers import chosen
from gafreecell.workers.chosen import Workers

WRONG = {
    "None": None,
    "word": "x",
    "empty": "",
    "float": 2.5,
    "list": [1, "a"],
    "mapping": {"a": 1},
    "negative": -1,
    "object": object(),
    "bytes": b"x",
    "True": True,
    "nan": float("nan"),
    "numpy float": np.float64(3),
    "array": np.arange(3),
}
REFERENCE = Path(__file__).parents[2] / "runs" / "freecell-nine"
reference = cache(lambda: gafreecell.load(REFERENCE))
BOARD, DEAL, CARDS = deals.freecell(1), deals.klondike(1), deals.pyramid(1).cards
PILES, FACE_DOWN, STOCK = DEAL.piles, DEAL.face_down, DEAL.stock
NAMES = ["KlondikeBoard, name", "PyramidDeck, name"]
RULES = Evaluator(("HSDH",), (1.0,)), Search("staged"), Limits(nodes=10)
PLAIN: dict[ModuleType, str] = {
    deals: "freecell klondike pyramid named split parse_card card_name number_of FreeCellBoard "
    "PyramidDeck PyramidPosition KlondikeBoard.deal FreeCellBoard.from_text "
    "KlondikeBoard.from_text PyramidDeck.from_text PyramidPosition.from_text "
    "read_pyramid_boards read_freecell_boards read_klondike_boards parse_range",
    hsd: "preset solve",
    klondike: "solve",
    pyramid: "solve",
    gafreecell: "solve solve_many deal read_boards presets evolve resume load read_job "
    "read_weights",
    figures: "plot_fitness plot_weights check_format",
    chosen: "Workers",
}
"""Functions by module, which are called with the value alone."""
CALLS: dict[str, Callable[[Any], object]] = {
    **{
        f"{module.__name__}.{name}": attrgetter(name)(module)
        for module, names in PLAIN.items()
        for name in names.split()
    },
    "deals.freecell, cascades": lambda x: deals.freecell(1, x),
    "deals.freecell, cells": lambda x: deals.freecell(1, 8, x),
    "deals.split, seed": lambda x: deals.split("train", x),
    "FreeCellBoard, cascade": lambda x: deals.FreeCellBoard((x, *BOARD.cascades[1:])),
    "FreeCellBoard, cells": lambda x: deals.FreeCellBoard(BOARD.cascades, x),
    "FreeCellBoard, foundations": lambda x: deals.FreeCellBoard(BOARD.cascades, (), x),
    "FreeCellBoard, cell_count": lambda x: deals.FreeCellBoard(BOARD.cascades, cell_count=x),
    "KlondikeBoard": lambda x: deals.KlondikeBoard(x, x),
    "KlondikeBoard, pile": lambda x: deals.KlondikeBoard((x, *PILES[1:]), FACE_DOWN),
    "KlondikeBoard, face_down": lambda x: deals.KlondikeBoard(PILES, x, STOCK),
    "KlondikeBoard, stock": lambda x: deals.KlondikeBoard(PILES, FACE_DOWN, x),
    "KlondikeBoard, waste": lambda x: deals.KlondikeBoard(PILES, FACE_DOWN, STOCK, x),
    "KlondikeBoard, foundations": lambda x: deals.KlondikeBoard(PILES, FACE_DOWN, STOCK, (), x),
    "KlondikeBoard, name": lambda x: deals.KlondikeBoard(PILES, FACE_DOWN, STOCK, name=x),
    "PyramidDeck, name": lambda x: deals.PyramidDeck(CARDS, x),
    "PyramidPosition, stock": lambda x: deals.PyramidPosition(CARDS[:28], x),
    "PyramidPosition, waste": lambda x: deals.PyramidPosition(CARDS[:28], (), x),
    "PyramidPosition, recycles": lambda x: deals.PyramidPosition(CARDS[:28], CARDS[28:], (), x),
    "hsd.solve, preset": lambda x: hsd.solve(1, x),
    "hsd.solve, limits": lambda x: hsd.solve(1, "hsdh", x),
    "hsd.solve_many": lambda x: hsd.solve_many(x, limits=RULES[2]),
    "hsd.solve_many, jobs": lambda x: hsd.solve_many([1], "hsdh", x, RULES[2]),
    "hsd.run, evaluator": lambda x: hsd.run(1, x, *RULES[1:]),
    "hsd.run, search": lambda x: hsd.run(1, RULES[0], x, RULES[2]),
    "hsd.run, limits": lambda x: hsd.run(1, *RULES[:2], x),
    "hsd.run, cells": lambda x: hsd.run(1, *RULES, cells=x),
    "hsd.verify": lambda x: hsd.verify(x, []),
    "hsd.verify, moves": lambda x: hsd.verify(BOARD, x),
    "klondike.verify": lambda x: klondike.verify(x, []),
    "klondike.verify, moves": lambda x: klondike.verify(deals.klondike(1), x),
    "pyramid.solve, goal": lambda x: pyramid.solve(deals.pyramid(1), goal=x),
    "pyramid.verify": lambda x: pyramid.verify(x, []),
    "pyramid.verify, steps": lambda x: pyramid.verify(deals.pyramid(1), x),
    "gafreecell.solve, weights": lambda x: gafreecell.solve(1, x),
    "gafreecell.solve, game": lambda x: gafreecell.solve(1, "fast", x),
    "gafreecell.solve, nodes": lambda x: gafreecell.solve(1, "fast", nodes=x),
    "gafreecell.solve, parameters": lambda x: gafreecell.solve(1, parameters=x),
    "gafreecell.solve_many, jobs": lambda x: gafreecell.solve_many([1], "fast", jobs=x),
    "gafreecell.verify": lambda x: gafreecell.verify(x, []),
    "gafreecell.verify, moves": lambda x: gafreecell.verify(1, x),
    "Workers, backend": lambda x: Workers(1, x),
    "Workers, scheduler": lambda x: Workers(1, "threading", x),
    "plot_cactus": lambda x: figures.plot_cactus(x, 5),
    "plot_cactus, deals": lambda x: figures.plot_cactus({"a": [1]}, x),
    "plot_cactus, limit": lambda x: figures.plot_cactus({"a": [1]}, 5, x),
    "plot_progress, deals": lambda x: figures.plot_progress(REFERENCE, x),
    "Run.weights_of": lambda x: reference().weights_of(x),
}
OPTIONAL = [f"gafreecell.solve, {key}" for key in ("weights", "nodes", "parameters")]
MOVES = [f"{where}.verify, moves" for where in ("hsd", "klondike", "gafreecell")]
COUNTS = ["hsd.solve_many, jobs", "gafreecell.solve_many, jobs", "hsd.run, cells"]
LIMITS = ["hsd.solve, limits", "pyramid.solve, goal", "Workers, scheduler", "plot_progress, deals"]
RIGHT = {
    "array": ["hsd.solve_many", "gafreecell.solve_many"],
    "empty": [*NAMES, "deals.parse_range", MOVES[2], "deals.read_freecell_boards"],
    "mapping": [*MOVES, "pyramid.verify, steps"],
    "negative": [*COUNTS, "gafreecell.workers.chosen.Workers", "plot_cactus, limit"],
    "None": [*LIMITS, *OPTIONAL, "plot_cactus, limit"],
    "numpy float": ["gafreecell.solve, nodes"],
    "word": [*NAMES, "deals.parse_range", MOVES[2]],
}
"""Where a value is right."""


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_kind_is_refused_in_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, value in WRONG.items():
        if name not in RIGHT.get(kind, ()):
            with pytest.raises(gafreecell.BadInput) as refused:
                CALLS[name](value)
            assert "\n" not in str(refused.value)
            assert len(str(refused.value)) < 500


@pytest.mark.parametrize(
    "whole", [np.int64, np.int32, np.uint8, np.array], ids=["int64", "int32", "uint8", "array of 0"]
)
def test_whole_numbers_of_numpy_are_whole_numbers(whole: Callable[[int], Any]) -> None:
    assert deals.freecell(whole(17), whole(8), whole(3)) == deals.freecell(17, 8, 3)
    assert deals.klondike(whole(17)) == deals.klondike(17)
    assert deals.pyramid(whole(17)) == deals.pyramid(17)
    assert hsd.solve(whole(17)).moves == hsd.solve(17).moves
    assert [o.nodes for o in hsd.solve_many([whole(17)], jobs=whole(1))] == [hsd.solve(17).nodes]
    few = gafreecell.solve(whole(17), nodes=whole(200))
    assert few.nodes == gafreecell.solve(17, nodes=200).nodes
    assert hsd.FreeCell(cells=whole(3)).variant == {"cascades": 8, "cells": 3}
    assert type(hsd.FreeCell(cells=whole(3)).variant["cells"]) is int
    workers = Workers(whole(2))
    assert (workers, type(workers.jobs)) == (Workers(2), int)


def test_a_path_that_cannot_be_is_no_traceback() -> None:
    with pytest.raises(gafreecell.BadInput, match="not a path"):
        read_text("a\0b", "a job file", gafreecell.BadInput)


def test_weights_of_another_game_are_named_before_anything_else() -> None:
    order, nine = klondike.preset("complete"), hsd.preset("fast")
    calls = [
        lambda: gafreecell.solve(164, order),
        lambda: gafreecell.solve(164, nine, "klondike"),
        lambda: gafreecell.solve(164, order, hsd.FreeCell(cells=3)),
        lambda: hsd.solve(164, order),
        lambda: hsd.solve_many([164], order),
        lambda: klondike.solve(3, nine),
        lambda: pyramid.solve(3, nine, goal="score"),
        lambda: klondike.GAME.player.check("uct", {}, False, nine),
    ]
    for call in calls:
        with pytest.raises(gafreecell.BadInput, match=r"weights for \w+, not for \w+"):
            call()
