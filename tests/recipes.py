"""The code blocks of docs/integrations.md and docs/at-scale.md, and a tiny model to run them with."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

DOCUMENTS = [ROOT / "docs" / name for name in ("integrations.md", "at-scale.md")]
_BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def sections() -> dict[str, list[tuple[str, str]]]:
    """Return the language and the code of each block by section, with metrics of this checkout for those of `<org>`."""
    text = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    parts = re.split(r"^###? (.*)\n", text.replace("<org>/", f"{ROOT}/metrics/"), flags=re.MULTILINE)
    return {title: _BLOCK.findall(body) for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def recipe(section: str, number: int = 0, language: str = "python") -> str:
    return [code for kind, code in sections()[section] if kind == language][number]


def run(section: str, number: int = 0, **names: Any) -> dict[str, Any]:
    names["__name__"] = "recipe"
    exec(compile(recipe(section, number), f"docs, {section}", "exec"), names)  # our own document
    return names


def make_tokenizer() -> Any:
    """Build a tokenizer of whole words; the names of cities are all that it knows."""
    from tokenizers import Tokenizer, models, pre_tokenizers  # only in the environment of integration tests
    from transformers import PreTrainedTokenizerFast  # same

    words = ["<pad>", "</s>", "<unk>", "Paris", "Rome", "Oslo", "Bern", "capital", "of", "?"]
    tokenizer = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",  # special tokens, no secrets
        eos_token="</s>",
        unk_token="<unk>",
        padding_side="left",
        model_max_length=64,
    )


def make_model(kind: str = "gpt2") -> Any:
    """Build a model of a few thousand random weights: a decoder, or with `t5` an encoder and a decoder."""
    import torch  # as above
    from transformers import GPT2Config, GPT2LMHeadModel, T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    if kind == "t5":
        sizes = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
        config = T5Config(vocab_size=10, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0, **sizes)
        return T5ForConditionalGeneration(config).eval()
    sizes = {"n_positions": 64, "n_embd": 16, "n_layer": 1, "n_head": 2}
    return GPT2LMHeadModel(GPT2Config(vocab_size=10, bos_token_id=1, eos_token_id=1, pad_token_id=0, **sizes)).eval()
