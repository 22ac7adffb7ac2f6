"""Attributes of the column MISC."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["with_misc"]


def with_misc(misc: str, values: Mapping[str, str | None]) -> str:
    """Set attributes of MISC, or remove those whose value is None; others stay as they are.

    Examples
    --------
    >>> with_misc("Gloss=cat|NER=B-PER", {"NER": None, "SpaceAfter": "No"})
    'Gloss=cat|SpaceAfter=No'
    >>> with_misc("NER=O", {"NER": None})
    '_'
    """
    items = [] if misc == "_" else misc.split("|")
    kept = [item for item in items if item.partition("=")[0] not in values]
    new = [f"{name}={value}" for name, value in values.items() if value is not None]
    return "|".join([*kept, *new]) or "_"
