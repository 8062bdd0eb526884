"""``gafreecell.compare`` and ``gafreecell.evaluate``: the figures, the reports, what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from math import exp, isnan, log
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from conftest import Command, job_table, refused
from handed_in import EasyFirst
from run_folders import ONE
from scipy.stats import friedmanchisquare, rankdata
from toy_game import HIDDEN, LARGEST, Toy, nodes_needed, solution

import gafreecell
from deals.errors import BadInput
from gafreecell.comparing import seeds
from gafreecell.comparing.jobs import check_budgets, prepared
from gafreecell.comparing.solver_comparison import solver_report
from gafreecell.comparing.statistics import signed_rank, student
from gafreecell.comparing.tabulated import Tabulated
from gafreecell.solving.weights import read_weights

Make = Callable[..., gafreecell.Run]
RunsOf = Callable[..., list[gafreecell.Run]]
SEEDS = range(1, 7)
DEALS = range(201, 261)


@pytest.fixture
def make(toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a small run of the toy game in a folder of that name."""
    monkeypatch.chdir(tmp_path)

    def made(folder: str, **changes: Any) -> gafreecell.Run:
        return gafreecell.evolve(job_table(**{"generations": 2, **changes}), folder, ONE)

    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for runs that several tests compare."""
    return tmp_path_factory.mktemp("made")


@pytest.fixture
def runs_of(make: Make, made: Path) -> RunsOf:
    """The runs of trainers over all seeds, each made once."""

    def found(*trainers: str) -> list[gafreecell.Run]:
        runs = {made / f"{t}-{s}": {"trainer": t, "seed": s} for t in trainers for s in SEEDS}
        for folder, changes in runs.items():
            if not folder.exists():
                make(folder, **changes)
        return [*map(gafreecell.load, runs)]

    return found


def typical(weights: Sequence[float]) -> float:
    """By hand: the geometric mean of the nodes that weights need."""
    logs = [log(nodes_needed(deal, weights)) for deal in DEALS]
    return exp(sum(logs) / len(logs))


def test_groups_are_measured_and_compared_over_seeds(runs_of: RunsOf) -> None:
    runs = runs_of("genetic", "random")
    found = gafreecell.compare(runs, DEALS)
    assert (found.over, found.count, found.deals, found.seen) == ("seeds", 60, ("201-260",), 0)
    assert (found.game, found.variant, found.nodes) == ("toy", {"slow": 1}, 20_000)
    ours, theirs = found.groups
    assert (ours.seeds, theirs.seeds) == (tuple(SEEDS), tuple(SEEDS))
    one, other = found.measured[ours.name], found.measured[theirs.name]
    assert one.nodes == pytest.approx([typical(run.best.weights) for run in runs[:6]])
    low, high = np.exp(student(np.log(one.nodes)))
    assert one.nodes_mean.interval == pytest.approx((low, high))

    (pair,) = found.pairs
    logs = np.log(one.nodes) - np.log(other.nodes)
    assert pair.paired
    assert pair.nodes.difference.value == pytest.approx(exp(logs.mean()))
    assert pair.nodes.p == signed_rank(logs)[0] == pair.nodes.p_holm
    assert found.pairs_by_deal == ()

    folder = str(runs[0].folder)
    assert [o.nodes.generated for o in found.outcomes[folder]] == [
        nodes_needed(deal, runs[0].best.weights) for deal in DEALS
    ]
    assert found.summaries[folder].solved == 60
    costs = found.costs[ours.name]
    assert costs is not None
    spent = [run.costs["solvers"].nodes for run in runs[:6] if run.costs]
    assert costs["solvers"].nodes == pytest.approx(np.mean(spent))
    parts = [costs[name] for name in ("solvers", "validation", "baseline")]
    assert costs["total"].evaluations == sum(part.evaluations for part in parts)


def test_a_run_measured_on_deals_that_it_used_is_warned_of(make: Make, command: Command) -> None:
    run = make("used", deals={"train": "1-60", "validation": "500-520"})
    told = "Warning: used trained or validated on 6 of the 26 deals, so its figures"
    found = gafreecell.evaluate({"used": run, "copy": run.weights}, range(55, 81))
    assert found.seen == {"used": 6, "copy": 6}
    assert told in " ".join(str(found).split())
    assert gafreecell.evaluate([run.folder], range(61, 81)).seen == {}
    # A file of the run's weights says it itself, wherever it lies; one of an older version does
    # not, but may lie in the folder of its run.
    file = run.folder / "weights" / "best.json"
    moved = Path(shutil.copy(file, run.folder.parent / "moved.json"))
    assert gafreecell.evaluate([moved], range(55, 81)).seen == {"moved": 6}
    older = replace(read_weights(file), provenance={"run": "used"})
    older.write(file)
    older.write(moved)
    assert gafreecell.evaluate([file, moved], range(55, 81)).seen == {"best": 6}
    run.weights.write(file)
    done = command("evaluate", run.folder, "--deals", "55-80")
    assert told in " ".join(done.out.split())
    done = command("evaluate", run.folder, "--deals", "55-80", "--format", "json")
    assert "used trained or validated on 6 of the 26 deals" in done.err
    assert json.loads(done.out)["solvers"]["used"]["deals"] == 26


def test_the_command_prints_what_python_returns(runs_of: RunsOf, command: Command) -> None:
    runs = [run for run in runs_of("genetic", "random") if run.job.seed < 3]
    folders = [run.folder for run in runs]
    done = command("compare", *folders, "--deals", "201-260", "--submit", "last")
    found = gafreecell.compare(runs, "201-260", submit="last", jobs=1)
    assert done.out == f"{found}\n"
    assert repr(found) == str(found)
    assert "<pre>" in found._repr_html_()
    # Without deals, both take deals that no run used.
    done = command("compare", *folders, "--format", "json")
    found = gafreecell.compare([str(folder) for folder in folders])
    document = json.loads(done.out)
    assert document["deals"] == list(found.deals)
    assert document["comparisons"][0]["nodes"]["p"] == found.pairs[0].nodes.p
    assert document["costs"][found.groups[0].name]["total"]["nodes"] == pytest.approx(
        found.costs[found.groups[0].name]["total"].nodes  # type: ignore[index]
    )


def test_single_runs_are_compared_deal_by_deal(make: Make, command: Command) -> None:
    one, other = make("one", seed=1), make("other", seed=1, trainer="random")
    found = gafreecell.compare([one, other], DEALS)
    assert (found.over, found.pairs) == ("deals", ())
    (pair,) = found.pairs_by_deal
    assert pair.nodes_typical.value == pytest.approx(
        typical(one.best.weights) / typical(other.best.weights)
    )
    assert isnan(found.measured[pair.solver].nodes_mean.interval[0])
    assert "One seed each" in str(found)
    assert command("compare", "one", "other", "--deals", "201-260").out == f"{found}\n"
    alone = gafreecell.compare(Path("one"), "few")
    assert (alone.over, alone.deals, alone.pairs) == ("seeds", ("few",), ())
    # The runs trained on 1 to 60, without deal 13, which is known to be unsolvable.
    assert alone.seen == 29


def test_progress_is_one_bar_for_all(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [make("one", seed=1), make("other", seed=2)]
    capsys.readouterr()
    gafreecell.compare(runs, range(201, 206))
    assert capsys.readouterr().err == ""
    gafreecell.compare(runs, range(201, 206), progress=True)
    assert "deals 10 of 10: other" in capsys.readouterr().err


def test_solvers_are_evaluated_over_deals(make: Make, command: Command) -> None:
    run = make("mine", seed=1)
    found = gafreecell.evaluate({"mine": run.weights, "theirs": "known"}, DEALS)
    assert list(found.solvers) == list(found.summaries) == ["mine", "theirs"]
    (pair,) = found.pairs
    assert (pair.solver, pair.against, pair.deals) == ("mine", "theirs", 60)
    assert pair.nodes_typical.value == pytest.approx(typical(run.best.weights) / typical(HIDDEN))
    assert len(found.outcomes["theirs"]) == found.count == 60

    found = gafreecell.evaluate([run, "known", "guess"], "201-260", nodes=900)
    words = ["mine", "known", "guess", "--deals", "201-260", "--nodes", 900]
    assert command("evaluate", *words).out == f"{found}\n"
    out = command("evaluate", *words, "--penalty").out
    assert out == f"{solver_report(found, penalty=True)}\n"
    assert [limit.nodes for limit in found.limits.values()] == [900] * 3
    document = json.loads(command("evaluate", *words, "--format", "json").out)
    assert document["comparisons"][0]["nodes_p"] == found.pairs[0].nodes_p


def test_tables_for_papers_hold_the_figures(runs_of: RunsOf, command: Command) -> None:
    runs = runs_of("genetic", "random", "cma-es")
    found = gafreecell.compare(runs, DEALS)
    groups = found.table().to_pandas().set_index("job")
    names = [group.name for group in found.groups]
    assert [*groups.index] == names
    for name, measured in found.measured.items():
        assert groups.loc[name, "nodes"] == measured.nodes_mean.value
        assert groups.loc[name, "nodes_low"] == measured.nodes_mean.interval[0]
        most = pytest.approx(measured.solved_mean.interval[1], nan_ok=True)
        assert groups.loc[name, "solved_high"] == most
        costs = found.costs[name]
        assert costs and groups.loc[name, "training_evaluations"] == costs["total"].evaluations
    each = found.table("runs").to_pandas()
    assert each["nodes"].tolist() == [n for one in found.measured.values() for n in one.nodes]
    assert each["seed"].tolist() == [*SEEDS] * 3
    for row, run in zip(each.itertuples(), [r for g in found.groups for r in g.runs], strict=True):
        assert (row.folder, row.generations) == (str(run.folder), 2)
        assert row.generation == run.best.generation and run.costs
        spent = [getattr(row, f"training_{what}") for what in ("evaluations", "nodes", "seconds")]
        every = list(run.costs.values())
        assert spent[:2] == [sum(o.evaluations for o in every), sum(o.nodes for o in every)]
        assert spent[2] == pytest.approx(sum(one.seconds for one in every))
    last = gafreecell.compare(runs[:1], DEALS, submit="last").table("runs").records[0]
    assert last["generation"] == 2
    spent = each["training_evaluations"][0] - runs[0].costs["validation"].evaluations
    assert last["training_evaluations"] == spent
    pairs = found.table("pairs").to_pandas()
    for place, pair in enumerate(found.pairs):
        one, other = (np.array(found.measured[name].nodes) for name in (pair.group, pair.against))
        assert pairs["a12"][place] == np.mean([(a < b) + (a == b) / 2 for a in one for b in other])
        assert pairs["nodes_ratio_p_holm"][place] == pair.nodes.p_holm
        assert 0 <= pairs["a12_low"][place] <= pairs["a12"][place] <= pairs["a12_high"][place] <= 1
    # With few seeds, intervals are of another kind, which the caption names.
    few = gafreecell.compare([run for run in runs[:12] if run.job.seed < 4], DEALS).table("pairs")
    assert few.rows[0][1].endswith(" (t)") and "; (t): interval of the paired t" in few.caption
    assert "(t)" not in found.table("pairs").caption
    assert "A12: probability that a run of the first needs fewer" in found.table("pairs").caption
    table = np.array([found.measured[name].nodes for name in names])
    ranks = found.ranks
    assert ranks and ranks.means == pytest.approx(
        dict(zip(names, rankdata(table, axis=0).mean(axis=1), strict=True))
    )
    assert ranks.p == pytest.approx(friedmanchisquare(*table).pvalue)
    assert "Mean ranks by nodes over 6 seeds" in " ".join(str(found).split())
    words = ["compare", *[run.folder for run in runs], "--deals", "201-260"]
    for name, form in (("pairs", "latex"), ("ranks", "csv")):
        done = command(*words, "--format", form, "--table", name)
        assert done.status == 0 and done.out == getattr(found.table(name), form)()
    text = pandas.read_csv(StringIO(found.table("runs").csv()))
    assert text["nodes"].tolist() == each["nodes"].tolist()


def test_tables_of_runs_have_intervals_of_lengths(runs_of: RunsOf) -> None:
    found = gafreecell.compare(runs_of("genetic", "random"), DEALS)
    one, other = (np.random.default_rng(at).normal(90, 3, len(SEEDS)) for at in (1, 2))
    (first, mine), (second, theirs) = found.measured.items()
    told = {first: replace(mine, lengths={"steps": tuple(one)}),
            second: replace(theirs, lengths={"steps": tuple(other)})}  # fmt: skip
    change = seeds.tested(one, other, paired=True)
    pair = replace(found.pairs[0], lengths={"steps": change})
    found = replace(found, measured=told, pairs=(pair,))
    groups = found.table("groups")
    low, high = student(one)
    record = groups.records[0]
    assert [record[f"length_steps{end}"] for end in ("", "_low", "_high")] == pytest.approx(
        [one.mean(), low, high]
    )
    assert groups.rows[0][4] == f"{one.mean():.1f} [{low:.1f}, {high:.1f}]"
    pairs, (low, high) = found.table("pairs"), change.difference.interval
    assert pairs.header[-1] == "length, steps"
    assert pairs.rows[0][-1] == f"{one.mean() - other.mean():+.1f} [{low:+.1f}, {high:+.1f}]"


def test_runs_of_one_job_by_other_sources_are_named(make: Make) -> None:
    job = job_table(generations=1)
    runs = [gafreecell.evolve(job, f"own-{seed}", ONE, scheme=EasyFirst, seed=seed)
            for seed in (1, 2)]  # fmt: skip
    assert gafreecell.compare(runs, DEALS).cautions == ()
    record = runs[1].folder / "environment.jsonl"
    (line,) = map(json.loads, record.read_text().splitlines())
    line["parts"]["scheme"]["sources"] = "0123"
    record.write_text(json.dumps(line) + "\n")
    (said,) = gafreecell.compare(runs, DEALS).cautions
    assert "were not made by the same scheme 'in-turn': " in said and "own-2 by 0123" in said
    assert "not made by the same scheme" in " ".join(str(gafreecell.compare(runs, DEALS)).split())


def test_tables_of_solvers_hold_the_figures(toy: Any, command: Command) -> None:
    found = gafreecell.evaluate(["known", "guess"], "201-260", nodes=9000)
    solvers = found.table().to_pandas()
    assert solvers["nodes_mean"].tolist() == [one.nodes_mean for one in found.summaries.values()]
    for row, outcomes in zip(solvers.itertuples(), found.outcomes.values(), strict=True):
        # With sixty deals a bootstrap interval of a mean is about as wide as Student's.
        nodes = [o.nodes.generated for o in outcomes if o.status.value == "solved"]
        low, high = student(nodes)
        width = row.nodes_mean_high - row.nodes_mean_low
        assert row.nodes_mean_low < row.nodes_mean < row.nodes_mean_high
        assert width == pytest.approx(high - low, rel=0.15)
        assert row.length_steps_low < row.length_steps < row.length_steps_high
    assert "intervals 95 % over deals" in found.table().caption
    (pair,) = found.pairs
    mine, theirs = (
        [(o.status.value != "solved", o.nodes.generated) for o in outcomes]
        for outcomes in found.outcomes.values()
    )
    # A deal that neither solved is a tie, however many nodes each took.
    wins = [0.5 if a[0] and b[0] else (a < b) + (a == b) / 2
            for a, b in zip(mine, theirs, strict=True)]  # fmt: skip
    assert pair.a12 == pytest.approx(np.mean(wins))
    assert found.table("pairs").records[0]["a12"] == pair.a12
    assert len(found.table("deals").records) == 120
    words = ["evaluate", "known", "guess", "--deals", "201-260", "--nodes", 9000]
    done = command(*words, "--format", "csv")
    assert done.out == found.table().csv()
    assert done.out.splitlines()[1].startswith("known,60,0,")
    refused(command(*words, "--table", "pairs"), "--table pairs needs a format")
    refused(command(*words, "--format", "csv", "--table", "pair"), "no table 'pair'", "'pairs'")
    refused(command(*words, "--format", "csv", "--table", "ranks"), "nothing to put in", "three")
    with pytest.raises(BadInput, match="no table 'runs'"):
        found.table("runs")


def test_what_latex_takes_for_its_own_is_escaped() -> None:
    rows = [["a_b & 5 %", "-1.5", "< 0.001"], ["$x^2\\{}~#", "2-1", "3"]]
    text = Tabulated("odd", "50 %_", [], ["", "x", "p"], rows).latex()
    assert r"a\_b \& 5 \% & $-$1.5 & $<$ 0.001 \\" in text
    assert r"\$x\textasciicircum{}2\textbackslash{}\{\}\textasciitilde{}\# & 2-1 & 3 \\" in text
    assert r"\caption{50 \%\_.}" in text and r"\begin{tabular}{lrr}" in text


def test_jobs_with_other_seeds_have_no_ranks(make: Make, runs_of: RunsOf) -> None:
    runs = runs_of("genetic", "random")
    found = gafreecell.compare([*runs, make("cma-1", trainer="cma-es", seed=9)], DEALS)
    assert found.ranks is None
    with pytest.raises(BadInput, match="ranks take three jobs with the same seeds"):
        gafreecell.figures.plot_ranks(found)


def test_evaluate_takes_variants_parameters_and_games(toy: Any, command: Command) -> None:
    changes: Any = {"variant": {"slow": 2}, "parameters": {"effort": 50}}
    found = gafreecell.evaluate("known", [201, 205], "toy", **changes)
    assert (found.variant, found.changes) == ({"slow": 2}, ("effort=50",))
    assert found.deals == ("as given",)
    words = ["--game", "toy", "--variant", "slow=2", "--set", "effort=50", "--deals", "201-202"]
    done = command("evaluate", "known", *words)
    same = gafreecell.evaluate("known", range(201, 203), Toy(2), parameters={"effort": 50})
    assert done.out == f"{same}\n"
    assert same.variant == {"slow": 2}


def test_a_preset_by_another_name_plays_the_variant_of_the_weights(make: Make) -> None:
    run = make("slow", variant={"slow": 2})
    found = gafreecell.evaluate({"mine": run, "theirs": "known"}, "201")
    assert found.variant == {"slow": 2}
    assert found.outcomes["theirs"][0].nodes.generated == 2 * nodes_needed(201, HIDDEN)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda run: gafreecell.compare([]), "there is no run to compare"),
        (lambda run: gafreecell.compare(3), "a run must be a gafreecell.Run or its folder, got 3"),
        (lambda run: gafreecell.compare("nowhere"), "nowhere is not a run folder"),
        (lambda run: gafreecell.compare([run, run]), "are runs of one job with one seed"),
        (lambda run: gafreecell.compare(run, submit="best"), "submit must be 'champion' or 'last'"),
        (lambda run: gafreecell.compare(run, []), "there are no deals"),
        (lambda run: gafreecell.compare(run, [201, 202, 201]), "deal 201 is given more than once"),
        (lambda run: gafreecell.compare(run, "many"), "there is no set of deals 'many'"),
        (lambda run: gafreecell.compare(run, [LARGEST + 1]), str(LARGEST)),
        (lambda run: gafreecell.compare(run, nodes=0), "nodes must be positive"),
        (lambda run: gafreecell.compare(run, jobs=0), "jobs must be positive"),
        (lambda run: gafreecell.compare([run, "small"]), "different node budgets.*nodes=N"),
        (lambda run: gafreecell.evaluate([], [1]), "there is no solver"),
        (lambda run: gafreecell.evaluate([run.weights], [1]), "weights need a name"),
        (lambda run: gafreecell.evaluate({1: run.weights}, [1]), "names of solvers must be"),
        (lambda run: gafreecell.evaluate({"a": 1}, [1]), "a solver must be a preset's name"),
        (lambda run: gafreecell.evaluate([run, run], [1]), "is given twice"),
        (lambda run: gafreecell.evaluate([run, "nobody"], [1]), "neither a file nor a preset"),
        (
            lambda run: gafreecell.evaluate(run, [1], "freecell"),
            "weights for toy, not for freecell",
        ),
        (lambda run: gafreecell.evaluate(run, [1], parameters={"x": 1}), "x"),
    ],
)
def test_what_cannot_be_compared_gets_a_sentence(make: Make, call: Any, said: str) -> None:
    run = make("one", seed=1, generations=1)
    if "budgets" in said:
        make("small", seed=1, generations=1, trained={"nodes": 300})
    with pytest.raises(BadInput, match=said):
        call(run)


def test_weights_within_different_memory_are_not_compared(make: Make) -> None:
    run = make("one", seed=1, generations=1)
    more = replace(run.weights, limits=replace(run.weights.limits, memory=10**9))
    told = "500 MB a deal for one, two; .* 1,000 MB a deal for more"
    with pytest.raises(BadInput, match=told):
        named = {"one": run.weights, "two": run.weights, "more": more}
        check_budgets(named, prepared(run, DEALS), "")


# Fronts


def dominated(points: Sequence[tuple[float, float]]) -> float:
    """The share of the unit square that some point dominates, strip by strip."""
    ends = sorted({1.0, *(x for x, _ in points)})
    return sum(
        (right - left) * (1 - min(y for x, y in points if x <= left))
        for left, right in pairwise(ends)
    )


def test_fronts_are_measured_on_common_deals_and_compared(make: Make, command: Command) -> None:
    fitness = {"measure": "log-nodes"}
    shared: dict[str, Any] = {"trainer": "nsga-ii", "scheme": "resampled", "fitness": fitness}
    # Some deals are not solved, so lengths differ, too.
    shared["trained"] = {"nodes": 6000}
    runs = [
        make(f"{kind}-{seed}", seed=seed, nsga={"parents": kind}, **shared)
        for kind in ("uniform", "crowded-tournament")
        for seed in SEEDS
    ]
    found = gafreecell.compare_fronts(runs, DEALS)
    assert [group.seeds for group in found.groups] == [tuple(SEEDS)] * 2
    assert (found.count, found.seen, found.deals) == (60, 0, ("201-260",))
    budget, scales = 6000, runs[0].job.load_game().scales
    costs = {}
    for run in runs:
        points = []
        for point in run.front:
            assert point.weights.evaluator
            nodes = [nodes_needed(d, point.weights.evaluator.weights) for d in DEALS]
            solved = [n <= budget for n in nodes]
            logs = [
                log((n if ok else 20 * budget) + scales.nodes)
                for n, ok in zip(nodes, solved, strict=True)
            ]
            moves = [
                len(solution(d)) if ok else scales.moves
                for d, ok in zip(DEALS, solved, strict=True)
            ]
            points.append((float(np.mean(logs)), float(np.mean(moves))))
        costs[str(run.folder)] = points
    every = np.array([p for points in costs.values() for p in points])
    best, worst = every.min(axis=0), every.max(axis=0)
    reach = np.maximum(1.05 * (worst - best), 1e-12)
    for group in found.groups:
        for run, volume in zip(group.runs, found.hypervolumes[group.name], strict=True):
            scaled = [tuple((np.array(p) - best) / reach) for p in costs[str(run.folder)]]
            assert volume == pytest.approx(dominated(scaled))  # type: ignore[arg-type]
            told = found.points[str(run.folder)]
            assert all(
                not (a[0] <= b[0] and a[1] <= b[1]) for a in told for b in told if a is not b
            )
            quickest = min(costs[str(run.folder)])[0]
            assert min(told)[0] == pytest.approx(exp(quickest) - scales.nodes)
    (pair,) = found.pairs
    one, other = (np.array(found.hypervolumes[name]) for name in (pair.group, pair.against))
    assert pair.difference.difference.value == pytest.approx(one.mean() - other.mean())
    assert pair.difference.p == signed_rank(one - other)[0]
    folders = [run.folder for run in runs]
    done = command("compare", *folders, "--submit", "front", "--deals", "201-260")
    assert done.out == f"{found}\n" and "Hypervolume" in done.out
    words = ["compare", *folders, "--submit", "front", "--deals", "201-260", "--format", "csv"]
    for name in ("groups", "pairs", "points"):
        assert command(*words, "--table", name).out == found.table(name).csv()
    refused(command("compare", folders[0], "--submit", "front", "--format", "json"), "report or")
    refused(command(*words, "--table", "ranks"), "no table 'ranks'; there are groups, pairs")
    # What a reader needs besides is in the captions, and intervals are named where there are some.
    shift = scales.nodes
    ends = [exp(best[0]) - shift, best[1], exp(best[0] + reach[0]) - shift, best[1] + reach[1]]
    assert [*found.best, *found.reference] == pytest.approx(ends)
    for name in ("groups", "pairs", "points"):
        text = found.table(name).caption
        assert text.startswith("60 deals (201-260), at most 6,000 nodes a deal")
        assert f"a failure counts 20 times the budget and {scales.moves:g} moves" in text
        assert ("intervals 95 %" in text) == (name != "points")
        assert (f"({ends[2]:,.0f} nodes and {ends[3]:.1f} moves)" in text) == (name != "points")
    few = gafreecell.compare_fronts([runs[0], runs[6]], DEALS).table("groups")
    assert few.rows[0][-1] == "-" and few.caption.endswith("; -: not known, as an interval over "
        "one seed or over seeds that are all alike")  # fmt: skip
    # Other budgets and other charges make other costs.
    small = make("small", seed=1, generations=1, **{**shared, "trained": {"nodes": 300}})
    with pytest.raises(BadInput, match="different node budgets") as refusal:
        gafreecell.compare_fronts([runs[0], small], DEALS)
    # Once for each run, not for each solver of its front.
    assert [str(refusal.value).count(str(one.folder)) for one in (runs[0], small)] == [1, 1]
    shared["fitness"] = {**fitness, "failure": 3}
    charged = make("charged", seed=1, generations=1, **shared)
    with pytest.raises(BadInput, match=r"has another \[fitness\] than"):
        gafreecell.compare_fronts([runs[0], charged], DEALS)
    plain = make("plain", seed=1)
    refused(command("compare", plain.folder, "--submit", "front"), "has no front")
