"""The Python interface: all the forms that it takes, what it gives, what it says of a wrong one."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT, File, job_table
from run_folders import ONE, same, write_job
from toy_game import HIDDEN, LARGEST, nodes_needed, solution

import deals
import gafreecell
import hsd
from deals.errors import BadInput
from gafreecell.evolution.job import JobError
from gafreecell.runs.run import default_folder, evolve
from gafreecell.service.hints import adviser, judge
from gafreecell.solitaire.replaying import WrongSolution
from gafreecell.solving.outcome import Limits, Nodes, Outcome, Status

BOARD = deals.freecell(164)


# Names


def test_every_name_that_is_offered_has_a_docstring_and_is_listed() -> None:
    for name in gafreecell.__all__:
        offered = getattr(gafreecell, name)
        assert (inspect.getdoc(offered) or "").strip(), name
        assert not (offered.__doc__ or "").startswith(f"{name}("), f"{name}: dataclass makes that"
    assert set(dir(gafreecell)) == {*gafreecell.__all__, "__version__"}
    assert set(dir(deals)) == {*deals.__all__}
    for package in (gafreecell, deals):
        with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute"):
            _ = package.nothing  # type: ignore[attr-defined]


def test_functions_that_are_offered_say_what_they_take() -> None:
    functions = [n for n in gafreecell.__all__ if inspect.isfunction(getattr(gafreecell, n))]
    assert len(functions) > 10
    for name in functions:
        function = getattr(gafreecell, name)
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty, name
        for parameter in signature.parameters.values():
            assert parameter.annotation is not inspect.Parameter.empty, (name, parameter)
            assert parameter.name in function.__doc__, (name, parameter.name)


def test_the_version_is_that_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert gafreecell.__version__ == project["version"]


def test_an_import_loads_nothing_heavy() -> None:
    code = "import sys, gafreecell; dir(gafreecell); gafreecell.games\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"numba", "scipy", "matplotlib", "rich", "pandas", "joblib", "tensorboard", "mlflow"}
    assert not heavy & set(done.stdout.split())


# Deals


def test_a_deal_is_a_number_a_board_its_text_or_a_file(file: File) -> None:
    first = gafreecell.solve(164)
    assert first.status is Status.SOLVED
    path = file(f"{BOARD}\n")
    for given in (np.int64(164), BOARD, str(BOARD), "164", path, f"# mine\n{BOARD}"):
        assert gafreecell.solve(given).moves == first.moves, given
    assert hsd.verify(BOARD, first.moves or ()).solved


def test_many_deals_are_a_range_a_list_a_text_or_a_file(toy: Any, file: File) -> None:
    path = file("1-3 # the first\n7\n")
    ways = ([1, 2, 3, 7], range(1, 4), np.array([1, 2, 3, 7]), "1-3, 7", path, (1, "2", 3, "7"))
    for given in ways:
        wanted = [1, 2, 3] if isinstance(given, range) else [1, 2, 3, 7]
        outcomes = gafreecell.solve_many(given, game="toy", jobs=2)
        assert [one.moves for one in outcomes] == [solution(deal) for deal in wanted], given
    assert (
        gafreecell.solve_many([], game="toy") == gafreecell.solve_many(range(0), game="toy") == []
    )
    assert gafreecell.solve_many((n for n in (5, 6)), game="toy")[1].moves == solution(6)


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("jobs", [1, 3, -1])
def test_outcomes_are_in_the_order_of_the_deals_whatever_the_jobs(jobs: int) -> None:
    given = [int(n) for n in np.random.default_rng(1).permutation(np.arange(14, 200))]
    outcomes = gafreecell.solve_many(given, game="toy", jobs=jobs)
    assert [one.nodes.generated for one in outcomes] == [nodes_needed(n, HIDDEN) for n in given]


def test_boards_and_numbers_can_be_mixed() -> None:
    outcomes = gafreecell.solve_many([1, BOARD, str(deals.freecell(2))], nodes=50_000)
    alone = [gafreecell.solve(deal, nodes=50_000) for deal in (1, 164, 2)]
    assert [one.moves for one in outcomes] == [one.moves for one in alone]


@pytest.mark.parametrize(("game", "number"), [("freecell", 7), ("klondike", 3), ("pyramid", 7)])
def test_every_game_solves_verifies_and_reads_its_own_boards(game: str, number: int) -> None:
    board = gafreecell.deal(number, game)
    assert gafreecell.read_boards(str(board), game) == [board]
    assert gafreecell.read_boards(f"8 {number}", game)[1] == board
    outcome = gafreecell.solve(str(board), game=game)
    assert outcome.status is Status.SOLVED
    assert gafreecell.solve_many([number, board], game=game)[1].moves == outcome.moves
    moves = list(outcome.moves or ())
    for told in (outcome, moves, "\n".join(moves)):
        assert gafreecell.verify(board, told, game)
    verdict = gafreecell.verify(number, moves[:-1], game)
    assert not verdict and verdict.reason


def test_games_are_played_in_their_variants() -> None:
    three = gafreecell.deal(164, variant={"cells": 3})
    assert three == deals.freecell(164, cells=3)
    by_number = gafreecell.solve(164, variant={"cells": 3})
    assert by_number.moves == gafreecell.solve(three).moves
    assert by_number.moves == gafreecell.solve(164, game=hsd.FreeCell(cells=3)).moves
    assert not {move for move in by_number.moves or () if "d" in move}
    assert gafreecell.verify(three, by_number)
    (read,) = gafreecell.read_boards(str(BOARD), variant={"cells": 5})
    assert read.cell_count == 5


def test_goals_and_parameters_are_those_of_the_search() -> None:
    score = gafreecell.solve(12, game="pyramid", goal="score")
    assert score.lengths == {"steps": 36, "score": 270}
    assert gafreecell.verify(12, score, "pyramid", goal="score:270")
    assert not gafreecell.verify(12, score, "pyramid", goal="score:271")
    assert not gafreecell.verify(12, score, "pyramid")
    # A replay cannot tell whether there are more points.
    with pytest.raises(BadInput, match="how much suffices, as in score:270"):
        gafreecell.verify(12, score, "pyramid", goal="score")
    plain = gafreecell.solve(3, game="klondike")
    short = gafreecell.solve(3, game="klondike", parameters={"shorten": 20000})
    assert (short.lengths or {})["moves"] < (plain.lengths or {})["moves"]


MIDGAME = """
2s
Jc 5h
.  .  5s
.  .  .  Kd
.  .  .  .  .
.  .  .  .  .  .
.  .  .  .  .  .  .
Stock: 8d 7s
Waste, top last: Ks 6h 2h 7d 8h 6c Kc Js
Recycles: 0
"""


@pytest.mark.parametrize("goal", [None, "score:100", "cards:K:1"])
def test_a_position_in_mid_game_is_a_board_as_a_deal_is(goal: str | None) -> None:
    """Pyramid has two kinds of boards, and ``read_boards`` gives either."""
    (position,) = gafreecell.read_boards(MIDGAME, "pyramid")
    (deck,) = gafreecell.read_boards(str(deals.pyramid(7)), "pyramid")
    many = gafreecell.solve_many([position, deck], game="pyramid", goal=goal, nodes=20_000)
    again = gafreecell.solve(MIDGAME, game="pyramid", goal=goal, nodes=20_000)
    assert many[0].moves == again.moves is not None
    assert gafreecell.verify(position, again, "pyramid", goal=goal)


def test_pythons_own_values_are_taken() -> None:
    def found(value: Any) -> Nodes:
        given = {"dead-ends": value, "shorten": np.int32(0)}
        return gafreecell.solve(2, game="klondike", parameters=given, nodes=500).nodes

    assert found(False) == found(np.False_) == found(np.str_("no")) == found("no")
    assert found(True) == found("yes")
    assert gafreecell.solve_many([1, 2], jobs=10**30, nodes=50, variant={"cells": np.int8(3)})


# Weights


def test_weights_are_a_name_a_path_or_weights(whole: Path) -> None:
    run = gafreecell.load(whole)
    outcomes = [
        gafreecell.solve(7, weights, "toy")
        for weights in (run.weights, str(whole), whole, whole / "weights" / "best.json")
    ]
    assert len(set(map(str, outcomes))) == 1
    assert outcomes[0].nodes.generated == nodes_needed(7, run.best.weights)
    many = gafreecell.solve_many([7], run.weights_of(run.hall_of_fame[0]), "toy")
    assert many == outcomes[:1]
    assert gafreecell.solve(7, "guess", "toy").nodes.generated == nodes_needed(7, (1, 0, 0))


def test_limits_take_the_place_of_the_weights() -> None:
    assert gafreecell.solve(11982, nodes=2000).status is Status.NODE_LIMIT
    assert gafreecell.solve_many([11982], nodes=2000)[0].status is Status.NODE_LIMIT


def test_presets_are_weights_by_name(toy: Any) -> None:
    presets = gafreecell.presets()
    assert next(iter(presets)) == "fast"
    assert presets["fast"] == hsd.preset("fast")
    assert gafreecell.solve(164, presets["short"]).moves == gafreecell.solve(164, "short").moves
    assert list(gafreecell.presets("toy")) == ["guess", "known"]


def test_a_folder_called_like_a_preset_is_not_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkdir("fast")
    assert gafreecell.solve(164, "fast").status is Status.SOLVED


# Jobs


@pytest.mark.usefixtures("toy")
def test_a_number_of_workers_and_a_single_callback_will_do(tmp_path: Path) -> None:
    seen: list[int] = []
    evolve(job_table(), tmp_path / "r", 2, lambda run, record: seen.append(run.generation))
    assert seen == [1, 2, 3, 4, 5, 6]


def test_a_run_has_a_folder_weights_a_logbook_and_figures(
    toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = gafreecell.evolve(write_job(tmp_path), jobs=gafreecell.Workers(1))
    assert run.folder == Path("out/small-s5") == default_folder(run.job)
    assert len(run.best.weights) == 3
    assert run.logbook.select("generation") == list(range(1, 7))
    assert len(run.logbook.chapters["solvers"].select("best")) == 6
    assert run.finished
    assert gafreecell.load(run.folder).state == run.state
    assert gafreecell.figures.plot_fitness(run)[0].get_title(loc="left").startswith("small-s5")


def test_a_job_is_a_file_a_mapping_or_an_object(whole: Path, tmp_path: Path) -> None:
    table = job_table()
    tables = {"problems": table.pop("problems")}
    first = gafreecell.Job(**table, tables=tables)
    path = write_job(tmp_path)
    for number, job in enumerate(({**table, **tables}, first, path, gafreecell.read_job(path))):
        same(whole, evolve(job, tmp_path / str(number), ONE).folder)


@pytest.mark.usefixtures("toy")
def test_keywords_change_a_job_key_by_key(tmp_path: Path) -> None:
    job = write_job(tmp_path)
    run = evolve(job, tmp_path / "r", ONE, generations=2, solvers={"population": 5}, seed=9)
    assert run.finished
    assert (run.job.seed, run.job.solvers.population) == (9, 5)
    assert run.job.problems.population == 6, "the rest stays as it was"
    with pytest.raises(JobError, match=r"solvers\.size is not a key"):
        evolve(job, tmp_path / "s", ONE, solvers={"size": 5})
    with pytest.raises(JobError, match=r"solvers\.size is not a key"):
        gafreecell.Job("a", 1, {"search": "think"}, solvers={"size": 5})  # type: ignore[arg-type]


@pytest.mark.usefixtures("toy")
def test_an_empty_table_empties_the_jobs(tmp_path: Path) -> None:
    table = job_table(trained={"ranges": {"near": [0.0, 0.5]}}, trainer="random")
    table["options"] = {"genetic": {"none": 1}}
    with pytest.raises(BadInput, match=r"options\.genetic"):
        gafreecell.evolve(table, tmp_path / "refused")
    changes: dict[str, Any] = {"options": {}, "trained": {"ranges": {}}, "generations": 1}
    made = gafreecell.evolve(table, tmp_path / "made", **changes).job
    assert not made.options and not made.trained.ranges
    assert made.trained.search == "think"


# What is refused


class Refusing(hsd.FreeCell):
    """FreeCell whose verifier accepts nothing."""

    def verify(self, *_: Any) -> str:
        return "it is Sunday"


@pytest.mark.parametrize(
    "call",
    [
        lambda game: gafreecell.solve(164, game=game),
        lambda game: gafreecell.solve_many([164], game=game),
        lambda game: judge(BOARD, game, adviser(game), Limits(nodes=10_000), 1),
    ],
)
def test_moves_that_the_verifier_refuses_are_not_handed_out(call: Any) -> None:
    with pytest.raises(WrongSolution, match=r"FreeCell's search .* refuses: it is Sunday"):
        call(Refusing())


UNSOLVED = Outcome(Status.NODE_LIMIT, None, None, Nodes(1, 1), 0.0)
solve: Any = gafreecell.solve
solve_many: Any = gafreecell.solve_many
verify: Any = gafreecell.verify


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (partial(evolve, [1]), "a job must be a gafreecell.Job, a mapping or the path"),  # type: ignore
        (partial(evolve, None), "a job must be a gafreecell.Job"),  # type: ignore[arg-type]
        (partial(gafreecell.Workers, "2"), "jobs must be positive"),  # type: ignore[arg-type]
        *(
            (partial(solve, deal), "a deal of FreeCell must be a number, a board")
            for deal in (3.5, None, True, [1, 2])
        ),
        (partial(solve_many, [1, True]), "a deal of FreeCell must be a number"),
        *(
            (call, f"a deal of {title} must be a number, a board")
            for game, title in (("klondike", "Klondike"), ("pyramid", "Pyramid"))
            for call in (
                partial(solve, BOARD, game=game),
                partial(solve_many, [1, BOARD], game=game),
                partial(verify, BOARD, "", game),
            )
        ),
        (partial(solve_many, 164), "use solve for a single deal"),
        (partial(solve_many, np.array(5)), "use solve for a single deal"),
        (partial(solve, "1-10"), "expected one deal, got 10: use solve_many"),
        (partial(solve_many, [1, "2 3"]), "expected one deal, got 2"),
        (partial(solve, ""), "empty"),
        (partial(solve, "x" * 5000), "line 1"),
        (partial(solve, Path("no-such.txt")), r"no-such\.txt"),
        (partial(solve_many, [1], jobs=0), "jobs must be positive"),
        (partial(gafreecell.deal, "164"), "deal takes a deal number"),  # type: ignore[arg-type]
        (partial(verify, 164, 5), "moves must be an outcome, a text"),
        (partial(verify, 164, UNSOLVED), "no moves to verify, its status is node-limit"),
        (partial(solve, 7, variant=3), "variant must be a mapping"),
        (partial(solve, 7, variant={3: 3}), "variant must be a mapping"),
        (partial(solve_many, [7], variant={3: 3}), "variant must be a mapping"),
        (partial(solve, 164, variant={"cells": 9}), "cells must be 0 to 7"),
        (partial(solve_many, [164], variant={"colour": 9}), "colour"),
        (partial(solve, 7, parameters={"shorter": 1}), "no parameter 'shorter'"),
        (partial(solve, 7, goal="score"), "cannot be played for another goal"),
        *(
            (partial(call, deal, game="pyramid", goal=goal), "goal")
            for call, deal in ((solve, 7), (solve_many, [7]))
            for goal in (0, False)
        ),
        (partial(solve, 7, [1, 2]), "weights must be a name, a path or"),
        (partial(solve, 7, "x" * 5000), "neither a file nor a preset"),
        (partial(solve, 7, game=3), "game must be a name, a game or its class"),
        (partial(gafreecell.presets, "chess"), "there is no game 'chess'"),
        (partial(solve, 7, "fast", nodes=-1), "nodes must be positive"),
        (partial(solve, 7, "fast", nodes=0), "nodes must be positive"),
        (partial(solve, 7, "fast", nodes="5"), "nodes must be a number"),
    ],
)
def test_what_is_wrong_gets_a_sentence(call: Callable[[], object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        call()


def test_the_name_of_a_file_is_not_its_content(file: File) -> None:
    path = str(file(str(BOARD), "board.txt"))
    for call in (solve, solve_many, gafreecell.read_boards):
        with pytest.raises(BadInput, match=r"pathlib\.Path\('.*board\.txt'\)"):
            call(path)


@pytest.mark.parametrize("jobs", [1, -1])
def test_wrong_numbers_are_refused_before_anything_is_solved(
    toy: Any, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_PAUSE", "60")
    for given in ([1, 0, 2], [1, LARGEST + 1], range(5, LARGEST + 9), f"1-{LARGEST + 1}"):
        with pytest.raises(BadInput, match="numbered 1 to"):
            gafreecell.solve_many(given, game="toy", jobs=jobs)


def test_boards_that_no_solver_can_take_are_named_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = re.sub("<..>", "??", str(deals.klondike(7)))
    (hidden,) = gafreecell.read_boards(text, "klondike")
    run = "gafreecell.solitaire.klondike.Klondike.run"
    monkeypatch.setattr(run, lambda *_: pytest.fail("it solves"))
    with pytest.raises(BadInput, match=r"^Deal 3: a card is unknown"):
        gafreecell.solve_many([1, 2, hidden], game="klondike")
    with pytest.raises(BadInput, match="the stock is hidden"):
        gafreecell.solve_many(range(1, 5), game="klondike", variant={"stock": "hidden"})


@pytest.mark.parametrize("package", [gafreecell, deals])
def test_each_name_that_a_package_offers_is_what_it_says(package: Any) -> None:
    for name in package.__all__:
        offered = getattr(package, name)
        if inspect.ismodule(offered) or inspect.isclass(offered) or inspect.isfunction(offered):
            assert offered.__name__.rpartition(".")[2] == name
        else:
            assert name.isupper() or name == "AnyGame", f"{name} is {offered!r}"


@pytest.mark.parametrize("package", [gafreecell, deals])
def test_no_line_of_a_stub_is_passed_over(package: Any) -> None:
    lines = Path(str(package.__file__)).with_suffix(".pyi").read_text().splitlines()
    listed = [line for line in lines if line and not line.startswith(("#", '"'))]
    spelled = [line for line in listed if "__version__" not in line]
    assert len(spelled) == len(package.__all__) == len(set(package.__all__))
