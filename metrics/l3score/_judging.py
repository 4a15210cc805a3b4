"""Judging of examples: building prompts, reading the store, running one or more judges."""

import dataclasses
import math
from collections.abc import Mapping
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any
from typing import NamedTuple

import evaluate

from ._budget import Budget
from ._judge_interface import Judge
from ._judge_interface import Run
from ._judge_interface import Source
from ._judge_options import JudgeOptions
from ._judges import make_judge
from ._outcomes import JudgeError
from ._outcomes import Outcome
from ._prompts import PROMPTS
from ._prompts import join_references
from ._result_rows import Judged
from ._result_rows import describe_failures
from ._result_rows import is_judgment
from ._store import Store
from ._user_warnings import warn


class Examples(NamedTuple):
    """The examples to judge.

    Attributes:
        prompts: The prompts of each example, one per reference or one for all.
        sources: The texts that each prompt was built from.
    """

    prompts: list[list[str]]
    sources: dict[str, Source]


class OpenJudge(NamedTuple):
    """A judge and the contents of its store.

    Attributes:
        judge: The judge.
        store: Its store, open.
        outcomes: The stored judgments by prompt.
        missing: The prompts without a stored judgment.
    """

    judge: Judge
    store: Store
    outcomes: dict[str, Outcome]
    missing: list[str]


def score_name(options: JudgeOptions) -> str:
    """Return the result key of the score, which differs for votes and log-probabilities."""
    return "vote_share" if options.scoring == "votes" else "L3Score"


def jurors_of(options: JudgeOptions) -> list[JudgeOptions]:
    """Return the options of each judge: those of the call, updated with the settings of this judge."""
    if options.judges is None:
        return [options]
    shared = {"judges": None, "base_url": None, "api_key": None, "model": None, "extra_body": None, "price": None}
    named = ({name: value for name, value in juror.items() if name != "name"} for juror in options.judges)
    # Settings that identify a judge are not inherited from the call; all others are.
    return [dataclasses.replace(options, **{**shared, **settings}) for settings in named]


def juror_names(options: JudgeOptions) -> list[str]:
    """Return a unique name for each judge of a panel: the given name, else that of its model or provider."""
    names: list[str] = []
    for index, (settings, juror) in enumerate(zip(options.judges or [{}], jurors_of(options), strict=True)):
        name = settings.get("name") or (juror.model if isinstance(juror.model, str) else None) or juror.provider
        names.append(name if name not in names else f"{name} #{index + 1}")
    return names


def make_examples(inputs: Mapping[str, list[Any]], options: JudgeOptions) -> Examples:
    """Build the prompts of all examples."""
    prompt = PROMPTS[options.prompt]
    reads_prompt = any(make_judge(juror).reads_prompt for juror in jurors_of(options))
    examples = Examples([], {})
    for question, prediction, reference in zip(
        inputs["questions"], inputs["predictions"], inputs["references"], strict=True
    ):
        references = (reference,) if isinstance(reference, str) else tuple(reference)
        groups = [references] if options.references_in_prompt == "all" else [(text,) for text in references]
        texts = []
        for group in groups:
            text = prompt.fill(question, join_references(group), prediction)
            # Texts that contain lines of the prompt can make the prompts of two examples equal. A model cannot tell
            # them apart; a judge that does not read the prompt can.
            text = text if reads_prompt else repr((question, group, prediction))
            examples.sources[text] = Source(group, prediction)
            texts.append(text)
        examples.prompts.append(texts)
    return examples


def open_store(judge: Judge, prompts: Sequence[str], options: JudgeOptions) -> tuple[Store, dict[str, Outcome]]:
    """Open the store of one judge; return it, and the stored outcomes of the prompts."""
    folder = Path(options.judge_cache_dir or Path(evaluate.config.HF_CACHE_HOME) / "l3score")
    is_valid = partial(is_judgment, votes=options.scoring == "votes")
    off = not options.use_cache or not judge.reads_prompt
    store = Store(folder, judge.store_settings(), off=off, is_valid=is_valid)
    stored = store.get(prompts)
    return store, {prompt: Outcome(judgment, "", 0.0, cached=True) for prompt, judgment in stored.items()}


def open_judges(examples: Examples, options: JudgeOptions) -> list[OpenJudge]:
    """Create the judges and read their stored judgments of the prompts."""
    if not examples.sources:
        return []
    prompts = list(examples.sources)
    opened = []
    for juror in jurors_of(options):
        judge = make_judge(juror)
        store, outcomes = open_store(judge, prompts, juror)
        opened.append(OpenJudge(judge, store, outcomes, [prompt for prompt in prompts if prompt not in outcomes]))
    return opened


def judge_examples(examples: Examples, opened: Sequence[OpenJudge], options: JudgeOptions) -> list[Judged]:
    """Judge all prompts by every judge, except those in its store.

    Raises:
        JudgeError: If the run cannot continue, or, with `on_error="raise"`, if judgments failed.
        ValueError: If the key is missing or malformed.
    """
    try:
        # Before any call: a judge without a key must not cause the calls of the judges before it.
        for judge, _, _, missing in opened:
            if missing:
                judge.check_access()
    except ValueError as error:
        for _, store, _, _ in opened:
            store.close()
        raise ValueError(f"l3score: {error}") from None
    budget = Budget(math.inf if options.max_cost is None else options.max_cost)
    total = sum(len(missing) for *_, missing in opened)
    judged = []
    with evaluate.utils.logging.tqdm(total=total, desc="Judging", unit="call", disable=not total) as bar:
        for judge, store, outcomes, missing in opened:
            run = Run(store, bar, budget, recovery_hint(options))
            judged.append(_judge_missing(judge, {text: examples.sources[text] for text in missing}, outcomes, run))
    if len(judged) == 1 and judged[0].error is not None:
        raise judged[0].error
    _check_failures(judged, options)
    return judged


def _judge_missing(judge: Judge, missing: Mapping[str, Source], outcomes: dict[str, Outcome], run: Run) -> Judged:
    error = None
    try:
        if missing:
            outcomes |= judge.judge(missing, run)
        else:
            run.store.close()
    except JudgeError as stopped:
        error = stopped.with_traceback(None)
        outcomes |= {text: Outcome(None, str(stopped), 0.0) for text in missing if text not in outcomes}
    return Judged(outcomes, {text for text, outcome in outcomes.items() if outcome.cached}, error)


def _check_failures(judged: Sequence[Judged], options: JudgeOptions) -> None:
    names = juror_names(options) if len(judged) > 1 else [""]
    if options.on_error == "raise" and any(
        outcome.judgment is None for one in judged for outcome in one.outcomes.values()
    ):
        outcomes = [
            Outcome(outcome.judgment, f"{name}: {outcome.why}" if name and outcome.why else outcome.why, outcome.cost)
            for one, name in zip(judged, names, strict=True)
            for outcome in one.outcomes.values()
        ]
        costs = [outcome.cost for outcome in outcomes]
        spent = None if None in costs else math.fsum(cost or 0.0 for cost in costs)
        raise JudgeError(f"{describe_failures(outcomes)} {recovery_hint(options)}", spent)
    for one, name in zip(judged, names, strict=True):
        if one.error is not None:
            warn(f"l3score: the judge {name} of the panel failed: {one.error}")


def recovery_hint(options: JudgeOptions) -> str:
    """Return what happens to the judgments that arrived, as the end of an error message."""
    if options.use_cache:
        return "What arrived is stored: the next run asks and pays only for the rest."
    return "What arrived is lost, as use_cache=False."


def estimate_examples(examples: Examples, options: JudgeOptions) -> list[dict[str, Any]]:
    """Estimate the calls, tokens and cost of judging each example, without making any call."""
    rows: list[dict[str, Any]] = [
        {"calls": 0, "cached": 0, "input_tokens": 0, "output_tokens": 0, "costs": 0.0, "unpriced": False}
        for _ in examples.prompts
    ]
    for juror in jurors_of(options):
        judge = make_judge(juror)
        store, outcomes = open_store(judge, list(examples.sources), juror)
        store.close()
        asked: set[str] = set()
        for row, texts in zip(rows, examples.prompts, strict=True):
            fresh = [text for text in dict.fromkeys(texts) if text not in outcomes and text not in asked]
            asked.update(fresh)
            read, written, costs = judge.estimate(fresh)
            row["calls"] += len(fresh) if judge.reads_prompt else 0
            row["cached"] += len(set(texts)) - len(fresh)
            row["input_tokens"] += sum(read)
            row["output_tokens"] += sum(written)
            row["costs"] = math.fsum([row["costs"], *(cost or 0.0 for cost in costs)])
            row["unpriced"] = row["unpriced"] or None in costs
    return rows
