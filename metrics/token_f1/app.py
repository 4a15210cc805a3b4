"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize as normalize_unicode

from answer_metrics.page.page_tables import visible
from answer_metrics.page.report import WORD, Cell, Span, compare_texts, marked
from answer_metrics.page.space import Scored, Space

MAX_WORDS = 12  # missing words of a reference to list


def outcomes(scored: Scored) -> list[str]:
    """Return the outcome of each row, from its overlap."""
    rows = zip(scored.result["individual_exact_match"], scored.result["individual_f1"], strict=True)
    return ["exact" if exact else "partial" if f1 else "miss" for exact, f1 in rows]


def marked_words(text: str, is_marked: Callable[[str], bool], kind: str = "mark") -> Cell:
    """Return a text with the words marked for which `is_marked` is true; in Chinese and Japanese, characters."""
    return marked(text, [word.span() for word in WORD.finditer(text) if is_marked(word[0])], kind)


def distinguishable(words: list[str], others: list[str]) -> list[str]:
    """Write words as escapes if they look like one of the others, and differ in their code points."""
    lookalikes = {normalize_unicode("NFKC", other) for other in others}
    return [ascii(word)[1:-1] if normalize_unicode("NFKC", word) in lookalikes else visible(word) for word in words]


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show which words of the best reference an answer has."""
    prediction, references = scored.prediction(row), scored.references(row)
    split = str.split if scored.options.tokenizer == "squad" else scored.script.answer_tokens

    def words(text: str) -> list[str]:
        return list(split(scored.script.normalize_answers([text], scored.options.normalizer)[0]))

    tokens, answers = words(prediction), [words(reference) for reference in references]

    def f1(answer: list[str]) -> float:
        return 2 * (Counter(tokens) & Counter(answer)).total() / max(1, len(tokens) + len(answer))

    best = max(answers, key=f1)
    missing = list((Counter(best) - Counter(tokens)).elements())
    extra = list((Counter(tokens) - Counter(best)).elements())
    why: list[Span] = [
        ("text", f"F1 {scored.result['individual_f1'][row]:.3f}: {len(best) - len(missing)} of {len(best)} words found")
    ]
    if missing:
        rest = f" and {len(missing) - MAX_WORDS} more" if len(missing) > MAX_WORDS else ""
        why.append(("soft", f"missing: {', '.join(distinguishable(missing[:MAX_WORDS], extra))}{rest}"))
    if extra:
        distinct = [*dict.fromkeys(extra)]
        written = distinguishable(distinct, missing)
        escaped = [text for word, text in zip(distinct, written, strict=True) if text != word]
        why.append(("soft", ", ".join([f"{len(extra)} more in the answer", *escaped[:MAX_WORDS]])))
    if tokens == best:
        why = compare_texts(prediction, references, lambda texts: [" ".join(words(text)) for text in texts])
    answer = marked_words(prediction, lambda word: set(words(word)) <= set(best) and bool(words(word)))
    (reference,) = marked_words(
        references[answers.index(best)], lambda word: bool({*words(word)} & {*missing}), "differ"
    )
    cells = [reference if own is best else [("", text)] for own, text in zip(answers, references, strict=True)]
    return why, {"predictions": answer, "references": cells}


SPACE = Space(
    script=Path(__file__).parent / "token_f1.py",
    title="Token F1",
    scores=("f1", "exact_match", "precision", "recall"),
    outcomes={"exact": "hit", "partial": "near", "miss": "miss"},
    classify=outcomes,
    explain=explain,
    sentence="answers share words with a reference",
    common=("normalizer", "tokenizer"),
)

if __name__ == "__main__":
    SPACE.launch()
