"""The app: its addresses, and what answers at each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from deals.errors import BadInput
from deals.words import plural
from gafreecell.pages.page import render, static
from gafreecell.solving.loading import compilation
from gafreecell.web import at_play, playing
from gafreecell.web.desk import Desk, Gone, Refused
from gafreecell.web.guard import Guard, Json, refusal
from gafreecell.web.running import Runs

Result = TypeVar("Result")
STATIC = {
    "page.css": "text/css",
    "replay.css": "text/css",
    "app.css": "text/css",
    "table.js": "text/javascript",
    "replay.js": "text/javascript",
    "coach.js": "text/javascript",
    "player.js": "text/javascript",
    "play.js": "text/javascript",
    "games.js": "text/javascript",
    "home.js": "text/javascript",
    "charts.js": "text/javascript",
    "tables.js": "text/javascript",
    "runs.js": "text/javascript",
    "reporting.js": "text/javascript",
}
"""The files that the app's pages load, with their media types."""
BODY_SECONDS = 10.0
"""The longest time in which a question must have arrived."""
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of a page that could also be a file."""
_CLOSED = 499
"""The status for a client that has gone; nobody sees it."""


def make_app(
    root: Path, names: Iterable[str], port: int, searching: Desk, reporting: Desk, light: Desk
) -> Guard:
    """The app, guarded.

    Args:
        root: the folder whose runs are shown.
        names: the names and addresses by which browsers may call this server, for ``Guard``.
        port: where it listens.
        searching: solves and gives hints.
        reporting: makes reports of runs; with one worker, as matplotlib is not made for several.
        light: does all other work, which need not wait for long searches.
    """
    runs = Runs(root)

    def question(name: str, desk: Desk, answer: Callable[[Mapping[str, Any]], Any]) -> Route:
        async def answered(request: Request) -> Response:
            asked = await _asked(request)
            ticket = str(asked.get("ticket", ""))
            return Json(await desk.do(lambda: answer(asked), request.is_disconnected, ticket))

        return Route(f"/api/{name}", _answering(answered), methods=["POST"])

    async def lightly(request: Request, work: Callable[[], Result]) -> Result:
        return await light.do(work, request.is_disconnected)

    async def page(request: Request, template: str, content: Callable[[], Any]) -> Response:
        def filled() -> str:
            given = content()
            return render(template, here=request.url.path, titles=playing.titles(), **given)

        return HTMLResponse(await lightly(request, filled))

    async def home(request: Request) -> Response:
        return await page(request, "home.html", at_play.home)

    async def play(request: Request) -> Response:
        name = request.path_params["game"]
        return await page(request, "play.html", lambda: {"offered": at_play.offered(name)})

    async def more(request: Request) -> Response:
        def listed() -> dict[str, Any]:
            return {"families": playing.families(), "sentences": playing.sentences()}

        return await page(request, "games.html", listed)

    async def listed(request: Request) -> Response:
        return await page(request, "runs.html", lambda: runs.listed(_query(request)))

    async def run(request: Request) -> Response:
        query = {"run": [request.path_params["name"] or "."]}
        return await page(request, "run.html", lambda: {"told": runs.progress(query)})

    async def watch(request: Request) -> Response:
        query = _query(request)
        return await page(request, "watch.html", lambda: {"told": runs.progress(query)})

    async def progress(request: Request) -> Response:
        query, seen = _query(request), request.query_params.get("seen", "")
        return Json(await lightly(request, lambda: runs.progress(query, seen)))

    async def reported(request: Request) -> Response:
        names, made = request.query_params.getlist("run"), "made" in request.query_params
        found = await lightly(request, lambda: runs.reported(names, made))
        if found is None:
            back = f"/runs/{quote(names[0])}" if len(names) == 1 else "/runs"
            return await page(request, "reporting.html", lambda: {"names": names, "back": back})
        # The same page as in a file: it holds its script, and may ask for nothing.
        return HTMLResponse(found, headers={"content-security-policy": PAGE_POLICY})

    def report(asked: Mapping[str, Any]) -> dict[str, bool]:
        names = asked.get("runs")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise Refused("runs must be a list of names", 400)
        runs.report(names)
        return {"made": True}

    async def weights(request: Request) -> Response:
        name = request.path_params["name"] or "."
        text = await lightly(request, lambda: runs.weights(name))
        attached = {"content-disposition": 'attachment; filename="weights.json"'}
        return Response(text, media_type="application/json", headers=attached)

    async def report_progress(request: Request) -> Response:
        return Json(runs.reporting(request.query_params.getlist("run")))

    async def waiting(request: Request) -> Response:
        found, told = compilation(), ""
        ahead = searching.ahead(request.query_params.get("ticket", ""))
        if found is not None:
            told = f"Compiling {found.part.name} for this machine, once"
            told += f": up to {found.part.seconds:.0f} s" if found.part.seconds else ""
        elif ahead:
            told = f"Waiting behind {plural(ahead, 'request')}"
        return Json({"told": told})

    async def stop(request: Request) -> Response:
        name = request.path_params["name"]
        await lightly(request, lambda: runs.stop(name))
        return Json({"asked": True})

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            raise Refused(f"there is no file {name!r:.40}", 404)
        return Response(static(name), media_type=STATIC[name])

    routes = [
        Route("/", _answering(home)),
        Route("/play/{game}", _answering(play)),
        Route("/games", _answering(more)),
        Route("/runs", _answering(listed)),
        Route("/runs/{name:path}", _answering(run)),
        Route("/weights/{name:path}", _answering(weights)),
        Route("/watch", _answering(watch)),
        Route("/report", _answering(reported)),
        Route("/static/{name}", _answering(file)),
        question("solve", searching, playing.solution),
        question("hint", searching, playing.hint),
        question("table", light, playing.table),
        question("board", light, playing.board),
        question("position", light, at_play.position),
        question("deal", searching, at_play.deal),
        question("coach", searching, at_play.coach),
        question("report", reporting, report),
        Route("/api/reporting", _answering(report_progress)),
        Route("/api/waiting", _answering(waiting)),
        Route("/api/progress", _answering(progress)),
        Route("/api/stop/{name:path}", _answering(stop), methods=["POST"]),
    ]
    faults: Any = {404: _no_page, 405: _no_method, 500: _broken}
    app = Starlette(routes=routes, exception_handlers=faults)
    app.router.redirect_slashes = False
    return Guard(app, names, port)


def _query(request: Request) -> dict[str, list[str]]:
    """The values of each name in an address."""
    return {name: request.query_params.getlist(name) for name in request.query_params}


async def _no_page(request: Request, error: Exception) -> Response:
    return refusal(request.url.path, "there is no such page", 404)


async def _no_method(request: Request, error: HTTPException) -> Response:
    allowed = (error.headers or {}).get("Allow", "another method")
    answer = refusal(
        request.url.path, f"this address takes {allowed}, got {request.method:.20}", 405
    )
    answer.headers.update(error.headers or {})
    return answer


async def _broken(request: Request, error: Exception) -> Response:
    return refusal(
        request.url.path,
        "this is a bug in gafreecell, not in your input: please report it with the text that the "
        "server printed",
        500,
    )


def _answering(
    answer: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint, with what it refuses turned into answers."""

    async def guarded(request: Request) -> Response:
        try:
            return await answer(request)
        except (Gone, ClientDisconnect):
            return PlainTextResponse("", _CLOSED)
        except Refused as error:
            return refusal(request.url.path, str(error), error.status)
        except BadInput as error:
            message, ways = playing.fault(error)
            return refusal(request.url.path, message, 400, ways=ways)
        except MemoryError:
            return refusal(request.url.path, "this machine has too little free memory for it", 503)

    return guarded


async def _asked(request: Request) -> Mapping[str, Any]:
    """The JSON object that a request sends."""
    text = await _body(request, "application/json")
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("the question is not JSON", 400) from None
    if not isinstance(asked, Mapping):
        raise Refused("the question must be a JSON object", 400)
    return asked


async def _body(request: Request, wanted: str) -> bytes:
    """The body of a request that must be of a media type."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != wanted:
        raise Refused(f"expected a question as {wanted}, got {kind!r:.40}", 415)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.body()
    except TimeoutError:
        raise Refused(f"the question did not arrive within {BODY_SECONDS:g} s", 408) from None
