"""Results of the entity labeler: messages with labels, entities and certificates."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from treaty.corpus import Entity
from treaty.label.entities._messages import Message
from treaty.solve import Certificate, Certified

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


def _rounded(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 6)
