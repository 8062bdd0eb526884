"""``evaluate`` and ``compare``: solvers on the same deals, jobs over the seeds of their runs."""

from __future__ import annotations

import csv
import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

from gafreecell.cli.notes import warn, warn_of_others
from gafreecell.cli.options import assigned, varied, workers_of
from gafreecell.cli.outputs import check_writable, refuse_existing
from gafreecell.cli.statuses import DONE
from gafreecell.comparing.fronts import FrontComparison, fronts_compared
from gafreecell.comparing.groups import Group
from gafreecell.comparing.jobs import Contest, groups_compared, prepared
from gafreecell.comparing.pairs import Comparison, Summary, figures_of
from gafreecell.comparing.run_comparison import RunComparison
from gafreecell.comparing.solver_comparison import SolverComparison, cautions, solver_report
from gafreecell.comparing.solvers import Watch, solvers_compared
from gafreecell.comparing.tabulated import Tabulated, check_name
from gafreecell.evolution.costs import MeanCost
from gafreecell.service.inputs import GivenDeals, InputError, read_deals
from gafreecell.service.solvers import game_for, game_of, labelled, named_solvers, with_parameters
from gafreecell.solitaire.game import Game
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.saying import say
from gafreecell.terminal.progress import counted
from gafreecell.workers.chosen import Workers

GROUP_TABLES = ("groups", "pairs", "runs", "ranks")
OPTION = "--nodes N"
"""How the node budget is set."""


def evaluate(given: Namespace) -> int:
    """Run every solver on all the deals and compare them."""
    check_table(given, ("solvers", "pairs", "deals", "ranks"))
    game = game_for(given.solvers, given.game)
    solvers = named_solvers(given.solvers, game)
    game = varied(game_of(solvers, game), given)
    solvers = {
        name: with_parameters(weights, assigned(given), game, name)
        for name, weights in solvers.items()
    }
    deals = read_deals(given.deals, game)
    warn_of_others(solvers, game, deals)
    warn(deals.boards())
    limits = {
        name: weights.limits.unless(given.nodes, given.seconds, given.memory)
        for name, weights in solvers.items()
    }
    if given.output:
        refuse_existing(given.output)
        check_writable(given.output)
    found = solvers_compared(
        solvers,
        labelled(given.solvers),
        deals,
        given.deals,
        game,
        limits,
        given.set,
        workers_of(given),
        watch(given),
    )
    if given.output:
        _write_rows(given.output, deals, found.outcomes)
    if given.format == "table":
        print(solver_report(found, given.penalty))
        return DONE
    for line in cautions(found):
        say(f"gafreecell: {line[0].lower()}{line[1:]}")
    if given.format == "json":
        print_json(_document(found, given.penalty))
    else:
        print_table(found.table(given.table or "solvers"), given.format)
    return DONE


def print_table(found: Tabulated, form: str) -> None:
    """Print a table for a paper as ``csv``, ``latex`` or ``markdown``."""
    print(getattr(found, form)(), end="")


def check_table(given: Namespace, names: Sequence[str]) -> None:
    """Refuse a table's name before any work: a wrong one, or where a report is printed.

    Raises:
        InputError: naming the tables there are.
    """
    if given.table is None:
        return
    check_name(given.table, names)
    if given.format in ("table", "json"):
        raise InputError(
            f"--table {given.table} needs a format of a single table: add --format csv, latex or "
            "markdown"
        )


def watch(given: Namespace) -> Watch:
    """What shows a progress bar for each solver, as the options say."""

    @contextmanager
    def bar(name: str, deals: int) -> Iterator[Callable[[int, bool], None]]:
        with counted(deals, not given.no_progress, name, good="decided") as advance:
            yield advance

    return bar


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document as JSON, which has no NaN: they become null."""
    print(json.dumps(plain(document), indent=2))


def plain(value: Any) -> Any:
    """A value as JSON can hold it: NaN and infinity become None."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def pair_document(found: Comparison, penalty: bool) -> dict[str, Any]:
    """A comparison as a JSON object."""
    figures = asdict(found)
    if not penalty:
        del figures["penalised"]
    return figures


def _document(found: SolverComparison, penalty: bool) -> dict[str, Any]:
    return {
        "game": found.game,
        "variant": found.variant,
        "deals": found.deals,
        "solvers": {
            name: {
                "search": found.solvers[name].search.name,
                "parameters": dict(found.solvers[name].search.parameters),
                "nodes_limit": found.limits[name].nodes,
                **_figures(summary, penalty),
            }
            for name, summary in found.summaries.items()
        },
        "comparisons": [pair_document(pair, penalty) for pair in found.pairs],
        "ranks": found.ranks and asdict(found.ranks),
    }


def _figures(summary: Summary, penalty: bool) -> dict[str, Any]:
    figures = asdict(summary)
    if not penalty:
        del figures["nodes_penalised"]
    return figures


def _write_rows(path: str, deals: GivenDeals, results: Mapping[str, Sequence[Outcome]]) -> None:
    units = list(
        dict.fromkeys(u for found in results.values() for o in found for u in figures_of(o))
    )
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["solver", "deal", "status", "expanded", "generated", "seconds", *units])
        for name, outcomes in results.items():
            for deal, o in zip(deals, outcomes, strict=True):
                lengths = [figures_of(o).get(unit, "") for unit in units]
                row = [name, deal.name, o.status.value, o.nodes.expanded, o.nodes.generated]
                writer.writerow([*row, o.seconds, *lengths])
    say(f"wrote {path}")


def compare(given: Namespace) -> int:
    """Measure each run's best weights on the same deals and compare the groups."""
    fronts = given.submit == "front"
    check_table(given, ("groups", "pairs", "points") if fronts else GROUP_TABLES)
    if fronts and given.format == "json":
        raise InputError("fronts are printed as a report or a table: add --format csv, or none")
    found = (
        _fronts(given) if fronts else compared(given, workers_of(given), given.nodes, given.submit)
    )
    if given.format == "table":
        print(found)
        return DONE
    for one in found.cautions:
        say(f"gafreecell: {one}")
    if isinstance(found, RunComparison) and given.format == "json":
        print_json(_run_document(found))
    else:
        print_table(found.table(given.table or "groups"), given.format)
    return DONE


def _fronts(given: Namespace) -> FrontComparison:
    """The comparison of the fronts of runs and studies, on a command's deals."""
    return fronts_compared(
        _contest(given, given.nodes, None), workers_of(given), watch(given), OPTION
    )


def compared(
    given: Namespace, workers: Workers, nodes: int | None, submit: str | None = None
) -> RunComparison:
    """The comparison of the runs and studies that a command names, on its deals."""
    return groups_compared(_contest(given, nodes, submit), workers, watch(given), OPTION)


def _contest(given: Namespace, nodes: int | None, submit: str | None) -> Contest:
    return prepared(dict.fromkeys(given.runs), given.deals or None, nodes, submit, _read)


def _read(words: str | Sequence[str], game: Game) -> tuple[GivenDeals, Sequence[str]]:
    """The deals that a command or a plan names; warns of boards that are no deals."""
    named = [words] if isinstance(words, str) else words
    deals = read_deals(named, game)
    warn(deals.boards())
    return deals, named


def _run_document(found: RunComparison) -> dict[str, Any]:
    over_deals = found.over == "deals"
    about = {
        "game": found.game,
        "variant": found.variant,
        "deals": found.deals,
        "submit": found.submit,
        "cautions": found.cautions,
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
    ranks = found.ranks and asdict(found.ranks)
    return {**about, **figures, "ranks": ranks, "costs": costs}


def _costs(spent: Mapping[str, MeanCost] | None) -> dict[str, Any] | None:
    if spent is None:
        return None
    return {purpose: asdict(cost) for purpose, cost in spent.items()}


def _runs(group: Group, found: RunComparison) -> list[dict[str, Any]]:
    rows = []
    for run in group.runs:
        summary = asdict(found.summaries[str(run.folder)])
        del summary["nodes_penalised"]
        about = {"run": str(run.folder), "seed": run.job.seed, "generations": run.generation}
        rows.append({**about, "nodes_limit": found.nodes, **summary})
    return rows
