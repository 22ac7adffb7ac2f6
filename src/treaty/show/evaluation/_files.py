"""Files of predictions, scored against gold data: what is in them is recognized."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from treaty._streams import Origin, name_of
from treaty.errors import InputError, UsageError
from treaty.show.evaluation._others import score_compressions, score_entities, score_links
from treaty.show.evaluation._summaries import RougeChoices, score_summaries
from treaty.show.evaluation._trees import TreeChoices, score_trees
from treaty.text import Format, KnownFile, recognize
from treaty.text.formats import format_named

__all__ = ["InputFormat", "score_files"]

InputFormat = Literal["conllu", "conllx", "columns", "threads", "compressions", "summaries", "text"]
CONLLU, TEXT, COLLECTIONS, SUMMARIES = map(
    format_named, ("conllu", "text", "collections", "summaries")
)
LIKE = {format_named("conllx"): CONLLU, format_named("html"): TEXT}
"""Kinds that are scored as others are."""
OTHERS = {
    format_named("columns"): score_entities,
    format_named("threads"): score_links,
    format_named("compressions"): score_compressions,
}
PAIRS: dict[Format, Format] = {
    **{kind: kind for kind in (CONLLU, TEXT, *OTHERS)},
    COLLECTIONS: SUMMARIES,
}
"""What is compared with each kind of gold data."""


def score_files(
    paths: Sequence[Origin],
    given: InputFormat | None,
    trees: TreeChoices,
    rouge: RougeChoices,
    *,
    as_json: bool,
    tell: Callable[[str], object],
) -> str:
    """Score files, as ``treaty evaluate`` does.

    Parameters
    ----------
    paths
        Gold data, a system, and possibly another to compare with: paths or open streams.
    given
        Their format; by default it is recognized.
    trees, rouge
        What counts.
    as_json
        Whether to write JSON, or tables.
    tell
        Called with what the user should know.
    """
    if [*paths, trees.train].count("-") > 1:
        raise UsageError("only one file can be standard input: give the others by name")
    files = [_recognized(path, given, is_gold=n == 0) for n, path in enumerate(paths)]
    gold, *systems = (LIKE.get(file.format, file.format) for file in files)
    if gold not in PAIRS:
        raise InputError(
            f"holds {gold}: expected {', '.join(map(str, PAIRS))}", path=name_of(paths[0])
        )
    for path, system in zip(paths[1:], systems, strict=True):
        if system is not PAIRS[gold]:
            raise InputError(
                f"holds {system}, but {name_of(paths[0])} {gold}: expected {PAIRS[gold]}",
                path=name_of(path),
            )
    if any(rouge) and gold not in (COLLECTIONS, TEXT):
        raise UsageError("--stem, --words, --jackknife and --language are for summaries")
    if trees.given and gold is not CONLLU:
        raise UsageError(
            f"{', '.join(trees.given)}: only for trees, and {name_of(paths[0])} has none"
        )
    if gold is CONLLU:
        return score_trees(files[0], files[1:], trees, as_json=as_json, tell=tell)
    if gold in OTHERS:
        return OTHERS[gold](*(file.origin for file in files), as_json=as_json)
    return score_summaries(files[0], files[1:], rouge, as_json=as_json)


def _recognized(path: Origin, given: InputFormat | None, *, is_gold: bool) -> KnownFile:
    if given == "summaries":
        return KnownFile(COLLECTIONS if is_gold else SUMMARIES, path)
    if given is not None:
        return KnownFile(format_named(given), path)
    if isinstance(path, str) and path != "-" and Path(path).is_dir():
        return KnownFile(TEXT, path)
    found = recognize(path)
    if found.format is format_named("empty"):
        raise InputError("the file is empty", path=name_of(path))
    return found
