"""What the parts of l3score and of the pages return for many inputs, as recorded: a change shows what else it changes.

Messages are recorded in full, and of pages a hash. To record the values of today, once those that changed are right:
`python -m tests.unit.test_recorded`.
"""

import asyncio
import base64
import contextlib
import errno
import hashlib
import json
import random
import re
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from datetime import date
from html import unescape
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from answer_metrics import integrations
from answer_metrics.core.messages import capture_warnings
from answer_metrics.core.options import Secret
from answer_metrics.integrations import trl
from answer_metrics.judge import client, engine, judges, judging, registry
from answer_metrics.judge.client import Client, read_body
from answer_metrics.judge.engine import JudgeError, Meter
from answer_metrics.judge.logprobs import PROMPTS, join_references, make_prompt
from answer_metrics.judge.options import JudgeOptions
from answer_metrics.page import page_tables as tables
from answer_metrics.page import report
from answer_metrics.page.page_tables import SYSTEMS, Column
from answer_metrics.page.space import Scored
from answer_metrics.statistics.statistic import Scale
from metrics.l3score.l3score import L3Score, pairwise_agreement
from tests.conftest import ROOT
from tests.judge_server import completion
from tests.records import changed, record, recorded, steady
from tests.unit import test_files
from tests.unit.test_l3score_options import INVALID
from tests.unit.test_space import METRICS, PAIRED, space_of

TEXTS = ("", " ", "x", "a.b", "openai", "mock", "card", "recall", "http://h:1/v1 ", "http://h/v1?q", "ftp://h", "1,2")
VALUES: tuple[Any, ...] = (
    *(None, *TEXTS, 0, 1, 2, -1, 128, 129, 1.5, 0.0, float("inf"), True, [], [1], ["x", "y"], (1, 2), (1, -1)),
    *((1, 2, 3), {}, {"seed": 1}, {"x": {1}}, [{"name": ""}], [{"model": "m", "price": (1, 2)}, {"nam": 1}], b"x"),
    {"template": "{reference} {answer}", "yes": "A", "no": ["B"]},
    {"template": "{reference}", "yes": ["A"], "no": ["a"]},
)  # fmt: skip


def outcome(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return what a call returns, or its error."""
    try:
        return function(*args, **options)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def addresses() -> Iterator[Any]:
    for name, provider in registry.PROVIDERS.items():
        yield name, provider._replace(families=())
        for prefix in sorted({prefix for family in provider.families for prefix in family.prefixes}):
            for model in (prefix, f"{prefix}-x"):
                family = provider.family(model)
                days = (family.shutdown or date(2027, 1, 1), date(2026, 4, 20), date(2026, 12, 1))
                yield model, family, provider.candidates(model), [family.retirement_notice(model, day) for day in days]
        for value in (None, *TEXTS):
            yield outcome(registry.resolve_address, name, value), outcome(registry.resolve_key, name, value, "http://h")
    for value in ("acme", "Groq", "mock"):
        yield outcome(registry.check_provider, value)
    for host in ("127.0.0.1", "::1", "10.0.0.1", "localhost", "a.localhost", "localhost.com", "x"):
        yield client.is_loopback(host), registry.public_address(f"http://{host}:1/v1/?q#f")


def options() -> Iterator[Any]:
    metric = L3Score()
    for name, value in product(metric.options, VALUES):
        yield name, outcome(lambda name, value: getattr(metric.resolve_options({name: value}), name), name, value)
    rows: dict[str, Any] = {"questions": ["q"], "predictions": ["a"], "references": ["b"]}
    for changes, _ in INVALID[:-1]:  # the last one needs an environment without a key
        yield outcome(metric.compute, **rows, **{"provider": "mock", **changes})
    models = (None, "gpt-5", "gpt-4o", "grok-4", "~/a/b/")
    for provider, model, scoring, count in product(registry.PROVIDERS, models, ("logprobs", "votes"), (5, 9, 21)):
        names: Any = {"provider": provider, "model": model, "scoring": scoring, "top_logprobs": count}
        judge: Any = judges.make_judge(JudgeOptions(**names, base_url="http://h/v1", extra_body={"a": 1}))
        yield outcome(judge.check)
        if provider not in {"mock", "transformers"}:
            yield judge.store_settings(), judge.signature_fields(), judge.estimate("x" * 99)[:2]
            yield judge._fields()


def faults() -> Iterator[Any]:
    draw = random.Random(1).choice
    messages = ("", "no", "Unsupported: 'temperature'", "max_tokens is too low", "max_completion_tokens?", "<html>",
                "top_logprobs and logprobs", "model", "key sk-abcdef " + "long " * 60)  # fmt: skip
    codes = (None, "insufficient_quota", "model_not_found", "invalid_api_key", "integer_below_min_value", 400, "x")
    fields = (None, "temperature", "max_tokens", "max_completion_tokens", "max_output_tokens", "logprobs", "model")
    requests = [{"model": "m", "temperature": 0, "logprobs": True, "top_logprobs": 5, length: limit}
                for length in ("max_tokens", "max_completion_tokens") for limit in (1, 16, 4096)]  # fmt: skip
    details = (
        None,
        [{"retryDelay": "120s"}],
        [1, {"violations": [{"quotaId": "PerDayX"}, 2]}, {"retryDelay": "120.5s"}],
    )
    for status in (400, 401, 402, 403, 404, 408, 409, 418, 422, 425, 429, 499, 500, 503):
        for _ in range(25):
            fault: Any = {"message": draw(messages), "code": draw(codes), "type": draw(codes), "param": draw(fields)}
            fault |= {"details": draw(details)}
            detail = [{"loc": ["body", draw(fields), 1], "msg": draw(messages), "type": draw(("greater_than", "x"))}]
            shapes = ({"error": fault}, {"error": fault}, [{"error": fault}], fault, {"detail": detail}, draw(messages))
            body = draw((*shapes, {"error": draw(messages)}, {"detail": draw(messages)}, [], None))
            parsed = client.parse_fault(body)
            request, prompt = draw(requests), draw(("prompt", "the temperature", "max_tokens"))
            named = Client._named_field(None, request, parsed, prompt)  # type: ignore[arg-type]
            adapted = named and client._adapt(request, named, parsed, draw(({named}, requests[0])))
            yield client.read_fault(status, parsed), sorted(parsed.codes), named, adapted


def answers() -> Iterator[Any]:
    draw = random.Random(2).choice
    tokens = ("Yes", " no", "No.", "The", "\n", "**", "token_id:7", None, "\ud800", "Ġyes", 5)
    numbers = (-0.1, -2.5, 0, 0.01, 0.02, -9999.0, float("-inf"), float("nan"), "x", None, True)
    words = ["Yes", "**no**", '{"verdict": "Yes"}', '{"a": "No"}', '{"answer": "No", "b": 1}', "```json\n[1]\n```", ""]
    words += ["<think>no</think> Yes", "The final answer is: no", "Answer: yes\nverdict: no", "Answer yes?", "x"]

    def candidate() -> dict[str, Any]:
        return {"token": draw(tokens), "logprob": draw(numbers), "bytes": draw((None, [89, 101], [300]))}

    def choice() -> dict[str, Any]:
        places = [{"token": draw(tokens), "top_logprobs": [candidate() for _ in range(draw((0, 1, 2, 3)))]}
                  for _ in range(draw((0, 1, 2)))]  # fmt: skip
        message = {"content": draw((*words, None)), "refusal": draw((None, None, None, "no"))}
        logprobs = draw(({"content": places}, {"content": places}, None))
        ended = draw(("stop", "length", "content_filter"))
        return {"message": message, "finish_reason": ended, "logprobs": logprobs}

    for _ in range(400):
        usage: Any = {"prompt_tokens": draw((3, 9, -1, None)), "completion_tokens": draw((1, 4))}
        cached = {"prompt_tokens_details": {"cached_tokens": draw((0, 2, 20))}}
        usage |= {"total_tokens": draw((None, 5, 50)), **draw(({}, cached, {"prompt_cache_hit_tokens": 2}))}
        fault = {"code": draw((401, "503", "x")), "message": "m"}
        body = completion(choices=[choice() for _ in range(draw((1, 1, 3)))], usage=draw((usage, usage, usage, None)))
        body |= {"model": draw(("m", 1)), "service_tier": draw((None, "default", "flex"))}
        body |= draw(({}, {}, {}, {"choices": []}, {"error": fault}, {"choices": [1]}))
        for votes in (None, PROMPTS["spiqa"]):
            reply = read_body(draw((body, body, body, body, [])), votes)
            stored = json.loads(json.dumps(reply.judgment))
            scored = reply.judgment and "top" in reply.judgment and PROMPTS["guarded"].score(reply.judgment["top"])
            yield reply, scored, judges.is_judgment(stored), judges.is_judgment(stored, votes=True)
    for parts in product(("", "Answer: ", "<think>", '"'), (*words, "Yeah"), ("", ".", "\n\n", " maybe")):
        yield client.read_verdict("".join(parts), PROMPTS["card"]), client.shorten_message("".join(parts))
    for message in ("<p>", "a\nsk-1", "xai-1 key-2 pk-3", "long " * 60):
        yield client.shorten_message(message), len(client.shorten_message(message))
    for text in ("Wed, 21 Oct 2015 07:28:00 GMT", "", *"1 1.5s 2m3s 1h2m3s4ms s -1 nan inf 1e3".split()):
        headers = ({"retry-after": text}, {"retry-after-ms": text}, {"retry-after-ms": text, "retry-after": "5"})
        yield client.duration(text), *map(client.retry_after, headers)


def costs() -> Iterator[Any]:
    for output, listed in product((1.0, 300.0), (False, True)):
        meter = Meter(price=lambda usage: usage[0] + 10 * usage[2] + usage[1] / 10, listed=listed, output=output)
        for number, prompt in enumerate(("x" * 9, "y" * 100, "é" * 41)):
            yield meter.estimate(prompt)
            meter.learn(prompt, (30 + number, number, 2 * number))
            for billed, priced, usage in product(("yes", "no", "unknown"), (True, False), (None, (5, 1, 2))):
                yield meter.cost(client.Reply("answer", billed=billed, priced=priced, usage=usage))  # type: ignore[arg-type]
    for reference, prediction in product(("a b c", "A", "?", "", "a a b"), repeat=2):
        yield judges.mock_top_tokens(reference, prediction, ["Y", "N"])
    counts = [{"yes": place, "no": 2, "invalid": 0, "cut": 1, "usage": [3, place, 1], "model": f"m{place}",
               "fingerprint": None} for place in range(2)]  # fmt: skip
    yield [engine._add_votes(votes, counts[1]) for votes in ({}, *counts, {**counts[0], "usage": None})]


def results() -> Iterator[Any]:
    rows: dict[str, Any] = {"questions": ["q", "r?", "s"], "predictions": ["a b", "<think>c", "d"]}
    rows |= {"references": [["a", "b a", "x"], ["c"], ["e", "d"]]}
    mock: Any = {"provider": "mock"}
    for panel, scoring, together, decided, dry_run in product(
        (None, [mock], [{**mock, "name": "x"}, mock, mock]), ("logprobs", "votes"), ("each", "all"),
        (None, [0.5, None, 1]), (False, True),
    ):  # fmt: skip
        settings = {**mock, "judges": panel, "scoring": scoring, "references_in_prompt": together, "decided": decided}
        settings |= {"dry_run": dry_run, "prompt": "guarded" if panel else "spiqa", "return_details": True}
        yield outcome(L3Score().compute, **rows, **settings, return_signature=True, on_error="skip")
    for wording, texts in product(PROMPTS, (("q", "r", "p"), ("{}", "%s\n", "<answer>"))):
        yield make_prompt(wording).fill(*texts), join_references(texts), join_references(texts[:1])


def lower(texts: list[str]) -> list[str]:
    return [" ".join(text.lower().split()) for text in texts]


def cells() -> Iterator[Any]:
    texts = ["", " ", "a", " a | b", "a | ", "a\n\nb | c", '["a"]', '["a", 1]', "[]", "1, 2;3 [4]", "0.5", "1.5", "nan"]
    texts += ["\u200bx  y "]
    values: Any = [*texts, 1, 1.50, True, None, float("nan"), [], ["a"], [["a"]], ["a", "b | c"], [1, 0], [None]]
    values += [["é"], ["é | x", "b"], {"a": 1}, [{"role": "user", "content": "a"}]]
    for kind in tables.KINDS:
        for text in texts:
            yield outcome(tables.split_cell, text, kind), tables.visible(text)
        for name, value, is_cell in product(("predictions", "scores_b", "other"), values, (False, True)):
            column = Column(name, "H", kind, system="B" if name.endswith("_b") else "")
            yield outcome(tables.to_cell, value, column, is_cell=is_cell)
    for value in (*values, "=1", "-1.5", "+a", "@b"):
        yield report.spreadsheet_cell(value)
    words = ("a b c", "A  b", "Ab", "", "é x", "e\u0301 x", "b 東京 c", "the cat sat", "b", "a b, b")
    for text, first, other in product(words, repeat=3):
        for match in ("", "contains", "fuzzy"):
            yield report.compare_texts(text, [first, other][: 1 + len(first) % 2], lower, match)
        yield report.marked_differences(text, [first, other], lower)
    for places in ([(4, 6), (0, 2), (5, 8)], [(1, 3), (3, 3), (3, 4)]):
        yield report.marked("abcdefghij", places, "differ")
    for size in (200, 500):  # letters and words that are compared at most
        own, others = "a " * size, ["a " * (size - 1) + "b", "a " * size, "a " * size + "b"]
        for text in (own, others[2]):
            yield report.nearest_reference(text[::2], [other[::2] for other in others])
            yield report.marked_differences(text, [others[0]], lower), report.marked_differences(own, [text], lower)
    for name, (_, content, _) in test_files.CASES.items():
        table = outcome(tables.read_table, content, Path(name).suffix)
        yield table, isinstance(table, tables.Table) and table.names
    names = [*"predictions output output_b answer Reference gold id question group score_a".split(), "x" * 50]
    draw, align = random.Random(3), space_of("accuracy").function("align")
    pair = [*PAIRED, Column("predictions_c", "Prediction C", optional=True, system="C")]
    for number in range(80):
        fields = draw.sample(names, draw.randrange(1, 11))
        starts = [draw.randrange(2) for _ in range(3)]
        records = [{name: draw.choice(("a", "", None, "b", 2)) for name in fields[start:]} for start in starts]
        table = tables.Table(records, dict.fromkeys(fields, "f") if number % 3 else {})
        for system in ("", "B", "C"):
            mapping = tables.match_columns(fields, pair, system)
            rows = outcome(tables.to_rows, table, pair, mapping)
            missing = tables.missing_columns(table, pair, mapping, system), tables.count_missing(table, mapping)
            yield mapping, rows, missing
            if isinstance(rows, list):
                yield outcome(tables.next_system, rows, pair), outcome(tables.to_inputs, rows, pair)
                yield outcome(tables.pair_rows, rows, draw.choice((rows, rows[::-1], rows[1:])), pair, "B", align)
    columns = space_of("accuracy").compared
    fields = [letter * 41 for letter in "abcdefghi"]  # of which a message has eight, with 40 letters
    yield tables.missing_columns(tables.Table([dict.fromkeys(fields)]), columns, {}, "")
    for count in range(9):
        row = ["x" * (column.system in [*SYSTEMS][:count]) for column in columns]
        yield outcome(tables.next_system, [row] * min(count, 1), columns)
    for system, column in product(SYSTEMS, space_of("ranked_retrieval").columns):
        own = column.of_system(system)
        yield own, own.base, own.titled("x"), own.titled(""), own.file_names(alone=True), own.file_names(alone=False)


def in_groups(rows: list[list[str]], columns: list[Column]) -> list[list[str]]:
    """Return rows with names of groups and clusters, and with IDs that several have."""
    names = {"ids": "q{}", "groups": "{}", "clusters": "c{}"}
    return [
        [names[column.name].format(7 * (number // 2) % 5) if column.name in names else cell
         for cell, column in zip(row, columns, strict=True)]
        for number, row in enumerate(rows)
    ]  # fmt: skip


def contents_of(html: str) -> Iterator[Any]:
    """Yield a report, what its downloads have, and its code."""
    yield html
    for ending, text in re.findall(r'download="[^"]*\.(\w+)" href="[^,]*,([^"]*)"', html):
        content = base64.b64decode(text).decode("utf-8-sig")
        parsed = json.loads(content) if ending == "json" else content.splitlines()[:3] if ending == "csv" else content
        yield parsed, "\\u" in content  # an escape is hard to read
    for code in re.findall(r"<pre[^>]*>(.*?)</pre>", html, re.DOTALL):
        yield unescape(code).splitlines()


ANSWERS = (
    r"Paris!~It is Ada King.~so 1.5 million, or 5~\boxed{0.50}~none~<think>Rome</think>Paris~<think>a~Paris or Rome~é x"
    "~I don't know.~Perhaps Paris~e\u0301 x~B~(b) c d e~東京 and Paris~is it 5?"
).split("~")
KEYS = (
    "Paris",
    "Ada Lovelace",
    "1500000 | 5 kg",
    "1/2",
    "b | c d e f g h i j k l m n o p",
    "Rome | paris",
    "é x | 大阪",
)
CHUNKS = ("a | b", "b", "The cat sat. A dog ran. | a dog", "the cat sat | x", "c d | c | a b")
RULES: Any = {
    "accuracy": [
        *(
            {"match": "contains"},
            {"fuzzy_match": True, "fuzzy_threshold": 0.6},
            {"abstention": "en", "match": "recall"},
        ),
        *({"extract": "last_number", "numeric_tolerance": 1.0}, {"preset": "strict", "reasoning": "keep"}),
        *({"preset": preset} for preset in ("free_form", "multiple_choice", "number", "math")),
    ],
    "token_f1": [{"tokenizer": "squad", "normalizer": "squad"}, {"reasoning": "keep"}],
    "precision_recall_f1": [{"matching_strategy": "EXACT_SENTENCE_MATCH"}, {"rouge_chunk_match_threshold": 0.4}],
    "ranked_retrieval": [{"matching_strategy": "ID", "k": "1"}, {"matching_strategy": "ROUGE_SENTENCE_MATCH"}],
    "recorded_score": [{"scale": "0, 2"}, {"scale": "1, 0", "threshold": "0.5"}],
}


def reasons() -> Iterator[Any]:
    """Yield the outcome of each row, and what explains it."""
    answered = [[*row] for row in product(ANSWERS, KEYS)]
    rows_of = {
        "precision_recall_f1": [[*row] for row in product(CHUNKS, CHUNKS)],
        "ranked_retrieval": [[*row, ", ".join("201"[: row[1].count("|") + 1])] for row in product(CHUNKS, CHUNKS)],
        "recorded_score": [["1"], ["0.5"], ["0"]],
    }
    for name in ("accuracy", "answer_exact_match", "token_f1", *rows_of):
        space = space_of(name)
        for options in ({}, *RULES.get(name, ())):
            _, inputs, chosen = space.read_page(rows_of.get(name, answered), options)
            scored, _ = space.explained(inputs, chosen)
            yield from ((outcome, space.explain(scored, row)) for row, outcome in enumerate(space.classify(scored)))


def spaces() -> Iterator[Any]:
    changes: Any = [{"ids": [1, 1]}, {"groups": ["g", "h"], "ids": [1, 2]}, {"clusters": ["c", "d"]}, {"x": 1}, {}]
    declared = "title scores outcomes sentence counted common headings words needs defaults choices hidden fixed limits"
    for name in METRICS:
        space = space_of(name)
        yield [getattr(space, field) for field in declared.split()]
        for number, (option, value) in enumerate(product(space.options, VALUES)):
            yield outcome(space.chosen, {option: value}, ("score", "compare")[number % 2])
        for endpoint, (method, text, parameters) in space.endpoints().items():
            yield endpoint, method, text, parameters, space.output_schema(method)
        for example in space.examples:
            rows, settings = example["rows"][:8], {**example["options"], "confidence_level": 0.9}
            if example.get("comparing"):
                names = dict(zip(SYSTEMS, "xyz", strict=False))
                yield from contents_of(outcome(space.compare, rows, settings, names))
                yield from contents_of(outcome(space.compare, in_groups(rows * 4, space.compared), settings))
            elif "result" not in example:
                yield from contents_of(outcome(space.score, [*rows, *rows[:2]], settings))
                yield from contents_of(outcome(space.score, in_groups(rows * 4, space.rows), settings))
        own = space.judged or space.metric.scored_input()
        inputs = tables.to_inputs(space.examples[0]["rows"][:2], space.rows)
        scores = {own: [1, None], f"{own}_b": [0.5, 0.25]} if space.judged else {f"{own}_b": inputs[own][::-1]}
        for change in changes:
            yield outcome(space.call, inputs | change), outcome(space.call_compare, inputs | scores | change)
    gallery, chunks = space_of("gallery"), [["q?", "a", "a | b", "c | d", "d"], ["", "b c", "c d", "e f", "E F | g"]]
    for rows in (
        *(example["rows"] for example in gallery.examples),
        chunks,
        chunks * 11,
        [row[:3] for row in chunks] * 101,
    ):
        yield from contents_of(outcome(gallery.score, rows, {}))
    columns: dict[str, Any] = tables.to_inputs(chunks, gallery.rows)
    paired = {f"{name}_b": columns[name][::-1] for name in ("predictions", "retrieved_contexts")}
    calls: Any = ({"clusters": [1, 2], "names": None}, {"questions": None, "names": ["x", "y"]})
    with pytest.MonkeyPatch.context() as patch:
        for call in calls:
            yield outcome(gallery.call, columns), gallery.output_schema("call")
            yield outcome(gallery.call_compare, {**columns, **paired, **call})
            patch.delitem(gallery.metrics, "token_f1", raising=False)
    for space in map(space_of, (*METRICS, "gallery")):
        most, own = space.limits, space.metric.scored_input()
        pieces = most.characters // most.cell + 1
        for texts in (["a"] * (most.rows + 1), ["a" * most.cell + "a"], ["a" * most.cell] * pieces):
            yield outcome(space.call_compare, {own: ["a"], f"{own}_b": texts, "references": ["a"]})
            yield outcome(space.call, {own: texts}), outcome(space.call, {own: [["a"] * (most.texts_in_cell + 1)]})
    judged: Any = {"individual_scores": [None, 0.0, 0.1, 0.2, 0.9, 1.0, 0.5], "p_yes": [0.25, None, *[0.5] * 5]}
    judged |= {"undecided": [False] * 6 + [True], "failures": ["why", *[""] * 6], "p_no": [0.125] * 7}
    judged |= {"top_tokens": [["Yes", "No"]] * 7, "top_logprobs": [[-0.001, -1.25]] * 7}
    scored = Scored({}, judged, None, None)  # type: ignore[arg-type]
    yield space_of("l3score").classify(scored), [space_of("l3score").explain(scored, row) for row in range(7)]


SCORES = {"1, 5": [*"1235", tables.MISSING], "5, 1": [*"15", tables.MISSING], "0, 3": ["1", "2.50"], "a=0, b=3": "ab"}
# Values of options without choices, as controls have them.
FREE: Any = {
    "reasoning_marks": ['[["<a>", "</a>"]]'], "fuzzy_threshold": [0.5, 1.0], "recall_threshold": ["0.3", 0.8],
    "numeric_tolerance": [0.5, "0.01"], "rouge_chunk_match_threshold": [0.4, 0.0], "language": ["de"],
    "rouge_sentence_match_threshold": [0.4, 0.9], "k": ["1, 3", "2"], "top_logprobs": [3, 2], "bootstrap_seed": [1, 7],
    "scale": [*SCORES], "threshold": ["", 2], "confidence_level": [0.995, 0.8, "0.9"],
    "model": [""], "max_cost": [""],
}  # fmt: skip
WORDS: Any = {"questions": ("Is it 5?", "Who?", " "), "choices": ("Paris | Rome", "b | c", "<i> | [x]", "Rome\nc")}


def draw_table(columns: list[Column], draw: random.Random, systems: str, options: Any) -> dict[str, list[str]]:
    """Draw cells of a table by column: few or many, alike or not, of some optional columns, names of several rows."""
    count = draw.choice((1, 2, 3, 6, 6, 12, 25, 45))
    pools: Any = {
        "text": [*draw.sample(ANSWERS, 4), "Paris", "paris.", "<a>x</a> Paris", tables.MISSING],
        "list": CHUNKS,
        "score": ["1", "0", "0.5", "", "0.25"],
    }
    pools["answers"] = [*draw.sample(KEYS, 2), "Paris", "Paris | Rome"]
    scores = SCORES.get(options.get("scale"), draw.choice((("0", "1"), ("1", "0.5", "0", tables.MISSING))))
    each = draw.choice((1, 2))  # samples of a question
    table: dict[str, list[str]] = {}
    for column in columns:
        if column.kind == "name":
            names = {"ids": f"q{{0:0{each}}}", "groups": "<{1}>", "clusters": "c{1}"}[column.base]
            rows = [names.format(row // each, draw.choice("xyz")) for row in range(count)]
        elif column.kind == "numbers":
            rows = [", ".join(draw.choice("012") for _ in cell.split("|")) for cell in table["references"]]
        else:
            pool = scores if column.base == "scores" else WORDS.get(column.base, pools[column.kind])
            rows = [draw.choice(pool) for _ in range(count)]
        if column.system in systems if column.system else not column.optional or draw.random() < 0.3:
            own = column.system or column.base in ("predictions", "scores")
            table[column.name] = rows if own else [rows[row - row % each] for row in range(count)]
    return table


def draw_options(space: Any, draw: random.Random) -> dict[str, Any]:
    """Draw values of about three options, among them often the level of intervals."""
    shares = {"confidence_level": 0.5, "provider": 0.02}
    values = {name: [*space.offered(name), *FREE.get(name, ())] or [True, False] for name in space.options}
    return {name: draw.choice(values[name]) for name in values if draw.random() < shares.get(name, 3 / len(values))}


def said(html: str) -> list[str]:
    """Return what a report says about its scores in words, and what its link and its downloads have."""
    parts = re.findall(
        r'(?:role="(?:status|alert)"|class="notice"|<th scope="row")[^>]*>(.*?)</(?:p|th)>', html, re.DOTALL
    )
    links = [tables.unpack_link(link) for link in re.findall(r"#(rows=[\w-]+)", html)]
    files = [base64.b64decode(text).decode() for text in re.findall(r'href="data:[^,]*,([^"]*)"', html)]
    digest = hashlib.sha1(steady(json.dumps([links, files])).encode()).hexdigest()[:9]
    return [" ".join(re.sub("<[^>]*>", " ", text).split())[:200] for text in parts[:7]] + [digest]


def reports() -> Iterator[Any]:
    """Yield reports, labels, presets and calls for drawn tables of one or several systems under drawn options."""
    for name, seed in product(METRICS, range(24)):
        space, draw = space_of(name), random.Random(f"{name} {seed}")
        systems = draw.choice(("", "", "", "AB", "AB", "AB", "ABC", "ABCDEFGH", "AC"))
        columns = space.compared if systems else space.rows
        settings = draw_options(space, draw)
        table = draw_table(columns, draw, systems or "A", settings)
        rows = [[*row] for row in zip(*(table.get(c.name, [""] * 45) for c in columns), strict=False)]
        names = draw.choice((None, dict(zip(SYSTEMS, ("x", "y_z", "x", "<i>"), strict=False))))
        html = outcome(space.compare, rows, settings, names) if systems else outcome(space.score, rows, settings)
        yield name, settings, [*table], len(rows), html, said(html) if "<" in html else ""
        inputs = outcome(tables.to_inputs, rows, columns)
        if isinstance(inputs, str):
            yield inputs
        elif systems:
            inputs |= {"margin": draw.choice((None, 0.1)), "names": [*names.values()][:3] if names else None}
            yield outcome(space.call_compare, {**inputs, **settings})
        else:
            inputs = {key: values for key, values in inputs.items() if key in space.metric.inputs}
            details = dict.fromkeys(("return_details", "return_confidence", "return_signature"), seed % 2 == 0)
            yield outcome(space.call, {**inputs, **details, **settings})
            labels = {str(row): draw.random() < 0.6 for row in range(len(rows)) if draw.random() < 0.5}
            if not space.judged:
                yield outcome(space.sample, rows, settings, seed), outcome(space.correct, rows, settings, labels)
            if space.presets:
                yield outcome(space.presets_scored, rows, settings)


def made(scale: Scale, count: int, draw: random.Random, *, single: bool) -> report.Report:
    """Make a report of drawn values, many of them at the end of a rule."""
    size: float = scale.high - scale.low
    names: tuple[str, ...] = () if single else draw.choice((("A",), ("A", "<B>"), ("A", "<B>", "c|d")))
    values = [scale.low + size * share for share in (0, 0.0004, 0.0006, 0.25, 0.7, 0.9996, 1)]
    ends: Any = [(), (values[1], values[3]), (values[4], values[4]), (scale.low, scale.high)]
    scores: Any = [(name, draw.choice(values), draw.choice(ends)) for name in names or "s_1"]
    outcomes, columns = {"good": "hit", "disagree": "near", "bad": "miss"}, [Column("choices", "C", "list")]
    columns += [Column(kind, kind.title(), kind) for kind in tables.KINDS if kind not in {"name", "score"}]
    columns += [Column("groups", "Group", "name")]
    cells: Any = {"text": ("", " a", "x"), "answers": ("a", [], ["a"], ["a", "", "b"]), "numbers": ([0.5, 1e-7], [])}
    cells |= {"choices": ([*map(str, range(28))], []), "list": ([], ["a"], ["", "b"]), "groups": ("g", "<h>")}
    if draw.random() < 0.3:
        columns.pop()
    whys: Any = ([], [("code", "a"), ("line", ""), ("", "<"), ("mark", "m"), ("differ", "d"), ("chip hit", "x")])
    replaced: Any = ({}, {"text": [[("differ", "t")], []]})
    second: Any = {"difference": draw.choice(values) - values[3], "samples": (1, 2), "p_value": 0.05}
    second |= {"difference_confidence_interval": draw.choice(((-0.1 * size, values[1]), (0.0004, 0.3 * size)))}
    ranks = {name: {"rank_confidence_interval": draw.choice(((1, 1), (1, 3)))} for name in names}
    cell: Any = (None, "<t>", 1234, 0.00012, (0.0004, -0.25), (0.5, 0.5), 0.9996)
    headings = "group~p~adjusted p~difference~difference interval~corrected interval~value~total".split("~")
    kinds = product((0, 12345, 1e-13, -0.00004, 0.00005, 0.12345), ("", "int", "difference", "float, -1 to 1"))
    figures: Any = {f"f_{at}": (*each, "h") for at, each in enumerate(kinds)}
    figures |= draw.choice(({}, {"recall@10": (0.5, "float, 0 to 1", "h")}))
    method = "compare" if names else "score"
    matrix = [0.0049, 0.005, 0.5, 0.96, 0.9949, 0.995, 0, 1] * count
    own: Any = {"compared": {"systems": ranks}, "second": second} if names[1:] else {}
    comparison = {"comparison": {"systems": {name: draw.choice(({}, {"samples": 2})) for name in names}}}
    return report.Report(
        title="T <i>", name="n", scores=scores, sentence="S.", outcomes=outcomes, columns=columns, scale=scale, **own,
        row_outcomes=[draw.choice([*outcomes]) for _ in range(count)], signature=draw.choice(("", "v&1")),
        row_scores=[draw.choice((*values, None)) for _ in range(count)], notices=draw.choice(((), ("<",), ("N", "M"))),
        explain=lambda row: (whys[row % 2], replaced[row // 2 % 2]), python=draw.choice(("", "p('é')")),
        inputs={column.name: [draw.choice(cells.get(column.name, [1])) for _ in range(count)] for column in columns}
        | {"ids": [f"q{row // 2}" for row in range(count)]},
        saved={"é": 1} | (comparison if names else {}), link=draw.choice(("", "rows=x")), method=method,
        table={name: [draw.choice((None, 0.5, "=1", "\t1", [1, "é"], 7)) for _ in range(count)] for name in names},
        tables=draw.choice(({}, {"By <g>": [[dict(zip(headings, draw.choices(cell, k=8), strict=True))]]})),
        figures=draw.choice(({}, figures)), matrix={"m": matrix[:count]} if draw.random() < 0.2 else {},
        level=draw.choice((0.95, 0.995)), demo=count == 5,
    )  # fmt: skip


def templates() -> Iterator[Any]:
    """Yield what the templates write of numbers, counts, names and cells at the ends of their rules, line by line."""
    draw, scales = random.Random(8), (Scale(), Scale(1, 5), Scale(0, 100, higher_is_better=False))
    for scale, count, single in product(scales, (1, 5, 6, 19, 20, 29, 30, 31, 1234), (True, False)):
        own = made(scale, count, draw, single=single)
        html = re.sub(r'data-id="\w+"|<script.*?</script>', "", own.html(), flags=re.DOTALL)
        html = html if count < 7 else html.partition("rows-of")[0]
        yield re.sub(r'(href="data:[^,]*),[^"]*', r"\1", html).splitlines()
        yield [content for content, _ in [*contents_of(own.html())][1:4]] if count < 31 else ""
    for _ in range(250):
        scale = draw.choice(scales)
        size, bound = scale.high - scale.low, draw.choice((0.0, 0.02, -0.3))
        second: Any = {"difference": size * draw.choice((0, 5e-10, 0.0004, -0.00099, 0.001, -0.05, 0.1234, -1.0))}
        second |= {"difference_confidence_interval": draw.choice(((bound, 0.31 * size), (bound, bound), None))}
        second |= {"p_value": draw.choice((0.0, 0.05, 0.051, 0.005, 1.0)), "left_out": draw.choice((0, 0, 1, 2, 1001))}
        second |= {"minimum_detectable_difference": size * draw.choice((0.00123, 0.0949, 0.0996, 0.1, 0.5, 1.0))}
        second |= draw.choice(({}, {"samples": (1, 2)}))
        compared: Any = {"systems": {"a|b": {}, "<B>": {}}, "confidence_level": draw.choice((0.9, 0.95, 0.995))}
        compared |= draw.choice(({}, {"clusters": 1234}))
        compared |= {"total": second["left_out"] + draw.choice((0, 1, 2, 1002))}
        yield report.EXPORTS.verdict(compared, second, scale).unescape().split(" ")
    for ranks in (((2, (1, 2)), (1, (1, 1)), (2, (2, 3))), ((1, (1, 3)), (1, (1, 1)), (3, (3, 3)))):
        named = zip("b<a", ranks, strict=True)
        names = {name: {"rank": own, "rank_confidence_interval": at} for name, (own, at) in named}
        yield report.EXPORTS.verdict({"systems": names, "confidence_level": 0.995, "pairs": [1]}, {}, Scale()).split()
    space = space_of("answer_exact_match")
    for count in (40, 41, 1001):
        inputs: Any = {"predictions": ["it's", '"\n'] * count, "references": [["é"], ["b", "c"]] * count}
        inputs = {name: cells[:count] for name, cells in inputs.items()}
        yield str(report.EXPORTS.computed(space, inputs, {"x": "é", "y": 1.5}).unescape()).splitlines()[:60]
        rows, labels = [[own, "it's"] for own in inputs["predictions"]], {"1": True, "2": False}
        for shown in (space.score(rows, {}), space.sample(rows, {}, 1), space.correct(rows, {}, labels)):
            yield re.findall(r"\d[\d,.]*", re.sub(r'"[^"]*"', "", shown.partition("export")[0]))[:90]
    yield space.compare([["b", "a", "a"]] * 1001, {}).partition('class="head"')[0]
    presets = {"a<": (0.9996, (0.5, 0.99951), True), "b": (None, "why <", False), "c": (0.0, (0.0, 0.0004), False)}
    fields = [Column("predictions", "P & <"), Column("questions", "Q", optional=True)]
    for number in (0, 1, 1234):
        yield report.PARTS.presets_scored(presets, number).splitlines()
        examples = [(row, [(fields[0], ["a", "<b>"]), (fields[1], "q")]) for row in range(0, number, 999)]
        yield report.PARTS.label_form(examples, number).splitlines()
        corrected: Any = {"s": 0.5, "labels": number, "s_corrected": None if number == 1 else 0.9996}
        corrected |= {"agreement": 0.9996 if number else None, "s_corrected_confidence_interval": number and (0, 0.99)}
        yield report.PARTS.corrected("s", corrected, 0.995, ["it's <", "no x"][:number]).splitlines()
        yield report.PARTS.mapping(fields[:number], ["f", "<g>"], {"questions": "<g>"}, number == 1).splitlines()
        yield report.PARTS.error("<e>", number == 1).splitlines(), report.PARTS.names(), report.PARTS.rule()
        yield report.PARTS.note("<n>"[:number], {"a": "'<"} if number else None, number == 1).splitlines()
    for name, owner in product(("token_f1", "gallery"), ("", "http://h/me")):
        yield report.PARTS.masthead(SimpleNamespace(name=name, title="<t>", lead="One. Two."), owner).splitlines()
    yield report.PARTS.head({"a": "</script>", "é": None, "t": True}, "<style>", "a && b", "<c>").splitlines()


def adapters() -> Iterator[Any]:
    yield integrations.explain({"individual_f1": 0.12345, "individual_x": None, "total": 3})
    for kind in (*integrations._EXPLANATIONS, "other"):
        yield integrations.explain({"match_types": kind})
    for name in METRICS:
        space = space_of(name)
        score = integrations.row_scorer(name, **({"provider": "mock"} if name == "l3score" else {}))
        for row in space.examples[0]["rows"][:6]:
            inputs = {key: values[0] for key, values in tables.to_inputs([row], space.rows).items()}
            for more in ({"other": 1, "choices": None, "questions": None}, {}, {space.metric.scored_input(): None}):
                scored = outcome(score, **{**more, **inputs, **more})
                yield scored, integrations.explain(scored[1]) if isinstance(scored, tuple) else ""
    for content in (None, "a", [], [{"type": "text", "text": "a"}, {"type": "x"}, {"type": "text", "text": "b"}]):
        yield trl._answer_text([{"role": "assistant", "content": content}, {"role": "tool", "content": "c"}])


def servers() -> Iterator[Any]:
    """Yield what a client makes of responses and failures, and how its requests, the pace and the budget change."""
    address, sent = "https://h.org:8443/v1", {"model": "m", "temperature": 0, "max_tokens": 1, "logprobs": True}
    settings: Any = {"address": address, "fields": sent, "fixed": {"n": 1}, "is_openai": False, "votes": None}
    key = Secret('sk-a/b"c9')
    made = Client(**settings, key=key, timeout=5.0)
    masked = (key, key.upper(), "sk-a%2Fb%22c9", r"sk-a\/b\\\"c9", r"sk-a\u002fb\u0022c9", "sk-a", f"x{key}y")
    bare = [Client(**{**settings, "address": f"{kind}://h/v1"}, key=key, timeout=5) for kind in ("http", "https")]
    for own in (made, Client(**settings, key=Secret("sk-abc1"), timeout=90), *bare):
        yield [own._mask_key(text) for text in masked], own.host, own._place, own._connect_timeout
    contents: tuple[Any, ...] = (
        completion(),
        {"error": {"message": f"no {key}", "param": "temperature"}},
        "<p>",
        [],
        "x" * 300,
        {},
    )
    for status, content in product((200, 204, 301, 308, 400, 401, 402, 403, 422, 429, 500, 503, 600), contents):
        encoded = json.dumps(content).encode("utf-16" if status == 503 else "utf-8")
        headers = {"location": f"http://x.org/{key}" if content else "", "retry-after": "7" if status > 400 else ""}
        yield made._read_response(status, headers, encoded if content != "<p>" else b"<p>")._replace(headers={})
    timeout, broken = TimeoutError("t"), ConnectionResetError(errno.ECONNRESET, "with an address")
    where = SimpleNamespace(host="p", port=1, ssl=True)
    inner: list[Any] = [timeout, broken, OSError("x"), ValueError("y"), client._BadBody("too long"), None]
    inner += [aiohttp.ServerDisconnectedError(), aiohttp.ConnectionTimeoutError("c")]
    inner += [aiohttp.ClientHttpProxyError(None, (), status=407)]  # type: ignore[arg-type]
    tls = ssl.SSLError(1, "s")
    tls.reason = "WRONG_VERSION"
    faults: list[OSError] = [broken, tls, OSError("z"), socket.gaierror(-2, "unknown")]
    kinds: list[Any] = [aiohttp.ClientConnectorError, aiohttp.ClientConnectorDNSError]
    inner += [kind(where, fault) for kind, fault in product(kinds, faults)]
    inner += [aiohttp.ClientConnectorCertificateError(where, ssl.CertificateError("bad"))]  # type: ignore[arg-type]
    for cause, outer in product(inner, (None, RuntimeError("outer"))):
        error = outer or cause or RuntimeError("alone")
        error.__cause__ = cause if outer else None
        yield made._read_failure(error)
    for votes, length, limit, written in product((None, PROMPTS["card"]), ("max_tokens", "seed"), (1, 4, "x"), (1, 3)):
        own = Client(**{**settings, "votes": votes, "fixed": {"max_tokens"} if limit == 4 else {}}, key=key, timeout=5)
        for usage in ((9, 0, written), (9, 0, written), None):
            own._keep({"model": "m", length: limit, "seed": 1}, usage)
            yield own._accepted, own._tried_both_limits, own._fields, own.changes()
    yield [kind.__name__ for kind in made._failures]
    yield from paces()


def paces() -> Iterator[Any]:
    """Yield the pace of calls and the budget after drawn replies, at times that a test sets."""
    draw, now = random.Random(5), [100.0]
    engine._random.seed(1)
    kinds: Any = ("answer", "answer", "answer", "limited", "retry")
    stopped = asyncio.Event()
    for _ in range(12):
        pace = engine.Pace(clock=lambda: now[0])
        for _ in range(25):
            now[0] = max(now[0], pace._next) + draw.choice((0.0, 0.004, 0.3, 12))
            started = asyncio.run(pace.enter(stopped))
            assert started is not None
            now[0] += draw.choice((0.01, 0.2, 3))
            left = {name: str(draw.choice((0, 1, 3, 40, 100))) for name in ("requests", "tokens")}
            headers = {f"x-ratelimit-remaining-{name}": count for name, count in left.items()}
            headers |= {"x-ratelimit-limit-requests": "100", "x-ratelimit-limit-tokens": "5000"}
            headers |= {"x-ratelimit-reset-requests": draw.choice(("1s", "1m", "")), "x-ratelimit-reset-tokens": "6s"}
            wait, usage = draw.choice((None, None, 2.5)), draw.choice((None, (30, 0, 1), (90, 5, 4)))
            few = headers if draw.random() < 0.3 else {}
            pace.leave(
                started - draw.choice((0, 0, 20)), client.Reply(draw.choice(kinds), wait=wait, usage=usage, headers=few)
            )
            yield pace._rate, pace._limited, pace._next - now[0], pace._pause, pace._in_flight, pace.waiting()

    async def spend(limit: float) -> Any:
        budget = engine.Budget(limit)
        steps: list[Any] = []
        meter = Meter(price=lambda usage: usage[0] / 100 + usage[2], listed=False, output=1.0)
        for cost in (0.5, None, 0.0, 2.0, 0.1, 1.0):
            reserving = asyncio.ensure_future(budget.reserve(meter, "x" * 40, stopped))
            with contextlib.suppress(TimeoutError):
                dollars = await asyncio.wait_for(reserving, 0.2)
                steps.append((dollars, budget.max_billed))
                if dollars is not None:
                    steps.append((budget.settle(dollars, cost), budget.spent, budget.max_billed))
            meter.learn("x" * 40, (10, 0, 1))
        return steps

    yield from (asyncio.run(spend(limit)) for limit in (0, 1.1, 3, 24.2, 1000, float("inf")))


def judged(draw: random.Random, *, votes: bool, fails: bool = True) -> judges.Outcome:
    """Draw the outcome of a prompt."""
    top = [
        (draw.choice(("Yes", "No", "yes", "Maybe")), -draw.choice((0.1, 0.5, 3.0))) for _ in range(draw.choice((1, 3)))
    ]
    served = {"usage": draw.choice((None, (9, 1, 2))), "model": draw.choice((None, "m")), "fingerprint": None}
    judgment: Any = {"yes": draw.randrange(1, 5), "no": draw.randrange(4)} if votes else {"top": top}
    is_failed = fails and draw.random() < 0.15
    costs: Any = {"cost": draw.choice((0.25, 0.5, None)) if draw.random() < 0.5 else 0.1, "paid": draw.random() < 0.3}
    return judges.Outcome(
        None if is_failed else judgment | served,
        f"why {draw.randrange(5)}" * is_failed,
        lost=draw.choice((0, 0, 1)),
        **costs,
    )


def bars() -> Iterator[Any]:
    """Yield the settings of the progress bar, in a terminal, a notebook and a file."""
    for is_terminal, is_notebook, count in product((False, True), (False, True), (0, 2)):
        bar = SimpleNamespace(miniters=1, mininterval=1, update=lambda _: None, total=0)
        settings: dict[str, Any] = {}
        asked: Any = [SimpleNamespace(missing={"p": ()}, outcomes={}, judge=lambda _: {"p": 1}.items())] * count
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda is_terminal=is_terminal: is_terminal))
            patch.setitem(sys.modules, "ipykernel", sys) if is_notebook else patch.delitem(
                sys.modules, "ipykernel", False
            )
            make_bar = lambda settings=settings, bar=bar, **own: contextlib.nullcontext(settings.update(own) or bar)  # noqa: E731
            patch.setattr("evaluate.utils.logging.tqdm", make_bar)
            judging._judge_missing(asked, None)
        yield settings, bar.total, bar.miniters, bar.mininterval, [judge.outcomes for judge in asked]


def rows() -> Iterator[Any]:
    """Yield the rows of drawn judgments, what is said of failures, summaries of rows, and prices."""
    panel = [{"provider": "mock"}, {"provider": "mock", "name": "x"}, {"provider": "mock"}]
    draw = random.Random(6)
    for jurors, scoring, skip, number in product((None, panel), ("logprobs", "votes"), ("raise", "skip"), range(8)):
        options = JudgeOptions(provider="mock", judges=jurors, scoring=scoring, on_error=skip, use_cache=number % 3 > 0)  # type: ignore[arg-type]
        make_row, count = judging._row_maker(options), len(jurors or "1")
        prompts = [f"p{place}" for place in range(30)]
        outcomes = [
            {text: judged(draw, votes=scoring == "votes", fails=number % 4 > 0) for text in prompts}
            for _ in range(count)
        ]
        asked: Any = [SimpleNamespace(outcomes=own, error=None, is_partial=number % 2 == 0) for own in outcomes]
        if number % 5 == 4:
            asked[-1].error = JudgeError("stopped", 0.5)
        with capture_warnings() as messages:
            yield outcome(judging._check_failures, asked, options), list(map(str, messages))
        made = [make_row(prompts[start : start + draw.choice((1, 2))], outcomes) for start in range(0, 30, 2)]
        yield made[:4]
        unasked = {**judging._empty_row(judging.columns_of(options)), "juror_costs": [0.0] * count}
        unasked |= {"individual_scores": 0.5, "juror_scores": [0.5] * count}
        columns = {
            name: [row[name] for row in [*made, *[unasked] * (number % 2)]] for name in judging.columns_of(options)
        }
        metric = L3Score(provider="mock", judges=jurors, scoring=scoring, on_error=skip)
        scored = {f"l3score_{name}": values for name, values in columns.items()}
        for details in (False, True)[: 1 + (number == 1)]:
            with capture_warnings() as messages:
                yield outcome(metric.aggregate, scored, return_details=details), list(map(str, messages))
    panels: list[Any] = [[], [[0.5, 0.6]], [[0.51, 0.5], [None, 1.0], [1.0, 0.9], [0.2, 0.8]], [[None, 1.0]]]
    yield from bars()
    for own in (*panels, [[0.9, 0.9]] * 3):
        yield pairwise_agreement(own, ["a", "b"]), judging.total_cost([row[0] for row in own])
    yield registry.pricer("openai", "m", (1.0, 3.0))((10, 5, 7)), registry.pricer(None, "m", None)  # type: ignore[misc]
    tiers: Any = (None, {"service_tier": "flex"}, {"service_tier": "default"})
    models = ("gpt-6-luna", "grok-4.20-non-reasoning", "deepseek-flash", "none")
    with pytest.MonkeyPatch.context() as patch:
        for provider, model, extra, price, scoring in product(
            ("openai", "xai", "deepseek", "openai-compatible"), models, tiers, (None, (1.0, 3.0)), ("logprobs", "votes")
        ):
            patch.setattr(judges, "pricer", lambda *asked: (lambda _: asked) if asked[1] != "none" else None)
            named: Any = {"provider": provider, "model": model, "extra_body": extra, "price": price, "scoring": scoring}
            judge: Any = judges.make_judge(JudgeOptions(**named, base_url="http://h/v1", max_cost=1.0))
            yield judge.estimate("x" * 400), judge._why_unpriced(), outcome(judge.check)


JUDGING = (addresses, options, faults, answers, costs, results, servers, rows)
PARTS = (*JUDGING, cells, spaces, reports, reasons, templates, adapters)


@pytest.mark.usefixtures("fresh_judges")
@pytest.mark.parametrize("part", PARTS, ids=[part.__name__ for part in PARTS])
def test_values_are_those_that_were_recorded(part: Callable[[], Iterator[Any]]) -> None:
    assert changed("recorded", part.__name__, recorded(part, words=True)) == []


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "metrics" / "l3score"))  # as pytest does
    record("recorded", {part.__name__: recorded(part, words=True) for part in PARTS})
