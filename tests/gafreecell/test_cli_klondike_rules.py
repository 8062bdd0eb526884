"""Klondike's rules on the command line: ``--variant draw=1 --variant redeals=2``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import ROOT, Command, records, refused, written

import gafreecell
from deals import KlondikeBoard, klondike
from gafreecell.solitaire.klondike import Klondike
from gafreecell.solitaire.klondike.hidden import play
from gafreecell.solitaire.klondike.legal_moves import after
from gafreecell.solitaire.klondike.solver import SOLVER
from gafreecell.solitaire.klondike.verifier import verify

GAME = ("--game", "klondike")
RULES = ("--variant", "draw=1", "--variant", "redeals=2")
VARIANT = {"draw": 1, "redeals": 2, "stock": "known"}
HIDDEN = ("--variant", "stock=hidden")
USUAL = {"draw": 3, "redeals": "unlimited", "stock": "known"}
SHORT = ("--nodes", "2000")


def test_deal_solve_and_verify_follow_the_rules(tmp_path: Path, command: Command) -> None:
    done = command("solve", "1-12", *GAME, *RULES, *SHORT, "--format", "jsonl")
    lines = records(done.out)
    assert all(line["variant"] == VARIANT and line["source"] is None for line in lines)
    assert {line["status"] for line in lines} >= {"solved", "node-limit"}
    won = next(line for line in lines if line["status"] == "solved")
    assert verify(klondike(won["deal"], 1, 2), won["moves"]).solved
    moves = written(tmp_path / "line", json.dumps(won))
    # The line names its rules, unless others are asked for.
    for asked in (RULES, ()):
        assert command("verify", won["deal"], moves, *GAME, *asked).status == 0
    wrong = command("verify", won["deal"], moves, *GAME, "--variant", "draw=3")
    assert wrong.status == 1 and "wrong: move" in wrong.out
    said = "(replayed with the usual rules, found with draws of one card and two redeals)"
    assert said in wrong.out
    assert gafreecell.verify(won["deal"], json.dumps(won), "klondike").solved
    told = command("solve", won["deal"], *GAME, *RULES, *SHORT).out
    text = written(tmp_path / "text", told)
    assert command("verify", won["deal"], text, *GAME).status == 0
    assert said in command("verify", won["deal"], text, *GAME, "--variant", "draw=3").out
    assert gafreecell.verify(won["deal"], told, "klondike").solved
    usual = {"draw": 3}
    assert not gafreecell.verify(won["deal"], json.dumps(won), "klondike", variant=usual).solved
    odd = written(tmp_path / "odd", json.dumps({**won, "variant": {"draw": 2}}))
    refused(command("verify", won["deal"], odd, *GAME), "odd, its variant: ", "draw must be 3 or 1")
    # A board says by which rules it is played.
    text = command("deal", won["deal"], *GAME, *RULES).out
    assert KlondikeBoard.from_text(text) == klondike(won["deal"], 1, 2)
    board = written(tmp_path / "board", text)
    assert command("verify", board, moves, *GAME).status == 0
    [line] = records(command("solve", board, *GAME, *SHORT, "--format", "jsonl").out)
    assert line["variant"] == VARIANT and line["moves"] == won["moves"]


@pytest.mark.parametrize("rules", [RULES, RULES[:2], HIDDEN, ()])
@pytest.mark.parametrize("how", [(), ("--draw",)])
def test_what_play_prints_is_read_back(
    tmp_path: Path, command: Command, rules: Sequence[str], how: Sequence[str]
) -> None:
    words = "3", *GAME, *rules, "--policy", "greedy"
    told = written(tmp_path / "told", command("play", *words, *how).out)
    [line] = records(command("play", *words, "--format", "jsonl").out)
    name = written(tmp_path / "line", json.dumps(line))
    # Whether the game is won or not, every move is read.
    assert command("verify", 3, told, *GAME, *rules).out == command("verify", 3, name, *GAME).out


def test_the_usual_rules_are_not_named(command: Command) -> None:
    asked = ("--variant", "draw=3", "--variant", "redeals=unlimited", "--variant", "stock=known")
    usual, named = (
        records(command("solve", "1-3", *GAME, *words, *SHORT, "--format", "jsonl").out)
        for words in ((), asked)
    )
    assert not any("variant" in line for line in usual + named)
    assert [line["moves"] for line in usual] == [line["moves"] for line in named]


def test_a_board_may_not_contradict_what_was_asked_for(tmp_path: Path, command: Command) -> None:
    board = written(tmp_path / "board", command("deal", 7, *GAME, *RULES).out)
    for words in (("draw=3",), ("redeals=1",)):
        asked = [part for word in words for part in ("--variant", word)]
        refused(command("solve", board, *GAME, *asked), "options or the weights say", words[0])


def test_hints_list_no_redeal_that_is_not_allowed(tmp_path: Path, command: Command) -> None:
    text = """Rules: draw=1 redeals={}
Foundations: C-K D-K H-J S-Q
Waste: KS QH
Stock:
KH
"""
    listed = {}
    for redeals in (0, 1):
        board = written(tmp_path / f"board-{redeals}", text.format(redeals))
        [line] = records(command("hint", board, *GAME, "--format", "jsonl").out)
        listed[redeals] = {one["move"] for one in line["moves"]}
    assert listed[1] - listed[0] == {"redeal"}


def test_moves_are_told_in_the_words_of_the_rules(command: Command) -> None:
    out = command("solve", "7", *GAME, *RULES, "--draw").out
    assert "turn one card of the stock onto the waste" in out
    assert "turn three cards of" not in out
    # Each position tells the redeals that are left.
    assert {line for line in out.splitlines() if line.startswith("rules:")} == {
        "rules: draw=1 redeals=2", "rules: draw=1 redeals=1", "rules: draw=1 redeals=0",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("draw=2", "draw must be 3 or 1, got 2"),
        ("redeals=9", "redeals must be 0 or 1 or 2 or 3 or unlimited, got 9"),
        ("redeals=many", "redeals must be 0 or 1 or 2 or 3 or unlimited, got 'many'"),
        ("stock=seen", "stock must be known or hidden, got 'seen'"),
    ],
)
def test_rules_that_no_game_has_are_refused(word: str, said: str, command: Command) -> None:
    for name, given in (("solve", ("7",)), ("deal", ("7",)), ("hint", ("7",))):
        refused(command(name, *given, *GAME, "--variant", word), said)


def test_solving_knows_every_stock(tmp_path: Path, command: Command) -> None:
    said = "the stock is hidden", "leave that out; hint, rate and play take a hidden stock"
    refused(command("solve", "7", *GAME, *HIDDEN), *said)
    board = written(tmp_path / "board", command("deal", "7", *GAME, *HIDDEN).out)
    refused(command("solve", board, *GAME, *HIDDEN), *said, "klondike --variant stock=hidden")


def test_a_hidden_stock_is_refused_before_anything_is_begun(
    tmp_path: Path, command: Command
) -> None:
    out = tmp_path / "out.jsonl"
    said = "the stock is hidden"
    refused(command("solve", "1-3", *GAME, *HIDDEN, "-o", out), f"Deal 1: {said}")
    texts = [command("deal", deal, *GAME, *rules).out for deal, rules in ((7, ()), (8, HIDDEN))]
    boards = written(tmp_path / "boards", "\n".join(texts))
    for command_line in (("solve", boards), ("evaluate", "complete", "--deals", boards)):
        refused(command(*command_line, *GAME, "-o", out), f"{boards}:2: {said}")
        assert not [*tmp_path.glob("out*")]
    done = command("solve", boards, *GAME, "-o", out, "--keep-going")
    assert done.status == 2 and f"{boards}:2: {said}" in done.err
    assert [line["source"] for line in records(out.read_text())] == [f"{boards}:1"]
    job, run = ROOT / "runs" / "klondike-order.toml", tmp_path / "run"
    refused(command("evolve", job, "--set", "variant.stock=hidden", "--out", run), "variant", said)
    assert not run.exists()


def test_a_hint_under_a_hidden_stock_comes_from_a_player(tmp_path: Path, command: Command) -> None:
    words = *GAME, "--samples", "20"
    by_number = command("hint", "7", *words, *HIDDEN, "--format", "jsonl")
    assert by_number.status == 1
    [line] = records(by_number.out)
    assert line["variant"] == {**USUAL, "stock": "hidden"}
    assert all(one["chance"] and one["samples"] for one in line["moves"])
    board = written(tmp_path / "board", command("deal", "7", *GAME, *HIDDEN).out)
    [of_board] = records(command("hint", board, *words, "--format", "jsonl").out)
    assert of_board["moves"] == line["moves"] and of_board["variant"] == line["variant"]
    unknown = written(tmp_path / "unknown", str(Klondike().player.seen(klondike(7, unseen=True))))
    [same] = records(command("hint", unknown, *words, "--format", "jsonl").out)
    assert same["moves"] == line["moves"], "the hint does not see what is hidden"


def test_a_rating_heeds_a_hidden_stock(tmp_path: Path, command: Command) -> None:
    deals = "1"
    hidden, known = (
        records(command("rate", deals, *GAME, *words, "--format", "jsonl").out)
        for words in (HIDDEN, ())
    )
    assert [line["status"] for line in hidden] == [line["status"] for line in known]
    assert all(line["variant"] == {**USUAL, "stock": "hidden"} for line in hidden)
    assert all("variant" not in line for line in known)
    boards = written(tmp_path / "boards", command("deal", deals, *GAME, *HIDDEN).out)
    again = records(command("rate", boards, *GAME, "--format", "jsonl").out)
    assert [one["measures"] for one in again] == [one["measures"] for one in hidden]
    weights = SOLVER.weights("complete")
    for number, line in enumerate(hidden, start=1):
        board = klondike(number, unseen=True)
        games = [play(board, "best", {"samples": 20}, 1, place) for place in range(20)]
        assert line["measures"]["won"] == sum(game.won for game in games)
        assert line["status"] == SOLVER.solve(number, weights, None).status


def test_answers_name_the_rules_unless_they_are_the_usual_ones(
    tmp_path: Path, command: Command
) -> None:
    said = "Klondike with draws of one card and two redeals"
    position = written(tmp_path / "position", command("deal", 7, *GAME, *RULES).out)
    usual = written(tmp_path / "usual", command("deal", 7, *GAME).out)
    few = "--samples", "3"
    for words in (
        ("solve", "7", *SHORT), ("rate", "7"), ("hint", "7", *SHORT), ("play", "7", *few),
    ):  # fmt: skip
        name, *more = words
        for given in ((*words, *RULES), (name, position, *more[1:])):
            lines = command(*given, *GAME).out.splitlines()
            assert lines[0] == said and not any("Klondike" in line for line in lines[1:])
        assert "Klondike with" not in command(*words, *GAME).out
    # Once for all deals that have the same rules.
    lines = command("rate", "8", position, position, usual, *GAME).out.splitlines()
    told = [line for line in lines if line.startswith(("Klondike", "Deal", str(tmp_path)))]
    assert [line.partition(":")[0] for line in told] == [
        "Deal 8", said, str(position), str(position), "Klondike with the usual rules", str(usual),
    ]  # fmt: skip
    played = command("play", "1-2", *GAME, *HIDDEN, *few, "--format", "jsonl")
    assert all(line["variant"]["stock"] == "hidden" for line in records(played.out))
    assert "unlimited redeals and a hidden stock" in " ".join(played.err.split())


def test_the_line_of_rules_above_a_drawing_may_stay(tmp_path: Path, command: Command) -> None:
    drawn = command("solve", "3", *GAME, "--variant", "redeals=2", "--draw").out
    assert drawn.startswith("Klondike with draws of three cards and two redeals\n")
    first = drawn.partition("  1. ")[0]
    read = command("deal", written(tmp_path / "drawn", first), *GAME)
    assert KlondikeBoard.from_text(read.out) == klondike(3, 3, 2)


def test_a_chance_is_called_corrected_only_where_it_is() -> None:
    game = Klondike()
    # From the third card of a draw, a trip through the stock would change what can be reached.
    odd = after(after(klondike(1, unseen=True), "draw"), "w3")
    for board, measured in (
        (klondike(3), True),
        (klondike(3, 1), True),
        (klondike(3, unseen=True), True),
        (klondike(3, 3, 2), False),
        (klondike(3, 1, 0), False),
        (odd, False),
    ):
        text = " ".join(game.player.about_advice(board))
        assert ("The chances are corrected" in text) is measured
        assert ("The chances are too high" in text) is not measured


def test_several_options_in_one_word_are_refused(command: Command) -> None:
    mend = "write --variant draw=1 --variant redeals=0"
    for word in ("draw=1,redeals=0", "draw=1 redeals=0"):
        refused(command("solve", "7", *GAME, "--variant", word), "one KEY=VALUE", mend)


@pytest.mark.parametrize("word", ["stock=known", 'stock="known"', "redeals=unlimited"])
def test_a_job_takes_rules_that_are_words(word: str, command: Command, tmp_path: Path) -> None:
    job, out = ROOT / "runs" / "klondike-order.toml", tmp_path / "run"
    wrong = "--set", "solvers.population=1"
    # Another key is refused, so the rule was not.
    done = command("evolve", job, "--set", f"variant.{word}", *wrong, "--out", out)
    refused(done, "solvers.population must be")


def test_the_end_of_a_list_of_grades_is_told(tmp_path: Path, command: Command) -> None:
    done = command("rate", "1", "10", *GAME, *RULES, "-o", tmp_path / "rated.jsonl")
    assert done.status == 0 and "2 deals, mean grade" in done.err


def test_a_strategy_for_one_set_of_rules_refuses_others(command: Command) -> None:
    preset = "man-machine-2005-n1"
    said = "man-machine plays draw=3 redeals=unlimited only, got draw=1 redeals=2"
    refused(command("solve", "7", *GAME, *RULES, "--preset", preset), said)
    refused(command("evaluate", preset, "--deals", "7", *GAME, *RULES), said)


def test_a_file_begun_under_other_rules_is_not_resumed(tmp_path: Path, command: Command) -> None:
    few = "--samples", "3"
    for name, more in (("solve", SHORT), ("rate", ()), ("play", few)):
        for place, (first, then) in enumerate([((), RULES), (RULES, ()), (HIDDEN, RULES)]):
            if name == "solve" and first == HIDDEN:
                continue
            out = tmp_path / f"{name}-{place}.jsonl"
            words = *GAME, *more, "-o", out
            assert command(name, "7", *words, *first).status in (0, 1)
            done = command(name, "7-8", *words, *then, "--resume")
            refused(done, str(out), "was begun with other boards", "rules")
            assert command(name, "7-8", *words, *first, "--resume").status in (0, 1)
            assert len(records(out.read_text())) == 2


def test_each_line_of_a_file_is_compared_when_it_is_resumed(
    tmp_path: Path, command: Command
) -> None:
    boards = written(tmp_path / "boards", command("deal", "7-8", *GAME, *RULES).out)
    out = tmp_path / "out.jsonl"
    words = "solve", boards, *GAME, *SHORT, "-o", out
    command(*words)
    first, second = records(out.read_text())
    other = {**second, "variant": {**VARIANT, "redeals": 1}}
    written(out, "".join(json.dumps(line) + "\n" for line in (first, other)))
    refused(command(*words, "--resume"), "line 2: deal 2 was", "expected draw=1 redeals=2")
    written(out, "".join(json.dumps({**line, "variant": 1}) + "\n" for line in (first, second)))
    refused(command(*words, "--resume"), "line 1: not a line that solve wrote")


def test_a_hidden_stock_that_is_asked_for_is_hidden_on_boards(
    tmp_path: Path, command: Command
) -> None:
    board = written(tmp_path / "board", command("deal", 7, *GAME).out)
    few = "--samples", "3", "--format", "jsonl"
    by_number, by_board = (
        records(command("play", deal, *GAME, *HIDDEN, *few).out)[0] for deal in (7, board)
    )
    assert by_number["moves"] == by_board["moves"]
    assert by_board["variant"] == {**USUAL, "stock": "hidden"}
    refused(command("solve", board, *GAME, *HIDDEN), f"{board}:1: the stock is hidden")
    # The other way round, a board contradicts what was asked for.
    hidden = written(tmp_path / "hidden", command("deal", 7, *GAME, *HIDDEN).out)
    said = "hidden: line 1: expected stock=known, as was asked for", "without angle brackets"
    refused(command("play", hidden, *GAME, "--variant", "stock=known"), *said)
    # A stock from which cards were turned is as its brackets say.
    text = str(Klondike().after(klondike(7), "draw"))
    turned = written(tmp_path / "turned", text)
    assert command("deal", turned, *GAME, *HIDDEN).out.strip() == text


def test_a_comparison_on_boards_names_their_rules(tmp_path: Path, command: Command) -> None:
    board = written(tmp_path / "board", command("deal", 7, *GAME, *RULES).out)
    words = "evaluate", "complete", *GAME, *SHORT, "--deals", board
    told = json.loads(command(*words, "--format", "json").out)
    assert told["variant"] == VARIANT
    assert "\nKlondike with draws of one card and two redeals\n" in command(*words).out
    usual = command("deal", 8, *GAME).out
    both = command(*words[:-1], written(tmp_path / "both", f"{board.read_text()}\n{usual}")).out
    assert "\nKlondike under several rules\n" in both
