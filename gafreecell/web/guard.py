"""Refuses requests that do not come from the app's own pages or are too long, and says why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deals.errors import closest
from gafreecell.pages.page import render
from gafreecell.web.desk import Refused
from gafreecell.web.playing import all_titles, titles

MOST_BYTES = 200_000
"""The longest body of a request."""
MOST_TOLD = 600
"""The longest message of a refusal, in characters."""
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Without referrers, browsers would send forms with the origin "null", as foreign pages can.
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    # Nothing from elsewhere, no script in a page.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
}
ANY_ADDRESS = ("0.0.0.0", "::")
"""To listen there is to listen on every address of this machine."""
_HOST = re.compile(r"(?:\[([^\[\]]+)\]|([^:\[\]]+))(?::(\d{1,5}))?", re.ASCII)


class Json(Response):
    """JSON in ASCII, because a text from a question may hold what has no encoding."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def refusal(path: str, message: str, status: int, **more: Any) -> Response:
    """The answer to a request that is refused.

    Args:
        path: what was asked for; scripts ask below ``/api/``.
        message: why, and what to do.
        status: of HTTP.
        more: what else a script is told.
    """
    if len(message) > MOST_TOLD:
        # It quotes what was pasted.
        message = f"{message[: MOST_TOLD - 100]} ... {message[-100:]}"
    if path.startswith("/api/"):
        return Json({"error": message, **more}, status)
    # A report is asked for by a form on the pages of runs.
    back = "/runs" if path.startswith(("/report", "/runs/", "/watch")) else "/"
    known = all_titles() if path.startswith("/play/") else {}
    near = closest(path.removeprefix("/play/"), known)
    told = {"titles": titles(), "near": near, "near_title": known.get(near)}
    page = render("refused.html", here=path, message=message, back=back, **told)
    return HTMLResponse(page, status)


class Guard:
    """Middleware that checks each request before anything reads it.

    A page of another site could send requests to this machine. Such a request names the other
    site as its ``Origin``; or, if that site's name was made to point here, as its ``Host``.

    Args:
        app: what answers the requests.
        names: the names and addresses that mean this app, such as ``localhost``. If one of them is
            ``0.0.0.0`` or ``::``, so does any address in numbers, which no site can make its name.
        port: where it listens.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], port: int) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._numbers = not self._names.isdisjoint(ANY_ADDRESS)
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "websocket":
            # No page of the app opens any.
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check(scope["method"], Headers(scope=scope))
        except Refused as error:
            await refusal(scope["path"], str(error), error.status)(scope, receive, sending)
            return
        taken = 0

        async def receiving() -> Message:
            nonlocal taken
            message = await receive()
            # A body in chunks does not tell its length in advance.
            taken += len(message.get("body", b""))
            if taken > MOST_BYTES:
                raise _too_long()
            return message

        await self._app(scope, receiving, sending)

    def _check(self, method: str, headers: Headers) -> None:
        """Raise ``Refused`` unless the request may be answered."""
        for name in ("host", "origin", "content-length"):
            if len(headers.getlist(name)) > 1:
                raise Refused(f"expected one {name} in a request, got several", 400)
        host = headers.get("host", "")
        if not self._is_own(host):
            own = " or ".join(address(name, self._port) for name in sorted(self._names))
            raise Refused(f"this server answers only as {own}, got the host {host!r:.80}", 421)
        origin = headers.get("origin")
        scheme, _, place = (origin or "").lower().partition("://")
        if origin is not None and (scheme != "http" or not self._is_own(place)):
            raise Refused(
                f"requests from another site ({origin!r:.80}) are refused: use the app's own pages",
                403,
            )
        # A link to the app may stand anywhere; it sends no questions and loads no data.
        follows = method in ("GET", "HEAD") and headers.get("sec-fetch-mode") == "navigate"
        site = headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none") and not follows:
            raise Refused("requests from another site are refused: use the app's own pages", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES:
            raise _too_long()

    def _is_own(self, host: str) -> bool:
        """Whether the value of ``Host`` means this app."""
        found = _HOST.fullmatch(host)
        # Browsers leave out the port of HTTP.
        if found is None or int(found[3] or 80) != self._port:
            return False
        name = (found[1] or found[2]).lower()
        return name in self._names or (self._numbers and _is_address(name))


def address(name: str, port: int) -> str:
    """A name or an address with its port, as in the address bar of a browser."""
    return f"[{name}]:{port}" if ":" in name else f"{name}:{port}"


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _too_long() -> Refused:
    return Refused(
        f"a request may have {MOST_BYTES:,} bytes: give one board, or use the command line for "
        "many",
        413,
    )
