"""Files that commands write."""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar

from deals.words import plural
from gafreecell.service.inputs import Deal, Deals, InputError
from gafreecell.solitaire.abilities import NamesRules
from gafreecell.solitaire.game import Game, variant_played
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.files import write_atomically

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
    """Raise ``OSError`` unless a file can be written there; an existing one is left unchanged.

    Creates missing folders above it.
    """
    make_folder(path)
    existed = Path(path).exists()
    with Path(path).open("a", encoding="utf-8"):
        pass
    if not existed:
        Path(path).unlink()


def refuse_existing(path: str | None, resume: str = "") -> None:
    """Refuse to overwrite a file that is not empty.

    Args:
        path: the value of ``-o``; None, ``-`` and anything but a regular file are fine.
        resume: how to complete the file instead, in words that follow "or"; empty if the command
            cannot.

    Raises:
        InputError: saying what to do instead.
    """
    if not path or path == "-" or not Path(path).is_file() or not Path(path).stat().st_size:
        return
    ways = "name another file" + (f", or {resume}" if resume else ", or remove it")
    raise InputError(f"{path} exists and will not be overwritten: {ways}")


@contextmanager
def output(path: str | None, append: bool) -> Iterator[TextIO]:
    """Open a file for lines; standard output for None or ``-``."""
    if not path or path == "-":
        yield sys.stdout
        return
    make_folder(path)
    with Path(path).open("a" if append else "w", encoding="utf-8") as file:
        yield file


class Marker:
    """A small file beside an output file that records which command wrote it.

    Lines of two solvers in one file could not be told apart, so ``--resume`` requires the same
    command. Only the deals may be others, if the file's lines are those of the first ones.

    Args:
        path: of the output file; None if it cannot be resumed.
        command: what the command's lines depend on, besides the deals.
        deals: all deals in order; boards are recorded, too, as a file of boards may change.
        parts: the settings in which another command may differ, in words.
    """

    def __init__(self, path: str | None, command: Any, deals: Deals, parts: str) -> None:
        self._output = path
        # Special files such as /dev/null keep nothing to resume.
        kept = path and path != "-" and (Path(path).is_file() or not Path(path).exists())
        self._file = Path(f"{path}.command") if kept else None
        boards = [_digest(deal.board) for deal in deals.boards()]
        self._record = {"command": command, "boards": boards}
        self._parts = parts

    @property
    def lasts(self) -> bool:
        """Whether the output file can be resumed."""
        return self._file is not None

    def check(self) -> None:
        """Refuse to resume a file that another command wrote."""
        path = Path(str(self._output))
        if not self._file or not path.exists() or not path.stat().st_size:
            return
        try:
            found = json.loads(self._file.read_bytes())
            command, boards = found["command"], list(found["boards"])
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{self._output} cannot be resumed: {self._file} should say which command wrote "
                "it, but is missing or damaged: name another file"
            ) from None
        shared = min(len(boards), len(self._record["boards"]))
        if command != self._record["command"] or boards[:shared] != self._record["boards"][:shared]:
            raise InputError(
                f"{self._output} was begun with other {self._parts} ({self._file} "
                "says which): run that command again with --resume, or name another file"
            )

    def set(self) -> None:
        """Write the marker.

        Raises:
            OSError: naming the output file if that cannot be written.
        """
        if self._file:
            check_writable(str(self._output))
            write_atomically(self._file, json.dumps(self._record) + "\n")

    def when_interrupted(self, deals: Deals, done: int, what: str, given: Namespace) -> str:
        """The message after an interruption.

        Args:
            deals: all deals.
            done: how many of them are done.
            what: what a deal is called, in the singular.
            given: the options of the command.
        """
        told = f"{done:,} of {plural(len(deals), what)}"
        if self._file:
            again = "" if given.resume else " --resume"
            return (
                f"interrupted; {told} are saved in {self._output}\n"
                f"resume: {given.command_line}{again}"
            )
        held = ""
        if given.output and given.output != "-":
            held = f"; what was found is in {given.output}"
        following = next(islice(deals, done, None), None)
        begin_at = f"; {following.title} would come next" if following else ""
        return (
            f"interrupted after {told}{held}{begin_at}\n"
            "to be able to resume, use -o FILE.jsonl, with a line for each of them"
        )


def _digest(board: Any) -> str:
    # What has no text of its own is printed with its address.
    return f"{zlib.crc32(_ADDRESS.sub('', repr(board)).encode()):08x}"


_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+")


def check_resume(given: Namespace, *, grows: bool) -> None:
    """Refuse ``--resume`` without a file, or with a format that has no line for each deal.

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
) -> list[Read]:
    """Prepare the output file for writing or resuming.

    Args:
        given: the options of the command.
        marker: of the output file.
        deals: all deals in order.
        game: the game.
        read: returns what to keep of a line's object; raises ``ValueError``, ``KeyError`` or
            ``TypeError`` if the command did not write it.

    Returns:
        What ``read`` kept of each line in the file; empty without ``--resume``.

    Raises:
        InputError: if the file holds anything else, or lines of another command.
    """
    written: list[Read] = []
    if given.resume:
        marker.check()
        written = _already_written(Path(given.output), deals, game, read, given.command)
    else:
        refuse_existing(given.output, "add --resume to complete it" if marker.lasts else "")
    marker.set()
    return written


def _already_written(
    path: Path, deals: Iterable[Deal], game: Game, read: Callable[[Any], Read], writer: str
) -> list[Read]:
    """Read the lines of an output file and cut off a half-written last one.

    The lines must belong to the first deals, in order, each played by the rules of now.

    Raises:
        InputError: if the file holds anything else.
    """
    if not path.is_file():
        return []
    entries: list[Read] = []
    names = iter(deals)
    whole = 0
    usual = find_game(game.name).variant
    start = f'{{"game": "{game.name}", '.encode()
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n") and start.startswith(line[: len(start)]):
                break
            expected = next(names, None)
            try:
                entry = json.loads(line)
                found, kept = entry["deal"], read(entry)
                rules = _rules_of(entry, game, usual)
                if entry["game"] != game.name or not line.endswith(b"\n"):
                    raise ValueError
            except (ValueError, KeyError, TypeError, RecursionError):
                raise InputError(
                    f"{path}, line {number}: not a line that {writer} wrote for {game.title}: "
                    "name another file with -o"
                ) from None
            if expected is None or found != expected.name:
                raise InputError(
                    f"{path}, line {number}: expected "
                    f"{f'deal {expected.name}' if expected else 'no more deals'}, got deal "
                    f"{found}: name another file with -o"
                )
            played = variant_played(game, expected.board)
            if rules not in (None, played):
                raise InputError(
                    f"{path}, line {number}: deal {found} was written with other rules, expected "
                    f"{_settings(played)}, got {_settings(rules or {})}: name another file with -o"
                )
            entries.append(kept)
            whole += len(line)
    os.truncate(path, whole)
    return entries


def _rules_of(entry: Any, game: Game, usual: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The options under which the deal of a line was played; None if the line does not tell.

    Raises:
        ValueError: if the command did not write them.
    """
    if "variant" not in entry:
        # Lines of other games may come from versions that named no options.
        return usual if isinstance(game, NamesRules) else None
    rules = entry["variant"]
    if not isinstance(rules, dict):
        raise ValueError
    return rules


def _settings(rules: Mapping[str, Any]) -> str:
    """Options as ``--variant`` takes them."""
    return " ".join(f"{name}={value}" for name, value in rules.items()) or "the usual ones"
