"""A game of one's own that breaks the contract is told so in a sentence, wherever it is used."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Command, refused
from handed_in import Countdown
from run_folders import ONE

import gafreecell
from gafreecell import BaseGame, Feature, Outcome, Parameter, Status
from gafreecell.installed import plugins
from gafreecell.solitaire.game import GameError
from gafreecell.solitaire.replaying import WrongSolution
from gafreecell.solving.outcome import Nodes, Search
from gafreecell.testing import check_game

STRIDE = Countdown.features[0]
RIGHT = Outcome(Status.SOLVED, ("a",), {"moves": 1}, Nodes(1, 1))
JOB = {
    "name": "j",
    "generations": 2,
    "trained": {"search": "solve", "nodes": 5000},
    "solvers": {"population": 3},
    "deals": {"train": "1-9", "validation": "11-14"},
}


def that(**members: Any) -> type[Countdown]:
    """The countdown with other members."""
    return type("Broken", (Countdown,), {"name": "broken", **members})


def returning(found: object) -> type[Countdown]:
    """The countdown whose ``solve`` always returns the same."""
    return that(solve=lambda self, deal, weights, nodes: found)


def raising(*_: object) -> Any:
    raise ZeroDivisionError("so it goes")


USES: list[tuple[int, type[Exception], Callable[[Any], object]]] = [
    (7, GameError, lambda broken: gafreecell.solve(7, game=broken)),
    (1, AssertionError, check_game),
]
RETURNED: dict[str, tuple[object, str]] = {
    "nothing": (None, "solve must return .moves, nodes generated. or .*, got None"),
    "a flag": (True, "solve must return .*, got True: end it with `return moves, count`"),
    "three": ((True, ["a"], 3), r"solve must return .*, got \(True, \['a'\], 3\)"),
    "swapped": ((3, ["a"]), r"nodes must be a whole number, got \['a'\]"),
    "half a node": ((["a"], 3.5), "nodes must be a whole number, got 3.5"),
    "nodes below zero": ((["a"], -3), "must count its nodes, at least one generated, got Nodes"),
    "too many nodes": ((["a"], 10**9), "stop at its limit of .*, got solved after 1,000,000,000"),
    "one text": (("abc", 3), "moves must be a list of strings or None, got 'abc'"),
    "numbers": (([1, 2], 3), r"moves must be a list of strings or None, got \[1, 2\]"),
    "no such status": (replace(RIGHT, status="won"), "must have a Status, got 'won'"),
    "bare nodes": (replace(RIGHT, nodes=5), "must count its nodes, .*, got 5"),
    "solved without moves": (replace(RIGHT, moves=None), "solved, must have moves, got None"),
    "moves of no solution": (
        replace(RIGHT, status=Status.UNSOLVABLE),
        r"unsolvable, must have None as moves, got \('a',\)",
    ),
    "no lengths": (replace(RIGHT, lengths={}), r"the solution's length by unit, got \{\}"),
    "half a move": (replace(RIGHT, lengths={"moves": 0.5}), "the solution's length by unit, got"),
    "no time": (replace(RIGHT, seconds="long"), "must have its processor time, got 'long' sec"),
}


@pytest.mark.parametrize(("found", "message"), RETURNED.values(), ids=RETURNED)
def test_what_solve_returns_is_checked(found: object, message: str) -> None:
    for deal, error, use in USES:
        with pytest.raises(error, match=f"the game 'broken', deal {deal}: .*{message}"):
            use(returning(found))


def test_what_numpy_counts_and_writes_will_do() -> None:
    found = gafreecell.solve(7, game=returning([np.array(["a", "b"]).tolist(), np.int64(3)]))
    assert (found.moves, found.nodes) == (("a", "b"), Nodes(3, 3))
    assert {type(found.nodes.generated), *map(type, found.moves or ())} == {int, str}


DECLARED: dict[str, tuple[Mapping[str, Any], str]] = {
    "a comma": ({"features": STRIDE}, "features must be a tuple of Feature, .*with a comma"),
    "names": ({"features": ("stride",)}, r"features must be a tuple of Feature, got \('stride',\)"),
    "twice": ({"features": (STRIDE, STRIDE)}, "features must have distinct names"),
    "upside down": ({"features": (Feature("a", "b", 9, 0),)}, "finite range .*, got 9 to 0"),
    "endless": ({"features": (Feature("a", "b", 0, np.inf),)}, "finite range .*, got 0 to inf"),
    "words": ({"features": (Feature("a", "b", "0"),)}, "must have numbers as low, .*got '0', 1.0"),
    "outside": ({"features": (Feature("a", "b", baseline=3),)}, "baseline in its range, .*got 3"),
    "two words": ({"name": "a b"}, "name must be a word of letters"),
    "overlap": ({"training": "1-10", "validation": "5-20"}, "must be disjoint, got 6 in both"),
    "no set": ({"training": 5}, "training.* must .*, got 5"),
    "no searches": ({"searches": ()}, r"searches must be a tuple of names, got \(\)"),
    "one search": ({"searches": "solve"}, "searches must be a tuple of names, got 'solve'"),
    "unguided": ({"unguided": ("x",)}, "unguided must be among .*, got"),
    "parameters": ({"parameters": lambda *_: {}}, r"parameters\('solve'\) must be a tuple of Para"),
    "options": ({"options": ("wrap",)}, r"options must be a tuple of Parameter, got \('wrap',\)"),
    "solve": (
        {"solve": lambda self, deal, weights: ([], 1)},
        r"solve must be a method that takes \(deal, weights, nodes\), got solve\(deal, weights\)",
    ),
    "too much": ({"solve": lambda s, d, w, n, more: ([], 1)}, "solve must be a method that takes"),
    "deal": ({"deal": lambda self: 3}, r"deal must be a method that takes \(number\), got deal"),
    "no method": ({"verify": "right"}, "verify must be a method that takes .*, got 'right'"),
    "verify": (
        {"verify": lambda self, board, moves: ""},
        r"verify must be a method that takes \(board, moves, goal\), got verify\(board, moves\)",
    ),
    "right": ({"verify": lambda *_: True}, "verify must return a text, got True, .*type bool"),
    "wrong": ({"verify": lambda *_: False}, "verify must return a text, got False, .*type bool"),
}


@pytest.mark.parametrize(("members", "message"), DECLARED.values(), ids=DECLARED)
def test_what_a_game_declares_is_checked(members: Mapping[str, Any], message: str) -> None:
    for _, error, use in USES:
        with pytest.raises(error, match=message):
            use(that(**members))


def test_a_registered_game_is_checked_as_it_is_loaded(command: Command, tmp_path: Path) -> None:
    plugins.hand_in("game", that(features=STRIDE))
    refused(command("solve", 7, "--game", "broken"), "the game 'broken': features must be a tuple")
    with pytest.raises(gafreecell.BadInput, match="features must be a tuple"):
        gafreecell.evolve(JOB, tmp_path / "r", ONE, game=that(features=STRIDE))


@pytest.mark.parametrize("method", ["deal", "solve", "verify"])
def test_an_exception_names_game_and_deal(method: str) -> None:
    broken = that(**{method: raising})
    with pytest.raises(ZeroDivisionError) as fault:
        broken().run([task(7)]) if method == "deal" else gafreecell.solve(7, game=broken)
    assert fault.value.__notes__ == [f"raised by the game 'broken', deal 7: {method}"]
    with pytest.raises(AssertionError, match=r"must not fail .*ZeroDivisionError\('so it goes'\)"):
        check_game(broken)


@dataclasses.dataclass(frozen=True)
class Sealed(Exception):
    """It takes no notes."""

    why: str


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (gafreecell.BadInput, gafreecell.BadInput),
        (Sealed, RuntimeError),
        (type("Panic", (BaseException,), {}), GameError),
        (asyncio.CancelledError, GameError),
        (GeneratorExit, GameError),
        (SystemExit, GameError),
        (BrokenPipeError, BrokenPipeError),
    ],
)
@pytest.mark.parametrize("method", ["deal", "solve", "run"])
def test_whatever_a_game_raises_names_it_and_the_deal(
    method: str, error: type[BaseException], kind: type[Exception]
) -> None:
    def fail(*_: object) -> Any:
        raise error("two aces")

    with pytest.raises(kind, match="two aces") as fault:
        gafreecell.solve_many([7], game=that(**{method: fail}), jobs=1)
    told = "\n".join([str(fault.value), *getattr(fault.value, "__notes__", ())])
    assert told.count(f"the game 'broken', deal 7: {method}") == 1


def task(deal: int, **limits: Any) -> Any:
    evaluator = gafreecell.presets(Countdown)["baseline"].evaluator
    return gafreecell.Task(deal, evaluator, Search("solve"), gafreecell.Limits(**limits))


# Games that are given by their class


def test_a_class_stands_for_the_game_it_makes() -> None:
    whole = gafreecell.solve(3, game=Countdown())
    assert gafreecell.solve(3, game=Countdown).moves == whole.moves
    (one,) = gafreecell.solve_many([3], game=Countdown, jobs=1)
    assert one.moves == whole.moves
    assert gafreecell.deal(3, game=Countdown) == 30
    assert [*gafreecell.presets(Countdown)] == ["baseline"]
    for wrong, said in [
        (int, "game must be a name, a game or its class, got <clas"),
        (type("Nameless", (BaseGame,), {}), "'Nameless' lacks default_features, features, name"),
    ]:
        with pytest.raises(gafreecell.BadInput, match=said):
            gafreecell.solve(3, game=wrong)  # type: ignore[arg-type]


def test_a_class_that_wants_arguments_is_refused() -> None:
    class Sized(Countdown):
        def __init__(self, size: int) -> None:
            super().__init__()

    message = "the class Sized must make a game without arguments, got .*'size'"
    with pytest.raises(GameError, match=message):
        gafreecell.solve(3, game=Sized)
    with pytest.raises(AssertionError, match=message):
        check_game(Sized)
    assert gafreecell.solve(3, game=Sized(1)).status is Status.SOLVED


def test_the_former_name_of_deals_is_refused() -> None:
    def named(self: Any, name: str) -> list[int]:
        return [1, 2]

    with pytest.raises(GameError, match=r"Old\.problems is now called deals: rename the method"):
        type("Old", (Countdown,), {"problems": named})
    # Both names serve both versions.
    assert type("Both", (Countdown,), {"problems": named, "deals": named})().deals("x") == [1, 2]


# Time


def test_a_limit_in_seconds_is_refused_unless_solve_takes_it(command: Command) -> None:
    with pytest.raises(GameError, match="Countdown cannot be limited in time, only in nodes"):
        gafreecell.solve(3, game=Countdown, seconds=0.5)
    plugins.hand_in("game", Countdown)
    done = command("solve", 3, "--game", "countdown", "--seconds", 1)
    refused(done, "Countdown cannot be limited in time")


def work(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


class Patient(BaseGame):
    """It works until its time is over."""

    name = "patient"
    features = Countdown.features

    def deal(self, number: int) -> int:
        return number

    def solve(
        self, deal: int, weights: np.ndarray, nodes: int, seconds: float | None = None
    ) -> tuple[list[str] | None, int]:
        work(seconds or 0)
        return (None, 1) if seconds or nodes == 1 else (["a"], 2)


def test_a_limit_in_seconds_reaches_a_solve_that_takes_it() -> None:
    assert gafreecell.solve(3, game=Patient, seconds=0.01).status is Status.TIME_LIMIT
    assert gafreecell.solve(3, game=Patient, seconds=0.01).seconds >= 0.01
    assert gafreecell.solve(3, game=Patient).status is Status.SOLVED


@pytest.mark.parametrize("loads", [False, True])
def test_what_is_compiled_on_first_use_is_no_deals_time(loads: bool) -> None:
    class Compiled(Countdown):
        name = "compiled"
        compiled: list[str] = []  # noqa: RUF012

        def solve(self, deal: int, *rest: Any) -> Any:
            if not self.compiled:
                self.load("solve")
            return super().solve(deal, *rest)

        def load(self, part: str) -> None:
            work(0.2)
            self.compiled.append(part)

    if loads:
        Compiled.parts = ("a part",)  # type: ignore[attr-defined]
    for _ in range(2):
        assert gafreecell.solve(3, game=Compiled).seconds < 0.1
    assert Compiled.compiled == (["a part"] if loads else ["solve"])


def test_the_first_solve_leaves_the_board_alone() -> None:
    """A search that uses up its board is wrong, but not in a way that is ours."""

    class Greedy(Countdown):
        name = "greedy"

        def deal(self, number: int) -> Any:
            return ["take"] * number

        def solve(self, deal: Any, weights: np.ndarray, nodes: int) -> Any:
            moves = [deal.pop() for _ in range(len(deal))]
            return moves, len(moves)

    assert gafreecell.solve(["take"] * 3, game=Greedy).nodes.generated == 3


def test_an_outcome_without_seconds_is_timed() -> None:
    def burn(self: Any, deal: int, weights: np.ndarray, nodes: int) -> Outcome:
        work(0.02)
        return Outcome(Status.UNSOLVABLE, None, None, Nodes(4, 9))

    found = gafreecell.solve(3, game=that(solve=burn))
    assert (found.status, found.nodes) == (Status.UNSOLVABLE, Nodes(4, 9))
    assert 0.02 <= found.seconds < 0.2
    kept = gafreecell.solve(3, game=returning(replace(RIGHT, seconds=9.0)))
    assert kept.seconds == 9.0


# Searches


class Twofold(Countdown):
    """A second search, with a parameter."""

    name = "twofold"
    searches = ("solve", "leap")

    def parameters(self, search: str) -> tuple[Parameter, ...]:
        return (Parameter("length", 5, "matches in a leap", 1, 9),) if search == "leap" else ()

    def solve(self, deal: int, weights: np.ndarray, nodes: int, search: Search) -> Any:  # type: ignore[override]
        if search.name == "leap":
            weights = weights * float(search.parameters["length"])
        return super().solve(deal, weights, nodes)


def test_solve_is_given_its_search_and_the_parameters_if_it_takes_them() -> None:
    counts = [
        gafreecell.solve(6, weights, Twofold, parameters=given).nodes.generated
        for weights, given in [(None, None), (leaping(), None), (leaping(), {"length": 6})]
    ]
    assert counts == [60, 12, 10]
    assert "searches" in check_game(Twofold, search=Search("leap", {"length": 2}))


def leaping() -> gafreecell.Weights:
    preset = gafreecell.presets(Twofold)["baseline"]
    return replace(preset, search=Search("leap"))


# Verifiers


class Cheat(Countdown):
    """Its search returns moves that its rules do not know."""

    name = "cheat"

    def verify(self, board: int, moves: Sequence[str], goal: object = None) -> str:
        return "there is no move step"


@pytest.mark.parametrize(
    "use",
    [
        lambda folder: gafreecell.solve(3, game=Cheat),
        lambda folder: gafreecell.solve_many([3, 4], game=Cheat),
        lambda folder: gafreecell.evolve(JOB, folder / "r", ONE, game=Cheat),
    ],
    ids=["solve", "solve_many", "evolve"],
)
def test_wrong_solutions_are_found_in_python(use: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(WrongSolution, match="its verifier refuses: there is no move step"):
        use(tmp_path)


def test_wrong_solutions_are_found_by_commands(command: Command, tmp_path: Path) -> None:
    plugins.hand_in("game", Cheat)
    for words in (
        ("evaluate", "baseline", "--deals", "2-4"),
        ("plot", "baseline", "--kind", "cactus", "--deals", "2-4", "-o", tmp_path / "f.png"),
    ):
        done = command(*words, "--game", "cheat", "--jobs", 1)
        refused(done, "deal 2: Cheat's search solve returned moves that its verifier refuses")
    assert not (tmp_path / "f.png").exists()


def test_an_evolution_replays_sixteen_solutions_a_candidate(tmp_path: Path) -> None:
    """All of them would cost more than some searches do."""
    replayed: list[tuple[int, int]] = []

    class Counted(Countdown):
        name = "counted"

        def verify(self, board: int, moves: Sequence[str], goal: object = None) -> str:
            replayed.append((board, len(moves)))
            return ""

    job = {**JOB, "deals": {"train": "1-9", "validation": "11-50"}}
    run = gafreecell.evolve(job, tmp_path / "r", ONE, game=Counted)
    candidates = {tuple(line["best_weights"]) for line in run.lines}
    assert len(replayed) == 16 * len(candidates)
    assert {board for board, _ in replayed} == {*range(110, 270, 10)}, "of the validation deals"


def test_deals_with_names_are_not_replayed(tmp_path: Path) -> None:
    """The board of a named deal is known to the game alone."""

    class Named(Cheat):
        name = "named"
        training, validation = "training", "validation"

        def deals(self, name: str) -> list[int | str]:
            return [f"{name}-{number}" for number in range(1, 9)]

        def solve(self, deal: Any, weights: np.ndarray, nodes: int) -> Any:
            return super().solve(int(deal.partition("-")[2]), weights, nodes)

    job = {**JOB, "deals": {}, "scheme": "resampled", "sample": {"deals": 2}}
    assert gafreecell.evolve(job, tmp_path / "r", ONE, game=Named).finished
