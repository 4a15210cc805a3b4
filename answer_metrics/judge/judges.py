"""The kinds of judges: a server, a model in this process, the mock. A new kind is a class and an entry in `_KINDS`."""

import hashlib
import inspect
import json
import math
import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import evaluate

from answer_metrics.core.messages import warn
from answer_metrics.core.options import Secret
from answer_metrics.judge.client import Client
from answer_metrics.judge.logprobs import MAX_LOGPROB, make_prompt
from answer_metrics.judge.options import JudgeOptions
from answer_metrics.judge.registry import (
    PROVIDERS,
    STANDARD_TIERS,
    Price,
    pricer,
    public_address,
    resolve_address,
    resolve_key,
)
from answer_metrics.judge.store import Store, patiently

VOTES_VERSION = "votes-2"
_STORED_VOTES = "votes-1"  # part of the key of stored votes: what earlier versions paid for is still found
# Maximum tokens that a reasoning model may write for one vote, and the average, for estimates.
_VOTE_LIMIT, _VOTE_TOKENS = 4096, 300
BYTES_PER_TOKEN = 4  # of typical text
_TYPICAL_TEMPLATE_TOKENS = 8  # that a chat template adds, for estimates
_PRICE_ADVICE = "pass price=(dollars per million input tokens, dollars per million output tokens)"
_UNSERVED: dict[str, Any] = {"usage": None, "model": None, "fingerprint": None}
Source = tuple[tuple[str, ...], str]  # the references and the prediction that a prompt was built from


@dataclass(slots=True)
class Outcome:
    """The outcome of one prompt."""

    judgment: dict[str, Any] | None = None  # None if it failed
    why: str = ""  # the reason of the failure
    cost: float | None = 0.0  # dollars spent, including failed attempts; None if unknown
    paid: bool = False  # whether it costs nothing more: it was stored, or its cost is in a row
    lost: float = 0.0  # the most dollars that calls whose answer never arrived may have cost


class Judge:
    """One judge, configured by the options of a single judge, and what it knows of the examples of a call."""

    reads_prompt = True  # whether the judgment depends on the prompt only; the mock compares the texts instead

    def __init__(self, options: JudgeOptions) -> None:
        self.options = options
        self._provider = PROVIDERS[options.provider]
        self.model: Any = self._provider.default_model if options.model is None else options.model
        self._family = self._provider.family(self.model)
        self.by_votes = options.scoring == "votes"
        self.prompt = make_prompt(options.prompt)
        self.outcomes: dict[str, Outcome] = {}  # by prompt, of examples that lack a judgment; at first the stored ones
        self.missing: dict[str, Source] = {}  # the prompts without a stored judgment
        self.error: Exception | None = None  # what stopped it
        self.is_partial = False  # whether what it judged before that is a result

    @cached_property
    def store(self) -> Store:
        """The store of its judgments."""
        folder = Path(self.options.judge_cache_dir or Path(evaluate.config.HF_CACHE_HOME) / "l3score")
        off = not self.options.use_cache or not self.reads_prompt
        return Store(folder, self.store_settings(), partial(is_judgment, votes=self.by_votes), off=off)

    def read(self, prompts: Collection[str]) -> dict[str, Outcome]:
        """Return the outcomes that are stored."""
        stored = patiently(self.store.get, list(prompts))
        return {prompt: Outcome(judgment, paid=True) for prompt, judgment in stored.items()}

    def add(self, example: Mapping[str, Source], stored: Mapping[str, Outcome]) -> None:
        """Add the prompts of an example that may lack a judgment."""
        self.outcomes |= {text: stored[text] for text in example if text in stored}
        self.missing |= {text: source for text, source in example.items() if text not in stored}

    # ---- what each kind defines

    def check(self) -> None:
        """Raise a `ValueError` for incompatible options."""
        options, kind = self.options, self._provider.kind
        if kind != "local" and not isinstance(self.model, str):
            raise ValueError('model must be a name, unless provider="transformers"')
        limit = self._provider.candidates(self.model)
        if not self.by_votes and options.top_logprobs > limit:
            model = f" and model={self.model!r}" if kind == "remote" else ""
            judge = "" if kind == "mock" else f" with provider={options.provider!r}{model}"
            raise ValueError(f"top_logprobs must be between 2 and {limit}{judge}, got {options.top_logprobs}")

    def signature_fields(self) -> dict[str, Any]:
        """Return the fields that identify this judge, by their names in the signature."""
        return {}

    def store_settings(self) -> list[object]:
        """Return everything besides the prompt that can change a judgment."""
        return [self.options.provider]

    def judge(self, bar: Any) -> Iterator[tuple[str, Outcome]]:
        """Judge the missing prompts in this process, with a progress bar such as tqdm's; the engine asks servers."""
        return iter(())

    def estimate(self, prompt: str) -> tuple[int, int, float | None]:
        """Estimate input tokens, output tokens and dollars of a prompt."""
        return 0, 0, 0.0

    def warn_unpriced(self) -> None:
        """Warn if the price is unknown."""

    def _sampled(self, judgment: dict[str, Any], prompt: str) -> dict[str, Any]:
        """Turn probabilities into votes, if they are asked for, like a server constrained to the two answers."""
        if not self.by_votes:
            return judgment
        share = self.prompt.score(judgment["top"]).score
        generator = random.Random(prompt)  # the same prompt has the same votes in any process
        yes = sum(generator.random() < share for _ in range(self.options.samples))
        return {"yes": yes, "no": self.options.samples - yes, **{name: judgment[name] for name in _UNSERVED}}

    def _scoring_settings(self) -> list[object]:
        if not self.by_votes:
            return [self.options.top_logprobs]  # stored candidates are scored by any words
        answers = [self.prompt.version] if self.prompt.add_words else []
        return [_STORED_VOTES, self.options.samples, *answers]


def make_judge(options: JudgeOptions) -> Judge:
    """Return the judge that the options select."""
    return _KINDS[PROVIDERS[options.provider].kind](options)


def is_judgment(value: object, *, votes: bool = False) -> bool:
    """Return whether a stored value can be scored: other programs may have written to the file."""
    if not isinstance(value, dict):
        return False
    usage, top, counts = value.get("usage", ()), value.get("top"), [value.get("yes"), value.get("no")]
    counted = usage is None or (isinstance(usage, list) and [type(count) for count in usage] == [int] * 3)
    named = all(isinstance(value.get(name, 0), (str, type(None))) for name in ("model", "fingerprint"))
    if votes:
        return counted and named and all(type(count) is int and count >= 0 for count in counts) and any(counts)
    # NaN is not at most anything.
    return bool(counted and named and isinstance(top, list) and top) and all(
        isinstance(pair, list) and [*map(type, pair)] == [str, float] and pair[1] <= MAX_LOGPROB for pair in top or ()
    )


# ---- a server


class RemoteJudge(Judge):
    """A model behind an OpenAI-compatible API."""

    def check(self) -> None:
        super().check()
        if not self.by_votes and not self._family.logprobs:
            instead = f'model={self._provider.default_model!r} or scoring="votes"'
            raise ValueError(f"the model {self.model!r} gives no log-probabilities; choose {instead}")
        resolve_address(self.options.provider, self.options.base_url)  # raises an error if there is none
        if self.options.max_cost is not None and not self.options.dry_run and self.price is None:
            raise ValueError(f"max_cost needs a price: {self._why_unpriced()}")

    def signature_fields(self) -> dict[str, Any]:
        is_path = self.model.startswith(("/", "./", "../", "~"))  # as self-hosted servers may name it
        model = self.model.rstrip("/").rpartition("/")[2] if is_path else self.model
        fields = {"model": model, "host": public_address(self.address)}
        if extra := self._extra():
            # As a digest, since the caller's fields may contain anything.
            fields["extra"] = hashlib.sha256(json.dumps(extra, sort_keys=True).encode()).hexdigest()[:12]
        return fields

    def store_settings(self) -> list[object]:
        server = public_address(self.address)
        return [self.options.provider, server, self.model, *self._scoring_settings(), self._extra()]

    def connect(self) -> Client:
        """Return a client; a `ValueError` says that the key is missing or malformed. Stored judgments need no key."""
        options = self.options
        client = Client(
            address=self.address,
            key=Secret(resolve_key(options.provider, options.api_key, options.base_url, options.api_key_env)),
            fields=self._fields(),
            fixed=options.extra_body or {},
            timeout=options.request_timeout,
            is_openai=options.provider == "openai" and options.base_url is None,
            votes=self.prompt if self.by_votes else None,
        )
        if notice := self._family.retirement_notice(self.model, datetime.now(UTC).date()):
            warn(f"l3score: {notice}")
        self.warn_unpriced()
        return client

    def estimate(self, prompt: str) -> tuple[int, int, float | None]:
        read, written = len(prompt.encode()) // BYTES_PER_TOKEN + _TYPICAL_TEMPLATE_TOKENS, self.output_tokens
        return read, written, None if self.price is None else self.price((read, 0, written))

    def warn_unpriced(self) -> None:
        if why := self._why_unpriced():
            warn(f"l3score: Cost is None: {why}; (0, 0) for a server of your own")

    def _why_unpriced(self) -> str:
        """Explain why the price is unknown, and how to give it; empty if it is known."""
        if self.price is not None:
            return ""
        if self._tier():
            return f"list prices do not apply to service_tier={self._tier()!r}: {_PRICE_ADVICE}"
        if self._provider.prices is not None and find_spec("genai_prices") is None:
            return f"list prices need one more package: pip install genai-prices; or {_PRICE_ADVICE}"
        return f"the price of {self.model!r} is unknown to genai-prices: {_PRICE_ADVICE}"

    @property
    def address(self) -> str:
        """The address of the API."""
        return resolve_address(self.options.provider, self.options.base_url)

    def _extra(self) -> dict[str, Any]:
        """Return additional request fields: those of the model family, then the caller's."""
        return {**({} if self.by_votes else self._family.extra_body), **(self.options.extra_body or {})}

    def _fields(self) -> dict[str, object]:
        options, length = self.options, self._provider.length_field
        if self.by_votes:
            # No temperature: at 0 all samples would be equal, and reasoning models do not accept one.
            verdict = {"type": "string", "enum": [*self.prompt.answers[0], *self.prompt.answers[1]]}
            schema = {"type": "object", "properties": {"verdict": verdict}, "required": ["verdict"]}
            strict = {"name": "verdict", "strict": True, "schema": {**schema, "additionalProperties": False}}
            reply_format = {"type": "json_schema", "json_schema": strict}
            fields: dict[str, object] = {"n": options.samples, "response_format": reply_format, length: _VOTE_LIMIT}
        else:
            limit = self._family.min_output
            fields = {"temperature": 0, "logprobs": True, "top_logprobs": options.top_logprobs, length: limit}
        return {"model": self.model, **fields, **self._extra()}

    @property
    def output_tokens(self) -> int:
        """The tokens that the answer to one prompt is expected to have."""
        return self.options.samples * _VOTE_TOKENS if self.by_votes else self._family.min_output

    @cached_property
    def price(self) -> Price | None:
        """The price of the model; None if it is unknown."""
        if self._tier() and self.options.price is None:
            return None
        return pricer(self._provider.prices, self._family.price_name or self.model, self.options.price)

    def _tier(self) -> str:
        """Return the service tier that the caller chose; "" for those that list prices are for."""
        tier = str((self.options.extra_body or {}).get("service_tier", "default"))
        return "" if tier in STANDARD_TIERS else tier


# ---- a model in this process


class ModelJudge(Judge):
    """A causal language model of `transformers`, in this process."""

    def signature_fields(self) -> dict[str, Any]:
        model = local_model(self.model)
        return {"model": model.name, "weights": model.identity}

    def store_settings(self) -> list[object]:
        return [self.options.provider, local_model(self.model).identity, *self._scoring_settings()]

    def judge(self, bar: Any) -> Iterator[tuple[str, Outcome]]:
        options = self.options
        count = self._provider.max_top_logprobs if self.by_votes else options.top_logprobs
        for prompt, judgment in local_model(self.model).judge(self.missing, count, batch_size=options.max_concurrency):
            result = self._sampled(judgment, prompt)
            patiently(self.store.put, prompt, result)
            bar.update()
            yield prompt, Outcome(result)
        patiently(self.store.close)

    def estimate(self, prompt: str) -> tuple[int, int, float | None]:
        return len(prompt.encode()) // BYTES_PER_TOKEN, 1, 0.0


# The model that was loaded last, by name and modification time: loading takes far longer than judging.
_loaded: dict[tuple[str, int], "LocalModel"] = {}


def local_model(model: Any) -> "LocalModel":
    """Return a model, given as a Hub id, a path, or a pair of a loaded model and its tokenizer."""
    if model is None:
        needed = "a Hub id, a path, or a pair of a loaded model and its tokenizer"
        raise ValueError(f'provider="transformers" needs model=: {needed}')
    try:
        import torch  # large, and only this judge needs it
        import transformers  # same
    except ImportError:
        raise ImportError('provider="transformers" needs two more packages: pip install torch transformers') from None
    if not isinstance(model, str):
        return LocalModel(*model)
    # A checkpoint that was overwritten is a different model.
    modified = max((path.stat().st_mtime_ns for path in Path(model).glob("*")), default=0)
    if (model, modified) not in _loaded:
        _loaded.clear()  # two large models may not fit into memory
        device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        # On CPUs half precision is slower and less precise.
        dtype = torch.float32 if device == "cpu" else "auto"
        weights = transformers.AutoModelForCausalLM.from_pretrained(model, dtype=dtype).to(device)
        _loaded[model, modified] = LocalModel(weights, transformers.AutoTokenizer.from_pretrained(model))
    return _loaded[model, modified]


class LocalModel:
    """A loaded model with its tokenizer, used on its current device and left unchanged."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model, self._tokenizer = model, tokenizer
        accepted = inspect.signature(model.forward).parameters
        self._extras = {"logits_to_keep": 1} if "logits_to_keep" in accepted else {}
        self._takes_positions = "position_ids" in accepted

    @property
    def name(self) -> str:
        """The model's name without its path."""
        return str(getattr(self._model, "name_or_path", "")).rstrip("/").rpartition("/")[2] or "unnamed"

    @cached_property
    def identity(self) -> str:
        """A digest of everything that affects a judgment: weights, precision, chat template."""
        import torch  # see local_model

        integer_types = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
        digest = hashlib.sha256(str(getattr(self._tokenizer, "chat_template", None)).encode())
        for name, weights in self._model.named_parameters():
            # Sums of the bits as integers are exact, device-independent, and need no memory.
            bits = weights.detach().contiguous().view(-1).view(integer_types[weights.element_size()])
            sample = bits[:: max(1, len(bits) // 64)].tolist()
            state = (name, str(weights.dtype), tuple(weights.shape), int(bits.sum(dtype=torch.int64)), sample)
            digest.update(repr(state).encode())
        return digest.hexdigest()[:12]

    def judge(self, prompts: Iterable[str], count: int, *, batch_size: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Judge prompts in batches; yield a prompt and its judgment, with `count` candidates, as of remote judges."""
        encoded = [(prompt, self._encode(prompt)) for prompt in prompts]
        # Longest first: little padding, and running out of memory shows immediately.
        encoded.sort(key=lambda pair: -len(pair[1]))
        for start in range(0, len(encoded), batch_size):
            batch = encoded[start : start + batch_size]
            tops = self._next_tokens([ids for _, ids in batch], count)
            for (prompt, ids), top in zip(batch, tops, strict=True):
                yield prompt, {"top": top, "usage": (len(ids), 0, 1), "model": self.name, "fingerprint": None}

    def _encode(self, prompt: str) -> list[int]:
        if not getattr(self._tokenizer, "chat_template", None):
            return list(self._tokenizer(prompt)["input_ids"])
        messages = [{"role": "user", "content": prompt}]
        # Without thinking, since the first token must be the answer.
        settings = {"tokenize": False, "add_generation_prompt": True, "enable_thinking": False}
        text = self._tokenizer.apply_chat_template(messages, **settings)
        # The template already contains the special tokens.
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _next_tokens(self, batch: list[list[int]], count: int) -> list[list[tuple[str, float]]]:
        import torch  # see local_model

        longest = max(map(len, batch))
        # Left-padded here, so that the caller's tokenizer is unchanged; the ids at masked positions are irrelevant.
        ids = torch.tensor([[0] * (longest - len(row)) + row for row in batch], device=self._model.device)
        mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in batch], device=self._model.device)
        positions = {"position_ids": (mask.cumsum(-1) - 1).clamp(min=0)} if self._takes_positions else {}
        training = self._model.training
        if training:
            self._model.eval()
        try:
            with torch.inference_mode():
                logits = self._model(input_ids=ids, attention_mask=mask, **positions, **self._extras).logits[:, -1]
                logprobs, tokens = torch.log_softmax(logits.float(), dim=-1).topk(min(count, logits.shape[-1]), dim=-1)
        finally:
            if training:
                self._model.train()
        return [
            [(self._tokenizer.decode([token]), logprob) for token, logprob in zip(*pair, strict=True)]
            for pair in zip(tokens.tolist(), logprobs.tolist(), strict=True)
        ]


# ---- the mock

_MIN_PROBABILITY = 0.01  # a real judge's probabilities are not 0 and 1 either


class MockJudge(Judge):
    """A judge without a model that compares words, for testing."""

    reads_prompt = False

    def judge(self, bar: Any) -> Iterator[tuple[str, Outcome]]:
        warn('l3score: provider="mock" is not a judge: it compares words only, so its scores mean nothing')
        words = [side[0] for side in self.prompt.answers]
        for text, (references, prediction) in self.missing.items():
            tops = [mock_top_tokens(reference, prediction, words) for reference in references]
            judgment: dict[str, Any] = {"top": max(tops, key=lambda top: dict(top)[words[0]]), **_UNSERVED}
            bar.update()
            yield text, Outcome(self._sampled(judgment, text))


def mock_top_tokens(reference: str, prediction: str, words: Sequence[str]) -> list[tuple[str, float]]:
    """Return the answers for Yes and for No with log-probabilities, the more probable first.

    Their probabilities are p and 1 - p, where p grows with the F1 of the case-folded words.
    """
    expected, predicted = (re.findall(r"\w+", text.casefold()) for text in (reference, prediction))
    shared = (Counter(expected) & Counter(predicted)).total()
    total = len(expected) + len(predicted)
    # Two texts without words ("?" and "!") match only if they are equal.
    overlap = 2 * shared / total if total else float(reference == prediction)
    p_yes = _MIN_PROBABILITY + (1 - 2 * _MIN_PROBABILITY) * overlap
    pairs = [(words[0], math.log(p_yes)), (words[1], math.log(1 - p_yes))]
    return sorted(pairs, key=lambda pair: -pair[1])


_KINDS: Mapping[str, type[Judge]] = {"remote": RemoteJudge, "local": ModelJudge, "mock": MockJudge}
