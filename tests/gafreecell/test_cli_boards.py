"""Boards of FreeCell in files and on standard input, as their users write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Command, records, refused, without_seconds, written

from deals import freecell


def six_deals(line: str) -> str:
    """Deals 1 to 6 with a line above each."""
    return "\n\n".join(f"{line}\n{freecell(number)}" for number in range(1, 7))


@pytest.mark.parametrize("line", ["Freecells:", "Freecells:" + 16 * " ", "Freecells: -- -- -- --"])
def test_empty_cells_make_no_deal_unsolvable(tmp_path: Path, command: Command, line: str) -> None:
    words = ("--format", "jsonl")
    done = command("solve", written(tmp_path / "boards", six_deals(line)), *words)
    assert done.status == 0
    assert [record["status"] for record in records(done.out)] == 6 * ["solved"]
    assert without_seconds(done.out) == without_seconds(command("solve", "1-6", *words).out)


def test_cells_can_be_fewer_than_four_but_not_than_a_line_names(
    tmp_path: Path, command: Command
) -> None:
    words = ("--cells", 0, "--format", "jsonl")
    done = command("solve", written(tmp_path / "boards", six_deals("Freecells:")), *words)
    assert without_seconds(done.out) == without_seconds(command("solve", "1-6", *words).out)
    named = written(tmp_path / "named", six_deals("Freecells: -- -- --"))
    refused(command("solve", named, *words), "board 1, line 1", "3 places", "ask for 3 cells")


def test_a_deal_without_cells_is_printed_as_one(tmp_path: Path, command: Command) -> None:
    text = command("deal", 1, "--cells", 0).out
    done = command("solve", written(tmp_path / "board", text))
    assert (done.status, done.out.split(" after")[0]) == (0, "Deal 1: unsolvable")
