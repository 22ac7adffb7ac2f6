"""Writing the sentences of a summary, in order, each with its contribution to the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from treaty.summarize._body import body_of
from treaty.summarize._digest import CompressedSentence, Cut
from treaty.summarize._full_names import full_names, sender_names, senders_of
from treaty.summarize._marks import with_marks
from treaty.summarize._nodes import Floats
from treaty.summarize._problem import Problem
from treaty.summarize._reading import chronological
from treaty.summarize._rules import OTHER
from treaty.summarize._second_look import Look, cuts_of
from treaty.summarize._source import Bools, Source
from treaty.summarize._speakers import within_quotations
from treaty.summarize._text import ended, surface_of, text_of_tokens
from treaty.text import Article, Sentence

__all__ = ["cuts_in", "write_sentence", "written_summary"]


def written_summary(
    problem: Problem,
    keep: Bools,
    concept_scores: Floats,
    cut_scores: Floats | None,
    articles: Sequence[Article],
    looks: Mapping[int, Look] | None = None,
    room: int = 0,
) -> list[CompressedSentence]:
    """Write the kept sentences of a problem.

    Documents are sorted by date if all have a valid one, otherwise in the given order; sentences
    are in the order of their documents. Contributions sum to the objective: a concept is credited
    to the first sentence that contains it.

    Parameters
    ----------
    problem, keep, concept_scores, cut_scores
        As in `objective_of`.
    articles
        The documents.
    looks
        The second look at each sentence with cuts.
    room
        How many words may be added to give names in full (`full_names`).
    """
    place = {document: n for n, document in enumerate(chronological(articles))}
    taken = np.unique(problem.source_of[keep]).tolist()
    taken.sort(key=lambda n: (place[problem.sources[n].document], problem.sources[n].number))
    scores = _new_concepts(problem, keep, taken, concept_scores)
    names = _names(problem, taken, keep, room, articles)
    quoted = within_quotations(problem.facts.sources)
    found = []
    for n in taken:
        own = slice(problem.begin[n], problem.begin[n + 1])
        if cut_scores is not None:
            heads = problem.heads[own]
            cut = ~keep[own] & ((heads < 0) | keep[heads])
            scores[n] += float(cut_scores[own][cut].sum())
        source = problem.sources[n]
        about = articles[source.document]
        written = write_sentence(source, keep[own], scores[n], about, added=names[n])
        if (source.document, source.number) in quoted:
            written = replace(written, text=f"“{written.text}”")
        if source.is_headline and len(taken) == 1:  # no text follows the colon
            written = replace(written, text=ended(written.text.removesuffix(":")))
        cuts = cuts_in(problem, n, keep[own])
        found.append(replace(written, cuts=cuts, look=(looks or {}).get(n)))
    return found


def _names(
    problem: Problem, taken: Sequence[int], keep: Bools, room: int, articles: Sequence[Article]
) -> dict[int, dict[int, str]]:
    """Find for each sentence of a summary the words to add: senders, and parts of names."""
    if room <= 0:
        return {n: {} for n in taken}
    senders = sender_names(
        [problem.sources[n] for n in taken],
        senders_of([problem.sources[n] for n in taken], [body_of(one) for one in articles]),
        room,
    )
    room -= sum(len(text.split()) for own in senders for text in own.values())
    documents: dict[int, list[Sentence]] = {}
    for source in problem.facts.sources:
        documents.setdefault(source.document, []).append(source.sentence)
    own = [keep[problem.begin[n] : problem.begin[n + 1]] for n in taken]
    sources = [problem.sources[n] for n in taken]
    found = full_names(sources, own, documents, problem.stop_words, room)
    return {n: own | one for n, own, one in zip(taken, found, senders, strict=True)}


def _new_concepts(
    problem: Problem, keep: Bools, order: Sequence[int], concept_scores: Floats
) -> dict[int, float]:
    """Sum for each sentence the scores of the concepts that no earlier sentence contains."""
    concept, source, _, _ = problem.occurrences
    said = problem.said(keep)
    scores, known = dict[int, float](), set[int]()
    for n in order:
        new = set(concept[said & (source == n)].tolist()) - known
        scores[n] = float(concept_scores[sorted(new)].sum())
        known |= new
    return scores


def write_sentence(
    source: Source,
    keep: Bools,
    score: float = 0.0,
    article: Article | None = None,
    *,
    added: Mapping[int, str] = MappingProxyType({}),
) -> CompressedSentence:
    """Write the kept part of a sentence, with its punctuation.

    Parameters
    ----------
    source
        The sentence.
    keep
        Which of its tokens are kept.
    score
        Its contribution to the objective.
    article
        Its document, for title, date and other metadata.
    added
        Words to write before a token.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.summarize import Source
    >>> source = Source(0, 0, Sentence.from_words(["the", "old", "cat", "slept"]))
    >>> write_sentence(source, np.array([True, False, True, True])).text
    'The cat slept.'
    """
    kept = with_marks(source, keep)
    words = surface_of(source.sentence)
    about = article or Article("")
    return CompressedSentence(
        text=text_of_tokens(source, kept, added),
        tokens=tuple(word.form for word in words),
        spaces=tuple(" " if word.is_spaced else "" for word in words),
        kept=tuple(bool(kept[word.begin : word.end].any()) for word in words),
        score=score,
        number=source.number + 1,
        document=source.document + 1,
        id=about.id,
        title=about.title,
        date=about.date,
        source=about.source,
        span=source.span,
        added={n: added[word.begin] for n, word in enumerate(words) if word.begin in added},
    )


def cuts_in(problem: Problem, number: int, keep: Bools) -> tuple[Cut, ...]:
    """List the phrases that are cut from a sentence of a problem, with their kinds."""
    begin = int(problem.begin[number])
    source = problem.sources[number]
    whole = np.ones(len(problem.source_of), bool)
    whole[begin : begin + len(source)] = keep
    tops = cuts_of(problem, whole, number)
    kinds = problem.rules.kinds(source.sentence) if tops else []
    above = problem.heads.tolist()
    found = []
    for top in tops:
        words = []
        for token in range(begin, begin + len(source)):
            place = token
            while place != top and place >= 0:
                place = above[place]
            if place == top and problem.is_word[token]:
                words.append(source.sentence.tokens[token - begin].form)
        found.append(Cut(" ".join(words), kinds[top - begin] or OTHER))
    return tuple(found)
