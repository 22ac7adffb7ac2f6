"""Files of entities, links and compressions, scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from treaty._streams import Origin, name_of
from treaty.errors import InputError
from treaty.text import (
    ColumnSentence,
    Compression,
    read_columns,
    read_compressions,
    read_threads,
)

__all__ = ["score_compressions", "score_entities", "score_links"]

Item = TypeVar("Item")


def score_entities(gold: Origin, *systems: Origin, as_json: bool) -> str:
    """Score the entities of a system, and of one to compare with, as text or JSON."""
    from treaty.metrics import span_scores
    from treaty.show import spans_json, spans_text

    def score(right: list[ColumnSentence], found: list[ColumnSentence]) -> Any:
        _check_words([s.words for s in right], [s.words for s in found])
        return span_scores([s.labels for s in right], [s.labels for s in found])

    def read(origin: Origin) -> Iterable[ColumnSentence]:
        return (sentence for sentence in read_columns(origin) if len(sentence))

    return (spans_json if as_json else spans_text)(*_scores(gold, systems, read, score))


def score_links(gold: Origin, *systems: Origin, as_json: bool) -> str:
    """Score the links of a system, and of one to compare with, as text or JSON."""
    from treaty.metrics import link_scores
    from treaty.show import links_json, links_text

    return (links_json if as_json else links_text)(
        *_scores(gold, systems, read_threads, link_scores)
    )


def score_compressions(gold: Origin, *systems: Origin, as_json: bool) -> str:
    """Score the compressions of a system, and of one to compare with, as text or JSON."""
    from treaty.metrics import compression_scores
    from treaty.show import compressions_json, compressions_text

    def score(right: list[Compression], found: list[Compression]) -> Any:
        _check_words([c.sentence.words for c in right], [c.sentence.words for c in found])
        return compression_scores([c.keep for c in right], [c.keep for c in found])

    return (compressions_json if as_json else compressions_text)(
        *_scores(gold, systems, read_compressions, score)
    )


def _scores(
    gold: Origin,
    systems: Iterable[Origin],
    read: Callable[[Origin], Iterable[Item]],
    score: Callable[[list[Item], list[Item]], Any],
) -> list[Any]:
    """Score one system or two; their errors are named."""
    right, found = _read(gold, read), []
    for name, origin in zip(("system", "--against"), systems, strict=False):
        items = _read(origin, read)
        try:
            found.append(score(right, items))
        except InputError as error:
            raise InputError(f"{name}: {error.message}", path=name_of(origin)) from error
    return found


def _read(origin: Origin, read: Callable[[Origin], Iterable[Item]]) -> list[Item]:
    items = list(read(origin))
    if not items:
        raise InputError("there is nothing in it to score", path=name_of(origin))
    return items


def _check_words(gold: list[list[str]], system: list[list[str]]) -> None:
    for number, (ours, theirs) in enumerate(zip(gold, system, strict=False), 1):
        if ours != theirs:
            raise InputError(
                f"sentence {number} has other words than gold: both must hold the same sentences",
                text=" ".join(theirs),
            )
