"""Files of summaries, scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treaty._streams import name_of
from treaty.errors import InputError
from treaty.text import (
    Collection,
    KnownFile,
    Summary,
    read_article,
    read_articles,
    read_collections,
    read_summaries,
)

__all__ = ["RougeChoices", "score_summaries"]


class RougeChoices(NamedTuple):
    """How ROUGE counts."""

    stem: bool
    words: int | None
    jackknife: bool
    language: str | None


def score_summaries(
    gold: KnownFile, systems: Sequence[KnownFile], choices: RougeChoices, *, as_json: bool
) -> str:
    """Score the summaries of a system, and of one to compare with, as text or JSON."""
    from treaty.metrics import RougeOptions, rouge_scores
    from treaty.show import rouge_json, rouge_text

    topics = _topics(gold)
    options = RougeOptions(
        language=choices.language or topics[0].language or "en",
        stem=choices.stem,
        most_words=choices.words,
        jackknife=choices.jackknife,
    )
    scores = []
    for system in systems:
        found = _in_order(topics, _summaries(system), name_of(system.origin))
        texts, references = [s.sentences for s in found], [t.references for t in topics]
        scores.append(rouge_scores(texts, references, options))
    if as_json:
        return rouge_json(*scores, topics=[topic.id for topic in topics])
    return rouge_text(*scores)


def _topics(file: KnownFile) -> list[Collection]:
    """Read topics with their human summaries; files of text are those of one topic."""
    if file.format.name != "collections":
        return [Collection([], [article.text for article in read_articles(file.origin).articles])]
    topics = list(read_collections(file.origin))
    for topic in topics:
        if not topic.references:
            raise InputError(f"topic {topic.id} has no 'references'", path=name_of(file.origin))
    return topics


def _summaries(file: KnownFile) -> list[Summary]:
    if file.format.name == "summaries":
        return list(read_summaries(file.origin))
    return [Summary(read_article(file.origin).text.split("\n"))]


def _in_order(topics: list[Collection], summaries: list[Summary], name: str) -> list[Summary]:
    """Find the summary of each topic: by its id, or by its place if nothing has one."""
    if len(topics) == len(summaries) and all(summary.id is None for summary in summaries):
        return summaries
    found = {summary.id: summary for summary in summaries}
    if len(found) < len(summaries):
        raise InputError("several summaries are of the same topic: name them apart", path=name)
    for topic in topics:
        if topic.id not in found:
            raise InputError(f"there is no summary of topic {topic.id}", path=name)
    return [found[topic.id] for topic in topics]
