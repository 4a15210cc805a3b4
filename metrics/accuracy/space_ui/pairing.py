# Vendored: edit metrics/_shared/space_ui/pairing.py and run `make vendor`.
"""Rows of two systems that belong together: by id where there are ids, else by position. No Gradio here."""

from collections import Counter
from collections.abc import Sequence

from .rows import InputError

_SHOWN = 3


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
