"""What columns, answers with reasoning, and calls of a metric give for many inputs, as recorded, with all messages.

Calls have good and bad arguments, drawn one beside the other. Lines are those of `test_recorded.py`. To record those of
today, once the ones that changed are right: `python -m tests.unit.test_calls`.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import answer_metrics
from answer_metrics.columns.inputs import Clusters, Labels, NumberLists, Numbers, References, StringLists, Strings
from answer_metrics.columns.reasoning import answer_of
from answer_metrics.columns.storage import decode, encode
from answer_metrics.columns.tables import align, as_batch, column_names, plain_values, to_list, value_counts
from answer_metrics.core.messages import capture_warnings
from answer_metrics.core.results import Result
from answer_metrics.judge import judges
from answer_metrics.judge.engine import JudgeError
from answer_metrics.judge.judges import MockJudge, Outcome
from tests.conftest import ROOT
from tests.containers import ANY, OF_LISTS, OF_STRINGS
from tests.records import changed, record, recorded
from tests.unit.test_compare import Ordered, Unordered
from tests.unit.test_recorded import VALUES

ANSWERS = (ROOT / "tests" / "grids" / "answers.txt").read_text(encoding="utf-8")
"""Texts: of each paragraph, one part of each line in every combination."""
KINDS = (
    *(Strings(), StringLists(), References("Texts."), Clusters(), Labels(optional=True)),
    *(Numbers(), Numbers(0, 10, "A number.", optional=True), NumberLists(0, 10)),
)
CHAT = {"role": "user", "content": "Rome"}
CELLS: tuple[Any, ...] = (
    *(None, True, 0, 1, 11, -0.0, 2.5, 1e9, float("nan"), float("inf"), Fraction(1, 3), b"a", "", "a", "x" * 70),
    *("a\ud800", "['a', 'b']", ' [ "a" ]', "[1]", [], {}, {"a": 1}, ["a"], ["a", None], ["a", 7], ("a", "b"), [1, 2.5]),
    *([[1]], ["a", "['b']"], CHAT, [CHAT], [[CHAT]], [1, True], [0.5, 11], {"a"}, ["東"]),
)  # fmt: skip
COLUMNS: tuple[list[Any], ...] = (
    [*"abaé"], [["a"], ["b", "c"], [], ["a"]], [["a", "b", "c"]] * 2, ["a", None], [[1, 2, 3]] * 2, [1, 2, 1],
    [0.5, None],
)  # fmt: skip
CLUSTERS = [type("Frame", (), {"__module__": module})() for module in ("pyspark.sql", "dask.dataframe")]
ROWS: tuple[Any, ...] = ("a/b", [{"a": 1}, {"b": 2}], [{"a": 1}, {"a": 2}], [{"a": 1}, 2], *CELLS, *CLUSTERS)

IDS: tuple[Any, ...] = ([1, 2], [2, 3], ["1", "2"], [], [1, 1, 2, 2], [None, 1], [[1]], ["1", 2], [*range(9)])


def result_of(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Return what a call returns, or its error, in our words only: a library's differ between its versions."""
    try:
        return function(*args, **options)
    except Exception as error:
        is_ours = type(error) in {ValueError, JudgeError} or " has no option " in str(error)
        return f"{type(error).__name__}: {error}" if is_ours else type(error).__name__


def columns() -> Iterator[Any]:
    """Yield what each kind of column makes of a value beside another one, and of columns in every container."""
    for kind, first, value in itertools.product(KINDS, ("a", ["a"], 1, [2.5], None), CELLS):
        yield [result_of(kind.check, name, [first, value]) for name in ("predictions", "references")]
    for values, make in itertools.product(COLUMNS, {**ANY, **OF_STRINGS, **OF_LISTS}.values()):
        yield result_of(lambda values, make: plain_values("x", make(values)), values, make)
        yield result_of(lambda values, make: [*value_counts(make(values)).items()], values, make)
        cells = result_of(lambda values, make: to_list("x", make(values)), values, make)
        yield [result_of(kind.check, "x", cells) for kind in KINDS if isinstance(cells, list)]
        for kind in KINDS[:3]:  # of texts
            yield result_of(lambda *of: of[2].store(of[2].as_arrow(of[1](of[0]))).to_pylist(), values, make, kind)
    for first, second, missing in itertools.product(IDS, IDS, ("error", "wrong", "ignore")):
        yield result_of(align, {"a": first, "b": second, "c": []}, "id", missing=missing)
        yield result_of(align, {"a": first, "b": second}, "id", missing=missing)
    yield plain_values("x", [np.int64(3), "a", None])
    for stored, value in itertools.product((float, float | None, int, int | None, bool, str, list), CELLS):
        yield [result_of(decode, "x", [*first, value], stored, "") for first in ([], [0], [1.0], ["a"], [True])]
        yield result_of(encode, {"x": [value]}, {"x": stored}, "p_", {}, {})
    yield [result_of(as_batch, data) for data in ROWS], [(kind.help, kind.optional, kind.type_name) for kind in KINDS]


def answers() -> Iterator[Any]:
    for paragraph in ANSWERS.rstrip("\n").split("\n\n"):
        combinations = itertools.product(*(line.split("¦") for line in paragraph.split("\n")))
        for parts in itertools.islice(combinations, 0, None, 5):
            yield answer_of("".join(parts).replace("\\n", "\n"))


INPUTS: dict[str, list[Any]] = {
    "questions": [f"{place}?" for place in (1, 1, *range(10))],
    "predictions": ["Paris", "It is Rome", "<think>Oslo", "Oslo", "Rome!", "Bern"] * 2,
    "references": ["Paris", "Rome", "Oslo", "Oslo", "Paris", "Rome", "Paris", "Paris", "Oslo", "x", "Rome", "Bern"],
    "scores": [1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0],
}
MORE: dict[str, list[Any]] = {
    "document": [f"d{row // 2}" for row in range(12)], "label": [1.0, 0.0, None, 1.0, 0.5, 0.0] * 2,
    "id": [*range(12)], "other": [*range(11, -1, -1)], "question": [row // 2 for row in range(12)],
    "group": [*"aabbccaabbcc"], "twice": [0, *range(11)], "gaps": [None, *range(11)],
}  # fmt: skip
NAMES: tuple[Any, ...] = (*MORE, "references", "no", 1, None)
OWN = {"clusters": "document", "human_labels": "label", "by": "group"}
# What arguments may be: the first two values are good, others may not be.
ATTRIBUTES: dict[str, tuple[Any, ...]] = {
    name: (own, MORE[own], None, "no", MORE[own][1:], [*MORE[own][1:], (1,)], *NAMES) for name, own in OWN.items()
}
INPUTS_BESIDE = {name: values[1:6] for name, values in ATTRIBUTES.items() if name != "by"}
OPTIONS: dict[str, tuple[Any, ...]] = {
    "return_details": (True, False, 1), "return_confidence": (True, False), "confidence_level": (0.9, 0.8, 1),
    "bootstrap_seed": (1, 2, -1), "return_signature": (True, True), "reasoning": ("keep", "drop"),
    "case_sensitive": (True, True), "match": ("recall", "contains", "recal"), "returndetails": (True, True),
    "normalizer": ("squad", str.upper, len, None), "preset": ("free_form", "strict", "x"), "threshold": (0.6, 0.2),
}  # fmt: skip
METRICS = ("accuracy", "answer_exact_match", "recorded_score", "ranked_retrieval", "precision_recall_f1")
RENAMED: tuple[dict[str, str], ...] = ({"predictions": "group"}, {}, {"prediction": "x"})
ROW_NAMES = {"on": ("id", "id", *NAMES), "clusters": ("document", "document", *NAMES)}
METHODS: dict[str, dict[str, tuple[Any, ...]]] = {
    "compute": INPUTS_BESIDE, "add": INPUTS_BESIDE, "add_batch": INPUTS_BESIDE, "aggregate": ATTRIBUTES,
    "compare": {
        "baseline": ("b", "all", "no", 1), "on": ROW_NAMES["on"], "clusters": ATTRIBUTES["clusters"],
        "by": ("group", "group", *NAMES), "human_labels": ("label", "label", *NAMES), "resamples": (99, 7, 0),
        "margin": (0.1, 0.2, -1, 2), "repeats": (True, False, 1), "columns": RENAMED,
        "missing": ("wrong", "ignore", "raise", "no"),
    },
    "repeats": {
        "on": ("question", "question", *NAMES), "clusters": ROW_NAMES["clusters"], "k": (1, 2, [1, 2], 4, 0),
        "answers": ("group", "document", *NAMES),
    },
    "required_n": {"difference": (0.2, 0.4, 0, 2), "power": (0.9, 0.7, 1), **ROW_NAMES},
    "label_sample": {"n": (3, 4, 0, 11, 13, -1, True), "seed": (2, 1, -1)},
    "score_batch": {"columns": RENAMED, "keep": (["id"], ["id", "gaps"], ["id", "id"], "id", ["no"], ["id", 1])},
    "row_scores": {}, "scales": {}, "schema": {}, "__repr__": {}, "__len__": {},
}  # fmt: skip
BASE: dict[str, dict[str, Any]] = {
    "compare": {"resamples": 99, "on": "id"}, "required_n": {"difference": 0.1, "on": "id"},
    "label_sample": {"n": 5}, "repeats": {"on": "question"},
}  # fmt: skip
TABLES: tuple[Callable[[dict[str, list[Any]]], Any], ...] = (
    dict, pa.table, pd.DataFrame, pl.DataFrame, Ordered, lambda table: [table],
    lambda table: pl.DataFrame(table).to_dicts(),
    lambda table: tuple({name: values[start : start + 5] for name, values in table.items()} for start in (0, 5, 10)),
    Unordered, lambda table: pl.DataFrame(table).to_dicts()[:1],
    lambda table: {name: values[:9] for name, values in table.items()},
    lambda table: {**table, "id": ["a", *table["id"][1:]]},
)  # fmt: skip
WHOLE = TABLES[:8]


PANEL = [{"provider": "mock"}, {"provider": "mock", "name": "b", "top_logprobs": 3}]
JUDGED: dict[str, tuple[Any, ...]] = {
    **{name: OPTIONS[name] for name in [*OPTIONS][:6]}, "scoring": ("votes", "logprobs"), "samples": (3, 9),
    "references_in_prompt": ("all", "each"), "judges": (PANEL, None), "prompt": ("spiqa", "guarded", "crad"),
    "top_logprobs": (2, 9, 1), "dry_run": (True, False, 1), "on_error": ("skip", "raise", "x"),
}  # fmt: skip
THRESHOLDS: dict[str, tuple[Any, ...]] = {f"rouge_{part}_match_threshold": (0.4, 0.9) for part in ("chunk", "sentence")}
STRATEGIES = ("ROUGE_SENTENCE_MATCH", "EXACT_CHUNK_MATCH")
# Options that one metric has, besides those of all.
LOADED: dict[str, dict[str, tuple[Any, ...]]] = {
    "l3score": JUDGED, "token_f1": OPTIONS | {"tokenizer": ("unicode", "squad")},
    "answer_exact_match": OPTIONS | {"confidence_method": ("clopper-pearson", "bootstrap")},
    "recorded_score": OPTIONS | {"scale": ((0, 2), (1, 0), {"1": 3, "0.5": 1, "0": -1}, (1, 1))},
    "ranked_retrieval": OPTIONS | THRESHOLDS | {"k": ([2], (3, 1)), "matching_strategy": ("ID", *STRATEGIES)},
    "precision_recall_f1": OPTIONS | THRESHOLDS | {"average": ("micro", "macro"), "matching_strategy": STRATEGIES},
    "accuracy": OPTIONS | {"fuzzy_match": (True, False), "decimal": (",", "."), "numeric_tolerance": (0.1, 1.0)},
}  # fmt: skip


class Judge(MockJudge):
    """A judge that does not answer what another one does, and is paid."""

    def judge(self, bar: Any) -> Iterator[tuple[str, Outcome]]:
        for text, outcome in super().judge(bar):
            is_second, answer = self.options.top_logprobs == 3, self.missing[text][1]
            judgment: Any = {**(outcome.judgment or {}), "usage": (len(answer), 0, 1), "model": f"m{is_second}"}
            if is_second and answer == "Paris" and "yes" in judgment:
                judgment |= {"yes": judgment["no"], "no": judgment["yes"]}
            is_silent, lost = answer in ({"Bern"} if is_second else {"Oslo", "Bern"}), 0.25 * (answer == "Rome!")
            why = "silent" * is_silent
            yield text, Outcome(None if is_silent else judgment, why, cost=None if is_second else 0.5, lost=lost)


def draw_arguments(
    metric: Any, method: str, draw: random.Random, options: dict[str, tuple[Any, ...]]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Draw what a method is called with: inputs, tables of one system or several, and some of its options."""
    has_lists = type(metric.inputs[metric.scored_input()]) is StringLists
    inputs = {name: [*map(str.split, INPUTS[name])] if has_lists else INPUTS[name] for name in metric.required_inputs()}

    careful = draw.random() < 0.7
    tables = WHOLE if careful else TABLES

    def rows() -> dict[str, list[Any]]:
        columns = inputs | MORE
        if options is not OPTIONS and draw.random() < 0.2:
            grades = [[len(text) % 3 for text in texts] for texts in columns.get("references", ())]
            optional: dict[str, list[Any]] = {"decided": MORE["label"], "relevance": grades}
            columns |= {name: values for name, values in optional.items() if name in metric.inputs}
        columns[metric.scored_input()] = draw.sample(columns[metric.scored_input()], 12)
        columns |= {name: MORE[own] for name, own in OWN.items() if name != "by" and draw.random() < 0.1}
        order = draw.choice((range(12), draw.sample(range(12), 12)))
        return {name: [values[row] for row in order] for name, values in columns.items()}

    def scored() -> Any:
        return draw.choice(tables)(metric.score_batch(rows(), keep=[*MORE]))

    arguments = dict(BASE.get(method, {}))
    for choices, share in ((METHODS[method], 0.25), (options, 0.0 if method[:3] in {"add", "__r", "__l"} else 0.06)):
        for name, values in choices.items():
            if draw.random() < share and not (careful and choices is options and name not in metric.options):
                arguments[name] = draw.choice(values[:2] if careful else values)
    if method == "add":
        row = {name: values[0] if isinstance(values, list) else values for name, values in (inputs | arguments).items()}
        return (), {{"predictions": "prediction", "references": "reference"}.get(name, name): row[name] for name in row}
    if method in {"compute", "add_batch"}:
        return (), arguments if len(metric) and draw.random() < 0.5 else inputs | arguments
    if method == "compare":
        is_raw, names = draw.random() < 0.3, "abc"[: draw.choice((2, 2, 3) if careful else (1, 2))]
        return ({name: draw.choice(tables)(rows()) if is_raw else scored() for name in names},), arguments
    if method == "required_n" and draw.random() < 0.5:
        arguments["second"] = scored()
    if method in {"aggregate", "repeats", "required_n", "label_sample", "row_scores"}:
        return (scored(),), arguments
    return ((draw.choice(tables)(rows()),) if method == "score_batch" else ()), arguments


def calls() -> Iterator[Any]:
    """Yield what metrics return and warn of in drawn sequences of calls, results as text and tables, and the help."""
    yield [result_of(answer_metrics.load, name) for name in ("acuracy", "token", "x")]
    for name in answer_metrics.names():
        yield answer_metrics.metric_class(name).__doc__.splitlines()
        for option in answer_metrics.metric_class(name).options.values():
            yield [result_of(option.check, value) for value in VALUES]
    for seed in range(140):
        draw = random.Random(seed)
        yield from drawn_calls(answer_metrics.load(draw.choice(("accuracy", *METRICS))), draw, OPTIONS)


def loaded() -> Iterator[Any]:
    """Yield what metrics return and warn of in drawn sequences of calls, with options of their own, also at loading."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(judges._KINDS, "mock", Judge)
        for seed in range(140):
            draw = random.Random(seed)
            name: str = draw.choice((*["l3score"] * 5, *LOADED))
            unloaded = {"dry_run", "on_error", "normalizer", "returndetails", "match"}
            choices = [(key, LOADED[name][key]) for key in answer_metrics.metric_class(name).options
                       if key in LOADED[name].keys() - unloaded]  # fmt: skip
            options = {key: draw.choice(values[:2]) for key, values in choices if draw.random() < 0.35}
            if name == "l3score":
                options = {"provider": "mock", "use_cache": False, "on_error": "skip"} | options
            yield name, [*options]
            yield from drawn_calls(answer_metrics.load(name, **options), draw, LOADED[name])


def drawn_calls(metric: Any, draw: random.Random, options: dict[str, tuple[Any, ...]]) -> Iterator[Any]:
    for method in draw.choices([*METHODS], k=8):
        positional, named = draw_arguments(metric, method, draw, options)
        with capture_warnings() as messages:
            result = result_of(getattr(metric, method), *positional, **named)
        if method == "score_batch" and not isinstance(result, str):
            result = {name: to_list(name, result[name]) for name in column_names(result)}
        yield method, [*named], result, messages
        if isinstance(result, Result):
            yield result.tables(), str(result), result.to_markdown(), result.to_latex(), result._repr_html_()
            yield [result.to_pandas(table).to_dict("list") for table in (None, *result.tables())]


def shards() -> Iterator[Any]:
    """Yield analyses of shards of which one lacks a column or is empty, and of no shards, under options of loading."""
    metric = answer_metrics.load("accuracy", confidence_level=0.9, bootstrap_seed=3, confidence_method="bootstrap")
    inputs = {name: INPUTS[name] for name in ("predictions", "references")}
    scored = metric.score_batch(inputs | MORE, keep=[*MORE, "references"])
    halves = [{name: values[start : start + 6] for name, values in scored.items()} for start in (0, 6)]
    tables = [
        [{key: values for key, values in half.items() if key != name or place != lacking}
         for place, half in enumerate(halves)]
        for name in ("references", "document", "group", "label", "id", "accuracy_match_types")
        for lacking in (0, 1)
    ]  # fmt: skip
    empty: dict[str, list[Any]] = {name: [] for name in scored}
    tables += [[], [{}], [empty], [empty, *halves], [halves[0], empty], [halves[1]]]
    for table in tables:
        for options in ({}, {"bootstrap_seed": 0, "confidence_level": 0.5}, {"confidence_method": "wilson"}):
            for make in (list, iter):
                of_rows = {"by": "group", "human_labels": "label"}
                clusters = {"clusters": "document"} if "confidence_method" in options else {}
                calls: Any = (
                    (metric.aggregate, (make(table),), {**of_rows, **clusters, "return_confidence": True}),
                    (metric.compare, ({"a": make(table), "b": make(table)},), {**of_rows, **clusters, "on": "id"}),
                    (metric.compare, ({"a": make(table), "b": make(halves)},), {"on": "id", "missing": "ignore"}),
                    (metric.repeats, (make(table), "question"), {"answers": "group"}),
                    (metric.required_n, (make(table),), {"second": make(table), "on": "id", **clusters}),
                    (metric.row_scores, (make(table),), {}), (metric.label_sample, (make(table), 3), {}),
                )  # fmt: skip
                for function, positional, named in calls[:: 1 if options else 2]:
                    with capture_warnings() as messages:
                        yield result_of(function, *positional, **named, **options), messages


PARTS = (columns, answers, calls, loaded, shards)


@pytest.mark.parametrize("part", PARTS, ids=[part.__name__ for part in PARTS])
def test_calls_give_what_was_recorded(part: Callable[[], Iterator[Any]]) -> None:
    assert changed("calls", part.__name__, recorded(part, words=True)) == []


if __name__ == "__main__":
    record("calls", {part.__name__: recorded(part, words=True) for part in PARTS})
