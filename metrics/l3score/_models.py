"""Facts about judge models: one dated record per family. Standard library only.

A new family needs a record and a line in `tests/unit/test_l3score_models.py`. All facts are from documentation and
public reports as of the date of the record; no provider was called. docs/judges.md lists the sources.
"""

from collections.abc import Mapping
from datetime import date
from datetime import timedelta
from types import MappingProxyType
from typing import NamedTuple

_NOTHING: Mapping[str, object] = MappingProxyType({})
_NO_REASONING: Mapping[str, object] = MappingProxyType({"reasoning_effort": "none"})
_NOTICE = timedelta(days=183)
_READ = date(2026, 11, 21)


class ModelFamily(NamedTuple):
    """Settings for the models whose names begin with a prefix; the first matching record is used.

    Attributes:
        prefix: Prefix of the model names.
        checked: Date of the sources.
        candidates: Maximum number of candidates for the first token; None: as for the provider.
        extra_body: Additional fields of a request for log-probabilities.
        min_output: Minimum number of output tokens that a request must allow.
        logprobs: Whether they return log-probabilities at all.
        shutdown: Date of their shutdown.
        successor: The model to use instead.
        price_name: Their name in genai-prices, if different.
    """

    prefix: str
    checked: date = _READ
    candidates: int | None = None
    extra_body: Mapping[str, object] = _NOTHING
    min_output: int = 1
    logprobs: bool = True
    shutdown: date | None = None
    successor: str = ""
    price_name: str = ""


def _reasoning_off(prefix: str, shutdown: date | None = None, successor: str = "") -> ModelFamily:
    """OpenAI models since 5.1: log-probabilities only without reasoning, five candidates, at least four tokens."""
    return ModelFamily(
        prefix, candidates=5, extra_body=_NO_REASONING, min_output=4, shutdown=shutdown, successor=successor
    )


def _no_logprobs(prefix: str, shutdown: date | None = None, successor: str = "") -> ModelFamily:
    return ModelFamily(prefix, logprobs=False, shutdown=shutdown, successor=successor)


_LUNA = "gpt-6-luna"
_OCTOBER, _DECEMBER = date(2026, 10, 23), date(2026, 12, 11)
_JANUARY, _APRIL = date(2027, 1, 14), date(2027, 4, 1)

OPENAI_MODELS = (
    ModelFamily("gpt-4.1-nano", shutdown=_OCTOBER, successor=_LUNA),
    ModelFamily("gpt-4o-2024-05-13", shutdown=_OCTOBER, successor=_LUNA),
    ModelFamily("gpt-4o", shutdown=_JANUARY, successor=_LUNA),
    ModelFamily("gpt-4.1", shutdown=_JANUARY, successor=_LUNA),
    ModelFamily("gpt-4", shutdown=_OCTOBER, successor=_LUNA),
    ModelFamily("gpt-3.5", shutdown=_OCTOBER, successor=_LUNA),
    _no_logprobs("o1", _OCTOBER, _LUNA),
    _no_logprobs("o3-mini", _OCTOBER, _LUNA),
    _no_logprobs("o3", _DECEMBER, _LUNA),
    _no_logprobs("o4-mini", _OCTOBER, _LUNA),
    _reasoning_off("gpt-5.1", _APRIL, _LUNA),
    _reasoning_off("gpt-5.4-nano", _APRIL, _LUNA),
    _reasoning_off("gpt-5."),
    _no_logprobs("gpt-5", _DECEMBER, _LUNA),
    # These two always reason.
    _no_logprobs("gpt-6-astra"),
    _no_logprobs("gpt-6.1-sol"),
    _reasoning_off("gpt-6"),
)

# They reason by default, so the first token would not be the answer.
_THINKING_OFF: Mapping[str, object] = MappingProxyType({"thinking": {"type": "disabled"}})
_JULY = date(2026, 7, 24)

DEEPSEEK_MODELS = (
    ModelFamily("deepseek-chat", extra_body=_THINKING_OFF, shutdown=_JULY, successor="deepseek-flash"),
    ModelFamily("deepseek-reasoner", extra_body=_THINKING_OFF, shutdown=_JULY, successor="deepseek-flash"),
    ModelFamily("deepseek-", extra_body=_THINKING_OFF),
)

_GROK_NONE = "grok-4.20-non-reasoning"
_MAY = date(2026, 5, 15)

XAI_MODELS = (
    ModelFamily("grok-4-1-fast", shutdown=_MAY, successor=_GROK_NONE),
    ModelFamily("grok-4-fast", shutdown=_MAY, successor=_GROK_NONE),
    ModelFamily("grok-4-0709", shutdown=_MAY, successor=_GROK_NONE),
    ModelFamily("grok-3", shutdown=_MAY, successor=_GROK_NONE),
    # genai-prices has one name for both variants.
    ModelFamily("grok-4.20", price_name="grok-4.20"),
    # Whether these return log-probabilities is unconfirmed.
    ModelFamily("grok-4.3", extra_body=_NO_REASONING),
)


def find_family(families: tuple[ModelFamily, ...], model: object) -> ModelFamily:
    """Return the record of a model, or a default one."""
    name = model if isinstance(model, str) else ""
    return next((family for family in families if name.startswith(family.prefix)), ModelFamily(""))


def retirement_notice(family: ModelFamily, model: str, today: date) -> str:
    """Return a warning about a model's shutdown and its successor; empty if the shutdown is not near."""
    if family.shutdown is None or family.shutdown - today > _NOTICE:
        return ""
    verb = "was shut down" if family.shutdown <= today else "will be shut down"
    day = f"{family.shutdown:%B} {family.shutdown.day}, {family.shutdown.year}"
    successor = f"; its successor is model={family.successor!r}" if family.successor else ""
    return f"the model {model!r} {verb} on {day} (checked {family.checked.isoformat()}){successor}"
