"""Pages that show games move by move, without a browser: their structure, their data, their limits.

The positions in a page are compared with those of the verifiers, which play the same moves here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, records, refused, without_seconds, written
from pages_read import Page
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

FACE_DOWN, KNOWN = 128, 256
HOSTILE = "</script><!--<script>alert(1)</script>\u2028\u2029\"'&amp;"
UNKNOWN = POSITION.replace("?? ?? ?? ?? ?? ?? KS", "<TC> ?? ?? ?? ?? ?? KS")
"""A position with a card that lies face down and is known."""

Table = dict[str, list[int]]
Shown = Callable[..., Page]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a page is written."""
    return tmp_path / "page.html"


@pytest.fixture
def shown(command: Command, file: Path) -> Shown:
    """The page that a command writes."""

    def write(*words: object) -> Page:
        done = command(*words, "--html", file)
        assert done.status in (0, 1), done.err
        assert done.lines[-1].startswith(f"wrote {file}")
        return Page(file.read_text(encoding="utf-8"))

    return write


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
    names = ("clubs", "diamonds", "hearts", "spades")
    return {
        f"foundation of {name}": [card(rank, suit) for rank in range(1, tops[suit] + 1)]
        for suit, name in enumerate(names)
    }


def freecell_table(position: FreeCellPosition) -> Table:
    cells = zip("abcdefg", position.cells, strict=False)
    return {
        **{f"cell {name}": [held] if held else [] for name, held in cells},
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
    stock, places = position.stock[::-1], [(row, at) for row in range(7) for at in range(row + 1)]
    return {
        "stock": [one + KNOWN for one in stock[:-1]] + stock[-1:],
        "waste": list(position.waste),
        "removed": list(position.removed),
        **{
            f"row {row + 1}, place {at + 1}": [position.pyramid[row, at]]
            if (row, at) in position.pyramid
            else []
            for row, at in places
        },
    }


TABLES = {
    "freecell": (FreeCellPosition.from_board, freecell_table),
    "klondike": (KlondikePosition.from_board, klondike_table),
    "pyramid": (PyramidPosition, pyramid_table),
}


def same_positions(told: dict[str, Any], game: str, board: Any, moves: Sequence[str]) -> None:
    """What a page shows of a game is what its verifier plays."""
    assert [move for move, _ in told["moves"]] == list(moves) != []
    assert all(words for _, words in told["moves"])
    start, table = TABLES[game]
    position, positions = start(board), tables(told)
    row = rows(told)
    assert next(positions) == table(position)
    assert next(row, None) == row_of(position)
    for move, found in zip(moves, positions, strict=True):
        position.play(move)
        assert found == table(position)
        assert next(row, None) == row_of(position)


def rows(told: dict[str, Any]) -> Iterator[list[list[int]]]:
    """The row of waste and stock in each position; none for other games."""
    now: list[list[int]] = []
    for change in told.get("rows", ()):
        now = change or now
        yield now


def row_of(position: Any) -> list[list[int]] | None:
    """Waste, stock in the order of draws, and the places that draws and redeals bring up."""
    if not isinstance(position, KlondikePosition):
        return None
    waste, stock = position.waste, [one or FACE_DOWN for one in position.stock]
    marked = list(position.board.reachable)
    if position.unseen:
        stock = [one % FACE_DOWN + FACE_DOWN for one in stock]
        marked = [len(waste) - 1] * bool(waste)
    return [[one or FACE_DOWN for one in waste], stock, marked]


def moves_of(told: dict[str, Any]) -> list[str]:
    return [move for move, _ in told["moves"]]


@pytest.mark.parametrize(
    ("game", "number"), [("freecell", 617), ("klondike", 3), ("pyramid", 7), ("pyramid", 4)]
)
def test_positions_are_the_verifiers(game: str, number: int, shown: Shown) -> None:
    (data,) = shown("solve", number, "--game", game).data
    (told,) = data["solutions"]
    same_positions(told, game, find_game(game).read_deal(number), moves_of(told))
    assert data["game"].startswith(find_game(game).title)
    assert data["legend"]


@pytest.mark.parametrize(("cells", "cascades"), [(7, 5), (1, 9)])
def test_positions_of_other_tables(cells: int, cascades: int, shown: Shown) -> None:
    (data,) = shown("solve", 3, "--cells", cells, "--cascades", cascades).data
    (told,) = data["solutions"]
    board = find_game("freecell").vary(cells=cells, cascades=cascades).read_deal(3)
    same_positions(told, "freecell", board, moves_of(told))
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


def test_one_page_needs_nothing_else(shown: Shown, file: Path) -> None:
    page = shown("solve", 164, "--against", "best-first")
    source = file.read_text(encoding="utf-8")
    elements = [*page.root.iter()]
    names = [one.tag for one in elements]
    assert [one.get("src") for one in page.of("script")] == [None, None]
    for one in elements:
        links = [one.get(key) for key in ("src", "href", "action", "srcset") if key in one.attrib]
        assert links == (["data:,"] if one.tag == "link" else [])
        assert not [key for key in one.attrib if key.startswith("on")]
    metas = [*page.of("meta")]
    (policy,) = (
        one.get("content", "")
        for one in metas
        if one.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy and "*" not in policy
    script = page.texts("script")[-1].replace('"http://www.w3.org/2000/svg"', "")
    assert "//" not in script
    assert "url(" not in source and "@import" not in source
    # What a browser and a screen reader want to know first.
    assert page.root.tag == "html" and page.root.attrib == {"lang": "en"}
    assert any(one.get("name") == "viewport" for one in metas)
    assert names.count("h1") == names.count("main") == 1
    assert page.texts("title") == ["Deal 164 - FreeCell with 8 cascades, 4 cells"]
    # Without scripts there are the moves.
    assert "noscript" in names
    first, _ = page.data[0]["solutions"]
    assert " ".join(moves_of(first)) in source
    assert f"--against best-first --html {file}" in page.texts("code")[0]


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
def test_pages_are_small(words: tuple[object, ...], shown: Shown, file: Path) -> None:
    shown(*words)
    assert file.stat().st_size < 100_000


def test_solutions_side_by_side(shown: Shown) -> None:
    rivals = ("--against", "best-first", "--against", "hsdh", "--nodes", 20_000)
    fast, other, none = shown("solve", 164, *rivals).data[0]["solutions"]
    assert [one["name"] for one in (fast, other, none)] == ["fast", "best-first", "hsdh"]
    board = find_game("freecell").read_deal(164)
    for one in (fast, other):
        assert one["found"] and one["summary"].startswith("solved, ")
        # Searches move several cards at once or do not; side by side, cards are counted, too.
        (cards,) = re.findall(r"single (\d+)", one["summary"])
        assert one["result"] == f"Solved in {len(one['moves'])} moves ({cards} single cards)"
        same_positions(one, "freecell", board, moves_of(one))
    assert not none["found"] and not none["moves"] and none["changes"] == []
    assert none["summary"].startswith("not decided within ")


def test_a_hint_as_a_page(shown: Shown) -> None:
    data = shown("hint", 617).data[0]
    (told,) = data["solutions"]
    same_positions(told, "freecell", find_game("freecell").read_deal(617), moves_of(told))
    assert ": keeps the win, " in told["notes"][0]
    assert f": {len(told['moves'])} moves to the end" in told["summary"]
    assert told["result"] == f"Solved in {len(told['moves'])} moves"
    # One plays on in the app, which deals it anew.
    assert data["deal"] == {"game": "freecell", "state": {"text": "617"}}
    hidden = ("--game", "klondike", "--variant", "stock=hidden", "--samples", 30)
    data = shown("hint", 3, *hidden).data[0]
    (told,) = data["solutions"]
    first, *_ = told["thoughts"]["0"]
    assert first[0] == len(told["moves"])
    assert data["deal"] == {"game": "klondike", "state": {"stock": '"hidden"', "text": "3"}}
    stock = dict(zip((pile["name"] for pile in told["piles"]), told["first"], strict=True))["stock"]
    assert {*stock} == {FACE_DOWN}


def test_unsolvable_deals_show_the_proof(shown: Shown, command: Command) -> None:
    (told,) = shown("solve", 11982).data[0]["solutions"]
    assert not told["found"] and not told["moves"]
    # The lines of the terminal are one paragraph here.
    assert told["notes"][0].startswith("Proof: every position ") and told["hopeless"]
    assert told["notes"][0] in " ".join(command("solve", 11982).out.split())


def test_no_text_ends_a_script() -> None:
    game = find_game("freecell")
    found = [Course(HOSTILE, HOSTILE, (), False, [HOSTILE])]
    page = Page(replay_page(replay(game, game.read_deal(1), HOSTILE, found), HOSTILE))
    assert page.comments == []
    data, _ = page.texts("script")
    (told,) = page.data[0]["solutions"]
    assert told["name"] == told["summary"] == told["notes"][0] == HOSTILE
    assert page.texts("h1") == page.texts("code") == [HOSTILE]
    for sign in "<>&\u2028\u2029":
        assert sign not in data


@pytest.fixture
def board() -> str:
    """A deal of FreeCell as text."""
    return find_game("freecell").write_board(find_game("freecell").read_deal(617))


def test_hostile_file_names(shown: Shown, tmp_path: Path, board: str) -> None:
    page = shown("solve", written(tmp_path / "<!--<script>'\"&.txt", board))
    assert page.comments == [] and len([*page.of("script")]) == 2
    assert any("<!--<script>" in text for text in page.texts("h1", "code"))


def test_names_that_are_no_text_leave_the_earlier_page(
    shown: Shown, command: Command, tmp_path: Path, board: str
) -> None:
    shown("solve", 1)
    file = os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.txt")
    try:
        Path(file).write_text(board)
    except OSError:
        pytest.skip("this file system takes only names that are text")
    assert "b\\udcff.txt" in shown("solve", file, "--format", "moves").texts("h1")[0]


def test_a_page_replaces_nothing_but_a_page(
    shown: Shown, command: Command, file: Path, board: str
) -> None:
    written(file, board)
    for words in (("solve", file), ("play", 3)):
        refused(command(*words, "--html", file), "is no page of gafreecell")
    assert file.read_text() == board
    refused(command("solve", 1, "--html", "-"), "a page needs the name of a file")
    written(file, "")
    for _ in range(2):
        shown("solve", 617)


@pytest.mark.usefixtures("toy")
def test_a_game_that_draws_nothing_has_text(shown: Shown) -> None:
    (told,) = shown("solve", 7, "--game", "toy").data[0]["solutions"]
    assert {*moves_of(told)} == {"go"}
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
    (told,) = Page(replay_page(shown)).data[0]["solutions"]
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
def test_refusals(words: tuple[str, ...], said: str, command: Command, file: Path) -> None:
    refused(command(*words, "--html", file), said)
    assert not file.exists()


def test_a_page_needs_a_file_to_be_written(command: Command, tmp_path: Path) -> None:
    for word in ("solve", "play"):
        refused(command(word, 1, "--html", tmp_path), str(tmp_path))
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
    policy: tuple[object, ...], command: Command, shown: Shown, file: Path
) -> None:
    words = ("play", 7, "--policy", *policy, "--format", "jsonl")
    (plain,), (watched,) = (
        records(command(*words, *further).out) for further in ((), ("--html", file))
    )
    moves = plain["moves"]
    assert watched["moves"] == moves
    (data,) = Page(file.read_text(encoding="utf-8")).data
    assert data["hidden"]
    (told,) = data["solutions"]
    same_positions(told, "klondike", find_game("klondike").read_deal(7), moves)
    thoughts = told.get("thoughts", {})
    assert bool(thoughts) == (policy[0] not in ("greedy", "random"))
    # Where there are chances, the page warns of them as the command line does.
    game = find_game("klondike")
    about = game.player.about_advice(game.player.seen(game.read_deal(7)), policy[0])
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


def test_solve_finds_the_same_with_a_page(command: Command, file: Path) -> None:
    words = ("solve", 617, "--format", "jsonl")
    plain, shown = (without_seconds(command(*words, *f).out) for f in ((), ("--html", file)))
    assert plain == shown
