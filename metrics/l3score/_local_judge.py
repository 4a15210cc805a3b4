"""A judge in this process: a causal language model of `transformers`, whose next-token probabilities are exact."""

import hashlib
import inspect
from collections.abc import Iterator
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

# The judge that was loaded last, by name and modification time: loading takes far longer than judging.
_loaded: dict[tuple[str, int], "LocalJudge"] = {}


def local_judge(model: Any) -> "LocalJudge":
    """Return the judge for a model: a Hub id, a path, or a pair of a loaded model and its tokenizer.

    Raises:
        ImportError: If torch or transformers is not installed.
    """
    try:
        import torch  # noqa: F401, PLC0415  # large, and only this judge needs it
        import transformers  # noqa: F401, PLC0415  # same
    except ImportError:
        raise ImportError('provider="transformers" needs two more packages: pip install torch transformers') from None
    if not isinstance(model, str):
        return LocalJudge(*model)
    # A checkpoint that was overwritten is a different model.
    modified = max((path.stat().st_mtime_ns for path in Path(model).glob("*")), default=0)
    if (model, modified) not in _loaded:
        _loaded.clear()  # two large models may not fit into memory
        _loaded[model, modified] = _load(model)
    return _loaded[model, modified]


def _load(name: str) -> "LocalJudge":
    import torch  # noqa: PLC0415  # see local_judge
    from transformers import AutoModelForCausalLM  # noqa: PLC0415  # same
    from transformers import AutoTokenizer  # noqa: PLC0415  # same

    device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    # On CPUs half precision is slower and less precise.
    dtype = torch.float32 if device == "cpu" else "auto"
    model = AutoModelForCausalLM.from_pretrained(name, dtype=dtype).to(device)
    return LocalJudge(model, AutoTokenizer.from_pretrained(name))


class LocalJudge:
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
        import torch  # noqa: PLC0415  # see local_judge

        integer_types = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
        digest = hashlib.sha256(str(getattr(self._tokenizer, "chat_template", None)).encode())
        for name, weights in self._model.named_parameters():
            # Sums of the bits as integers are exact, device-independent, and need no memory.
            bits = weights.detach().contiguous().view(-1).view(integer_types[weights.element_size()])
            sample = bits[:: max(1, len(bits) // 64)].tolist()
            state = (name, str(weights.dtype), tuple(weights.shape), int(bits.sum(dtype=torch.int64)), sample)
            digest.update(repr(state).encode())
        return digest.hexdigest()[:12]

    def judge(
        self, prompts: Sequence[str], *, top_logprobs: int, batch_size: int
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Judge prompts in batches.

        Args:
            prompts: The user messages.
            top_logprobs: Number of candidates for the first answer token to return.
            batch_size: Number of prompts per batch.

        Yields:
            A prompt's index and its judgment, in the same form as those of remote judges.
        """
        encoded = [self._encode(prompt) for prompt in prompts]
        # Longest first: little padding, and running out of memory shows immediately.
        order = sorted(range(len(prompts)), key=lambda index: -len(encoded[index]))
        for start in range(0, len(order), batch_size):
            batch = order[start : start + batch_size]
            tops = self._next_tokens([encoded[index] for index in batch], top_logprobs)
            for index, top in zip(batch, tops, strict=True):
                usage = (len(encoded[index]), 0, 1)
                yield index, {"top": top, "usage": usage, "model": self.name, "fingerprint": None}

    def _encode(self, prompt: str) -> list[int]:
        if not getattr(self._tokenizer, "chat_template", None):
            return list(self._tokenizer(prompt)["input_ids"])
        text = self._tokenizer.apply_chat_template(
            [{"role": "user", "content": prompt}],
            tokenize=False,
            add_generation_prompt=True,
            enable_thinking=False,  # the first token must be the answer, not reasoning
        )
        # The template already contains the special tokens.
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _next_tokens(self, batch: list[list[int]], count: int) -> list[list[tuple[str, float]]]:
        import torch  # noqa: PLC0415  # see local_judge

        longest = max(map(len, batch))
        # Left-padded manually, so that the last position is every prompt's last token and the settings of the caller's
        # tokenizer are unchanged. The ids at masked positions are irrelevant.
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
