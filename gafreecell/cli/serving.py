"""``serve``: the local web app."""

from __future__ import annotations

import os
import socket
import threading
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from gafreecell.cli.statuses import DONE, is_compiling, leave
from gafreecell.installed.extras import needed
from gafreecell.service.inputs import InputError
from gafreecell.solitaire.game import Game, games
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.saying import say
from gafreecell.solving.stopping import StopToken

LOCAL = ("127.0.0.1", "localhost", "::1")
"""The addresses that only this machine reaches."""
WAITING = 32
"""How many searches may wait for a free worker."""
SECONDS = 60.0
"""The longest time for one search."""
REPORTS_WAITING = 4
REPORT_SECONDS = 600.0
"""The longest time for a report."""
LIGHT_WORKERS = 2
"""How many requests are answered at once that search nothing, such as the progress of a run."""
LIGHT_WAITING = 64
LIGHT_SECONDS = 20.0
HEAD_SECONDS = 10.0
"""The longest time until a connection brings its first request, or the next one."""
LEAVING_SECONDS = 2
"""How long open connections are waited for at the end, and then the threads."""


def serve(given: Namespace) -> int:
    """Serve the app until Ctrl-C."""
    with needed("starlette", "the web app", extra="web"):
        import starlette  # noqa: F401
    with needed("uvicorn", "the web app", extra="web"):
        import uvicorn
        from uvicorn.protocols.http.h11_impl import H11Protocol

    from gafreecell.web.app import make_app
    from gafreecell.web.desk import Desk
    from gafreecell.web.guard import ANY_ADDRESS, address
    from gafreecell.web.playing import all_titles, offer

    brought: dict[str, Game] = {}
    for file in given.game:
        page = Path(file).stem
        if page in brought or page in all_titles():
            raise InputError(
                f"--game {file}: the address /play/{page} would belong to two games: give one of "
                "the files another name"
            )
        brought[page] = find_game(file)
    for page, game in brought.items():
        offer(page, game)
    workers = os.cpu_count() or 1 if given.jobs == -1 else given.jobs
    slower = "take a faster preset, or the command line, which has no such limit"
    searching = Desk(workers, WAITING, SECONDS, slower)
    reporting = Desk(1, REPORTS_WAITING, REPORT_SECONDS, "take 'gafreecell report'")
    light = Desk(LIGHT_WORKERS, LIGHT_WAITING, LIGHT_SECONDS, "start gafreecell further down")
    listening = _listening(given.host, given.port)
    port = listening.getsockname()[1]
    local = given.host in (*LOCAL, *ANY_ADDRESS)
    names = {given.host, "localhost"} if local else {given.host}
    names |= {"127.0.0.1"} if given.host == "localhost" else set()
    app = make_app(Path.cwd(), names, port, searching, reporting, light)

    class Protocol(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.loop.call_later(HEAD_SECONDS, self.leave, self.cycle)

        def on_response_complete(self) -> None:
            last = self.cycle
            super().on_response_complete()
            self.loop.call_later(HEAD_SECONDS, self.leave, last)

        def leave(self, last: Any) -> None:
            # Otherwise clients that send nothing, or no whole head, could take all connections.
            if self.cycle is last:
                self.transport.close()

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            # Searches end at once; otherwise their requests would be waited for.
            for one in (searching, reporting, light):
                one.close()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LEAVING_SECONDS,
        h11_max_incomplete_event_size=16_384,
        limit_concurrency=200,
    )
    shown = "localhost" if given.host in ANY_ADDRESS else given.host
    say(f"Open http://{address(shown, port)} in a browser; Ctrl-C ends.")
    warming = StopToken()
    threading.Thread(target=warming.run, args=[_warm_up], daemon=True).start()
    # Once the server has ended, it passes Ctrl-C on.
    with suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listening])
    for one in (searching, reporting, light):
        one.close()
    warming.set()
    ended = searching.wait(LEAVING_SECONDS) and reporting.wait(0) and light.wait(0)
    if not ended or is_compiling():
        leave(DONE)
    return DONE


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens there.

    Raises:
        InputError: saying why nothing can listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        # Another process may have bound the port, too, and listen before.
        found.listen()
    except (OSError, OverflowError, UnicodeError) as error:
        found.close()
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot listen on {host}, port {port} ({reason}): choose another with --port, or "
            "--port 0 for any free one"
        ) from None
    return found


def _warm_up() -> None:
    """Load the solvers, so that the first answer comes at once."""
    from gafreecell.service.interface import solve

    for name in games():
        try:
            game = find_game(name)
            if getattr(game, "default_preset", ""):
                solve(1, game=game)
        except Exception:
            # Whatever is wrong with a game is told to those who play it.
            continue
