"""The entity labeler: from messages to entities with confidences and certificates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from treaty._threads import Clock, check_stopped, checked
from treaty.errors import UsageError, check_several
from treaty.label._crf import PatternCrf
from treaty.label._labeling import Labeling
from treaty.label.entities._evidence import Evidence, evidence_of, forbid_halves
from treaty.label.entities._features import Features, Local
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._groups import group_messages
from treaty.label.entities._labeled import Entity, LabeledMessage
from treaty.label.entities._messages import (
    Message,
    message_of_text,
    message_of_words,
    sentences_of_text,
)
from treaty.label.entities._phrases import PhrasePair, phrase_pairs
from treaty.label.entities._rules import EntityRules
from treaty.label.entities._scores import entity_scores
from treaty.label.entities._settings import EntitySettings
from treaty.learn import Calibration, Model, ModelFile, Sample, logit
from treaty.parse import Clusters, Tagger
from treaty.text import ColumnSentence, read_columns, scheme_named, spans_of_labels

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.label._instances import Instances
    from treaty.parse import Tokenizer

__all__ = ["EntityLabeler"]

BATCH = 4096
"""Number of messages that are read and grouped together; bounds the memory."""

FEW = 256
"""The same under a time limit, if groups allow it: what is done by then are results."""

AnyMessage = str | Sequence[str] | Message | ColumnSentence


class EntityLabeler(Model):
    """Named entity recognizer. Made by `EntityLabeler.train` or `EntityLabeler.load`.

    Attributes
    ----------
    types
        The types of entities.
    settings
        Its settings; see `EntitySettings`.
    features
        The features: ``features.local(messages)`` hashes those of all words.
    crf
        The weights of features by kind and pattern.
    own_tagger
        The tagger stored in the labeler's file, if it requires one that is not installed.
    rules, threshold
        Defaults of `predict`; see `using`. They are not stored in the file.
    info
        Metadata: language, data, license, training settings, scores.
    calibration
        How probabilities become confidences; see `calibrate`.

    Examples
    --------
    >>> from treaty.text import ColumnSentence
    >>> rome = ColumnSentence([("in", "O"), ("Rome", "B-LOC")])
    >>> ann = ColumnSentence([("Ann", "B-PER"), ("sleeps", "O")])
    >>> labeler = EntityLabeler.train([rome, ann] * 5, tags=False, language_model=None)
    >>> (found,) = labeler.predict([["Ann", "in", "Rome"]])
    >>> [(entity.type, entity.text) for entity in found.entities], found.status
    ([('PER', 'Ann'), ('LOC', 'Rome')], <Status.OPTIMAL: 'OPTIMAL'>)
    """

    task = "entities"
    shipped = "entities"

    def __init__(
        self,
        types: Sequence[str],
        settings: EntitySettings,
        features: Features,
        crf: PatternCrf,
        *,
        own_tagger: Tagger | None = None,
        stop_words: frozenset[str] = frozenset(),
        info: Mapping[str, Any] | None = None,
    ) -> None:
        self.types, self.settings, self.features, self.crf = list(types), settings, features, crf
        self.own_tagger, self.stop_words, self.info = own_tagger, stop_words, dict(info or {})
        self.labels = scheme_named(settings.scheme).labels(types)
        self.calibration = Calibration.none(1)
        self.rules: EntityRules | None = None
        self.threshold: float | None = None

    # Training and files

    @classmethod
    def train(
        cls,
        examples: Iterable[ColumnSentence],
        dev: Iterable[ColumnSentence] = (),
        **options: Any,
    ) -> EntityLabeler:
        """Train a labeler on messages with labels; see `train_entities` for the options."""
        from treaty.label.entities._training import train_entities

        return train_entities(examples, dev, **options)

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        from treaty.label.entities._labeler_file import file_of_labeler

        return file_of_labeler(self)

    @classmethod
    def from_file(cls, file: ModelFile) -> EntityLabeler:
        """Make a labeler from the contents of a file and validate it."""
        from treaty.label.entities._labeler_file import labeler_of_file

        return labeler_of_file(file)

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[ColumnSentence]:
        """Read messages from a column file, whose last column has the labels."""
        return read_columns(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        ann = ColumnSentence([("Ann", "B-PER"), ("Lee", "I-PER"), ("sleeps", "O")])
        rome = ColumnSentence([("in", "O"), ("Rome", "B-LOC"), ("with", "O"), ("Ann", "B-PER")])
        inputs = [["Ann", "in", "Rome"], [], ["Rome", "sleeps"], rome]
        resources = {
            "clusters": Clusters({"rome": "010", "ann": "011"}),
            "gazetteers": Gazetteers({"city": ["New York", "Rome"]}),
        }
        options = {"order": "global", "epochs": 3, "language_model": None, "tags": False}
        return Sample([ann, rome] * 4, inputs, {**options, **resources})

    # Labeling

    def predict(
        self,
        inputs: Iterable[AnyMessage],
        *,
        document: bool = False,
        order: str | None = None,
        rules: EntityRules | None = None,
        threshold: float | None = None,
        method: str = "auto",
        threads: int = 1,
        **limits: Any,
    ) -> Iterator[LabeledMessage]:
        """Label messages as they arrive, with bounded memory.

        Parameters
        ----------
        inputs
            Strings, lists of words, `Message` or `ColumnSentence` objects.
        document
            Whether neighboring messages form a group, as the sentences of a document do; by
            default messages are grouped by the words they share.
        order
            ``"chain"`` labels each message separately: faster, but without the context of a group;
            by default the model's order.
        rules
            Phrases and patterns whose types are known; see `EntityRules`. They are evidence for
            the decoder, so the certificate is that of the best labeling given the rules.
        threshold
            Leave out entities whose confidence is less, from 0 to 1.
        method
            Decoding method of groups: ``"auto"``, or any method of `treaty.solve`.
        threads
            Number of threads; the results do not depend on it.
        **limits
            Limits of the method for each group, such as ``iterations``; and ``time_limit``, that of
            the whole call, in seconds. Groups that are not reached are labeled without what ties
            their messages; `LimitError` is raised where there are no features yet.

        Yields
        ------
        LabeledMessage
            The labeled messages, in order.
        """
        check_several(inputs, "messages", "use label_text")
        rules = self.rules if rules is None else rules
        threshold = self.threshold if threshold is None else threshold
        if threshold is not None and not 0 <= threshold <= 1:
            raise UsageError(f"threshold must be from 0 to 1, not {threshold}")
        chosen = self._order(order)
        clock = Clock(limits.pop("time_limit", None))
        options = {"method": method, "threads": threads, **limits}
        rest = (self.message(message) for message in checked(inputs))
        first_group, size = 0, BATCH
        if clock.left is not None and (document or chosen == "chain"):  # the groups are the same
            size = self.settings.most_in_group * max(1, FEW // self.settings.most_in_group)
        while True:
            with clock:
                if not (batch := list(islice(rest, size))):
                    return
                words = [message.words for message in batch]
                groups = self.groups(words, chosen, document=document)
                timed = {**options, **clock.limits}
                labeled = self._label(batch, words, groups, chosen, first_group, rules, timed)
            yield from (
                message.at_least(threshold) if threshold else message for message in labeled
            )
            first_group += len(groups)

    def using(
        self, rules: EntityRules | None = None, threshold: float | None = None
    ) -> EntityLabeler:
        """Return this labeler with rules and a threshold that all calls use, such as a pipeline's.

        Parameters
        ----------
        rules, threshold
            As in `predict`. The text of sentences that are given as words has a space between any
            two, which patterns must allow for.
        """
        made = copy(self)
        made.rules, made.threshold = rules, threshold
        return made

    def label_text(self, text: str, **options: Any) -> list[LabeledMessage]:
        """Label the sentences of a text as a document; see `predict` for the options.

        Returns
        -------
        list of LabeledMessage
            A message for each sentence, with positions in the text.
        """
        with Clock(options.get("time_limit")):
            sentences = sentences_of_text(text, self.tokenizer)
            return list(self.predict(sentences, document=True, **options))

    def evaluate(
        self, gold: Iterable[ColumnSentence], *, threads: int = 1, **options: Any
    ) -> dict[str, float]:
        """Label gold messages again and return F1, precision and recall (see `span_scores`).

        The options are those of `predict`.
        """
        messages = list(gold)
        found = self.predict(messages, threads=threads, **options)
        return entity_scores([m.labels for m in messages], [one.labels for one in found])

    def calibrate(self, judged: Iterable[tuple[float, bool]]) -> None:
        """Fit confidences to judged ones; see `judged_entities`. Earlier calibration is undone.

        Parameters
        ----------
        judged
            Confidences of entities in messages that the labeler was not trained on, and whether
            they are right.
        """
        if pairs := list(judged):
            sure, right = zip(*pairs, strict=True)
            self.calibration = Calibration.fit(self.calibration.undone(sure), right)

    def graph(
        self, messages: Iterable[AnyMessage], *, rules: EntityRules | None = None
    ) -> FactorGraph:
        """Return the factor graph of messages as one group, to add your own constraints.

        Its categorical variables are the words of all messages, in order; their states are
        `labels`. Rules are a part of it, as in `predict`.
        """
        every = [self.message(message) for message in messages]
        words = [message.words for message in every]
        groups = [list(range(len(words)))]
        evidence = self._evidence(every, rules)
        return self.crf.graph(self.instances(words, groups, evidence=evidence), 0)

    def k_best(
        self, message: AnyMessage, k: int, *, rules: EntityRules | None = None, **options: Any
    ) -> list[LabeledMessage]:
        """Find the k best labelings of one message, the best first.

        Parameters
        ----------
        message
            A string, a list of words, a `Message` or a `ColumnSentence`.
        k, **options
            As in `treaty.solve.k_best`; the certificate of a labeling is about all that are left.
        rules
            As in `predict`.
        """
        one = self.message(message)
        words, known = [one.words], self._evidence([one], self.rules if rules is None else rules)
        found = self.crf.k_best(self.instances(words, [[0]], evidence=known), 0, k, **options)
        chain = self.instances(words, [[0]], "chain", evidence=known)
        marginals = self.crf.marginals(chain)[0]
        return [self._labeled(one, row.labels.tolist(), marginals, row, 0) for row in found]

    # Parts

    def message(self, message: AnyMessage) -> Message:
        """Split a message into words."""
        if isinstance(message, Message):
            return message
        if isinstance(message, str):
            return message_of_text(message, self.tokenizer)
        if isinstance(message, ColumnSentence):
            return message_of_words(message.words)
        check_several(message, "words of a message")
        return message_of_words(message)

    def instances(
        self,
        words: Sequence[Sequence[str]],
        groups: Sequence[Sequence[int]],
        order: str | None = None,
        local: Local | None = None,
        evidence: Sequence[Evidence] | None = None,
    ) -> Instances:
        """Make the instances of the model: one for each group of messages."""
        pairs = None
        if self._order(order) == "global":
            pairs = [self._pairs([words[i] for i in group]) for group in groups]
        return self.features.instances(words, groups, self.crf.kinds, pairs, local, evidence)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer for texts."""
        name, tagger = self.settings.language_model, self.features.tagger or self.own_tagger
        if tagger is None and name is None:
            raise UsageError(
                "this model was trained without a language model and cannot tokenize text: give "
                "lists of words, or train it with a language model"
            )
        tagger = tagger or Tagger.load(name)
        if tagger.tokenizer is None:
            raise UsageError("the language model has no tokenizer: give lists of words")
        return tagger.tokenizer

    def groups(
        self, words: Sequence[Sequence[str]], order: str | None = None, *, document: bool = False
    ) -> list[list[int]]:
        """Group messages by the settings; in a chain each message is separate."""
        most, numbers = self.settings.most_in_group, list(range(len(words)))
        if self._order(order) == "chain":
            return [[i] for i in numbers]
        if document:
            return [numbers[i : i + most] for i in range(0, len(words), most)]
        return group_messages(
            words, stop_words=self.stop_words, threshold=self.settings.threshold, most=most
        )

    def _evidence(
        self, messages: Sequence[Message], rules: EntityRules | None
    ) -> list[Evidence] | None:
        made = [Evidence([], [], []) for _ in messages]
        if rules is not None:
            rules.check(self.types)
            scheme = self.settings.scheme
            made = [evidence_of(rules, message, self.labels, scheme) for message in messages]
        if self.settings.scheme != "BIO":  # which does not tell where names end
            for message, own in zip(messages, made, strict=True):
                forbid_halves(message, self.labels, own)
        return made if any(own.words for own in made) else None

    def _order(self, order: str | None) -> str:
        if order not in (None, "chain", self.settings.order):
            raise UsageError(
                f"this model has the order {self.settings.order!r}; it cannot label with {order!r}"
            )
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
        rules: EntityRules | None,
        options: Mapping[str, Any],
    ) -> list[LabeledMessage]:
        local, known = self.features.local(words), self._evidence(messages, rules)
        chains = self.instances(words, [[i] for i in range(len(words))], "chain", local, known)
        instances = chains
        if order != "chain":
            instances = self.instances(words, groups, order, local, known)
        labelings = self.crf.decode(instances, **options)
        marginals = self.crf.marginals(chains)
        found: dict[int, LabeledMessage] = {}
        for number, (group, labeling) in enumerate(zip(groups, labelings, strict=True)):
            check_stopped()
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
            least = min(float(marginals[i][row[i]]) for i in range(first, end))
            confidence = float(self.calibration(logit(least))[0])
            text = message.text[start:stop]
            entities.append(Entity(kind, text, start, stop, first, end - 1, confidence))
        return LabeledMessage(
            message,
            labels,
            tuple(entities),
            group,
            labeling.certificate,
        )
