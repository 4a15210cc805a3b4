"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file.

Visitors use the mock judge, which needs no key, or their own key, which is used for that call only. The owner's key, in
the environment, is used only if the owner also sets L3SCORE_BUDGET: the dollars that all visitors together may spend
until the Space restarts.
"""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from space_ui.form import Compute
from space_ui.form import Form
from space_ui.form import Scored
from space_ui.report import Example
from space_ui.report import Explanation
from space_ui.report import Outcome
from space_ui.report import Span
from space_ui.report import sentence
from space_ui.rows import InputError
from space_ui.rows import Limits

REMOTE = ("openai", "deepseek", "xai")
SURE = 0.9
LABELS: dict[str, Outcome] = {"yes": "hit", "unsure": "near", "no": "miss"}
PYTHON_ONLY = {"Check base_url= and the network": "Try again later", " What arrived is lost, as use_cache=False.": ""}
"""Parts of error messages about options that this Space does not have, with what stands there instead."""
SHARE = 0.05  # maximum share of the budget per call


class OwnerBudget:
    """The owner's budget."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent = 0.0

    def reserve(self, limit: float | None = None) -> float:
        """Reserve the dollars of one call, at most its own limit.

        Raises:
            ValueError: If there is no budget, or nothing is left of it.
        """
        try:
            budget = float(os.environ.get("L3SCORE_BUDGET", "0"))
        except ValueError:
            budget = 0.0
        with self._lock:
            share = min(SHARE * budget, budget - self._spent)
            if not share > 0:
                raise ValueError(
                    "The owner's budget is spent: enter your own key, or choose the demo judge."
                    if budget > 0
                    else "This judge needs a key: enter your own, or choose the demo judge."
                )
            share = share if limit is None else min(share, limit)
            self._spent += share
        return share

    def refund(self, dollars: float) -> None:
        """Return the dollars that a call did not spend; negative if it spent more than its share."""
        with self._lock:
            self._spent -= dollars


BUDGET = OwnerBudget()


def authorize(compute: Compute, options: dict[str, Any], key: str) -> dict[str, Any]:
    """Run a call with the mock judge, with the visitor's key, or with the owner's key within the budget.

    Raises:
        InputError: If judging stopped, with the metric's message.
        ValueError: For bad input, or without key and budget.
    """
    if {**FORM.metric.defaults(), **options}["provider"] not in REMOTE:
        if key:
            FORM.helper("_user_warnings").warn("The key was not used: the demo judge needs none.")
        return compute(options)
    try:
        return compute({**options, "api_key": key}) if key else with_owner_key(compute, options)
    except RuntimeError as error:
        # The metric's script is loaded by evaluate, so its classes cannot be imported here.
        if type(error).__name__ != "JudgeError":
            raise
        text = str(error)  # it never contains a key
        for part, replacement in PYTHON_ONLY.items():
            text = text.replace(part, replacement)
        raise InputError(text) from None


def with_owner_key(compute: Compute, options: dict[str, Any]) -> dict[str, Any]:
    """Run a call with the owner's key, and charge its cost to the budget.

    Raises:
        ValueError: For bad input, or if nothing is left of the budget.
        RuntimeError: The metric's `JudgeError`, if judging stopped.
    """
    limit = FORM.metric.options["max_cost"].check("max_cost", options.get("max_cost"))
    share = BUDGET.reserve(limit)
    spent: float | None = None  # unknown: all of the share counts as spent
    try:
        result = compute({**options, "max_cost": share})
        spent = result["Cost"]
    except (ValueError, TypeError):  # bad input, which is found before any call
        spent = 0.0
        raise
    except RuntimeError as error:
        spent = getattr(error, "spent", None)
        raise
    finally:
        if spent is not None:
            BUDGET.refund(share - spent)  # negative if it cost more than its share
    return result


def quote(inputs: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Estimate the cost of a call, without making it."""
    metric = type(FORM.metric)(keep_in_memory=True)
    with FORM.helper("_user_warnings").capture_warnings():
        counted = metric.compute(**inputs, **{**options, **FORM.fixed, "dry_run": True, "return_confidence": False})
    cost = counted["Cost"]
    dollars = "price unknown" if cost is None else f"about ${cost:.4f}"
    return (
        f"{counted['calls']:,} calls, {dollars}: {counted['input_tokens']:,} input tokens and "
        f"{counted['output_tokens']:,} output tokens. No call has been made yet."
    )


def explain(scored: Scored) -> Explanation:
    """Explain how certain the judge was about each answer.

    Raises:
        ValueError: If no row could be judged.
    """
    result = scored.result
    if result["L3Score"] is None:
        raise ValueError(f"no row could be judged: {result['failures'][0]}")
    rows = zip(*(result[key] for key in ("individual_scores", "p_yes", "p_no", "undecided", "failures")), strict=True)
    examples = []
    for index, (score, p_yes, p_no, undecided, failure) in enumerate(rows):
        why: list[Span] = [("text", failure)]
        label = "failed"
        if not failure:
            label = "undecided" if undecided else "yes" if score >= SURE else "no" if score <= 1 - SURE else "unsure"
            tokens = zip(result["top_tokens"][index], result["top_logprobs"][index], strict=True)
            shown = ", ".join(f"{token!r} {logprob:z.2f}" for token, logprob in tokens)
            why = [("odds", score), ("text", f"score {score:.3f} · p(yes) {p_yes:.3f} · p(no) {p_no:.3f}")]
            why.append(("soft", f"log-probabilities {shown}"))
        examples.append(Example(LABELS.get(label, "miss"), label, scored.texts[index], why, score))
    sure = sum(example.label == "yes" for example in examples)
    scores = [score for score in result["individual_scores"] if score is not None]
    summary = sentence(sure, len(examples), f"answers score at least {SURE}")
    return Explanation(examples, summary, LABELS, scores, "Scores of the answers")


FORM = Form(
    script=Path(__file__).parent / "l3score.py",
    title="L3Score",
    scores=("L3Score",),
    explain=explain,
    facts=("From 0 to 1, higher is better", "A judge model's certainty", "Without a key: a demo judge"),
    common=("provider", "model", "prompt"),
    visible_if={"model": ("provider", REMOTE)},
    defaults={"provider": "mock", "on_error": "skip"},
    choices={"provider": ("mock", *REMOTE)},
    helps={
        "provider": "mock is a demo judge: it compares words only, needs no key, and gives no real score.",
        "model": "Name of the judge model at its provider.",
    },
    hidden=frozenset({"base_url", "judge_cache_dir", "extra_body", "price", "judges", "scoring", "samples", "dry_run"}),
    fixed={"max_concurrency": 8, "request_timeout": 20.0, "max_retries": 2, "use_cache": False},
    # Each reference is a prompt, which may be charged to a visitor's key.
    limits=Limits(rows=200, characters=200_000, cell=8_000, texts=1_000, texts_in_cell=20),
    key_option="api_key",
    key_help=(
        "Yours, for the judge above. It is used for your calls only and stored nowhere: it stays in this box until you "
        "reload the page."
    ),
    key_visible_if=("provider", REMOTE),
    notices={'provider="mock"': "Demo judge: it compares words only. Not a real score."},
    authorize=authorize,
    quote=quote,
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
