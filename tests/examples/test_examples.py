"""The example packages: they keep the contracts, and do what their README and docs/extend say."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
import subprocess
import tomllib
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from textwrap import indent
from types import SimpleNamespace
from typing import Any

import joblib
import numpy as np
import pytest
from own_cache import own_cache
from scipy.stats import wilcoxon

import gafreecell
from gafreecell import BadInput
from gafreecell.cli.arguments import parser
from gafreecell.evolution.generation import Result
from gafreecell.evolution.job import JobError
from gafreecell.evolution.job_reading import load_job
from gafreecell.installed import plugins
from gafreecell.solitaire.game import game
from gafreecell.solving.outcome import Evaluator, Limits, Nodes, Outcome, Search, Status, Task
from gafreecell.testing import check_game, check_measure, check_scheme, check_trainer
from tests.docs.page_runner import blocks, with_metadata

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PAGES = ROOT / "docs" / "extend"
PACKAGES = ("tiles", "bakers", "parts", "choices", "loggers", "archive")


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packages can be imported, with the metadata that installing them would write."""
    for path in with_metadata([EXAMPLES / name for name in PACKAGES], tmp_path / "site")[::-1]:
        monkeypatch.syspath_prepend(path)
    monkeypatch.setenv("GAFREECELL_CACHE", own_cache(tmp_path / "cache"))


part = plugins.find
SOLVERS: dict[str, Any] = {"solvers": {"population": 4}}
POOLS = {"deals": {"train": "1-50", "validation": "61-70"}}


@pytest.mark.parametrize("columns", [3, 4])
def test_the_tiles_keep_the_contract(columns: int) -> None:
    made = {*check_game(part("game", "tiles")(columns=columns), nodes=2_000)}
    assert made >= {
        "weights", "evolution", "presets", "boards", "verifier", "solutions", "moves",
    }  # fmt: skip


def test_ten_lines_are_a_game() -> None:
    assert {"weights", "evolution", "numbers"} <= {*check_game("countdown")}
    source = (EXAMPLES / "tiles" / "countdown.py").read_text().partition("class Countdown")[2]
    lines = [line for line in source.splitlines() if line.strip() and '"""' not in line]
    assert len(lines) <= 10


def test_the_pancakes_keep_the_contract() -> None:
    assert {"weights", "evolution", "numbers"} <= {*check_game("pancakes", nodes=500)}


@pytest.mark.parametrize("keys", [{}, {"step": 2.0, "temperature": 1.0}])
def test_the_trainer_keeps_the_contract(keys: dict[str, float]) -> None:
    check_trainer(part("trainer", "annealing"), job={"annealing": keys})


@pytest.mark.parametrize("options", [None, {"window": 5, "pace": 2}])
def test_the_scheme_keeps_the_contract(options: dict[str, int] | None) -> None:
    check_scheme(part("scheme", "easy-first"), options)


def test_the_measure_keeps_the_contract() -> None:
    check_measure(part("measure", "share-solved"))


def choices_of(deals: Sequence[int], weights: Sequence[float]) -> list[Outcome]:
    game = part("game", "klondike-choices")()
    evaluator = Evaluator(tuple(one.name for one in game.features), tuple(weights))
    search = Search("choose", {"samples": 20})
    return game.run([Task(deal, evaluator, search, Limits()) for deal in deals])


def test_choices_are_deals_with_a_cost_of_their_own() -> None:
    from klondike_choices import GAINED, KlondikeChoices

    from gafreecell.solitaire.klondike.hidden.best import price_of
    from gafreecell.solitaire.klondike.hidden.choices import Chooser

    deals = [4_200_001, 4_200_003, 4_200_700]
    baselines = [feature.baseline for feature in KlondikeChoices.features]
    deals = [4_200_001, 4_200_003, 4_200_700]
    for deal, outcome in zip(deals, choices_of(deals, baselines), strict=True):
        choices, nothing = KlondikeChoices().deal(deal), Evaluator((), ())
        made = [Chooser().decide(choice, nothing, 20, seed) for seed, choice in enumerate(choices)]
        assert outcome.nodes.generated == sum(states for _, states in made)
        lost = sum(regret + GAINED * price_of(20) * states for regret, states in made)
        assert outcome.spent == pytest.approx(1e6 * lost / len(choices))
    # A game without a choice costs nothing.
    (one,) = choices_of([4_200_937], baselines)
    assert (one.status, one.cost, one.nodes.generated) == (Status.SOLVED, 0, 1)
    with pytest.raises(BadInput, match="no choices of deal 7"):
        choices_of([7], baselines)


def test_the_engine_number_of_choices_stands_for_what_they_cost() -> None:
    """If this fails, the player chooses differently: give the game a new engine number."""
    weights = np.random.default_rng(3).uniform(0, 0.5, 27)
    found = choices_of(range(4_200_001, 4_200_007), weights.tolist())
    assert part("game", "klondike-choices")().engine == "choices-1"
    assert sum(outcome.nodes.generated for outcome in found) == 261_229


def test_the_run_of_the_judgement_can_be_used() -> None:
    run = gafreecell.load(EXAMPLES / "choices" / "run")
    assert run.job.deals.train == "4200001-4200600"
    choices = range(4_200_801, 4_200_831)
    baselines = [feature.baseline for feature in part("game", "klondike-choices").features]
    evolved, none = (
        np.mean([outcome.spent for outcome in choices_of(choices, weights)])
        for weights in (run.weights.evaluator.weights, baselines)
    )
    # These deals neither trained it nor chose it.
    assert evolved < none


def plain_features(board: np.ndarray, moves: int) -> list[int]:
    """The features of a board of tiles by their definitions."""
    side = len(board)
    home = {tile: divmod(tile - 1, side) for tile in range(1, side * side)}
    at = {int(tile): place for place, tile in np.ndenumerate(board) if tile}
    pairs = [(a, b) for a in at for b in at if a < b]
    conflicts = 0
    for line in (0, 1):
        for a, b in pairs:
            in_line = at[a][line] == home[a][line] == at[b][line] == home[b][line]
            conflicts += in_line and at[a][1 - line] > at[b][1 - line]
    distance = sum(abs(np.subtract(at[tile], home[tile])).sum() for tile in at)
    return [int(distance), conflicts, sum(at[tile] != home[tile] for tile in at), moves]


@pytest.mark.parametrize("columns", [3, 4])
def test_the_tiles_features_are_what_their_meanings_say(columns: int) -> None:
    from tiles import score

    rng = np.random.default_rng(7)
    for moves in range(100):
        board = rng.permutation(columns * columns).reshape(columns, columns)
        state = sum(int(tile) << 4 * place for place, tile in enumerate(board.flat))
        signed = state - (1 << 64) if state >> 63 else state
        found = [score(signed, columns, moves, weights) for weights in np.eye(4)]
        assert found == plain_features(board, moves)


def test_half_of_the_small_puzzles_orders_can_be_reached() -> None:
    game = part("game", "tiles")(columns=3)
    board, searched = game.deal(1), (Evaluator(("distance",), (1.0,)), Search("best-first"))
    limits = Limits(nodes=200_000)
    found = game.run([Task(deal, *searched, limits) for deal in range(1, 101)])
    assert {outcome.status for outcome in found} == {Status.SOLVED}
    board[0, :2] = board[0, 1::-1]
    (found,) = game.run([Task(board, *searched, limits)])


def test_boards_of_tiles_are_read_and_refused() -> None:
    game = part("game", "tiles")(columns=3)
    texts = [game.write_board(game.deal(number)) for number in (1, 2)]
    boards = game.read_boards("\n\n".join(texts))
    assert [game.write_board(board) for board in boards] == texts
    with pytest.raises(BadInput, match="board 2: expected 0 to 8 once each, got"):
        game.read_boards(f"{texts[0]}\n\n[[1 2 3]]")
    faults: list[str] = []
    first, second = game.read_boards(f"[[1 2 3]]\n\n{texts[0]}", faults)
    assert first is None and game.write_board(second) == texts[0]
    assert faults == ["board 1: expected 0 to 8 once each"]


@pytest.mark.parametrize(
    ("moves", "fault"),
    [
        (["8"], ""),
        ([], "the tiles are not in order"),
        (["8", "8"], "the tiles are not in order"),
        (["1"], "move 1: the tile 1 is not beside the gap"),
        (["8", "9"], "move 2: there is no tile 9"),
        (["0"], "move 1: there is no tile 0"),
        (["left"], "move 1: there is no tile left"),
    ],
)
def test_the_tiles_verifier_knows_the_rules(moves: list[str], fault: str) -> None:
    board = np.array([[1, 2, 3], [4, 5, 6], [7, 0, 8]])
    assert part("game", "tiles")(columns=3).verify(board, moves) == fault


def test_a_search_is_added_in_the_games_own_module() -> None:
    class WithGreed(part("game", "tiles")):  # type: ignore[misc]
        """It also has a search that does not look at the moves made."""

        name = "greedy-tiles"
        searches = ("best-first", "greedy")

        def run(self, tasks: Sequence[Task]) -> list[Outcome]:
            kept = [greedy(task) if task.search.name == "greedy" else task for task in tasks]
            return super().run(kept)

    def greedy(task: Task) -> Task:
        named = zip(task.evaluator.features, task.evaluator.weights, strict=True)
        kept = tuple(0.0 if feature == "moves" else weight for feature, weight in named)
        return replace(task, evaluator=Evaluator(task.evaluator.features, kept))

    class Greedy(WithGreed):
        """The same with the other search as its first."""

        searches = ("greedy", "best-first")

    # A further search may ignore features; a game's first one may not.
    assert "searches" in check_game(WithGreed(), search=Search("greedy"), nodes=2_000)
    with pytest.raises(AssertionError, match="the search must use the default feature moves"):
        check_game(Greedy(), search=Search("greedy"), nodes=2_000)
    evaluator, limits = Evaluator(("distance", "moves"), (1.0, 1.0)), Limits(nodes=200_000)
    tasks = [Task(1, evaluator, Search(search), limits) for search in WithGreed.searches]
    tasks.append(Task(1, Evaluator(("distance",), (1.0,)), Search("best-first"), limits))
    first, without, alone = (outcome.nodes for outcome in WithGreed().run(tasks))
    assert without == alone != first


def result(fitness: float, *outcomes: Outcome) -> Result:
    return Result((fitness, fitness), gafreecell.Encounter((1,)), outcomes, fitness)


def setting(**keys: Any) -> Any:
    """What a trainer works with, as far as the example looks at it."""
    features = [gafreecell.Feature(name, name) for name in ("one", "other")]
    job = SimpleNamespace(table=lambda kind: kind(**keys))
    return SimpleNamespace(features=features, job=job, options=lambda *_: {})


def test_annealing_takes_a_loss_only_while_it_is_hot() -> None:
    kind, stands = part("trainer", "annealing"), {}
    for temperature in (1e-9, 9.0):
        trainer = kind(setting(temperature=temperature, cooling=1.0, step=0.0))
        told = [result(fitness) for fitness in [0.5, 0.4, 0.3, 0.8] * 100]
        assert trainer.tell(gafreecell.Moment(1, 1), told).best == (0.8, 0.8)
        stands[temperature] = [solver[0] for solver in trainer.ask()[::2]]
    assert stands[1e-9] == [0.5, 0.8] * 100
    assert stands[9.0][1::2] == [0.8] * 100
    # exp(-0.1 / 9) = 0.989: nearly all losses are taken.
    assert stands[9.0][::2].count(0.4) > 90


def test_annealing_wants_pairs() -> None:
    with pytest.raises(JobError, match="must be even for annealing, got 5"):
        load_job(EXAMPLES / "parts/parts.toml", {"solvers": {"population": 5}})


def test_easy_deals_come_first() -> None:
    job = load_job(EXAMPLES / "parts/parts.toml", {"deals": {"train": "1-60"}})
    counts = {deal: deal * 37 % 61 for deal in range(1, 61)}

    def baseline(deals: Sequence[int]) -> list[Outcome]:
        counted = [Nodes(1, counts[one]) for one in deals]
        return [Outcome(Status.SOLVED, None, None, nodes, 0.0) for nodes in counted]

    options = {"window": 20, "pace": 10}
    scheme = part("scheme", "easy-first")(
        SimpleNamespace(pool=range(1, 61), job=job, baseline=baseline, options=lambda *_: options)
    )
    for generation, hardest in ((1, 20), (2, 30), (5, 60), (50, 60)):
        first, *others = scheme.ask(gafreecell.Moment(1, generation), 3)
        assert others == [first, first]
        assert len({*first.deals}) == job.sample.deals
        assert {counts[deal] for deal in first.deals} <= {*range(hardest - 19, hardest + 1)}


def test_the_share_solved_by_hand() -> None:
    job = SimpleNamespace(limits=SimpleNamespace(nodes=200))
    setting = SimpleNamespace(options=lambda *_: {}, job=job)
    measure = part("measure", "share-solved")(setting)
    solved = [Outcome(Status.SOLVED, None, {"moves": 1}, Nodes(1, n), 0.0) for n in (50, 200, 300)]
    failed = Outcome(Status.NODE_LIMIT, None, None, Nodes(1, 200), 0.0)
    values = measure.fitness([result(0, *solved), result(0, solved[0], failed), result(0, failed)])
    assert values == [pytest.approx((0.875 + 0.5 + 0.5) / 3), 0.4375, 0.0]


def test_a_run_of_the_parts_and_its_figure(tmp_path: Path) -> None:
    job = {**SOLVERS, **POOLS, "sample": {"deals": 3}, "generations": 3}
    run = gafreecell.evolve(EXAMPLES / "parts/parts.toml", tmp_path / "run", **job)
    assert [line["temperature"] for line in run.lines] == pytest.approx([0.02, 0.018, 0.0162])
    axes = part("figure", "champions")([run, run])
    drawn = [line.get_ydata().tolist() for line in axes.lines]
    assert drawn == [[line["validation"]["value"] for line in run.lines]] * 2
    gafreecell.figures.save(axes, tmp_path / "champions.png")


def test_wrights_children_lie_beyond_the_better_parent(tmp_path: Path) -> None:
    class Parent(list[float]):
        value = 0.0

    better, worse = Parent([0.5, 1.0]), Parent([0.3, 1.5])
    better.value = 0.9
    cross = part("crossover", "wright")
    for pair in ((better, worse), (worse, better)):
        for child in cross(*pair, rng=np.random.default_rng(1), reach=2.0):
            steps = (np.array(child) - better) / (np.array(better) - worse)
            assert steps[0] == pytest.approx(steps[1])
            assert 0 <= steps[0] <= 2
    chosen = {"operators": {"crossover": "wright"}, "options": {"wright": {"reach": 0.1}}}
    job = {**SOLVERS, **POOLS, **chosen, "problems": {"deals": 2}, "trainer": "genetic"}
    run = gafreecell.evolve(EXAMPLES / "tiles/tiles.toml", tmp_path / "r", generations=2, **job)
    assert run.job.operators.crossover == "wright"


def test_cells_in_use_are_those_of_a_replay() -> None:
    from gafreecell_archive import Play, cells_used

    from hsd.verifier import Position

    found = gafreecell.solve(617, "fast")
    position, held = Position.from_board(gafreecell.deal(617)), []
    for move in found.moves or ():
        position.play(move)
        held.append(len(position.cells) - position.free_cells)
    assert position.is_solved and max(held) > 1
    assert cells_used(found.moves or ()) == pytest.approx(np.mean(held))
    assert cells_used(()) == 0
    failed = Outcome(Status.NODE_LIMIT, None, None, Nodes(1, found.nodes.generated), 0.0)
    play = Play.of([found, failed])
    assert play.nodes == pytest.approx(found.nodes.generated)
    assert (play.length, play.solved) == ((found.lengths or {})["single"], 0.5)


def test_an_archive_keeps_the_fastest_of_each_bin() -> None:
    from gafreecell_archive import Archive, Elite, Play

    archive = Archive([100, 110, 120], [0, 1, 2])
    kept = [
        archive.add(Elite(np.full(2, nodes), Play(nodes, length, cells, solved)))
        for nodes, length, cells, solved in (
            (9, 100, 0.5, 1), (8, 109.9, 0.5, 1), (8.5, 105, 0.5, 1), (7, 105, 0.5, 0.9),
            (7, 110, 1, 1), (7, 120, 1, 1), (7, 99, 1, 1), (7, 105, 2, 1),
        )
    ]  # fmt: skip
    assert kept == [True, True, False, False, True, False, False, False]
    assert {place: one.play.nodes for place, one in archive.elites.items()} == {
        (0, 0): 8,
        (1, 1): 7,
    }
    children = archive.children(500, np.zeros(2), np.full(2, 8.0), np.random.default_rng(1))
    # Both weights of a parent are equal, so children lie about the diagonal.
    assert children.min() >= 0 and children.max() <= 8
    assert abs(np.diff(children)).mean() < 1 and (children.mean(axis=1) < 7.5).mean() > 0.2


def test_archives_of_equal_evaluations_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gafreecell_archive import compare

    monkeypatch.setattr(compare, "TRAINED", 3)
    path, words = tmp_path / "archive.csv", ["--solvers", "10", "--seeds", "2", "--deals", "2"]
    with joblib.parallel_config(backend="sequential"):
        compare.main([*words, "-o", str(path), "--figure", str(tmp_path / "archive.png")])
    rows = compare.read(path)
    assert {(row.method, row.seed) for row in rows} == {
        (method, seed) for method in compare.METHODS for seed in (1, 2)
    }
    again = compare.measured("MAP-Elites", 2, 10, compare.REPORT[:2])
    assert [row.nodes for row in again] == [
        pytest.approx(row.nodes, abs=1e-4)
        for row in rows
        if (row.method, row.seed) == ("MAP-Elites", 2)
    ]
    corner = [compare.Row("a", 1, compare.NODES[0], 170, 1.5, 1.0)]
    middle = [replace(corner[0], nodes=float(np.sqrt(np.prod(compare.NODES))), length=130.0)]
    assert compare.covered(corner, "cells", compare.CELLS) == pytest.approx(0.5)
    assert compare.covered(corner + middle, "length", compare.LENGTH) == pytest.approx(0.25)


def test_a_solver_that_is_asked_about_again_is_not_measured_again() -> None:
    from gafreecell_archive import Player, Spent, nsga_ii

    class Counting(Player):
        asked, measured = 0, 0

        def play(self, weights: Any) -> list[Outcome]:
            self.asked += 1
            return super().play(weights)

        def outcomes(self, weights: Any) -> list[Outcome]:
            self.measured += 1
            return super().outcomes(weights)

    player = Counting([1_000_001], solvers=90)
    with pytest.raises(Spent):
        deque(nsga_ii(player, np.random.default_rng(1)), maxlen=0)
    assert player.measured == 90 < player.asked


def test_archives_without_elites_count(monkeypatch: pytest.MonkeyPatch) -> None:
    from gafreecell_archive import Archive, compare

    monkeypatch.setattr(Archive, "add", lambda *_: False)
    (empty,) = compare.measured("random", 1, 1, compare.REPORT[:1])
    # The elites of the other seed solved nothing.
    failed = compare.Row("random", 2, 1000.0, nan, nan, 0.0)
    cells = [line.split("|")[2].strip() for line in compare.tabled([empty, failed]).split("\n")]
    zero = "0.000 ± 0.000"
    assert cells[2:] == ["0.0 ± 0.0", zero, zero, "1,000 (1 of 2)", "0.0 ± 0.0", "0.0 (1 of 2)"]
    assert compare.tabled([empty]).count(" - |") == 2


@pytest.mark.parametrize("words", [["--solvers", "0"], ["--seeds", "x"], ["--deals", "101"]])
def test_the_comparison_of_archives_refuses_in_a_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from gafreecell_archive import compare

    with pytest.raises(SystemExit, match="2"):
        compare.main(words)
    said = capsys.readouterr().err.replace("'", "")
    assert words[0] in said and f"got {words[1]}" in said


def test_the_page_has_the_table_of_the_archives() -> None:
    from gafreecell_archive import compare

    rows = compare.read(EXAMPLES / "archive/archive.csv")
    assert compare.tabled(rows) in (PAGES / "optimiser.md").read_text(encoding="utf-8")
    splits = tomllib.loads((ROOT / "docs/splits.toml").read_text(encoding="utf-8"))
    (listed,) = (r for r in splits["freecell"]["results"] if r.get("solvers") == ["archive"])
    assert listed["deals"] == f"{compare.REPORT[0]}-{compare.REPORT[-1]}"


def commands() -> list[list[str]]:
    """The command lines in the README's code blocks, in order."""
    text = "".join(block.text for block in blocks(EXAMPLES / "README.md") if block.language == "sh")
    return [shlex.split(line) for line in text.replace("\\\n", " ").splitlines()]


def test_a_second_search_proofs_drawings_and_grades_as_the_page_has_them() -> None:
    (code,) = (b.text for b in blocks(PAGES / "game.md") if "class Slides" in b.text)
    names: dict[str, Any] = {"__name__": "page"}
    exec(code, names)
    slides = names["Slides"](columns=3)
    made = check_game(slides, search=Search("hasty"), nodes=5_000)
    assert {"boards", "verifier", "moves", "drawings", "ratings"} <= {*made}
    preset = gafreecell.presets(slides)["baseline"]
    even = replace(preset, evaluator=Evaluator(("distance", "moves"), (1.0, 1.0)))
    hasty = [replace(even, search=Search("hasty", {"haste": haste})) for haste in (1, 9)]
    nodes = [gafreecell.solve(7, one, slides).nodes.generated for one in (even, *hasty)]
    assert nodes[0] == nodes[1] != nodes[2]
    board = np.array([[2, 1, 3], [4, 5, 6], [7, 8, 0]])
    found = gafreecell.solve(board, preset, slides)
    assert (found.status, found.nodes) == (Status.UNSOLVABLE, Nodes(181_440, 181_440))
    assert found.seconds > 0


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda path: path.stem)
def test_what_pages_quote_is_in_the_examples(page: Path) -> None:
    for block in blocks(page):
        source = re.fullmatch(r"Quoted from (\S+)\.", block.order("no") or "")
        if source:
            text = (ROOT / source[1]).read_text(encoding="utf-8")
            # A method is quoted without its class.
            assert any(indent(block.text, room) in text for room in ("", "    ")), block.line


def test_the_readmes_commands_parse() -> None:
    pip, *others = commands()
    assert pip == ["pip", "install", *(f"./examples/{package}" for package in PACKAGES)]
    for command in others:
        assert command[0] == "gafreecell"
        parser().parse_args(command[1:])
    assert len(others) >= 3


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("**/*.toml")), ids=lambda path: path.stem)
def test_job_files_are_jobs_and_rules_are_rules(path: Path) -> None:
    if path.parent.name == "rules":
        assert game(str(path)).title
    elif path.name != "pyproject.toml":
        load_job(path, {})


def test_the_readme_names_every_file() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for package in PACKAGES:
        for path in (EXAMPLES / package).rglob("*.*"):
            named = path.suffix in (".py", ".toml")
            if named and path.name not in ("pyproject.toml", "__init__.py"):
                assert f"`{path.relative_to(EXAMPLES).as_posix()}`" in text


@pytest.mark.long
def test_installed_and_used_as_the_readme_says(
    environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    copy, ignored = tmp_path / "clone", shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(EXAMPLES, copy / "examples", ignore=ignored)

    def run(*words: str) -> str:
        command = [str(environment), *words]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    pip, *others = commands()
    run("-m", *pip, "-q", "--no-deps", "--no-build-isolation")
    where = run("-c", "import tiles, gafreecell_parts as p; print(tiles.__file__, p.__file__)")
    assert where.count(str(environment.parents[1])) == 2
    for words in others:
        run("-m", *words)
    assert (copy / "champions.png").exists()
    run("-m", "gafreecell", "evolve", "examples/tiles/tiles.toml", "--out", "out/tiles")
    run("-m", "gafreecell", "export", "out/tiles", "-o", "weights.json")

    solvers = ("weights.json", "baseline")
    given = ("--game", "tiles", "--deals", "2001-2400", "--format", "json", "-o", "deals.csv")
    document = json.loads(run("-m", "gafreecell", "evaluate", *solvers, *given))
    assert [one["solved"] for one in document["solvers"].values()] == [400, 400]
    assert document["comparisons"][0]["solver"] == "weights"
    assert document["comparisons"][0]["nodes_typical"]["value"] < 0.5
    with (copy / "deals.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    evolved, untrained = (
        [int(row["generated"]) for row in rows if row["solver"] == solver]
        for solver in ("weights", "baseline")
    )
    assert wilcoxon(evolved, untrained, alternative="less").pvalue < 1e-6
