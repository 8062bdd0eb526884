"""``rate``: how hard deals are."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

from deals.errors import BadInput
from deals.words import plural
from gafreecell.cli.notes import Rules, played_variant, warn
from gafreecell.cli.options import varied
from gafreecell.cli.outputs import Marker, begin, check_resume, format_of, output, source_of
from gafreecell.cli.progress import counted, wanted
from gafreecell.cli.statuses import DONE, INTERRUPTED, UNDECIDED, complain
from gafreecell.cli.telling import folded
from gafreecell.service.inputs import Deal, Deals, InputError, read_deals
from gafreecell.service.solvers import rate_all
from gafreecell.solitaire.abilities import Rates
from gafreecell.solitaire.game import Game, able
from gafreecell.solitaire.game import game as find_game
from gafreecell.solving.outcome import Status
from gafreecell.solving.rating import GRADES, Rating, word
from gafreecell.solving.saying import say


def rate(given: Namespace) -> int:
    """Grade deals, print each in order as soon as it is done, then a summary."""
    given.format = format_of(given)
    chosen = varied(find_game(given.game), given)
    game = able(chosen, Rates, "cannot grade its deals")
    deals = read_deals(given.deals, chosen)
    _check(deals, game)
    warn(deals.boards())
    check_resume(given, grows=given.format == "jsonl")

    marker = _marker(given, chosen, deals)
    tally = _Tally(begin(given, marker, deals, chosen, _read_line))
    as_text = given.format == "text"
    rules = Rules(chosen)
    try:
        with (
            output(given.output, given.resume) as out,
            counted(
                len(deals),
                wanted(given.no_progress),
                good="graded",
                before=(tally.deals, tally.graded),
            ) as advance,
        ):
            rest = islice(deals, tally.deals, None)
            for deal, found in rate_all(rest, game, given.jobs):
                if as_text:
                    lines = [*rules.lines(deal), _sentence(game, deal, found)]
                else:
                    lines = [_json_line(chosen, deal, found)]
                with advance.printing_to(out):
                    print(*lines, sep="\n", file=out, flush=True)
                tally.add(found.status, found.grade)
                advance(1, found.grade is not None)
            if as_text and len(deals) > 1:
                with advance.printing_to(out):
                    print("\n" + tally.text(), file=out)
    except KeyboardInterrupt:
        complain(marker.when_interrupted(deals, tally.deals, "deal", given))
        return INTERRUPTED
    if not as_text and given.output and len(deals) > 1:
        say(tally.text())
    return UNDECIDED if tally.undecided else DONE


def _check(deals: Deals, game: Rates) -> None:
    """Refuse deals without a scale. Numbered deals all have the same one: the first tells."""
    numbered = (deal for deal in deals if isinstance(deal.board, int))
    for deal in chain(islice(numbered, 1), deals.boards()):
        try:
            game.check_rating(deal.board)
        except BadInput as error:
            raise InputError(f"{deal.title}: {error}") from None


def _sentence(game: Rates, deal: Deal, found: Rating) -> str:
    """A deal's grade, for people."""
    if found.grade is None:
        return f"{deal.title}: {_outcome(found.status)}, so no grade"
    measures = game.describe_rating(found)
    score = found.measures.get("score")
    exact = "" if score is None else f", score {score:.3g}"
    told = f"{deal.title}: grade {found.grade} of {GRADES}, {word(found.grade)}{exact}; {measures}"
    return folded(told, "  ")


def _outcome(status: Status) -> str:
    return status.value if status.decided else "not decided"


def _json_line(game: Game, deal: Deal, found: Rating) -> str:
    return json.dumps({**_told(game, deal, found), "seconds": found.seconds, **source_of(deal)})


def _told(game: Game, deal: Deal, found: Rating) -> dict[str, Any]:
    """The JSON object of a deal's line, without the seconds and the path of the deal's file."""
    return {
        "game": game.name,
        "deal": deal.name,
        "status": found.status.value,
        "grade": found.grade,
        "measures": dict(found.measures),
        **played_variant(game, deal),
    }


def _marker(given: Namespace, game: Game, deals: Deals) -> Marker:
    """The marker by which this command's output can be resumed."""
    path = given.output if given.format == "jsonl" else None
    return Marker(path, {"game": game.name, **game.variant}, deals, "boards or rules")


def _read_line(entry: Any) -> tuple[Status, int | None]:
    """What to keep of a line that was written earlier."""
    grade = entry["grade"]
    if grade is not None and grade not in range(1, GRADES + 1):
        raise ValueError
    return Status(entry["status"]), grade


class _Tally:
    """The grades of many deals, for the summary at the end."""

    def __init__(self, before: Iterable[tuple[Status, int | None]]) -> None:
        self._grades: Counter[int] = Counter()
        self._others: Counter[Status] = Counter()
        for status, grade in before:
            self.add(status, grade)

    def add(self, status: Status, grade: int | None) -> None:
        if grade is None:
            self._others[status] += 1
        else:
            self._grades[grade] += 1

    @property
    def deals(self) -> int:
        """How many deals there are."""
        return self.graded + self._others.total()

    @property
    def graded(self) -> int:
        """How many deals have a grade."""
        return self._grades.total()

    @property
    def undecided(self) -> int:
        """How many deals are undecided."""
        return sum(many for status, many in self._others.items() if not status.decided)

    def text(self) -> str:
        grades = range(1, GRADES + 1)
        counts = [f"{self._grades[grade]:,}" for grade in grades]
        width = max(2, *map(len, counts)) + 2
        rows = (["grade", *map(str, grades)], ["deals", *counts])
        lines = [first + "".join(cell.rjust(width) for cell in cells) for first, *cells in rows]
        parts = [plural(self.deals, "deal")]
        if self.graded:
            mean = sum(grade * many for grade, many in self._grades.items()) / self.graded
            parts.append(f"mean grade {mean:.1f}")
        others = Counter[str]()
        for status, many in self._others.items():
            others[_outcome(status)] += many
        parts += [f"{many:,} {outcome}" for outcome, many in others.items()]
        return "\n".join([*lines, ", ".join(parts)])
