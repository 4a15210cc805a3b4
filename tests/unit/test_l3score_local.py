"""A model in this process, with NumPy in place of torch; tests/integration judges with a real one."""

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from answer_metrics.judge import judges
from answer_metrics.judge.logprobs import PROMPTS, score_top_tokens
from tests.judges import TEXTS, compute

pytestmark = [pytest.mark.filterwarnings("ignore:.*undecided"), pytest.mark.usefixtures("fresh_judges")]
WORDS = ["Yes", "No", "Maybe", "The"]


class Tensor(np.ndarray[Any, Any]):
    """An array with the methods of a tensor that are used."""

    detach = contiguous = lambda self: self
    element_size = property(lambda self: lambda: self.itemsize)
    clamp = np.ndarray.clip

    def view(self, kind: Any) -> Any:  # type: ignore[override]
        return self.reshape(-1) if kind == -1 else super().view(kind)

    def float(self) -> Any:
        return self.astype(np.float64)

    def topk(self, count: int, dim: int) -> Any:
        order = np.argsort(-self, axis=dim)[:, :count]
        return np.take_along_axis(self, order, dim), order


class Model:
    """A model whose answer depends on all tokens that are not masked, and on their positions."""

    device, name_or_path, training = "here", "owner/tiny/", True

    def __init__(self, weights: Any = ((1.0, 2.0), (3.0, 5.0)), kind: Any = np.float32, **keywords: int) -> None:
        self.named_parameters = lambda: [("layer", np.array(weights, kind).view(Tensor))]
        self.batches: list[int] = []
        self.eval, self.train = (partial(setattr, self, "training", on) for on in (False, True))
        self.forward = (lambda position_ids, logits_to_keep: 0) if keywords else (lambda logits_to_keep: 0)

    def __call__(self, input_ids: Any, attention_mask: Any, position_ids: Any = None, logits_to_keep: int = 0) -> Any:
        assert (self.training, logits_to_keep) == (False, 1)
        self.batches.append(len(input_ids))
        places = np.cumsum(attention_mask, -1) - 1 if position_ids is None else position_ids
        assert position_ids is None or (places >= 0).all()
        logits = logits_of((input_ids * attention_mask * (places % 5 + 1)).sum(-1))
        return SimpleNamespace(logits=np.stack([logits * 0, logits], 1).view(Tensor))


def logits_of(total: Any) -> Any:
    return np.stack([3 * np.sin(total * (word + 1.0)) for word in range(len(WORDS))], -1)


class Tokenizer:
    """A tokenizer of characters."""

    def __init__(self, template: str | None = "<{}>") -> None:
        self.chat_template = template

    def __call__(self, text: str, *, add_special_tokens: bool = True) -> dict[str, list[int]]:
        return {"input_ids": [*[1] * add_special_tokens, *map(ord, text)]}

    def apply_chat_template(self, messages: Any, **settings: bool) -> str:
        assert settings == {"tokenize": False, "add_generation_prompt": True, "enable_thinking": False}
        return str(self.chat_template).format(messages[0]["content"])

    def decode(self, tokens: list[int]) -> str:
        return WORDS[tokens[0]]


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    off = SimpleNamespace(is_available=lambda: False)
    for name in ("torch", "transformers"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    torch: Any = sys.modules["torch"]
    vars(torch).update({name: getattr(np, name) for name in ("int8", "int16", "int32", "int64", "float32")})
    vars(torch).update(inference_mode=nullcontext, cuda=off, backends=SimpleNamespace(mps=off))
    torch.tensor = lambda rows, device: np.array(rows).view(Tensor) if device == "here" else None
    torch.log_softmax = lambda logits, dim: logits - np.log(np.exp(logits).sum(dim, keepdims=True))
    return torch


def expected(ids: list[int]) -> list[tuple[str, float]]:
    logits = logits_of(sum(token * (place % 5 + 1) for place, token in enumerate(ids)))
    logprobs = logits - np.log(np.exp(logits).sum())
    return sorted(zip(WORDS, logprobs.tolist(), strict=True), key=lambda top: -top[1])


@pytest.mark.parametrize("keywords", [{}, {"position_ids": 1}])
@pytest.mark.parametrize("template", ["<{}>", None])
def test_batches_give_the_probabilities_of_single_prompts(torch: Any, template: str | None, keywords: Any) -> None:
    tokenizer = Tokenizer(template)
    rows = [*zip(*(TEXTS[name] for name in ("questions", "references", "predictions")), strict=True)]
    prompts = [PROMPTS["card"].fill(*row) for row in rows]
    encoded = [tokenizer(prompt)["input_ids"] if template is None else [*map(ord, f"<{prompt}>")] for prompt in prompts]
    tops = [*map(expected, encoded)]
    for size, batches in ((1, [1, 1, 1]), (2, [2, 1]), (16, [3])):
        model = Model(**keywords)
        model.training = size > 1
        options = {"provider": "transformers", "model": (model, tokenizer), "use_cache": False, "return_details": True}
        result = compute(**options, max_concurrency=size, top_logprobs=3)
        assert result["top_tokens"] == [[token for token, _ in top[:3]] for top in tops]
        for row, top in zip(result["top_logprobs"], tops, strict=True):
            assert row == pytest.approx([logprob for _, logprob in top[:3]])
        assert (result["input_tokens"], result["output_tokens"]) == ([*map(len, encoded)], [1] * 3)
        assert (result["served_models"], result["Cost"]) == (["tiny"] * 3, 0.0)
        assert (model.batches, model.training) == (batches, size > 1)
    votes = compute(**options, scoring="votes", samples=100)
    shares = [score_top_tokens(top).score for top in tops]
    assert [yes / 100 for yes in votes["votes_yes"]] == pytest.approx(shares, abs=0.2)
    assert [sum(pair) for pair in zip(votes["votes_yes"], votes["votes_no"], strict=True)] == [100] * 3


def test_identity_is_what_affects_a_judgment(torch: Any) -> None:
    same, other = ((1.0, 2.0), (3.0, 5.0)), ((1.0, 2.0), (5.0, 3.0))
    models = [(Model(same), Tokenizer()), (Model(other), Tokenizer()), (Model(same, np.float16), Tokenizer())]
    models += [(Model(same), Tokenizer(None)), (Model(((1.0, 2.0, 3.0, 5.0),)), Tokenizer())]
    identities = [judges.LocalModel(*model).identity for model in [*models, (Model(same), Tokenizer())]]
    assert len({*identities}) == len(models)
    assert (identities[0], len(identities[0])) == (identities[-1], 12)
    signed = compute(provider="transformers", model=models[0], use_cache=False, return_signature=True)["signature"]
    assert f"|model:tiny|weights:{identities[0]}|" in signed
    local: dict[str, Any] = {"provider": "transformers", "model": models[0]}
    plans = [compute(**local, dry_run=True, questions=[letter * 40] * 3) for letter in "qé問"]  # 4 bytes a token
    assert {plan["output_tokens"] for plan in plans} == {3}
    assert np.diff([plan["input_tokens"] for plan in plans]).tolist() == [30, 30]
    assert judges.LocalModel(SimpleNamespace(forward=lambda: 0, name_or_path="/"), None).name == "unnamed"


def test_whatever_can_change_a_judgment_is_judged_again(torch: Any) -> None:
    model = Model()
    options = {"provider": "transformers", "return_details": True}
    changes: list[dict[str, Any]] = [{}, {"top_logprobs": 4}, {"prompt": "guarded"}, {"scoring": "votes"}]
    changes += [{"scoring": "votes", "samples": 3}, {"tokenizer": Tokenizer(None)}, {"use_cache": False}]
    for change in changes:
        asked, pair = sum(model.batches), (model, change.pop("tokenizer", Tokenizer()))
        first, again = (compute(**options, model=pair, **change) for _ in range(2))
        is_stored = "use_cache" not in change
        assert sum(model.batches) == asked + (3 if is_stored else 6), change
        assert again == {**first, "cached": [is_stored] * 3} and not any(first["cached"])


def test_a_model_is_loaded_again_only_when_its_files_change(torch: Any, tmp_path: Path) -> None:
    loaded: list[Any] = []

    class Loaded(Model):
        def to(self, device: str) -> Any:
            loaded.append(device)
            return self

    def load(model: str, **options: Any) -> Any:
        loaded.append((model, options))
        return Loaded()

    transformers: Any = sys.modules["transformers"]
    transformers.AutoModelForCausalLM = SimpleNamespace(from_pretrained=load)
    transformers.AutoTokenizer = SimpleNamespace(from_pretrained=lambda _: Tokenizer())
    judges._loaded.clear()
    (tmp_path / "config.json").write_text("{}")
    name = str(tmp_path)
    first = [judges.local_model(name) for _ in range(2)]
    assert first[0] is first[1] is judges._loaded[name, (tmp_path / "config.json").stat().st_mtime_ns]
    assert loaded == [(name, {"dtype": np.float32}), "cpu"]
    (tmp_path / "weights").write_text("new")
    torch.cuda = SimpleNamespace(is_available=lambda: True)
    assert judges.local_model(name) is not first[0]
    assert loaded[2:] == [(name, {"dtype": "auto"}), "cuda"]
    assert len(judges._loaded) == 1
    judges._loaded.clear()
