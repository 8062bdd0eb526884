"""Runs the series of deals of a command: lines come in the order of the deals, as soon as they can.

An output file with a line of JSON for each deal can be resumed: a command that was interrupted, or
is given more deals, goes on after the lines that are there.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from deals.words import plural
from gafreecell.cli.options import workers_of
from gafreecell.cli.outputs import check_writable, output, refuse_existing
from gafreecell.cli.statuses import Stopped
from gafreecell.service.inputs import GivenDeal, GivenDeals, InputError
from gafreecell.service.solvers import Found, spread
from gafreecell.solitaire.abilities import NamesRules
from gafreecell.solitaire.game import Game, variant_played
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.files import write_atomically
from gafreecell.terminal.progress import counted
from gafreecell.workers.errors import WorkersError

Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Series(Generic[Found, Kept]):
    """The deals of a command, and what it does with each.

    Attributes:
        given: the options: ``format``, ``output``, ``resume``, ``jobs`` and so on.
        game: the game in its variant.
        deals: the deals.
        work: returns a result for each of a few deals; takes the place of the first of them among
            all deals, and them.
        lines: makes the lines of a deal's result; none if it is not to be shown.
        keep: what of a result counts in the end.
        read: the same from the JSON object of a line that was written earlier; raises
            ``ValueError``, ``KeyError`` or ``TypeError`` if the command did not write it.
        well: whether something kept is a success.
        marker: of the output file.
        unit, good: what a deal and a success are called.
        summary: what ends the text on several deals, from all that was kept; empty for nothing.
        after: called with each deal and its result when its lines are written.
    """

    given: Namespace
    game: Game
    deals: GivenDeals
    work: Callable[[int, list[GivenDeal]], list[Found]]
    lines: Callable[[GivenDeal, Found], Iterable[str]]
    keep: Callable[[Found], Kept]
    read: Callable[[Any], Kept]
    well: Callable[[Kept], bool]
    marker: Marker
    unit: str = "deal"
    good: str = "decided"
    summary: Callable[[list[Kept]], str] = lambda kept: ""
    after: Callable[[GivenDeal, Found], object] = lambda deal, found: None

    def run(self) -> list[Kept]:
        """Work on the deals that have no line yet; returns what was kept of all of them.

        Raises:
            InputError: if the output file is not to be overwritten, or cannot be resumed.
            Stopped, WorkersError: if the series is interrupted, or its workers end; the message
                says how to go on.
        """
        given, workers = self.given, workers_of(self.given)
        kept = self._begun()
        before = len(kept), sum(map(self.well, kept))
        try:
            with (
                output(given.output, given.resume) as out,
                counted(
                    len(self.deals),
                    not given.no_progress,
                    unit=f"{self.unit}s",
                    good=self.good,
                    before=before,
                ) as advance,
            ):
                rest = islice(self.deals, len(kept), None)
                for deal, found in spread(rest, self.work, self.game, workers, len(kept)):
                    lines = [*self.lines(deal, found)]
                    if lines:
                        with advance.printing_to(out):
                            print(*lines, sep="\n", file=out, flush=True)
                    kept.append(self.keep(found))
                    advance(1, self.well(kept[-1]))
                    self.after(deal, found)
                if given.format == "text" and len(kept) > 1 and (end := self.summary(kept)):
                    with advance.printing_to(out):
                        print("\n" + end, file=out)
        except KeyboardInterrupt:
            if len(self.deals) == 1 and not self.marker.lasts:
                # There is nothing to resume.
                raise
            raise Stopped(self._stopped("interrupted", len(kept))) from None
        except WorkersError as error:
            if len(kept) == before[0]:
                raise
            raise WorkersError(self._stopped(str(error), len(kept))) from None
        return kept

    def _begun(self) -> list[Kept]:
        """Prepare the output file; returns what was kept of each line in it."""
        given, kept = self.given, list[Kept]()
        if given.resume:
            self.marker.check()
            kept = _already_written(
                Path(given.output), self.deals, self.game, self.read, given.command
            )
        else:
            resume = "add --resume to complete it" if self.marker.lasts else ""
            refuse_existing(given.output, resume)
        self.marker.set()
        return kept

    def _stopped(self, why: str, done: int) -> str:
        """Why the series stopped, what is saved, and how to go on."""
        given, path = self.given, self.given.output
        if self.marker.lasts:
            # The last line may be written but not counted yet.
            done = Path(path).read_bytes().count(b"\n")
        told = f"{done:,} of {plural(len(self.deals), self.unit)}"
        if self.marker.lasts:
            again = "" if given.resume else " --resume"
            return f"{why}; {told} are saved in {path}\nresume: {given.command_line}{again}"
        held = f"; what was found is in {path}" if path and path != "-" else ""
        following = next(islice(self.deals, done, None), None)
        begin_at = f"; {following.title} would come next" if following else ""
        return (
            f"{why} after {told}{held}{begin_at}\n"
            "to be able to resume, use -o FILE.jsonl, with a line for each of them"
        )


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

    def __init__(self, path: str | None, command: Any, deals: GivenDeals, parts: str) -> None:
        self._output = path
        # Special files such as /dev/null keep nothing to resume.
        kept = path and path != "-" and (Path(path).is_file() or not Path(path).exists())
        self._file = Path(f"{path}.command") if kept else None
        boards = [_digest(deal.board) for deal in deals.boards()] if kept else []
        # As it comes back from the file.
        self._record = json.loads(json.dumps({"command": command, "boards": boards}))
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


def _digest(board: Any) -> str:
    # What has no text of its own is printed with its address.
    return f"{zlib.crc32(_ADDRESS.sub('', repr(board)).encode()):08x}"


_ADDRESS = re.compile(" at 0x[0-9a-fA-F]+")


def _already_written(
    path: Path, deals: Iterable[GivenDeal], game: Game, read: Callable[[Any], Kept], writer: str
) -> list[Kept]:
    """Read the lines of an output file and cut off a half-written last one.

    The lines must belong to the first deals, in order, each played by the rules of now.

    Raises:
        InputError: if the file holds anything else.
    """
    if not path.is_file():
        return []
    entries: list[Kept] = []
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
