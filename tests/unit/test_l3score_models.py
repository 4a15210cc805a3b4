"""The registry of judge models: the requirements of each family, and defaults that are not near shutdown."""

import json
from datetime import date
from datetime import timedelta
from typing import Any

import pytest

from metrics.l3score._models import DEEPSEEK_MODELS
from metrics.l3score._models import OPENAI_MODELS
from metrics.l3score._models import XAI_MODELS
from metrics.l3score._models import ModelFamily
from metrics.l3score._models import find_family
from metrics.l3score._models import retirement_notice
from metrics.l3score._prices import pricer
from metrics.l3score._providers import PROVIDERS

# model, candidates, extra_body, min_output, logprobs, shutdown
MODELS: list[tuple[str, str, int, dict[str, Any], int, bool, str | None]] = [
    ("openai", "gpt-6-luna", 5, {"reasoning_effort": "none"}, 4, True, None),
    ("openai", "gpt-5.6-luna", 5, {"reasoning_effort": "none"}, 4, True, None),
    ("openai", "gpt-5.4-mini", 5, {"reasoning_effort": "none"}, 4, True, None),
    ("openai", "gpt-5.4-nano", 5, {"reasoning_effort": "none"}, 4, True, "2027-04-01"),
    ("openai", "gpt-5.1", 5, {"reasoning_effort": "none"}, 4, True, "2027-04-01"),
    ("openai", "gpt-5-mini", 20, {}, 1, False, "2026-12-11"),
    ("openai", "gpt-6-astra", 20, {}, 1, False, None),
    ("openai", "gpt-6.1-sol", 20, {}, 1, False, None),
    ("openai", "gpt-4o-mini", 20, {}, 1, True, "2027-01-14"),
    ("openai", "gpt-4o-2024-05-13", 20, {}, 1, True, "2026-10-23"),
    ("openai", "gpt-4.1-mini", 20, {}, 1, True, "2027-01-14"),
    ("openai", "gpt-4.1-nano", 20, {}, 1, True, "2026-10-23"),
    ("openai", "gpt-4-turbo", 20, {}, 1, True, "2026-10-23"),
    ("openai", "o3", 20, {}, 1, False, "2026-12-11"),
    ("openai", "o4-mini", 20, {}, 1, False, "2026-10-23"),
    ("openai", "ft:of-mine", 20, {}, 1, True, None),
    ("deepseek", "deepseek-flash", 20, {"thinking": {"type": "disabled"}}, 1, True, None),
    ("deepseek", "deepseek-v4-flash", 20, {"thinking": {"type": "disabled"}}, 1, True, None),
    ("deepseek", "deepseek-chat", 20, {"thinking": {"type": "disabled"}}, 1, True, "2026-07-24"),
    ("xai", "grok-4.20-non-reasoning", 8, {}, 1, True, None),
    ("xai", "grok-4.3", 8, {"reasoning_effort": "none"}, 1, True, None),
    ("xai", "grok-4-1-fast-non-reasoning", 8, {}, 1, True, "2026-05-15"),
]


@pytest.mark.parametrize(("provider", "model", "candidates", "extra", "least", "logprobs", "shutdown"), MODELS, ids=str)
def test_model_name_selects_its_family(
    provider: str,
    model: str,
    candidates: int,
    extra: dict[str, Any],
    least: int,
    *,
    logprobs: bool,
    shutdown: str | None,
) -> None:
    family = PROVIDERS[provider].family(model)
    assert PROVIDERS[provider].candidates(model) == candidates
    assert dict(family.extra_body) == extra
    assert (family.min_output, family.logprobs) == (least, logprobs)
    assert family.shutdown == (date.fromisoformat(shutdown) if shutdown else None)


@pytest.mark.parametrize("families", [OPENAI_MODELS, DEEPSEEK_MODELS, XAI_MODELS])
def test_every_record_is_reachable_and_has_an_available_successor(families: tuple[ModelFamily, ...]) -> None:
    for family in families:
        assert find_family(families, family.prefix) is family, f"{family.prefix} is hidden by an earlier record"
        json.dumps(dict(family.extra_body))
        assert (family.shutdown is None) == (not family.successor)
        if family.successor:
            successor = find_family(families, family.successor)
            assert successor.shutdown is None
            assert successor.logprobs


@pytest.mark.parametrize("name", ["openai", "deepseek", "xai"])
def test_default_model_returns_log_probabilities_and_is_not_near_shutdown(name: str) -> None:
    provider = PROVIDERS[name]
    assert provider.default_model is not None
    assert provider.checked is not None
    family = provider.family(provider.default_model)
    assert family.logprobs
    assert family.shutdown is None
    assert provider.candidates(provider.default_model) >= 5
    price = pricer(provider.prices, family.price_name or provider.default_model, None)
    assert price is not None
    assert 0 < price((1000, 0, 1)) < 0.01


@pytest.mark.parametrize("name", PROVIDERS)
def test_remote_provider_has_address_key_and_default(name: str) -> None:
    provider = PROVIDERS[name]
    assert (provider.base_url is None) or provider.base_url.startswith("https://")
    assert (provider.base_url is None) == (provider.key_variable is None) == (provider.prices is None)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (-1, "was shut down on January 14, 2027"),
        (0, "was shut down"),
        (1, "will be shut down"),
        (183, "will be"),
        (184, ""),
    ],
)
def test_retirement_is_announced_half_a_year_before(days: int, words: str) -> None:
    day = date(2027, 1, 14)
    notice = retirement_notice(find_family(OPENAI_MODELS, "gpt-4o-mini"), "gpt-4o-mini", day - timedelta(days))
    assert words in notice
    assert bool(notice) == bool(words)
    assert ("model='gpt-6-luna'" in notice) == bool(words)
