"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file.

A visitor judges with the mock, which needs no key, or with a key of their own, which is used for that one call. The
owner's key, in the environment, is only used if the owner also sets L3SCORE_BUDGET: the dollars that all visitors
together may spend until the Space restarts.
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
SHARE = 0.05  # of the budget, for one call at most


class OwnerBudget:
    """What is left of the owner's budget."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent = 0.0

    def reserve(self, most: float | None = None) -> float:
        """Set the dollars of one call aside, at most those that it may cost.

        Raises:
            ValueError: If there is no budget, or nothing left of it.
        """
        try:
            budget = float(os.environ.get("L3SCORE_BUDGET", "0"))
        except ValueError:
            budget = 0.0
        with self._lock:
            share = min(SHARE * budget, budget - self._spent)
            if not share > 0:
                raise ValueError(
                    "The owner's budget is spent: enter a key of your own, or choose the judge mock."
                    if budget > 0
                    else "This judge needs a key: enter your own, or choose the judge mock."
                )
            share = share if most is None else min(share, most)
            self._spent += share
        return share

    def refund(self, dollars: float) -> None:
        """Put back what a call did not spend; what it spent beyond its share is negative."""
        with self._lock:
            self._spent -= dollars


BUDGET = OwnerBudget()


def authorize(compute: Compute, options: dict[str, Any], key: str) -> dict[str, Any]:
    """Run a call on the mock, or with the visitor's key, or with the owner's within the budget.

    Raises:
        InputError: Where judging stopped, in the metric's words.
        ValueError: For bad input, and without key and budget.
    """
    if {**FORM.metric.defaults(), **options}["provider"] not in REMOTE:
        if key:
            FORM.helper("_user_warnings").warn("The key was not used: the judge is the mock.")
        return compute(options)
    try:
        return compute({**options, "api_key": key}) if key else with_owner_key(compute, options)
    except RuntimeError as error:
        # The metric's script is loaded by evaluate, so that its classes cannot be imported here.
        if type(error).__name__ != "JudgeError":
            raise
        raise InputError(str(error)) from None  # written for people, and without a key


def with_owner_key(compute: Compute, options: dict[str, Any]) -> dict[str, Any]:
    """Run a call with the owner's key, and book what it cost."""
    most = FORM.metric.options["max_cost"].check("max_cost", options.get("max_cost"))
    share = BUDGET.reserve(most)
    spent: float | None = None  # unknown: all of the share counts as spent
    try:
        result = compute({**options, "max_cost": share})
        spent = result["Cost"]
    except (ValueError, TypeError):  # bad input, which is found before anybody is asked
        spent = 0.0
        raise
    except RuntimeError as error:
        spent = getattr(error, "spent", None)
        raise
    finally:
        if spent is not None:
            BUDGET.refund(share - spent)  # negative, where it cost more than its share
    return result


def quote(inputs: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Say what a call would cost, without asking anybody."""
    metric = type(FORM.metric)(keep_in_memory=True)
    with FORM.helper("_user_warnings").capture_warnings():
        counted = metric.compute(**inputs, **{**options, **FORM.fixed, "dry_run": True, "return_confidence": False})
    cost = counted["Cost"]
    dollars = "at a price that is not known here" if cost is None else f"about ${cost:.4f}"
    return (
        f"{counted['calls']:,} calls, {dollars}: {counted['input_tokens']:,} tokens to read and "
        f"{counted['output_tokens']:,} to write. No call has been made yet."
    )


def explain(scored: Scored) -> Explanation:
    """Show how sure the judge was of each answer.

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
    told = sentence(sure, len(examples), f"answers score at least {SURE}")
    return Explanation(examples, told, LABELS, scores, "Scores of the answers")


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
        "model": "The judge's name, as its provider calls it.",
    },
    hidden=frozenset({"base_url", "judge_cache_dir", "extra_body", "price", "judges", "scoring", "samples", "dry_run"}),
    fixed={"max_concurrency": 8, "request_timeout": 20.0, "max_retries": 2, "use_cache": False},
    # Each reference is a prompt, for which a visitor's key may pay.
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
