"""Files that commands write: ``-o``, and ``--resume`` of what was cut or is to grow."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TextIO

import pytest
from conftest import (
    ROOT,
    Command,
    File,
    records,
    refused,
    without_seconds,
    written,
)

from gafreecell.service import spreading
from gafreecell.service.inputs import GivenDeal
from gafreecell.service.solvers import spread
from gafreecell.service.spreading import PIECE
from gafreecell.solitaire.game import game
from gafreecell.terminal.progress import Counter
from gafreecell.workers.chosen import Workers


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("seconds", "longest"), [(1.0, 1), (0.0, PIECE)])
def test_pieces_are_single_until_their_pace_is_known(
    jobs: int, seconds: float, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow deals that are queued behind each other would hold up the answers of all others."""
    sizes, clock = [], count(step=seconds)
    monkeypatch.setattr(spreading.time, "thread_time", lambda: next(clock))
    deals = [GivenDeal(number, number) for number in range(3000)]

    def work(first: int, piece: list[GivenDeal]) -> list[int]:
        sizes.append(len(piece))
        return list(range(first, first + len(piece)))

    found = [
        (deal.board, place) for deal, place in spread(deals, work, game("freecell"), Workers(jobs))
    ]
    assert found == [(number, number) for number in range(3000)]
    assert max(sizes) == longest


def test_results_that_wait_for_a_slow_one_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreading, "MOST_WAITING", 50)
    handed, slow = list[int](), threading.Event()

    def given() -> Iterator[GivenDeal]:
        for number in range(100_000):
            handed.append(number)
            yield GivenDeal(number, number)

    def work(first: int, piece: list[GivenDeal]) -> list[int]:
        if first == 3:
            slow.wait(30)
        return [first + k for k in range(len(piece))]

    threading.Timer(0.5, lambda: (most.append(len(handed)), slow.set())).start()
    most = list[int]()
    found = [place for _, place in spread(given(), work, game("freecell"), Workers(2))]
    assert found == list(range(100_000))
    # Pieces of at most 1024 were at work or on their way.
    assert most[0] < 10_000


# Resuming


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "1-20", "11982", "--nodes", 2000),
        ("rate", "1-6"),
        ("play", "1-12", "--policy", "random"),
    ],
)
def test_resume_goes_on_where_the_file_was_cut(
    tmp_path: Path, command: Command, words: Sequence[object]
) -> None:
    out = tmp_path / "out.jsonl"
    words = (*words, "-o", out, "--no-progress")
    begun = command(*words)
    whole = out.read_text()
    lines = whole.splitlines(keepends=True)
    middle = len("".join(lines[:4])) + 30
    for size in (0, 10, len(lines[0]) - 1, len(lines[0]), middle, len(whole) - 1, len(whole)):
        out.write_text(whole[:size])
        done = command(*words, "--resume")
        # Earlier deals count for the exit status and in the summary, seconds apart.
        assert (done.status, done.out) == (begun.status, "")
        assert done.err.partition("decisions")[0] == begun.err.partition("decisions")[0]
        assert without_seconds(out.read_text()) == without_seconds(whole)
        kept = whole[:size].rpartition("\n")[0]
        assert out.read_text().startswith(kept), "what was whole is left as it was"


@pytest.mark.parametrize("damaged", [b"", b"{}", b'{"command": {}'])
def test_resume_needs_to_know_which_command_began_the_file(
    tmp_path: Path, command: Command, damaged: bytes
) -> None:
    out, marker = tmp_path / "out.jsonl", tmp_path / "out.jsonl.command"
    command("solve", "1-2", "-o", out)
    kept = marker.read_bytes()
    written(marker, damaged)
    refused(command("solve", "1-3", "-o", out, "--resume"), "cannot be resumed", str(marker))
    written(marker, kept)
    assert command("solve", "1-3", "-o", out, "--resume").status == 0
    assert len(records(out.read_text())) == 3


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


UCT = ("--policy", "uct", "--trajectories")


@pytest.mark.parametrize(
    ("name", "own", "others", "said"),
    [
        (
            "solve",
            ("--nodes", 2000),
            [
                ("--nodes", 2000, "--preset", "hsdh"),
                ("--nodes", 2000, "--cells", 3),
                ("--nodes", 2000, "--set", "shorten=no"),
                ("--nodes", 5),
            ],
            "with other boards, rules, weights or limits",
        ),
        (
            "play",
            (*UCT, 20),
            [("--policy", "random"), (*UCT, 30), (*UCT, 20, "--seed", 1)],
            "with other boards, rules, policy, seed or parameters",
        ),
    ],
)
def test_a_finished_file_grows_with_its_own_command_only(
    name: str, own: tuple[object, ...], others: Sequence[Sequence[object]], said: str,
    tmp_path: Path, command: Command,
) -> None:  # fmt: skip
    out = tmp_path / "out.jsonl"
    command(name, "2-3", *own, "-o", out)
    kept = out.read_text()
    for other in others:
        refused(command(name, "2-4", *other, "-o", out, "--resume"), str(out), said)
        assert out.read_text() == kept
    assert command(name, "2-4", *own, "-o", out, "--resume").status == 0
    assert out.read_text().startswith(kept)
    assert len(records(out.read_text())) == 3


@pytest.mark.parametrize("name", ["solve", "rate"])
def test_the_suffix_of_the_file_is_its_format(tmp_path: Path, command: Command, name: str) -> None:
    out, text = tmp_path / "out.jsonl", tmp_path / "out.txt"
    assert command(name, "1-2", "-o", out, "--resume").status == 0, "it begins a file"
    assert command(name, "1-3", "-o", out, "--resume").status == 0
    assert [record["deal"] for record in records(out.read_text())] == [1, 2, 3]
    assert command(name, 1, "-o", text).status == 0
    assert text.read_text().startswith("Deal 1: ")
    other = tmp_path / "text.jsonl"
    assert command(name, 1, "-o", other, "--format", "text").status == 0
    assert other.read_text().startswith("Deal 1: "), "what is asked for comes first"
    refused(command(name, 1, "-o", text, "--resume"), "--format jsonl", "-o FILE.jsonl")


RUN = ROOT / "runs" / "freecell-nine"


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
    below = written(tmp_path / "file", "") / file
    refused(command(*words, "-o", below), f"{below}: Not a directory")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"new", "file"}, "nothing is left of what was refused"


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


SOLVED = '{"game": "freecell", "deal": 1, "status": "solved"}\n'
FOREIGN: dict[str, str | bytes] = {
    "other-deals": SOLVED.replace("1", "7"),
    "other-game": SOLVED.replace("freecell", "klondike"),
    "more-deals": "".join(SOLVED.replace("1", str(number)) for number in (1, 2, 3, 4)),
    "no-status": '{"game": "freecell", "deal": 1}\n',
    "unknown-status": SOLVED.replace("solved", "lost"),
    "list": "[]\n",
    "text": "dear diary\n",
    "text-without-newline": "dear diary",
    "text-after-a-line": SOLVED + "dear diary",
    "binary": b"\xff\xfe\n",
    "empty-line": "\n",
    "rate": SOLVED.replace("}", ', "grade": 17}'),
    "play": '{"game": "klondike", "deal": 1, "won": 1, "decisions": 3, "seconds": 1}\n',
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_resume_refuses_a_file_that_is_not_its_own(file: File, command: Command, kind: str) -> None:
    name = kind if kind in ("rate", "play") else "solve"
    out = file("", "out.jsonl")
    words = (name, "1-3", "-o", out, *["--policy", "random"] * (name == "play"))
    assert command(*words).status == 0
    before = written(out, FOREIGN[kind]).read_bytes()
    done = command(*words, "--resume")
    assert out.read_bytes() == before, "nothing on disk is lost"
    refused(done, str(out), "line ")


# Ctrl-C


@pytest.mark.parametrize(
    ("name", "options"), [("solve", []), ("rate", []), ("play", ["--policy", "greedy"])]
)
def test_lines_that_are_written_but_not_counted_yet_are_told(
    name: str, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """Ctrl-C may come between the two."""
    usual, path = Counter.printing_to, tmp_path / "deals.jsonl"

    @contextmanager
    def interrupted(self: Counter, out: TextIO) -> Iterator[None]:
        with usual(self, out):
            yield
        if path.read_text().count("\n") == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Counter, "printing_to", interrupted)
    done = command(name, "1-9", *options, "-o", path, "--jobs", 1)
    units = "games" if name == "play" else "deals"
    assert done.status == 130 and f"3 of 9 {units} are saved" in done.err
    monkeypatch.setattr(Counter, "printing_to", usual)
    assert command(name, "1-9", *options, "-o", path, "--resume").status == 0
    assert [record["deal"] for record in records(path.read_text())] == [*range(1, 10)]
    # Of one deal nothing can be gone on with.
    monkeypatch.setattr(Counter, "__call__", lambda *counts: signal.raise_signal(signal.SIGINT))
    done = command(name, "1", *options)
    assert done.status == 130 and f"begin again: gafreecell {name} 1" in done.err


def test_what_cannot_be_resumed_says_where_it_stopped(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
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
