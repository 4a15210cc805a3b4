"""The sample data is as examples/README.md describes it."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz.distance import Indel

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LINES = (EXAMPLES / "qa_sample.jsonl").read_text(encoding="utf-8").splitlines()
Item = dict[str, Any]
ITEMS: list[Item] = [json.loads(line) for line in LINES]


def simplify(text: str) -> str:
    """Return the case-folded letters and digits of a text."""
    return "".join(char for char in text.casefold() if char.isalnum())


def is_reference(item: Item) -> bool:
    return item["prediction"] in item["references"]


def is_simplified_reference(item: Item) -> bool:
    return simplify(item["prediction"]) in map(simplify, item["references"])


def has_typo(item: Item) -> bool:
    prediction = item["prediction"].casefold()
    return 0 < min(Indel.distance(prediction, reference.casefold()) for reference in item["references"]) <= 3


def is_in_other_script(item: Item) -> bool:
    """The question, the prediction and all chunks have letters beyond Latin; the note tells language and verdict."""
    texts = [item["question"], item["prediction"], *item["retrieved_contexts"], *item["ground_truth_contexts"]]
    verdict = "right" if item["is_right"] else "wrong"
    note = re.match(rf"(Japanese|Chinese|Arabic|Hindi|Russian|Greek), {verdict}: ", item["note"])
    return note is not None and all(any(char.isalpha() and char > "\u024f" for char in text) for text in texts)


def contains_reference(item: Item) -> bool:
    found = any(re.search(rf"\b{re.escape(reference)}\b", item["prediction"]) for reference in item["references"])
    return found and 40 <= len(item["prediction"].split()) <= 90


# What the table in examples/README.md says of the prediction.
KINDS: dict[str, Callable[[Item], bool]] = {
    "right": is_reference,
    "right_case_or_punctuation": lambda item: is_simplified_reference(item) and not is_reference(item),
    "right_in_other_words": lambda item: not is_simplified_reference(item),
    "typo": has_typo,
    "wrong_number": lambda item: re.search(r"\d", item["prediction"]) is not None and not is_reference(item),
    "wrong": lambda item: not is_simplified_reference(item),
    "other_script": lambda item: is_in_other_script(item) and not is_reference(item),
    "empty": lambda item: item["prediction"] == "",
    "too_long": contains_reference,
}


def test_readme_counts_the_items_of_each_kind() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    rows = {kind: int(count) for kind, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", readme, re.MULTILINE)}
    assert rows == Counter(item["kind"] for item in ITEMS)
    assert list(rows) == list(KINDS)
    assert f"{len(ITEMS)} questions" in readme


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_item_is_as_its_kind_says(item: Item) -> None:
    assert KINDS[item["kind"]](item)
    assert item["prediction"].strip() or item["kind"] == "empty"
    if item["kind"] != "other_script":
        assert item["is_right"] == (item["kind"] not in {"wrong", "wrong_number", "empty"})


@pytest.mark.parametrize(("number", "item"), list(enumerate(ITEMS, start=1)), ids=lambda value: str(value)[:12])
def test_item_has_the_documented_fields(number: int, item: Item) -> None:
    fields = re.findall(r"^- `(\w+)`: ", (EXAMPLES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert list(item) == fields
    assert item["id"] == f"q{number:03d}"
    assert isinstance(item["is_right"], bool)
    for field, (fewest, most) in {
        "references": (1, 4),
        "retrieved_contexts": (0, 5),
        "ground_truth_contexts": (0, 3),
    }.items():
        assert fewest <= len(item[field]) <= most
        assert all(text == text.strip() != "" for text in item[field])


def test_second_system_answers_the_same_questions_in_another_order() -> None:
    lines = (EXAMPLES / "qa_second_system.jsonl").read_text(encoding="utf-8").splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    assert ids != sorted(ids) == [item["id"] for item in ITEMS]
