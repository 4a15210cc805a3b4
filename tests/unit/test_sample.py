"""The sample data is as examples/README.md describes it."""

import json
import re
from collections import Counter

from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")


ITEMS, OTHERS = (
    [json.loads(line) for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()]
    for name in ("qa_sample.jsonl", "qa_second_system.jsonl")
)


def test_readme_counts_the_items() -> None:
    rows = {kind: int(count) for kind, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", README, re.MULTILINE)}
    assert rows == Counter(item["kind"] for item in ITEMS)
    assert f"{len(ITEMS)} questions" in README
    ids = [item["id"] for item in OTHERS]
    assert ids != sorted(ids) == [item["id"] for item in ITEMS]


def test_items_have_the_documented_fields_and_are_as_their_kinds_say() -> None:
    fields = re.findall(r"^- `(\w+)`: ", README, re.MULTILINE)
    lengths = {"references": range(1, 5), "retrieved_contexts": range(6), "ground_truth_contexts": range(4)}
    for number, item in enumerate(ITEMS, start=1):
        assert list(item) == fields
        assert item["id"] == f"q{number:03d}"
        assert isinstance(item["is_right"], bool)
        for field, allowed in lengths.items():
            assert len(item[field]) in allowed
            assert all(text == text.strip() != "" for text in item[field])
        right, empty = item["prediction"] in item["references"], item["prediction"] == ""
        assert (right, empty) == (item["kind"] == "right", item["kind"] == "empty"), item["id"]
        wrong = item["kind"] in {"wrong", "wrong_number", "empty"}
        assert item["kind"] == "other_script" or item["is_right"] is not wrong, item["id"]
