"""The sample data must be what examples/README.md says it is."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz.distance import Indel

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SAMPLE = EXAMPLES / "qa_sample.jsonl"

Item = dict[str, Any]

TEXT_FIELDS = ("id", "question", "prediction", "kind", "note")
LIST_FIELDS = {"references": (1, 4), "retrieved_contexts": (0, 5), "ground_truth_contexts": (0, 3)}
KINDS = {
    "right",
    "right_case_or_punctuation",
    "right_in_other_words",
    "typo",
    "wrong_number",
    "wrong",
    "other_script",
    "empty",
    "too_long",
}
MAX_BYTES = 120_000
MIN_ITEMS = 60
MIN_ITEMS_OF_A_KIND = 2
MAX_TYPO_DISTANCE = 3
TOO_LONG_WORDS = (40, 90)


def read_items() -> list[Item]:
    """Read the sample, one object a line; a bad line fails here with its own message."""
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


ITEMS = read_items()


def of_kind(kind: str) -> list[Any]:
    """Return the items of a kind as parameters that are named by their ids."""
    return [pytest.param(item, id=item["id"]) for item in ITEMS if item["kind"] == kind]


def plain(text: str) -> str:
    """Return the text in lower case and without anything but letters and digits."""
    return "".join(char for char in text.casefold() if char.isalnum())


def texts(item: Item) -> list[str]:
    """Return every string of an item."""
    return [item[field] for field in TEXT_FIELDS] + [text for field in LIST_FIELDS for text in item[field]]


every_item = pytest.mark.parametrize("item", [pytest.param(item, id=item["id"]) for item in ITEMS])


def test_file_is_small_and_ends_with_a_line_break() -> None:
    """The file stays small, has Unix line ends and no blank lines or byte order mark."""
    raw = SAMPLE.read_bytes()
    assert len(raw) < MAX_BYTES
    assert raw.startswith(b"{")
    assert raw.endswith(b"}\n")
    assert b"\r" not in raw
    assert b"\n\n" not in raw
    assert b"\\u" not in raw, "write the characters themselves (ensure_ascii=False)"


def test_ids_are_consecutive() -> None:
    """There are enough items and their ids are q001, q002 and so on, hence unique."""
    assert len(ITEMS) >= MIN_ITEMS
    assert [item["id"] for item in ITEMS] == [f"q{number:03d}" for number in range(1, len(ITEMS) + 1)]


def test_questions_are_unique() -> None:
    """No question is asked twice."""
    assert len({plain(item["question"]) for item in ITEMS}) == len(ITEMS)


def test_kinds_are_known_and_frequent_enough() -> None:
    """Each known kind has at least two items and there is no other kind."""
    counts = Counter(item["kind"] for item in ITEMS)
    assert set(counts) == KINDS
    assert min(counts.values()) >= MIN_ITEMS_OF_A_KIND


def test_readme_counts_equal_the_file() -> None:
    """The table of kinds and the number of items in the README are those of the file."""
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", readme, flags=re.MULTILINE)
    assert len(rows) == len(KINDS)
    assert {kind: int(count) for kind, count in rows} == Counter(item["kind"] for item in ITEMS)
    assert f"holds {len(ITEMS)} questions" in readme


@pytest.mark.parametrize("field", ["retrieved_contexts", "ground_truth_contexts"])
def test_a_few_context_lists_are_empty(field: str) -> None:
    """Empty lists occur, as an edge case and not as the rule."""
    assert sum(not item[field] for item in ITEMS) in (2, 3)


def test_some_chunks_are_duplicates() -> None:
    """A chunk occurs twice in at least two items."""
    chunks = [item["retrieved_contexts"] for item in ITEMS]
    assert sum(len(set(group)) < len(group) for group in chunks) >= MIN_ITEMS_OF_A_KIND


@every_item
def test_fields_and_types(item: Item) -> None:
    """The fields are exactly those of the README, in its order, with the right types and lengths."""
    assert list(item) == [
        "id",
        "question",
        "prediction",
        "references",
        "retrieved_contexts",
        "ground_truth_contexts",
        "kind",
        "note",
    ]
    for field in TEXT_FIELDS:
        assert isinstance(item[field], str)
        assert item[field] or field == "prediction"
    for field, (shortest, longest) in LIST_FIELDS.items():
        assert isinstance(item[field], list)
        assert shortest <= len(item[field]) <= longest
        assert all(isinstance(text, str) and text.strip() for text in item[field])
    assert len(set(item["references"])) == len(item["references"])


@every_item
def test_text_is_clean(item: Item) -> None:
    """No text has lone surrogates, nor white space at its ends unless the note says that this is on purpose."""
    on_purpose = re.search(r"white space.* on purpose", item["note"], flags=re.IGNORECASE)
    for text in texts(item):
        text.encode("utf-8")  # raises UnicodeEncodeError on a lone surrogate
        assert text == text.strip() or (on_purpose and text == item["prediction"])
    assert not on_purpose or item["prediction"] != item["prediction"].strip()


@pytest.mark.parametrize("item", of_kind("right"))
def test_right_equals_a_reference(item: Item) -> None:
    """A right answer equals a reference, character by character."""
    assert item["prediction"] in item["references"]


@pytest.mark.parametrize("item", of_kind("right_case_or_punctuation"))
def test_case_or_punctuation_is_the_only_difference(item: Item) -> None:
    """Such an answer equals no reference as it stands, but does in lower case and without punctuation."""
    assert item["prediction"] not in item["references"]
    assert plain(item["prediction"]) in {plain(reference) for reference in item["references"]}


@pytest.mark.parametrize("item", of_kind("typo"))
def test_typo_is_near_a_reference(item: Item) -> None:
    """A typing error is still there in lower case, and it is a small one."""
    prediction = item["prediction"].casefold()
    distances = [Indel.distance(prediction, reference.casefold()) for reference in item["references"]]
    assert 0 < min(distances) <= MAX_TYPO_DISTANCE


@pytest.mark.parametrize("item", of_kind("wrong_number"))
def test_wrong_number_is_a_number(item: Item) -> None:
    """A wrong number has digits and differs from each reference as it stands."""
    assert re.search(r"\d", item["prediction"])
    assert item["prediction"] not in item["references"]


@pytest.mark.parametrize("item", of_kind("wrong") + of_kind("right_in_other_words"))
def test_exact_match_would_reject(item: Item) -> None:
    """Wrong answers and paraphrases equal no reference, whatever the case and punctuation."""
    assert plain(item["prediction"]) not in {plain(reference) for reference in item["references"]}


@pytest.mark.parametrize("item", of_kind("other_script"))
def test_other_script_is_not_latin(item: Item) -> None:
    """Question, prediction and contexts have letters beyond Latin; the note begins with language and verdict."""
    for text in [item["question"], item["prediction"], *item["retrieved_contexts"], *item["ground_truth_contexts"]]:
        assert any(char.isalpha() and char > "\u024f" for char in text)
    assert re.match(r"(Japanese|Chinese|Arabic|Hindi|Russian|Greek), (right|wrong): ", item["note"])
    assert item["prediction"] not in item["references"]


@pytest.mark.parametrize("item", of_kind("empty"))
def test_empty_is_empty(item: Item) -> None:
    """An empty answer is the empty string."""
    assert item["prediction"] == ""


def test_only_empty_items_are_empty() -> None:
    """No item of another kind has an empty answer."""
    assert {item["kind"] for item in ITEMS if not item["prediction"].strip()} == {"empty"}


@pytest.mark.parametrize("item", of_kind("too_long"))
def test_too_long_holds_a_reference(item: Item) -> None:
    """A rambling answer has 40 to 90 words and a reference among them."""
    shortest, longest = TOO_LONG_WORDS
    assert shortest <= len(item["prediction"].split()) <= longest
    assert any(re.search(rf"\b{re.escape(reference)}\b", item["prediction"]) for reference in item["references"])
