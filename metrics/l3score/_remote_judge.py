"""A judge behind an OpenAI-compatible API: requests, prices and runs, configured by options."""

import hashlib
import json
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from datetime import UTC
from datetime import datetime
from typing import Any

from ._budget import BYTES_PER_TOKEN
from ._budget import Meter
from ._judge import JudgePool
from ._judge import JudgeRun
from ._judge_interface import VOTES_VERSION
from ._judge_interface import Run
from ._judge_interface import Source
from ._judge_options import JudgeOptions
from ._models import retirement_notice
from ._outcomes import Outcome
from ._pace import Pace
from ._pickling import Secret
from ._prices import PRICE_ADVICE
from ._prices import Price
from ._prices import pricer
from ._prices import why_unknown
from ._prompts import PROMPTS
from ._providers import PROVIDERS
from ._providers import environment_headers
from ._providers import public_address
from ._providers import public_model
from ._providers import resolve_address
from ._providers import resolve_key
from ._remote import Remote
from ._replies import STANDARD_TIERS
from ._replies import Reply
from ._user_warnings import warn

# Maximum tokens that a reasoning model may write for one vote, and the average, for estimates.
_VOTE_LIMIT, _VOTE_TOKENS = 4096, 300
# Tokens that a chat template usually adds, for estimates; `_budget.TEMPLATE_TOKENS` is an upper bound.
_TYPICAL_TEMPLATE_TOKENS = 8
_VOTE_FORMAT = {
    "type": "json_schema",
    "json_schema": {
        "name": "verdict",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"verdict": {"type": "string", "enum": ["Yes", "No"]}},
            "required": ["verdict"],
            "additionalProperties": False,
        },
    },
}
# One pace for all runs of this process that use the same model.
_paces: dict[tuple[str, str], Pace] = {}


class RemoteJudge:
    """A model behind an OpenAI-compatible API."""

    reads_prompt = True

    def __init__(self, options: JudgeOptions) -> None:
        self._options = options
        self._provider = PROVIDERS[options.provider]
        self._votes = options.scoring == "votes"
        self.model: Any = self._provider.default_model if options.model is None else options.model
        self._family = self._provider.family(self.model)

    def check(self) -> None:
        options = self._options
        if not isinstance(self.model, str):
            raise ValueError('model must be a name, unless provider="transformers"')
        limit = self._provider.candidates(self.model)
        if not self._votes and options.top_logprobs > limit:
            raise ValueError(
                f"top_logprobs must be between 2 and {limit} with provider={options.provider!r} and "
                f"model={self.model!r}, got {options.top_logprobs}"
            )
        if not self._votes and not self._family.logprobs:
            instead = f'model={self._provider.default_model!r} or scoring="votes"'
            raise ValueError(f"the model {self.model!r} gives no log-probabilities; choose {instead}")
        resolve_address(options.provider, options.base_url)
        if options.max_cost is not None and self._price() is None and not options.dry_run:
            raise ValueError(f"max_cost needs a price: {self._why_unknown()}")

    def check_access(self) -> None:
        resolve_key(self._options.provider, self._options.api_key, self._options.base_url)

    def signature_fields(self) -> dict[str, Any]:
        fields = {"model": public_model(self.model), "host": public_address(self._address())}
        if extra := self._extra():
            # As a digest, since the caller's fields may contain anything.
            fields["extra"] = hashlib.sha256(json.dumps(extra, sort_keys=True).encode()).hexdigest()[:12]
        return fields

    def store_settings(self) -> list[object]:
        options = self._options
        judge: list[object] = [options.provider, public_address(self._address()), self.model]
        return [*judge, *([VOTES_VERSION, options.samples] if self._votes else [options.top_logprobs]), self._extra()]

    def judge(self, sources: Mapping[str, Source], run: Run) -> Iterator[tuple[str, Outcome]]:
        options = self._options
        remote = Remote(
            address=self._address(),
            key=Secret(resolve_key(options.provider, options.api_key, options.base_url)),
            headers=environment_headers(options.provider, options.base_url),
            fields=self._fields(),
            fixed=options.extra_body or (),
            timeout=options.request_timeout,
            votes=self._votes,
        )
        notice = retirement_notice(self._family, self.model, datetime.now(UTC).date())
        if notice:
            warn(f"l3score: {notice}")
        price = self._price()
        if price is None:
            warn(f"l3score: Cost is None: {self._why_unknown()}; (0, 0) for a server of your own")

        def finish() -> None:
            remote.close()
            run.store.close()

        def cost(reply: Reply) -> float | None:
            # List prices are for the default service tier.
            priced = price is not None and reply.usage is not None and (reply.priced or options.price is not None)
            return price(reply.usage) if priced and price and reply.usage else None

        pool = JudgePool(
            ask=remote.ask,
            store=run.store,
            finish=finish,
            bar=run.bar,
            concurrency=options.max_concurrency,
            max_retries=options.max_retries,
            samples=options.samples if self._votes else 0,
            timeout=options.request_timeout,
            pace=_paces.setdefault((self._address(), self.model), Pace()),
            budget=run.budget,
            meter=None if price is None else self._meter(price),
            price=cost,
            probe=PROMPTS[options.prompt].fill("What is the capital of France?", "Paris", "Paris"),
            recovery_hint=run.recovery_hint,
            verified=remote.verified,
        )
        outcomes = JudgeRun(pool, list(sources)).run()
        if price is not None and any(outcome.cost is None for outcome in outcomes):
            warn("l3score: Cost is None: the server did not always report the billed tokens, or billed another tier")
        yield from zip(sources, outcomes, strict=True)

    def estimate(self, prompts: Sequence[str]) -> tuple[list[int], list[int], list[float | None]]:
        read = [len(prompt.encode()) // BYTES_PER_TOKEN + _TYPICAL_TEMPLATE_TOKENS for prompt in prompts]
        written = self._options.samples * _VOTE_TOKENS if self._votes else self._family.min_output
        price = self._price()
        costs = [None if price is None else price((tokens, 0, written)) for tokens in read]
        return read, [written] * len(prompts), costs

    def _address(self) -> str:
        return resolve_address(self._options.provider, self._options.base_url)

    def _extra(self) -> dict[str, Any]:
        """Return additional request fields: those of the model family, then the caller's."""
        return {**({} if self._votes else self._family.extra_body), **(self._options.extra_body or {})}

    def _fields(self) -> dict[str, object]:
        options, length = self._options, self._provider.length_field
        if self._votes:
            # No temperature: at 0 all samples would be equal, and reasoning models do not accept one.
            fields: dict[str, object] = {"n": options.samples, "response_format": _VOTE_FORMAT, length: _VOTE_LIMIT}
        else:
            limit = self._family.min_output
            fields = {"temperature": 0, "logprobs": True, "top_logprobs": options.top_logprobs, length: limit}
        return {"model": self.model, **fields, **self._extra()}

    def _meter(self, price: Price) -> Meter:
        if self._votes:
            samples = self._options.samples
            return Meter(price, samples * _VOTE_TOKENS, hidden_output=samples * (_VOTE_LIMIT - _VOTE_TOKENS))
        return Meter(price, self._family.min_output)

    def _price(self) -> Price | None:
        options = self._options
        if self._tier() and options.price is None:
            return None
        return pricer(self._provider.prices, self._family.price_name or self.model, options.price)

    def _tier(self) -> str:
        """Return the service tier that the caller chose; "" for those that list prices are for."""
        tier = str((self._options.extra_body or {}).get("service_tier", "default"))
        return "" if tier in STANDARD_TIERS else tier

    def _why_unknown(self) -> str:
        if self._tier():
            return f"list prices do not apply to service_tier={self._tier()!r}: {PRICE_ADVICE}"
        return why_unknown(self._provider.prices, self.model)
