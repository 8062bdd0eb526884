"""Keys that a job's parts do not read are refused, and those that they read are not."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest
from conftest import job_table

from gafreecell.evolution.job import JobError
from gafreecell.evolution.job_reading import make_job, parse_job
from gafreecell.evolution.schemes.informative import Memory
from gafreecell.evolution.schemes.resampled import Resampled
from gafreecell.installed import plugins
from gafreecell.solving.settings import Word, merged, nested

pytestmark = pytest.mark.usefixtures("toy")
SCHEMES = ("coevolution", "fixed", "resampled", "informative", "replayed")
TRAINERS = ("genetic", "nsga-ii", "cma-es", "random")
KEYS: dict[str, dict[str, Any]] = {
    "sample.growth": {"sample": {"growth": {"2": 12}}},
    "sample.agreement": {"sample": {"agreement": 0.5, "most": 12}},
    "problems.virulence": {"problems": {"virulence": 0.5}},
    "informative.age": {"informative": {"age": 5}},
    "informative.fresh": {"informative": {"fresh": 0.7}},
}
READ = {
    "coevolution": {"problems.virulence"},
    "fixed": set(),
    "resampled": {"sample.growth", "sample.agreement"},
    "informative": set(KEYS) - {"problems.virulence"},
    "replayed": {"sample.growth", "sample.agreement"},
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("key", KEYS)
def test_a_scheme_takes_the_keys_that_it_reads(scheme: str, key: str) -> None:
    table = job_table(scheme=scheme, **KEYS[key])
    if key in READ[scheme]:
        assert make_job(table).scheme == scheme
        return
    table_name = key.partition(".")[0]
    said = rf"^{table_name}.*: drop (it|them) \(or set {table_name}\..* = (\{{\}}|\d).*\), or use "
    with pytest.raises(JobError, match=said) as fault:
        make_job(table)
    # What it says does.
    for name, value in re.findall(r"(\w+\.\w+) = (\S+?)[,) ]", str(fault.value)):
        table = merged(table, nested(name, Word(value)))
    assert make_job({**table, "sample": {**table.get("sample", {}), "most": 40}}).scheme == scheme


@pytest.mark.parametrize("trainer", TRAINERS)
def test_only_cma_es_takes_a_scale(trainer: str) -> None:
    table = job_table(trainer=trainer, fitness={"measure": "log-nodes"}, cma={"scale": "cosine"})
    if trainer == "cma-es":
        assert make_job(table).cma.scale == "cosine"
        return
    said = rf'^cma.scale: the trainer {trainer} does .*: drop it \(or set cma.scale = "linear", the'
    with pytest.raises(JobError, match=said):
        make_job(table)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("measure", ["node-reduction", "log-nodes", "cost-per-solved", "relative"])
def test_weights_of_a_baseline_are_for_those_who_compare_with_it(scheme: str, measure: str) -> None:
    fitness = {"measure": measure, "weights": {"near": 1.0}}
    table = job_table(scheme=scheme, problems={"encounters": "shared"}, fitness=fitness)
    if measure == "node-reduction" or scheme == "coevolution":
        assert make_job(table).fitness.weights == {"near": 1.0}
        return
    with pytest.raises(JobError, match=rf"^fitness.weights: neither the measure {measure} nor"):
        make_job(table)


def test_the_line_is_named_and_parts_of_ones_own_say_what_they_read() -> None:
    class Own(Resampled):
        name = "own"
        tables: ClassVar = {**Resampled.tables, "informative": Memory}
        unread = ("informative.price",)

    text = 'name = "x"\ngenerations = 2\ngame = "toy"\nscheme = "resampled"\n'
    text += '[trained]\nsearch = "think"\n[informative]\nage = 3\n'
    with pytest.raises(JobError, match=r"^j.toml, line 8: informative.age: the scheme resampled"):
        parse_job(text, "j.toml")
    plugins.hand_in("scheme", Own)
    with pytest.raises(JobError, match=r"or use the scheme informative or own$"):
        parse_job(text, "j.toml")
    text = text.replace("resampled", "own")
    assert parse_job(text, "j.toml").informative.age == 3
    with pytest.raises(JobError, match=r"informative.price: the scheme own does .* informative$"):
        parse_job(text, "j.toml", {"informative": {"price": 0.2}})
    weights = {"fitness": {"measure": "log-nodes", "weights": {"near": 1.0}}}
    said = r"nor the scheme own uses a baseline: .*scheme coevolution$"
    with pytest.raises(JobError, match=said):
        parse_job(text, "j.toml", weights)
    Own.baseline = True
    assert parse_job(text, "j.toml", weights).fitness.weights == {"near": 1.0}
