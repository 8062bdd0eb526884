"""Replay pages as a person uses them: stepped through, by keyboard, on small and large screens."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from visits import STATE, WINDOWS, Visit, seen

from deals import klondike
from deals.cards import card_name
from gafreecell.pages import Course, replay, replay_page
from gafreecell.solitaire.game import game as find_game
from gafreecell.solitaire.klondike.verifier import Position as KlondikePosition
from gafreecell.solitaire.patience.moves import taken
from hsd.verifier import Position

Shown = Callable[..., str]
Visiting = Callable[..., Visit]
FREECELL = ("solve", 617)
PAGES = {
    "freecell": FREECELL,
    "side-by-side": ("solve", 164, "--against", "fastest", "--against", "best-first"),
    "undecided": ("solve", 164, "--preset", "hsdh", "--nodes", 1000),
    "unsolvable": ("solve", 11982),
    "klondike": ("solve", 3, "--game", "klondike"),
    "hidden": ("play", 3, "--samples", 30),
    "pyramid": ("solve", 7, "--game", "pyramid"),
    "few-cascades": ("solve", 3, "--cells", 7, "--cascades", 5),
    "two-decks": ("solve", 1, "--game", "double-freecell-traditional"),
    "many-cascades": ("solve", 3, "--cells", 1, "--cascades", 9),
}
COVERED = """() => {
  const cards = [...document.querySelectorAll(".card")].map((card) => {
    const { x, y } = card.getBoundingClientRect(), letter = card.querySelector("b");
    const size = parseFloat(getComputedStyle(letter).fontSize);
    // The tail of a Q reaches a little below its line.
    return { x, y, ends: letter.getBoundingClientRect().bottom + 0.05 * size };
  });
  return cards.flatMap(({ x, y, ends }) => {
    const above = cards.filter((other) => Math.abs(other.x - x) < 2 && other.y > y + 2);
    return above.length ? [ends - Math.min(...above.map((other) => other.y))] : [];
  });
}"""
"""By how many pixels the card above each covered card reaches into its letter."""
SWIPE = """([from, to]) => {
  const table = document.querySelector(".table");
  const touch = (kind, x) => table.dispatchEvent(new PointerEvent(kind, {
    bubbles: true, pointerType: "touch", clientX: x, clientY: 300,
  }));
  touch("pointerdown", from);
  touch("pointerup", to);
}"""
"""Draw a finger over the table."""
FORWARD = """() => {
  const { x, y } = document.querySelector("[aria-label^=Forward]").getBoundingClientRect();
  return [x, y];
}"""
"""Where the button to go forward stands."""
FRAMED = """() => {
  const cards = [...document.querySelectorAll(".card.moved")];
  return cards.map((card) => card.style.transform).sort();
}"""
"""Where the cards with a frame lie."""
LIES = f"() => ({{ ...({STATE})(), framed: ({FRAMED})() }})"
SEEN = """(moves) => {
  const { bottom } = moves.querySelector("[aria-current]").getBoundingClientRect();
  const { top, height } = moves.getBoundingClientRect();
  return bottom > top && bottom <= top + height;
}"""
"""Whether a list shows its present move."""
ROW = """() => {
  const cards = [...document.querySelectorAll(".small-card")];
  const lifted = (card) => new DOMMatrix(getComputedStyle(card).transform).f < 0;
  const [said] = [...document.querySelectorAll("ul.unseen li")]
    .map((one) => one.innerText)
    .filter((text) => text.includes("Raised in the row of waste and stock"));
  return [said, cards.length, cards.flatMap((card, place) => (lifted(card) ? [place] : []))];
}"""
"""The row of waste and stock: what is said of it, its cards, those that lie higher."""
NAMES = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def in_words(card: int) -> str:
    """A card as a screen reader says it: ``ace of spades``."""
    rank, suit = card_name(card)
    return f"{NAMES.get(rank, rank)} of {SUITS[suit]}"


def freecell_piles(position: Position) -> list[list[int]]:
    """The cards of a verifier's position in the order in which the page has its piles."""
    cells = [[one] if one else [] for one in position.cells]
    homes = [[*range(4 + suit, 4 * top + 4, 4)] for suit, top in enumerate(position.foundations)]
    return [*cells, *homes, *map(list, position.cascades)]


def moves_of(visit: Visit) -> list[str]:
    return visit.page.locator(".moves button").all_inner_texts()


def test_every_step_of_a_solution_is_the_verifiers(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*FREECELL))
    position = Position.from_board(find_game("freecell").read_deal(617))
    moves = moves_of(at)
    assert len(moves) > 80
    for place, (move, state) in enumerate(zip(["", *moves], at.walk(len(moves)), strict=True)):
        if move:
            position.play(move)
            assert state["caption"].startswith(f"Move {place} of {len(moves)}: {move} –")
            assert state["marked"] == [move]
        cards = freecell_piles(position)
        assert state["piles"] == [seen(pile) for pile in cards]
        said = [text.partition(": ")[2] for text in state["spoken"]]
        assert said == ["; ".join(map(in_words, pile)) or "empty" for pile in cards]
    assert position.is_solved
    # And back again, another way.
    at.press("Home")
    start = freecell_piles(Position.from_board(find_game("freecell").read_deal(617)))
    assert at.piles() == [seen(pile) for pile in start]
    at.press("End")
    assert at.piles() == [seen(pile) for pile in cards]


def test_every_step_of_two_decks_is_the_players(tmp_path: Path, visit: Visiting) -> None:
    game: Any = find_game("spider")
    boards, moves, generator = [game.read_deal(1)], list[str](), random.Random(1)
    for step in range(24):
        found = game.legal_moves(boards[-1])
        moves.append("deal" if step % 6 == 5 and "deal" in found else generator.choice(found))
        boards.append(game.after(boards[-1], moves[-1]))
    page = tmp_path / "spider.html"
    page.write_text(replay_page(replay(game, boards[0], "Deal 1", [Course("random", "", moves)])))
    at = visit(page.as_uri(), width=375, height=800)
    fits(at, 375)
    assert moves.count("deal") > 2
    last = None
    for board, move, state in zip(boards, ["", *moves], at.walk(len(moves), LIES), strict=True):
        assert len(state["framed"]) == (len(taken(last, move)) if move else 0)
        assert state["piles"][0] == seen(board.stock[::-1])
        assert state["piles"][-10:] == [seen(pile) for pile in board.piles]
        last = board


def test_keys_and_controls(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*FREECELL))
    page, count = at.page, at.page.locator(".moves button").count()

    def place() -> int:
        return int(at.text(".counter").partition(" /")[0])

    at.press("End")
    assert place() == count
    at.press("ArrowRight", "ArrowLeft", "ArrowLeft")
    assert place() == count - 2
    at.press("Home", "ArrowLeft")
    assert place() == 0
    # The mouse: buttons, a move of the list, the slider.
    at.click("Forward")
    assert place() == 1
    page.locator(".moves button").nth(9).click()
    assert place() == 10
    # With the focus in the list, the arrows step through it, and the focus goes along.
    at.press("ArrowRight")
    assert place() == 11 and at.focused().startswith("Move 11:")
    page.get_by_role("slider", name="Move").fill("30")
    assert place() == 30
    assert page.get_by_role("slider").get_attribute("aria-valuetext") == f"move 30 of {count}"
    # At the end a button keeps the focus, so that the keyboard can go on.
    page.get_by_role("button", name="Last position").press("Enter")
    assert place() == count and at.focused().startswith("Last position")
    # Space plays and pauses.
    at.press("Home")
    page.get_by_label("Moves played in a second").select_option("fast")
    page.evaluate("document.activeElement.blur()")
    at.press(" ")
    at.until(lambda: place() > 2)
    assert page.get_by_role("button", name="Pause").count() == 1
    at.press(" ")
    stopped = place()
    page.wait_for_timeout(250)
    assert place() == stopped < count
    # Typing in a field or with a modifier is no command.
    at.press("Control+End", "Shift+ArrowRight")
    assert place() == stopped


@pytest.mark.parametrize("name", ["freecell", "klondike"])
def test_controls_stand_still_on_a_phone(name: str, shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES[name]), width=375, height=812, has_touch=True)
    forward = at.page.get_by_role("button", name="Forward")
    box = forward.bounding_box()
    assert box
    for _ in range(5):
        at.page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    assert at.text(".counter").startswith("5 /")
    at.page.evaluate(SWIPE, [250, 60])
    assert at.text(".counter").startswith("6 /")
    at.page.evaluate(SWIPE, [60, 250])
    assert at.text(".counter").startswith("5 /")
    for window in ({"width": 375, "height": 812}, {"width": 812, "height": 375}):
        at.page.set_viewport_size(window)
        at.press("Home")
        places = {tuple(place) for place in at.walk(len(moves_of(at)), FORWARD)}
        assert len(places) == 1, places
        table = at.page.locator(".table").bounding_box()
        assert table and table["y"] + table["height"] <= window["height"]
        ((_, y),) = places
        assert 0 <= y <= window["height"] - 40


def test_the_last_move_is_framed_after_every_jump(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES["klondike"]))
    count = len(moves_of(at))
    framed = at.walk(count, FRAMED)
    assert framed[0] == [] and all(framed[1:])
    at.press("Home")
    slider = at.page.get_by_role("slider", name="Move")
    for place in (40, 12, count):
        at.page.locator(".moves button").nth(place - 1).click()
        assert at.page.evaluate(FRAMED) == framed[place]
        slider.fill(str(place - 3))
        assert at.page.evaluate(FRAMED) == framed[place - 3]
    at.press("Home", "End", "ArrowLeft")
    assert at.page.evaluate(FRAMED) == framed[count - 1]


def test_a_proof_stands_in_one_piece(shown: Shown, visit: Visiting) -> None:
    at = visit(shown("solve", 10, "--game", "klondike"))
    assert at.text("h2") == "This deal cannot be won"
    assert "draws of three cards and unlimited redeals" in at.text("header")
    assert "stock 24" in at.page.locator(".label").all_inner_texts()
    boxes = [one.bounding_box() for one in at.page.locator(".note").all()]
    assert len(boxes) == 5
    for above, below in pairwise(boxes):
        assert above and below and 0 <= below["y"] - above["y"] - above["height"] < 30


def test_side_by_side_each_board_says_where_it_is(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES["side-by-side"]), 1440, 900)
    tops = {round(one.bounding_box()["y"]) for one in at.page.locator(".felt").all()}
    assert len(tops) == 1
    at.press("End")
    for moves in at.page.locator(".moves").all():
        # The last move lies within its list, and the list within the window.
        assert moves.evaluate(SEEN)
        assert moves.evaluate("(moves) => moves.getBoundingClientRect().bottom <= innerHeight")
    assert at.page.locator(".done:visible").count() == 3
    lengths = [int(text.split()[2]) for text in at.page.locator(".done").all_inner_texts()]
    at.page.get_by_role("slider", name="Move").fill(str(min(lengths)))
    assert at.page.locator(".done:visible").count() == lengths.count(min(lengths))
    # A phone shows one of them, with the same move.
    at.page.set_viewport_size({"width": 375, "height": 812})
    assert at.page.locator(".board:visible, .detail:visible").count() == 2
    at.click("best-first")
    assert at.page.locator(".board:visible h2").inner_text() == "best-first"
    assert at.page.locator(".detail:visible .moves").evaluate(SEEN)
    at.must_be_sound()


def test_the_address_names_the_move(shown: Shown, visit: Visiting) -> None:
    at = visit(f"{shown(*FREECELL)}#move=40")
    assert at.text(".counter").startswith("40 /")
    at.press("ArrowRight", "ArrowRight")
    at.until(lambda: at.page.url.endswith("#move=42"))
    at.page.reload()
    assert at.text(".caption").startswith("Move 42 ")


@pytest.mark.long
def test_one_stop_of_the_tab_key_for_each_part(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*FREECELL))
    at.press("ArrowRight")
    order = []
    for _ in range(11):
        at.press("Tab")
        order.append(at.focused())
    assert [name.partition(" (")[0].partition(":")[0] for name in order] == [
        "First position", "Back", "Play", "Forward", "Last position",
        "Moves played in a second", "Move", "Play on from here", "Move 1", "How to read the moves",
        "",
    ]  # fmt: skip


@pytest.mark.long
def test_what_a_screen_reader_hears(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES["side-by-side"]))
    said = at.page.locator("[role=status]")
    assert said.count() == 1
    assert said.inner_text() == ""
    at.press("ArrowRight")
    at.until(said.inner_text)
    assert re.match(r"fast: Move 1 of \d+: .* fastest: Move 1 of ", said.inner_text())


def test_notation_is_explained_on_hover_and_focus(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*FREECELL))
    tip = at.page.locator(".tip")
    assert not tip.is_visible()
    button = at.page.locator(".moves button").nth(3)
    button.hover()
    assert tip.is_visible()
    assert re.fullmatch(r"the \w\w from .*", tip.inner_text())
    assert tip.inner_text() in button.get_attribute("aria-label")
    at.press("Escape")
    assert not tip.is_visible()
    at.page.get_by_text("How to read the moves").click()
    assert "Cascades are 1, 2" in at.text(".legend p")


@pytest.mark.long
def test_hidden_cards_stay_hidden_until_asked_for(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES["hidden"]))
    unknown = at.page.locator(".card.unknown")
    # Those in the piles; the player knows the stock.
    assert unknown.count() == 21
    assert "It knows those of the stock" in at.text(".knows")
    assert "unknown" not in at.spoken()[0]
    assert "6 unknown cards" in at.spoken()[-1]
    assert not [name for name in unknown.locator("b").all() if name.is_visible()]
    at.page.get_by_label("Show hidden cards").check()
    assert unknown.count() == 0
    assert ", face down" in at.spoken()[-1]
    at.page.get_by_label("Show hidden cards").uncheck()
    assert unknown.count() == 21
    # What the player thought, with the chosen move first.
    while not at.page.locator(".thoughts li").count():
        at.press("ArrowRight")
    assert at.page.locator(".thoughts li").count() > 1
    assert "chosen" in at.text(".thoughts li:first-child .words")
    assert re.search(r"\d\.\d %", at.text(".thoughts li:first-child"))


def test_chances_belong_to_the_decision_that_gave_them(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES["hidden"]))
    back = at.page.get_by_role("button", name="Show the decision")
    while not back.count():
        at.press("ArrowRight")
    last = int(at.text(".counter").partition(" /")[0])
    told = at.text(".thoughts")
    first = int(re.match(r"Decided after move (\d+); step 2 of \d+ of what", told)[1])
    assert first == last - 1
    assert "gave each move then" in told
    # Each chance has its interval and its sample in words.
    rows = at.page.locator(".thoughts li").all_inner_texts()
    assert all(re.search(r"\d\.\d to \d+\.\d\s%, \d+ sample", row) for row in rows)
    back.click()
    assert at.text(".counter").startswith(f"{first} /")
    assert "gives each move here" in at.text(".thoughts")
    assert at.page.locator(".thoughts li").all_inner_texts() == rows
    # The keys still step through the game.
    at.press("ArrowRight")
    assert back.count() == 1
    assert "are corrected" in at.text(".note >> nth=0")


def test_covered_cards_show_their_letters(shown: Shown, visit: Visiting) -> None:
    """A letter that is cut reads as another one: J as I, and Q as O."""
    for width in (375, 1440):
        at = visit(shown(*PAGES["klondike"]), width=width, height=667)
        for _ in range(2):
            covered = at.page.evaluate(COVERED)
            assert len(covered) > 12
            assert max(covered) <= 0
            at.page.get_by_role("slider", name="Move").fill("40")


def test_the_row_raises_the_cards_that_draws_bring_up(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES["klondike"]), 375, 800)
    position, moves = KlondikePosition.from_board(klondike(3)), moves_of(at)[:30]
    for move, (said, cards, lifted) in zip([None, *moves], at.walk(len(moves), ROW), strict=True):
        if move:
            position.play(move)
        board = position.board
        assert cards == len(board.waste) + len(board.stock)
        talon = [*board.waste, *board.stock]
        raised = "; ".join(in_words(talon[place]) for place in board.reachable)
        assert said.partition(": ")[2] == raised
        assert lifted == list(board.reachable)
    assert "can be reached next" in at.text(".key")
    for width in (375, 1440):
        at.page.set_viewport_size({"width": width, "height": 800})
        fits(at, width)


def test_the_row_hides_a_stock_that_nobody_has_seen(shown: Shown, visit: Visiting) -> None:
    at = visit(shown("play", 3, "--policy", "greedy", "--variant", "stock=hidden"))
    cards = at.page.locator(".small-card")
    assert set(cards.all_inner_texts()) == {"?"}
    # Unknown cards that are drawn have a frame, whatever lies on the waste already.
    draws = [move == "draw" for move in at.page.locator(".moves button").all_inner_texts()]
    second = next(place for place in range(1, len(draws)) if draws[place - 1] and draws[place])
    at.page.locator(".moves button").nth(second).click()
    assert len(at.page.evaluate(FRAMED)) == 3
    at.press("Home")
    box = at.page.get_by_label("Show hidden cards")
    assert box.evaluate("(box) => box.getBoundingClientRect().bottom < 200")
    box.check()
    assert "?" not in cards.all_inner_texts()
    assert at.page.locator(".small-card.marked").count() == 0


def test_pages_fit(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*FREECELL), 375, 800)
    at.press("End")
    for width in (375, 1440):
        at.page.set_viewport_size({"width": width, "height": 800})
        fits(at, width)


def fits(at: Visit, width: int) -> None:
    """Nothing is wider than the window, the controls are seen, and a finger can hit them."""
    assert at.page.evaluate("document.documentElement.scrollWidth") == width
    felt = at.page.locator(".felt").first.bounding_box()
    assert felt and felt["x"] >= 0 and felt["x"] + felt["width"] <= width
    for button in at.page.locator(".controls button").all():
        if "rare" in (button.get_attribute("class") or "") and width < 576:
            # These come at the end of the page, so that the others take one row.
            continue
        box = button.bounding_box()
        assert box and min(box["width"], box["height"]) >= 40
        assert box["y"] + box["height"] <= 800
    for button in at.page.locator(".moves button").all()[:5]:
        box = button.bounding_box()
        assert box and min(box["width"], box["height"]) >= 24


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 375, 768, 1440, 2560])
@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits(name: str, width: int, shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES[name]), width=width, height=800)
    for key in ("ArrowRight", "End"):
        at.press(key)
        fits(at, width)


@pytest.mark.long
# The last one is as on a screen of 1440 pixels enlarged four times.
@pytest.mark.parametrize("options", [*WINDOWS, {"width": 360, "height": 225}])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(
    name: str, options: dict[str, Any], shown: Shown, visit: Visiting
) -> None:
    at = visit(shown(*PAGES[name]), **options)
    for keys in ([], ["ArrowRight"] * 5, ["End"]):
        at.press(*keys)
        assert at.serious_findings() == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["freecell", "side-by-side", "klondike", "hidden", "pyramid"])
def test_every_page_plays_to_its_end(name: str, shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*PAGES[name]), reduced_motion="no-preference")
    at.page.get_by_label("Moves played in a second").select_option("fast")
    at.page.get_by_role("slider").fill(str(max(0, int(at.text(".counter").split()[-1]) - 12)))
    at.click("Play")
    at.page.get_by_role("button", name="Pause").wait_for()
    at.page.get_by_role("button", name="Play").wait_for()
    here, _, there = at.text(".counter").partition(" / ")
    assert here == there


@pytest.mark.long
@pytest.mark.parametrize(("motion", "moves_slowly"), [("reduce", False), ("no-preference", True)])
def test_reduced_motion(motion: str, moves_slowly: bool, shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*FREECELL), reduced_motion=motion)
    lasts = at.page.locator(".card").first.evaluate(
        "(card) => getComputedStyle(card).transitionDuration"
    )
    assert (lasts != "0s") == moves_slowly


@pytest.mark.long
def test_without_scripts_the_moves_are_there(shown: Shown, visit: Visiting) -> None:
    at = visit(shown(*FREECELL), java_script_enabled=False)
    assert re.search(r"(\w\w(v\d)? ){50}", at.page.locator("noscript").inner_text())
