"""Judging of examples: building prompts, reading the store, running one or more judges."""

import dataclasses
import math
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
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
from ._result_rows import LOGPROB_COLUMNS
from ._result_rows import VOTE_COLUMNS
from ._result_rows import Judged
from ._result_rows import Row
from ._result_rows import describe_failures
from ._result_rows import example_row
from ._result_rows import is_judgment
from ._result_rows import logprob_scores
from ._result_rows import panel_row
from ._result_rows import vote_scores
from ._store import Store
from ._user_warnings import warn

# Examples whose prompts and stored judgments are in memory at the same time.
_CHUNK = 500


class Examples(NamedTuple):
    """The examples to judge.

    Attributes:
        prompts: The prompts of each example, one per reference or one for all.
        sources: The texts that each prompt was built from.
    """

    prompts: list[list[str]]
    sources: dict[str, Source]


@dataclass(frozen=True)
class OpenJudge:
    """A judge with its store, and what is known of the examples that need its judgment or that of another judge.

    Attributes:
        judge: The judge.
        store: Its store, open.
        outcomes: The stored judgments of these examples, by prompt.
        missing: The prompts without a stored judgment.
    """

    judge: Judge
    store: Store
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    missing: dict[str, Source] = field(default_factory=dict)


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


def _in_chunks(inputs: Mapping[str, list[Any]], options: JudgeOptions) -> Iterator[Examples]:
    """Build the prompts of a few examples at a time, so that those with stored judgments are never all in memory."""
    for start in range(0, len(inputs["predictions"]), _CHUNK):
        yield make_examples({name: column[start : start + _CHUNK] for name, column in inputs.items()}, options)


def open_judges(options: JudgeOptions) -> list[OpenJudge]:
    """Create the judges and their stores."""
    opened = []
    for juror in jurors_of(options):
        judge = make_judge(juror)
        folder = Path(juror.judge_cache_dir or Path(evaluate.config.HF_CACHE_HOME) / "l3score")
        is_valid = partial(is_judgment, votes=juror.scoring == "votes")
        off = not juror.use_cache or not judge.reads_prompt
        opened.append(OpenJudge(judge, Store(folder, judge.store_settings(), off=off, is_valid=is_valid)))
    return opened


def _read_stored(opened: OpenJudge, prompts: Collection[str]) -> dict[str, Outcome]:
    stored = opened.store.get(list(prompts))
    return {prompt: Outcome(judgment, "", 0.0, cached=True) for prompt, judgment in stored.items()}


def stored_rows(
    inputs: Mapping[str, list[Any]], opened: Sequence[OpenJudge], options: JudgeOptions
) -> Iterator[tuple[list[str], Row | None]]:
    """Read the stores, and build the row of each example whose judgments are all stored.

    Yields:
        The prompts of each example with its row, or None, and what it lacks is now in `missing` of the judges.
    """
    make_row = _row_maker(options)
    for examples in _in_chunks(inputs, options):
        outcomes = [_read_stored(judge, examples.sources) for judge in opened]
        judged = [Judged(stored, set(stored)) for stored in outcomes]
        missing = {text for stored in outcomes for text in examples.sources if text not in stored}
        for prompts in examples.prompts:
            if missing.isdisjoint(prompts):
                yield prompts, make_row(prompts, judged)
                continue
            for judge, stored in zip(opened, outcomes, strict=True):
                judge.outcomes.update((text, stored[text]) for text in prompts if text in stored)
                judge.missing.update((text, examples.sources[text]) for text in prompts if text not in stored)
            yield prompts, None


def judged_rows(prompts: Iterable[Sequence[str]], judged: Sequence[Judged], options: JudgeOptions) -> Iterator[Row]:
    """Build the rows of the other examples from the results of the judges."""
    make_row = _row_maker(options)
    return (make_row(texts, judged) for texts in prompts)


def _row_maker(options: JudgeOptions) -> Callable[[Sequence[str], Sequence[Judged]], Row]:
    """Return the function that builds the row of one example."""
    votes = options.scoring == "votes"
    scores = vote_scores if votes else partial(logprob_scores, prompt=PROMPTS[options.prompt])
    columns = VOTE_COLUMNS if votes else LOGPROB_COLUMNS
    if options.judges is None:
        return lambda prompts, judged: example_row(prompts, judged[0], scores, columns)
    names = juror_names(options)
    return lambda prompts, judged: panel_row([example_row(prompts, one, scores, columns) for one in judged], names)


def judge_missing(opened: Sequence[OpenJudge], options: JudgeOptions) -> list[Judged]:
    """Judge the missing prompts of each judge, and close the stores.

    Raises:
        JudgeError: If the run cannot continue, or, with `on_error="raise"`, if judgments failed.
        ValueError: If the key is missing or malformed.
    """
    try:
        # Before any call: a judge without a key must not cause the calls of the judges before it.
        for judge in opened:
            if judge.missing:
                judge.judge.check_access()
    except ValueError as error:
        for judge in opened:
            judge.store.close()
        raise ValueError(f"l3score: {error}") from None
    budget = Budget(math.inf if options.max_cost is None else options.max_cost)
    total = sum(len(judge.missing) for judge in opened)
    with evaluate.utils.logging.tqdm(total=total, desc="Judging", unit="call", disable=not total) as bar:
        hint = recovery_hint(options)
        judged = [_judge_missing(judge, Run(judge.store, bar, budget, hint)) for judge in opened]
    if len(judged) == 1 and judged[0].error is not None:
        raise judged[0].error
    _check_failures(judged, options)
    return judged


def _judge_missing(opened: OpenJudge, run: Run) -> Judged:
    outcomes, error = opened.outcomes, None
    try:
        if opened.missing:
            outcomes.update(opened.judge.judge(opened.missing, run))
        else:
            run.store.close()
    except JudgeError as stopped:
        error = stopped.with_traceback(None)
        failed = Outcome(None, str(stopped), 0.0)
        outcomes.update((text, failed) for text in opened.missing if text not in outcomes)
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


def estimated_rows(
    inputs: Mapping[str, list[Any]], opened: Sequence[OpenJudge], options: JudgeOptions
) -> Iterator[Row]:
    """Estimate the calls, tokens and cost of judging each example, without making any call."""
    asked: list[set[str]] = [set() for _ in opened]
    for examples in _in_chunks(inputs, options):
        outcomes = [_read_stored(judge, examples.sources) for judge in opened]
        for texts in examples.prompts:
            row: Row = {"calls": 0, "cached": 0, "input_tokens": 0, "output_tokens": 0, "costs": 0.0, "unpriced": False}
            for judge, stored, known in zip(opened, outcomes, asked, strict=True):
                fresh = [text for text in dict.fromkeys(texts) if text not in stored and text not in known]
                known.update(fresh)
                read, written, costs = judge.judge.estimate(fresh)
                row["calls"] += len(fresh) if judge.judge.reads_prompt else 0
                row["cached"] += len(set(texts)) - len(fresh)
                row["input_tokens"] += sum(read)
                row["output_tokens"] += sum(written)
                row["costs"] = math.fsum([row["costs"], *(cost or 0.0 for cost in costs)])
                row["unpriced"] = row["unpriced"] or None in costs
            yield row
    for judge in opened:
        judge.store.close()
