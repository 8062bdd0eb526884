"""The deals that the earlier phases of a schedule leave to the phase that is trained.

They depend only on these phases, the game and its engine. So the user's cache keeps the results,
and neither a resumed run nor another job computes them again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from typing import cast

from deals.words import plural
from gafreecell.evolution.job import Job, JobError, training_pool, validation_pool
from gafreecell.solitaire.game import Deal, Game
from gafreecell.solving.cache import say_unread, say_unwritten
from gafreecell.solving.checksums import matches, sealed
from gafreecell.solving.games import UNSAVED
from gafreecell.solving.outcome import Task
from gafreecell.workers.evaluation import BATCH, Evaluation, cache_file

EARLIER = "earlier phases"
"""The phase's name for callbacks."""
SAVED_EVERY = 2.0
"""Seconds between two writes: about as much work as a killed process loses."""


class Tried:
    """Which deals a job's earlier phases decided, kept in the user's cache.

    A line of the file holds deals that they decided and deals that they left undecided.
    Lines are only appended, each with one call, so several processes can write at the same time.

    Args:
        job: a job with earlier phases.
        game: the job's game, in its variant.
    """

    def __init__(self, job: Job, game: Game) -> None:
        evaluator, limits = job.earlier()
        file = cache_file("earlier-phases", game, evaluator, job.schedule_search, limits)
        self._file = file.with_suffix(".jsonl")
        self._saved = not game.engine.startswith(UNSAVED)
        self._decided: dict[Deal, bool] = {}
        self._new: list[Deal] = []
        if self._saved:
            self._load()

    def __contains__(self, deal: Deal) -> bool:
        return deal in self._decided

    def left(self, deals: Sequence[Deal]) -> list[Deal]:
        """Those of some deals that were left undecided; all must have been tried."""
        return [deal for deal in deals if not self._decided[deal]]

    def add(self, deal: Deal, decided: bool) -> None:
        """Record whether a deal was decided; ``save`` writes it."""
        self._decided[deal] = decided
        self._new.append(deal)

    def save(self) -> None:
        """Append new results to the file."""
        if self._saved and self._new:
            parts = {
                name: [deal for deal in self._new if self._decided[deal] is decided]
                for name, decided in (("decided", True), ("left", False))
            }
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                with self._file.open("ab", buffering=0) as file:
                    # The leading newline starts a new line even after one that was cut off.
                    file.write(f"\n{json.dumps(sealed(parts))}\n".encode())
            except OSError as error:
                say_unwritten(error)
        self._new = []

    def _load(self) -> None:
        try:
            text = self._file.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            say_unread(self._file, error)
            return
        for line in filter(None, text.split(b"\n")):
            try:
                parts = json.loads(line)
                if not matches(parts):
                    raise ValueError("a line does not match its checksum")
                found = dict.fromkeys(parts["decided"], True) | dict.fromkeys(parts["left"], False)
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                # A full disk cut the line off, or it is damaged.
                say_unread(self._file, error)
                continue
            self._decided |= found


class EarlierPhases:
    """Tries a job's earlier phases on its deals.

    Args:
        job: a job with earlier phases.
        evaluation: runs the tasks; its ``on_progress`` counts over both pools of the job.
    """

    def __init__(self, job: Job, evaluation: Evaluation) -> None:
        self._job, self._evaluation = job, evaluation
        self._tried = Tried(job, evaluation.game)
        pools = (validation_pool(job, evaluation.game), training_pool(job, evaluation.game))
        self._total, self._done = sum(map(len, pools)), 0

    def left(self, deals: Sequence[Deal], key: str) -> list[Deal]:
        """Those of some deals on which all earlier phases fail.

        Args:
            deals: in any order, which is kept.
            key: the job's key that names these deals, for messages.

        Raises:
            JobError: if the phases decide all of them.
        """
        new = [deal for deal in dict.fromkeys(deals) if deal not in self._tried]
        end = min(self._done + len(deals), self._total)
        self._done = end - len(new)
        self._evaluation.on_progress(self._done, self._total)
        try:
            self._try(new)
        finally:
            self._tried.save()
        self._done = end
        left = self._tried.left(deals)
        if not left:
            raise JobError.at(
                key,
                f": the earlier phases decide all of {plural(len(deals), 'deal')}, so none is "
                "left to train the new phase on: give more deals, or lower limits of phases",
            )
        return left

    def _try(self, deals: Sequence[Deal]) -> None:
        evaluator, limits = self._job.earlier()
        search = self._job.schedule_search
        starts = [*range(0, len(deals), BATCH), len(deals)]
        # A generator, because a pool may hold a million deals.
        pieces = (
            [Task(deal, evaluator, search, limits) for deal in deals[first:last]]
            for first, last in pairwise(starts)
        )
        saved = time.monotonic()
        with closing(self._evaluation.as_they_come(pieces)) as found:
            for tasks, outcomes in found:
                for task, outcome in zip(tasks, outcomes, strict=True):
                    self._tried.add(cast(Deal, task.deal), outcome.status.decided)
                self._done += len(tasks)
                self._evaluation.on_progress(self._done, self._total)
                if time.monotonic() - saved >= SAVED_EVERY:
                    self._tried.save()
                    saved = time.monotonic()


def validated(job: Job, solved: int) -> str:
    """How many of a job's validation deals were solved, in words.

    With earlier phases, only the deals that these leave count. Their number is given only if it
    is in the cache.
    """
    name = job.deals.validation
    if not job.phases:
        return f"{solved:,} of the {name} deals solved"
    game = job.load_game()
    tried, pool = Tried(job, game), validation_pool(job, game)
    known = all(deal in tried for deal in pool)
    number = f"{len(tried.left(pool)):,} " if known else ""
    return f"{solved:,} solved of the {number}deals of {name} that the earlier phases leave"
