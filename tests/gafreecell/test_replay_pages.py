"""Pages that show games move by move, without a browser: their structure, their data, their limits.

The positions in a page are compared with those of the verifiers, which play the same moves here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, records, refused, written
from screenshots import POSITION

import gafreecell
from deals import klondike
from deals.cards import card
from gafreecell.pages import Course, replay, replay_page
from gafreecell.service import wording
from gafreecell.solitaire.game import game as find_game
from gafreecell.solitaire.klondike.verifier import Position as KlondikePosition
from gafreecell.solitaire.pyramid.verifier import Position as PyramidPosition
from hsd.verifier import Position as FreeCellPosition

FACE_DOWN, KNOWN = 100, 200
VOID = {"meta", "link", "input", "br", "img"}
HOSTILE = "</script><!--<script>alert(1)</script>\u2028\u2029\"'&amp;"
UNKNOWN = POSITION.replace("?? ?? ?? ?? ?? ?? KS", "<TC> ?? ?? ?? ?? ?? KS")
"""A position with a card that lies face down and is known."""

Table = dict[str, list[int]]


@dataclass
class Page(HTMLParser):
    """What a page holds, as a parser reads it.

    Attributes:
        elements: each element with its attributes, in order.
        open: the elements that are not closed yet.
        texts: the text of each element by its name, all elements of a name together.
        comments: all comments.
    """

    source: str
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    @property
    def data(self) -> dict[str, Any]:
        """What the page's script reads."""
        (place,) = (
            index
            for index, (_, about) in enumerate(self._of("script"))
            if about.get("type") == "application/json"
        )
        found: dict[str, Any] = json.loads(self.texts["script"][place])
        return found

    def _of(self, name: str) -> list[tuple[str, dict[str, str | None]]]:
        return [one for one in self.elements if one[0] == name]


def tables(told: dict[str, Any]) -> Iterator[Table]:
    """The positions of a solution: the first one with one change after another."""
    names = [pile["name"] for pile in told["piles"]]
    assert len(set(names)) == len(names)
    piles = dict(enumerate(told["first"]))
    yield {name: piles[index] for index, name in enumerate(names)}
    for change in told["changes"]:
        piles |= {int(index): cards for index, cards in change.items()}
        yield {name: piles[index] for index, name in enumerate(names)}


def home(tops: Sequence[int]) -> Table:
    return {
        f"foundation of {name}": [card(rank, suit) for rank in range(1, top + 1)]
        for suit, (name, top) in enumerate(
            zip(("clubs", "diamonds", "hearts", "spades"), tops, strict=True)
        )
    }


def freecell_table(position: FreeCellPosition) -> Table:
    return {
        **{
            f"cell {'abcdefg'[place]}": [held] if held else []
            for place, held in enumerate(position.cells)
        },
        **home(position.foundations),
        **{f"cascade {n}": list(cards) for n, cards in enumerate(position.cascades, start=1)},
    }


def klondike_table(position: KlondikePosition) -> Table:
    piles = zip(position.piles, position.face_down, strict=True)
    return {
        # A player with hidden cards knows those of the stock, unless nobody has seen them.
        "stock": [
            one + (FACE_DOWN if position.unseen or one == 0 else KNOWN)
            for one in position.stock[::-1]
        ],
        # A card of the waste that nobody knows is shown as one that lies face down.
        "waste": [one or FACE_DOWN for one in position.waste],
        **home(position.foundations),
        **{
            f"pile {n}": [
                one + FACE_DOWN * (place < down or one == 0) for place, one in enumerate(cards)
            ]
            for n, (cards, down) in enumerate(piles, start=1)
        },
    }


def pyramid_table(position: PyramidPosition) -> Table:
    stock = position.stock[::-1]
    return {
        "stock": [one + KNOWN for one in stock[:-1]] + stock[-1:],
        "waste": list(position.waste),
        "removed": list(position.removed),
        **{
            f"row {row + 1}, place {place + 1}": [position.pyramid[row, place]]
            if (row, place) in position.pyramid
            else []
            for row in range(7)
            for place in range(row + 1)
        },
    }


TABLES = {
    "freecell": (FreeCellPosition.from_board, freecell_table),
    "klondike": (KlondikePosition.from_board, klondike_table),
    "pyramid": (PyramidPosition, pyramid_table),
}


def played(game: str, board: Any, moves: Sequence[str]) -> Iterator[Table]:
    """The positions of a game as its verifier plays it."""
    start, table = TABLES[game]
    position = start(board)
    yield table(position)
    for move in moves:
        position.play(move)
        yield table(position)


def same_positions(told: dict[str, Any], game: str, board: Any, moves: Sequence[str]) -> None:
    assert [move for move, _ in told["moves"]] == list(moves)
    assert all(words for _, words in told["moves"])
    for shown, expected in zip(tables(told), played(game, board, moves), strict=True):
        assert shown == expected


@pytest.mark.parametrize(
    ("game", "number"), [("freecell", 617), ("klondike", 3), ("pyramid", 7), ("pyramid", 4)]
)
def test_positions_are_the_verifiers(
    game: str, number: int, command: Command, tmp_path: Path
) -> None:
    done = command("solve", number, "--game", game, "--html", tmp_path / "page.html")
    assert done.status == 0
    assert done.lines[-1].startswith(f"wrote {tmp_path / 'page.html'}")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    (told,) = page.data["solutions"]
    board = find_game(game).read_deal(number)
    moves = [move for move, _ in told["moves"]]
    assert moves
    same_positions(told, game, board, moves)
    assert page.data["game"].startswith(find_game(game).title)
    assert page.data["legend"]


@pytest.mark.parametrize(("cells", "cascades"), [(7, 5), (1, 9)])
def test_positions_of_other_tables(
    cells: int, cascades: int, command: Command, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    command("solve", 3, "--cells", cells, "--cascades", cascades, "--html", page)
    (told,) = Page(page.read_text(encoding="utf-8")).data["solutions"]
    moves = [move for move, _ in told["moves"]]
    assert moves
    board = find_game("freecell").vary(cells=cells, cascades=cascades).read_deal(3)
    same_positions(told, "freecell", board, moves)
    # No two piles lie on the same place.
    places = {(pile["x"], pile["y"]) for pile in told["piles"]}
    assert len(places) == cells + 4 + cascades
    assert min(x for x, _ in places) == 0


def test_unknown_cards_are_no_cards() -> None:
    game = find_game("klondike")
    board = game.read_boards(UNKNOWN)[0]
    moves = ["w6", "draw", "draw", "redeal", "draw"]
    (told,) = replay(game, board, "mine", [Course("hint", "", moves)]).data["solutions"]
    same_positions(told, "klondike", board, moves)
    first = next(tables(told))
    assert first["pile 7"] == [FACE_DOWN + card(10, 0), *[FACE_DOWN] * 5, card(13, 3), card(12, 2)]


@pytest.mark.parametrize("unseen", [False, True])
def test_what_a_player_knows_of_the_stock(unseen: bool) -> None:
    game, board = find_game("klondike"), klondike(3, unseen=unseen)
    moves = ["draw"] * 8 + ["redeal", "draw"]
    data = replay(game, board, "mine", [Course("me", "", moves)], hidden=True).data
    same_positions(data["solutions"][0], "klondike", board, moves)
    assert "until they are turned up" in data["knows"]
    assert ("knows those of the stock" in data["knows"]) != unseen
    # Once the waste was turned over, all of them have been seen.
    stocks = [table["stock"] for table in tables(data["solutions"][0])]
    assert {one < KNOWN for one in stocks[1]} == {unseen}
    assert {one < KNOWN for one in stocks[-1]} == {False}


def test_one_page_needs_nothing_else(command: Command, tmp_path: Path) -> None:
    command("solve", 164, "--html", tmp_path / "164.html", "--against", "best-first")
    source = (tmp_path / "164.html").read_text(encoding="utf-8")
    page = Page(source)
    names = [name for name, _ in page.elements]
    assert [about.get("src") for name, about in page.elements if name == "script"] == [None, None]
    for name, about in page.elements:
        links = [about[key] for key in ("src", "href", "action", "srcset") if key in about]
        assert links == (["data:,"] if name == "link" else [])
        assert not [key for key in about if key.startswith("on")]
    (policy,) = (
        about["content"]
        for name, about in page.elements
        if name == "meta" and about.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None and policy.startswith("default-src 'none';")
    assert "http" not in policy and "*" not in policy
    assert "//" not in re.sub(r'"http://www\.w3\.org/2000/svg"', "", page.texts["script"][-1])
    assert "url(" not in source and "@import" not in source
    # What a browser and a screen reader want to know first.
    assert page.elements[0] == ("html", {"lang": "en"})
    assert any(about.get("name") == "viewport" for _, about in page.elements)
    assert names.count("h1") == names.count("main") == 1
    assert page.texts["title"] == ["Deal 164 - FreeCell with 8 cascades, 4 cells"]
    # Without scripts there are the moves.
    assert "noscript" in names
    first, _ = page.data["solutions"]
    assert " ".join(move for move, _ in first["moves"]) in source
    assert f"--html {tmp_path / '164.html'} --against best-first" in page.texts["code"][0]


@pytest.mark.parametrize(
    "words",
    [
        ("solve", 617),
        ("solve", 164, "--against", "fastest", "--against", "best-first"),
        ("solve", 3, "--game", "klondike"),
        ("solve", 7, "--game", "pyramid"),
        ("play", 3, "--samples", 30),
    ],
)
def test_pages_are_small(words: tuple[object, ...], command: Command, tmp_path: Path) -> None:
    command(*words, "--html", tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 100_000


def test_solutions_side_by_side(command: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    rivals = ("--against", "best-first", "--against", "hsdh", "--nodes", 20_000)
    command("solve", 164, "--html", page, *rivals)
    fast, other, none = Page(page.read_text(encoding="utf-8")).data["solutions"]
    assert [one["name"] for one in (fast, other, none)] == ["fast", "best-first", "hsdh"]
    board = find_game("freecell").read_deal(164)
    for one in (fast, other):
        assert one["found"] and one["summary"].startswith("solved, ")
        same_positions(one, "freecell", board, [move for move, _ in one["moves"]])
    assert not none["found"] and not none["moves"] and none["changes"] == []
    assert none["summary"].startswith("not decided within ")


def test_unsolvable_deals_show_the_proof(command: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = command("solve", 11982, "--html", page)
    (told,) = Page(page.read_text(encoding="utf-8")).data["solutions"]
    assert not told["found"] and not told["moves"]
    # The lines of the terminal are one paragraph here.
    assert told["notes"][0].startswith("Proof: every position ")
    assert told["notes"][0] in " ".join(done.out.split())


@pytest.mark.parametrize("sign", ["<", ">", "&", "\u2028", "\u2029"])
def test_no_text_ends_a_script(sign: str) -> None:
    game = find_game("freecell")
    shown = [Course(HOSTILE, HOSTILE, (), False, [HOSTILE])]
    source = replay_page(replay(game, game.read_deal(1), HOSTILE, shown), HOSTILE)
    page = Page(source)
    assert page.comments == []
    assert [name for name, _ in page.elements].count("script") == 2
    (told,) = page.data["solutions"]
    assert told["name"] == told["summary"] == told["notes"][0] == HOSTILE
    assert page.texts["h1"] == [HOSTILE]
    assert page.texts["code"] == [HOSTILE]
    data = page.texts["script"][0]
    assert sign not in data


def test_hostile_file_names(command: Command, tmp_path: Path) -> None:
    board = find_game("freecell").write_board(find_game("freecell").read_deal(617))
    file = written(tmp_path / "<!--<script>'\"&.txt", board)
    command("solve", file, "--html", tmp_path / "page.html")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert page.comments == [] and [name for name, _ in page.elements].count("script") == 2
    assert any("<!--<script>" in text for text in page.texts["h1"] + page.texts["code"])


def test_names_that_are_no_text_leave_the_earlier_page(command: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    command("solve", 1, "--html", page)
    board = find_game("freecell").write_board(find_game("freecell").read_deal(617))
    file = os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.txt")
    try:
        Path(file).write_text(board)
    except OSError:
        pytest.skip("this file system takes only names that are text")
    done = command("solve", file, "--format", "moves", "--html", page)
    assert done.status == 0, done.err
    assert "b\\udcff.txt" in Page(page.read_text(encoding="utf-8")).texts["h1"][0]
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/x\xff.html")
    assert command("solve", 1, "--html", odd).status == 0
    assert Path(odd).stat().st_size > 10_000


def test_a_page_replaces_nothing_but_a_page(command: Command, tmp_path: Path) -> None:
    board = find_game("freecell").write_board(find_game("freecell").read_deal(617))
    file = written(tmp_path / "board.txt", board)
    refused(command("solve", file, "--html", file), "is no page of gafreecell")
    assert file.read_text() == board
    refused(command("play", 3, "--html", file), "is no page of gafreecell")
    refused(command("solve", 1, "--html", "-"), "a page needs the name of a file")
    empty = written(tmp_path / "empty.html", "")
    for _ in range(2):
        assert command("solve", file, "--html", empty).status == 0


def test_a_game_that_draws_nothing_has_text(toy: Any, command: Command, tmp_path: Path) -> None:
    done = command("solve", 7, "--game", "toy", "--html", tmp_path / "page.html")
    assert done.status == 0
    (told,) = Page((tmp_path / "page.html").read_text(encoding="utf-8")).data["solutions"]
    assert {move for move, _ in told["moves"]} == {"go"}
    assert len(told["texts"]) == len(told["moves"]) + 1
    assert "piles" not in told


class Countdown(gafreecell.BaseGame):
    """Take one of the matches; it can write boards and list moves, but draws nothing."""

    name = "countdown"
    features = (gafreecell.Feature("stride", "matches to take", 0, 10, baseline=1),)

    def deal(self, number: int) -> int:
        return number

    def solve(self, deal: int, weights: Any, nodes: int) -> Any:
        return ["take"] * deal, deal


def test_a_plain_base_game_has_its_moves() -> None:
    shown = replay(Countdown(), 3, "Deal 3", [Course("plain", "solved", ["take"] * 3)])
    (told,) = Page(replay_page(shown)).data["solutions"]
    assert told["moves"] == [["take", ""]] * 3
    assert len(told["texts"]) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("solve", "1-2"), "--html shows one deal, got 2"),
        (("play", "1-2"), "--html shows one deal, got 2"),
        (("play", "3", "--hint"), "--html shows a game, and --hint plays none"),
        (("solve", "1", "--against", "nobody"), "nobody"),
    ],
)
def test_refusals(words: tuple[str, ...], said: str, command: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    refused(command(*words, "--html", page), said)
    assert not page.exists()


def test_nowhere_to_write(command: Command, tmp_path: Path) -> None:
    refused(command("solve", 1, "--html", tmp_path), str(tmp_path))
    refused(command("play", 1, "--html", tmp_path), str(tmp_path))


def test_against_needs_a_page(command: Command) -> None:
    refused(command("solve", 1, "--against", "hsdh"), "add --html FILE")


@pytest.mark.parametrize(
    "policy",
    [
        ("best", "--samples", 30),
        ("hop", "--samples", 2),
        ("uct", "--trajectories", 20),
        ("greedy",),
        ("random",),
    ],
)
def test_a_page_changes_no_move(
    policy: tuple[object, ...], command: Command, tmp_path: Path
) -> None:
    words = ("play", 7, "--policy", *policy, "--format", "jsonl")
    (plain,) = records(command(*words).out)
    (watched,) = records(command(*words, "--html", tmp_path / "page.html").out)
    assert watched["moves"] == plain["moves"]
    data = Page((tmp_path / "page.html").read_text(encoding="utf-8")).data
    assert data["hidden"]
    (told,) = data["solutions"]
    moves = plain["moves"]
    same_positions(told, "klondike", find_game("klondike").read_deal(7), moves)
    thoughts = told.get("thoughts", {})
    assert bool(thoughts) == (policy[0] not in ("greedy", "random"))
    # Where there are chances, the page warns of them as the command line does.
    game = find_game("klondike")
    about = game.player.about_advice(game.player.seen(game.read_deal(7)))
    assert told["notes"] == (list(about) if thoughts else [])
    for place, rows in thoughts.items():
        at = int(place)
        (many, short, words_of_it, *_), *others = rows
        # The first alternative is the one that was played.
        assert short == wording.in_short(moves[at : at + many])
        assert words_of_it
        assert others
        assert short not in [other[1] for other in others]
        for _, _, _, chance, low, high, samples in rows:
            assert 0 <= low <= chance <= high <= 1000
            assert samples > 0
    # Between two decisions lies at least the move that was chosen at the first.
    places = sorted(map(int, thoughts))
    for at, following in pairwise(places):
        assert at + thoughts[str(at)][0][0] <= following


def test_solve_finds_the_same_with_a_page(command: Command, tmp_path: Path) -> None:
    words = ("solve", 617, "--format", "jsonl")
    (plain,) = records(command(*words).out)
    (shown,) = records(command(*words, "--html", tmp_path / "page.html").out)
    assert {**plain, "seconds": 0} == {**shown, "seconds": 0}
