"""Real judges: mlx-lm's server and transformers, on one tiny random model made from a config. No network, no download.

pip install torch transformers "mlx[cpu]" mlx-lm
"""

# torch and transformers are optional, so the tests that need them import them

import json
import os
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from answer_metrics.judge.logprobs import PROMPTS
from tests.integration.space_server import free_port, running
from tests.judges import compute

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*judgments .* undecided"),
    pytest.mark.skipif(
        not (find_spec("torch") and find_spec("transformers")),
        reason="needs torch and transformers: pip install torch transformers",
    ),
]
needs_mlx = pytest.mark.skipif(not find_spec("mlx_lm"), reason='needs mlx-lm: pip install "mlx[cpu]" mlx-lm')
COUNT = 24
TEXTS = {
    "questions": [f"What is {number} plus {number}?" for number in range(COUNT)],
    "predictions": ["about " * (number % 7) + str(2 * number + number % 2) for number in range(COUNT)],
    "references": [str(2 * number) for number in range(COUNT)],
}
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% if enable_thinking is not defined or enable_thinking %}"
    "{% endif %}{% endif %}"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Llama of 40,000 random weights, biased so that Yes and No are mostly among its candidates."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=["<s>", "</s>", "<|user|>", "<|assistant|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator(["Yes", "No", " Yes", " no", "Question:", "Candidate answer"] * 50, trainer)
    marks = {"bos_token": "<s>", "eos_token": "</s>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bpe, chat_template=TEMPLATE, **marks)
    torch.manual_seed(3)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    shape |= {"num_key_value_heads": 2, "max_position_embeddings": 2048, "vocab_size": len(tokenizer)}
    ends = {"bos_token_id": tokenizer.bos_token_id, "eos_token_id": tokenizer.eos_token_id}
    config = LlamaConfig(initializer_range=0.6, tie_word_embeddings=False, **shape, **ends)
    llama = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        llama.model.embed_tokens.weight[:, 0] = 9.0
        for word in ("Yes", "No", "ĠYes", "Ġno"):
            llama.lm_head.weight[tokenizer.convert_tokens_to_ids(word), 0] += 4.0
    folder = tmp_path_factory.mktemp("tiny-llama")
    llama.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def serving(command: list[str], log: Path) -> Iterator[str]:
    """Run a server on 127.0.0.1 until the tests are done; yield its base URL."""
    address = f"127.0.0.1:{(port := free_port())}"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "NO_PROXY": "127.0.0.1"}
    command = [*command, "--host", "127.0.0.1", "--port", str(port)]
    with running(command, f"http://{address}/health", log, env=environment):
        yield f"http://{address}/v1"


@pytest.fixture(scope="module")
def mlx_url(model: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    command = [sys.executable, "-m", "mlx_lm", "server", "--model", model]
    yield from serving(command, tmp_path_factory.mktemp("a") / "log")


def judged(folder: Path, **options: Any) -> dict[str, Any]:
    return compute(**{**TEXTS, "judge_cache_dir": folder, "return_details": True, "price": (0, 0), **options})


@needs_mlx
def test_server_and_local_judge_agree(model: str, mlx_url: str, tmp_path: Path) -> None:
    local = judged(tmp_path, provider="transformers", model=model)
    remote = judged(tmp_path, base_url=mlx_url, model=model, max_concurrency=4)
    for by_model, by_server in zip(local["top_logprobs"], remote["top_logprobs"], strict=True):
        assert sorted(by_model) == pytest.approx(sorted(by_server), abs=1e-3)
    assert local["individual_scores"] == pytest.approx(remote["individual_scores"], abs=1e-3)
    assert local["L3Score"] == pytest.approx(remote["L3Score"], abs=1e-3)
    assert len({round(score, 3) for score in local["individual_scores"]}) > COUNT // 2
    assert any(logprobs != sorted(logprobs, reverse=True) for logprobs in remote["top_logprobs"])
    assert local["Cost"] == 0.0


def load(model: str) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return AutoModelForCausalLM.from_pretrained(model), AutoTokenizer.from_pretrained(model)


def test_code_in_a_model_folder_is_not_run(model: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(model, tmp_path / "model"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["auto_map"] = {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.Own"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\nclass Own: ...\n", encoding="utf-8")
    judged(tmp_path, provider="transformers", model=str(folder))
    assert not (tmp_path / "ran").exists()


def test_top_tokens_are_the_exact_next_token_probabilities(model: str, tmp_path: Path) -> None:
    import torch

    loaded, tokenizer = load(model)
    result = judged(tmp_path, provider="transformers", model=model)
    for index in (0, 6, 13):
        text = PROMPTS["card"].fill(*(TEXTS[name][index] for name in ("questions", "references", "predictions")))
        ids = tokenizer(f"<s><|user|>{text}<|assistant|>", add_special_tokens=False, return_tensors="pt").input_ids
        with torch.no_grad():
            logprobs = torch.log_softmax(loaded(ids).logits[0, -1].double(), -1).topk(5)
        assert result["top_logprobs"][index] == pytest.approx(logprobs.values.tolist(), abs=1e-4)
        assert result["top_tokens"][index] == [tokenizer.decode([token]) for token in logprobs.indices.tolist()]
