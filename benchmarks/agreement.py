"""Measure how often each matching mode agrees with people, and its bias.

    python -m benchmarks.agreement path/to/evouna-nq.json
    python -m benchmarks.agreement path/to/folder

A folder, or a file of JSON Lines, holds one judged answer per line: `prediction`, `references`, `label` (1 right, 0
wrong), and where there are any `question` and `choices`. Presets and peers are compared with the labels. The intervals,
at 95 %, count questions, since the answers to one of them are alike.

Without a file, the grids of written values (tests/grids/values.py) and of answers that name the right candidate without
giving it (tests/grids/commitment.py) are judged.

A file of JSON is EVOUNA's part on Natural Questions (Wang et al. 2023, https://arxiv.org/abs/2305.12421, Apache-2.0): a
list of questions with `golden_answer` (alternatives separated by "/"), `improper`, and for each system
`answer_<system>` and `judge_<system>`. It is not part of this project. Improper questions are left out, as there.
"""

import json
import math
import re
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import evaluate

from answer_metrics.text.normalization import normalize_answers
from benchmarks.cases import computed
from benchmarks.growth import minimum_seconds
from benchmarks.peers import squad_loop
from tests.grids import commitment, values

TARGET = 3.0
"""The most that token recall may take, in times of a loop of SQuAD's F1."""
SYSTEMS = {"fid": "FiD", "gpt35": "GPT-3.5", "chatgpt": "ChatGPT", "gpt4": "GPT-4", "newbing": "New Bing"}


@dataclass(frozen=True)
class Answer:
    """One answer of a system and its human judgment."""

    system: str
    question: str
    references: list[str]
    text: str
    right: bool


Matcher = Callable[[Sequence[Answer]], list[bool]]


def read_answers(path: Path) -> list[Answer]:
    """Read the answers that people judged."""
    answers = []
    for row in json.loads(path.read_text(encoding="utf-8")):
        if row["improper"]:
            continue
        golden = row["golden_answer"]
        references = [part.strip() for part in golden.split("/") if part.strip()] or [golden]
        for system in SYSTEMS:
            text, judged = row.get(f"answer_{system}"), row.get(f"judge_{system}")
            if text is not None and judged is not None:
                answers.append(Answer(system, row["question"], references, text, bool(judged)))
    return answers


def compute(metric: str, answers: Sequence[Answer], **inputs: Any) -> dict[str, Any]:
    """Score the answers with a metric of this project."""
    result: dict[str, Any] = evaluate.load(f"./metrics/{metric}").compute(
        predictions=[answer.text for answer in answers],
        references=[answer.references for answer in answers],
        return_details=True,
        **inputs,
    )
    return result


def ours(*, with_questions: bool = False, **options: Any) -> Matcher:
    """Return a matcher for a mode of `accuracy`."""

    def match(answers: Sequence[Answer]) -> list[bool]:
        questions = {"questions": [answer.question for answer in answers]} if with_questions else {}
        return [score > 0 for score in compute("accuracy", answers, **questions, **options)["individual_scores"]]

    return match


def best_reference(right: Callable[[str, str], bool]) -> Matcher:
    """Return a matcher that accepts an answer if it matches any reference, after SQuAD's normalization."""

    def match(answers: Sequence[Answer]) -> list[bool]:
        texts = normalize_answers([answer.text for answer in answers], "squad")
        return [
            any(right(text, reference) for reference in normalize_answers(answer.references, "squad"))
            for text, answer in zip(texts, answers, strict=True)
        ]

    return match


MATCHERS: dict[str, Matcher] = {
    "SQuAD's exact match": best_reference(str.__eq__),
    "SQuAD's F1 >= 0.5": lambda answers: [score >= 0.5 for score in compute("token_f1", answers)["individual_f1"]],
    "lexical matching (SQuAD-normalized substring)": best_reference(lambda given, wanted: wanted in given),
    '`match="equal"`': ours(),
    '`match="contains"`': ours(match="contains"),
    '`fuzzy_scorer="partial_ratio"`, threshold 0.9': ours(
        fuzzy_match=True, fuzzy_scorer="partial_ratio", fuzzy_threshold=0.9
    ),
    '`match="recall"`': ours(match="recall"),
    '`match="recall"` with `questions`': ours(match="recall", with_questions=True),
    '`match="recall"`, `language="none"`': ours(match="recall", language="none"),
}


@dataclass(frozen=True)
class Agreement:
    """Agreement of a matcher's decisions with human judgments."""

    share: float
    """Share of answers on which both agree, 0 to 1."""
    kappa: float
    """Cohen's kappa, -1 to 1."""
    bias: float
    """Share called right by the matcher minus share called right by people."""


def agreement(decisions: Sequence[bool], judgments: Sequence[bool]) -> Agreement:
    """Compare the decisions of a matcher with human judgments of the same answers."""
    total = len(decisions)
    share = sum(map(bool.__eq__, decisions, judgments)) / total
    ours_right, theirs_right = sum(decisions) / total, sum(judgments) / total
    chance = ours_right * theirs_right + (1 - ours_right) * (1 - theirs_right)
    kappa = (share - chance) / (1 - chance) if chance < 1 else 1.0
    return Agreement(share, kappa, ours_right - theirs_right)


def time_ratio(answers: Sequence[Answer]) -> float:
    """Return the CPU time of `match="recall"`, with its interval, divided by that of a loop of SQuAD's F1."""
    columns = {
        "predictions": [answer.text for answer in answers],
        "references": [answer.references for answer in answers],
    }
    ours, theirs = computed("accuracy", "accuracy", match="recall")(columns), squad_loop(columns)
    own, other = minimum_seconds([ours, theirs])
    return own / other


def table(answers: Sequence[Answer]) -> list[str]:
    """Write the table in Markdown: all answers, then agreement and bias for each system."""
    columns = ["matcher", "agreement", "kappa", "bias", *SYSTEMS.values()]
    lines = [f"| {' | '.join(columns)} |", "| --- |" + " --- |" * (len(columns) - 1)]
    for name, matcher in MATCHERS.items():
        decisions = matcher(answers)
        whole = agreement(decisions, [answer.right for answer in answers])
        cells = [name, f"{whole.share:.3f}", f"{whole.kappa:.2f}", f"{whole.bias:+.3f}"]
        for system in SYSTEMS:
            rows = [row for row, answer in enumerate(answers) if answer.system == system]
            part = agreement([decisions[row] for row in rows], [answers[row].right for row in rows]) if rows else None
            cells.append(f"{part.share:.3f} ({part.bias:+.3f})" if part else "")
        lines.append(f"| {' | '.join(cells)} |")
    return lines


# ---- sets of other kinds

PRESETS = ("free_form", "multiple_choice", "number", "math")
_LAST_NUMBER = re.compile(r"(-?[$0-9.,]{2,})|(-?[0-9]+)")  # lm-evaluation-harness: gsm8k's flexible-extract
Rows = list[dict[str, Any]]


def peer_exact_match(row: dict[str, Any]) -> bool:
    """HF exact_match without case and punctuation."""
    strip = re.compile(r"[^\w\s]")
    return any(strip.sub("", row["prediction"].lower()) == strip.sub("", text.lower()) for text in row["references"])


def peer_flexible(row: dict[str, Any]) -> bool:
    """lm-evaluation-harness' "flexible-extract" of GSM8K: the last number of the answer."""
    numbers = ["".join(groups) for groups in _LAST_NUMBER.findall(row["prediction"])]
    last = re.sub(r"[,$]|\.$", "", numbers[-1]) if numbers else ""
    return any(last == re.sub(r"[,$]|\.$", "", text) for text in row["references"])


def peer_math_verify(row: dict[str, Any]) -> bool:
    """Math-Verify: parse both, then verify."""
    from math_verify import parse, verify  # type: ignore[import-untyped]

    answer = parse(row["prediction"], parsing_timeout=None)
    wanted = (parse(f"${text}$", parsing_timeout=None) for text in row["references"])
    return any(verify(each, answer, timeout_seconds=None) for each in wanted)


PEERS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "HF exact_match": peer_exact_match,
    "lm-eval flexible-extract": peer_flexible,
    "Math-Verify": peer_math_verify,
}


def read_sets(path: Path) -> dict[str, Rows]:
    """Read the sets of a folder, or of one file, by name."""
    paths = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    return {
        each.name.partition(".")[0]: [json.loads(line) for line in each.read_text(encoding="utf-8").splitlines()]
        for each in paths
    }


def judged_by_preset(rows: Rows, preset: str) -> list[bool]:
    """Return which predictions a preset calls right."""
    columns: dict[str, Any] = {
        "predictions": [row["prediction"] for row in rows],
        "references": [row["references"] for row in rows],
    }
    if rows[0].get("question"):
        columns["questions"] = [row.get("question") or "" for row in rows]
    if rows[0].get("choices"):
        columns["choices"] = [row["choices"] for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = evaluate.load("./metrics/accuracy").compute(**columns, return_details=True, preset=preset)
    return [score > 0 for score in result["individual_scores"]]


def by_question(agrees: Sequence[bool], questions: Sequence[str]) -> float:
    """Return half the width of the 95 % interval of a share, whose rows are alike within a question."""
    mean = sum(agrees) / len(agrees)
    sums: dict[str, float] = {}
    for agree, question in zip(agrees, questions, strict=True):
        sums[question] = sums.get(question, 0.0) + agree - mean
    return 1.96 * math.sqrt(math.fsum(each * each for each in sums.values())) / len(agrees)


def table_of_sets(sets: dict[str, Rows]) -> list[str]:
    """Write the agreement of presets and peers with the labels of each set, in Markdown."""
    names = [*PRESETS, "SQuAD's F1 >= 0.5", *PEERS]
    lines = [f"| set | answers | {' | '.join(names)} |", "| --- |" + " --- |" * (len(names) + 1)]
    for name, rows in sets.items():
        labels = [bool(row["label"]) for row in rows]
        questions = [row.get("question") or str(place) for place, row in enumerate(rows)]
        answers = [Answer("", "", row["references"], row["prediction"], bool(row["label"])) for row in rows]
        has_choices = bool(rows[0].get("choices"))
        columns = [
            judged_by_preset(rows, preset) if has_choices or preset != "multiple_choice" else None for preset in PRESETS
        ]
        columns += [MATCHERS["SQuAD's F1 >= 0.5"](answers), *([peer(row) for row in rows] for peer in PEERS.values())]
        cells = []
        for column in columns:
            agrees = [] if column is None else list(map(bool.__eq__, column, labels))
            share = sum(agrees) / len(agrees) if agrees else 0.0
            cells.append(f"{share:.3f} ± {by_question(agrees, questions):.3f}" if agrees else "")
        lines.append(f"| {name} | {len(rows):,} | {' | '.join(cells)} |")
    return lines


def commitment_table() -> list[str]:
    """Write the table of answers that name the right candidate without giving it, in Markdown."""
    lines = ["| kind | answers | wrongly accepted | wrongly rejected |", "| --- |" + " --- |" * 3]
    return [*lines, *(f"| {' | '.join(map(str, line))} |" for line in commitment.measure(preset="free_form"))]


def fooling_table() -> list[str]:
    """Write which share of the grid of commitment each matcher accepts, in Markdown."""
    answers = [Answer("", row.question, [row.reference], row.prediction, row.is_right) for row in commitment.rows()]

    def math_verify(answers: Sequence[Answer]) -> list[bool]:
        return [peer_math_verify({"prediction": answer.text, "references": answer.references}) for answer in answers]

    matchers = {
        **{name: MATCHERS[name] for name in list(MATCHERS)[:3]},
        "Math-Verify": math_verify,
        **{f'`preset="{preset}"`': ours(preset=preset, with_questions=True) for preset in ("free_form", "strict")},
    }
    lines = ["| matcher | fooling answers accepted | correct answers accepted |", "| --- |" + " --- |" * 2]
    for name, matcher in matchers.items():
        decisions = matcher(answers)
        cells = []
        for is_right in (False, True):
            part = [decision for decision, answer in zip(decisions, answers, strict=True) if answer.right == is_right]
            cells.append(f"{sum(part):,} of {len(part):,} ({sum(part) / len(part):.0%})")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def math_time_ratio(rows: Rows) -> float:
    """Return the time of Math-Verify on whole solutions, divided by that of `preset="math"`."""
    judges: list[Callable[[], object]] = [
        partial(judged_by_preset, rows, "math"),
        partial(list, map(peer_math_verify, rows)),
    ]
    seconds = []
    judged_by_preset(rows, "math")  # imports, and starts processes
    for judge in judges:
        start = time.perf_counter()
        judge()
        seconds.append(time.perf_counter() - start)
    return seconds[1] / seconds[0]


def main(arguments: list[str]) -> int:
    """Print the tables for a file or folder, or those of the grids."""
    if not any(arguments):
        print(*values.table(), "", *commitment_table(), "", *fooling_table(), sep="\n")
        return 0
    if len(arguments) != 1 or not Path(arguments[0]).exists():
        print("Name a file or folder: make agreement DATA=path/to/evouna-nq.json (https://arxiv.org/abs/2305.12421)")
        return 2
    if Path(arguments[0]).suffix != ".json":
        sets = read_sets(Path(arguments[0]))
        print(*table_of_sets(sets), sep="\n")
        for name in sets.keys() & {"simple_evals_math"}:
            print(f'\n`preset="math"` takes 1/{math_time_ratio(sets[name]):.1f} of the time of Math-Verify on {name}')
        return 0
    answers = read_answers(Path(arguments[0]))
    print(f"{len(answers):,} answers that people judged; in the columns of systems: agreement (bias)\n")
    print(*table(answers), sep="\n")
    print("", *commitment_table(), sep="\n")
    ratio = time_ratio(answers)
    verdict = "met" if ratio <= TARGET else "missed"
    print(
        f'\n`match="recall"` takes {ratio:.2f} times as long as a loop of SQuAD\'s F1 (at most {TARGET:g}: {verdict})'
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
