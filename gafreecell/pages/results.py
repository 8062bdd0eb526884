"""What came out of runs, in sentences and tables: how their weights do on deals they never used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deals.words import plural
from gafreecell.comparing import run_comparison as run_verdicts
from gafreecell.comparing import solver_comparison as verdicts
from gafreecell.comparing.fairness import mixed
from gafreecell.comparing.pairs import Comparison
from gafreecell.comparing.statistics import holm
from gafreecell.pages.trial import Trial
from gafreecell.runs.folder import engine_of
from gafreecell.solitaire.game import limits_text, returns_the_same
from gafreecell.terminal.tables import Table

TYPICAL = (
    "Nodes are positions generated. A typical deal: the geometric mean; an undecided deal counts "
    "the whole budget, and one proved unsolvable the nodes of its proof."
)


@dataclass(frozen=True)
class Fact:
    """A figure that a page begins with.

    Attributes:
        name: what it is.
        value: the figure.
        about: what to compare it with, or how sure it is.
    """

    name: str
    value: str
    about: str = ""


def findings(found: Trial) -> Iterator[str]:
    """What came out, in sentences."""
    unused = "" if found.held.seen else " that no run trained or validated on"
    if len(found.runs) == 1:
        ((name, baseline),) = found.baselines.items()
        mine = found.scores[name]
        yield (
            f"On {_deals(found)}{unused}, the best evolved weights solve {mine.solved:,} and need "
            f"{_spent(name, found)} on a typical deal. {_level(baseline, found)}"
        )
        yield f"{verdicts.sentence(found.against[0])}."
        yield from _nearest(found)
        return
    yield f"All runs are measured on the same {_deals(found)}{unused}."
    ordered = sorted(found.runs, key=lambda name: found.scores[name].typical)
    best, worst = ordered[0], ordered[-1]
    text = f"The champion of {best} needs least on a typical deal: {_spent(best, found)}"
    if found.scores[best].typical < found.scores[worst].typical:
        text += f"; that of {worst} needs most: {_spent(worst, found)}"
    yield " ".join(
        [f"{text}.", *(_level(name, found) for name in dict.fromkeys(found.baselines.values()))]
    )
    yield from _nearest(found)


def _nearest(found: Trial) -> Iterator[str]:
    """The rival that needs least, unless it is a baseline, which is told anyway."""
    baselines = {*found.baselines.values()}
    rivals = sorted(found.scores.keys() - found.runs.keys() | baselines)
    nearest = min(rivals, key=lambda name: found.scores[name].typical)
    if nearest not in baselines:
        yield _level(nearest, found, "nearest rival")


def _deals(found: Trial) -> str:
    return f"{plural(len(found.held.deals), 'deal')} ({found.held.name})"


def _level(name: str, found: Trial, what: str = "baseline") -> str:
    solved = found.scores[name].solved
    return f"The {what} ({name}) solves {solved:,} and needs {_spent(name, found)}."


def _spent(name: str, found: Trial) -> str:
    typical = found.scores[name].typical
    if found.progress.by_cost:
        return f"a cost of {typical:.4g}"
    return plural(typical, "node", digits=",.0f")


def cautions(found: Trial) -> Iterator[str]:
    """Why figures may not be fair, or not be final."""
    seen, count = found.held.seen, len(found.held.deals)
    if seen:
        yield (
            f"Runs trained or validated on {seen:,} of the {plural(count, 'deal')}, so the figures "
            "of these runs are too good: choose deals that they did not use."
        )
    for one in (*found.progress.cautions, *mixed(found.runs.values())):
        yield f"{one[0].upper()}{one[1:]}."
    for name, run in found.runs.items():
        made = engine_of(run.folder)
        if not returns_the_same(found.game, made):
            yield (
                f"{name} was made by engine {made}, but engine {found.game.engine} solved the "
                "deals here; its counts of nodes may differ."
            )


def facts(found: Trial) -> Iterator[Fact]:
    """A few figures of a single run."""
    ((name, run),) = found.runs.items()
    against, score = found.against[0], found.scores[name]
    low, high = (100 * end for end in found.summaries[name].interval)
    yield Fact(
        "deals solved",
        f"{score.solved:,} of {score.deals:,}",
        f"{low:.1f} to {high:.1f} % with 95 % confidence",
    )
    if score.by_cost:
        yield Fact("cost of a deal", f"{score.typical:.4g}", "mean over the deals")
    else:
        about = "positions generated, geometric mean"
        yield Fact("nodes of a typical deal", f"{score.typical:,.0f}", about)
    if against.both:
        interval = verdicts.bracket(against.nodes_typical.interval)
        both = f"over the {plural(against.both, 'deal')} that both solved"
        yield Fact(
            "nodes as a multiple of the baseline's",
            f"× {verdicts.ratio(against.nodes_typical.value)}",
            f"{both}; 95 % interval {interval}" if interval else both,
        )
    evaluations = plural(sum(line["evaluations"] for line in run.lines), "evaluation")
    yield Fact(
        "generations",
        f"{run.generation:,}",
        f"champion of generation {run.best.generation:,}; {evaluations}",
    )


def overview(found: Trial) -> Table:
    """Several runs side by side."""
    by_cost = found.progress.by_cost
    columns: dict[str, list[str]] = {"run": [*found.runs]}
    runs = found.runs.values()
    for key, values in {
        "trainer": [run.job.trainer for run in runs],
        "scheme": [run.job.scheme for run in runs],
        "seed": [str(run.job.seed) for run in runs],
    }.items():
        if len(set(values)) > 1:
            columns[key] = values
    columns["generations"] = [f"{run.generation:,}" for run in runs]
    columns["evaluations"] = [f"{sum(line['evaluations'] for line in r.lines):,}" for r in runs]
    columns["champion's generation"] = [f"{run.best.generation:,}" for run in runs]
    scores = [found.scores[name] for name in found.runs]
    columns["solved"] = [f"{score.solved:,} of {score.deals:,}" for score in scores]
    columns["% [95 % interval]"] = [
        "{:.1f} [{:.1f}, {:.1f}]".format(
            *(100 * part for part in (one.solved / one.deals, *one.interval))
        )
        for one in (found.summaries[name] for name in found.runs)
    ]
    columns["cost" if by_cost else "nodes, typical deal"] = [
        f"{score.typical:.4g}" if by_cost else f"{score.typical:,.0f}" for score in scores
    ]
    pairs = {one.solver: one.nodes_typical for one in found.against}
    columns["times baseline's"] = [
        f"{verdicts.ratio(pairs[name].value)} {verdicts.bracket(pairs[name].interval)}".strip()
        for name in found.runs
    ]
    rows = [[cells[place] for cells in columns.values()] for place in range(len(found.runs))]
    ratio = "Times baseline's: nodes over the deals that both solved, with a 95 % interval."
    note = ratio if by_cost else f"{TYPICAL} {ratio}"
    return Table("The runs side by side", [*columns], rows, [note])


def evaluated(found: Trial) -> Table:
    """Every solver by itself."""
    header, *rows = verdicts.solver_rows(found.summaries)
    limits = list(dict.fromkeys(limits_text(solver[2]) for solver in found.solvers.values()))
    notes = [
        f"{_deals(found)}, at most {' or '.join(limits)} a deal.",
        verdicts.solver_explanation(found.summaries, timed=False),
    ]
    # The last column is the time, which differs from machine to machine.
    return Table("Every solver on the same deals", header[:-1], [row[:-1] for row in rows], notes)


def against(found: Trial) -> Iterator[Table]:
    """The champions against their baselines."""
    if len(found.runs) == 1:
        yield from map(_pair_table, found.against)
        return
    nodes = holm([one.nodes_p for one in found.against])
    solved = holm([one.solved_p for one in found.against])
    rows = [
        [
            one.solver,
            one.against,
            f"{one.solved:,} : {one.solved_against:,}",
            verdicts.p_cell(p_solved),
            verdicts.ratio(one.nodes_typical.value),
            verdicts.bracket(one.nodes_typical.interval),
            verdicts.p_cell(p_nodes),
        ]
        for one, p_nodes, p_solved in zip(found.against, nodes, solved, strict=True)
    ]
    header = ["run", "baseline", "solved", "p, solved", "nodes, ratio", "95 % interval", "p, nodes"]
    yield Table("Each champion against its baseline", header, rows)


def _pair_table(one: Comparison) -> Table:
    header, *rows = verdicts.pair_rows(one)
    return Table(verdicts.pair_title(one), ["figure", "value", *header[2:]], rows)


def meaning(pairs: Sequence[Comparison]) -> str:
    """What the figures of comparisons mean, however wide the terminal is."""
    return " ".join(verdicts.explanation(pairs).split())


def pairs(found: Trial) -> Iterator[Table]:
    """The runs against each other: jobs over their seeds, or single runs deal by deal."""
    if found.by_seed is None:
        for one in found.pairs:
            table = _pair_table(one)
            says = f"{verdicts.sentence(one)}."
            yield Table(table.caption, table.header, table.rows, [says])
        return
    measured, groups = found.by_seed.measured, found.by_seed.pairs
    header, *rows = run_verdicts.group_rows(measured)
    yield Table("Jobs over their seeds", header, rows, [run_verdicts.explanation(groups)])
    for group in groups:
        header, *rows = run_verdicts.pair_rows(group, measured, len(groups) > 1)
        says = run_verdicts.sentence(group, found.by_seed.count, measured, len(groups))
        title = run_verdicts.pair_title(group)
        yield Table(title, ["figure", "value", *header[2:]], rows, [f"{says}."])


def pairs_note(found: Trial) -> str:
    """What can be concluded from comparing the runs; empty for a single one."""
    if found.by_seed is not None:
        text = "A run is one observation: runs that differ only in the seed form a group."
        return " ".join([text, *(f"{one}." for one in run_verdicts.single(found.by_seed.measured))])
    if found.pairs:
        text = (
            "Each job has a single run, so nothing can be concluded about the jobs: other seeds "
            "may reverse the result. These are the weights of the runs, compared deal by deal."
        )
        if len(found.pairs) > 1:
            text += f" Here p is corrected for {plural(len(found.pairs), 'comparison')}."
        return text
    if len(found.runs) > 1:
        return (
            "The runs have different node budgets, so their jobs are not compared over the seeds: "
            "set one for all with --nodes N."
        )
    return ""


def hard_note(found: Trial) -> str:
    """Which deals these are."""
    who = "champion" if len(found.runs) == 1 else "champions"
    text = f"Of the {_deals(found)}, these were the hardest for the {who}."
    if found.hopeless:
        deals = plural(found.hopeless, "deal")
        text += f" Left out: {deals} that neither the {who} nor the baseline solved."
    return text
