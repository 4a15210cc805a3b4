"""Result files of evaluation tools and model servers, as rows whose fields have the names of metric inputs."""

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from answer_metrics.files.names import SURE, simplified
from answer_metrics.files.rows import InputError, Record, Request, Rows, flat, has_field, is_records, made_of

_PREDICTIONS, _REFERENCES = (set(SURE[side].split()) for side in ("predictions", "references"))
_NOT_METRICS = {"doc_id", "target"}
_NOT_AS_WRITTEN = (KeyError, IndexError, TypeError, AttributeError)
"""The errors of a converter if a record is not as the tool writes it."""
_CHATS = ("messages", "conversations", "conversation")
_TURNS = (("role", "content"), ("from", "value"))
"""The fields of a message, usually and in ShareGPT."""
_ROLES = {"human": "user", "gpt": "assistant", "chatgpt": "assistant", "bing": "assistant", "bard": "assistant"}
"""Roles of ShareGPT."""


class Tool(NamedTuple):
    """A kind of record: its name, fields that it has, and the rows of a record.

    `owner.name` is a field of an object, `owner[].name` one of the first object of a list. `is_either` marks formats
    that write gold answers and predictions alike, so that the request decides, and `options` are those of `Rows`.
    """

    name: str
    fields: str
    rows: Callable[[Record], Iterable[Record]]
    is_either: bool = False
    options: Mapping[str, Any] = {}

    def fits(self, record: Record) -> bool:
        """Return whether a record is of this kind."""
        for field in self.fields.split():
            name, _, inner = field.partition(".")
            name, listed, _ = name.partition("[]")
            value: Any = record.get(name)
            owner = (value[0] if is_records(value) else None) if listed else value
            if name not in record or (inner and not (isinstance(owner, dict) and inner in owner)):
                return False
        return True


def format_of(record: Any, request: Request) -> Tool | None:
    """Return the kind of a record: as requested, else the first that fits and keeps the fields that the user names."""
    if not isinstance(record, dict):
        return None
    is_requested = request.format not in {None, "json", "jsonl"}
    tools = [tool for tool in TOOLS if tool.name == request.format] if is_requested else TOOLS
    tool = next((tool for tool in tools if tool.fits(record)), None)
    if is_requested:
        return tool or next(iter(tools), None)
    if tool and request.fields:
        with contextlib.suppress(*_NOT_AS_WRITTEN):  # which converting it reports
            row = next(iter(tool.rows(record)), {})
            before, after = ({name: [value] for name, value in flat(each).items()} for each in (record, row))
            return tool if all(has_field(after, name) for name in request.fields if has_field(before, name)) else None
    return tool


def converted(
    tool: Tool, records: Iterable[tuple[int, Record]], what: str, request: Request, notes: list[str] | None = None
) -> Rows:
    """Turn numbered records, called `what` in messages, into rows with notes.

    lm-evaluation-harness writes each document once per filter: those of the first one are read.
    """
    unwanted = "predictions" if request.is_references else "references"
    notes = [] if notes is None else notes
    filters: Counter[Any] = Counter()

    def rows() -> Iterator[Record]:
        count = texts = 0
        for number, record in records:
            filter_ = record.get("filter") if tool.name == "lm-eval" else None
            filters[filter_] += 1
            if filter_ != next(iter(filters)):
                continue
            try:
                for row in tool.rows(record):
                    if tool.is_either:
                        row.pop(unwanted, None)
                    count += "predictions" in row
                    texts += row.get("predictions") is not None
                    yield row
            except _NOT_AS_WRITTEN as error:
                reason = f"({type(error).__name__}: {error})"
                raise InputError(f"{what} {number:,} is not what {tool.name} writes {reason}.") from None
        if count and not texts:
            where = f"where {tool.name} writes it; did all requests fail, or is it of another version?"
            raise InputError(f"None of {count:,} answers has a text {where}")
        if len(filters) > 1:
            first, total = next(iter(filters)), filters.total()
            notes.append(f"{total - filters[first]:,} of {total:,} rows have other filters than {first!r}: left out")

    return made_of(tool.name, rows(), options=dict(tool.options), notes=notes)


def messages_of(value: Any) -> list[Record]:
    """Return the messages of a chat, each with `role` and `content`; an empty list if the value is no chat."""
    if not is_records(value):
        return []
    for role, text in _TURNS:
        if all({role, text} <= message.keys() for message in value):
            return [{"role": _ROLES.get(str(turn[role]), turn[role]), "content": turn[text]} for turn in value]
    return []


def last_text(value: Any, role: str) -> str | None:
    """Return the last text of a role in a chat, None if there is none."""
    texts = (_message_text(message) for message in reversed(messages_of(value)) if message["role"] == role)
    return next(filter(None, texts), None)


def _message_text(message: Record) -> str:
    """Return the text of a message, without thinking, images and tool calls."""
    content = message.get("content")
    if isinstance(content, str) or content is None:
        return content or ""
    return "\n".join(part["text"] for part in content if part.get("type", "text") in {"text", "output_text"})


def _completions(body: Any) -> list[str | None]:
    """Return the texts in a response of OpenAI, Anthropic, Google or a compatible server."""
    if not isinstance(body, dict):
        return [None]
    if "choices" in body:  # chat completions, completions
        return [
            _message_text(choice["message"]) or None if "message" in choice else choice.get("text")
            for choice in body["choices"]
        ]
    if "candidates" in body:
        return [_google_text(candidate.get("content")) for candidate in body["candidates"]]
    if isinstance(body.get("output"), list):  # OpenAI's responses
        texts = [_message_text(item) for item in body["output"] if item.get("type") == "message"]
        return ["\n".join(texts) or None]
    return [_message_text(body) or None]


def _google_text(content: Record | None) -> str | None:
    parts = (content or {}).get("parts") or []
    return "".join(part.get("text", "") for part in parts if not part.get("thought")) or None


def _sampled(row: Record, answers: Iterable[str | None]) -> Iterator[Record]:
    return ({**row, "predictions": answer} for answer in list(answers) or [None])


def _texts(records: Iterable[Record]) -> list[Any]:
    return [record["text"] for record in records]


def _without(record: Record, *names: str) -> Record:
    return {name: value for name, value in record.items() if name not in names}


def _with_scores(row: Record, scores: Record) -> Record:
    """Add recorded scores: one is the input `scores`, several are fields of their own."""
    return {**row, "scores": next(iter(scores.values()))} if len(scores) == 1 else {**scores, **row}


def _chat(record: Record) -> Iterator[Record]:
    name = next((name for name in _CHATS if name in record), _CHATS[0])
    others = _without(record, name)
    row = {"questions": last_text(record[name], "user"), **others}
    has_prediction = _PREDICTIONS & {simplified(field) for field in others}
    yield row if has_prediction else {"predictions": last_text(record[name], "assistant"), **row}


def _response(record: Record) -> Iterator[Record]:
    """Read a response of a model server, by itself or in a batch of OpenAI or Anthropic."""
    if "custom_id" not in record:
        return _sampled({"ids": record["id"]}, _completions(record))
    body = (record["response"] or {}).get("body") if "response" in record else record["result"].get("message")
    others = _without(record, "custom_id", "id", "response", "result", "error")
    return _sampled({"ids": record["custom_id"], **others}, _completions(body))


def _google_batch(record: Record) -> Iterator[Record]:
    contents = record.get("request", {}).get("contents") or []
    asked = [_google_text(content) for content in contents if content.get("role", "user") == "user"]
    row = {"ids": record["key"]} if "key" in record else {}
    row |= {"questions": asked[-1]} if asked else {}
    row |= _without(record, "key", "request", "response", "status")
    return _sampled(row, _completions(record.get("response")))


def _promptfoo(record: Record) -> Iterator[Record]:
    output, provider = (record.get("response") or {}).get("output"), record.get("provider")
    if output is not None and not isinstance(output, str):
        output = json.dumps(output, ensure_ascii=False)
    row = {"ids": record["testIdx"]} if "testIdx" in record else {}
    row["provider"] = provider.get("id") if isinstance(provider, dict) else provider
    yield {**row, "predictions": output, "vars": record["vars"], "scores": record.get("score")}


def _lm_eval(record: Record) -> Iterator[Record]:
    """Read a line of samples_*.jsonl: what the model wrote before the task's filters, one row per sample.

    Tasks that compare log-likelihoods have recorded scores only, no texts.
    """
    answers = record["resps"][0] if isinstance(record["resps"][0], list) else record["resps"]
    asked = record.get("arguments") or {}
    asked = asked.get("gen_args_0", {}).get("arg_0") if isinstance(asked, dict) else asked[0][0]
    target = record["target"] if isinstance(record["target"], list) else str(record["target"])
    row = {"ids": record["doc_id"], "questions": asked, "references": target, "doc": record.get("doc") or {}}
    numbers = [name for name, value in record.items() if isinstance(value, (int, float)) and name not in _NOT_METRICS]
    metrics = record.get("metrics", numbers)  # which older versions do not list
    row = _with_scores(row, {name: record[name] for name in metrics if name in record})
    return _sampled(row, answers) if all(isinstance(answer, str) for answer in answers) else iter([row])


def _lighteval(record: Record) -> Iterator[Record]:
    doc, gold = record["doc"], record["doc"]["gold_index"]
    references = [doc["choices"][index] for index in (gold if isinstance(gold, list) else [gold])]
    row = {**({"ids": doc["id"]} if "id" in doc else {}), "questions": doc["query"], "references": references}
    return _sampled(_with_scores(row, record.get("metric") or {}), record["model_response"]["text"] or [""])


def _helm_state(record: Record) -> Iterator[Record]:
    """Read a state of HELM's scenario_state.json: an instance with its completions, letters as what they stand for."""
    options = record.get("output_mapping") or {}
    texts = [options.get(text.strip(), text) for text in _texts(record["result"]["completions"])]
    return _sampled(next(_helm_instance(record["instance"])), texts)


def _helm_instance(record: Record) -> Iterator[Record]:
    """Read an instance of HELM: its references with the tag "correct", all of them as choices if some have not."""
    texts = [reference["output"]["text"] for reference in record["references"]]
    correct = [text for text, by in zip(texts, record["references"], strict=True) if "correct" in by["tags"]]
    row = {"ids": record["id"], "questions": record["input"]["text"], "references": correct}
    yield row if correct == texts else {**row, "choices": texts}


def _helm_prediction(record: Record) -> Iterator[Record]:
    """Read HELM's display_predictions.json, where `mapped_output` is what a letter stands for, or its statistics."""
    stats = record.get("stats") or {}
    if isinstance(stats, list):
        yield {"ids": record["instance_id"], **{stat["name"]["name"]: stat.get("mean") for stat in stats}}
    else:
        text = record.get("mapped_output") or record["predicted_text"]
        yield {"ids": record["instance_id"], "predictions": text, **stats}


def _trivia_qa(record: Record) -> Iterator[Record]:
    answer = record["Answer"]
    aliases = [answer["Value"], *answer.get("Aliases", ()), *answer.get("HumanAnswers", ())]
    yield {"ids": record["QuestionId"], "questions": record["Question"], "references": list(dict.fromkeys(aliases))}


def _musique(record: Record) -> Iterator[Record]:
    """Read a row whose answer has aliases, unless the answer is the prediction, beside references."""
    if _REFERENCES & {simplified(field) for field in record}:
        yield record
    else:
        answers = list(dict.fromkeys([record["answer"], *record["answer_aliases"]]))
        yield {**_without(record, "answer", "answer_aliases"), "references": answers}


def _squad(article: Record) -> Iterator[Record]:
    for question in chain.from_iterable(paragraph["qas"] for paragraph in article["paragraphs"]):
        answers = list(dict.fromkeys(_texts(question["answers"]))) or [""]
        yield {"ids": question["id"], "questions": question["question"], "references": answers}


def _kilt(record: Record) -> Iterator[Record]:
    answers = [output["answer"] for output in record["output"] if output.get("answer")]
    row = {"ids": record["id"], "questions": record.get("input")}
    yield {**row, "references": answers, "predictions": answers[0] if answers else None}


def _mt_bench(record: Record) -> Iterator[Record]:
    """Read answers or questions of MT-bench: one row per turn, whose id is `question/turn` if there are several."""
    gold = record.get("reference") or []
    for choice in record.get("choices") or [record]:
        turns = choice["turns"]
        for turn, text in enumerate(turns):
            row = {"ids": f"{record['question_id']}/{turn + 1}" if len(turns) > 1 else record["question_id"]}
            if choice is not record:
                yield {**row, "predictions": text, "references": text}
            else:
                yield {**row, "questions": text, "references": gold[turn] if turn < len(gold) else None}


def _mt_bench_judgment(record: Record) -> Iterator[Record]:
    """Read a judgment of MT-bench, whose score is -1 if the judge gave none."""
    score = record["score"]
    row = {"ids": f"{record['question_id']}/{record['turn']}", "scores": None if score == -1 else score}
    yield {**row, "model": record["model"], "turn": record["turn"]}


def _coqa(record: Record) -> Iterator[Record]:
    """Read a story of CoQA, a row per turn, or the prediction of a turn; their ids are `story/turn`."""
    if "answer" in record:
        yield {"ids": f"{record['id']}/{record['turn_id']}", "predictions": record["answer"]}
    people = [record.get("answers"), *record.get("additional_answers", {}).values()]
    for place, question in enumerate(record.get("questions", ())):
        row = {"ids": f"{record['id']}/{question['turn_id']}", "questions": question["input_text"]}
        yield {**row, "references": list(dict.fromkeys(answers[place]["input_text"] for answers in people))}


TOOLS = (
    Tool("lm-eval", "doc_id resps target", _lm_eval),
    Tool("lighteval", "doc model_response", _lighteval),
    Tool("promptfoo", "provider vars prompt", _promptfoo),
    Tool("openai-batch", "custom_id response", _response),
    Tool("anthropic-batch", "custom_id result", _response),
    Tool("google-batch", "response.candidates", _google_batch),
    Tool("openai-responses", "id object choices", _response),
    Tool("helm", "instance request result", _helm_state),
    Tool("helm-instances", "references[].tags", _helm_instance),
    Tool("helm-predictions", "instance_id predicted_text", _helm_prediction),
    Tool("helm-stats", "instance_id stats[].name", _helm_prediction),
    Tool("kilt", "output[].answer", _kilt, is_either=True),
    Tool("mt-bench", "question_id turns", _mt_bench, is_either=True),
    Tool("mt-bench", "question_id choices[].turns", _mt_bench, is_either=True),
    Tool("mt-bench-judgments", "question_id turn judge judgment score", _mt_bench_judgment, options={"scale": (1, 10)}),
    Tool("triviaqa", "QuestionId Question Answer", _trivia_qa),
    Tool("squad", "paragraphs", _squad),
    Tool("musique", "answer answer_aliases", _musique),
    Tool("coqa", "id questions[].turn_id answers[].input_text", _coqa),
    Tool("coqa", "id turn_id answer", _coqa),
    Tool("vllm", "outputs[].text", lambda record: _sampled(_without(record, "outputs"), _texts(record["outputs"]))),
    *(Tool("chat", f"{name}[].{role} {name}[].{text}", _chat) for name in _CHATS for role, text in _TURNS),
)
"""Kinds of records, the most particular first."""
NAMED = {"inspect", "openai-evals", "trec", *(tool.name for tool in TOOLS)}.difference(
    ("promptfoo", "openai-batch", "anthropic-batch", "google-batch", "vllm", "musique", "chat")
)
"""The formats whose fields have the names of inputs, so that no other field is guessed."""


def from_inspect(log: Record) -> Rows:
    """Read a log of Inspect, of which `samples` may be an iterator; samples that ended in an error are left out."""
    status = log.get("status", "started")
    notes = [] if status == "success" else [f"the run has not finished (status {status}); only its samples so far"]

    def rows(sample: Record) -> Iterator[Record]:
        if sample.get("error"):
            notes.append(f"sample {sample['id']} ended in an error and is left out")
        else:
            yield _inspect(sample)

    tool = Tool("inspect", "id epoch", rows)
    return converted(tool, enumerate(log["samples"], 1), "Sample", Request(), notes=notes)


def _inspect(sample: Record) -> Record:
    asked, output = sample["input"], sample.get("output") or {}
    answers = [_message_text(choice["message"]) for choice in output.get("choices") or ()]
    scores = {name: score["value"] for name, score in (sample.get("scores") or {}).items()}
    row = {
        "ids": f"{sample['id']}/{sample['epoch']}",
        "questions": (last_text(asked, "user") or "") if isinstance(asked, list) else asked,
        "predictions": output.get("completion") or next(iter(answers), None),
        "references": sample["target"],
        "question_id": str(sample["id"]),
        **({"scores": next(iter(scores.values()))} if len(scores) == 1 else {}),
        **{f"scores.{name}": value for name, value in scores.items()},
        **{f"metadata.{name}": value for name, value in (sample.get("metadata") or {}).items()},
    }
    return {**row, "choices": sample["choices"]} if sample.get("choices") else row


def from_openai_evals(events: Iterable[tuple[int, Record]]) -> Rows:
    """Read the events of a run of OpenAI Evals: a row per sample, with what was sampled and what was expected."""
    samples: dict[str, Record] = {}
    for _, event in events:
        if "sample_id" in event and isinstance(event.get("data"), dict):
            data = {name: value for name, value in event["data"].items() if value is not None}
            samples.setdefault(str(event["sample_id"]), {"ids": str(event["sample_id"])}).update(data)
    tool = Tool("openai-evals", "sample_id", _openai_evals)
    return converted(tool, enumerate(samples.values(), 1), "Sample", Request())


def _openai_evals(data: Record) -> Iterator[Record]:
    sampled, prompt = data.get("sampled"), data.get("prompt")
    question = last_text(prompt, "user") if isinstance(prompt, list) else prompt
    row = {"ids": data["ids"], "questions": question, "references": data.get("expected", data.get("ideal"))}
    row |= {"scores": data["correct"]} if "correct" in data else {}
    return _sampled(row, sampled if isinstance(sampled, list) else [sampled])
