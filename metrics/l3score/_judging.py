"""Judging of examples: building prompts, reading the store, asking one or more judges, and the row of each example."""

import contextlib
import dataclasses
import gc
import math
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import evaluate

from ._columns import cut_off_message, drop_reasoning, to_list
from ._engine import Budget, JudgeError, Outcome, Run, judge_prompts, recovery_hint
from ._judge_options import JudgeOptions
from ._judges import Judge, Source, make_judge, warn_unpriced
from ._logprobs import MAX_LOGPROB, Prompt, join_references, make_prompt
from ._metric import warn
from ._store import Store, patiently

_CHUNK = 500  # examples whose prompts and stored judgments are in memory at the same time
_SHOWN_CAUSES = 3
_TEXTS = ("questions", "predictions", "references")

Row = dict[str, Any]

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
# What an example without a judgment has in columns that cannot be missing.
_EMPTY: Mapping[Any, Any] = {bool: False, str: "", int: 0, float: 0.0}
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


class Examples(NamedTuple):
    """Some of the examples to judge."""

    prompts: list[list[str]]  # of each example, one per reference or one for all
    sources: dict[str, Source]  # the texts that each prompt was built from


def make_examples(inputs: Mapping[str, Sequence[Any]], options: JudgeOptions) -> Iterator[Examples]:
    """Build the prompts of a few examples at a time, so that those with stored judgments are never all in memory."""
    prompt = make_prompt(options.prompt)
    reads_prompt = any(make_judge(juror).reads_prompt for juror in jurors_of(options))
    rows = zip(*(inputs[name] for name in _TEXTS), strict=True)
    while chunk := list(islice(rows, _CHUNK)):
        examples = Examples([], {})
        for question, prediction, reference in chunk:
            references = (reference,) if isinstance(reference, str) else tuple(reference)
            groups = [references] if options.references_in_prompt == "all" else [(text,) for text in references]
            texts = []
            for group in groups:
                # Texts that contain lines of the prompt can make the prompts of two examples equal. A model cannot tell
                # them apart; a judge that does not read the prompt can.
                filled = prompt.fill(question, join_references(group), prediction)
                text = filled if reads_prompt else repr((question, group, prediction))
                examples.sources[text] = Source(group, prediction)
                texts.append(text)
            examples.prompts.append(texts)
        yield examples


# ---- judging


@dataclass
class OpenJudge:
    """A judge with its store, and what is known of the examples that need its judgment or that of another judge."""

    judge: Judge
    store: Store
    outcomes: dict[str, Outcome] = field(default_factory=dict)  # by prompt; at first those that are stored
    missing: dict[str, Source] = field(default_factory=dict)  # the prompts without a stored judgment
    paid: set[str] = field(default_factory=set)  # the prompts whose cost is in a row
    error: JudgeError | None = None  # what stopped the judge
    is_partial: bool = False  # whether what it judged before that is a result

    def read(self, prompts: Collection[str]) -> dict[str, Outcome]:
        """Return the outcomes that are stored."""
        stored = patiently(self.store.get, list(prompts))
        return {prompt: Outcome(judgment, cached=True) for prompt, judgment in stored.items()}

    def finish(self, run: Run | None, bar: Any) -> None:
        """Add the outcomes of the missing prompts: those of a run, or of a judge in this process."""
        if run is None:
            self.outcomes.update(self.judge.judge(self.missing, self.store, bar))
        else:
            self.judge.review(run)
            self.error, self.is_partial = run.error(), run.is_partial
            why = f"not asked: {run.reason}" if run.is_partial else str(self.error)
            self.outcomes |= {text: Outcome(None, why) for text in self.missing} | run.outcomes
        self.paid = {text for text, outcome in self.outcomes.items() if outcome.cached}


# The outcomes of one judge by prompt, and the prompts whose cost is accounted for.
Outcomes = tuple[Mapping[str, Outcome], set[str]]


def judge_examples(inputs: Mapping[str, Any], options: JudgeOptions) -> dict[str, list[Any]]:
    """Judge the examples that are not decided, or with `dry_run` estimate what that takes.

    Return the columns of `columns_of`. A `JudgeError` says that a run cannot continue, or that judgments failed.
    """
    texts = {name: to_list(name, inputs[name]) for name in _TEXTS}
    decided = list(inputs.get("decided") or [None] * len(texts["predictions"]))
    if options.reasoning == "drop":
        texts["predictions"], cut_off = drop_reasoning(texts["predictions"])
        if cut_off:
            warn(f"l3score: {cut_off_message(len(cut_off))}")
        for index in cut_off:
            decided[index] = decided[index] or 0.0
    columns: dict[str, list[Any]] = {name: [None] * len(decided) for name in columns_of(options)}
    asked = [index for index, score in enumerate(decided) if score is None]
    if len(asked) < len(decided):
        texts = {name: [column[index] for index in asked] for name, column in texts.items()}
    rows = zip(asked, _judged_rows(texts, options), strict=True) if asked else ()
    unasked = ((index, _unasked_row(score, options)) for index, score in enumerate(decided) if score is not None)
    with _collector_paused():
        for index, row in chain(rows, unasked):
            for name, column in columns.items():
                column[index] = row[name]
    return columns


def _judged_rows(texts: Mapping[str, Sequence[Any]], options: JudgeOptions) -> list[Row]:
    """Return the row of each example."""
    judges = _open_judges(options)
    make_row = _row_maker(options)
    rows: list[Row] = []
    unjudged: dict[int, list[str]] = {}
    with _collector_paused():
        if options.dry_run:
            return list(_estimated_rows(texts, judges, options))
        for index, (prompts, stored) in enumerate(_stored_outcomes(texts, judges, options)):
            rows.append(make_row(prompts, stored) if stored else {})
            if not stored:
                unjudged[index] = prompts
    _judge_missing(judges, options)
    judged = [(judge.outcomes, judge.paid) for judge in judges]
    with _collector_paused():
        for index, prompts in unjudged.items():
            rows[index] = make_row(prompts, judged)
    return rows


def _unasked_row(score: float, options: JudgeOptions) -> Row:
    """Return the row of an example whose score is known without a judge."""
    judges = len(jurors_of(options))
    known = {"individual_scores": score, "juror_scores": [score] * judges, "juror_costs": [0.0] * judges}
    return {**_empty_row(columns_of(options)), **known}


def _empty_row(columns: Mapping[str, Any]) -> Row:
    return {name: [] if kind is list else _EMPTY.get(kind) for name, kind in columns.items()}


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector, for work that creates many objects and no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _open_judges(options: JudgeOptions) -> list[OpenJudge]:
    opened = []
    for juror in jurors_of(options):
        judge = make_judge(juror)
        folder = Path(juror.judge_cache_dir or Path(evaluate.config.HF_CACHE_HOME) / "l3score")
        is_valid = partial(is_judgment, votes=juror.scoring == "votes")
        off = not juror.use_cache or not judge.reads_prompt
        opened.append(OpenJudge(judge, Store(folder, judge.store_settings(), off=off, is_valid=is_valid)))
    return opened


def _stored_outcomes(
    inputs: Mapping[str, Any], judges: Sequence[OpenJudge], options: JudgeOptions
) -> Iterator[tuple[list[str], list[Outcomes]]]:
    """Yield the prompts of each example, with the outcomes of each judge if all are stored, else with none."""
    for examples in make_examples(inputs, options):
        outcomes = [judge.read(examples.sources) for judge in judges]
        stored: list[Outcomes] = [(found, set(found)) for found in outcomes]
        missing = {text for found in outcomes for text in examples.sources if text not in found}
        for prompts in examples.prompts:
            if missing.isdisjoint(prompts):
                yield prompts, stored
                continue
            for judge, found in zip(judges, outcomes, strict=True):
                judge.outcomes |= {text: found[text] for text in prompts if text in found}
                judge.missing |= {text: examples.sources[text] for text in prompts if text not in found}
            yield prompts, []


def _judge_missing(judges: Sequence[OpenJudge], options: JudgeOptions) -> None:
    """Judge the missing prompts of each judge, and close the stores."""
    missing = [judge for judge in judges if judge.missing]
    try:
        for judge in missing:  # before any call
            judge.judge.check_access()
    except ValueError as error:
        missing = []
        raise ValueError(f"l3score: {error}") from None
    finally:
        for judge in judges:
            if judge not in missing:
                patiently(judge.store.close)
    budget = Budget(math.inf if options.max_cost is None else options.max_cost)
    with evaluate.utils.logging.tqdm(desc="Judging", unit="call", disable=not missing, **_bar_options()) as bar:
        bar.total = sum(len(judge.missing) for judge in missing)
        runs = [judge.judge.prepare(list(judge.missing), judge.store, budget) for judge in missing]
        judge_prompts([run for run in runs if run is not None], bar)
        for judge, run in zip(missing, runs, strict=True):
            judge.finish(run, bar)
        bar.miniters = bar.mininterval = 0
        bar.update(0)  # the last line, also in a file
    run = None  # with its pace: the traceback of an error would keep them
    runs.clear()
    _check_failures(judges, options)


def _bar_options() -> dict[str, Any]:
    """Return options of tqdm: a clock that runs in a terminal or a notebook, at most two lines a minute in a file."""
    is_live = sys.stderr.isatty() or "ipykernel" in sys.modules  # a notebook's stderr is no terminal
    every = {"miniters": 0} if is_live else {"miniters": 1, "mininterval": 30.0}
    return {"delay": 1.0, "smoothing": 0.0, **every}  # times are means over the run, since calls end in bursts


def _check_failures(judges: Sequence[OpenJudge], options: JudgeOptions) -> None:
    names = juror_names(options)
    skip, alone = options.on_error == "skip", len(judges) == 1
    if alone and judges[0].error is not None and not (skip and judges[0].is_partial):
        raise judges[0].error
    outcomes = [
        outcome if alone or not outcome.why else dataclasses.replace(outcome, why=f"{name}: {outcome.why}")
        for judge, name in zip(judges, names, strict=True)
        for outcome in judge.outcomes.values()
    ]
    if not skip and any(outcome.judgment is None for outcome in outcomes):
        costs = [outcome.cost for outcome in outcomes] + [outcome.lost for outcome in outcomes]
        raise JudgeError(f"{_describe_failures(outcomes)} {recovery_hint(options)}", total_cost(costs))
    for judge, name in zip(judges, names, strict=True):
        if judge.error is not None:
            warn(f"l3score: {'' if alone else f'the judge {name} of the panel failed: '}{judge.error}")


def total_cost(costs: Sequence[float | None]) -> float | None:
    """Return the sum of the costs; None if any is unknown."""
    return None if None in costs else math.fsum(cost or 0.0 for cost in costs)


def _describe_failures(outcomes: Iterable[Outcome]) -> str:
    """Return a sentence with the number of failed judgments and the most frequent causes."""
    causes = Counter(outcome.why for outcome in outcomes)
    failed = causes.total() - causes.pop("", 0)
    shown = "; ".join(f"{count} x {why}" for why, count in causes.most_common(_SHOWN_CAUSES))
    return f"{failed} judgments failed: {shown}{'; ...' if len(causes) > _SHOWN_CAUSES else ''}."


def _estimated_rows(inputs: Mapping[str, Any], opened: Sequence[OpenJudge], options: JudgeOptions) -> Iterator[Row]:
    """Estimate the calls, tokens and cost of judging each example; a prompt counts once."""
    counted: list[set[str]] = [set() for _ in opened]
    unpriced: list[Judge] = []
    for examples in make_examples(inputs, options):
        outcomes = [judge.read(examples.sources) for judge in opened]
        for texts in examples.prompts:
            row = _empty_row(DRY_RUN_COLUMNS)
            for judge, stored, known in zip(opened, outcomes, counted, strict=True):
                for text in (text for text in dict.fromkeys(texts) if text not in known):
                    if text in stored:
                        row["cached"] += 1
                        continue
                    read, written, cost = judge.judge.estimate(text)
                    row["calls"] += judge.judge.reads_prompt
                    row["input_tokens"] += read
                    row["output_tokens"] += written
                    row["costs"] += cost or 0.0
                    if cost is None:
                        row["unpriced"] = True
                        unpriced.append(judge.judge)
                known.update(texts)
            yield row
    for judge in opened:
        patiently(judge.store.close)
    for one in dict.fromkeys(unpriced):
        warn_unpriced(one)


# ---- rows


def _row_maker(options: JudgeOptions) -> Callable[[Sequence[str], Sequence[Outcomes]], Row]:
    """Return the function that builds the row of one example from its prompts and the outcomes of each judge."""
    votes = options.scoring == "votes"
    scores = _vote_scores if votes else partial(_logprob_scores, prompt=make_prompt(options.prompt))
    columns = VOTE_COLUMNS if votes else LOGPROB_COLUMNS
    if options.judges is None:
        return lambda prompts, judged: _example_row(prompts, judged[0], scores, columns)
    names = juror_names(options)
    return lambda prompts, judged: _panel_row([_example_row(prompts, one, scores, columns) for one in judged], names)


def _example_row(
    prompts: Sequence[str], judged: Outcomes, scores: Callable[[Mapping[str, Any]], Row], columns: Mapping[str, Any]
) -> Row:
    """Build the row of one example, from one prompt per reference: the best score counts."""
    outcomes, paid = judged
    spent = _FREE if paid.issuperset(prompts) else _spent(prompts, outcomes, paid)
    row: Row = {}
    best: Mapping[str, Any] = {}
    for prompt in prompts:
        judgment = outcomes[prompt].judgment
        if judgment is None:
            # The failed prompt could have had the best score.
            return {**_empty_row(columns), **spent, "failures": outcomes[prompt].why}
        scored = scores(judgment)
        if not row or scored["individual_scores"] > row["individual_scores"]:
            row, best = scored, judgment
    read, _, written = best["usage"] or (None, None, None)
    served = {"served_models": sys.intern(best["model"] or ""), "fingerprints": sys.intern(best["fingerprint"] or "")}
    return {**row, **spent, "input_tokens": read, "output_tokens": written, **served, "failures": ""}


def _spent(prompts: Sequence[str], outcomes: Mapping[str, Outcome], paid: set[str]) -> Row:
    """Return the cost columns of an example, and mark its prompts as paid: the next one with them costs nothing."""
    unpaid = [outcomes[prompt] for prompt in dict.fromkeys(prompts) if prompt not in paid]
    paid.update(prompts)
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


def is_judgment(value: object, *, votes: bool = False) -> bool:
    """Return whether a stored value can be scored: other programs may have written to the file."""
    if not isinstance(value, dict):
        return False
    usage = value.get("usage", ())
    counted = usage is None or (isinstance(usage, list) and [type(count) for count in usage] == [int] * 3)
    named = all(isinstance(value.get(name, 0), (str, type(None))) for name in ("model", "fingerprint"))
    if votes:
        counts = [value.get("yes"), value.get("no")]
        scored = all(type(count) is int and count >= 0 for count in counts) and any(counts)
    else:
        top = value.get("top")
        scored = isinstance(top, list) and bool(top) and all(map(_is_candidate, top))
    return counted and named and scored


def _is_candidate(pair: object) -> bool:
    # NaN is not at most anything.
    return isinstance(pair, list) and [*map(type, pair)] == [str, float] and pair[1] <= MAX_LOGPROB


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
