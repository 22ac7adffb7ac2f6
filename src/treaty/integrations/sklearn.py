"""Features of parses for scikit-learn: texts become a sparse matrix of counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction import DictVectorizer
from sklearn.utils.validation import check_is_fitted

from treaty.errors import UsageError
from treaty.integrations._models import model_of
from treaty.parse import Document, Pipeline, Word

__all__ = ["FEATURES", "ParseFeatures"]


def _lemma(word: Word) -> str:
    return (word.lemma if word.lemma != "_" else word.form).lower()


def _arc(word: Word) -> str:
    return f"{word.deprel} {'root' if word.head is None else _lemma(word.head)} {_lemma(word)}"


def _tag_arc(word: Word) -> str:
    return f"{word.deprel} {'root' if word.head is None else word.head.upos} {word.upos}"


def _morphology(word: Word) -> Iterator[str]:
    return (f"{name}={value}" for name, value in word.feats.items())


FEATURES: dict[str, Callable[[Word], str | Iterator[str]]] = {
    "lemma": lambda word: f"{_lemma(word)}/{word.upos}",
    "tag": lambda word: word.upos,
    "fine_tag": lambda word: word.xpos,
    "morphology": _morphology,
    "label": lambda word: word.deprel,
    "arc": _arc,
    "tag_arc": _tag_arc,
}
"""Features of a word to be counted, by name."""
NEEDS = "expected several texts, such as a list of strings, not {}"


class ParseFeatures(TransformerMixin, BaseEstimator):
    """Counts of words, tags and arcs in the parses of texts.

    Features that were not seen by `fit` are ignored. Texts are parsed with bounded memory.

    Parameters
    ----------
    features
        Names of `FEATURES`: ``"lemma"`` (with its tag), ``"tag"``, ``"fine_tag"``,
        ``"morphology"``, ``"label"``, ``"arc"`` (label, lemma of the head, lemma), ``"tag_arc"``
        (label, tag of the head, tag).
    model
        The name or file of a pipeline, or itself. Prefer a name: it is loaded only once, while
        scikit-learn copies a model for every fold of a cross-validation.
    min_df
        Leave out features of fewer texts.
    binary
        Whether to tell only that a feature is there, not how often.
    threads
        Number of threads; the result does not depend on it.

    Attributes
    ----------
    vocabulary_
        The column of each feature, after `fit`.

    Examples
    --------
    >>> texts = ["Cats chase mice.", "Mice chase cats."]
    >>> made = ParseFeatures(features=["arc"])
    >>> made.fit_transform(texts).shape
    (2, 6)
    >>> [name for name in made.get_feature_names_out() if "subj" in name]
    ['arc=nsubj chase cat', 'arc=nsubj chase mouse']
    """

    def __init__(
        self,
        features: Sequence[str] = ("lemma", "tag_arc"),
        *,
        model: str | Pipeline = "english",
        min_df: int = 1,
        binary: bool = False,
        threads: int = 1,
    ) -> None:
        self.features = features
        self.model = model
        self.min_df = min_df
        self.binary = binary
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = True
        return tags

    def fit(self, X: Iterable[str], y: Any = None) -> ParseFeatures:  # noqa: N803
        """Learn which features there are.

        Parameters
        ----------
        X
            The texts.
        y
            Ignored.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Iterable[str], y: Any = None, **_: Any) -> Any:  # noqa: N803
        """Learn which features there are, and count them; see `fit` and `transform`."""
        counts = list(self._counts(X))
        if not counts:
            raise ValueError("there are no texts: expected at least one")
        texts_of = Counter(name for count in counts for name in count)
        kept = [{k: n for k, n in c.items() if texts_of[k] >= self.min_df} for c in counts]
        if not any(kept):
            raise ValueError(
                f"no feature is in {self.min_df} of the {len(counts)} texts: lower min_df"
                if texts_of
                else "the texts have no words"
            )
        self._vectorizer = DictVectorizer(dtype=np.float64)
        table = self._vectorizer.fit_transform(kept)
        self.vocabulary_ = self._vectorizer.vocabulary_
        return table

    def transform(self, X: Iterable[str]) -> Any:  # noqa: N803
        """Count the features of texts.

        Parameters
        ----------
        X
            The texts.

        Returns
        -------
        scipy.sparse matrix
            A row for each text.
        """
        check_is_fitted(self)
        return self._vectorizer.transform(self._counts(X))

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the name of each column, such as ``"arc=nsubj chase cat"``."""
        check_is_fitted(self)
        return np.asarray(self._vectorizer.get_feature_names_out(), dtype=object)

    def _counts(self, X: Iterable[str]) -> Iterator[dict[str, int]]:  # noqa: N803
        if isinstance(X, str | bytes) or not isinstance(X, Iterable):
            raise ValueError(NEEDS.format(type(X).__name__))
        unknown = [name for name in self.features if name not in FEATURES]
        if isinstance(self.features, str) or unknown:
            raise UsageError(f"features must be some of {', '.join(FEATURES)}")
        documents = model_of(self.model, Pipeline).pipe(X, threads=self.threads)
        return (self._count(document) for document in documents)

    def _count(self, document: Document) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for name in self.features:
            of = FEATURES[name]
            for word in document:
                value = of(word)
                every = (value,) if isinstance(value, str) else value
                counts.update(f"{name}={item}" for item in every)
        return dict.fromkeys(counts, 1) if self.binary else dict(counts)
