"""The entity labeler: messages in, entities with confidences and certificates out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from treaty.corpus import ColumnSentence, scheme_named, spans_of_labels
from treaty.errors import UsageError
from treaty.label._crf import PatternCrf
from treaty.label._labeling import Labeling
from treaty.label.entities._features import Features, Local
from treaty.label.entities._groups import group_messages
from treaty.label.entities._messages import (
    Message,
    message_of_text,
    message_of_words,
    sentences_of_text,
)
from treaty.label.entities._phrases import PhrasePair, phrase_pairs
from treaty.label.entities._settings import EntitySettings
from treaty.solve import Status

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.label._instances import Instances
    from treaty.parse import Tokenizer

__all__ = ["Entity", "EntityLabeler", "LabeledMessage"]

BATCH = 4096
"""Messages that are looked at, and grouped, together; the memory depends on no more than these."""

AnyMessage = str | Sequence[str] | Message | ColumnSentence


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in a text.

    Parameters
    ----------
    type, text
        What it is, and how it is written.
    start, end
        Where it stands in the text, in characters.
    first, last
        Its first and last word, counted from 0.
    confidence
        The chain's marginal probability of the label of its least certain word.
    """

    type: str
    text: str
    start: int
    end: int
    first: int
    last: int
    confidence: float


@dataclass(frozen=True, slots=True)
class LabeledMessage:
    """A message with its labels and entities, and what they are worth.

    Parameters
    ----------
    message
        The text and the places of its words.
    labels
        A label for each word.
    entities
        What the labels say.
    group
        The number of the group that it was labeled with.
    status, objective, bound
        The certificate of that group.
    """

    message: Message
    labels: tuple[str, ...]
    entities: tuple[Entity, ...]
    group: int
    status: Status
    objective: float
    bound: float

    @property
    def start(self) -> int:
        """Where the first word stands in the text."""
        return self.message.places[0][0] if len(self.message) else 0

    @property
    def end(self) -> int:
        """Where the last word ends."""
        return self.message.places[-1][1] if len(self.message) else 0

    @property
    def text(self) -> str:
        """The text from the first word to the last."""
        return self.message.text[self.start : self.end]

    @property
    def gap(self) -> float:
        """How much better than this the best labeling of the group can be."""
        return self.bound - self.objective


class EntityLabeler:
    """Finds names in texts. Made by `EntityLabeler.train` or `EntityLabeler.load`.

    Attributes
    ----------
    types
        The types of entities it knows.
    settings
        Its form; see `EntitySettings`.
    features
        What scores look at: ``features.local(messages)`` hashes the features of all words.
    crf
        The model: weights of features by kind and pattern.
    info
        What is known of it: language, license, training settings, scores.

    Examples
    --------
    >>> from treaty.corpus import ColumnSentence
    >>> rome = ColumnSentence([("in", "O"), ("Rome", "B-LOC")])
    >>> ann = ColumnSentence([("Ann", "B-PER"), ("sleeps", "O")])
    >>> labeler = EntityLabeler.train([rome, ann] * 5, tags=False, language_model=None)
    >>> (found,) = labeler.label([["Ann", "in", "Rome"]])
    >>> [(entity.type, entity.text) for entity in found.entities], found.status
    ([('PER', 'Ann'), ('LOC', 'Rome')], <Status.OPTIMAL: 'OPTIMAL'>)
    """

    def __init__(
        self,
        types: Sequence[str],
        settings: EntitySettings,
        features: Features,
        crf: PatternCrf,
        *,
        stop_words: frozenset[str] = frozenset(),
        info: Mapping[str, Any] | None = None,
    ) -> None:
        self.types, self.settings, self.features, self.crf = list(types), settings, features, crf
        self.stop_words, self.info = stop_words, dict(info or {})
        self.labels = scheme_named(settings.scheme).labels(types)

    # Training and files

    @staticmethod
    def train(
        messages: Iterable[ColumnSentence], dev: Iterable[ColumnSentence] = (), **options: Any
    ) -> EntityLabeler:
        """Train a labeler on messages with labels; see `train_entities` for the options."""
        from treaty.label.entities._training import train_entities

        return train_entities(messages, dev, **options)

    @staticmethod
    def load(name: str | Path | IO[bytes] = "entities") -> EntityLabeler:
        """Read a model file, or the model that comes with Treaty.

        Parameters
        ----------
        name
            ``"entities"`` for English messages, or the path of a file that `save` wrote.
        """
        from treaty.label.entities._labeler_file import load_labeler

        return load_labeler(name)

    def save(self, path: str | Path) -> None:
        """Write the labeler to a model file."""
        from treaty.label.entities._labeler_file import save_labeler

        save_labeler(self, path)

    # Labeling

    def label(
        self,
        messages: Iterable[AnyMessage],
        *,
        document: bool = False,
        order: str | None = None,
        method: str = "auto",
        threads: int = 1,
        **limits: Any,
    ) -> Iterator[LabeledMessage]:
        """Label messages as they come, with a memory that does not grow.

        Parameters
        ----------
        messages
            Texts, lists of words, `Message` or `ColumnSentence` objects.
        document
            Whether neighboring messages are a group, as the sentences of a document are; by
            default messages are grouped by the words they share.
        order
            ``"chain"`` labels each message by itself, quicker and without what a group knows; by
            default the model's order.
        method
            How groups are decoded: ``"auto"``, or any method of `treaty.solve`.
        threads
            Groups decoded at a time; the results do not depend on it.
        **limits
            Limits of the method, such as ``max_iterations`` and ``time_limit``.

        Yields
        ------
        LabeledMessage
            In the order of the messages.
        """
        if isinstance(messages, str):
            raise UsageError("expected several messages; label_text takes one text")
        chosen = self._order(order)
        options = {"method": method, "threads": threads, **limits}
        rest = (self.message(message) for message in messages)
        first_group = 0
        while batch := list(islice(rest, BATCH)):
            words = [message.words for message in batch]
            groups = self.groups(words, chosen, document=document)
            yield from self._label(batch, words, groups, chosen, first_group, options)
            first_group += len(groups)

    def label_text(self, text: str, **options: Any) -> list[LabeledMessage]:
        """Label the sentences of a text, which are a document; see `label` for the options.

        Returns
        -------
        list of LabeledMessage
            A message for each sentence, with places in the text.
        """
        sentences = sentences_of_text(text, self.tokenizer)
        return list(self.label(sentences, document=True, **options))

    def graph(self, messages: Iterable[AnyMessage]) -> FactorGraph:
        """Make the factor graph of messages taken as one group, to add constraints of your own.

        Its categorical variables are the words, counted over all messages; their states are
        `labels`.
        """
        words = [self.message(message).words for message in messages]
        groups = [list(range(len(words)))]
        return self.crf.graph(self.instances(words, groups), 0)

    # Parts

    def message(self, message: AnyMessage) -> Message:
        """Find the words of a message."""
        if isinstance(message, Message):
            return message
        if isinstance(message, str):
            return message_of_text(message, self.tokenizer)
        return message_of_words(message.words if isinstance(message, ColumnSentence) else message)

    def instances(
        self,
        words: Sequence[Sequence[str]],
        groups: Sequence[Sequence[int]],
        order: str | None = None,
        local: Local | None = None,
    ) -> Instances:
        """Make what the model reads: an instance for each group of messages."""
        pairs = None
        if self._order(order) == "global":
            pairs = [self._pairs([words[i] for i in group]) for group in groups]
        return self.features.instances(words, groups, self.crf.kinds, pairs, local)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """What finds the words of a text."""
        from treaty.parse import Tagger, model_path

        name = self.settings.language_model
        if name is None:
            raise UsageError(
                "this model was trained without a language model and cannot find the words of a "
                "text: give lists of words, or train it with one"
            )
        tagger = self.features.tagger or Tagger.load(model_path(name))
        if tagger.tokenizer is None:
            raise UsageError(f"the language model {name} has no tokenizer: give lists of words")
        return tagger.tokenizer

    def groups(
        self, words: Sequence[Sequence[str]], order: str | None = None, *, document: bool = False
    ) -> list[list[int]]:
        """Group messages as the settings say; in a chain each is by itself."""
        most, numbers = self.settings.most_in_group, list(range(len(words)))
        if self._order(order) == "chain":
            return [[i] for i in numbers]
        if document:
            return [numbers[i : i + most] for i in range(0, len(words), most)]
        return group_messages(
            words, stop_words=self.stop_words, threshold=self.settings.threshold, most=most
        )

    def _order(self, order: str | None) -> str:
        if order not in (None, "chain", self.settings.order):
            raise UsageError(f"this model is a {self.settings.order}, it cannot be {order!r}")
        return order or self.settings.order

    def _pairs(self, words: Sequence[Sequence[str]]) -> list[PhrasePair]:
        return phrase_pairs(
            words,
            stop_words=self.stop_words,
            longest=self.settings.longest_phrase,
            most_all=self.settings.most_all_pairs,
        )

    def _label(
        self,
        messages: Sequence[Message],
        words: Sequence[Sequence[str]],
        groups: Sequence[Sequence[int]],
        order: str,
        first_group: int,
        options: Mapping[str, Any],
    ) -> list[LabeledMessage]:
        local = self.features.local(words)
        chains = self.instances(words, [[i] for i in range(len(words))], "chain", local)
        instances = chains if order == "chain" else self.instances(words, groups, order, local)
        labelings = self.crf.decode(instances, **options)
        marginals = self.crf.marginals(chains)
        found: dict[int, LabeledMessage] = {}
        for number, (group, labeling) in enumerate(zip(groups, labelings, strict=True)):
            ends = np.cumsum([len(words[i]) for i in group])
            for i, row in zip(group, np.split(labeling.labels, ends[:-1]), strict=True):
                found[i] = self._labeled(
                    messages[i], row.tolist(), marginals[i], labeling, first_group + number
                )
        return [found[i] for i in range(len(messages))]

    def _labeled(
        self,
        message: Message,
        row: list[int],
        marginals: Any,
        labeling: Labeling,
        group: int,
    ) -> LabeledMessage:
        labels = tuple(self.labels[label] for label in row)
        entities = []
        for first, end, kind in spans_of_labels(labels):
            start, stop = message.places[first][0], message.places[end - 1][1]
            confidence = min(float(marginals[i][row[i]]) for i in range(first, end))
            text = message.text[start:stop]
            entities.append(Entity(kind, text, start, stop, first, end - 1, confidence))
        return LabeledMessage(
            message,
            labels,
            tuple(entities),
            group,
            labeling.status,
            labeling.score,
            labeling.bound,
        )
