"""The matching pipeline: parse the answers, test equality, pair the rest with references, apply rules in order.

`match_answers` is the pipeline from top to bottom, and `RULES` lists the rules in order. A rule takes `Pairs` and the
rows that are still undecided, and returns their match types. These are pure functions of texts; they need neither
evaluate nor datasets.
"""

import operator
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate, chain, compress, repeat
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import rapidfuzz
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Indel

from answer_metrics.columns.reasoning import AnswerOptions, drop_reasoning
from answer_metrics.columns.tables import collector_paused, is_arrow, to_list
from answer_metrics.core.options import call, check_version, option
from answer_metrics.matching.answer_lines import marked_answer
from answer_metrics.matching.choices import NO_SPACES, count_unknown
from answer_metrics.matching.commitment import asks, asks_back, has_symbol, words_beside
from answer_metrics.matching.extraction import (
    EXPECTED,
    Extract,
    check_extract,
    extract_column,
    read_references,
    reads_choices,
    same_items,
)
from answer_metrics.matching.mathematics import (
    decide,
    equivalent_pairs,
    has_factorial,
    is_formula,
    same_spelling,
    spell,
    stated_formulas,
)
from answer_metrics.matching.numbers import DecimalMark, single_number
from answer_metrics.matching.recall import Decision, recall_column
from answer_metrics.matching.stance import check_abstention, is_refusal
from answer_metrics.matching.values import (
    PLAIN,
    asked_unit,
    bound_of,
    is_moment,
    is_same,
    number_of,
    same_number,
    units_agree,
    unstated_sign,
)
from answer_metrics.text.equality import equal_pairs, pays_off
from answer_metrics.text.normalization import (
    apply_flat,
    is_mark,
    kept_marks,
    normalize_answers,
    normalize_column,
    resolve_match,
)

check_version("rapidfuzz", rapidfuzz.__version__, "3.9")

References = list[str] | list[list[str]] | list[Any]
Scorer = Literal["ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "WRatio"]

CREDIT = dict.fromkeys(("exact", "contains", "recall", "value", "equivalent", "fuzzy"), 1)
CREDIT |= dict.fromkeys(("unextracted", "truncated", "abstained", "hedged", "none"), 0)
"""Whether each match type counts."""
_TYPE_CODES = {match_type: code for code, match_type in enumerate(CREDIT)}
_EXACT, _NONE = _TYPE_CODES["exact"], _TYPE_CODES["none"]
_Array: TypeAlias = np.ndarray[Any, Any]
_BLOCK_ROWS = 50_000


# ---- options


@dataclass(frozen=True, kw_only=True)
class Matching(AnswerOptions):
    """The options that decide how answers match."""

    case_sensitive: bool = option(False, "Respect letter case.", needs=("normalizer", None))
    normalize_text: bool = option(
        True, "Ignore punctuation and extra spaces; if False, only spaces around the text.", needs=("normalizer", None)
    )
    fuzzy_match: bool = option(False, "Also accept predictions that are similar enough to a reference.")
    fuzzy_threshold: float = option(
        0.8, "Minimum similarity of a fuzzy match, and the score it gets.", low=0, high=1, needs=("fuzzy_match", True)
    )
    fuzzy_scorer: Scorer = option(
        "ratio",
        "RapidFuzz similarity: ratio (shared characters, in order), partial_ratio (best substring; takes up to 3 s for "
        "two texts of 4,000 characters), token_sort_ratio (words in any order), token_set_ratio (a subset of the "
        "words), WRatio (weighted best of these).",
        needs=("fuzzy_match", True),
    )
    match: Literal["equal", "contains", "recall"] = option(
        "equal",
        "contains: also accept predictions with a reference as a whole word or phrase. recall: also accept those with "
        "enough of its words and all of its numbers, unless they contradict it.",
    )
    recall_threshold: float = option(
        0.5, "Minimum share of the reference's words in the prediction.", low=0, high=1, needs=("match", "recall")
    )
    language: Literal["en", "none"] = option(
        "en",
        "Token recall rules: en adds those for English; none uses only those for every language.",
        needs=("match", "recall"),
    )
    hedged: Literal["wrong", "right"] = option(
        "wrong",
        "How to score an answer with several candidates, one of them correct (Paris or London).",
        needs=("match", "recall"),
    )
    beside: Literal["anything", "neutral"] = option(
        "anything",
        "What else a correct answer may contain. neutral: only words of the question and the references, and neutral "
        "words (it is, of course); it also rejects answers that are questions.",
    )
    extract: Extract = option(
        None,
        "Which part of each prediction to compare: boxed is the last \\boxed{}, answer_line what follows the last "
        "'Answer:', choice an option's letter. auto chooses per row; a list uses the first that finds "
        "something. If nothing is found, the prediction is wrong.",
        custom=check_extract,
        custom_type=EXPECTED,
    )
    equivalent: Literal["math"] | Callable[[str, str], bool] | None = option(
        None,
        "Test for pairs that no other rule accepts: Math-Verify (math), or a function of prediction and reference that "
        "returns a bool.",
    )
    abstention: Literal["en", "any"] | re.Pattern[str] | Callable[[str], bool] | None = option(
        None,
        "Count predictions that decline to answer: in English (en), in a dozen languages (any), or by a regular "
        "expression or a function from str to bool.",
        custom=check_abstention,
        custom_type='"en", "any", a regular expression, a callable or None',
    )
    numbers: Literal["text", "value"] = option(
        "text", "value: if both sides are a single number, compare their values (3 = 3.00)."
    )
    numeric_tolerance: float = option(
        0.0, "Maximum relative difference between equal numbers.", low=0, high=1, needs=("numbers", "value")
    )
    decimal: DecimalMark = option("auto", 'Decimal mark; "auto" reads it off each number (2.5, 2,5, 1,234, 1.234,5).')
    normalizer: Literal["squad", "triviaqa", "benchwise"] | Callable[[str], str] | None = option(
        None, "Replaces the built-in normalization with that of an official script, or a function from str to str."
    )

    @property
    def case(self) -> dict[str, bool]:
        """The options of the built-in normalization."""
        return {"case_sensitive": self.case_sensitive, "normalize_text": self.normalize_text}

    @property
    def built_in(self) -> bool:
        """Whether texts are normalized by the built-in rules, so that removed marks also part words."""
        return self.normalizer is None and self.normalize_text

    @property
    def reads_numbers(self) -> bool:
        """Whether single numbers are compared as values, or at least by their units."""
        return self.numbers == "value" or self.match == "recall"

    @property
    def reads_formulas(self) -> bool:
        """Whether formulas are compared as mathematics."""
        return self.built_in and (self.extract is not None or self.equivalent is not None)

    @property
    def forms_decide(self) -> bool:
        """Whether texts with equal normalized forms are equal without any other rule."""
        reads_values = self.reads_numbers or self.reads_formulas
        return self.normalizer is None and not reads_values and self.beside == "anything"


@dataclass
class MatchColumns:
    """The results of matching, one value per example in each column."""

    codes: _Array
    """The place of each match type in `CREDIT`, int8."""
    similarities: _Array
    """The best similarity to any reference, 0 to 1; with fuzzy matching only."""
    recalls: _Array
    """The share of the reference's words that is found, 0 to 1; with token recall only."""
    extracted: list[str | None] = field(default_factory=list)
    """The answer inside the prediction, or None; with extraction only."""
    overtime: int = 0
    """How many pairs Math-Verify could not decide in time."""
    unknown_references: int = 0
    """How many rows have references that are none of their choices."""

    @property
    def types(self) -> list[str]:
        """The match types, keys of `CREDIT`."""
        names = list(CREDIT)
        return [names[code] for code in self.codes]

    def assign(self, rows: Sequence[int], match_type: str) -> None:
        """Give some rows a match type."""
        self.codes[rows] = _TYPE_CODES[match_type]
        for shares in (self.similarities, self.recalls):
            if len(shares):
                shares[rows] = CREDIT[match_type]

    def count(self, match_type: str) -> int:
        """Return how many examples have a match type."""
        return int(np.count_nonzero(self.codes == _TYPE_CODES[match_type]))


# ---- the pipeline


def match_answers(
    predictions: Any,
    references: Any,
    questions: list[str] | None = None,
    rules: Matching | None = None,
    choices: list[list[str]] | None = None,
) -> MatchColumns:
    r"""Match predictions with their references: one text per example, or several references.

    The columns are lists or, if only equality counts, Arrow arrays. The questions are for token recall and units.

    Raises:
        ImportError: For `equivalent="math"` without Math-Verify.
        ValueError: If a user's function raises or returns something of another type.

    >>> rules = Matching(extract="boxed", numbers="value")
    >>> match_answers([r"So \boxed{3.0}.", "Lyon"], ["3", "Paris"], rules=rules).types
    ['value', 'unextracted']
    """
    rules = rules or Matching()
    is_dropped = rules.reasoning == "drop"
    texts, cut_off = drop_reasoning(predictions, rules.reasoning_marks) if is_dropped else (predictions, [])
    answers, extracted, unknown = texts, [], 0
    if rules.extract is not None:
        references = read_references(references, rules.extract, choices, rules.decimal)
        extracted = extract_column(
            texts, rules.extract, references, choices, questions, skipped=cut_off, decimal=rules.decimal
        )
        answers = [answer or "" for answer in extracted]
        unknown = count_unknown(references, choices) if choices and reads_choices(rules.extract) else 0

    by_form = rules.forms_decide and pays_off(answers)
    if callable(rules.normalizer):  # it is called for every text
        are_equal = np.zeros(len(answers), dtype=np.bool_)
    elif by_form or is_arrow(answers) or is_arrow(references):
        are_equal = equal_pairs(answers, references, exact=not by_form, **rules.case)
    else:  # short lists: Arrow would import pandas first
        same = map(operator.contains if _is_nested(references) else operator.eq, references, answers)
        are_equal = np.fromiter(same, np.bool_, len(answers))
    shares, none = are_equal.astype(np.float64), np.empty(0)
    matches = MatchColumns(
        np.where(are_equal, np.int8(_EXACT), np.int8(_NONE)),
        similarities=shares if rules.fuzzy_match else none,
        recalls=shares.copy() if rules.match == "recall" else none,
        extracted=extracted,
        unknown_references=unknown,
    )
    matches.assign([row for row, answer in enumerate(extracted) if answer is None], "unextracted")
    matches.assign(cut_off, "truncated")

    applied = [rule for is_used, rule in RULES if is_used(rules) and not (by_form and rule is _by_form)]
    undecided = np.flatnonzero(matches.codes == _NONE) if applied else np.zeros(0, dtype=np.int64)
    if len(undecided) and is_arrow(references) and pa.types.is_nested(references.type):
        references = to_list("references", references)  # Arrow takes no lists of string views
    columns = {"predictions": answers, "references": references, "questions": questions}
    columns["texts"] = texts if rules.abstention is not None else None
    # In blocks, whose forms need little memory; the rows that a user's function gets are numbered over all blocks.
    size = len(undecided) if callable(rules.normalizer) else _BLOCK_ROWS
    for start in range(0, len(undecided), max(size, 1)):
        block = undecided[start : start + size]
        pairs = Pairs(rules, block, **{name: _take(column, block) for name, column in columns.items()})
        with collector_paused():
            pairs.apply(applied)
        pairs.report(matches)
    return matches


def vote_forms(answers: list[str | None], rules: Matching) -> list[Any]:
    """Return answers in a form in which equal ones are equal, for a majority vote; None is no answer."""
    texts = [answer or "" for answer in answers]
    if rules.reasoning == "drop" and rules.extract is None:
        texts, _ = drop_reasoning(texts, rules.reasoning_marks)
    forms: list[Any] = normalized(texts, rules, "answers")
    for row, text in enumerate(texts):
        number = number_of(text, rules.decimal) if rules.numbers == "value" else None
        if number is not None:
            forms[row] = (number.value * number.factor, number.unit)
        elif rules.reads_formulas and is_formula(text):
            forms[row] = ("formula", spell(text))
    return [form if text else None for form, text in zip(forms, texts, strict=True)]


@dataclass(eq=False)
class Pairs:
    """The rows that are not equal as they stand, with what the rules decide about them."""

    rules: Matching
    rows: _Array
    """The place of each row in the input columns."""
    predictions: list[str]
    references: References
    questions: list[str]
    texts: list[str]
    """The answers before extraction; with abstention only."""

    def __post_init__(self) -> None:
        self.lists = _as_lists(self.references)
        self.types = ["none"] * len(self.predictions)
        self.decisions: dict[int, Decision] = {}
        """What token recall decided about each row that it was asked about."""
        self.overtime = 0
        self.open: dict[int, list[bool]] = {}
        """Which references of a row later rules may compare, where values settled some."""
        if callable(self.rules.normalizer):  # what it returns replaces the texts in all rules
            self.predictions, self.lists = self.forms

    def apply(self, rules: Iterable["Rule"]) -> None:
        """Apply rules in order to the rows that are still undecided, and check what they accepted."""
        for rule in rules:
            rows = [row for row, match_type in enumerate(self.types) if match_type == "none"]
            for row, match_type in zip(rows, rule(self, rows) if rows else (), strict=True):
                self.types[row] = match_type
        for row, match_type in enumerate(self.types):
            if CREDIT[match_type] and not _is_committed(self, row):
                self.types[row] = "none"

    def report(self, matches: MatchColumns) -> None:
        """Write the results into the columns of all rows."""
        matches.codes[self.rows] = [_TYPE_CODES[match_type] for match_type in self.types]
        matches.overtime += self.overtime
        if self.rules.fuzzy_match:
            matches.similarities[self.rows] = self.similarities
        if self.rules.match == "recall":
            matches.recalls[self.rows] = [
                self.decisions[row].share if row in self.decisions else CREDIT[match_type]
                for row, match_type in enumerate(self.types)
            ]

    @cached_property
    def forms(self) -> tuple[list[str], list[list[str]]]:
        """The normalized predictions and references."""
        # Messages of errors count only the rows that are compared.
        prefix = "" if self.rules.extract is None else "extracted "
        references = f"references of {prefix}predictions" if prefix else "references"
        forms = normalized(self.predictions, self.rules, f"{prefix}predictions")
        return forms, _as_lists(normalized(self.references, self.rules, references))

    def open_pairs(self, rows: list[int], *, as_forms: bool) -> tuple[list[str], list[list[str]]]:
        """Return the predictions of some rows, normalized or not, and the references that are still open."""
        texts, references = self.forms if as_forms else (self.predictions, self.lists)
        chosen = [references[row] for row in rows]
        if self.open:
            chosen = [list(compress(of_row, self.is_open(row))) for row, of_row in zip(rows, chosen, strict=True)]
        return [texts[row] for row in rows], chosen

    def is_open(self, row: int) -> list[bool]:
        """Return which references of a row are open."""
        return self.open.get(row) or [True] * len(self.lists[row])

    @cached_property
    def similarities(self) -> _Array:
        """The best similarity of each row to a reference that is open, or to any if none is; 1 if exact."""
        best = np.ones(len(self.types))
        rows = [row for row, match_type in enumerate(self.types) if match_type != "exact"]
        if rows:
            forms, accepted = self.open_pairs(rows, as_forms=True)
            accepted = [references or self.forms[1][row] for references, row in zip(accepted, rows, strict=True)]
            counts = list(map(len, accepted))
            repeated = list(chain.from_iterable(map(repeat, forms, counts)))
            each = pairwise_similarities(repeated, list(chain.from_iterable(accepted)), self.rules.fuzzy_scorer)
            best[rows] = np.maximum.reduceat(each, [0, *accumulate(counts[:-1])])
        return best


Rule = Callable[[Pairs, list[int]], Iterable[str]]


# ---- the rules


def _where(match_type: str, accepted: Iterable[Any]) -> list[str]:
    return [match_type if is_accepted else "none" for is_accepted in accepted]


def _row_by_row(decide: Callable[[Pairs, int], str]) -> Rule:
    """Make a rule of a function that returns the match type of a row; "none" leaves it undecided."""
    return lambda pairs, rows: [decide(pairs, row) for row in rows]


@_row_by_row
def _by_value(pairs: Pairs, row: int) -> str:
    """Compare pairs of numbers, lists or formulas by value; no later rule may accept those that differ."""
    verdicts = [_compare_values(pairs, row, place) for place in range(len(pairs.lists[row]))]
    if any(verdicts):
        pairs.open[row] = [verdict is None for verdict in verdicts]
    return next((match_type for match_type in ("exact", "value", "recall") if match_type in verdicts), "none")


def _compare_values(pairs: Pairs, row: int, place: int) -> str | None:
    """Return the match type of a pair of values, "none" if they differ; None if one is no value.

    With numbers as text, it only tells pairs in different units, whose forms may be equal: €29 and $29, 50 and 50%.
    """
    rules, prediction, reference = pairs.rules, pairs.predictions[row], pairs.lists[row][place]
    if "±" in reference + prediction:
        prediction, reference = (re.sub(r"\bplus(?:\sor\s|/)minus\b", "±", text) for text in (prediction, reference))

    def verdict(match_type: str, *, is_same: bool | None) -> str:
        forms, references = pairs.forms
        return "none" if not is_same else "exact" if forms[row] == references[row][place] else match_type

    if is_moment(reference):
        return None
    is_factorial = rules.reads_formulas and has_factorial(reference)
    number = number_of(reference, rules.decimal) if rules.reads_numbers and not is_factorial else None
    if number and (predicted := number_of(prediction, rules.decimal)):
        unit = asked_unit(pairs.questions[row])
        if rules.numbers == "text":
            if not units_agree(predicted, number, is_share=unit.is_share):
                return "none"
        elif is_same(predicted, number, unit, rules.numeric_tolerance):
            return verdict("value", is_same=True)
        elif single_number(reference, rules.decimal) or (
            number.unit and predicted.unit and not units_agree(predicted, number)  # 4 N/m is not 4 N·m
        ):
            return "none"
    reads_signs = rules.reads_numbers and rules.match != "contains"
    signs = [unstated_sign(text, rules.decimal) if reads_signs else "" for text in (prediction, reference)]
    if signs[0] != signs[1] and (number or number_of(prediction, rules.decimal)):
        return "none"
    if rules.reads_formulas and not (signs[1] == "±" and rules.match == "recall"):
        bound = bound_of(reference, rules.decimal)
        if bound and (stated := bound_of(prediction, rules.decimal)):
            is_equal = stated.stance == bound.stance and is_same(stated, bound, PLAIN, rules.numeric_tolerance)
            return verdict("value", is_same=is_equal)
        is_same_list = same_items(prediction, reference) if rules.match == "recall" else None
        if is_same_list is not None:
            return verdict("recall", is_same=is_same_list)
        plain = prediction if is_factorial else prediction.rstrip("!")
        is_predicted = is_formula(plain) and not is_moment(prediction)
        if is_predicted or (is_formula(reference) and not (number or single_number(reference))):
            # By spelling: rules for prose, which drop signs and brackets, may not accept formulas.
            if same_spelling(prediction, reference):
                return "exact"
            stated_last = stated_formulas(prediction) if rules.match == "recall" else []
            same = (same_spelling(each, reference) or same_number(spell(each), reference) for each in stated_last)
            return "recall" if any(same) else "none"
    return None


def _by_form(pairs: Pairs, rows: list[int]) -> list[str]:
    forms, accepted = pairs.open_pairs(rows, as_forms=True)
    return _where("exact", map(operator.contains, accepted, forms))


@_row_by_row
def _declined(pairs: Pairs, row: int) -> str:
    """Reject what declines to answer, though it may have the words of a reference, unless a reference declines."""
    rule: Any = pairs.rules.abstention  # not None, by `RULES`
    place, marked = pairs.rows[row], marked_answer(pairs.texts[row])
    if not is_refusal(pairs.texts[row] if marked is None else marked, rule, f"predictions[{place}]"):
        return "none"
    is_right = any(is_refusal(reference, rule, f"references[{place}]") for reference in pairs.lists[row])
    return "equivalent" if is_right else "abstained"


def _contains(pairs: Pairs, rows: list[int]) -> list[str]:
    texts, references = pairs.open_pairs(rows, as_forms=not pairs.rules.built_in)
    if pairs.rules.built_in:
        return _where("contains", contains_column(texts, references, pairs.rules))
    return _where("contains", map(_contains_any, texts, references))


def _recall(pairs: Pairs, rows: list[int]) -> list[str]:
    """Accept what has the words of a reference and does not contradict them."""
    rules = pairs.rules
    decisions = recall_column(
        *pairs.open_pairs(rows, as_forms=False),
        questions=[pairs.questions[row] for row in rows],
        threshold=rules.recall_threshold,
        language=rules.language,
        tolerance=rules.numeric_tolerance,
        hedged=rules.hedged,
        decimal=rules.decimal,
        has_places=rules.beside == "neutral",
    )
    pairs.decisions = dict(zip(rows, decisions, strict=True))
    types = []
    for decision in decisions:
        accepted = "value" if decision.by_value and rules.numbers == "value" else "recall"
        types.append("hedged" if decision.reason == "hedged" else "none" if decision.reason else accepted)
    return types


def _fuzzy(pairs: Pairs, rows: list[int]) -> list[str]:
    least = pairs.rules.fuzzy_threshold - (0.0 if pairs.rules.fuzzy_scorer in EXACT_SCORERS else 1e-12)
    return _where("fuzzy", (pairs.similarities[row] >= least and any(pairs.is_open(row)) for row in rows))


def _equivalent(pairs: Pairs, rows: list[int]) -> list[str]:
    asked = [(row, pairs.predictions[row], text) for row in rows for text in pairs.lists[row]]
    function = pairs.rules.equivalent
    if callable(function):
        rules: dict[str, Any] = {"option": "equivalent", "kinds": (bool, np.bool_), "expected": "True or False"}
        places = {row: f"predictions[{pairs.rows[row]}]" for row in rows}
        right = {row for row, *pair in asked if call(function, *pair, place=places[row], **rules)}
    else:
        verdicts = [decide(prediction, reference) for _, prediction, reference in asked]
        undecided = [pair for pair, verdict in zip(asked, verdicts, strict=True) if verdict is None]
        answers = equivalent_pairs([(prediction, reference) for _, prediction, reference in undecided])
        pairs.overtime = answers.count(None)
        judged = [*zip(asked, verdicts, strict=True), *zip(undecided, answers, strict=True)]
        right = {pair[0] for pair, verdict in judged if verdict}
    return _where("equivalent", (row in right for row in rows))


RULES: tuple[tuple[Callable[[Matching], bool], Rule], ...] = (
    (lambda rules: rules.reads_numbers or rules.reads_formulas, _by_value),
    (lambda _: True, _by_form),
    (lambda rules: rules.abstention is not None, _declined),
    (lambda rules: rules.match == "contains", _contains),
    (lambda rules: rules.match == "recall", _recall),
    (lambda rules: rules.fuzzy_match, _fuzzy),
    (lambda rules: rules.equivalent is not None, _equivalent),
)
"""When each rule is applied, and the rule."""


def _is_committed(pairs: Pairs, row: int) -> bool:
    """Return whether an accepted answer does not ask back ("Paris?") or, with neutral words only, stands alone."""
    rules, text, references = pairs.rules, pairs.predictions[row], pairs.lists[row]
    if rules.match == "recall" and asks_back(text, references):
        return False
    if rules.beside == "anything":
        return True
    decision = pairs.decisions.get(row)
    hits = decision.hits if decision and not decision.reason else ()
    if asks(text, hits, references) or (has_symbol(text, references) and not is_formula(text)):
        return False
    is_whole = single_number(text) or is_formula(text) or pairs.types[row] == "exact"
    return bool(is_whole or not words_beside(text, hits, pairs.questions[row], references))


# ---- columns


def normalized(texts: list[Any], rules: Matching, name: str) -> list[Any]:
    """Normalize texts, or lists of texts; errors of a user's function call them by the name given."""
    if rules.normalizer is not None:
        return normalize_answers(texts, rules.normalizer, name)
    return apply_flat(lambda flat: normalize_column(flat, **rules.case), texts)


def _take(column: Any, rows: _Array) -> Any:
    """Return some rows of a column as a list; of no column, empty texts."""
    if is_arrow(column):
        return to_list("texts", column.take(pa.array(rows)))
    return [""] * len(rows) if column is None else [column[row] for row in rows.tolist()]


def _is_nested(references: References) -> bool:
    return bool(references) and isinstance(references[0], list)


def _as_lists(references: References) -> list[Any]:
    return references if _is_nested(references) else [[text] for text in references]


# ---- similarity

EXACT_SCORERS = frozenset({"ratio", "token_sort_ratio"})
"""Scorers whose values are one division of integers; RapidFuzz rounds the values of the others."""


def pairwise_similarities(first: list[str], second: list[str], scorer: Scorer = "ratio") -> _Array:
    """Return the similarity, 0 to 1, of each text to the one in the same place of the other list; shape (texts,).

    "ratio" is 2 LCS / (sum of both lengths). RapidFuzz's 1 - distance / length is rounded twice, and may miss an equal
    threshold.
    """
    if scorer not in EXACT_SCORERS:
        return np.asarray(process.cpdist(first, second, scorer=getattr(fuzz, scorer), dtype=np.float64) / 100)
    if scorer == "token_sort_ratio":
        first, second = ([" ".join(sorted(text.split())) for text in texts] for texts in (first, second))
    distances = process.cpdist(first, second, scorer=Indel.distance, dtype=np.int64)
    lengths = np.asarray([max(len(text) + len(other), 1) for text, other in zip(first, second, strict=True)])
    return np.asarray((lengths - distances) / lengths)


# ---- phrases in a longer answer
#
# Marks that normalization removes are word boundaries here: "Answer:33" contains "33", and "<answer>Paris</answer>"
# contains "Paris". A reference is also found if it occurs in the normalized answer ("U.S.A." contains "USA"), except
# that an apostrophe never joins words.

_without_apostrophes = partial(re.sub, "['\u2018\u2019\u02bc\uff07`\u00b4]", " ")
# A footnote number: superscript, or copied as plain digits at the end of a clause ("Haryana1.", "in 19921.").
_SUPERSCRIPTS = r"\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
# The conditions before the superscripts try a run of them once, not from each of its characters.
_FOOTNOTE = re.compile(
    rf"(?:(?<=[^\s{_SUPERSCRIPTS}])|(?<=\s[{_SUPERSCRIPTS}])|(?<=\A[{_SUPERSCRIPTS}]))[{_SUPERSCRIPTS}]++(?!\w)"
    r"|(?:(?<=[^\W\d_]{3})|(?<=(?<!\w)[12]\d\d\d))\d{1,2}(?=[.,;:!?)]+(?:\s|\Z))"
)
# Longer phrases are not searched for in places that overlap.
_LONGEST_PHRASE = 50


def with_word_boundaries(text: str) -> str:
    """Replace every run of marks that normalization removes by a space; marks that it keeps stay (3.5, -5, C++)."""
    marks = "".join(sorted(filter(is_mark, set(text))))
    if not marks:
        return text

    def replace(run: re.Match[str]) -> str:
        rest = resolve_match(run).strip()
        if not rest or rest == run.group():
            return rest or " "
        return f"{rest} " if rest[0] in "+#" else f" {rest}"

    return re.sub(f"[{re.escape(marks)}]+", replace, text)


def contains_phrase(reference: str, prediction: str) -> bool:
    """Return whether a prediction contains a reference, both normalized, as a whole word or phrase.

    In scripts without spaces it may occur anywhere. Linear in both lengths.
    """
    start = prediction.find(reference) if reference else -1
    while start >= 0:
        end = start + len(reference)
        if _is_boundary(prediction, start, start - 1) and _is_boundary(prediction, end - 1, end):
            return True
        start = prediction.find(reference, end if len(reference) > _LONGEST_PHRASE else start + 1)
    return False


def _is_boundary(text: str, inside: int, outside: int) -> bool:
    """Return whether a word boundary separates the character inside a phrase from its neighbor outside."""
    if not 0 <= outside < len(text):
        return True
    kind = unicodedata.category(text[outside])[0]
    if kind == "M" and outside > inside:
        return False  # a vowel sign or accent belongs to the letter before it
    if kind in {"L", "N", "M"}:
        return bool(NO_SPACES.match(text[outside]) or NO_SPACES.match(text[inside]))
    return not is_mark(text[outside]) or outside not in kept_marks(text)


def _contains_any(answer: str, phrases: list[str]) -> bool:
    return any(contains_phrase(phrase, answer) for phrase in phrases)


def contains_column(predictions: list[str], references: list[list[str]], rules: Matching) -> list[bool]:
    """Return for each prediction whether it contains one of its references; neither are normalized."""
    contained = [False] * len(predictions)
    # Removed marks part words, or leave nothing but for apostrophes; at last without footnotes.
    for part, notes in ((with_word_boundaries, None), (_without_apostrophes, None), (with_word_boundaries, _FOOTNOTE)):
        rows = [row for row, is_contained in enumerate(contained) if not is_contained]
        if notes:
            rows = [row for row in rows if notes.search(predictions[row])]
        answers = [notes.sub(" ", predictions[row]) if notes else predictions[row] for row in rows]
        forms = normalized(list(map(part, answers)), rules, "predictions")
        phrases = normalized([list(map(part, references[row])) for row in rows], rules, "references")
        for row, is_contained in zip(rows, map(_contains_any, forms, phrases), strict=True):
            contained[row] = is_contained
    return contained
