"""``gafreecell play``: its lines, its summary, going on with a file, hints, what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, records, refused, rows_of, without_seconds, written

from deals import KlondikeBoard, card_name, klondike, read_klondike_boards
from gafreecell.cli.telling import briefly
from gafreecell.service.inputs import Deal
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
    won = 0
    for line in lines:
        assert (line["game"], line["policy"]) == ("klondike", "greedy")
        verdict = verify(klondike(line["deal"]), line["moves"])
        assert verdict.solved == line["won"]
        assert verdict.moves_played == len(line["moves"])
        won += line["won"]
    assert won
    assert f"greedy: {won} of 30 games won" in done.err
    assert "99 % interval" in done.err
    assert "face-down cards of the piles" in done.err


def test_boards_name_their_file_and_place(tmp_path: Path, command: Command) -> None:
    boards = written(tmp_path / "boards.txt", f"{klondike(1)}\n\n{klondike(2)}\n")
    done = command("play", boards, 3, "--policy", "greedy", "--format", "jsonl")
    lines = records(done.out)
    assert [list(line) for line in lines] == [[*RECORD, "source"]] * 2 + [RECORD]
    assert [line.get("source") for line in lines] == [f"{boards}:1", f"{boards}:2", None]


def test_the_place_in_the_series_and_the_seed_are_all_that_is_random(command: Command) -> None:
    random = ("--policy", "random", "--format", "jsonl")
    first = without_seconds(command("play", "7", "8", "7", *random).out)
    two = without_seconds(command("play", "9", "8", *random, "--jobs", 2).out)
    assert first[1] == two[1]
    assert first[0]["moves"] != first[2]["moves"]
    other = without_seconds(command("play", "7", "8", *random, "--seed", 1).out)
    assert other != first[:2]
    words = ("play", "1-20", "--policy", "uct", "--trajectories", 5, "--format", "jsonl")
    assert without_seconds(command(*words, "--jobs", 1).out) == without_seconds(
        command(*words, "--jobs", 3).out
    )


def test_resume_goes_on_where_the_file_was_cut(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "games.jsonl"
    words = ("play", "1-12", "--policy", "random", "-o", file)
    whole = command(*words)
    expected = file.read_text()
    lines = expected.splitlines(keepends=True)
    file.write_text("".join(lines[:5]) + lines[5][:30])
    done = command(*words, "--resume")
    assert done.status == 0
    assert without_seconds(file.read_text()) == without_seconds(expected)
    # The summary is of all games, seconds apart.
    assert done.err.split("decisions")[0] == whole.err.split("decisions")[0]


def test_resume_refuses_what_another_policy_began(tmp_path: Path, command: Command) -> None:
    file = tmp_path / "games.jsonl"
    command("play", "1-3", "--policy", "random", "-o", file)
    done = command("play", "1-3", "--policy", "greedy", "-o", file, "--resume")
    refused(done, "was begun with other boards, rules, policy, seed or parameters")
    file.write_text(json.dumps({"game": "freecell", "deal": 1}) + "\n")
    refused(command("play", "1-3", "--policy", "random", "-o", file, "--resume"), "line 1: not a")


def test_a_finished_series_grows_with_its_own_command_only(
    tmp_path: Path, command: Command
) -> None:
    file = tmp_path / "games.jsonl"
    words = ("--policy", "uct", "--trajectories", 20, "-o", file)
    command("play", "1-2", *words)
    kept = file.read_text()
    for other in (
        ("--policy", "random"),
        ("--policy", "uct", "--trajectories", 30),
        ("--policy", "uct", "--trajectories", 20, "--seed", 1),
    ):
        done = command("play", "1-3", *other, "-o", file, "--resume")
        refused(done, "with other boards, rules, policy, seed or parameters", str(file))
        assert file.read_text() == kept
    assert command("play", "1-3", *words, "--resume").status == 0
    assert file.read_text().startswith(kept)
    assert len(file.read_text().splitlines()) == 3


def test_an_output_that_cannot_be_written_leaves_nothing(tmp_path: Path, command: Command) -> None:
    refused(command("play", "1", "--policy", "random", "-o", tmp_path), str(tmp_path))
    (tmp_path / "file").write_text("precious")
    beneath = tmp_path / "file" / "games.jsonl"
    done = command("play", "1", "--policy", "random", "-o", beneath)
    refused(done, str(beneath))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert not tmp_path.with_name(tmp_path.name + ".command").exists()


def test_weights_of_the_solver(tmp_path: Path, command: Command) -> None:
    words = ("play", "1-6", "--samples", 30, "--format", "jsonl")
    usual = without_seconds(command(*words).out)
    assert without_seconds(command(*words, "--weights", "complete").out) == usual
    given = json.loads(Path("gafreecell/solitaire/klondike/presets_data/complete.json").read_text())
    file = tmp_path / "weights.json"
    evaluator = given["evaluator"]
    evaluator["weights"] = [-weight for weight in evaluator["weights"]]
    file.write_text(json.dumps(given))
    done = command(*words, "--weights", file)
    assert done.status == 0, done.err
    assert without_seconds(done.out) != usual
    assert command("play", "1", "--policy", "best", "--weights", file, "--hint").status == 0
    refused(command(*words, "--weights", "rollouts-2007"), "weights of the search complete", "roll")
    done = command("play", "1", "--policy", "uct", "--weights", file)
    refused(done, "uct takes no weights", "best")


def position(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "position.txt"
    file.write_text(text)
    return file


def tokens(cell: str) -> list[str]:
    """The moves of a row: ``draw 4 times, wh``."""
    counted = [part.split() for part in cell.split(",")]
    return [part[0] for part in counted for _ in range(int(part[1]) if part[1:] else 1)]


def test_a_hint(tmp_path: Path, command: Command) -> None:
    board = klondike(5)
    lines = str(board).splitlines()
    hidden = [" ".join(["??"] * d + line.split()[d:]) for d, line in enumerate(lines[-7:])]
    file = position(tmp_path, "\n".join([*lines[:-7], *hidden]))
    done = command("play", file, "--policy", "best", "--hint", "--samples", 40)
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
    known = position(tmp_path, str(board))
    again = command("play", known, "--policy", "best", "--hint", "--samples", 40)
    assert again.out == done.out


def test_a_hint_with_a_judgement_of_moves(tmp_path: Path, command: Command) -> None:
    board = klondike(7)
    lines = str(board).splitlines()
    hidden = [" ".join(["??"] * d + line.split()[d:]) for d, line in enumerate(lines[-7:])]
    file = position(tmp_path, "\n".join([*lines[:-7], *hidden]))
    judgement = "examples/choices/run/weights/best.json"
    words = file, "--game", "klondike", "--samples", 50
    plain = command("hint", *words)
    judged = command("hint", *words, "--weights", judgement)
    assert plain.status == judged.status == 1, judged.err
    assert judged.out != plain.out
    assert judged.out == command("play", *words, *HINT, "--weights", judgement).out
    # With all cards known there is nothing to judge.
    refused(command("hint", 5, "--game", "klondike", "--weights", judgement), "klondike-choices")


def test_a_hint_where_the_stock_is_unknown(tmp_path: Path, command: Command) -> None:
    lines = str(klondike(5)).splitlines()
    hidden = [" ".join(["??"] * d + line.split()[d:]) for d, line in enumerate(lines[-7:])]
    file = position(tmp_path, "\n".join(["Stock: " + "?? " * 24, *hidden]))
    words = "play", file, "--policy", "best", "--hint", "--samples", 20
    done = command(*words)
    assert done.status == 0, done.err
    assert done.out.startswith("Klondike with draws of three cards, unlimited redeals and a hidden")
    assert "Best: draw 8 times, redeal - draw 8 times, then turn the waste over" in done.out
    assert len([row for row in rows_of(done.out)[2:] if row[1]]) == 1
    # A draw is a move of its own; a card that nobody has seen cannot be chosen.
    done = command(*words, "--variant", "redeals=2")
    rows = rows_of(done.out)[2:]
    assert any(row[0] == "draw" for row in rows)
    assert not any(row[0].startswith("w") for row in rows)


def test_a_hint_where_all_cards_are_known(tmp_path: Path, command: Command) -> None:
    board = klondike(1)
    game = Position.from_board(board)
    for move in play(board, "best", {"samples": 10}).moves:
        if not any(game.face_down):
            break
        game.play(move)
    late = KlondikeBoard(
        tuple(map(tuple, game.piles)),
        tuple(game.face_down),
        tuple(game.stock),
        tuple(game.waste),
        tuple(game.foundations),
    )
    done = command("play", position(tmp_path, str(late)), "--policy", "best", "--hint")
    said, _, moves = done.out.partition("\n")
    assert said == "The game can be won; play:"
    assert verify(late, moves.split()).solved


def test_a_hint_where_nothing_is_left_to_play_for(tmp_path: Path, command: Command) -> None:
    won = "Foundations: C-13 D-13 H-13 S-13\nWaste:\nStock:\n" + ":\n" * 7
    done = command("play", position(tmp_path, won), "--policy", "best", "--hint")
    assert (done.status, done.out) == (0, "The game is won.\n"), done.err
    # Every card of the talon and every pile is stuck.
    done = command("play", "10", "--policy", "best", "--hint")
    assert done.out == "The game is lost: whatever is played, it cannot be won.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["1", "--policy", "clever"], ["no policy 'clever'", "random, greedy, hop", "best"]),
        (["1", "--format", "text", "-o", "x"], ["-o writes a line of JSON", "--format text"]),
        (["1", "--draw", "-o", "x"], ["--draw needs the text format", "-o"]),
        (["1", "--draw", "--format", "jsonl"], ["--draw needs the text format", "jsonl"]),
        (["1", "--policy", "uct", "--samples", "3"], ["no parameter 'samples'", "trajectories"]),
        (["1", "--policy", "hop", "--samples", "0"], ["samples must be 1"]),
        (["1", "--policy", "hop", "--samples", "x"], ["whole number"]),
        (["1", "--policy", "greedy", "--seconds", "1"], ["takes no seconds"]),
        (["1", "--policy", "uct", "--seconds", "-1"], ["positive number of seconds"]),
        (
            ["1", "--policy", "best", "--seconds", "1", "--samples", "9"],
            ["replace samples"],
        ),
        (["1", "--policy", "hop-uct", "--seconds", "1", "--trees", "9"], ["replace trees"]),
        (["1", "--policy", "uct", "--trajectories", "1000000"], ["1 to 100,000, got 1000000"]),
        (["0", "--policy", "greedy"], ["there is no deal 0"]),
        (["1", "--policy", "greedy", "--resume"], ["-o FILE"]),
        (
            ["1", "--policy", "greedy", "--game", "freecell"],
            ["cannot be played with hidden cards", "klondike"],
        ),
        (["1", "--policy", "uct", "--hint"], ["uct gives no hints", "best"]),
        (["1-2", "--policy", "best", "--hint"], ["one position, got 2"]),
        (["1", "--policy", "best", "--hint", "-o", "x"], ["leave out -o and --resume"]),
        (["1", "--policy", "greedy", "--jobs", "0"], ["positive number"]),
    ],
)
def test_what_is_refused(words: list[str], said: list[str], command: Command) -> None:
    refused(command("play", *words), *said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [*lines[:-1], lines[-1] + " AS"], "AS"),
        (lambda lines: [lines[0] + " " + lines[-1].split()[-1], *lines[1:]], "one too many"),
        (lambda lines: [*lines[:-1], lines[-1].replace("<", "").replace(">", "")], "pile 7"),
    ],
)
def test_positions_no_game_reaches(
    change: Any, said: str, tmp_path: Path, command: Command
) -> None:
    lines = str(klondike(5)).splitlines()
    file = position(tmp_path, "\n".join(change(lines)))
    refused(command("play", file, "--policy", "greedy"), said)


def test_a_game_needs_all_its_cards(tmp_path: Path, command: Command) -> None:
    lines = str(klondike(5)).splitlines()
    file = position(
        tmp_path, "\n".join([*lines[:-1], " ".join(["??"] * 6 + lines[-1].split()[6:])])
    )
    refused(command("play", file, "--policy", "greedy"), "a card is unknown", "??", "--hint")


def test_help_says_what_is_hidden(command: Command) -> None:
    done = command("play", "--help")
    assert "does not see the face-down cards of the piles" in " ".join(done.out.split())
    assert "stock" in done.out
    text = " ".join(done.out.split())
    for policy in POLICIES:
        defaults = ", ".join(f"{p.name} {p.default}" for p in policy.parameters)
        assert policy.name + (f" ({defaults})" if defaults else "") in text.replace("- ", "-")


def seen(number: int) -> list[str]:
    """A deal as its player sees it."""
    lines = str(klondike(number)).splitlines()
    return [re.sub("<..>", "??", line) for line in lines]


def test_a_game_is_told_move_by_move(command: Command) -> None:
    words = ("play", "3", "--samples", 40)
    done = command(*words)
    assert (done.status, done.err) == (0, "")
    [record] = records(command(*words, "--format", "jsonl").out)
    title, deal, steps, *rest = done.out.strip().split("\n\n")
    assert " ".join(title.split()) == (
        "Deal 3, played by best (samples 40), which cannot see the cards ??"
    )
    assert deal.splitlines() == seen(3)
    numbered = [line for line in steps.splitlines() if re.match(" *[0-9]+[.] ", line)]
    assert [line.split()[1] for line in numbered] == record["moves"]
    assert [int(line.split(".")[0]) for line in numbered] == [*range(1, len(numbered) + 1)]
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
    [record] = records(command("play", "7", "--policy", "greedy", "--format", "jsonl").out)
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
    game = Deal(7, 7)
    assert "won, 1 move, 1 decision, 2 s" in briefly(game, Played(True, ("draw",), 1, 2.0))
    assert "lost, 0 moves, 0 decisions" in briefly(game, Played(False, (), 0, 2.0))
    summary = " ".join(command("play", "1-8", "--policy", "random").out.split("\n\n")[-1].split())
    assert re.search(r"of 8 games won, \d+ % \(99 % interval \d+ to \d+\)", summary)


def test_a_series_has_a_line_a_game(command: Command) -> None:
    done = command("play", "1-8", "--policy", "greedy")
    lines = done.out.splitlines()
    games = records(command("play", "1-8", "--policy", "greedy", "--format", "jsonl").out)
    for line, game in zip(lines, games, strict=False):
        ended = "won" if game["won"] else "lost"
        counts = f"{len(game['moves'])} moves, {game['decisions']} decisions, "
        assert line.startswith(f"Deal {game['deal']}: {ended}, {counts}")
    assert lines[8] == ""
    assert " ".join(lines[9:]).startswith(f"greedy: {sum(g['won'] for g in games)} of 8 games won")


def test_positions_are_drawn_as_the_player_sees_them(command: Command) -> None:
    done = command("play", "3", "--policy", "greedy", "--draw")
    [record] = records(command("play", "3", "--policy", "greedy", "--format", "jsonl").out)
    assert done.out.count("home:") == len(record["moves"]) + 1
    first, second = done.out.split("home:")[1:3]
    assert first.count("??") == 21
    assert "<" not in first and "<" not in second
    assert done.out.splitlines()[:4] == list(GAME.legend)
    assert "\033" not in done.out
