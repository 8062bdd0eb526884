"""Games played on the page of the app: by mouse, by touch and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from visits import Server, Visit, seen

import gafreecell
from gafreecell.solitaire.game import game as find_game

Visiting = Callable[..., Visit]
RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
HOMES = {suit.upper(): f"foundation of {name}" for suit, name in SUITS.items()}
NAMES = {
    "freecell": lambda label: f"cascade {label}" if label.isdigit() else f"cell {label}",
    "klondike": lambda label: {"w": "waste", **HOMES}.get(label, f"pile {label}"),
    "forty-thieves": lambda label: f"pile {label}",
}
_CARDS = """([x, y]) => {
  const boxes = (what) => [...document.querySelectorAll(what)]
    .filter((one) => getComputedStyle(one).visibility === "visible")
    .map((one) => one.getBoundingClientRect());
  const under = boxes(".place").filter((one) => one.x === x && one.y > y + 5);
  const end = Math.min(...under.map((one) => one.y)) - 2;
  const own = (box) => box.x > x - 2 && box.x < x + box.width && box.y > y - 2 && !(box.y > end);
  return boxes(".card").filter(own).map((box) => [box.x, box.y])
    .sort((one, other) => one[1] - other[1] || one[0] - other[0]);
}"""
"""The corners of the cards of a pile, the deepest first, from the pile's corner."""
_TOUCH = """([from, to]) => {
  const table = document.querySelector(".table");
  // A finger that the browser does not know cannot be captured.
  table.setPointerCapture = () => {};
  const touch = (kind, [clientX, clientY], on = table) => on.dispatchEvent(new PointerEvent(
    kind, { bubbles: true, pointerType: "touch", pointerId: 1, clientX, clientY },
  ));
  touch("pointerdown", from, document.elementFromPoint(...from));
  for (const share of [0.3, 0.6, 1]) {
    touch("pointermove", from.map((one, at) => one + share * (to[at] - one)));
  }
  touch("pointerup", to);
}"""
"""Drag with a finger."""


def solution(deal: int, game: str) -> list[str]:
    moves = gafreecell.solve(deal, game=game).moves
    assert moves
    return list(moves)


class Table:
    """A game on the page, whose piles are known by their labels.

    Args:
        at: the page.
        game: what is played.
        moves: those of the whole game.
        left: how many of them are left to play.
    """

    def __init__(self, at: Visit, game: str, moves: list[str], left: int) -> None:
        self.at, self.game, self.moves = at, game, moves
        self.done = len(moves) - left
        at.page.locator(".settings").wait_for()
        home = at.page.get_by_label("Cards go home")
        if home.count():
            home.select_option(label="by hand")
        self.must_have(self.done)

    def must_have(self, moves: int) -> None:
        """Wait until so many moves are made and the next can be made."""
        told = f"{moves} move{'s' * (moves != 1)}"
        page = self.at.page
        ready = page.locator(".free, #replay.won")
        self.at.until(lambda: self.at.text(".counter") == told and ready.count())

    def corner(self, label: str, count: int = 1) -> tuple[float, float]:
        """A point in the corner of a pile's top card, of one below it, or of an empty place."""
        name = {"h": "foundation"}.get(label) or NAMES[self.game](label)
        place = self.at.page.locator(f".spot[aria-label^='{name}']").first.bounding_box()
        assert place is not None
        cards = self.at.page.evaluate(_CARDS, [place["x"], place["y"]])
        x, y = cards[-count] if cards and label != "h" else (place["x"], place["y"])
        return x + 0.8 * place["width"], y + 5

    def play(self, how: Callable[[Table, str], None], way: str) -> None:
        """Play the moves that are left, in one way; the controls stand still meanwhile."""
        page = self.at.page
        turn: dict[str, Callable[[], None]] = {
            "mouse": lambda: page.mouse.click(*stock_of(self.at)),
            "touch": lambda: page.touchscreen.tap(*stock_of(self.at)),
            "keyboard": lambda: page.locator(".spot[aria-label^='stock']").press("Enter"),
        }
        undo, stands = self.at.page.get_by_role("button", name="Undo"), set()
        for number, move in enumerate(self.moves[self.done :], start=self.done + 1):
            if move.lower() in ("draw", "redeal", "recycle"):
                turn[way]()
            else:
                how(self, move)
            self.must_have(number)
            stands.add(tuple((undo.bounding_box() or {}).values()))
        assert len(stands) == 1
        assert self.at.text(".done") == f"Won in {len(self.moves)} moves"


def number_of(move: str) -> int:
    """How many cards a move takes."""
    return int(move.partition("v")[2] or "1", 16)


def by_mouse(table: Table, move: str) -> None:
    """A click on the card and one where it goes; a double click brings a card home."""
    page, source = table.at.page, table.corner(move[0], number_of(move))
    page.mouse.click(*source)
    page.mouse.click(*(source if move[1] == "h" else table.corner(move[1])))


def by_touch(table: Table, move: str) -> None:
    """A finger drags the cards, or taps twice to bring one home."""
    source = table.corner(move[0], number_of(move))
    if move[1] == "h":
        table.at.page.touchscreen.tap(*source)
        table.at.page.touchscreen.tap(*source)
    else:
        table.at.page.evaluate(_TOUCH, [source, table.corner(move[1])])


def by_keyboard(table: Table, move: str) -> None:
    """The labels of two piles; a card comes back from its foundation by the place that it has."""
    if move[0] in HOMES:
        table.at.page.locator(f".spot[aria-label^='{HOMES[move[0]]}']").press("Enter")
        table.at.press(move[1])
    else:
        table.at.press(move[0], move[1])


def spot_of(table: Table, card: str) -> Any:
    """The place on which a card of Pyramid lies on top."""
    rank, suit = card[:-1], SUITS[card[-1]]
    return table.at.page.locator(f".spot[aria-label$=' {RANKS.get(rank, rank)} of {suit}']")


def removed(table: Table, move: str, way: str) -> None:
    """Remove one or two cards from Pyramid; a click on the stock would draw."""
    spots = [spot_of(table, card) for card in re.findall(r"\b[A2-9TJQK][cdhs]\b", move)]
    spots.sort(key=lambda one: one.get_attribute("aria-label").startswith("stock"))
    boxes = [spot.bounding_box() for spot in spots]
    # The lower half of a card may lie under the next row's cards.
    points = [(box["x"] + box["width"] / 2, box["y"] + 6) for box in boxes]
    if way == "keyboard":
        for spot in spots:
            spot.press("Enter")
    elif way == "touch" and len(points) == 2:
        table.at.page.evaluate(_TOUCH, points)
    else:
        for point in points:
            table.at.page.mouse.click(*point)


WAYS: dict[str, Any] = {"mouse": by_mouse, "touch": by_touch, "keyboard": by_keyboard}


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_a_game_of_pyramid_is_won(server: Server, visit: Visiting, way: str) -> None:
    touch = {"has_touch": True, "width": 375, "height": 812} if way == "touch" else {}
    table = begun(server, visit, "pyramid", 7, 999, **touch)
    table.play(lambda table, move: removed(table, move, way), way)


def begun(server: Server, visit: Visiting, game: str, deal: int, left: int, **window: Any) -> Table:
    moves = solution(deal, game)
    left = min(left, len(moves))
    made = ".".join(moves[: len(moves) - left])
    state = urlencode({"text": deal, "ask": "play", "moves": made})
    return Table(visit(f"{server.address}/play/{game}#{state}", **window), game, moves, left)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("game", "deal", "left"),
    [
        # The last moves of this one go to a cascade, to a cell and home, also from the cell.
        ("freecell", 468, 7),
        *(pytest.param(g, 164, 999, marks=pytest.mark.long) for g in ("freecell", "klondike")),
    ],
)
def test_a_game_is_won(
    server: Server, visit: Visiting, game: str, deal: int, left: int, way: str
) -> None:
    touch = {"has_touch": True, "width": 375, "height": 812} if way == "touch" else {}
    begun(server, visit, game, deal, left, **touch).play(WAYS[way], way)


def test_the_coach_knows_games_with_two_decks(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/double-freecell-traditional#text=1&ask=play")
    at.page.locator(".light.won").wait_for()
    at.click("Hint")
    at.page.get_by_role("button", name="Play it and go on").click()
    at.until(lambda: at.text(".counter") == "1 move")


def test_a_hint_with_a_hidden_stock_is_played(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/klondike#text=3&ask=play")
    at.page.locator(".light.open").wait_for()
    at.press("?")
    play = at.page.get_by_role("button", name="Play it and go on")
    play.wait_for()
    # The trip through the stock comes first; the other moves are listed after it.
    listed = at.page.locator("ol.hints .notation").all_inner_texts()
    assert listed == ["draw 8 times, redeal", "3h", "5h", "61"]
    play.click()
    at.until(lambda: at.text(".counter") == "9 moves")


_LIES = """() => Object.fromEntries([...document.querySelectorAll(".card")].map((card) => {
  const all = (window.known ||= []);
  if (!all.includes(card)) all.push(card);
  return [all.indexOf(card), card.style.transform];
}))"""
"""Where each card lies, by a number of its own."""


def test_of_two_decks_the_card_moves_that_was_chosen(server: Server, visit: Visiting) -> None:
    game: Any = find_game("forty-thieves")
    board, moves = game.read_deal(46), ["10-3", "9-2", "7-10", "3-10"]
    # The coach would think longer than the test.
    at = visit(f"{server.address}/play/forty-thieves#text=46&ask=play")
    at.page.get_by_label("Coach").uncheck()
    table = Table(at, "forty-thieves", moves, len(moves))
    for number, move in enumerate(moves, start=1):
        before = at.page.evaluate(_LIES)
        for label in move.split("-"):
            at.page.mouse.click(*table.corner(label))
        table.must_have(number)
        board, after = game.after(board, move), at.page.evaluate(_LIES)
        assert len([card for card in before if before[card] != after[card]]) == 1
        assert at.piles()[-10:] == [seen(pile) for pile in board.piles]
    at.page.mouse.click(*stock_of(at))
    table.must_have(len(moves) + 1)
    board = game.after(board, "draw")
    assert at.piles()[1] == seen(board.waste)


def test_of_two_decks_the_same_card_goes_back(server: Server, visit: Visiting) -> None:
    state = urlencode({"text": 46, "ask": "play", "moves": "10-3.9-2.7-10.3-10"})
    at = visit(f"{server.address}/play/forty-thieves#{state}")
    at.page.get_by_label("Coach").uncheck()
    at.until(lambda: at.text(".counter") == "4 moves")
    for left in (3, 2, 1, 0):
        before = at.page.evaluate(_LIES)
        at.press("Control+z")
        at.until(lambda told=f"{left} of 4 moves": at.text(".counter") == told)
        at.page.locator(".free").first.wait_for()
        after = at.page.evaluate(_LIES)
        assert len([card for card in before if before[card] != after[card]]) == 1


_SIGN = "(place) => getComputedStyle(place, '::after').content"


def stock_of(at: Visit) -> tuple[float, float]:
    box = at.page.locator(".spot[aria-label^=stock]").bounding_box()
    assert box is not None
    return box["x"] + 5, box["y"] + 5


def test_the_empty_stock_of_klondike_turns_the_waste_over(server: Server, visit: Visiting) -> None:
    state = urlencode({"text": 164, "ask": "play", "moves": ".".join(["draw"] * 7)})
    at = visit(f"{server.address}/play/klondike#{state}", width=375, height=812)
    table = Table(at, "klondike", ["draw"] * 7, 0)
    waste = at.page.locator(".spot[aria-label^=waste]")
    at.page.mouse.click(*stock_of(at))
    table.must_have(8)
    sign = at.page.locator(".place.tapped").evaluate(_SIGN)
    assert sign == '"\u21bb"'
    cards = str(waste.get_attribute("aria-label"))
    at.page.mouse.click(*stock_of(at))
    table.must_have(9)
    assert (waste.get_attribute("aria-label"), cards.count(";")) == ("waste: empty", 23)


def test_the_coach_tells_which_move_lost(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell#text=617&ask=play")
    light, counter = at.page.locator(".light"), at.page.locator(".counter")
    at.page.locator(".light.won").wait_for()
    at.press(*"1a2b3c4d")
    at.page.get_by_text("Move 3, 3c, lost the win.").wait_for()
    assert light.inner_text() == "Cannot be won any more"
    assert at.page.locator(".moves .bad").all_inner_texts() == ["3c"]
    at.click("Back to before it")
    at.page.locator(".light.won").wait_for()
    assert counter.inner_text() == "2 of 4 moves"
    # What the coach found is the answer, as long as one plays it.
    at.click("Hint")
    at.page.get_by_role("button", name="Play it and go on").wait_for()
    assert at.page.locator(".goal").count() == 1
    assert re.search(
        "the [0-9AJQK]+[\u2663\u2666\u2665\u2660]", at.page.locator(".advice").last.inner_text()
    )
    asked = sum("/api/coach" in one for one in at.requests)
    at.click("Play it and go on")
    at.until(lambda: counter.inner_text() == "3 moves")
    assert sum("/api/coach" in one for one in at.requests) == asked
    assert light.inner_text() == "Can be won"
    # The address holds the game, and the browser keeps it.
    at.until(lambda: "move=3" in at.page.url)
    at.page.reload()
    at.until(lambda: counter.count() and counter.inner_text() == "3 moves")
    at.press("Control+z", "Control+z")
    at.until(lambda: counter.inner_text() == "1 of 3 moves")
    at.press("Control+y")
    at.until(lambda: counter.inner_text() == "2 of 3 moves")
    at.click("Other deal")
    at.page.get_by_text("Your games").click()
    assert at.page.locator("#games a").all_inner_texts() == ["Deal 617: 3 moves"]


_BOXES = """(selector) => [...document.querySelectorAll(selector)]
  .map((one) => one.getBoundingClientRect()).filter(({ width }) => width)
  .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
"""The left, top, right and bottom of what is seen of a selector."""


@pytest.mark.parametrize(
    ("game", "width", "height"),
    [("pyramid", 1440, 900), ("klondike", 1440, 900), ("freecell", 812, 375)],
)
def test_a_game_in_play_fits_the_window(
    server: Server, visit: Visiting, game: str, width: int, height: int
) -> None:
    at = visit(f"{server.address}/play/{game}", width, height)
    (dealt,) = at.page.evaluate(_BOXES, ".dealt .felt")
    assert dealt[2] - dealt[0] >= 300
    moves = solution(617, "freecell") if game == "freecell" else []
    state = urlencode({"text": 617, "ask": "play", "moves": ".".join(moves)})
    at.page.goto(f"{server.address}/play/{game}#{state}")
    at.page.locator("#replay.won" if moves else ".playing .free").first.wait_for()
    assert at.page.locator("form").is_hidden()
    (felt,), (controls,) = (at.page.evaluate(_BOXES, one) for one in (".felt", ".controls"))
    assert felt[3] <= height
    assert felt[3] - felt[1] >= 0.75 * height
    if moves:
        (banner,) = at.page.evaluate(_BOXES, ".banner")
        assert controls[0] >= felt[2]
        assert felt[1] <= banner[1] <= banner[3] <= felt[3]
    else:
        (head,) = at.page.evaluate(_BOXES, "h2")
        assert controls[1] >= felt[3]
        assert head[0] == felt[0] == controls[0] == 16


def test_games_of_two_decks_begin_with_any_deal(server: Server, visit: Visiting) -> None:
    for game, kind in (("freecell", "winnable"), ("spider", "any")):
        at = visit(f"{server.address}/play/{game}")
        assert at.page.get_by_label("Deals", exact=True).input_value() == kind


def test_all_tabs_are_seen_on_a_phone(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/double-freecell-traditional", width=375, height=812)
    boxes = at.page.evaluate(_BOXES, "nav a")
    assert all(left >= 0 and right <= 375 for left, _, right, _ in boxes)
    for place, (left, top, *_) in enumerate(boxes):
        assert all(left >= right or top >= bottom for _, _, right, bottom in boxes[:place])


def test_a_finished_game_is_reviewed(server: Server, visit: Visiting) -> None:
    moves = solution(164, "freecell")
    state = urlencode({"text": 164, "ask": "play", "moves": ".".join(moves)})
    at = visit(f"{server.address}/play/freecell#{state}", width=375, height=812)
    at.click("Review this game")
    at.page.get_by_text("No move of this game lost the win.").wait_for()
    told = re.search(
        r"The shortest solution that the coach found has (\d+) moves", at.text(".detail")
    )
    assert told and int(told[1]) <= len(moves)
    assert "without a hint" in at.text(".banner")
    at.must_be_sound()
    at.click("Next game")
    at.page.get_by_role("heading", name="Deal 165").wait_for()


def test_cards_go_home_by_themselves(server: Server, visit: Visiting) -> None:
    moves = solution(164, "freecell")
    left = 4
    table = begun(server, visit, "freecell", 164, left)
    table.at.page.get_by_label("Cards go home").select_option(label="as soon as they can")
    # Of the last moves all bring cards home.
    table.at.until(lambda: table.at.page.locator("#replay.won").count())
    assert table.at.text(".counter") == f"{len(moves)} moves"
    # They are taken back together, with the move before them.
    table.at.press("Control+z")
    assert table.at.text(".counter") == f"{len(moves) - left - 1} of {len(moves)} moves"


def test_klondike_goes_on_with_its_cards_shown(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/klondike#text=164&ask=play&moves=draw")
    at.page.get_by_label("Show hidden cards").check()
    at.page.locator(".light.won").wait_for()
    assert at.page.locator(".card.down:not(.unknown)").count() == 42
    assert at.page.locator(".card.unknown:visible").count() == 0
    # The last move is told in words, with the cards that it turned up.
    assert at.text(".caption").startswith(
        "draw \u2013 turn three cards of the stock onto the waste: 9"
    )


def test_a_game_without_moves_is_over(server: Server, visit: Visiting) -> None:
    game: Any = find_game("golf")
    board, moves = game.read_deal(5), []
    while legal := game.legal_moves(board):
        moves.append(legal[-1])
        board = game.after(board, legal[-1])
    state = urlencode({"text": 5, "ask": "play", "moves": ".".join(moves)})
    at = visit(f"{server.address}/play/golf#{state}")
    at.page.locator(".banner").wait_for()
    assert at.text(".banner .done") == "No move is left"
    at.page.get_by_text("lost the win").wait_for()
    assert at.page.get_by_role("button", name="Review this game").count() == 2
    at.must_be_sound()
    at.click("New game")
    at.until(lambda: at.text(".counter") == "0 moves")
    assert at.text("h2") != "Deal 5"


def test_a_game_is_found_by_its_rules(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/games")
    games = at.page.locator(".names li:visible a")
    all_games = games.count()
    at.page.get_by_label("Find").fill("spider SUIT")
    assert 0 < games.count() < 10 < all_games
    assert "Spider" in games.all_inner_texts()
    at.page.get_by_role("link", name="Spider", exact=True).click()
    at.page.get_by_role("heading", name="Spider").wait_for()


def test_an_address_may_leave_the_quotes_of_a_word_out(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/klondike#text=3&stock=hidden&ask=play")
    at.page.locator(".settings").wait_for()
    assert "a hidden stock" in at.text(".detail > .about:last-child")
