"""Policies of rules: what genes and trees say, and runs that evolve them."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, refused, shell
from hypothesis import given
from hypothesis import strategies as st
from run_folders import ONE, same
from test_run_freecell import freecell_job

from gafreecell.evolution.generation import Moment, Result, Setting, trained_features
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.job_reading import make_job, read_job
from gafreecell.evolution.rule_genes import (
    DRAWN,
    EVOLVED,
    Policies,
    genes_of,
    policy,
    weight_places,
)
from gafreecell.evolution.trainers import rule_trees
from gafreecell.evolution.trainers.rule_trees import MIDDLE, Grammar, Ruled
from gafreecell.evolution.trainers.rules_gp import RulesGp
from gafreecell.runs.run import evolve, load, resume
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.rules import AND, AT_MOST, OR, OVER, Comparison, Rule
from gafreecell.solving.weights import read_weights

NAMES = ("NotPlaced", "AboveNext", "CellsUsed")
FEATURES = tuple(Feature(name, "", -0.5, 1.0) for name in NAMES)
START = (0.2, 0.4, 0.6)
TABLE = {
    "name": "ruled",
    "generations": 3,
    "scheme": "resampled",
    "trained": {"search": "best-first", "features": list(NAMES), "nodes": 2000},
    "rules": {"count": 2},
    "solvers": {"population": 6},
    "sample": {"deals": 4},
    "fitness": {"measure": "log-nodes"},
    "deals": {"train": "1-60", "validation": "101-108"},
}
GROWN = {
    "generations": 4,
    "scheme": "informative",
    "trainer": "rules-gp",
    "rules": {"count": 2, "structure": EVOLVED, "offset": 0.1},
    "solvers": {"population": 10, "crossover": 0.4, "mutation": 0.4},
    "cma": {"start": {"NotPlaced": 0.8, "AboveNext": 0.3}, "sigma": 0.1},
    "fitness": {"measure": "relative"},
}
"""What the trainer ``rules-gp`` needs."""


def job(**changes: Any) -> Job:
    return make_job({**TABLE, **changes})


def grown(**changes: Any) -> Job:
    return job(**{**GROWN, **changes})


# ------------------------------------------------------------------ what genes say


def test_a_genome_whose_structure_evolves_says_all() -> None:
    policies = Policies(2, 2, EVOLVED, 0.5, {"AboveNext": [0.25, 0.75]})
    genes = genes_of(FEATURES, policies)
    structure = ("feature1", "over1", "feature2", "over2", "joined")
    rule = ["offset", *NAMES, "threshold1", "threshold2", *structure]
    names = [f"rule{number}.{name}" for number in (1, 2) for name in rule]
    assert [gene.name for gene in genes] == [*NAMES, *names]
    ranges = {gene.name: (gene.low, gene.high) for gene in genes}
    assert ranges["rule2.offset"] == (-0.5, 0.5) and ranges["rule2.AboveNext"] == (-0.5, 1.0)
    assert ranges["rule2.threshold2"] == (0.0, 1.0) and ranges["rule2.feature1"] == (0.0, 3.0)
    genome = [0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 0.25, 0.5, 0.9, 1.0, 1.2, 0.3, 2.7]
    genome += [-0.5, 4.0, 5.0, 6.0, 1.0, 0.0, 3.0, 2.0, 0.0, 0.0, 0.0]
    either = (Comparison("NotPlaced", OVER, 0.25), Comparison("AboveNext", AT_MOST, 0.5))
    # At the ends of their ranges the last feature and sign count.
    rules = (Rule(either, OR), Rule((Comparison("CellsUsed", OVER, 1.0),)))
    weights = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.1, 0.2, 0.3)
    expected = Evaluator(NAMES, weights, rules=rules, offsets=(0.5, -0.5, 0.0))
    assert policy(NAMES, policies, 1, genome) == expected


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
    compared = {(name, sign) for name in NAMES for sign in (AT_MOST, OVER)}
    assert {one for _, comparisons in every for one in comparisons} == compared
    # Two comparisons look at different features.
    assert all(len(dict(comparisons)) == len(comparisons) for _, comparisons in every)


def test_a_weighted_sum_has_its_features_as_genes() -> None:
    linear = job(rules={})
    assert linear.genes == NAMES
    assert linear.evaluator([1.0, 2.0, 3.0]) == Evaluator(NAMES, (1.0, 2.0, 3.0))
    assert linear.digest == make_job({k: v for k, v in TABLE.items() if k != "rules"}).digest
    assert len({job(rules={"count": n}).digest for n in range(4)}) == 4


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("comparisons", [1, 2])
@pytest.mark.parametrize("structure", [DRAWN, EVOLVED])
def test_the_places_of_weights_are_those_of_genes_with_a_feature_s_name(
    count: int, comparisons: int, structure: str
) -> None:
    features = [Feature(name, "") for name in ("offset", "x.y", "z")]
    rules = Policies(count=count, comparisons=comparisons, structure=structure)
    genes = [gene.name for gene in genes_of(features, rules)]
    owners = ["", *(f"rule{number}." for number in range(1, count + 1))]
    named = [f"{owner}{feature.name}" for owner in owners for feature in features]
    assert [genes[place] for place in weight_places(3, rules)] == named


def test_genes_have_the_ranges_of_the_job() -> None:
    ruled = job(
        trained={**TABLE["trained"], "ranges": {"AboveNext": [-2, 3]}},
        rules={"count": 1, "structure": EVOLVED},
    )
    genes = trained_features(ruled, ruled.load_game())
    assert tuple(gene.name for gene in genes) == ruled.genes
    ranges = {gene.name: (gene.low, gene.high) for gene in genes}
    assert ranges["AboveNext"] == ranges["rule1.AboveNext"] == (-2.0, 3.0)


BEAM = {"search": "beam", "features": ["AboveNext"]}


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
        ({"rules": {"thresholds": {"AboveNext": [1, 0]}}}, ["thresholds.AboveNext", "[1, 0]"]),
        ({"trained": BEAM}, ["rules.count", "the search beam takes no rules"]),
        ({"exports": {"other": {"search": "beam"}}}, ["exports.other", "search beam takes no ru"]),
        ({"game": "klondike", "trained": {"search": "complete"}}, ["rules.count", "search comple"]),
    ],
)
def test_jobs_that_cannot_be_run(changes: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(JobError) as fault:
        job(**changes)
    for part in parts:
        assert part in str(fault.value)


# ------------------------------------------------------------------ runs


@pytest.mark.parametrize("trainer", ["genetic", "nsga-ii", "cma-es", "random"])
@pytest.mark.parametrize("structure", [DRAWN, EVOLVED])
def test_every_trainer_evolves_them(trainer: str, structure: str, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"trainer": trainer, "rules": {"count": 2, "structure": structure}}
    run = evolve(job(**changes), tmp_path / "whole", ONE)
    weights = read_weights(tmp_path / "whole" / "weights" / "best.json")
    assert weights == run.weights and weights.evaluator is not None
    assert weights.evaluator == run.job.evaluator(run.best.weights)
    assert weights.evaluator.kind == "rules" and len(weights.evaluator.rules) == 2
    # Killed between generations and resumed, it is the same run.
    short = evolve(job(**changes, generations=1), tmp_path / "short", ONE)
    resume(short.folder, 3, ONE)
    same(tmp_path / "whole", tmp_path / "short")


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
    best = read_weights(folder / "weights" / "best.json")
    assert replace(read_weights(file), provenance=best.provenance) == best
    assert command("evaluate", file, folder, "--deals", "1-5").status == 0
    assert command("plot", folder, "--kind", "weights", "-o", tmp_path / "w.svg").status == 0
    figure = ("plot", folder, "--generations", "2", "--deals", "1-5", "-o", tmp_path / "p.svg")
    assert command(*figure).status == 0
    beam = command("solve", "1", "--weights", folder, "--search", "beam")
    refused(beam, "takes no rules", "staged")


# ------------------------------------------------------------------ the trainer rules-gp


def grammar(count: int = 2, comparisons: int = 2) -> Grammar:
    policies = Policies(count, comparisons, EVOLVED)
    return Grammar(genes_of(FEATURES, policies), NAMES, policies)


def said(one: Ruled, count: int = 2, comparisons: int = 2) -> Evaluator:
    """What a policy's genes stand for."""
    policies = Policies(count, comparisons, EVOLVED)
    return policy(NAMES, policies, 1, grammar(count, comparisons).genome(one))


# ------------------------------------------------------------------ trees


def test_genes_say_what_a_tree_says() -> None:
    rules = "either(over(feature0, 0.25), at_most(feature1, 0.5), sum1), one(over(feature2, 0.75), "
    sums = [[0.75, 0.1, 0.2, 0.5], [0.5, 0.9, 0.6, 0.8]]
    document = {"tree": f"policy({rules}sum2))", "default": [0.0, 0.5, 1.0], "sums": sums}
    one = grammar().read(document)
    assert one.as_document() == document
    found = said(one)
    either = (Comparison("NotPlaced", OVER, 0.25), Comparison("AboveNext", AT_MOST, 0.5))
    assert found.rules == (Rule(either, OR), Rule((Comparison("CellsUsed", OVER, 0.75),)))
    # Scaled to the ranges of weights, -0.5 to 1, and of offsets, -1 to 1.
    assert found.offsets == pytest.approx((0.5, 0.0, 0.0))
    # Of the range, half of what is above a half, within it: 0 and 0.35, 0.2 and 0.55, 1 and 1.
    expected = (-0.5, 0.025, 1.0, -0.2, 0.325, 1.0, -0.5, 0.25, 1.0)
    assert found.weights == pytest.approx(expected)
    assert one.numbers == [0.0, 0.5, 1.0, 0.75, 0.1, 0.2, 0.5, 0.5, 0.9, 0.6, 0.8, 0.25, 0.5, 0.75]


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 2))
def test_whatever_operators_make_is_a_policy(seed: int, count: int, comparisons: int) -> None:
    made, policies = grammar(count, comparisons), Policies(count, comparisons, EVOLVED)
    genes = genes_of(FEATURES, policies)
    random.seed(seed)
    one, other = made.drawn(START), made.drawn(START[::-1])
    before = one.as_document(), other.as_document()
    children = [*made.crossed(one, other), made.mutated(one), made.mutated(other)]
    assert (one.as_document(), other.as_document()) == before, "parents stay as they are"
    for child in (*children, one):
        assert made.read(json.loads(json.dumps(child.as_document()))) == child
        assert child.with_numbers(child.numbers) == child
        genome = made.genome(child)
        assert all(g.low <= x <= g.high for g, x in zip(genes, genome, strict=True))
        told = [node.name for node in child.tree if node.ret is rule_trees.Rule]
        assert told == [_name(rule) for rule in said(child, count, comparisons).rules]


def _name(rule: Rule) -> str:
    return "one" if len(rule.comparisons) == 1 else {AND: "both", OR: "either"}[rule.joined]


def test_a_new_policy_is_worth_what_its_start_is() -> None:
    random.seed(1)
    found = said(grammar().drawn(START))
    assert set(found.rows) == {found.rows[-1]} and found.rows[-1] == pytest.approx((-0.2, 0.1, 0.4))
    assert found.offsets == (0.0, 0.0, 0.0)


def test_a_rule_takes_its_numbers_along() -> None:
    """Crossed, the children have between them the rules of their parents, numbers and all."""
    made = grammar()
    random.seed(2)
    one, other = (_numbered(made.drawn(START), [x] * 11) for x in (0.1, 0.9))
    kinds = set()
    for _ in range(60):
        children = made.crossed(one, other)
        assert [child.default for child in children] == [one.default, other.default]
        rows = [row for child in children for row in child.sums]
        assert sorted(rows) == sorted((*one.sums, *other.sums))
        kinds.add(tuple(rows))
    assert len(kinds) > 1, "sometimes a rule is exchanged, sometimes less than that"


def _numbered(one: Ruled, sums: list[float]) -> Ruled:
    """The policy with these weights and offsets."""
    return one.with_numbers([*sums, *one.numbers[len(sums) :]])


def test_a_new_rule_begins_with_numbers_there_are() -> None:
    made = grammar()
    random.seed(3)
    one = _numbered(made.drawn(START), [0.1 * i for i in range(11)])
    rows = {row for _ in range(200) for row in made.mutated(one).sums}
    assert rows == {*one.sums, (MIDDLE,) * 4}


def test_sets_of_types_have_one_order_in_every_process() -> None:
    """Operators of DEAP's choose from such sets: their order must not hang on addresses."""
    names = ("Policy", "Rule", "Comparison", "Compared", "Share", "Sum")
    kinds = [getattr(rule_trees, name) for name in names]
    for size in (2, 5, 6):
        for some in itertools.permutations(kinds, size):
            assert list(set(some)) == sorted(set(some), key=kinds.index)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "policy",
        "policy(one(over(feature0, 0.5), sum1))",
        "policy(one(over(feature0, 0.5), sum1), one(over(feature0, 0.5), sum2), sum1)",
        "policy(one(over(feature0, 0.5), sum2), one(over(feature0, 0.5), sum1))",
        *[
            f"policy(one(over({wrong}), sum1), one(over(feature0, 0.5), sum2))"
            for wrong in (
                *("feature3, 0.5", "0.5, feature0", "feature0, 1.5", "feature0, nan"),
                "feature0, exit()",
            )
        ],
    ],
)
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        grammar().read({"tree": text, "default": [0.5] * 3, "sums": [[0.5] * 4] * 2})


# ------------------------------------------------------------------ runs


@pytest.mark.parametrize(
    ("table", "keys", "expected"),
    [
        *[
            ("rules", keys, r"rules.count to 1 or more, and .* 'evolved'")
            for keys in ({}, {"count": 2}, {"count": 2, "structure": DRAWN})
        ],
        ("solvers", {"population": 7}, r"population must be at least 8 .* got 7"),
        ("cma", {"start": {"rule1.NotPlaced": 0.5}}, "cma.start: 'rule1.NotPlaced"),
        ("cma", {"start": {"HSDH": 0.5}}, "cma.start: 'HSDH"),
        ("cma", {"start": {"NotPlaced": 2}}, "cma.start: NotPlaced"),
        ("cma", {"scale": "cosine"}, r"draws on the scale 'linear', got 'cosine'"),
        ("options", {"rules-gp": {"tuned": 0.95}}, r"options.rules-gp: .*tuned"),
    ],
)
def test_it_needs_rules_whose_structure_evolves(table: str, keys: Any, expected: str) -> None:
    with pytest.raises(JobError, match=expected):
        grown(**{table: keys})


def test_a_run_finds_structures_and_numbers(tmp_path: Path) -> None:
    run = evolve(grown(generations=8), tmp_path / "run", ONE)
    assert read_weights(tmp_path / "run" / "weights" / "best.json") == run.weights
    assert run.weights.evaluator == run.job.evaluator(run.best.weights)
    assert run.weights.evaluator is not None and run.weights.evaluator.kind == "rules"
    assert all(line["evaluations"] == 40 and line["spread"] > 0 for line in run.lines)
    assert len({line["leader"] for line in run.lines}) > 1


def trainer(**changes: Any) -> RulesGp:
    made = grown(**changes)
    return RulesGp(Setting(made, made.load_game(), lambda deals: []))


def test_the_first_solvers_differ_in_structure_and_little_else() -> None:
    first = trainer(cma={"start": {"NotPlaced": 0.8}, "sigma": 1e-6})
    first.found(Moment(1, 0))
    solvers = [first.setting.evaluator(genome) for genome in first.ask()]
    assert len(solvers) == 10
    for one in solvers:
        for row in one.rows:
            assert row == pytest.approx((0.8, 0.5, 0.5), abs=1e-4)
        assert one.offsets == pytest.approx((0, 0, 0), abs=1e-4)
    assert len({str(one.rules) for one in solvers[7:]}) == 3


def test_who_stays_ahead_leads() -> None:
    """A policy is tried on generations other than that in which it was the fittest."""
    made = trainer(options={"rules-gp": {"trial": 2}})
    made.found(Moment(1, 0))

    def told(number: int, fitness: list[float]) -> list[Any]:
        results = [
            Result(genome, None, (), value)  # type: ignore[arg-type]
            for genome, value in zip(made.ask(), fitness, strict=True)
        ]
        made.tell(Moment(1, number), results)
        state = made.state()
        return [state["leader"]["tree"], state["trial"], made.ask()]

    centre, drawn = [0.5], [0.1] * 6
    old, champion = made.state()["leader"]["tree"], made.ask()[8]
    leader, trial, asked = told(1, [*centre, *drawn, 0.2, 0.9, 0.4])
    assert (leader, trial) == (old, []) and asked[7] == champion
    leader, trial, asked = told(2, [*centre, *drawn, 0.6, 0.2, 0.2])
    assert (leader, trial) == (old, [pytest.approx(0.1)]) and asked[7] == champion
    leader, trial, asked = told(3, [*centre, *drawn, 0.45, 0.2, 0.2])
    # Ahead on the whole, it leads: the centre of what is drawn from now on.
    assert (asked[0], trial) == (champion, None)
    # Another one falls behind at once, and nobody else is ahead.
    again = made.ask()[9]
    leader, trial, asked = told(4, [*centre, *drawn, 0.1, 0.2, 0.8])
    assert trial == [] and asked[7] == again
    before = leader
    leader, trial, asked = told(5, [*centre, *drawn, 0.4, 0.2, 0.2])
    assert (leader, trial) == (before, None) and again not in asked


def test_global_generators_are_left_alone(tmp_path: Path) -> None:
    for seed in (9, 10):
        random.seed(seed)
        before = random.getstate()
        evolve(grown(generations=2), tmp_path / str(seed), ONE)
        assert random.getstate() == before
    same(tmp_path / "9", tmp_path / "10")


class DiesInGeneration3:
    """A callback that has the process die by SIGKILL while solvers are measured."""

    measured = 0

    def on_phase(self, name: str) -> None:
        self.measured += name == "solvers"

    def on_progress(self, done: int, total: int) -> None:
        if self.measured == 3 and done:
            os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.long
def test_killed_it_resumes_to_the_same_bits_in_other_processes(tmp_path: Path) -> None:
    whole = evolve(grown(), tmp_path / "whole", ONE).folder
    child = os.fork()
    if child == 0:
        try:
            evolve(grown(), tmp_path / "killed", ONE, callbacks=[DiesInGeneration3()])
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert load(tmp_path / "killed").generation == 2
    # A process of its own: nothing may hang on where objects lie in memory.
    done = shell("resume", tmp_path / "killed", "--jobs", 2, "--backend", "loky")
    assert done.status == 0, done.err
    same(whole, tmp_path / "killed")


@pytest.mark.parametrize(
    "damage",
    [
        {"drawn": [[0.5]] * 6},
        {"bred": []},
        {"leader": {"tree": "policy", "default": [], "sums": []}},
        {"trial": ["x"]},
    ],
)
def test_a_state_that_is_none_is_refused(damage: dict[str, Any]) -> None:
    made = trainer()
    made.found(Moment(1, 0))
    kept = json.loads(json.dumps(made.state()))
    made.restore(kept)
    assert json.loads(json.dumps(made.state())) == kept
    with pytest.raises((KeyError, TypeError, ValueError)):
        trainer().restore({**kept, **damage})


@pytest.mark.parametrize("trainer", ["rules-gp", "genetic"])
def test_structures_have_no_centroid(trainer: str) -> None:
    with pytest.raises(JobError, match=r"validation.candidate: the centroid is a mean of genes"):
        grown(trainer=trainer, cma={}, validation={"candidate": "centroid"})
    drawn = {"rules": {"count": 2}, "trainer": "genetic", "cma": {}}
    assert grown(**drawn, validation={"candidate": "centroid"}).rules.structure != EVOLVED
