"""What commands say of one of a kind, of games without options, and of weights of another game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Command, job_table, refused

import hsd
from gafreecell import BaseGame, Feature, evolve
from gafreecell.solitaire.game import full_title, game, limits_text, variant_text
from gafreecell.solving.outcome import Limits
from gafreecell.workers.evaluation import Workers

ONE_MANY = re.compile(
    r"(?<![\d,.])1 (deals|nodes|moves|steps|generations|evaluations|games|cells)\b"
)


def test_a_game_without_options_is_not_with_any(command: Command) -> None:
    class Bare(BaseGame):
        name = "bare"
        features = (Feature("luck", "none"),)

    assert full_title(Bare()) == "Bare"
    for run in ("klondike-order", "klondike-values"):
        shown = command("show", ROOT / "runs" / run).out
        assert f"{run}: Klondike" in shown
        assert not re.search(r"with [;,\n]", shown)
    done = command("evaluate", "complete", "--deals", "1", "--nodes", 300)
    assert not re.search(r"with *\n", done.out)


def test_one_of_a_kind_is_one() -> None:
    assert variant_text({"cascades": 8, "cells": 1}) == "8 cascades, 1 cell"
    assert variant_text({"cells": 0, "draw": 3, "stock": "hidden"}) == (
        "0 cells, draw 3, stock hidden"
    )
    assert full_title(hsd.FreeCell(cells=1)) == "FreeCell with 8 cascades, 1 cell"
    assert limits_text(Limits(nodes=1)) == "1 node"


def test_commands_count_one_as_one(toy: Any, tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "run"
    evolve(job_table(generations=1), folder, Workers(1))
    said = [
        command("show", folder).out,
        command("resume", folder).out,
        command("solve", "11982", "--nodes", 1).out,
        command("evaluate", "known", "--game", "toy", "--deals", "1", "--nodes", 1).out,
    ]
    assert "1 of 1 generation done" in said[0]
    assert "its one generation is done" in said[1]
    assert "1 node" in said[2]
    assert not any(ONE_MANY.search(text) for text in said)


@pytest.mark.parametrize("made", ["a file", "a run"])
def test_weights_of_another_game_are_named_as_such(
    command: Command, tmp_path: Path, made: str
) -> None:
    """Whatever else would be wrong with them in the game that is to take them."""
    run = ROOT / "runs" / "klondike-order"
    order = run if made == "a run" else run / "weights" / "best.json"
    fast = ROOT / "runs" / "freecell-fast"
    fast = fast if made == "a run" else fast / "weights" / "best.json"
    figure = tmp_path / "x.png"
    for words in (
        ["solve", "164", "--weights", order],
        ["solve", "164", "--weights", order, "--search", "beam", "--cells", 2],
        ["evaluate", order, "--game", "freecell", "--deals", "1"],
        ["plot", order, "hsdh", "--kind", "cactus", "-o", figure, "--deals", "1"],
    ):
        refused(command(*words), str(order), "klondike", "freecell")
    for words in (
        ["play", "1", "--policy", "best", "--weights", fast],
        ["play", "1", "--policy", "random", "--weights", fast],
        ["solve", "1", "--game", "klondike", "--weights", fast],
    ):
        refused(command(*words), str(fast), "freecell", "klondike")
    assert not figure.exists()
    assert game("klondike").name == "klondike"
