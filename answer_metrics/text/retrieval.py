"""Match retrieved chunks, or their sentences, with the ground truth of a query: options, sentences, matching.

ROUGE-L recall is LCS(retrieved, ground truth) / tokens of the ground truth (Lin 2004,
https://aclanthology.org/W04-1013): the share of the ground truth's tokens found in order in the retrieved text. The
longest common subsequence is RapidFuzz's, a thousand times as fast as that of `rouge-score` and equal to it.

Sentences are those of sentencex (https://github.com/wikimedia/sentencex): it is deterministic, ships the rules of its
languages in its wheel and downloads nothing.
"""

import functools
import importlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import rapidfuzz
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from answer_metrics.core.options import Options, check_version, option, qualified_name
from answer_metrics.text.tokens import Tokenizer, loses_most, make_tokenizer, tokenizer_version

check_version("rapidfuzz", rapidfuzz.__version__, "3.9")

Splitter: TypeAlias = Callable[[str], list[str]]

Strategy: TypeAlias = Literal["EXACT_CHUNK_MATCH", "EXACT_SENTENCE_MATCH", "ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH"]
STRATEGY_HELP = "Compare whole chunks or their sentences, by equality or by ROUGE-L recall."
_STRATEGY = "matching_strategy"
_ROUGE = ("ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH")
_SENTENCE = ("EXACT_SENTENCE_MATCH", "ROUGE_SENTENCE_MATCH")

# sentencex takes any string and falls back on English. These are the languages that it has rules for (first line) or
# maps to one that it has; see languages/mod.rs and languages/fallbacks.rs in its source.
LANGUAGES = frozenset(
    """
    am ar bg bn ca da de el en es fi fr gu hi hy it ja kk kn ml mr my nl pa pl pt ru sk ta te uk
    ab abs ace ady aeb aln als alt ami an anp arn arq ary arz as ast atj av avk awa ay az azb ba ban bar bbc bcc be
    bgn bh bho bi bjn bm bpy bqi br bs btm bug bxr cbk-zam cdo ce ckb co crh cs csb cv dsb dtp dty egl eml eo et ext
    fa ff fit frc frp frr fur gag gan gcr gl glk gn gom gor gsw guc hak he hif hr hrx hsb ht hu hyw id ii inh io iu
    jam jut jv ka kaa kab kbd kbp khw kiu kjp kl ko koi krc krl ks ksh ku kum kv lad lb lbe lez li lij liv lki lld
    lmo ln lrc lt ltg luz lv lzh lzz mad mai map-bms mdf mg mhr min mk mnw mo mrj ms mwl myv mzn nah nan nap nb nds
    nds-nl ne nia nn nrm oc olo os pcd pdc pdt pfl pih pms pnb pnt qu qug rgn rm rmy ro roa-tara rue rup ruq sa sah
    scn sco sdc sdh ses sg sgs sh shi shy skr sli smn sq sr srn stq sty su szl szy tay tcy tet tg tr trv tt ty tyv
    udm ug ur vec vep vls vmf vot vro wa wo wuu xal xmf yi za zea zgh zh zh-hans zh-hant
    """.split()  # as a list it would be 230 lines
)


def check_language(name: str, value: object) -> str:
    """Return a code such as `en`, `EN`, `pt-BR` or `pt_br` as sentencex spells it; a `ValueError` if it does not."""
    code = value.strip().lower().replace("_", "-") if isinstance(value, str) else ""
    while code not in LANGUAGES:
        code, hyphen, _ = code.rpartition("-")
        if not hyphen:
            raise ValueError(
                f"{name} must be a language code that sentencex supports, got {value!r} ({type(value).__name__}); "
                f"these are {', '.join(sorted(LANGUAGES))}; for any other, pass a sentence_splitter"
            )
    return code


class Components(NamedTuple):
    """The chunks of a query, or their sentences, and the number of the chunk of each, from 1."""

    texts: list[str]
    chunks: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class RetrievalOptions(Options):
    """The options that decide which retrieved chunks match the ground truth."""

    matching_strategy: Strategy = option("ROUGE_CHUNK_MATCH", STRATEGY_HELP)
    rouge_chunk_match_threshold: float = option(
        0.7, "ROUGE-L recall that a chunk must exceed.", low=0, high=1, needs=(_STRATEGY, "ROUGE_CHUNK_MATCH")
    )
    rouge_sentence_match_threshold: float = option(
        0.8, "ROUGE-L recall that a sentence must exceed.", low=0, high=1, needs=(_STRATEGY, "ROUGE_SENTENCE_MATCH")
    )
    use_stemmer: bool = option(False, "Compare English word stems, as in rouge-score.", needs=(_STRATEGY, *_ROUGE))
    tokenizer: Literal["rouge", "unicode"] = option(
        "rouge",
        "rouge: as in rouge-score; unicode: words in any script, and single characters in scripts without spaces.",
        needs=(_STRATEGY, *_ROUGE),
    )
    language: str = option(
        "en",
        "Language for sentence splitting, such as en, de or pt-BR.",
        custom=check_language,
        custom_type="the code of a language",
        needs=(_STRATEGY, *_SENTENCE),
    )
    sentence_splitter: Splitter | None = option(
        None, "Function from str to list of str that replaces the built-in splitter.", needs=(_STRATEGY, *_SENTENCE)
    )

    @property
    def by_sentence(self) -> bool:
        return self.matching_strategy in _SENTENCE

    @property
    def threshold(self) -> float | None:
        """The threshold of the selected strategy, None if components must be equal."""
        if self.matching_strategy not in _ROUGE:
            return None
        return self.rouge_sentence_match_threshold if self.by_sentence else self.rouge_chunk_match_threshold

    def detail_columns(self, matches: str, *sentences: str) -> dict[str, Any]:
        """Return the types of the columns that details add: the matches, and the sentences that they refer to."""
        names = [matches, *(sentences if self.by_sentence else ())]
        return dict.fromkeys(names, list) if self.return_details else {}

    def matcher(self) -> "Matcher":
        """Return the matcher of the selected strategy."""
        if self.threshold is None:
            return match_exact
        return RougeMatcher(make_tokenizer(self.tokenizer, use_stemmer=self.use_stemmer), self.threshold)

    def components(self, inputs: Mapping[str, list[list[str]]]) -> list[list[Components]]:
        """Return the components of each query, for each input; a `ValueError` names a chunk that cannot be split."""
        if not self.by_sentence:
            return [[Components(row, range(1, len(row) + 1)) for row in column] for column in inputs.values()]
        split = make_splitter(self.language, self.sentence_splitter)

        def sentences(name: str, chunks: list[str]) -> Components:
            texts: list[str] = []
            numbers: list[int] = []
            for number, chunk in enumerate(chunks, start=1):
                try:
                    texts += split(chunk)
                except ValueError as error:
                    raise ValueError(f"{name}[{number - 1}]: {error}") from error.__cause__
                numbers += [number] * (len(texts) - len(numbers))
            return Components(texts, numbers)

        rows = ((name, enumerate(column)) for name, column in inputs.items())
        return [[sentences(f"{name}[{row}]", chunks) for row, chunks in column] for name, column in rows]

    def signature_fields(self) -> dict[str, Any]:
        """Return the signature fields of the options that affect matching."""
        fields: dict[str, Any] = {"strategy": self.matching_strategy}
        if self.threshold is not None:
            fields["rouge"] = f">{self.threshold!r}"
            fields["tokens"] = tokenizer_version(self.tokenizer, use_stemmer=self.use_stemmer)
            fields["rapidfuzz"] = rapidfuzz.__version__
        if self.by_sentence:
            splitter = self.sentence_splitter
            fields["sentences"] = splitter_version(self.language) if splitter is None else qualified_name(splitter)
        return fields

    def warnings(self, inputs: Mapping[str, list[list[str]]]) -> Iterator[str]:
        """Yield a message for each reason why nothing, or hardly anything, can match under these options."""
        if self.threshold == 1:
            yield "no ROUGE-L recall is greater than a threshold of 1.0, so nothing can match"
        if self.threshold is not None and self.tokenizer == "rouge":
            rows = [(f"{name}[{i}]", chunks) for name, column in inputs.items() for i, chunks in enumerate(column)]
            lost = [f"{row}[{j}]" for row, chunks in rows for j, chunk in enumerate(chunks) if loses_most(chunk)]
            if lost:
                yield (
                    f'tokenizer="rouge" keeps only the letters a to z and drops most of {len(lost)} texts, the first '
                    f'at {lost[0]}; such texts can hardly match. tokenizer="unicode" keeps the letters of all scripts'
                )


def without_truth(numbers: list[int], truth: str, scores: str) -> Iterator[str]:
    """Yield a message about the queries without ground truth, if there are any, from the number that each has."""
    if without := numbers.count(0):
        have, count = ("has", "counts") if without == 1 else ("have", "count")
        yield f"{without} of {len(numbers)} queries {have} no {truth} and {count} with {scores}"


# Bump this whenever the sentences of any text change: it is part of signatures.
SENTENCES_VERSION = "v2"

# A function from a text to the end offsets of its sentences, the end of the text included.
SentenceEnds: TypeAlias = Callable[[str], list[int]]

# sentencex 1.0 panics on a capital letter before multi-byte whitespace and a period ("A\u2003.").
_WIDE_SPACE = re.compile(r"[^\S\x00-\x7f]")

# sentencex takes quadratic time on some texts, so those are split window by window: for every mark it scans the run of
# non-whitespace around it, for every quotation mark or bracket the text up to the closing one.
_LONG_RUN = re.compile(r"\S{1000}")
_STRIDE = 16
_MAYBE_LONG_RUN = re.compile(rf"\S{{{1000 // _STRIDE}}}")
_SMALL_WINDOW = 2000
# The quotation marks and brackets that sentencex pairs.
_PAIRED_MARKS = (
    "\"'`()<>{}[]\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d"
    "\u201e\u201f\u2039\u203a\u300a\u300b\u300c\u300d\uff08\uff09"
)
_WORK_PER_WINDOW = 4_000_000  # marks times characters: a few milliseconds


def splitter_version(language: str) -> str:
    """Return the signature entry of the splitter for a checked language."""
    return f"{language}-sentencex-{metadata.version('sentencex')}-{SENTENCES_VERSION}"


def sentence_ends(language: str) -> SentenceEnds:
    """Return sentencex's function for a checked language; an `ImportError` if it is not installed."""
    try:
        segment = importlib.import_module("sentencex").segment
    except ImportError as error:
        raise ImportError("strategies that compare sentences need sentencex: pip install sentencex") from error

    def ends(text: str) -> list[int]:
        narrow = text if text.isascii() else _WIDE_SPACE.sub(" ", text)
        return list(accumulate(map(len, segment(language, narrow))))

    return ends


def window_size(text: str) -> int:
    """Return the window size in characters that keeps the time linear for any text.

    With m quotation marks and brackets in n characters, windows of w = sqrt(c n / m) take time of the order of
    n / w steps times m w / n marks times w characters, which is at most n sqrt(c).
    """
    if len(text) <= _SMALL_WINDOW:
        return _SMALL_WINDOW
    # A long run is visible in every 16th character already.
    if _MAYBE_LONG_RUN.search(text[::_STRIDE]) and _LONG_RUN.search(text):
        return _SMALL_WINDOW
    marks = sum(map(text.count, _PAIRED_MARKS))
    return max(_SMALL_WINDOW, math.isqrt(_WORK_PER_WINDOW * len(text) // max(marks, 1)))


def split_sentences(text: str, ends: SentenceEnds) -> list[str]:
    """Split a text without lone surrogates at the ends of its sentences; only blanks at its end may be lost."""
    size, start, stops = window_size(text), 0, [0]
    while start < len(text):
        window = text[start : start + size]
        stops_here = ends(window)
        step = len(window)
        if start + step < len(text):
            # The last sentence may continue beyond the window, so the next window starts with it, unless it fills most
            # of the window: then the next window starts at the end of this one, so that every step makes progress.
            stops_here = stops_here[:-1]
            step = stops_here[-1] if stops_here and stops_here[-1] >= size // 4 else step
        stops += [start + end for end in stops_here]
        start += step
    return [text[start:stop] for start, stop in pairwise(stops)]


def make_splitter(language: str, custom: Splitter | None = None) -> Splitter:
    """Return a function from a text to its sentences, stripped and not empty; it splits repeated texts once.

    A custom splitter replaces sentencex. The function raises a `ValueError` if the splitter fails, or does not return a
    list of strings.
    """
    find = functools.partial(split_sentences, ends=sentence_ends(language)) if custom is None else custom

    @functools.cache
    def split(text: str) -> list[str]:
        try:
            sentences = find(text)
        except BaseException as error:
            # A Rust panic is raised as a BaseException whose class cannot be imported.
            if custom is not None and isinstance(error, Exception):
                raise ValueError(f"sentence_splitter failed: {type(error).__name__}: {error}") from error
            if type(error).__name__ != "PanicException":
                raise
            raise ValueError(f"the sentence splitter failed on this text: {error}") from error
        if not isinstance(sentences, list):
            raise ValueError(f"sentence_splitter returned a {type(sentences).__name__}, not a list of strings")
        for index, sentence in enumerate(sentences):
            if not isinstance(sentence, str):
                kind = type(sentence).__name__
                raise ValueError(f"sentence_splitter returned a list whose item {index} is a {kind}, not a string")
        return [trimmed for sentence in sentences if (trimmed := sentence.strip())]

    return split


# Pairs per batch: 4 bytes for the LCS and 8 for the recall, so about 50 MB.
_BATCH_PAIRS = 1 << 22
# Tokens are encoded as characters, of which there are 0x110000; the encoding is reset when half of them are in use.
_MAX_TOKENS = 0x110000 // 2


Matcher: TypeAlias = Callable[[Sequence[str], Sequence[str]], Iterable[list[int]]]
"""From the distinct retrieved texts and the distinct ground truths of a query, lists for each retrieved text the
ascending indices of the ground truths that it matches; lazily, as there can be many."""


def match_exact(retrieved: Sequence[str], ground_truths: Sequence[str]) -> Iterator[list[int]]:
    """Match texts that are equal, character by character."""
    index = {text: [i] for i, text in enumerate(ground_truths)}
    return (index.get(text, []) for text in retrieved)


class _Characters(dict[str, str]):
    """Maps every token to a unique character."""

    def __missing__(self, token: str) -> str:
        character = self[token] = chr(len(self))
        return character


class RougeMatcher:
    """Match a retrieved text with the ground truths for which its ROUGE-L recall exceeds a threshold, 0 to 1.

    Each distinct text is tokenized once.
    """

    def __init__(self, tokenize: Tokenizer, threshold: float) -> None:
        self.tokenize = tokenize
        self.threshold = threshold
        self._characters = _Characters()
        self._encoded: dict[str, str] = {}

    def __call__(self, retrieved: Sequence[str], ground_truths: Sequence[str]) -> Iterator[list[int]]:
        """Match distinct texts of one query, see `Matcher`."""
        if len(self._characters) > _MAX_TOKENS:
            self._characters.clear()
            self._encoded.clear()
        truths = [self._encode(text) for text in ground_truths]
        # A ground truth without tokens has an LCS of 0 and counts as 1 token, so its recall of 0 exceeds no threshold.
        lengths = np.array([len(truth) or 1 for truth in truths], dtype=np.int32)
        rows = max(1, _BATCH_PAIRS // max(1, len(truths)))
        for start in range(0, len(retrieved), rows):
            queries = [self._encode(text) for text in retrieved[start : start + rows]]
            # No score_cutoff: RapidFuzz 3.0 to 3.14 loses some pairs that are exactly at the cutoff.
            lcs = process.cdist(queries, truths, scorer=LCSseq.similarity, dtype=np.int32, workers=1)
            # Divide rather than test lcs > threshold * length: 0.7 * 10 is rounded, but 7 / 10 is exactly float 0.7.
            yield from (np.flatnonzero(row).tolist() for row in lcs / lengths > self.threshold)

    def _encode(self, text: str) -> str:
        if text not in self._encoded:
            self._encoded[text] = "".join(map(self._characters.__getitem__, self.tokenize(text)))
        return self._encoded[text]


class Matched(NamedTuple):
    """The counts of a query, in components: duplicates count among the retrieved, not among the ground truths."""

    relevant: int
    retrieved: int
    found: int
    ground_truths: int
    pairs: list[list[int]]
    """All matching [index of the retrieved component, index of the ground truth], ascending; empty unless requested."""


def match_query(
    retrieved: Sequence[str], ground_truths: Sequence[str], matcher: Matcher, *, with_pairs: bool = True
) -> Matched:
    """Match the retrieved components of one query with its ground truths, both in order.

    Without `with_pairs`, no pairs are listed: there can be as many as retrieved components times ground truths.

    >>> match_query(["a", "b", "a"], ["a", "c"], match_exact)
    Matched(relevant=2, retrieved=3, found=1, ground_truths=2, pairs=[[0, 0], [2, 0]])
    """
    places: dict[str, list[int]] = {}
    for index, text in enumerate(ground_truths):
        places.setdefault(text, []).append(index)
    copies, distinct = Counter(retrieved), list(places.values())
    relevant, matched, places_of = 0, set[int](), dict[str, list[int]]()
    for text, hits in zip(copies, matcher(list(copies), list(places)) if places else (), strict=False):
        relevant += copies[text] if hits else 0
        matched.update(hits)
        if with_pairs:
            places_of[text] = sorted(chain.from_iterable(distinct[hit] for hit in hits))
    pairs = [[i, j] for i, text in enumerate(retrieved) for j in places_of.get(text, ())]
    return Matched(relevant, len(retrieved), len(matched), len(places), pairs)


def best_recall(retrieved: Sequence[str], ground_truth: str, tokenize: Tokenizer) -> float:
    """Return the highest ROUGE-L recall of the retrieved texts, at least one."""
    tokens = tokenize(ground_truth)
    common = max(LCSseq.similarity(tokenize(text), tokens) for text in retrieved)
    return common / len(tokens) if tokens else 0.0
