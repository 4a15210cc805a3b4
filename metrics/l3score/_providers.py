"""Who can judge: one plain record per provider. Standard library only."""

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
    """One way to reach a judge.

    Attributes:
        kind: Which class of `_judges.py` it is: "remote" (OpenAI's chat API over HTTP), "local" (a model in this
            process) or "mock" (no model).
        base_url: Address of the API; None if the caller must give one, or none is needed.
        key_variable: Environment variable that holds the key; None if no key is needed.
        default_model: The judge where none is named; it was not announced for shutdown on `checked`.
        checked: When the default was chosen.
        length_field: Name of the request's field that limits the answer's length.
        most_top_logprobs: Cap on `top_logprobs`.
        prices: The provider's name in genai-prices; None if it is not priced by model.
        families: What differs for some models.
    """

    kind: Literal["remote", "local", "mock"] = "remote"
    base_url: str | None = None
    key_variable: str | None = None
    default_model: str | None = None
    checked: date | None = None
    length_field: str = "max_completion_tokens"
    most_top_logprobs: int = 20
    prices: str | None = None
    families: tuple[ModelFamily, ...] = ()

    def family(self, model: object) -> ModelFamily:
        """Give what is known about a model."""
        return find_family(self.families, model)

    def candidates(self, model: object) -> int:
        """Give the most candidates for the first token that a model gives."""
        return self.family(model).candidates or self.most_top_logprobs


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
        most_top_logprobs=8,
        prices="x-ai",
        families=XAI_MODELS,
    ),
    # A server of one's own (vLLM, llama.cpp, Ollama, SGLang, a router): no model there has a list price, and many
    # servers ignore the name.
    "openai-compatible": Provider(default_model="default", length_field="max_tokens"),
    "transformers": Provider(kind="local", most_top_logprobs=1000),
    "mock": Provider(kind="mock", default_model="mock", most_top_logprobs=1000),
}

# Known for not giving log-probabilities, so that the error can say so at once.
WITHOUT_LOGPROBS = frozenset({"anthropic", "groq", "lmstudio", "mistral"})

# Servers without authentication want some key all the same, and the real one must not go to a foreign address.
PLACEHOLDER_KEY = "no-key"


def check_provider(value: str) -> None:
    """Refuse, by ValueError, what is not the name of a provider that can judge."""
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
    """The key to send.

    Args:
        name: The provider.
        api_key: The key that the caller gave, if any.
        base_url: The address that the caller gave, if any. A key from the environment is meant for the provider's own
            address, so it is not sent to this one.

    Raises:
        ValueError: No key, or one that no HTTP header can carry. The message never repeats it.
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
        raise ValueError(f"{origin} holds a character that no key has (a space, a line break, a non-ASCII letter).")
    return key


def resolve_address(name: str, base_url: str | None) -> str:
    """The address to ask; ValueError if there is none or it is not an HTTP URL."""
    address = PROVIDERS[name].base_url if base_url is None else base_url
    if address is None:
        raise ValueError(f"provider={name!r} needs base_url=, for example 'http://localhost:8000/v1'.")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("base_url must be an address like 'http://localhost:8000/v1'.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # The HTTP library writes addresses to its log as they are.
        raise ValueError("base_url must not hold a user, a password or a query: pass a key as api_key=.")
    return address


def environment_headers(name: str, base_url: str | None) -> dict[str, str]:
    """Header fields that the environment holds for OpenAI; none for any other address."""
    if name != "openai" or base_url is not None:
        return {}
    fields = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}
    return {field: os.environ[variable] for field, variable in fields.items() if os.environ.get(variable)}


def public_address(address: str) -> str:
    """Host, port and path of an address: what tells one server from another."""
    parts = urlsplit(address)
    return parts.netloc + parts.path.rstrip("/")


def public_model(name: str) -> str:
    """A model's name without the path to it, which servers of one's own may have for a name."""
    return name.rstrip("/").rpartition("/")[2] if name.startswith(("/", "./", "../", "~")) else name
