"""Checks of what a game can do beyond evolution: one for each further protocol."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from deals.errors import BadInput
from gafreecell.service.solvers import check_solver
from gafreecell.solitaire import abilities
from gafreecell.solitaire.replaying import refutation
from gafreecell.solving import drawing as drawn
from gafreecell.solving.contract import check_parameters
from gafreecell.solving.drawing import Drawing, Pile
from gafreecell.solving.notations import Interpretation
from gafreecell.solving.outcome import Nodes, Outcome, Search, Status
from gafreecell.solving.playing import HiddenPlayer, Policy
from gafreecell.solving.rating import GRADES, Rating
from gafreecell.solving.weights import Weights, parse_weights
from gafreecell.testing.contract import (
    UNKNOWN,
    require,
    require_acceptance,
    require_refusal,
)
from gafreecell.testing.subject import Subject


def _check_searches(subject: Subject) -> None:
    game = subject.game
    for name in game.searches:
        what = f"{name} in check(...)"
        require_acceptance(partial(game.check, Search(name)), what)
        wrong = Search(name, {UNKNOWN: 1})
        require_refusal(partial(game.check, wrong), f"an unknown parameter of {what}")


def _check_options(subject: Subject) -> None:
    options, variant = subject.game.options, dict(subject.game.variant)
    check_parameters(options, "options")
    names = [option.name for option in options]
    asked = f"options must describe what variant holds, {list(variant)}"
    # A game whose options came later may leave them out where all have their defaults.
    require(not variant or names == list(variant), asked, names, "change either")
    for option in options:
        wrong = {option.name: [UNKNOWN]}
        what = f"a list as the option {option.name} in vary(...)"
        require_refusal(partial(subject.game.vary, **wrong), what)


def _check_presets(subject: Subject) -> None:
    game = subject.game
    for name in (game.default_preset, *game.comparison_presets):
        mend = "default_preset and comparison_presets must be among them: change either"
        require(name in game.presets, f"presets must hold {name}", game.presets, mend)
    for name in game.presets:
        weights = game.preset(name)
        fine = isinstance(weights, Weights)
        require(fine, f"preset({name!r}) must be Weights", repr(weights), "make them")
        what = f"preset({name!r})"
        require_acceptance(partial(check_solver, weights, game), f"{what} as a solver of its game")
        try:
            text = weights.to_text()
        except TypeError as error:
            require(False, f"{what} must fit into JSON", error, "convert numpy's numbers to int")
        require_acceptance(partial(parse_weights, text, name), f"{what} as a weights file")
        again, mend = parse_weights(text, name), "use whole numbers and words for options"
        require(again == weights, f"{what} must be the same from a weights file", again, mend)
    require_refusal(lambda: game.preset(UNKNOWN), "an unknown preset in preset(...)")


def _check_held_out(subject: Subject) -> None:
    game = subject.game
    if not game.held_out:
        return
    held = set(game.deals(game.held_out))
    require(held, f"deals({game.held_out!r}) must hold something", "nothing", "name another set")
    for name in (game.training, game.validation):
        shared = sorted(held.intersection(game.deals(name)))[:3]
        asked = f"held_out, {game.held_out!r}, must share nothing with {name!r}"
        require(not shared, asked, f"{shared} in both", "name deals on which nothing is trained")


def _check_numbers(subject: Subject) -> None:
    game = subject.game
    require_refusal(lambda: game.deal_set(UNKNOWN), "an unknown set in deal_set(...)")
    for deal in subject.deals:
        if isinstance(deal, int):
            text, again = (game.write_board(game.read_deal(deal)) for _ in range(2))
            fine = isinstance(text, str) and text.strip()
            require(fine, "write_board must return a text", repr(text), "return one")
            asked = f"read_deal({deal}) must be the same board each time,\n{text}\n"
            mend = "draw it from a generator that the number seeds"
            require(text == again, asked, f"\n{again}\n", mend)


def _check_boards(subject: Subject) -> None:
    game = subject.game
    if isinstance(subject.game, abilities.Numbered):
        board, task, outcome = subject.solved
        text = game.write_board(board)
        first = text.split()[0]
        fine = "#" not in text and not first.strip(",-").replace("-", "").isdecimal()
        mend = "commands take numbers for deals, and what follows a '#' for a comment"
        require(fine, "a board's text must begin with no number and hold no '#'", text, mend)
        mend = "have either follow the other"
        boards = [game.write_board(one) for one in game.read_boards(text)]
        asked = f"read_boards must read what write_board wrote,\n{text}\n"
        require(boards == [text], asked, "\n".join(["", *boards, ""]), mend)
        tasks = [replace(task, deal=one) for one in game.read_boards(text)]
        mend = "let run solve a board as it solves the board's number"
        subject.require_same(tasks, [outcome], "a deal's board, written and read,", mend)
    require_refusal(lambda: game.read_boards(UNKNOWN), "a text without a board in read_boards(...)")


def _check_recognised(subject: Subject) -> None:
    recognised = subject.game.recognised
    numbers = isinstance(subject.game, abilities.Numbered)
    for deal in (deal for deal in subject.deals if numbers and isinstance(deal, int)):
        try:
            number = recognised(subject.game.read_deal(deal))
        except BadInput:
            continue
        asked = f"recognised must give the board of deal {deal} its number"
        require(number == deal, asked, number, "return it, or raise BadInput saying why not")


def _check_verifier(subject: Subject) -> None:
    def verify(*given: Any) -> str:
        try:
            return refutation(subject.game, *given)
        except BadInput as error:
            return str(error)

    board, task, outcome = subject.solved
    moves, goal = list(outcome.moves or ()), task.search.parameters
    fault, mend = verify(board, moves, goal), "find out which of the two breaks the rules"
    require(fault == "", f"verify must accept the solution of {task.deal!r}", repr(fault), mend)
    wrong = {"with a move that does not exist": [UNKNOWN, *moves]}
    if moves:
        wrong |= {"without its last move": moves[:-1], "without moves": []}
    for how, played in wrong.items():
        fault = verify(board, played, goal)
        asked = f"verify must say what is wrong with a solution {how}"
        mend = "return a sentence unless the moves, all of them legal, solve the board"
        require(fault, asked, repr(fault), mend)


def _check_interpretation(subject: Subject) -> None:
    board, _, outcome = subject.solved
    moves = list(outcome.moves or ())
    read = subject.game.interpret(board, moves)
    asked = f"interpret must return the game's own moves as they are, {moves[:5]}..."
    fine = isinstance(read, Interpretation) and [*read.moves] == moves
    require(fine, asked, f"{read!r:.80}", "translate only other notations")


def _check_solutions(subject: Subject) -> None:
    board, _, outcome = subject.solved
    text, moves = "\n".join(subject.game.write_solution(board, outcome)), list(outcome.moves or ())
    read = list(subject.game.read_moves(text))
    asked = f"read_moves must read what write_solution wrote, {text[:60]!r}..., as {moves[:5]}..."
    require(read == moves, asked, f"{read[:5]}...", "have either follow the other")


def _check_drawings(subject: Subject) -> None:
    board, _, outcome = subject.solved
    moves = list(outcome.moves or ())
    legend = subject.game.legend
    fine = legend and not isinstance(legend, str) and all(isinstance(one, str) for one in legend)
    require(fine, "legend must be lines of text on the notation", legend, "write some")
    drawings = list(subject.game.positions(board, moves))
    fine = all(isinstance(one, Drawing) and str(one).strip() for one in drawings)
    require(fine, "positions must yield Drawings with lines", drawings, "draw the position")
    played = [one.move for one in drawings]
    asked = "positions must yield one Drawing for each move, with that move, and a last one without"
    require(played == [*moves, ""], asked, played, "draw the position, then play the move")
    silent = [one.move for one in drawings[:-1] if not one.words.strip()]
    require(not silent, "each move must be put in words", silent, "say what the player has to do")
    names = [[pile.name for pile in one.piles] for one in drawings]
    fine = all(here == names[0] for here in names) and len(set(names[0])) == len(names[0])
    asked = "the piles of a Drawing must be the same in each position, each with a name of its own"
    require(fine, asked, names[:2], "have empty piles, too, and always in the same order")
    cards = [[card for pile in one.piles for card in pile.cards if card] for one in drawings]
    twice = [here for here in cards if len(set(here)) != len(here)]
    require(
        not twice, "no card may lie on two piles", twice[:1], "give each card a number of its own"
    )


def _check_table(subject: Subject) -> None:
    game, board = subject.game, subject.solved[0]
    empty = list(game.empty_table())
    fine = empty and all(isinstance(pile, Pile) and not pile.cards for pile in empty)
    require(fine, "empty_table must be Piles without cards", empty, "name the places of the table")
    if not all(isinstance(game, kind) for kind in (abilities.Draws, abilities.ReadsBoards)):
        return
    drawing = next(iter(subject.game.positions(board, ())))
    asked = "empty_table must have the piles of a Drawing"
    names = [pile.name for pile in drawing.piles]
    require([pile.name for pile in empty] == names, asked, names, "make both of one function")
    text = game.text_of_table([_texts(pile) for pile in drawing.piles])
    read = subject.game.read_boards(text)
    asked = "read_boards must read what text_of_table writes as the board that was drawn"
    require(read == [board], asked, repr(text), "write the board as deal prints it")


def _texts(pile: Pile) -> list[str]:
    """The cards of a pile as text."""
    names = [drawn.name(card) for card in pile.cards]
    hidden = 0 if pile.known else pile.face_down
    return [f"<{one}>" if i < hidden else one for i, one in enumerate(names)]


def _check_proofs(subject: Subject) -> None:
    board, task, _ = subject.solved
    outcome = Outcome(Status.UNSOLVABLE, None, None, Nodes(1, 2), 0.0)
    lines = subject.game.why_unsolvable(board, outcome, task.search.parameters)
    fine = lines and not isinstance(lines, str) and all(isinstance(one, str) for one in lines)
    mend = "say at least how many positions the search went through"
    require(fine, "why_unsolvable must return lines of text", repr(lines), mend)


def _check_moves(subject: Subject) -> None:
    game = subject.game
    name, parameters = game.adviser
    if name:
        require(name in game.presets, f"presets must hold the adviser {name}", game.presets, "add")
    if isinstance(subject.game, abilities.HasPresets):
        preset = subject.game.preset(name or subject.game.default_preset)
        search = replace(preset.search, parameters={**preset.search.parameters, **parameters})
        features = preset.evaluator.features if preset.evaluator else ()
        require_acceptance(partial(game.check, search, features), "the adviser's search")
    board, task, outcome = subject.solved
    for played, first in enumerate((outcome.moves or ())[:_WALK]):
        # The search starts afresh on every board, and may name the same move differently there.
        if played:
            outcome = subject.run(replace(task, deal=board))
            first = (outcome.moves or (first,))[0]
        moves = game.legal_moves(board)
        fine = isinstance(moves, list) and all(isinstance(move, str) for move in moves)
        require(fine, "legal_moves must return a list of strings", repr(moves), "make it one")
        mend = "list only one of several equivalent moves"
        require(len(set(moves)) == len(moves), "legal_moves must name no move twice", moves, mend)
        listed = game.listed(board, first)
        asked = f"listed must name one of the legal_moves, {moves}, for the search's move {first}"
        require(listed in moves, asked, repr(listed), "list all legal moves, however silly")
        for move in moves:
            _check_move(subject, board, move, not played)
        board = game.after(board, listed)
    came = "no complaint"
    try:
        game.after(board, UNKNOWN)
    except ValueError:
        came = ""
    mend = "raise ValueError, or gafreecell.solving.solutions.IllegalMove"
    require(not came, "after must refuse a move that does not exist", came, mend)


_WALK = 3
"""Moves of a solution along which all legal moves are tried."""


def _check_move(subject: Subject, board: Any, move: str, first: bool) -> None:
    """A legal move, followed by a solution of the board after it, must solve the board before it.

    Some games name their places anew on each board, as FreeCell does with its cells. So this is
    checked for the first board alone.
    """
    game = subject.game
    asked = "listed must return a legal move unchanged"
    require(game.listed(board, move) == move, asked, move, "return it")
    reached = game.after(board, move)
    if isinstance(subject.game, abilities.Numbered):
        same, mend = game.write_board(reached), "make a new board of it"
        after = game.write_board(game.after(board, move))
        require(after == same, "after must not change the board that it is given", after, mend)
    outcome = subject.run(subject.task(reached, subject.evaluators[0]))
    if outcome.moves is None or not isinstance(subject.game, abilities.Verifies):
        return
    goal = subject.search.parameters
    whole = [(board, (move, *outcome.moves))] if first else []
    for start, moves in [(reached, outcome.moves), *whole]:
        fault = refutation(game, start, list(moves), goal)
        asked = f"verify must accept the legal move {move} before a solution of the board after it"
        require(fault == "", asked, repr(fault), "have legal_moves, after and verify agree")


def _check_reachable(subject: Subject) -> None:
    text = subject.game.write_reachable(subject.solved[0])
    fine = isinstance(text, str) and text.strip()
    require(fine, "write_reachable must return a text", repr(text), "return one")


def _check_variants(subject: Subject) -> None:
    game, (board, task, _) = subject.game, subject.solved
    told = dict(game.variant_of(board))
    fine = told == dict(game.variant) or not isinstance(task.deal, int)
    mend = "return the options of the board; for a numbered deal these are the game's own"
    require(fine, "variant_of must tell the options of a board", told, mend)


def _check_rules(subject: Subject) -> None:
    words = subject.game.rules_in_words(subject.game.variant)
    mend = "return words that follow 'with', or an empty text"
    require(isinstance(words, str), "rules_in_words must return a text", repr(words), mend)


def _check_goals(subject: Subject) -> None:
    game, (board, task, outcome) = subject.game, subject.solved
    require_refusal(lambda: game.goal(UNKNOWN), "an unknown goal in goal(...)")
    if hasattr(game, "closed_goal"):
        closed = game.closed_goal(board, list(outcome.moves or ()), task.search.parameters)
        mend = "return a goal as a text, empty if the goal asked for can be judged"
        require(isinstance(closed, str), "closed_goal must return a text", repr(closed), mend)
        if closed:
            require_acceptance(lambda: game.goal(closed), f"goal({closed!r}) from closed_goal")


def _check_hidden_play(subject: Subject) -> None:
    player, board = subject.game.player, subject.solved[0]
    fine = isinstance(player, HiddenPlayer)
    mend = "derive its class from gafreecell.solving.playing.HiddenPlayer"
    require(fine, "player must be a HiddenPlayer", repr(player), mend)
    fine = player.policies and all(isinstance(policy, Policy) for policy in player.policies)
    require(fine, "policies must be a tuple of Policy", player.policies, "name those there are")
    for policy in player.policies:
        check_parameters(policy.parameters, f"the parameters of the policy {policy.name}")
        values = player.check(policy.name, {}, False, None)
        without = [one.name for one in policy.parameters if one.name not in values]
        asked = f"check({policy.name!r}, ...) must give every parameter a value"
        require(not without, asked, f"none for {without}", "fill in the defaults")
    require_refusal(lambda: player.check(UNKNOWN, {}, False, None), "an unknown policy")
    player.check_start(board)
    hidden = partial(player.check_start, player.seen(board))
    require_refusal(hidden, "a board as its player sees it, in check_start(...),")
    name = player.policies[0].name
    played = [player.play(board, name, {}, 1, 0, None, None) for _ in range(2)]
    one, other = (replace(game_played, seconds=0.0) for game_played in played)
    mend = "draw from a generator made of the seed and the place in the series alone"
    require(one == other, f"{name} must play the same game with the same seed", other, mend)
    told = player.keeps_secrets(board)
    # A solver solved this board, so it knows all cards.
    mend = "return True only for boards that the searches refuse"
    require(told is False, "keeps_secrets must be False for a solved board", repr(told), mend)
    for policy in player.policies:
        if policy.budget:
            settings = board, policy.name, {policy.budget: 1}, 1, 0, None, None
            played, watched = player.play(*settings), player.play(*settings, watched=True)
            asked = f"play must play the same game with {policy.name} if it is watched"
            same = (watched.won, watched.moves) == (played.won, played.moves)
            require(same, asked, watched.moves[:5], "telling thoughts must not change them")
            for one in watched.weighed:
                first = one.alternatives[0].moves
                done = watched.moves[one.place : one.place + len(first)]
                asked = "the first alternative of a Decision must be what was played"
                require(first == done, asked, f"{first} before {done}", "put it first")


def _can_be_rated(game: abilities.Rates, board: Any) -> bool:
    """Whether a game has a grade for a board; it may have none for some."""
    try:
        game.check_rating(board)
    except BadInput as error:
        mend = "raise it with a sentence that says which deals can have a grade"
        require(str(error).strip(), "check_rating must say why", "a BadInput without a text", mend)
        return False
    return True


def _check_ratings(subject: Subject) -> None:
    game = subject.game
    rated = (board for board, *_ in subject.all_solved if _can_be_rated(game, board))
    board = next(rated, None)
    if board is None:
        return
    found = game.rate(board)
    fine = isinstance(found, Rating) and found.status is Status.SOLVED
    mend = "agree with run, which solves it"
    require(fine, "rate must return a Rating whose status is solved", repr(found), mend)
    fine = found.grade in range(1, GRADES + 1)
    asked = f"rate must give a winnable board a grade from 1 to {GRADES}"
    require(fine, asked, repr(found.grade), "read it from a Scale")
    again, mend = game.rate(board), "let it depend on the board alone, not on chance or the clock"
    fine = replace(again, seconds=0.0) == replace(found, seconds=0.0)
    require(fine, "rate must find the same each time", repr(again), mend)
    try:
        json.dumps(dict(found.measures), allow_nan=False)
    except (TypeError, ValueError) as error:
        require(False, "measures must fit into JSON", error, "convert numpy's to int and float")
    text = game.describe_rating(found)
    fine = isinstance(text, str) and bool(text.strip())
    require(fine, "describe_rating must return a text", repr(text), "return one")


ABILITIES: dict[str, tuple[type[Any] | str, Callable[[Subject], None]]] = {
    "searches": (abilities.Searches, _check_searches),
    "options": (abilities.HasOptions, _check_options),
    "presets": (abilities.HasPresets, _check_presets),
    "held out": ("held_out", _check_held_out),
    "numbers": (abilities.Numbered, _check_numbers),
    "boards": (abilities.ReadsBoards, _check_boards),
    "verifier": (abilities.Verifies, _check_verifier),
    "solutions": (abilities.WritesSolutions, _check_solutions),
    "interpretations": (abilities.Interprets, _check_interpretation),
    "moves": (abilities.ListsMoves, _check_moves),
    "drawings": (abilities.Draws, _check_drawings),
    "tables": (abilities.LaysTable, _check_table),
    "proofs": (abilities.ProvesUnsolvable, _check_proofs),
    "options of boards": (abilities.BoardsVary, _check_variants),
    "reachable": ("write_reachable", _check_reachable),
    "recognised deals": (abilities.Recognises, _check_recognised),
    "rules in words": (abilities.NamesRules, _check_rules),
    "goals": (abilities.HasGoals, _check_goals),
    "hidden play": (abilities.HiddenPlay, _check_hidden_play),
    "ratings": (abilities.Rates, _check_ratings),
}
"""By name, what a game has that is checked: a protocol or a member; and the check."""
