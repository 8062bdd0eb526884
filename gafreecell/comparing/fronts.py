"""Fronts of bi-objective runs measured on common deals, and compared by their hypervolume."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from deap.benchmarks.tools import hypervolume

from deals.words import plural
from gafreecell.comparing import solver_comparison as verdicts
from gafreecell.comparing.groups import Group
from gafreecell.comparing.jobs import (
    OPTION,
    Contest,
    RunOrFolder,
    cautions_of,
    check_budgets,
    measured_alike,
    prepared,
)
from gafreecell.comparing.pairs import Estimate, pairs_of
from gafreecell.comparing.run_comparison import UNKNOWN, Noun, warnings_of
from gafreecell.comparing.seeds import Tested, corrected, tested
from gafreecell.comparing.solvers import Watch, watched
from gafreecell.comparing.statistics import LEAST, Numbers, student, varied
from gafreecell.comparing.tabulated import Record, Tables, Tabulated, chosen, noted, spread
from gafreecell.evolution.measures.log_nodes import costs_of, unshifted
from gafreecell.evolution.trainers.nsga_ii import Point, front
from gafreecell.runs.front import shift_of
from gafreecell.service.inputs import InputError
from gafreecell.solitaire.game import full_title
from gafreecell.terminal.tables import table
from gafreecell.workers.chosen import Workers

ROOM = 0.05
"""By how much of the range the reference point is worse than the worst point."""
Costs = tuple[float, float]
"""Log nodes with the game's shift, and the mean length in moves; a failure is charged for both."""


@dataclass(frozen=True)
class FrontPair:
    """The hypervolume of one group's fronts against another's, over the seeds.

    Attributes:
        group, against: their names.
        difference: of the mean hypervolumes; larger is better for the first.
    """

    group: str
    against: str
    difference: Tested


@dataclass(frozen=True, repr=False)
class FrontComparison:
    """Fronts on the same deals: what ``gafreecell.compare_fronts`` returns.

    Attributes:
        title: the game and its options, for people.
        deals: the names of the deals.
        count: the number of deals.
        seen: how many of them a run trained or validated on.
        nodes: the node budget of each deal.
        charge: what a failure counts, in words.
        best, reference: the ends of the rectangle in which hypervolumes are measured: the nodes of
            a typical deal and the mean length.
        noun, cautions: as those of ``RunComparison``.
        groups: the groups with their runs.
        points: by the run's folder, the solvers of its front that no other dominates on these
            deals: the nodes of a typical deal (a shifted geometric mean, failures counted) and the
            mean length.
        hypervolumes: by group, for each run the share of the rectangle between the best values and
            the reference point that its front dominates, 0 to 1. Both ends are those of all runs,
            the reference 5 % of the range worse than the worst; nodes count on a log scale.
        means: their means with Student's 95 % interval over the seeds.
        pairs: every pair of up to three groups of two or more runs; of more, the first with each
            other one; rank tests are corrected for their number (Holm).
    """

    title: str
    deals: tuple[str, ...]
    count: int
    seen: int
    nodes: int
    charge: str
    best: Costs
    reference: Costs
    noun: Noun
    cautions: tuple[str, ...]
    groups: tuple[Group, ...]
    points: Mapping[str, tuple[Costs, ...]]
    hypervolumes: Mapping[str, tuple[float, ...]]
    means: Mapping[str, Estimate]
    pairs: tuple[FrontPair, ...]

    def table(self, name: str = "groups") -> Tabulated:
        """A table for a paper.

        Args:
            name: ``groups``, ``pairs`` or ``points``.

        Raises:
            InputError: if there is no such table, or nothing to put in it.
        """
        return chosen(name, _tables_of(self))

    def __repr__(self) -> str:
        lines = [verdicts.paragraph(_asked(self)), self.title, *warnings_of(self.cautions)]
        parts = ["\n".join(lines).strip()]
        for name in ("groups", "pairs") if self.pairs else ("groups",):
            shown = self.table(name)
            parts.append(table(shown.header, shown.rows))
        parts.append(verdicts.paragraph(_meaning(self)))
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        return verdicts.report_html(repr(self))


def _asked(found: FrontComparison) -> str:
    deals = verdicts.deals_text(found.count, found.deals)
    return f"{deals}, at most {plural(found.nodes, 'node')} a deal"


def _rectangle(found: FrontComparison) -> str:
    """What a hypervolume is, for captions."""
    ends = [f"{nodes:,.0f} nodes and {length:.1f} moves"
            for nodes, length in (found.best, found.reference)]  # fmt: skip
    return (
        "hypervolume: the share that a run's front dominates of the rectangle from the best nodes "
        f"and length of all runs ({ends[0]}) to a reference point 5 % of the range worse than the "
        f"worst ({ends[1]}), nodes on a log scale; 1 is best; {found.charge}"
    )


def _meaning(found: FrontComparison) -> str:
    text = _rectangle(found)
    return (
        f"{text[0].upper()}{text[1:]}. Intervals over seeds: Student's t for one job, bootstrap "
        f"for a difference (with fewer than {LEAST} seeds: paired t)."
    )


def compare_fronts(
    runs: RunOrFolder | Sequence[RunOrFolder],
    deals: Any = None,
    nodes: int | None = None,
    jobs: Workers | int = -1,
    *,
    progress: bool = False,
) -> FrontComparison:
    """Measure the fronts of bi-objective runs on the same deals and compare the jobs.

    Each solver of a run's last front solves the deals. What NSGA-II weighs there, nodes against
    length, gives the front that holds on these deals, and its hypervolume (Zitzler and Thiele
    1999).

    Args:
        runs, deals, nodes, jobs, progress: as for ``gafreecell.compare``.

    Raises:
        BadInput: as ``gafreecell.compare`` does, and if a run has no front, or the jobs charge
            for failures in different ways.
    """
    jobs = Workers.of(jobs)
    found = prepared(runs, deals, nodes)
    total = sum(len(run.front) for run in found.runs)
    with watched(progress, len(found.chosen.deals) * total) as watch:
        return fronts_compared(found, jobs, watch)


def fronts_compared(
    contest: Contest, jobs: Workers, watch: Watch, option: str = OPTION
) -> FrontComparison:
    """Measure the solvers of all fronts on the same deals and compare the groups.

    Args:
        contest: the groups, and how they are measured.
        jobs: how many deals are solved at once, or the ``Workers`` that solve them; one per core
            by default.
        watch: shows progress.
        option: how a user sets the budget, for messages.

    Raises:
        BadInput: if a run has no front, or the runs' budgets or charges for failures differ.
    """
    groups, fronts = contest.groups, {str(run.folder): run.front for run in contest.runs}
    check_budgets({str(run.folder): run.weights for run in contest.runs}, contest, option)
    rules = contest.runs[0].job.fitness
    for run in contest.runs:
        if run.job.fitness != rules:
            raise InputError(
                f"{run.folder} has another [fitness] than {contest.runs[0].folder}, by which "
                "failures are charged: compare fronts of jobs that have the same"
            )
    solvers = {
        f"{folder}, {place}": point.weights
        for folder, points in fronts.items()
        for place, point in enumerate(points)
    }
    outcomes, budget = measured_alike(solvers, contest, jobs, watch)
    scales = contest.game.scales
    costs = {
        folder: [
            costs_of(outcomes[f"{folder}, {place}"], budget, rules, scales)
            for place in range(len(points))
        ]
        for folder, points in fronts.items()
    }
    best, reach = rectangle([one for points in costs.values() for one in points])
    volumes = {
        group.name: tuple(volume(costs[str(run.folder)], best, reach) for run in group.runs)
        for group in groups
    }
    shift = shift_of(contest.runs[0].job)

    def shown(nodes: float, length: float) -> Costs:
        return unshifted(nodes, shift), length

    return FrontComparison(
        title=full_title(contest.game),
        deals=tuple(contest.chosen.names),
        count=len(contest.chosen.deals),
        seen=contest.chosen.seen,
        nodes=budget,
        charge=f"a failure counts {rules.failure:g} times the budget and {scales.moves:g} moves",
        best=shown(*best.tolist()),
        reference=shown(*(best + reach).tolist()),
        noun=contest.noun,
        cautions=cautions_of(replace(contest, submit="champion")),
        groups=tuple(groups),
        points={
            folder: tuple(shown(*points[place]) for place in front(points))
            for folder, points in costs.items()
        },
        hypervolumes=volumes,
        means={name: _mean_volume(values) for name, values in volumes.items()},
        pairs=tuple(_pairs(groups, volumes)),
    )


def _mean_volume(values: Sequence[float]) -> Estimate:
    low, high = np.clip(student(values), 0, 1)
    return Estimate(float(np.mean(values)), varied((float(low), float(high))))


def rectangle(points: Sequence[Costs]) -> tuple[Numbers, Numbers]:
    """Within what hypervolumes are measured: its best corner, and its sides."""
    best, worst = np.min(points, axis=0), np.max(points, axis=0)
    return best, np.maximum((1 + ROOM) * (worst - best), 1e-12)


def volume(costs: Sequence[Costs], best: Numbers, reach: Numbers) -> float:
    """The share of a rectangle that points dominate."""
    points = [
        Point(place, tuple(((np.array(one) - best) / reach).tolist()))
        for place, one in enumerate(costs)
    ]
    return float(hypervolume(points, ref=np.ones(2)))


def _pairs(groups: Sequence[Group], volumes: Mapping[str, tuple[float, ...]]) -> list[FrontPair]:
    several = {group.name: group.seeds for group in groups if len(group.runs) > 1}
    found = [
        FrontPair(
            one,
            other,
            tested(
                np.array(volumes[one]), np.array(volumes[other]), several[one] == several[other]
            ),
        )
        for one, other in pairs_of(list(several))
    ]
    differences = corrected([pair.difference for pair in found])
    return [replace(pair, difference=one) for pair, one in zip(found, differences, strict=True)]


def _tables_of(found: FrontComparison) -> Tables:
    asked = "; ".join([_asked(found), *found.cautions])

    def groups() -> Tabulated:
        records: list[Record] = [
            {found.noun: name, "seeds": len(found.hypervolumes[name]),
             **spread("hypervolume", one.value, one.interval)}
            for name, one in found.means.items()
        ]  # fmt: skip
        rows = [
            [name, f"{len(found.hypervolumes[name])}", verdicts.share(one.value),
             verdicts.bracket(one.interval, verdicts.share) or "-"]
            for name, one in found.means.items()
        ]  # fmt: skip
        header = [found.noun, "seeds", "hypervolume", "95 % interval"]
        about = f"{asked}; {_rectangle(found)}; intervals 95 % over seeds (Student's t)"
        about = noted(about, rows, UNKNOWN)
        return Tabulated("groups", about, records, header, rows)

    def pairs() -> Tabulated:
        records: list[Record] = []
        rows = []
        by_t = False
        for pair in found.pairs:
            one = pair.difference
            ends = one.difference.interval
            if ends[0] != ends[0]:
                ends = one.interval_t
            records.append(
                {found.noun: pair.group, "against": pair.against,
                 **spread("difference", one.difference.value, ends),
                 "p": one.p, "p_holm": one.p_holm, "p_t": one.p_t}
            )  # fmt: skip
            told = f"{one.difference.value:+.3f}"
            shown = verdicts.bracket(ends, lambda value: f"{value:+.3f}") or "-"
            by_t |= ends is one.interval_t and shown != "-"
            rows.append(
                [f"{pair.group} - {pair.against}", told, shown, verdicts.p_cell(one.p_holm)]
            )
        about = f"{asked}; differences of mean hypervolumes, more is better for the first; "
        about += f"{_rectangle(found)}; intervals 95 % over seeds ("
        about += f"paired t-test, for fewer than {LEAST} seeds" if by_t else "bootstrap"
        about = noted(f"{about}); p-values of rank tests, corrected by Holm", rows, UNKNOWN)
        return Tabulated(
            "pairs", about, records, ["pair", "difference", "95 % interval", "p (Holm)"], rows
        )

    def points() -> Tabulated:
        records: list[Record] = [
            {found.noun: group.name, "seed": run.job.seed, "nodes": nodes, "length": length}
            for group in found.groups
            for run in group.runs
            for nodes, length in found.points[str(run.folder)]
        ]
        rows = [
            [str(one[found.noun]), str(one["seed"]), f"{one['nodes']:,.0f}", f"{one['length']:.1f}"]
            for one in records
        ]
        about = (
            f"{asked}; for each run the solvers of its last front that no other dominates on these "
            "deals; nodes of a typical deal (shifted geometric mean) and mean length; "
            f"{found.charge}"
        )
        return Tabulated("points", about, records, [found.noun, "seed", "nodes", "length"], rows)

    return {"groups": groups, "pairs": pairs, "points": points}
