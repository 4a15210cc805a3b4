"""Pairs that a matcher of answers gets wrong easily, each with the rule of token recall that it is for.

About half of them must match, the others must not: a rule that says no to everything, or yes, fails as many as it
passes.
"""

from tests.unit.traps.names import NAMES
from tests.unit.traps.numbers import NUMBERS
from tests.unit.traps.statements import STATEMENTS
from tests.unit.traps.trap import Trap

__all__ = ["TRAPS", "Trap"]

TRAPS = [
    Trap(rule, reference, prediction, right)
    for rule, (matching, others) in (NUMBERS | NAMES | STATEMENTS).items()
    for pairs, right in ((matching, True), (others, False))
    for reference, prediction in pairs
]
