"""``deal``, ``verify`` and ``presets``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence

from deals.errors import BadInput, did_you_mean
from deals.words import plural
from gafreecell.cli.notes import notes, warn
from gafreecell.cli.options import asks_for_rules, goal_of, varied
from gafreecell.cli.outcomes import number_line
from gafreecell.cli.statuses import DONE, UNDECIDED
from gafreecell.cli.telling import WIDTH, folded
from gafreecell.service.inputs import (
    GivenDeal,
    GivenDeals,
    InputError,
    board_of,
    read_deals,
    read_solution,
)
from gafreecell.service.solvers import rules_of
from gafreecell.service.wording import lengths_text
from gafreecell.solitaire.abilities import (
    HasOptions,
    HasPresets,
    Numbered,
    Searches,
    Verifies,
)
from gafreecell.solitaire.game import Game, able, limits_text, method, search_text, variant_played
from gafreecell.solitaire.game import game as find_game
from gafreecell.solitaire.replaying import judged
from gafreecell.solving.outcome import Search
from gafreecell.solving.parameters import NO_GOAL, Parameter, Value
from gafreecell.solving.weights import Weights
from gafreecell.terminal.tables import table, weights_table


def deal(given: Namespace) -> int:
    """Print deals, a blank line between boards."""
    game = varied(find_game(given.game), given)
    deals = read_deals(given.deals, game)
    warn(deals.boards())
    if given.number:
        return _print_numbers(deals, game)
    if given.reachable:
        write = method(game, "write_reachable", "cannot mark the reachable cards of a talon")
    else:
        write = able(game, Numbered, "cannot write boards").write_board
    for place, one in enumerate(deals):
        if place:
            print()
        print(write(board_of(one, game)))
    return DONE


def _print_numbers(deals: GivenDeals, game: Game) -> int:
    """Print each deal's number, or a ``#`` comment that says why it has none."""
    unknown = 0
    for one in deals:
        line, known = number_line(one, game)
        print(line)
        unknown += not known
    return UNDECIDED if unknown else DONE


def verify(given: Namespace) -> int:
    """Replay a solution by the rules alone.

    The rules of a numbered deal are those that the options ask for, or else those that the solution
    names.
    """
    game = varied(find_game(given.game), given)
    able(game, Verifies, "cannot verify solutions")
    if given.deal == given.solution == "-":
        raise InputError("deal and solution cannot both come from standard input")
    deals = read_deals([given.deal], game)
    if len(deals) != 1:
        raise InputError(f"verify takes one deal, but {given.deal} holds {len(deals)}")
    (dealt,) = deals
    number = dealt.board if isinstance(dealt.board, int) else None
    moves, named = read_solution(given.solution, game, number)
    others = _other_rules(game, dealt, named, given.solution)
    if others and isinstance(dealt.board, int) and not asks_for_rules(given):
        game, others = game.vary(**named), ""
    goal = goal_of(game, given.goal) if given.goal else NO_GOAL
    verifier = able(game, Verifies, "cannot verify solutions")
    board = board_of(dealt, game)
    read = judged(verifier, board, moves, goal)
    solve = "solves" if len(read.moves) == 1 else "solve"
    right = f"right: {plural(len(read.moves), 'move')} {solve} the deal"
    if not read.fault and hasattr(game, "lengths_of"):
        right += f", {lengths_text(game.lengths_of(board, read.moves))}"
    right += f" ({read.how})" if read.how else ""
    print(*notes(dealt), f"wrong: {read.fault}{others}" if read.fault else right, sep="\n")
    return UNDECIDED if read.fault else DONE


def _other_rules(game: Game, deal: GivenDeal, named: Mapping[str, Value], source: str) -> str:
    """What to add to a verdict if a solution names other rules than the deal's; else nothing."""
    try:
        made_for = find_game(game.name).vary(**named).variant
    except BadInput as error:
        raise InputError(f"{source}, its variant: {error}") from None
    played = variant_played(game, deal.board)
    if not named or made_for == played:
        return ""
    return f" (replayed with {rules_of(game, played)}, found with {rules_of(game, made_for)})"


def presets(given: Namespace) -> int:
    """List a game's presets, or show one in full."""
    game = find_game(given.game)
    with_presets = able(game, HasPresets, "cannot list presets")
    if given.preset:
        print("\n".join(_told(game, with_presets, given.preset)))
        return DONE
    rows = [row for name in with_presets.presets for row in _in_short(with_presets, name)]
    print("\n".join(rows))
    if isinstance(game, Searches):
        searches = [row for search in game.searches for row in _of_search(game, search)]
        print("\nsearches and their parameters (--set NAME=VALUE):")
        print(_table(["search", "parameter", "default", "meaning"], searches))
        weighed = [[search, found] for search in game.searches if (found := _weighed(game, search))]
        if weighed:
            print("\nfeatures that searches weigh (trained.features of a job):")
            print(_table(["search", "features"], weighed))
    if isinstance(game, HasOptions) and game.options:
        print("\noptions of the game (--variant NAME=VALUE):")
        print(_table(["option", "default", "meaning"], [_row(option) for option in game.options]))
    if game.features:
        print("\nfeatures:")
        print(_table(["name", "meaning"], [[f.name, f.meaning] for f in game.features]))
    return DONE


def _in_short(game: HasPresets, name: str) -> list[str]:
    """A preset's name, search and source, one line each."""
    weights = game.preset(name)
    default = " (default)" if name == game.default_preset else ""
    return [f"{name}{default}"] + [
        folded(line, "    ", first="  ")
        for line in (search_text(weights.search), *_source(weights))
    ]


def _told(game: Game, with_presets: HasPresets, name: str) -> list[str]:
    """A preset in full: its short form, and its limit, phases and weights."""
    if name not in with_presets.presets:
        known = with_presets.presets
        raise InputError(
            f"there is no preset {name!r}; {game.title} has {', '.join(known)}"
            + did_you_mean(name, known)
        )
    weights = with_presets.preset(name)
    lines = [*_in_short(with_presets, name), f"  up to {limits_text(weights.limits)} a deal"]
    evaluator = weights.evaluator
    if evaluator is None:
        return lines
    if evaluator.phases:
        phases = [
            [str(place), phase.rule, "none" if phase.nodes is None else f"{phase.nodes:,}"]
            for place, phase in enumerate(evaluator.phases, start=1)
        ]
        lines += ["", "phases, one after the other until one solves the deal:"]
        lines.append(table(["phase", "rule", "limit of nodes"], phases))
    return [*lines, "", "weights:", weights_table(evaluator)]


def _source(weights: Weights) -> list[str]:
    """A line that says where a preset's weights come from; none if that is not recorded."""
    told = weights.provenance
    if "run" in told and not told.get("published"):
        of = f" for {told['game']}" if "game" in told else ""
        return [f"evolved{of}: run {told['run']}, generation {told.get('generation')}"]
    said = told.get("published") or told.get("publication")
    return [str(said).removeprefix("none: ")] if said else []


def _of_search(game: Searches, search: str) -> list[list[str]]:
    """A row for each parameter of a search, or one that says it has none."""
    rows = [[search, *_row(parameter)] for parameter in game.parameters(search)]
    return rows or [[search, "none", "", ""]]


def _weighed(game: Game, search: str) -> str:
    """The features that a search weighs, in words; empty if no evaluator guides it."""
    if not isinstance(game, Searches) or search in game.unguided:
        return ""
    able, names = [], [feature.name for feature in game.features]
    for name in names:
        try:
            game.check(Search(search), (name,))
        except BadInput:
            continue
        able.append(name)
    others = [name for name in names if name not in able]
    if len(others) >= len(able):
        return ", ".join(able)
    return f"all but {', '.join(others)}" if others else "all"


def _row(parameter: Parameter) -> list[str]:
    """A parameter's name, default, and meaning with the allowed values."""
    allowed = " or ".join(map(str, parameter.choices)) or (
        "" if parameter.pattern else parameter.range
    )
    meaning = f"{parameter.meaning}; {allowed}" if allowed else parameter.meaning
    return [parameter.name, str(parameter.default), meaning]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return table(header, rows, right=False, width=WIDTH)
