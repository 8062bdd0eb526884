"""``serve``."""

from __future__ import annotations

from typing import Any

from gafreecell.cli.arguments.shared import add_jobs
from gafreecell.cli.parsing import add, whole


def declare(commands: Any) -> None:
    """Add the command."""
    serve = add(
        commands,
        "serve",
        "serving",
        "open a local web app: solve, get hints, watch runs",
        "Serve a web app on this machine: solve deals and get hints in a browser, put a board "
        "together card by card, and watch the runs below the current folder while they evolve. "
        "It listens on 127.0.0.1 alone, so no other machine can reach it, and needs the extra "
        "web: pip install 'gafreecell[web]'.",
        examples=("gafreecell serve", "gafreecell serve --port 8080"),
        statuses={0: "stopped by Ctrl-C", 130: "stopped by Ctrl-C before it listened"},
    )
    serve.add_argument(
        "--port",
        type=whole(0),
        default=8000,
        metavar="N",
        help="the port (default 8000); 0 for any free one",
    )
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on (default 127.0.0.1). Any other address lets other machines "
        "use the app, which has no passwords",
    )
    add_jobs(serve)
