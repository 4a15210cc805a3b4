"""The rules of the scripts that tasks publish, written out briefly; docs/tasks.md compares with them.

Each function takes the rows that the document gives to a metric, and returns what the script prints, from 0 to 1.
"""

import math
import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytrec_eval

from tests.oracles import squad_normalized

Rows = Mapping[str, Sequence[Any]]


def average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def words_f1(prediction: str, reference: str) -> float:
    """Return F1 of the words of two normalized texts; 0 if one of them has none."""
    found, expected = prediction.split(), reference.split()
    shared = sum((Counter(found) & Counter(expected)).values())
    return 2 * shared / (len(found) + len(expected)) if shared else 0.0


def best(rows: Rows, score: Callable[[str, str], float], normalized: Any = squad_normalized) -> list[float]:
    """Return the score of each prediction with its best reference, after normalization."""
    pairs = zip(rows["predictions"], rows["references"], strict=True)
    return [max(score(normalized(answer), normalized(reference)) for reference in several) for answer, several in pairs]


def exact(prediction: str, reference: str) -> float:
    return float(prediction == reference)


def triviaqa_normalized(text: str) -> str:
    """Punctuation, also typographic, becomes a space, so `F.C.` has two words."""
    marks = string.punctuation + "‘’´`"
    spaced = "".join(" " if character in marks else character for character in text.lower())
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", spaced).split())


def squad(rows: Rows) -> tuple[float, float]:
    return average(best(rows, exact)), average(best(rows, words_f1))


def triviaqa(rows: Rows) -> tuple[float, float]:
    return average(best(rows, exact, triviaqa_normalized)), average(best(rows, words_f1, triviaqa_normalized))


def nq_open(rows: Rows) -> tuple[float]:
    return (average(best(rows, exact)),)


def hotpot_answer(rows: Rows) -> tuple[float, float]:
    def f1(prediction: str, reference: str) -> float:
        special = {"yes", "no", "noanswer"} & {prediction, reference}
        return 0.0 if special and prediction != reference else words_f1(prediction, reference)

    return average(best(rows, exact)), average(best(rows, f1))


def hotpot_facts(rows: Rows) -> tuple[float, float, float]:
    """Precision, recall and F1 of sets of supporting facts, each averaged over questions."""
    scores = []
    for facts, gold in zip(rows["predictions"], rows["references"], strict=True):
        hits = len(set(facts) & set(gold))
        precision = hits / len(set(facts)) if facts else 0.0
        recall = hits / len(set(gold)) if gold else 0.0
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        scores.append((precision, recall, f1))
    precision, recall, f1 = map(average, zip(*scores, strict=True))
    return precision, recall, f1


def mmlu_pro(rows: Rows) -> tuple[float]:
    """The letter after `answer is`, else after `Answer:`, else the last capital letter from A to J."""
    patterns = (r"answer is \(?([A-J])\)?", r".*[aA]nswer:\s*([A-J])", r"([A-J])(?=[^A-J]*$)")
    letters = [next((m[1] for p in patterns if (m := re.search(p, text))), None) for text in rows["predictions"]]
    return (average([letter == gold for letter, gold in zip(letters, rows["references"], strict=True)]),)


def gsm8k(rows: Rows) -> tuple[float]:

    def number(text: str) -> str | None:
        match = re.search(r"#### (-?[0-9.,]+)", text)
        return match[1].replace(",", "") if match else None

    pairs = zip(rows["predictions"], rows["references"], strict=True)
    return (average([number(answer) is not None and number(answer) == number(label) for answer, label in pairs]),)


def math_spelling(text: str) -> str:
    """Return the content of the last box in the spelling that the script of MATH compares (without its rarer cases)."""
    text = text.rpartition("\\boxed{")[2].rpartition("}")[0] if "\\boxed{" in text else text
    for old, new in (("tfrac", "frac"), ("dfrac", "frac"), ("\\left", ""), ("\\right", ""), ("\\!", ""), ("\\$", "")):
        text = text.replace(old, new)
    text = re.sub(r"\\text\{ .*|\^\{?\\circ\}?|\\?%", "", text)
    text = re.sub(r"^\w=", "", text.replace(" ", ""))
    text = re.sub(r"\\sqrt(\w)", r"\\sqrt{\1}", text)
    text = re.sub(r"\\frac(\w)(\w)", r"\\frac{\1}{\2}", text)
    text = re.sub(r"^(-?\d+)/(-?\d+)$", r"\\frac{\1}{\2}", text)
    return "\\frac{1}{2}" if text == "0.5" else text


def hendrycks_math(rows: Rows) -> tuple[float]:
    pairs = zip(rows["predictions"], rows["references"], strict=True)
    return (average([math_spelling(answer) == math_spelling(gold) for answer, gold in pairs]),)


def simpleqa(grades: Sequence[str]) -> tuple[float, float, float]:
    """Correct, correct given attempted, and their harmonic mean, from the grades A, B and C."""
    correct, attempted = grades.count("A") / len(grades), 1 - grades.count("C") / len(grades)
    precision = correct / attempted if attempted else 0.0
    return correct, precision, 2 * precision * correct / (precision + correct) if correct else 0.0


def pass_at_k(samples: Mapping[str, Sequence[float]], k: int) -> float:
    """Chen et al. 2021: 1 - C(n - c, k) / C(n, k), averaged over questions."""
    counts = [(len(scores), int(sum(scores))) for scores in samples.values()]
    return average([1 - math.comb(number - right, k) / math.comb(number, k) for number, right in counts])


def trec_eval(rows: Rows, *measures: str) -> tuple[float, ...]:
    """The means of trec_eval's measures, such as `ndcg_cut_10`."""
    runs = {
        str(query): {doc: float(-rank) for rank, doc in enumerate(docs)}
        for query, docs in enumerate(rows["predictions"])
    }
    grades = rows.get("relevance") or [[1] * len(docs) for docs in rows["references"]]
    qrels = {
        str(query): dict(zip(docs, map(int, of), strict=True))
        for query, (docs, of) in enumerate(zip(rows["references"], grades, strict=True))
    }
    by_query = pytrec_eval.RelevanceEvaluator(qrels, set(measures)).evaluate(runs)
    return tuple(average([scores[measure] for scores in by_query.values()]) for measure in measures)


def ms_marco(rows: Rows) -> tuple[float]:
    reciprocals = []
    for passages, relevant in zip(rows["predictions"], rows["references"], strict=True):
        ranks = [rank for rank, passage in enumerate(passages[:10], start=1) if passage in relevant]
        reciprocals.append(1 / ranks[0] if ranks else 0.0)
    return (average(reciprocals),)
