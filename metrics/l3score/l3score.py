"""L3Score: how sure is a judge model that the answer means the same as the reference?"""

import hashlib
import json
import math
import warnings
from collections.abc import Callable
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from typing import Literal

import evaluate

from ._columns import Answers
from ._columns import Texts
from ._examples import COLUMNS
from ._examples import describe_failures
from ._examples import example_row
from ._examples import is_judgement
from ._examples import plain_value
from ._intervals import mean_interval
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
from ._mock import mock_top_tokens
from ._options import Choice
from ._options import Flag
from ._options import Integer
from ._options import Number
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
from ._scoring import Scoring
from ._scoring import Secret
from ._store import Store
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

_KWARGS_DESCRIPTION = """
Args:
    questions (list of str): The questions.
    predictions (list of str): The answers to score.
    references (list of str, or list of lists of str): The right answer for each, or several of which the best counts.
    api_key (str): The key of the provider. Defaults to None: its environment variable (OPENAI_API_KEY,
        DEEPSEEK_API_KEY, XAI_API_KEY), or with `base_url` no key. It is never stored.
    provider (str): "openai", "deepseek", "xai", "openai-compatible" (any server, with `base_url`), "transformers" (a
        model in this process), "mock" (no model, only word overlap: to try things out). Defaults to "openai".
    model (str): The judge's name; for "transformers" a Hub id, a path, or a pair of a loaded model and its tokenizer.
        Defaults to "gpt-4o-mini".
    base_url (str): Another address for the provider's API, like "http://localhost:8000/v1". Defaults to None.
    prompt (str): "card", or "spiqa" for the wording of the paper's own script. Defaults to "card".
    top_logprobs (int, at least 2): How many candidates for the first token to look at. Defaults to 5.
    extra_body (dict): Further fields of the request, for servers that need some. Defaults to None.
    max_concurrency (int, 1 to 1000): Calls in flight at a time; for "transformers" the batch size. Defaults to 16.
    request_timeout (float, above 0): Seconds after which a call without an answer is given up and repeated.
        Defaults to 60.0.
    max_retries (int, at least 0): How often a call is repeated after a rate limit, a server's error or a broken
        connection. Defaults to 6.
    use_cache (bool): Keep judgements on disk, and do not pay for one twice. Defaults to True.
    judge_cache_dir (str): Where to keep them. Defaults to None: `l3score` in the Hugging Face cache directory.
    on_error (str): "raise": if judgements fail, have the rest judged, then raise; "skip": leave them out of the mean.
        Defaults to "raise".
    price (pair of float, at least 0): Dollars per million input tokens and per million output tokens. Defaults to
        None: the list price of the provider's model, from `genai-prices`.
    max_cost (float, above 0): Dollars that this call may spend at most; it stops before. Defaults to None: no limit.
    return_confidence (bool): Add `L3Score_confidence_interval`. Defaults to False.
    confidence_level (float, between 0 and 1): The level of the interval. Defaults to 0.95.
    return_details (bool): Add the per-example lists. Defaults to False.
    return_signature (bool): Add `signature`, one line that holds everything that can change a score. Defaults to False.
    bootstrap_seed (int): The seed of the resampling. Defaults to 0.

Returns:
    L3Score (float, 0 to 1): The mean of the individual scores; None if every judgement failed (`on_error="skip"`).
    Cost (float): Dollars that this call spent; None if the price is unknown.
    failed (int): Examples without a judgement; with `on_error="skip"` only.
    individual_scores (list of float, 0 to 1): p(yes) / (p(yes) + p(no)) for each example; None where judging failed.
    p_yes, p_no (lists of float): The probabilities behind it; 0.0 where undecided.
    undecided (list of bool): Whether neither Yes nor No was among the candidates, which scores 0.
    top_tokens (list of lists of str), top_logprobs (list of lists of float): The candidates for the first token.
    cached (list of bool): Whether the judgement was there already, and cost nothing.
    costs (list of float): Dollars spent on each example.
    input_tokens, output_tokens (lists of int): What the judge read and wrote; of the reference that counts.
    served_models, fingerprints (lists of str): What the server says it is.
    failures (list of str): Why judging failed; "" where it did not.
    L3Score_confidence_interval (tuple of two floats): With `return_confidence` only.
    signature (str): With `return_signature` only.

Examples:
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

Judged = tuple[dict[str, Outcome], set[str]]
"""What became of each prompt, and which prompts were judged by an earlier call."""


def extra_fields(options: SimpleNamespace) -> dict[str, Any]:
    """Give the fields of a request beyond the usual ones: the provider's, then the caller's."""
    return {**PROVIDERS[options.provider].rule_for(options.model).extra_body, **(options.extra_body or {})}


def known_price(options: SimpleNamespace) -> Callable[[tuple[int, int, int]], float] | None:
    """Give the price of the judge as a function of token counts, or None."""
    return pricer(PROVIDERS[options.provider].prices, options.model, options.price)


def judge_remotely(prompts: list[str], options: SimpleNamespace) -> Judged:
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
        warnings.warn(f"l3score: Cost is None: {why}; (0, 0) for a server of your own", stacklevel=2)
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
        warnings.warn("l3score: Cost is None: the server did not always say how many tokens it billed", stacklevel=2)
    return outcomes, cached


def judge_of(options: SimpleNamespace) -> LocalJudge:
    """Give the judge in this process.

    Raises:
        ValueError: If no model was named.
        ImportError: Says what to install.
    """
    if options.model == L3Score.defaults()["model"]:
        raise ValueError(
            'l3score: provider="transformers" needs model=: a Hub id, a path, or a pair of a loaded model and its '
            "tokenizer"
        )
    return local_judge(options.model)


def judge_locally(prompts: list[str], options: SimpleNamespace) -> Judged:
    """Have prompts judged by a model in this process, in batches; from the store what is there."""
    judge = judge_of(options)
    identity = [options.provider, judge.identity, options.top_logprobs]
    store, outcomes, missing = open_store(identity, prompts, options)
    cached = set(outcomes)
    with evaluate.utils.logging.tqdm(total=len(missing), desc="Judging", disable=not missing) as bar:
        for index, judgement in judge.judge(
            missing, top_logprobs=options.top_logprobs, batch_size=options.max_concurrency
        ):
            store.put(missing[index], judgement)
            outcomes[missing[index]] = Outcome(judgement, "", 0.0)
            bar.update()
    store.close()
    return outcomes, cached


def open_store(
    judge: list[object], prompts: list[str], options: SimpleNamespace
) -> tuple[Store, dict[str, Outcome], list[str]]:
    """Open the store of judgements; give it, with what it holds of the prompts, and the prompts that are missing."""
    folder = options.judge_cache_dir or Path(evaluate.config.HF_CACHE_HOME) / "l3score"
    store = Store(Path(folder), judge, off=not options.use_cache)
    stored = {prompt: judgement for prompt, judgement in store.get(prompts).items() if is_judgement(judgement)}
    outcomes = {prompt: Outcome(judgement, "", 0.0) for prompt, judgement in stored.items()}
    return store, outcomes, [prompt for prompt in prompts if prompt not in outcomes]


def consolation(options: SimpleNamespace) -> str:
    """Say what becomes of the judgements that did arrive."""
    if options.use_cache:
        return "What arrived is stored: the next run asks and pays only for the rest."
    return "What arrived is lost, as use_cache=False."


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class L3Score(Scoring, evaluate.Metric):
    """Adapter between `evaluate` and the functions above."""

    version = VERSION
    secrets = frozenset({"api_key"})
    inputs = {"questions": Texts(), "predictions": Texts(), "references": Answers()}
    options = {
        "api_key": Key(),
        "provider": Text(also=check_provider),
        "model": Model(),
        "base_url": Text(optional=True, also=lambda address: resolve_address("openai", address)),
        "prompt": Choice(*PROMPTS),
        "top_logprobs": Integer(2),
        "extra_body": Fields(),
        "max_concurrency": Integer(1, 1000),
        "request_timeout": Number(0, math.inf, open_ends=True),
        "max_retries": Integer(0),
        "use_cache": Flag(),
        "judge_cache_dir": Folder(),
        "on_error": Choice("raise", "skip"),
        "price": Price(),
        "max_cost": Dollars(),
        "return_confidence": Flag(),
        "confidence_level": Number(0, 1, open_ends=True),
        "return_details": Flag(),
        "return_signature": Flag(),
        "bootstrap_seed": Integer(0),
    }

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=self.feature_alternatives(),
            reference_urls=["https://arxiv.org/abs/2407.09413", "https://github.com/google/spiqa"],
        )

    def _compute(
        self,
        questions: list[str],
        predictions: list[str],
        references: list[str] | list[list[str]],
        api_key: str | None = None,
        provider: str = "openai",
        model: Any = "gpt-4o-mini",
        base_url: str | None = None,
        prompt: Literal["card", "spiqa"] = "card",
        top_logprobs: int = 5,
        extra_body: dict[str, Any] | None = None,
        max_concurrency: int = 16,
        request_timeout: float = 60.0,
        max_retries: int = 6,
        use_cache: bool = True,
        judge_cache_dir: str | None = None,
        on_error: Literal["raise", "skip"] = "raise",
        price: tuple[float, float] | None = None,
        max_cost: float | None = None,
        return_confidence: bool = False,
        confidence_level: float = 0.95,
        return_details: bool = False,
        return_signature: bool = False,
        bootstrap_seed: int = 0,
    ) -> dict[str, Any]:
        return self._run(locals())

    def _all_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Add what depends on several options together."""
        every = super()._all_options(given)
        provider, model = PROVIDERS[every["provider"]], every["model"]
        if not isinstance(model, str) and provider.kind != "local":
            raise ValueError(f'{self.label}: model must be a name, unless provider="transformers"')
        most = provider.rule_for(model).most_top_logprobs if isinstance(model, str) else provider.most_top_logprobs
        if every["top_logprobs"] > most:
            raise ValueError(
                f"{self.label}: top_logprobs must be between 2 and {most} with provider={every['provider']!r} and "
                f"model={model!r}, got {every['top_logprobs']}"
            )
        if provider.kind == "remote":
            self._named(resolve_address, every["provider"], every["base_url"])
            if every["max_cost"] is not None and known_price(SimpleNamespace(**every)) is None:
                raise ValueError(f"{self.label}: max_cost needs a price: {why_unknown(provider.prices, model)}")
        return every

    def _score(self, inputs: Mapping[str, list[Any]], options: SimpleNamespace) -> dict[str, list[Any]]:
        prompt = PROMPTS[options.prompt]
        kind = PROVIDERS[options.provider].kind
        # Texts that hold lines of the prompt can make one prompt of two triplets. A model cannot tell them apart then;
        # the mock, which reads no prompt, can.
        fill = prompt.fill if kind != "mock" else lambda *triplet: repr(triplet)
        prompts: list[list[str]] = []
        sources: dict[str, tuple[str, str]] = {}
        for question, prediction, reference in zip(*(inputs[name] for name in self.inputs), strict=True):
            several = [reference] if isinstance(reference, str) else reference
            texts = [fill(question, one, prediction) for one in several]
            sources.update((text, (one, prediction)) for text, one in zip(texts, several, strict=True))
            prompts.append(texts)
        if kind == "mock":
            self._warn('provider="mock" is no model: it compares words, for trying things out; its scores mean nothing')
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
        return {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}

    def _scored(self, options: SimpleNamespace) -> tuple[str, ...]:
        return COLUMNS

    def _aggregate(self, columns: dict[str, list[Any]], options: SimpleNamespace) -> dict[str, Any]:
        scores = [score for score in map(plain_value, columns["individual_scores"]) if score is not None]
        failed = len(columns["individual_scores"]) - len(scores)
        if failed and options.on_error == "raise":
            raise JudgeError(f'{failed} examples were not judged; on_error="skip" leaves them out of the mean.')
        mean = math.fsum(scores) / len(scores) if scores else None if failed else 0.0
        undecided = sum(map(bool, columns["undecided"]))
        if undecided:
            self._warn(
                f"{undecided} of {len(scores)} judgements are undecided, with neither Yes nor No among the candidates, "
                "and score 0; is the judge a model that answers in one word, without thinking aloud?"
            )
        cost = None if any(columns["unpriced"]) else math.fsum(columns["costs"])
        result: dict[str, Any] = {"L3Score": mean, "Cost": cost}
        if options.on_error == "skip":
            result["failed"] = failed
        if options.return_confidence:
            result["L3Score_confidence_interval"] = mean_interval(
                scores, mean or 0.0, level=options.confidence_level, seed=options.bootstrap_seed
            )
        if not options.return_details:
            return result
        details = {name: [plain_value(value) for value in column] for name, column in columns.items()}
        priced = zip(details["costs"], details.pop("unpriced"), strict=True)
        return result | details | {"costs": [None if unpriced else cost for cost, unpriced in priced]}

    def _signed(self, options: SimpleNamespace) -> dict[str, Any]:
        provider = PROVIDERS[options.provider]
        signed: dict[str, Any] = {"provider": options.provider}
        if provider.kind == "local":
            judge = judge_of(options)
            signed |= {"model": judge.name, "weights": judge.identity}
        elif provider.kind == "remote":
            host = public_address(resolve_address(options.provider, options.base_url))
            signed |= {"model": public_model(options.model), "host": host}
            if extra := extra_fields(options):
                # As a digest: fields of the caller's may hold anything.
                signed["extra"] = hashlib.sha256(json.dumps(extra, sort_keys=True).encode()).hexdigest()[:12]
        return signed | {"prompt": options.prompt, "top_logprobs": options.top_logprobs, "scoring": SCORING_VERSION}
