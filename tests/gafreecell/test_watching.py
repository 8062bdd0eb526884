"""Progress as it is seen: in a terminal, in a notebook, and where there is neither."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from conftest import ROOT, TOY_PATHS, job_table
from run_folders import ONE, same, write_job

import gafreecell
from gafreecell.evolution.earlier_phases import EARLIER
from gafreecell.runs.run import evolve, resume
from gafreecell.runs.watching import EvolutionWatch
from gafreecell.solving.loading import Part, compiling, loading
from gafreecell.terminal import progress
from gafreecell.terminal.progress import (
    Bar,
    Display,
    NotebookBars,
    PlainLines,
    TerminalBars,
    bars_html,
)

pytestmark = pytest.mark.usefixtures("toy")


class Clock:
    """A clock that moves when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def plain(clock: Clock, eager: bool = False) -> tuple[PlainLines, list[str]]:
    written: list[str] = []
    return PlainLines(eager, 30, clock, written.append), written


# Plain lines


def test_a_line_comes_every_half_minute_or_every_step_whichever_is_rarer(clock: Clock) -> None:
    display, written = plain(clock)
    for second in range(100):
        clock.now = 100.0 + second
        display.show([Bar("deals", second, 1000, f"at {second}")])
    assert written == [f"deals {s} of 1,000: at {s}" for s in (30, 60, 90)]
    del written[:]
    for second in range(100, 400):
        clock.now = 100.0 + second
        display.show([Bar("deals", 100 * (second // 100), 1000)])
    assert written == ["deals 100 of 1,000", "deals 200 of 1,000", "deals 300 of 1,000"]
    display.close()
    assert len(written) == 3


def test_an_eager_one_also_says_the_first_step_and_the_last(clock: Clock) -> None:
    display, written = plain(clock, eager=True)
    for done in range(4, 9):
        display.show([Bar("generation", done, 8)])
    display.close()
    assert written == ["generation 5 of 8", "generation 8 of 8"]


def test_what_did_not_move_says_nothing(clock: Clock) -> None:
    for eager in (False, True):
        display, written = plain(clock, eager)
        display.close()
        display.show([Bar("deals", 5, 5)])
        clock.now += 1000
        display.show([Bar("deals", 5, 5)])
        display.close()
        assert written == []


def test_plain_lines_go_on_with_another_bar(clock: Clock) -> None:
    display, written = plain(clock)
    for label, done in (("deals", 0), ("deals", 50), ("deals", 90), ("generation", 3)):
        display.show([Bar(label, done, 100)])
        clock.now += 40
    display.show([Bar("generation", 4, 10)])
    assert written == ["deals 50 of 100", "deals 90 of 100", "generation 4 of 10"]


# Terminals


def test_bars_appear_only_for_what_takes_a_second(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    display = TerminalBars(clock)
    for _ in range(9):
        display.show([Bar("deals", 1, 5)])
        clock.now += 0.1
    display.close()
    assert capsys.readouterr() == ("", "")


def test_a_bar_tells_what_is_compiled_meanwhile(clock: Clock) -> None:
    """Also before there is anything else to tell."""
    display = Recorder()
    shown = progress.CompilationShown(display, every=0.001)

    def wait_for(labels: set[str]) -> None:
        for _ in range(2000):
            if display.shown and display.shown[-1].keys() == labels:
                return
            time.sleep(0.001)
        raise AssertionError(display.shown)

    with loading(Part("FreeCell's search schedule", seconds=60)):
        time.sleep(0.01)
        assert not display.shown, "it is loaded, not compiled"
        compiling()
        wait_for({"compiling"})
        bar = display.shown[-1]["compiling"]
        assert (bar.done, bar.total) == (0, 60)
        assert bar.note.startswith("FreeCell's search schedule: ") and "left" in bar.note
        shown.show([Bar("generation", 1, 2)])
        wait_for({"generation", "compiling"})
    wait_for({"generation"})
    shown.close()
    number = len(display.shown)
    with loading(Part("more", seconds=60)):
        compiling()
        time.sleep(0.01)
    assert len(display.shown) == number


def test_in_a_terminal_bars_are_drawn_and_gone_in_the_end(tmp_path: Path) -> None:
    """What is left on the screen is what was printed after them."""
    job = write_job(tmp_path, generations=2)
    code = (
        "import sys; import gafreecell\n"
        f"sys.path[:0] = {[*TOY_PATHS]!r}\n"
        f"gafreecell.evolve({str(job)!r}, {str(tmp_path / 'r')!r}, 1, progress=True)\n"
        "print('the end')\n"
    )
    seen = in_a_terminal([sys.executable, "-c", code], {"TOY_PAUSE": "0.015"})
    assert "generation" in seen
    assert "evaluations" in seen
    drawn, _, after = seen.partition("the end")
    assert "\x1b[2K" in drawn, "lines are cleared"
    assert after.strip() == ""
    assert "generation" not in drawn[drawn.rindex("\x1b[2K") :]


def in_a_terminal(words: Sequence[str], env: dict[str, str]) -> str:
    """What a command writes to a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", "PYTHONPATH": str(ROOT), **env}
    process = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True, env=environment
    )
    os.close(theirs)
    seen = b""
    try:
        while piece := os.read(ours, 65536):
            seen += piece
    except OSError:
        # On Linux that is how a terminal ends.
        pass
    os.close(ours)
    assert process.wait(60) == 0, seen.decode()
    return seen.decode()


# Notebooks


class Page:
    """What a notebook shows below a cell: each picture replaces the one before."""

    def __init__(self) -> None:
        self.pictures: list[str] = []

    def display(self, picture: str, display_id: bool) -> Page:
        assert display_id, "or else it could not be replaced"
        assert not self.pictures, "it is displayed once, then updated"
        return self.update(picture)

    def update(self, picture: str) -> Page:
        self.pictures.append(picture)
        return self


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    page = Page()
    module: Any = ModuleType("IPython.display")
    module.HTML, module.display = str, page.display
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    return page


def test_a_notebooks_bars_are_replaced_at_most_five_times_a_second_and_stay(
    page: Page, clock: Clock
) -> None:
    display = NotebookBars(clock)
    for done in range(1, 101):
        clock.now += 0.05
        display.show([Bar("deals", done, 100)])
    display.close()
    assert 20 <= len(page.pictures) <= 26
    assert '<progress value="100" max="100">' in page.pictures[-1]


def test_a_notebook_shows_nothing_of_what_is_over_at_once(page: Page, clock: Clock) -> None:
    display = NotebookBars(clock)
    display.show([Bar("deals", 5, 5)])
    display.close()
    assert page.pictures == []


def test_html_of_bars_is_escaped() -> None:
    text = bars_html([Bar("<b>", 1, 0, "a & b")])
    assert "<b>" not in text
    assert "a &amp; b" in text


def test_a_notebook_is_known_by_its_kernel(
    page: Page, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not progress.in_notebook()
    with progress.shown() as display:
        assert isinstance(display, PlainLines)
    shell = type("ZMQInteractiveShell", (), {})
    monkeypatch.setattr("rich.console.get_ipython", shell, raising=False)
    assert progress.in_notebook()
    with progress.shown() as display:
        assert isinstance(display, NotebookBars)


# Evolutions


class Recorder(Display):
    """Keeps all that it is shown."""

    def __init__(self) -> None:
        self.shown: list[dict[str, Bar]] = []

    def show(self, bars: Sequence[Bar]) -> None:
        self.shown.append({bar.label: bar for bar in bars})

    def close(self) -> None:
        pass


RUN: Any = SimpleNamespace(job=SimpleNamespace(generations=10), generation=4)


def test_a_watch_tells_generations_evaluations_and_the_time_left(clock: Clock) -> None:
    display = Recorder()
    watch = EvolutionWatch(display, clock)
    watch.on_start(RUN)
    assert display.shown[-1]["generation"] == Bar("generation", 4, 10)
    watch.on_phase("solvers")
    watch.on_progress(30, 60)
    assert display.shown[-1]["evaluations"] == Bar("evaluations", 30, 60, "of the solvers")
    clock.now += 90
    line = {
        "generation": 5,
        "solvers": {"best": 0.91, "mean": 0.5},
        "solved": 55,
        "evaluations": 60,
        "machine": {"evaluations_per_second": 2.4},
    }
    watch.on_generation(RUN, line)
    # In the first generation kernels may have been compiled: it tells nothing of the others.
    last = display.shown[-1]
    assert last["generation"] == Bar("generation", 5, 10, "best 0.910, mean 0.500")
    assert last["solved"].done == 55
    clock.now += 25
    watch.on_generation(RUN, {**line, "generation": 6})
    assert display.shown[-1]["generation"].note == "best 0.910, mean 0.500, 1 min 40 s left"
    watch.on_generation(RUN, {**line, "generation": 10})
    assert display.shown[-1]["generation"].note == "best 0.910, mean 0.500"


def test_a_watch_tells_how_far_the_earlier_phases_are(clock: Clock) -> None:
    display = Recorder()
    watch = EvolutionWatch(display, clock)
    watch.on_phase(EARLIER)
    watch.on_progress(100, 900)
    assert display.shown[-1] == {"deals tried": Bar("deals tried", 100, 900, "by earlier phases")}
    clock.now += 10
    watch.on_phase(EARLIER)
    watch.on_progress(300, 900)
    note = "by earlier phases, 30 s left"
    assert display.shown[-1]["deals tried"] == Bar("deals tried", 300, 900, note)
    # Only then it is known which generation comes.
    watch.on_start(RUN)
    assert display.shown[-1].keys() == {"generation", "evaluations"}


def beginnings(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """How the lines begin that were shown on stderr; nothing was printed."""
    out, err = capsys.readouterr()
    assert out == ""
    return [line.partition(":")[0] for line in err.splitlines()]


def test_evolve_and_resume_show_their_progress_and_change_nothing(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[int] = []
    folder = tmp_path / "r"

    def stop(run: Any, record: Any) -> bool:
        seen.append(record["generation"])
        return len(seen) == 2

    evolve(job_table(), folder, ONE, stop, progress=True)
    assert beginnings(capsys) == ["generation 1 of 6", "generation 2 of 6"]
    resume(folder, jobs=ONE, progress=True)
    assert beginnings(capsys) == ["generation 3 of 6", "generation 6 of 6"]
    same(whole, folder)
    assert seen == [1, 2]
    evolve(job_table(generations=1), tmp_path / "quiet", ONE)
    assert capsys.readouterr() == ("", "")


def test_solve_many_shows_its_progress(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = gafreecell.solve_many(range(1, 13), game="toy", jobs=1, progress=True)
    out, err = capsys.readouterr()
    assert (len(outcomes), out) == (12, "")
    first, last = err.splitlines()
    assert first.startswith("deals 1 of 12:")
    assert last.startswith("deals 12 of 12:") and "12 decided" in last


def test_the_display_is_closed_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []
    monkeypatch.setattr(PlainLines, "close", lambda self: closed.append(True))

    with pytest.raises(KeyboardInterrupt), progress.shown():
        raise KeyboardInterrupt
    assert closed == [True]
