"""Judging of examples: building prompts, reading the store, asking one or more judges, and the row of each example."""

import dataclasses
import math
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import evaluate

from answer_metrics.columns.reasoning import cut_off_message, drop_reasoning
from answer_metrics.columns.tables import collector_paused, to_list
from answer_metrics.core.messages import warn
from answer_metrics.judge.engine import JudgeError, ask_judges, recovery_hint
from answer_metrics.judge.judges import Judge, Outcome, RemoteJudge, Source, make_judge
from answer_metrics.judge.logprobs import Prompt, join_references, make_prompt
from answer_metrics.judge.options import JudgeOptions
from answer_metrics.judge.store import patiently

_CHUNK = 500  # examples whose prompts and stored judgments are in memory at the same time
_SHOWN_CAUSES = 3
_TEXTS = ("questions", "predictions", "references")

Row = dict[str, Any]
Scores = Callable[[Mapping[str, Any]], Row]  # those of one judgment

_SPENT: dict[str, Any] = {"asked": bool, "cached": bool, "costs": float, "lost_costs": float, "unpriced": bool}
# What rows have that version 0.1.0 scored, without these columns.
LATER_COLUMNS: Mapping[str, Any] = {"asked": True, "lost_costs": 0.0}
_SERVED: dict[str, Any] = {"input_tokens": int | None, "output_tokens": int | None}
_SERVED |= {"served_models": str, "fingerprints": str, "failures": str}
_PROBABILITIES: dict[str, Any] = {"p_yes": float | None, "p_no": float | None, "undecided": bool}
_PROBABILITIES |= {"top_tokens": list, "top_logprobs": list}
_SCORE: dict[str, Any] = {"individual_scores": float | None}
LOGPROB_COLUMNS: dict[str, Any] = {**_SCORE, **_PROBABILITIES, **_SPENT, **_SERVED}
VOTE_COLUMNS: dict[str, Any] = {**_SCORE, "votes_yes": int | None, "votes_no": int | None, **_SPENT, **_SERVED}
PANEL_COLUMNS: dict[str, Any] = {**_SCORE, "juror_scores": list, "juror_costs": list, **_SPENT, "failures": str}
DRY_RUN_COUNTS = ("calls", "cached", "input_tokens", "output_tokens")
DRY_RUN_COLUMNS: dict[str, Any] = {**dict.fromkeys(DRY_RUN_COUNTS, int), "costs": float, "unpriced": bool}
_FREE: Row = {"asked": True, "cached": True, "costs": 0.0, "lost_costs": 0.0, "unpriced": False}


def columns_of(options: JudgeOptions) -> dict[str, Any]:
    """Return the per-example columns under these options, and their types."""
    if options.dry_run:
        return DRY_RUN_COLUMNS
    if options.judges is not None:
        return PANEL_COLUMNS
    return VOTE_COLUMNS if options.scoring == "votes" else LOGPROB_COLUMNS


def score_name(options: JudgeOptions) -> str:
    """Return the result key of the score, which differs for votes and log-probabilities."""
    return "vote_share" if options.scoring == "votes" else "L3Score"


def jurors_of(options: JudgeOptions) -> list[JudgeOptions]:
    """Return the options of each judge: those of the call, updated with the settings of this judge."""
    if options.judges is None:
        return [options]
    shared = dict.fromkeys(("judges", "base_url", "api_key", "api_key_env", "model", "extra_body", "price"))
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


# ---- prompts


Example = dict[str, Source]  # the prompts of one example, one per reference or one for all, and their texts


def make_examples(inputs: Mapping[str, Sequence[Any]], options: JudgeOptions) -> Iterator[Example]:
    """Build the prompts, example by example."""
    prompt = make_prompt(options.prompt)
    reads_prompt = any(make_judge(juror).reads_prompt for juror in jurors_of(options))
    for question, prediction, reference in zip(*(inputs[name] for name in _TEXTS), strict=True):
        references = (reference,) if isinstance(reference, str) else tuple(reference)
        groups = [references] if options.references_in_prompt == "all" else [(text,) for text in references]
        # Texts that contain lines of the prompt can make the prompts of two examples equal. A model cannot tell them
        # apart; a judge that does not read the prompt can.
        yield {
            prompt.fill(question, join_references(group), prediction)
            if reads_prompt
            else repr((question, group, prediction)): (group, prediction)
            for group in groups
        }


# ---- judging


def judge_examples(inputs: Mapping[str, Any], options: JudgeOptions) -> dict[str, list[Any]]:
    """Judge the examples that are not decided, or with `dry_run` estimate what that takes.

    Return the columns of `columns_of`. A `JudgeError` says that a run cannot continue, or that judgments failed.
    """
    texts = {name: to_list(name, inputs[name]) for name in _TEXTS}
    decided = list(inputs.get("decided") or [None] * len(texts["predictions"]))
    if options.reasoning == "drop":
        texts["predictions"], cut_off = drop_reasoning(texts["predictions"], options.reasoning_marks)
        if cut_off:
            warn(f"l3score: {cut_off_message(len(cut_off))}")
        for index in cut_off:
            decided[index] = decided[index] or 0.0
    asked = [index for index, score in enumerate(decided) if score is None]
    texts = {name: [column[index] for index in asked] for name, column in texts.items()}
    judged = iter(_judged_rows(texts, options) if asked else ())
    columns: dict[str, list[Any]] = {name: [] for name in columns_of(options)}
    judges = len(jurors_of(options))
    unasked = {**_empty_row(columns_of(options)), "juror_costs": [0.0] * judges}
    with collector_paused():
        for score in decided:
            scores = {"individual_scores": score, "juror_scores": [score] * judges}
            row = next(judged) if score is None else {**unasked, **scores}
            for name, column in columns.items():
                column.append(row[name])
    return columns


def _judged_rows(texts: Mapping[str, Sequence[Any]], options: JudgeOptions) -> list[Row]:
    """Return the row of each example."""
    judges = [make_judge(juror) for juror in jurors_of(options)]
    make_row = _row_maker(options)
    rows: list[Row] = []
    unjudged: dict[int, Example] = {}
    with collector_paused():
        examples = make_examples(texts, options)
        # In chunks, so that the prompts of examples with stored judgments are never all in memory.
        while chunk := list(islice(examples, _CHUNK)):
            prompts = {text for example in chunk for text in example}
            stored = [judge.read(prompts) for judge in judges]
            for example in chunk:
                if options.dry_run:
                    rows.append(_estimated_row(example, judges, stored))
                elif all(text in outcomes for outcomes in stored for text in example):
                    rows.append(make_row(example, stored))
                else:
                    unjudged[len(rows)] = example
                    rows.append({})
                    for judge, outcomes in zip(judges, stored, strict=True):
                        judge.add(example, outcomes)
    for judge in judges:
        patiently(judge.store.close)  # a judge that asks opens its own again
    if options.dry_run:
        for judge in judges:
            if judge.missing:
                judge.warn_unpriced()
        return rows
    _judge_missing([judge for judge in judges if judge.missing], options.max_cost)
    _check_failures(judges, options)
    judged = [judge.outcomes for judge in judges]
    with collector_paused():
        for index, example in unjudged.items():
            rows[index] = make_row(example, judged)
    return rows


def _empty_row(columns: Mapping[str, Any]) -> Row:
    """Return what an example without a judgment has, which is None in columns with missing values."""
    return {name: kind() if isinstance(kind, type) else None for name, kind in columns.items()}


def _judge_missing(judges: Sequence[Judge], max_cost: float | None) -> None:
    """Judge the missing prompts of each judge."""
    is_live = sys.stderr.isatty() or "ipykernel" in sys.modules  # a notebook's stderr is no terminal
    # In a file, at most two lines a minute. Times are means over the run, since calls end in bursts.
    every: dict[str, Any] = {"miniters": 0} if is_live else {"miniters": 1, "mininterval": 30.0}
    settings = {"unit": "call", "delay": 1.0, "smoothing": 0.0, "disable": not judges, **every}
    with evaluate.utils.logging.tqdm(desc="Judging", **settings) as bar:
        bar.total = sum(len(judge.missing) for judge in judges)
        ask_judges([judge for judge in judges if isinstance(judge, RemoteJudge)], max_cost, bar)
        for judge in judges:
            judge.outcomes.update(judge.judge(bar))
        bar.miniters = bar.mininterval = 0
        bar.update(0)  # the last line, also in a file


def _check_failures(judges: Sequence[Judge], options: JudgeOptions) -> None:
    names = juror_names(options)
    skip, alone = options.on_error == "skip", len(judges) == 1
    if alone and judges[0].error is not None and not (skip and judges[0].is_partial):
        raise judges[0].error
    outcomes = [(name, each) for name, judge in zip(names, judges, strict=True) for each in judge.outcomes.values()]
    failures = [(name, outcome.why) for name, outcome in outcomes if outcome.judgment is None]
    causes = Counter(why if alone else f"{name}: {why}" for name, why in failures)
    if causes and not skip:
        listed = "; ".join(f"{count} x {why}" for why, count in causes.most_common(_SHOWN_CAUSES))
        failed = f"{causes.total()} judgments failed: {listed}{'; ...' if len(causes) > _SHOWN_CAUSES else ''}"
        cost = total_cost([dollars for _, outcome in outcomes for dollars in (outcome.cost, outcome.lost)])
        raise JudgeError(f"{failed}. {recovery_hint(options)}", cost)
    for judge, name in zip(judges, names, strict=True):
        if judge.error is not None:
            warn(f"l3score: {'' if alone else f'the judge {name} of the panel failed: '}{judge.error}")


def total_cost(costs: Sequence[float | None]) -> float | None:
    """Return the sum of the costs; None if any is unknown."""
    return None if None in costs else math.fsum(cost or 0.0 for cost in costs)


def _estimated_row(example: Example, judges: Sequence[Judge], stored: Sequence[Mapping[str, Outcome]]) -> Row:
    """Estimate the calls, tokens and cost of judging an example; a prompt counts once."""
    row = _empty_row(DRY_RUN_COLUMNS)
    for judge, outcomes in zip(judges, stored, strict=True):
        new = {text: example[text] for text in example if text not in judge.outcomes and text not in judge.missing}
        judge.add(new, outcomes)
        row["cached"] += sum(text in outcomes for text in new)
        for read, written, cost in (judge.estimate(text) for text in new if text not in outcomes):
            row["calls"] += judge.reads_prompt
            row["input_tokens"] += read
            row["output_tokens"] += written
            row["costs"] += cost or 0.0
            row["unpriced"] |= cost is None
    return row


# ---- rows


def _row_maker(options: JudgeOptions) -> Callable[[Collection[str], Sequence[Mapping[str, Outcome]]], Row]:
    """Return the function that builds the row of one example from its prompts and the outcomes of each judge."""
    by_logprobs = partial(_logprob_scores, prompt=make_prompt(options.prompt))
    scores: Scores = _vote_scores if options.scoring == "votes" else by_logprobs
    if options.judges is None:
        return lambda prompts, judged: _example_row(prompts, judged[0], scores)
    names = juror_names(options)
    return lambda prompts, judged: _panel_row([_example_row(prompts, outcomes, scores) for outcomes in judged], names)


def _example_row(prompts: Collection[str], outcomes: Mapping[str, Outcome], scores: Scores) -> Row:
    """Build the row of one example, from one prompt per reference: the best score counts."""
    spent = _spent([outcomes[prompt] for prompt in prompts])
    row: Row = {}
    best: Mapping[str, Any] = {}
    for prompt in prompts:
        judgment = outcomes[prompt].judgment
        if judgment is None:
            # The failed prompt could have had the best score.
            return {**_empty_row(LOGPROB_COLUMNS | VOTE_COLUMNS), **spent, "failures": outcomes[prompt].why}
        scored = scores(judgment)
        if not row or scored["individual_scores"] > row["individual_scores"]:
            row, best = scored, judgment
    read, _, written = best["usage"] or (None, None, None)
    served = {"served_models": sys.intern(best["model"] or ""), "fingerprints": sys.intern(best["fingerprint"] or "")}
    return {**row, **spent, "input_tokens": read, "output_tokens": written, **served, "failures": ""}


def _spent(outcomes: Sequence[Outcome]) -> Row:
    """Return the cost columns of an example, and mark its outcomes as paid: the next one with them costs nothing."""
    unpaid = [outcome for outcome in outcomes if not outcome.paid]
    if not unpaid:
        return _FREE
    for outcome in unpaid:
        outcome.paid = True
    costs, lost = [outcome.cost for outcome in unpaid], math.fsum(outcome.lost for outcome in unpaid)
    dollars = math.fsum(cost or 0.0 for cost in costs)
    return {"asked": True, "cached": False, "costs": dollars, "lost_costs": lost, "unpriced": None in costs}


def _logprob_scores(judgment: Mapping[str, Any], prompt: Prompt) -> Row:
    verdict = prompt.score(judgment["top"])
    tokens, logprobs = zip(*judgment["top"], strict=True)
    return {
        "individual_scores": verdict.score,
        "p_yes": verdict.p_yes or 0.0,
        "p_no": verdict.p_no or 0.0,
        "undecided": verdict.undecided,
        "top_tokens": list(map(sys.intern, tokens)),  # each stored judgment is parsed with copies of its own
        "top_logprobs": list(logprobs),
    }


def _vote_scores(judgment: Mapping[str, Any]) -> Row:
    yes, no = judgment["yes"], judgment["no"]
    return {"individual_scores": yes / (yes + no), "votes_yes": yes, "votes_no": no}


# ---- panels


def _panel_row(rows: Sequence[Row], names: Sequence[str]) -> Row:
    """Combine the rows of several judges for one example; its score is their mean, or None if one failed."""
    scores = [row["individual_scores"] for row in rows]
    failures = [f"{name}: {row['failures']}" for name, row in zip(names, rows, strict=True) if row["failures"]]
    return {
        "individual_scores": None if None in scores else math.fsum(scores) / len(scores),
        "juror_scores": scores,
        "juror_costs": [None if row["unpriced"] else row["costs"] for row in rows],
        "asked": True,
        "cached": all(row["cached"] for row in rows),
        "costs": math.fsum(row["costs"] for row in rows),
        "lost_costs": math.fsum(row["lost_costs"] for row in rows),
        "unpriced": any(row["unpriced"] for row in rows),
        "failures": "; ".join(failures),
    }
