"""Attachment scores of dependency parsing."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from treaty.errors import InputError
from treaty.metrics._counts import Accuracy, Retrieval
from treaty.metrics._pairs import pairs
from treaty.text import nonprojective_arcs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treaty.text import Sentence

__all__ = ["LENGTHS", "Attachment", "AttachmentScores", "attachment_scores", "is_punctuation"]

# Classes of arc lengths, in words; arcs from the root are a separate class.
LENGTHS = ("root", "1", "2", "3-6", "7+")
FIRST_OF_BIN = (1, 2, 3, 7)

Metric = Literal["uas", "las", "label_accuracy"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """Attachment scores over a set of words.

    Parameters
    ----------
    heads, labels, arcs
        Number of words with the right head, the right label, and both.
    trees, labeled_trees
        Number of sentences in which every word has the right head, and also the right label.
    """

    heads: Accuracy
    labels: Accuracy
    arcs: Accuracy
    trees: Accuracy
    labeled_trees: Accuracy

    @property
    def uas(self) -> float:
        """Unlabeled attachment score: the share of words with the right head."""
        return self.heads.value

    @property
    def las(self) -> float:
        """Labeled attachment score: the share of words with the right head and label."""
        return self.arcs.value

    @property
    def label_accuracy(self) -> float:
        """The share of words with the right label, regardless of the head."""
        return self.labels.value


@dataclass(frozen=True, slots=True, eq=False)
class AttachmentScores:
    """The result of `attachment_scores`. Scores are from 0 to 1.

    Parameters
    ----------
    all_words, without_punctuation
        The scores over all words, and over all words but punctuation.
    punctuation
        Whether the following scores include punctuation.
    by_label
        Recall and precision by label; a word is right if its head and label are.
    by_length
        Recall and precision by arc length, in the classes of `LENGTHS`; labels are ignored.
    nonprojective
        Recall and precision of nonprojective arcs: some word between head and dependent does not
        descend from the head. Arcs from the root are projective.
    counts
        A row per sentence: words, right heads, right labels, both right.
    """

    all_words: Attachment
    without_punctuation: Attachment
    punctuation: bool
    by_label: dict[str, Retrieval]
    by_length: dict[str, Retrieval]
    nonprojective: Retrieval
    counts: NDArray[np.int64]

    @property
    def chosen(self) -> Attachment:
        """The scores over all words or without punctuation, as requested."""
        return self.all_words if self.punctuation else self.without_punctuation

    @property
    def uas(self) -> float:
        """Unlabeled attachment score: the share of words with the right head."""
        return self.chosen.uas

    @property
    def las(self) -> float:
        """Labeled attachment score: the share of words with the right head and label."""
        return self.chosen.las

    @property
    def label_accuracy(self) -> float:
        """The share of words with the right label, regardless of the head."""
        return self.chosen.label_accuracy

    def by_sentence(self, metric: Metric) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of right words and of all words of each sentence.

        These are the arguments of `confidence_interval` and `compare`.
        """
        column = {"uas": 1, "label_accuracy": 2, "las": 3}[metric]
        return self.counts[:, column], self.counts[:, 0]


def attachment_scores(
    gold: Iterable[Sentence],
    system: Iterable[Sentence],
    *,
    punctuation: bool = True,
    subtypes: bool = True,
) -> AttachmentScores:
    """Score the trees of a parser.

    By default every word counts, and labels must be equal. Use ``punctuation=False`` to score as in
    the CoNLL-2006 shared task, and ``subtypes=False`` as in CoNLL-2018.

    Parameters
    ----------
    gold, system
        The same sentences, with the gold trees and with the parser's.
    punctuation
        Whether words made of punctuation characters (Unicode category P) count. The result has
        the overall scores with and without them; this applies to all other scores.
    subtypes
        Whether label subtypes, after the colon (``nsubj:pass``), must agree too.

    Returns
    -------
    AttachmentScores
        UAS, LAS, label accuracy; scores by label, by length and of nonprojective arcs.

    Raises
    ------
    InputError
        When the words differ, or a word has no head, with the sentence and the word.

    Examples
    --------
    >>> from treaty.text import Sentence, Token
    >>> def tree(*heads):
    ...     words = zip("we saw them .".split(), heads, strict=True)
    ...     return Sentence([Token(form, head=head) for form, head in words])
    >>> scores = attachment_scores([tree(2, 0, 2, 2)], [tree(2, 0, 2, 3)])
    >>> scores.uas, scores.without_punctuation.uas
    (0.75, 1.0)
    """
    words = _Words(subtypes)
    for name, ours, theirs in pairs(gold, system):
        words.add(name, ours, theirs)
    return words.scores(punctuation)


def is_punctuation(form: str) -> bool:
    """Return whether a form has only punctuation characters, as CoNLL-2006's ``eval.pl`` does.

    Examples
    --------
    >>> [is_punctuation(form) for form in ("...", "«", "$", "a.")]
    [True, True, False, False]
    """
    return bool(form) and all(unicodedata.category(character)[0] == "P" for character in form)


class _Words:
    """The data of all words, one column each, to be counted at the end."""

    def __init__(self, subtypes: bool) -> None:
        self.subtypes = subtypes
        self.label_ids: dict[str, int] = {}
        self.punctuation_of: dict[str, bool] = {}
        self.lengths: list[int] = []
        # position, punctuation, then head, label and "nonprojective" of gold and of system
        self.rows: list[tuple[int, bool, int, int, int, int, bool, bool]] = []

    def add(self, name: str, gold: Sentence, system: Sentence) -> None:
        ours, theirs = self._heads(name, "gold", gold), self._heads(name, "system", system)
        far = set(nonprojective_arcs(ours)), set(nonprojective_arcs(theirs))
        self.lengths.append(len(gold))
        for i, (g, s) in enumerate(zip(gold.tokens, system.tokens, strict=True)):
            self.rows.append(
                (
                    i + 1,
                    self._is_punctuation(g.form),
                    ours[i],
                    theirs[i],
                    self._label(g.deprel),
                    self._label(s.deprel),
                    i + 1 in far[0],
                    i + 1 in far[1],
                )
            )

    def _heads(self, name: str, side: str, sentence: Sentence) -> list[int]:
        heads = sentence.heads
        for place, head in enumerate(heads, 1):
            if not 0 <= head <= len(heads):
                cause = "no head" if head < 0 else f"head {head}, which is not in the sentence"
                form = sentence.tokens[place - 1].form
                raise InputError(f"{name}, token {place} ({form!r}): {side} has {cause}")
        return heads

    def _label(self, deprel: str) -> int:
        label = deprel if self.subtypes else deprel.partition(":")[0]
        return self.label_ids.setdefault(label, len(self.label_ids))

    def _is_punctuation(self, form: str) -> bool:
        if form not in self.punctuation_of:
            self.punctuation_of[form] = is_punctuation(form)
        return self.punctuation_of[form]

    def scores(self, punctuation: bool) -> AttachmentScores:
        import numpy as np

        table = np.array(self.rows, np.int64).reshape(-1, 8)
        place, marks, gold_head, head, gold_label, label, gold_far, far = table.T
        right = np.stack([gold_head == head, gold_label == label])
        right = np.vstack([right, right.all(axis=0)])
        sentence = np.repeat(np.arange(len(self.lengths)), self.lengths)
        everything = np.ones(len(table), bool)
        counted = everything if punctuation else marks == 0

        def retrieval(gold: Any, system: Any, correct: Any) -> Retrieval:
            return Retrieval(*(int((counted & on).sum()) for on in (gold & correct, gold, system)))

        bins = _bin(gold_head, place), _bin(head, place)
        return AttachmentScores(
            all_words=_attachment(right, sentence, everything),
            without_punctuation=_attachment(right, sentence, marks == 0),
            punctuation=punctuation,
            by_label=self._by_label(gold_label[counted], label[counted], right[2, counted]),
            by_length={
                length: retrieval(bins[0] == i, bins[1] == i, right[0])
                for i, length in enumerate(LENGTHS)
            },
            nonprojective=retrieval(gold_far == 1, far == 1, right[0] & (far == 1)),
            counts=_by_sentence(right, sentence, counted, len(self.lengths)),
        )

    def _by_label(self, gold: Any, system: Any, correct: Any) -> dict[str, Retrieval]:
        found = Counter(gold[correct].tolist())
        ours, theirs = Counter(gold.tolist()), Counter(system.tolist())
        tables = {
            label: Retrieval(found[i], ours[i], theirs[i])
            for label, i in self.label_ids.items()
            if ours[i] or theirs[i]
        }
        return dict(sorted(tables.items(), key=lambda item: (-item[1].gold, item[0])))


def _bin(head: NDArray[np.int64], place: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    return np.where(head == 0, 0, np.searchsorted(FIRST_OF_BIN, abs(head - place), side="right"))


def _attachment(right: Any, sentence: Any, counted: Any) -> Attachment:
    """Count over some words; a sentence is complete if every counted word is right."""
    import numpy as np

    words = int(counted.sum())
    heads, labels, arcs = (Accuracy(int((r & counted).sum()), words) for r in right)
    sentences = len(np.unique(sentence[counted]))
    trees, labeled_trees = (
        Accuracy(sentences - len(np.unique(sentence[counted & ~right[i]])), sentences)
        for i in (0, 2)
    )
    return Attachment(heads, labels, arcs, trees, labeled_trees)


def _by_sentence(right: Any, sentence: Any, counted: Any, sentences: int) -> NDArray[np.int64]:
    import numpy as np

    columns = [counted, *(r & counted for r in right)]
    return np.stack(
        [np.bincount(sentence[on], minlength=sentences) for on in columns], axis=1
    ).astype(np.int64)
