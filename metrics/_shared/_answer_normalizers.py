"""The option `normalizer` of the answer metrics: how predictions and references are normalized before comparison."""

import re
import string
from collections.abc import Callable
from typing import Any
from typing import Literal

from ._normalization import NORMALIZATION_VERSION
from ._normalization import apply_batched
from ._normalization import normalize_column
from ._options import qualified_name
from ._strings import call_for_each

Normalizer = Literal["default", "squad", "benchwise"] | Callable[[str], str] | None

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize_squad(text: str) -> str:
    """Normalize as SQuAD's official scripts do: lower case, no ASCII punctuation, no articles, single spaces.

    Source: `normalize_answer` of https://rajpurkar.github.io/SQuAD-explorer/ (evaluate-v1.1.py, evaluate-v2.0.py).
    """
    return _normalize_joined(text, 1)[0]


def _normalize_joined(joined: str, count: int) -> list[str]:
    """Normalize texts joined by NUL, which neither lowercasing nor the article pattern looks past."""
    plain = _ARTICLES.sub(" ", joined.lower().translate(_DELETE_PUNCTUATION))
    return [" ".join(text.split()) for text in (plain.split("\0") if count > 1 else [plain])]


def normalize_benchwise(text: str) -> str:
    """Normalize as Benchwise's `accuracy` does: lower case, single spaces, no ASCII punctuation, in this order.

    Spaces around a removed mark are kept ("a - b" keeps two), as in the published code. Source: `_normalize_text` in
    https://github.com/Benchwise/benchwise (benchwise/metrics.py).
    """
    return " ".join(text.lower().split()).translate(_DELETE_PUNCTUATION).strip()


def normalize_answers(texts: list[str], normalizer: Normalizer) -> list[str]:
    """Apply the normalizer to each text; None leaves them unchanged.

    Raises:
        ValueError: If a callable returns anything but a string.
    """
    if normalizer is None:
        return texts
    if normalizer == "default":
        return normalize_column(texts)
    if normalizer == "squad":
        return apply_batched(_normalize_joined, texts) if texts else []
    if normalizer == "benchwise":
        return [normalize_benchwise(text) for text in texts]
    return call_for_each(normalizer, texts, option="normalizer")


def normalizer_version(normalizer: Normalizer) -> Any:
    """Return the signature entry of a normalizer.

    Raises:
        ValueError: For a callable that cannot be identified by its name.
    """
    if callable(normalizer):
        return qualified_name(normalizer)
    return {None: False, "default": NORMALIZATION_VERSION, "squad": "squad", "benchwise": "benchwise"}[normalizer]
