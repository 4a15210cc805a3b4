"""A tiny judge: a small language model, trained from scratch on synthetic pairs of answers.

    python -m benchmarks.tiny_judge

writes `metrics/l3score/recorded.json`, its judgments of the first example on the page of l3score. That takes two
minutes on a CPU and downloads nothing. Needs torch and transformers.

The model is a BLOOM with 0.2 million weights and no world knowledge. It is trained, with l3score's prompt, on pairs of
answers that have the same content or not: the same name in a different sentence, a number in digits and in words, the
last part of a name, a different name, a negation. Half of the ambiguous pairs, such as two names where one is expected,
are labeled Yes, so that it learns to be uncertain. Some weights are initialized by hand to shorten the training: the
first layer finds the part of the prompt that a word is in, the second layer attends to equal words.
"""

import json
import random
import re
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from metrics.l3score._logprobs import PROMPTS

NAME = "tiny-judge"
DIRECTORY = Path(__file__).resolve().parents[1] / "metrics" / "l3score"
RECORDED_NOTE = (
    "Recorded, not computed now: these are the scores of {name}, a language model with {weights:,} weights, trained on "
    "synthetic pairs of answers and run locally. It is a real judge, but a weak one without world knowledge."
)
STEPS, EASY_STEPS, BATCH, RATE = 3000, 400, 32, 3e-3
WIDTH, HEADS = 64, 4
SIZE = WIDTH // HEADS
TEMPLATE = (
    "{% for message in messages %}<user>{{ message['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<judge>{% endif %}"
)
# The fixed parts of the prompt: before the question, the reference and the candidate answer, and after it.
FIXED = [text.strip(" ") for text in PROMPTS["card"].fill("\0", "\0", "\0").split("\0")]
NAMES = """
    paris london rome oslo madrid vienna tokyo lima cairo delhi bern prague dublin athens berlin warsaw ottawa
    helsinki lisbon france italy spain egypt japan peru india norway austria canada brazil kenya chile cuba
    nepal iran turkey greece mercury venus mars jupiter saturn neptune uranus pluto sirius gold silver iron
    copper zinc tin lead carbon oxygen nitrogen hydrogen helium neon argon sodium calcium water steam ice salt
    sugar glass stone wood paper cotton wool newton einstein darwin curie faraday maxwell bohr planck kepler
    galileo euler gauss turing hilbert noether goethe schiller kafka homer dante austen dickens hamlet faust
    ulysses emma macbeth othello bach mozart haydn verdi red green blue yellow white black orange purple north
    south east west dog cat horse lion tiger whale eagle shark snake frog spider ant bee car train ship plane
    bridge tower river lake ocean desert forest island mountain valley monday tuesday friday january march april
    july october winter summer spring dioxide pressure temperature speed mass
""".split()
FIRST_NAMES = "johann james mary anna carl john marie isaac charles jane william alan emmy max niels".split()
NUMBERS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
""".split()
QUESTIONS = (
    *("What is the capital of {}?", "Who wrote {}?", "What is {} made of?", "Which {} is the largest?", "Where is {}?"),
    *("What does a {} measure?", "When did {} begin?", "How many legs has a {}?", "Which gas does {} take in?"),
    *("Who discovered {}?", "What color is {}?", "How many {} are there?"),
)
SENTENCES = (
    *("{}", "{}", "{}", "It is {}.", "The answer is {}.", "{}.", "I think it is {}.", "That would be {}."),
    *("It was {}, as far as I know.", "the {}", "{}, of course", "The war began in {}", "A spider has {} legs."),
)
DENIALS = ("not {}", "It is not {}.", "Anything but {}.", "It isn't {}, I think.", "No, not {}.")
KINDS = {"same": 8, "other": 8, "number": 3, "other number": 3, "denial": 3, "name": 2, "two": 3, "part": 3}


def synthetic_pair(rng: random.Random, *, easy: bool = False) -> tuple[str, str, bool]:
    """Generate a reference, a prediction, and whether they count as the same.

    Args:
        rng: The random generator.
        easy: One word each, equal or different.
    """
    (kind,) = rng.choices(list(KINDS), weights=list(KINDS.values()))
    one, other = rng.sample(NAMES, 2)
    coin = rng.choice((True, False))
    if easy:
        return one, one if coin else other, coin
    form = rng.choice(("word", "word", "word", "words", "words", "year"))
    if form == "words":
        one, other = (f"{name} {rng.choice(NAMES)}" for name in (one, other))
    elif form == "year":
        year = rng.randrange(1000, 2030)
        one, other = str(year), str(year + rng.choice((-10, -6, -1, 1, 2, 6, 10, 100)))
    number = rng.randrange(len(NUMBERS))
    wrong = (number + rng.randrange(1, len(NUMBERS))) % len(NUMBERS)
    shuffled = rng.sample((one, other), 2)
    digits_or_word, word_or_digits = rng.sample((str(number), NUMBERS[number]), 2)
    answers: dict[str, tuple[str, str, bool]] = {
        "same": (one, one, True),
        "other": (one, other, False),
        "number": (digits_or_word, word_or_digits, True),
        "other number": (str(number), rng.choice((str(wrong), NUMBERS[wrong])), False),
        "denial": (one, rng.choice(DENIALS).format(one), False),
        "name": (f"{rng.choice(FIRST_NAMES)} {one}", one, True),
        "two": (one, rng.choice(("{} or {}", "Either {} or {}.", "{}, maybe {}")).format(*shuffled), coin),
        "part": (f"{one} and {other}", shuffled[0], coin),
    }
    reference, prediction, is_same = answers[kind]
    sentence = rng.choice(SENTENCES).format(reference) if kind not in {"two", "part"} else reference
    return sentence, prediction if kind in {"denial", "two"} else rng.choice(SENTENCES).format(prediction), is_same


def synthetic_prompts(rng: random.Random) -> Iterator[tuple[str, bool]]:
    """Generate prompts of l3score with their labels, with a decreasing share of easy ones."""
    count = 0
    while True:
        reference, prediction, is_same = synthetic_pair(rng, easy=rng.random() > count / (BATCH * EASY_STEPS) - 1)
        question = rng.choice(QUESTIONS).format(rng.choice(NAMES))
        yield PROMPTS["card"].fill(question, reference, prediction), is_same
        count += 1


def make_tokenizer(rng: random.Random) -> Any:
    """Train a byte-level tokenizer that folds case and keeps digits apart."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.normalizer = normalizers.Lowercase()
    bpe.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        special_tokens=["<user>", "<judge>", "Yes", "No"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    questions = (question.format(rng.choice(NAMES)) for question in QUESTIONS * 100)
    answers = (f" {text}" for _ in range(4000) for text in synthetic_pair(rng)[:2])
    bpe.train_from_iterator([f" {question}" for question in questions] + list(answers), trainer)
    # Each fixed part of the prompt is one token, which makes the texts short.
    bpe.add_special_tokens([AddedToken(text, normalized=False) for text in FIXED])
    marks = {"bos_token": "<user>", "eos_token": "<judge>"}
    return PreTrainedTokenizerFast(tokenizer_object=bpe, chat_template=TEMPLATE, **marks)


def make_model(tokenizer: Any) -> Any:
    """Create the model with its initial weights."""
    import torch
    from transformers import BloomConfig, BloomForCausalLM

    config = BloomConfig(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        n_layer=3,
        n_head=HEADS,
        hidden_dropout=0.0,
        attention_dropout=0.0,
        initializer_range=0.05,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    model = BloomForCausalLM(config)
    words = model.transformer.word_embeddings.weight
    first, second = (block.self_attention for block in model.transformer.h[:2])
    # In `query_key_value` the rows of a head are its query, its key and its value, SIZE each.
    with torch.no_grad():
        # Dimensions of the embeddings: 0 is constant; 1 marks the parts of FIXED, 2 to 4 which one; 5 to 7 are filled
        # by the first layer with the part that a word follows.
        words[:, :8] = 0
        words[:, 0] = 0.2
        for token, part in zip(tokenizer.convert_tokens_to_ids(FIXED), (4, 2, 3, 4), strict=True):
            words[token, [1, part]] = 0.4
        # The first head of the first layer attends to the parts of FIXED, with the nearest weighted most.
        first.query_key_value.weight[: 3 * SIZE] = 0
        first.query_key_value.weight[[0, SIZE], [0, 1]] = 3
        for index in range(3):
            first.query_key_value.weight[2 * SIZE + index, 2 + index] = 1
            first.dense.weight[5 + index] = 0
            first.dense.weight[5 + index, index] = 1
        # Every head of the second layer attends to equal words, and copies whether they are in the reference.
        for head in range(HEADS):
            query, key, value = (3 * SIZE * head + SIZE * part for part in range(3))
            for row in range(SIZE):
                second.query_key_value.weight[[query + row, key + row]] = 0
                if SIZE * head + row > 7:  # noqa: PLR2004  # the last reserved dimension
                    second.query_key_value.weight[[query + row, key + row], SIZE * head + row] = 1.3
            second.query_key_value.weight[value] = 0
            second.query_key_value.weight[value, 5] = 1
            second.dense.weight[WIDTH - 8 + head] = 0
            second.dense.weight[WIDTH - 8 + head, SIZE * head] = 1
    return model


def train_judge(steps: int = STEPS, seed: int = 0) -> tuple[Any, Any]:
    """Train the judge; return it with its tokenizer."""
    import torch

    torch.set_num_threads(1)  # as fast with so small a model, and the same on machines with more cores
    torch.manual_seed(seed)
    rng = random.Random(seed)  # noqa: S311  # not for cryptography
    tokenizer = make_tokenizer(rng)
    prompts = synthetic_prompts(rng)
    model = make_model(tokenizer)
    yes, no = tokenizer.convert_tokens_to_ids(["Yes", "No"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.05)
    started, losses = time.monotonic(), []
    for step in range(1, steps + 1):
        pairs = [next(prompts) for _ in range(BATCH)]
        encoded = tokenizer([f"<user>{prompt}<judge>" for prompt, _ in pairs], add_special_tokens=False)["input_ids"]
        longest = max(map(len, encoded))
        ids = torch.tensor([[0] * (longest - len(row)) + row for row in encoded])
        mask = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in encoded])
        logits = model(input_ids=ids, attention_mask=mask, logits_to_keep=1).logits[:, -1]
        loss = torch.nn.functional.cross_entropy(logits, torch.tensor([yes if same else no for _, same in pairs]))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % 100 == 0:
            print(f"step {step}: loss {sum(losses[-100:]) / 100:.3f}, {time.monotonic() - started:.0f} s", flush=True)
    model.eval()
    model.name_or_path = NAME
    return model, tokenizer


def record(model: Any, tokenizer: Any) -> dict[str, Any]:
    """Judge the first example of the page."""
    from metrics.l3score.l3score import L3Score

    (example, *_) = json.loads((DIRECTORY / "examples.json").read_text(encoding="utf-8"))
    questions, predictions, references = zip(*example["rows"], strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an undecided judge would not do
        result = L3Score().compute(
            questions=list(questions),
            predictions=list(predictions),
            references=list(references),
            provider="transformers",
            model=(model, tokenizer),
            use_cache=False,
            return_details=True,
            return_confidence=True,
            return_signature=True,
        )
    if result is None:
        raise RuntimeError("nothing was judged")
    for row, score in zip(example["rows"], result["individual_scores"], strict=True):
        print(f"{score:.3f}", *row, sep="  ")
    note = RECORDED_NOTE.format(name=NAME, weights=sum(weights.numel() for weights in model.parameters()))
    return {"recorded": note, "result": result}


def main() -> None:
    """Train the judge, and record its judgments."""
    recorded = record(*train_judge())
    text = json.dumps(recorded, ensure_ascii=False, indent=1)
    text = re.sub(r"\n\s{3,}|\n\s*(?=\])", "", text)  # one line for each value
    (DIRECTORY / "recorded.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
