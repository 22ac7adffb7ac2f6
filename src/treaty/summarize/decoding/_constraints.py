"""Constraints on summaries: sentences to take or leave, words to keep or cut.

A sentence to take is worth a prize that exceeds all other scores together, and a word to cut costs
as much. The prizes are subtracted from objective and bound, so both are about the summaries that
obey.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treaty.errors import SolverError, UsageError
from treaty.summarize.cuts._nodes import Floats
from treaty.summarize.cuts._text import surface_of
from treaty.summarize.decoding._decode import Decoded
from treaty.summarize.decoding._problem import Occurrences, Problem

__all__ = ["SummaryConstraints"]

Place = tuple[int, int]
Word = tuple[int, int, int]


@dataclass(frozen=True)
class SummaryConstraints:
    """Constraints on summaries. Documents, sentences and words count from 1.

    Attributes
    ----------
    take, leave
        Sentences that are part of the summary, or not: ``(document, sentence)``.
    keep, cut
        Words that are not cut from their sentence if it is part of the summary, or that are not
        part of the summary: ``(document, sentence, word)``. Words are those of
        `CompressedSentence.tokens`.

    Examples
    --------
    >>> from treaty.summarize import SimpleScorer, Summarizer
    >>> summarizer = Summarizer(SimpleScorer(), parser=None)
    >>> text = "Cats sleep all day. Dogs sleep all night. Cats and dogs sleep all day."
    >>> wish = SummaryConstraints(take=frozenset({(1, 2)}))
    >>> summarizer.summarize(text, words=4, constraints=wish).text
    'Dogs sleep all night.'
    """

    take: frozenset[Place] = frozenset()
    leave: frozenset[Place] = frozenset()
    keep: frozenset[Word] = frozenset()
    cut: frozenset[Word] = frozenset()

    def __post_init__(self) -> None:
        if both := self.take & self.leave:
            raise UsageError(f"sentence {min(both)[1]} is to be taken and to be left; choose one")
        if doubly := self.keep & self.cut:
            raise UsageError(f"word {min(doubly)[2]} is to be kept and to be cut; choose one")

    def without_left(self, problem: Problem) -> Problem:
        """Remove the sentences to leave."""
        places = _places(problem)
        for place in sorted(self.take | self.leave):
            if place not in places:
                raise UsageError(f"document {place[0]} has no sentence {place[1]}")
        unwanted = {places[place] for place in self.leave}
        rest = [n for n in range(len(problem.sources)) if n not in unwanted]
        return problem.only(rest) if unwanted else problem

    def candidates(self, problem: Problem, best: Iterable[int]) -> list[int]:
        """Add the sentences to take to those that were chosen."""
        return sorted(set(best) | self.taken(problem))

    def taken(self, problem: Problem) -> set[int]:
        """Return the sentences of a problem that must be taken."""
        places = _places(problem)
        return {places[place] for place in self.take if place in places}

    def applied(
        self, problem: Problem, concept_scores: Floats, cut_scores: Floats | None
    ) -> tuple[Problem, Floats, Floats | None, float]:
        """Return problem and scores of which the best summary obeys, and the sum of the prizes."""
        places, prizes = _places(problem), list[tuple[int, list[int], bool]]()
        if cut_scores is not None:
            cut_scores = cut_scores.copy()
        for document, sentence in sorted(self.take):
            source = places[document, sentence]
            prizes.append((source, _signs(problem, source), True))
        for document, sentence, word in sorted(self.keep | self.cut):
            if (document, sentence) not in places:
                continue  # the sentence is no candidate
            source = places[document, sentence]
            for token in _tokens(problem, source, word):
                if (document, sentence, word) in self.cut:
                    prizes.append((source, [token], False))
                elif cut_scores is not None:
                    above = token
                    while above >= 0:  # a word stays if all words above it do
                        cut_scores[above] = -np.inf
                        above = int(problem.heads[above])
        if not prizes:
            return problem, concept_scores, cut_scores, 0.0
        scores = [concept_scores] if cut_scores is None else [concept_scores, cut_scores]
        every = np.concatenate(scores)
        prize = 1.0 + float(np.abs(every[np.isfinite(every)]).sum())
        prizes_of_signs = np.array([prize if is_taken else -prize for *_, is_taken in prizes])
        return (
            _with_concepts(problem, [(source, signs) for source, signs, _ in prizes]),
            np.concatenate([concept_scores, prizes_of_signs]),
            cut_scores,
            float(prizes_of_signs[prizes_of_signs > 0].sum()),
        )

    def judged(self, problem: Problem, decoded: Decoded, prize: float) -> Decoded:
        """Take the prizes off objective and bound.

        Raises
        ------
        SolverError
            When the summary does not obey.
        """
        kept, places = decoded.keep, _places(problem)
        taken = {int(n) for n in np.unique(problem.source_of[kept])}
        missing = {places[place] for place in self.take} - taken
        wrong = [
            place
            for place in self.cut
            if place[:2] in places
            and any(kept[token] for token in _tokens(problem, places[place[:2]], place[2]))
        ]
        if missing or wrong:
            raise SolverError(
                "no summary was found that obeys the constraints: allow more words, or remove one"
            )
        certificate_with_prizes = decoded.certificate
        certificate = replace(
            certificate_with_prizes,
            objective=certificate_with_prizes.objective - prize,
            bound=certificate_with_prizes.bound - prize,
        )
        return replace(decoded, certificate=certificate)


def _places(problem: Problem) -> dict[Place, int]:
    return {(s.document + 1, s.number + 1): n for n, s in enumerate(problem.sources)}


def _tokens(problem: Problem, source: int, word: int) -> list[int]:
    """Return the tokens of a written word of a sentence."""
    surface = surface_of(problem.sources[source].sentence)
    if not 1 <= word <= len(surface):
        raise UsageError(f"a constraint names word {word} of a sentence of {len(surface)} words")
    begin = int(problem.begin[source])
    tokens_of_word = range(begin + surface[word - 1].begin, begin + surface[word - 1].end)
    return [token for token in tokens_of_word if problem.is_word[token]]


def _signs(problem: Problem, source: int) -> list[int]:
    """List words of which one at least is part of every version of a sentence."""
    tokens_of_source = range(int(problem.begin[source]), int(problem.begin[source + 1]))
    words = [token for token in tokens_of_source if problem.is_word[token]]
    fixed = [t for t in words if problem.heads[t] < 0 and not problem.cuttable[t]]
    return fixed[:1] or words


def _with_concepts(problem: Problem, places: Sequence[tuple[int, list[int]]]) -> Problem:
    """Add a concept for each of these sets of words: one that any of them mentions."""
    first = len(problem.concepts)
    rows = [
        (number, source, token)
        for number, (source, tokens) in enumerate(places, first)
        for token in tokens
    ]
    concept, source, token = np.array(rows, np.int32).reshape(-1, 3).T
    old = problem.occurrences
    return replace(
        problem,
        concepts=(*problem.concepts, *(f"constraint {n}" for n in range(1, len(places) + 1))),
        occurrences=Occurrences(
            np.concatenate([old.concept, concept]),
            np.concatenate([old.source, source]),
            np.concatenate([old.first, token]),
            np.concatenate([old.last, token]),
        ),
    )
