"""The options of l3score."""

import math
from dataclasses import dataclass
from typing import Annotated
from typing import Any
from typing import Literal

from ._judge_option_kinds import Dollars
from ._judge_option_kinds import Fields
from ._judge_option_kinds import Folder
from ._judge_option_kinds import Jurors
from ._judge_option_kinds import Key
from ._judge_option_kinds import Model
from ._judge_option_kinds import Price
from ._judge_option_kinds import Text
from ._options import Choice
from ._options import Flag
from ._options import Integer
from ._options import Number
from ._options import ScoringOptions
from ._prompts import PROMPTS
from ._providers import check_provider
from ._providers import resolve_address


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(ScoringOptions):
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
                "process), mock (no model, word overlap only, for testing)."
            ),
        ),
    ] = "openai"
    model: Annotated[
        Any,
        Model(
            help=(
                "Name of the judge model; for transformers a Hub id, a path, or a pair of a loaded model and its "
                "tokenizer. None: the provider's default."
            )
        ),
    ] = None
    base_url: Annotated[
        str | None,
        Text(
            optional=True,
            also=lambda address: resolve_address("openai", address),
            help="Address of the API instead of the provider's, such as http://localhost:8000/v1.",
        ),
    ] = None
    judges: Annotated[
        Any,
        Jurors(
            help=(
                "A panel of judges: one dictionary per judge, with its `provider`, `model`, `base_url`, `api_key`, "
                "`extra_body`, `price`, `top_logprobs` as needed, and a `name`. None: one judge."
            )
        ),
    ] = None
    prompt: Annotated[
        Literal["card", "spiqa", "guarded"],
        Choice(
            *PROMPTS,
            help=(
                "card: the wording of the original metric card; spiqa: that of the paper's script; guarded: protects "
                "against answers that instruct the judge."
            ),
        ),
    ] = "card"
    references_in_prompt: Annotated[
        Literal["each", "all"],
        Choice(
            "each", "all", help="each: one prompt per reference, and the best score counts; all: one prompt for all."
        ),
    ] = "each"
    scoring: Annotated[
        Literal["logprobs", "votes"],
        Choice(
            "logprobs",
            "votes",
            help="logprobs: from the first token; votes: the share of Yes among sampled answers, as `vote_share`.",
        ),
    ] = "logprobs"
    samples: Annotated[
        int, Integer(1, 128, help="Number of answers to sample for each prompt.", requires=("scoring", "votes"))
    ] = 8
    top_logprobs: Annotated[
        int, Integer(2, help="Number of candidates for the first token to request.", requires=("scoring", "logprobs"))
    ] = 5
    extra_body: Annotated[dict[str, Any] | None, Fields(help="Additional fields of the request.")] = None
    max_concurrency: Annotated[
        int, Integer(1, 1000, help="Maximum number of calls in flight; for transformers the batch size.")
    ] = 16
    request_timeout: Annotated[
        float,
        Number(0, math.inf, exclusive=True, help="Seconds after which a call without a complete answer is abandoned."),
    ] = 60.0
    max_retries: Annotated[
        int,
        Integer(0, help="Maximum number of retries after a rate limit, a server error or a broken connection."),
    ] = 6
    use_cache: Annotated[bool, Flag(help="Store judgments on disk, so that none is paid for twice.")] = True
    judge_cache_dir: Annotated[
        str | None, Folder(help="Directory of the store; None: `l3score` in the Hugging Face cache directory.")
    ] = None
    on_error: Annotated[
        Literal["raise", "skip"],
        Choice(
            "raise",
            "skip",
            help="raise: judge all examples, then raise if any failed; skip: leave failed ones out of the mean.",
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
        float | None, Dollars(help="Maximum dollars that this call may spend; it stops before. None: no limit.")
    ] = None
    dry_run: Annotated[bool, Flag(help="Make no calls; return estimates of their number and cost.")] = False
