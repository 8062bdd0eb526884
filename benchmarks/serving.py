"""Measures ``gafreecell serve``: its first answers, a burst of requests, and hostile inputs.

The figures depend on the machine; they are printed as a table, with what is asked of them.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

GAMES = ("freecell", "klondike", "pyramid")
FIRST_SECONDS = 0.3
"""The first answer of Solve is to come within this time, once the server is warm."""
BURST, AT_ONCE = 200, 20
MEMORY_SHARE = 0.1
"""By how much the memory may differ after the burst."""
RUN = Path("runs/freecell-fast-e")
HTML = "<img src=x onerror=alert(1)>"


class Server:
    """A server at work, in a folder with one run.

    Args:
        folder: where it starts.
    """

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "gafreecell", "serve", "--port", "0"]
        self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.port = int(re.findall(r":(\d+) in a browser", self.process.stderr.readline())[0])

    def request(self, method: str, path: str, body: Any, **headers: str) -> tuple[int, str]:
        """Status and text of the answer to one request on a connection of its own."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
        kind = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(method, path, body, {**kind, **headers})
        answer = connection.getresponse()
        found = answer.status, answer.read().decode()
        connection.close()
        return found

    def solve(self, **asked: Any) -> tuple[int, str]:
        """Status and text of the answer of Solve."""
        return self.request("POST", "/api/solve", json.dumps(asked))

    def memory(self) -> dict[str, int]:
        """Resident memory in bytes, now and at most, as ``/proc`` has it."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        found = dict(re.findall(r"(VmRSS|VmHWM):\s+(\d+) kB", text))
        return {name: 1024 * int(size) for name, size in found.items()}

    def end(self) -> float:
        """Press Ctrl-C; returns the seconds until the process has ended."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)
        return time.monotonic() - began


def first_answers(server: Server) -> Iterator[list[str]]:
    """Rows: the time of Solve on deals that nobody has asked for before."""
    for game in GAMES:
        seconds = []
        for deal in range(1001, 1021):
            began = time.monotonic()
            status, text = server.solve(game=game, text=str(deal))
            seconds.append(time.monotonic() - began)
            assert status == 200, text
        told = f"{seconds[0]:.3f} s; of 20 deals {statistics.median(seconds):.3f} s (median), "
        yield [
            f"first answer of Solve, {game}",
            told + f"{max(seconds):.3f} s (slowest)",
            f"under {FIRST_SECONDS} s: {verdict(seconds[0] < FIRST_SECONDS)}",
        ]


def burst(server: Server, games: Sequence[str]) -> Iterator[list[str]]:
    """Rows: a burst of requests, what was answered, in which order, and what memory it left.

    The order shows only if all searches take about as long: work is begun in order, but a long
    search ends after the short ones of the other workers.
    """
    ended: list[int] = []

    def one(place: int) -> tuple[int, str, float]:
        began = time.monotonic()
        status, text = server.solve(game=games[place % len(games)], text=str(2001 + place))
        ended.append(place)
        return status, text, time.monotonic() - began

    def run() -> list[tuple[int, str, float]]:
        ended.clear()
        with ThreadPoolExecutor(AT_ONCE) as clients:
            return list(clients.map(one, range(BURST)))

    # Each worker first makes the arrays that it keeps, and may meet the hardest deal late.
    for _ in range(2):
        run()
    before = server.memory()["VmRSS"]
    began = time.monotonic()
    answers = run()
    whole = time.monotonic() - began
    after = server.memory()
    solved = sum(status == 200 for status, _, _ in answers)
    told = sum(status == 503 and "try again" in text for status, text, _ in answers)
    yield [
        f"{BURST} requests, {AT_ONCE} at a time, {' and '.join(games)}",
        f"{solved} answered, {told} refused, in {whole:.1f} s; "
        f"slowest {max(seconds for *_, seconds in answers):.2f} s",
        f"all answered or refused: {verdict(solved + told == BURST)}",
    ]
    apart = max(abs(place - asked) for place, asked in enumerate(ended))
    if len(games) == 1:
        yield [
            "order of the answers",
            f"none came more than {apart} places from where it was asked",
            f"in order, but for the {AT_ONCE} at a time: {verdict(apart < AT_ONCE)}",
        ]
    change = after["VmRSS"] / before - 1
    yield [
        "memory before and after",
        f"{before / 1e6:.0f} MB and {after['VmRSS'] / 1e6:.0f} MB ({change:+.1%}), at most "
        f"{after['VmHWM'] / 1e6:.0f} MB",
        f"within {MEMORY_SHARE:.0%}: {verdict(abs(change) <= MEMORY_SHARE)}",
    ]


def hostile(server: Server) -> Iterator[list[str]]:
    """Rows: hostile inputs, each with the status and the message of its refusal."""
    post, solve = "POST", "/api/solve"
    asked = json.dumps({"game": "freecell", "text": "1"})
    inputs: dict[str, tuple[str, str, Any, dict[str, str]]] = {
        "10 MB of text": (post, solve, json.dumps({"text": "A" * 10_000_000}), {}),
        "10 MB in chunks": (post, solve, (b"x" * 100_000 for _ in range(100)), {}),
        "HTML in place of a board": (post, solve, asked.replace('"1"', f'"{HTML}"'), {}),
        "a deal number of 40 digits": (post, solve, asked.replace("1", "9" * 40), {}),
        "a path with `..`": ("GET", "/api/progress/run/../../../etc", None, {}),
        "an encoded path with `..`": ("GET", "/api/progress/..%2F..%2Fetc%2Fpasswd", None, {}),
        "a foreign Origin": (post, solve, asked, {"Origin": "http://evil.example"}),
        "a foreign Host": (post, solve, asked, {"Host": "evil.example"}),
        "a path as preset": (post, solve, asked[:-1] + ', "preset": "../run"}', {}),
        "a form of another site": (post, solve, asked, {"Content-Type": "text/plain"}),
        "100,000 brackets": (post, solve, "[" * 100_000, {}),
        "a million cells": (post, solve, asked[:-1] + ', "variant": {"cells": 1000000}}', {}),
        "HTML as a game": (post, solve, asked.replace("freecell", HTML), {}),
        "a stop of a run that does not run": (post, "/api/stop/run", "", {}),
    }
    for name, (method, path, body, headers) in inputs.items():
        status, text = server.request(method, path, body, **headers)
        message = str(json.loads(text)["error"])
        assert 400 <= status < 500, (name, status, text)
        yield [name, f"{status}: {message:.110}", f"refused: {verdict(bool(message))}"]


def verdict(fine: bool) -> str:
    return "yes" if fine else "NO"


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(RUN, Path(folder) / "run")
        server = Server(Path(folder))
        try:
            yield server
        finally:
            server.process.kill()


def main() -> None:
    """Print the table; exit status 1 if a figure is not as asked."""
    with serving() as server:
        for game in GAMES:
            server.solve(game=game, text="1")
        rows = [*first_answers(server), *burst(server, GAMES[:1]), *burst(server, GAMES)]
        rows += hostile(server)
        seconds = server.end()
        rows.append(
            ["Ctrl-C", f"ended after {seconds:.1f} s", f"within 4 s: {verdict(seconds < 4)}"]
        )
    print("| what | figure | asked |\n| --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    raise SystemExit(any(row[-1].endswith("NO") for row in rows))


if __name__ == "__main__":
    main()
