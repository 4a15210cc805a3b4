"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from answer_metrics.page.report import TEXTS, Cell, Span, compare_texts, marked, marked_differences
from answer_metrics.page.space import Scored, Space

REASONS = TEXTS["reasons"]
STEPS = ("boxed, answer_line, last_number", "boxed, answer_line, whole")


def compared_pair(
    prediction: str, references: list[str], match_type: str, tolerance: float, question: str | None
) -> list[Span]:
    """Show the numbers or formulas that decided, where normalized texts did not; a longer answer has none to show."""
    same_number = partial(SPACE.function("same_number"), tolerance=tolerance, question=question)
    same = same_number if match_type == "value" else SPACE.function("same_spelling")
    decided = [reference for reference in references if match_type == "none" or same(prediction, reference)]
    sign = "≠" if match_type == "none" else "="
    return [("code", prediction), ("sign", sign), ("code", decided[0])] if decided else []


def marked_evidence(text: str, answer: str, places: Sequence[tuple[int, int]]) -> Cell:
    """Return a prediction with the words marked that decide, given by their places in the answer that it contains."""
    start = text.rfind(answer)
    return marked(text, [(start + first, start + last) for first, last in places] if start >= 0 else [])


def question_of(scored: Scored, row: int) -> str | None:
    """Return the question of a row, if there are questions."""
    return scored.inputs["questions"][row] if "questions" in scored.inputs else None


def explain_recall(scored: Scored, row: int, answer: str) -> tuple[list[Span], dict[str, Cell]]:
    """Show which words of a reference an answer has, and which it lacks."""
    options, question = scored.options, question_of(scored, row)
    settings = {"question": question, "threshold": options.recall_threshold, "language": options.language}
    recall = partial(SPACE.function("recall"), **settings)
    matches = [(recall(reference, answer), reference) for reference in scored.references(row)]
    match, reference = max(matches, key=lambda pair: (pair[0].right, pair[0].share))
    words, missing = ([reference[start:end] for start, end in places] for places in (match.found, match.missing))
    why: list[Span] = []
    # A coarser date, or a number in words, is accepted without having every word.
    if (missing or match.right) and all(word.casefold() in answer.casefold() for word in words):
        why.append(("text", f"{len(words)} of {len(words) + len(missing)} words found"))
    elif match.right:
        why.append(("text", "Agrees with the reference by value"))
    notes = [f"missing: {', '.join(missing)}" if missing else "", REASONS.get(match.reason, "")]
    if match.right and scored.result["match_types"][row] == "none":  # what stands beside the answer is the reason
        own = (match.evidence, question or "", scored.references(row))
        beside = SPACE.function("words_beside")(answer, *own)
        notes.append(f"beside the answer: {', '.join(beside)}" if beside else "a question or a symbol beside it")
    why += [("soft", note) for note in notes if note]
    (cell,) = marked(reference, match.missing, "differ")
    references = [cell if other == reference else [("", other)] for other in scored.references(row)]
    prediction = marked_evidence(scored.inputs["predictions"][row], answer, match.evidence)
    return why, {"predictions": prediction, "references": references}


def explain_hedged(scored: Scored, row: int, answer: str) -> tuple[list[Span], dict[str, Cell]]:
    """Show the candidates that an answer names without choosing one."""
    settings = {"threshold": scored.options.recall_threshold, "language": scored.options.language}
    settings["questions"] = [question_of(scored, row) or ""]
    (decision,) = SPACE.function("recall_column")([answer], [scored.references(row)], **settings)
    candidates = [answer[start:end].strip() for start, end in decision.hits]
    why: list[Span] = [("text", f"names several candidates: {', '.join(candidates)}")]
    return why, {"predictions": marked_evidence(scored.inputs["predictions"][row], answer, decision.hits)}


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show how an answer was compared, and which of its words count."""
    options, result, match_type = scored.options, scored.result, scored.result["match_types"][row]
    prediction = result["extracted"][row] if options.extract else scored.prediction(row)
    if match_type in {"unextracted", "truncated", "abstained"}:
        return [("text", REASONS[match_type])], {}
    extracted = options.extract and prediction.strip() != scored.prediction(row).strip()
    why: list[Span] = [("text", "Extracted:"), ("code", prediction), ("line", "")] if extracted else []
    if match_type == "hedged":
        reason, cells = explain_hedged(scored, row, prediction)
        return [*why, *reason], cells
    if options.match == "recall" and match_type in {"recall", "none"}:
        reason, cells = explain_recall(scored, row, prediction)
        return [*why, *reason], cells
    if match_type in REASONS and match_type not in {"value", "exact", "none"}:
        return [*why, ("text", REASONS[match_type])], {}
    choices = [scored.inputs["choices"][row]] if "choices" in scored.inputs else None
    read_references = SPACE.function("read_references")
    (references,) = read_references([scored.references(row)], options.extract, choices, options.decimal)
    if references != scored.references(row):
        why.insert(2, ("soft", f"compared with {' | '.join(references)}"))
    normalize = partial(SPACE.function("normalized"), rules=options, name="answers")
    own, *others = normalize([prediction, *references])
    if match_type == "value" or (match_type in {"exact", "none"} and (match_type == "exact") is not (own in others)):
        tolerance, question = options.numeric_tolerance, question_of(scored, row)
        pair = compared_pair(prediction, references, match_type, tolerance, question)
        return [*why, ("text", REASONS[match_type]), *pair], {}
    why += compare_texts(prediction, references, normalize, match_type)
    if "similarities" in result and match_type != "exact":
        why.append(("soft", f"similarity {result['similarities'][row]:.3f}, needs {options.fuzzy_threshold:g}"))
    as_written = not extracted and references == scored.references(row)
    differs = as_written and match_type in {"none", "fuzzy"}
    return why, marked_differences(prediction, references, normalize) if differs else {}


HIT = ("exact", "contains", "recall", "value", "equivalent")
MISS = ("miss", "unextracted", "truncated", "abstained", "hedged")

SPACE = Space(
    script=Path(__file__).parent / "accuracy.py",
    title="Accuracy",
    scores=("accuracy",),
    outcomes=dict.fromkeys(HIT, "hit") | {"fuzzy": "near"} | dict.fromkeys(MISS, "miss"),
    classify=lambda scored: ["miss" if match == "none" else match for match in scored.result["match_types"]],
    explain=explain,
    quiet=("total", "correct", "correct_fuzzy", "exact_accuracy", "fuzzy_accuracy", "mean_score"),
    common=("match", "extract", "numbers", "equivalent", "fuzzy_match", "fuzzy_threshold", "fuzzy_scorer"),
    choices={"extract": ("auto", "boxed", "answer_line", "choice", "last_number", *STEPS)},
    words={
        "normalizer": ("Another normalization", "The rules of an official script.", {}),
        "hedged": ("Several candidates", "Paris or London, where the reference is Paris.", {}),
        "beside": ("Beside the answer", "What may stand beside a correct answer.", {}),
        "decimal": ("Decimal mark", "Whether 1,234 is a whole number or has decimals.", {}),
    },
)

if __name__ == "__main__":
    SPACE.launch()
