"""What evaluation tools write, as rows whose fields are named as the inputs."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from answer_metrics.files.rows import InputError, Record, Rows, is_records, made_of


def converted(
    kind: str, convert: Callable[[Record], Iterator[Record]], records: Iterable[tuple[int, Record]], what: str
) -> Rows:
    """Turn numbered records of a tool, called `what` in messages, into rows whose fields are named as inputs."""

    def rows() -> Iterator[Record]:
        for number, record in records:
            try:
                yield from convert(record)
            except (KeyError, IndexError, TypeError, AttributeError) as error:
                reason = f"({type(error).__name__}: {error})"
                raise InputError(f"{what} {number:,} is not what {kind} writes {reason}.") from None

    return made_of(kind, rows())


def from_inspect(samples: Iterable[Record], status: str) -> Rows:
    """Read the samples of a log of Inspect; samples that ended in an error are left out."""
    notes = [] if status == "success" else [f"the run has not finished (status {status}); only its samples so far"]

    def convert(sample: Record) -> Iterator[Record]:
        if sample.get("error"):
            notes.append(f"sample {sample['id']} ended in an error and is left out")
        else:
            yield _inspect(sample)

    return replace(converted("inspect", convert, enumerate(samples, 1), "Sample"), notes=notes)


def _inspect(sample: Record) -> Record:
    asked, output = sample["input"], sample.get("output") or {}
    if isinstance(asked, list):
        asked = next((_message(message) for message in reversed(asked) if message["role"] == "user"), "")
    answers = [_message(choice["message"]) for choice in output.get("choices") or ()]
    row = {
        "ids": f"{sample['id']}/{sample['epoch']}",
        "questions": asked,
        "predictions": output.get("completion") or next(iter(answers), ""),
        "references": sample["target"],
        "question_id": str(sample["id"]),
        **{f"metadata.{name}": value for name, value in (sample.get("metadata") or {}).items()},
    }
    return {**row, "choices": sample["choices"]} if sample.get("choices") else row


def _message(message: Record) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _lm_eval(record: Record) -> Iterator[Record]:
    """Read a line of samples_*.jsonl: what the model wrote before the task's filters, one row per sample."""
    answers = record["resps"][0] if isinstance(record["resps"][0], list) else record["resps"]
    if not all(isinstance(answer, str) for answer in answers):
        raise InputError("This task compares log-likelihoods of choices; there are no answers as text.")
    asked = record.get("arguments") or {}
    asked = asked.get("gen_args_0", {}).get("arg_0") if isinstance(asked, dict) else asked[0][0]
    target = record["target"] if isinstance(record["target"], list) else str(record["target"])
    known = {"ids": record["doc_id"], "questions": asked, "references": target}
    for answer in answers:
        yield {**known, "predictions": answer, "doc": record.get("doc") or {}}


def lighteval(row: Record) -> Iterator[Record]:
    """Read a row of LightEval's details: one row per sample."""
    doc = row["doc"]
    gold = doc["gold_index"]
    references = [doc["choices"][index] for index in (gold if isinstance(gold, list) else [gold])]
    for answer in row["model_response"]["text"] or [""]:
        yield {"ids": doc["id"], "questions": doc["query"], "predictions": answer, "references": references}


def squad(article: Record) -> Iterator[Record]:
    """Read an article of a SQuAD dataset: one row per question."""
    for asked in (one for paragraph in article["paragraphs"] for one in paragraph["qas"]):
        answers = list(dict.fromkeys(answer["text"] for answer in asked["answers"])) or [""]
        yield {"ids": asked["id"], "questions": asked["question"], "references": answers}


def _kilt(record: Record) -> Iterator[Record]:
    answers = [one["answer"] for one in record["output"] if one.get("answer")]
    known = {"ids": record["id"], "questions": record.get("input")}
    yield {**known, "references": answers, "predictions": answers[0] if answers else ""}


LINES: dict[str, tuple[Callable[[Record], bool], Callable[[Record], Iterator[Record]]]] = {
    "lm-eval": (lambda record: {"doc_id", "resps", "target"} <= record.keys(), _lm_eval),
    "kilt": (lambda record: is_records(record.get("output")) and "answer" in record["output"][0], _kilt),
}
