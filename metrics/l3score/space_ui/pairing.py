# Vendored: edit metrics/_shared/space_ui/pairing.py and run `make vendor`.
"""Rows of two systems that belong together: by id where there are ids, else by position. No Gradio here."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from .rows import Column
from .rows import InputError
from .rows import Row

SECOND = "_b"
"""Ends the name of a column that holds what is of the second system."""
CLUSTERS = Column("clusters", "Cluster", aliases=("cluster_id", "group", "group_id", "document_id"), optional=True)
IDS = Column(
    "ids",
    "ID",
    aliases=("example_id", "question_id", "query_id", "sample_id", "row_id", "qid", "doc_id", "uuid"),
    optional=True,
)
_SHOWN = 3


def columns_of_two(columns: Sequence[Column], compared: Sequence[str]) -> list[Column]:
    """Return the columns of a page that compares two systems: `compared` twice, then clusters and ids."""
    twice: list[Column] = []
    for column in columns:
        if column.name in compared:
            twice += [replace(column, label=column.label_of("A")), column.second(SECOND)]
        else:
            twice.append(column)
    return [*twice, CLUSTERS, IDS]


def with_scores(columns: Sequence[Column], metric: str, scores: str) -> list[Column]:
    """Return the columns of a system whose rows were scored before: the scores, and the inputs for those who read."""
    aliases = (f"{metric}_{scores}", f"result_{scores}", "score")
    return [*(replace(column, optional=True) for column in columns), Column(scores, "Score", aliases=aliases)]


def columns_of_second(columns: Sequence[Column], compared: Sequence[str]) -> list[Column]:
    """Return what is looked for in a file of the second system: what is its own, and what shows that rows match."""
    own = []
    for column in columns:
        if column.name in compared:
            second = column.second(SECOND)
            own.append(replace(second, aliases=(*second.aliases, *column.known), separate=False))
        else:
            own.append(replace(column, optional=True))
    return [*own, IDS]


def pair_rows(
    rows: Sequence[Row], columns: Sequence[Column], others: Sequence[Row], other_columns: Sequence[Column]
) -> tuple[list[Row], list[str]]:
    """Put the texts of the second system beside those of the first.

    Args:
        rows: The rows of the page.
        columns: Their columns, see `columns_of_two`.
        others: The rows of the second system.
        other_columns: Their columns, see `columns_of_second`.

    Returns:
        The rows of the page, and what there is to say about them.

    Raises:
        InputError: If it isn't clear which rows belong together.
    """
    place = {column.name: index for index, column in enumerate(columns)}
    other_place = {column.name: index for index, column in enumerate(other_columns)}
    ids, other_ids = ([row[x].strip() for row in of] for of, x in ((rows, place["ids"]), (others, other_place["ids"])))
    by_id = _has_text(ids)
    paired = [(row, others[index]) for row, index in zip(rows, _order(ids, other_ids), strict=True)]
    notes = [f"Matched with system A by {'ID' if by_id else 'position'}."]
    for column in columns:
        x, other_x = place[column.name], other_place.get(column.name)
        if other_x is None or column.name == "ids" or column.name.endswith(SECOND):
            continue
        differing = [
            y for y, (row, other) in enumerate(paired, 1) if other[other_x].strip() not in {"", row[x].strip()}
        ]
        if differing and not by_id:
            raise InputError(
                f"Row {differing[0]:,} has another {column.spoken} in the file of system B, as do "
                f"{len(differing):,} of {len(rows):,} rows: they are in another order. Give both files an ID column."
            )
        if differing:
            notes.append(f"{column.label}: {len(differing):,} rows differ between the files; those of system A count.")
    merged = []
    for row, other in paired:
        new = list(row)
        for name, index in other_place.items():
            if name.endswith(SECOND):
                new[place[name]] = other[index]
        merged.append(new)
    return merged, notes


def _order(ids: Sequence[str], others: Sequence[str]) -> list[int]:
    """Return for each row of system A the place of that of system B."""
    by_id = _has_text(ids)
    if by_id is not _has_text(others):
        has, lacks = ("A", "B") if by_id else ("B", "A")
        raise InputError(
            f"System {has} has IDs, system {lacks} has none. Choose the ID column for both; or for none, to match rows "
            "by their position."
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
    """Return for each id of system A its place among those of system B.

    Raises:
        InputError: For ids that are missing, occur twice, or only stand on one side.
    """
    check_ids(ids, "A")
    check_ids(others, "B")
    places, known = {one: place for place, one in enumerate(others)}, set(ids)
    for side, other, alone in (
        ("A", "B", [one for one in ids if one not in places]),
        ("B", "A", [one for one in others if one not in known]),
    ):
        if alone:
            raise InputError(
                f"{_counted(alone)} of system {side} {'is' if len(alone) == 1 else 'are'} not in system {other}: "
                f"{_named(alone)}. Both systems must answer the same examples."
            )
    return [places[one] for one in ids]


def check_ids(ids: Sequence[str], side: str = "") -> None:
    """Raise an `InputError` for rows without an id, and for ids that occur more than once."""
    of_side = f" of system {side}" if side else ""
    missing = [place + 1 for place, one in enumerate(ids) if not one.strip()]
    if missing:
        raise InputError(
            f"{len(missing)} of {len(ids)} rows{of_side} have no ID, the first is row {missing[0]}. Give every row an "
            "ID, or none."
        )
    repeated = [one for one, count in Counter(ids).items() if count > 1]
    if repeated:
        verb = "occurs" if len(repeated) == 1 else "occur"
        raise InputError(
            f"{_counted(repeated)}{of_side} {verb} more than once: {_named(repeated)}. If these are several samples of "
            "one question, give each its own ID, and the question as cluster."
        )


def _counted(ids: Sequence[str]) -> str:
    return f"{len(ids):,} ID{'' if len(ids) == 1 else 's'}"


def _named(ids: Sequence[str]) -> str:
    shown = ", ".join(f"“{one[:40]}”" for one in ids[:_SHOWN])
    return f"{shown} and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else shown
