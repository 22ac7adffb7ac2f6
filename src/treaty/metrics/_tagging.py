"""Accuracy of tags and lemmas."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.metrics._counts import Accuracy
from treaty.metrics._pairs import pairs

if TYPE_CHECKING:
    from treaty.text import Sentence, Token

__all__ = ["TaggingScores", "tagging_scores"]

COLUMNS = ("upos", "xpos", "feats", "all", "lemma")


@dataclass(frozen=True, slots=True)
class TaggingScores:
    """The result of `tagging_scores`, as an `Accuracy` for each measure.

    Parameters
    ----------
    upos, xpos, feats
        The three columns of tags.
    all
        Words with all three right.
    lemma
        Words with the right lemma, among those that have one in the gold data.
    known, unknown
        The same for known and unknown words, by column; empty unless known words were given.
    """

    upos: Accuracy
    xpos: Accuracy
    feats: Accuracy
    all: Accuracy
    lemma: Accuracy
    known: dict[str, Accuracy]
    unknown: dict[str, Accuracy]


def tagging_scores(
    gold: Iterable[Sentence],
    system: Iterable[Sentence],
    *,
    known: Collection[str] | None = None,
) -> TaggingScores:
    """Score the tags of a tagger, and the lemmas of a lemmatizer.

    Parameters
    ----------
    gold, system
        The same sentences, with the gold tags and lemmas and with predicted ones.
    known
        The forms of the training data, to score known and unknown words separately.

    Returns
    -------
    TaggingScores
        Accuracies of UPOS, XPOS and morphological features, of all three, and of lemmas.

    Raises
    ------
    InputError
        When the words differ, with the sentence and the word.

    Examples
    --------
    >>> from treaty.text import Sentence, Token
    >>> gold = Sentence([Token("time", upos="NOUN"), Token("flies", upos="VERB")])
    >>> system = Sentence([Token("time", upos="NOUN"), Token("flies", upos="NOUN")])
    >>> scores = tagging_scores([gold], [system], known={"time"})
    >>> scores.upos.value, scores.unknown["upos"]
    (0.5, Accuracy(correct=0, total=1))
    """
    # Counts of [unknown, known] words with the right value in each column, and of all words.
    right = {name: [0, 0] for name in COLUMNS}
    words = {name: [0, 0] for name in COLUMNS}
    vocabulary = frozenset() if known is None else frozenset(known)
    for _, ours, theirs in pairs(gold, system):
        for g, s in zip(ours.tokens, theirs.tokens, strict=True):
            is_known = g.form in vocabulary
            for name, agrees in zip(COLUMNS, _agreement(g, s), strict=True):
                right[name][is_known] += agrees
                words[name][is_known] += name != "lemma" or g.lemma != "_"
    total = {name: Accuracy(sum(right[name]), sum(words[name])) for name in COLUMNS}
    if known is None:
        return TaggingScores(**total, known={}, unknown={})
    unknown, seen = (
        {name: Accuracy(right[name][i], words[name][i]) for name in COLUMNS} for i in (0, 1)
    )
    return TaggingScores(**total, known=seen, unknown=unknown)


def _agreement(gold: Token, system: Token) -> tuple[bool, ...]:
    upos, xpos = gold.upos == system.upos, gold.xpos == system.xpos
    feats = gold.feats == system.feats or _features(gold) == _features(system)
    return upos, xpos, feats, upos and xpos and feats, "_" != gold.lemma == system.lemma


def _features(token: Token) -> set[str]:
    """Return the set of morphological features: their order does not matter."""
    return set(token.feats.split("|"))
