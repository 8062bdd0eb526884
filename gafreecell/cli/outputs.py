"""Files that commands write."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from gafreecell.game import Game
from gafreecell.inputs import Deal, InputError
from solving.files import write_atomically

Read = TypeVar("Read")
JSON_LINES = "jsonl"
"""The format, and the suffix of the files that have it."""


def format_of(given: Namespace) -> str:
    """The format of a command that writes text or JSON lines.

    It is what ``--format`` asks for, else what the output file's name stands for, else text.
    """
    named = Path(given.output or "").suffix.removeprefix(".")
    return given.format or (JSON_LINES if named == JSON_LINES else "text")


def source_of(deal: Deal) -> dict[str, str]:
    """The key of a JSON line that says where its board was read; none for a number."""
    return {"source": deal.source} if deal.source else {}


def make_folder(path: str) -> None:
    """Make the folder of a file that is to be written, with those above it."""
    folder = Path(path).parent
    # What is there and is no folder shows when the file is opened.
    if not folder.exists():
        folder.mkdir(parents=True)


def check_writable(path: str) -> None:
    """Raise ``OSError`` unless a file can be written there; one that exists stays as it is.

    Missing folders above it are made.
    """
    make_folder(path)
    existed = Path(path).exists()
    with Path(path).open("a", encoding="utf-8"):
        pass
    if not existed:
        Path(path).unlink()


def refuse_existing(path: str | None, resume: str = "") -> None:
    """Refuse to write results over a file that holds anything.

    Args:
        path: given with ``-o``; None, ``-`` and what is no regular file are fine.
        resume: how the command completes such a file, if it can: words that follow "or".

    Raises:
        InputError: naming the ways out.
    """
    if not path or path == "-" or not Path(path).is_file() or not Path(path).stat().st_size:
        return
    ways = "name another file" + (f", or {resume}" if resume else ", or remove it")
    raise InputError(f"{path} exists and is left as it is: {ways}")


@contextmanager
def output(path: str | None, append: bool) -> Iterator[TextIO]:
    """A file to write lines to; standard output for none or ``-``."""
    if not path or path == "-":
        yield sys.stdout
        return
    make_folder(path)
    with Path(path).open("a" if append else "w", encoding="utf-8") as file:
        yield file


class Marker:
    """A small file beside an unfinished output file: what the command was that began it.

    Lines of two solvers in one file could not be told apart, so ``--resume``
    resumes only with the same command.

    Args:
        path: of the output file; None for one that cannot be gone on with.
        text: what the command was.
        parts: in words, what another command may have had otherwise.
    """

    def __init__(self, path: str | None, text: str, parts: str) -> None:
        self._output = path
        # What is no file, as /dev/null, keeps nothing to resume.
        kept = path and path != "-" and (Path(path).is_file() or not Path(path).exists())
        self._file = Path(f"{path}.unfinished") if kept else None
        self._text, self._parts = text, parts

    @property
    def lasts(self) -> bool:
        """Whether there is a file that can be gone on with."""
        return self._file is not None

    @property
    def is_there(self) -> bool:
        """Whether the output file is unfinished."""
        return self._file is not None and self._file.exists()

    def check(self) -> None:
        """Refuse to resume what another command began."""
        if self._file and self.is_there and Path(str(self._output)).exists():
            began = self._file.read_text(encoding="utf-8", errors="replace")
            if began != self._text:
                raise InputError(
                    f"{self._output} was begun with other {self._parts} ({self._file} "
                    "says which): run that command again with --resume, or name another file"
                )

    def check_finished(self, alike: Callable[[Any], bool]) -> None:
        """Refuse to resume a finished file that another command wrote.

        The marker is gone with its last line, and lines do not say all that a command was; but
        what has a counted budget comes out again. It is told by the first line alone, and what
        a clock ended need not come out again.

        Args:
            alike: whether this command would write what the first line's object says.
        """
        with Path(str(self._output)).open(encoding="utf-8") as file:
            first = json.loads(next(file))
        if not alike(first):
            raise InputError(
                f"{self._output}: its first line is not what this command finds, so it was "
                f"written with other {self._parts}: name another file with -o"
            )

    def set(self) -> None:
        """Put it there.

        Raises:
            OSError: naming the output file if that cannot be written.
        """
        if self._file:
            check_writable(str(self._output))
            write_atomically(self._file, self._text)

    def when_interrupted(self, done: str, given: Namespace) -> str:
        """What to say to who interrupted the command.

        Args:
            done: what is in the output file by now, in words.
            given: the options of the command.
        """
        if not self._file:
            held = f"; {given.output} holds them" if given.output and given.output != "-" else ""
            return (
                f"interrupted after {done}{held}\n"
                "only -o FILE.jsonl, with a line for each of them, can be resumed"
            )
        again = "" if given.resume else " --resume"
        return (
            f"interrupted; {done} are saved in {self._output}\nresume: {given.command_line}{again}"
        )

    def remove(self) -> None:
        if self._file:
            self._file.unlink(missing_ok=True)


def check_resume(given: Namespace, *, grows: bool) -> None:
    """Refuse ``--resume`` without a file, or with one that does not go by deals.

    Args:
        given: the options of the command.
        grows: whether the output has a line for each deal.

    Raises:
        InputError: saying what is missing.
    """
    if given.resume and (not given.output or given.output == "-"):
        raise InputError("--resume needs the output file: -o FILE")
    if given.resume and not grows:
        raise InputError("--resume needs --format jsonl, or a file that is named so: -o FILE.jsonl")


def begin(
    given: Namespace,
    marker: Marker,
    deals: Iterable[Deal],
    game: Game,
    read: Callable[[Any], Read],
    alike: Callable[[Any], bool] | None,
) -> list[Read]:
    """Make the output file ready to be written, or to be gone on with.

    Args:
        given: the options of the command.
        marker: of the output file.
        deals: all deals in order.
        game: the game.
        read: what to keep of a line's object; raises ``ValueError``, ``KeyError`` or ``TypeError``
            if it is not one that the command wrote.
        alike: whether this command would write what the first line's object says; None where it
            need not.

    Returns:
        What is kept of the lines that are there; none without ``--resume``.

    Raises:
        InputError: if the file holds anything else, or what another command wrote.
    """
    written: list[Read] = []
    if given.resume:
        marker.check()
        written = _already_written(Path(given.output), deals, game, read, given.command)
        if written and alike and not marker.is_there:
            marker.check_finished(alike)
    else:
        refuse_existing(given.output, "add --resume to complete it" if marker.lasts else "")
    marker.set()
    return written


def _already_written(
    path: Path, deals: Iterable[Deal], game: Game, read: Callable[[Any], Read], writer: str
) -> list[Read]:
    """What the lines of an output file say, which must be of the first deals; mends a cut end.

    Raises:
        InputError: if the file holds anything else.
    """
    if not path.is_file():
        return []
    entries: list[Read] = []
    names = iter(deals)
    whole = 0
    start = f'{{"game": "{game.name}", '.encode()
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n") and start.startswith(line[: len(start)]):
                break
            expected = next(names, None)
            try:
                entry = json.loads(line)
                found, kept = entry["deal"], read(entry)
                if entry["game"] != game.name or not line.endswith(b"\n"):
                    raise ValueError
            except (ValueError, KeyError, TypeError, RecursionError):
                raise InputError(
                    f"{path}, line {number}: not a line that {writer} wrote for {game.title}: "
                    "name another file with -o"
                ) from None
            if expected is None or found != expected.name:
                raise InputError(
                    f"{path}, line {number}: deal {found}, but these deals have "
                    f"{expected.name if expected else 'no more'} here: name another file with -o"
                )
            entries.append(kept)
            whole += len(line)
    os.truncate(path, whole)
    return entries
