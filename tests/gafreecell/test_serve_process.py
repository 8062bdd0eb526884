"""``gafreecell serve`` as a process: its port, its clients, and its end."""

from __future__ import annotations

import json
import re
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from conftest import Command, refused, start, wait_for

LONG = {"game": "freecell", "text": "1", "preset": "optimal"}
"""A question that takes some seconds."""
SHORT = {"game": "freecell", "text": "164", "preset": "fast"}


class Server:
    """A server on a free port.

    Args:
        words: of the command line, after ``serve``.
    """

    def __init__(self, *words: object) -> None:
        self.process: Popen[str] = start("serve", "--port", 0, *words)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.fullmatch(r"Open (http://\S+:(\d+)) in a browser; Ctrl-C ends.\n", line)
        assert found, line
        self.address, self.port = found[1], int(found[2])

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> int:
        """The status of an answer."""
        address = self.address[7:].rpartition(":")[0].strip("[]")
        with closing(HTTPConnection(address, self.port, timeout=30)) as connection:
            connection.request(method, path, body, headers)
            return connection.getresponse().status

    def ask(self, asked: dict[str, Any] | Any) -> int:
        """The status of the answer to a question, or to a body."""
        body = json.dumps(asked) if isinstance(asked, dict) else asked
        return self.request("POST", "/api/solve", body, **{"Content-Type": "application/json"})

    def socket(self, text: str) -> socket.socket:
        """A connection on which a text was sent."""
        made = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        made.sendall(text.encode())
        return made

    def sending(self, asked: dict[str, Any]) -> socket.socket:
        """A connection on which a question was sent."""
        body = json.dumps(asked)
        return self.socket(
            f"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )

    def seconds(self) -> float:
        """Processor time that the server has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def end(self, limit: float) -> str:
        """Press Ctrl-C; returns what was printed since the first line."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=60)
        assert time.monotonic() - began < limit
        assert self.process.returncode == 0, err
        return err


@contextmanager
def serving(*words: object) -> Iterator[Server]:
    server = Server(*words)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_one_server_under_its_clients(command: Command) -> None:
    with serving("--jobs", 1) as server:
        assert server.address == f"http://127.0.0.1:{server.port}"
        # The kernels of both presets are loaded, which nothing can interrupt.
        assert server.ask({**LONG, "text": "17"}) == server.ask(SHORT) == 200
        assert server.request("GET", "/") == 200

        # Clients that dawdle in the middle of a request hold nobody up.
        head = f"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        slow = [server.socket("GET / HT"), server.socket(head + "Content-Length: 99\r\n\r\n{")]

        # The only worker is free within a second after its client has left.
        asking = server.sending(LONG)
        time.sleep(0.3)
        asking.close()
        began = time.monotonic()
        assert server.ask(SHORT) == 200
        assert time.monotonic() - began < 1
        used = server.seconds()
        time.sleep(0.3)
        assert server.seconds() - used < 0.1

        # A refusal arrives although the body was not read.
        body = b"x" * 10_000_000
        assert server.ask(body) == server.ask(body for _ in "1") == 413
        assert server.request("GET", "/", Host="evil.example") == 421
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        assert server.request("GET", "/api/solve", **upgrade) == 405
        for one in slow:
            one.close()

        # Another server on this port says so in a sentence.
        busy = command("serve", "--port", server.port)
        refused(busy, f"cannot listen on 127.0.0.1, port {server.port}", "in use", "--port 0")

        # Ctrl-C ends the search that is going on.
        asking = server.sending(LONG)
        time.sleep(0.3)
        err = server.end(4)
        assert "Traceback" not in err
        answer = b""
        while part := asking.recv(4096):
            answer += part
        assert b" 503 " in answer.splitlines()[0]
        assert b"shutting down" in answer


def test_a_port_or_an_address_that_does_not_exist(command: Command) -> None:
    refused(command("serve", "--port", 99_999), "cannot listen", "port 99999", "--port 0")
    refused(command("serve", "--host", "192.0.2.1", "--port", 0), "cannot listen on 192.0.2.1")
    refused(command("serve", "--host", "no such host", "--port", 0), "cannot listen on no such")


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_without_the_extra(command: Command, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    done = command("serve", "--port", 0)
    refused(done, f"the web app needs the package {package}", "pip install 'gafreecell[web]'")
    assert len(done.lines) == 1


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_an_address_of_ip_version_6() -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with serving("--host", "::1") as server:
        assert server.address == f"http://[::1]:{server.port}"
        assert server.request("GET", "/static/app.css", Host=f"[::1]:{server.port}") == 200


@pytest.mark.long
def test_clients_that_send_nothing_do_not_keep_their_connections() -> None:
    with serving() as server:
        idle = [server.socket(text) for text in ("", "GET / HT") for _ in range(110)]
        assert server.request("GET", "/") == 503
        wait_for(lambda: server.request("GET", "/") == 200, 15)
        assert all(one.recv(1) == b"" for one in idle)
        # Nor do those that have had an answer, and send half of the next request.
        head = f"GET /static/app.css HTTP/1.1\r\nHost: {server.address[7:]}\r\n\r\n"
        served = server.socket(head)
        assert served.recv(100_000)
        served.sendall(b"GET / HT")
        began = time.monotonic()
        while served.recv(100_000):
            pass
        assert time.monotonic() - began < 15


@pytest.mark.long
def test_ctrl_c_does_not_wait_for_a_compiler(tmp_path: Path) -> None:
    process = start("serve", "--port", 0, env={"GAFREECELL_CACHE": str(tmp_path)})
    assert process.stderr is not None
    process.stderr.readline()
    wait_for(lambda: "Compiling" in process.stderr.readline())  # type: ignore[union-attr]
    time.sleep(1)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 6
    assert process.returncode == 0, err
