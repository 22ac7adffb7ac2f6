"""The entity labeler: from messages to entities with confidences and certificates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from treaty import languages
from treaty._threads import Clock, check_stopped, checked
from treaty.errors import ModelError, TreatyError, UsageError, check_several
from treaty.features import TemplateSet
from treaty.label._crf import PatternCrf, crf_header
from treaty.label._instances import Instances
from treaty.label._labeling import Labeling
from treaty.label._structure import PatternParts, PatternStructure
from treaty.label.entities._evidence import Evidence, evidence_of, forbid_halves
from treaty.label.entities._features import Features, Local
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._groups import group_messages
from treaty.label.entities._kinds import kinds_of
from treaty.label.entities._labeled import Entity, LabeledMessage
from treaty.label.entities._messages import (
    Message,
    message_of_text,
    message_of_words,
    sentences_of_text,
)
from treaty.label.entities._partial import label_numbers
from treaty.label.entities._phrases import PhrasePair, phrase_pairs
from treaty.label.entities._rules import EntityRules
from treaty.label.entities._scores import entity_scores
from treaty.label.entities._settings import EntitySettings
from treaty.learn import (
    Calibration,
    Decoding,
    Model,
    ModelFile,
    ModelScores,
    Sample,
    Texts,
    check_needs,
    logit,
    needs,
    string_tensor,
)
from treaty.parse import Clusters, Tagger
from treaty.parse._language import Vocabulary, vocabulary_of
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
CRF, CLUSTERS, GAZETTEERS = "crf", "clusters.", "gazetteers."
MOST_TYPES = 64


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
        features.language = languages.get(str(self.info.get("language") or ""))
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
        return file_of_labeler(self)

    @classmethod
    def from_file(cls, file: ModelFile) -> EntityLabeler:
        """Make a labeler from the contents of a file and validate it."""
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
        labeler = copy(self)
        labeler.rules, labeler.threshold = rules, threshold
        return labeler

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
        predicted = self.predict(messages, threads=threads, **options)
        answers = [labeled.labels for labeled in predicted]
        return entity_scores([message.labels for message in messages], answers)

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
        labelings = self.crf.k_best(self.instances(words, [[0]], evidence=known), 0, k, **options)
        chain = self.instances(words, [[0]], "chain", evidence=known)
        marginals = self.crf.marginals(chain)[0]
        return [self._labeled(one, row.labels.tolist(), marginals, row, 0) for row in labelings]

    # The contract

    def structures(self) -> dict[str, EntityStructure]:
        """Return the structure: the labels of the words of a group of messages."""
        return {"labels": EntityStructure(self)}

    def scored(self, structure: str) -> ModelScores:
        """Return the scorer and its weights."""
        return self.structures()[structure].model_scores()

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
    def vocabulary(self) -> Vocabulary | None:
        """Letters and words of the language model's language, to notice texts in others."""
        tagger = self.features.tagger or self.own_tagger
        return vocabulary_of(tagger, self.info.get("language"))

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
        evidence = [Evidence([], [], []) for _ in messages]
        if rules is not None:
            rules.check(self.types)
            scheme = self.settings.scheme
            evidence = [evidence_of(rules, message, self.labels, scheme) for message in messages]
        if self.settings.scheme != "BIO":  # which does not tell where names end
            for message, of_message in zip(messages, evidence, strict=True):
                forbid_halves(message, self.labels, of_message)
        return evidence if any(of_message.words for of_message in evidence) else None

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
        labeled: dict[int, LabeledMessage] = {}
        for number, (group, labeling) in enumerate(zip(groups, labelings, strict=True)):
            check_stopped()
            ends = np.cumsum([len(words[i]) for i in group])
            for i, row in zip(group, np.split(labeling.labels, ends[:-1]), strict=True):
                labeled[i] = self._labeled(
                    messages[i], row.tolist(), marginals[i], labeling, first_group + number
                )
        return [labeled[i] for i in range(len(messages))]

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


def file_of_labeler(labeler: EntityLabeler) -> ModelFile:
    """Return the contents of a labeler's model file."""
    features = labeler.features
    header: dict[str, Any] = {
        "types": labeler.types,
        "settings": asdict(labeler.settings),
        "templates": list(features.templates.templates),
        "gazetteers": features.gazetteers.names,
        "calibration": {"entity": labeler.calibration.to_list()},
        "needs": needs(*_needed(labeler.settings)),
        "info": labeler.info,
    }
    tensors = {
        "stop_words": string_tensor(sorted(labeler.stop_words)),
        **features.clusters.tensors(CLUSTERS),
        **features.gazetteers.tensors(GAZETTEERS),
    }
    file = ModelFile(EntityLabeler.task, {}, tensors).with_part(CRF, labeler.crf.to_file())
    # The labels and kinds of the CRF follow from types and settings, and are not stored.
    file = ModelFile(file.task, header, file.tensors)
    if labeler.own_tagger is not None:
        file = file.with_part(Tagger.task, labeler.own_tagger.to_file())
    return file


def labeler_of_file(file: ModelFile) -> EntityLabeler:
    """Make a labeler from the contents of a model file and validate it."""
    types, info = file.strings("types", Texts(1, MOST_TYPES)), file.info()
    try:
        settings = EntitySettings(**file.settings("settings", EntitySettings.ranges))
        tagger = Tagger.from_file(file.part(Tagger.task)) if Tagger.task in file.header else None
        features = Features(
            TemplateSet(tuple(file.strings("templates"))),
            clusters=Clusters.from_file(file, CLUSTERS),
            gazetteers=Gazetteers.from_file(file, GAZETTEERS, file.strings("gazetteers")),
            tagger=_tagger(file, settings, tagger),
        )
        crf = _crf(file, types, settings)
    except ModelError:
        raise
    except TreatyError as error:
        raise file.fault(error.message) from error
    stop_words = frozenset(file.string_list("stop_words"))
    labeler = EntityLabeler(
        types, settings, features, crf, own_tagger=tagger, stop_words=stop_words, info=info
    )
    labeler.calibration = Calibration.from_file(file, "entity", 1)
    return labeler


def _crf(file: ModelFile, types: list[str], settings: EntitySettings) -> PatternCrf:
    header = crf_header(scheme_named(settings.scheme).labels(types), kinds_of(settings, types))
    return PatternCrf.from_file(
        ModelFile(file.task, {CRF: header}, file.tensors, file.name).part(CRF)
    )


def _tagger(file: ModelFile, settings: EntitySettings, stored: Tagger | None) -> Tagger | None:
    """Return the tagger, if the features use tags."""
    check_needs(file, *_needed(settings))
    if not settings.tags or stored is not None:
        return stored if settings.tags else None
    if settings.language_model is None:
        raise file.fault("the features use tags, but there is no tagger")
    return Tagger.load(settings.language_model)


def _needed(settings: EntitySettings) -> tuple[str, ...]:
    return () if settings.language_model is None else (settings.language_model,)


class EntityStructure(PatternStructure):
    """The labels of the words of one message, and the factors of the labeler's order over them.

    Inputs are messages in any form that the labeler takes, and examples have labels.
    """

    def __init__(self, labeler: EntityLabeler) -> None:
        super().__init__(labeler.crf)
        self.labeler = labeler

    def instances(self, given: Any) -> Instances:
        """Make the chain of a message, and the factors of the phrases that it repeats."""
        labeler, message = self.labeler, self.labeler.message(given)
        evidence = labeler._evidence([message], labeler.rules)
        return labeler.instances([message.words], [[0]], evidence=evidence)

    def gold_labels(self, parts: PatternParts, example: ColumnSentence) -> Any:
        """Return the numbers of the labels, in the scheme of the labeler."""
        labeler = self.labeler
        numbers, sets = label_numbers([example.labels], labeler.labels, labeler.settings.scheme)
        if len(sets):
            raise UsageError("labels that are known in part need the learner 'likelihood'")
        return numbers

    def read(self, parts: PatternParts, decoding: Decoding) -> LabeledMessage:
        """Return the labeled message; confidences are those of the labeler's own weights."""
        labeler, message = self.labeler, self.labeler.message(parts.given)
        known = labeler._evidence([message], labeler.rules)
        chain = labeler.instances([message.words], [[0]], "chain", evidence=known)
        (labeling,) = self.labels_of(parts, decoding)
        (marginals,) = labeler.crf.marginals(chain)
        row = np.asarray(labeling.labels).tolist()
        labeled = labeler._labeled(message, row, marginals, labeling, 0)
        return labeled if labeler.threshold is None else labeled.at_least(labeler.threshold)
