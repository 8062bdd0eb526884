"""``serve``: the local web app."""

from __future__ import annotations

import os
import socket
import sys
import threading
from argparse import Namespace
from pathlib import Path
from types import FrameType

from gafreecell.cli.statuses import DONE
from gafreecell.extras import needed
from gafreecell.game import game as find_game
from gafreecell.game import games
from gafreecell.inputs import InputError

WAITING = 32
"""How many requests may wait for a free worker."""
SECONDS = 60.0
"""The longest time for one request."""
LEAVING_SECONDS = 3
"""How long open connections are waited for at the end."""


def serve(given: Namespace) -> int:
    """Serve the app until Ctrl-C."""
    with needed("starlette", "the web app", extra="web"):
        import starlette  # noqa: F401
    with needed("uvicorn", "the web app", extra="web"):
        import uvicorn

    from gafreecell.web.app import make_app
    from gafreecell.web.desk import Desk

    workers = os.cpu_count() or 1 if given.jobs == -1 else given.jobs
    desk = Desk(workers, WAITING, SECONDS)
    listening = _listening(given.host, given.port)
    port = listening.getsockname()[1]
    names = {given.host, "127.0.0.1", "localhost"} if _is_local(given.host) else {given.host}
    hosts = [f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in sorted(names)]
    app = make_app(Path.cwd(), hosts, desk)

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            # Searches end at once; otherwise their requests would be waited for.
            desk.close()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LEAVING_SECONDS,
        h11_max_incomplete_event_size=16_384,
        limit_concurrency=200,
    )
    print(f"Open http://{hosts[0]} in a browser; Ctrl-C ends.", file=sys.stderr, flush=True)
    threading.Thread(target=_warm_up, daemon=True).start()
    Server(config).run(sockets=[listening])
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
    except OSError as error:
        found.close()
        raise InputError(
            f"cannot listen on {host}, port {port} ({error.strerror or error}): choose another "
            "with --port, or --port 0 for any free one"
        ) from None
    return found


def _is_local(host: str) -> bool:
    return host in ("127.0.0.1", "localhost", "::1")


def _warm_up() -> None:
    """Load the solvers, so that the first answer comes at once."""
    from gafreecell.interface import solve

    for name in games():
        try:
            game = find_game(name)
            if getattr(game, "default_preset", ""):
                solve(1, game=game)
        except Exception:
            # Whatever is wrong with a game is told to those who play it.
            continue
