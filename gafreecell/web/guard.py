"""Refuses requests that do not come from the app's own pages, or that are too long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 200_000
"""The longest body of a request."""
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of the app's pages: nothing from elsewhere, no script in a page."""


class _TooLong(Exception):
    """The body of a request is longer than allowed."""


class Guard:
    """Middleware that checks each request before anything reads it.

    A page of another site could send requests to this machine. Such a request names the other
    site as its ``Origin``; or, if that site's name was made to point here, as its ``Host``.

    Args:
        app: what answers the requests.
        hosts: the values of ``Host`` that mean this app, such as ``127.0.0.1:8000``.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                known = {name.lower() for name, _ in message["headers"]}
                own = {**_HEADERS, "content-security-policy": POLICY}
                message["headers"] = [
                    *message["headers"],
                    *[
                        (name.encode(), value.encode())
                        for name, value in own.items()
                        if name.encode() not in known
                    ],
                ]
            await send(message)

        fault = self._fault(scope["method"], headers)
        if fault:
            await JSONResponse({"error": fault[1]}, fault[0])(scope, receive, sending)
            return
        taken = 0

        async def receiving() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > MOST_BYTES:
                raise _TooLong
            return message

        try:
            await self._app(scope, receiving, sending)
        except _TooLong:
            if not started:
                answer = JSONResponse({"error": _too_long()}, 413)
                await answer(scope, receive, sending)

    def _fault(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
        """The status and message of a refusal; None if the request is fine."""
        host = headers.get("host", "")
        if host not in self._hosts:
            own = " or ".join(sorted(self._hosts))
            return 421, f"this server answers only as {own}, got the host {host!r:.80}"
        if method not in ("GET", "HEAD"):
            origin = headers.get("origin")
            if origin is not None and origin not in self._origins:
                return 403, f"requests from another site ({origin!r:.80}) are refused"
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "requests from another site are refused"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES:
            return 413, _too_long()
        return None


def _too_long() -> str:
    return (
        f"a request may have {MOST_BYTES:,} bytes: give one board, or use the command line for many"
    )


def plain(value: Any) -> str:
    """A value from a request, shortened for a message."""
    return f"{value!r:.60}"
