"""The part of ``treaty evaluate`` that scores links of threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import Thread
    from treaty.evaluate import LinkScores

__all__ = ["score_links"]


def score_links(gold: str, system: str, against: str | None, *, as_json: bool) -> str:
    """Score the links of a file of threads against those of another, as text or JSON."""
    from treaty.show import links_json, links_text

    right = _read(gold)
    scores = _score(right, system, "system")
    other = None if against is None else _score(right, against, "--against")
    return (links_json if as_json else links_text)(scores, other)


def _score(gold: list[Thread], path: str, name: str) -> LinkScores:
    from treaty.evaluate import link_scores

    try:
        return link_scores(gold, _read(path))
    except InputError as error:
        raise InputError(f"{name}: {error.message}") from error


def _read(path: str) -> list[Thread]:
    from treaty.corpus import read_threads

    found = list(read_threads(path))
    if not found:
        raise InputError("there are no threads", path="<stdin>" if path == "-" else path)
    return found
