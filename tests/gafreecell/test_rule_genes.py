"""Policies of rules as genomes: what genes say, and runs that evolve them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Command, refused, shell
from hypothesis import given
from hypothesis import strategies as st
from run_folders import ONE, log_of, same
from test_run_freecell import freecell_job

from gafreecell.evolution.generation import trained_features
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.job_reading import make_job, read_job
from gafreecell.evolution.rule_genes import DRAWN, EVOLVED, Policies, genes_of, policy
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.rules import AND, AT_MOST, OR, OVER, Comparison, Rule
from gafreecell.solving.weights import read_weights

NAMES = ("NotPlaced", "AboveNext", "CellsUsed")
FEATURES = tuple(Feature(name, "", -0.5, 1.0) for name in NAMES)


def job(**changes: Any) -> Job:
    return make_job(table(**changes))


def table(**changes: Any) -> dict[str, Any]:
    return {
        "name": "ruled",
        "generations": 3,
        "scheme": "resampled",
        "trained": {"search": "best-first", "features": list(NAMES), "nodes": 2000},
        "rules": {"count": 2},
        "solvers": {"population": 6},
        "sample": {"deals": 4},
        "fitness": {"measure": "log-nodes"},
        "deals": {"train": "1-60", "validation": "101-108"},
        **changes,
    }


# ------------------------------------------------------------------ what genes say


def test_a_genome_whose_structure_evolves_says_all() -> None:
    policies = Policies(2, 2, EVOLVED, 0.5, {"AboveNext": [0.25, 0.75]})
    genes = genes_of(FEATURES, policies)
    assert [gene.name for gene in genes[:8]] == [
        *NAMES,
        "rule1.offset",
        "rule1.NotPlaced",
        "rule1.AboveNext",
        "rule1.CellsUsed",
        "rule1.threshold1",
    ]
    assert [gene.name for gene in genes[8:14]] == [
        "rule1.threshold2",
        "rule1.feature1",
        "rule1.over1",
        "rule1.feature2",
        "rule1.over2",
        "rule1.joined",
    ]
    assert len(genes) == 3 + 2 * 11
    ranges = {gene.name: (gene.low, gene.high) for gene in genes}
    assert ranges["rule2.offset"] == (-0.5, 0.5) and ranges["rule2.AboveNext"] == (-0.5, 1.0)
    assert ranges["rule2.threshold2"] == (0.0, 1.0) and ranges["rule2.feature1"] == (0.0, 3.0)
    genome = [0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 0.25, 0.5, 0.9, 1.0, 1.2, 0.3, 2.7]
    genome += [-0.5, 4.0, 5.0, 6.0, 1.0, 0.0, 3.0, 2.0, 0.0, 0.0, 0.0]
    assert policy(NAMES, policies, 1, genome) == Evaluator(
        NAMES,
        (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.1, 0.2, 0.3),
        rules=(
            Rule(
                (Comparison("NotPlaced", OVER, 0.25), Comparison("AboveNext", AT_MOST, 0.5)),
                OR,
            ),
            # At the ends of their ranges the last feature and sign count.
            Rule((Comparison("CellsUsed", OVER, 1.0),)),
        ),
        offsets=(0.5, -0.5, 0.0),
    )


def test_thresholds_are_shares_of_their_ranges() -> None:
    policies = Policies(1, 1, EVOLVED, thresholds={"AboveNext": [-1, 0.5]})
    genome = [0.0] * 3 + [0.0] * 4 + [2 / 3, 1.0, 0.0]
    [rule] = policy(NAMES, policies, 1, genome).rules
    assert rule.comparisons[0].threshold == pytest.approx(0.0)


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 2), st.data())
def test_any_genome_in_its_ranges_is_a_policy(
    seed: int, count: int, comparisons: int, data: st.DataObject
) -> None:
    for structure in (DRAWN, EVOLVED):
        policies = Policies(count, comparisons, structure)
        genes = genes_of(FEATURES, policies)
        genome = [data.draw(st.floats(gene.low, gene.high)) for gene in genes]
        found = policy(NAMES, policies, seed, genome)
        assert len(found.rules) == count and found.offsets[-1] == 0
        assert found.rows[-1] == tuple(genome[:3])
        assert all(len(rule.comparisons) <= comparisons for rule in found.rules)


def test_a_drawn_structure_is_the_seeds() -> None:
    """The same for all genomes of a job, another for another seed; every kind comes up."""
    policies = Policies(3)
    size = len(genes_of(FEATURES, policies))

    def structure(seed: int, gene: float) -> list[Any]:
        rules = policy(NAMES, policies, seed, [gene] * size).rules
        return [(r.joined, [(c.feature, c.sign) for c in r.comparisons]) for r in rules]

    drawn = [structure(seed, 0.3) for seed in range(30)]
    assert drawn == [structure(seed, 0.7) for seed in range(30)]
    assert len({str(one) for one in drawn}) == 30
    every = [rule for one in drawn for rule in one]
    assert {joined for joined, _ in every} == {AND, OR}
    assert {len(comparisons) for _, comparisons in every} == {1, 2}
    assert {one for _, comparisons in every for one in comparisons} == {
        (name, sign) for name in NAMES for sign in (AT_MOST, OVER)
    }
    # Two comparisons look at different features.
    assert all(
        len({name for name, _ in comparisons}) == len(comparisons) for _, comparisons in every
    )


def test_a_weighted_sum_has_its_features_as_genes() -> None:
    linear = job(rules={})
    assert linear.genes == NAMES
    assert linear.evaluator([1.0, 2.0, 3.0]) == Evaluator(NAMES, (1.0, 2.0, 3.0))
    assert linear.digest == make_job({k: v for k, v in table().items() if k != "rules"}).digest
    assert len({job(rules={"count": n}).digest for n in range(4)}) == 4


def test_genes_have_the_ranges_of_the_job() -> None:
    ruled = job(
        trained={**table()["trained"], "ranges": {"AboveNext": [-2, 3]}},
        rules={"count": 1, "structure": EVOLVED},
    )
    genes = trained_features(ruled, ruled.load_game())
    assert tuple(gene.name for gene in genes) == ruled.genes
    ranges = {gene.name: (gene.low, gene.high) for gene in genes}
    assert ranges["AboveNext"] == ranges["rule1.AboveNext"] == (-2.0, 3.0)


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"rules": {"count": -1}}, ["rules.count", "-1"]),
        ({"rules": {"count": 1.5}}, ["rules.count", "1.5"]),
        ({"rules": {"comparisons": 3}}, ["rules.comparisons", "3"]),
        ({"rules": {"structure": "fixed"}}, ["rules.structure", "drawn", "evolved", "'fixed'"]),
        ({"rules": {"offset": 0}}, ["rules.offset", "0"]),
        ({"rules": {"number": 3}}, ["rules.number"]),
        ({"rules": {"thresholds": {"HSDH": [0, 1]}}}, ["rules.thresholds", "'HSDH'", "AboveNext"]),
        (
            {"rules": {"thresholds": {"AboveNext": [1, 0]}}},
            ["rules.thresholds.AboveNext", "[1, 0]"],
        ),
        (
            {"trained": {"search": "beam", "features": ["AboveNext"]}},
            ["rules.count", "the search beam takes no rules"],
        ),
        (
            {"exports": {"other": {"search": "beam"}}},
            ["exports.other", "the search beam takes no rules"],
        ),
    ],
)
def test_jobs_that_cannot_be_run(changes: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(JobError) as fault:
        job(**changes)
    for part in parts:
        assert part in str(fault.value)


def test_rules_of_other_games_are_refused() -> None:
    with pytest.raises(JobError, match=r"rules.count: the search complete takes no rules"):
        make_job(
            {
                "name": "k",
                "generations": 1,
                "game": "klondike",
                "trained": {"search": "complete"},
                "rules": {"count": 1},
            }
        )


# ------------------------------------------------------------------ runs


@pytest.mark.parametrize("trainer", ["genetic", "nsga-ii", "cma-es", "random"])
@pytest.mark.parametrize("structure", [DRAWN, EVOLVED])
def test_every_trainer_evolves_them(trainer: str, structure: str, tmp_path: Path) -> None:
    rules = {"count": 2, "structure": structure}
    run = evolve(job(trainer=trainer, rules=rules), tmp_path / "whole", ONE)
    weights = read_weights(tmp_path / "whole" / "weights" / "best.json")
    assert weights == run.weights and weights.evaluator is not None
    assert weights.evaluator == run.job.evaluator(run.best.weights)
    assert weights.evaluator.kind == "rules" and len(weights.evaluator.rules) == 2
    # Killed between generations and resumed, it is the same run.
    short = evolve(job(trainer=trainer, rules=rules, generations=1), tmp_path / "short", ONE)
    resume(short.folder, 3, ONE)
    whole, resumed = tmp_path / "whole", tmp_path / "short"
    assert log_of(whole) == log_of(resumed)
    for name in ("state.json", "weights/best.json"):
        assert (whole / name).read_bytes() == (resumed / name).read_bytes(), name


@pytest.mark.long
def test_coevolution_in_another_process_and_staged_deepening(tmp_path: Path) -> None:
    path = freecell_job(tmp_path, rules={"count": 1, "structure": EVOLVED})
    evolve(read_job(path), tmp_path / "one", ONE)
    done = shell("evolve", path, "--out", tmp_path / "other", "--backend", "loky", "--jobs", 2)
    assert done.status == 0, done.err
    same(tmp_path / "one", tmp_path / "other")


def test_cma_es_starts_rules_where_the_default_starts(tmp_path: Path) -> None:
    start = {"NotPlaced": 0.8, "rule1.NotPlaced": 0.2, "rule2.offset": -0.5}
    ruled = job(trainer="cma-es", cma={"start": start, "sigma": 1e-6}, generations=1)
    best = evolve(ruled, tmp_path / "run", ONE).best.weights
    genes = dict(zip(ruled.genes, best, strict=True))
    expected = {"NotPlaced": 0.8, "rule1.NotPlaced": 0.2, "rule2.NotPlaced": 0.8}
    expected |= {"rule2.offset": -0.5, "rule1.offset": 0.0, "AboveNext": 0.5}
    for name, value in expected.items():
        assert genes[name] == pytest.approx(value, abs=1e-4), name
    with pytest.raises(JobError, match=r"cma.start: 'rule3.NotPlaced' is not one of"):
        job(trainer="cma-es", cma={"start": {"rule3.NotPlaced": 0.5}})


def test_a_run_is_shown_exported_and_evaluated(tmp_path: Path, command: Command) -> None:
    folder, file = tmp_path / "run", tmp_path / "mine.json"
    evolve(job(), folder, ONE)
    shown = command("show", folder).out
    [first, second] = load(folder).weights.evaluator.rules  # type: ignore[union-attr]
    assert f"rule 1: if {first.comparisons[0].feature} {first.comparisons[0].sign} 0." in shown
    assert "rule 2: if" in shown and "| rule 1 | rule 2 | default |" in shown
    assert second.comparisons[0].feature in shown
    assert command("export", folder, "-o", file).status == 0
    assert file.read_bytes() == (folder / "weights" / "best.json").read_bytes()
    assert command("evaluate", file, folder, "--deals", "1-5").status == 0
    assert command("plot", folder, "--kind", "weights", "-o", tmp_path / "w.svg").status == 0
    figure = ("plot", folder, "--generations", "2", "--deals", "1-5", "-o", tmp_path / "p.svg")
    assert command(*figure).status == 0
    refused(
        command("solve", "1", "--weights", folder, "--search", "beam"), "takes no rules", "staged"
    )
