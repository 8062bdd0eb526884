"""Solving and verifying from Python: all the forms in which deals and weights can be given."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_game import HIDDEN, LARGEST, nodes_needed, solution

import deals
import gafreecell
import hsd
from deals.errors import BadInput
from gafreecell.service.hints import adviser, judge
from gafreecell.solitaire.replaying import WrongSolution
from gafreecell.solving.outcome import Limits, Nodes, Outcome, Status

SOLVED = Status.SOLVED


@pytest.fixture(scope="module")
def board() -> Any:
    return deals.freecell(164)


class Refusing(hsd.FreeCell):
    """FreeCell whose verifier accepts nothing."""

    def verify(self, *_: Any) -> str:
        return "it is Sunday"


@pytest.mark.parametrize(
    "call",
    [
        lambda game: gafreecell.solve(164, game=game),
        lambda game: gafreecell.solve_many([164], game=game),
        lambda game: judge(deals.freecell(164), game, adviser(game), Limits(nodes=10_000), 1),
    ],
)
def test_moves_that_the_verifier_refuses_are_not_handed_out(call: Any) -> None:
    with pytest.raises(WrongSolution, match=r"FreeCell's search .* refuses: it is Sunday"):
        call(Refusing())


# Deals


def test_a_deal_is_a_number_a_board_its_text_or_a_file(board: Any, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(f"{board}\n")
    first = gafreecell.solve(164)
    assert first.status is SOLVED
    for given in (np.int64(164), board, str(board), "164", file, f"# mine\n{board}"):
        assert gafreecell.solve(given).moves == first.moves, given
    assert hsd.verify(board, first.moves or ()).solved


def test_many_deals_are_a_range_a_list_a_text_or_a_file(
    toy: Any, board: Any, tmp_path: Path
) -> None:
    file = tmp_path / "deals.txt"
    file.write_text("1-3 # the first\n7\n")
    ways = ([1, 2, 3, 7], range(1, 4), np.array([1, 2, 3, 7]), "1-3, 7", file, (1, "2", 3, "7"))
    for given in ways:
        wanted = [1, 2, 3] if isinstance(given, range) else [1, 2, 3, 7]
        outcomes = gafreecell.solve_many(given, game="toy", jobs=2)
        assert [one.moves for one in outcomes] == [solution(deal) for deal in wanted], given
    assert gafreecell.solve_many([], game="toy") == []
    assert gafreecell.solve_many(range(0), game="toy") == []
    assert gafreecell.solve_many((n for n in (5, 6)), game="toy")[1].moves == solution(6)


@pytest.mark.usefixtures("toy")
def test_outcomes_are_in_the_order_of_the_deals_whatever_the_jobs() -> None:
    given = [int(n) for n in np.random.default_rng(1).permutation(np.arange(14, 200))]
    for jobs in (1, 3, -1):
        outcomes = gafreecell.solve_many(given, game="toy", jobs=jobs)
        assert [one.nodes.generated for one in outcomes] == [nodes_needed(n, HIDDEN) for n in given]


def test_boards_and_numbers_can_be_mixed(board: Any) -> None:
    outcomes = gafreecell.solve_many([1, board, str(deals.freecell(2))], nodes=50_000)
    alone = [gafreecell.solve(deal, nodes=50_000) for deal in (1, 164, 2)]
    assert [one.moves for one in outcomes] == [one.moves for one in alone]


@pytest.mark.parametrize(("game", "number"), [("freecell", 7), ("klondike", 3), ("pyramid", 7)])
def test_every_game_solves_verifies_and_reads_its_own_boards(game: str, number: int) -> None:
    board = gafreecell.deal(number, game)
    assert gafreecell.read_boards(str(board), game) == [board]
    assert gafreecell.read_boards(f"8 {number}", game)[1] == board
    outcome = gafreecell.solve(str(board), game=game)
    assert outcome.status is SOLVED
    assert gafreecell.solve_many([number, board], game=game)[1].moves == outcome.moves
    moves = list(outcome.moves or ())
    for told in (outcome, moves, "\n".join(moves)):
        assert gafreecell.verify(board, told, game)
    verdict = gafreecell.verify(number, moves[:-1], game)
    assert not verdict
    assert verdict.reason


def test_games_are_played_in_their_variants(board: Any) -> None:
    three = gafreecell.deal(164, variant={"cells": 3})
    assert three == deals.freecell(164, cells=3)
    by_number = gafreecell.solve(164, variant={"cells": 3})
    assert by_number.moves == gafreecell.solve(three).moves
    assert by_number.moves == gafreecell.solve(164, game=hsd.FreeCell(cells=3)).moves
    assert not {move for move in by_number.moves or () if "d" in move}
    assert gafreecell.verify(three, by_number)
    (read,) = gafreecell.read_boards(str(board), variant={"cells": 5})
    assert read.cell_count == 5
    with pytest.raises(BadInput, match="cells must be 0 to 7"):
        gafreecell.solve(164, variant={"cells": 9})
    with pytest.raises(BadInput, match="colour"):
        gafreecell.solve_many([164], variant={"colour": 9})


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
    with pytest.raises(BadInput, match="cannot be played for another goal"):
        gafreecell.solve(7, goal="score")
    with pytest.raises(BadInput, match="no parameter 'shorter'"):
        gafreecell.solve(7, parameters={"shorter": 1})


# What is refused


def test_the_name_of_a_file_is_not_its_content(board: Any, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(str(board))
    for call in (gafreecell.solve, gafreecell.solve_many, gafreecell.read_boards):
        with pytest.raises(BadInput, match=r"pathlib\.Path\('.*board\.txt'\)"):
            call(str(file))  # type: ignore[operator]
    with pytest.raises(BadInput, match=r"no-such\.txt"):
        gafreecell.solve(tmp_path / "no-such.txt")
    with pytest.raises(BadInput, match="line 1"):
        gafreecell.solve("x" * 5000)


def test_one_deal_is_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="expected one deal, got 10: use solve_many"):
        gafreecell.solve("1-10")
    with pytest.raises(BadInput, match="empty"):
        gafreecell.solve("")
    with pytest.raises(BadInput, match="expected one deal, got 2"):
        gafreecell.solve_many([1, "2 3"])


@pytest.mark.parametrize("jobs", [1, -1])
def test_wrong_numbers_are_refused_before_anything_is_solved(
    toy: Any, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_PAUSE", "60")
    for given in ([1, 0, 2], [1, LARGEST + 1], range(5, LARGEST + 9), f"1-{LARGEST + 1}"):
        with pytest.raises(BadInput, match="numbered 1 to"):
            gafreecell.solve_many(given, game="toy", jobs=jobs)


def test_boards_of_other_games_are_refused(board: Any) -> None:
    for game, title in (("klondike", "Klondike"), ("pyramid", "Pyramid")):
        for call in (
            lambda game=game: gafreecell.solve(board, game=game),
            lambda game=game: gafreecell.solve_many([1, board], game=game),
            lambda game=game: gafreecell.verify(board, "", game),
        ):
            with pytest.raises(BadInput, match=f"a deal of {title} must be a number, a board"):
                call()


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


def test_a_position_in_mid_game_is_a_board_as_a_deal_is() -> None:
    """Pyramid has two kinds of boards, and ``read_boards`` gives either."""
    (position,) = gafreecell.read_boards(MIDGAME, "pyramid")
    (deck,) = gafreecell.read_boards(str(deals.pyramid(7)), "pyramid")
    for goal in (None, "score:100", "cards:K:1"):
        many = gafreecell.solve_many([position, deck], game="pyramid", goal=goal, nodes=20_000)
        again = gafreecell.solve(MIDGAME, game="pyramid", goal=goal, nodes=20_000)
        assert many[0].moves == again.moves is not None
        assert gafreecell.verify(position, again, "pyramid", goal=goal)


def test_boards_that_no_solver_can_take_are_named_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = re.sub("<..>", "??", str(deals.klondike(7)))
    (hidden,) = gafreecell.read_boards(text, "klondike")
    monkeypatch.setattr(
        "gafreecell.solitaire.klondike.Klondike.run", lambda *_: pytest.fail("it solves")
    )
    with pytest.raises(BadInput, match=r"^Deal 3: a card is unknown"):
        gafreecell.solve_many([1, 2, hidden], game="klondike")
    with pytest.raises(BadInput, match="the stock is hidden"):
        gafreecell.solve_many(range(1, 5), game="klondike", variant={"stock": "hidden"})


def test_pythons_own_values_are_taken() -> None:
    def found(value: Any) -> Outcome:
        given = {"dead-ends": value, "shorten": np.int32(0)}
        return gafreecell.solve(2, game="klondike", parameters=given, nodes=500)

    for value in (False, np.False_, np.str_("no")):
        assert found(value).nodes == found("no").nodes
    assert found(True).nodes == found("yes").nodes
    assert gafreecell.solve_many([1, 2], jobs=10**30, nodes=50, variant={"cells": np.int8(3)})


@pytest.mark.parametrize(
    "given",
    [{"variant": {3: 3}}, {"goal": 0}, {"goal": False}, {"weights": "x" * 5000}],
    ids=lambda given: str(*given),
)
def test_wrong_arguments_are_refused_in_a_sentence(given: dict[str, Any]) -> None:
    for solving in (partial(gafreecell.solve, 7), partial(gafreecell.solve_many, [7])):
        with pytest.raises(BadInput):
            solving(game="pyramid", **given)
    with pytest.raises(BadInput, match="use solve for a single deal"):
        gafreecell.solve_many(np.array(5))


def test_outcomes_without_moves_cannot_be_verified() -> None:
    unsolved = Outcome(Status.NODE_LIMIT, None, None, Nodes(1, 1), 0.0)
    with pytest.raises(BadInput, match="no moves to verify, its status is node-limit"):
        gafreecell.verify(164, unsolved)


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
    outcome = gafreecell.solve(11982, nodes=2000)
    assert outcome.status is Status.NODE_LIMIT
    assert gafreecell.solve_many([11982], nodes=2000)[0].status is Status.NODE_LIMIT


def test_presets_are_weights_by_name(toy: Any) -> None:
    presets = gafreecell.presets()
    assert next(iter(presets)) == "fast"
    assert presets["fast"] == hsd.preset("fast")
    assert gafreecell.solve(164, presets["short"]).moves == gafreecell.solve(164, "short").moves
    assert list(gafreecell.presets("toy")) == ["guess", "known"]
    with pytest.raises(BadInput, match="there is no game 'chess'"):
        gafreecell.presets("chess")


def test_it_works_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder called like a preset is not looked into."""
    monkeypatch.chdir(tmp_path)
    os.mkdir("fast")
    assert gafreecell.solve(164, "fast").status is SOLVED
