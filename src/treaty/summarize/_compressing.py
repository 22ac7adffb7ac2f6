"""Compression of single sentences by their scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treaty.solve import Certificate, Status
from treaty.summarize._digest import CompressedSentence
from treaty.summarize._nodes import Floats, Nodes
from treaty.summarize._posing import Cuts
from treaty.summarize._problem import Problem
from treaty.summarize._rounding import best_summary, unit_of
from treaty.summarize._rules import OTHER
from treaty.summarize._second_look import Look, SecondLook, refined
from treaty.summarize._source import Bools, Source
from treaty.summarize._text import is_ended
from treaty.summarize._ties import Ints
from treaty.summarize._writing import cuts_in, write_sentence
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.summarize._summarizer import Summarizer

__all__ = [
    "Compressed",
    "best_compressions",
    "compress_sentences",
    "compressed",
    "write_compressed",
]


LEAST = 1e-3
"""What a safe cut scores at least where bold ones are allowed, too."""


class Compressed(NamedTuple):
    """A sentence of a problem, compressed."""

    number: int
    """Its number in the problem."""
    keep: Bools
    certificate: Certificate
    look: Look | None
    """The second look at it, if something was cut."""


def compressed(
    problem: Problem,
    cut_scores: Floats,
    words: int | None = None,
    rate: float | None = None,
    look: SecondLook | None = None,
) -> list[Compressed]:
    """Compress each sentence of a problem, and look again at the results if there is a parser.

    See `best_compressions`.
    """
    certificates: list[Certificate] = []

    def solve(scores: Floats) -> Bools:
        found = list(best_compressions(problem, scores, words, rate))
        certificates[:] = [certificate for _, _, certificate in found]
        return np.concatenate([np.zeros(0, bool), *(keep for _, keep, _ in found)])

    if look is None:
        keep, looks = solve(cut_scores), dict[int, Look]()
    else:
        keep, looks, _ = refined(problem, cut_scores, solve, look)
    return [
        Compressed(n, keep[problem.begin[n] : problem.begin[n + 1]], certificate, looks.get(n))
        for n, certificate in enumerate(certificates)
    ]


def compress_sentences(
    summarizer: Summarizer,
    sentences: Iterable[Sentence],
    *,
    cuts: Cuts = "safe",
    words: int | None = None,
    rate: float | None = None,
    threads: int = 1,
) -> tuple[Problem, list[Compressed]]:
    """Parse and compress sentences, as `Summarizer.compress` does; returns their problem, too."""
    rules = summarizer.rules_for(cuts)
    problem = Problem.of_sentences(summarizer.with_trees(sentences, threads=threads), rules)
    if not problem.sources:
        return problem, []
    scores = summarizer.scorer.cut_scores(problem)
    if rules.safe and rules.bold:
        scores = np.where(_is_safe(problem), np.maximum(scores, LEAST), scores)
    elif rules.safe and words is None and rate is None:
        words = 0
    pipeline = summarizer.pipeline
    look = None if pipeline is None else SecondLook(pipeline, threads)
    return problem, compressed(problem, scores, words, rate, look)


def _is_safe(problem: Problem) -> Bools:
    """Return for each token whether some rule calls its cut safe."""
    kinds = [problem.rules.kinds(source.sentence) for source in problem.sources]
    return np.array([kind not in (None, OTHER) for own in kinds for kind in own], bool)


def write_compressed(problem: Problem, found: Compressed) -> CompressedSentence:
    """Write a compressed sentence, with its cuts and its certificate.

    A headline, a row of a table or another line without a final mark of which nothing is cut stays
    as it is.
    """
    source = problem.sources[found.number]
    written = write_sentence(source, found.keep, found.certificate.objective)
    if found.keep[source.is_word].all() and not is_ended(source.sentence.text):
        every = (True,) * len(written.tokens)
        written = replace(written, text=source.sentence.text, kept=every)
    return replace(
        written,
        certificate=found.certificate,
        cuts=cuts_in(problem, found.number, found.keep),
        look=found.look,
    )


def best_compressions(
    problem: Problem, cut_scores: Floats, words: int | None = None, rate: float | None = None
) -> Iterator[tuple[Source, Bools, Certificate]]:
    """Compress each sentence of a problem, by dynamic programming over its tree (eq. 8).

    Parameters
    ----------
    problem
        Parsed sentences.
    cut_scores
        For each token, the score of cutting it while its head stays.
    words, rate
        Limits on the number and the share of words to keep; the root is always kept.

    Yields
    ------
    source, keep, certificate
        Each sentence, which of its tokens are kept, and the certificate.
    """
    nodes = Nodes.of(problem, cut_scores)
    for n, source in enumerate(problem.sources):
        limits = [source.words]
        limits += [] if words is None else [words]
        limits += [] if rate is None else [round(rate * source.words)]
        own = nodes.of_token[problem.begin[n] : problem.begin[n + 1]] - nodes.of_source[n]
        chosen, certificate = _best(nodes, n, own, min(limits))
        yield source, chosen[own], certificate


def _fewest(tree: Nodes, first: int) -> list[int]:
    """List the nodes of the shortest compression."""
    if not tree.is_hollow[0]:
        return [0]
    children = np.flatnonzero(tree.parent == first)
    return [0, int(children[np.argmin(tree.cost[children])])]


def _best(nodes: Nodes, source: int, of_token: Ints, words: int) -> tuple[Bools, Certificate]:
    own = slice(nodes.of_source[source], nodes.of_source[source + 1])
    tree = Nodes(
        of_token,
        np.array([0, own.stop - own.start], np.int32),
        nodes.parent[own],
        nodes.size[own],
        nodes.cost[own],
        nodes.cut_score[own],
    )
    gains = np.zeros(len(tree))
    gains[0] = 1.0 + np.abs(tree.cut_score).sum()  # more than everything else together
    fewest = _fewest(tree, own.start)
    limit = max(words, int(tree.cost[fewest].sum()))  # something is kept
    chosen = best_summary(tree, gains, limit, 1)
    if not chosen.any():  # the table counts in units that are too coarse
        chosen[fewest] = True
    above = tree.parent
    cut = ~chosen & ((above < 0) | chosen[np.maximum(above - own.start, 0)])
    score = float(tree.cut_score[cut].sum())
    if unit_of(tree.cost, limit) == 1:
        return chosen, Certificate.exact(score)
    most = float(
        np.maximum(tree.cut_score, 0.0).sum()
    )  # as if all cuts with a positive score were made
    return chosen, Certificate(Status.FEASIBLE, score, max(score, most))
