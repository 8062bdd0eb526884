"""How ``solve`` writes outcomes: text, JSON, bare moves, numbers."""

from __future__ import annotations

import json
import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from deals.errors import BadInput
from gafreecell.cli.drawing import drawn, is_terminal, shows_colours
from gafreecell.cli.notes import Rules, notes
from gafreecell.cli.outputs import check_resume
from gafreecell.service import wording
from gafreecell.service.inputs import GivenDeal, InputError, board_of
from gafreecell.solitaire.abilities import Draws, Recognises, WritesSolutions
from gafreecell.solitaire.game import Game, able, variant_played
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Limits, Nodes, Outcome, Search, Status

WIDTH = 96
"""Maximum width of a sentence, in columns."""
Writer = Callable[[GivenDeal, Outcome], Iterator[str]]
"""Makes the lines of a deal's outcome."""


def check_format(given: Namespace) -> None:
    """Refuse options of ``solve`` that exclude each other.

    Raises:
        InputError: naming the options.
    """
    check_resume(given, grows=given.format == "jsonl")
    if given.resume and given.only:
        raise InputError(
            "--resume needs a line for every deal: leave out --only, and filter the lines later"
        )
    if given.draw and given.format != "text":
        raise InputError(f"--draw needs the text format, not {given.format}: take --format text")
    if given.format == "moves" and given.only == Status.UNSOLVABLE:
        raise InputError("an unsolvable deal has no moves: use --format numbers")


def writer(given: Namespace, game: Game, search: Search, limits: Limits, deals: int) -> Writer:
    """The function that makes the output lines of an outcome.

    Args:
        given: the options of ``solve``.
        game: the game in its variant.
        search: the search that solves the deals.
        limits: the limits of each deal.
        deals: the number of deals.
    """
    write: Writer
    wanted = given.only
    if given.format == "jsonl":
        write = _json_lines(game)
    elif given.format == "moves":
        write = _moves
    elif given.format == "numbers":
        wanted = wanted or Status.SOLVED
        write = _numbers(game)
    else:
        write = _text(given, game, search, limits, deals)

    def chosen(deal: GivenDeal, outcome: Outcome) -> Iterator[str]:
        return write(deal, outcome) if wanted in (None, outcome.status) else iter(())

    return chosen


def _counts(nodes: Nodes) -> dict[str, int]:
    counts = {"expanded": nodes.expanded, "generated": nodes.generated}
    return counts if nodes.scored is None else {**counts, "scored": nodes.scored}


def _json_lines(game: Game) -> Writer:
    usual = find_game(game.name).variant

    def line(deal: GivenDeal, outcome: Outcome) -> Iterator[str]:
        told: dict[str, Any] = {
            "game": game.name,
            "deal": deal.name,
            "status": outcome.status.value,
            "moves": list(outcome.moves) if outcome.moves is not None else None,
            "lengths": dict(outcome.lengths) if outcome.lengths is not None else None,
            "nodes": _counts(outcome.nodes),
            "seconds": outcome.seconds,
        }
        variant = variant_played(game, deal.board)
        if deal.source or variant != usual:
            told |= {"variant": dict(variant), "source": deal.source or None}
        yield json.dumps(told)

    return line


def _moves(deal: GivenDeal, outcome: Outcome) -> Iterator[str]:
    """The bare moves on one line; an empty line for a deal without a solution."""
    moves = outcome.moves or ()
    yield (", " if any(" " in move for move in moves) else " ").join(moves)


def number_line(deal: GivenDeal, game: Game) -> tuple[str, bool]:
    """A deal's number, and True; or a comment that says why it has none, and False.

    Commands that read deals pass over comments, so they can read the lines of many deals.
    """
    if isinstance(deal.board, int):
        return str(deal.board), True
    try:
        recognises = able(game, Recognises, "does not recognise its deals")
        return str(recognises.recognised(deal.board)), True
    except BadInput as error:
        return f"# {deal.title} is not recognised: {error}", False


def _numbers(game: Game) -> Writer:
    def line(deal: GivenDeal, outcome: Outcome) -> Iterator[str]:
        yield number_line(deal, game)[0]

    return line


def _text(given: Namespace, game: Game, search: Search, limits: Limits, deals: int) -> Writer:
    solution = _drawing(given, game) if given.draw else _list_of_moves(given, game, deals)
    rules = Rules(game)

    def lines(deal: GivenDeal, outcome: Outcome) -> Iterator[str]:
        yield from (*rules.lines(deal), *notes(deal))
        head = f"{deal.title}: {wording.summary(outcome, limits, game, search)}"
        if outcome.moves is not None:
            yield from solution(head, board_of(deal, game), outcome)
            return
        yield head
        if outcome.status.decided:
            proved = wrapped(wording.proof(game, board_of(deal, game), outcome, search))
            yield from proved
            if proved:
                yield ""

    return lines


def wrapped(paragraphs: Sequence[str]) -> list[str]:
    """Paragraphs, as of a proof, as lines for a terminal."""
    lines: list[str] = []
    for line in paragraphs:
        if not lines:
            lines = textwrap.wrap(line, WIDTH, initial_indent="  ", subsequent_indent="  ")
            continue
        indent = " " * (2 + len(line) - len(line.lstrip()))
        lines += textwrap.wrap(
            line.strip(), WIDTH + 2, initial_indent=indent, subsequent_indent=indent + "  "
        )
    return lines


Solution = Callable[[str, Any, Outcome], Iterator[str]]
"""Makes the lines of a solution from its heading, the board and the outcome."""


def _list_of_moves(given: Namespace, game: Game, deals: int) -> Solution:
    writes = able(game, WritesSolutions, "cannot write solutions as text: use --format jsonl")
    # Someone who reads a single solution may want to see its positions.
    points_on = deals == 1 and isinstance(game, Draws) and is_terminal(given.output)

    def lines(head: str, board: Any, outcome: Outcome) -> Iterator[str]:
        yield head
        yield from writes.write_solution(board, outcome)
        yield ""
        if points_on:
            yield "--draw shows each position"

    return lines


def _drawing(given: Namespace, game: Game) -> Solution:
    draws = able(game, Draws, "cannot draw solutions")
    colours = shows_colours(given.output)
    legend = [*draws.legend, ""]

    def lines(head: str, board: Any, outcome: Outcome) -> Iterator[str]:
        # The legend comes once, above the first solution.
        yield from legend
        legend.clear()
        yield from (head, "")
        yield from drawn(draws, board, outcome.moves or (), colours)

    return lines
