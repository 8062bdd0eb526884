"""Runs of jobs compared over their seeds: ``compare`` in Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast, get_args

from gafreecell.comparing.groups import Group, check_games, grouped
from gafreecell.comparing.held_out import held_out, named
from gafreecell.comparing.pairs import compare_solvers, summarise
from gafreecell.comparing.run_comparison import RunComparison, Submitted, over_deals
from gafreecell.comparing.seeds import compare_groups, measured, ranks_of
from gafreecell.comparing.solver_comparison import budgets
from gafreecell.comparing.solvers import Watch, deals_and_names, outcomes_of, watched
from gafreecell.evolution.costs import PURPOSES, MeanCost
from gafreecell.evolution.job import Job
from gafreecell.runs.plan import Test
from gafreecell.runs.record import Run
from gafreecell.runs.run import load
from gafreecell.runs.study import Study, is_study, load_study, runs_in
from gafreecell.service.inputs import Deals, InputError
from gafreecell.solitaire.game import Game, full_title
from gafreecell.solving.outcome import Outcome
from gafreecell.workers.evaluation import Workers

RunOrFolder: TypeAlias = Run | Study | str | os.PathLike[str]
"""A run or a study, or the path of its folder."""


@dataclass(frozen=True)
class Chosen:
    """The deals that runs are measured on.

    Attributes:
        deals: the deals.
        names: their names.
        seen: how many of them a run trained or validated on.
    """

    deals: Deals
    names: Sequence[str]
    seen: int


def compare(
    runs: RunOrFolder | Iterable[RunOrFolder],
    deals: Any = None,
    nodes: int | None = None,
    submit: Submitted | None = None,
    jobs: int = -1,
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
        jobs: how many deals are solved at once, -1 for one per core.
        progress: whether to show progress on stderr, as ``gafreecell.solve_many`` does.

    Returns:
        The comparison. The game's verifier has replayed every solution.

    Raises:
        BadInput: if a folder holds no run, a run has no weights yet, runs are of different games
            or have different budgets, two have the same job and seed, there are no such deals, a
            deal is given twice, or an argument has the wrong type.
    """
    jobs = Workers(jobs).jobs
    if submit not in (None, *get_args(Submitted)):
        raise InputError(f"submit must be 'champion' or 'last', got {submit!r:.60}")
    groups, test = groups_and_test(runs)
    every = [run.job for group in groups for run in group.runs]
    game = every[0].load_game()
    given = (test.deals or None) if deals is None else deals
    if given is None:
        chosen = unused(every, game)
    else:
        chosen = with_seen(*deals_and_names(given, game), every, game)
    how = settled(test, nodes, submit)
    with watched(progress, len(chosen.deals) * len(every)) as watch:
        return groups_compared(groups, chosen, game, *how, jobs, watch)


def settled(test: Test, nodes: int | None, submit: str | None) -> tuple[int | None, Submitted]:
    """The node budget and which weights are measured: as asked for, or as a plan says."""
    budget = test.nodes or None if nodes is None else nodes
    return budget, cast(Submitted, submit or test.submit)


def groups_and_test(given: Any) -> tuple[list[Group], Test]:
    """The groups of some runs, and how they are measured unless a caller says otherwise.

    Raises:
        BadInput: as ``compare`` does.
    """
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    items = list(given) if several else [given]
    for one in items:
        if not isinstance(one, Run | Study | str | os.PathLike):
            raise InputError(f"a run must be a gafreecell.Run or its folder, got {one!r:.60}")
    if len(items) == 1 and not isinstance(items[0], Run):
        (one,) = items
        if isinstance(one, Study) or is_study(Path(one)):
            found = one if isinstance(one, Study) else load_study(one)
            groups = [Group(name, tuple(runs)) for name, runs in found.by_arm().items()]
            check_games([run for group in groups for run in group.runs])
            return groups, found.plan.test
    runs = []
    for one in items:
        if isinstance(one, Run):
            # Raises RunError if there are no weights yet.
            assert one.best
            runs.append(one)
        else:
            runs += runs_in([one], run_at)
    if not runs:
        raise InputError("there is no run to compare: give at least one")
    return grouped(runs), Test()


def run_at(folder: str | os.PathLike[str]) -> Run:
    """The run in a folder, which has weights.

    Raises:
        BadInput: if the folder holds no run, or no generation is done.
    """
    if Path(folder).is_file() or not Path(folder).exists():
        raise InputError(
            f"{folder} is not a run folder: compare takes folders that evolve made; for presets "
            "and weights files use 'gafreecell evaluate'"
        )
    run = load(folder)
    # Raises RunError if there are no weights yet.
    assert run.best
    return run


def unused(jobs: Sequence[Job], game: Game) -> Chosen:
    """Deals that no run of these jobs trained or validated on, as far as there are such."""
    held = held_out(jobs, game)
    return Chosen(Deals([held.problems]), (held.name,), held.seen)


def with_seen(deals: Deals, names: Sequence[str], jobs: Sequence[Job], game: Game) -> Chosen:
    """Deals that a user chose, with the number of them that runs of these jobs used."""
    numbers = [deal.board for deal in deals if isinstance(deal.board, int)]
    return Chosen(deals, names, named(numbers, jobs, game).seen if numbers else 0)


def groups_compared(
    groups: Sequence[Group],
    chosen: Chosen,
    game: Game,
    nodes: int | None,
    submit: Submitted,
    jobs: int,
    watch: Watch,
    option: str = "nodes=N",
) -> RunComparison:
    """Measure each run's weights on the same deals and compare the groups.

    Args:
        groups: runs by job.
        chosen: the deals.
        game: the game in its variant.
        nodes: node budget of each deal; the runs' own if None.
        submit: which weights of a run to measure.
        jobs: how many deals are solved at once, -1 for one per core.
        watch: shows progress.
        option: how a user sets the budget, for messages.

    Raises:
        InputError: if the runs' budgets differ, or a deal is given twice.
    """
    runs = [run for group in groups for run in group.runs]
    last = submit == "last"
    solvers = {str(run.folder): run.candidate() if last else run.weights for run in runs}
    limits = {name: weights.limits.unless(nodes, None) for name, weights in solvers.items()}
    budget = next(iter(limits.values())).nodes
    if any(limit.nodes != budget for limit in limits.values()):
        raise InputError(
            f"the runs have different node budgets ({budgets(limits)}): set one for all with "
            f"{option}"
        )
    outcomes = outcomes_of(solvers, chosen.deals, game, limits, jobs, watch)
    return groups_measured(groups, chosen, game, budget, submit, outcomes)


def groups_measured(
    groups: Sequence[Group],
    chosen: Chosen,
    game: Game,
    budget: int,
    submit: Submitted,
    outcomes: Mapping[str, tuple[Outcome, ...]],
) -> RunComparison:
    """Compare groups by the outcomes of each run's weights.

    Args:
        groups: runs by job.
        chosen: the deals.
        game: the game in its variant.
        budget: node budget of each deal.
        submit: which weights of a run were measured.
        outcomes: by the run's folder, in the order of the deals.
    """
    last = submit == "last"
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
        deals=tuple(chosen.names),
        count=len(chosen.deals),
        seen=chosen.seen,
        nodes=budget,
        submit=submit,
        groups=tuple(groups),
        outcomes=outcomes,
        summaries={name: summarise(found) for name, found in outcomes.items()},
        measured=figures,
        pairs=tuple(compare_groups(figures)),
        ranks=ranks_of(figures),
        pairs_by_deal=tuple(compare_solvers(single)) if over_deals(groups) else (),
        costs={group.name: _costs(group, last) for group in groups},
    )


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
