"""The local web app: what it answers and refuses, and that no search outlives its request."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from html import unescape
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
import pytest
from asgi import Answer, Client
from conftest import ROOT, Command, job_table, wait_for, written
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st
from run_folders import ONE

import gafreecell
from deals.cards import card_name
from deals.errors import BadInput
from gafreecell.pages.replay import HIDDEN, KNOWN
from gafreecell.runs import stop_request
from gafreecell.runs.folder import RunError, locked
from gafreecell.runs.run import evolve, resume
from gafreecell.solitaire.game import game as find_game
from gafreecell.solitaire.game import presets_of
from gafreecell.solving import loading, stopping
from gafreecell.web import app as web_app
from gafreecell.web import playing
from gafreecell.web.app import make_app
from gafreecell.web.desk import Desk, Gone, Refused
from gafreecell.web.guard import MOST_BYTES, Guard
from gafreecell.web.running import Runs, is_running, share_done, time_left

HOST = "127.0.0.1:8000"
GAMES = ("freecell", "klondike", "pyramid")
HTML = "<img src=x onerror=alert(1)>"
LONG = {"game": "freecell", "text": "1", "preset": "optimal"}
"""A question that takes some seconds."""
BODY = json.dumps(LONG).encode()
FORM = "application/x-www-form-urlencoded"
REFERENCE = ROOT / "runs" / "freecell-fast-e"


async def stays() -> bool:
    """A client that does not leave."""
    return False


class Served:
    """An app with its desks, whose clients may ask for so many searches at once."""

    def __init__(self, root: Path, workers: int = 2, waiting: int = 4, seconds: float = 60) -> None:
        self.searching = Desk(workers, waiting, seconds, "take a faster preset")
        self.reporting = Desk(1, 2, 60, "take the command line")
        self.light = Desk(2, 8, 20, "start further down")
        self.root = root
        names = ["127.0.0.1", "localhost"]
        self.app = make_app(root, names, 8000, self.searching, self.reporting, self.light)
        self.client = Client(self.app, HOST)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    found = Served(tmp_path)
    yield found
    for desk in (found.searching, found.reporting, found.light):
        desk.close()
        assert desk.wait(5)


@pytest.fixture
def client(served: Served) -> Client:
    return served.client


def told(answer: Answer, status: int) -> str:
    """The message of a refusal, which must be one sentence of moderate length.

    Scripts get it as JSON, and people as a page.
    """
    assert answer.status == status, (answer.status, answer.body[:300])
    if answer.headers["content-type"].startswith("text/html"):
        message = unescape(re.findall("<p>(.*?)</p>", answer.text)[0])
    else:
        message = str(answer.data["error"])
    assert 10 < len(message) < 800
    return message


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A reference run in the folder of the app."""
    return copied(tmp_path / "run")


def copied(folder: Path) -> Path:
    """A reference run, copied there."""
    return Path(shutil.copytree(REFERENCE, folder))


def deal_of(name: str, number: int = 3, **variant: Any) -> str:
    """The board of a deal as text."""
    game = find_game(name).vary(**variant)
    return game.write_board(game.read_deal(number))


def solved(client: Client, **asked: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answer to a question for a solution, and what it shows of that."""
    answer = client.ask("solve", **asked)
    assert answer.status == 200, answer.text
    (shown,) = answer.data["replay"]["solutions"]
    return answer.data, shown


def test_each_page_is_answered_with_headers_that_let_nothing_else_in(client: Client) -> None:
    for path in ("/", "/runs", "/games", "/play/golf", *(f"/play/{name}" for name in GAMES)):
        answer = client.get(path)
        assert answer.status == 200, path
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["cache-control"] == "no-store"
        # The policy allows no script in a page but data.
        for script in re.findall(r"<script[^>]*>", answer.text):
            assert 'src="/static/' in script or "application/json" in script
        assert not re.search(r"\son[a-z]+=", answer.text)
        for name in re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text):
            found = client.get(name)
            assert found.status == 200
            assert found.headers["content-type"].startswith(("text/css", "text/javascript"))


def test_head_options_and_unknown_methods(client: Client) -> None:
    assert client.get("/", "HEAD").status == 200
    for method in ("OPTIONS", "PUT", "DELETE", "TRACE", "FOO"):
        answer = client.get("/api/solve", method)
        assert "POST" in told(answer, 405)
        assert "access-control-allow-origin" not in answer.headers
    assert client.get("/", "POST").status == 405


@pytest.mark.parametrize("name", GAMES)
def test_each_game_is_solved_and_gives_hints(client: Client, name: str) -> None:
    assert solved(client, game=name, text="3")[1]["summary"]
    hints = client.ask("hint", game=name, text="3")
    assert hints.status == 200, hints.text
    for row in hints.data["hints"]:
        assert row["replay"]["solutions"][0]["moves"]


def test_games_given_as_rules_are_played(client: Client) -> None:
    listed = re.findall(r'href="/play/([^"]+)"', client.get("/games").text)
    assert {"bakers-game", "golf", "spider", "yukon"} < set(listed)
    assert solved(client, game="eight-off", text="3")[1]["summary"]
    assert client.ask("hint", game="eight-off", text="3").data["hints"]
    assert "there is no game" in told(client.ask("solve", game="my-game.toml", text="1"), 404)


def test_pages_of_games_tell_the_rules(client: Client) -> None:
    listed = unescape(client.get("/games").text)
    spider = client.get("/play/spider").text
    assert (told := find_game("spider").how_to_play) in listed
    assert told in spider
    assert "add up to 13" in client.get("/play/pyramid").text


def test_a_page_that_is_not_there_leads_to_the_nearest_game(client: Client) -> None:
    page = client.get("/play/spidr")
    assert page.status == 404
    assert '<a href="/play/spider">Play Spider</a>' in page.text
    assert '<a href="/games">' in client.get("/play/nogame").text


def test_a_solution_is_that_of_the_command_line(client: Client) -> None:
    _, shown = solved(client, game="freecell", text="164", preset="fast")
    assert [move for move, _ in shown["moves"]] == list(gafreecell.solve(164, "fast").moves)


@pytest.mark.parametrize("name", GAMES)
def test_a_board_that_was_put_together_is_read(client: Client, name: str) -> None:
    piles = client.ask("table", game=name).data["piles"]
    assert len({pile["name"] for pile in piles}) == len(piles)
    # Twice the same card, wherever it lies.
    # Twice the same card, wherever it lies; the empty piles of a half filled table are no cards.
    places: list[list[str]] = [[] for _ in piles]
    at = next(i for i, pile in enumerate(piles) if pile.get("spread") == "down" or "bare" in pile)
    places[at] = ["9H", "9H"]
    message = told(client.ask("board", game=name, places=places), 400)
    assert "9H" in message and "not a card" not in message


@pytest.mark.parametrize("text", ["164", "#164", "Game 164", "game #164", "FreeCell deal no. 164"])
def test_a_number_is_read_as_programs_write_it(client: Client, text: str) -> None:
    answer = client.ask("board", game="freecell", text=text).data
    assert answer["text"] == deal_of("freecell", 164)


@pytest.mark.parametrize("what", ["solve", "hint", "board"])
def test_a_board_that_can_be_read_in_two_ways_offers_both(client: Client, what: str) -> None:
    cascades = find_game("freecell").read_deal(164).cascades
    rows = [[card_name(c[row]) for c in cascades if len(c) > row] for row in range(7)]
    text = "\n".join(map(" ".join, rows))
    answer = client.ask(what, game="freecell", text=text)
    message = told(answer, 400)
    assert message.startswith("lines 1 to 7 can be read in two ways: by columns, with ")
    assert message.endswith(": choose how to read it")
    ways = [(way["setting"], way["value"]) for way in answer.data["ways"]]
    assert ways == [("layout", "columns"), ("layout", "rows")]
    assert client.ask(what, game="freecell", text=text, layout="rows").status == 200
    for layout in ("x", 5, [], {}):
        assert client.ask(what, game="freecell", text=text, layout=layout).status == 400
    assert "no layout" in told(client.ask(what, game="pyramid", text="1", layout="rows"), 400)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("other", GAMES)
def test_a_board_of_another_game_offers_that_game(client: Client, name: str, other: str) -> None:
    answer = client.ask("board", game=name, text=deal_of(other))
    if name == other or (name, other) == ("klondike", "pyramid"):
        # A deal of Pyramid is one of Klondike, too.
        assert answer.status == 200
        return
    assert "--" not in told(answer, 400)
    ways = {(way["setting"], way["value"]): way["label"] for way in answer.data["ways"]}
    assert find_game(other).title in ways["game", other]


def test_unknown_cards_must_be_put_on_the_table(client: Client) -> None:
    piles = client.ask("table", game="klondike").data["piles"]
    places: list[list[str]] = [[] for _ in piles]
    message = told(client.ask("board", game="klondike", places=places), 400)
    assert "52 cards are missing" in message
    assert "stock" in message and "'Unknown card'" in message


@pytest.mark.parametrize("stock", ["hidden", "known"])
def test_the_stock_of_a_table_keeps_what_was_seen(client: Client, stock: str) -> None:
    text = deal_of("klondike", stock=stock)
    read = client.ask("board", game="klondike", text=text).data["board"]

    def laid(card: int, pile: str) -> str:
        name = card_name(card % HIDDEN)
        seen = card < HIDDEN or (card >= KNOWN and pile == "stock")
        return name if seen else f"<{name}>"

    piles = zip(read["piles"], read["first"], strict=True)
    places = [[laid(card, pile["name"]) for card in cards] for pile, cards in piles]
    assert client.ask("board", game="klondike", places=places).data["text"] == text


def test_hints_tell_who_gave_them_and_how_sure_they_are(client: Client) -> None:
    hints = client.ask("hint", game="freecell", text="164").data
    (shown,) = hints["replay"]["solutions"]
    assert shown["notes"][0] == "Each move was judged by a search with the solver short."
    game = find_game("klondike")
    board = game.player.seen(game.read_deal(7))
    hints = client.ask("hint", game="klondike", text=game.write_board(board)).data
    (shown,) = hints["replay"]["solutions"]
    said = "The chances come from the policy best."
    assert shown["notes"] == [said, *game.player.about_advice(board)]
    assert hints["hints"]
    for row in hints["hints"]:
        assert re.fullmatch(r"\d+\.\d to \d+\.\d %, [\d,]+ samples?", row["sure"])


def test_a_hint_says_what_the_command_line_says(client: Client, command: Command) -> None:
    hint = client.ask("hint", game="pyramid", text="3").data
    assert hint["said"] == "This position is won: 34 steps to the end."
    lines = command("hint", 3, "--game", "pyramid").out.splitlines()
    assert hint["said"] in lines
    assert lines[0].startswith(f"Best: {hint['hints'][0]['move']} - ")


@pytest.mark.parametrize("name", GAMES)
def test_each_solver_is_explained(client: Client, name: str) -> None:
    page = client.get(f"/play/{name}").text
    for preset in presets_of(find_game(name)):
        assert re.search(rf'<option value="{preset}".*>{preset}: \w.+</option>', page)
    # And what the numbers beside a solution count.
    data, shown = solved(client, game=name, text="3")
    units = re.findall(r"(\w+) \d+(?=[,;])", shown["summary"].partition(";")[0] + ";")
    assert units
    for unit in units:
        assert any(f"{unit}: " in line for line in data["replay"]["legend"]), unit


def test_answers_name_the_rules_of_klondike(client: Client) -> None:
    rules = {"draw": 1, "redeals": 2}
    said = "Klondike with draws of one card and two redeals"
    usual = "Klondike with draws of three cards and unlimited redeals"
    for what in ("solve", "hint"):
        assert client.ask(what, game="klondike", text="3").data["title"] == f"Deal 3, {usual}"
        answer = client.ask(what, game="klondike", text="3", variant=rules).data
        assert answer["title"] == f"Deal 3, {said}" and answer["replay"]["game"] == said
    text = client.ask("board", game="klondike", text="3", variant=rules).data["text"]
    # The board's own line says so where no rules were chosen.
    read = client.ask("board", game="klondike", text=text).data
    assert read["variant"] == {**rules, "stock": "known"} and read["text"] == text
    answer, shown = solved(client, game="klondike", text=text, preset="vegas-1")
    assert answer["title"] == f"Your board, {said}" and answer["assumed"] == []
    numbered, _ = solved(client, game="klondike", text="3", variant=rules, preset="vegas-1")
    assert numbered["assumed"] == [
        "vegas-1 was made for draws of one card and no redeals, not for draws of one card and two "
        "redeals"
    ]
    (first, *_), *_ = states = shown["states"]
    assert {"2 redeals left", "1 redeal left", "no redeals left"} >= {*states} and first == "2"


def test_a_hidden_stock_is_heeded_by_hints_and_refused_by_solve(client: Client) -> None:
    hidden = {"stock": "hidden"}
    message = told(client.ask("solve", game="klondike", text="3", variant=hidden), 400)
    assert "unknown or hidden" in message and "ask for a hint" in message
    hints = client.ask("hint", game="klondike", text="3", variant=hidden).data
    assert hints["hints"] and all(row["sure"] for row in hints["hints"])
    assert hints["title"].endswith("and a hidden stock")


@pytest.mark.parametrize(("option", "value"), [("draw", 1), ("redeals", 2), ("stock", "hidden")])
def test_rules_that_are_words_or_numbers_can_be_chosen(
    client: Client, option: str, value: int | str
) -> None:
    page = client.get("/play/klondike").text
    (select,) = re.findall(rf'<select id="option-{option}".*?</select>', page, re.DOTALL)
    values = [json.loads(unescape(one)) for one in re.findall(r'value="(.*?)"', select)]
    assert value in values
    texts = [
        client.ask("board", game="klondike", text="3", variant=variant).data["text"]
        for variant in ({option: value}, {})
    ]
    assert texts[0] != texts[1]


def test_what_is_compiled_is_told(client: Client) -> None:
    assert client.get("/api/waiting").data == {"told": ""}
    with loading.loading(loading.Part("the search", 12.4)):
        loading.compiling()
        said = "Compiling the search for this machine, once: up to 12 s"
        assert client.get("/api/waiting").data == {"told": said}


LOCAL, IPV6, ALL = ["127.0.0.1", "localhost"], ["::1", "localhost"], ["0.0.0.0", "localhost"]


@pytest.mark.parametrize(
    ("names", "port", "host", "fine"),
    [
        *[(LOCAL, 8000, host, True) for host in ("127.0.0.1:8000", "LocalHost:8000")],
        *[(LOCAL, 8000, host, False) for host in (
            "", "evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:8001", "[::1]:8000",
            "localhost:8000.evil.example", "evil@127.0.0.1:8000", "127.0.0.1:8000 ", "127.1:8000",
            "127.0.0.1:0x1f40", "127.0.0.1:" + "8" * 5000, "[127.0.0.1:8000", "localhost.:8000",
        )],
        (LOCAL[:1], 80, "127.0.0.1", True),
        (IPV6, 8000, "[::1]:8000", True),
        (IPV6, 8000, "[::2]:8000", False),
        (ALL, 8000, "192.168.1.7:8000", True),
        (["::", "localhost"], 8000, "[fe80::1]:8000", True),
        # A site can make its own name point to this machine, but no address.
        (ALL, 8000, "rebound.example:8000", False),
    ],
)  # fmt: skip
def test_another_host_is_refused(names: list[str], port: int, host: str, fine: bool) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    answer = Client(Guard(app, names, port), host).get("/", origin=f"http://{host}")
    if fine:
        assert answer.status == 204
    else:
        own = f"[{names[0]}]" if ":" in names[0] else names[0]
        assert f"answers only as {own}:{port}" in told(answer, 421)


@pytest.mark.parametrize("name", ["host", "origin", "content-length"])
def test_a_header_that_comes_twice_is_refused(name: str) -> None:
    async def twice(scope: Any, receive: Any, send: Any) -> None:
        double = [header for header in scope["headers"] if header[0] == name.encode()]
        await Guard(None, LOCAL, 8000)(
            {**scope, "headers": scope["headers"] + double}, receive, send
        )

    asked = Client(twice, "127.0.0.1:8000").get("/", origin="http://127.0.0.1:8000")
    assert f"xpected one {name} in a request" in told(asked, 400)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"}, {"origin": "null"},
        {"origin": "https://127.0.0.1:8000"}, {"origin": "http://127.0.0.1:8001"},
        {"origin": "http://127.0.0.1:8000.evil.example"},
        {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"},
    ],
)  # fmt: skip
def test_a_foreign_origin_is_refused(client: Client, headers: dict[str, str]) -> None:
    assert "another site" in told(client.post("/api/solve", BODY, **headers), 403)
    assert "another site" in told(client.get("/api/progress?run=x", **headers), 403)


def test_a_link_from_another_site_is_followed(client: Client) -> None:
    follows = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert client.get("/", **follows).status == 200
    assert client.post("/api/solve", b"{}", **follows).status == 403


def test_websockets_are_closed(served: Served) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def never() -> Any:
        await asyncio.Event().wait()

    asyncio.run(served.app({"type": "websocket", "path": "/", "headers": []}, never, send))
    assert [one["type"] for one in sent] == ["websocket.close"]


def test_a_body_that_is_too_long_is_refused_with_and_without_its_length(client: Client) -> None:
    ten = 10_000_000
    chunks = [b"x" * 10_000] * (ten // 10_000)
    whole = client.post("/api/solve", b"x" * ten)
    for answer in (whole, client.post("/api/solve", *chunks)):
        assert f"{MOST_BYTES:,} bytes" in told(answer, 413)
    # Where no body is expected, it is read only to see whether the client has gone.
    page = asyncio.run(client.send("GET", "/runs", chunks=chunks))
    assert page.status in (200, 413)


def test_a_body_in_chunks_is_read(client: Client) -> None:
    body = json.dumps({"game": "freecell", "text": "164"}).encode()
    chunks = [body[at : at + 7] for at in range(0, len(body), 7)]
    assert client.post("/api/solve", *chunks).status == 200


def test_a_slow_body_is_not_waited_for(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_app, "BODY_SECONDS", 0.1)
    answer = client.post("/api/solve", b"{", b"}", pause=0.08)
    assert "did not arrive" in told(answer, 408)


@pytest.mark.parametrize(
    ("body", "headers", "status", "said"),
    [
        *[(body, {}, 400, "JSON") for body in (
            b"", b"{", b"\xff\xfe", b"null", b"[]", b'"x"', b"1", b"NaN", b"1e400",
            b"[" * 100_000, b'{"a":' * 30_000, b'{"game": 1' + b"0" * 5000 + b"}",
        )],
        # As forms of other sites can send it.
        *[(b"{}", {"content_type": kind}, 415, "application/json") for kind in (
            "text/plain", FORM, "",
        )],
        *[(b"{}", {"content_length": length}, 413, "bytes") for length in (
            "-1", "1e3", "9" * 40, "²",
        )],
    ],
)  # fmt: skip
def test_what_is_not_an_object_of_json_is_refused(
    client: Client, body: bytes, headers: dict[str, str], status: int, said: str
) -> None:
    assert said in told(client.post("/api/solve", body, **headers), status)


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        *[({"text": text}, "numbered 1 to") for text in (
            "9" * 40, "9" * 5_000, "1-" + "9" * 40, "0",
        )],
        ({"text": "1-1000000"}, "give one deal"),
        ({"text": "A" * 20_001}, "20,000 characters"),
        ({"text": "A" * 20_000}, "at most 10,000 characters"),
        *[({"text": text}, "not a card") for text in (
            "/etc/passwd", "../../etc/passwd", "ms32k-train", HTML, "\x00\x1b[2J", "\ud800",
        )],
        *[({"text": text}, "paste a board") for text in (
            "", None, 164, float("nan"), float("inf"), ["1"],
        )],
        ({"text": "1", "preset": ["fast"]}, "there is no preset"),
        ({"text": "1", "preset": {"a": 1}}, "there is no preset"),
        ({"text": "1", "variant": {"cells": 1.5}}, "cells must be a whole number, got 1.5"),
        *[({"text": "1", "variant": {"cells": cells}}, "cells") for cells in (
            10**100, 99, None, float("nan"), "x" * 50_000,
        )],
        ({"text": "1", "variant": {HTML: 1}}, "has the options"),
        ({"text": "1", "variant": [1]}, "has the options"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_refused_in_words(
    client: Client, asked: dict[str, Any], word: str
) -> None:
    for what in ("solve", "hint", "board"):
        if "preset" not in asked or what == "solve":
            assert word in told(client.ask(what, game="freecell", **asked), 400)


@pytest.mark.parametrize("name", [None, 5, [], {}, "", "nosuch", HTML, "x" * 100_000, "../hsd"])
def test_an_unknown_game_is_refused(client: Client, name: Any) -> None:
    message = told(client.ask("solve", game=name, text="1"), 404)
    assert message.endswith("there are freecell, klondike, pyramid and those of /games")


@pytest.mark.parametrize("name", GAMES)
def test_a_preset_is_never_read_as_a_path(
    client: Client, run: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(run.parent)
    weights = shutil.copy(run / "weights" / "best.json", "mine.json")
    for preset in (weights, run.parent / weights, "run", run, "./run", "../run", "/dev/zero"):
        message = told(client.ask("solve", game=name, text="1", preset=str(preset)), 400)
        assert "there is no preset" in message
        assert presets_of(find_game(name))[0] in message


@pytest.mark.parametrize(
    "places",
    [
        None, 5, "x", {}, [], [5] * 16, ["AC"] * 16, [{"a": 1}] * 16, [[None]] * 16, [[5]] * 16,
        [["AC"] * 4] * 16, [[HTML]] * 16, [["AC", "AC"], *[[]] * 15], [[]] * 1000, [[["AC"]]] * 16,
        [["??"]] * 16, [["<AC>"]] * 16,
    ],
)  # fmt: skip
def test_wrong_places_are_refused(client: Client, places: Any) -> None:
    for name in GAMES:
        told(client.ask("board", game=name, places=places), 400)


SMALL = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
CARDS = st.lists(
    st.sampled_from(["AC", "9h", "10S", "??", "<TD>", "--", "Stock:", "\n", "#", HTML]),
    max_size=40,
).map(" ".join)


@given(
    name=st.sampled_from(GAMES),
    text=CARDS | SMALL,
    variant=SMALL | st.dictionaries(st.sampled_from(["cells", "columns", "draw", "passes"]), SMALL),
    places=st.none() | SMALL,
)
def test_whatever_is_asked_is_answered_or_refused(
    name: str, text: Any, variant: Any, places: Any
) -> None:
    asked = {"game": name, "text": text, "variant": variant}
    asked |= {} if places is None else {"places": places}
    try:
        assert playing.board(asked)["board"]
    except BadInput as error:
        assert str(error)


def test_html_in_what_was_pasted_stays_text(client: Client) -> None:
    answer = client.ask("solve", game="klondike", text=f"{HTML}:\n{deal_of('klondike')}")
    assert answer.data["title"].startswith(f"{HTML}, Klondike with ")
    assert answer.headers["content-type"] == "application/json"
    page = client.get("/play/%3Cscript%3Ealert(1)")
    assert page.status == 404
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;" in page.text


def test_scripts_write_no_html() -> None:
    """Texts reach a page through ``textContent`` alone."""
    for path in (ROOT / "gafreecell" / "pages" / "static").glob("*.js"):
        script = path.read_text()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in script, path


def test_a_bug_is_answered_in_words(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*given: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(playing, "deals_in", wrong)
    assert "bug in gafreecell" in told(client.ask("board", game="freecell", text="1"), 500)


# How requests are worked off.


def test_a_search_ends_within_a_second_when_its_client_leaves(served: Served) -> None:
    async def leave() -> float:
        async def send() -> Answer:
            return await served.client.send("POST", "/api/solve", None, [BODY], leaves_after=0.4)

        assert (await asyncio.gather(send(), send()))[0].status == 499
        began = time.monotonic()
        while served.searching.busy:
            await asyncio.sleep(0.01)
        return time.monotonic() - began

    # The kernels are loaded first, which nothing can interrupt.
    served.client.ask("solve", **{**LONG, "text": "17"})
    assert asyncio.run(leave()) < 1


def test_a_search_that_takes_too_long_is_refused(tmp_path: Path) -> None:
    served = Served(tmp_path, seconds=0.3)
    began = time.monotonic()
    answer = served.client.ask("solve", **LONG)
    assert "longer than 0.3 s: take a faster preset" in told(answer, 503)
    assert time.monotonic() - began < 2
    wait_for(lambda: not served.searching.busy, 2)


async def ticking(
    desk: Desk, many: int, gone: Callable[..., Any] = stays
) -> tuple[list[asyncio.Task[None]], list[bool]]:
    """Requests for work that never ends by itself, but heeds its stop token; and what has begun."""
    started: list[bool] = []

    def work() -> None:
        started.append(True)
        while True:
            stopping.check()
            time.sleep(0.005)

    tasks = [asyncio.ensure_future(desk.do(work, gone)) for _ in range(many)]
    await asyncio.sleep(0.1)
    return tasks, started


def test_work_is_done_in_order_and_refused_beyond_the_queue() -> None:
    desk, order, ahead = Desk(1, 3, 60, ""), [], []

    async def one(place: int) -> str:
        def work() -> None:
            while place == 0 and desk.busy < 4:
                time.sleep(0.001)
            ahead.append([desk.ahead(str(other)) for other in range(4)])
            time.sleep(0.02)
            order.append(place)

        try:
            await desk.do(work, stays, str(place))
        except Refused as error:
            return str(error)
        return ""

    async def several() -> list[str]:
        return await asyncio.gather(*[one(place) for place in range(6)])

    assert [bool(refusal) for refusal in asyncio.run(several())] == [False] * 4 + [True] * 2
    assert order == [0, 1, 2, 3]
    assert ahead[0] == [0, 1, 2, 3] and ahead[3] == [0, 0, 0, 0]
    # There is room again.
    assert asyncio.run(one(9)) == ""
    desk.close()
    assert desk.wait(1)
    assert "shutting down" in asyncio.run(one(10))


def test_what_waits_is_dropped_when_its_client_leaves() -> None:
    desk = Desk(1, 3, 60, "")
    left: list[bool] = []

    async def leaves() -> bool:
        return bool(left)

    async def several() -> list[bool]:
        tasks, started = await ticking(desk, 3, leaves)
        assert desk.busy == 3
        left.append(True)
        for task in tasks:
            with pytest.raises(Gone):
                await task
        return started

    started = asyncio.run(several())
    wait_for(lambda: not desk.busy, 1)
    assert len(started) == 1


def test_closing_ends_all_work_and_a_cancelled_request_its_own() -> None:
    desk = Desk(2, 3, 60, "")

    async def several() -> None:
        (first, *others), _ = await ticking(desk, 4)
        first.cancel()
        await asyncio.sleep(0.05)
        assert desk.busy == 3
        desk.close()
        for task in others:
            with pytest.raises(Refused, match="shutting down"):
                await task

    asyncio.run(several())
    assert desk.wait(1)
    assert not desk.busy


def test_work_that_heeds_no_token_is_given_up_but_counted() -> None:
    """So it is with a kernel that compiles."""
    desk, over = Desk(1, 0, 0.05, ""), threading.Event()
    with pytest.raises(Refused, match="longer"):
        asyncio.run(desk.do(over.wait, stays))
    assert desk.busy == 1
    with pytest.raises(Refused, match="waiting already"):
        asyncio.run(desk.do(over.wait, stays))
    desk.close()
    assert not desk.wait(0.05)
    over.set()
    assert desk.wait(1)


def test_a_run_is_watched_while_all_workers_search(run: Path) -> None:
    served = Served(run.parent, workers=1, waiting=1)
    served.client.get("/api/progress?run=run")

    async def both() -> float:
        busy, _ = await ticking(served.searching, 2)
        full = await served.client.send("POST", "/api/solve", None, [BODY])
        assert "waiting already" in told(full, 503)
        began = time.monotonic()
        assert (await served.client.send("GET", "/api/progress?run=run")).status == 200
        served.searching.close()
        await asyncio.gather(*busy, return_exceptions=True)
        return time.monotonic() - began

    assert asyncio.run(both()) < 1


def test_pages_do_not_block_the_event_loop(client: Client, run: Path) -> None:
    for path in ("/", "/runs/run", "/play/freecell"):
        client.get(path)

    async def look() -> float:
        async def tick() -> None:
            nonlocal longest
            while True:
                began = time.monotonic()
                await asyncio.sleep(0.001)
                longest = max(longest, time.monotonic() - began)

        longest = 0.0
        ticker = asyncio.ensure_future(tick())
        copied(run.parent / "another")
        for path in ("/", "/runs", "/runs/run", "/play/freecell"):
            await client.send("GET", path)
        ticker.cancel()
        return longest

    assert asyncio.run(look()) < 0.5


# Runs.


ODD = [
    HTML.replace("/", ""), "a b", "ä ☃", "q?x=1#y", "100%41", "'quoted\"", "; rm -rf ~",
    "-x", "back\\slash", "a..b",
]  # fmt: skip


def test_runs_with_odd_names_are_shown_watched_and_linked(client: Client, tmp_path: Path) -> None:
    for name in ODD:
        copied(tmp_path / "below" / name)
    page = client.get("/runs")
    links = re.findall(r'href="(/runs/[^"]+)"', page.text)
    assert len(links) == len(ODD)
    found = set()
    for link in links:
        for answer in (page, client.get(link)):
            assert (answer.status, "<img" in answer.text) == (200, False), link
        told_of = client.get(link.replace("/runs/", "/api/progress?run=")).data["runs"][0]
        assert told_of["lines"]
        *words, folder = shlex.split(told_of["resume"])
        # A shell takes the command apart as it is meant.
        assert words == ["gafreecell", "resume"]
        assert not folder.startswith("-")
        assert os.path.normpath(folder) == told_of["name"]
        found.add(told_of["name"])
    assert found == {f"below/{name}" for name in ODD}


def test_the_folder_itself_may_be_a_run(run: Path) -> None:
    client = Served(run).client
    assert 'href="/runs/."' in client.get("/runs").text
    # Browsers leave the dot out.
    for path in ("/runs/.", "/runs/", "/api/progress?run=.", "/api/progress?run="):
        assert client.get(path).status == 200, path


def test_what_a_page_has_drawn_is_not_sent_again(client: Client, run: Path) -> None:
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    whole = client.get("/api/progress?run=run").data
    (shown,) = whole["runs"]
    assert [one["best"] for one in shown["lines"]] == [
        one["solvers"]["best"] for one in lines[-12:]
    ]
    champion = whole["charts"]["panels"][0]["curves"][-1]
    assert champion["values"] == pytest.approx([one["validation"]["value"] for one in lines])
    weights = whole["charts"]["weights"]
    assert np.array(weights["rows"]).shape == (len(weights["features"]), len(lines))
    # The best weights are told, and saved as `gafreecell export` saves them.
    saved = client.get("/weights/run")
    assert json.dumps(weights["values"])[1:-1] in re.sub(r"\s+", " ", saved.text)
    assert "attachment" in saved.headers["content-disposition"]
    assert client.get("/weights/other").status == 404
    cells = re.findall("<td>(.*?)</td>", client.get("/runs").text)
    assert cells[-2:] == [f"{shown['solved']:,}", f"{shown['nodes']:,.0f}"]
    again = client.get(f"/api/progress?run=run&seen={whole['stamp']}").data
    assert again == {**whole, "charts": None}


@pytest.mark.usefixtures("toy")
def test_runs_are_filtered_and_watched_side_by_side(client: Client, tmp_path: Path) -> None:
    for trainer, seed in (("genetic", 1), ("genetic", 2), ("random", 1)):
        job = job_table(name=trainer, trainer=trainer, generations=3, seed=seed)
        evolve(job, tmp_path / "study" / f"{trainer}-{seed}", ONE)
    evolve(job_table(generations=2), tmp_path / "alone", ONE)
    # By a filter, so that those that begin later are there, too; or one by one.
    for asked in ("study=study", "run=study/genetic-1&run=study/genetic-2&run=study/random-1"):
        found = client.get(f"/api/progress?{asked}").data
        assert [one["seed"] for one in found["runs"]] == [1, 2, 1]
        assert found["charts"]["groups"] == ["genetic, 2 runs", "random"]
        assert client.get(f"/watch?{asked}").status == 200
        # What the x axis may count: of a group the mean, from the start on.
        spent = found["charts"]["spent"]
        runs = [[line["evaluations"] for line in one["lines"]] for one in found["runs"]]
        assert spent["evaluations"][1] == [0, *accumulate(runs[2])]
        assert spent["nodes"][0][-1] > spent["nodes"][0][1] > spent["nodes"][0][0] == 0
    page = client.get("/runs?trainer=random&seed=").text
    assert re.findall('href="/runs/(.*?)"', page) == ["study/random-1"]
    listed = client.get("/runs?study=study").text
    assert listed.count('href="/runs/study/') == 3 and 'href="/runs/alone"' not in listed
    assert "No run that has begun" in told(client.get("/watch?trainer=none"), 404)
    names = "&".join(f"run={place}" for place in range(61))
    assert "up to 60 runs" in told(client.get(f"/api/progress?{names}"), 400)


@pytest.mark.usefixtures("toy")
def test_runs_that_cannot_be_drawn_together_are_told(client: Client, tmp_path: Path) -> None:
    for name in ("one", "other"):
        evolve(job_table(generations=2), tmp_path / name, ONE)
    found = client.get("/api/progress?run=one&run=other").data
    (note,) = found["charts"]["notes"]
    assert "runs of one job with one seed" in note and found["charts"]["panels"] == []


def test_the_time_left_leaves_compiling_out() -> None:
    def left(*seconds: float) -> str:
        lines = [{"machine": {"seconds": one}} for one in seconds]
        job = SimpleNamespace(generations=46, stop=SimpleNamespace(evaluations=0))
        run: Any = SimpleNamespace(lines=lines, job=job, generation=len(lines), finished=False)
        return time_left(run)

    assert left(100.0, *15 * [2.0]) == "1 min 00 s"
    assert left(100.0, 2.0, 2.0, 90.0, 2.0, 2.0) == "1 min 20 s", "it was resumed"
    assert left(100.0) == ""


@pytest.mark.usefixtures("toy")
def test_a_run_that_its_evaluations_end_is_shown_as_finished(
    client: Client, tmp_path: Path
) -> None:
    evolve(job_table(generations=1000, stop={"evaluations": 16}), tmp_path / "ended", ONE)
    (shown,) = client.get("/api/progress?run=ended").data["runs"]
    assert (shown["share"], shown["ending"]) == (1, "its 16 evaluations are done")
    assert f"finished after {shown['generation']}<" in client.get("/runs").text
    # Of two limits the nearer one counts, for the time left, too.
    line = {"evaluations": 10, "machine": {"seconds": 2.0}}
    job = SimpleNamespace(generations=1000, stop=SimpleNamespace(evaluations=80))
    run: Any = SimpleNamespace(lines=2 * [line], job=job, generation=2, finished=False)
    assert (share_done(run), time_left(run)) == (0.25, "12 s")


@pytest.mark.usefixtures("toy")
def test_a_run_that_grew_is_read_again(client: Client, broken: Path) -> None:
    path = f"/api/progress?run={broken.name}"
    assert client.get(path).data["runs"][0]["generation"] == 3
    client.get("/runs")
    resume(broken, jobs=ONE)
    assert client.get(path).data["runs"][0]["generation"] == 6
    assert "finished after 6<" in client.get("/runs").text


OUTSIDE = [
    "../outside", "run/../../outside", "./run", "run/.", "run/", "/run", "run//weights", "..",
    "%2e%2e/outside", "..%2Foutside", "%2Fetc", "/etc/passwd", "../../../../etc/passwd", "link",
    "linked/run", "run%00", "RUN?", "run/weights", ".hidden/run", "file", "x" * 5000,
]  # fmt: skip


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    copied(root / "run")
    shutil.copytree(root / "run", tmp_path / "outside")
    shutil.copytree(root / "run", root / ".hidden" / "run")
    (root / "file").touch()
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "linked").symlink_to(root)
    client = Served(root).client
    for name in OUTSIDE:
        quoted = quote(name, safe="/%.")
        for answer in (
            client.get(f"/api/progress?run={quoted}"),
            client.post(f"/api/stop/{quoted}"),
            client.get(f"/runs/{quoted}"),
        ):
            assert "no run" in told(answer, 404).lower(), name
        assert client.get(f"/static/{quoted}").status == 404, name
    assert re.findall('href="(/runs/.*?)"', client.get("/runs").text) == ["/runs/run"]


@pytest.mark.parametrize("name", ["state.json", "log.jsonl", "validation.jsonl"])
def test_a_file_of_a_run_that_leads_elsewhere_is_not_read(
    client: Client, run: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    secret = written(tmp_path_factory.mktemp("elsewhere") / "secret", "root:x:0:0")
    # Reading a pipe would wait for a writer.
    for make in (lambda file: file.symlink_to(secret), os.mkfifo):
        (run / name).unlink()
        make(run / name)
        assert "not a plain file" in told(client.get("/api/progress?run=run"), 400)
        assert "not a plain file" in client.get("/runs").text


def test_the_job_of_a_run_leads_to_no_other_file(client: Client, run: Path) -> None:
    with (run / "job.toml").open("a") as job:
        job.write('\n[phases.opening]\nfile = "/dev/zero"\nuntil = "x"\n')
    assert "phases.opening" in told(client.get("/api/progress?run=run"), 400)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("job.toml", "name = "),
        ("job.toml", "a = " + "[" * 50_000),
        ("job.toml", b"\xff\xfe"),
        ("state.json", "{"),
        ("state.json", "[" * 50_000),
        ("state.json", '{"format": {"name": "gafreecell-run", "version": 3}}'),
        ("log.jsonl", HTML),
        ("log.jsonl", '{"generation": 1}'),
        ("log.jsonl", "[" * 50_000),
        ("validation.jsonl", HTML + "\n"),
    ],
)
def test_a_damaged_run_is_named_beside_the_others(
    client: Client, run: Path, name: str, text: str | bytes
) -> None:
    written(copied(run.parent / "broken") / name, text)
    assert name in told(client.get("/api/progress?run=broken"), 400)
    page, runs = client.get("/runs/broken"), client.get("/runs")
    assert (page.status, "<img" in page.text) == (400, False)
    assert (runs.status, "<img" in runs.text) == (200, False)
    assert "/runs/run" in runs.text and name in runs.text


def test_a_state_or_a_log_with_wrong_values_is_told(client: Client, run: Path) -> None:
    state = json.loads((run / "state.json").read_text())
    for key, value in (("nodes", "many"), ("solved", None), ("generation", {}), ("value", HTML)):
        wrong = {**state, "champion": {**state["champion"], key: value}}
        written(run / "state.json", json.dumps(wrong))
        answer = client.get("/api/progress?run=run")
        assert answer.status in (200, 400), (key, answer.body)
        assert client.get("/runs").status == 200
    written(run / "state.json", json.dumps(state))
    lines = (run / "log.jsonl").read_text().splitlines()
    first = json.loads(lines[0])
    for key, value in (
        ("solvers", {**first["solvers"], "best": float("nan")}),
        ("solvers", {**first["solvers"], "mean": HTML}),
        ("solvers", []),
        ("machine", 5),
    ):
        changed = json.dumps({**first, key: value})
        written(run / "log.jsonl", "\n".join([changed, *lines[1:], ""]))
        assert "damaged" in told(client.get("/api/progress?run=run"), 400)
        assert client.get("/runs").status == 200


def test_a_run_of_a_game_that_is_not_installed_is_named(client: Client, run: Path) -> None:
    job = run / "job.toml"
    job.write_text(re.sub("^game = .*$", "game = 'nosuch'", job.read_text(), flags=re.MULTILINE))
    runs = client.get("/runs")
    assert runs.status == 200 and "nosuch" in runs.text
    assert client.get("/api/progress?run=run").status == 400


def test_what_no_page_can_name_is_left_out(client: Client, run: Path) -> None:
    for name in (b"new\nline", b"\xff\xfe", b"esc\x1b[2J"):
        shutil.copytree(os.fsencode(run), os.path.join(os.fsencode(run.parent), name))
    assert re.findall('href="(/runs/.*?)"', client.get("/runs").text) == ["/runs/run"]


def test_many_folders_and_unreadable_ones_cost_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(300):
        (tmp_path / "a" / str(number) / "b").mkdir(parents=True)
    copied(tmp_path / "z")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert [one["name"] for one in Runs(tmp_path).listed()["runs"]] == ["z"]
    monkeypatch.setattr("gafreecell.web.running.MOST_FOLDERS", 50)
    listed = Runs(tmp_path).listed()
    # What is beside a large folder is found before what lies deep in it.
    assert [one["name"] for one in listed["runs"]] == ["z"]
    assert not listed["whole"]
    assert "too many folders" in Served(tmp_path).client.get("/runs").text
    closed.chmod(0o700)


def test_a_run_is_stopped_by_a_request_in_its_folder_alone(client: Client, run: Path) -> None:
    assert "not running" in told(client.post("/api/stop/run"), 409)
    assert not stop_request.is_asked(run)
    with FileLock(run / "lock"):
        assert client.get("/api/progress?run=run").data["runs"][0]["running"]
        assert "<strong>running</strong>" in client.get("/runs").text
        assert client.get("/api/stop/run").status == 405
        assert not stop_request.is_asked(run)
        assert client.post("/api/stop/run").data == {"asked": True}
        assert stop_request.is_asked(run)
        assert client.get("/api/progress?run=run").data["runs"][0]["asked"]
    assert not client.get("/api/progress?run=run").data["runs"][0]["running"]
    told(client.post("/api/stop/run"), 409)


def test_a_run_that_is_being_set_up_can_be_watched_and_stopped(client: Client, run: Path) -> None:
    (run / "state.json").unlink()
    assert "begin again" in told(client.get("/api/progress?run=run"), 400)
    with FileLock(run / "lock"):
        (found,) = client.get("/api/progress?run=run").data["runs"]
        assert (found["running"], found["begun"], found["generation"]) == (True, False, 0)
        assert "<strong>being set up</strong>" in client.get("/runs").text
        assert client.get("/runs/run").status == 200
        assert client.post("/api/stop/run").data == {"asked": True}
    assert "begin again" in client.get("/runs").text


@pytest.mark.usefixtures("toy")
def test_a_run_that_starts_while_someone_looks_is_not_refused(run: Path) -> None:
    (run / "lock").touch()
    over, seen = threading.Event(), []

    def look() -> None:
        while not over.is_set():
            seen.append(is_running(run))

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_for(lambda: len(seen) > 100)
    # Those who look do not take one another for the run.
    assert not any(seen)
    for _ in range(10):
        with locked(run):
            assert is_running(run)
    over.set()
    for thread in threads:
        thread.join()
    with FileLock(run / "lock"), pytest.raises(RunError, match="in use"), locked(run):
        pass


def test_runs_that_cannot_be_read_come_last(tmp_path: Path, run: Path) -> None:
    (copied(tmp_path / "first") / "job.toml").write_text("name = ")
    listed = Runs(tmp_path).listed()["runs"]
    assert [one["name"] for one in listed] == ["run", "first"]
    assert "fault" in listed[1]


def reported(client: Client, *names: str) -> Answer:
    """The report of runs, which has an address of its own."""
    address = f"/report?{urlencode([('run', name) for name in names])}"
    # There is none yet: a page waits for it.
    assert 'src="/static/reporting.js"' in client.get(address).text
    assert client.ask("report", runs=list(names)).data == {"made": True}
    found = client.get(address)
    assert found.status == 200
    return found


@pytest.mark.usefixtures("toy")
def test_reports_of_runs_are_the_pages_of_the_command(client: Client, tmp_path: Path) -> None:
    for seed, name in enumerate(("-dash", "run-2"), start=1):
        evolve(job_table(generations=2, seed=seed), tmp_path / name, ONE)
    both = reported(client, "-dash", "run-2")
    assert "default-src 'none'" in both.headers["content-security-policy"]
    for name in ("-dash", "run-2"):
        assert f'<a href="/runs/{name}">{name}</a>' in both.text
    # A name that begins with a dash is no option.
    assert "gafreecell report ./-dash run-2 -o report.html" in unescape(both.text)
    # A run that has gone on has another report; the one that was just made is shown nevertheless.
    resume(tmp_path / "-dash", generations=3, jobs=1)
    address = "/report?run=-dash&run=run-2"
    assert 'src="/static/reporting.js"' in client.get(address).text
    assert client.get(f"{address}&made=1").text == both.text


@pytest.mark.parametrize(
    ("names", "status", "said"),
    [
        ([], 400, "Choose a run first"),
        (["nothing"], 404, "There is no run"),
        (["../../etc"], 404, "There is no run"),
        (["x"] * 50, 400, "up to 20 runs"),
    ],
)
def test_reports_of_anything_else_are_refused(
    client: Client, names: list[str], status: int, said: str
) -> None:
    answer = client.get(f"/report?{urlencode([('run', name) for name in names])}")
    assert said in told(answer, status)
    assert 'href="/runs">Back' in answer.text and 'href="/play/klondike"' in answer.text
    assert said.lower() in told(client.ask("report", runs=names), status).lower()
    assert "list of names" in told(client.ask("report", runs="x"), 400)


def test_a_form_of_another_site_is_refused_with_a_page(client: Client) -> None:
    # Browsers give this origin to the forms of pages that hide where they are.
    answer = client.post("/runs", b"run=run", content_type=FORM, origin="null")
    assert "another site" in told(answer, 403)
    # So ours do not hide it from the app itself.
    assert client.get("/runs").headers["referrer-policy"] == "same-origin"
