"""The labels of other models, as features: a second tagger, and two labelers of other data.

The paper trained two taggers (newswire, tweets) and two labelers of entities (CoNLL-2003, Ritter's
tweets). Here the first tagger is that of the English model, whose tags are among the features
anyway; the second is trained on the tweets of ARK. The labelers are the one that Treaty ships
(edited text and messages) and one of WNUT-17, which holds Ritter's tweets. None has seen MSM2013.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from research.experiments import entities
from treaty.label import EntityLabeler
from treaty.parse import Tagger
from treaty.text import ColumnSentence, Sentence, Token, read_columns

ARK = ("ark_oct27_train.tsv", "ark_oct27_dev.tsv")
Row = tuple[str, ...]


def columns_of_others(messages: Sequence[ColumnSentence]) -> list[list[list[str]]]:
    """The labels that each other model gives to the words of each message."""
    known = _labels_of_corpus()
    return [known[tuple(message.words)] for message in messages]


@cache
def _labels_of_corpus() -> dict[Row, list[list[str]]]:
    """All messages of MSM2013, labeled once: the models have not seen any of them."""
    train = entities.read("msm2013", "test", 0)
    rows = list(dict.fromkeys(tuple(m.words) for part in train for m in part))
    words = [list(row) for row in rows]
    tagged = ark_tagger().predict(Sentence.from_words(row) for row in words)
    columns = [[[token.xpos for token in sentence.tokens]] for sentence in tagged]
    for labeler in (EntityLabeler.load("entities"), _wnut_labeler()):
        found = labeler.predict(words, order="chain")
        for own, labeled in zip(columns, found, strict=True):
            own.append(list(labeled.labels))
    return dict(zip(rows, columns, strict=True))


def _wnut_labeler() -> EntityLabeler:
    """A chain trained on WNUT-17 by the perceptron, as the paper's taggers were."""
    return entities.trained("wnut17", "chain", part="test", learner="perceptron")[0]


@cache
def ark_tagger() -> Tagger:
    """A tagger of tweets, with ARK's 25 tags."""
    files = [entities.DATA / "pos" / name for name in ARK]
    tweets = [tweet for file in files for tweet in read_columns(file) if len(tweet)]
    clusters, _ = entities.resources()
    return Tagger.train([_sentence(tweet) for tweet in tweets], columns=["xpos"], clusters=clusters)


def _sentence(tweet: ColumnSentence) -> Sentence:
    tokens = [Token(word, xpos=tag) for word, tag in zip(tweet.words, tweet.labels, strict=True)]
    return Sentence(tokens)
