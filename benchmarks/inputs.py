"""Realistic synthetic inputs, deterministic on every machine and in every run.

Standard library only, since every peer's environment imports this file.
"""

import functools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
Columns = dict[str, list[str]]

_FIRST = (
    "Marie Albert Isaac Ada Charles Jane Leo Emily Pablo Frida Nelson Rosa Alan Grace Johann Clara Niels Dorothy "
    "Abraham Florence Galileo Amelia William Virginia Winston Indira Mahatma Simone Blaise Hedy Victor Agatha"
).split()
_LAST = (
    "Curie Einstein Newton Lovelace Darwin Austen Tolstoy Bronte Picasso Kahlo Mandela Parks Turing Hopper Bach "
    "Schumann Bohr Hodgkin Lincoln Nightingale Galilei Earhart Shakespeare Woolf Churchill Gandhi Beauvoir Pascal Hugo"
).split()
_PLACES = (
    "Paris London Berlin Madrid Rome Vienna Lisbon Dublin Oslo Helsinki Athens Budapest Prague Warsaw Cairo Nairobi "
    "Lagos Tokyo Seoul Delhi Mumbai Sydney Auckland Toronto Chicago Boston Denver Lima Bogota Santiago Havana Quito"
).split()
_BEYOND_ASCII = (
    "São Paulo|Zürich|Köln|Malmö|Łódź|Reykjavík|Kraków|Malé|Curaçao|Brontë|Gödel|Schrödinger|Dvořák|Björk|Beyoncé|"
    "Poincaré|東京|北京|大阪城|서울|Москва|Αθήνα|القاهرة|ירושלים|दिल्ली|กรุงเทพ|“The Raven”|10 °C|5 µm|jalapeño"
).split("|")
_THINGS = (
    "river mountain theory treaty castle bridge museum symphony novel telescope vaccine engine comet library harbour"
).split()
_ADJECTIVES = "first second great northern southern ancient modern royal national golden longest hidden old".split()
_MONTHS = "January February March April May June July August September October November December".split()
_UNITS = "km|metres|kg|years|people|%|million|dollars|degrees|litres".split("|")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Rng = random.Random

# Kinds of answers and their percentages. One in ten is not ASCII, one in five contains a number with a mark.
_ANSWERS: dict[Callable[[Rng], str], int] = {
    lambda rng: f"{rng.choice(_FIRST)} {rng.choice(_LAST)}": 25,
    lambda rng: f"{rng.choice(_PLACES)}, {rng.choice(_PLACES)}": 15,
    lambda rng: f"the {rng.choice(_ADJECTIVES)} {rng.choice(_THINGS)} of {rng.choice(_PLACES)}": 20,
    lambda rng: f"{rng.randint(1, 28)} {rng.choice(_MONTHS)} {rng.randint(1500, 2025)}": 10,
    lambda rng: f"{rng.randint(1, 999)},{rng.randint(0, 999):03d} {rng.choice(_UNITS)}": 10,
    lambda rng: f"{rng.randint(0, 99)}.{rng.randint(0, 99)} {rng.choice(_UNITS)}": 10,
    lambda rng: f"{rng.choice(_ADJECTIVES)} {rng.choice(_BEYOND_ASCII)}": 10,
}

_VARIANTS: tuple[Callable[[str], str], ...] = (
    str.upper,
    str.lower,
    lambda text: text + ".",
    lambda text: f'"{text}"',
    lambda text: f" {text}!",
    lambda text: text.replace(" ", "  "),
)


def _one_answer(rng: Rng) -> str:
    return rng.choices(*_WEIGHTED)[0](rng)


def _typo(rng: Rng, text: str) -> str:
    index = rng.randrange(len(text))
    return text[:index] + rng.choice(["", rng.choice(_LETTERS), text[index] * 2]) + text[index + 1 :]


# Kinds of predictions and their percentages.
_PREDICTIONS: dict[Callable[[Rng, str], str], int] = {
    lambda _rng, reference: reference: 45,
    lambda rng, reference: rng.choice(_VARIANTS)(reference): 20,
    _typo: 10,
    lambda rng, _reference: _one_answer(rng): 25,
}

_WEIGHTED = (list(_ANSWERS), list(_ANSWERS.values()))


@functools.lru_cache(maxsize=4)  # a million pairs take ten seconds, and most rows use the same
def answers(size: int, seed: int = 0) -> Columns:
    """Generate predictions and references of about 16 characters each.

    Of the predictions 45% equal the reference, 20% differ in case, punctuation or spaces, 10% contain a typo, 25% are
    wrong.
    """
    rng = Rng(seed)
    references = [_one_answer(rng) for _ in range(size)]
    kinds = rng.choices(list(_PREDICTIONS), list(_PREDICTIONS.values()), k=size)
    predictions = [kind(rng, reference) for kind, reference in zip(kinds, references, strict=True)]
    return {"predictions": predictions, "references": references}


# ---- longer answers


_FILLER = (
    "according to most sources the answer that people give to this question is that it was for many years known as and "
    "later became the best of several places which"
).split()


def long_answers(size: int) -> dict[str, Any]:
    """Generate sentences of 20 to 60 words; three in four contain the first of their two references, or nearly.

    EVOUNA's answers, which people judged, have two references on average.
    """
    columns = answers(size)
    rng = Rng(1)
    predictions = []
    for answer in columns["predictions"]:
        words = [rng.choice(_FILLER) for _ in range(rng.randint(20, 60))]
        words.insert(rng.randrange(len(words)), answer)
        text = " ".join(words)
        predictions.append(f"{text[0].upper()}{text[1:]}.")
    references = columns["references"]
    return {"predictions": predictions, "references": [[references[row], references[row - 1]] for row in range(size)]}


# ---- retrieval

Query = tuple[list[str], list[str]]
"""What was retrieved, and the ground truths."""
Ranking = tuple[list[str], dict[str, int]]
"""A ranking of ids, and the relevance of the ground truths."""
RETRIEVED = 100
CHUNKS = 10
TOKENS = 560
TOKENS_PER_SENTENCE = 22


def queries(count: int) -> list[Query]:
    """Generate 10 chunks and 5 ground truths of 560 random words with a Zipf distribution; some were retrieved."""
    rng = Rng(0)
    words = [f"w{rank}" for rank in range(1, 5001)]
    weights = [1 / rank for rank in range(1, 5001)]

    def chunk() -> str:
        drawn = rng.choices(words, weights, k=TOKENS)
        starts = range(0, TOKENS, TOKENS_PER_SENTENCE)
        return " ".join(" ".join(drawn[i : i + TOKENS_PER_SENTENCE]).capitalize() + "." for i in starts)

    def altered(text: str) -> str:
        return " ".join(
            rng.choice(words) if rng.random() < rng.choice([0.1, 0.2]) else word for word in text.split(" ")
        )

    result = []
    for _ in range(count):
        truths = [chunk() for _ in range(5)]
        result.append(([chunk() for _ in range(CHUNKS - 3)] + [altered(text) for text in truths[:3]], truths))
    return result


def split_sentences(chunk: str) -> list[str]:
    """Split these chunks, whose sentences all end with a period and a space, like sentencex."""
    *complete, last = chunk.split(". ")
    return [sentence + "." for sentence in complete] + [last]


def rankings(count: int) -> list[Ranking]:
    """Generate rankings of 100 ids; five ids, some of them retrieved, are relevant, graded 1 to 3."""
    rng = Rng(0)
    made = []
    for _ in range(count):
        pool = [f"doc{number}" for number in rng.sample(range(100_000), RETRIEVED + 5)]
        made.append((pool[:RETRIEVED], {truth: rng.randint(1, 3) for truth in rng.sample(pool, 5)}))
    return made


# ---- judging


def triplets(size: int) -> Columns:
    """Generate distinct questions with answers of typical length."""
    return {
        "questions": [f"In which year was observatory number {number} of the survey built?" for number in range(size)],
        "predictions": [f"It was built in {1500 + number % 500}." for number in range(size)],
        "references": [f"in {1500 + number % 400}" for number in range(size)],
    }
