"""``--html``: pages that show a solution, or a game that was played, move by move."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deals.words import plural, speakable
from gafreecell.cli.outputs import check_writable
from gafreecell.cli.telling import ending
from gafreecell.service.inputs import GivenDeal, GivenDeals, InputError, board_of
from gafreecell.service.solvers import named_solver, run_checked
from gafreecell.solitaire.abilities import HiddenPlay
from gafreecell.solitaire.game import Game, check_kind
from gafreecell.solving.files import write_atomically
from gafreecell.solving.outcome import Outcome
from gafreecell.solving.playing import Played
from gafreecell.solving.saying import say
from gafreecell.solving.weights import Weights

if TYPE_CHECKING:
    from gafreecell.pages import Course


def check_page(given: Namespace, deals: GivenDeals) -> None:
    """Raise before any work if the page cannot be written.

    Raises:
        InputError: if there are several deals.
        OSError: naming the file.
    """
    if given.html is None:
        return
    if len(deals) != 1:
        raise InputError(f"--html shows one deal, got {len(deals):,}: name one of them")
    check_page_file(given.html)


def check_page_file(path: str) -> None:
    """Raise before any work if a page cannot be written to a file, or would destroy another one.

    Raises:
        InputError: if the file is no page of this program.
        OSError: naming the file.
    """
    from gafreecell.pages.page import is_page

    if path == "-":
        raise InputError("a page needs the name of a file, such as page.html, got '-'")
    file = Path(path)
    if file.is_file() and file.stat().st_size and not is_page(file):
        raise InputError(
            f"{path} is no page of gafreecell, so it will not be overwritten: name another file, "
            "or remove it"
        )
    check_writable(path)


def save_page(path: str, text: str) -> None:
    """Write a page, which is complete before an earlier one is replaced, and say so."""
    write_atomically(Path(path), text)
    say(f"wrote {speakable(path)}: open it in a browser")


def rivals(given: Namespace, game: Game) -> dict[str, Weights]:
    """The solvers of ``--against``, by name.

    Raises:
        InputError: without a page to show them on.
        BadInput: if there is no such solver, or it cannot play this game.
    """
    if given.against and given.html is None:
        raise InputError("--against shows solutions side by side on a page: add --html FILE")
    found = {name: named_solver(name, game) for name in given.against}
    for weights in found.values():
        evaluator = weights.evaluator
        check_kind(game, weights.search.name, evaluator)
        game.check(weights.search, evaluator.features if evaluator else ())
    return found


def played_by(name: str, policy: str, game: HiddenPlay, board: Any, played: Played) -> Course:
    """A game with hidden cards as the page shows it.

    Args:
        name: the player's.
        policy: the policy that played.
        game: what was played.
        board: where it began.
        played: the game.
    """
    from gafreecell.pages import Course

    seen = game.player.seen(board)
    return Course(
        name,
        ending(played),
        played.moves,
        # What the command line says below a hint.
        notes=list(game.player.about_advice(seen, policy)) if played.weighed else (),
        thoughts={one.place: one.alternatives for one in played.weighed},
        result=f"{'Won in' if played.won else 'Lost after'} {plural(len(played.moves), 'move')}",
    )


def write_solutions(
    given: Namespace,
    game: Game,
    deal: GivenDeal,
    solvers: Sequence[tuple[str, Weights]],
    first: Outcome,
) -> None:
    """Write a page with what each solver makes of a deal.

    Args:
        given: the options of ``solve``.
        game: the game in its variant.
        deal: the deal.
        solvers: each with its name, which may be that of another.
        first: what the first solver made of it; the others solve it now.
    """
    from gafreecell.pages import solved

    board = board_of(deal, game)
    shown: list[Course] = []
    for name, weights in solvers:
        limits, outcome = weights.limits.unless(given.nodes, given.seconds, given.memory), first
        if shown:
            ((_, outcome),) = run_checked([deal], weights, game, limits, 1)
        shown.append(solved(name, game, board, outcome, limits, weights.search))
    write_page(given, game, deal, shown)


def write_page(
    given: Namespace,
    game: Game,
    deal: GivenDeal,
    shown: Sequence[Course],
    hidden: bool = False,
    board: Any = None,
) -> None:
    """Write the page and say so.

    Args:
        given: the options of the command.
        game: the game in its variant.
        deal: the deal.
        shown: what is shown of it.
        hidden: whether the players did not see the cards that lie face down.
        board: where it begins, if that is not the deal's board.
    """
    from gafreecell.pages import replay, replay_page

    start = board_of(deal, game) if board is None else board
    told = replay(game, start, deal.title, shown, hidden, deal=deal)
    save_page(given.html, replay_page(told, given.command_line))
