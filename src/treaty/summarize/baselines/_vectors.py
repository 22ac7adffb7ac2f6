"""Sentences as tf-idf vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from treaty.summarize.decoding._budget import Sentences

__all__ = ["Vectors"]


class Vectors:
    """A sparse matrix with a row per sentence and a column per word.

    An entry is the frequency of the word in the sentence times the logarithm of the number of
    sentences over the number of those with the word. Rows have length 1, or 0 if every word of a
    sentence is in all sentences.

    Parameters
    ----------
    sentences
        The words of each sentence.
    """

    def __init__(self, sentences: Sentences) -> None:
        columns: dict[str, int] = {}
        words = [columns.setdefault(w, len(columns)) for s in sentences for w in s]
        self.shape = len(sentences), len(columns)
        of_sentence = np.repeat(np.arange(len(sentences)), [len(s) for s in sentences])
        cells, counts = np.unique(
            of_sentence * max(1, len(columns)) + np.array(words, np.int64), return_counts=True
        )
        self.rows, self.columns = np.divmod(cells, max(1, len(columns)))
        spread = np.bincount(self.columns, minlength=self.shape[1])
        weights = counts.astype(np.float64) * np.log(len(sentences) / spread[self.columns])
        norms = np.sqrt(self._by_row(weights**2))[self.rows]
        self.values = np.divide(weights, norms, out=np.zeros_like(weights), where=norms > 0)

    def mean(self) -> NDArray[np.float64]:
        """Compute the mean of the rows, the centroid of the sentences."""
        total = np.bincount(self.columns, self.values, minlength=self.shape[1])
        return total / max(1, self.shape[0])

    def row(self, sentence: int) -> NDArray[np.float64]:
        """Return a row as a dense vector."""
        dense = np.zeros(self.shape[1])
        entries = slice(*np.searchsorted(self.rows, [sentence, sentence + 1]))
        dense[self.columns[entries]] = self.values[entries]
        return dense

    def dot(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the inner products of all rows with a vector."""
        return self._by_row(self.values * vector[self.columns])

    def _by_row(self, cells: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(self.rows, cells, minlength=self.shape[0]).astype(np.float64)
