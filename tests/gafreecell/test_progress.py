"""Progress on stderr: a bar that is gone before results appear, plain lines elsewhere."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
import time
from pathlib import Path

import pytest
from conftest import in_terminal, wait_for

from gafreecell.solving.loading import Part, compiling, loading
from gafreecell.solving.saying import say
from gafreecell.terminal import progress
from gafreecell.terminal.progress import (
    Bar,
    CompilationShown,
    Counter,
    Display,
    PlainLines,
    TerminalBars,
    counted,
    duration,
    followed,
    shown,
)


def test_nobody_has_to_read_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb", 0) as raw:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, write_through=True))
        with pytest.raises(BrokenPipeError):
            print("so it is", file=sys.stderr)
        say("unheard")
        lines = PlainLines(eager=True)
        lines.show([Bar("generation", 0, 9)])
        lines.show([Bar("generation", 1, 9)])
        lines.close()


class Deaf(Display):
    """A display in a terminal that was closed."""

    def show(self, bars: object) -> None:
        raise OSError(errno.EIO, "closed")

    def close(self) -> None:
        self.show(())


def test_a_terminal_that_was_closed_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    display = CompilationShown(Deaf())
    display.show([Bar("generation", 1, 9)])
    with pytest.raises(OSError, match="closed"):
        display.close()
    with shown() as there:
        monkeypatch.setattr(there, "close", Deaf().close)
    with counted(3, True) as counter:
        monkeypatch.setattr(counter, "_display", Deaf())
        counter(3, 3)


def in_place_of_stderr(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A terminal."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.1)
    monkeypatch.setattr(progress, "EVERY", 0.2)
    monkeypatch.setattr(progress, "TICK", 0.02)


def test_an_answer_in_a_terminal_is_not_glued_to_a_bar() -> None:
    shown = in_terminal("solve", "164")
    before, answer, after = shown.partition("Deal 164: solved")
    assert answer
    assert after.splitlines()[-2:] == ["", "--draw shows each position"]
    assert "\x1b" not in after
    # On a busy machine loading takes more than a second; a bar is erased then.
    assert before == "" or before.endswith(("\n", "\x1b[2K"))


@pytest.mark.parametrize("single", [False, True])
def test_what_ctrl_c_shows_finds_room_behind_a_bar(
    single: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal writes ``^C`` where the cursor is; on a line of its own it would shift the bar."""
    terminal = in_place_of_stderr(monkeypatch)
    monkeypatch.setenv("COLUMNS", "60")
    display = TerminalBars(iter([0.0, 9.0, 9.0]).__next__, single)
    display.show([Bar("deals", 3, 9, 80 * "-", "8 s left" if single else "")])
    display.close()
    drawn = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", terminal.getvalue()).splitlines()[0]
    assert 40 < len(drawn) <= 60 - len("^C")
    assert ("8 s left" in drawn) is single


def test_what_is_done_at_once_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = in_place_of_stderr(monkeypatch)
    with counted(3, True) as advance:
        advance(3, 3)
    assert terminal.getvalue() == ""


def is_shown(counter: Counter) -> bool:
    assert isinstance(counter._display, TerminalBars)
    return counter._display.shown


def test_a_bar_appears_and_is_gone_before_results_are_printed(
    impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = in_place_of_stderr(monkeypatch)
    monkeypatch.setattr(sys, "stdout", terminal)
    with counted(3, True, good="won", unit="games") as advance:
        for number in range(2):
            wait_for(lambda: is_shown(advance))
            with advance.printing_to(sys.stdout):
                assert not is_shown(advance)
                print(f"result {number}")
            advance(1, number)
        wait_for(lambda: is_shown(advance) and "2/3" in terminal.getvalue())
        assert "1 won" in terminal.getvalue()
    assert not is_shown(advance)
    # A bar's line is erased before what follows it.
    for number in range(2):
        before = terminal.getvalue().partition(f"result {number}")[0]
        assert before.endswith("\x1b[2K")
    assert terminal.getvalue().endswith("\x1b[2K")


def test_a_bar_stays_while_results_go_to_a_file(
    impatient: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    in_place_of_stderr(monkeypatch)
    with (tmp_path / "out").open("w") as out, counted(3, True) as advance:
        time.sleep(0.4)
        with advance.printing_to(out):
            assert is_shown(advance)
        monkeypatch.setattr(sys, "stdout", out)
        with advance.printing_to(sys.stdout):
            assert is_shown(advance)


def test_outside_a_terminal_a_plain_line_appears_now_and_then(
    impatient: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with counted(10, True, "hsdh", before=(2, 1)) as advance:
        time.sleep(0.3)
        advance(2, 1)
        time.sleep(0.2)
    first, second = capsys.readouterr().err.splitlines()
    assert first == "hsdh: 2 of 10 deals"
    assert re.fullmatch(r"hsdh: 4 of 10 deals, 2 solved, [\d.]+ deals/s, \d+ s left", second)


def test_what_is_being_compiled_is_told_in_place_of_a_pace(
    impatient: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with counted(10, True) as advance:
        advance(1, 1)
        with loading(Part("the search", 30.0)):
            compiling()
            time.sleep(0.3)
        time.sleep(0.2)
    first, second = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"1 of 10 deals, compiling the search: (29|30) s left", first)
    assert "compiling" not in second


def test_no_progress_is_silent(impatient: None, capsys: pytest.CaptureFixture[str]) -> None:
    with counted(10, False) as advance:
        time.sleep(0.3)
        advance(1, 1)
        with advance.printing_to(sys.stdout):
            print("result")
    assert capsys.readouterr() == ("result\n", "")


def test_durations_for_people() -> None:
    told = [duration(seconds) for seconds in (0.4, 65, 3599.6, 11405)]
    assert told == ["0 s", "1 min 05 s", "1 h 00 min", "3 h 10 min"]


def test_work_that_tells_how_much_it_is_shows_a_bar_too(
    impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = in_place_of_stderr(monkeypatch)
    with followed(True, "progress") as advance:
        advance(4, 20)
        advance(9, 20)
        time.sleep(0.4)
        advance(15, 20)
        time.sleep(0.2)
    shown = terminal.getvalue()
    assert "progress" in shown and "9/20" in shown and "15/20" in shown
    assert "deals/s" in shown and "solved" not in shown
    with followed(False, "progress") as advance:
        advance(1, 2)
    assert terminal.getvalue() == shown
