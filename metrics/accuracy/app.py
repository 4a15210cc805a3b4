"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

import math
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Example
from space_ui.report import Explanation
from space_ui.report import Outcome
from space_ui.report import Span
from space_ui.report import explain_matches

REASONS = {
    "number": "a number is missing",
    "share": "too few words found",
    "denied": "the answer denies it, mentions it in passing, or names it along with an alternative",
    "opposite": "the answer says the opposite",
    "other name": "a different name is in its place",
    "list": "not all items of the list were found",
    "empty": "the reference has no words",
}


def explain(scored: Scored) -> Explanation:
    """Explain how each answer was compared."""
    options, result = scored.options, scored.result
    labels: dict[str, Outcome] = {"exact": "hit"}
    if options.match != "equal":
        labels[options.match] = "hit"
    if options.numbers == "value":
        labels["value"] = "hit"
    if options.fuzzy_match:
        labels["fuzzy"] = "near"
    if options.extract is not None:
        labels["unextracted"] = "miss"
    labels["none"] = "miss"
    kept = {name: getattr(options, name) for name in ("case_sensitive", "normalize_text", "normalizer")}
    normalize = partial(FORM.helper("_answer_matching").normalized, **kept)
    details = [f"similarity {value:.3f}, needs {options.fuzzy_threshold:g}" for value in result.get("similarities", ())]
    texts = scored.texts
    if options.extract is not None:
        texts = [(found or "", *row[1:]) for found, row in zip(result["extracted"], texts, strict=True)]
    scores = result["individual_scores"]
    explanation = explain_matches(texts, result["match_types"], scores, normalize, labels, details)
    examples = explanation.examples
    if options.extract is not None:
        whole = (replace(example, cells=row) for example, row in zip(examples, scored.texts, strict=True))
        examples = [show_extracted(*pair) for pair in zip(whole, result["extracted"], strict=True)]
    elif options.match == "recall":
        questions = scored.inputs.get("questions") or [None] * len(examples)
        examples = [show_words(*pair, options) for pair in zip(examples, questions, strict=True)]
    return replace(explanation, examples=examples)


def show_extracted(example: Example, extracted: str | None) -> Example:
    """Add what was extracted from the prediction."""
    if extracted is None:
        return replace(example, why=[("text", "No answer found in the prediction; it counts as wrong.")])
    return replace(example, why=[("text", "Extracted: "), ("code", extracted), ("soft", ""), *example.why])


def show_words(example: Example, question: str | None, options: Any) -> Example:
    """Add the words of the reference that were found, and highlight them."""
    if example.label not in {"recall", "miss"}:
        return example
    prediction, references = str(example.cells[0]), example.cells[1]
    recall = partial(
        FORM.helper("_recall").recall, question=question, threshold=options.recall_threshold, language=options.language
    )
    choices = [references] if isinstance(references, str) else references
    recalls = {reference: recall(reference, prediction) for reference in choices}
    best = max(choices, key=lambda reference: (recalls[reference].right, recalls[reference].share))
    found = recalls[best]
    total = len(found.found) + len(found.missing)
    why: list[Span] = [("text", f"{len(found.found)} of {total} {'word' if total == 1 else 'words'} found")]
    if found.missing:
        why.append(("soft", f"missing: {', '.join(best[start:end] for start, end in found.missing)}"))
    if found.reason in REASONS:
        why.append(("soft", REASONS[found.reason]))
    return replace(example, why=why, marks=found.evidence)


def cost(rows: Sequence[Sequence[str]], options: Mapping[str, Any]) -> float:
    """Estimate the seconds of fuzzy matching; partial_ratio is cubic: 3 s for two texts of 4,000 characters."""
    if not options["fuzzy_match"]:
        return 0.0
    products = (len(row[0]) * len(row[1]) for row in rows)
    if options["fuzzy_scorer"] in {"partial_ratio", "WRatio"}:
        return math.fsum(5e-11 * math.sqrt(product) * product for product in products)
    return 2e-10 * sum(products)


FORM = Form(
    script=Path(__file__).parent / "accuracy.py",
    title="Accuracy",
    scores=("accuracy",),
    explain=explain,
    facts=("From 0 to 1, higher is better", "No model, no key", "Several references per answer"),
    common=("match", "extract", "numbers", "fuzzy_match", "fuzzy_threshold", "fuzzy_scorer"),
    helps={
        "extract": "Which part of each prediction to compare, the last if there are several: \\boxed{} (boxed), the "
        "text after 'Answer:' (answer_line), a choice letter (choice) or a number (last_number). A prediction without "
        "one is wrong.",
    },
    visible_if={
        "recall_threshold": ("match", ("recall",)),
        "language": ("match", ("recall",)),
        "numeric_tolerance": ("numbers", ("value",)),
    },
    cost=cost,
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
