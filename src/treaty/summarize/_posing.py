"""From articles to the problem of summarizing them: candidate sentences, parsed and tied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from treaty.errors import InputError
from treaty.summarize._body import body_of
from treaty.summarize._candidates import candidates, junk_of, with_what_is_needed
from treaty.summarize._coherence import coherent
from treaty.summarize._constraints import SummaryConstraints
from treaty.summarize._problem import Problem
from treaty.summarize._reading import read_sources
from treaty.text import Article, stemmer

if TYPE_CHECKING:
    from treaty.summarize._summarizer import Summarizer

__all__ = ["Cuts", "Mode", "problem_of"]

Mode = Literal["compressive", "extractive"]
Cuts = Literal["safe", "short"]

FEWEST_CANDIDATES = 700
"""Total words of candidates (1,000 in the paper); more for longer summaries."""
CANDIDATES_PER_WORD = 4


def problem_of(
    summarizer: Summarizer,
    articles: Sequence[Article],
    *,
    words: int,
    mode: Mode | None,
    cuts: Cuts,
    threads: int,
    constraints: SummaryConstraints | None,
) -> Problem:
    """Make the problem of summarizing articles: see `Summarizer.problem`."""
    obeyed = constraints or SummaryConstraints()
    mode = summarizer.chosen_mode(mode)
    every = Problem.of(
        read_sources(articles, summarizer.split, headline=True),
        concepts=summarizer.concepts,
        stemmer=stemmer(summarizer.language),
        stop_words=summarizer.stop_words,
        reduce_to=None,
        rules=summarizer.rules_for(cuts),
        titles=[body.title for body in map(body_of, articles) if body.title],
    )
    whole = obeyed.without_left(every)
    if not whole.sources:
        raise InputError("the texts have no sentences to summarize")
    most = max(FEWEST_CANDIDATES, CANDIDATES_PER_WORD * words)
    best = candidates(whole, summarizer.scorer.concept_scores(whole), most)
    if mode == "compressive":
        best = with_what_is_needed(whole, best)
    chosen = whole.only(obeyed.candidates(whole, best))
    return chosen if mode == "extractive" else _parsed(summarizer, chosen, obeyed, threads)


def _parsed(
    summarizer: Summarizer, chosen: Problem, obeyed: SummaryConstraints, threads: int
) -> Problem:
    """Parse the candidates, and tie them; those that turn out to be headlines are left out."""
    trees = summarizer.with_trees([source.sentence for source in chosen.sources], threads=threads)
    parsed = chosen.with_trees(
        replace(source, sentence=tree) for source, tree in zip(chosen.sources, trees, strict=True)
    )
    taken = obeyed.taken(parsed)
    junk = junk_of(parsed.sources)
    sound = [n for n in range(len(parsed.sources)) if n in taken or n not in junk]
    good = parsed.only(sound) if sound else parsed
    return coherent(good, stemmer(summarizer.language), obeyed.taken(good))
