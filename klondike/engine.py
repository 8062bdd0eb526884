"""Klondike's engine number, and the tasks whose results it digests (see ``solving.engine``)."""

from __future__ import annotations

from deals import klondike
from solving.engine import weighing
from solving.outcome import Limits, Search, Task

ENGINE = "bceee70443169a88"
"""The digest of the tasks' results."""
EARLIER = {"1f1ffd2df2547739": 624}
"""Earlier engines, which lacked rules other than the usual and otherwise return the same results.

Each is a digest of the first tasks; the value is their number. A run of such an engine resumes as
if this engine had made it.
"""

_ORDER = weighing(
    {
        "OrderHome": 0.56,
        "OrderTurns": 0.67,
        "OrderFaceDown": 0.64,
        "OrderTurnedReady": 0.49,
        "OrderTurnedFits": -0.16,
        "OrderTurnedRank": 0.66,
        "OrderEmpties": -0.24,
        "OrderTalon": -0.2,
        "OrderTalonPlace": 0.41,
        "OrderRank": -0.48,
        "OrderBack": -0.22,
    }
)
_VALUES = weighing(
    {
        "H1Foundation": 5.0,
        "H1FoundationRank": -1.0,
        "H1FaceDown": -13.0,
        "H1FaceDownRank": 1.0,
        "H1TalonInReach": 0.5,
        "H1PairFaceDown": -5.0,
        "H1BlocksSuit": -5.0,
        "H1BlocksBuild": -10.0,
        "H2Foundation": 5.0,
        "H2FoundationRank": 0.5,
        "H2FaceDown": -13.0,
        "H2FaceDownRank": 1.0,
        "H2TalonInReach": 1.0,
        "H2PairFaceDown": -1.0,
        "H2BlocksSuit": -1.0,
        "H2BlocksBuild": -5.0,
    }
)

_SOLVERS = (
    (None, Search("complete")),
    (None, Search("complete", {"safe-home": "no"})),
    (None, Search("complete", {"still-bottoms": "no"})),
    (None, Search("complete", {"dead-ends": "no"})),
    (None, Search("complete", {"shorten": 2_000})),
    (_ORDER, Search("complete")),
    (_ORDER, Search("complete", {"safe-home": "no", "still-bottoms": "no", "dead-ends": "no"})),
    (_VALUES, Search("rollouts")),
    (_VALUES, Search("rollouts", {"nesting": "0"})),
    (_VALUES, Search("rollouts", {"nesting": "2"})),
    (_VALUES, Search("rollouts", {"nesting": "0,0"})),
    (_VALUES, Search("rollouts", {"nesting": "1,1"})),
    (_VALUES, Search("rollouts", {"nesting": "1,0,2", "shorten": 5_000})),
    *((None, Search("man-machine", {"nesting": n})) for n in range(6) if n != 1),
    (None, Search("man-machine")),
    (None, Search("man-machine", {"first": "priority"})),
    (None, Search("man-machine", {"waste-home": 0, "piles": 0})),
    (None, Search("man-machine", {"queens": "colour", "ties": "last"})),
    (None, Search("man-machine", {"queens": "other-colour", "avoid": "nowhere"})),
    (None, Search("man-machine", {"ties": "chance", "avoid": "everywhere", "seed": 7})),
)


_RULES = (3, 0), (3, 1), (3, 2), (3, 3), (1, None), (1, 0), (1, 1), (1, 2), (1, 3)
"""The draw and the redeals of other rules than the usual."""
_UNDER_RULES = (
    (None, Search("complete")),
    (_ORDER, Search("complete", {"safe-home": "no", "still-bottoms": "no", "dead-ends": "no"})),
    (None, Search("complete", {"shorten": 2_000})),
    (_VALUES, Search("rollouts")),
    (_VALUES, Search("rollouts", {"nesting": "0,0"})),
)


def tasks() -> list[Task]:
    """Tasks that cover every search, parameter, feature, final status, and the rules."""
    deals = range(1, 26)
    tried = [(deal, Limits(20_000)) for deal in deals]
    tried.append((6, Limits(100_000, memory=200_000)))
    usual = [
        Task(deal, evaluator, search, limits)
        for evaluator, search in _SOLVERS
        for deal, limits in tried
    ]
    # These came later.
    ruled = [
        Task(klondike(number, draw, redeals), evaluator, search, Limits(20_000))
        for evaluator, search in _UNDER_RULES
        for draw, redeals in _RULES
        for number in range(1, 7)
    ]
    return usual + ruled
