"""``compare``: compares jobs over the seeds of their runs."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean
from string import ascii_uppercase
from typing import Any

from deals.words import plural
from gafreecell.cli import verdicts
from gafreecell.cli.evaluation import budgets, deals_text, report, run_solvers
from gafreecell.cli.notes import warn
from gafreecell.cli.statuses import DONE
from gafreecell.cli.tables import table, tables
from gafreecell.comparison import compare_solvers, summarise
from gafreecell.costs import PURPOSES
from gafreecell.game import Game, full_title
from gafreecell.groups import Group, grouped
from gafreecell.held_out import held_out, named
from gafreecell.inputs import Deals, InputError, read_deals
from gafreecell.job import Job
from gafreecell.record import Run
from gafreecell.run import load
from gafreecell.seeds import FAILURE, GroupComparison, Measured, Verdict, compare_groups, measured
from gafreecell.statistics import LEAST
from solving.outcome import Limits, Outcome

LONGEST = 24
"""Longest name of a group that tables show. If any name is longer, groups are called A, B, ...

JSON keeps the full names, and a single group keeps its name."""


def compare(given: Namespace) -> int:
    """Measure each run's best weights on the same deals and compare the groups."""
    runs = [_run(name) for name in dict.fromkeys(given.runs)]
    groups = full = grouped(runs)
    long = max(len(group.name) for group in full) > LONGEST
    if given.format == "table" and long and len(full) > 1:
        groups = [replace(group, name=_letter(place)) for place, group in enumerate(full)]
    game = runs[0].job.load_game()
    deals, words, used = _deals(given, [run.job for run in runs], game)
    last = given.submit == "last"
    solvers = {str(run.folder): run.candidate() if last else run.weights for run in runs}
    limits = {name: weights.limits.unless(given.nodes, None) for name, weights in solvers.items()}
    if len({limit.nodes for limit in limits.values()}) > 1:
        raise InputError(
            f"the runs have different node budgets ({budgets(limits)}): set one for all with "
            "--nodes N"
        )
    results = run_solvers(solvers, deals, game, limits, given)
    about_deals = f"{deals_text(len(deals), words)}, {budgets(limits)} a deal{used}"
    head = [verdicts.paragraph(about_deals)]
    if last:
        head.append(
            verdicts.paragraph(
                "Each run is measured by the candidate of its last generation (--submit last), not "
                "by its best weights."
            )
        )
    head.append(f"{full_title(game)}\n")
    head += [_members(group, one.name) for group, one in zip(groups, full, strict=True)]
    # With one seed each, the deals are the only observations.
    over_deals = len(groups) > 1 and all(len(group.runs) == 1 for group in groups)
    if over_deals:
        of_groups = {group.name: results[str(group.runs[0].folder)] for group in groups}
        text, document = _over_deals(of_groups)
    else:
        text, document = _over_seeds(groups, results, next(iter(limits.values())).nodes)
    spent = {group.name: _costs(group, last) for group in groups}
    if given.format == "json":
        about = {
            "game": game.name,
            "variant": dict(game.variant),
            "deals": words,
            "submit": given.submit,
            "over": "deals" if over_deals else "seeds",
            "groups": {group.name: _document(group, results, limits) for group in groups},
        }
        print(json.dumps(verdicts.plain({**about, **document, "costs": spent}), indent=2))
    else:
        print("\n".join(head), text, *_cost_table(spent, last), sep="\n\n")
    return DONE


def _run(name: str) -> Run:
    if Path(name).is_file() or not Path(name).exists():
        raise InputError(
            f"{name} is not a run folder: compare takes folders that evolve made; for presets and "
            "weights files use 'gafreecell evaluate'"
        )
    run = load(name)
    # Raises RunError if there are no weights yet.
    assert run.best
    return run


def _letter(place: int) -> str:
    """A to Z, then AA, AB and so on."""
    before = _letter(place // 26 - 1) if place >= 26 else ""
    return before + ascii_uppercase[place % 26]


def _members(group: Group, name: str) -> str:
    """A group and its runs, for people; with the letter that stands for its name, if any."""
    seeds = "seed" if len(group.runs) == 1 else "seeds"
    text = f"{group.name}: {name}, " if group.name != name else f"{name}: "
    text += f"{seeds} {', '.join(map(str, group.seeds))}"
    text += f" ({', '.join(str(run.folder) for run in group.runs)})"
    cut = [run for run in group.runs if not run.finished]
    for run in cut:
        done = f"{run.generation} of {plural(run.job.generations, 'generation')}"
        text += f"; seed {run.job.seed} has done {done}"
    return verdicts.paragraph(text, "  ")


def _over_deals(results: Mapping[str, Sequence[Outcome]]) -> tuple[str, dict[str, Any]]:
    """Compare single runs: one observation is a deal."""
    comparisons = compare_solvers(results)
    warning = verdicts.paragraph(
        "One seed each: nothing can be concluded about the jobs, because other seeds may reverse "
        "the result. The comparison below is of the weights of these runs, deal by deal."
    )
    summaries = {name: summarise(outcomes) for name, outcomes in results.items()}
    text = f"{warning}\n\n{report(summaries, comparisons)}"
    return text, {"comparisons": [verdicts.document(one, False) for one in comparisons]}


def _over_seeds(
    groups: Sequence[Group], results: Mapping[str, Sequence[Outcome]], budget: int
) -> tuple[str, dict[str, Any]]:
    """Compare groups: one observation is a run."""
    by_seed = {
        group.name: {run.job.seed: results[str(run.folder)] for run in group.runs}
        for group in groups
    }
    found = measured(by_seed, budget)
    comparisons = compare_groups(found)
    deals = len(next(iter(results.values())))
    # Holm's correction multiplies the smallest p-value by the number of pairs.
    pairs = len(comparisons)
    parts = [verdicts.paragraph(_sentence(one, deals, found, pairs), "  ") for one in comparisons]
    parts += [
        verdicts.paragraph(f"{name}: one seed, so nothing can be concluded about the job")
        for name, group in found.items()
        if len(group.seeds) == 1
    ]
    first = next(iter(found.values()))
    units = verdicts.telling_units(
        {
            unit: [length for group in found.values() for length in group.lengths[unit]]
            for unit in first.lengths
        }
    )
    tabled = [_group_table(found, units), *[_pair_table(one, units) for one in comparisons]]
    text = "\n\n".join([*["\n".join(parts)] * bool(parts), *tabled, _explanation(comparisons)])
    figures = {name: asdict(group) for name, group in found.items()}
    document = {"measured": figures, "comparisons": [asdict(one) for one in comparisons]}
    return text, document


def _sentence(one: GroupComparison, deals: int, found: Mapping[str, Measured], pairs: int) -> str:
    """The finding of a comparison of groups, in words."""
    nodes, (mine, theirs) = one.nodes, (found[one.group], found[one.against])
    if nodes.difference.value != nodes.difference.value:
        return f"{one.group} and {one.against}: no run solved a deal within its budget"
    seeds = (
        f"{plural(one.seeds, 'seed')} each"
        if one.seeds == one.seeds_against
        else f"{one.seeds} and {plural(one.seeds_against, 'seed')}"
    )
    interval = f" {verdicts.bracket(nodes.difference.interval)}".rstrip()
    text = (
        f"{one.group} needs {verdicts.ratio(nodes.difference.value)} times the nodes (PAR10) of "
        f"{one.against}{interval}, {verdicts.p_text(nodes.p_holm)} over {seeds}; solved "
        f"{mine.solved_mean.value:,.1f} against {theirs.solved_mean.value:,.1f} of {deals:,} on "
        f"average ({verdicts.p_text(one.solved.p_holm)})"
    )
    least = min(1.0, pairs * one.least_p)
    if least > 0.05:
        text += f"; with so few seeds p cannot be below {verdicts.p_cell(least)}"
    return text


def _group_table(found: Mapping[str, Measured], units: Sequence[str]) -> str:
    header = ["job", "seeds", "nodes, PAR10", "solved", *units]
    rows = []
    for name, group in found.items():
        nodes, solved = group.nodes_mean, group.solved_mean
        row = [
            name,
            f"{len(group.seeds)}",
            f"{verdicts.count(nodes.value)} {verdicts.bracket(nodes.interval, verdicts.count)}",
        ]
        row.append(f"{solved.value:,.1f} {verdicts.bracket(solved.interval, _tenths)}")
        rows.append(
            [*map(str.strip, row), *[_tenths(fmean(group.lengths[unit])) for unit in units]]
        )
    return tables(header, rows, verdicts.width())


def _pair_table(one: GroupComparison, units: Sequence[str]) -> str:
    def row(title: str, verdict: Verdict, write: Any) -> list[str]:
        figure = verdict.difference
        cells = [write(figure.value), verdicts.bracket(figure.interval, write) or "-"]
        return [title, *cells, verdicts.p_cell(verdict.p_holm), verdicts.p_cell(verdict.p_t)]

    rows = [
        row("nodes, PAR10", one.nodes, verdicts.ratio),
        row("deals solved", one.solved, verdicts.difference),
    ]
    rows += [row(f"length, {unit}", one.lengths[unit], verdicts.difference) for unit in units]
    how = "seed by seed" if one.paired else "not paired: the seeds differ"
    names = ["signed-rank", "t"] if one.paired else ["Mann-Whitney", "Welch"]
    header = ["", "", "95 % interval", *[f"p, {name}" for name in names]]
    return f"{one.group} against {one.against}, {how}:\n\n{table(header, rows)}"


def _costs(group: Group, last: bool) -> dict[str, dict[str, float]] | None:
    """What a run of the group cost on average, by purpose and in total.

    Args:
        group: the runs.
        last: whether the last generation's weights are compared. Validation did not choose them,
            so its cost is left out.

    Returns:
        The means by purpose and under "total", or None if an older version made one of the runs.
    """
    runs = [run.costs for run in group.runs]
    if not all(runs):
        return None
    keys = ("evaluations", "nodes", "seconds")
    spent = {
        purpose: {
            key: fmean(asdict(costs[purpose])[key] for costs in runs if costs) for key in keys
        }
        for purpose in PURPOSES
        if not (last and purpose == "validation")
    }
    return {**spent, "total": {key: sum(cost[key] for cost in spent.values()) for key in keys}}


def _cost_table(spent: Mapping[str, dict[str, dict[str, float]] | None], last: bool) -> list[str]:
    """A paragraph and a table of what a run of each group cost; empty if no costs are known.

    Args:
        spent: what ``_costs`` returns, by group.
        last: whether the last generation's weights are compared.
    """
    known = {name: costs for name, costs in spent.items() if costs}
    if not known:
        return []
    header = ["job", "for", "evaluations", "nodes", "seconds"]
    rows = []
    for name, costs in known.items():
        counted = {purpose: cost for purpose, cost in costs.items() if cost["evaluations"]}
        if len(counted) == 2:
            # The total would repeat the only purpose.
            del counted["total"]
        rows += [
            [
                name,
                purpose,
                f"{cost['evaluations']:,.0f}",
                f"{cost['nodes']:,.0f}",
                f"{cost['seconds']:,.1f}",
            ]
            for purpose, cost in counted.items()
        ]
    validation = " and" if last else ", the validation that chose its best, and"
    text = (
        f"Mean cost of a run: its solvers on the training deals{validation} the baseline. "
        "Seconds are processor time of the searches."
    )
    if last:
        text += " Validation is left out because it did not choose these weights."
    return [verdicts.paragraph(text), tables(header, rows, verdicts.width())]


def _explanation(comparisons: Sequence[GroupComparison]) -> str:
    text = (
        "A run is one observation, whatever the number of deals. PAR10: geometric mean of nodes "
        "over the deals that at least one run solved; a deal that a run failed counts "
        f"{FAILURE} times the budget. Lengths: mean over the deals that all runs solved. Intervals "
        "over seeds: Student's t for one job, bootstrap for a comparison of two"
    )
    if any(min(one.seeds, one.seeds_against) < LEAST for one in comparisons):
        text += f" (only with at least {LEAST} seeds each)"
    if len(comparisons) > 1:
        pairs = f"{len(comparisons)} pairs (Holm)"
        text += f"; rank tests are corrected for {pairs}, t-tests are not"
    return verdicts.paragraph(f"{text}.")


def _document(
    group: Group, results: Mapping[str, Sequence[Outcome]], limits: Mapping[str, Limits]
) -> list[dict[str, Any]]:
    """The runs of a group as JSON objects."""
    rows = []
    for run in group.runs:
        summary = asdict(summarise(results[str(run.folder)]))
        del summary["nodes_penalised"]
        about = {"run": str(run.folder), "seed": run.job.seed, "generations": run.generation}
        rows.append({**about, "nodes_limit": limits[str(run.folder)].nodes, **summary})
    return rows


def _tenths(value: float) -> str:
    return f"{value:,.1f}"


def _deals(given: Namespace, jobs: Sequence[Job], game: Game) -> tuple[Deals, list[str], str]:
    """The deals to measure on, the words that name them, and how many of them a run used."""
    if given.deals:
        deals, words = read_deals(given.deals, game), list(given.deals)
        warn(deals.boards())
        numbers = [deal.board for deal in deals if isinstance(deal.board, int)]
        seen = named(numbers, jobs, game).seen if numbers else 0
    else:
        held = held_out(jobs, game)
        deals, words, seen = Deals([held.problems]), [held.name], held.seen
    used = f"; runs trained or validated on {seen:,} of them" if seen else ""
    return deals, words, used
