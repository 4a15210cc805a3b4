"""Judging of examples: building prompts, reading the store, asking one or more judges, and the row of each example."""

import contextlib
import dataclasses
import gc
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import evaluate

from ._engine import Budget, JudgeError, Outcome, total_cost
from ._judge_options import JudgeOptions
from ._judges import Context, Judge, Source, make_judge, warn_unpriced
from ._logprobs import PROMPTS, Prompt, join_references, score_top_tokens
from ._metric import warn
from ._statistics import cohens_kappa
from ._store import Store, patiently

# Examples whose prompts and stored judgments are in memory at the same time.
_CHUNK = 500
_SHOWN_CAUSES = 3
# Seconds that a run takes at least for its progress bar to appear.
_BAR_DELAY = 1.0
_RIGHT = 0.5

Row = dict[str, Any]

_SPENT: dict[str, Any] = {"cached": bool, "costs": float, "unpriced": bool}
_SERVED: dict[str, Any] = {
    "input_tokens": int | None,
    "output_tokens": int | None,
    "served_models": str,
    "fingerprints": str,
    "failures": str,
}
LOGPROB_COLUMNS: dict[str, Any] = {
    "individual_scores": float | None,
    "p_yes": float | None,
    "p_no": float | None,
    "undecided": bool,
    "top_tokens": list,
    "top_logprobs": list,
    **_SPENT,
    **_SERVED,
}
VOTE_COLUMNS: dict[str, Any] = {
    "individual_scores": float | None,
    "votes_yes": int | None,
    "votes_no": int | None,
    **_SPENT,
    **_SERVED,
}
PANEL_COLUMNS: dict[str, Any] = {
    "individual_scores": float | None,
    "juror_scores": list,
    "juror_costs": list,
    **_SPENT,
    "failures": str,
}
DRY_RUN_COLUMNS: dict[str, Any] = {
    "calls": int,
    "cached": int,
    "input_tokens": int,
    "output_tokens": int,
    "costs": float,
    "unpriced": bool,
}
# What a failed judgment has in columns that cannot be missing.
_EMPTY: Mapping[Any, Any] = {bool: False, str: ""}
_FREE: Row = {"cached": True, "costs": 0.0, "unpriced": False}


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


# ---- prompts


class Examples(NamedTuple):
    """The examples to judge."""

    prompts: list[list[str]]  # of each example, one per reference or one for all
    sources: dict[str, Source]  # the texts that each prompt was built from


def make_examples(inputs: Mapping[str, Sequence[Any]], options: JudgeOptions) -> Examples:
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


def _in_chunks(inputs: Mapping[str, Any], options: JudgeOptions) -> Iterator[Examples]:
    """Build the prompts of a few examples at a time, so that those with stored judgments are never all in memory."""
    columns = {name: inputs[name] for name in ("questions", "predictions", "references")}
    for start in range(0, len(columns["predictions"]), _CHUNK):
        yield make_examples({name: column[start : start + _CHUNK] for name, column in columns.items()}, options)


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

    def read(self, prompts: Collection[str]) -> dict[str, Outcome]:
        """Return the outcomes that are stored."""
        stored = patiently(self.store.get, list(prompts))
        return {prompt: Outcome(judgment, "", 0.0, cached=True) for prompt, judgment in stored.items()}

    def ask(self, context: Context) -> None:
        """Add the outcomes of the missing prompts, and close the store."""
        try:
            if self.missing:
                self.outcomes.update(self.judge.judge(self.missing, context))
            else:
                patiently(self.store.close)
        except JudgeError as stopped:
            self.error = stopped.with_traceback(None)
            failed = Outcome(None, str(stopped), 0.0)
            self.outcomes |= {text: failed for text in self.missing if text not in self.outcomes}
        self.paid = {text for text, outcome in self.outcomes.items() if outcome.cached}


Outcomes = tuple[Mapping[str, Outcome], set[str]]
"""The outcomes of one judge by prompt, and the prompts whose cost is accounted for."""


def judge_examples(inputs: Mapping[str, Any], options: JudgeOptions) -> dict[str, list[Any]]:
    """Judge all examples, or with `dry_run` estimate what that takes.

    Returns:
        The columns of `columns_of`, one value per example.

    Raises:
        JudgeError: If a run cannot continue, or, with `on_error="raise"`, if judgments failed.
        ValueError: If a key is missing or malformed.
    """
    count = len(inputs["predictions"])
    columns: dict[str, list[Any]] = {name: [None] * count for name in columns_of(options)}
    if not count:
        return columns

    def put(index: int, row: Row) -> None:
        for name, column in columns.items():
            column[index] = row[name]

    judges = _open_judges(options)
    make_row = _row_maker(options)
    unjudged: dict[int, list[str]] = {}
    with _collector_paused():
        if options.dry_run:
            for index, row in enumerate(_estimated_rows(inputs, judges, options)):
                put(index, row)
            return columns
        for index, (prompts, stored) in enumerate(_stored_outcomes(inputs, judges, options)):
            if stored:
                put(index, make_row(prompts, stored))
            else:
                unjudged[index] = prompts
    _judge_missing(judges, options)
    judged = [(judge.outcomes, judge.paid) for judge in judges]
    with _collector_paused():
        for index, prompts in unjudged.items():
            put(index, make_row(prompts, judged))
    return columns


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
    """Read the stores.

    Yields:
        The prompts of each example, with the outcomes of each judge if all are stored. Otherwise there are none, and
        what is missing is now in `missing` of the judges.
    """
    for examples in _in_chunks(inputs, options):
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
    try:
        # Before any call: a judge without a key must not cause the calls of the judges before it.
        for judge in judges:
            if judge.missing:
                judge.judge.check_access()
    except ValueError as error:
        for judge in judges:
            patiently(judge.store.close)
        raise ValueError(f"l3score: {error}") from None
    budget = Budget(math.inf if options.max_cost is None else options.max_cost)
    total = sum(len(judge.missing) for judge in judges)
    hint = "What arrived is lost, as use_cache=False."
    if options.use_cache:
        hint = "What arrived is stored: the next run asks and pays only for the rest."
    with evaluate.utils.logging.tqdm(
        total=total, desc="Judging", unit="call", disable=not total, delay=_BAR_DELAY, miniters=0
    ) as bar:
        for judge in judges:
            judge.ask(Context(judge.store, bar, budget, hint))
    _check_failures(judges, options, hint)


def _check_failures(judges: Sequence[OpenJudge], options: JudgeOptions, hint: str) -> None:
    if len(judges) == 1 and judges[0].error is not None:
        raise judges[0].error
    names = juror_names(options) if len(judges) > 1 else [""]
    outcomes = [
        outcome._replace(why=f"{name}: {outcome.why}" if name and outcome.why else outcome.why)
        for judge, name in zip(judges, names, strict=True)
        for outcome in judge.outcomes.values()
    ]
    if options.on_error == "raise" and any(outcome.judgment is None for outcome in outcomes):
        raise JudgeError(f"{_describe_failures(outcomes)} {hint}", total_cost([outcome.cost for outcome in outcomes]))
    for judge, name in zip(judges, names, strict=True):
        if judge.error is not None:
            warn(f"l3score: the judge {name} of the panel failed: {judge.error}")


def _describe_failures(outcomes: Iterable[Outcome]) -> str:
    """Return a sentence with the number of failed judgments and the most frequent causes."""
    causes = Counter(outcome.why for outcome in outcomes)
    failed = causes.total() - causes.pop("", 0)
    shown = "; ".join(f"{count} x {why}" for why, count in causes.most_common(_SHOWN_CAUSES))
    return f"{failed} judgments failed: {shown}{'; ...' if len(causes) > _SHOWN_CAUSES else ''}."


def _estimated_rows(inputs: Mapping[str, Any], opened: Sequence[OpenJudge], options: JudgeOptions) -> Iterator[Row]:
    """Estimate the calls, tokens and cost of judging each example, without making any call.

    A prompt counts once: as a call if it would be asked, as cached if its judgment is stored.
    """
    counted: list[set[str]] = [set() for _ in opened]
    unpriced = [False] * len(opened)
    for examples in _in_chunks(inputs, options):
        outcomes = [judge.read(examples.sources) for judge in opened]
        for texts in examples.prompts:
            row: Row = {"calls": 0, "cached": 0, "input_tokens": 0, "output_tokens": 0, "costs": 0.0, "unpriced": False}
            for index, (judge, stored, known) in enumerate(zip(opened, outcomes, counted, strict=True)):
                new = [text for text in dict.fromkeys(texts) if text not in known]
                known.update(new)
                fresh = [text for text in new if text not in stored]
                read, written, costs = judge.judge.estimate(fresh)
                row["calls"] += len(fresh) if judge.judge.reads_prompt else 0
                row["cached"] += len(new) - len(fresh)
                row["input_tokens"] += sum(read)
                row["output_tokens"] += sum(written)
                row["costs"] = math.fsum([row["costs"], *(cost or 0.0 for cost in costs)])
                row["unpriced"] = row["unpriced"] or None in costs
                unpriced[index] = unpriced[index] or None in costs
            yield row
    for judge, is_unpriced in zip(opened, unpriced, strict=True):
        patiently(judge.store.close)
        if is_unpriced:
            warn_unpriced(judge.judge)


# ---- rows


def _row_maker(options: JudgeOptions) -> Callable[[Sequence[str], Sequence[Outcomes]], Row]:
    """Return the function that builds the row of one example from its prompts and the outcomes of each judge."""
    votes = options.scoring == "votes"
    scores = _vote_scores if votes else partial(_logprob_scores, prompt=PROMPTS[options.prompt])
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
            empty: Row = {name: [] if kind is list else _EMPTY.get(kind) for name, kind in columns.items()}
            return {**empty, **spent, "failures": outcomes[prompt].why}
        scored = scores(judgment)
        if not row or scored["individual_scores"] > row["individual_scores"]:
            row, best = scored, judgment
    read, _, written = best["usage"] or (None, None, None)
    served = {"served_models": _shared(best["model"] or ""), "fingerprints": _shared(best["fingerprint"] or "")}
    return {**row, **spent, "input_tokens": read, "output_tokens": written, **served, "failures": ""}


def _spent(prompts: Sequence[str], outcomes: Mapping[str, Outcome], paid: set[str]) -> Row:
    """Return the cost columns of an example, and mark its prompts as paid: the next one with them costs nothing."""
    costs = [outcomes[prompt].cost for prompt in dict.fromkeys(prompts) if prompt not in paid]
    paid.update(prompts)
    return {"cached": False, "costs": math.fsum(cost or 0.0 for cost in costs), "unpriced": None in costs}


@lru_cache(maxsize=4096)
def _shared(text: str) -> str:
    """Return the same object for equal texts: each stored judgment is parsed with copies of its own."""
    return text


def _logprob_scores(judgment: Mapping[str, Any], prompt: Prompt) -> Row:
    verdict = score_top_tokens(judgment["top"], prompt.yes_words, prompt.no_words)
    tokens, logprobs = zip(*judgment["top"], strict=True)
    return {
        "individual_scores": verdict.score,
        "p_yes": verdict.p_yes or 0.0,
        "p_no": verdict.p_no or 0.0,
        "undecided": verdict.undecided,
        "top_tokens": list(map(_shared, tokens)),
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
    if not votes:
        return counted and named and _has_candidates(value.get("top"))
    counts = [value.get("yes"), value.get("no")]
    return counted and named and all(type(count) is int and count >= 0 for count in counts) and any(counts)


def _has_candidates(top: object) -> bool:
    if not isinstance(top, list) or not top:
        return False
    for pair in top:
        if type(pair) is not list or len(pair) != 2:  # noqa: PLR2004  # a pair
            return False
        token, logprob = pair
        if type(token) is not str or type(logprob) is not float or not logprob < math.inf:  # NaN is not
            return False
    return True


# ---- panels


def _panel_row(rows: Sequence[Row], names: Sequence[str]) -> Row:
    """Combine the rows of several judges for one example; its score is their mean.

    If any judge failed there is no score: a mean of fewer judges would be a different measure.
    """
    scores = [row["individual_scores"] for row in rows]
    known = [score for score in scores if score is not None]
    failures = [f"{name}: {row['failures']}" for name, row in zip(names, rows, strict=True) if row["failures"]]
    return {
        "individual_scores": math.fsum(known) / len(known) if len(known) == len(scores) else None,
        "juror_scores": scores,
        "juror_costs": [None if row["unpriced"] else row["costs"] for row in rows],
        "cached": all(row["cached"] for row in rows),
        "costs": math.fsum(row["costs"] for row in rows),
        "unpriced": any(row["unpriced"] for row in rows),
        "failures": "; ".join(failures),
    }


def summarize_panel(columns: Mapping[str, Any], options: JudgeOptions) -> dict[str, Any]:
    """Return every judge's mean score and cost in dollars, and the agreement between judges.

    Args:
        columns: `juror_scores` and `juror_costs`: one list per example with one value per judge, None if unknown.
        options: The options of the panel.
    """
    names = juror_names(options)
    judges = []
    for index, name in enumerate(names):
        scores = [row[index] for row in columns["juror_scores"]]
        known = [score for score in scores if score is not None]
        costs = [row[index] for row in columns["juror_costs"]]
        judges.append(
            {
                "name": name,
                score_name(options): math.fsum(known) / len(known) if known else None,
                "failed": len(scores) - len(known),
                "Cost": None if None in costs else math.fsum(costs),
            }
        )
    return {"judges": judges, "judge_agreement": pairwise_agreement(columns["juror_scores"], names)}


def pairwise_agreement(scores: Sequence[Sequence[float | None]], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Compare every pair of judges on the examples that both judged; a score above 0.5 is a Yes.

    Args:
        scores: The score of each judge for each example, 0 to 1, or None.
        names: The judges' names.

    Returns:
        For each pair, by "name and name": "agreement", the share of examples with the same verdict, 0 to 1; "kappa",
        Cohen's kappa, -1 to 1, None if chance agreement is 1; "examples", the number of examples compared. Without
        examples, agreement and kappa are None.
    """
    agreements: dict[str, dict[str, Any]] = {}
    for i, j in combinations(range(len(names)), 2):
        pairs = [(row[i], row[j]) for row in scores]
        verdicts = [(a > _RIGHT, b > _RIGHT) for a, b in pairs if a is not None and b is not None]
        total = len(verdicts)
        same = sum(a == b for a, b in verdicts)
        first, second = (sum(verdict[side] for verdict in verdicts) for side in (0, 1))
        agreements[f"{names[i]} and {names[j]}"] = {
            "agreement": same / total if total else None,
            "kappa": cohens_kappa(same, first, second, total) if total else None,
            "examples": total,
        }
    return agreements
