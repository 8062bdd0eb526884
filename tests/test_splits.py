"""docs/splits.toml names all there is, says what jobs and benchmarks say, and hides no overlap."""

from __future__ import annotations

import ast
import copy
import csv
import importlib
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import hsd.presets
from benchmarks.splits import Result, Splits, faults, numbers, page, read, shared
from deals.sets import NAMES
from gafreecell.cli import demo
from gafreecell.cli.arguments import parser
from gafreecell.comparing.held_out import held_out, rivals
from gafreecell.evolution.job import Job
from gafreecell.evolution.job_reading import make_job, parse_job, read_job
from gafreecell.solitaire.game import game
from gafreecell.solitaire.klondike import presets as klondike_presets
from gafreecell.solitaire.klondike.hidden import POLICIES
from gafreecell.solitaire.klondike.hidden.best import Best
from gafreecell.solitaire.pyramid import presets as pyramid_presets
from gafreecell.solving.weights import read_weights
from hsd import rating

ROOT = Path(__file__).parents[1]
DOCUMENT = tomllib.loads((ROOT / "docs/splits.toml").read_text(encoding="utf-8"))
TABLES = read(DOCUMENT)
PRESETS = {
    "freecell": hsd.presets.PRESETS,
    "klondike": klondike_presets.PRESETS,
    "pyramid": pyramid_presets.PRESETS,
}
JOBS = {path.stem: path for path in sorted((ROOT / "runs").glob("*.toml"))}
JOBS["archive"] = ROOT / "examples/archive/gafreecell_archive/archive.toml"
# These measure no solver; serving, replay_speed and own_game measure speeds alone.
NO_SOLVERS = {
    "chromium", "licences", "mutations", "pages", "reference", "replay_speed", "rooms", "same",
    "screenshots", "serving", "splits", "replayed", "studies", "own_game",
    # Games given as rules have no table; tests/patience compares their deals.
    "portfolios", "solvitaire", "winnable",
    # These sum up lists of deals, and measure what surveys and workers cost.
    "lists", "survey_scale", "workers",
}  # fmt: skip
BENCHMARKS = sorted(
    path.stem for path in (ROOT / "benchmarks").glob("*.py") if path.stem not in NO_SOLVERS
)
SOLVER_FILES = {path.stem: path for path in (ROOT / "benchmarks/solvers").glob("*.json")}
RESULTS = [(splits, result) for splits in TABLES.values() for result in splits.results]
PAGES = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md"))]
SAVED = re.compile(r"<!-- run\n.*?file (\S+\.toml)\n.*?-->\n```toml\n(.*?)```", re.DOTALL)
"""A job that a page has readers save, with the file's name."""
OTHER_GAMES = ("docs/extend/game.md", "docs/solve/any-game.md")
"""Pages whose commands measure a game that is no part of the project."""
ON_PAGES = {
    "docs/train/choosing.md": {"out/recommended": "choosing-recommended"},
    "docs/train/comparing.md": dict.fromkeys(("out/cma-es-s1", "out/random-s1"), "comparing-trial"),
    "docs/train/running.md": {"out/mine": "running-mine"},
    "docs/train/rules.md": dict.fromkeys(("out/rules", "out/sum-on"), "rules-rules"),
    "docs/train/schedules.md": {"out/b": "schedules-b"},
    "docs/train/studies.md": {"out/steps": "studies-trial"},
    "docs/train/tutorial.md": {
        **dict.fromkeys(("out/first-s1", "first.json"), "tutorial-first"),
        **dict.fromkeys(("out/better-s1", "mine.json"), "tutorial-better"),
    },
}
"""Runs of pages' own jobs, and weights from them, in the commands of these pages."""
ALONE = ("front", "importance", "interactions")
"""Figures that measure a run without its rivals."""
DEMO = "gafreecell/cli/demo.py"
FROM_DEMO = {
    *("mine.json", "out/demo/weights.json", "out/mine", "out/demo", "out/first"),
}
"""Runs of runs/demo.toml, and weights exported from them, in the documents' commands."""


@pytest.fixture(scope="module")
def benchmark_module() -> Callable[[str], ModuleType]:
    """Imports a benchmark as ``python benchmarks/NAME.py`` would find its neighbours."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        importlib.import_module("pages")
    return lambda name: importlib.import_module(f"benchmarks.{name}")


def deals_of(splits: Splits, value: Any) -> np.ndarray:
    """The deals that a benchmark's constant or a job holds: a range or a set's text."""
    if isinstance(value, range):
        return np.arange(value.start, value.stop, value.step)
    return numbers(splits.game, (value,)) if isinstance(value, str) else np.unique(value)


def same(splits: Splits, sets: tuple[str, ...], value: Any) -> bool:
    return np.array_equal(numbers(splits.game, sets), deals_of(splits, value))


def check_job(splits: Splits, name: str, job: Job) -> None:
    run = splits.runs[name]
    assert job.game == splits.game
    assert same(splits, run.trained, job.deals.train), f"{name} trains on {job.deals.train}"
    validation = job.deals.validation
    assert same(splits, run.validated, validation), f"{name} is validated on {validation}"
    starts = [choice for choice in splits.choices if choice.start and name in choice.names]
    assert len(starts) == bool(job.cma.start), f"{name}: the table says where such runs start"


def test_every_game_is_in_the_table() -> None:
    assert set(TABLES) == set(PRESETS)
    for name, splits in TABLES.items():
        assert splits.title == game(name).title


def test_every_job_is_in_the_table_with_its_deals() -> None:
    listed = [(s, name) for s in TABLES.values() for name, run in s.runs.items() if not run.job]
    assert sorted(name for _, name in listed) == sorted(JOBS)
    for splits, name in listed:
        check_job(splits, name, read_job(JOBS[name]))


def test_every_reference_run_is_in_the_table_with_its_deals() -> None:
    folders = {path.name for path in (ROOT / "runs").iterdir() if path.is_dir()}
    assert len(folders) > 5
    for splits in TABLES.values():
        for name in folders & set(splits.runs):
            check_job(splits, name, read_job(ROOT / "runs" / name / "job.toml"))
            folders.remove(name)
    assert not folders


def test_jobs_inside_benchmarks_are_in_the_table_with_their_deals(
    benchmark_module: Callable[[str], ModuleType],
) -> None:
    held = {
        f"{name}.{constant}"
        for name in BENCHMARKS
        for constant, value in vars(benchmark_module(name)).items()
        if isinstance(value, str) and "[trained]" in value and "[deals]" in value
    }
    runs = [
        (splits, name, run.job)
        for splits in TABLES.values()
        for name, run in splits.runs.items()
        if run.job and ":" not in run.job
    ]
    assert {job for *_, job in runs} == held
    for splits, name, job in runs:
        module, constant = job.split(".")
        text = getattr(benchmark_module(module), constant)
        check_job(splits, name, parse_job(text.format(name=name, setting=""), job))


def jobs_of_pages() -> dict[str, str]:
    """The job files that pages have readers save, by page and name."""
    texts = {place: (ROOT / place).read_text(encoding="utf-8") for place in PAGES}
    found = {place: SAVED.findall(text) for place, text in texts.items()}
    return {f"{place}:{name}": job for place, jobs in found.items() for name, job in jobs}


def test_jobs_on_pages_have_the_deals_of_the_table() -> None:
    listed = [(s, name) for s in TABLES.values() for name, run in s.runs.items() if ":" in run.job]
    assert {splits.runs[name].job for splits, name in listed} <= jobs_of_pages().keys()
    assert {name for runs in ON_PAGES.values() for name in runs.values()} <= {n for _, n in listed}
    for splits, name in listed:
        check_job(splits, name, job_of(splits, name))


def job_of(splits: Splits, name: str) -> Job:
    """The job of a run, but for its phases: the weights of those lie in no file."""
    place = splits.runs[name].job
    if not place:
        return read_job(JOBS[name])
    table = tomllib.loads(jobs_of_pages()[place])
    return make_job({key: value for key, value in table.items() if key != "phases"})


@pytest.mark.parametrize("splits", TABLES.values(), ids=TABLES)
def test_every_solver_is_in_the_table_with_its_run(splits: Splits) -> None:
    presets = PRESETS[splits.game]
    made_from = {name: presets.read(name).provenance for name in presets.names}
    for name, path in SOLVER_FILES.items():
        weights = read_weights(path)
        if weights.game == splits.game:
            made_from[name] = weights.provenance
    policies = {policy.name for policy in POLICIES} if splits.game == "klondike" else set()
    assert set(splits.solvers) == {*made_from, *policies, "rate"}
    for name, solver in splits.solvers.items():
        assert [solver.run, solver.weights, solver.published].count("") == 2, name
        assert solver.run == made_from.get(name, {}).get("run", ""), name
        assert not solver.run or solver.run in splits.runs
        graded_by = rating.PRESET if (name, splits.game) == ("rate", "freecell") else ""
        assert solver.weights == (Best.search if name == Best.name else graded_by), name


@pytest.mark.parametrize("splits", TABLES.values(), ids=TABLES)
def test_choices_and_results_name_nothing_unknown(splits: Splits) -> None:
    for choice in splits.choices:
        assert choice.names and set(choice.names) <= set(splits.runs) | set(splits.solvers)
        assert not choice.start or set(choice.names) <= set(splits.runs)
    for result in splits.results:
        assert set(result.deals) <= set(splits.runs) | set(splits.solvers), result.name
        assert all(overlap.why for overlap in result.overlaps)
    names = [result.name for result in splits.results]
    assert len(set(names)) == len(names)


def of_benchmark(name: str) -> list[tuple[Splits, Result]]:
    return [(s, result) for s, result in RESULTS if result.source.startswith(f"{name}.")]


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_is_in_the_table_with_its_deals(
    name: str, benchmark_module: Callable[[str], ModuleType]
) -> None:
    assert of_benchmark(name), f"{name} reports nothing, says the table"
    for splits, result in of_benchmark(name):
        value = getattr(benchmark_module(name), result.source.partition(".")[2])
        held = value if isinstance(value, Mapping) else dict.fromkeys(result.deals, value)
        assert set(held) == set(result.deals), result.name
        for solver, deals in held.items():
            assert same(splits, result.deals[solver], deals), (result.name, solver)


def test_sources_are_benchmarks() -> None:
    sources = {result.source.partition(".")[0] for _, result in RESULTS if result.source}
    assert sources == set(BENCHMARKS)


def literals(name: str) -> tuple[set[str], list[range | str]]:
    """What a benchmark's text holds: strings, and ranges of deals but for the warm-up's."""
    tree = ast.parse((ROOT / f"benchmarks/{name}.py").read_text(encoding="utf-8"))
    strings: set[str] = set()
    ranges: list[range | str] = []
    warm_up = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and "WARM_UP" in ast.unparse(node.targets[0])
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
            if re.fullmatch(r"\d+-\d+", node.value) or node.value in NAMES:
                ranges.append(node.value)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "range":
            ends = [end.value for end in node.args if isinstance(end, ast.Constant)]
            if len(ends) == len(node.args) >= 2 and id(node) not in warm_up:
                ranges.append(range(*ends))
    return strings, ranges


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_solves_no_deals_that_the_table_does_not_know(name: str) -> None:
    splits = of_benchmark(name)[0][0]
    known = {sets for _, result in of_benchmark(name) for sets in result.deals.values()}
    reported = numbers(splits.game, tuple(text for sets in known for text in sets))
    for value in literals(name)[1]:
        missing = np.setdiff1d(deals_of(splits, value), reported, assume_unique=True)
        assert not missing.size, f"{name}: the table lacks {value}"


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_measures_no_solver_that_the_table_does_not_know(name: str) -> None:
    splits = of_benchmark(name)[0][0]
    named = {
        text.removeprefix("runs/").removesuffix("/weights/best.json") for text in literals(name)[0]
    }
    known = {solver for _, result in of_benchmark(name) for solver in result.deals}
    if name == "rivals":
        known.add("optimal")  # Drawn from docs/proved-lengths.csv.
    if name == "trainers":
        known |= {"best-first", "hsd-evolved"}  # What hardness is measured against.
    known |= {run for run, made in splits.runs.items() if made.job.startswith(f"{name}.")}
    assert named & (set(splits.solvers) | set(splits.runs)) <= known


def commands(page: str) -> list[str]:
    """The commands of a page or the demo that measure solvers or draw the runs' figures."""
    if page == DEMO:
        text = "\n".join(f"gafreecell {one}" for one in demo.commands("runs/demo.toml", "out/demo"))
    else:
        text = (ROOT / page).read_text(encoding="utf-8").replace("\\\n", " ")
    found = re.findall(r"^\s*(gafreecell .*)$|`(gafreecell [^`]*)`", text, re.MULTILINE)
    words = [
        shlex.split(line.partition("#")[0].partition(" > ")[0]) for line in map("".join, found)
    ]
    return [
        shlex.join(command)
        for command in words
        if (command[1] in ("evaluate", "report") and len(command) > 2)
        or (command[1] == "plot" and "-o" in command and "--kind" not in command)
        or (command[1] == "plot" and "-o" in command and not {*ALONE}.isdisjoint(command))
        or (command[1] == "plot" and ("--deals" in command or "plots/" in " ".join(command)))
    ]


def test_every_command_that_reports_is_in_the_table() -> None:
    pages = ["README.md", DEMO, *(page for page in PAGES if page not in OTHER_GAMES)]
    found = {(page, command) for page in pages for command in commands(page)}
    assert len(found) > 8
    listed = {(place, result.command) for _, result in RESULTS for place in result.shown}
    assert found <= listed
    written = {command for _, command in found}
    assert {result.command for _, result in RESULTS if result.command} == written


@pytest.mark.parametrize(
    ("splits", "result"),
    [pytest.param(s, r, id=r.name) for s, r in RESULTS if r.command],
)
def test_a_command_measures_what_the_table_says(splits: Splits, result: Result) -> None:
    given = parser().parse_args(shlex.split(result.command)[1:])
    names = given.solvers if given.command == "evaluate" else given.runs
    ours = {**dict.fromkeys(FROM_DEMO, "demo"), **ON_PAGES.get(result.shown[0], {})}
    measured = {ours.get(name, name.removeprefix("runs/")) for name in names}
    if getattr(given, "kind", "") == "cactus":
        measured |= set(game(splits.game).comparison_presets)
    kind = getattr(given, "kind", "")
    if given.command == "report" or kind in ("progress", *ALONE):
        assert not given.deals
        jobs = [job_of(splits, name) for name in measured]
        for job in jobs if kind not in ALONE else ():
            measured |= {rival.name for rival in rivals(job, job.load_game())}
        held = held_out(jobs, game(splits.game))
        assert (held.name, held.seen) == (game(splits.game).held_out, 0)
        given.deals = [held.name]
    assert set(result.deals) == measured
    # `evaluate` without a game takes that of its solvers.
    assert (getattr(given, "game", None) or splits.game) == splits.game
    for solver, deals in result.deals.items():
        expected = tuple(given.deals) if given.deals else splits.runs[solver].trained
        assert np.array_equal(numbers(splits.game, deals), numbers(splits.game, expected))


@pytest.mark.parametrize("splits", TABLES.values(), ids=TABLES)
def test_no_run_and_no_choice_uses_the_deals_that_show_progress(splits: Splits) -> None:
    name = game(splits.game).held_out
    if not splits.runs:
        assert not name
        return
    held = numbers(splits.game, (name,))
    assert len(held) == 200 and held.min() > 32_000
    used = [sets for run in splits.runs.values() for sets in (run.trained, run.validated)]
    used += [sets for choice in splits.choices for sets in (choice.trained, choice.chose)]
    for sets in used:
        assert not shared(splits.game, (name,), sets), sets


def test_all_tables_and_figures_are_results() -> None:
    shown = {place for _, result in RESULTS for place in result.shown}
    made = {str(p.relative_to(ROOT)) for kind in ("docs/*.csv", "plots/*") for p in ROOT.glob(kind)}
    # Those of games given as rules.
    made -= {f"docs/{name}.csv" for name in ("portfolios", "solvitaire", "winnable")}
    assert made <= shown
    for place in shown:
        assert (ROOT / place).is_file(), place
    for path in ROOT.glob("docs/results/*.md"):
        text = path.read_text(encoding="utf-8")
        for target in re.findall(r"<!-- tables by make (\S+).* -->", text):
            results = of_benchmark(target.replace("-", "_"))
            place = str(path.relative_to(ROOT))
            assert any(place in result.shown for _, result in results), target


@pytest.mark.parametrize("file", ["proved-lengths", "pyramid", "hidden-best"])
def test_the_deals_of_a_file_are_those_of_the_table(file: str) -> None:
    path = f"docs/{file}.csv"
    ((splits, result),) = [(s, r) for s, r in RESULTS if path in r.shown]
    with (ROOT / path).open(encoding="utf-8", newline="") as lines:
        deals = {int(row["deal"]) for row in csv.DictReader(lines)}
    solver = Best.name if file == "hidden-best" else next(iter(result.deals))
    assert same(splits, result.deals[solver], sorted(deals))


@pytest.mark.parametrize("splits", TABLES.values(), ids=TABLES)
def test_no_deal_that_reports_trained_or_chose_unless_declared(splits: Splits) -> None:
    assert faults(splits) == []


def test_the_page_is_in_step() -> None:
    text = (ROOT / "docs/splits.md").read_text(encoding="utf-8")
    assert text == page(TABLES), "run make splits"
    assert "(splits.md)" in (ROOT / "docs/results.md").read_text(encoding="utf-8")


Edit = Callable[[dict[str, Any]], None]


def made_up(**result: Any) -> Edit:
    """Another result in the FreeCell table."""
    return lambda table: table["results"].append({"name": "made up", "shown": [], **result})


def solved(solver: str, deals: str) -> Edit:
    return made_up(solvers=[solver], deals=deals)


def with_run(name: str, **changed: str) -> Edit:
    return lambda table: table["runs"][name].update(changed)


with_fast = partial(with_run, "freecell-fast-e")


def with_choice(name: str, **choice: Any) -> Edit:
    return lambda table: table["choices"].append({"what": "made up", "for": [name], **choice})


RIVALS = next(
    i for i, r in enumerate(DOCUMENT["freecell"]["results"]) if r["source"] == "rivals.DEALS"
)


def declare(**counts: Mapping[str, int]) -> Edit:
    """Other counts for the first declared overlap of the rivals' result."""
    return lambda table: table["results"][RIVALS]["overlaps"][0].update(counts)


def edited(edit: Edit) -> dict[str, Splits]:
    """The FreeCell table as edited."""
    table = copy.deepcopy(DOCUMENT["freecell"])
    edit(table)
    return read({"freecell": table})


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (solved("best-first", "1899901-1900000"), "100 of the deals .* trained best-first, and 0"),
        (solved("best-first", "1899901-1900100"), "100 of the deals .* chose best-first, and 0"),
        (solved("hsd-evolved", "ms32k-train"), "1,000 of the deals .* trained hsd-ev"),
        (solved("freecell-nine", "32001-132000"), "221 of the deals .* chose freec"),
        (
            made_up(deals={"fast": "1-10", "short": "1000000-1000001"}),
            "1 of the deals .* trained short",
        ),
        (with_fast(trained="1-1900000"), "every deal decided: 1,000,000 .* trained fast"),
        (with_fast(validated="1-1000"), "fewer free cells: 1,000 of .* chose fast"),
        (
            with_run("demo", validated="1-32000"),
            "demo: 1,000 of its validation deals also trained it",
        ),
        (with_choice("freecell-fast", trained="1901999-1902000"), "2 of its validation"),
        (with_choice("optimal", chose="991-1000"), "10 of the deals .* chose optimal"),
        (with_choice("freecell-short", chose="7"), "1 of the deals .* chose optimal"),
        (declare(chose={"shortest": 1999}), "2,000 of the deals .* and 1,999 are declared"),
        (declare(chose={}), "2,000 of the deals .* chose shortest, and 0 are declared"),
        (declare(trained={"fast": 1}), "0 of the deals .* trained fast, and 1 are declared"),
        (declare(trained={"hsdh": 1}), "0 of the deals .* trained hsdh, and 1 are declared"),
    ],
)
def test_a_made_up_overlap_is_caught(edit: Edit, fault: str) -> None:
    found = faults(edited(edit)["freecell"])
    assert any(re.search(fault, text) for text in found), found


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (solved("fast", "ms64k"), "no set of deals 'ms64k'"),
        (made_up(solvers=["fast"], deals="1-10", seen="x"), "unexpected keyword argument 'seen'"),
        (made_up(deals="1-10"), "give solvers and their deals, or deals by solver"),
        (with_run("demo", traned="1-10"), "unexpected keyword argument 'traned'"),
    ],
)
def test_an_entry_that_cannot_be_read_is_refused(edit: Edit, error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        edited(edit)


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(KeyError, match="quickest"):
        faults(edited(solved("quickest", "1-10"))["freecell"])


def overlap_on_page(name: str) -> str:
    """The last cell of a FreeCell result's line on the page."""
    part = page(TABLES).partition("## Klondike")[0]
    (line,) = [one for one in part.splitlines() if one.startswith(f"| {name} ")]
    return line.split("|")[-2].strip()


def test_unrecorded_deals_are_told() -> None:
    assert overlap_on_page("every deal decided") == "none"
    assert overlap_on_page("shortest solutions, proved") == "none recorded"
    assert overlap_on_page("GA-FreeCell: the 31,000 deals that trained none of our runs") == "below"
    assert "about 969 of them are expected among these deals" in page(TABLES)
    # The paper's training deals are of the 32,000, so they are not among these.
    assert overlap_on_page("make demo: progress") == "none"


def test_games_share_no_deals() -> None:
    table = copy.deepcopy(DOCUMENT)
    table["pyramid"]["results"][0]["deals"] = "1000001-1900000"
    assert faults(read(table)["pyramid"]) == []
    table["klondike"]["results"][1]["deals"] = "ms32k"
    with pytest.raises(ValueError, match="klondike has no named sets"):
        read(table)
