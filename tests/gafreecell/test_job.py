"""Jobs: what is read, what is refused and how, and what shapes a run."""

from __future__ import annotations

import time
import tomllib
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, as_toml, job_table
from hypothesis import given, settings
from hypothesis import strategies as st

from gafreecell.evolution.generation import trained_features
from gafreecell.evolution.job import (
    Export,
    Fitness,
    Job,
    JobError,
    Pools,
    Stop,
    Trained,
    Validation,
    job_text,
    overlap,
    part_tables,
    training_pool,
    validation_pool,
)
from gafreecell.evolution.job_reading import KeyLines, make_job, parse_job, read_job
from gafreecell.evolution.populations import Rates
from gafreecell.evolution.schemes.coevolution import Problems
from gafreecell.evolution.schemes.sample_size import Sample
from gafreecell.evolution.trainers.cma_es import Cma
from gafreecell.evolution.trainers.nsga_ii import Nsga

JOBS = sorted(ROOT.glob("runs/*.toml"))
TABLES = {
    "trained": Trained,
    "solvers": Rates,
    "problems": Problems,
    "sample": Sample,
    "cma": Cma,
    "nsga": Nsga,
    "fitness": Fitness,
    "deals": Pools,
    "validation": Validation,
    "stop": Stop,
}


def job(**changes: Any) -> Job:
    return parse_job(as_toml(job_table(**changes)), "job.toml")


def refusal(text: str) -> str:
    """The message of a job that is refused; never more than three lines."""
    with pytest.raises(JobError) as caught:
        parse_job(text, "job.toml")
    message = str(caught.value)
    assert message.startswith("job.toml"), "the file is named first"
    assert len(message.splitlines()) <= 3
    return message


def line_of(text: str, key: str, section: str = "") -> int:
    current = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("["):
            current = line.strip("[]")
        elif current == section and line.split(" = ")[0] == key:
            return number
    raise AssertionError(f"no {key} in [{section}]")


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.stem)
def test_the_jobs_of_this_repository_are_read(path: Path) -> None:
    read = read_job(path)
    assert read.name == path.stem
    assert parse_job(job_text(read), "again") == read


def test_defaults_are_the_papers() -> None:
    read = parse_job('name="a"\ngenerations=1\n[trained]\nsearch="staged"', "job.toml")
    assert (read.game, read.scheme, read.seed) == ("freecell", "coevolution", 1)
    for rates in (read.solvers, read.problems):
        assert (rates.reproduction, rates.crossover, rates.mutation) == (0.2, 0.7, 0.1)
        assert (rates.gene_mutation, rates.elite, rates.selection) == (0.1, 1, "roulette")
        assert 40 <= rates.population <= 60
    assert (read.problems.deals, read.problems.every, read.problems.meetings) == (6, 5, 2)
    assert (read.problems.encounters, read.problems.penalty) == ("own", 1_000_000_000)
    assert (read.fitness.measure, read.fitness.baseline) == ("node-reduction", "")
    assert len(training_pool(read, read.load_game())) == 1000
    assert 11982 not in training_pool(read, read.load_game())


UNKNOWN = [("", "colour"), *((section, "colour") for section in TABLES)]


@pytest.mark.parametrize(("section", "key"), UNKNOWN)
def test_unknown_keys_are_refused_by_name(toy: Any, section: str, key: str) -> None:
    table = job_table(**({section: {key: 1}} if section else {key: 1}))
    text = as_toml(table)
    message = refusal(text)
    assert f"line {line_of(text, key, section)}:" in message
    assert (f"{section}.{key}" if section else key) in message
    known = {spec.name for spec in fields(TABLES[section] if section else Job)} - {"tables"}
    known |= set() if section else set(part_tables({}))
    assert all(key in message for key in known), "it says what keys there are"


# section, key, what the message must hold of what is allowed, and values that are not
WRONG: list[tuple[str, str, str, list[Any]]] = [
    ("", "name", "text", [5]),
    ("", "name", "letters", ["", "a/b", "../up"]),
    ("", "generations", "1 to", [0, -3, 10**7]),
    ("", "generations", "whole number", [1.5, "9", True]),
    ("", "seed", "0 to", [-1, 2**63]),
    ("", "seed", "whole number", ["one"]),
    ("", "scheme", "coevolution, fixed, informative, replayed, resampled", ["hillis"]),
    ("", "variant", "table", [4]),
    ("", "solvers", "table", [4]),
    ("", "game", "text", [4]),
    ("trained", "search", "text", [4]),
    ("trained", "features", "list of names", ["near", [1]]),
    ("trained", "features", "twice", [["near", "near"]]),
    ("trained", "features", "near, middle, far", [["near", "Height"]]),
    ("trained", "parameters", "table", [[]]),
    ("trained", "nodes", "1 to", [0]),
    ("trained", "nodes", "whole number", [1e5]),
    ("solvers", "population", "2 to", [1, 10**6]),
    ("solvers", "reproduction", "0 to 1", [-0.1]),
    ("solvers", "crossover", "0 to 1", [1.1]),
    ("solvers", "mutation", "number", ["often"]),
    ("solvers", "gene_mutation", "0 to 1", [2]),
    ("solvers", "elite", "0 to", [-1]),
    ("solvers", "elite", "less than the population", [8]),
    ("solvers", "selection", "roulette or windowed or tournament", ["rank"]),
    ("solvers", "tournament", "1 to", [0]),
    ("solvers", "sigma", "0 to", [-1, float("nan"), float("inf")]),
    *[("problems", key, "1 to", [0]) for key in ("deals", "every", "meetings", "penalty")],
    ("problems", "meetings", "problems.population", [7]),
    ("problems", "encounters", "own or shared", ["some"]),
    ("problems", "elite", "less than the population", [6]),
    ("sample", "deals", "1 to", [0]),
    ("fitness", "measure", "log-nodes, node-reduction", ["speed"]),
    ("fitness", "failure", "1 to", [0.5]),
    ("fitness", "length", "0 to", [-1]),
    ("fitness", "baseline", "text", [1]),
    ("cma", "scale", "linear or cosine", ["log"]),
    ("deals", "train", "text", [12]),
    ("deals", "train", "few", ["thirty"]),
    ("deals", "train", "9-3", ["9-3"]),
    ("deals", "train", "holds no solvable deals", ["13"]),
    ("deals", "train", "2 deals", ["1-2"]),
    ("deals", "validation", "0-3", ["0-3"]),
    ("validation", "nodes", "0 to", [-1]),
    ("validation", "failure", "1 to", [0]),
]


@pytest.mark.parametrize(
    ("section", "key", "allowed", "value"),
    [(*row, value) for *row, values in WRONG for value in values],
)
def test_wrong_values_are_refused(
    toy: Any, section: str, key: str, allowed: str, value: Any
) -> None:
    text = as_toml(job_table(**({section: {key: value}} if section else {key: value})))
    message = refusal(text)
    assert (f"{section}.{key}" if section else key) in message
    assert allowed in message
    if not isinstance(value, list):
        shown = repr(value) if isinstance(value, str) else str(value).removesuffix(".0")
        assert shown in message or value in ("1-2", "0-3", "9-3"), "it shows the value"
    if not (section == "" and key == "solvers"):
        assert f"line {line_of(text, key, section)}:" in message


# Values that only the game can judge.
WRONG_FOR_THE_GAME: list[tuple[str, str, str, list[Any]]] = [
    ("", "game", "toy", ["chess"]),
    ("", "variant", "slow", [{"height": 3}]),
    ("trained", "search", "think", ["guess"]),
    ("trained", "parameters", "effort", [{"depth": 3}]),
    ("trained", "parameters", "1 to", [{"effort": 0}]),
    (
        *("trained", "parameters", "whole number"),
        [{"effort": wrong} for wrong in ("much", "20", 1.5, True, [1], {"a": 1})],
    ),
    ("trained", "parameters", "calm or wild", [{"mood": "sad"}]),
    ("fitness", "baseline", "guess, known", ["best"]),
]


@pytest.mark.parametrize(
    ("section", "key", "allowed", "value"),
    [(*row, value) for *row, values in WRONG_FOR_THE_GAME for value in values],
)
def test_what_the_game_does_not_have_is_refused_with_the_line(
    toy: Any, section: str, key: str, allowed: str, value: Any
) -> None:
    text = as_toml(job_table(**({section: {key: value}} if section else {key: value})))
    message = refusal(text)
    assert (next(iter(value)) if isinstance(value, dict) else value) in message
    assert allowed in message
    # as_toml writes the variant as a table of its own: its header's line or its key's will do.
    line = line_of(text, "height", "variant") if key == "variant" else line_of(text, key, section)
    assert f"line {line}:" in message or (key == "variant" and f"line {line - 1}:" in message)


@pytest.mark.parametrize(
    ("key", "value"),
    [("cells", one) for one in (99, -1, 4.5, "4", True)] + [("cascades", 3), ("cascades", 30)],
)
def test_a_variant_of_freecell_that_cannot_be_is_refused(key: str, value: Any) -> None:
    table = {"name": "a", "generations": 1, "trained": {"search": "staged"}}
    table["deals"] = {"train": "1-20", "validation": "21-30"}
    assert key in refusal(as_toml({**table, "variant": {key: value}}))


@pytest.mark.parametrize("population", ["solvers", "problems"])
def test_rates_that_do_not_sum_to_one_are_refused(toy: Any, population: str) -> None:
    message = refusal(as_toml(job_table(**{population: {"mutation": 0.3}})))
    assert all(word in message for word in (population, "sum to 1", "1.2"))
    # A sum that differs from 1 only as floats do is 1.
    thirds = {"reproduction": 0.1, "crossover": 0.2, "mutation": 0.7}
    assert job(**{population: thirds})


def test_required_keys_are_named(toy: Any) -> None:
    for key in ("name", "generations", "trained"):
        table = job_table()
        del table[key]
        assert f"{key} is missing" in refusal(as_toml(table))
    assert "trained.search is missing" in refusal('name="a"\ngenerations=1\n[trained]\n')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name = \n", "line 1"),
        ("name = 'a'\nname = 'b'\n", "line 2"),
        ("name = 'a'\n[trained\n", "line 2"),
        ("\n\nnot toml at all", "line 3"),
    ],
)
def test_broken_toml_is_refused_with_its_line(text: str, line: str) -> None:
    assert line in refusal(text)


HEAD = 'name = "a"\ngenerations = 1\ngame = "toy"\n'
TRAINED = '[trained]\nsearch = "think"\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{HEAD}{TRAINED}[solvers] # ours\nelite = 0\npopulation = 1\n", 8),
        (f"{HEAD}{TRAINED}[solvers] # ours\nmutation = 0.3\n", 6),
        (f"{HEAD}{TRAINED}[ solvers ]\n# one\n\npopulation = 1\n", 9),
        (f'{HEAD}{TRAINED}["solvers"]\n"population" = 1\n', 7),
        (f"{HEAD}solvers.population = 1\n{TRAINED}", 4),
        (f"{HEAD}solvers = {{elite = 0, population = 1}}\n{TRAINED}", 4),
        (f'{HEAD}{TRAINED}features = [\n  "near",\n  "height",\n]\n', 6),
        (f'{HEAD}{TRAINED}[deals]\ntrain = """\n[sample]\ndeals = 0\n"""\n[sample]\ndeals = 0', 12),
        (f"{HEAD}{TRAINED}[exports.quick]\nsearch = 'think'\nnodes = 0\n", 8),
        (f"{HEAD}{TRAINED}[solvers]\npopulation = 1\n".replace("\n", "\r\n"), 7),
    ],
)
def test_the_line_is_told_however_the_key_is_written(toy: Any, text: str, line: int) -> None:
    assert refusal(text).startswith(f"job.toml, line {line}:")


def test_nesting_without_end_is_refused() -> None:
    refusal("name = " + "[" * 100_000)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary.toml").write_bytes(b"name = '\xff\xfe'")
    (tmp_path / "empty.toml").write_bytes(b"")
    for path, reason in (
        (tmp_path / "absent.toml", "No such file"),
        (tmp_path, "directory"),
        (tmp_path / "binary.toml", "not text"),
        (tmp_path / "empty.toml", "name is missing"),
        (tmp_path / "empty.toml" / "below.toml", "cannot read"),
    ):
        with pytest.raises(JobError, match=reason) as caught:
            read_job(path)
        assert str(path) in str(caught.value)


def test_whole_numbers_do_where_a_number_is_asked(toy: Any) -> None:
    read = job(solvers={"reproduction": 0, "crossover": 1, "mutation": 0}, fitness={"failure": 3})
    assert (read.solvers.crossover, read.fitness.failure) == (1.0, 3.0)
    assert isinstance(read.solvers.crossover, float)


@settings(max_examples=20)
@given(
    st.text(st.characters(categories=["L", "N"]) | st.sampled_from("-_."), min_size=1, max_size=9),
    st.floats(0, 10),
    st.integers(0, 2**63 - 1),
    st.integers(1, 10**15),
)
def test_any_job_that_is_read_can_be_written_and_read_again(
    name: str, sigma: float, seed: int, penalty: int
) -> None:
    table = job_table(seed=seed, problems={"penalty": penalty}, solvers={"sigma": sigma})
    table.update(game="freecell", trained={"search": "staged"}, name=name)
    read = parse_job(as_toml(table), "job.toml")
    assert (read.name, read.seed, read.problems.penalty) == (name, seed, penalty)
    assert parse_job(job_text(read), "again") == read


def leaves(value: Any, where: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths of all settings of a job."""
    if not is_dataclass(value):
        return [where]
    names = [spec.name for spec in fields(value) if spec.name != "tables"]
    names += value.tables if isinstance(value, Job) else []
    return [path for name in names for path in leaves(getattr(value, name), (*where, name))]


def changed(value: Any, path: tuple[str, ...]) -> Any:
    """The same job with another value of one setting, checks left out."""
    if path:
        made = changed(getattr(value, path[0]), path[1:])
        if path[0] in getattr(value, "tables", {}):
            return replace(value, tables={**value.tables, path[0]: made})
        return replace(value, **{path[0]: made})
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, tuple):
        return (*value, "x")
    if isinstance(value, dict):
        return {**value, "x": 1}
    return 0.0 if value == float("-inf") else value + 1


def test_the_digest_changes_with_everything_but_the_runs_end_and_its_exports(toy: Any) -> None:
    first = job()
    paths = [path for path in leaves(first) if path not in (("exports",), ("phases",))]
    assert len(paths) > 35
    digests = {path: changed(first, path).digest for path in paths}
    stops = [("stop", key) for key in ("patience", "target", "evaluations")]
    kept = ("hall_of_fame",), ("individuals",), ("deals", "overlap")
    for path in (("generations",), *stops, *kept):
        assert digests.pop(path) == first.digest
    assert first.digest not in digests.values()
    assert len(set(digests.values())) == len(digests)


def test_the_digest_does_not_see_how_a_job_is_written(toy: Any) -> None:
    table = job_table(trained={"parameters": {"effort": 20, "mood": "wild"}})
    shuffled = dict(reversed(table.items()))
    shuffled["trained"] = dict(reversed(table["trained"].items()))
    written = parse_job("# a comment\n" + as_toml(shuffled), "b")
    assert written.digest == parse_job(as_toml(table), "a").digest


def test_pools_leave_out_what_cannot_be_solved(toy: Any) -> None:
    read = job(deals={"train": "10-20", "validation": "13-14", "overlap": "allowed"})
    assert 13 not in training_pool(read, toy)
    assert validation_pool(read, toy) == (14,)


def test_deals_that_train_and_validate_are_refused_unless_allowed(toy: Any) -> None:
    deals = {"train": "1-60", "validation": "51-70"}
    with pytest.raises(JobError, match=r"10 deals of 51-70 also train .1-60.*overlap = 'allowed'"):
        job(deals=deals)
    assert job(deals={**deals, "validation": "61-70"})
    assert overlap(job(deals={**deals, "overlap": "allowed"}), toy) == 10


def test_exports_are_read_checked_and_written_back(toy: Any) -> None:
    first = job()
    exports = {"quick": {"search": first.trained.search, "nodes": 5, "memory": 2_000_000}}
    other = job(exports=exports)
    assert other.exports["quick"] == Export(first.trained.search, {}, 5, 2_000_000)
    assert other.digest == first.digest, "they can be changed later"
    assert parse_job(job_text(other), "again") == other


@pytest.mark.parametrize(
    ("table", "key", "value", "expected"),
    [
        ("exports", "best", {"search": "think"}, "exports.best"),
        ("exports", "quick", {"search": "fast"}, "fast"),
        ("exports", "quick", {}, "exports.quick.search is missing"),
        ("exports", "quick", {"search": "think", "nodes": 0}, "exports.quick.nodes"),
        ("exports", "quick", {"search": "think", "speed": 3}, "exports.quick.speed"),
        ("exports", "quick", 3, "exports.quick must be a table"),
        ("ranges", "colour", [0, 1], "trained.ranges: 'colour' is not one of"),
        ("ranges", "near", [1, 0], "must be two numbers, the least weight and a larger one"),
        *[
            ("ranges", "near", value, "must be two numbers")
            for value in ([0, 0], [0.5], 3, ["a", "b"], [False, True], [0, 10**400])
        ],
        ("start", "near", 2, "cma.start: near must be 0 to 1, got 2"),
        ("start", "colour", 0.5, "'colour' is not one of"),
        ("weights", "near", "much", "fitness.weights.near must be a number, got 'much'"),
        ("weights", "Height", 1, "fitness.weights: 'Height' is not one of near, middle, far"),
    ],
)
def test_wrong_entries_of_tables_are_refused(
    toy: Any, table: str, key: str, value: Any, expected: str
) -> None:
    changes: dict[str, dict[str, Any]] = {
        "exports": {"exports": {key: value}},
        "ranges": {"trained": {"ranges": {key: value}}},
        "start": {"trainer": "cma-es", "cma": {"start": {key: value}}},
        "weights": {"fitness": {"weights": {key: value}}},
    }
    assert expected in refusal(as_toml(job_table(**changes[table])))


def test_a_baseline_is_named_once(toy: Any) -> None:
    both = {"baseline": "guess", "weights": {"near": 1}}
    assert "drop one" in refusal(as_toml(job_table(fitness=both)))


def test_cma_can_start_around_given_weights(toy: Any) -> None:
    assert job(trainer="cma-es", cma={"start": {"near": 1.0}}).cma.start == {"near": 1.0}


def test_a_job_can_give_weights_other_ranges(toy: Any) -> None:
    first = toy.features[0].name
    read = job(trained={"ranges": {first: [-2, 0.5]}})
    found = {feature.name: (feature.low, feature.high) for feature in trained_features(read, toy)}
    given = {feature.name: (feature.low, feature.high) for feature in toy.features}
    assert found == {**{name: given[name] for name in read.trained.features}, first: (-2.0, 0.5)}
    assert parse_job(job_text(read), "again") == read
    # A start may lie wherever its weight may.
    start = {"start": {first: -1.5}}
    assert job(trainer="cma-es", cma=start, trained={"ranges": {first: [-2, 0]}}).cma.start


@pytest.mark.usefixtures("toy")
def test_numpys_numbers_are_pythons_everywhere() -> None:
    """Those of single precision are the numbers that were written, so that shares sum to 1."""

    def written(whole: Any, share: Any, array: Any) -> dict[str, Any]:
        return job_table(
            seed=whole(5),
            variant={"slow": whole(2)},
            trainer="cma-es",
            scheme="resampled",
            trained={
                "features": array(["near", "far"]),
                "ranges": {"near": array([0, 2]), "far": [share(-0.1), whole(1)]},
                "parameters": {"effort": whole(500)},
            },
            solvers={"reproduction": share(0.2), "crossover": share(0.7), "mutation": share(0.1)},
            sample={"deals": whole(5), "growth": {whole(2): whole(8)}},
            cma={"start": {"near": share(0.3)}, "sigma": share(0.3)},
            fitness={"weights": {"near": array(0.5)}},
            stop={"patience": whole(3)},
        )

    expected = job_text(make_job(written(int, float, lambda one: one)))
    for whole, share in ((np.int64, np.float32), (np.uint64, np.longdouble)):
        found = written(whole, lambda one, share=share: share(str(one)), np.array)
        assert job_text(make_job(found)) == expected
    sigma = np.array([0.1, 0.2, 0.3], np.float32)
    options = {"mutGaussian": {"mu": np.int64(0), "sigma": sigma}}
    bred = make_job(job_table(operators={"mutation": "mutGaussian"}, options=options))
    assert bred.options == {"mutGaussian": {"mu": 0, "sigma": [0.1, 0.2, 0.3]}}
    assert Job("a", np.int64(1), {"search": "think"}, seed=np.int64(5)).digest  # type: ignore[arg-type]
    with pytest.raises(JobError, match=r"solvers\.sigma must be a number, got 1000"):
        make_job(job_table(solvers={"sigma": 10**400}))
    with pytest.raises(JobError, match="seed must be a whole number, got True"):
        make_job(job_table(seed=np.True_))


def test_the_lines_of_a_long_job_are_found_in_one_pass() -> None:
    few, many = (
        "".join(f"[exports.e{i}]\nsearch = 'think'\n" for i in range(n)) for n in (300, 3_000)
    )
    text = f"{HEAD}{TRAINED}{many}[solvers]\npopulation = 1\n"
    lines = KeyLines(text, tomllib.loads(text))
    assert lines.line_of("solvers.population") == text.count("\n")
    assert lines.line_of("exports.e7.search") == 21 and lines.line_of("cma.scale") == 0

    def spent(exports: str) -> float:
        began = time.process_time()
        assert "line 7:" in refusal(f"{HEAD}{TRAINED}[solvers]\npopulation = 1\n{exports}")
        return time.process_time() - began

    # Ten times as long; fifty times if each statement were read again.
    assert min(spent(many) for _ in range(2)) < 25 * max(spent(few) for _ in range(2))
