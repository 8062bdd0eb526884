"""``python benchmarks/same.py BEFORE AFTER``: whether two checkouts print and write the same.

For redesigns that must change nothing. Both checkouts need an environment (``make demo``). Each
runs the same commands: every committed run goes on by two generations, every preset solves deals 1
to 200 of its game, and hints, grades, comparisons, pages and reports are made. What they print and
write must be equal byte for byte, but for paths, seconds and what depends on them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BOARDS = (("deal", "freecell", "617"), ("klondike", "klondike", "3"), ("pyramid", "pyramid", "7"))
DEALS, GENERATIONS, SECONDS = "1-200", 2, 3600
UNLIKE = [
    (re.compile(r'"machine": ?\{.*?\}(?=[,}]\s*("|$|\n))', re.DOTALL), '"machine": {}'),
    (
        re.compile(r'"(seconds|costs|checksum\w*|sha256)": ?(\{[^{}]*\}|"[^"]*"|[\d.e+-]+)'),
        '"\\1": 0',
    ),
    (re.compile(r"[\d.,]+(?= (ms|s|seconds|minutes|MB)\b)"), "0"),
    (re.compile(r"[\d,]+(?= nodes (a|per) second)"), "0"),
    (re.compile(r"^Compiling .*\n", re.MULTILINE), ""),
]
"""What may differ between two runs of the same program."""
OTHER = """\
hint {folder}/deal.txt
hint {folder}/klondike.txt --game klondike
hint {folder}/pyramid.txt --game pyramid --format jsonl
rate 1-40 --format jsonl
rate 1-40 --game pyramid --format jsonl
play 1-20 --policy greedy --format jsonl
play 1-4 --policy uct --trajectories 50 --format jsonl
play 1-4 --policy best --samples 20 --hint
deal 1-5
deal 1-5 --game klondike
solve 617 --draw
solve 617 --html {folder}/deal.html
solve 3 --game klondike --html {folder}/klondike.html
solve 7 --game pyramid --html {folder}/pyramid.html
evaluate fast hsdh-same-search --deals 1-50 -o {folder}/evaluated.csv
compare runs/freecell-fast-a runs/freecell-fast-b --deals 1-50
show runs/freecell-nine
show runs/freecell-tradeoff
export runs/freecell-nine -o {folder}/weights.json
report runs/freecell-nine -o {folder}/report.html
report runs/freecell-tradeoff -o {folder}/tradeoff.html
plot runs/freecell-nine -o {folder}/fitness.svg
presets
presets --game klondike
presets --game pyramid
help
help solve
help evolve"""


def main() -> None:
    """Run all commands in both checkouts and print what differs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("before", type=Path)
    options.add_argument("after", type=Path)
    options.add_argument("--only", default="", help="commands that contain this text")
    given = options.parse_args()
    commands = [one for one in commands_of(given.before.resolve()) if given.only in " ".join(one)]
    differ = 0
    with ThreadPoolExecutor(2) as pool:
        sides = [given.before.resolve(), given.after.resolve()]
        for words in commands:
            before, after = pool.map(lambda side, words=words: result(side, words), sides)
            same = before == after
            differ += not same
            print("same  " if same else "DIFFER", " ".join(words), flush=True)
            if not same:
                show(before, after)
    print(f"{len(commands) - differ} of {len(commands)} commands are the same")
    sys.exit(differ > 0)


def commands_of(side: Path) -> list[list[str]]:
    """The commands, with ``{folder}`` where they may write."""
    found = [line.split() for line in OTHER.splitlines()]
    for path in sorted(side.glob("*/**/presets_data/*.json")):
        game = json.loads(path.read_text())["game"]
        found.append(["solve", DEALS, "--game", game, "--preset", path.stem, "--format", "jsonl"])
    for state in sorted((side / "runs").glob("*/state.json")):
        found.append(["resume", "{folder}/" + state.parent.name])
    return found


def result(side: Path, words: list[str]) -> dict[str, str]:
    """What a command prints, and the files that it leaves, without what may differ."""
    folder = Path(f"/tmp/same-{os.getpid()}-{side.name}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        for name, game, number in BOARDS:
            text = run(side, ["deal", number, "--game", game]).stdout
            (folder / f"{name}.txt").write_text(text)
        if words[0] == "resume":
            name = words[1].rpartition("/")[2]
            shutil.copytree(side / "runs" / name, folder / name)
            done = len((folder / name / "log.jsonl").read_text().splitlines())
            words = [*words, "--generations", str(done + GENERATIONS)]
        done = run(side, [word.format(folder=folder) for word in words])
        found = {"status": str(done.returncode), "stdout": done.stdout, "stderr": done.stderr}
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                found[str(path.relative_to(folder))] = path.read_bytes().decode("latin-1")
        return {name: plain(text, side, folder) for name, text in found.items()}
    finally:
        shutil.rmtree(folder)


def plain(text: str, side: Path, folder: Path) -> str:
    """A text without paths and seconds."""
    text = text.replace(str(folder), "FOLDER").replace(str(side), "SIDE")
    for pattern, instead in UNLIKE:
        text = pattern.sub(instead, text)
    return text


def run(side: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run ``gafreecell`` of a checkout, in it."""
    alone = ["--jobs", "1"] if words[0] in JOBS else []
    return subprocess.run(
        [side / ".venv/bin/gafreecell", *words, "--no-progress", *alone],
        cwd=side, capture_output=True, text=True, timeout=SECONDS,
        env={**os.environ, "GAFREECELL_CACHE": f"/tmp/same-cache-{side.name}"},
    )  # fmt: skip


JOBS = ("solve", "resume", "evaluate", "compare", "rate", "play")


def show(before: dict[str, str], after: dict[str, str]) -> None:
    """Print the first lines that differ."""
    for name in sorted({*before, *after}):
        one, other = (side.get(name, "").splitlines() for side in (before, after))
        if one != other:
            unlike = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
            first = unlike[0] if unlike else (f"{len(one)} lines", f"{len(other)} lines")
            print(f"       {name}: {first[0]:.300}\n       {'':{len(name)}}  {first[1]:.300}")


if __name__ == "__main__":
    main()
