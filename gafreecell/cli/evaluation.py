"""``evaluate``: compares solvers on the same deals."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from deals.words import plural
from gafreecell.cli import verdicts
from gafreecell.cli.notes import warn
from gafreecell.cli.options import assigned, varied
from gafreecell.cli.outputs import check_writable, refuse_existing
from gafreecell.cli.progress import counted, wanted
from gafreecell.cli.statuses import DONE
from gafreecell.cli.tables import rounded, tables
from gafreecell.comparison import Comparison, Summary, compare_solvers, summarise
from gafreecell.game import Game, full_title, limits_text
from gafreecell.inputs import Deals, InputError, read_deals
from gafreecell.solvers import (
    game_for,
    game_of,
    named_solvers,
    run_checked,
    with_parameters,
)
from solving.outcome import Limits, Outcome
from solving.weights import Weights


def evaluate(given: Namespace) -> int:
    """Run every solver on all the deals and compare them."""
    game = game_for(given.solvers, given.game)
    solvers = named_solvers(given.solvers, game)
    game = varied(game_of(solvers, game), given)
    solvers = {
        name: with_parameters(weights, assigned(given), game, name)
        for name, weights in solvers.items()
    }
    deals = read_deals(given.deals, game)
    warn(deals.boards())
    limits = {
        name: weights.limits.unless(given.nodes, given.seconds) for name, weights in solvers.items()
    }
    if given.output:
        refuse_existing(given.output)
        check_writable(given.output)
    results = run_solvers(solvers, deals, game, limits, given)
    if given.output:
        _write_rows(given.output, deals, results)
    if given.format == "json":
        _print_json(given, game, solvers, limits, results)
        return DONE
    summaries = {name: summarise(outcomes) for name, outcomes in results.items()}
    asked = [deals_text(len(deals), given.deals), f"{budgets(limits)} a deal"]
    asked += [f"--set {word}" for word in given.set]
    print(verdicts.paragraph(", ".join(asked)))
    print(f"{full_title(game)}\n")
    print(report(summaries, compare_solvers(results), given.penalty))
    return DONE


def run_solvers(
    solvers: Mapping[str, Weights],
    deals: Deals,
    game: Game,
    limits: Mapping[str, Limits],
    given: Namespace,
) -> dict[str, list[Outcome]]:
    """Run each solver on the deals and show a progress bar for each; outcomes by solver."""
    _check_distinct(deals)
    results: dict[str, list[Outcome]] = {}
    for name, weights in solvers.items():
        with counted(len(deals), wanted(given.no_progress), name, good="decided") as advance:
            outcomes = results[name] = []
            for _, outcome in run_checked(deals, weights, game, limits[name], given.jobs):
                outcomes.append(outcome.without_moves())
                advance(1, outcome.status.decided)
    return results


def _check_distinct(deals: Deals) -> None:
    """Refuse numbers given twice: intervals and tests assume independent deals."""
    times = Counter(deal.board for deal in deals if isinstance(deal.board, int))
    twice = [number for number, count in times.items() if count > 1]
    if twice:
        raise InputError(
            f"deal {twice[0]} is given more than once ({plural(len(twice), 'repeated deal')} in "
            "all): a comparison needs distinct deals"
        )


def report(
    summaries: Mapping[str, Summary], comparisons: Sequence[Comparison], penalty: bool = False
) -> str:
    """A report on solvers for people: the findings, the figures, and what these mean."""
    parts = [verdicts.sentences(comparisons)] if comparisons else []
    parts.append(solver_table(summaries, penalty))
    parts += [verdicts.pair_table(comparison, penalty) for comparison in comparisons]
    meaning = verdicts.paragraph(_explanation(summaries, penalty))
    parts.append("\n".join([meaning, *[verdicts.explanation(comparisons)] * bool(comparisons)]))
    return "\n\n".join(parts)


def deals_text(count: int, words: Sequence[str]) -> str:
    """The number of deals, and their names."""
    return f"{plural(count, 'deal')} ({', '.join(words)})"


def budgets(limits: Mapping[str, Limits]) -> str:
    """The budget of a deal in words: one for all solvers if it is the same, else each one's."""
    texts = {name: limits_text(limit) for name, limit in limits.items()}
    if len(set(texts.values())) == 1:
        return f"at most {next(iter(texts.values()))}"
    return "at most " + ", ".join(f"{name} {text}" for name, text in texts.items())


def solver_table(summaries: Mapping[str, Summary], penalty: bool) -> str:
    """A row for each solver: what it solved, its nodes, lengths and time."""
    units = _telling_units(summaries)
    proofs = any(summary.unsolvable for summary in summaries.values())
    header = ["solver", "solved", *["no solution"] * proofs, "% [95 % interval]", "nodes, mean"]
    header += ["median", *["with 1000M"] * penalty, *units, "ms"]
    rows = []
    for name, summary in summaries.items():
        lengths = [f"{summary.lengths[u]:.1f}" if u in summary.lengths else "-" for u in units]
        row = [name, f"{summary.solved:,}", *[f"{summary.unsolvable:,}"] * proofs, _share(summary)]
        row += [verdicts.count(summary.nodes_mean), verdicts.count(summary.nodes_median)]
        row += [verdicts.count(summary.nodes_penalised)] * penalty
        rows.append([*row, *lengths, rounded(summary.milliseconds)])
    return tables(header, rows, verdicts.width())


def _telling_units(summaries: Mapping[str, Summary]) -> list[str]:
    """The units of length whose figures are not derived from an earlier unit's."""
    names = dict.fromkeys(unit for summary in summaries.values() for unit in summary.lengths)
    return verdicts.telling_units(
        {unit: [s.lengths[unit] for s in summaries.values() if unit in s.lengths] for unit in names}
    )


def _explanation(summaries: Mapping[str, Summary], penalty: bool) -> str:
    units = _telling_units(summaries)
    text = "Nodes, mean and median: states generated on the deals that the solver solved"
    if units:
        text += f"; {', '.join(units)}: mean solution length on the same deals"
    if penalty:
        text += "; with 1000M: mean nodes where an unsolved deal counts 1000M"
    text += "; ms: mean processor time over all deals"
    if any(summary.unsolvable for summary in summaries.values()):
        text += "; no solution: deals proved unsolvable"
    return f"{text}."


def _share(summary: Summary) -> str:
    """The share solved in percent, with as many digits as the number of deals supports."""
    digits = 1 if summary.deals < 1000 else 2
    share, low, high = (
        f"{100 * part:.{digits}f}" for part in (summary.solved / summary.deals, *summary.interval)
    )
    return f"{share} [{low}, {high}]"


def _print_json(
    given: Namespace,
    game: Game,
    solvers: Mapping[str, Weights],
    limits: Mapping[str, Limits],
    results: Mapping[str, Sequence[Outcome]],
) -> None:
    document: dict[str, Any] = {
        "game": game.name,
        "variant": dict(game.variant),
        "deals": given.deals,
        "solvers": {
            name: {
                "search": solvers[name].search.name,
                "parameters": dict(solvers[name].search.parameters),
                "nodes_limit": limits[name].nodes,
                **_figures(summarise(outcomes), given.penalty),
            }
            for name, outcomes in results.items()
        },
        "comparisons": [
            verdicts.document(comparison, given.penalty) for comparison in compare_solvers(results)
        ],
    }
    print(json.dumps(verdicts.plain(document), indent=2))


def _figures(summary: Summary, penalty: bool) -> dict[str, Any]:
    figures = asdict(summary)
    if not penalty:
        del figures["nodes_penalised"]
    return figures


def _write_rows(path: str, deals: Deals, results: Mapping[str, Sequence[Outcome]]) -> None:
    units = list(
        dict.fromkeys(u for found in results.values() for o in found for u in (o.lengths or {}))
    )
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["solver", "deal", "status", "expanded", "generated", "seconds", *units])
        for name, outcomes in results.items():
            for deal, o in zip(deals, outcomes, strict=True):
                lengths = [(o.lengths or {}).get(unit, "") for unit in units]
                row = [name, deal.name, o.status.value, o.nodes.expanded, o.nodes.generated]
                writer.writerow([*row, o.seconds, *lengths])
    print(f"wrote {path}", file=sys.stderr)
