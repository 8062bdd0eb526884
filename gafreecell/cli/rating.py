"""``rate``: how hard deals are."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import Any

from deals.words import plural
from gafreecell.cli.notes import Rules, played_variant, warn
from gafreecell.cli.options import varied
from gafreecell.cli.outputs import JSON_LINES, check_resume, format_of, source_of
from gafreecell.cli.series import Marker, Series
from gafreecell.cli.statuses import DONE, UNDECIDED
from gafreecell.cli.telling import folded
from gafreecell.service.inputs import GivenDeal, read_deals
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
    deals.check(game.check_rating, None)
    warn(deals.boards())
    grown = given.format == JSON_LINES
    check_resume(given, grows=grown)
    rules = Rules(chosen)

    def lines(deal: GivenDeal, found: Rating) -> list[str]:
        if grown:
            return [_json_line(chosen, deal, found)]
        return [*rules.lines(deal), _sentence(game, deal, found)]

    grades = Series(
        given,
        chosen,
        deals,
        work=lambda _, piece: [game.rate(deal.board) for deal in piece],
        lines=lines,
        keep=lambda found: (found.status, found.grade),
        read=_read_line,
        well=lambda kept: kept[1] is not None,
        marker=Marker(
            given.output if grown else None,
            {"game": chosen.name, **chosen.variant},
            deals,
            "boards or rules",
        ),
        good="graded",
        summary=_summary,
    ).run()
    if grown and given.output and len(deals) > 1:
        say(_summary(grades))
    undecided = any(grade is None and not status.decided for status, grade in grades)
    return UNDECIDED if undecided else DONE


def _sentence(game: Rates, deal: GivenDeal, found: Rating) -> str:
    if found.grade is None:
        return f"{deal.title}: {_outcome(found.status)}, so no grade"
    measures = game.describe_rating(found)
    score = found.measures.get("score")
    exact = "" if score is None else f", score {score:.3g}"
    told = f"{deal.title}: grade {found.grade} of {GRADES}, {word(found.grade)}{exact}; {measures}"
    return folded(told, "  ")


def _outcome(status: Status) -> str:
    return status.value if status.decided else "not decided"


def _json_line(game: Game, deal: GivenDeal, found: Rating) -> str:
    return json.dumps(
        {
            "game": game.name,
            "deal": deal.name,
            "status": found.status.value,
            "grade": found.grade,
            "measures": dict(found.measures),
            **played_variant(game, deal),
            "seconds": found.seconds,
            **source_of(deal),
        }
    )


def _read_line(entry: Any) -> tuple[Status, int | None]:
    """What to keep of a line that was written earlier."""
    grade = entry["grade"]
    if grade is not None and grade not in range(1, GRADES + 1):
        raise ValueError
    return Status(entry["status"]), grade


def _summary(found: Sequence[tuple[Status, int | None]]) -> str:
    """The statuses and grades of many deals, counted."""
    grades = Counter(grade for _, grade in found if grade is not None)
    return summary(Counter(status for status, _ in found), grades)


def summary(statuses: Counter[Status], grades: Counter[int]) -> str:
    """How many deals have each grade, then how many were not solved, in words."""
    counts = [f"{grades[grade]:,}" for grade in range(1, GRADES + 1)]
    width = max(2, *map(len, counts)) + 2
    rows = (["grade", *map(str, range(1, GRADES + 1))], ["deals", *counts])
    lines = [first + "".join(cell.rjust(width) for cell in cells) for first, *cells in rows]
    parts = [plural(statuses.total(), "deal")]
    if graded := grades.total():
        mean = sum(grade * many for grade, many in grades.items()) / graded
        parts.append(f"mean grade {mean:.1f}")
    others = Counter[str]()
    for status, many in statuses.items():
        others[_outcome(status)] += many if status is not Status.SOLVED else 0
    parts += [f"{many:,} {outcome}" for outcome, many in others.items() if many]
    return "\n".join([*lines, ", ".join(parts)])
