"""The list of mutants that mean the same as the original does not outlive the code that it is about."""

import tomllib

import pytest

from scripts.mutate import CORES
from scripts.mutate import EQUIVALENT
from scripts.mutate import ROOT
from scripts.mutate import mutants

KNOWN = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CORES)
def test_known_mutants_are_there_and_have_a_reason(name: str) -> None:
    core = CORES[name]
    every = [mutant.name for mutant in mutants((ROOT / core.path).read_text(encoding="utf-8"), core.without)]
    assert len(set(every)) == len(every)
    assert set(KNOWN.get(name, {})) <= set(every)
    assert all(KNOWN.get(name, {}).values())


def test_every_kind_of_mutant() -> None:
    source = "def f(a, b):\n    if not a or b:\n        return a <= 1 and b in a\n    return -a + 2.5 if b else True\n"
    assert [mutant.name for mutant in mutants(source)] == [
        "f: not a or b -> not a and b",
        "f: not a -> a",
        "f: a <= 1 and b in a -> a <= 1 or b in a",
        "f: a <= 1 -> a < 1",
        "f: a <= 1 -> a > 1",
        "f: 1 -> 2",
        "f: 1 -> 0",
        "f: b in a -> b not in a",
        "f: b -> not b",
        "f: -a + 2.5 -> -a - 2.5",
        "f: -a -> a",
        "f: 2.5 -> 3.5",
        "f: 2.5 -> 1.5",
        "f: True -> False",
    ]
    assert not mutants('"""Text 1."""\nX: "int | None"\n\n\nclass C:\n    Y = 1\n', frozenset({"C"}))
