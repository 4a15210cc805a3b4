"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file."""

from functools import partial
from pathlib import Path

from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Explanation
from space_ui.report import Outcome
from space_ui.report import explain_matches


def explain(scored: Scored) -> Explanation:
    """Explain how much each answer shares with its reference."""
    types = [
        "exact" if exact else "partial" if f1 else "none"
        for exact, f1 in zip(scored.result["individual_exact_match"], scored.result["individual_f1"], strict=True)
    ]
    normalize = partial(scored.script.normalize_answers, normalizer=scored.options.normalizer)
    f1 = scored.result["individual_f1"]
    details = [f"F1 {value:.3f}" for value in f1]
    what = "answers have words in common with a reference"
    labels: dict[str, Outcome] = {"exact": "hit", "partial": "near", "none": "miss"}
    return explain_matches(scored.texts, types, f1, normalize, labels, details, what)


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
