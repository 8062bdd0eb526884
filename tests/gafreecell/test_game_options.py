"""What games can do besides, and the options they take: asked for by type, said in words."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from conftest import ROOT, Command, refused, without_seconds

import gafreecell
from gafreecell.installed import plugins
from gafreecell.solitaire.game import Game, game


def test_what_a_game_cannot_do_is_said_with_those_that_can(command: Command) -> None:
    for words, said in (
        (
            ["play", 1, "--game", "freecell", "--policy", "best"],
            "FreeCell cannot be played with hidden cards",
        ),
        (
            ["solve", 1, "--goal", "score"],
            "another goal: leave out --goal; pyramid can",
        ),
        (["deal", 1, "--reachable"], "FreeCell cannot mark the reachable cards of a talon"),
        (
            ["solve", 1, "--game", "klondike", "--rows"],
            "leave out --rows; freecell can",
        ),
    ):
        refused(command(*words), said)


@pytest.mark.usefixtures("toy")
def test_a_game_of_someone_elses_need_not_be_drawn(command: Command) -> None:
    done = command("solve", 1, "--draw", "--game", "toy")
    refused(done, "Toy cannot draw solutions; freecell, klondike, pyramid can")


@pytest.mark.usefixtures("toy")
def test_options_of_a_game_of_someone_elses_are_variants_too(command: Command) -> None:
    assert "180 nodes" in command("solve", 5, "--game", "toy", "--variant", "slow=3").out


def test_any_option_of_a_game_is_a_variant(command: Command) -> None:
    def solved(*words: object) -> list[dict[str, Any]]:
        return without_seconds(command("solve", "1-3", *words, "--format", "jsonl").out)

    assert solved("--variant", "cells=3") == solved("--cells", 3) != solved("--cells", 2)
    last_word = solved("--variant", "cells=3", "--cells", 2)
    assert last_word == solved("--cells", 2), "the short form has it"
    refused(command("solve", 1, "--variant", "cells=9"), "cells must be 0 to 7, got 9")
    refused(command("solve", 1, "--variant", "colour=red"), "no option 'colour'; it has cascades")
    refused(command("solve", 1, "--variant", "cells"), "--variant takes KEY=VALUE")


def test_any_parameter_of_a_policy_can_be_set(command: Command) -> None:
    def played(*words: object) -> list[dict[str, Any]]:
        return without_seconds(command("play", "1-2", "--format", "jsonl", *words).out)

    assert played("--set", "samples=20") == played("--samples", 20) != played("--samples", 5)
    refused(command("play", 1, "--policy", "best", "--set", "width=3"), "no parameter 'width'")


def test_weights_are_played_in_the_variant_they_were_made_for() -> None:
    import hsd

    weights = hsd.preset("fast")
    two = gafreecell.Weights("freecell", {"cascades": 8, "cells": 2}, weights.evaluator,
                             weights.search, weights.limits)  # fmt: skip
    own = gafreecell.solve(1, two)
    assert own.nodes == gafreecell.solve(1, "fast", hsd.FreeCell(cells=2)).nodes
    assert own.nodes != gafreecell.solve(1, two, hsd.FreeCell(cells=4)).nodes


def test_the_built_in_games_can_do_what_mypy_was_told() -> None:
    """``protocols.py`` states it by type, and the configuration has mypy read that module."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert "tests/gafreecell/protocols.py" in settings["files"]
    for name in ("freecell", "klondike", "pyramid"):
        assert not plugins.missing(game(name), Game)
