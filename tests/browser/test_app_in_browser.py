"""The local app as a person uses it: boards pasted and put together, hints, a run watched."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from screenshots import POSITION
from visits import WINDOWS, Server, Visit, serving

from deals.cards import card_name
from gafreecell.solitaire.game import game as find_game

Visiting = Callable[..., Visit]
JOB = """
name = "watched"
generations = 500
game = "toy"
seed = 5
trained = {search = "think", nodes = 20_000}
solvers = {population = 8}
problems = {population = 6, deals = 3, every = 2}
deals = {train = "1-60", validation = "101-105"}
"""


def test_a_deal_is_solved_and_shown(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell")
    at.board.fill("617")
    at.press("Enter")
    at.page.locator(".moves button").first.wait_for()
    assert at.text("#said") == "Deal 617: solved in 92 moves"
    # The table is in view, and the keys step through it; the space bar presses no button.
    assert at.page.locator(".controls").is_visible()
    at.press(" ")
    at.page.get_by_role("button", name="Pause").wait_for()
    at.press("End", "ArrowLeft")
    assert at.text(".counter") == "91 / 92"


def test_every_state_has_an_address(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell")
    counter = at.page.locator(".counter")
    at.board.fill("617")
    at.press("Enter")
    counter.wait_for()
    at.press("ArrowRight", "ArrowRight")
    at.until(lambda: "move=2" in at.page.url)
    at.board.fill("164")
    at.page.get_by_label("Free cells").fill("3")
    at.click("Solve")
    at.until(lambda: at.text("#said").startswith("Deal 164"))
    at.page.go_back()
    at.until(lambda: counter.count() and counter.inner_text() == "2 / 92")
    assert at.board.input_value() == "617"
    assert at.page.get_by_label("Free cells").input_value() == "4"
    at.page.go_forward()
    at.until(lambda: at.text("#said").startswith("Deal 164"))
    assert at.page.get_by_label("Free cells").input_value() == "3"
    at.page.reload()
    at.until(lambda: at.text("#said").startswith("Deal 164"))
    # The next visit begins with what the form held.
    at.page.goto(f"{server.address}/play/freecell")
    assert at.board.input_value() == "164"
    assert at.page.get_by_label("Free cells").input_value() == "3"
    assert counter.count() == 0


def test_a_wrong_board_is_refused_in_words(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/klondike")
    script = "<script>alert(1)</script>"
    for wrong, said in ("KH QX", "'QX' is not a card"), ("0", "deal"), (script, "<script>"):
        at.board.fill(wrong)
        at.click("Solve")
        fault = at.page.locator("#said .fault").filter(has_text=said)
        fault.wait_for()
        assert "Traceback" not in fault.inner_text()
        # What was typed stays, to be mended.
        assert at.board.input_value() == wrong
    # The browser itself notes the server's refusals, and nothing else.
    assert {re.sub(r"\d+ \(.*", "", error) for error in at.errors} == {
        "Failed to load resource: the server responded with a status of "
    }
    at.errors.clear()


def test_a_hint_with_unknown_cards(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/klondike", width=375, height=812)
    at.board.fill(POSITION)
    at.click("Hint")
    first = at.page.locator(".hints li button", has_text="the 2\u2663\ufe0e from the waste").first
    first.wait_for()
    assert re.match(
        r"w6 \d\d\.\d % \d\d\.\d to \d+\.\d %, [\d,]+ samples "
        "the 2\u2663\ufe0e from the waste onto the 3\u2666\ufe0e",
        " ".join(first.inner_text().split()),
    )
    assert at.page.get_by_text(
        re.compile("use them only to compare|The chances are corrected")
    ).count()
    assert at.page.locator(".card.unknown").count() >= 14
    assert "6 unknown cards; king of spades; queen of hearts" in at.spoken()[-1]
    first.click()
    assert first.get_attribute("aria-pressed") == "true"
    assert "3 of diamonds; 2 of clubs" in at.spoken()[-2]
    # Of several steps, the last one is marked, too.
    other = at.page.locator(".hints li button", has_text="draw 2 times").first
    move = other.locator(".notation").inner_text()
    other.click()
    assert at.page.locator(".card.moved").count() == 1
    at.until(lambda: f"hint={move}&" in at.page.evaluate("location.hash"))
    at.page.reload()
    at.page.locator(".hints [aria-pressed=true]", has_text="draw 2 times").wait_for()
    assert at.page.locator(".card.moved").count() == 1
    at.must_be_sound()


def test_a_board_is_read_in_the_way_that_is_chosen(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell")
    deal = find_game("freecell").read_deal(164)
    rows = [[card_name(pile[row]) for pile in deal.cascades if len(pile) > row] for row in range(7)]
    at.board.fill("\n".join(map(" ".join, rows)))
    at.click("Solve")
    at.click("Read its lines as rows")
    at.page.locator(".moves button").first.wait_for()
    assert at.page.get_by_label("Lines of a pasted board").input_value() == "rows"
    # A board of another game is taken there.
    klondike = find_game("klondike")
    board = klondike.write_board(klondike.read_deal(3))
    at.board.fill(board)
    at.click("Hint")
    at.click("Read it as a board of Klondike")
    at.page.get_by_role("heading", name="Klondike").wait_for()
    # The heading is there before the script has filled in the board.
    at.until(lambda: at.board.input_value() == board)
    assert at.page.url.startswith(f"{server.address}/play/klondike#")
    # Putting a board together begins with it.
    at.click("Put a board together")
    composer = at.page.locator("#composer")
    assert "Deal" not in at.text("#said")
    label = composer.get_by_role("button", name="pile 2").get_attribute("aria-label")
    assert label == "pile 2: 8 of hearts, face down; jack of diamonds"
    composer.get_by_role("button", name="Use this board").click()
    at.until(composer.is_hidden)
    assert at.board.input_value() == board
    at.errors.clear()


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("freecell", {"Free cells": ("2", "3"), "Cascades of the tableau": ("7", "9")}),
        (
            "klondike",
            {
                "Cards a draw turns": ("3", "1"),
                "Redeals": ("2", '"unlimited"'),
                "Stock": ('"known"', '"hidden"'),
            },
        ),
    ],
)
def test_each_option_can_be_chosen(
    server: Server, visit: Visiting, game: str, options: dict[str, tuple[str, str]]
) -> None:
    at = visit(f"{server.address}/play/{game}")
    at.unfold()
    sent: list[Any] = []
    at.on(
        "request", lambda one: sent.append(one.post_data_json) if "/api/board" in one.url else None
    )
    wanted: dict[str, Any] = {}
    for option, values in options.items():
        field = at.page.locator("form").get_by_label(option, exact=True)
        assert game == "freecell" or len(str(field.get_attribute("title"))) > len(option)
        for chosen in values:
            if field.evaluate("(field) => field.tagName") == "SELECT":
                field.select_option(chosen)
            else:
                field.fill(chosen)
                field.blur()
            at.board.fill("AC")
            at.click("Put a board together")
            at.until(lambda: sent)
            name = str(field.get_attribute("data-option"))
            usual = field.get_attribute("data-default")
            wanted = {key: value for key, value in wanted.items() if key != name}
            wanted |= {} if chosen == usual else {name: json.loads(chosen)}
            assert sent.pop()["variant"] == wanted
            at.page.locator("#composer").get_by_role("button", name="Use this board").wait_for()
            at.click("Put a board together")
    # What is not a value is told by the browser, and nothing is asked.
    if field.evaluate("(field) => field.tagName") == "INPUT":
        field.fill("")
        at.click("Hint")
        assert at.page.locator("#cancel").is_hidden()
        assert field.evaluate("(field) => !field.validity.valid")
    at.errors.clear()


def test_a_board_that_is_put_together_keeps_its_rules(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/klondike")
    klondike = find_game("klondike").vary(draw=1, redeals=2)
    for game in (klondike, klondike.vary(stock="hidden")):
        board = klondike.write_board(game.read_deal(3))
        at.board.fill(board)
        at.click("Put a board together")
        at.click("Use this board")
        at.until(at.page.locator("#composer").is_hidden)
        assert at.board.input_value() == board
    # The hint is for these rules, too, and comes from a player, as nobody has seen the stock.
    at.click("Hint")
    at.page.locator(".hints li button .sure").first.wait_for()
    rules = "Klondike with draws of one card, two redeals and a hidden stock: The"
    assert f"Your board, {rules}" in at.text("#said")
    assert at.text(".caption").endswith("2 redeals left")


def test_a_table_keeps_its_cards_when_an_option_changes(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell")
    at.board.fill("")
    at.click("Put a board together")
    composer = at.page.locator("#composer")
    card = composer.get_by_role("toolbar", name="Cards").get_by_label
    card("king of clubs").click()
    composer.get_by_role("button", name="cell d").click()
    card("queen of hearts").click()
    at.page.get_by_label("Free cells").fill("3")
    at.page.get_by_label("Free cells").blur()
    at.until(lambda: composer.get_by_role("button", name="cell d").count() == 0)
    cascade = composer.get_by_role("button", name="cascade 1")
    assert cascade.get_attribute("aria-label") == "cascade 1: king of clubs"
    assert at.text("#said") == "1 card lies on the table no more, as its place is gone."
    # All lower cards would lie on the foundation, too.
    card("2 of spades").click()
    composer.get_by_role("button", name="foundation of spades").click()
    card("5 of spades").click()
    assert at.text("#said").startswith("The 2 of spades lies in ")
    assert composer.get_by_role("button", name="foundation of spades: empty").count() == 1


def test_a_board_is_typed_card_by_card(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell")
    at.board.fill("164")
    at.click("Put a board together")
    composer = at.page.locator("#composer")
    # It begins with the deal in the field.
    composer.get_by_text("All 52 cards lie on the table").wait_for()
    composer.get_by_role("button", name="cascade 8").click()
    composer.get_by_role("button", name="Empty the table").click()
    deal = find_game("freecell").read_deal(164)
    cards = [card_name(card) for pile in deal.cascades for card in pile]
    field = composer.get_by_label("Type cards")
    # Each pile takes as many cards as the deal gives it.
    field.fill(" ".join(cards[:44]).replace("T", "10"))
    assert at.focused() == "Type cards"
    at.page.keyboard.type("zz")
    at.press("Enter")
    assert (
        at.text("#said")
        == "\u201cZZ\u201d is no card: type its rank and its suit, such as 9H, TD or AS."
    )
    field.fill("")
    at.page.keyboard.type("".join(cards[44:]).lower())
    composer.get_by_text("All 52 cards lie on the table").wait_for()
    composer.get_by_role("button", name="Use this board").click()
    at.until(composer.is_hidden)
    found = find_game("freecell").read_boards(at.board.input_value())
    assert [one.cascades for one in found] == [deal.cascades]


@pytest.mark.long
def test_a_board_is_put_together_by_keyboard(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell")
    at.board.fill("")
    at.page.get_by_role("button", name="Put a board together").press("Enter")
    composer = at.page.locator("#composer")
    composer.get_by_role("button", name="cascade 1").wait_for()
    # Each group of buttons is one stop of the tab key; the arrows go on in it.
    at.press("Tab")
    assert at.focused() == "cascade 1: empty"
    at.press("Tab")
    assert at.focused() == "ace of clubs"
    at.press("Enter", "Enter", "End", "Enter")
    assert composer.get_by_role("button", name="cascade 1").get_attribute("aria-label") == (
        "cascade 1: ace of clubs; 2 of clubs; king of spades"
    )
    assert at.text("#said") == "King of spades: cascade 1"
    at.press("Tab", "Enter")
    assert composer.get_by_text("50 cards are left").is_visible()
    # Of the other 50, these are home.
    for suit, top in (("diamonds", "king"), ("hearts", "king"), ("spades", "king")):
        composer.get_by_role("button", name=f"foundation of {suit}").click()
        composer.get_by_role("toolbar", name="Cards").get_by_label(f"{top} of {suit}").click()
    composer.get_by_role("button", name="cascade 2").click()
    for rank in ("king", "queen", "jack", "10", "9", "8", "7", "6", "5", "4", "3"):
        composer.get_by_role("toolbar", name="Cards").get_by_label(f"{rank} of clubs").click()
    assert composer.get_by_text("All 52 cards lie on the table").is_visible()
    composer.get_by_role("button", name="Use this board").click()
    at.until(composer.is_hidden)
    assert "\n" in at.board.input_value()
    at.click("Solve")
    at.page.locator(".moves button").first.wait_for()
    assert at.text("#said").startswith("Your board: solved in ")


def test_a_run_is_watched_and_stopped(server: Server, visit: Visiting) -> None:
    with server.evolving(JOB, "watched") as process:
        at = visit(f"{server.address}/runs")
        at.page.get_by_role("link", name="watched").click()
        at.until(lambda: at.text("#state").startswith("Running: "))
        lines = at.page.locator("#lines tr")
        first = lines.first.inner_text()
        at.until(lambda: lines.first.inner_text() != first)
        # The charts follow, and are read generation by generation.
        chart = at.page.get_by_role("img", name=re.compile("Fitness of the solvers .*: best "))
        said = chart.get_attribute("aria-label")
        at.until(lambda: chart.get_attribute("aria-label") != said)
        chart.focus()
        tip = at.page.locator("body > .tip")
        # The first key to the left reads the last generation.
        at.press("ArrowLeft")
        assert "generation 1\n" not in tip.inner_text()
        at.press("End", "Home", "ArrowRight")
        assert re.match(r"In generation 2\s+(watched: )?best: ", tip.inner_text())
        at.press("Escape")
        assert tip.is_hidden()
        # The first time, the question whether to stop it is answered with no.
        answers = [False, True]
        at.on("dialog", lambda one: one.accept() if answers.pop(0) else one.dismiss())
        at.click("Stop this run")
        assert at.text("#state").startswith("Running: ")
        at.click("Stop this run")
        at.until(lambda: at.text("#state").startswith("Not"))
        process.wait(20)
        generation = server.log("watched").read_bytes().count(b"\n")
        assert 0 < generation < 500
        done = f"Not running: {generation} of 500 generations done."
        assert at.text("#state") == f"{done} To go on: gafreecell resume watched"
        assert at.page.get_by_role("button", name="Stop this run").count() == 0
        assert at.page.locator("#done").evaluate("(bar) => bar.value") == generation / 500


def test_runs_are_watched_side_by_side(server: Server, visit: Visiting) -> None:
    for name, trainer in (("beside", "genetic"), ("besides", "random")):
        job = JOB.replace("watched", name).replace("500", "3")
        with server.evolving(f'trainer = "{trainer}"{job}', name) as process:
            process.wait(60)
    at = visit(f"{server.address}/runs")
    at.page.get_by_label("Trainer").select_option("random")
    at.click("Filter")
    assert at.page.get_by_label("Choose beside", exact=True).count() == 0
    at.page.get_by_label("Trainer").select_option("all")
    at.click("Filter")
    for name in ("beside", "besides"):
        at.page.get_by_label(f"Choose {name}", exact=True).check()
    at.click("Watch the chosen runs side by side")
    lines = at.page.locator(".chart").first.locator(".plot .curve")
    at.until(lambda: lines.count() == 2)
    at.click("besides")
    at.until(lambda: lines.count() == 1)
    # What is drawn is read under the pointer, too, as far as the solvers have come.
    at.page.locator(".plot").first.hover()
    assert re.match(r"After [\d,.KM]+ nodes\s+beside: champion so far: \d", at.text("body > .tip"))
    at.page.get_by_label("Compare at the same number of").select_option("generations")
    at.page.locator(".plot").first.hover(position={"x": 200, "y": 100})
    assert re.match(r"In generation \d\s+beside: champion so far: \d", at.text("body > .tip"))
    at.page.reload()
    at.page.locator(".plot").first.hover(position={"x": 200, "y": 100})
    assert at.text("body > .tip").startswith("In generation ")
    at.page.get_by_role("button", name="besides", exact=True).click()
    assert at.page.get_by_role("button", name="Report of these runs").is_visible()
    # The table is sorted by the column that is clicked, and has none that is the same in all lines.
    names = at.page.locator("#runs a")
    for wanted in (["beside", "besides"], ["besides", "beside"]):
        at.click("folder")
        assert names.all_inner_texts() == wanted
    assert at.page.locator("th", has_text="validation deals").is_hidden()
    assert "validation deals: 101-105" in at.text(".scrolls + .quiet")


@pytest.mark.long
def test_reports_are_asked_for_by_forms(server: Server, visit: Visiting) -> None:
    job = JOB.replace("watched", "short").replace("500", "2")
    with server.evolving(job, "short") as process:
        process.wait(60)
    at = visit(f"{server.address}/runs")
    at.click("Report of the chosen runs")
    at.page.get_by_text("Choose a run first").wait_for()
    assert at.page.get_by_role("navigation").get_by_text("Klondike").count() == 1
    at.page.get_by_role("link", name="Back to the runs").click()
    # The browser notes the refusal as an error, too.
    at.errors.clear()
    at.page.get_by_label("Choose short").check()
    at.click("Report of the chosen runs")
    at.page.get_by_role("heading", name="Report of short").wait_for()
    assert at.page.locator("#done").is_visible()
    at.page.get_by_role("heading", name="In short").wait_for(timeout=60_000)
    # It has an address and a way back, and is not made anew.
    at.page.reload()
    assert at.text("h1") == "short"
    at.page.get_by_role("link", name="short", exact=True).click()
    at.click("Report of this run")
    at.page.get_by_role("heading", name="In short").wait_for(timeout=5_000)
    # The page's own script reads values off its pictures, and opens replays.
    sheet, tip = at.page.locator(".sheet").first, at.page.locator("body > .tip")
    sheet.focus()
    at.press("ArrowRight")
    assert re.search(r"generation \d+: ", tip.inner_text())
    at.press("Escape")
    assert tip.is_hidden()
    sheet.locator("svg").hover()
    box = at.page.locator(".point").bounding_box() if at.page.locator(".point").count() else None
    if box is None:
        # No value lies near the middle; the keys know where one does.
        at.press("ArrowRight")
        box = at.page.locator(".point").bounding_box()
        at.press("Escape")
    assert box
    at.page.mouse.move(box["x"] + 3, box["y"] + 3)
    at.until(tip.is_visible)
    at.page.locator("a[href^='#deal-']").first.click()
    at.until(lambda: at.page.locator(".deal:visible .controls").count() == 1)


@pytest.mark.long
@pytest.mark.parametrize("options", [*WINDOWS, {"width": 320, "height": 600}])
@pytest.mark.parametrize(
    "path", ["", "play/freecell", "play/klondike", "play/pyramid", "runs", "nothing"]
)
def test_axe_finds_nothing_serious(
    path: str, options: dict[str, Any], server: Server, visit: Visiting
) -> None:
    at = visit(f"{server.address}/{path}", **options)
    if path == "nothing":
        at.errors.clear()
    at.must_be_sound()
    if not path.startswith("play"):
        return
    at.click("Solve")
    at.page.locator(".felt").wait_for()
    at.must_be_sound()
    at.click("Put a board together")
    at.page.get_by_role("toolbar", name="Cards").wait_for()
    at.page.get_by_label("king of spades").first.click()
    at.must_be_sound()
    at.click("Hint")
    at.page.get_by_role("heading", name="What each move is worth").wait_for()
    at.must_be_sound()
    at.click("Play this deal")
    at.page.locator(".light:not(.waits)").wait_for()
    at.click("Hint")
    at.page.get_by_role("heading", name="Hint").wait_for()
    at.must_be_sound()


@pytest.mark.long
def test_axe_finds_nothing_serious_about_a_run(server: Server, visit: Visiting) -> None:
    with server.evolving(JOB, "checked"):
        for path in ("runs", "runs/checked", "watch?run=checked"):
            for options in ({"color_scheme": "dark"}, {"width": 375, "height": 812}):
                at = visit(f"{server.address}/{path}", **options)
                at.page.get_by_text("checked").locator("visible=true").first.wait_for()
                at.must_be_sound()


@pytest.mark.long
def test_a_search_is_cancelled(server: Server, visit: Visiting) -> None:
    at = visit(f"{server.address}/play/freecell")
    at.board.fill("5")
    at.page.get_by_label("Solver").select_option("optimal")
    at.click("Solve")
    # The server works on one request at a time.
    other = visit(f"{server.address}/play/freecell")
    other.click("Solve")
    other.page.get_by_text("Waiting behind 1 request").wait_for()
    at.click("Cancel")
    at.page.get_by_text("Cancelled.").wait_for()
    assert at.focused() == "Solve"
    assert at.page.get_by_role("button", name="Cancel").count() == 0


@pytest.mark.long
def test_a_server_that_has_gone(visit: Visiting, tmp_path: Any) -> None:
    with serving(tmp_path) as gone:
        at = visit(f"{gone.address}/play/freecell")
    at.click("Solve")
    at.page.get_by_text("The server does not answer: is it still running?").wait_for()
    at.errors.clear()


def test_a_click_on_the_start_page_plays(server: Server, visit: Visiting) -> None:
    at = visit(server.address)
    assert at.page.locator(".dealt .card").first.is_visible()
    at.page.locator(".tiles a").first.click()
    at.page.locator(".playing .card").first.wait_for()
    assert "ask=play" in at.page.url
    # Who goes back gets no other deal, but the page with its form folded.
    at.page.go_back()
    at.page.get_by_role("button", name="Play a random game").wait_for()
    assert at.page.locator("#replay").is_hidden()
