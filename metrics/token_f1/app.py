"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize as normalize_unicode

from answer_metrics.page.page_tables import visible
from answer_metrics.page.space import Cell, Scored, Space, Span, compare_texts, marked

MAX_WORDS = 12  # missing words of a reference to list


def label(scored: Scored) -> list[str]:
    """Label each row by its overlap."""
    rows = zip(scored.result["individual_exact_match"], scored.result["individual_f1"], strict=True)
    return ["exact" if exact else "partial" if f1 else "miss" for exact, f1 in rows]


def marked_words(text: str, found: Callable[[str], bool]) -> Cell:
    """Return a text with the words marked for which `found` is true; in Chinese and Japanese, characters."""
    words = re.finditer(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+", text)
    return marked(text, [word.span() for word in words if found(word[0])])


def seen(words: list[str], others: list[str]) -> list[str]:
    """Return words so that they differ from all others, as those that are written with other code points."""
    twins = {normalize_unicode("NFKC", one) for one in others}
    return [ascii(word)[1:-1] if normalize_unicode("NFKC", word) in twins else visible(word) for word in words]


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show which words of the best reference an answer has."""
    prediction, references = scored.prediction(row), scored.references(row)
    split = str.split if scored.options.tokenizer == "squad" else scored.script.answer_tokens

    def words(text: str) -> list[str]:
        return list(split(scored.script.normalize_answers([text], scored.options.normalizer)[0]))

    tokens, answers = words(prediction), [words(reference) for reference in references]
    best = max(answers, key=lambda one: 2 * (Counter(tokens) & Counter(one)).total() / max(1, len(tokens) + len(one)))
    missing, left = (list((Counter(one) - Counter(two)).elements()) for one, two in ((best, tokens), (tokens, best)))
    why: list[Span] = [
        ("text", f"F1 {scored.result['individual_f1'][row]:.3f}: {len(best) - len(missing)} of {len(best)} words found")
    ]
    if missing:
        rest = f" and {len(missing) - MAX_WORDS} more" if len(missing) > MAX_WORDS else ""
        why.append(("soft", f"missing: {', '.join(seen(missing[:MAX_WORDS], left))}{rest}"))
    if left:
        different = [*dict.fromkeys(left)]
        marked_up = [shown for word, shown in zip(different, seen(different, missing), strict=True) if shown != word]
        why.append(("soft", ", ".join([f"{len(left)} more in the answer", *marked_up[:MAX_WORDS]])))
    if tokens == best:
        why = compare_texts(prediction, references, lambda texts: [" ".join(words(text)) for text in texts])
    answer = marked_words(prediction, lambda word: set(words(word)) <= set(best) and bool(words(word)))
    return why, {"predictions": answer}


SPACE = Space(
    script=Path(__file__).parent / "token_f1.py",
    title="Token F1",
    scores=("f1", "exact_match", "precision", "recall"),
    outcomes={"exact": "hit", "partial": "near", "miss": "miss"},
    label=label,
    explain=explain,
    sentence="answers share words with a reference",
    histogram="individual_f1",
    facts=("From 0 to 1, higher is better", "SQuAD's rules", "Several references per answer"),
    common=("normalizer", "tokenizer"),
)

if __name__ == "__main__":
    SPACE.launch()
