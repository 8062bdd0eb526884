"""What a fair measurement of runs needs: deals they never used, and solvers to compare with."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from deals.errors import BadInput
from gafreecell.evolution.job import Job, validation_pool
from gafreecell.solitaire.abilities import HasPresets, Searches
from gafreecell.solitaire.game import Deal, Game, deals_named, members
from gafreecell.solving.outcome import Evaluator, Search

SIZE = 200
"""Number of deals used if the game names no held-out set."""
ALONE = "one feature alone"
# The source in provenance: "Heineman 2009; heuristic as in ...".
_SOURCE = re.compile(r"[^;:(]*?\b(?:1[89]|20)\d\d\b")


@dataclass(frozen=True)
class HeldOut:
    """Deals to measure solvers on.

    Attributes:
        name: their name for people.
        deals: the deals.
        seen: how many of them a run trained or validated on.
    """

    name: str
    deals: Sequence[Deal]
    seen: int = 0


@dataclass(frozen=True)
class Rival:
    """A solver to compare runs with, which none of them trained.

    Attributes:
        name: the preset's.
        source: who published it, and when, or that it is one feature alone; empty otherwise.
        evaluator: its weights.
        moved: whether the preset has another search than the one that it is measured in here.
    """

    name: str
    source: str
    evaluator: Evaluator
    moved: bool = False

    @property
    def title(self) -> str:
        """What is measured: the preset, or its weights alone in another search."""
        return f"weights of {self.name}" if self.moved else self.name


def held_out(jobs: Sequence[Job], game: Game) -> HeldOut:
    """Deals that none of the jobs trains or validates on.

    These are the game's held-out deals. If it names none, or most of them were used, take the
    ``SIZE`` deals that follow all used ones. If there are no such numbers, take the first job's
    validation deals; ``seen`` then says that they are not new.
    """
    used = _used(_deals_of(jobs), game)
    named: str = getattr(game, "held_out", "")
    if named:
        deals = deals_named(game, named)
        fresh = [one for one in deals if not _among(one, used)]
        if 2 * len(fresh) >= len(deals) > 0:
            return HeldOut(named, fresh)
    last = max((_last(pool) for pool in used), default=0)
    if last:
        name = f"{last + 1}-{last + SIZE}"
        try:
            return HeldOut(name, deals_named(game, name))
        except BadInput:
            # There are no deals with these numbers.
            pass
    deals = validation_pool(jobs[0], game)[:SIZE]
    return HeldOut(jobs[0].deals.validation, deals, len(deals))


def named(deals: Sequence[Deal], jobs: Sequence[Job], game: Game) -> HeldOut:
    """Deals that a user chose, with the number of them that the jobs used."""
    seen = used_of(deals, _deals_of(jobs), game)
    first, last = deals[0], deals[-1]
    row = isinstance(first, int) and list(deals) == list(range(first, first + len(deals)))
    return HeldOut(f"{first}-{last}" if row else "as given", deals, seen)


def used_of(deals: Sequence[Deal], named: Collection[str], game: Game) -> int:
    """How many of the deals lie in one of these sets.

    Args:
        deals: the deals.
        named: ranges or named sets of deals.
        game: whose deals they are.

    Raises:
        BadInput: if there is no such set.
    """
    used = _used(named, game)
    return sum(_among(one, used) for one in deals)


def rivals(job: Job, game: Game) -> list[Rival]:
    """The solvers that evolved weights are compared with.

    These are the game's comparison presets whose weights the job's search can use; if there are
    none, the baseline weights of the features that the job trains. A job with earlier phases is
    compared with the last of these going on instead, which shows what the new phase is worth.
    """
    if job.phases:
        *_, last = job.phases
        return [Rival(f"without the new phase: {last} goes on", "", job.earlier()[0])]
    found: dict[Evaluator, Rival] = {}
    if isinstance(game, HasPresets):
        for name in game.comparison_presets:
            preset = game.preset(name)
            evaluator = preset.evaluator
            if evaluator is None:
                continue
            if preset.search.name == job.search.name or _weighs(job, game, evaluator):
                source = _SOURCE.match(str(preset.provenance.get("published", "")))
                moved = whole_search(preset.search, game) != whole_search(job.search, game)
                alone = ALONE if len(evaluator.features) == 1 else ""
                rival = Rival(name, source[0] if source else alone, evaluator, moved)
                found.setdefault(evaluator, rival)
    if not found:
        baselines = {feature.name: feature.baseline for feature in game.features}
        features = job.trained.features
        weights = tuple(baselines[feature] for feature in features)
        known = ", ".join(f"{name} {baselines[name]:g}" for name in features if baselines[name])
        name = f"baseline weights: {known}" if known else "no heuristic: all weights 0"
        return [Rival(name, "", Evaluator(features, weights))]
    return [*found.values()]


def _weighs(job: Job, game: Game, evaluator: Evaluator) -> bool:
    """Whether the job's search can use an evaluator that was made for another search."""
    if isinstance(game, Searches) and job.search.name in game.unguided:
        # Such a search accepts any weights and ignores those that it does not know.
        return False
    try:
        game.check(job.search, evaluator.features)
    except BadInput:
        return False
    return True


def whole_search(search: Search, game: Game) -> Search:
    """A search with all its parameters: those that it leaves out have their defaults."""
    known = game.parameters(search.name) if isinstance(game, Searches) else ()
    defaults = {parameter.name: parameter.default for parameter in known}
    return Search(search.name, {**defaults, **search.parameters})


def _deals_of(jobs: Sequence[Job]) -> set[str]:
    """The sets of deals that jobs train and validate on."""
    return {text for job in jobs for text in (job.deals.train, job.deals.validation)}


def _used(named: Collection[str], game: Game) -> list[Collection[Deal]]:
    """The deals of the named sets; ranges stay ranges."""
    return [members(deals_named(game, name)) for name in sorted(named)]


def _among(deal: Deal, pools: Sequence[Collection[Deal]]) -> bool:
    return any(deal in pool for pool in pools)


def _last(pool: Collection[Deal]) -> int:
    """The largest number in a pool, 0 if it has none."""
    if isinstance(pool, range):
        return max(pool[0], pool[-1])
    return max((one for one in pool if isinstance(one, int)), default=0)
