"""Surveys: what is known of the deals of long ranges, in a folder of small files.

``survey.toml`` says what was asked of which deals, ``solver.json`` which solver answered. Each
*shard*, a file such as ``1-100000.npz``, has what came of its deals: numpy arrays of whole numbers
by name, with a value for each deal in order, ``UNKNOWN`` where there is none; and ``ABOUT``, a text
that names the game and its rules. A shard that is not complete ends with ``.part``. In it, a deal
without a status waits to be decided, and one with the grade ``UNGRADED`` to be graded. The lists in
``lists/`` are such folders.
"""

from __future__ import annotations

import io
import json
import tomllib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from deals.checks import shown
from gafreecell.service.inputs import InputError, as_range, numbered_as, numbers_of
from gafreecell.solitaire.abilities import Numbered
from gafreecell.solitaire.game import Game, able, full_title, returns_the_same
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.files import read_text, write_atomically
from gafreecell.solving.formats import Format
from gafreecell.solving.outcome import Limits, Status
from gafreecell.solving.settings import toml_tables
from gafreecell.solving.weights import Weights, read_weights

FORMAT = Format("gafreecell-survey", "a survey", version=1)
PLAN, SOLVER, SHARD, PART = "survey.toml", "solver.json", ".npz", ".part"
ABOUT, LOCK = "about", "lock"
UNKNOWN = -1
MOST_SHARDS = MOST_DEALS = 1_000_000
"""The most files of a survey, and the most deals of a file: both are kept in memory."""
UNGRADED = -2
"""In an unfinished file, the grade of a deal that is solved and waits to be graded."""
STATUS, GENERATED, GRADE, CELLS = "status", "generated", "grade", "cells"
LATER = {GRADE, CELLS}
"""Columns that may be asked for later, and so be missing from complete files."""
STATUSES = tuple(Status)
"""A status stands in the files as its place here, which each survey.toml repeats."""
SOLVED = STATUSES.index(Status.SOLVED)
Columns = Mapping[str, np.ndarray]
"""Arrays of one length by name: a value for each deal."""
Files = Mapping[int, Sequence[tuple[Path, range]]]
"""Files of shards, each with the deals in its name, by their first deal."""
Row = tuple[int, ...]
"""The values of a deal, in the order of the columns."""
_KINDS = (np.int8, np.int16, np.int32, np.int64)


@dataclass(frozen=True)
class Survey:
    """A survey and its folder.

    Attributes:
        folder: where its files are.
        game: in its variant, dealing by the numbers that were asked for.
        weights: the solver, with its limits.
        deals: ranges of deal numbers, ascending, none touching another.
        columns: what is asked of each deal: ``status``; unless only verdicts are asked for
            ``generated`` and the lengths of the game's solutions; if asked for ``grade`` and
            ``cells``.
        size: the most deals of a shard. Shards end at multiples of it, so that longer ranges have
            the same shards.
    """

    folder: Path
    game: Game
    weights: Weights
    deals: tuple[range, ...]
    columns: tuple[str, ...]
    size: int

    def __len__(self) -> int:
        return sum(map(len, self.deals))

    @property
    def title(self) -> str:
        """The game for people, with its options and numbers if they are not the usual ones."""
        usual = self.game.variant == find_game(self.game.name).variant
        title = self.game.title if usual else full_title(self.game)
        kind = numbers_of(self.game)
        return f"{title}, numbers of {kind}" if kind else title

    @property
    def shards(self) -> Iterator[range]:
        """The deals of each shard, in order."""
        for part in self.deals:
            for last in range(
                -(-part.start // self.size) * self.size, part.stop + self.size, self.size
            ):
                first = max(part.start, last - self.size + 1)
                if first < part.stop:
                    yield range(first, min(last + 1, part.stop))

    @property
    def complete(self) -> list[range]:
        """The shards whose file is there."""
        return [shard for shard in self.shards if self.file(shard).exists()]

    def lacks(self, shard: range) -> set[str]:
        """The columns that a complete shard lacks, as they were asked for later."""
        later = LATER & {*self.columns}
        return later and later - {*self._read(self.file(shard), shard)}

    def file(self, shard: range, suffix: str = SHARD) -> Path:
        """The file of a shard."""
        return self.folder / f"{shard[0]}-{shard[-1]}{suffix}"

    def keep(self, shard: range, rows: Sequence[Row], files: Files | None = None) -> None:
        """Write what is known of a shard's first deals; a complete shard ends its unfinished file.

        Args:
            shard: its deals.
            rows: for each of the first deals, the values of ``columns``; all ``UNKNOWN`` if it
                waits to be decided.
            files: those that were there before.
        """
        if not rows:
            return
        columns = dict(zip(self.columns, np.array(rows, np.int64).T, strict=True))
        whole = len(rows) == len(shard) and _done(columns)[1].all()
        file = self.file(shard, SHARD if whole else PART)
        self._save(file, columns)
        if whole:
            # The unfinished file, and those of before a longer range made the shard longer.
            before = (files or {}).get(shard.start, ())
            others = [other for other, deals in before if len(deals) <= len(shard)]
            for other in {self.file(shard, PART), *others} - {file}:
                other.unlink(missing_ok=True)

    def left(self) -> dict[range, Sequence[int]]:
        """The shards that lack their file, or something asked, each with the places of its deals
        that are not decided or graded yet."""
        files = self.files()
        found: dict[range, Sequence[int]] = {}
        for shard in self.shards:
            if not self.file(shard).exists() or self.lacks(shard):
                begun = self._begun(shard, files)
                again = np.flatnonzero(~_done(begun)[1])
                rest = range(len(begun[STATUS]), len(shard))
                # A range takes no memory, however long it is, and an array four bytes a deal.
                found[shard] = array("i", chain(again, rest)) if again.size else rest
        return found

    def begun(self, shard: range, files: Files) -> list[Row]:
        """The rows of a shard's first deals that are kept; none if it has not been begun, or for
        less. A row is all ``UNKNOWN`` if its deal waits to be decided, and has the grade
        ``UNGRADED`` if it waits to be graded."""
        columns = self._begun(shard, files)
        return [*zip(*(one.tolist() for one in columns.values()), strict=True)]

    def _begun(self, shard: range, files: Files) -> Columns:
        """What is kept of a shard, by the file that lacks least; empty columns if none has all that
        is asked, apart from grades."""
        known = [dict.fromkeys(self.columns, np.zeros(0, np.int64))]
        for file, deals in files.get(shard.start, ()):
            columns = self._read(file, deals)
            ungraded = np.where(columns[STATUS] == SOLVED, UNGRADED, UNKNOWN)
            columns = {GRADE: ungraded, **columns}
            if {*self.columns} <= {*columns}:
                known.append({name: columns[name][: len(shard)] for name in self.columns})
        return max(known, key=lambda one: tuple(map(np.count_nonzero, _done(one))))

    def files(self) -> Files:
        """The files of shards that are there, whole or not, with the deals in their names, by the
        first deal. A folder of many files takes long to list."""
        found: dict[int, list[tuple[Path, range]]] = {}
        for file in sorted(self.folder.iterdir()):
            first, _, last = file.stem.partition("-")
            if file.suffix in (SHARD, PART) and first.isdecimal() and last.isdecimal():
                deals = range(int(first), int(last) + 1)
                found.setdefault(deals.start, []).append((file, deals))
        return found

    def read(self, shard: range) -> Columns:
        """The columns of a shard's file; ``UNKNOWN`` where it was made before one was asked for."""
        columns = self._read(self.file(shard), shard)
        unasked = np.full(len(shard), UNKNOWN, np.int8)
        return {name: columns.get(name, unasked) for name in self.columns}

    def _read(self, file: Path, deals: range) -> Columns:
        """The columns of a file, which has a number for each of these deals, or for the first ones
        if it is unfinished."""
        whole = file.suffix == SHARD
        try:
            with np.load(file) as found:
                columns = {name: found[name] for name in found.files}
        except (FileNotFoundError, PermissionError):
            raise
        except Exception:
            # Damage makes zipfile, zlib and numpy raise errors of many kinds.
            raise _damaged(file, "not a file of numpy arrays") from None
        about = str(columns.pop(ABOUT, "nothing"))
        if about != self._about:
            raise _damaged(file, f"it is about {about}, expected {self._about}")
        if any(one.dtype.kind != "i" or one.ndim != 1 for one in columns.values()):
            raise _damaged(file, "columns of something else than whole numbers")
        sizes = {one.size for one in columns.values()}
        asked = {*self.columns}
        if not asked - LATER <= {*columns} <= asked | LATER:
            raise _damaged(
                file, f"columns {', '.join(columns)}, expected {', '.join(self.columns)}"
            )
        if len(sizes) != 1:
            raise _damaged(file, "columns of several lengths")
        if max(sizes) > len(deals) or (whole and sizes != {len(deals)}):
            raise _damaged(file, f"{max(sizes):,} numbers for {len(deals):,} deals")
        least = {STATUS: 0, GRADE: UNKNOWN} if whole else {GRADE: UNGRADED}
        most = {STATUS: len(STATUSES) - 1, GRADE: 10}
        for name, one in columns.items():
            low, high = least.get(name, UNKNOWN), most.get(name, np.inf)
            if one.size and not low <= one.min() <= one.max() <= high:
                raise _damaged(file, f"{name} out of range")
        return columns

    def write_plan(self) -> None:
        """Write ``survey.toml`` and ``solver.json``; if they are there, check that they agree.

        The deals may be others, if the shards that are there are among the new ones, and columns
        may be added. Limits may be larger; then the deals that met one wait to be decided again.

        Raises:
            InputError: saying what differs, or what is missing.
        """
        plan, file = self._plan(), self.folder / PLAN
        if file.exists():
            old = _document(self.folder)
            renewed = old.get("engine") != self.game.engine
            if returns_the_same(self.game, old.get("engine")):
                old["engine"] = self.game.engine
            # Another game has other rules and another engine, too.
            for key in ("game", "variant", *plan, *old):
                then, now = (one.get(key, "usual") for one in (old, plan))
                if then != now and key not in ("deals", "columns"):
                    what = "--shard" if key == "size" else key
                    raise InputError(
                        f"{self.folder} was begun with {what} {shown(then, 60)}, got "
                        f"{shown(now, 60)}: name another folder, or ask for the same"
                    )
            old_solver = read_weights(self.folder / SOLVER)
            if replace(old_solver, limits=self.weights.limits) != self.weights:
                raise InputError(
                    f"{self.folder} was begun with another solver ({self.folder / SOLVER}): take "
                    "that one with --weights, or name another folder"
                )
        self.folder.mkdir(parents=True, exist_ok=True)
        known = {shard.start: shard for shard in self.shards}
        # A kill may leave the solver without the plan.
        others = () if file.exists() else {one.name for one in self.folder.iterdir()}
        if strange := sorted(one for one in others if one[0] != "." and one not in (LOCK, SOLVER)):
            raise InputError(
                f"{self.folder} has files ({', '.join(strange[:2])}) but no {PLAN}: restore that "
                f"of the survey and its {SOLVER}, or name a new folder"
            )
        for found, deals in chain(*self.files().values()):
            if found.suffix == SHARD and deals.stop > known.get(deals.start, range(0)).stop:
                raise InputError(
                    f"{found} has deals that are not asked for, or begins in the middle of a file "
                    f"of the new range (files join at multiples of {self.size:,}): ask for all "
                    "deals that are there, or name another folder"
                )
        if file.exists():
            self._enlarge(old_solver.limits, renewed)
        write_atomically(self.folder / SOLVER, self.weights.to_text())
        write_atomically(file, toml_tables(plan))

    def _enlarge(self, old: Limits, renewed: bool) -> None:
        """Let the deals that met one of the old limits wait to be decided with larger ones.

        Args:
            old: the limits before.
            renewed: whether an earlier engine made the files. It may have lacked a search for the
                fewest cells.
        """
        new = self.weights.limits
        if new == old and not (renewed and CELLS in self.columns):
            return
        if new.nodes < old.nodes or new.memory < old.memory:
            raise InputError(
                f"{self.folder} was begun with larger limits ({old.nodes:,} nodes, {old.memory:,} "
                "bytes): give the same or larger ones with --nodes and --memory, or name another "
                "folder"
            )
        search = self.weights.search.name
        steady = getattr(self.game, "steady", {}).get(search, ())
        for name in ("nodes", "memory"):
            larger = getattr(new, name) > getattr(old, name)
            if larger and name not in steady and GENERATED in self.columns:
                raise InputError(
                    f"{self.folder} was begun with other limits ({old.nodes:,} nodes, "
                    f"{old.memory:,} bytes), and with more {name} the search {search} might find "
                    "other solutions of deals that are decided: name another folder"
                )
        decided = [place for place, status in enumerate(STATUSES) if status.decided]
        files = self.files()
        for file, deals in chain(*files.values()):
            columns = self._read(file, deals)
            if file.suffix == SHARD and LATER & {*self.columns}:
                # An unfinished file may have more, as when grading was interrupted.
                there = [one for one in files[deals.start] if one[0].exists()]
                known = self._begun(deals, {deals.start: there})
                columns = known if len(known[STATUS]) else columns
            met = ~np.isin(columns[STATUS], decided)
            if CELLS in columns:
                met |= columns[CELLS] == UNKNOWN
            if met.any():
                # The unfinished file comes first: if this is interrupted, nothing is lost.
                again = {name: np.where(met, UNKNOWN, one) for name, one in columns.items()}
                self._save(self.file(deals, PART), again)
                if file.suffix == SHARD:
                    file.unlink()

    @cached_property
    def _about(self) -> str:
        """The game and its rules, as each file names them."""
        plan = self._plan()
        known = {key: plan[key] for key in ("game", "variant", "numbers") if key in plan}
        return json.dumps(known, sort_keys=True)

    def _save(self, file: Path, columns: Columns) -> None:
        """Write the columns of a file; a kill leaves the old one."""
        written = io.BytesIO()
        narrow = {name: _narrow(one) for name, one in columns.items()}
        # It dates all its parts 1980, so equal columns give equal bytes.
        np.savez_compressed(written, **narrow, about=np.array(self._about))  # type: ignore[arg-type]
        write_atomically(file, written.getvalue())

    def _plan(self) -> dict[str, Any]:
        kind = numbers_of(self.game)
        return {
            "deals": [f"{part[0]}-{part[-1]}" for part in self.deals],
            "size": self.size,
            "columns": [*self.columns],
            "statuses": [status.value for status in STATUSES],
            "game": self.game.name,
            "engine": self.game.engine,
            "variant": dict(self.game.variant),
            **({"numbers": kind} if kind else {}),
            "format": FORMAT.head,
        }


def read_survey(folder: Path) -> Survey:
    """The survey in a folder.

    Raises:
        InputError: if it has none.
    """
    plan = _document(folder)
    try:
        game = find_game(plan["game"])
        game = game.vary(**plan["variant"]) if plan["variant"] else game
        game = numbered_as(game, plan.get("numbers"))
        deals, size = ranges(plan["deals"], game), int(plan["size"])
        columns = tuple(plan["columns"])
        if plan["statuses"] != [*STATUSES]:
            raise KeyError("statuses")
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{folder / PLAN} is damaged: {error}") from None
    return Survey(folder, game, read_weights(folder / SOLVER), deals, columns, size)


def asked_before(folder: Path) -> tuple[str, ...]:
    """The columns of the survey in a folder; none if there is no survey yet."""
    return tuple(_document(folder).get("columns", ())) if (folder / PLAN).exists() else ()


def _document(folder: Path) -> dict[str, Any]:
    text = read_text(folder / PLAN, "a survey", InputError)
    try:
        return FORMAT.read(tomllib.loads(text), InputError)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{folder / PLAN}: {error}") from None


def ranges(words: Iterable[str], game: Game) -> tuple[range, ...]:
    """Ranges of deals, in order, those that touch or overlap joined.

    Args:
        words: numbers or ranges of them.
        game: the game.

    Raises:
        InputError: for anything else.
    """
    numbered = able(game, Numbered, "cannot deal by number")
    found: list[range] = []
    for word in words:
        part = as_range(numbered.deal_set(word), game)
        if not isinstance(part, range):
            raise InputError(f"expected deal numbers or ranges, got {shown(word)}")
        found.append(part)
    joined: list[range] = []
    for part in sorted(found, key=lambda one: one.start):
        if joined and part.start <= joined[-1].stop:
            last = joined.pop()
            part = range(last.start, max(last.stop, part.stop))
        joined.append(part)
    return tuple(joined)


def _done(columns: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Which deals are decided, and which of these lack no grade either."""
    decided = columns[STATUS] != UNKNOWN
    return decided, decided & (columns[GRADE] != UNGRADED) if GRADE in columns else decided


def _narrow(values: np.ndarray) -> np.ndarray:
    """The values in the narrowest kind of integer that holds them."""
    return values.astype(next(kind for kind in _KINDS if np.iinfo(kind).max >= values.max()))


def _damaged(file: Path, why: str) -> InputError:
    mend = "restore it, or remove it and run the survey again"
    return InputError(f"{file} is damaged ({why}): {mend}")
