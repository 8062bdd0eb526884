"""``gafreecell demo`` and ``gafreecell examples``."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Command, refused, written

import gafreecell
from deals.errors import BadInput
from gafreecell.cli import demo
from gafreecell.installed import shipped
from gafreecell.runs.folder import locked

JOB = """name = "demo"
generations = 1
trained = {search = "best-first", nodes = 2_000}
solvers.population = 4
fitness.measure = "log-nodes"
problems.population = 4
deals = {train = "1-20", validation = "40001-40005"}
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a demo that takes seconds."""
    (tmp_path / "home" / "runs").mkdir(parents=True)
    (tmp_path / "home" / "examples").mkdir()
    (tmp_path / "home" / "runs" / "demo.toml").write_text(JOB)
    (tmp_path / "home" / "examples" / "README.md").write_text("An example.\n")
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "home")
    monkeypatch.setattr(demo, "COMPARED", "hsdh-same-search --deals 50001-50003")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def test_demo_evolves_draws_and_compares(small: Path, command: Command) -> None:
    job = shipped.FOLDER / "runs" / "demo.toml"
    # It replaces what an earlier demo left.
    assert command("evolve", job, "--out", "out/demo", "--jobs", "1").status == 0
    done = command("demo", "--no-progress", "--jobs", "1")
    assert done.status == 0
    commands = [line for line in done.out.splitlines() if line.startswith("$ gafreecell ")]
    assert [line.split()[2] for line in commands] == (
        ["evolve", "plot", "plot", "plot", "export", "evaluate", "plot", "solve", "report"]
    )
    assert "| hsdh-same-search |" in done.out and "Deal 164:" in done.out
    assert "  gafreecell resume out/demo --generations 2\n" in done.out.partition("do next:")[2]
    files = {path.name for path in (small / "out" / "demo").iterdir()}
    assert {*demo.DRAWN, "weights.json"} < files <= demo.MADE
    assert "typical deal" in (small / "out" / "demo" / "evaluation.md").read_text()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"thesis.txt": "words"}, "mine exists and is no earlier demo"),
        (
            {"job.toml": 'name = "mine"\ngenerations = 1\ntrained = {search = "staged"}\n'},
            "mine exists and is no earlier demo",
        ),
        (
            {"job.toml": JOB.replace("generations = 1", "generations = 500")},
            "mine exists and is no earlier demo",
        ),
        (
            {"job.toml": JOB, "thesis.txt": "words"},
            "such as thesis.txt, so it is left as it is",
        ),
    ],
    ids=["no run", "another job", "a job of that name", "more than a demo"],
)
def test_demo_removes_nothing_but_an_earlier_demo(
    small: Path, command: Command, files: dict[str, str], said: str
) -> None:
    (small / "mine").mkdir()
    for name, text in files.items():
        written(small / "mine" / name, text)
    refused(command("demo", "--out", "mine"), said)
    assert all((small / "mine" / name).read_text() == text for name, text in files.items())


def test_demo_removes_no_demo_that_runs(small: Path, command: Command) -> None:
    (small / "mine").mkdir()
    written(small / "mine" / "job.toml", JOB)
    with locked(small / "mine"):
        refused(command("demo", "--out", "mine"), "in use")
    assert (small / "mine" / "job.toml").exists()


def test_examples_are_copied_once(small: Path, command: Command) -> None:
    job, readme = small / "some" / "runs" / "demo.toml", small / "some" / "examples" / "README.md"
    said = "2 files copied to some/runs and some/examples\n"
    assert command("examples", "some").out == said
    assert job.read_text() == JOB
    assert "are complete" in command("examples", "some").out
    job.write_text("mine")
    readme.unlink()
    refused(command("examples", "some"), "some/runs/demo.toml would change")
    assert job.read_text() == "mine"
    assert not readme.exists(), "all or nothing"


def test_a_missing_path_that_examples_copies_is_named_so(small: Path, command: Command) -> None:
    hint = "'gafreecell examples' copies it here"
    (small.parent / "home" / "runs" / "some-run").mkdir()
    for words in (
        ["evolve", "runs/demo.toml"],
        ["plot", "runs/some-run", "-o", "figure.png"],
        ["evaluate", "runs/some-run", "hsdh", "--deals", "1-5"],
    ):
        refused(command(*words), hint)
    assert hint not in command("evolve", "runs/others.toml").err
    with pytest.raises(BadInput, match=hint):
        gafreecell.evolve("runs/demo.toml")


def test_what_is_copied_is_what_the_repository_has() -> None:
    names = {str(name) for name in shipped.files()}
    assert names > {"runs/demo.toml", "runs/freecell-nine/state.json", "examples/tiles/tiles.py"}
    assert not [name for name in names if "__pycache__" in name or "egg-info" in name]
