"""Realistic synthetic inputs, deterministic on every machine and in every run.

Standard library only, since every peer's environment imports this file.
"""

import functools
import random
from collections.abc import Callable

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


@functools.lru_cache(maxsize=2)  # a million pairs take ten seconds, and most rows use the same
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
