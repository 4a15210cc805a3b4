"""Normalizations by name: those of other projects, so that figures compare, beside the built-in one."""

import re
import string
from collections.abc import Callable

from ._columns import call_for_each
from ._normalization import NORMALIZATION_VERSION
from ._normalization import normalize_column
from ._options import qualified_name

Normalizer = str | Callable[[str], str] | None

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize_squad(text: str) -> str:
    """Normalize as SQuAD v1's official script does: lower case, no ASCII punctuation, no articles, single spaces.

    Source: `normalize_answer` of https://rajpurkar.github.io/SQuAD-explorer/ (evaluate-v1.1.py).
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def normalize_benchwise(text: str) -> str:
    """Normalize as Benchwise's `accuracy` does: lower case, single spaces, no ASCII punctuation, in this order.

    Spaces around a mark that goes stay ("a - b" has two), as in the published code. Source: `_normalize_text` of
    https://github.com/Benchwise/benchwise (benchwise/metrics.py).
    """
    return " ".join(text.lower().split()).translate(_NO_PUNCTUATION).strip()


_BY_NAME = {"squad": normalize_squad, "benchwise": normalize_benchwise}


def apply_normalizer(texts: list[str], normalizer: Normalizer) -> list[str]:
    """Normalize texts by a name ("default", "squad", "benchwise"), by a function of the user's, or not at all (None).

    Raises:
        ValueError: If the function returns something else than text; names the option.
    """
    if normalizer is None:
        return texts
    if normalizer == "default":
        return normalize_column(texts)
    if isinstance(normalizer, str):
        return list(map(_BY_NAME[normalizer], texts))
    return call_for_each(normalizer, texts, option="normalizer")


def normalizer_signature(normalizer: Normalizer) -> str | bool:
    """Name a normalizer as signatures do: False for none, and the version of the built-in one."""
    if normalizer is None:
        return False
    if normalizer == "default":
        return NORMALIZATION_VERSION
    return normalizer if isinstance(normalizer, str) else qualified_name(normalizer)
