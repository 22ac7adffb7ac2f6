"""Entities of documents: found by a labeler, and marked in the column MISC of CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from treaty.errors import UsageError
from treaty.learn import load
from treaty.parse.documents._misc import with_misc
from treaty.parse.documents._word import confidence
from treaty.solve import Certificate
from treaty.text import (
    OUTSIDE,
    Entity,
    Quality,
    Sentence,
    Span,
    labels_of_spans,
    spans_of_labels,
)
from treaty.text._spaces import misc_value

if TYPE_CHECKING:
    from treaty.parse.trees._parser import Parse

__all__ = ["EntityFinder", "EntityModel", "entities_in_misc", "marked", "placed"]

MARK, SURE = "NER", "NERConfidence"
"""Attributes of MISC: the label of a word such as ``B-PER``; the confidence, of the first word."""
TASK = "entities"
Place = tuple[int, int]


class Labeled(Protocol):
    """A sentence with entities; `first` and `last` of each are indexes of its words."""

    @property
    def entities(self) -> Sequence[Entity]:
        """The entities."""

    @property
    def certificate(self) -> Certificate:
        """How good the labels are."""


class EntityModel(Protocol):
    """A model that finds entities in sentences, such as `treaty.label.EntityLabeler`."""

    info: dict[str, Any]

    def predict(
        self, inputs: Iterable[Sequence[str]], *, document: bool = False, threads: int = 1
    ) -> Iterator[Labeled]:
        """Label sentences, given their words; those of a document belong together."""


class EntityFinder:
    """Finds the entities of sentences with a labeler, which is loaded when it is first needed."""

    def __init__(self) -> None:
        self._loaded: dict[str, EntityModel] = {}

    def model(self, given: object) -> EntityModel:
        """Return the labeler that is meant: True for that of the package, a name, or itself."""
        if hasattr(given, "predict") and getattr(given, "task", TASK) == TASK:
            return given  # type: ignore[return-value]
        name = TASK if given is True else given
        if not isinstance(name, str):
            raise UsageError(
                "entities must be True, the name or file of a model for entities, or such a "
                f"model, not {type(given).__name__}"
            )
        if name not in self._loaded:
            loaded: Any = load(name)
            if loaded.task != TASK:
                raise UsageError(f"{name!r} is a model for {loaded.task}, not for entities")
            self._loaded[name] = loaded
        return self._loaded[name]

    def find(
        self, given: object, sentences: Sequence[Sentence], threads: int = 1
    ) -> tuple[list[Sentence], list[Sequence[Entity]], list[Certificate]]:
        """Find the entities of each sentence of a document.

        Returns
        -------
        sentences, entities, certificates
            The sentences, annotated with how good their entities are; the entities of each, and
            their certificates.
        """
        words = [sentence.words for sentence in sentences]
        every = list(self.model(given).predict(words, document=True, threads=threads))
        known = [_judged(s, f.certificate) for s, f in zip(sentences, every, strict=True)]
        return known, [one.entities for one in every], [one.certificate for one in every]

    def mark(
        self, given: object, parses: Sequence[Parse], threads: int, confidences: bool
    ) -> tuple[list[Parse], list[Certificate]]:
        """Find the entities of the sentences of a document, and mark them in MISC.

        Returns
        -------
        parses, certificates
            The marked sentences, and the certificates of the entities of each.
        """
        before = [parse.sentence for parse in parses]
        sentences, entities_of, certificates = self.find(given, before, threads)
        every = zip(parses, sentences, entities_of, strict=True)
        done = [replace(p, sentence=marked(s, names, confidences)) for p, s, names in every]
        return done, certificates


def _judged(sentence: Sentence, certificate: Certificate) -> Sentence:
    """Annotate a sentence with how good its entities are; what a file said before is forgotten."""
    kept = [line for line in sentence.comments if not line.startswith("# entities_")]
    known = replace(sentence.annotations, entities=Quality.of(certificate))
    return replace(sentence, comments=kept, annotations=known)


def placed(
    entities_of: Iterable[Iterable[Entity]],
    sentences: Iterable[Sentence],
    spans: Sequence[Place],
    text: str,
) -> list[Entity]:
    """Place the entities of sentences in the text that has them, given the span of each word."""
    every, done = [], 0
    for entities, sentence in zip(entities_of, sentences, strict=True):
        for entity in entities:
            first, last = entity.first + done, entity.last + done
            start, end = spans[first][0], spans[last][1]
            every.append(
                replace(entity, text=text[start:end], start=start, end=end, first=first, last=last)
            )
        done += len(sentence)
    return every


def marked(sentence: Sentence, entities: Iterable[Entity], confidences: bool = False) -> Sentence:
    """Mark entities in the column MISC; those that were marked before are forgotten.

    Parameters
    ----------
    sentence
        A sentence.
    entities
        Its entities; `first` and `last` are indexes of its words.
    confidences
        Whether to write their confidences, too.

    Examples
    --------
    >>> ada = Entity("PER", "Ada", start=0, end=3, first=0, last=0, confidence=0.95)
    >>> [token.misc for token in marked(Sentence.from_words(["Ada", "ran"]), [ada], True)]
    ['NER=B-PER|NERConfidence=0.95', '_']
    """
    every = list(entities)
    spans = [Span(entity.first, entity.last + 1, entity.type) for entity in every]
    sure = {e.first: f"{e.confidence:.4g}" for e in every if e.confidence is not None}
    labels = labels_of_spans(spans, len(sentence), "BIO")
    tokens = []
    for place, (token, label) in enumerate(zip(sentence.tokens, labels, strict=True)):
        values = {MARK: None if label == OUTSIDE else label, SURE: None}
        if confidences and place in sure:
            values[SURE] = sure[place]
        misc = with_misc(token.misc, values)
        tokens.append(token if misc == token.misc else replace(token, misc=misc))
    return sentence.with_tokens(tokens)


def entities_in_misc(sentences: Iterable[Sentence]) -> Iterator[list[Entity]]:
    """Read the entities that are marked in MISC, without text and position.

    Examples
    --------
    >>> from treaty.text import Token
    >>> [found] = entities_in_misc([Sentence([Token("Ada", misc="NER=B-PER"), Token("ran")])])
    >>> found[0].type, found[0].first, found[0].last
    ('PER', 0, 0)
    """
    for sentence in sentences:
        labels = [misc_value(token.misc, MARK) or OUTSIDE for token in sentence.tokens]
        entities = []
        if any(label != OUTSIDE for label in labels):
            for first, end, kind in spans_of_labels(labels):
                sure = confidence(sentence.tokens[first].misc, MARK)
                entities.append(Entity(kind, "", 0, 0, first, end - 1, sure))
        yield entities
