"""Runs of jobs compared over their seeds: ``compare`` in Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast, get_args

from deals.words import plural
from gafreecell.comparing.fairness import incomplete, mixed, uneven_effort
from gafreecell.comparing.groups import Group, check_games, grouped
from gafreecell.comparing.held_out import held_out, named
from gafreecell.comparing.pairs import compare_solvers, summarise
from gafreecell.comparing.run_comparison import Noun, RunComparison, Submitted, over_deals
from gafreecell.comparing.seeds import compare_groups, measured, ranks_of
from gafreecell.comparing.solver_comparison import budgets
from gafreecell.comparing.solvers import Watch, deals_and_names, outcomes_of, watched
from gafreecell.evolution.costs import PURPOSES, MeanCost
from gafreecell.evolution.job import Job
from gafreecell.runs.folder import RunError
from gafreecell.runs.plan import Test
from gafreecell.runs.record import Run
from gafreecell.runs.run import load
from gafreecell.runs.study import Study, selected
from gafreecell.service.inputs import GivenDeals, InputError
from gafreecell.solitaire.game import Game, full_title
from gafreecell.solving.outcome import Limits, Outcome
from gafreecell.solving.weights import Weights
from gafreecell.workers.chosen import Workers

OPTION = "nodes=N"
"""How the node budget is set in Python."""
RunOrFolder: TypeAlias = Run | Study | str | os.PathLike[str]
"""A run or a study, or the path of its folder."""


Read = Callable[[Any, Game], tuple[GivenDeals, Sequence[str]]]
"""Reads the deals that a user chose, and says how they are called."""


@dataclass(frozen=True)
class Chosen:
    """The deals that runs are measured on.

    Attributes:
        deals: the deals.
        names: their names.
        seen: how many of them a run trained or validated on.
    """

    deals: GivenDeals
    names: Sequence[str]
    seen: int


@dataclass(frozen=True)
class Contest:
    """Groups of runs, and how they are measured.

    Attributes:
        groups: runs by job.
        game: the game in its variant.
        chosen: the deals.
        nodes: node budget of each deal; the runs' own if None.
        submit: which weights of a run are measured.
        noun: what a group is called.
        gaps: which runs of a plan are not among them, a main clause each.
    """

    groups: Sequence[Group]
    game: Game
    chosen: Chosen
    nodes: int | None = None
    submit: Submitted = "champion"
    noun: Noun = "job"
    gaps: Sequence[str] = ()

    @property
    def runs(self) -> list[Run]:
        """The runs of all groups."""
        return [run for group in self.groups for run in group.runs]


def compare(
    runs: RunOrFolder | Iterable[RunOrFolder],
    deals: Any = None,
    nodes: int | None = None,
    submit: Submitted | None = None,
    jobs: Workers | int = -1,
    *,
    progress: bool = False,
) -> RunComparison:
    """Compare jobs over the seeds of their runs, as the command ``gafreecell compare`` does.

    Runs that differ only in the seed form a group. The weights of each run solve the same deals,
    and groups are compared with one run as one observation, however many deals there are. With a
    single run of each job, nothing can be concluded about the jobs, and the weights are compared
    deal by deal instead. Tests and intervals are those of ``comparing.seeds``: Wilcoxon's
    signed-rank test over shared seeds, else the Mann-Whitney test; Student's or Welch's t-test
    beside it; Holm's correction; bootstrap (Hesterberg 2015).

    Args:
        runs: a study, whose arms are the groups; or runs of one game, in any order, or their
            folders. Among several, a study stands for its runs.
        deals: distinct deals as ``gafreecell.solve_many`` takes them (a ``range``, an iterable, a
            text such as ``"1-100"``, a ``Path``), or the name of a set of deals; by default those
            that the study's plan names, or deals that no run trained or validated on.
        nodes: node budget of each deal; by default that of the study's plan, or the runs' own,
            which must then be the same.
        submit: which weights of a run to measure: ``"champion"``, the best on its validation
            deals, or ``"last"``, the candidate of its last generation; by default as the study's
            plan says, or the champion.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        progress: whether to show progress on stderr, as ``gafreecell.solve_many`` does.

    Returns:
        The comparison. The game's verifier has replayed every solution.

    Raises:
        BadInput: if a folder holds no run, a run has no weights yet, runs are of different games
            or have different budgets, two have the same job and seed, there are no such deals, a
            deal is given twice, or an argument has the wrong type.
    """
    jobs = Workers.of(jobs)
    if submit not in (None, *get_args(Submitted)):
        raise InputError(f"submit must be 'champion' or 'last', got {submit!r:.60}")
    found = prepared(runs, deals, nodes, submit)
    count = sum(len(group.runs) for group in found.groups)
    with watched(progress, len(found.chosen.deals) * count) as watch:
        return groups_compared(found, jobs, watch)


def prepared(
    runs: Any,
    deals: Any = None,
    nodes: int | None = None,
    submit: str | None = None,
    read: Read = deals_and_names,
) -> Contest:
    """The groups of some runs, and how they are measured: as asked for, or as a plan says.

    Args:
        runs, deals, nodes, submit: as for ``compare``.
        read: reads the deals.

    Raises:
        BadInput: as ``compare`` does.
    """
    groups, test, noun, gaps = _groups(runs)
    every = [run.job for group in groups for run in group.runs]
    game = every[0].load_game()
    given = (test.deals or None) if deals is None else deals
    return Contest(
        groups=groups,
        game=game,
        chosen=_unused(every, game)
        if given is None
        else _with_seen(*read(given, game), every, game),
        nodes=test.nodes or None if nodes is None else nodes,
        submit=cast(Submitted, submit or test.submit),
        noun=noun,
        gaps=gaps,
    )


def _groups(given: Any) -> tuple[list[Group], Test, Noun, Sequence[str]]:
    """The groups of some runs, how a plan says that they are measured, what they are called, and
    what the plan has besides.
    """
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    items = list(given) if several else [given]
    for one in items:
        if not isinstance(one, Run | Study | str | os.PathLike):
            raise InputError(f"a run must be a gafreecell.Run or its folder, got {one!r:.60}")
    found = selected(items, run_at)
    if not found.runs:
        raise InputError("there is no run to compare: give at least one")
    if found.arms is None:
        return grouped(found.runs), found.test, "job", found.gaps
    check_games(found.runs)
    groups = [Group(name, tuple(runs)) for name, runs in found.arms.items()]
    return groups, found.test, "arm", found.gaps


def run_at(folder: str | os.PathLike[str]) -> Run:
    """The run in a folder, which has weights.

    Raises:
        BadInput: if the folder holds no run, or no generation is done.
    """
    try:
        run = load(folder)
    except RunError as error:
        if Path(folder).is_dir():
            raise
        hint = "'gafreecell evaluate' measures presets and weights files"
        raise InputError(f"{error}; {hint}") from None
    # Raises RunError if there are no weights yet.
    assert run.best
    return run


def _unused(jobs: Sequence[Job], game: Game) -> Chosen:
    """Deals that no run of these jobs trained or validated on, as far as there are such."""
    held = held_out(jobs, game)
    return Chosen(GivenDeals([held.deals]), (held.name,), held.seen)


def _with_seen(deals: GivenDeals, names: Sequence[str], jobs: Sequence[Job], game: Game) -> Chosen:
    """Deals that a user chose, with the number of them that runs of these jobs used."""
    numbers = [deal.board for deal in deals if isinstance(deal.board, int)]
    return Chosen(deals, names, named(numbers, jobs, game).seen if numbers else 0)


def groups_compared(
    contest: Contest, jobs: Workers, watch: Watch, option: str = OPTION
) -> RunComparison:
    """Measure each run's weights on the same deals and compare the groups.

    Args:
        contest: the groups, and how they are measured.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        watch: shows progress.
        option: how a user sets the budget, for messages.

    Raises:
        InputError: if the runs' budgets differ, or a deal is given twice.
    """
    last = contest.submit == "last"
    solvers = {str(run.folder): run.candidate() if last else run.weights for run in contest.runs}
    check_budgets(solvers, contest, option)
    outcomes, budget = measured_alike(solvers, contest, jobs, watch)
    return groups_measured(contest, budget, outcomes)


def measured_alike(
    solvers: Mapping[str, Weights], contest: Contest, jobs: Workers, watch: Watch
) -> tuple[dict[str, tuple[Outcome, ...]], int]:
    """The outcomes of solvers on a contest's deals, and the node budget of all of them.

    Raises:
        InputError: if a deal is given twice.
    """
    limits = _limits(solvers, contest)
    deals = contest.chosen.deals
    budget = next(iter(limits.values())).nodes
    return outcomes_of(solvers, deals, contest.game, limits, jobs, watch), budget


def _limits(solvers: Mapping[str, Weights], contest: Contest) -> dict[str, Limits]:
    return {name: weights.limits.unless(contest.nodes, None) for name, weights in solvers.items()}


def check_budgets(runs: Mapping[str, Weights], contest: Contest, option: str) -> None:
    """Refuse runs that are measured within different limits.

    Args:
        runs: weights of each run, by its folder.
        contest: how they are measured.
        option: how a user sets the budget, for messages.

    Raises:
        InputError: if the limits differ.
    """
    limits = _limits(runs, contest)
    budget = next(iter(limits.values())).nodes
    if any(limit.nodes != budget for limit in limits.values()):
        raise InputError(
            f"the runs have different node budgets ({budgets(limits)}): set one for all with "
            f"{option}"
        )
    if len({limit.memory for limit in limits.values()}) > 1:
        raise InputError(
            f"the solvers have different memory limits ({budgets(limits)}): give their weights "
            "the same limits.memory"
        )


def groups_measured(
    contest: Contest, budget: int, outcomes: Mapping[str, tuple[Outcome, ...]]
) -> RunComparison:
    """Compare groups by the outcomes of each run's weights.

    Args:
        contest: the groups, and how they were measured.
        budget: node budget of each deal.
        outcomes: by the run's folder, in the order of the deals.
    """
    groups, game = contest.groups, contest.game
    by_seed = {
        group.name: {run.job.seed: outcomes[str(run.folder)] for run in group.runs}
        for group in groups
    }
    figures = measured(by_seed, budget)
    single = {name: next(iter(found.values())) for name, found in by_seed.items()}
    return RunComparison(
        game=game.name,
        variant=dict(game.variant),
        title=full_title(game),
        deals=tuple(contest.chosen.names),
        count=len(contest.chosen.deals),
        seen=contest.chosen.seen,
        nodes=budget,
        submit=contest.submit,
        noun=contest.noun,
        cautions=cautions_of(contest),
        groups=tuple(groups),
        outcomes=outcomes,
        summaries={name: summarise(found) for name, found in outcomes.items()},
        measured=figures,
        pairs=tuple(compare_groups(figures)),
        ranks=ranks_of(figures),
        pairs_by_deal=tuple(compare_solvers(single)) if over_deals(groups) else (),
        costs={group.name: _costs(group, contest.submit == "last") for group in groups},
    )


def cautions_of(contest: Contest) -> tuple[str, ...]:
    """What a reader of the figures must know, a main clause each: see ``RunComparison``."""
    chosen, runs, found = contest.chosen, contest.runs, []
    last = contest.submit == "last"
    if chosen.seen:
        found.append(
            f"runs trained or validated on {chosen.seen:,} of the "
            f"{plural(len(chosen.deals), 'deal')}, so these figures are too good"
        )
    if last:
        found.append(
            "each run is measured by the candidate of its last generation (submit = last), not by "
            "its best weights"
        )
    effort = uneven_effort(((group.name, group.runs) for group in contest.groups), last)
    return (*found, *incomplete(runs, contest.gaps), *effort, *mixed(runs))


def _costs(group: Group, last: bool) -> dict[str, MeanCost] | None:
    """What a run of the group cost on average, by purpose and in total.

    Args:
        group: the runs.
        last: whether the last generation's weights are compared. Validation did not choose them,
            so its cost is left out.

    Returns:
        The means by purpose and under "total", or None if the log of one of the runs lacks them.
    """
    runs = [costs for run in group.runs if (costs := run.costs)]
    if len(runs) < len(group.runs):
        return None
    spent = {
        purpose: MeanCost.of([costs[purpose] for costs in runs])
        for purpose in PURPOSES
        if not (last and purpose == "validation")
    }
    return {**spent, "total": sum(spent.values(), MeanCost(0, 0, 0))}
