"""Options of the retrieval metrics that decide which retrieved chunks are relevant, and the matchers they select."""

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated
from typing import Any
from typing import Literal
from typing import get_args

import rapidfuzz

from ._matching import Matcher
from ._matching import RougeMatcher
from ._matching import match_exact
from ._options import Choice
from ._options import Flag
from ._options import Function
from ._options import Number
from ._options import ScoringOptions
from ._options import qualified_name
from ._sentences import Language
from ._sentences import make_splitter
from ._sentences import splitter_version
from ._tokens import loses_most
from ._tokens import make_tokenizer
from ._tokens import tokenizer_version
from ._user_warnings import warn

Strategy = Literal["EXACT_CHUNK_MATCH", "EXACT_SENTENCE_MATCH", "ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH"]
Splitter = Callable[[str], list[str]]

STRATEGY_HELP = (
    "What is compared, and how: EXACT (equal, character by character) or ROUGE (ROUGE-L recall above the threshold), "
    "of whole chunks or of their sentences."
)
_ROUGE = ("ROUGE_CHUNK_MATCH", "ROUGE_SENTENCE_MATCH")
_SENTENCE = ("EXACT_SENTENCE_MATCH", "ROUGE_SENTENCE_MATCH")


@dataclass(frozen=True, kw_only=True)
class RelevanceOptions(ScoringOptions):
    """Options for matching chunks, or their sentences, with the ground truth."""

    matching_strategy: Annotated[str, Choice(*get_args(Strategy), help=STRATEGY_HELP)] = "ROUGE_CHUNK_MATCH"
    rouge_chunk_match_threshold: Annotated[
        float,
        Number(
            0,
            1,
            help="What the ROUGE-L recall of a chunk must exceed.",
            requires=("matching_strategy", "ROUGE_CHUNK_MATCH"),
        ),
    ] = 0.7
    rouge_sentence_match_threshold: Annotated[
        float,
        Number(
            0,
            1,
            help="What the ROUGE-L recall of a sentence must exceed.",
            requires=("matching_strategy", "ROUGE_SENTENCE_MATCH"),
        ),
    ] = 0.8
    use_stemmer: Annotated[
        bool,
        Flag(
            help="Compare stems of English words (Porter's stemmer, as rouge-score uses it).",
            requires=("matching_strategy", *_ROUGE),
        ),
    ] = False
    tokenizer: Annotated[
        Literal["rouge", "unicode"],
        Choice(
            "rouge",
            "unicode",
            help=(
                "rouge: runs of a-z and 0-9, as rouge-score takes them; unicode: words of all scripts, and single "
                "characters where a script has no spaces."
            ),
            requires=("matching_strategy", *_ROUGE),
        ),
    ] = "rouge"
    language: Annotated[
        str,
        Language(
            help="Language of the texts, by whose rules sentences end, such as en, de or pt-BR.",
            requires=("matching_strategy", *_SENTENCE),
        ),
    ] = "en"
    sentence_splitter: Annotated[
        Splitter | None,
        Function(
            help="Function from str to list of str, used instead of the built-in splitter.",
            requires=("matching_strategy", *_SENTENCE),
        ),
    ] = None

    @property
    def by_sentence(self) -> bool:
        """Whether the components are sentences."""
        return self.matching_strategy in _SENTENCE

    @property
    def threshold(self) -> float | None:
        """The threshold of the selected strategy, None if components must be equal."""
        if self.matching_strategy not in _ROUGE:
            return None
        return self.rouge_sentence_match_threshold if self.by_sentence else self.rouge_chunk_match_threshold

    def matcher(self) -> Matcher:
        """Return the matcher of the selected strategy."""
        if self.threshold is None:
            return match_exact
        return RougeMatcher(make_tokenizer(self.tokenizer, use_stemmer=self.use_stemmer), self.threshold)

    def splitter(self) -> Splitter:
        """Return the sentence splitter."""
        return make_splitter(self.language, self.sentence_splitter)

    def components(self, inputs: Mapping[str, list[list[str]]]) -> Iterator[Iterator[tuple[list[str], Sequence[int]]]]:
        """Yield for each input, query by query, the chunks or sentences, and the chunk number of each, from 1."""
        for name, column in inputs.items():
            if self.by_sentence:
                split = split_chunks(name, column, self.splitter())
                yield (
                    (list(chain.from_iterable(chunks)), [i for i, chunk in enumerate(chunks, start=1) for _ in chunk])
                    for chunks in split
                )
            else:
                yield ((chunks, range(1, len(chunks) + 1)) for chunks in column)

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

    def warn_if_unmatchable(self, label: str, inputs: Mapping[str, list[list[str]]]) -> None:
        """Warn if nothing, or hardly anything, can match under these options."""
        if self.threshold == 1:
            warn(f"{label}: no ROUGE-L recall is greater than a threshold of 1.0, so nothing can match")
        if self.threshold is None or self.tokenizer != "rouge":
            return
        lost = [
            f"{name}[{i}][{j}]"
            for name, column in inputs.items()
            for i, chunks in enumerate(column)
            for j, chunk in enumerate(chunks)
            if loses_most(chunk)
        ]
        if lost:
            warn(
                f'{label}: tokenizer="rouge" keeps only the letters a to z and drops most of {len(lost)} texts, the '
                f'first at {lost[0]}; such texts can hardly match. tokenizer="unicode" keeps the letters of all scripts'
            )


def split_chunks(name: str, column: list[list[str]], split: Splitter) -> list[list[list[str]]]:
    """Split each chunk of each query into sentences.

    Raises:
        ValueError: If the splitter fails; names the input, the query and the chunk.
    """
    return [
        [_split_chunk(f"{name}[{i}][{j}]", chunk, split) for j, chunk in enumerate(chunks)]
        for i, chunks in enumerate(column)
    ]


def sentences_of(name: str, column: list[list[str]], split: Splitter) -> list[list[str]]:
    """Split the chunks of each query into sentences, in one list per query; see `split_chunks`."""
    return [list(chain.from_iterable(chunks)) for chunks in split_chunks(name, column, split)]


def _split_chunk(name: str, chunk: str, split: Splitter) -> list[str]:
    try:
        return split(chunk)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
