"""Measure how often each matching mode agrees with people, and its bias.

    python -m benchmarks.agreement path/to/evouna-nq.json

The file is EVOUNA's part on Natural Questions (Wang et al. 2023, https://arxiv.org/abs/2305.12421, Apache-2.0): a list
of questions with `golden_answer` (alternatives separated by "/"), `improper`, and for each system `answer_<system>` and
`judge_<system>`. It is not part of this project. Improper questions are left out, as the paper does.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import evaluate

from benchmarks.cases import computed
from benchmarks.growth import minimum_seconds
from benchmarks.peers import squad_loop
from metrics._shared._normalization import normalize_squad

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
        types = compute("accuracy", answers, **questions, **options)["match_types"]
        return [kind != "none" for kind in types]

    return match


def best_reference(right: Callable[[str, str], bool]) -> Matcher:
    """Return a matcher that accepts an answer if it matches any reference, after SQuAD's normalization."""

    def match(answers: Sequence[Answer]) -> list[bool]:
        texts = [normalize_squad(answer.text) for answer in answers]
        return [
            any(right(text, normalize_squad(reference)) for reference in answer.references)
            for text, answer in zip(texts, answers, strict=True)
        ]

    return match


MATCHERS: dict[str, Matcher] = {
    "SQuAD's exact match": best_reference(str.__eq__),
    "SQuAD's F1 >= 0.5": lambda answers: [score >= 0.5 for score in compute("token_f1", answers)["individual_f1"]],  # noqa: PLR2004
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


def main(arguments: list[str]) -> int:
    """Print the table for a file."""
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("Name the file: make agreement DATA=path/to/evouna-nq.json (https://arxiv.org/abs/2305.12421)")
        return 2
    answers = read_answers(Path(arguments[0]))
    print(f"{len(answers):,} answers that people judged; in the columns of systems: agreement (bias)\n")
    print(*table(answers), sep="\n")
    ratio = time_ratio(answers)
    verdict = "met" if ratio <= TARGET else "missed"
    print(
        f'\n`match="recall"` takes {ratio:.2f} times as long as a loop of SQuAD\'s F1 (at most {TARGET:g}: {verdict})'
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
