"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from collections import Counter
from functools import partial
from pathlib import Path

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Explanation
from space_ui.report import Outcome
from space_ui.report import explain_matches

LABELS: dict[str, Outcome] = {"exact": "hit", "partial": "near", "none": "miss"}
MAX_WORDS = 12  # missing words of a reference to list


def explain(scored: Scored) -> Explanation:
    """Explain the overlap of each answer with its best reference."""
    f1 = scored.result["individual_f1"]
    labels = [
        "exact" if exact else "partial" if share else "none"
        for exact, share in zip(scored.result["individual_exact_match"], f1, strict=True)
    ]
    normalize = partial(scored.script.normalize_answers, normalizer=scored.options.normalizer)
    tokenize = scored.script.TOKENIZERS[scored.options.tokenizer]
    predictions = normalize([str(row[0]) for row in scored.texts])
    references = [normalize([row[1]] if isinstance(row[1], str) else row[1]) for row in scored.texts]
    details = [
        f"F1 {share:.3f}: {missing_words(tokenize(prediction), list(map(tokenize, answers)))}"
        for prediction, answers, share in zip(predictions, references, f1, strict=True)
    ]
    what = "answers have words in common with a reference"
    return explain_matches(scored.texts, labels, f1, normalize, LABELS, details, what)


def missing_words(tokens: list[str], answers: list[list[str]]) -> str:
    """State how many tokens of the best reference an answer contains, and list the missing ones."""
    count_shared = FORM.helper("_overlap").count_shared
    best = max(answers, key=lambda answer: 2 * count_shared(tokens, answer) / max(1, len(tokens) + len(answer)))
    missing = list((Counter(best) - Counter(tokens)).elements())
    summary = f"{len(best) - len(missing)} of {len(best)} words found"
    if not missing:
        return f"{summary}, {len(tokens) - len(best)} more in the answer"
    more = f" and {len(missing) - MAX_WORDS} more" if len(missing) > MAX_WORDS else ""
    return f"{summary}; missing: {', '.join(missing[:MAX_WORDS])}{more}"


FORM = Form(
    script=Path(__file__).parent / "token_f1.py",
    title="Token F1",
    scores=("f1", "exact_match", "precision", "recall"),
    explain=explain,
    facts=("From 0 to 1, higher is better", "SQuAD's rules", "Several references per answer"),
    common=("normalizer", "tokenizer"),
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
