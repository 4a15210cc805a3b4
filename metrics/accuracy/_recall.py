"""Token recall: whether a prediction has the words of a reference, and nothing that contradicts them.

Source of the idea: Adlakha et al. 2024, https://arxiv.org/abs/2307.16877, who found that token recall agrees best with
people. The rules for numbers, dates, names and contradictions are our own; the metric's card lists them.

`recall` decides one pair, by the texts (`wanted`: the reference, its tokens by `index`; `given`: the prediction, its
tokens by `place`). It calls, in this order:

- `_recall_text.py`: a text as tokens, with its indexes. Tokens are made by `_recall_tokens.py` (words, numbers),
  `_recall_numbers.py` (number words, fractions, Roman numerals), `_recall_units.py` and `_recall_dates.py`.
- `_recall_finding.py`: finds each word, number and date of the reference, in other forms (`_recall_forms.py`, with the
  word lists), in other names (`_recall_names.py`) and rounded (`_recall_rounding.py`).
- `_recall_denials.py`, `_recall_codes.py`, and here `_drop_common_nouns`: what is found there does not count.
- `_reason`: why the prediction is wrong. `_recall_contradictions.py` has opposites and other names,
  `_recall_full_names.py` when a part of a name is enough, `_recall_lists.py` lists.

`recall_column` in `_recall_column.py` decides whole columns: most pairs on arrays, the others by `judge`. On arrays:

- `_recall_vocabulary.py`, `_recall_kinds.py`, `_recall_token_arrays.py`: texts as arrays of keys and of bits.
- `_recall_decisions.py`: `judge` for pairs that are certain. `_recall_pairs.py` has which words are found,
  `_recall_pair_words.py` other forms and opposites, `_recall_pair_numbers.py` numbers and dates,
  `_recall_pair_names.py` short forms, full names and other names.

So a rule has two places. Change it here first; then let a function of the arrays named `may_…` leave every pair to
`judge` that the rule can change. tests/unit/test_recall_column.py compares both on random pairs of traps and phrases.
"""

from dataclasses import dataclass

from ._recall_asides import words_to_spare
from ._recall_bold import is_beside_bold
from ._recall_codes import drop_parts_of_codes
from ._recall_contradictions import has_other_initials
from ._recall_contradictions import has_swapped_score
from ._recall_contradictions import has_titles_only
from ._recall_contradictions import is_contradicted
from ._recall_contradictions import is_in
from ._recall_contradictions import is_name_prefix
from ._recall_contradictions import is_other_name
from ._recall_contradictions import is_sequel
from ._recall_contradictions import says_opposite
from ._recall_contrasts import CONTRASTING
from ._recall_finding import find_dates_of
from ._recall_finding import find_number
from ._recall_finding import find_word
from ._recall_finding import is_foreign_number
from ._recall_forms import ARTICLES
from ._recall_forms import CHOICES
from ._recall_forms import FUNCTION_WORDS
from ._recall_forms import LONGEST_PARTICLE
from ._recall_forms import NAME_ENDINGS
from ._recall_forms import NAME_PREFIXES
from ._recall_forms import NEGATIONS
from ._recall_forms import RANKS
from ._recall_forms import stem
from ._recall_full_names import CORE_SHARE
from ._recall_full_names import is_core_alone
from ._recall_full_names import is_in_two_names
from ._recall_lists import has_all_items
from ._recall_lists import is_list
from ._recall_names import find_acronyms
from ._recall_names import find_short_forms
from ._recall_text import Found
from ._recall_text import Text
from ._recall_text import read
from ._recall_tokens import Token
from ._recall_units import units_behind

# Raise it whenever any decision changes: it stands in the signatures.
RECALL_VERSION = "v1"

# Common words say less than the name that they describe: "the drama series Gunsmoke".
COMMON_WEIGHT = 0.5
_COMPARING = CONTRASTING | {"or", "than"}


@dataclass(frozen=True)
class Recall:
    """Which words of a reference are found in a prediction, and the decision."""

    share: float
    """The share of the reference's words that are found, 0 to 1; common words beside a name count half."""
    right: bool
    """Whether the prediction is right."""
    found: tuple[tuple[int, int], ...]
    """Start and end, in the reference, of each word that is found."""
    missing: tuple[tuple[int, int], ...]
    """The same for the words that are not found."""
    evidence: tuple[tuple[int, int], ...]
    """Start and end of each match in the prediction."""
    reason: str
    """Why it is wrong: "number", "share", "denied", "opposite", "other name", "list" or "empty"; "" if it is right."""


def recall(
    reference: str, prediction: str, *, question: str | None = None, threshold: float = 0.5, language: str = "en"
) -> Recall:
    """Look for the words of a reference in a prediction.

    Args:
        reference: The right answer.
        prediction: The answer to judge.
        question: What was asked. Its words are no evidence, unless the reference has no others, and if it has a
            negation itself ("which is not …"), nothing in the prediction counts as denied.
        threshold: The least share of the words, 0 to 1.
        language: "en", or "none" for no rules of any language.

    Returns:
        What was found, and whether that makes the prediction right.
    """
    wanted, given = read(reference, language), read(prediction, language)
    asked = None if question is None else read(question, language)
    content = content_words(wanted, asked)
    found, share, reason = judge(wanted, given, content, threshold, asked)
    spans = {index: (wanted.tokens[index].start, wanted.tokens[index].end) for index in content}
    return Recall(
        share=share,
        right=not reason,
        found=tuple(spans[index] for index in content if found[index]),
        missing=tuple(spans[index] for index in content if not found[index]),
        evidence=tuple(
            (given.tokens[place].start, given.tokens[place].end)
            for place in sorted({place for places in found.values() for place in places})
        ),
        reason=reason,
    )


def judge(
    wanted: Text, given: Text, content: list[int], threshold: float, asked: Text | None = None
) -> tuple[Found, float, str]:
    """Do the work of `recall` on texts that are already tokenized.

    Args:
        wanted: The reference.
        given: The prediction.
        content: The indices of the reference tokens that count, see `content_words`.
        threshold: The least share of them, 0 to 1.
        asked: The question.

    Returns:
        What is found, the share, 0 to 1, and why the prediction is wrong, "" if it is right.
    """
    found, reason = _find_all(wanted, given, content, asked)
    share = _share(wanted, content, found)
    spare = words_to_spare(wanted, given, content, found)
    if share < CORE_SHARE and content and (spare or is_core_alone(wanted, given, content, found)):
        share = CORE_SHARE
    return found, share, reason or _reason(wanted, given, content, found, share, threshold, spare)


def content_words(reference: Text, question: Text | None = None) -> list[int]:
    """Choose the words of a reference that count: no articles, no function words and no words of the question.

    Each of these counts where the reference has no others. Words of a question that offers a choice count.
    """
    tokens = reference.tokens
    content = list(range(len(tokens)))
    if reference.english:
        content = [index for index in content if not is_in(ARTICLES, tokens, index)] or content
        content = [index for index in content if not is_in(FUNCTION_WORDS, tokens, index)] or content
    content = [index for index in content if not _is_particle(reference, index)] or content
    if question is not None and question.keys.isdisjoint(CHOICES):
        asked = question.keys
        stems: frozenset[str] = frozenset(question.stems) if reference.english else frozenset()
        content = [
            index
            for index in content
            if tokens[index].is_number or not (tokens[index].key in asked or stem(tokens[index].key) in stems)
        ] or content
    return content


def _is_particle(text: Text, index: int) -> bool:
    """Say whether a token is a small word between capitals, in any language: "Miguel de Cervantes", "Ludwig van"."""
    if not _is_small(text, index):
        return False
    before = index - 2 if _is_small(text, index - 1) else index - 1
    after = index + 2 if _is_small(text, index + 1) else index + 1
    return before >= 0 and after < len(text.tokens) and text.tokens[before].capital and text.tokens[after].capital


def _is_small(text: Text, index: int) -> bool:
    if not 0 <= index < len(text.tokens):
        return False
    token = text.tokens[index]
    alone = text.text[token.start - 1 : token.start] == text.text[token.end : token.end + 1] == " "
    return alone and len(token.text) <= LONGEST_PARTICLE and token.text.islower() and token.key not in NEGATIONS


def _find_all(wanted: Text, given: Text, content: list[int], asked: Text | None) -> tuple[Found, str]:
    """Find the tokens of the prediction that match each word that counts; "denied" is returned if all are denied."""
    found: Found = find_dates_of(wanted, given)
    for index in content:
        if index not in found:
            find = find_number if wanted.tokens[index].is_number else find_word
            found[index] = find(wanted, given, index)
    found = {index: found[index] for index in content}
    if any(not places for places in found.values()):
        find_short_forms(wanted, given, content, found)
        find_acronyms(wanted, given, content, found)
    reason = _drop_denied(wanted, given, found, asked)
    if wanted.english and not given.keys.isdisjoint(NAME_PREFIXES | RANKS | NAME_ENDINGS):
        for index, places in found.items():
            found[index] = [place for place in places if not is_other_name(wanted, given, index, place)]
    drop_parts_of_codes(wanted, given, found)
    _drop_common_nouns(wanted, given, content, found)
    if wanted.english:
        _find_units(wanted, given, found)
    return found, reason


def _drop_denied(wanted: Text, given: Text, found: Found, asked: Text | None) -> str:
    """Drop the words that the prediction denies or mentions in passing; return "denied" if one is left without any."""
    reason = ""
    may_deny = not wanted.is_negative and wanted.keys.isdisjoint(_COMPARING)
    if may_deny and given.denied and not (asked is not None and asked.is_negative):
        for index, places in found.items():
            found[index] = [place for place in places if place not in given.denied]
            if places and not found[index]:
                reason = "denied"
    if asked is not None and is_beside_bold(wanted, given, asked, found):
        found.update({index: [] for index in found})
        reason = "denied"
    return reason


def _find_units(wanted: Text, given: Text, found: Found) -> None:
    """Find the unit of a number that is found with the same unit in other words: "kph" for "km/h"."""
    for number in [index for index, places in found.items() if places and wanted.tokens[index].is_number]:
        for index in units_behind(wanted.tokens, number):
            if index in found and not found[index]:
                found[index] = [place for at in found[number] for place in units_behind(given.tokens, at)]


def _drop_common_nouns(wanted: Text, given: Text, content: list[int], found: Found) -> None:
    """Where a name is found in part, drop words found only as common nouns ("lake" for "Lake Oahe")."""
    names = [index for index in content if wanted.tokens[index].capital]
    if not given.has_capitals or all(found[index] for index in names):
        return
    for index in names:
        if index == 0 and len(names) < len([i for i in content if not wanted.tokens[i].is_number]):
            continue  # the first word of a phrase has a capital anyway
        tokens = [given.tokens[place] for place in found[index]]
        if not wanted.tokens[index].is_number and not any(token.capital or token.is_number for token in tokens):
            found[index] = []


def _lacks_core(wanted: Text, content: list[int], found: Found) -> bool:
    """Say whether the main part is missing: only a title is found, or only 京都 of 東京都."""
    tokens = wanted.tokens
    if len(tokens) == 2 and tokens[1].start < tokens[0].end:
        return not found.get(0)
    return has_titles_only(wanted, content, found)


def _weight(tokens: tuple[Token, ...], index: int) -> float:
    """Weigh a word of a name: common words count half, and so do both words of "New York"."""
    token = tokens[index]
    if token.is_number or not token.capital:
        return 1.0 if token.is_number else COMMON_WEIGHT
    is_pair = is_name_prefix(tokens, index) or (index and is_name_prefix(tokens, index - 1))
    return COMMON_WEIGHT if is_pair else 1.0


def _share(wanted: Text, content: list[int], found: Found) -> float:
    """Compute the share of the words that are found; beside a name, common words count half if that gives more."""
    if not content:
        return 0.0
    hits = [bool(found[index]) for index in content]
    share = sum(hits) / len(hits)
    if all(hits) or not any(wanted.tokens[index].capital and index for index in content):
        return share
    weights = [_weight(wanted.tokens, index) for index in content]
    # Halves add up exactly.
    return max(share, sum(weight for weight, hit in zip(weights, hits, strict=True) if hit) / sum(weights))


def _reason(  # noqa: PLR0911  # one rule after the other
    wanted: Text, given: Text, content: list[int], found: Found, share: float, threshold: float, spare: frozenset[int]
) -> str:
    """Say why a prediction is wrong, or "" if it is right."""
    missing = [index for index in content if not found[index]]
    if not content:
        return "empty"
    in_dates = {index for date in wanted.dates if date.year or date.day for index in date.places}
    if has_swapped_score(wanted, given, found) or any(
        (wanted.tokens[index].is_number or index in in_dates or (wanted.english and is_foreign_number(wanted, index)))
        and index not in spare
        for index in missing
    ):
        return "number"
    if share < threshold or len(missing) == len(content) or _lacks_core(wanted, content, found):
        return "share"
    if has_other_initials(wanted, given, content, found):
        return "other name"
    if not missing:
        other = is_in_two_names(wanted, given, content, found) or (
            wanted.english and is_sequel(wanted, given, content, found)
        )
        return "other name" if other else ""
    if says_opposite(wanted, given, content, found):
        return "opposite"
    if is_contradicted(wanted, given, content, found):
        return "other name"
    if wanted.english and is_list(wanted) and not has_all_items(wanted, found):
        return "list"
    return ""
