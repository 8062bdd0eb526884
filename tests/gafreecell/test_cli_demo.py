"""``gafreecell demo`` and ``gafreecell examples``."""

from __future__ import annotations

from pathlib import Path

import pytest

import gafreecell
from deals.errors import BadInput
from gafreecell.cli import demo
from gafreecell.cli.main import run
from gafreecell.installed import shipped
from gafreecell.runs.folder import locked

JOB = """name = "demo"
generations = 1
trained = {search = "staged", nodes = 50_000}
solvers.population = 4
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
    monkeypatch.setattr(demo, "COMPARED", "hsdh-same-search --deals 50001-50010")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def test_demo_evolves_draws_and_compares(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = str(shipped.FOLDER / "runs" / "demo.toml")
    # It replaces what an earlier demo left.
    assert run(["evolve", job, "--out", "out/demo", "--no-progress", "--jobs", "1"]) == 0
    capsys.readouterr()
    assert run(["demo", "--no-progress", "--jobs", "1"]) == 0
    printed = capsys.readouterr().out
    commands = [line for line in printed.splitlines() if line.startswith("$ gafreecell ")]
    assert [line.split()[2] for line in commands] == (
        ["evolve", "plot", "plot", "plot", "export", "evaluate", "plot", "solve", "report"]
    )
    assert "| hsdh-same-search |" in printed
    assert "Deal 164:" in printed
    files = {path.name for path in (small / "out" / "demo").iterdir()}
    assert files <= demo.MADE
    assert files > {"progress.png", "fitness.png", "weights.png", "cactus.png", "weights.json"}
    assert "report.html" in files
    assert "typical deal" in (small / "out" / "demo" / "evaluation.md").read_text()


@pytest.mark.parametrize(
    "job", ["", 'name = "mine"\ngenerations = 1\ntrained = {search = "staged"}\n']
)
def test_demo_removes_nothing_but_an_earlier_demo(
    small: Path, capsys: pytest.CaptureFixture[str], job: str
) -> None:
    (small / "mine").mkdir()
    (small / "mine" / ("job.toml" if job else "thesis.txt")).write_text(job or "words")
    before = list((small / "mine").iterdir())
    assert run(["demo", "--out", "mine"]) == 2
    assert "mine exists and is no earlier demo" in capsys.readouterr().err
    assert list((small / "mine").iterdir()) == before


def test_demo_removes_no_other_run_of_its_name(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (small / "mine").mkdir()
    (small / "mine" / "job.toml").write_text(JOB.replace("generations = 1", "generations = 500"))
    assert run(["demo", "--out", "mine"]) == 2
    assert "mine exists and is no earlier demo" in capsys.readouterr().err
    (small / "mine" / "job.toml").write_text(JOB)
    (small / "mine" / "thesis.txt").write_text("words")
    assert run(["demo", "--out", "mine"]) == 2
    assert "such as thesis.txt, so it is left as it is" in capsys.readouterr().err
    assert (small / "mine" / "thesis.txt").exists()
    (small / "mine" / "thesis.txt").unlink()
    with locked(small / "mine"):
        assert run(["demo", "--out", "mine"]) == 2
    assert "in use" in capsys.readouterr().err
    assert (small / "mine" / "job.toml").exists()


def test_examples_are_copied_once(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["examples", "some"]) == 0
    assert "2 files copied to some/runs and some/examples" in capsys.readouterr().out
    assert (small / "some" / "runs" / "demo.toml").read_text() == JOB
    assert run(["examples", "some"]) == 0
    assert "are complete" in capsys.readouterr().out
    (small / "some" / "runs" / "demo.toml").write_text("mine")
    (small / "some" / "examples" / "README.md").unlink()
    assert run(["examples", "some"]) == 2
    assert "some/runs/demo.toml would change" in capsys.readouterr().err
    assert (small / "some" / "runs" / "demo.toml").read_text() == "mine"
    assert not (small / "some" / "examples" / "README.md").exists(), "all or nothing"


def test_a_missing_path_that_examples_copies_is_named_so(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hint = "'gafreecell examples' copies it here"
    run_folder = small.parent / "home" / "runs" / "some-run"
    run_folder.mkdir()
    for words in (
        ["evolve", "runs/demo.toml"],
        ["plot", "runs/some-run", "-o", "figure.png"],
        ["evaluate", "runs/some-run", "hsdh", "--deals", "1-5"],
    ):
        assert run(words) == 2
        assert hint in capsys.readouterr().err
    assert run(["evolve", "runs/others.toml"]) == 2
    assert hint not in capsys.readouterr().err
    with pytest.raises(BadInput, match=hint):
        gafreecell.evolve("runs/demo.toml")


def test_what_is_copied_is_what_the_repository_has() -> None:
    names = {str(name) for name in shipped.files()}
    assert names > {"runs/demo.toml", "runs/freecell-nine/state.json", "examples/tiles/tiles.py"}
    assert not [name for name in names if "__pycache__" in name or "egg-info" in name]
