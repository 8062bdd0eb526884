"""Operators by name, which a job's table ``[operators]`` puts in place of a trainer's own.

They are those of ``deap.tools`` that work on lists of real numbers, those that packages register as
entry points, and those handed in from Python (``catalogue``). All are called as DEAP's are: a
crossover with two individuals, a mutation with one, a selection with all individuals and how many
to choose. The arguments that the job gives come after these (``arguments``).

DEAP's operators change individuals in place, so operators work on copies (``operator``). They also
draw from the global random generators, which meanwhile are seeded by the run (``global_random``).
Weights are clipped to their ranges.
"""

from gafreecell.evolution.operators.arguments import operators_of
from gafreecell.evolution.operators.catalogue import BY_COSTS, PROPORTIONATE, hand_in, is_known
from gafreecell.evolution.operators.operator import Operator, cases_of, put_in_place

__all__ = [
    "BY_COSTS",
    "PROPORTIONATE",
    "Operator",
    "cases_of",
    "hand_in",
    "is_known",
    "operators_of",
    "put_in_place",
]
