"""The problems that the earlier phases of a schedule leave to the phase that is trained.

Which they are depends on nothing but these phases, the game and its engine, so the user's cache
keeps what was tried, and nobody has to try it again: not the next resume, nor another job.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from typing import cast

from deals.words import plural
from gafreecell.evaluation import BATCH, Evaluation, cache_file
from gafreecell.game import Game, Problem
from gafreecell.job import Job, JobError, training_pool, validation_pool
from solving.games import UNSAVED
from solving.outcome import Task

EARLIER = "earlier phases"
"""What callbacks are told while it lasts."""
SAVED_EVERY = 2.0
"""Seconds between two writings, about what a killed process loses."""


class Tried:
    """What a job's earlier phases made of the problems they were tried on, in the user's cache.

    A line of the file holds problems that they decided and problems that they left. Lines are
    only ever added, each with one call, so several processes can write at the same time.

    Args:
        job: it has earlier phases.
        game: the job's, in its variant.
    """

    def __init__(self, job: Job, game: Game) -> None:
        evaluator, limits = job.earlier()
        file = cache_file("earlier-phases", game, evaluator, job.schedule_search, limits)
        self._file = file.with_suffix(".jsonl")
        self._saved = not game.engine.startswith(UNSAVED)
        self._decided: dict[Problem, bool] = {}
        self._new: list[Problem] = []
        if self._saved:
            self._load()

    def __contains__(self, problem: Problem) -> bool:
        return problem in self._decided

    def left(self, problems: Sequence[Problem]) -> list[Problem]:
        """Those of some problems, all of them tried, that were left."""
        return [problem for problem in problems if not self._decided[problem]]

    def add(self, problem: Problem, decided: bool) -> None:
        """Enter what was made of a problem; ``save`` writes it."""
        self._decided[problem] = decided
        self._new.append(problem)

    def save(self) -> None:
        """Add what is new to the file."""
        if self._saved and self._new:
            parts = {
                name: [problem for problem in self._new if self._decided[problem] is decided]
                for name, decided in (("decided", True), ("left", False))
            }
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                with self._file.open("ab", buffering=0) as file:
                    # It begins a line of its own, even behind one that was cut off.
                    file.write(f"\n{json.dumps(parts)}\n".encode())
            except OSError:
                # Only a cache: what it lacks is tried again.
                pass
        self._new = []

    def _load(self) -> None:
        try:
            text = self._file.read_bytes()
        except OSError:
            return
        for line in text.split(b"\n"):
            try:
                parts = json.loads(line)
                found = dict.fromkeys(parts["decided"], True) | dict.fromkeys(parts["left"], False)
            except (ValueError, TypeError, KeyError):
                # It is empty, or was cut off.
                continue
            self._decided |= found


class EarlierPhases:
    """Tries a job's earlier phases on its problems.

    Args:
        job: it has earlier phases.
        evaluation: solves, and is told how far it is with both pools of the job.
    """

    def __init__(self, job: Job, evaluation: Evaluation) -> None:
        self._job, self._evaluation = job, evaluation
        self._tried = Tried(job, evaluation.game)
        pools = (validation_pool(job, evaluation.game), training_pool(job, evaluation.game))
        self._total, self._done = sum(map(len, pools)), 0

    def left(self, problems: Sequence[Problem], key: str) -> list[Problem]:
        """Those of some problems on which all of the phases fail.

        Args:
            problems: in any order, which is kept.
            key: the job's key that says which problems they are.

        Raises:
            JobError: if the phases decide all of them.
        """
        new = [problem for problem in dict.fromkeys(problems) if problem not in self._tried]
        end = min(self._done + len(problems), self._total)
        self._done = end - len(new)
        self._evaluation.on_progress(self._done, self._total)
        try:
            self._try(new)
        finally:
            self._tried.save()
        self._done = end
        left = self._tried.left(problems)
        if not left:
            raise JobError(
                f"{key}: the earlier phases decide all of {plural(len(problems), 'deal')}, so "
                "nothing is left for the one to be trained: give more, or lower limits of phases"
            )
        return left

    def _try(self, problems: Sequence[Problem]) -> None:
        evaluator, limits = self._job.earlier()
        search = self._job.schedule_search
        starts = [*range(0, len(problems), BATCH), len(problems)]
        # Made as they are needed: a pool may hold a million problems.
        pieces = (
            [Task(problem, evaluator, search, limits) for problem in problems[first:last]]
            for first, last in pairwise(starts)
        )
        saved = time.monotonic()
        with closing(self._evaluation.as_they_come(pieces)) as found:
            for tasks, outcomes in found:
                for task, outcome in zip(tasks, outcomes, strict=True):
                    self._tried.add(cast(Problem, task.deal), outcome.status.decided)
                self._done += len(tasks)
                self._evaluation.on_progress(self._done, self._total)
                if time.monotonic() - saved >= SAVED_EVERY:
                    self._tried.save()
                    saved = time.monotonic()


def validated(job: Job, solved: int) -> str:
    """How many of the deals that choose a job's best weights were solved, in words.

    With earlier phases these are the deals that they leave. How many there are is said only if
    it is known already.
    """
    name = job.deals.validation
    if not job.phases:
        return f"{solved:,} of the {name} deals solved"
    game = job.load_game()
    tried, pool = Tried(job, game), validation_pool(job, game)
    known = all(problem in tried for problem in pool)
    number = f"{len(tried.left(pool)):,} " if known else ""
    return f"{solved:,} solved of the {number}deals of {name} that the earlier phases leave"
