"""Sends requests to an ASGI app in this process, as a server would hand them over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote


@dataclass(frozen=True)
class Answer:
    """What the app answered; a status of 0 is no answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def data(self) -> Any:
        """The body as JSON, which must not hold NaN."""
        return json.loads(self.body, parse_constant=lambda word: 1 / 0)


class Client:
    """A browser's requests to an app.

    Args:
        app: what answers.
        host: the ``Host`` of its requests.
    """

    def __init__(self, app: Any, host: str) -> None:
        self._app = app
        self._host = host

    def get(self, target: str, method: str = "GET", **headers: str) -> Answer:
        return asyncio.run(self.send(method, target, headers))

    def ask(self, what: str, **asked: Any) -> Answer:
        """A question of the app's own page."""
        return self.post(f"/api/{what}", json.dumps(asked).encode())

    def post(self, target: str, *chunks: bytes, pause: float = 0, **headers: str) -> Answer:
        return asyncio.run(self.send("POST", target, headers, chunks or [b""], pause=pause))

    async def send(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str] | None = None,
        chunks: Iterable[bytes] = (b"",),
        leaves_after: float | None = None,
        pause: float = 0,
    ) -> Answer:
        """One request.

        Args:
            method: of HTTP.
            target: path and query, percent-encoded.
            headers: with ``_`` for ``-``; they replace those of a browser, None leaves one out.
            chunks: the body; its length is not announced if there are several.
            leaves_after: after how many seconds the client closes the connection.
            pause: seconds before each chunk.
        """
        chunks = list(chunks)
        sent = {"host": self._host, "content-type": "application/json"}
        if len(chunks) == 1:
            sent["content-length"] = str(len(chunks[0]))
        sent |= {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        path, _, query = target.partition("?")
        scope = {
            "type": "http", "http_version": "1.1", "method": method, "scheme": "http",
            "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(),
            "headers": [(k.encode(), v.encode()) for k, v in sent.items() if v is not None],
            "root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 1),
        }  # fmt: skip
        coming = [
            {"type": "http.request", "body": part, "more_body": place < len(chunks)}
            for place, part in enumerate(chunks, start=1)
        ]
        gone = asyncio.Event()
        told: list[Any] = []

        async def receive() -> Any:
            if coming:
                await asyncio.sleep(pause)
                return coming.pop(0)
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            told.append(message)

        if leaves_after is not None:
            asyncio.get_running_loop().call_later(leaves_after, gone.set)
        try:
            await self._app(scope, receive, send)
        except Exception:
            # A server logs it; the client has had its answer.
            if not told:
                raise
        return Answer(
            told[0]["status"] if told else 0,
            {k.decode(): v.decode() for k, v in told[0]["headers"]} if told else {},
            b"".join(one.get("body", b"") for one in told[1:]),
        )
