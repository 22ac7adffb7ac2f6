"""Results of the entity labeler: messages with labels, entities and certificates."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from treaty.label.entities._messages import Message
from treaty.solve import Certificate, Certified
from treaty.text import OUTSIDE, Entity

__all__ = ["Entity", "LabeledMessage"]


@dataclass(frozen=True, slots=True)
class LabeledMessage(Certified):
    """A message with its labels, entities and certificate.

    Parameters
    ----------
    message
        The text and the positions of its words.
    labels
        A label for each word.
    entities
        The entities given by the labels.
    group
        The number of the group in which it was labeled.
    certificate
        The certificate of the labels of that group.
    """

    message: Message
    labels: tuple[str, ...]
    entities: tuple[Entity, ...]
    group: int
    certificate: Certificate

    @property
    def start(self) -> int:
        """Position of the start of the first word in the text."""
        return self.message.places[0][0] if len(self.message) else 0

    @property
    def end(self) -> int:
        """Position of the end of the last word in the text."""
        return self.message.places[-1][1] if len(self.message) else 0

    @property
    def text(self) -> str:
        """The text from the first word to the last."""
        return self.message.text[self.start : self.end]

    def at_least(self, confidence: float) -> LabeledMessage:
        """Return the message without entities of less confidence; the certificate stays the same.

        Examples
        --------
        >>> from treaty.label.entities import message_of_words
        >>> from treaty.solve import Certificate
        >>> ann = Entity("PER", "Ann", 0, 3, 0, 0, 0.4)
        >>> message = message_of_words(["Ann"])
        >>> labeled = LabeledMessage(message, ("S-PER",), (ann,), 0, Certificate.exact(1.0))
        >>> labeled.at_least(0.5).labels, labeled.at_least(0.4).labels
        (('O',), ('S-PER',))
        """
        labels = list(self.labels)
        for entity in self.entities:
            if not _is_at_least(entity, confidence):
                size = entity.last + 1 - entity.first
                labels[entity.first : entity.last + 1] = [OUTSIDE] * size
        entities = tuple(e for e in self.entities if _is_at_least(e, confidence))
        return replace(self, labels=tuple(labels), entities=entities)

    def to_dict(self) -> dict[str, Any]:
        """Return the message, its entities and the certificate of its group, for JSON."""
        return {
            "text": self.text,
            "start": self.start,
            "words": self.message.words,
            "labels": list(self.labels),
            "entities": [
                {**asdict(entity), "confidence": _rounded(entity.confidence)}
                for entity in self.entities
            ],
            "group": self.group,
            "certificate": self.certificate.to_dict(),
        }


def _is_at_least(entity: Entity, confidence: float) -> bool:
    return entity.confidence is None or entity.confidence >= confidence


def _rounded(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 6)
