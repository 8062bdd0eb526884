"""What made a run: ``environment.jsonl``, a line for each process that worked on it.

The file says on which machine and with which versions and parts a run was made, so it differs from
machine to machine. Nothing that a run computes depends on it, but a part of one's own that has
changed since is refused on resuming, as another engine is.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gafreecell.evolution.job import Job
from gafreecell.evolution.operators.catalogue import find as operator
from gafreecell.installed import plugins
from gafreecell.installed.sources import digest_of, is_own
from gafreecell.runs.folder import JOB, RunError, engine_of
from gafreecell.solitaire.game import returns_the_same
from gafreecell.solving.files import read_text

ENVIRONMENT = "environment.jsonl"
LIBRARIES = ("gafreecell", "cmaes", "deap", "joblib", "numba", "numpy", "scipy")


def enter(folder: Path, job: Job, generation: int) -> None:
    """Add a line for this process.

    Args:
        folder: the run's.
        job: the run's job.
        generation: the last one that was done before.
    """
    record = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "generation": generation,
        "command": sys.argv,
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "libraries": libraries(),
        "parts": own_parts(job),
    }
    path = folder / ENVIRONMENT
    if path.exists():
        # A process that was killed may have left half a line.
        whole = path.read_bytes().rpartition(b"\n")
        os.truncate(path, len(whole[0] + whole[1]))
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


def records(folder: Path) -> list[dict[str, Any]]:
    """The lines, the oldest first; none if there are none, as for runs of older versions.

    Raises:
        RunError: if a line is no such record.
    """
    found = []
    for number, line in enumerate(_lines(folder), start=1):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not _is_record(record):
            raise RunError(
                f"{folder / ENVIRONMENT}, line {number}: expected what made the run, as the page "
                f"File formats has it, got {line!r:.60}: move the file away"
            )
        found.append(record)
    return found


def _lines(folder: Path) -> list[str]:
    path = folder / ENVIRONMENT
    if not path.exists():
        return []
    text = read_text(path, "a record of environments (JSON lines)", RunError)
    return text.split("\n")[:-1]


def _is_record(record: Any) -> bool:
    texts, parts = ("python", "system", "processor"), {"name": str, "from": str, "sources": str}
    return (
        isinstance(record, dict)
        and all(isinstance(record.get(key), str) for key in texts)
        and isinstance(record.get("command"), list)
        and isinstance(record.get("libraries"), dict)
        and isinstance(record.get("parts"), dict)
        and all(
            isinstance(part, dict)
            and all(isinstance(part.get(key), kind) for key, kind in parts.items())
            for part in record["parts"].values()
        )
    )


def changed_maker(folder: Path, job: Job) -> str:
    """What has changed since it last worked on a run, in words; empty if nothing has.

    Args:
        folder: the run's.
        job: what is to be made now: its engine and its parts are compared, as far as the run has
            such.
    """
    made, game = engine_of(folder), job.load_game()
    if not returns_the_same(game, made):
        return (
            f"{folder} was made by engine {made}, but this is engine {game.engine}, whose counts "
            "may differ"
        )
    known: Mapping[str, Any] = {}
    for record in records(folder):
        known = {**known, **record.get("parts", {})}
    for kind, part in own_parts(job).items():
        before = known.get(kind, {})
        same_name = before.get("name") == part["name"]
        if same_name and before["sources"] and part["sources"] != before["sources"]:
            return (
                f"{folder} was made with another {plugins.title(kind)} {part['name']!r}, whose "
                f"sources had the hash {before['sources']} (now {part['sources'] or 'unknown'})"
            )
    return ""


def own_parts(job: Job) -> dict[str, dict[str, Any]]:
    """The job's parts that do not come with gafreecell, by kind.

    Each has its ``name``, the module and class that it comes ``from``, whether a package that is
    ``installed`` registered it, whether it is an ``object`` rather than its class, and the hash of
    its ``sources``, empty if they cannot be read.
    """
    names = {"game": job.game, "trainer": job.trainer, "scheme": job.scheme}
    names["measure"] = job.fitness.measure
    parts = {kind: plugins.find(kind, name) for kind, name in names.items()}
    for kind in plugins.FUNCTIONS:
        if name := getattr(job.operators, kind):
            names[kind], parts[kind] = name, operator(kind, name, by_costs=True)
    found = {}
    for kind, part in parts.items():
        named = part if hasattr(part, "__qualname__") else type(part)
        if is_own(named):
            found[kind] = {
                "name": names[kind],
                "from": f"{named.__module__}:{named.__qualname__}",
                "installed": plugins.is_installed(kind, names[kind]),
                "object": named is not part,
                "sources": digest_of(part),
            }
    return found


def makers(folder: Path) -> dict[str, str]:
    """What made a run and can change its results: its engine, and the sources of its own parts.

    Returns:
        The engine's number under ``engine``, and under each part's title and name the hashes of
        the sources that worked on the run, where they are known.
    """
    hashes: dict[str, list[str]] = {"engine": [str(engine_of(folder))]}
    for record in records(folder):
        for kind, part in record["parts"].items():
            if part["sources"]:
                known = hashes.setdefault(f"{plugins.title(kind)} {part['name']!r}", [])
                known += [part["sources"]] * (part["sources"] not in known)
    return {what: ", ".join(found) for what, found in hashes.items()}


def command_of(folder: Path, out: str) -> str:
    """The command that runs a run's job again, with parts that were handed in from Python.

    Args:
        folder: the run's.
        out: the new folder.
    """
    job = str(folder / JOB)
    made = records(folder)[:1]
    parts = made[0]["parts"] if made else {}
    own = {kind: part for kind, part in parts.items() if not part.get("installed")}
    if not own:
        return shlex.join(["gafreecell", "evolve", job, "--out", out])
    origins = {kind: part["from"].split(":") for kind, part in own.items()}
    if any(module == "__main__" or "<" in name for module, name in origins.values()) or any(
        part.get("object") for part in own.values()
    ):
        # Only the program that made the run has its parts.
        kinds = " and ".join(f"{kind} {part['name']}" for kind, part in own.items())
        return f"# hand in the {kinds} from Python, as the program did that made the run"
    modules = ", ".join(sorted({module for module, _ in origins.values()}))
    given = ", ".join(f"{kind}={module}.{name}" for kind, (module, name) in origins.items())
    program = f"import gafreecell, {modules}; gafreecell.evolve({job!r}, {out!r}, {given})"
    return shlex.join(["python", "-c", program])


@cache
def libraries() -> dict[str, str]:
    """The versions of the libraries that runs use; those that are not installed are left out."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@cache
def processor() -> str:
    """The processor's name, as the system gives it; its architecture if it gives none."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
