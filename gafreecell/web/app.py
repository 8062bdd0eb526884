"""The app: its addresses, and the server that answers them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from deals.errors import BadInput
from gafreecell.game import game as find_game
from gafreecell.game import games
from gafreecell.pages.page import render, static
from gafreecell.web import playing
from gafreecell.web.desk import Desk, Gone, Refused
from gafreecell.web.guard import Guard
from gafreecell.web.running import Runs

Result = TypeVar("Result")
STATIC = {
    "page.css": "text/css",
    "replay.css": "text/css",
    "app.css": "text/css",
    "replay.js": "text/javascript",
    "play.js": "text/javascript",
    "runs.js": "text/javascript",
}
"""The files that the app's pages load, with their media types."""
_CLOSED = 499
"""The status for a client that has gone; nobody sees it."""


def make_app(root: Path, hosts: list[str], desk: Desk) -> Guard:
    """The app, guarded.

    Args:
        root: the folder whose runs are shown.
        hosts: what the browser's address bar may show, such as ``127.0.0.1:8000``.
        desk: does the work.
    """
    runs = Runs(root)

    async def worked(request: Request, work: Callable[[], Result]) -> Result:
        return await desk.do(work, request.is_disconnected)

    async def home(request: Request) -> Response:
        return _page("home.html", request, titles=_titles())

    async def play(request: Request) -> Response:
        name = request.path_params["game"]
        if name not in games():
            raise Refused(f"there is no game {name!r:.40}", 404)
        offered = playing.described(find_game(name))
        return _page("play.html", request, titles=_titles(), offered=offered)

    async def solve(request: Request) -> Response:
        asked = await _asked(request)
        return JSONResponse(await worked(request, lambda: playing.solution(asked)))

    async def hint(request: Request) -> Response:
        asked = await _asked(request)
        return JSONResponse(await worked(request, lambda: playing.hint(asked)))

    async def table(request: Request) -> Response:
        asked = await _asked(request)
        return JSONResponse(await worked(request, lambda: playing.table(asked)))

    async def board(request: Request) -> Response:
        asked = await _asked(request)
        return JSONResponse(await worked(request, lambda: playing.board(asked)))

    async def listed(request: Request) -> Response:
        found = await worked(request, runs.listed)
        return _page("runs.html", request, titles=_titles(), runs=found, root=str(runs.root))

    async def run(request: Request) -> Response:
        name = request.path_params["name"]
        told = await worked(request, lambda: runs.progress(name, 0))
        return _page("run.html", request, titles=_titles(), name=name, told=told)

    async def progress(request: Request) -> Response:
        name, since = request.path_params["name"], request.query_params.get("since", "0")
        if not since.isdecimal() or len(since) > 9:
            raise Refused(f"since must be a number of generations, got {since!r:.40}", 400)
        return JSONResponse(await worked(request, lambda: runs.progress(name, int(since))))

    async def stop(request: Request) -> Response:
        name = request.path_params["name"]
        await worked(request, lambda: runs.stop(name))
        return JSONResponse({"asked": True})

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            raise Refused(f"there is no file {name!r:.40}", 404)
        return Response(static(name), media_type=STATIC[name])

    @asynccontextmanager
    async def lifespan(app: Starlette) -> Any:
        yield
        desk.close()
        desk.wait()

    routes = [
        Route("/", _answering(home)),
        Route("/play/{game}", _answering(play)),
        Route("/runs", _answering(listed)),
        Route("/runs/{name:path}", _answering(run)),
        Route("/static/{name}", _answering(file)),
        Route("/api/solve", _answering(solve), methods=["POST"]),
        Route("/api/hint", _answering(hint), methods=["POST"]),
        Route("/api/table", _answering(table), methods=["POST"]),
        Route("/api/board", _answering(board), methods=["POST"]),
        Route("/api/progress/{name:path}", _answering(progress)),
        Route("/api/stop/{name:path}", _answering(stop), methods=["POST"]),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: _no_page})
    return Guard(app, hosts)


def _titles() -> dict[str, str]:
    """The games that can be played in the app, by name."""
    found = {}
    for name in games():
        try:
            offered = playing.described(find_game(name))
        except BadInput:
            # A game that cannot be loaded is named by the command line.
            continue
        if offered["presets"] and offered["numbered"]:
            found[name] = offered["title"]
    return found


async def _no_page(request: Request, error: Exception) -> Response:
    return _refusal(request, "there is no such page", 404)


def _answering(
    answer: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint, with what it refuses turned into answers."""

    async def guarded(request: Request) -> Response:
        try:
            return await answer(request)
        except Gone:
            return PlainTextResponse("", _CLOSED)
        except Refused as error:
            return _refusal(request, str(error), error.status)
        except BadInput as error:
            return _refusal(request, str(error), 400)

    return guarded


def _refusal(request: Request, message: str, status: int) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, status)
    page = render("refused.html", titles=_titles(), here="", message=message)
    return HTMLResponse(page, status)


def _page(template: str, request: Request, **content: Any) -> Response:
    return HTMLResponse(render(template, here=request.url.path, **content))


async def _asked(request: Request) -> Mapping[str, Any]:
    """The JSON object that a request sends."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refused("a question is sent as application/json", 415)
    try:
        asked = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Refused("the question is not JSON", 400) from None
    if not isinstance(asked, Mapping):
        raise Refused("the question must be a JSON object", 400)
    return asked
