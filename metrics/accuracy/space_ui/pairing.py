# Vendored: edit metrics/_shared/space_ui/pairing.py and run `make vendor`.
"""Matching of the rows of two systems, by id if there are ids, else by position. No Gradio here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .rows import Column
from .rows import InputError
from .rows import Row

SECOND = "_b"
"""Suffix of the columns of the second system."""
CLUSTERS = Column("clusters", "Cluster", aliases=("cluster_id", "group", "group_id", "document_id"), optional=True)
IDS = Column(
    "ids",
    "ID",
    aliases=("example_id", "question_id", "query_id", "sample_id", "row_id", "qid", "doc_id", "uuid"),
    optional=True,
)
_MAX_SHOWN = 3


def columns_of_two(columns: Sequence[Column], compared: Sequence[str]) -> list[Column]:
    """Return the columns of the comparison page: `compared` for each system, then clusters and ids."""
    doubled: list[Column] = []
    for column in columns:
        if column.name in compared:
            doubled += [replace(column, label=column.label_of("A")), column.second(SECOND)]
        else:
            doubled.append(column)
    return [*doubled, CLUSTERS, IDS]


def with_scores(columns: Sequence[Column], metric: str, scores: str) -> list[Column]:
    """Return the columns of a system that was scored beforehand: the scores, and the inputs for display."""
    aliases = (f"{metric}_{scores}", f"result_{scores}", "score")
    return [*(replace(column, optional=True) for column in columns), Column(scores, "Score", aliases=aliases)]


def columns_of_second(columns: Sequence[Column], compared: Sequence[str]) -> list[Column]:
    """Return the columns to read from a file of the second system: its own, and those that show whether rows match."""
    result = []
    for column in columns:
        if column.name in compared:
            second = column.second(SECOND)
            result.append(replace(second, aliases=(*second.aliases, *column.known), separate=False))
        else:
            result.append(replace(column, optional=True))
    return [*result, IDS]


def pair_rows(
    rows: Sequence[Row], columns: Sequence[Column], others: Sequence[Row], other_columns: Sequence[Column]
) -> tuple[list[Row], list[str]]:
    """Merge the texts of the second system into the rows of the first.

    Args:
        rows: The rows of the page.
        columns: Their columns, see `columns_of_two`.
        others: The rows of the second system.
        other_columns: Their columns, see `columns_of_second`.

    Returns:
        The rows of the page, and notes about them.

    Raises:
        InputError: If the rows can't be matched.
    """
    position = {column.name: index for index, column in enumerate(columns)}
    other_position = {column.name: index for index, column in enumerate(other_columns)}
    ids = [row[position["ids"]].strip() for row in rows]
    other_ids = [row[other_position["ids"]].strip() for row in others]
    by_id = _has_text(ids)
    paired = [(row, others[index]) for row, index in zip(rows, _order(ids, other_ids), strict=True)]
    notes = [f"Matched with system A by {'ID' if by_id else 'position'}."]
    for column in columns:
        x, other_x = position[column.name], other_position.get(column.name)
        if other_x is None or column.name == "ids" or column.name.endswith(SECOND):
            continue
        differing = [
            y for y, (row, other) in enumerate(paired, 1) if other[other_x].strip() not in {"", row[x].strip()}
        ]
        if differing and not by_id:
            raise InputError(
                f"{len(differing):,} of {len(rows):,} rows have a different {column.spoken} in the file of system B, "
                f"the first is row {differing[0]:,}: the files are in a different order. Give both an ID column."
            )
        if differing:
            notes.append(
                f"{column.label}: {len(differing):,} of {len(rows):,} rows differ between the files; those of system A "
                "are used."
            )
    merged = []
    for row, other in paired:
        new = list(row)
        for name, index in other_position.items():
            if name.endswith(SECOND):
                new[position[name]] = other[index]
        merged.append(new)
    return merged, notes


def _order(ids: Sequence[str], others: Sequence[str]) -> list[int]:
    """Return for each row of system A the index of its row in system B."""
    by_id = _has_text(ids)
    if by_id is not _has_text(others):
        has, lacks = ("A", "B") if by_id else ("B", "A")
        raise InputError(
            f"System {has} has IDs, system {lacks} has none. Choose the ID column for both, or for neither to match "
            "rows by position."
        )
    if by_id:
        return match_ids(ids, others)
    if len(ids) != len(others):
        raise InputError(
            f"System A has {len(ids):,} rows, system B {len(others):,}. Give both the same rows in the same order, or "
            "an ID column."
        )
    return list(range(len(ids)))


def _has_text(values: Sequence[str]) -> bool:
    return any(value.strip() for value in values)


def match_ids(ids: Sequence[str], others: Sequence[str]) -> list[int]:
    """Return for each id of system A its index in system B.

    Raises:
        InputError: For ids that are missing, occur twice, or occur in one system only.
    """
    check_ids(ids, "A")
    check_ids(others, "B")
    index_of, known = {id_: index for index, id_ in enumerate(others)}, set(ids)
    for side, other, unmatched in (
        ("A", "B", [id_ for id_ in ids if id_ not in index_of]),
        ("B", "A", [id_ for id_ in others if id_ not in known]),
    ):
        if unmatched:
            raise InputError(
                f"{_counted(unmatched)} of system {side} {'is' if len(unmatched) == 1 else 'are'} not in system "
                f"{other}: {_quoted(unmatched)}. Both systems must answer the same examples."
            )
    return [index_of[id_] for id_ in ids]


def check_ids(ids: Sequence[str], side: str = "") -> None:
    """Raise an `InputError` for rows without an id, and for ids that occur more than once."""
    of_side = f" of system {side}" if side else ""
    missing = [number for number, id_ in enumerate(ids, 1) if not id_.strip()]
    if missing:
        raise InputError(
            f"{len(missing)} of {len(ids)} rows{of_side} have no ID, the first is row {missing[0]}. Give an ID to "
            "every row or to none."
        )
    repeated = [id_ for id_, count in Counter(ids).items() if count > 1]
    if repeated:
        verb = "occurs" if len(repeated) == 1 else "occur"
        raise InputError(
            f"{_counted(repeated)}{of_side} {verb} more than once: {_quoted(repeated)}. For several samples of one "
            "question, give each its own ID, and the question as its cluster."
        )


def _counted(ids: Sequence[str]) -> str:
    return f"{len(ids):,} ID{'' if len(ids) == 1 else 's'}"


def _quoted(ids: Sequence[str]) -> str:
    shown = ", ".join(f"“{id_[:40]}”" for id_ in ids[:_MAX_SHOWN])
    return f"{shown} and {len(ids) - _MAX_SHOWN:,} more" if len(ids) > _MAX_SHOWN else shown
