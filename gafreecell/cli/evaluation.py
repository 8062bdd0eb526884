"""``evaluate``: solvers side by side on the same deals."""

from __future__ import annotations

import csv
import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from gafreecell.cli.options import varied
from gafreecell.cli.outputs import check_writable
from gafreecell.cli.progress import counted, wanted
from gafreecell.cli.statuses import DONE
from gafreecell.cli.tables import rounded, table
from gafreecell.game import Game, full_title, limits_text
from gafreecell.game import game as find_game
from gafreecell.inputs import Deals, read_deals
from gafreecell.solvers import game_of, named_solvers, run_all
from gafreecell.statistics import Summary, reduction, summarise
from solving.outcome import Limits, Outcome
from solving.weights import Weights


def evaluate(given: Namespace) -> int:
    """Run every solver on all the deals and compare them."""
    game = find_game(given.game)
    solvers = named_solvers(given.solvers, game)
    game = varied(game_of(solvers, game), given)
    deals = read_deals(given.deals, game)
    limits = {
        name: weights.limits.unless(given.nodes, given.seconds) for name, weights in solvers.items()
    }
    if given.output:
        check_writable(given.output)
    results: dict[str, list[Outcome]] = {}
    for name, weights in solvers.items():
        with counted(len(deals), wanted(given.no_progress), name, good="decided") as advance:
            outcomes = results[name] = []
            for _, outcome in run_all(deals, weights, game, limits[name], given.jobs):
                outcomes.append(outcome.without_moves())
                advance(1, outcome.status.decided)
    if given.output:
        _write_rows(given.output, deals, results)
    if given.format == "json":
        _print_json(given, solvers, limits, results)
    else:
        _print_tables(given, game, limits, results)
    return DONE


def _print_tables(
    given: Namespace,
    game: Game,
    limits: Mapping[str, Limits],
    results: Mapping[str, Sequence[Outcome]],
) -> None:
    summaries = {name: summarise(outcomes) for name, outcomes in results.items()}
    first = next(iter(summaries.values()))
    deals = f"{first.deals:,} deal{'s' if first.deals > 1 else ''}"
    print(f"{deals} ({', '.join(given.deals)}), {_budgets(limits)} a deal")
    print(f"{full_title(game)}\n")
    units = list(dict.fromkeys(unit for s in summaries.values() for unit in s.lengths))
    header = [
        "solver",
        "solved",
        "share [95 % interval]",
        "nodes mean",
        "median",
        "1000M if unsolved",
    ]
    header += [f"length {unit}" for unit in units] + ["ms a deal", "M nodes/s"]
    print(table(header, [_row(name, summary, units) for name, summary in summaries.items()]))
    print("\nNodes are generated states, over the deals solved unless said; ms over all deals.")
    if len(results) > 1:
        _print_reductions(results)


def _budgets(limits: Mapping[str, Limits]) -> str:
    """What a deal could take: once if all solvers have the same budget, else for each."""
    texts = {name: limits_text(limit) for name, limit in limits.items()}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return ", ".join(f"{name} {text}" for name, text in texts.items())


def _reduction(share: float) -> str:
    return f"{share:.1%}" if share > -1 else f"{1 - share:,.0f} times as many"


def _row(name: str, summary: Summary, units: Sequence[str]) -> list[str]:
    low, high = summary.interval
    share = summary.solved / summary.deals
    return [
        name,
        f"{summary.solved:,}",
        f"{share:.3%} [{100 * low:.3f}, {100 * high:.3f}]",
        _number(summary.nodes_mean),
        _number(summary.nodes_median),
        _number(summary.nodes_penalised),
        *[f"{summary.lengths[unit]:.1f}" if unit in summary.lengths else "-" for unit in units],
        rounded(summary.milliseconds),
        f"{summary.nodes_per_second / 1e6:.2f}",
    ]


def _print_reductions(results: Mapping[str, Sequence[Outcome]]) -> None:
    names = list(results)
    rows = []
    for name in names:
        for other in names:
            if name == other:
                continue
            fewer = reduction(results[name], results[other])
            if not fewer.own > 0:
                continue
            rows.append(
                [
                    f"{name} against {other}",
                    _reduction(fewer.own),
                    _reduction(fewer.penalised),
                    _reduction(fewer.both),
                    f"{fewer.shared:,}",
                ]
            )
    if not rows:
        return
    print("\nFewer nodes (1 - mean / mean):\n")
    print(table(["", "own solved", "1000M if unsolved", "both solved", "deals both solved"], rows))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == value else "-"


def _print_json(
    given: Namespace,
    solvers: Mapping[str, Weights],
    limits: Mapping[str, Limits],
    results: Mapping[str, Sequence[Outcome]],
) -> None:
    names = list(results)
    document = {
        "deals": given.deals,
        "solvers": {
            name: {
                "search": solvers[name].search.name,
                "nodes_limit": limits[name].nodes,
                **asdict(summarise(outcomes)),
            }
            for name, outcomes in results.items()
        },
        "reductions": [
            {"solver": name, "against": other, **asdict(reduction(results[name], results[other]))}
            for name in names
            for other in names
            if name != other
        ],
    }
    # JSON has no NaN: a solver that solved nothing has no mean.
    print(json.dumps(_plain(document), indent=2))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and value != value else value


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
