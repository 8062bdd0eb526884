"""Operators by name: what a job's table ``[operators]`` puts in place of a trainer's own.

There are those of ``deap.tools`` that work on lists of real numbers, and those that packages
register as entry points or that are handed in from Python (``catalogue``). All are called as DEAP's
are: a crossover with two individuals, a mutation with one, a selection with all of them and how
many to choose; then come the arguments that the job gives (``arguments``). DEAP's draw from the
global generators and change individuals in place, so all work on copies (``operator``), while the
global generators are lent to them (``breeding``). Weights are clipped to their ranges.
"""

from gafreecell.operators.arguments import operators_of
from gafreecell.operators.breeding import cases_of, in_place
from gafreecell.operators.catalogue import BY_COSTS, hand_in
from gafreecell.operators.operator import Operator
from gafreecell.operators.trying import try_out

__all__ = ["BY_COSTS", "Operator", "cases_of", "hand_in", "in_place", "operators_of", "try_out"]
