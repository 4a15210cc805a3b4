"""Sentence splitting by sentencex (https://github.com/wikimedia/sentencex).

It is deterministic, ships the rules of its languages in its wheel and downloads nothing. Sentences are stripped, and
empty ones dropped.
"""

import functools
import importlib
import math
import re
from collections.abc import Callable
from collections.abc import Iterator
from importlib import metadata
from itertools import accumulate
from itertools import pairwise

from ._options import OptionKind

# Raise it whenever a change of this module changes the sentences of any text: it is part of the signature.
SENTENCES_VERSION = "v2"

# A function from a text to the end offsets of its sentences, the end of the text included.
SentenceEnds = Callable[[str], list[int]]

# sentencex accepts any string as a language and falls back on its rules for English. These are the languages that it
# supports, by dedicated rules (first line) or by a fallback table; see languages/mod.rs and languages/fallbacks.rs in
# its source.
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
    """.split()  # noqa: SIM905  # as a list it would be 230 lines
)

# sentencex 1.0 panics on a capital letter before multi-byte whitespace and a period ("A\u2003.").
_WIDE_SPACE = re.compile(r"[^\S\x00-\x7f]")

# sentencex takes quadratic time on some texts, so those are split window by window. For every mark it scans the run
# of non-whitespace around it; for every quotation mark or bracket it searches for the closing one, if necessary to the
# end of the text; and for every end of a sentence it scans all quoted or bracketed spans.
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


class Language(OptionKind):
    """A language: a code such as `en`, `EN`, `pt-BR` or `pt_br`."""

    type_label = "str"

    def check(self, name: str, value: object) -> str:
        """Return the code as sentencex spells it, or raise a `ValueError` that lists the supported ones."""
        code = value.strip().lower().replace("_", "-") if isinstance(value, str) else ""
        while code not in LANGUAGES:
            code, hyphen, _ = code.rpartition("-")
            if not hyphen:
                raise ValueError(
                    f"{name} must be the code of a language that sentencex knows, got {value!r} "
                    f"({type(value).__name__}); it knows {', '.join(sorted(LANGUAGES))}; for any other, give a "
                    "sentence_splitter"
                )
        return code


def splitter_version(language: str) -> str:
    """Return the signature entry of the splitter for a resolved language."""
    return f"{language}-sentencex-{metadata.version('sentencex')}-{SENTENCES_VERSION}"


def _sentence_ends(language: str) -> SentenceEnds:
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


def _ends_through_window(text: str, ends: SentenceEnds, size: int) -> Iterator[int]:
    start = 0
    while start < len(text):
        window = text[start : start + size]
        found = ends(window)
        step = len(window)
        if start + step < len(text):
            # The last sentence may continue beyond the window, so the next window starts with it, unless it fills most
            # of the window: then the next window starts at the end of this one, so that every step makes progress.
            found = found[:-1]
            step = found[-1] if found and found[-1] >= size // 4 else step
        yield from (start + end for end in found)
        start += step


def split_sentences(text: str, ends: SentenceEnds) -> list[str]:
    """Split a text at the ends of its sentences.

    Args:
        text: Any text without lone surrogates.
        ends: Returns the end offsets of a text's sentences.

    Returns:
        The pieces in order; joined, they are the text.
    """
    size = window_size(text)
    stops = ends(text) if len(text) <= size else list(_ends_through_window(text, ends, size))
    return [text[start:stop] for start, stop in pairwise([0, *stops])]


def make_splitter(language: str, custom: Callable[[str], list[str]] | None = None) -> Callable[[str], list[str]]:
    """Return a function from a text to its sentences that caches its results.

    Args:
        language: A resolved language.
        custom: A function from a text to its sentences that is used instead of sentencex.

    Returns:
        A function that raises a `ValueError` if the splitter does not return a list of strings.
    """
    find = functools.partial(split_sentences, ends=_sentence_ends(language)) if custom is None else custom
    seen: dict[str, list[str]] = {}

    def split(text: str) -> list[str]:
        if text not in seen:
            try:
                sentences = find(text)
            except BaseException as error:
                # A Rust panic is raised as a BaseException whose class cannot be imported.
                if type(error).__name__ != "PanicException":
                    raise
                raise ValueError(f"the sentence splitter failed on this text: {error}") from error
            if not isinstance(sentences, list):
                raise ValueError(f"sentence_splitter returned a {type(sentences).__name__}, not a list of strings")
            for index, sentence in enumerate(sentences):
                if not isinstance(sentence, str):
                    kind = type(sentence).__name__
                    raise ValueError(f"sentence_splitter returned a list whose item {index} is a {kind}, not a string")
            seen[text] = [trimmed for sentence in sentences if (trimmed := sentence.strip())]
        return seen[text]

    return split
