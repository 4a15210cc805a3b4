"""The Space of this metric: a page, endpoints and MCP tools. Only the Space runs this file.

Visitors use the mock judge, and an API call may bring its own key. `budget.py` says when the owner's key is used.
"""

from pathlib import Path

from answer_metrics.page.page_tables import Limits
from answer_metrics.page.report import Cell, Span
from answer_metrics.page.space import Scored, Space
from budget import authorize  # type: ignore[import-not-found]  # it is next to this file in the Space

REMOTE = ("openai", "deepseek", "xai")


def outcomes(scored: Scored) -> list[str]:
    """Return the outcome of each row, from how sure the judge was."""
    rows = zip(scored.result["individual_scores"], scored.result["undecided"], strict=True)
    names = {True: "yes", False: "unsure"}
    return [
        "failed" if score is None else "undecided" if undecided else "no" if score <= 0.1 else names[score >= 0.9]
        for score, undecided in rows
    ]


def explain(scored: Scored, row: int) -> tuple[list[Span], dict[str, Cell]]:
    """Show the judge's probabilities."""
    result = scored.result
    if result["failures"][row]:
        return [("text", result["failures"][row])], {}
    score, yes, no = (result[name][row] for name in ("individual_scores", "p_yes", "p_no"))
    if yes is None:
        return [("text", f"score {score:.3f} · no judge was asked")], {}
    tokens = zip(result["top_tokens"][row], result["top_logprobs"][row], strict=True)
    listed = ", ".join(f"{token!r} {logprob:z.2f}" for token, logprob in tokens)
    return [
        ("text", f"score {score:.3f} · p(yes) {yes:.3f} · p(no) {no:.3f}"),
        ("soft", f"log-probabilities {listed}"),
    ], {}


SPACE = Space(
    script=Path(__file__).parent / "l3score.py",
    title="L3Score",
    scores=("L3Score",),
    outcomes={"yes": "hit", "unsure": "near", "no": "miss", "undecided": "miss", "failed": "miss"},
    classify=outcomes,
    explain=explain,
    sentence="answers score at least 0.9",
    counted=("hit",),
    common=("provider", "model", "prompt"),
    needs={"model": ("provider", *REMOTE), "max_cost": ("provider", *REMOTE)},
    defaults={"provider": "mock", "on_error": "skip"},
    choices={"provider": ("mock", *REMOTE)},
    hidden=tuple("api_key_env base_url judge_cache_dir extra_body price judges scoring samples dry_run".split()),
    fixed={"max_concurrency": 8, "request_timeout": 20.0, "max_retries": 2, "use_cache": False},
    limits=Limits(rows=200, characters=200_000, cell=8_000, texts_in_cell=20),
    judged="individual_scores",
    authorize=authorize,
)

if __name__ == "__main__":
    SPACE.launch()
