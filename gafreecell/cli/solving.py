"""``solve``, ``deal``, ``verify`` and ``presets``."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from deals.errors import BadInput, did_you_mean
from deals.words import plural
from gafreecell.abilities import (
    Draws,
    HasGoals,
    HasPresets,
    MarksReachable,
    Numbered,
    Recognises,
    Searches,
    Verifies,
    WritesSolutions,
)
from gafreecell.cli.options import assigned, varied
from gafreecell.cli.outputs import Marker, already_written, output, refuse_existing
from gafreecell.cli.progress import counted, wanted
from gafreecell.cli.statuses import BAD_INPUT, DONE, INTERRUPTED, UNDECIDED, complain
from gafreecell.cli.tables import rounded, table
from gafreecell.game import Game, able, presets_of
from gafreecell.game import game as find_game
from gafreecell.inputs import Deal, Deals, InputError, board_of, read_deals, read_solution
from gafreecell.solvers import check_solver, default_solver, game_of, named_solver, run_all
from solving.outcome import Limits, Outcome, Search, Status
from solving.parameters import NO_GOAL, Value
from solving.weights import Weights


class WrongSolution(AssertionError):
    """A solver returned moves that do not solve the deal: a fault of the program."""


def solve(given: Namespace) -> int:
    """Solve deals, print each as soon as it and those before it are done."""
    game = find_game(given.game)
    weights = _solver(given, game)
    game = varied(game_of({_solver_name(given, game): weights}, game), given)
    lines = _writer(given, game)
    faults: list[str] | None = [] if given.keep_going else None
    deals = read_deals(given.deals, game, faults)
    for fault in faults or ():
        complain(fault)
    limits = weights.limits.unless(given.nodes, given.seconds)
    if given.resume and (not given.output or given.output == "-"):
        raise InputError("--resume needs the output file: -o FILE")
    if given.resume and given.format != "jsonl":
        raise InputError("--resume needs --format jsonl")
    if not given.resume:
        jsonl = given.format == "jsonl"
        refuse_existing(given.output, "add --resume to complete it" if jsonl else "")
    marker = _marker(given, weights, game, limits)
    if given.resume:
        marker.check()
    written = _already_written(given, deals, game) if given.resume else []
    if written and not marker.is_there and limits.seconds is None:
        [(_, again)] = run_all(islice(deals, 1), weights, game, limits, given.jobs)
        marker.check_finished(lambda line: _is_alike(line, again))
    marker.set()
    done, undecided = len(written), sum(not Status(status).decided for status in written)
    try:
        with (
            output(given.output, given.resume) as out,
            counted(
                len(deals),
                wanted(given.no_progress),
                good="decided",
                before=(done, done - undecided),
            ) as advance,
        ):
            rest = islice(deals, done, None)
            for deal, outcome in run_all(rest, weights, game, limits, given.jobs):
                _check(game, deal, outcome, weights.search)
                with advance.printing_to(out):
                    for line in lines(deal, outcome):
                        print(line, file=out)
                    out.flush()
                done += 1
                undecided += not outcome.status.decided
                advance(1, outcome.status.decided)
    except KeyboardInterrupt:
        complain(marker.when_interrupted(f"{done:,} of {len(deals):,} deals", given.command_line))
        return INTERRUPTED
    marker.remove()
    if faults:
        return BAD_INPUT
    return UNDECIDED if undecided else DONE


def deal(given: Namespace) -> int:
    """Print deals, a blank line between boards."""
    game = varied(find_game(given.game), given)
    if given.number:
        return _print_numbers(read_deals(given.deals, game), game)
    if given.reachable:
        write = able(
            game, MarksReachable, "has no talon whose cards could be marked"
        ).write_reachable
    else:
        write = able(game, Numbered, "writes no boards").write_board
    for place, one in enumerate(read_deals(given.deals, game)):
        if place:
            print()
        print(write(board_of(one, game)))
    return DONE


def _print_numbers(deals: Deals, game: Game) -> int:
    """Print the number of each deal, or as a remark, which readers pass over, why it has none."""
    unknown = 0
    for one in deals:
        if isinstance(one.board, int):
            print(one.board)
            continue
        try:
            print(able(game, Recognises, "does not recognise its deals").recognised(one.board))
        except BadInput as error:
            print(f"# board {one.name} is not recognised: {error}")
            unknown += 1
    return UNDECIDED if unknown else DONE


def verify(given: Namespace) -> int:
    """Replay a solution by the rules alone."""
    game = varied(find_game(given.game), given)
    verifier = able(game, Verifies, "has no verifier")
    if given.deal == given.solution == "-":
        raise InputError("deal and solution cannot both come from standard input")
    deals = read_deals([given.deal], game)
    if len(deals) != 1:
        raise InputError(f"verify takes one deal, {given.deal} holds {len(deals)}")
    moves = read_solution(given.solution, game)
    goal = _goal(game, given.goal) if given.goal else NO_GOAL
    fault = verifier.verify(board_of(next(iter(deals)), game), moves, goal)
    solve = "solves" if len(moves) == 1 else "solve"
    right = f"right: {plural(len(moves), 'move')} {solve} the deal"
    print(f"wrong: {fault}" if fault else right)
    return UNDECIDED if fault else DONE


def presets(given: Namespace) -> int:
    """List a game's presets."""
    game = find_game(given.game)
    with_presets = able(game, HasPresets, "has no presets")
    rows = []
    for name in with_presets.presets:
        weights = with_presets.preset(name)
        parameters = ", ".join(f"{key} {value}" for key, value in weights.search.parameters.items())
        source = weights.provenance.get("published") or (
            f"evolved: run {weights.provenance.get('run')}, "
            f"generation {weights.provenance.get('generation')}"
        )
        default = " (default)" if name == with_presets.default_preset else ""
        search = f"{weights.search.name}{': ' if parameters else ''}{parameters}"
        rows.append(f"{name}{default}\n  {search}\n  {source}")
    print("\n".join(rows))
    print("\nsearches and their parameters (--set NAME=VALUE):")
    print(table(["search", "parameter", "default", "meaning"], _parameters(game), right=False))
    print("\nfeatures:")
    print(table(["name", "meaning"], [[f.name, f.meaning] for f in game.features], right=False))
    return DONE


def _parameters(game: Game) -> list[list[str]]:
    """A row for each parameter of each search."""
    rows: list[list[str]] = []
    if not isinstance(game, Searches):
        return rows
    for search in game.searches:
        for p in game.parameters(search):
            numbers = "" if p.pattern else p.range
            allowed = " or ".join(p.choices) or numbers
            meaning = f"{p.meaning}; {allowed}" if allowed else p.meaning
            rows.append([search, p.name, str(p.default), meaning])
    return rows


def _preset_for(search: str, game: Game) -> str:
    """The first preset that was made for a search, or else the first whose weights it knows."""
    brings = able(game, HasPresets, "has no presets: give --weights")
    made = [name for name in brings.presets if brings.preset(name).search.name == search]
    for name in [*made, brings.default_preset, *brings.presets]:
        evaluator = brings.preset(name).evaluator
        try:
            game.check(Search(search, {}), evaluator.features if evaluator else ())
        except BadInput:
            continue
        return name
    return brings.default_preset


def _solver(given: Namespace, game: Game) -> Weights:
    """The preset or weights that the options name, with their search changed as asked."""
    if given.preset and given.weights:
        raise InputError("--preset and --weights exclude each other: a preset has its own weights")
    if given.preset and given.preset not in presets_of(game):
        presets = ", ".join(presets_of(game)) or "none"
        guess = did_you_mean(given.preset, presets_of(game))
        raise InputError(f"there is no preset {given.preset!r}; {game.title} has {presets}{guess}")
    weights = named_solver(_solver_name(given, game), game)
    search = weights.search
    if given.search and given.search != search.name:
        search = Search(given.search, {})
    parameters = dict(search.parameters)
    if given.goal:
        parameters.update(_goal(game, given.goal))
    parameters.update(assigned(given))
    weights = replace(weights, search=Search(search.name, parameters))
    check_solver(weights, game)
    return weights


def _solver_name(given: Namespace, game: Game) -> str:
    known = game.searches if isinstance(game, Searches) else ()
    if given.search in known and not (given.preset or given.weights):
        return _preset_for(given.search, game)
    return given.preset or given.weights or default_solver(game)


def _goal(game: Game, text: str) -> Mapping[str, Value]:
    return able(game, HasGoals, "has one goal only: all cards home").goal(text)


def _check(game: Game, deal: Deal, outcome: Outcome, search: Search) -> None:
    """Replay what is about to be printed."""
    if outcome.moves is None or not isinstance(game, Verifies):
        return
    fault = game.verify(board_of(deal, game), outcome.moves, search.parameters)
    if fault:
        raise WrongSolution(f"deal {deal.name}: {fault}")


def _is_alike(line: Any, again: Outcome) -> bool:
    """Whether a line tells of an outcome."""
    told = _json_object(line["game"], line["deal"], again)
    return all(line.get(key) == value for key, value in told.items() if key != "seconds")


def _writer(given: Namespace, game: Game) -> Callable[[Deal, Outcome], Iterator[str]]:
    """What makes the lines of an outcome."""
    if given.format == "jsonl":
        return lambda deal, outcome: iter([json.dumps(_json_object(game.name, deal.name, outcome))])
    if given.draw:
        write = able(game, Draws, "has no drawing of solutions").draw_solution
    else:
        write = able(
            game, WritesSolutions, "writes no solutions: take --format jsonl"
        ).write_solution

    def lines(deal: Deal, outcome: Outcome) -> Iterator[str]:
        cost = f"{plural(outcome.nodes.generated, 'node')}, {rounded(1000 * outcome.seconds)} ms"
        if outcome.moves is None:
            yield f"Deal {deal.name}: {outcome.status.value} after {cost}"
            return
        lengths = ", ".join(f"{unit} {count}" for unit, count in (outcome.lengths or {}).items())
        yield f"Deal {deal.name}: solved, length {lengths}; {cost}"
        yield from write(board_of(deal, game), outcome)
        yield ""

    return lines


def _json_object(game: str, deal: str | int, outcome: Outcome) -> dict[str, Any]:
    """What a line of jsonl says."""
    return {
        "game": game,
        "deal": deal,
        "status": outcome.status.value,
        "moves": list(outcome.moves) if outcome.moves is not None else None,
        "lengths": dict(outcome.lengths) if outcome.lengths is not None else None,
        "nodes": {"expanded": outcome.nodes.expanded, "generated": outcome.nodes.generated},
        "seconds": outcome.seconds,
    }


def _marker(given: Namespace, weights: Weights, game: Game, limits: Limits) -> Marker:
    """What this command is, for going on with its output."""
    solver = replace(weights, variant=game.variant, limits=limits, provenance={})
    asked = {"deals": given.deals, "layout": given.layout, "seconds": limits.seconds}
    text = json.dumps(asked) + "\n" + solver.to_text()
    path = given.output if given.format == "jsonl" else None
    return Marker(path, text, "deals, weights or limits")


def _already_written(given: Namespace, deals: Deals, game: Game) -> list[str]:
    """The statuses in the output file."""
    return already_written(
        Path(given.output), deals, game, lambda entry: Status(entry["status"]).value, "solve"
    )
