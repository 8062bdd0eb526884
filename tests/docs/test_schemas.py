"""docs/schemas describe what the program writes, and refuse what is mangled."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import gafreecell
from gafreecell.cli.main import run
from gafreecell.solving.weights import WeightsError, parse_weights

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(ROOT.glob("docs/schemas/*.json"))
}
VALIDATORS = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
RUNS = sorted(path.parent for path in ROOT.glob("runs/*/state.json"))
WEIGHTS = sorted(
    [
        *ROOT.glob("hsd/presets_data/*.json"),
        *ROOT.glob("gafreecell/solitaire/*/presets_data/*.json"),
        *ROOT.glob("runs/*/weights/*.json"),
        *ROOT.glob("benchmarks/solvers/*.json"),
    ]
)
Document = dict[str, Any]
Command = Callable[..., str]


def faults_of(schema: str, document: Any) -> list[str]:
    """What is wrong with a document."""
    faults = VALIDATORS[schema].iter_errors(document)
    return [f"{fault.json_path}: {fault.message}" for fault in faults]


def check(schema: str, document: Any) -> None:
    """Raise ``AssertionError`` unless a document is valid."""
    assert not faults_of(schema, document), schema


def read(path: Path) -> Any:
    """The JSON of a file."""
    return json.loads(path.read_text(encoding="utf-8"))


OPEN = {"provenance", "libraries"}
"""Keys below which a format leaves values open."""


def shortened(document: Any) -> Any:
    """A copy with one object, or two numbers, of each long list; no schema asks for over five."""
    if isinstance(document, dict):
        return {key: shortened(value) for key, value in document.items()}
    if isinstance(document, list):
        objects = all(isinstance(value, dict) for value in document)
        kept = document[:1] if objects else document[: None if len(document) <= 5 else 2]
        return [shortened(value) for value in kept]
    return document


def mangled(document: Any, whole: Any = None) -> Iterator[tuple[str, Any]]:
    """A document with one value that can be none, for each of its values; of lists the first."""
    whole = document if whole is None else whole
    places = document.items() if isinstance(document, dict) else enumerate(document[:1])
    for place, value in list(places):
        document[place] = [[["?"]]]
        yield str(place), whole
        document[place] = value
        if isinstance(value, dict | list) and place not in OPEN:
            yield from ((f"{place}.{rest}", whole) for rest, _ in mangled(value, whole))


def check_all_of(schema: str, document: Any) -> None:
    """A document is valid, and no longer so if any value in it is mangled or a key is added."""
    check(schema, document)
    document, valid = shortened(document), VALIDATORS[schema].is_valid
    check(schema, document)
    for place, damaged in mangled(copy.deepcopy(document)):
        assert place in OPEN or not valid(damaged), f"{schema}: any {place} is taken"
    assert schema == "log" or not valid({**document, "unknown": 1})
    for key in SCHEMAS[schema]["required"]:
        assert not valid({k: v for k, v in document.items() if k != key}), key


def lines(text: str) -> list[Document]:
    """The objects of JSON lines, which hold no NaN and no infinity."""
    return [json.loads(line, parse_constant=pytest.fail) for line in text.splitlines()]


def logged(folder: Path, name: str) -> list[Document]:
    """The lines of a run's file, none if it is not there."""
    path = folder / name
    return lines(path.read_text(encoding="utf-8")) if path.exists() else []


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a ``gafreecell`` command in this process and returns what it prints."""

    def call(words: str, status: int = 0) -> str:
        capsys.readouterr()
        done = run([*words.split(), "--no-progress"])
        out, err = capsys.readouterr()
        assert done == status, err
        return out

    return call


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


def test_schemas_that_share_a_definition_agree() -> None:
    evaluate, compare = (copy.deepcopy(SCHEMAS[name]["$defs"]) for name in ("evaluate", "compare"))
    for name in ("figure", "interval", "estimate", "count", "lengths"):
        assert evaluate[name] == compare[name]
    del evaluate["comparison"]["properties"]["penalised"]
    assert evaluate["comparison"] == compare["comparison"]


def keys(schema: Any) -> Iterator[str]:
    """The keys that a schema names at any depth."""
    if isinstance(schema, dict):
        properties = schema.get("properties", {})
        yield from properties
        for part in [*properties.values(), *(v for k, v in schema.items() if k != "properties")]:
            yield from keys(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from keys(part)


def test_the_page_names_every_key() -> None:
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`", page))))
    for name, schema in SCHEMAS.items():
        assert f"schemas/{name}.json" in page
        assert set(keys(schema)) <= words, name


@pytest.mark.parametrize("folder", RUNS, ids=lambda path: path.name)
def test_reference_runs(folder: Path) -> None:
    check("state", read(folder / "state.json"))
    assert logged(folder, "log.jsonl")
    for name in ("log", "validation"):
        for line in logged(folder, f"{name}.jsonl"):
            check(name, line)


@pytest.mark.parametrize("path", WEIGHTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_presets_and_weights_of_runs(path: Path) -> None:
    check("weights", read(path))


def test_there_are_runs_and_weights() -> None:
    assert len(RUNS) > 10
    assert len(WEIGHTS) > 30


RULES = {"count": 1, "structure": "evolved"}
JOBS: dict[str, Document] = {
    "coevolution": {},
    "informative": {
        "scheme": "informative", "trainer": "cma-es", "informative": {"population": 20},
    },
    "agreement": {
        "scheme": "resampled", "sample": {"agreement": 0.9, "deals": 4}, "racing": {"rounds": 2},
    },
    "nsga-ii": {"scheme": "fixed", "trainer": "nsga-ii", "fitness": {"measure": "log-nodes"}},
    "rules-gp": {"scheme": "fixed", "trainer": "rules-gp", "rules": RULES},
}  # fmt: skip
"""Jobs whose runs have, among them, every key that built-in parts write."""


class Steps(gafreecell.BaseGame):
    """A game in plain Python, which takes no time: steps as long as the weights say."""

    name = "steps"
    features = (
        gafreecell.Feature("long", "of long steps", 0, 1, baseline=0.5),
        gafreecell.Feature("short", "of short steps", 0, 1),
    )

    def deal(self, number: int) -> int:
        return number % 97 + 1

    def solve(self, deal: Any, weights: Any, nodes: int, policy: Any = None) -> Any:
        needed = 1 + int(deal * (1 + abs(float(weights[0]) - 0.7) + float(weights[1])))
        return (["step"] * deal, needed) if needed <= nodes else (None, nodes)


def job(name: str, **changes: Any) -> Document:
    return {
        "name": name, "generations": 2, "trained": {"search": "solve", "nodes": 150},
        "solvers": {"population": 10}, "problems": {"population": 4},
        "deals": {"train": "1-90", "validation": "101-104"}, **changes,
    }  # fmt: skip


@pytest.mark.parametrize("name", JOBS)
def test_runs_of_every_trainer_and_scheme(name: str, tmp_path: Path) -> None:
    done = gafreecell.evolve(job(name, **JOBS[name]), tmp_path / "run", 1, game=Steps)
    folder = done.folder
    state, log = SCHEMAS["state"]["properties"], SCHEMAS["log"]["properties"]
    check_all_of("state", read(folder / "state.json"))
    check_all_of("weights", read(folder / "weights/best.json"))
    # Other keys than these are only for parts of one's own.
    assert set(done.state.trainer) <= set(state["trainer"]["properties"])
    assert set(done.state.scheme) <= set(state["scheme"]["properties"])
    first, last = logged(folder, "log.jsonl")
    check_all_of("log", last)
    for line in (first, last):
        check("log", line)
        assert set(line) <= set(log)
        assert set(line["problems"] or ()) <= set(log["problems"]["properties"])
    for line in logged(folder, "validation.jsonl"):
        check_all_of("validation", line)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("solve 164 11982", 0),
        ("solve 5 --preset hsdh --nodes 100", 1),
        ("solve 7 --cells 3", 0),
        ("solve BOARD", 0),
        ("solve 3 --game klondike", 0),
        ("solve 7 --game pyramid --goal score", 0),
        ("hint 617 --preset fast --nodes 20000", 1),
        ("hint 7 --game pyramid", 0),
        ("rate 2 11982", 0),
        ("rate 2 --game pyramid", 0),
        ("play 3-4 --policy greedy", 0),
        ("least-cells 1-2", 0),
    ],
)
def test_lines_of_commands(words: str, status: int, command: Command, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(command("deal 164"))
    words = words.replace("BOARD", str(board))
    found = lines(command(f"{words} --format jsonl", status))
    assert found
    for line in found:
        check_all_of(words.split()[0], line)


def test_a_hint_with_hidden_cards(command: Command, tmp_path: Path) -> None:
    position = tmp_path / "position.txt"
    position.write_text(re.sub("<..>", "??", command("deal 7 --game klondike")))
    words = f"hint {position} --game klondike --samples 5 --format jsonl"
    (line,) = lines(command(words, status=1))
    check_all_of("hint", line)
    assert line["status"] is None and line["moves"][0]["chance"]


def test_evaluate(command: Command) -> None:
    words = "evaluate fast fastest --deals 60001-60004 --nodes 20000 --format json"
    check_all_of("evaluate", json.loads(command(words)))
    check_all_of("evaluate", json.loads(command(f"{words} --penalty")))


def test_compare(command: Command, tmp_path: Path) -> None:
    folders = []
    for trainer in ("genetic", "random"):
        for seed in (1, 2):
            folders.append(tmp_path / f"{trainer}-{seed}")
            gafreecell.evolve(job(trainer, trainer=trainer, seed=seed), folders[-1], 1, game=Steps)
    seeds = f"compare {' '.join(map(str, folders))} --deals 201-230 --format json"
    over_seeds = json.loads(command(seeds))
    assert over_seeds["over"] == "seeds" and over_seeds["comparisons"]
    check_all_of("compare", over_seeds)
    check("compare", json.loads(command(f"{seeds} --submit last")))
    over_deals = json.loads(command(f"compare {folders[0]} {folders[2]} --format json"))
    assert over_deals["over"] == "deals"
    check_all_of("compare", over_deals)


FREECELL = ROOT / "hsd/presets_data"
KLONDIKE = ROOT / "gafreecell/solitaire/klondike/presets_data"
LINEAR, SCHEDULE = read(FREECELL / "hsdh.json"), read(FREECELL / "fast.json")
RULED = {
    **read(KLONDIKE / "rollouts-2007.json"),
    "variant": {"draw": 1, "redeals": 2, "stock": "known"},
}
POLICY = {
    **LINEAR,
    "evaluator": {
        "kind": "rules",
        "features": ["NotPlaced", "CellsUsed"],
        "rules": [
            {"if": "CellsUsed > 0.7 and NotPlaced <= 1e-3", "offset": 0.2, "weights": [1, 0.5]},
            {"if": "NotPlaced <= 0.25", "weights": [0.4, 1.0]},
        ],
        "default": {"offset": -0.1, "weights": [1.0, 1.0]},
    },
}


@pytest.mark.parametrize("document", [LINEAR, SCHEDULE, POLICY, RULED])
def test_each_kind_is_taken_by_schema_and_program(document: Document) -> None:
    check_all_of("weights", document)
    parse_weights(json.dumps(document), "weights")


@pytest.mark.parametrize(
    ("made", "edit"),
    [
        (LINEAR, "d['format']['version'] = 6"),
        (RULED, "d['variant']['draw'] = [1]"),
        (LINEAR, "d['format']['name'] = 'gafreecell-run'"),
        (LINEAR, "d['notes'] = 'mine'"),
        (LINEAR, "del d['limits']"),
        (LINEAR, "d['limits']['nodes'] = 0"),
        (LINEAR, "d['limits']['nodes'] = 10**18 + 1"),
        (LINEAR, "d['limits']['nodes'] = 2.5"),
        (LINEAR, "d['limits']['seconds'] = 1"),
        (LINEAR, "d['variant']['cells'] = [4]"),
        (LINEAR, "d['search']['parameters']['depth'] = None"),
        (LINEAR, "d['search']['budget'] = 1"),
        (LINEAR, "d['evaluator']['kind'] = 'quadratic'"),
        (LINEAR, "d['evaluator']['weights'] = ['1.0'] * len(d['evaluator']['weights'])"),
        (LINEAR, "d['evaluator']['weights'] = [True] * len(d['evaluator']['weights'])"),
        (LINEAR, "d['evaluator']['features'] = ['HSDH', 'HSDH']"),
        (LINEAR, "d['evaluator']['phases'] = []"),
        (SCHEDULE, "d['format']['version'] = 4"),
        (SCHEDULE, "d['evaluator']['phases'] = []"),
        (SCHEDULE, "d['evaluator']['phases'][0]['rule'] = 'worst-first'"),
        (SCHEDULE, "d['evaluator']['phases'][0]['nodes'] = 0"),
        (SCHEDULE, "d['evaluator']['phases'][0]['offset'] = 1.0"),
        (POLICY, "d['evaluator']['rules'] = []"),
        (POLICY, "del d['evaluator']['default']"),
        (POLICY, "d['evaluator']['default']['if'] = 'NotPlaced > 1'"),
        (POLICY, "d['evaluator']['rules'][1]['if'] = 'NotPlaced == 1'"),
        (POLICY, "d['evaluator']['rules'][1]['if'] = 'NotPlaced > high'"),
        (POLICY, "d['evaluator']['rules'][1]['if'] += ' or NotPlaced > 1 or NotPlaced > 2'"),
    ],
)
def test_mangled_weights_are_refused_by_schema_and_program(made: Document, edit: str) -> None:
    document = copy.deepcopy(made)
    exec(edit, {"d": document})
    assert faults_of("weights", document)
    with pytest.raises(WeightsError):
        parse_weights(json.dumps(document), "mangled")


COUNTS = {"single": 1, "column": 1, "manual": 1}
CELLS: Document = {
    "game": "freecell", "deal": 1, "status": "solved", "cells": 0, "moves": ["6a"],
    "tried": {"0": "solved"}, "nodes": {"expanded": 1, "generated": 2}, "seconds": 0.001,
}  # fmt: skip
SOLVED: Document = {
    "game": "freecell", "deal": 1, "status": "solved", "moves": ["6a"], "lengths": COUNTS,
    "nodes": {"expanded": 1, "generated": 2}, "seconds": 0.001,
}  # fmt: skip
RATED: Document = {
    "game": "other", "deal": "mine", "status": "solved", "grade": 10, "measures": {"score": 1.5},
    "seconds": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "document", "change"),
    [
        ("solve", SOLVED, {"status": "won"}),
        ("solve", SOLVED, {"status": "unsolvable"}),
        ("solve", SOLVED, {"moves": None}),
        ("solve", SOLVED, {"moves": "6a"}),
        ("solve", SOLVED, {"lengths": {"single": 1}}),
        ("solve", SOLVED, {"lengths": {**COUNTS, "cards": 4}}),
        ("solve", SOLVED, {"deal": 1.5}),
        ("solve", SOLVED, {"seconds": -1}),
        ("solve", SOLVED, {"nodes": {"expanded": 0, "generated": 0}}),
        ("solve", SOLVED, {"source": "board.txt:1"}),
        ("rate", RATED, {"grade": 0}),
        ("rate", RATED, {"grade": 11}),
        ("rate", RATED, {"grade": None}),
        ("rate", RATED, {"status": "unsolvable"}),
        ("rate", RATED, {"game": "freecell"}),
        ("least-cells", CELLS, {"cells": None}),
        ("least-cells", CELLS, {"moves": None}),
        ("least-cells", CELLS, {"tried": {"none": "solved"}}),
    ],
)
def test_lines_that_contradict_themselves_are_refused(
    schema: str, document: Document, change: Document
) -> None:
    check(schema, document)
    assert faults_of(schema, {**document, **change})
