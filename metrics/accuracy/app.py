"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from functools import partial
from pathlib import Path

from answer_metrics.page.report import TEXTS, Cell, Span, compare_texts, marked, marked_differences
from answer_metrics.page.space import Scored, Space

REASONS = TEXTS["reasons"]
STEPS = ("boxed, answer_line, last_number", "boxed, answer_line, whole")


def compared_pair(
    prediction: str, references: list[str], found: str, tolerance: float, question: str | None
) -> list[Span]:
    """Show the numbers or formulas that decided, where normalized texts did not; a longer answer has none to show."""
    same_number = partial(SPACE.function("same_number"), tolerance=tolerance, question=question)
    same = same_number if found == "value" else SPACE.function("same_spelling")
    decided = [reference for reference in references if found == "none" or same(prediction, reference)]
    sign = "≠" if found == "none" else "="
    return [("code", prediction), ("sign", sign), ("code", decided[0])] if decided else []


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show how an answer was compared, and which of its words count."""
    options, result, found = scored.options, scored.result, scored.result["match_types"][row]
    prediction = result["extracted"][row] if options.extract else scored.prediction(row)
    if found in {"unextracted", "truncated", "abstained"}:
        return [("text", REASONS[found])], {}
    why: list[Span] = [("text", "Extracted:"), ("code", prediction), ("line", "")] if options.extract else []
    if options.match == "recall" and found in {"recall", "none"}:
        questions = scored.inputs.get("questions")
        given = {"question": questions[row] if questions else None, "threshold": options.recall_threshold}
        recall = partial(SPACE.function("recall"), language=options.language, **given)
        judged = [(recall(reference, prediction), reference) for reference in scored.references(row)]
        words, reference = max(judged, key=lambda one: (one[0].right, one[0].share))
        missing = [reference[start:end] for start, end in words.missing]
        if missing or found == "recall":
            why.append(("text", f"{len(words.found)} of {len(words.found) + len(missing)} words found"))
        notes = [f"missing: {', '.join(missing)}" if missing else "", REASONS.get(words.reason, "")]
        why += [("soft", note) for note in notes if note]
        (cell,) = marked(reference, words.missing, "differ")
        references = [cell if other == reference else [("", other)] for other in scored.references(row)]
        cells = {} if options.extract else {"predictions": marked(prediction, words.evidence)}
        return why, {**cells, "references": references}
    if found == "equivalent":
        return [*why, ("text", REASONS[found])], {}
    choices = [scored.inputs["choices"][row]] if "choices" in scored.inputs else None
    (references,) = SPACE.function("read_references")([scored.references(row)], options.extract, choices)
    if references != scored.references(row):
        why.insert(2, ("soft", f"compared with {' | '.join(references)}"))
    normalize = partial(SPACE.function("normalized"), rules=options, name="answers")
    own, *others = normalize([prediction, *references])
    if found == "value" or (found in {"exact", "none"} and (found == "exact") is not (own in others)):
        question = scored.inputs["questions"][row] if "questions" in scored.inputs else None
        pair = compared_pair(prediction, references, found, options.numeric_tolerance, question)
        return [*why, ("text", REASONS[found]), *pair], {}
    why += compare_texts(prediction, references, normalize, found)
    cells = marked_differences(prediction, references, normalize) if found in {"none", "fuzzy"} else {}
    if options.extract or references != scored.references(row):
        cells = {}
    if "similarities" in result and found != "exact":
        why.append(("soft", f"similarity {result['similarities'][row]:.3f}, needs {options.fuzzy_threshold:g}"))
    return why, cells


HIT, MISS = ("exact", "contains", "recall", "value", "equivalent"), ("miss", "unextracted", "truncated", "abstained")

SPACE = Space(
    script=Path(__file__).parent / "accuracy.py",
    title="Accuracy",
    scores=("accuracy",),
    outcomes=dict.fromkeys(HIT, "hit") | {"fuzzy": "near"} | dict.fromkeys(MISS, "miss"),
    label=lambda scored: ["miss" if found == "none" else found for found in scored.result["match_types"]],
    explain=explain,
    facts=("From 0 to 1, higher is better", "No model, no key", "Several references per answer"),
    quiet=("total", "correct", "correct_fuzzy", "exact_accuracy", "fuzzy_accuracy", "mean_score"),
    common=("match", "extract", "numbers", "equivalent", "fuzzy_match", "fuzzy_threshold", "fuzzy_scorer"),
    choices={"extract": ("auto", "boxed", "answer_line", "choice", "last_number", *STEPS)},
    words={"normalizer": ("Another normalization", "The rules of an official script.", {})},
)

if __name__ == "__main__":
    SPACE.launch()
