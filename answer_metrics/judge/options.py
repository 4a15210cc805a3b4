"""The options of l3score, and the checks of those that only judges have."""

import contextlib
import json
import numbers
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from answer_metrics.columns.reasoning import MARKS_TYPE, REASONING_HELP, REASONING_MARKS_HELP, Marks, check_marks
from answer_metrics.core.options import Option, Options, Secret, declared, did_you_mean, option
from answer_metrics.judge.logprobs import make_prompt
from answer_metrics.judge.registry import check_provider, resolve_address

PromptName = Literal["card", "spiqa", "guarded"]


def _check_key(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a string or None, got a {type(value).__name__}")
    if not value.strip():
        raise ValueError(f"{name} is empty; leave it out to use the provider's environment variable")
    return Secret(value)


def _check_text(name: str, value: Any, alternative: str = "") -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name} must be a string{alternative}, got {value!r} ({type(value).__name__})")
    return str.__str__(value)


def _check_variable(name: str, value: Any) -> str:
    if isinstance(value, str) and value.isascii() and value.isidentifier():
        return value
    # Not shown: it may be a key by mistake.
    raise ValueError(f"{name} must be the name of an environment variable or None, not a key")


def _check_prompt(name: str, value: Any) -> Any:
    if not isinstance(value, Mapping):
        return Option(name, PromptName, "card").check(value)
    plain = dict(value)
    for key in [key for key in plain if key != "template"]:
        answers = [value[key]] if isinstance(value[key], str) else value[key]
        if not isinstance(answers, (list, tuple)) or not all(isinstance(answer, str) for answer in answers):
            raise ValueError(f"{name}[{key!r}] must be a list of strings")
        plain[key] = list(map(str.__str__, answers))
    try:
        make_prompt(plain)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return plain


def _check_address(name: str, value: Any) -> str:
    text = _check_text(name, value, " or None")
    resolve_address("openai", text)
    return text


def _check_model(name: str, value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    is_pair = isinstance(value, (tuple, list)) and len(value) == 2
    if value is None or is_pair or (isinstance(value, str) and value):
        return value
    pair = 'with provider="transformers" a pair of a loaded model and its tokenizer'
    raise ValueError(f"{name} must be the name of a model or None, or {pair}, got a {type(value).__name__}")


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max  # type: ignore[operator]


def _check_dollars(name: str, value: Any) -> float:
    if _is_number(value) and value > 0:
        return float(value)
    raise ValueError(f"{name} must be a positive number of dollars or None, got {value!r} ({type(value).__name__})")


def _check_price(name: str, value: Any) -> tuple[float, float]:
    if not isinstance(value, (tuple, list)) or len(value) != 2 or not all(map(_is_number, value)):
        dollars = "dollars per million input tokens and per million output tokens"
        raise ValueError(f"{name} must be a pair of numbers, {dollars}, or None, got {value!r}")
    return float(value[0]), float(value[1])


def _check_folder(name: str, value: Any) -> str:
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise ValueError(f"{name} must be a path or None, got {value!r} ({type(value).__name__})")
    return os.path.expanduser(str(value))  # kept as a string, like every option


def _check_fields(name: str, value: Any) -> dict[str, Any]:
    with contextlib.suppress(TypeError, ValueError):
        if isinstance(value, dict):
            return dict(json.loads(json.dumps(value)))
    raise ValueError(f"{name} must be a JSON-serializable dictionary or None, got a {type(value).__name__}")


class Juror(dict[str, Any]):
    """The settings of one judge of a panel; its key is not pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, ({name: value for name, value in self.items() if name != "api_key"},)


_SETTINGS = ("name", "provider", "model", "base_url", "api_key", "api_key_env", "extra_body", "price", "top_logprobs")


def _check_jurors(name: str, value: Any) -> list[Juror]:
    if not isinstance(value, (list, tuple)) or not value or not all(isinstance(juror, Mapping) for juror in value):
        raise ValueError(f"{name} must be a list of dictionaries, one for each judge, or None")
    options = declared(JudgeOptions) | {"name": Option("name", str, None, custom=_check_text)}
    for index, settings in enumerate(value):
        if unknown := [key for key in settings if key not in _SETTINGS]:
            meant, names = did_you_mean(unknown[0], _SETTINGS), ", ".join(_SETTINGS)
            raise ValueError(f"{name}[{index}] has no setting {unknown[0]!r}{meant}; its settings are {names}")
    return [
        Juror({key: replace(options[key], name=f"{name}[{index}][{key!r}]").check(item) for key, item in juror.items()})
        for index, juror in enumerate(value)
    ]


@dataclass(frozen=True, kw_only=True)
class JudgeOptions(Options):
    """The options of l3score."""

    api_key: str | None = option(
        None,
        "The provider's API key. None: its environment variable (OPENAI_API_KEY, DEEPSEEK_API_KEY, XAI_API_KEY), "
        "or no key with `base_url`. Never stored.",
        custom=_check_key,
    )
    api_key_env: str | None = option(
        None,
        "Environment variable that holds the key, also for a `base_url`; unlike `api_key`, it reaches other processes.",
        custom=_check_variable,
    )
    provider: str = option(
        "openai",
        "openai, deepseek, xai, openai-compatible (any server, with `base_url`), transformers (a model in this "
        "process), mock (no model, word overlap only, for testing).",
        custom=lambda name, value: check_provider(_check_text(name, value)),
    )
    model: Any = option(
        None,
        "The judge model; for transformers a Hub id, a path, or a loaded model and its tokenizer. None: the "
        "provider's default.",
        custom=_check_model,
        custom_type="str, or pair of a model and its tokenizer",
    )
    base_url: str | None = option(
        None, "API address that replaces the provider's, such as http://localhost:8000/v1.", custom=_check_address
    )
    judges: list[dict[str, Any]] | None = option(
        None,
        "A panel of judges: a dict for each, with `name`, `provider`, `model`, `base_url`, `api_key` or "
        "`api_key_env`, `extra_body`, `price` and `top_logprobs` as needed.",
        custom=_check_jurors,
        custom_type="list of dict",
    )
    prompt: PromptName | dict[str, Any] = option(
        "card",
        "card: as on the original metric card; spiqa: as in the paper's script (other line breaks, and `yeah` counts "
        "as Yes); guarded: puts both answers between random delimiters and repeats the question after them, against "
        "answers that instruct the judge. Or a dict with a `template`, which has {question}, {reference} and "
        "{answer}, and lists of the replies that mean `yes` and `no`.",
        custom=_check_prompt,
        custom_type='"card", "spiqa", "guarded", or dict',
    )
    references_in_prompt: Literal["each", "all"] = option(
        "each", "each: one prompt per reference, and the best score counts; all: one prompt with all references."
    )
    reasoning: Literal["drop", "keep"] = option("drop", REASONING_HELP)
    reasoning_marks: Marks = option(
        None, REASONING_MARKS_HELP, custom=check_marks, custom_type=MARKS_TYPE, needs=("reasoning", "drop")
    )
    scoring: Literal["logprobs", "votes"] = option(
        "logprobs",
        "logprobs: from the first token's probabilities; votes: from sampled replies, as `vote_share`.",
    )
    samples: int = option(8, "Replies to sample per prompt.", low=1, high=128, needs=("scoring", "votes"))
    top_logprobs: int = option(5, "Number of first-token candidates to request.", low=2, needs=("scoring", "logprobs"))
    extra_body: dict[str, Any] | None = option(
        None, "Additional request fields.", custom=_check_fields, custom_type="dict"
    )
    max_concurrency: int = option(16, "Maximum calls in flight; for transformers, the batch size.", low=1, high=1000)
    request_timeout: float = option(60.0, "Seconds to wait for a complete reply.", low=0, exclusive=True)
    max_retries: int = option(6, "Maximum retries after a rate limit, server error or broken connection.", low=0)
    use_cache: bool = option(True, "Store judgments on disk, so that none is paid for twice.")
    judge_cache_dir: str | None = option(
        None, "Directory of the store; None: `l3score` in the Hugging Face cache directory.", custom=_check_folder
    )
    on_error: Literal["raise", "skip"] = option(
        "raise", "raise: judge all examples, then raise if any failed; skip: leave failed examples out of the mean."
    )
    price: tuple[float, float] | None = option(
        None,
        "Dollars per million input tokens and per million output tokens. None: the list price from `genai-prices`.",
        custom=_check_price,
        custom_type="pair of float, at least 0",
    )
    max_cost: float | None = option(
        None,
        "Maximum dollars to spend in this call.",
        custom=_check_dollars,
        custom_type="float, above 0",
    )
    dry_run: bool = option(False, "Make no calls; estimate their number and cost.")
