"""The conformance check of games: those that keep the contract pass, each breach is named."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from toy_game import Toy, ToyError, hardness

import gafreecell
from deals.errors import BadInput
from gafreecell.installed import plugins
from gafreecell.solving.drawing import Drawing, Pile
from gafreecell.solving.features import Feature, Scales
from gafreecell.solving.outcome import Evaluator, Nodes, Outcome, Status, Task
from gafreecell.solving.parameters import Parameter, Value
from gafreecell.solving.playing import Alternative, HiddenPlayer, Played, Policy
from gafreecell.solving.rating import Rating
from gafreecell.testing import check_game

ALWAYS = ["members", "features", "variants", "deals", "search", "outcomes", "repeats", "budgets"]
WITH_FEATURES = ["weights", "evolution"]
CALLS = itertools.count()
LEGEND = ("go: go",)
SHOWN = ["moves", "drawings", "tables", "proofs"]
USUAL = ["searches", "presets", "numbers", "boards", "verifier", "solutions"]
BASED = ["searches", "options", "presets", "held out", *USUAL[2:]]
"""What a game of ``BaseGame`` can do besides."""
FREECELL = [*BASED, "interpretations", *SHOWN, "options of boards", "recognised deals", "ratings"]
KLONDIKE = [
    *FREECELL[:-2], "reachable", "recognised deals", "rules in words", "hidden play", "ratings",
]  # fmt: skip
PYRAMID = [*BASED, *SHOWN, "recognised deals", "goals", "ratings"]


@pytest.mark.parametrize(
    ("name", "deals", "further"),
    [
        ("freecell", (), [*FREECELL, *WITH_FEATURES]),
        # The first of them is graded within a moment.
        ("klondike", (1000010, 1000011), [*KLONDIKE, *WITH_FEATURES]),
        ("pyramid", (), PYRAMID),
    ],
)
def test_the_built_in_games_keep_the_contract(
    name: str, deals: Sequence[int], further: list[str]
) -> None:
    assert check_game(name, deals) == [*ALWAYS, *further]


def test_the_toy_game_keeps_the_contract(toy: Toy) -> None:
    made = [*ALWAYS, *USUAL, *WITH_FEATURES]
    assert check_game(toy) == check_game("toy") == check_game(Toy) == made
    assert gafreecell.testing.check_game is check_game


def test_a_check_leaves_no_game_behind() -> None:
    for game in (Toy(slow=2), None):
        with pytest.raises(plugins.PluginError, match="there is no game 'toy'"):
            plugins.find("game", "toy")
        assert game is None or check_game(game)


def test_what_stands_in_gives_way_again(toy: Toy) -> None:
    slower = Toy(slow=3)
    with plugins.standing_in("game", slower), plugins.standing_in("game", Toy(slow=4)):
        assert plugins.find("game", "toy").slow == 4
    assert plugins.find("game", "toy") is toy


def toy_that(**members: Any) -> Callable[[], Toy]:
    """The toy game with other members."""
    return type("Broken", (Toy,), members)


def ran(change: Callable[[Task, Outcome], Outcome]) -> Callable[[], Toy]:
    """The toy game with every outcome changed."""

    def run(self: Toy, tasks: Sequence[Task]) -> list[Outcome]:
        return list(map(change, tasks, Toy.run(self, tasks)))

    return toy_that(run=run)


def with_nodes(change: Callable[[Task, int], Any]) -> Callable[[], Toy]:
    """The toy game with other counts of nodes generated."""
    return ran(lambda task, o: replace(o, nodes=Nodes(1, change(task, o.nodes.generated))))


def expanding(count: Callable[[Sequence[Task]], int]) -> Callable[[], Toy]:
    """The toy game with other counts of nodes expanded, by the tasks that are run together."""

    def run(self: Toy, tasks: Sequence[Task]) -> list[Outcome]:
        found = Toy.run(self, tasks)
        return [replace(o, nodes=replace(o.nodes, expanded=count(tasks))) for o in found]

    return toy_that(run=run)


def lacking(self: Toy) -> None:
    raise AttributeError


def vary_anything(self: Toy, **options: Any) -> Toy:
    return self


def vary_otherwise(self: Toy, **options: Any) -> Toy:
    varied = Toy.vary(self, **options)
    return replace(varied, slow=varied.slow + 1)


class SharesScratch(Toy):
    """Its searches use the same memory."""

    scratch: ClassVar[dict[str, Task]] = {}

    def run(self, tasks: Sequence[Task]) -> list[Outcome]:
        outcomes = []
        for task in tasks:
            self.scratch["task"] = task
            time.sleep(0.001)
            outcomes += Toy.run(self, [self.scratch["task"]])
        return outcomes


@dataclass(frozen=True)
class HoldsLock(Toy):
    """It cannot be sent to another process."""

    lock: Any = field(default_factory=threading.Lock)


def by_position(self: Toy, tasks: Sequence[Task]) -> list[Outcome]:
    weights = [task.evaluator.weights for task in tasks if task.evaluator]
    evaluators = [Evaluator(self.default_features[: len(w)], w) for w in weights]
    return Toy.run(self, [replace(t, evaluator=e) for t, e in zip(tasks, evaluators, strict=True)])


def without_far(self: Toy, tasks: Sequence[Task]) -> list[Outcome]:
    fewer = []
    for task in tasks:
        assert task.evaluator is not None
        weights = [
            0.0 if name == "far" else weight
            for name, weight in zip(task.evaluator.features, task.evaluator.weights, strict=True)
        ]
        evaluator = Evaluator(task.evaluator.features, tuple(weights))
        fewer.append(replace(task, evaluator=evaluator))
    return Toy.run(self, fewer)


def whatever_is_known(self: Toy, tasks: Sequence[Task]) -> list[Outcome]:
    known = []
    for task in tasks:
        assert task.evaluator is not None
        given = dict(zip(task.evaluator.features, task.evaluator.weights, strict=True))
        ours = {name: weight for name, weight in given.items() if name in self.default_features}
        known.append(replace(task, evaluator=Evaluator(tuple(ours), tuple(ours.values()))))
    return Toy.run(self, known)


class Guesser(HiddenPlayer):
    """It plays the same game whatever it is given."""

    policies = (Policy("guess", "guesses", (), "effort", False),)

    def check(self, policy: str, *further: Any) -> dict[str, Value]:
        if policy != "guess":
            raise ToyError(f"there is no policy {policy!r}; there is guess")
        return {}

    def check_start(self, board: Any) -> None:
        if not isinstance(board, int):
            raise ToyError("the board is hidden")

    def seen(self, board: Any) -> Any:
        return None

    def play(self, *further: Any, watched: bool = False) -> Played:
        return Played(False, (), 7, 0.1)

    def advise(self, *further: Any) -> list[Alternative]:
        return []


def at_random(self: Guesser, *further: Any, watched: bool = False) -> Played:
    return Played(False, (), random.getrandbits(60), 0.1)


def better_watched(self: Guesser, *further: Any, watched: bool = False) -> Played:
    return Played(watched, (), 7, 0.1)


def played_by(**members: Any) -> Callable[[], Toy]:
    """The toy game with a player of hidden cards that has these members."""
    return toy_that(player=type("Player", (Guesser,), members)())


def test_a_player_that_keeps_the_contract_passes() -> None:
    assert "hidden play" in check_game(played_by()())
    assert not list(Guesser().about_advice(7, "")) and not Guesser().keeps_secrets(7)


def silent(self: Toy, deal: Any) -> None:
    raise BadInput("")


def grading(**changes: Any) -> Callable[[], Toy]:
    """The toy game with a grade for every deal, some part of which is wrong."""

    def rate(self: Toy, deal: Any) -> Rating:
        found = Rating(Status.SOLVED, 3, {"luck": 0.5}, 0.1)
        return replace(found, **{key: change() for key, change in changes.items()})

    return toy_that(
        check_rating=lambda *_: None, rate=rate, describe_rating=lambda self, found: "luck"
    )


class GradesFew(Toy):
    """It has a grade for those boards alone that are allowed."""

    asked: ClassVar[list[int]] = []
    rated: ClassVar[list[int]] = []
    allowed: ClassVar[list[int]] = []

    def check_rating(self, deal: int) -> None:
        self.asked.append(deal)
        if deal not in self.allowed:
            raise BadInput(f"there is no scale for {deal}")

    def rate(self, deal: int) -> Rating:
        self.rated.append(deal)
        return Rating(Status.SOLVED, 3, {"luck": 0.5}, 0.1)

    def describe_rating(self, found: Rating) -> str:
        return "luck"


def test_a_game_may_have_no_grade_for_some_deals() -> None:
    assert "ratings" in check_game(GradesFew())
    assert len(set(GradesFew.asked)) > 1
    assert not GradesFew.rated
    GradesFew.allowed.append(GradesFew.asked[-1])
    check_game(GradesFew())
    assert set(GradesFew.rated) == set(GradesFew.allowed)


class ListsMoves(Toy):
    """It knows its one move."""

    adviser: ClassVar[tuple[str, dict[str, Value]]] = ("guess", {"effort": 10})

    def legal_moves(self, board: int) -> list[str]:
        return ["go"]

    def listed(self, board: int, move: str) -> str:
        return move

    def after(self, board: int, move: str) -> int:
        if move != "go":
            raise ValueError(f"there is no move {move}")
        return next(deal for deal in range(1, 11) if hardness(deal) == hardness(board) - 1)


def lists_moves(**members: Any) -> Callable[[], Toy]:
    """That game with other members."""
    return type("Broken", (ListsMoves,), members)


def near(**values: Any) -> tuple[Feature, ...]:
    return (Feature("near", "the first weight", **values), *Toy.features[1:])


def drawing(draw: Callable[[str], Drawing]) -> Callable[[], Toy]:
    """The toy game with a drawing for each move, and one without a move at the end."""
    return toy_that(legend=LEGEND, positions=lambda self, board, moves: map(draw, (*moves, "")))


def with_piles(*cards: int, name: str = "") -> Callable[[], Toy]:
    """The toy game with a pile of these cards in each drawing, named after the move by default."""
    return drawing(
        lambda move: Drawing(["a board"], move, "go", piles=[Pile(name or move, 0, 0, cards)])
    )


BREACHES: list[tuple[Callable[[], Any], str]] = [
    (toy_that(deals=property(lacking)), "every member of Game, got one without deals"),
    (toy_that(check=None), "check must be a method, got None"),
    (toy_that(training=7), "training must be a str, got 7"),
    (toy_that(name="my game"), "name must be a word of .*, got 'my game'"),
    (toy_that(features=(*near(), *near())), "features must have distinct names"),
    (toy_that(features=near(low=1.0)), "near must have a finite range .*, got 1.0 to 1.0"),
    (toy_that(features=near(baseline=2.0)), "near must have its baseline .*, got 2.0"),
    (toy_that(default_features=("far", "off")), r"default_features .* got \['off'\]"),
    (toy_that(scales=Scales(nodes=0)), "scales must be positive"),
    (toy_that(vary=vary_anything), r"unknown option in vary.* refused .* no complaint"),
    (toy_that(vary=vary_otherwise), r"must keep the variant \{'slow': 1\}, got \{'slow': 2"),
    (toy_that(variant={"slow": 0.5}), "slow in variant must be a whole number"),
    (toy_that(check=lambda *_: None), r"an unknown search in check\(...\) must be refused"),
    (toy_that(check=lambda self, search, features=(): {"think": 1}[search.name]),
     r"unknown search .* got KeyError\('no-such-thing'\)"),
    (toy_that(training="1-60"), "must be disjoint, got 29 in both"),
    (toy_that(deals=lambda *_: [random.getrandbits(60)]), "must be the same each time"),
    (toy_that(deals=lambda self, name: np.arange(9) + 100 * (name == "few")),
     r"must hold numbers or names, got \[np.int64\(0\)\]"),
    (toy_that(deals=lambda self, name: [len(name)]), r"unknown set in deals\(...\) must"),
    (ran(lambda task, o: Outcome(Status.NODE_LIMIT, None, None, o.nodes, 0.1)),
     "needs a deal that is solved within 20,000 nodes, got node-limit"),
    (toy_that(run=lambda *_: []), "must return a list with an Outcome for each"),
    (ran(lambda task, o: replace(o, status="solved")), "must have a Status, got 'solved'"),
    (ran(lambda task, o: replace(o, status=Status.EXHAUSTED)),
     "the outcome of 31, exhausted, must have None as moves"),
    (ran(lambda task, o: replace(o, lengths=None)), "31, solved, must have lengths, got None"),
    (with_nodes(lambda task, nodes: np.int64(nodes)), "must count its nodes.*np.int64"),
    (with_nodes(lambda task, nodes: 0), "at least one generated, got Nodes"),
    (ran(lambda task, o: replace(o, seconds=-1.0)), "must have its processor time"),
    (expanding(lambda tasks: next(CALLS)),
     "tasks run one by one once more must give the same outcome"),
    (expanding(len), "tasks run in one batch must give the same"),
    (SharesScratch, "tasks run in two threads at once must give the same outcome"),
    (HoldsLock, "must be picklable, got TypeError.*lock"),
    (with_nodes(lambda task, nodes: max(nodes, 500)),
     "must stop at its limit of 1, or at most 100 nodes later"),
    (ran(lambda task, o: o if o.moves else replace(o, status=Status.EXHAUSTED)),
     "a search with a limit of 1 must end in node-limit, got exhausted"),
    (ran(lambda task, o: o if o.moves or task.limits.nodes == 1
         else replace(o, status=Status.UNSOLVABLE)),
     "which can be solved, must not be proved unsolvable, got .* with a limit of 10"),
    (toy_that(run=without_far), "the search must use the default feature far, got the same"),
    (ran(lambda task, o: replace(o, nodes=Nodes(1, 1)) if o.moves else o),
     "different weights must lead to different outcomes, got"),
    (toy_that(run=by_position), "features named in another order must give the same"),
    (toy_that(run=whatever_is_known), r"an unknown feature in run\(...\) must be"),
    (toy_that(unguided=("dream",)), r"unguided must be among .*, got \['dream'\]"),
    (toy_that(parameters=lambda *_: (Parameter("effort", 0, "none", 1, 9),)),
     "effort must allow its own default"),
    (toy_that(options=(Parameter("fast", 1, "not slow"),)),
     r"options must describe what variant holds, \['slow'\], got \['fast'\]"),
    (toy_that(options=(Parameter("slow", 1, "how slow"),)),
     "a list as the option slow in vary.* must be refused .* got no complaint"),
    (toy_that(default_preset="best"), "presets must hold best"),
    (toy_that(preset=lambda self, name: replace(Toy.preset(self, name), game="bridge")),
     r"preset\('guess'\) as a solver of its game must be accepted, .*weights for bridge"),
    (toy_that(read_deal=lambda *_: random.getrandbits(60)), r"read_deal\(31\) must be the same"),
    (toy_that(read_boards=lambda self, text, faults=None: [int(text.split()[1]) + 1]),
     "read_boards must read what write_board wrote"),
    (toy_that(write_board=lambda self, board: str(board)),
     "a board's text must begin with no number and hold no '#', got 34"),
    (toy_that(verify=lambda *_: ""), "verify must say what is wrong with a solution"),
    (toy_that(verify=lambda *_: "no"), "verify must accept the solution of 34, got 'no'"),
    (toy_that(read_moves=lambda self, text: list(text)), "read_moves must read what write_sol"),
    (toy_that(legend=LEGEND, positions=lambda *_: [Drawing(["a board"])]),
     "positions must yield one Drawing for each move, with that move"),
    (drawing(lambda move: Drawing([], move)), "positions must yield Drawings with lines"),
    (drawing(lambda move: Drawing(["a board"], move)), "each move must be put in words"),
    (with_piles(), "the piles of a Drawing must be the same in each position"),
    (with_piles(4, 4, name="p"), "no card may lie on two piles"),
    (toy_that(empty_table=lambda *_: [], text_of_table=lambda *_: ""),
     "empty_table must be Piles without cards"),
    (toy_that(legend="go: go", positions=lambda *_: []), "legend must be lines of text on the not"),
    (toy_that(why_unsolvable=lambda *_: ()), "why_unsolvable must return lines"),
    (toy_that(variant_of=lambda *_: {"slow": 9}), "variant_of must tell the options"),
    (lists_moves(adviser=("nobody", {})), "presets must hold the adviser nobody"),
    (lists_moves(adviser=("", {"effort": 0})),
     "the adviser's search must be accepted, got a complaint .*effort must be"),
    (lists_moves(legal_moves=lambda *_: "go"), "legal_moves must return a list of strings"),
    (lists_moves(legal_moves=lambda *_: ["go", "go"]), "must name no move twice"),
    (lists_moves(legal_moves=lambda *_: ["stay"]),
     r"listed must name one of the legal_moves, \['stay'\], for the search's move go"),
    (lists_moves(legal_moves=lambda *_: ["go", "run"], listed=lambda *_: "go"),
     "listed must return a legal move unchanged, got run"),
    (lists_moves(after=lambda self, board, move: board),
     "verify must accept the legal move go before a solution of the board after it"),
    (lists_moves(after=lambda self, board, move: ListsMoves().after(board, "go")),
     "after must refuse a move that does not exist, got no complaint"),
    (played_by(seen=lambda self, board: board), "a board as its player sees it, in check_start"),
    (toy_that(write_reachable=lambda *_: ""), "write_reachable must return a text"),
    (toy_that(recognised=lambda self, board: board + 1),
     "recognised must give the board of deal 31 its number, got 32"),
    (toy_that(rules_in_words=lambda *_: None), "rules_in_words must return a text"),
    (toy_that(player=7), "player must be a HiddenPlayer, got 7"),
    (played_by(keeps_secrets=lambda *_: True),
     "keeps_secrets must be False for a solved board, got True"),
    (toy_that(goal=lambda *_: {}), r"an unknown goal in goal\(...\) must be refused"),
    (toy_that(check_rating=silent, rate=lambda *_: None, describe_rating=lambda *_: ""),
     "check_rating must say why, got a BadInput without a text"),
    (played_by(play=at_random), "guess must play the same game with the same seed"),
    (played_by(play=better_watched), "the same game with guess if it is watched"),
    (grading(status=lambda: Status.UNSOLVABLE), "Rating whose status is solved"),
    (grading(grade=lambda: 11), "must give .* a grade from 1 to 10, got 11"),
    (grading(measures=lambda: {"luck": random.random()}), "must find the same each time"),
    (grading(measures=lambda: {"luck": np.int64(1)}), "measures must fit into JSON"),
    (played_by(check=lambda *_: {}), "an unknown policy must"),
]  # fmt: skip


@pytest.mark.parametrize(("broken", "message"), BREACHES, ids=[said for _, said in BREACHES])
def test_each_breach_of_a_game_is_named(broken: Callable[[], Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_game(broken())
