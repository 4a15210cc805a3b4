"""Providers of judges: one record per provider. Standard library only."""

import os
import re
from collections.abc import Mapping
from datetime import date
from typing import Literal
from typing import NamedTuple
from urllib.parse import urlsplit

from ._models import DEEPSEEK_MODELS
from ._models import OPENAI_MODELS
from ._models import XAI_MODELS
from ._models import ModelFamily
from ._models import find_family


class Provider(NamedTuple):
    """The settings of a provider.

    Attributes:
        kind: The kind of judge in `_judges.py`: "remote" (OpenAI's chat API over HTTP), "local" (a model in this
            process) or "mock" (no model).
        base_url: Address of the API; None if the caller must give one, or none is needed.
        key_variable: Environment variable of the key; None if no key is needed.
        default_model: The default judge, for which no shutdown was announced as of `checked`.
        checked: Date on which the default was chosen.
        length_field: Request field that limits the length of the answer.
        max_top_logprobs: Maximum of `top_logprobs`.
        prices: The provider's name in genai-prices; None if it has no list prices.
        families: Settings of model families.
    """

    kind: Literal["remote", "local", "mock"] = "remote"
    base_url: str | None = None
    key_variable: str | None = None
    default_model: str | None = None
    checked: date | None = None
    length_field: str = "max_completion_tokens"
    max_top_logprobs: int = 20
    prices: str | None = None
    families: tuple[ModelFamily, ...] = ()

    def family(self, model: object) -> ModelFamily:
        """Return the settings of a model's family."""
        return find_family(self.families, model)

    def candidates(self, model: object) -> int:
        """Return the maximum number of candidates for the first token that a model returns."""
        return self.family(model).candidates or self.max_top_logprobs


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(
        base_url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        default_model="gpt-6-luna",
        checked=date(2026, 11, 21),
        prices="openai",
        families=OPENAI_MODELS,
    ),
    "deepseek": Provider(
        base_url="https://api.deepseek.com",
        key_variable="DEEPSEEK_API_KEY",
        default_model="deepseek-flash",
        checked=date(2026, 11, 21),
        length_field="max_tokens",
        prices="deepseek",
        families=DEEPSEEK_MODELS,
    ),
    "xai": Provider(
        base_url="https://api.x.ai/v1",
        key_variable="XAI_API_KEY",
        default_model="grok-4.20-non-reasoning",
        checked=date(2026, 11, 21),
        max_top_logprobs=8,
        prices="x-ai",
        families=XAI_MODELS,
    ),
    # A self-hosted server (vLLM, llama.cpp, Ollama, SGLang, a router): its models have no list prices, and many servers
    # ignore the model name.
    "openai-compatible": Provider(default_model="default", length_field="max_tokens"),
    "transformers": Provider(kind="local", max_top_logprobs=1000),
    "mock": Provider(kind="mock", default_model="mock", max_top_logprobs=1000),
}

# Providers known not to return log-probabilities, for a specific error message.
WITHOUT_LOGPROBS = frozenset({"anthropic", "groq", "lmstudio", "mistral"})

# Servers without authentication still expect some key, and the provider's key must not be sent to another address.
PLACEHOLDER_KEY = "no-key"


def check_provider(value: str) -> None:
    """Raise a `ValueError` unless the value is the name of a provider."""
    if value in PROVIDERS:
        return
    if value.lower() in WITHOUT_LOGPROBS:
        raise ValueError(
            f"provider={value!r} offers no log-probabilities, which L3Score needs. Expected one of: {_names()}. "
            'With scoring="votes" pass its OpenAI-compatible address as base_url=.'
        )
    raise ValueError(
        f"provider must be one of: {_names()}; got {value!r}. "
        "Any other server with an OpenAI-compatible API is reached by base_url=."
    )


def _names() -> str:
    return ", ".join(map(repr, PROVIDERS))


def resolve_key(name: str, api_key: str | None, base_url: str | None) -> str:
    """Return the key to send.

    Args:
        name: The provider.
        api_key: The key given by the caller, if any.
        base_url: The address given by the caller, if any. A key from the environment is for the provider's address, so
            it is not sent to this one.

    Raises:
        ValueError: If there is no key, or it is invalid in an HTTP header. The message never contains it.
    """
    variable = PROVIDERS[name].key_variable
    origin = "api_key"
    if api_key is None and base_url is None and variable is not None:
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
    address = PROVIDERS[name].base_url if base_url is None else base_url
    if address is None:
        raise ValueError(f"provider={name!r} needs base_url=, for example 'http://localhost:8000/v1'.")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("base_url must be an address like 'http://localhost:8000/v1'.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # Addresses can end up in logs.
        raise ValueError("base_url must not contain a user, a password or a query: pass a key as api_key=.")
    return address


def environment_headers(name: str, base_url: str | None) -> dict[str, str]:
    """Return OpenAI's header fields from the environment; none for any other address."""
    if name != "openai" or base_url is not None:
        return {}
    fields = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}
    return {field: os.environ[variable] for field, variable in fields.items() if os.environ.get(variable)}


def public_address(address: str) -> str:
    """Return host, port and path of an address, which identify a server."""
    parts = urlsplit(address)
    return parts.netloc + parts.path.rstrip("/")


def public_model(name: str) -> str:
    """Return a model's name without its path, which self-hosted servers may use as the name."""
    return name.rstrip("/").rpartition("/")[2] if name.startswith(("/", "./", "../", "~")) else name
