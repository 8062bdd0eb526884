"""Klondike's engine number, and the tasks whose results it digests (see ``solving.engine``)."""

from __future__ import annotations

from deals import klondike
from gafreecell.solitaire.klondike.rollouts.values import HEURISTICS
from gafreecell.solving.engine import weighing
from gafreecell.solving.outcome import Limits, Search, Task

ENGINE = "6f93642f74f3800c"
"""The digest of the tasks' results."""
EARLIER = {"1f1ffd2df2547739": 624, "e08e99b5f515c58d": 744}
"""Earlier numbers, each the digest of so many of the first tasks. Later tasks came after them."""

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
_WEIGHTS = {
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
_VALUES = weighing(_WEIGHTS)
_FIRST = {name[2:]: weight for name, weight in _WEIGHTS.items() if name.startswith("H1")}
_STAGES = [
    (
        weighing(_WEIGHTS | {f"H{stage}{name}": weight for name, weight in _FIRST.items()}),
        Search("rollouts", {"nesting": "0," * (stage - 1) + "1"}),
    )
    for stage in range(3, HEURISTICS + 1)
]
"""The last stage has the weights of the first under its own name; those between have H2."""

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


_FEW_REDEALS = weighing({"OrderTurns": 0.31, "OrderFaceDown": 0.84, "OrderRedeal": -0.5})
_RULED = (
    (None, Search("complete")),
    (_FEW_REDEALS, Search("complete")),
    (None, Search("complete", {"dead-ends": "no", "shorten": 500})),
    (_VALUES, Search("rollouts")),
)
_RULES = ((1, None), (3, 2), (3, 0), (1, 2), (1, 0))
"""Cards of a draw, and redeals."""


def tasks() -> list[Task]:
    """Tasks that cover every search, parameter, feature, rule and final status."""
    deals = range(1, 26)
    tried = [(deal, Limits(20_000)) for deal in deals]
    tried.append((6, Limits(100_000, memory=200_000)))
    usual = [
        Task(deal, evaluator, search, limits)
        for evaluator, search in _SOLVERS
        for deal, limits in tried
    ]
    ruled = [
        Task(klondike(number, *rules), evaluator, search, Limits(5_000))
        for evaluator, search in _RULED
        for rules in _RULES
        for number in range(1, 7)
    ]
    staged = [
        Task(deal, evaluator, search, Limits(20_000))
        for evaluator, search in _STAGES
        for deal in deals
    ]
    return usual + ruled + staged
