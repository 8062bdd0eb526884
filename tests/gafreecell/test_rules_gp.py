"""Genetic programming of rules: trees say what genes say, and runs are their seed's alone."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from conftest import shell
from hypothesis import given
from hypothesis import strategies as st
from run_folders import ONE, same

from gafreecell.evolution.generation import Moment, Result, Setting
from gafreecell.evolution.job import Job, JobError
from gafreecell.evolution.job_reading import make_job
from gafreecell.evolution.rule_genes import DRAWN, EVOLVED, Policies, genes_of, policy
from gafreecell.evolution.trainers.rule_trees import (
    MIDDLE,
    Compared,
    Comparison,
    Grammar,
    Policy,
    Rule,
    Ruled,
    Share,
    Sum,
)
from gafreecell.evolution.trainers.rules_gp import RulesGp
from gafreecell.runs.run import evolve, load
from gafreecell.solving import rules as conditions
from gafreecell.solving.features import Feature
from gafreecell.solving.outcome import Evaluator
from gafreecell.solving.rules import AND, AT_MOST, OR, OVER
from gafreecell.solving.weights import read_weights

NAMES = ("NotPlaced", "AboveNext", "CellsUsed")
FEATURES = tuple(Feature(name, "", -0.5, 1.0) for name in NAMES)
START = (0.2, 0.4, 0.6)


def job(**changes: Any) -> Job:
    return make_job(
        {
            "name": "grown",
            "generations": 4,
            "scheme": "informative",
            "trainer": "rules-gp",
            "trained": {"search": "best-first", "features": list(NAMES), "nodes": 2000},
            "rules": {"count": 2, "structure": EVOLVED, "offset": 0.1},
            "solvers": {"population": 10, "crossover": 0.4, "mutation": 0.4},
            "cma": {"start": {"NotPlaced": 0.8, "AboveNext": 0.3}, "sigma": 0.1},
            "sample": {"deals": 4},
            "fitness": {"measure": "relative"},
            "deals": {"train": "1-60", "validation": "101-108"},
            **changes,
        }
    )


def grammar(count: int = 2, comparisons: int = 2) -> Grammar:
    policies = Policies(count, comparisons, EVOLVED)
    return Grammar(genes_of(FEATURES, policies), NAMES, policies)


def said(one: Ruled, count: int = 2, comparisons: int = 2) -> Evaluator:
    """What a policy's genes stand for."""
    policies = Policies(count, comparisons, EVOLVED)
    return policy(NAMES, policies, 1, grammar(count, comparisons).genome(one))


# ------------------------------------------------------------------ trees


def test_genes_say_what_a_tree_says() -> None:
    text = (
        "policy(either(over(feature0, 0.25), at_most(feature1, 0.5), sum1), "
        "one(over(feature2, 0.75), sum2))"
    )
    document = {
        "tree": text,
        "default": [0.0, 0.5, 1.0],
        "sums": [[0.75, 0.1, 0.2, 0.5], [0.5, 0.9, 0.6, 0.8]],
    }
    one = grammar().read(document)
    assert one.as_document() == document
    found = said(one)
    assert found.rules == (
        conditions.Rule(
            (
                conditions.Comparison("NotPlaced", OVER, 0.25),
                conditions.Comparison("AboveNext", AT_MOST, 0.5),
            ),
            OR,
        ),
        conditions.Rule((conditions.Comparison("CellsUsed", OVER, 0.75),)),
    )
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
        told = [node.name for node in child.tree if node.ret is Rule]
        assert told == [_name(rule) for rule in said(child, count, comparisons).rules]


def _name(rule: conditions.Rule) -> str:
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
    kinds = (Policy, Rule, Comparison, Compared, Share, Sum)
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
        "policy(one(over(feature0, 0.5), sum1), one(over(feature3, 0.5), sum2))",
        "policy(one(over(0.5, feature0), sum1), one(over(feature0, 0.5), sum2))",
        "policy(one(over(feature0, 1.5), sum1), one(over(feature0, 0.5), sum2))",
        "policy(one(over(feature0, nan), sum1), one(over(feature0, 0.5), sum2))",
        "policy(one(over(feature0, exit()), sum1), one(over(feature0, 0.5), sum2))",
    ],
)
def test_what_is_no_tree_is_refused(text: str) -> None:
    row = [0.5] * 4
    with pytest.raises((KeyError, TypeError, ValueError)):
        grammar().read({"tree": text, "default": [0.5] * 3, "sums": [row, row]})


# ------------------------------------------------------------------ runs


def test_it_needs_rules_whose_structure_evolves() -> None:
    for table in ({}, {"count": 2}, {"count": 2, "structure": DRAWN}):
        with pytest.raises(JobError, match=r"rules.count to 1 or more, and .* 'evolved'"):
            job(rules=table)
    with pytest.raises(JobError, match=r"population must be at least 8 .* got 7"):
        job(solvers={"population": 7})
    for start in ({"rule1.NotPlaced": 0.5}, {"HSDH": 0.5}, {"NotPlaced": 2}):
        with pytest.raises(JobError, match=rf"cma.start: '?{next(iter(start))}"):
            job(cma={"start": start})
    with pytest.raises(JobError, match=r"draws on the scale 'linear', got 'cosine'"):
        job(cma={"scale": "cosine"})
    with pytest.raises(JobError, match=r"options.rules-gp: .*tuned"):
        job(options={"rules-gp": {"tuned": 0.95}})


def test_a_run_finds_structures_and_numbers(tmp_path: Path) -> None:
    run = evolve(job(generations=8), tmp_path / "run", ONE)
    assert read_weights(tmp_path / "run" / "weights" / "best.json") == run.weights
    assert run.weights.evaluator == run.job.evaluator(run.best.weights)
    assert run.weights.evaluator is not None and run.weights.evaluator.kind == "rules"
    assert all(line["evaluations"] == 40 and line["spread"] > 0 for line in run.lines)
    assert len({line["leader"] for line in run.lines}) > 1


def trainer(**changes: Any) -> RulesGp:
    made = job(**changes)
    return RulesGp(Setting(made, made.load_game(), lambda problems: []))


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
    random.seed(9)
    before = random.getstate()
    evolve(job(generations=2), tmp_path / "one", ONE)
    assert random.getstate() == before
    random.seed(10)
    evolve(job(generations=2), tmp_path / "other", ONE)
    same(tmp_path / "one", tmp_path / "other")


@pytest.mark.long
def test_killed_it_resumes_to_the_same_bits_in_other_processes(tmp_path: Path) -> None:
    whole = evolve(job(), tmp_path / "whole", ONE).folder
    child = os.fork()
    if child == 0:
        try:
            evolve(job(), tmp_path / "killed", ONE, callbacks=[_dies_in_generation(3)])
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert load(tmp_path / "killed").generation == 2
    # A process of its own: nothing may hang on where objects lie in memory.
    done = shell("resume", tmp_path / "killed", "--jobs", 2, "--backend", "loky")
    assert done.status == 0, done.err
    same(whole, tmp_path / "killed")


def _dies_in_generation(number: int) -> Any:
    """A callback that has the process die by SIGKILL while solvers are measured."""

    class Dies:
        generation, phase = 1, ""

        def on_phase(self, name: str) -> None:
            self.phase = name

        def on_progress(self, done: int, total: int) -> None:
            if self.generation == number and self.phase == "solvers" and done:
                os.kill(os.getpid(), signal.SIGKILL)

        def on_generation(self, run: Any, line: Any) -> None:
            self.generation = line["generation"] + 1

    return Dies()


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
        job(trainer=trainer, cma={}, validation={"candidate": "centroid"})
    drawn = {"rules": {"count": 2}, "trainer": "genetic", "cma": {}}
    assert job(**drawn, validation={"candidate": "centroid"}).rules.structure != EVOLVED
