"""The fewest free cells with which a deal can be won."""

from __future__ import annotations

from dataclasses import dataclass

from gafreecell.service.inputs import GivenDeal, InputError
from gafreecell.service.interface import deals_of, game_given
from gafreecell.service.solvers import (
    default_solver,
    further_solvers,
    named_solver,
    pursued,
    solved,
)
from gafreecell.solitaire.abilities import HasOptions
from gafreecell.solitaire.game import DEFAULT, AnyGame, Deal, Game
from gafreecell.solving.outcome import Limits, Nodes, Outcome, Status
from gafreecell.solving.parameters import Parameter
from gafreecell.solving.stopping import interruptible
from gafreecell.solving.weights import Weights

CELLS = "cells"
USUAL = 2
"""With how many cells to begin: most deals can be won with two, and not with one."""
AT_FIRST = Limits()
"""What the first solver may spend at most if others follow."""


@dataclass(frozen=True)
class LeastCells:
    """How few cells a deal needs.

    Attributes:
        cells: the fewest with which a solution was found; None if there was none.
        outcomes: what came of each number of cells that was tried.
    """

    cells: int | None
    outcomes: dict[int, Outcome]

    @property
    def proved(self) -> bool:
        """Whether fewer cells, or any number of them, are proved to be too few."""
        if self.cells == 0:
            return True
        below = max(self.outcomes) if self.cells is None else self.cells - 1
        return below in self.outcomes and self.outcomes[below].status is Status.UNSOLVABLE

    @property
    def status(self) -> Status:
        """``solved`` if the fewest cells are proved, ``unsolvable`` if none are enough.

        Otherwise the limit that a search met.
        """
        if self.proved:
            return Status.UNSOLVABLE if self.cells is None else Status.SOLVED
        return next(one.status for one in self.outcomes.values() if not one.status.decided)

    @property
    def moves(self) -> tuple[str, ...] | None:
        """The solution with the fewest cells; None if there was none."""
        return None if self.cells is None else self.outcomes[self.cells].moves

    @property
    def nodes(self) -> Nodes:
        """The counts of all searches."""
        return sum((one.nodes for one in self.outcomes.values()), Nodes(0, 0))

    @property
    def seconds(self) -> float:
        """Processor time of all searches."""
        return sum(one.seconds for one in self.outcomes.values())


def least_cells(
    deal: int, nodes: int | None = None, memory: int | None = None, *, game: AnyGame = DEFAULT
) -> LeastCells:
    """The fewest free cells with which a deal can be won, as ``gafreecell least-cells`` says.

    Args:
        deal: its number.
        nodes, memory: limits of each search, in states and in bytes, instead of ``limits_for``.
        game: a game with free cells, or its name.

    Returns:
        The fewest cells, whether fewer are proved to be too few, and each search's outcome.

    Raises:
        BadInput: if there is no such deal, or the game has no free cells to do without.
    """
    chosen = game_given(game, None)
    cells_of(chosen)
    (given,) = deals_of([deal], chosen)
    if not isinstance(given.board, int):
        raise InputError("expected the number of a deal, got a board")
    weights = named_solver(default_solver(chosen), chosen)
    limits = limits_for(weights, chosen).unless(nodes, None, memory)
    with interruptible() as call:
        return call.run(least_cells_of, given.board, weights, chosen, limits)


def limits_for(weights: Weights, game: Game) -> Limits:
    """What each search may spend unless other limits are given: those of the last solver."""
    return [weights, *further_solvers(game)][-1].limits


def least_cells_of(deal: Deal, weights: Weights, game: Game, limits: Limits) -> LeastCells:
    """The fewest cells with which a numbered deal can be won, each step solved or proved.

    With more cells a deal is never harder. So the search begins with two, goes down as long as it
    finds solutions, and else up until it finds one. Where the solver gives up, others go on (see
    ``pursued``). The verifier replays each solution.

    Args:
        deal: its number.
        weights: what solves it.
        game: the game; its own number of cells does not matter.
        limits: of each search.
    """
    outcomes: dict[int, Outcome] = {}
    at_first = limits.within(AT_FIRST) if further_solvers(game) else limits

    def wins(cells: int) -> bool:
        played = game.vary(**{**game.variant, CELLS: cells})
        given = GivenDeal(f"{deal}, {cells} free cells", deal)
        (found,) = solved(weights, played, at_first, [given])
        outcomes[cells] = pursued(found, played, limits, given)
        return outcomes[cells].moves is not None

    option, cells = cells_of(game), USUAL
    if wins(cells):
        while cells > option.low and wins(cells - 1):
            cells -= 1
    else:
        while cells < option.high and not wins(cells + 1):
            cells += 1
    won = [count for count, outcome in outcomes.items() if outcome.moves is not None]
    return LeastCells(min(won, default=None), outcomes)


def cells_of(game: Game) -> Parameter:
    """The option that says how many cells a game has; ``InputError`` if there is none."""
    options = game.options if isinstance(game, HasOptions) else ()
    option = next((one for one in options if one.name == CELLS), None)
    if option is None:
        raise InputError(
            f"the number of free cells of {game.title} cannot be changed: take another game, such "
            "as freecell"
        )
    return option
