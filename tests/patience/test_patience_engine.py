"""The jitted engine against plain twins: a complete search, moves played, features counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import brute
import pytest
from patience_games import GAMES, SPIDER
from random_positions import played, shortened, shuffled

from deals.cards import RANKS
from gafreecell.solitaire.patience import engine, features, library
from gafreecell.solitaire.patience.game import ENGINE, RulesGame, game_of
from gafreecell.solitaire.patience.position import Position
from gafreecell.solitaire.patience.rules import (
    BUILDS,
    MOVES,
    Cells,
    Foundations,
    Hole,
    Piles,
    Reserve,
    Rules,
    Stock,
)
from gafreecell.solitaire.patience.solution import ROOM
from gafreecell.solving.engine import digest
from gafreecell.solving.outcome import Limits, Search, Status
from gafreecell.solving.settings import SettingError

FIRST_DEPTH = Search("portfolio", {"dive": 0, "before": 0})
"""Depth first from the start."""


def random_rules(generator: random.Random) -> Rules:
    """Rules of a small game that nobody plays."""
    choose, chance = generator.choice, generator.random
    while True:
        ranks = choose([2, 3, 3, 4, 4])
        decks = choose([1, 1, 2]) if ranks < 4 else 1
        cards = 4 * ranks * decks
        cells = generator.randint(0, 2)
        stock = Stock(
            count=choose([0, generator.randint(1, cards // 2)]),
            to=choose(["waste", "waste", "piles", "hole"]),
            draw=generator.randint(1, 3),
            redeals=choose([-1, 0, 1]),
            spaces=chance() < 0.5,
        )
        homes = choose(
            [
                Foundations(base=choose(RANKS[:ranks]), back=chance() < 0.4),
                Foundations(base="first", filled=1, back=chance() < 0.4),
                Foundations(filled=4 * decks, back=chance() < 0.4),
                Foundations(runs=True),
            ]
        )
        hole = Hole(choose(["first", "AS"]), chance() < 0.5) if chance() < 0.15 else Hole()
        piles = Piles(
            count=generator.randint(2, 6),
            dealt=choose(["rows", "triangle"]),
            face_down=choose(["none", "covered"]),
            build=choose(BUILDS),
            move=choose(MOVES),
            run=choose(["", *BUILDS[1:]]),
            space=choose(["any", "any", "king", "none"]),
            fill=choose(["", "", "reserve", "reserve, waste", "waste"]),
        )
        try:
            return Rules(
                "Random",
                decks=decks,
                ranks=ranks,
                piles=piles,
                cells=Cells(cells, generator.randint(0, cells)),
                foundations=Foundations() if hole.base else homes,
                reserve=Reserve(choose([0, cards // 4]), chance() < 0.6),
                stock=stock,
                hole=hole,
            )
        except SettingError:
            continue


def decided(game: RulesGame, position: Position, search: Search) -> Status:
    """How a search ends, its solution replayed."""
    weights = replace(game.preset("baseline"), search=search)
    outcome = game.solver.solve(position, weights, Limits(nodes=100_000))
    if outcome.moves is not None:
        assert not game.verify(position, outcome.moves)
    return outcome.status


def check_verdict(rules: Rules, generator: random.Random, most: int) -> str | None:
    """Compare the verdict on a deal with that of brute force, which is None if it takes more."""
    game, position = game_of("random", rules), shuffled(rules, generator)
    wanted = brute.search(position, most)
    for search in (Search("portfolio"), FIRST_DEPTH) if wanted else ():
        found = decided(game, position, search)
        assert found == wanted, (found, wanted, rules, position)
    return wanted


def check_against_brute_force(
    seeds: range, most: int, drawn: Callable[[random.Random], Rules] = random_rules
) -> Counter[str]:
    """Compare verdicts on small random games; returns how many of each were compared."""
    compared: Counter[str] = Counter()
    for seed in seeds:
        generator = random.Random(seed)
        compared[str(check_verdict(drawn(generator), generator, most))] += 1
    return compared


def test_verdicts_are_those_of_brute_force() -> None:
    compared = check_against_brute_force(range(100), 250)
    assert compared["solved"] > 20
    assert compared["unsolvable"] > 10


@pytest.mark.long
def test_verdicts_of_many_games_are_those_of_brute_force() -> None:
    compared = check_against_brute_force(range(1_000, 3_000), 5_000)
    assert compared["solved"] > 500
    assert compared["unsolvable"] > 500


def check_runs(seeds: range, most: int) -> Counter[str]:
    """Compare verdicts on games whose single cards move, with runs that are worth moving."""
    compared: Counter[str] = Counter()
    for seed in seeds:
        generator = random.Random(seed)
        choose, cells = generator.choice, generator.randint(0, 3)
        build = choose(["suit", "suit", "colour", "any"])
        piles = Piles(generator.randint(3, 5), build=build, space=choose(["any", "king", "none"]))
        ranks, back = choose([4, 5, 6]), choose([False, True])
        rules = Rules(
            "Runs",
            ranks=ranks,
            piles=piles,
            cells=Cells(cells),
            foundations=Foundations(back=back),
        )
        compared[f"{build}: {check_verdict(rules, generator, most)}"] += 1
    return compared


def suited_rules(generator: random.Random) -> Rules:
    """Rules of a game built in suit, whose single cards move."""
    choose = generator.choice
    hole = Hole("first", choose([True, False])) if choose([True, False]) else Hole()
    homes = [Foundations(back=choose([True, False])), Foundations(runs=True)]
    space, down = choose(["any", "king", "none"]), choose(["none", "covered"])
    ranks = choose([3, 4, 5])
    return Rules(
        "Suited",
        ranks=ranks,
        piles=Piles(generator.randint(2, 4), "rows", down, "suit", space=space),
        cells=Cells(generator.randint(1, 3)),
        foundations=Foundations() if hole.base else choose(homes),
        reserve=Reserve(choose([0, 0, ranks]), choose([True, False])),
        stock=Stock() if hole.base else Stock(choose([0, ranks]), draw=choose([1, 2])),
        hole=hole,
    )


def check_suited(seeds: range, most: int) -> Counter[str]:
    """Compare verdicts on games built in suit, by where the cards go."""
    compared: Counter[str] = Counter()
    for seed in seeds:
        generator = random.Random(seed)
        rules = suited_rules(generator)
        goal = "hole" if rules.hole.base else "runs" if rules.foundations.runs else "home"
        compared[f"{goal}: {check_verdict(rules, generator, most)}"] += 1
    return compared


def test_a_hole_may_need_a_card_before_the_one_that_could_lie_on_it() -> None:
    rules = Rules(
        "Hole",
        ranks=4,
        piles=Piles(4, build="suit", space="none"),
        cells=Cells(1),
        hole=Hole("first", wraps=False),
    )
    game = game_of("hole", rules)
    text = "Hole: 4D\nAD 3C 4H 4S\nAH AC 2C 2H\n3D 3S 2D 3H\n2S AS 4C\n"
    [position] = game.read_boards(text)
    assert brute.search(position) == decided(game, position, Search("portfolio")) == "solved"


def hole_rules(generator: random.Random) -> Rules:
    """Rules of a game with a hole, built without suits or not at all."""
    choose = generator.choice
    while True:
        ranks, to = choose([3, 4]), choose(["waste", "waste", "piles", "hole"])
        move, draw = choose(["card", "run", "pile", "loose"]), choose([1, 2])
        piles = Piles(
            generator.randint(3, 5),
            face_down=choose(["none", "covered"]),
            build=choose(["none", "any", "any"]),
            move=move,
            run="" if move == "card" else choose(["", "suit", "colour"]),
            space=choose(["any", "king", "none"]),
        )
        try:
            return Rules(
                "Hole",
                ranks=ranks,
                piles=piles,
                cells=Cells(generator.randint(0, 1)),
                stock=Stock(choose([0, 3, ranks]), to, draw if to == "waste" else 1, spaces=True),
                hole=Hole(choose(["first", "AS"]), choose([True, False])),
            )
        except SettingError:
            continue


def test_suits_are_told_apart_where_they_mean_something() -> None:
    compared = check_against_brute_force(range(100), 300, hole_rules)
    assert compared["solved"] > 5
    assert compared["unsolvable"] > 2


def test_suits_mean_something_where_only_cards_in_suit_move_together() -> None:
    piles = Piles(5, "6 3 4 8 6", build="any", move="run", run="suit", space="none")
    game = game_of("hole", Rules("Hole", ranks=7, piles=piles, hole=Hole("7S")))
    rows = "3H 2S 7H 6H 6C 3D\nAC 7D 3S\n5S 4S 2D 2H\n2C AD 5C AH 6D 5H 4D 5D\n6S 4C AS 4H 3C 7C\n"
    [position] = game.read_boards(f"Hole: 7S\n{rows}")
    assert decided(game, position, FIRST_DEPTH) == "solved"


def test_with_a_hole_other_cards_may_be_left_in_the_waste() -> None:
    rules = Rules(
        "Hole",
        ranks=4,
        piles=Piles(3, build="suit", space="none"),
        stock=Stock(5, draw=3, redeals=1),
        hole=Hole("AS", wraps=False),
    )
    game = game_of("hole", rules)
    stock = "Stock: 2D 2S AC AH 3C\nHole: AS\n"
    [position] = game.read_boards(f"{stock}4H 3H 4S 3S\nAD 2H 2C\n3D 4C 4D\n")
    for search in (Search("portfolio"), FIRST_DEPTH):
        assert decided(game, position, search) == "solved"


@pytest.mark.long
def test_suits_are_told_apart_in_many_games_with_a_hole() -> None:
    compared = check_against_brute_force(range(1_000, 2_000), 2_000, hole_rules)
    assert compared["solved"] > 100
    assert compared["unsolvable"] > 50


@pytest.mark.long
def test_whole_runs_are_enough_in_many_games() -> None:
    compared = check_suited(range(1_000, 3_000), 2_000)
    for goal in ("hole", "runs", "home"):
        assert compared[f"{goal}: solved"] > 50
        assert compared[f"{goal}: unsolvable"] > 50


def test_runs_that_move_on_at_once_change_no_verdict() -> None:
    compared = check_runs(range(40), 400)
    assert compared["suit: solved"] > 5
    assert compared["suit: unsolvable"] > 5


@pytest.mark.long
def test_runs_that_move_on_at_once_change_no_verdict_of_many_games() -> None:
    compared = check_runs(range(1_000, 3_000), 4_000)
    for build in ("suit", "colour", "any"):
        assert compared[f"{build}: solved"] > 50
        assert compared[f"{build}: unsolvable"] > 50


# Even with three ranks, Spider has too many positions for brute force.
@pytest.mark.parametrize(
    "rules", [rules for rules in GAMES if rules != SPIDER], ids=lambda rules: rules.title
)
def test_verdicts_of_games_of_few_ranks_are_those_of_brute_force(rules: Rules) -> None:
    generator = random.Random(3)
    small = shortened(rules, 3)
    game = game_of("small", small)
    for _ in range(3):
        position = shuffled(small, generator)
        wanted = brute.search(position, 1_000)
        assert wanted == decided(game, position, Search("portfolio"))


def test_features_are_counted_from_the_cards() -> None:
    generator = random.Random(9)
    for rules in GAMES:
        position = played(shuffled(rules, generator), generator, 15)
        found = game_of("any", rules).feature_values(position)
        assert found["cards"] == len(position.unplayed)
        if "hidden" in found:
            assert found["hidden"] == sum(position.down)
        if "spaces" in found:
            assert found["spaces"] == sum(not pile for pile in position.piles)
        if "covers" in found:
            orders = [[position.order(card) for card in pile] for pile in position.piles]
            assert found["covers"] == sum(
                any(below < order for below in pile[:place])
                for pile in orders
                for place, order in enumerate(pile)
            )
        assert [*found] == [one.name for one in features.features_of(rules)]


@pytest.mark.parametrize("name", library.names())
def test_a_game_of_the_library_is_dealt_and_its_solutions_verified(name: str) -> None:
    game = game_of(name, library.rules(name))
    position = game.deal(1)
    assert [position] == game.read_boards(game.write_board(position))
    outcome = game.solver.solve(1, game.preset("baseline"), Limits(nodes=1_500))
    if outcome.moves is not None:
        assert not game.verify(position, outcome.moves)


def test_a_solution_may_need_more_steps_than_are_written_at_once() -> None:
    rules = Rules("Long", decks=2, piles=Piles(4, build="none"), stock=Stock(100, redeals=-1))
    game, position = game_of("long", rules), shuffled(rules, random.Random(1))
    outcome = game.solver.solve(position, "baseline", None)
    assert outcome.moves is not None
    assert not game.verify(position, outcome.moves)
    assert len(outcome.moves) > ROOM


def test_depth_first_goes_on_where_memory_ends_the_best_first_search() -> None:
    game = game_of("bakers-game", library.rules("bakers-game"))
    weights = replace(game.preset("baseline"), search=Search("portfolio", {"dive": 0}))
    much, little = (game.solver.solve(10, weights, Limits(memory=n)) for n in (10**8, 2 * 10**6))
    assert much.status is little.status is Status.UNSOLVABLE
    assert little.nodes.generated > much.nodes.generated


def test_depth_first_keeps_no_positions_but_hashes_and_its_path() -> None:
    game = game_of("seahaven-towers", library.rules("seahaven-towers"))
    search = Search("portfolio", {"dive": 0, "before": 0})
    weights = replace(game.preset("baseline"), search=search)
    found = game.solver.solve(73, weights, Limits(memory=2**22))
    assert found.status is Status.UNSOLVABLE
    # A row takes some 200 bytes.
    assert 150 * found.nodes.generated > 2**22


def test_the_engine_number_is_that_of_the_searches() -> None:
    assert digest(engine.outcomes()) == ENGINE, (
        "the searches return other outcomes: put this number into patience/game.py"
    )
