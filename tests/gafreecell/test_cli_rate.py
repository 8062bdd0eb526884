"""``gafreecell rate``: its lines, its summary, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Command, File, records, refused, without_seconds

from deals import freecell
from gafreecell.solving.rating import word
from hsd import rating

RECORD = ["game", "deal", "status", "grade", "measures", "seconds"]


def test_a_line_a_deal_whatever_the_number_of_workers(command: Command) -> None:
    words = ("rate", "1-12", "11982", "--format", "jsonl", "--jobs")
    done = command(*words, 1)
    assert (done.status, done.err) == (0, "")
    lines = records(done.out)
    assert [list(line) for line in lines] == [RECORD] * 13
    assert [line["deal"] for line in lines] == [*range(1, 13), 11982]
    assert all(line["grade"] in range(1, 11) for line in lines[:12])
    assert all(list(line["measures"]) == list(lines[0]["measures"]) for line in lines)
    assert (lines[12]["status"], lines[12]["grade"]) == ("unsolvable", None)
    assert without_seconds(done.out) == without_seconds(command(*words, 3).out)


def test_text_for_people(command: Command) -> None:
    one, two, _ = command.records("rate", "1", "3", "11982")
    done = command("rate", "1", "3", "11982")
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) < 80
    told, tally = done.out.replace("\n  ", " ").split("\n\n")
    (first, second, third), (grades, deals, summary) = told.splitlines(), tally.splitlines()
    measures = one["measures"]
    exact = f"score {measures['score']:.3g}"
    assert first.startswith(f"Deal 1: grade {one['grade']} of 10, {word(one['grade'])}, {exact}; ")
    assert f"{measures['expanded_4']:,} positions with 4" in first
    assert "gives up after 20,000 positions with 2" in first and "node" not in first
    assert second.startswith(f"Deal 3: grade {two['grade']} of 10")
    assert third == "Deal 11982: unsolvable, so no grade"
    assert grades.split() == ["grade", *map(str, range(1, 11))]
    counts = [[one["grade"], two["grade"]].count(grade) for grade in range(1, 11)]
    assert deals.split() == ["deals", *map(str, counts)]
    mean = (one["grade"] + two["grade"]) / 2
    assert summary == f"3 deals, mean grade {mean:.1f}, 1 unsolvable"
    assert command("rate", "1").out.replace("\n  ", " ") == f"{first}\n", "no summary of one"


def test_pyramid_and_boards_from_a_file(file: File, command: Command) -> None:
    by_number = command.records("rate", "2-4", "--game", "pyramid")
    decks = file(command("deal", "2-4", "--game", "pyramid").out)
    by_deck = command.records("rate", decks, "--game", "pyramid")
    assert [line["measures"] for line in by_deck] == [line["measures"] for line in by_number]
    assert [line["deal"] for line in by_deck] == [1, 2, 3]
    assert [list(line) for line in by_number] == [RECORD] * 3
    assert [list(line) for line in by_deck] == [[*RECORD, "source"]] * 3
    assert [line["source"] for line in by_deck] == [f"{decks}:{place}" for place in (1, 2, 3)]
    said = command("rate", "2", "--game", "pyramid").said
    assert f"{by_number[0]['measures']['won']} of 1,000 random games clear it" in said


def test_the_end_of_a_list_of_grades_is_told(tmp_path: Path, command: Command) -> None:
    done = command("rate", 1, 2, "--game", "pyramid", "-o", tmp_path / "rated.jsonl")
    assert done.status == 0 and "2 deals, mean grade" in done.err


def test_an_undecided_deal_is_told_by_the_status(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating, "NODES", 50)
    monkeypatch.setattr(rating, "PATIENT", ())
    done = command("rate", "617")
    assert (done.status, done.out) == (1, "Deal 617: not decided, so no grade\n")


def test_what_has_no_grade_is_refused_before_any_work(file: File, command: Command) -> None:
    stock = "Stock: 24 ??\n8D\n?? JD\n?? ?? AS\n?? ?? ?? 4H\n?? ?? ?? ?? AD\n"
    unseen = file(stock + f"{'?? ' * 5}7C\n{'?? ' * 6}KS\n")
    refused(command("rate", unseen, "--game", "klondike"), "a card is unknown", "gafreecell hint")
    without_ace = str(freecell(1)).replace(" AC", "").replace("AC ", "")
    late = file(f"{freecell(1)}\n\nFoundations: C-A\n{without_ace}")
    refused(command("rate", late), f"{late}:2: only a whole deal", "only a whole deal")
