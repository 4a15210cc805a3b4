"""L3Score: how sure is a judge model that the answer means the same as the reference?"""

import hashlib
import json
import math
from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated
from typing import Any
from typing import Literal

import evaluate

from ._buffering import right_call as right_call
from ._columns import ReferenceColumn
from ._columns import StringColumn
from ._comparison import Comparison as Comparison
from ._comparison_methods import ComparisonMethods as ComparisonMethods
from ._configuration import OptionsT as OptionsT
from ._distributions import normal_quantile as normal_quantile
from ._documentation import COMMON_OUTPUTS
from ._documentation import Output
from ._environment import PYTHON as PYTHON
from ._examples import COLUMN_TYPES
from ._examples import describe_failures
from ._examples import example_row
from ._examples import is_judgement
from ._human_labels import FEWEST_LABELS as FEWEST_LABELS
from ._intervals import Interval as Interval
from ._judge import JudgeError
from ._judge import Outcome
from ._judge import Panel
from ._judge_options import Dollars
from ._judge_options import Fields
from ._judge_options import Folder
from ._judge_options import Key
from ._judge_options import Model
from ._judge_options import Price
from ._judge_options import Text
from ._local_judge import LocalJudge
from ._local_judge import local_judge
from ._logprobs import SCORING_VERSION
from ._logprobs import score_top_tokens
from ._metric import ScoringMetric
from ._mock import mock_top_tokens
from ._options import Choice
from ._options import Flag
from ._options import Integer
from ._options import Number
from ._options import ScoringOptions
from ._paired import TIE as TIE
from ._pickling import Secret
from ._prices import pricer
from ._prices import why_unknown
from ._prompts import PROMPTS
from ._providers import PROVIDERS
from ._providers import check_provider
from ._providers import public_address
from ._providers import public_model
from ._providers import resolve_address
from ._providers import resolve_key
from ._remote import Remote
from ._score_intervals import UNSEEN as UNSEEN
from ._scored_columns import ColumnType
from ._statistics import Statistic
from ._statistics import mean_statistic
from ._store import Store
from ._strings import shorten as shorten
from ._tabular import LONG_LIST as LONG_LIST
from ._user_warnings import warn
from ._version import VERSION

_DESCRIPTION = """
L3Score asks a language model whether a predicted answer means the same as the reference, given the question, and takes
the probability of Yes against No from the log-probabilities of the model's first token. It is the mean over all
examples: 1 if the judge is sure that all answers are right, 0 if it is sure that none is.
"""

_CITATION = """\
@article{pramanick2024spiqa,
  title = {SPIQA: A Dataset for Multimodal Question Answering on Scientific Papers},
  author = {Pramanick, Shraman and Chellappa, Rama and Venugopalan, Subhashini},
  journal = {arXiv preprint arXiv:2407.09413},
  year = {2024}
}
"""

_EXAMPLES = """
    The judge of these examples is none: "mock" needs no key and compares words.

    >>> import evaluate
    >>> l3score = evaluate.load("metrics/l3score", provider="mock")
    >>> questions = ["What is the capital of France?", "What is the capital of Germany?"]
    >>> result = l3score.compute(questions=questions, predictions=["Paris", "Moscow"], references=["Paris", "Berlin"])
    >>> print({key: round(value, 4) for key, value in result.items()})
    {'L3Score': 0.5, 'Cost': 0.0}

    >>> result = l3score.compute(questions=questions, predictions=["Paris", "Moscow"], references=["Paris", "Berlin"],
    ...                          return_details=True, return_signature=True)
    >>> print([round(score, 4) for score in result["individual_scores"]])
    [0.99, 0.01]
    >>> print(result["signature"].rpartition("|")[0])
    l3score|provider:mock|prompt:card|top_logprobs:5|scoring:1
"""


DEFAULT_MODEL = "gpt-4o-mini"


@dataclass(frozen=True, kw_only=True)
class Options(ScoringOptions):
    """The options of l3score."""

    api_key: Annotated[
        str | None,
        Key(
            help=(
                "Key of the provider; None: its environment variable (OPENAI_API_KEY, DEEPSEEK_API_KEY, XAI_API_KEY), "
                "or with `base_url` no key. It is never stored."
            )
        ),
    ] = None
    provider: Annotated[
        str,
        Text(
            also=check_provider,
            help=(
                "openai, deepseek, xai, openai-compatible (any server, with `base_url`), transformers (a model in this "
                "process), mock (no model, only word overlap: to try things out)."
            ),
        ),
    ] = "openai"
    model: Annotated[
        Any,
        Model(
            help="Name of the judge; for transformers a Hub id, a path, or a pair of a loaded model and its tokenizer."
        ),
    ] = DEFAULT_MODEL
    base_url: Annotated[
        str | None,
        Text(
            optional=True,
            also=lambda address: resolve_address("openai", address),
            help="Another address for the provider's API, like http://localhost:8000/v1.",
        ),
    ] = None
    prompt: Annotated[
        Literal["card", "spiqa"], Choice(*PROMPTS, help="card, or spiqa for the wording of the paper's own script.")
    ] = "card"
    top_logprobs: Annotated[int, Integer(2, help="Number of candidates for the first token to look at.")] = 5
    extra_body: Annotated[
        dict[str, Any] | None, Fields(help="Further fields of the request, for servers that need some.")
    ] = None
    max_concurrency: Annotated[
        int, Integer(1, 1000, help="Calls in flight at a time; for transformers the batch size.")
    ] = 16
    request_timeout: Annotated[
        float,
        Number(
            0,
            math.inf,
            exclusive=True,
            help="Seconds after which a call without an answer is abandoned and repeated.",
        ),
    ] = 60.0
    max_retries: Annotated[
        int,
        Integer(0, help="How often a call is repeated after a rate limit, a server error or a broken connection."),
    ] = 6
    use_cache: Annotated[bool, Flag(help="Keep judgments on disk, and do not pay for one twice.")] = True
    judge_cache_dir: Annotated[
        str | None, Folder(help="Where to keep them; None: `l3score` in the Hugging Face cache directory.")
    ] = None
    on_error: Annotated[
        Literal["raise", "skip"],
        Choice(
            "raise",
            "skip",
            help=("raise: if judgments fail, have the rest judged, then raise; skip: leave them out of the mean."),
        ),
    ] = "raise"
    price: Annotated[
        tuple[float, float] | None,
        Price(
            help=(
                "Dollars per million input tokens and per million output tokens; None: the list price of the "
                "provider's model, from `genai-prices`."
            )
        ),
    ] = None
    max_cost: Annotated[
        float | None, Dollars(help="Dollars that this call may spend at most; it stops before. None: no limit.")
    ] = None


Judged = tuple[dict[str, Outcome], set[str]]
"""What became of each prompt, and which prompts were judged by an earlier call."""


def extra_fields(options: Options) -> dict[str, Any]:
    """Give the fields of a request beyond the usual ones: the provider's, then the caller's."""
    return {**PROVIDERS[options.provider].rule_for(options.model).extra_body, **(options.extra_body or {})}


def known_price(options: Options) -> Callable[[tuple[int, int, int]], float] | None:
    """Give the price of the judge as a function of token counts, or None."""
    return pricer(PROVIDERS[options.provider].prices, options.model, options.price)


def judge_remotely(prompts: list[str], options: Options) -> Judged:
    """Have prompts judged by a server: from the store what is there, the rest at once.

    Raises:
        JudgeError: If the run cannot go on.
        ValueError: If there is no key, or a malformed one.
    """
    address = resolve_address(options.provider, options.base_url)
    extra = extra_fields(options)
    judge = [options.provider, public_address(address), options.model, options.top_logprobs, extra]
    store, outcomes, missing = open_store(judge, prompts, options)
    cached = set(outcomes)
    if not missing:
        store.close()
        return outcomes, cached
    price = known_price(options)
    if price is None:
        why = why_unknown(PROVIDERS[options.provider].prices, options.model)
        warn(f"l3score: Cost is None: {why}; (0, 0) for a server of your own")
    remote = Remote(
        address=address,
        key=Secret(resolve_key(options.provider, options.api_key, options.base_url)),
        foreign=options.base_url is not None or options.provider != "openai",
        model=options.model,
        top_logprobs=options.top_logprobs,
        length_field=PROVIDERS[options.provider].length_field,
        extra_body=extra,
        fixed=frozenset(options.extra_body or ()),
        timeout=options.request_timeout,
    )

    def finish() -> None:
        remote.close()
        store.close()

    panel = Panel(
        ask=remote.ask,
        keep=store.put,
        finish=finish,
        progress=evaluate.utils.logging.tqdm,
        concurrency=options.max_concurrency,
        max_retries=options.max_retries,
        price=price,
        max_cost=options.max_cost,
        consolation=consolation(options),
        proven=remote.proven,
    )
    outcomes |= zip(missing, panel.judge(missing), strict=True)
    if price is not None and any(outcome.cost is None for outcome in outcomes.values()):
        warn("l3score: Cost is None: the server did not always report the billed tokens")
    return outcomes, cached


def judge_of(options: Options) -> LocalJudge:
    """Give the judge in this process.

    Raises:
        ValueError: If no model was named.
        ImportError: Says what to install.
    """
    if options.model == DEFAULT_MODEL:
        raise ValueError(
            'l3score: provider="transformers" needs model=: a Hub id, a path, or a pair of a loaded model and its '
            "tokenizer"
        )
    return local_judge(options.model)


def judge_locally(prompts: list[str], options: Options) -> Judged:
    """Have prompts judged by a model in this process, in batches; from the store what is there."""
    judge = judge_of(options)
    identity = [options.provider, judge.identity, options.top_logprobs]
    store, outcomes, missing = open_store(identity, prompts, options)
    cached = set(outcomes)
    with evaluate.utils.logging.tqdm(total=len(missing), desc="Judging", disable=not missing) as bar:
        for index, judgment in judge.judge(
            missing, top_logprobs=options.top_logprobs, batch_size=options.max_concurrency
        ):
            store.put(missing[index], judgment)
            outcomes[missing[index]] = Outcome(judgment, "", 0.0)
            bar.update()
    store.close()
    return outcomes, cached


def open_store(
    judge: list[object], prompts: list[str], options: Options
) -> tuple[Store, dict[str, Outcome], list[str]]:
    """Open the store of judgments; give it, with what it holds of the prompts, and the prompts that are missing."""
    folder = options.judge_cache_dir or Path(evaluate.config.HF_CACHE_HOME) / "l3score"
    store = Store(Path(folder), judge, off=not options.use_cache)
    stored = {prompt: judgment for prompt, judgment in store.get(prompts).items() if is_judgement(judgment)}
    outcomes = {prompt: Outcome(judgment, "", 0.0) for prompt, judgment in stored.items()}
    return store, outcomes, [prompt for prompt in prompts if prompt not in outcomes]


def consolation(options: Options) -> str:
    """Say what becomes of the judgments that did arrive."""
    if options.use_cache:
        return "What arrived is stored: the next run asks and pays only for the rest."
    return "What arrived is lost, as use_cache=False."


class L3Score(ScoringMetric[Options], evaluate.Metric):
    """See `description`."""

    version = VERSION
    description = _DESCRIPTION
    citation = _CITATION
    examples = _EXAMPLES
    reference_urls = ["https://arxiv.org/abs/2407.09413", "https://github.com/google/spiqa"]
    options_type = Options
    secrets = frozenset({"api_key"})
    inputs = {
        "questions": StringColumn("The questions."),
        "predictions": StringColumn("The answers to score."),
        "references": ReferenceColumn("The right answer for each, or several of which the best counts."),
    }
    outputs = {
        "L3Score": Output(
            "float, 0 to 1",
            'Mean of the individual scores; None if every judgment failed (`on_error="skip"`).',
        ),
        "Cost": Output("float", "Dollars that this call spent; None if the price is unknown."),
        "failed": Output("int", 'Number of examples without a judgment; with `on_error="skip"` only.'),
        "L3Score_confidence_interval": Output("tuple of two floats", "With `return_confidence` only."),
        "individual_scores": Output(
            "list of float, 0 to 1", "p(yes) / (p(yes) + p(no)) of each example; None where judging failed."
        ),
        "p_yes": Output("list of float", "Probability of Yes; 0.0 where undecided."),
        "p_no": Output("list of float", "Probability of No; 0.0 where undecided."),
        "undecided": Output("list of bool", "Whether neither Yes nor No was among the candidates, which scores 0."),
        "top_tokens": Output("list of lists of str", "The candidates for the first token."),
        "top_logprobs": Output("list of lists of float", "Their log-probabilities."),
        "cached": Output("list of bool", "Whether the judgment was stored already, and cost nothing."),
        "costs": Output("list of float", "Dollars spent on each example."),
        "input_tokens": Output("list of int", "Tokens that the judge read, for the reference that counts."),
        "output_tokens": Output("list of int", "Tokens that the judge wrote, for the reference that counts."),
        "served_models": Output("list of str", "The model that the server says it is."),
        "fingerprints": Output("list of str", "The fingerprint that the server reports."),
        "failures": Output("list of str", 'Why judging failed; "" where it did not.'),
        **COMMON_OUTPUTS,
    }
    main_score = "L3Score"

    def check_options(self, options: Options) -> None:
        """Check what depends on several options together."""
        provider, model = PROVIDERS[options.provider], options.model
        if not isinstance(model, str) and provider.kind != "local":
            raise ValueError(f'{self.label}: model must be a name, unless provider="transformers"')
        most = provider.rule_for(model).most_top_logprobs if isinstance(model, str) else provider.most_top_logprobs
        if options.top_logprobs > most:
            raise ValueError(
                f"{self.label}: top_logprobs must be between 2 and {most} with provider={options.provider!r} and "
                f"model={model!r}, got {options.top_logprobs}"
            )
        if provider.kind == "remote":
            try:
                resolve_address(options.provider, options.base_url)
            except ValueError as error:
                raise ValueError(f"{self.label}: {error}") from None
            if options.max_cost is not None and known_price(options) is None:
                raise ValueError(f"{self.label}: max_cost needs a price: {why_unknown(provider.prices, model)}")

    def column_types(self, options: Options) -> dict[str, ColumnType]:
        return COLUMN_TYPES

    def score_columns(self, inputs: Mapping[str, list[Any]], options: Options) -> dict[str, list[Any]]:
        prompt = PROMPTS[options.prompt]
        kind = PROVIDERS[options.provider].kind
        # Texts that hold lines of the prompt can make one prompt of two triplets. A model cannot tell them apart then;
        # the mock, which reads no prompt, can.
        fill = prompt.fill if kind != "mock" else lambda *triplet: repr(triplet)
        prompts: list[list[str]] = []
        sources: dict[str, tuple[str, str]] = {}
        for question, prediction, reference in zip(
            inputs["questions"], inputs["predictions"], inputs["references"], strict=True
        ):
            several = [reference] if isinstance(reference, str) else reference
            texts = [fill(question, one, prediction) for one in several]
            sources.update((text, (one, prediction)) for text, one in zip(texts, several, strict=True))
            prompts.append(texts)
        if kind == "mock":
            warn('l3score: provider="mock" is not a judge: it compares words only, so its scores mean nothing')
            blank = {"usage": None, "model": None, "fingerprint": None}
            outcomes = {
                text: Outcome({"top": mock_top_tokens(*source), **blank}, "", 0.0) for text, source in sources.items()
            }
            judged: Judged = (outcomes, set())
        elif sources:
            judged = (judge_remotely if kind == "remote" else judge_locally)(list(sources), options)
        else:
            judged = ({}, set())
        if options.on_error == "raise" and any(outcome.judgement is None for outcome in judged[0].values()):
            costs = [outcome.cost for outcome in judged[0].values()]
            spent = None if None in costs else math.fsum(cost or 0.0 for cost in costs)
            raise JudgeError(f"{describe_failures(judged[0].values())} {consolation(options)}", spent)
        verdict_on = partial(score_top_tokens, yes_words=prompt.yes_words, no_words=prompt.no_words)
        rows = [example_row(texts, *judged, verdict_on) for texts in prompts]
        return {name: [row[place] for row in rows] for place, name in enumerate(COLUMN_TYPES)}

    def statistics(self, columns: Mapping[str, Any], options: Options) -> dict[str, Statistic]:
        return {"L3Score": mean_statistic(columns["individual_scores"])}

    def summarize(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        scores = [score for score in columns["individual_scores"] if score is not None]
        failed = len(columns["individual_scores"]) - len(scores)
        if failed and options.on_error == "raise":
            raise JudgeError(f'{failed} examples were not judged; on_error="skip" leaves them out of the mean.')
        mean = math.fsum(scores) / len(scores) if scores else None if failed else 0.0
        undecided = sum(map(bool, columns["undecided"]))
        if undecided:
            warn(
                f"l3score: {undecided} of {len(scores)} judgments are undecided, with neither Yes nor No among the "
                "candidates, and score 0; is the judge a model that answers in one word, without thinking aloud?"
            )
        cost = None if any(columns["unpriced"]) else math.fsum(columns["costs"])
        result: dict[str, Any] = {"L3Score": mean, "Cost": cost}
        return result | {"failed": failed} if options.on_error == "skip" else result

    def details(self, columns: Mapping[str, Any], options: Options) -> dict[str, Any]:
        priced = zip(columns["costs"], columns["unpriced"], strict=True)
        costs = {"costs": [None if unpriced else cost for cost, unpriced in priced]}
        return {name: column for name, column in columns.items() if name != "unpriced"} | costs

    def signature_fields(self, options: Options) -> dict[str, Any]:
        provider = PROVIDERS[options.provider]
        fields: dict[str, Any] = {"provider": options.provider}
        if provider.kind == "local":
            judge = judge_of(options)
            fields |= {"model": judge.name, "weights": judge.identity}
        elif provider.kind == "remote":
            host = public_address(resolve_address(options.provider, options.base_url))
            fields |= {"model": public_model(options.model), "host": host}
            if extra := extra_fields(options):
                # As a digest: fields of the caller's may hold anything.
                fields["extra"] = hashlib.sha256(json.dumps(extra, sort_keys=True).encode()).hexdigest()[:12]
        return fields | {"prompt": options.prompt, "top_logprobs": options.top_logprobs, "scoring": SCORING_VERSION}
