"""Score generated text at every evaluation of a training run, in one process or two. Takes a minute on a CPU, offline.

    python examples/training_loop.py
    torchrun --standalone --nproc-per-node 2 examples/training_loop.py --accelerate

A T5 model with a hundred thousand parameters learns to turn number words into digits: "four hundred two" becomes 402.
Needs torch, transformers and accelerate.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list
from accelerate.utils import gather_object
from datasets import Dataset
from datasets import disable_progress_bars
from tokenizers import Tokenizer
from tokenizers import decoders
from tokenizers import models
from tokenizers import pre_tokenizers
from tokenizers import processors
from transformers import DataCollatorForSeq2Seq
from transformers import PreTrainedTokenizerFast
from transformers import PrinterCallback
from transformers import Seq2SeqTrainer
from transformers import Seq2SeqTrainingArguments
from transformers import T5Config
from transformers import T5ForConditionalGeneration
from transformers import set_seed

METRICS = Path(__file__).resolve().parents[1] / "metrics"
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALARS = {"return_details": False, "return_confidence": False}
EPOCHS, BATCH, LEARNING_RATE = 12, 32, 3e-3


def make_task() -> tuple[Dataset, Dataset]:
    """Return the numbers from 100 to 999 as words and as digits: a training set, and 150 rows to evaluate on."""
    rows = [
        {
            "words": f"{ONES[number // 100]} hundred {TENS[number // 10 % 10]} {ONES[number % 10]}",
            "digits": str(number),
        }
        for number in range(100, 1000)
    ]
    shuffled = Dataset.from_list(rows).shuffle(seed=0)
    return shuffled.skip(150), shuffled.take(150)


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Build a tokenizer for number words and digits."""
    words = ["<pad>", "</s>", "<unk>", *"0123456789", "hundred", *ONES, *TENS]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(dict.fromkeys(words))}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)]
    )
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )  # fmt: skip


def make_model(tokenizer: PreTrainedTokenizerFast) -> Any:
    """Build a tiny T5 with random weights."""
    config = T5Config(
        vocab_size=len(tokenizer), d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, dropout_rate=0.0,
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0,
    )  # fmt: skip
    model = T5ForConditionalGeneration(config)
    model.generation_config.max_length = 7
    return model


def encode(rows: Dataset, tokenizer: PreTrainedTokenizerFast) -> Dataset:
    """Tokenize both columns."""
    return rows.map(
        lambda batch: {
            "input_ids": tokenizer(batch["words"])["input_ids"],
            "labels": tokenizer(batch["digits"])["input_ids"],
        },
        batched=True,
        remove_columns=rows.column_names,
    )


def train_with_trainer(directory: str) -> list[dict[str, float]]:
    """Train with `Seq2SeqTrainer`; return its log, which includes the scores."""
    tokenizer = make_tokenizer()
    accuracy = evaluate.load(str(METRICS / "accuracy"))
    exact_match = evaluate.load(str(METRICS / "answer_exact_match"))

    def compute_metrics(evaluated: Any) -> dict[str, float]:
        texts = [
            tokenizer.batch_decode(np.where(tokens < 0, tokenizer.pad_token_id, tokens), skip_special_tokens=True)
            for tokens in (evaluated.predictions, evaluated.label_ids)
        ]
        given = {"predictions": texts[0], "references": texts[1]}
        return {
            "accuracy": accuracy.compute(**given, **SCALARS)["accuracy"],
            "exact_match": exact_match.compute(**given, **SCALARS)["score"],
        }

    set_seed(0)
    model = make_model(tokenizer)
    train, test = (encode(rows, tokenizer) for rows in make_task())
    trainer = Seq2SeqTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(
            output_dir=directory,
            predict_with_generate=True,
            eval_strategy="epoch",
            save_strategy="no",
            num_train_epochs=EPOCHS,
            per_device_train_batch_size=BATCH,
            per_device_eval_batch_size=75,
            learning_rate=LEARNING_RATE,
            use_cpu=True,
            report_to=[],
            disable_tqdm=True,
            logging_strategy="no",
        ),
        train_dataset=train,
        eval_dataset=test,
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        compute_metrics=compute_metrics,
    )
    trainer.remove_callback(PrinterCallback)  # main prints the scores
    trainer.train()
    history: list[dict[str, float]] = trainer.state.log_history
    return history


def batches(rows: Dataset, collate: Any, order: list[int]) -> Iterator[Any]:
    """Yield padded batches of rows in the given order."""
    for start in range(0, len(order), BATCH):
        yield collate([rows[index] for index in order[start : start + BATCH]])


def train_with_accelerate(directory: str) -> dict[str, Any] | None:
    """Train and score in all processes that `torchrun` or `accelerate launch` started.

    Each process generates text for its share of the rows and adds its batches; the first process gets the result.

    Returns:
        In the first process: the result of the last evaluation, the result of a single process on the same texts, and
        the accuracy of every evaluation. In the others: None.
    """
    accelerator = Accelerator(cpu=True)
    set_seed(0)
    tokenizer = make_tokenizer()
    tiny = make_model(tokenizer)
    collate = DataCollatorForSeq2Seq(tokenizer, model=tiny)
    model, optimizer = accelerator.prepare(tiny, torch.optim.AdamW(tiny.parameters(), lr=LEARNING_RATE))
    train, test = make_task()
    train, encoded = encode(train, tokenizer), encode(test, tokenizer)
    shared = broadcast_object_list([directory])  # all processes use the directory of the first
    accuracy = evaluate.load(
        str(METRICS / "accuracy"),
        num_process=accelerator.num_processes,
        process_id=accelerator.process_index,
        experiment_id="training-loop",
        cache_dir=shared[0],
    )
    history = []
    for epoch in range(EPOCHS):
        order = np.random.default_rng(epoch).permutation(len(train)).tolist()
        model.train()
        # Without padding, which would assign some rows to two processes and count them twice.
        with accelerator.split_between_processes(order) as share:
            for batch in batches(train, collate, share):
                optimizer.zero_grad()
                accelerator.backward(model(**batch).loss)
                optimizer.step()
        tiny.eval()
        answers, digits = [], []
        with accelerator.split_between_processes(list(range(len(encoded)))) as share:
            for batch in batches(encoded, collate, share):
                tokens = tiny.generate(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"])
                answers += tokenizer.batch_decode(tokens, skip_special_tokens=True)
            digits = test[share]["digits"]
        for start in range(0, len(answers), BATCH):
            accuracy.add_batch(predictions=answers[start : start + BATCH], references=digits[start : start + BATCH])
        result = accuracy.compute()
        everything = gather_object(list(zip(answers, digits, strict=True)))
        if result:
            history.append(result["accuracy"])
    if result is None:
        return None
    alone = evaluate.load(str(METRICS / "accuracy"))
    predictions, references = zip(*everything, strict=True)
    return {
        "processes": accelerator.num_processes,
        "result": result,
        "alone": alone.compute(predictions=predictions, references=references),
        "history": history,
    }


def main() -> None:
    """Train with one of the two, and print the scores of each epoch."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--accelerate", action="store_true", help="train with accelerate, in all launched processes")
    parser.add_argument("--out", type=Path, help="write the log to this file, as JSON")
    options = parser.parse_args()
    disable_progress_bars()
    torch.set_num_threads(
        1
    )  # a model this small gains nothing from threads, which wait for each other on a busy machine
    with tempfile.TemporaryDirectory() as directory:
        logged: Any
        if options.accelerate:
            logged = train_with_accelerate(directory)
            for epoch, score in enumerate(logged["history"] if logged else [], start=1):
                print(f"epoch {epoch:2}: accuracy {score:.3f}")
        else:
            logged = train_with_trainer(directory)
            for entry in logged:
                if "eval_accuracy" in entry:
                    print(
                        f"epoch {entry['epoch']:2.0f}: accuracy {entry['eval_accuracy']:.3f}, "
                        f"exact match {entry['eval_exact_match']:.3f}"
                    )
    if options.out and logged:
        options.out.write_text(json.dumps(logged), encoding="utf-8")


if __name__ == "__main__":
    main()
