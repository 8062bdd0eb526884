"""``gafreecell play``: its lines, its summary, hints, what it refuses."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conftest import ROOT, Command, File, records, refused, rows_of, without_seconds

from deals import KlondikeBoard, card_name, klondike, read_klondike_boards
from gafreecell.cli.telling import briefly
from gafreecell.service.inputs import GivenDeal
from gafreecell.solitaire.klondike import GAME
from gafreecell.solitaire.klondike.hidden import POLICIES, play
from gafreecell.solitaire.klondike.verifier import Position, verify
from gafreecell.solving.playing import Played

HINT = "--policy", "best", "--hint"
RECORD = ["game", "deal", "policy", "won", "moves", "decisions", "seconds"]


def test_a_line_a_game_and_a_summary(command: Command) -> None:
    done = command("play", "1-30", "--policy", "greedy", "--format", "jsonl")
    assert done.status == 0
    lines = records(done.out)
    assert [list(line) for line in lines] == [RECORD] * 30
    assert [line["deal"] for line in lines] == list(range(1, 31))
    for line in lines:
        assert (line["game"], line["policy"]) == ("klondike", "greedy")
        verdict = verify(klondike(line["deal"]), line["moves"])
        assert verdict.solved == line["won"]
        assert verdict.moves_played == len(line["moves"])
    won = sum(line["won"] for line in lines)
    assert won and f"greedy: {won} of 30 games won" in done.err
    assert "99 % interval" in done.err
    assert "face-down cards of the piles" in done.err


def test_boards_name_their_file_and_place(file: File, command: Command) -> None:
    boards = file(f"{klondike(1)}\n\n{klondike(2)}\n")
    lines = command.records("play", boards, 3, "--policy", "greedy")
    assert [list(line) for line in lines] == [[*RECORD, "source"]] * 2 + [RECORD]
    assert [line.get("source") for line in lines] == [f"{boards}:1", f"{boards}:2", None]


def test_the_place_in_the_series_and_the_seed_are_all_that_is_random(command: Command) -> None:
    def played(*words: object) -> list[dict[str, Any]]:
        return without_seconds(command("play", *words, "--format", "jsonl").out)

    random = ("--policy", "random")
    first, two = played(7, 8, 7, *random), played(9, 8, *random, "--jobs", 2)
    assert first[1] == two[1]
    assert first[0]["moves"] != first[2]["moves"]
    assert played(7, 8, *random, "--seed", 1) != first[:2]
    words = ("1-20", "--policy", "uct", "--trajectories", 5, "--jobs")
    assert played(*words, 1) == played(*words, 3)


def test_weights_of_the_solver(file: File, command: Command) -> None:
    words = ("play", "1-2", "--samples", 10, "--format", "jsonl")
    usual = without_seconds(command(*words).out)
    assert without_seconds(command(*words, "--weights", "complete").out) == usual
    presets = ROOT / "gafreecell" / "solitaire" / "klondike" / "presets_data"
    given = json.loads((presets / "complete.json").read_text())
    evaluator = given["evaluator"]
    evaluator["weights"] = [-weight for weight in evaluator["weights"]]
    weights = file(json.dumps(given))
    done = command(*words, "--weights", weights)
    assert done.status == 0, done.err
    assert without_seconds(done.out) != usual
    assert command("play", "1", *HINT, "--weights", weights).status == 0
    refused(command(*words, "--weights", "rollouts-2007"), "weights of the search complete", "roll")
    done = command("play", "1", "--policy", "uct", "--weights", weights)
    refused(done, "uct takes no weights", "best")


# Hints


def seen(number: int) -> list[str]:
    """A deal as its player sees it, line by line."""
    return [re.sub("<..>", "??", line) for line in str(klondike(number)).splitlines()]


def tokens(cell: str) -> list[str]:
    """The moves of a row: ``draw 4 times, wh``."""
    counted = [part.split() for part in cell.split(",")]
    return [part[0] for part in counted for _ in range(int(part[1]) if part[1:] else 1)]


def test_a_hint(file: File, command: Command) -> None:
    board = klondike(5)
    done = command("play", file("\n".join(seen(5))), *HINT, "--samples", 40)
    assert done.status == 0, done.err
    assert max(map(len, done.out.splitlines())) < 80
    rows = rows_of(done.out)[2:]
    assert len(rows) >= 2
    best = done.out.splitlines()[0].removeprefix("Best: ")
    # What lies beneath the five is nobody's to tell.
    assert best == "76 - the 5H from pile 7 onto the 6S of pile 6, and turn a card up"
    assert rows[0][0] == "76"
    for move, chance, interval, _, words in rows:
        before = words.partition(", then ")[0] if ", then " in words else ""
        moves = [*(tokens(before) if before else []), move]
        assert verify(board, moves).moves_played == len(moves)
        low, high = (float(word) for word in interval.split(" to "))
        assert 0 <= low <= float(chance.rstrip(" %")) <= high <= 100
    # What lies face down is not looked at where it is known.
    assert command("play", file(str(board)), *HINT, "--samples", 40).out == done.out


def test_a_hint_of_another_policy(file: File, command: Command) -> None:
    words = file("\n".join(seen(5))), "--policy", "hop", "--samples", 3
    played = command("play", *words, "--level", 1, "--hint")
    assert played.status == 0, played.err
    assert rows_of(played.out)[2][3] == "3"
    assert "cards that the player does not see" in " ".join(played.out.split())
    asked = command("hint", *words, "--game", "klondike")
    assert asked.status == 1
    assert "cards that the player does not see" in " ".join(asked.out.split())


def test_a_hint_with_a_judgement_of_moves(file: File, command: Command) -> None:
    judgement = ROOT / "examples" / "choices" / "run" / "weights" / "best.json"
    words = file("\n".join(seen(7))), "--game", "klondike", "--samples", 50
    plain = command("hint", *words)
    judged = command("hint", *words, "--weights", judgement)
    assert plain.status == judged.status == 1, judged.err
    assert judged.out != plain.out
    assert judged.out == command("play", *words, *HINT, "--weights", judgement).out
    # With all cards known there is nothing to judge.
    refused(command("hint", 5, "--game", "klondike", "--weights", judgement), "klondike-choices")


def test_a_hint_where_the_stock_is_unknown(file: File, command: Command) -> None:
    unknown = file("\n".join(["Stock: " + "?? " * 24, *seen(5)[-7:]]))
    words = "play", unknown, *HINT, "--samples", 20
    done = command(*words)
    assert done.status == 0, done.err
    assert done.out.startswith("Klondike with draws of three cards, unlimited redeals and a hidden")
    assert "Best: draw 8 times, redeal - draw 8 times, then turn the waste over" in done.out
    assert len([row for row in rows_of(done.out)[2:] if row[1]]) == 1
    # A draw is a move of its own; a card that nobody has seen cannot be chosen.
    rows = rows_of(command(*words, "--variant", "redeals=2").out)[2:]
    assert any(row[0] == "draw" for row in rows)
    assert not any(row[0].startswith("w") for row in rows)


def test_a_hint_where_all_cards_are_known(file: File, command: Command) -> None:
    board = klondike(1)
    game = Position.from_board(board)
    for move in play(board, "best", {"samples": 10}).moves:
        if not any(game.face_down):
            break
        game.play(move)
    parts = (game.face_down, game.stock, game.waste, game.foundations)
    late = KlondikeBoard(tuple(map(tuple, game.piles)), *map(tuple, parts))
    done = command("play", file(str(late)), *HINT)
    said, _, moves = done.out.partition("\n")
    assert said == "The game can be won; play:"
    assert verify(late, moves.split()).solved


def test_a_hint_where_nothing_is_left_to_play_for(file: File, command: Command) -> None:
    won = "Foundations: C-13 D-13 H-13 S-13\nWaste:\nStock:\n" + ":\n" * 7
    done = command("play", file(won), *HINT)
    assert (done.status, done.out) == (0, "The game is won.\n"), done.err
    # Every card of the talon and every pile is stuck.
    done = command("play", "10", *HINT)
    assert done.out == "The game is lost: whatever is played, it cannot be won.\n"


# Boards and help


@pytest.mark.parametrize(
    ("pile", "said"),
    [
        (lambda pile: pile + " AS", ["AS"]),
        (lambda pile: pile.replace("<", "").replace(">", ""), ["pile 7"]),
        (lambda pile: re.sub("<..>", "??", pile), ["a card is unknown", "??", "--hint"]),
    ],
)
def test_positions_no_game_begins_with(
    pile: Any, said: list[str], file: File, command: Command
) -> None:
    *lines, last = str(klondike(5)).splitlines()
    done = command("play", file("\n".join([*lines, pile(last)])), "--policy", "greedy")
    refused(done, *said)


def test_help_tells_the_policies_with_their_defaults(command: Command) -> None:
    text = command("play", "--help").said.replace("- ", "-")
    for policy in POLICIES:
        defaults = ", ".join(f"{p.name} {p.default}" for p in policy.parameters)
        assert policy.name + (f" ({defaults})" if defaults else "") in text


# Games


def test_a_game_is_told_move_by_move(command: Command) -> None:
    words = ("play", "3", "--samples", 40)
    done = command(*words)
    assert (done.status, done.err) == (0, "")
    [record] = command.records(*words)
    title, deal, steps, *rest = done.out.strip().split("\n\n")
    said = "Deal 3, played by best (samples 40), which cannot see the cards ??"
    assert " ".join(title.split()) == said
    assert deal.splitlines() == seen(3)
    numbered = re.findall(r"^ *([0-9]+)\. (\S+)", steps, re.MULTILINE)
    assert numbered == [(str(n), move) for n, move in enumerate(record["moves"], start=1)]
    board = klondike(3)
    turned = [board.piles[p][d] for p in range(7) for d in range(board.face_down[p])]
    if record["won"]:
        told = re.findall(r"turn the (..) up", " ".join(steps.split()))
        assert sorted(told) == sorted(map(card_name, turned))
    counts = f"{len(record['moves'])} moves, {record['decisions']} decisions, "
    assert rest[-1].startswith(("Lost: ", "Won: ")[record["won"]] + counts)
    assert max(map(len, done.out.splitlines())) < 80


def test_a_lost_game_ends_where_its_player_saw_it_end(command: Command) -> None:
    done = command("play", "7", "--policy", "greedy")
    *_, heading_and_end, counts = done.out.strip().split("\n\n")
    heading, *end = heading_and_end.splitlines()
    assert heading == "It ended here:" and counts.startswith("Lost: ")
    [record] = command.records("play", "7", "--policy", "greedy")
    position = Position.from_board(klondike(7))
    for move in record["moves"]:
        position.play(move)
    [board] = read_klondike_boards("\n".join(end))
    assert board is not None and list(board.stock) == position.stock
    assert list(board.face_down) == position.face_down
    assert all(
        set(pile[:down]) <= {0} for pile, down in zip(board.piles, position.face_down, strict=True)
    )


def test_counts_and_shares_are_written_as_people_write_them(command: Command) -> None:
    game = GivenDeal(7, 7)
    assert "won, 1 move, 1 decision, 2 s" in briefly(game, Played(True, ("draw",), 1, 2.0))
    assert "lost, 0 moves, 0 decisions" in briefly(game, Played(False, (), 0, 2.0))
    summary = " ".join(command("play", "1-8", "--policy", "random").out.split("\n\n")[-1].split())
    assert re.search(r"of 8 games won, \d+ % \(99 % interval \d+ to \d+\)", summary)


def test_a_series_has_a_line_a_game(command: Command) -> None:
    done = command("play", "1-8", "--policy", "greedy")
    lines = done.out.splitlines()
    games = command.records("play", "1-8", "--policy", "greedy")
    for line, game in zip(lines, games, strict=False):
        ended = "won" if game["won"] else "lost"
        counts = f"{len(game['moves'])} moves, {game['decisions']} decisions, "
        assert line.startswith(f"Deal {game['deal']}: {ended}, {counts}")
    assert lines[8] == ""
    assert " ".join(lines[9:]).startswith(f"greedy: {sum(g['won'] for g in games)} of 8 games won")


def test_positions_are_drawn_as_the_player_sees_them(command: Command) -> None:
    done = command("play", "3", "--policy", "greedy", "--draw")
    [record] = command.records("play", "3", "--policy", "greedy")
    assert done.out.count("home:") == len(record["moves"]) + 1
    first, second = done.out.split("home:")[1:3]
    assert first.count("??") == 21
    assert "<" not in first and "<" not in second
    assert done.out.splitlines()[:4] == list(GAME.legend)
    assert "\033" not in done.out
