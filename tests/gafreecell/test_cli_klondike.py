"""The command line with ``--game klondike``, and its rules: ``--variant draw=1``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import ROOT, Command, File, records, refused, written

import gafreecell
from deals import KlondikeBoard, klondike
from gafreecell.solitaire.klondike import Klondike, rating
from gafreecell.solitaire.klondike.legal_moves import after
from gafreecell.solitaire.klondike.solver import SOLVER
from gafreecell.solitaire.klondike.verifier import verify

GAME = ("--game", "klondike")
RULES = ("--variant", "draw=1", "--variant", "redeals=2")
VARIANT = {"draw": 1, "redeals": 2, "stock": "known"}
HIDDEN = ("--variant", "stock=hidden")
USUAL = {"draw": 3, "redeals": "unlimited", "stock": "known"}
SHORT = ("--nodes", "2000")
FEW = ("--samples", "3")


def test_solve_verify_and_deal_fit_together(file: File, command: Command) -> None:
    lines = command.records("solve", "1-8", *GAME)
    assert [line["deal"] for line in lines] == list(range(1, 9))
    assert {line["status"] for line in lines} == {"solved", "unsolvable"}
    won = next(line for line in lines if line["status"] == "solved")
    assert won["game"] == "klondike"
    assert won["lengths"] == {"moves": len(won["moves"])}
    board = file(command("deal", won["deal"], *GAME).out, "board")
    right = command("verify", board, file(json.dumps(won)), *GAME)
    assert (right.status, right.out) == (0, f"right: {len(won['moves'])} moves solve the deal\n")
    wrong = command("verify", won["deal"], file(" ".join(won["moves"][:-1])), *GAME)
    assert wrong.status == 1
    assert "expected 52 cards home, got 51" in wrong.out


def test_reachable_cards_are_marked_and_read_again(file: File, command: Command) -> None:
    marked = command("deal", 3, *GAME, "--reachable").out
    stock = next(line for line in marked.splitlines() if line.startswith("Stock:")).split()[1:]
    assert [k for k, card in enumerate(stock) if card.startswith("(")] == list(range(2, 24, 3))
    assert command("deal", file(marked), *GAME).out == command("deal", 3, *GAME).out


# Rules


def test_deal_solve_and_verify_follow_the_rules(file: File, command: Command) -> None:
    lines = command.records("solve", "1-12", *GAME, *RULES, *SHORT)
    assert all(line["variant"] == VARIANT and line["source"] is None for line in lines)
    assert {line["status"] for line in lines} >= {"solved", "node-limit"}
    won = next(line for line in lines if line["status"] == "solved")
    number, text = won["deal"], json.dumps(won)
    assert verify(klondike(number, 1, 2), won["moves"]).solved
    # Both forms name their rules, unless others are asked for.
    for told in (text, command("solve", number, *GAME, *RULES, *SHORT).out):
        assert command("verify", number, file(told), *GAME).status == 0
        wrong = command("verify", number, file(told), *GAME, "--variant", "draw=3")
        assert wrong.status == 1 and "wrong: move" in wrong.out
        said = "(replayed with the usual rules, found with draws of one card and two redeals)"
        assert said in wrong.out
        assert gafreecell.verify(number, told, "klondike").solved
    assert command("verify", number, file(text), *GAME, *RULES).status == 0
    assert not gafreecell.verify(number, text, "klondike", variant={"draw": 3}).solved
    odd = file(json.dumps({**won, "variant": {"draw": 2}}), "odd")
    refused(command("verify", number, odd, *GAME), "odd, its variant: ", "draw must be 3 or 1")
    # A board says by which rules it is played.
    printed = command("deal", number, *GAME, *RULES).out
    assert KlondikeBoard.from_text(printed) == klondike(number, 1, 2)
    board = file(printed, "board")
    assert command("verify", board, file(text), *GAME).status == 0
    [line] = command.records("solve", board, *GAME, *SHORT)
    assert line["variant"] == VARIANT and line["moves"] == won["moves"]


@pytest.mark.parametrize("rules", [RULES, RULES[:2], HIDDEN, ()])
@pytest.mark.parametrize("how", [(), ("--draw",)])
def test_what_play_prints_is_read_back(
    file: File, command: Command, rules: Sequence[str], how: Sequence[str]
) -> None:
    words = "3", *GAME, *rules, "--policy", "greedy"
    told = file(command("play", *words, *how).out, "told")
    [line] = command.records("play", *words)
    # Whether the game is won or not, every move is read.
    by_line = command("verify", 3, file(json.dumps(line)), *GAME)
    assert command("verify", 3, told, *GAME, *rules).out == by_line.out


def test_the_usual_rules_are_not_named(command: Command) -> None:
    asked = ("--variant", "draw=3", "--variant", "redeals=unlimited", "--variant", "stock=known")
    usual, named = (command.records("solve", "1-3", *GAME, *words, *SHORT) for words in ((), asked))
    assert not any("variant" in line for line in usual + named)
    assert [line["moves"] for line in usual] == [line["moves"] for line in named]


def test_a_board_may_not_contradict_what_was_asked_for(file: File, command: Command) -> None:
    board = file(command("deal", 7, *GAME, *RULES).out)
    for word in ("draw=3", "redeals=1"):
        done = command("solve", board, *GAME, "--variant", word)
        refused(done, "options or the weights say", word)
    # A hidden stock may be asked for, but not a known one of a board that hides it.
    hidden = file(command("deal", 7, *GAME, *HIDDEN).out, "hidden")
    done = command("play", hidden, *GAME, "--variant", "stock=known")
    said = "hidden: line 1: expected stock=known, as was asked for"
    refused(done, said, "without angle brackets")


def test_hints_list_no_redeal_that_is_not_allowed(file: File, command: Command) -> None:
    text = "Rules: draw=1 redeals={}\nFoundations: C-K D-K H-J S-Q\nWaste: KS QH\nStock:\nKH\n"
    none, one = (
        {one["move"] for one in command.records("hint", file(text.format(n)), *GAME)[0]["moves"]}
        for n in (0, 1)
    )
    assert one - none == {"redeal"}


def test_moves_are_told_in_the_words_of_the_rules(file: File, command: Command) -> None:
    out = command("solve", "7", *GAME, *RULES, "--draw").out
    assert out.startswith("Klondike with draws of one card and two redeals\n")
    assert "turn one card of the stock onto the waste" in out
    assert "turn three cards of" not in out
    # Each position tells the redeals that are left, and can be read again.
    told = {line for line in out.splitlines() if line.startswith("rules:")}
    assert told == {f"rules: draw=1 redeals={left}" for left in (2, 1, 0)}
    read = command("deal", file(out.partition("  1. ")[0]), *GAME)
    assert KlondikeBoard.from_text(read.out) == klondike(7, 1, 2)


def test_answers_name_the_rules_unless_they_are_the_usual_ones(
    tmp_path: Path, command: Command
) -> None:
    said = "Klondike with draws of one card and two redeals"
    # It cannot be won under any of these rules, so it is rated in no time.
    position = written(tmp_path / "position", command("deal", 12, *GAME, *RULES).out)
    usual = written(tmp_path / "usual", command("deal", 12, *GAME).out)
    for name, more in (("solve", SHORT), ("rate", ()), ("hint", SHORT), ("play", FEW)):
        for given in ((12, *RULES), (position,)):
            lines = command(name, *given, *more, *GAME).out.splitlines()
            assert lines[0] == said and not any("Klondike" in line for line in lines[1:])
        assert "Klondike with" not in command(name, 12, *more, *GAME).out
    # Once for all deals that have the same rules.
    lines = command("rate", "29", position, position, usual, *GAME).out.splitlines()
    told = [line for line in lines if line.startswith(("Klondike", "Deal", str(tmp_path)))]
    assert [line.partition(":")[0] for line in told] == [
        "Deal 29", said, str(position), str(position), "Klondike with the usual rules", str(usual),
    ]  # fmt: skip
    played = command("play", "1-2", *GAME, *HIDDEN, *FEW, "--format", "jsonl")
    assert all(line["variant"]["stock"] == "hidden" for line in records(played.out))
    assert "unlimited redeals and a hidden stock" in " ".join(played.err.split())


def test_a_comparison_on_boards_names_their_rules(file: File, command: Command) -> None:
    board = file(command("deal", 7, *GAME, *RULES).out)
    words = "evaluate", "complete", *GAME, *SHORT, "--deals"
    told = json.loads(command(*words, board, "--format", "json").out)
    assert told["variant"] == VARIANT
    assert "\nKlondike with draws of one card and two redeals\n" in command(*words, board).out
    both = file(f"{board.read_text()}\n{command('deal', 8, *GAME).out}")
    assert "\nKlondike under several rules\n" in command(*words, both).out


@pytest.mark.parametrize("word", ["stock=known", 'stock="known"', "redeals=unlimited"])
def test_a_job_takes_rules_that_are_words(word: str, command: Command, tmp_path: Path) -> None:
    job, wrong = ROOT / "runs" / "klondike-order.toml", "solvers.population=1"
    words = "--set", f"variant.{word}", "--set", wrong, "--out", tmp_path / "run"
    # Another key is refused, so the rule was not.
    refused(command("evolve", job, *words), "solvers.population must be")


@pytest.mark.parametrize(
    ("name", "more", "first", "then"),
    [
        (name, more, first, then)
        for name, more in (("solve", SHORT), ("rate", ()), ("play", FEW))
        for first, then in (((), RULES), (RULES, ()), (HIDDEN, RULES))
        if (name, first) != ("solve", HIDDEN)
    ],
)
def test_a_file_begun_under_other_rules_is_not_resumed(
    tmp_path: Path, command: Command, name: str, more: Sequence[str], first: Sequence[str],
    then: Sequence[str],
) -> None:  # fmt: skip
    out = tmp_path / "out.jsonl"
    words = *GAME, *more, "-o", out
    # Neither deal can be won under any of the rules, so it is rated in no time.
    assert command(name, "29", *words, *first).status in (0, 1)
    done = command(name, "29,31", *words, *then, "--resume")
    refused(done, str(out), "was begun with other boards", "rules")
    assert command(name, "29,31", *words, *first, "--resume").status in (0, 1)
    assert len(records(out.read_text())) == 2


def test_each_line_of_a_file_is_compared_when_it_is_resumed(file: File, command: Command) -> None:
    out = file("", "out.jsonl")
    words = "solve", file(command("deal", "7-8", *GAME, *RULES).out), *GAME, *SHORT, "-o", out
    command(*words)
    first, second = records(out.read_text())
    other = {**second, "variant": {**VARIANT, "redeals": 1}}
    written(out, f"{json.dumps(first)}\n{json.dumps(other)}\n")
    refused(command(*words, "--resume"), "line 2: deal 2 was", "expected draw=1 redeals=2")
    written(out, json.dumps({**first, "variant": 1}) + "\n")
    refused(command(*words, "--resume"), "line 1: not a line that solve wrote")


# A hidden stock


def test_solving_knows_every_stock(file: File, command: Command) -> None:
    said = "the stock is hidden", "leave that out; hint, rate and play take a hidden stock"
    refused(command("solve", "7", *GAME, *HIDDEN), *said)
    for rules in (HIDDEN, ()):
        board = file(command("deal", "7", *GAME, *rules).out)
        done = command("solve", board, *GAME, *HIDDEN)
        refused(done, f"{board}:1: ", *said, "klondike --variant stock=hidden")


def test_a_hidden_stock_is_refused_before_anything_is_begun(
    tmp_path: Path, file: File, command: Command
) -> None:
    out = tmp_path / "out.jsonl"
    said = "the stock is hidden"
    refused(command("solve", "1-3", *GAME, *HIDDEN, "-o", out), f"Deal 1: {said}")
    texts = [command("deal", deal, *GAME, *rules).out for deal, rules in ((7, ()), (8, HIDDEN))]
    boards = file("\n".join(texts))
    for words in (("solve", boards), ("evaluate", "complete", "--deals", boards)):
        refused(command(*words, *GAME, "-o", out), f"{boards}:2: {said}")
        assert not [*tmp_path.glob("out*")]
    done = command("solve", boards, *GAME, "-o", out, "--keep-going")
    assert done.status == 2 and f"{boards}:2: {said}" in done.err
    assert [line["source"] for line in records(out.read_text())] == [f"{boards}:1"]
    job, run = ROOT / "runs" / "klondike-order.toml", tmp_path / "run"
    refused(command("evolve", job, "--set", "variant.stock=hidden", "--out", run), "variant", said)
    assert not run.exists()


def test_a_hint_under_a_hidden_stock_comes_from_a_player(file: File, command: Command) -> None:
    words = *GAME, "--samples", "20"
    by_number = command("hint", "7", *words, *HIDDEN, "--format", "jsonl")
    assert by_number.status == 1
    [line] = records(by_number.out)
    assert line["variant"] == {**USUAL, "stock": "hidden"}
    assert all(one["chance"] and one["samples"] for one in line["moves"])
    [of_board] = command.records("hint", file(command("deal", 7, *GAME, *HIDDEN).out), *words)
    assert of_board["moves"] == line["moves"] and of_board["variant"] == line["variant"]
    unknown = file(str(Klondike().player.seen(klondike(7, unseen=True))))
    [same] = command.records("hint", unknown, *words)
    assert same["moves"] == line["moves"], "the hint does not see what is hidden"


def test_a_deal_has_one_grade_whether_its_stock_is_hidden_or_not(
    file: File, command: Command
) -> None:
    [hidden], [known] = (command.records("rate", 3, *GAME, *words) for words in (HIDDEN, ()))
    assert hidden["variant"] == {**USUAL, "stock": "hidden"} and "variant" not in known
    [again] = command.records("rate", file(command("deal", 3, *GAME, *HIDDEN).out), *GAME)
    assert again["measures"] == hidden["measures"] == known["measures"]
    assert 0 < rating.careless_games_won(klondike(3), rating.GAMES) == known["measures"]["won"]
    assert known["status"] == SOLVER.solve(3, SOLVER.weights("complete"), None).status


def test_a_hidden_stock_that_is_asked_for_is_hidden_on_boards(file: File, command: Command) -> None:
    board = file(command("deal", 7, *GAME).out)
    by_number, by_board = (
        command.records("play", deal, *GAME, *HIDDEN, *FEW)[0] for deal in (7, board)
    )
    assert by_number["moves"] == by_board["moves"]
    assert by_board["variant"] == {**USUAL, "stock": "hidden"}
    # A stock from which cards were turned is as its brackets say.
    turned = str(Klondike().after(klondike(7), "draw"))
    assert command("deal", file(turned), *GAME, *HIDDEN).out.strip() == turned


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
