"""Candidate sentences of a summary: without junk, and limited to what a solver can handle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treaty.summarize._openers import opener_of
from treaty.summarize._references import needs_another
from treaty.summarize._source import Source

if TYPE_CHECKING:
    from treaty.summarize._problem import Problem
    from treaty.summarize._ties import Ints

__all__ = ["candidates", "is_junk", "simple_scores", "with_what_is_needed"]

FEWEST_WORDS = 5
"""Minimum words of a sentence; shorter ones are bylines, captions or exclamations."""
FEWEST_IN_TURN = 3
"""Minimum words of a sentence of a chat, with the speaker."""
HEADLINE_WORDS = 12
"""Up to this many words, a line without final punctuation is a headline or a dateline."""
END = re.compile(r"""[.!?…。！？।؟;:"”’»')\]]$""")


def is_junk(source: Source) -> bool:
    """Return whether a sentence is junk: too short, a headline, a dateline, a table.

    Examples
    --------
    >>> from treaty.corpus import Sentence
    >>> is_junk(Source(0, 0, Sentence.from_words("Monday , January 12 , 2009".split())))
    True
    >>> is_junk(Source(0, 0, Sentence.from_words("It rained for days in Lisbon .".split())))
    False
    """
    if source.is_headline:
        return False
    if source.is_turn:  # these are short, and need no final mark
        return source.words < FEWEST_IN_TURN
    if source.words < FEWEST_WORDS:
        return True
    letters = sum(map(str.isalpha, source.sentence.text))
    if 2 * letters < len(source.sentence.text.replace(" ", "")):  # mostly digits and symbols
        return True
    ended = END.search(source.sentence.tokens[-1].form)
    tags = {token.upos for token in source.sentence}
    if tags != {"_"} and tags.isdisjoint(("VERB", "AUX")):
        return True
    return not ended and source.words <= HEADLINE_WORDS


def simple_scores(problem: Problem) -> npt.NDArray[np.float64]:
    """Score concepts without a model, by documents and first sentences.

    The score is the number of documents with the concept, plus twice the number of documents with
    it in the first sentence.
    """
    return problem.document_counts + 2.0 * problem.lead_counts


def candidates(problem: Problem, scores: npt.NDArray[np.float64], words: int) -> Ints:
    """Choose sentences greedily by the score of their concepts, up to a number of words.

    As in Berg-Kirkpatrick et al. (2011): a sentence's score is the sum of the scores of the
    concepts that it covers. Junk and repeated sentences are left out unless there is nothing else.

    Parameters
    ----------
    problem
        All sentences.
    scores
        Scores of its concepts.
    words
        Maximum total number of words of the candidates. One sentence is always chosen.

    Returns
    -------
    array
        The indices of the sentences, ascending.

    Examples
    --------
    >>> from treaty.corpus import Sentence
    >>> from treaty.summarize import Problem
    >>> text = ["We saw it rain on Monday.", "It rained and rained on Monday."]
    >>> sources = [Source(0, n, Sentence.from_words(t.split())) for n, t in enumerate(text)]
    >>> problem = Problem.of(sources, stop_words=frozenset(), reduce_to=None)
    >>> candidates(problem, simple_scores(problem), words=6).tolist()
    [0]
    """
    fit = _not_junk(problem)
    covered = np.unique(np.stack([problem.occurrences.source, problem.occurrences.concept]), axis=1)
    worth = np.bincount(covered[0], scores[covered[1]], minlength=len(problem.sources))
    # Rounding errors must not decide: of equal scores, the first is taken.
    order = fit[np.argsort(-np.round(worth[fit], 9), kind="stable")]
    total = np.cumsum(problem.words[order])
    return np.sort(order[(total <= words) | (total == total[:1])])


def with_what_is_needed(problem: Problem, chosen: Ints) -> Ints:
    """Add to candidates that point back the sentence before them, for `references`."""
    place = {(s.document, s.number): n for n, s in enumerate(problem.sources)}
    found = set(chosen.tolist())
    for n in chosen.tolist():
        source = problem.sources[n]
        before = place.get((source.document, source.number - 1))
        if before is not None and (needs_another(source.sentence) or opener_of(source.sentence)):
            found.add(before)
    return np.array(sorted(found), np.int32)


def _not_junk(problem: Problem) -> Ints:
    seen: set[tuple[str, ...]] = set()
    fresh = list[int]()
    for number, source in enumerate(problem.sources):
        words = tuple(token.form.lower() for token in source.sentence)
        if words not in seen:
            fresh.append(number)
        seen.add(words)
    sound = [number for number in fresh if not is_junk(problem.sources[number])]
    return np.array(sound or fresh, np.int32)
