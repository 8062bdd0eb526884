"""``solve``."""

from __future__ import annotations

import json
import shlex
from argparse import Namespace
from dataclasses import replace

from deals.errors import BadInput, did_you_mean
from deals.words import plural
from gafreecell.cli.notes import warn, warn_of_others
from gafreecell.cli.options import assigned, goal_of, varied
from gafreecell.cli.outcomes import check_format, writer
from gafreecell.cli.outputs import JSON_LINES, format_of
from gafreecell.cli.pages import check_page, rivals, write_solutions
from gafreecell.cli.series import Marker, Series
from gafreecell.cli.statuses import BAD_INPUT, DONE, UNDECIDED, complain
from gafreecell.service.hints import hides_cards
from gafreecell.service.inputs import GivenDeal, GivenDeals, InputError, check_deals, read_deals
from gafreecell.service.solvers import (
    default_solver,
    game_of,
    named_solver,
    solved,
    with_parameters,
)
from gafreecell.solitaire.abilities import HasPresets, HiddenPlay, Searches
from gafreecell.solitaire.game import Game, able, check_kind, presets_of
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Limits, Outcome, Search, Status
from gafreecell.solving.saying import say
from gafreecell.solving.weights import Weights


def solve(given: Namespace) -> int:
    """Solve deals and print each in order as soon as it is done."""
    game = find_game(given.game)
    weights = _solver(given, game)
    named = {_solver_name(given, game): weights}
    game = varied(game_of(named, game), given)
    given.format = format_of(given)
    check_format(given)
    faults: list[str] | None = [] if given.keep_going else None
    deals = read_deals(given.deals, game, faults)
    try:
        check_deals(deals, game, faults)
    except BadInput as error:
        raise _with_advice(error, given, game, deals) from None
    warn_of_others(named, game, deals)
    for fault in faults or ():
        complain(fault)
    check_page(given, deals)
    others = rivals(given, game)
    limits = weights.limits.unless(given.nodes, given.seconds, given.memory)
    lines = writer(given, game, weights.search, limits, len(deals))
    if given.format != "text":
        warn(deals.boards())

    def page(deal: GivenDeal, outcome: Outcome) -> None:
        if given.html is not None:
            solvers = [(_solver_name(given, game), weights), *others.items()]
            write_solutions(given, game, deal, solvers, outcome)

    # Moves are most of what workers send back.
    needs_moves = given.format != "numbers" or given.html is not None
    statuses = Series(
        given,
        game,
        deals,
        work=lambda _, piece: solved(weights, game, limits, piece, needs_moves),
        lines=lines,
        keep=lambda outcome: outcome.status,
        read=lambda entry: Status(entry["status"]),
        well=lambda status: status.decided,
        marker=_marker(given, weights, game, limits, deals),
        after=page,
    ).run()
    if given.only and given.only not in statuses:
        open_ones = sum(not status.decided for status in statuses)
        more = f", but {open_ones:,} are not decided" if open_ones else ""
        say(f"of {plural(len(statuses), 'deal')}, none is {given.only}{more}")
    if faults:
        return BAD_INPUT
    return DONE if all(status.decided for status in statuses) else UNDECIDED


def _with_advice(error: BadInput, given: Namespace, game: Game, deals: GivenDeals) -> BadInput:
    """The error, with the command that gives advice if there is a position with hidden cards."""
    if not isinstance(game, HiddenPlay) or len(given.deals) > 1:
        return error
    if not any(hides_cards(game, deal.board) for deal in deals.boards()):
        return error
    rules = [word for one in given.variant for word in ("--variant", one)]
    command = shlex.join(["gafreecell", "hint", *given.deals, "--game", game.name, *rules])
    return InputError(f"{error}; for advice: {command}")


def _preset_for(search: str, game: Game) -> str:
    """The first preset made for a search, or else the first whose weights the search can use."""
    brings = able(game, HasPresets, "cannot be solved with presets: give --weights")
    made = [name for name in brings.presets if brings.preset(name).search.name == search]
    for name in [*made, brings.default_preset, *brings.presets]:
        evaluator = brings.preset(name).evaluator
        try:
            check_kind(game, search, evaluator)
            game.check(Search(search, {}), evaluator.features if evaluator else ())
        except BadInput:
            continue
        return name
    return brings.default_preset


def _solver(given: Namespace, game: Game) -> Weights:
    """The preset or weights that the options name, with their search changed as asked."""
    if given.preset and given.weights:
        raise InputError("give --preset or --weights, not both: a preset has its own weights")
    if given.preset and given.preset not in presets_of(game):
        presets = ", ".join(presets_of(game)) or "none"
        guess = did_you_mean(given.preset, presets_of(game))
        raise InputError(f"there is no preset {given.preset!r}; {game.title} has {presets}{guess}")
    weights = named_solver(_solver_name(given, game), game)
    if given.search and given.search != weights.search.name:
        _tell_left_out(given, weights.search, game)
        weights = replace(weights, search=Search(given.search, {}))
    goal = goal_of(game, given.goal) if given.goal else {}
    return with_parameters(weights, {**goal, **assigned(given)}, game)


def _tell_left_out(given: Namespace, search: Search, game: Game) -> None:
    """Say on stderr which parameters of a solver another search does not take over."""
    if not (isinstance(game, Searches) and given.search in game.searches):
        return
    asked = assigned(given)
    for one in game.parameters(given.search):
        value = search.parameters.get(one.name, one.default)
        if value != one.default and one.name not in asked:
            say(
                f"gafreecell: --search {given.search} begins with {one.name}={one.default}: add "
                f"--set {one.name}={value} to keep the solver's own"
            )


def _solver_name(given: Namespace, game: Game) -> str:
    known = game.searches if isinstance(game, Searches) else ()
    if given.search in known and not (given.preset or given.weights):
        return _preset_for(given.search, game)
    return given.preset or given.weights or default_solver(game)


def _marker(
    given: Namespace, weights: Weights, game: Game, limits: Limits, deals: GivenDeals
) -> Marker:
    """The marker by which this command's output can be resumed."""
    solver = replace(weights, variant=game.variant, limits=limits, provenance={})
    command = {"seconds": limits.seconds, "solver": json.loads(solver.to_text())}
    # Only output with a line for each deal can be resumed.
    path = given.output if given.format == JSON_LINES and not given.only else None
    return Marker(path, command, deals, "boards, rules, weights or limits")
