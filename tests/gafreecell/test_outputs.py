"""Files that commands write: ``-o``, and ``--resume`` of what was cut or is to grow."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest
from conftest import Command, records, refused, start, wait_for, without_seconds, written


def test_resume_goes_on_where_the_file_was_cut(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "out.jsonl"
    words = ["solve", "1-20", "11982", "--nodes", 2000, "--format", "jsonl", "-o", out]
    assert command(*words).status == 1
    whole = out.read_text()
    lines = whole.splitlines(keepends=True)
    middle = len("".join(lines[:9])) + 30
    for size in (0, 10, len(lines[0]) - 1, len(lines[0]), middle, len(whole) - 1, len(whole)):
        out.write_text(whole[:size])
        done = command(*words, "--resume")
        assert (done.status, done.out) == (1, ""), "earlier deals count for the exit status"
        assert without_seconds(out.read_text()) == without_seconds(whole)
        kept = whole[:size].rpartition("\n")[0]
        assert out.read_text().startswith(kept), "what was whole is left as it was"


def test_resume_refuses_what_another_command_began(tmp_path: Path, command: Command) -> None:
    out, marker = tmp_path / "out.jsonl", tmp_path / "out.jsonl.command"
    words = ["solve", "1-20", "--format", "jsonl", "-o", out]
    process = start(*words[:1], "1-200000", *words[2:])
    wait_for(lambda: out.exists() and out.stat().st_size > 1000)
    process.kill()
    process.communicate()
    begun = out.read_bytes()
    assert marker.exists()
    for others in (["1-200000", "--nodes", 5], ["1-200000", "--preset", "hsdh"]):
        refused(command("solve", *others, *words[2:], "--resume"), str(out), "other")
        assert out.read_bytes() == begun
    written(out, begun[:1000])
    for damaged in (b"", b"{}", marker.read_bytes()[:-9]):
        kept = marker.read_bytes()
        written(marker, damaged)
        refused(command(*words, "--resume"), "cannot be resumed", str(marker))
        written(marker, kept)
    assert command(*words, "--resume").status == 0
    assert len(records(out.read_text())) == 20


def test_boards_that_changed_meanwhile_are_refused(tmp_path: Path, command: Command) -> None:
    boards, out = tmp_path / "boards.txt", tmp_path / "out.jsonl"
    words = ("solve", boards, "-o", out)
    texts = [command("deal", number).out for number in (1, 2, 3)]
    written(boards, "\n".join(texts[:2]))
    assert command(*words).status == 0
    kept = out.read_text()
    written(boards, "\n".join([texts[2], *texts[1:]]))
    refused(command(*words, "--resume"), "was begun with other boards")
    assert out.read_text() == kept
    written(boards, "\n".join(texts))
    assert command(*words, "--resume").status == 0
    assert out.read_text().startswith(kept) and len(records(out.read_text())) == 3


def test_a_finished_file_grows_with_its_own_command_only(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "out.jsonl"
    form, nodes = ["--format", "jsonl", "-o", out], ["--nodes", 2000]
    words = [*nodes, *form]
    command("solve", "2-3", *words)
    kept = out.read_text()
    others = (["--preset", "hsdh"], ["--cells", 3], ["--set", "shorten=no"])
    for other in (*([*nodes, *other] for other in others), ["--nodes", 5]):
        done = command("solve", "2-4", *form, *other, "--resume")
        refused(done, str(out), "with other boards, rules, weights or limits")
        assert out.read_text() == kept
    assert command("solve", "2-4", *words, "--resume").status == 0
    assert out.read_text().startswith(kept)
    assert len(records(out.read_text())) == 3


def test_resume_without_a_file_begins_one(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "out.jsonl"
    done = command("solve", "1-2", "--format", "jsonl", "-o", out, "--resume")
    assert done.status == 0
    assert len(records(out.read_text())) == 2


@pytest.mark.parametrize("name", ["solve", "rate"])
def test_the_suffix_of_the_file_is_its_format(tmp_path: Path, command: Command, name: str) -> None:
    out, text = tmp_path / "out.jsonl", tmp_path / "out.txt"
    assert command(name, "1-2", "-o", out).status == 0
    assert command(name, "1-3", "-o", out, "--resume").status == 0
    assert [record["deal"] for record in records(out.read_text())] == [1, 2, 3]
    assert command(name, 1, "-o", text).status == 0
    assert text.read_text().startswith("Deal 1: ")
    other = tmp_path / "text.jsonl"
    assert command(name, 1, "-o", other, "--format", "text").status == 0
    assert other.read_text().startswith("Deal 1: "), "what is asked for comes first"
    refused(command(name, 1, "-o", text, "--resume"), "--format jsonl", "-o FILE.jsonl")


RUN = Path(__file__).parents[2] / "runs" / "freecell-nine"


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("text", ["solve", 1]),
        ("lines.jsonl", ["solve", 1]),
        ("rated.jsonl", ["rate", 1]),
        ("games.jsonl", ["play", 1, "--policy", "greedy"]),
        ("rows.csv", ["evaluate", "fast", "--deals", 1]),
        ("weights.json", ["export", RUN]),
        ("figure.svg", ["plot", RUN, "--kind", "fitness"]),
    ],
)
def test_missing_folders_of_a_file_are_made(
    tmp_path: Path, command: Command, file: str, words: list[object]
) -> None:
    path = tmp_path / "new" / "folder" / file
    assert command(*words, "-o", path).status == 0
    assert path.stat().st_size
    below = written(tmp_path / "file", "")
    refused(command(*words, "-o", below / file), f"{below / file}: Not a directory")


@pytest.mark.parametrize(
    ("words", "way"),
    [
        (["solve", 1], "remove it"),
        (["solve", 1, "--format", "jsonl"], "--resume"),
        (["play", 1, "--policy", "greedy"], "--resume"),
        (["rate", 1], "another file"),
        (["rate", 1, "--format", "jsonl"], "--resume"),
    ],
)
def test_an_output_file_that_holds_something_is_left_alone(
    words: list[str], way: str, tmp_path: Path, command: Command
) -> None:
    out = written(tmp_path / "out.txt", "old\n" * 1000)
    refused(command(*words, "-o", out), str(out), "exists", way)
    assert out.read_text() == "old\n" * 1000
    assert list(tmp_path.iterdir()) == [out]
    out.write_text("")
    assert command(*words, "-o", out).status == 0
    assert out.read_text()


FOREIGN = {
    "other-deals": '{"game": "freecell", "deal": 7, "status": "solved"}\n',
    "other-game": '{"game": "klondike", "deal": 1, "status": "solved"}\n',
    "more-deals": "".join(
        f'{{"game": "freecell", "deal": {n}, "status": "solved"}}\n' for n in (1, 2, 3, 4)
    ),
    "no-status": '{"game": "freecell", "deal": 1}\n',
    "unknown-status": '{"game": "freecell", "deal": 1, "status": "lost"}\n',
    "list": "[]\n",
    "text": "dear diary\n",
    "text-without-newline": "dear diary",
    "text-after-a-line": '{"game": "freecell", "deal": 1, "status": "solved"}\ndear diary',
    "binary": b"\xff\xfe\n",
    "empty-line": "\n",
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_resume_refuses_a_file_that_is_not_its_own(
    tmp_path: Path, command: Command, content: str | bytes
) -> None:
    out = tmp_path / "out.jsonl"
    assert command("solve", "1-3", "-o", out).status == 0
    before = written(out, content).read_bytes()
    done = command("solve", "1-3", "-o", out, "--resume")
    assert out.read_bytes() == before, "nothing on disk is lost"
    refused(done, str(out), "line ")


@pytest.mark.parametrize(
    ("name", "options"), [("solve", []), ("rate", []), ("play", ["--policy", "greedy"])]
)
def test_lines_that_are_written_but_not_counted_yet_are_told(
    name: str,
    options: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: Command,
) -> None:
    """Ctrl-C may come between the two."""
    from gafreecell.terminal.progress import Counter

    usual, file = Counter.printing_to, tmp_path / "deals.jsonl"

    @contextmanager
    def interrupted(self: Counter, out: TextIO) -> Iterator[None]:
        with usual(self, out):
            yield
        if file.read_text().count("\n") == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Counter, "printing_to", interrupted)
    done = command(name, "1-9", *options, "-o", file, "--jobs", 1)
    units = "games" if name == "play" else "deals"
    assert done.status == 130 and f"3 of 9 {units} are saved" in done.err
    monkeypatch.setattr(Counter, "printing_to", usual)
    assert command(name, "1-9", *options, "-o", file, "--resume").status == 0
    assert [record["deal"] for record in records(file.read_text())] == [*range(1, 10)]
    # Of one deal nothing can be gone on with.
    monkeypatch.setattr(Counter, "__call__", lambda *counts: signal.raise_signal(signal.SIGINT))
    done = command(name, "1", *options)
    assert done.status == 130 and f"begin again: gafreecell {name} 1" in done.err


def test_what_cannot_be_resumed_says_where_it_stopped(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gafreecell.terminal.progress import Counter

    told: list[object] = []

    def interrupted(self: Counter, out: TextIO) -> Iterator[None]:
        if len(told) == 2:
            raise KeyboardInterrupt
        told.append(out)
        yield

    monkeypatch.setattr(Counter, "printing_to", contextmanager(interrupted))
    out = tmp_path / "numbers.txt"
    words = "--nodes", 2000, "--format", "numbers", "--only", "solved", "-o", out
    done = command("solve", "1-9", *words)
    assert done.status == 130
    said = f"interrupted after 2 of 9 deals; what was found is in {out}; Deal 3 would come next"
    assert said in done.err and "use -o FILE.jsonl" in done.err
