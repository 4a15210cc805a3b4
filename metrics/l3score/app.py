"""The Space of this metric: a page, an endpoint and an MCP tool. Only the Space runs this file.

A visitor judges with the mock, which needs no key, or with a key of their own, which is used for that one call. The
owner's key, in the environment, is only used if the owner also sets L3SCORE_BUDGET: the dollars that all visitors
together may spend until the Space restarts.
"""

import os
import threading
import warnings
from pathlib import Path
from typing import Any

from space_ui.form import Compute
from space_ui.form import Form
from space_ui.form import Scored
from space_ui.form import Told
from space_ui.report import Example
from space_ui.report import Outcome
from space_ui.report import escape
from space_ui.report import sentence
from space_ui.rows import InputError
from space_ui.rows import Limits

REMOTE = ("openai", "deepseek", "xai")
SURE = 0.9
LABELS: dict[str, Outcome] = {"yes": "hit", "unsure": "near", "no": "miss"}
SHARE = 0.05  # of the budget, for one call at most


class Purse:
    """What is left of the owner's budget."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spent = 0.0

    def take(self, most: float | None = None) -> float:
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
                    "the owner's budget is spent; give a key of your own, or choose the provider mock"
                    if budget > 0
                    else "this provider needs a key: give one of your own, or choose the provider mock"
                )
            share = share if most is None else min(share, most)
            self._spent += share
        return share

    def give_back(self, dollars: float) -> None:
        """Put back what a call did not spend; what it spent beyond its share is less than nothing."""
        with self._lock:
            self._spent -= dollars


PURSE = Purse()


def govern(compute: Compute, options: dict[str, Any], key: str) -> dict[str, Any]:
    """Run a call on the mock, or with the visitor's key, or with the owner's within the budget.

    Raises:
        InputError: Where judging stopped, in the metric's words.
        ValueError: For bad input, and without key and budget.
    """
    if options.get("provider", FORM.metric.defaults()["provider"]) not in REMOTE:
        if key:
            warnings.warn("The key was not used: the provider is the mock.", stacklevel=2)
        return compute(options)
    try:
        return compute({**options, "api_key": key}) if key else on_the_house(compute, options)
    except RuntimeError as error:
        # The metric's script is loaded by evaluate, so that its classes cannot be imported here.
        if type(error).__name__ != "JudgeError":
            raise
        raise InputError(str(error)) from None  # written for people, and without a key


def on_the_house(compute: Compute, options: dict[str, Any]) -> dict[str, Any]:
    """Run a call with the owner's key, and book what it cost."""
    most = FORM.metric.options["max_cost"].check("max_cost", options.get("max_cost"))
    share = PURSE.take(most)
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
            PURSE.give_back(share - spent)  # less than nothing, where it cost more than its share
    return result


def explain(scored: Scored) -> Told:
    """Show how sure the judge was of each answer.

    Raises:
        ValueError: If no row could be judged.
    """
    result = scored.result
    if result["L3Score"] is None:
        raise ValueError(f"no row could be judged: {result['failures'][0]}")
    rows = zip(*(result[key] for key in ("individual_scores", "p_yes", "p_no", "undecided", "failures")), strict=True)
    examples = []
    for place, (score, p_yes, p_no, undecided, failure) in enumerate(rows):
        if failure:
            label, why = "failed", escape(failure)
        else:
            label = "undecided" if undecided else "yes" if score >= SURE else "no" if score <= 1 - SURE else "unsure"
            tokens = zip(result["top_tokens"][place], result["top_logprobs"][place], strict=True)
            shown = ", ".join(f"<code>{escape(token)}</code> {logprob:.2f}" for token, logprob in tokens)
            why = (
                f'<span class="odds" aria-hidden="true"><i style="width:{100 * score:.1f}%"></i></span> '
                f"score {score:.3f} · p(yes) {p_yes:.3f} · p(no) {p_no:.3f} "
                f'<span class="soft">· log-probabilities {shown}</span>'
            )
        examples.append(Example(LABELS.get(label, "miss"), label, scored.texts[place], why))
    sure = sum(example.label == "yes" for example in examples)
    scores = [score for score in result["individual_scores"] if score is not None]
    told = sentence(sure, len(examples), f"answers have the judge's yes with a score of at least {SURE}")
    return Told(examples, told, LABELS, scores, "Scores of the answers")


FORM = Form(
    script=Path(__file__).parent / "l3score.py",
    title="L3Score",
    scores=("L3Score",),
    explain=explain,
    facts=("From 0 to 1, higher is better", "A judge model's certainty", "Without a key: a mock, no model"),
    common=("provider", "model", "prompt"),
    needs={"model": ("provider", REMOTE)},
    starts={"provider": "mock", "on_error": "skip"},
    choices={"provider": ("mock", *REMOTE)},
    helps={
        "provider": "Who judges. The mock is no model: it compares words, needs no key, and its scores mean nothing.",
        "model": "The judge's name, as its provider calls it.",
    },
    hidden=frozenset({"base_url", "judge_cache_dir", "extra_body", "price"}),
    fixed={"max_concurrency": 8, "request_timeout": 20.0, "max_retries": 2, "use_cache": False},
    # Each reference is a prompt, for which a visitor's key may pay.
    limits=Limits(rows=200, characters=200_000, cell=8_000, texts=1_000, texts_in_cell=20),
    key_option="api_key",
    key_help="Yours, for the provider above. It is used for this one call and kept nowhere: in no file, log or link.",
    key_needs=("provider", REMOTE),
    govern=govern,
)

if __name__ == "__main__":
    from space_ui.page import build
    from space_ui.page import launch

    launch(build(FORM))
