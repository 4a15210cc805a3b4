"""The kinds of judges. A new kind needs a class and an entry in `_KINDS`."""

import random
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from ._budget import BYTES_PER_TOKEN
from ._judge_interface import VOTES_VERSION
from ._judge_interface import Judge
from ._judge_interface import Run
from ._judge_interface import Source
from ._judge_options import JudgeOptions
from ._local_judge import LocalJudge
from ._local_judge import local_judge
from ._logprobs import SCORING_VERSION
from ._logprobs import score_top_tokens
from ._mock_judge import mock_top_tokens
from ._outcomes import Outcome
from ._prompts import PROMPTS
from ._providers import PROVIDERS
from ._remote_judge import RemoteJudge
from ._user_warnings import warn

_UNSERVED: dict[str, Any] = {"usage": None, "model": None, "fingerprint": None}


def make_judge(options: JudgeOptions) -> Judge:
    """Return the judge that the options select."""
    return _KINDS[PROVIDERS[options.provider].kind](options)


class ModelJudge:
    """A model in this process."""

    reads_prompt = True

    def __init__(self, options: JudgeOptions) -> None:
        self._options = options

    def check(self) -> None:
        limit = PROVIDERS[self._options.provider].max_top_logprobs
        if self._options.top_logprobs > limit:
            raise ValueError(
                f"top_logprobs must be between 2 and {limit} with provider={self._options.provider!r}, "
                f"got {self._options.top_logprobs}"
            )

    def check_access(self) -> None:
        """A model in this process needs no key."""

    def signature_fields(self) -> dict[str, Any]:
        model = self._model()
        return {"model": model.name, "weights": model.identity}

    def store_settings(self) -> list[object]:
        options = self._options
        judge: list[object] = [options.provider, self._model().identity]
        return [*judge, *([VOTES_VERSION, options.samples] if options.scoring == "votes" else [options.top_logprobs])]

    def judge(self, sources: Mapping[str, Source], run: Run) -> Iterator[tuple[str, Outcome]]:
        options, prompts = self._options, list(sources)
        votes = options.scoring == "votes"
        count = PROVIDERS[options.provider].max_top_logprobs if votes else options.top_logprobs
        judged = self._model().judge(prompts, top_logprobs=count, batch_size=options.max_concurrency)
        for index, judgment in judged:
            if votes:
                judgment = sample_votes(judgment, prompts[index], options)  # noqa: PLW2901  # the same judgment, sampled
            run.store.put(prompts[index], judgment)
            run.bar.update()
            yield prompts[index], Outcome(judgment, "", 0.0)
        run.store.close()

    def estimate(self, prompts: Sequence[str]) -> tuple[list[int], list[int], list[float | None]]:
        return [len(prompt.encode()) // BYTES_PER_TOKEN for prompt in prompts], [1] * len(prompts), [0.0] * len(prompts)

    def _model(self) -> LocalJudge:
        if self._options.model is None:
            raise ValueError(
                'l3score: provider="transformers" needs model=: a Hub id, a path, or a pair of a loaded model and its '
                "tokenizer"
            )
        return local_judge(self._options.model)


class MockJudge:
    """A judge without a model that compares words, for testing."""

    reads_prompt = False

    def __init__(self, options: JudgeOptions) -> None:
        self._options = options

    def check(self) -> None:
        limit = PROVIDERS[self._options.provider].max_top_logprobs
        if self._options.model is not None and not isinstance(self._options.model, str):
            raise ValueError('model must be a name, unless provider="transformers"')
        if self._options.top_logprobs > limit:
            raise ValueError(f"top_logprobs must be between 2 and {limit}, got {self._options.top_logprobs}")

    def check_access(self) -> None:
        """The mock needs no key."""

    def signature_fields(self) -> dict[str, Any]:
        return {}

    def store_settings(self) -> list[object]:
        return ["mock"]

    def judge(self, sources: Mapping[str, Source], run: Run) -> Iterator[tuple[str, Outcome]]:
        warn('l3score: provider="mock" is not a judge: it compares words only, so its scores mean nothing')
        for text, source in sources.items():
            tops = [mock_top_tokens(reference, source.prediction) for reference in source.references]
            judgment: dict[str, Any] = {"top": max(tops, key=lambda top: dict(top)["Yes"]), **_UNSERVED}
            if self._options.scoring == "votes":
                judgment = sample_votes(judgment, text, self._options)
            run.bar.update()
            yield text, Outcome(judgment, "", 0.0)

    def estimate(self, prompts: Sequence[str]) -> tuple[list[int], list[int], list[float | None]]:
        return [0] * len(prompts), [0] * len(prompts), [0.0] * len(prompts)


_KINDS: Mapping[str, type[RemoteJudge | ModelJudge | MockJudge]] = {
    "remote": RemoteJudge,
    "local": ModelJudge,
    "mock": MockJudge,
}


def sample_votes(judgment: dict[str, Any], prompt: str, options: JudgeOptions) -> dict[str, Any]:
    """Sample answers from known probabilities of Yes and No, like a server constrained to these two words.

    The generator is seeded by the prompt, so the same prompt has the same votes in any process.
    """
    words = PROMPTS[options.prompt]
    share = score_top_tokens(judgment["top"], words.yes_words, words.no_words).score
    generator = random.Random(prompt)  # noqa: S311  # not for cryptography
    yes = sum(generator.random() < share for _ in range(options.samples))
    served = {name: judgment[name] for name in _UNSERVED}
    return {"yes": yes, "no": options.samples - yes, **served}


def scoring_fields(options: JudgeOptions) -> dict[str, Any]:
    """Return the signature fields of the scoring method."""
    if options.scoring == "votes":
        return {"scoring": VOTES_VERSION, "samples": options.samples}
    return {"top_logprobs": options.top_logprobs, "scoring": SCORING_VERSION}
