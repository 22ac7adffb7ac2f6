"""The part of ``treaty evaluate`` that scores summaries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from treaty.errors import InputError

if TYPE_CHECKING:
    from treaty.corpus import Collection, Summary
    from treaty.evaluate import RougeOptions, RougeScores

__all__ = ["RougeChoices", "score_summaries"]


class RougeChoices(NamedTuple):
    """What the command line says of ROUGE."""

    stem: bool
    words: int | None
    jackknife: bool
    language: str | None


def score_summaries(
    gold: str, system: str, against: str | None, choices: RougeChoices, *, as_json: bool
) -> str:
    """Score summaries against human ones, as text or JSON."""
    from treaty.evaluate import RougeOptions
    from treaty.show import rouge_json, rouge_text

    lines = _is_json(system if gold == "-" else gold)
    topics = _topics(gold, lines)
    options = RougeOptions(
        language=choices.language or topics[0].language or "en",
        stem=choices.stem,
        most_words=choices.words,
        jackknife=choices.jackknife,
    )
    scores = _score(topics, _summaries(system, lines), _name(system), options)
    other = None
    if against is not None:
        other = _score(topics, _summaries(against, lines), _name(against), options)
    if as_json:
        return rouge_json(scores, other, topics=[topic.id for topic in topics])
    return rouge_text(scores, other)


def _topics(path: str, lines: bool) -> list[Collection]:
    """Read topics with their human summaries; files of text are those of one topic."""
    from treaty.corpus import Collection, read_articles, read_collections

    if not lines:
        return [Collection([], [article.text for article in read_articles(path).articles])]
    topics = list(read_collections(path))
    if not topics:
        raise InputError("there are no collections", path=_name(path))
    for topic in topics:
        if not topic.references:
            raise InputError(f"topic {topic.id} has no 'references'", path=_name(path))
    return topics


def _score(
    topics: list[Collection], summaries: list[Summary], name: str, options: RougeOptions
) -> RougeScores:
    from treaty.evaluate import rouge_scores

    found = _in_order(topics, summaries, name)
    return rouge_scores(
        [summary.sentences for summary in found], [topic.references for topic in topics], options
    )


def _summaries(path: str, lines: bool) -> list[Summary]:
    from treaty.corpus import Summary, read_article, read_summaries

    if lines:
        return list(read_summaries(path))
    return [Summary(read_article(path).text.split("\n"))]


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


def _is_json(path: str) -> bool:
    return Path(path.removesuffix(".gz").removesuffix(".xz")).suffix == ".jsonl"


def _name(path: str) -> str:
    return "<stdin>" if path == "-" else path
