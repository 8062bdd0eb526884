"""``compare``: compares jobs over the seeds of their runs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from gafreecell.cli.evaluation import pair_document, print_json, watch
from gafreecell.cli.notes import warn
from gafreecell.cli.statuses import DONE
from gafreecell.comparing.groups import Group, grouped
from gafreecell.comparing.jobs import groups_compared, run_at, unused, with_seen
from gafreecell.comparing.run_comparison import RunComparison
from gafreecell.evolution.costs import MeanCost
from gafreecell.service.inputs import read_deals


def compare(given: Namespace) -> int:
    """Measure each run's best weights on the same deals and compare the groups."""
    runs = [run_at(name) for name in dict.fromkeys(given.runs)]
    groups = grouped(runs)
    jobs = [run.job for run in runs]
    game = jobs[0].load_game()
    if given.deals:
        deals = read_deals(given.deals, game)
        warn(deals.boards())
        chosen = with_seen(deals, given.deals, jobs, game)
    else:
        chosen = unused(jobs, game)
    found = groups_compared(
        groups, chosen, game, given.nodes, given.submit, given.jobs, watch(given), "--nodes N"
    )
    if given.format == "json":
        print_json(_document(found))
    else:
        print(found)
    return DONE


def _document(found: RunComparison) -> dict[str, Any]:
    over_deals = found.over == "deals"
    about = {
        "game": found.game,
        "variant": found.variant,
        "deals": found.deals,
        "submit": found.submit,
        "over": found.over,
        "groups": {group.name: _runs(group, found) for group in found.groups},
    }
    figures: dict[str, Any] = (
        {"comparisons": [pair_document(pair, False) for pair in found.pairs_by_deal]}
        if over_deals
        else {
            "measured": {name: asdict(group) for name, group in found.measured.items()},
            "comparisons": [asdict(pair) for pair in found.pairs],
        }
    )
    costs = {name: _costs(spent) for name, spent in found.costs.items()}
    return {**about, **figures, "costs": costs}


def _costs(spent: Mapping[str, MeanCost] | None) -> dict[str, Any] | None:
    if spent is None:
        return None
    return {purpose: asdict(cost) for purpose, cost in spent.items()}


def _runs(group: Group, found: RunComparison) -> list[dict[str, Any]]:
    """The runs of a group as JSON objects."""
    rows = []
    for run in group.runs:
        summary = asdict(found.summaries[str(run.folder)])
        del summary["nodes_penalised"]
        about = {"run": str(run.folder), "seed": run.job.seed, "generations": run.generation}
        rows.append({**about, "nodes_limit": found.nodes, **summary})
    return rows
