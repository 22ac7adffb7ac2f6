"""From a collection to its summary: scores, decoding with a second look, and writing."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from treaty._threads import Clock, unlimited
from treaty.errors import UsageError, check_threads
from treaty.summarize._body import body_of
from treaty.summarize._constraints import SummaryConstraints
from treaty.summarize._decode import decode, or_first_that_fits
from treaty.summarize._digest import Digest
from treaty.summarize._faithful import decode_faithfully
from treaty.summarize._full_names import reserved_for_senders
from treaty.summarize._posing import Cuts, Mode
from treaty.summarize._problem import Problem
from treaty.summarize._second_look import Look, SecondLook
from treaty.summarize._writing import written_summary
from treaty.text import Article, Collection

if TYPE_CHECKING:
    from treaty.summarize._summarizer import Summarizer

__all__ = ["summarized"]

FEWEST_SENTENCES = 6
"""Maximum number of sentences of a summary, as in the paper; more for longer summaries."""
WORDS_PER_SENTENCE = 18
"""Texts with shorter sentences, such as chats and reviews, get more of them."""


def summarized(
    summarizer: Summarizer,
    collection: Collection,
    *,
    words: int,
    sentences: int | Literal["auto"] | None,
    mode: Mode | None,
    cuts: Cuts,
    names: bool,
    limits: Mapping[str, Any],
    constraints: SummaryConstraints | None,
    threads: int,
) -> Digest:
    """Summarize a collection: see `Summarizer.summarize`; `limits` are options of `decode`."""
    started = time.perf_counter()
    check_threads(threads)
    if words < 0 or (isinstance(sentences, int) and sentences < 0):
        raise UsageError("the limits on words and sentences must be at least 0")
    mode = summarizer.chosen_mode(mode)
    articles = collection.articles
    with Clock(limits["time_limit"]) as clock:
        problem = summarizer.problem(
            articles, words=words, mode=mode, cuts=cuts, threads=threads, constraints=constraints
        )
        if sentences == "auto":
            sentences = usual_sentences(problem, words)
        own = words - reserved_for_senders([body_of(a) for a in articles] if names else [], words)
        concept_scores = summarizer.scorer.concept_scores(problem)
        cut_scores = summarizer.scorer.cut_scores(problem) if mode == "compressive" else None
        obeyed = constraints or SummaryConstraints()
        asked, prized, cut_scores, prize = obeyed.applied(problem, concept_scores, cut_scores)
        options = {"words": own, "sentences": sentences, **limits, "time_limit": clock.left}
        looks: dict[int, Look] = {}
        if cut_scores is None:
            decoded = decode(asked, prized, None, **options)
        else:
            look = SecondLook(summarizer.required_parser(), threads)
            decoded, looks, cut_scores = decode_faithfully(
                asked, prized, cut_scores, look, **options
            )
    if constraints is not None:
        decoded = constraints.judged(problem, decoded, prize)
    elif not decoded.keep.any() and sentences != 0:
        decoded = or_first_that_fits(problem, decoded, concept_scores, words)
    used = int((decoded.keep & problem.counts).sum())
    with unlimited():
        written = written_summary(
            problem,
            decoded.keep,
            concept_scores,
            cut_scores,
            [_told(article) for article in articles],
            looks,
            words - used if names else 0,
        )
    added = sum(len(text.split()) for one in written for text in one.added.values())
    return Digest(
        sentences=tuple(written),
        words=used + added,
        limit=words,
        mode=mode,
        method=limits["method"],
        certificate=replace(decoded.certificate, seconds=time.perf_counter() - started),
        documents=len(articles),
        id=collection.id,
    )


def usual_sentences(problem: Problem, words: int) -> int:
    """Return how many sentences a summary may have, by its words and the length of sentences.

    >>> from treaty.text import Sentence
    >>> from treaty.summarize import Source
    >>> cats = [Source(0, n, Sentence.from_words(["Cats", "sleep"] * 4)) for n in range(3)]
    >>> usual_sentences(Problem.of(cats), 100), usual_sentences(Problem.of(cats), 10)
    (13, 6)
    """
    usual = median(problem.words.tolist() or [WORDS_PER_SENTENCE])
    return max(FEWEST_SENTENCES, math.ceil(words / float(min(WORDS_PER_SENTENCE, max(1, usual)))))


def _told(article: Article) -> Article:
    """Add the headline and date that were found in the text."""
    body = body_of(article)
    return replace(article, title=body.title, date=body.date)
