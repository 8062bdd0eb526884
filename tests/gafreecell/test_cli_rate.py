"""``gafreecell rate``: its lines, its summary, going on with a file, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Command, records, refused, without_seconds, written

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
    one, two, lost = records(command("rate", "1", "3", "11982", "--format", "jsonl").out)
    done = command("rate", "1", "3", "11982")
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) < 80
    told, tally = done.out.replace("\n  ", " ").split("\n\n")
    (first, second, third), (grades, deals, summary) = told.splitlines(), tally.splitlines()
    measures = one["measures"]
    exact = f"score {measures['score']:.3g}"
    assert first.startswith(f"Deal 1: grade {one['grade']} of 10, {word(one['grade'])}, {exact}; ")
    assert f"{measures['expanded_4']:,} positions with 4" in first
    assert second.startswith(f"Deal 3: grade {two['grade']} of 10")
    assert third == "Deal 11982: unsolvable, so no grade"
    assert lost["grade"] is None
    assert grades.split() == ["grade", *map(str, range(1, 11))]
    counts = [[one["grade"], two["grade"]].count(grade) for grade in range(1, 11)]
    assert deals.split() == ["deals", *map(str, counts)]
    mean = (one["grade"] + two["grade"]) / 2
    assert summary == f"3 deals, mean grade {mean:.1f}, 1 unsolvable"


def test_one_deal_has_no_summary(command: Command) -> None:
    assert len(command("rate", "1").out.replace("\n  ", " ").splitlines()) == 1


def test_pyramid_and_boards_from_a_file(tmp_path: Path, command: Command) -> None:
    by_number = records(command("rate", "2-4", "--game", "pyramid", "--format", "jsonl").out)
    decks = written(tmp_path / "decks.txt", command("deal", "2-4", "--game", "pyramid").out)
    by_deck = records(command("rate", decks, "--game", "pyramid", "--format", "jsonl").out)
    assert [line["measures"] for line in by_deck] == [line["measures"] for line in by_number]
    assert [line["deal"] for line in by_deck] == [1, 2, 3]
    assert [list(line) for line in by_number] == [RECORD] * 3
    assert [list(line) for line in by_deck] == [[*RECORD, "source"]] * 3
    assert [line["source"] for line in by_deck] == [f"{decks}:{place}" for place in (1, 2, 3)]
    text = command("rate", "2", "--game", "pyramid").out.replace("\n  ", " ")
    assert f"{by_number[0]['measures']['won']} of 1,000 random games clear it" in text


def test_resume_goes_on_where_the_file_was_cut(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "rated.jsonl"
    words = ("rate", "1-6", "--format", "jsonl", "-o", file)
    assert command(*words).status == 0
    whole = file.read_text()
    lines = whole.splitlines(keepends=True)
    file.write_text("".join(lines[:3]) + lines[3][:40])
    assert command(*words, "--resume").status == 0
    assert without_seconds(file.read_text()) == without_seconds(whole)
    file.write_text("".join(lines[:2]).replace('"deal": 1', '"deal": 9'))
    refused(command(*words, "--resume"), "line 1", "deal 9")
    file.write_text(lines[0].replace('"grade": ', '"grade": 1'))
    refused(command(*words, "--resume"), str(file))
    refused(command("rate", 1, "--resume"), "-o FILE")


def test_an_undecided_deal_is_told_by_the_status(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating, "NODES", 50)
    monkeypatch.setattr(rating, "PATIENT", ())
    done = command("rate", "617")
    assert (done.status, done.out) == (1, "Deal 617: not decided, so no grade\n")


def test_what_has_no_grade_is_refused_before_any_work(tmp_path: Path, command: Command) -> None:
    stock = "Stock: 24 ??\n8D\n?? JD\n?? ?? AS\n?? ?? ?? 4H\n?? ?? ?? ?? AD\n"
    unseen = written(tmp_path / "unseen.txt", stock + f"{'?? ' * 5}7C\n{'?? ' * 6}KS\n")
    refused(command("rate", unseen, "--game", "klondike"), "a card is unknown", "gafreecell hint")
    refused(command("rate", "1-1000000", "--cells", 3), "Deal 1:", "8 cascades and 4 cells")
    late = written(tmp_path / "late.txt", f"{freecell(1)}\n\nFoundations: C-A\n{_without_ace()}")
    refused(command("rate", late), "late.txt:2: only a whole deal", "only a whole deal")
    refused(command("rate", "no-such-file"), "no-such-file")


def _without_ace() -> str:
    """Deal 1 without its ace of clubs."""
    return str(freecell(1)).replace(" AC", "").replace("AC ", "")


def test_a_sentence_counts_positions_only(command: Command) -> None:
    said = command("rate", "1").out.replace("\n  ", " ")
    assert "gives up after 20,000 positions with 2" in said and "node" not in said


def test_the_help_says_where_the_score_is(command: Command) -> None:
    said = " ".join(command("help", "rate").out.split())
    assert "each line has the score in its measures" in said
    assert "documentation's page Results" in said and "docs/" not in said
