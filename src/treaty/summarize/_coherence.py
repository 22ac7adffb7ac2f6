"""What ties the sentences of a problem: references, quotations, openers, repetitions."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from treaty.summarize._duplicates import duplicates, told_headlines
from treaty.summarize._openers import openers
from treaty.summarize._problem import Problem
from treaty.summarize._references import references
from treaty.summarize._speakers import speakers

__all__ = ["coherent"]


def coherent(
    problem: Problem, stem: Callable[[str], str], taken: AbstractSet[int] = frozenset()
) -> Problem:
    """Tie the parsed sentences of a problem; those that cannot be understood are left out.

    Parameters
    ----------
    problem
        The problem.
    stem
        As in `Problem.of`.
    taken
        Sentences that the user wants in any case.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.summarize import Source
    >>> words = [["Ann", "slept"], ["She", "dreamed"]]
    >>> trees = [Sentence.from_words(w).with_tree([2, 0], ["nsubj", "root"]) for w in words]
    >>> trees[0].tokens[0].upos, trees[1].tokens[0].upos = "PROPN", "PRON"
    >>> problem = Problem.of([Source(0, n, tree) for n, tree in enumerate(trees)])
    >>> coherent(problem, str).needs
    ((1, 0),)
    """
    lost = {one for one, other in references(problem.sources) if one == other}
    lost = (lost | told_headlines(problem.sources, stem)) - taken
    if lost and len(lost) < len(problem.sources):
        kept = [n for n in range(len(problem.sources)) if n not in lost]
        problem, taken = problem.only(kept), {i for i, n in enumerate(kept) if n in taken}
    needs = [*references(problem.sources), *speakers(problem.sources)]
    alike = duplicates(problem.sources, stem, problem.stop_words)
    return replace(
        problem,
        needs=tuple((one, other) for one, other in needs if one != other),
        leans=tuple(openers(problem.sources, problem.begin.tolist())),
        alike=tuple(pair for pair in alike if not {*pair} <= taken),
    )
