"""What is known about providers and their models: addresses, keys, limits, shutdowns, prices. Standard library only.

All facts are from documentation and public reports as of the date of the record; docs/judges.md lists the sources.
"""

import os
import re
import time
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

Usage = tuple[int, int, int]  # tokens of one request: input, of these from the provider's prompt cache, output
Price = Callable[[Usage], float]  # the dollars for these tokens

# Servers without authentication still expect some key, and the provider's key must not be sent to another address.
PLACEHOLDER_KEY = "no-key"
# Providers known not to return log-probabilities, for a specific error message.
WITHOUT_LOGPROBS = frozenset({"anthropic", "groq", "lmstudio", "mistral"})
STANDARD_TIERS = frozenset({"auto", "default", "standard"})  # that list prices are for

_NOTICE = timedelta(days=183)
_READ = date(2026, 11, 21)  # when the sources of all records were read
_NO_REASONING: Mapping[str, object] = {"reasoning_effort": "none"}
# DeepSeek's models reason by default, so the first token would not be the answer.
_THINKING_OFF: Mapping[str, object] = {"thinking": {"type": "disabled"}}


# ---- records


class ModelFamily(NamedTuple):
    """Settings for the models whose names begin with one of the prefixes; the longest matching prefix counts."""

    prefixes: tuple[str, ...] = ()
    candidates: int | None = None  # maximum number for the first token; None: as for the provider
    extra_body: Mapping[str, object] = {}  # additional fields of a request for log-probabilities
    min_output: int = 1  # minimum number of output tokens that a request must allow
    logprobs: bool = True  # whether they return log-probabilities at all
    shutdown: date | None = None
    successor: str = ""  # the model to use instead; "" if no shutdown was announced
    price_name: str = ""  # their name in genai-prices, if different

    def retirement_notice(self, model: str, today: date) -> str:
        """Return a warning about a model's shutdown and its successor; empty if the shutdown is not near."""
        if self.shutdown is None or self.shutdown - today > _NOTICE:
            return ""
        verb = "was shut down" if self.shutdown <= today else "will be shut down"
        day = f"{self.shutdown:%B} {self.shutdown.day}, {self.shutdown.year} (checked {_READ.isoformat()})"
        return f"the model {model!r} {verb} on {day}; its successor is model={self.successor!r}"


class Provider(NamedTuple):
    """The settings of a provider."""

    kind: Literal["remote", "local", "mock"] = "remote"  # OpenAI's chat API over HTTP, a model in this process, none
    base_url: str | None = None  # None if the caller must give one, or none is needed
    key_variable: str | None = None  # environment variable of the key; None if no key is needed
    default_model: str | None = None  # no shutdown was announced as of `_READ`
    length_field: str = "max_completion_tokens"  # request field that limits the length of the answer
    max_top_logprobs: int = 20
    prices: str | None = None  # the provider's name in genai-prices; None if it has no list prices
    families: tuple[ModelFamily, ...] = ()

    def family(self, model: object) -> ModelFamily:
        """Return the settings of a model's family, or default ones."""
        name = model if isinstance(model, str) else ""
        matches = {prefix: family for family in self.families for prefix in family.prefixes if name.startswith(prefix)}
        return matches[max(matches, key=len)] if matches else ModelFamily()

    def candidates(self, model: object) -> int:
        """Return the maximum number of candidates for the first token that a model returns."""
        return self.family(model).candidates or self.max_top_logprobs


_LUNA, _FLASH, _GROK = "gpt-6-luna", "deepseek-flash", "grok-4.20-non-reasoning"
_OCTOBER: dict[str, Any] = {"shutdown": date(2026, 10, 23), "successor": _LUNA}
_DECEMBER: dict[str, Any] = {"shutdown": date(2026, 12, 11), "successor": _LUNA}
_REASONING_OFF: dict[str, Any] = {"candidates": 5, "extra_body": _NO_REASONING, "min_output": 4}
_OPENAI_MODELS = (
    ModelFamily(("gpt-3.5", "gpt-4", "gpt-4.1-nano", "gpt-4o-2024-05-13"), **_OCTOBER),
    ModelFamily(("gpt-4.1", "gpt-4o"), shutdown=date(2027, 1, 14), successor=_LUNA),
    ModelFamily(("o1", "o3-mini", "o4-mini"), logprobs=False, **_OCTOBER),
    ModelFamily(("gpt-5", "o3"), logprobs=False, **_DECEMBER),
    ModelFamily(("gpt-5.1", "gpt-5.4-nano"), **_REASONING_OFF, shutdown=date(2027, 4, 1), successor=_LUNA),
    ModelFamily(("gpt-5.", "gpt-6"), **_REASONING_OFF),
    ModelFamily(("gpt-6-astra", "gpt-6.1-sol"), logprobs=False),  # these always reason
)
_DEEPSEEK_MODELS = (
    ModelFamily(("deepseek-",), extra_body=_THINKING_OFF),
    ModelFamily(
        ("deepseek-chat", "deepseek-reasoner"), extra_body=_THINKING_OFF, shutdown=date(2026, 7, 24), successor=_FLASH
    ),
)
_XAI_MODELS = (
    ModelFamily(("grok-3", "grok-4-0709", "grok-4-1-fast", "grok-4-fast"), shutdown=date(2026, 5, 15), successor=_GROK),
    ModelFamily(("grok-4.20",), price_name="grok-4.20"),  # genai-prices has one name for both variants
    ModelFamily(("grok-4.3",), extra_body=_NO_REASONING),  # whether these return log-probabilities is unconfirmed
)

PROVIDERS: dict[str, Provider] = {
    "openai": Provider(
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        default_model=_LUNA,
        prices="openai",
        families=_OPENAI_MODELS,
    ),
    "deepseek": Provider(
        base_url="https://api.deepseek.com",
        key_variable="DEEPSEEK_API_KEY",
        default_model=_FLASH,
        length_field="max_tokens",
        prices="deepseek",
        families=_DEEPSEEK_MODELS,
    ),
    "xai": Provider(
        base_url="https://api.x.ai/v1",
        key_variable="XAI_API_KEY",
        default_model=_GROK,
        max_top_logprobs=8,
        prices="x-ai",
        families=_XAI_MODELS,
    ),
    # A self-hosted server (vLLM, llama.cpp, Ollama, SGLang, a router): its models have no list prices, and many servers
    # ignore the model name.
    "openai-compatible": Provider(default_model="default", length_field="max_tokens"),
    "transformers": Provider(kind="local", max_top_logprobs=1000),
    "mock": Provider(kind="mock", default_model="mock", max_top_logprobs=1000),
}


# ---- addresses and keys


def check_provider(value: str) -> str:
    """Return the name of a provider, or raise a `ValueError`."""
    if value in PROVIDERS:
        return value
    names = ", ".join(map(repr, PROVIDERS))
    why = f"provider must be one of: {names}; got {value!r}."
    advice = "Any other server with an OpenAI-compatible API is reached by base_url=."
    if value.lower() in WITHOUT_LOGPROBS:
        why = f"provider={value!r} offers no log-probabilities, which L3Score needs. Expected one of: {names}."
        advice = 'With scoring="votes" pass its OpenAI-compatible address as base_url=.'
    raise ValueError(f"{why} {advice}")


def resolve_key(name: str, api_key: str | None, base_url: str | None, variable: str | None = None) -> str:
    """Return the key to send: the given one, else that of the given variable or, without a `base_url`, the provider's.

    A `ValueError` says that there is none, or that it is invalid in an HTTP header, and never contains it.
    """
    origin = "api_key"
    if variable is None and base_url is None:
        variable = PROVIDERS[name].key_variable
    if api_key is None and variable is not None:
        api_key, origin = os.environ.get(variable), f"the environment variable {variable}"
        if not (api_key or "").strip():
            raise ValueError(
                f"provider={name!r} needs a key: pass api_key= or set the environment variable {variable}."
            )
    key = (api_key or "").strip() or PLACEHOLDER_KEY
    if not re.fullmatch(r"[!-~]+", key):
        del api_key, key  # a traceback may show variables
        raise ValueError(f"{origin} contains a character that no key has (a space, a line break, a non-ASCII letter).")
    return key


def resolve_address(name: str, base_url: str | None) -> str:
    """Return the address of the API, or raise a `ValueError` if there is none or it is not an HTTP URL."""
    origin = "base_url"
    if name == "openai" and base_url is None and os.environ.get("OPENAI_BASE_URL", "").strip():
        # As the `openai` package does.
        base_url, origin = os.environ["OPENAI_BASE_URL"], "OPENAI_BASE_URL"
    address = PROVIDERS[name].base_url if base_url is None else base_url.strip()
    if address is None:
        raise ValueError(f"provider={name!r} needs base_url=, for example 'http://localhost:8000/v1'.")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or not address.isprintable():
        raise ValueError(f"{origin} must be an address like 'http://localhost:8000/v1'.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # Addresses can end up in logs.
        raise ValueError(f"{origin} must not contain a user, a password or a query: pass a key as api_key=.")
    return address


def public_address(address: str) -> str:
    """Return host, port and path of an address, which identify a server."""
    parts = urlsplit(address)
    return parts.netloc + parts.path.rstrip("/")


# ---- prices


def pricer(provider: str | None, model: str, price: tuple[float, float] | None) -> Price | None:
    """Return the price of a model: `price`, dollars per million tokens, else that of genai-prices; None if unknown."""
    if price is not None:
        return lambda usage: (usage[0] * price[0] + usage[2] * price[1]) / 1e6
    if provider is None:
        return None
    try:
        import genai_prices  # only paid judges need it
    except ImportError:
        return None

    # Per request, since prices per token depend on length tiers and the time of day; cached, since a lookup takes
    # longer than everything else that is done for a call.
    @lru_cache(maxsize=4096)
    def listed(usage: Usage, _minute: int) -> float:
        tokens = genai_prices.Usage(input_tokens=usage[0], cache_read_tokens=usage[1], output_tokens=usage[2])
        return float(genai_prices.calc_price(tokens, model_ref=model, provider_id=provider).total_price)

    try:
        listed((1, 0, 1), 0)
    except LookupError:
        return None
    return lambda usage: listed(usage, int(time.time() // 60))
