"""Help, guesses at misspelt words, completion."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping

import pytest
from conftest import COMMAND, Command, refused

from gafreecell.cli.arguments import parser

_PARSER = parser()
COMMANDS: dict[str, argparse.ArgumentParser] = next(
    dict(action.choices)
    for action in _PARSER._actions
    if isinstance(action, argparse._SubParsersAction)
)


def test_the_command_alone_shows_its_help(command: Command) -> None:
    done = command()
    assert (done.status, done.out) == (2, "")
    assert done.err == command("--help").out == command("help").out
    assert all(f"\n  {name:<12}" in done.err for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_examples_that_parse_and_its_statuses(
    command: Command, name: str
) -> None:
    done = command("help", name)
    assert (done.status, done.err) == (0, "")
    assert done.out == command(name, "--help").out
    assert done.out.startswith(f"usage: gafreecell {name} ")
    assert "--no-progress" in done.out
    examples, statuses = done.out.partition("examples:\n")[2].split("\n\nexit status:\n")
    assert f"gafreecell {name}" in examples
    for line in examples.replace('eval "$(', "").replace(')"', "").splitlines():
        for one in line.split("|"):
            words = shlex.split(one, comments=True)
            if words[0] == "gafreecell":
                parser().parse_args(words[1 : words.index(">") if ">" in words else None])
    assert {int(line.split()[0]) for line in statuses.splitlines()} >= {0, 2, 130}


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (["slove", "164"], "solve"),
        (["help", "slove"], "solve"),
        (["solve", "1", "--presett", "fast"], "--preset"),
        (["solve", "1", "--format", "jsonnl"], "jsonl"),
        (["solve", "1", "--preset", "fats"], "fast"),
        (["solve", "1", "--search", "bestfirst"], "best-first"),
        (["solve", "1", "--set", "shortn=detours"], "shorten"),
        (["solve", "1", "--game", "klondyke"], "klondike"),
        (["evaluate", "fasst", "--deals", "1"], "fast"),
        (["evaluate", "fast", "--deals", "ms32k-tets"], "ms32k-test"),
        (["play", "1", "--policy", "utc"], "uct"),
        (["plot", "runs/freecell-nine", "--kind", "weihgts", "-o", "x.png"], "weights"),
        (["evolve", "runs/demo.toml", "--set", "generatoins=3"], "generations"),
        (["evolve", "runs/demo.toml", "--set", "trainer=genetics"], "genetic"),
    ],
)
def test_a_misspelt_word_gets_a_guess(command: Command, words: list[str], guess: str) -> None:
    refused(command(*words), f"did you mean {guess!r}?")


def test_a_word_like_no_other_gets_none(command: Command) -> None:
    assert "did you mean" not in command("solve", "1", "--preset", "xyzzy").err


def test_game_without_a_name_lists_the_games(command: Command) -> None:
    refused(command("solve", "1", "--game"), "freecell, klondike, pyramid")
    assert "freecell, klondike, pyramid" in command("solve", "--help").out


EACH = """
import os, sys
from gafreecell.cli.main import main
for line in sys.argv[1:]:
    print("\\n" + line, flush=True)
    if not os.fork():
        os.environ |= {"COMP_LINE": line, "COMP_POINT": str(len(line))}
        main([])
    _, status = os.wait()
    assert status == 0, line
"""


@pytest.fixture(scope="module")
def completed() -> Mapping[str, set[str]]:
    """What a shell is told that may follow each line: a process for each, as it exits."""
    lines = [*FOLLOWING]
    environment = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": "/dev/stdout",
    }
    done = subprocess.run(
        [sys.executable, "-c", EACH, *lines],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, set[str]] = {}
    for word in done.stdout.splitlines():
        if word in FOLLOWING:
            line = word
            found[line] = set()
        elif word:
            found[line].add(word.strip())
    return found


FOLLOWING = {
    "gafreecell so": {"solve"},
    "gafreecell solve 1 --pre": {"--preset"},
    "gafreecell solve 1 --preset sh": {"short", "shortest"},
    "gafreecell solve 1 --game kl": {"klondike"},
    "gafreecell solve 1 --game klondike --preset co": {"complete"},
    "gafreecell solve 1 --search bea": {"beam"},
    "gafreecell evaluate fas": {"fast", "fastest"},
    "gafreecell play 1 --policy ho": {"hop", "hop-uct"},
    "gafreecell plot runs/freecell-nine --kind fr": {"front"},
    "gafreecell solve 1 --format json": {"jsonl"},
    "gafreecell help com": {"compare", "completion"},
    "gafreecell solve ms32k-te": {"ms32k-test"},
    "gafreecell evaluate fast --deals ms32k-te": {"ms32k-test"},
    "gafreecell solve 1 --search staged --set dep": {"depth="},
    "gafreecell evaluate fast --set dep": {"depth="},
    "gafreecell evolve job.toml --set ": set(),
}


@pytest.mark.parametrize("line", FOLLOWING)
def test_a_shell_is_told_what_may_follow(line: str, completed: Mapping[str, set[str]]) -> None:
    assert completed[line] == FOLLOWING[line]


def test_an_unknown_option_before_the_command_is_named(command: Command) -> None:
    refused(command("--foo"), "there is no option '--foo'")
    refused(command("--versio", "solve", 1), "there is no option '--versio'; did you mean")


def test_rules_units_and_seeds_are_explained(command: Command) -> None:
    solve = " ".join(command("help", "solve").out.split())
    for word in ("three cards a draw, redeals without limit", "single moves", "manual", "bound"):
        assert word in solve
    assert "can be won alone and lost in a list" in " ".join(command("help", "play").out.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_code_that_names_the_command(command: Command, shell: str) -> None:
    done = command("completion", shell)
    assert (done.status, done.err) == (0, "")
    assert "gafreecell" in done.out


def test_bash_takes_its_code() -> None:
    script = 'eval "$("$@" completion bash)"; complete -p gafreecell'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *COMMAND], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "gafreecell" in done.stdout


def test_the_list_of_commands_says_who_plays(command: Command) -> None:
    assert "watch the computer play Klondike with hidden cards" in command("help").out


@pytest.mark.parametrize("name", ["rate", "solve"])
def test_help_names_pages_of_the_documentation_not_files(name: str, command: Command) -> None:
    said = command("help", name).out
    assert "documentation's page" in " ".join(said.split()) and "docs/" not in said
