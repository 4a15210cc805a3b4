"""The cost of a request in dollars, from its token counts."""

import time
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec

Usage = tuple[int, int, int]
"""Token counts of one request: input, input from the provider's prompt cache, output."""
Price = Callable[[Usage], float]
PRICE_ADVICE = "pass price=(dollars per million input tokens, dollars per million output tokens)"


def pricer(provider: str | None, model: str, price: tuple[float, float] | None) -> Price | None:
    """Return a function from token counts to dollars.

    Args:
        provider: The provider's name in genai-prices, or None.
        model: The model's name.
        price: Dollars per million input and per million output tokens; overrides the list price.

    Returns:
        The function, or None if the price is unknown.
    """
    if price is not None:
        return lambda usage: (usage[0] * price[0] + usage[2] * price[1]) / 1e6
    if provider is None:
        return None
    try:
        from genai_prices import Usage as Tokens  # noqa: PLC0415  # only paid judges need it
        from genai_prices import calc_price  # noqa: PLC0415  # same
    except ImportError:
        return None

    @lru_cache(maxsize=4096)
    def listed_at(usage: Usage, _minute: int) -> float:
        tokens = Tokens(input_tokens=usage[0], cache_read_tokens=usage[1], output_tokens=usage[2])
        return float(calc_price(tokens, model_ref=model, provider_id=provider).total_price)

    def listed(usage: Usage) -> float:
        # Priced per request, since prices per token depend on length tiers and the time of day; cached, since a lookup
        # takes longer than everything else that is done for a call.
        return listed_at(usage, int(time.time() // 60))

    try:
        listed((1, 0, 1))
    except LookupError:
        return None
    return listed


def why_unknown(provider: str | None, model: str) -> str:
    """Explain why `pricer` returned None, and how to fix it."""
    if provider is not None and find_spec("genai_prices") is None:
        return f"list prices need one more package: pip install genai-prices; or {PRICE_ADVICE}"
    return f"the price of {model!r} is unknown to genai-prices: {PRICE_ADVICE}"
