"""Pairs of gold and system sentences, and the errors for sentences that do not match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.text import Sentence

__all__ = ["name_of", "pairs"]

WAY_OUT = "gold and system must have the same sentences and words"


def pairs(
    gold: Iterable[Sentence], system: Iterable[Sentence]
) -> Iterator[tuple[str, Sentence, Sentence]]:
    """Yield a name with each pair of sentences; raise `InputError` if their words differ."""
    for number, (ours, theirs) in enumerate(zip_longest(gold, system), 1):
        if ours is None or theirs is None:
            longer, shorter = ("system", "gold") if ours is None else ("gold", "system")
            raise InputError(
                f"{longer} has {name_of(theirs or ours, number)}, "
                f"but {shorter} ends before it: {WAY_OUT}"
            )
        name = name_of(ours, number)
        _check_words(name, ours, theirs)
        yield name, ours, theirs


def name_of(sentence: Sentence, number: int) -> str:
    """Name a sentence by its position, from 1, and its ``sent_id`` if it has one."""
    identity = sentence.comment("sent_id")
    return f"sentence {number} ({identity})" if identity else f"sentence {number}"


def _check_words(name: str, gold: Sentence, system: Sentence) -> None:
    for place, (ours, theirs) in enumerate(zip(gold.tokens, system.tokens, strict=False), 1):
        if ours.form != theirs.form:
            raise InputError(
                f"{name}, token {place}: gold has {ours.form!r}, system {theirs.form!r}: {WAY_OUT}"
            )
    if len(gold) != len(system):
        raise InputError(
            f"{name}, token {min(len(gold), len(system)) + 1}: "
            f"gold has {len(gold)} words, system {len(system)}: {WAY_OUT}"
        )
