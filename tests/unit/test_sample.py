"""The sample data is as examples/README.md describes it."""

import json
import re
from collections import Counter
from typing import Any

from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()]


ITEMS = read("qa_sample.jsonl")


def test_readme_counts_the_items_of_each_kind() -> None:
    rows = {kind: int(count) for kind, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", README, re.MULTILINE)}
    assert rows == Counter(item["kind"] for item in ITEMS)
    assert f"{len(ITEMS)} questions" in README


def test_items_have_the_documented_fields() -> None:
    fields = re.findall(r"^- `(\w+)`: ", README, re.MULTILINE)
    lengths = {"references": range(1, 5), "retrieved_contexts": range(6), "ground_truth_contexts": range(4)}
    for number, item in enumerate(ITEMS, start=1):
        assert list(item) == fields
        assert item["id"] == f"q{number:03d}"
        assert isinstance(item["is_right"], bool)
        for field, allowed in lengths.items():
            assert len(item[field]) in allowed
            assert all(text == text.strip() != "" for text in item[field])


def test_items_are_as_their_kinds_say() -> None:
    wrong = {"wrong", "wrong_number", "empty"}
    for item in ITEMS:
        assert (item["prediction"] in item["references"]) is (item["kind"] == "right"), item["id"]
        assert (item["prediction"] == "") is (item["kind"] == "empty"), item["id"]
        assert item["kind"] == "other_script" or item["is_right"] is (item["kind"] not in wrong), item["id"]


def test_second_system_answers_the_same_questions_in_another_order() -> None:
    ids = [item["id"] for item in read("qa_second_system.jsonl")]
    assert ids != sorted(ids) == [item["id"] for item in ITEMS]
