"""The sample data is as examples/README.md describes it."""

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
    """Read the sample, one JSON object per line."""
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


ITEMS = read_items()


def of_kind(kind: str) -> list[Any]:
    """Return the items of a kind as test parameters with their ids."""
    return [pytest.param(item, id=item["id"]) for item in ITEMS if item["kind"] == kind]


def letters_and_digits(text: str) -> str:
    """Return the case-folded letters and digits of a text."""
    return "".join(char for char in text.casefold() if char.isalnum())


def strings_of(item: Item) -> list[str]:
    """Return every string of an item."""
    return [item[field] for field in TEXT_FIELDS] + [text for field in LIST_FIELDS for text in item[field]]


for_every_item = pytest.mark.parametrize("item", [pytest.param(item, id=item["id"]) for item in ITEMS])


def test_file_is_small_and_in_canonical_form() -> None:
    """It has Unix line endings, no blank lines, no byte order mark, and no escaped characters."""
    raw = SAMPLE.read_bytes()
    assert len(raw) < MAX_BYTES
    assert raw.startswith(b"{")
    assert raw.endswith(b"}\n")
    assert b"\r" not in raw
    assert b"\n\n" not in raw
    assert b"\\u" not in raw, "write the characters themselves (ensure_ascii=False)"


def test_ids_are_consecutive() -> None:
    """q001, q002, and so on."""
    assert len(ITEMS) >= MIN_ITEMS
    assert [item["id"] for item in ITEMS] == [f"q{number:03d}" for number in range(1, len(ITEMS) + 1)]


def test_questions_are_unique() -> None:
    assert len({letters_and_digits(item["question"]) for item in ITEMS}) == len(ITEMS)


def test_kinds_are_known_and_frequent_enough() -> None:
    """Each known kind has at least two items; there is no other kind."""
    counts = Counter(item["kind"] for item in ITEMS)
    assert set(counts) == KINDS
    assert min(counts.values()) >= MIN_ITEMS_OF_A_KIND


def test_readme_counts_equal_the_file() -> None:
    """The README gives the right number of items, in total and of each kind."""
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", readme, flags=re.MULTILINE)
    assert len(rows) == len(KINDS)
    assert {kind: int(count) for kind, count in rows} == Counter(item["kind"] for item in ITEMS)
    assert f"{len(ITEMS)} questions" in readme


@pytest.mark.parametrize("field", ["retrieved_contexts", "ground_truth_contexts"])
def test_a_few_context_lists_are_empty(field: str) -> None:
    """Empty lists occur, but rarely."""
    assert sum(not item[field] for item in ITEMS) in (2, 3)


def test_some_chunks_are_duplicates() -> None:
    """A chunk occurs twice in at least two items."""
    chunks = [item["retrieved_contexts"] for item in ITEMS]
    assert sum(len(set(group)) < len(group) for group in chunks) >= MIN_ITEMS_OF_A_KIND


@for_every_item
def test_fields_and_types(item: Item) -> None:
    """Each item has the fields of the README in its order, with the right types and lengths."""
    assert list(item) == [
        "id",
        "question",
        "prediction",
        "references",
        "retrieved_contexts",
        "ground_truth_contexts",
        "is_right",
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
    assert isinstance(item["is_right"], bool)


@for_every_item
def test_texts_are_clean(item: Item) -> None:
    """No text has lone surrogates, or surrounding whitespace unless the note says that it is intentional."""
    on_purpose = re.search(r"white space.* on purpose", item["note"], flags=re.IGNORECASE)
    for text in strings_of(item):
        text.encode("utf-8")  # raises UnicodeEncodeError on a lone surrogate
        assert text == text.strip() or (on_purpose and text == item["prediction"])
    assert not on_purpose or item["prediction"] != item["prediction"].strip()


@for_every_item
def test_verdict_follows_from_the_kind(item: Item) -> None:
    assert item["kind"] == "other_script" or item["is_right"] == (
        item["kind"] not in {"wrong", "wrong_number", "empty"}
    )


@pytest.mark.parametrize("item", of_kind("right"))
def test_right_answer_equals_a_reference(item: Item) -> None:
    assert item["prediction"] in item["references"]


@pytest.mark.parametrize("item", of_kind("right_case_or_punctuation"))
def test_case_or_punctuation_is_the_only_difference(item: Item) -> None:
    """Such an answer equals a reference only after case folding and without punctuation."""
    assert item["prediction"] not in item["references"]
    assert letters_and_digits(item["prediction"]) in {letters_and_digits(reference) for reference in item["references"]}


@pytest.mark.parametrize("item", of_kind("typo"))
def test_typo_is_close_to_a_reference(item: Item) -> None:
    """The typo is small, but more than a difference in case."""
    prediction = item["prediction"].casefold()
    distances = [Indel.distance(prediction, reference.casefold()) for reference in item["references"]]
    assert 0 < min(distances) <= MAX_TYPO_DISTANCE


@pytest.mark.parametrize("item", of_kind("wrong_number"))
def test_wrong_number_is_a_number(item: Item) -> None:
    """A wrong number has digits and equals no reference."""
    assert re.search(r"\d", item["prediction"])
    assert item["prediction"] not in item["references"]


@pytest.mark.parametrize("item", of_kind("wrong") + of_kind("right_in_other_words"))
def test_wrong_answer_or_paraphrase_equals_no_reference(item: Item) -> None:
    """Even without case and punctuation."""
    assert letters_and_digits(item["prediction"]) not in {
        letters_and_digits(reference) for reference in item["references"]
    }


@pytest.mark.parametrize("item", of_kind("other_script"))
def test_other_script_has_letters_beyond_latin(item: Item) -> None:
    """This holds for question, prediction and contexts; the note begins with the language and the verdict."""
    verdict = "right" if item["is_right"] else "wrong"
    for text in [item["question"], item["prediction"], *item["retrieved_contexts"], *item["ground_truth_contexts"]]:
        assert any(char.isalpha() and char > "\u024f" for char in text)
    assert re.match(rf"(Japanese|Chinese|Arabic|Hindi|Russian|Greek), {verdict}: ", item["note"])
    assert item["prediction"] not in item["references"]


@pytest.mark.parametrize("item", of_kind("empty"))
def test_empty_answer_is_the_empty_string(item: Item) -> None:
    assert item["prediction"] == ""


def test_only_items_of_kind_empty_have_empty_answers() -> None:
    assert {item["kind"] for item in ITEMS if not item["prediction"].strip()} == {"empty"}


@pytest.mark.parametrize("item", of_kind("too_long"))
def test_too_long_answer_contains_a_reference(item: Item) -> None:
    """It has 40 to 90 words."""
    shortest, longest = TOO_LONG_WORDS
    assert shortest <= len(item["prediction"].split()) <= longest
    assert any(re.search(rf"\b{re.escape(reference)}\b", item["prediction"]) for reference in item["references"])
