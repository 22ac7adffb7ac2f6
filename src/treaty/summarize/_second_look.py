"""The second look: a compressed sentence is parsed again, and must be the old tree pruned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

import numpy as np

from treaty.parse import Pipeline
from treaty.summarize._marks import with_marks
from treaty.summarize._nodes import Floats
from treaty.summarize._problem import Problem
from treaty.summarize._source import Bools, Source, is_word
from treaty.summarize._text import is_ended
from treaty.text import Sentence, Token

__all__ = ["Look", "SecondLook", "cuts_of", "refined"]

Arc = tuple[int, str]
MOST_LOST = 0.1
"""How much less sure of its arcs the parser may be."""
ROUNDS = 4
SAME = {"obl": "nmod", "acl": "advcl", "iobj": "obj", "xcomp": "ccomp", "flat": "compound"}
"""Labels that are not told apart."""


@dataclass(frozen=True)
class Look:
    """What the second look found.

    Attributes
    ----------
    is_same
        Whether the new tree is the old one pruned, and the parser about as sure of it.
    changed
        The words whose head or label is another one.
    before, after
        The mean probability of the arcs that are left, in the old tree and in the new one.
    """

    is_same: bool
    changed: tuple[str, ...] = ()
    before: float = 1.0
    after: float = 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, for JSON."""
        return {
            "same": self.is_same,
            "changed": list(self.changed),
            "confidence": [round(self.before, 4), round(self.after, 4)],
        }


class SecondLook:
    """Parses compressed sentences again.

    Parameters
    ----------
    pipeline
        The parser, with its tagger.
    threads
        Number of threads.
    """

    def __init__(self, pipeline: Pipeline, threads: int = 1) -> None:
        self.pipeline, self.threads = pipeline, threads

    def __call__(self, given: Sequence[tuple[Source, Bools]]) -> list[Look]:
        """Look again at sentences of which some tokens are kept."""
        places = [np.flatnonzero(with_marks(source, keep)).tolist() for source, keep in given]
        pruned = [_pruned(source, own) for (source, _), own in zip(given, places, strict=True)]
        parses = self.pipeline.predict(pruned, threads=self.threads)
        return [
            self._look(source, own, parse.sentence)
            for (source, _), own, parse in zip(given, places, parses, strict=True)
        ]

    def _look(self, source: Source, places: list[int], new: Sentence) -> Look:
        old = source.sentence
        changed = _changed(old, places, new)
        before = self._confidence(old, places, [token.head for token in old])
        after = self._confidence(new, list(range(len(places))), [token.head for token in new])
        return Look(not changed and after >= before - MOST_LOST, tuple(changed), before, after)

    def _confidence(self, sentence: Sentence, places: list[int], heads: Sequence[int]) -> float:
        marginals = self.pipeline.parser.marginals(sentence)
        own = [p for p in places if is_word(sentence.tokens[p].form)]
        return float(np.mean([marginals[heads[p], p + 1] for p in own])) if own else 1.0


def _changed(old: Sentence, places: list[int], new: Sentence) -> list[str]:
    """List the words whose arc is not the same; the words of a name count as one."""
    expected = _heads(old, places)
    kept = [old.tokens[place] for place in places]
    name = [0]
    for before, token in pairwise(kept):
        name.append(name[-1] + (not before.upos == token.upos == "PROPN"))
    arcs: dict[int, tuple[set[Arc], set[Arc]]] = {}
    for place, (token, again) in enumerate(zip(kept, new, strict=False)):
        if is_word(token.form):
            own = arcs.setdefault(name[place], (set(), set()))
            for found, one, head in ((own[0], token, expected[place]), (own[1], again, again.head)):
                above = 0 if head == 0 else name[head - 1] + 1
                if above != name[place] + 1:
                    label = _label(one)
                    found.add((-1 if label == "nmod" else above, label))
    return [kept[name.index(n)].form for n, (before, after) in arcs.items() if before != after]


def _label(token: Token) -> str:
    """Return the label of an arc, where a prepositional phrase may hang on nouns or verbs."""
    label = token.deprel.partition(":")[0]
    return SAME.get(label, label)


def _pruned(source: Source, places: list[int]) -> Sentence:
    """Make a sentence of the tokens that are kept, written as readers see it."""
    tokens = [
        Token(source.sentence.tokens[p].form, misc=source.sentence.tokens[p].misc) for p in places
    ]
    for token in tokens:
        if is_word(token.form):
            token.form = token.form[:1].upper() + token.form[1:]
            break
    if tokens and not is_ended("".join(token.form for token in tokens)):
        tokens[-1].misc = "SpaceAfter=No"
        tokens.append(Token("."))
    return Sentence(tokens)


def _heads(sentence: Sentence, places: list[int]) -> list[int]:
    """Return the heads of tokens in the tree without all the others."""
    number = {place: n for n, place in enumerate(places, 1)}
    found = []
    for place in places:
        above = sentence.tokens[place].head - 1
        while above >= 0 and above not in number:
            above = sentence.tokens[above].head - 1
        found.append(number.get(above, 0))
    return found


def cuts_of(problem: Problem, keep: Bools, source: int) -> list[int]:
    """List the tokens of a sentence that are cut while their heads stay."""
    begin, end = int(problem.begin[source]), int(problem.begin[source + 1])
    heads = problem.heads
    return [
        token
        for token in range(begin, end)
        if not keep[token] and problem.is_word[token] and (heads[token] < 0 or keep[heads[token]])
    ]


def refined(
    problem: Problem,
    cut_scores: Floats,
    solve: Callable[[Floats], Bools],
    look: Callable[[Sequence[tuple[Source, Bools]]], list[Look]],
) -> tuple[Bools, dict[int, Look], Floats]:
    """Solve a problem, and again without the cuts that the second look refuses.

    Of a sentence that is refused, each cut is tried alone, and those that fail are forbidden; if
    none does, the one with the lowest score is. After some rounds nothing is cut from sentences
    that still fail. Cuts that rules trust need no second look.

    Parameters
    ----------
    problem
        The sentences.
    cut_scores
        For each token, the score of cutting it.
    solve
        From scores of cuts to the tokens that are kept.
    look
        The second look.

    Returns
    -------
    keep, looks, cut_scores
        What is kept, the look at each sentence with cuts, and the scores, ``-inf`` for forbidden
        cuts.
    """
    scores = cut_scores.copy()
    seen: dict[tuple[int, bytes], Look] = {}
    for turn in count():
        keep = solve(scores)
        own = dict(_shortened(problem, keep))
        new = {n: k for n, k in own.items() if (n, k.tobytes()) not in seen}
        looks = look([(problem.sources[n], k) for n, k in new.items()])
        seen |= {(n, k.tobytes()): one for (n, k), one in zip(new.items(), looks, strict=True)}
        found = {n: seen[n, k.tobytes()] for n, k in own.items()}
        refused = [n for n, one in found.items() if not one.is_same]
        cuts = {n: cut for n in refused if (cut := _doubted(problem, keep, n))}
        if not cuts:
            break
        if turn < ROUNDS:
            _forbid(problem, cuts, scores, look)
        else:
            for n in cuts:
                scores[problem.begin[n] : problem.begin[n + 1]] = -np.inf
    return keep, found, scores


def _doubted(problem: Problem, keep: Bools, source: int) -> list[int]:
    """List the cuts of a sentence that are not trusted."""
    sentence, begin = problem.sources[source].sentence, int(problem.begin[source])
    tokens = cuts_of(problem, keep, source)
    return [token for token in tokens if not problem.rules.trusted(sentence, token - begin)]


def _shortened(problem: Problem, keep: Bools) -> Iterator[tuple[int, Bools]]:
    """List the sentences of which some words are kept and others are cut."""
    for n in range(len(problem.sources)):
        own = slice(problem.begin[n], problem.begin[n + 1])
        words = keep[own][problem.is_word[own]]
        if words.any() and not words.all():
            yield n, keep[own]


def _forbid(
    problem: Problem,
    cuts: dict[int, list[int]],
    scores: Floats,
    look: Callable[[Sequence[tuple[Source, Bools]]], list[Look]],
) -> None:
    """Forbid the cuts that fail alone, or else the worst one of each sentence."""
    several = [(n, token) for n, tokens in cuts.items() if len(tokens) > 1 for token in tokens]
    alone = look([(problem.sources[n], _without(problem, n, token)) for n, token in several])
    failing = {token for (_, token), one in zip(several, alone, strict=True) if not one.is_same}
    for tokens in cuts.values():
        bad = failing & set(tokens) or {min(tokens, key=lambda t: (scores[t], t))}
        scores[sorted(bad)] = -np.inf


def _without(problem: Problem, source: int, cut: int) -> Bools:
    """Return which tokens of a sentence are kept if only one cut is made."""
    begin, end = int(problem.begin[source]), int(problem.begin[source + 1])
    keep = np.ones(end - begin, bool)
    keep[cut - begin] = False
    heads = np.where(problem.heads[begin:end] < 0, -1, problem.heads[begin:end] - begin)
    for _ in range(end - begin):
        below = keep & (heads >= 0) & ~keep[heads]
        if not below.any():
            break
        keep[below] = False
    return keep
