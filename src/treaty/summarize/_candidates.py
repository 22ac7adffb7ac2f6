"""Candidate sentences of a summary: without junk, and limited to what a solver can handle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treaty.summarize._references import needs_another
from treaty.summarize._source import Source, is_word
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.summarize._problem import Problem
    from treaty.summarize._ties import Ints

__all__ = ["candidates", "is_junk", "junk_of", "simple_scores", "with_what_is_needed"]

FEWEST_WORDS = 5
"""Minimum words of a sentence; shorter ones are bylines, captions or exclamations."""
FEWEST_IN_TURN = 5
"""Minimum words of a sentence of a chat, with the speaker."""
HEADLINE_WORDS = 12
"""Up to this many words, a line without final punctuation is a headline or a dateline."""
END = re.compile(r"""[.!?…。！？।؟;:"”’»')\]]$""")


def junk_of(sources: Sequence[Source]) -> set[int]:
    """Return which sentences are junk.

    The first one of a turn of a chat names the speaker of the others, and is not, however short.
    """
    places = {(source.document, source.number): source.place for source in sources}
    return {
        n
        for n, source in enumerate(sources)
        if is_junk(source)
        and not (source.is_turn and places.get((source.document, source.number + 1)) == 1)
    }


def is_junk(source: Source) -> bool:
    """Return whether a sentence is junk: too short, a headline, a dateline, a table.

    Examples
    --------
    >>> from treaty.text import Sentence
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
    if tags != {"_"} and (tags.isdisjoint(("VERB", "AUX")) or _is_infinitive(source.sentence)):
        return True
    return not ended and source.words <= HEADLINE_WORDS


def _is_infinitive(sentence: Sentence) -> bool:
    """Return whether a sentence says only what for: "To find out whether it rains."."""
    root = next((n for n, token in enumerate(sentence, 1) if token.head == 0), 0)
    below = [token for token in sentence if token.head == root]
    says = any(t.deprel.partition(":")[0] in ("nsubj", "csubj", "aux", "cop") for t in below)
    to = [t for t in below if t.deprel == "mark" and t.form.lower() == "to"]
    return bool(to) and to[0] is next((t for t in sentence if is_word(t.form)), None) and not says


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
    >>> from treaty.text import Sentence
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
    """Add to candidates the sentence before or after them that they need, for `references`."""
    place = {(s.document, s.number): n for n, s in enumerate(problem.sources)}
    found = set(chosen.tolist())
    for n in chosen.tolist():
        source = problem.sources[n]
        other = place.get((source.document, source.number + needs_another(source)), n)
        found.add(other)
    return np.array(sorted(found), np.int32)


def _not_junk(problem: Problem) -> Ints:
    seen: set[tuple[str, ...]] = set()
    fresh = list[int]()
    for number, source in enumerate(problem.sources):
        words = tuple(token.form.lower() for token in source.sentence)
        if words not in seen:
            fresh.append(number)
        seen.add(words)
    junk = junk_of(problem.sources)
    sound = [number for number in fresh if number not in junk]
    return np.array(sound or fresh, np.int32)
