"""Command lines that are refused, with what is said of them. Most need no more than the line."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from conftest import ROOT, Command, refused

NINES = "9" * 5000
ONE_EACH = "one KEY=VALUE, got 'draw=1{}redeals=0': write --variant draw=1 --variant redeals=0"
STRICT = "man-machine plays draw=3 redeals=unlimited only, got draw=3 redeals=2"
LINES: list[tuple[str, ...]] = [
    # Commands and options
    ("dance", "\n  try 'gafreecell --help'"),
    ("solve", "\n  try 'gafreecell solve --help'"),
    ("--loud", "there is no option '--loud'", "\n  try 'gafreecell --help'"),
    ("--versio solve 1", "there is no option '--versio'; did you mean"),
    ("solve 1 --loud", "\n  try 'gafreecell solve --help'"),
    ("solve 1 --nodes 5 --nodes 6", "--nodes comes twice, with 5 and 6: give it once"),
    ("lists freecell --grade 9 --grade 1-3", "--grade comes twice, with 9 and 1-3"),
    ("solve 1 -o a.jsonl --output=b.jsonl", "-o comes twice"),
    ("solve 1 --game", "freecell, klondike, pyramid"),
    ("compare", "RUN"),
    # Misspelt words
    ("slove 164", "did you mean 'solve'?"),
    ("version", "did you mean '--version'?"),
    ("verify 164 x --draw", "'--draw'; it is an option of solve"),
    ("solve 3 -g klondike", "did you mean '--game klondike'?"),
    ("solve 164 klondike", "'klondike' is a game, not a deal: write --game klondike"),
    ("solve 1 --html a.html --html b.html", "--html comes twice, with a.html and b.html"),
    ("help slove", "did you mean 'solve'?"),
    ("solve 1 --presett fast", "did you mean '--preset'?"),
    ("solve 1 --format jsonnl", "did you mean 'jsonl'?"),
    ("solve 1 --preset fats", "did you mean 'fast'?"),
    ("solve 1 --search bestfirst", "did you mean 'best-first'?"),
    ("solve 1 --set shortn=detours", "did you mean 'shorten'?"),
    ("solve 1 --game klondyke", "did you mean 'klondike'?"),
    ("evaluate fasst --deals 1", "did you mean 'fast'?"),
    ("evaluate fast --deals ms32k-tets", "did you mean 'ms32k-test'?"),
    ("play 1 --policy utc", "did you mean 'uct'?"),
    ("plot {runs}/freecell-nine --kind weihgts -o x.png", "did you mean 'weights'?"),
    ("presets fsat", "there is no preset 'fsat'", "did you mean 'fast'?"),
    ("evolve {runs}/demo.toml --set generatoins=3", "did you mean 'generations'?"),
    ("evolve {runs}/demo.toml --set trainer=genetics", "did you mean 'genetic'?"),
    # Deals
    ("deal 0", "0", "2,147,483,647"),
    ("deal 2147483648", "2147483648", "1 to 2,147,483,647"),
    ("deal 5-3", "5-3", "3-5"),
    ("deal 1-2147483648", "2147483648"),
    ("deal -5", "-5", "1 to 2,147,483,647"),
    ("deal 1-", "1-"),
    ("deal 617x", "617x", "ms32k"),
    ("deal /absent/file", "/absent/file"),
    (f"deal {NINES}", "2,147,483,647"),
    ("deal 1 --rows --columns", "not allowed with"),
    ("deal 1 --number --reachable", "not allowed with"),
    ("deal 1 --reachable", "FreeCell cannot mark the reachable cards of a talon"),
    ("solve mygame.txt", "there is no file 'mygame.txt' in this folder"),
    ("solve boards/mine", "there is no file 'boards/mine'\n"),
    ("solve ms64k", "no set of deals 'ms64k'"),
    ("solve .", ".", "directory"),
    ("verify 1 absent", "absent"),
    ("verify 1 .", "directory"),
    ("verify 1-2 absent", "one deal"),
    ("rate no-such-file", "no-such-file"),
    ("compare absent", "absent"),
    # Solving
    ("solve 1 --nodes 0", "--nodes", "'0'"),
    ("solve 1 --nodes 1e6", "--nodes", "1e6"),
    ("solve 1 --nodes 100000000000000000000", "nodes"),
    ("solve 1 --seconds 0", "--seconds"),
    ("solve 1 --seconds nan", "--seconds"),
    ("solve 1 --seconds inf", "--seconds"),
    ("solve 1 --jobs 0", "--jobs", "-1"),
    ("solve 1 --cells 8", "cells", "0 to 7"),
    ("solve 1 --cells -1", "cells"),
    ("solve 1 --cascades 3", "cascades", "4 to 9"),
    ("solve 1 --cascades 10", "cascades", "4 to 9"),
    ("solve 1 --preset best", "best", "hsdh"),
    ("solve 1 --weights absent.json", "absent.json", "hsdh"),
    ("solve 1 --weights .", ". holds no run"),
    ("solve 1 --preset hsdh --weights hsdh", "--preset", "--weights"),
    ("solve 1 --search guess", "guess", "staged"),
    ("solve 1 --set depth", "KEY=VALUE"),
    ("solve 1 --set width=3", "width", "shorten"),
    ("solve 1 --search best-first --set patience=-1", "patience", "0 to"),
    ("solve 1 --set depth=17", "depth"),
    ("solve 1 --search best-first --set patience=deep", "patience", "whole number"),
    ("solve 1 --set automatic=yes", "automatic", "safe"),
    ("solve 1 --format xml", "xml", "jsonl"),
    ("solve 1 --game chess", "chess", "freecell"),
    ("solve 1 --goal score", "FreeCell cannot be played for another goal"),
    ("solve 1 --resume", "-o"),
    ("solve 1 --resume -o x.txt", "jsonl"),
    ("solve 1 --resume -o x --format moves", "--resume needs --format jsonl"),
    ("solve 1 --resume -o x --format jsonl --only solved", "leave out --only"),
    ("solve 1 --draw --format jsonl", "--draw needs the text format, not jsonl"),
    ("solve 1 --draw -o x.jsonl", "--draw needs the text format"),
    ("solve 1 --format moves --only unsolvable", "an unsolvable deal has no moves"),
    ("solve 1 --only lost", "--only must be one of solved, unsolvable, got 'lost'"),
    ("solve 1 -o /dev/null/out.txt", "/dev/null/out.txt"),
    ("solve 1 -o /", "/"),
    ("plot hsdh --kind phases --deals 1 -o x.svg", "schedule of several phases, but hsdh has one"),
    ("plot fast hsdh --kind phases --deals 1 -o x.svg", "takes one solver, got fast, hsdh"),
    ("plot hsdh --kind cactus -o x.bmp", ".png"),
    # Klondike
    ("solve 3 {klondike} --set nesting=3,1", "complete"),
    ("solve 3 {klondike} --preset fast", "rollouts-2007"),
    ("solve 3 {klondike} --cells 3", "Klondike has no option 'cells'"),
    ("solve 3 {klondike} --rows", "Klondike cannot tell rows from columns: leave out --rows"),
    ("solve 3 {klondike} --columns", "leave out --columns"),
    ("solve 3 {klondike} --variant draw=1,redeals=0", ONE_EACH.format(",")),
    ("solve 3 {klondike} --variant 'draw=1 redeals=0'", ONE_EACH.format(" ")),
    ("solve 3 {klondike} --variant draw=2", "draw must be 3 or 1, got 2"),
    ("deal 3 {klondike} --variant redeals=9", "must be 0 or 1 or 2 or 3 or unlimited, got 9"),
    ("hint 3 {klondike} --variant redeals=many", "2 or 3 or unlimited, got 'many'"),
    ("deal 3 {klondike} --variant stock=seen", "stock must be known or hidden, got 'seen'"),
    ("solve 7 {klondike} --preset man-machine-2005-n1 --variant redeals=2", STRICT),
    ("evaluate man-machine-2005-n1 --deals 7 {klondike} --variant redeals=2", STRICT),
    # Evaluating
    ("evaluate hsdh", "--deals"),
    ("evaluate hsdh --deals 0", "0"),
    ("evaluate hsdh hsdh --deals 1", "hsdh", "twice"),
    ("evaluate nobody --deals 1", "nobody", "hsdh"),
    ("evaluate hsdh --deals 1-5 --deals 3-7", "deal 3", "3 repeated deals"),
    ("evaluate complete fast --deals 1", "complete", "compare solvers"),
    ("evaluate fast --deals 1 --set width=3", "fast: the search schedule", "no parameter 'width'"),
    # Evolving
    ("evolve {runs}/demo.toml --out run --backend mpi", "loky"),
    ("evolve {runs}/demo.toml --out run --scheduler tcp://127.0.0.1:1", "dask"),
    ("evolve {runs}/demo.toml --out run --backend dask --scheduler nonsense://", "nonsense"),
    ("evolve {runs}/demo.toml --out run --generations 0", "--generations"),
    ("evolve {runs}/demo.toml --out run --seed -1", "--seed"),
    ("evolve {runs}/demo.toml --out run --seconds 5", "--seconds"),
    # Hints
    ("hint 1 --policy best", "--policy is for hidden cards"),
    ("hint 1 --samples 3", "--samples is for hidden cards"),
    ("hint 1 --seed 0", "--seed is for hidden cards"),
    ("hint 1-2", "hint takes one position, but 1-2 holds 2"),
    ("hint 1 --preset slow", "neither a file nor a preset", "FreeCell has fast"),
    ("hint 1 --preset fast --weights fast", "not both"),
    ("hint 1 --weights optimal --game klondike", "neither a file nor a preset"),
    ("hint 1 --variant colour=red", "no option 'colour'"),
    # Games with hidden cards
    ("play 1 --policy clever", "no policy 'clever'", "random, greedy, hop", "best"),
    ("play 1 --format text -o x", "-o writes a line of JSON", "--format text"),
    ("play 1 --draw -o x", "--draw needs the text format", "-o"),
    ("play 1 --draw --format jsonl", "--draw needs the text format", "jsonl"),
    ("play 1 --policy uct --samples 3", "no parameter 'samples'", "trajectories"),
    ("play 1 --policy hop --samples 0", "samples must be 1"),
    ("play 1 --policy greedy --seconds 1", "takes no seconds"),
    ("play 1 --policy best --seconds 1 --samples 9", "replace samples"),
    ("play 1 --policy hop-uct --seconds 1 --trees 9", "replace trees"),
    ("play 1 --policy uct --trajectories 1000000", "1 to 100,000, got 1000000"),
    ("play 1 --policy greedy --resume", "-o FILE"),
    ("play 1 --policy greedy --game freecell", "cannot be played with hidden cards", "klondike"),
    ("play 1 --policy greedy --hint", "greedy gives no hints", "best"),
    ("play 1-2 --policy best --hint", "one position, got 2"),
    ("play 1 --policy best --hint -o x", "leave out -o and --resume"),
    ("play 1 --policy random -o .", "Is a directory"),
    ("rate 1 --resume", "-o FILE"),
    ("rate 1-1000000 --cells 3", "Deal 1:", "8 cascades and 4 cells"),
]  # fmt: skip


@pytest.mark.parametrize("case", LINES, ids=lambda case: case[0][:60])
def test_a_line_is_refused_and_nothing_written(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    line, *said = case
    words = line.format(runs=ROOT / "runs", klondike="--game klondike")
    done = command(*shlex.split(words))
    refused(done, *said)
    assert len(done.err) < 1000
    assert not [*tmp_path.iterdir()]
