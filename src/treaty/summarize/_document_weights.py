"""Weights of concepts of single documents, by least squares.

A summary of one document has two or three sentences. Which of its bigrams a human summary has can
be predicted concept by concept, and a summary whose concepts have the highest sum of predictions
has the highest expected recall. On documents that were not seen, this is better than the hinge loss
of small problems, which is what clusters of documents are learned by.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treaty.summarize._topic import Topic

__all__ = ["document_weights"]

Floats = npt.NDArray[np.float64]


def document_weights(topics: Sequence[Topic], size: int, regularization: float) -> Floats:
    """Fit weights to the share of the references that have each concept.

    Every document weighs the same, however much its references have in common with it. The weights
    are scaled so that the scores of a document's concepts have a standard deviation of about 1: a
    cut costs as much as a concept is worth.

    Parameters
    ----------
    topics
        Single documents with references.
    size
        Number of weights.
    regularization
        The weight of the squared norm beside the mean squared error.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.summarize import CoverageFeatures, Problem, Source
    >>> words = [["Big", "cats", "sleep"], ["Cats", "dream"], ["Dogs", "bark"]]
    >>> sources = [Source(0, n, Sentence.from_words(own)) for n, own in enumerate(words)]
    >>> problem = Problem.of(sources, stop_words=frozenset(), reduce_to=None)
    >>> features = CoverageFeatures(bits=12)(problem)
    >>> topic = Topic(problem, features, None, np.array([1.0, 1.0, 0.0, 0.0]), words=3)
    >>> scores = features.scores(document_weights([topic], 2**12, 0.01))
    >>> bool(scores[:2].min() > scores[2:].max())
    True
    """
    places = [topic.coverage.places.astype(np.int64) for topic in topics]
    used, columns = np.unique(np.concatenate([own.ravel() for own in places]), return_inverse=True)
    squares, products = np.zeros((len(used), len(used))), np.zeros(len(used))
    rows: list[Floats] = []
    begin, total = 0, 0.0
    for topic, own in zip(topics, places, strict=True):
        table = np.zeros((len(own), len(used)))
        values = topic.coverage.values
        column = columns.ravel()[begin : begin + own.size].reshape(own.shape)
        np.add.at(table, (np.arange(len(own))[:, None], column), 1.0 if values is None else values)
        begin += own.size
        wanted = topic.counts / topic.references
        share = 1.0 / max(1.0, float(wanted.sum()))
        squares += share * table.T @ table
        products += share * table.T @ wanted
        total += share * len(own)
        rows.append(table)
    squares += regularization * total * np.eye(len(used))
    solved = np.linalg.solve(squares, products)
    spread = float(np.mean([(table @ solved).std() for table in rows]))
    weights = np.zeros(size)
    weights[used] = solved / (spread or 1.0)
    return weights
