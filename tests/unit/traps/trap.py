"""What a trap is."""

from typing import NamedTuple

Pairs = dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]]
"""For each rule the pairs that match and those that do not, each a reference and a prediction."""


class Trap(NamedTuple):
    """A reference, an answer, and what a person says about it."""

    rule: str
    reference: str
    prediction: str
    right: bool
