"""The fewest free cells: each answer solved and proved again by another search."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import Command, refused

import gafreecell
from deals.errors import BadInput
from gafreecell.service.least_cells import LeastCells
from gafreecell.solving.outcome import Nodes, Outcome, Status

NODES = Nodes(1, 1)
WON = Outcome(Status.SOLVED, ("1h",), {"single": 1}, NODES)
LOST = Outcome(Status.UNSOLVABLE, None, None, NODES)
OPEN = Outcome(Status.MEMORY_LIMIT, None, None, NODES)


def test_another_search_agrees(command: Command) -> None:
    """The numbers for 11982 and the kinds of deals are those of T. Pringle's list."""
    lines = command.records("least-cells", "1-4", "11982", "--nodes", 20_000_000)
    assert {line["status"] for line in lines} == {"solved"}
    assert [line["cells"] for line in lines][-1] == 5
    for line in lines:
        words = ("solve", line["deal"], "--preset", "best-first", "--nodes", 20_000_000, "--cells")
        (most,) = command.records(*words, line["cells"])
        assert most["status"] == "solved"
        assert gafreecell.verify(line["deal"], line["moves"], variant={"cells": line["cells"]})
        if line["cells"]:
            (fewer,) = command.records(*words, line["cells"] - 1)
            assert fewer["status"] == "unsolvable"
    text = command("least-cells", "2", "3").out
    assert text.startswith("Deal 2: can be won with 1 free cell, and not with fewer\n")
    assert "2 deals by the fewest free cells: 1 with 1, 1 with 2" in text


def test_what_is_not_decided_is_said(command: Command) -> None:
    done = command("least-cells", 1, "--nodes", 100)
    assert done.status == 1
    assert "with 4 free cells; whether with fewer is not decided\n  (node-limit)" in done.out
    assert command("least-cells", 1, "--memory", "100K").status == 1


@pytest.mark.parametrize(
    ("cells", "outcomes", "status"),
    [
        (2, {2: WON, 1: LOST}, Status.SOLVED),
        (0, {2: WON, 1: WON, 0: WON}, Status.SOLVED),
        (2, {2: WON, 1: OPEN}, Status.MEMORY_LIMIT),
        (4, {2: LOST, 3: OPEN, 4: WON}, Status.MEMORY_LIMIT),
        (4, {2: OPEN, 3: LOST, 4: WON}, Status.SOLVED),
        (None, {2: OPEN, 3: LOST}, Status.UNSOLVABLE),
        (None, {2: LOST, 3: LOST}, Status.UNSOLVABLE),
        (None, {2: LOST, 3: OPEN}, Status.MEMORY_LIMIT),
    ],
)
def test_a_proof_for_one_fewer_settles_all_that_are_fewer(
    cells: int | None, outcomes: dict[int, Outcome], status: Status
) -> None:
    found = LeastCells(cells, outcomes)
    assert (found.status, found.proved) == (status, status.decided)
    assert found.nodes.generated == len(outcomes)


def test_in_python() -> None:
    found = gafreecell.least_cells(3)
    assert (found.cells, found.proved) == (2, True)
    assert found.outcomes[2].moves and replace(LOST).status == found.outcomes[1].status
    with pytest.raises(BadInput, match="free cells of Pyramid cannot be changed"):
        gafreecell.least_cells(3, game="pyramid")


def test_what_cannot_be_answered_is_refused(command: Command) -> None:
    refused(
        command("least-cells", 1, "--game", "klondike"),
        "the number of free cells of Klondike cannot be changed",
    )
    refused(command("least-cells", 1, "--memory", "2Q"), "expected a size such as 500M or 2G")
    deal = command("deal", 1)
    refused(
        command("least-cells", "-", stdin=deal.out), "expected the number of a deal, got a board"
    )
