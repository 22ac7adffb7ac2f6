"""What the entity labeler gives: messages with labels and entities, and what they are worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from treaty.label.entities._messages import Message
from treaty.solve import Certificate, Certified

__all__ = ["Entity", "LabeledMessage"]


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
class LabeledMessage(Certified):
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
    certificate
        What the labels of that group are worth.
    """

    message: Message
    labels: tuple[str, ...]
    entities: tuple[Entity, ...]
    group: int
    certificate: Certificate

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

    def to_dict(self) -> dict[str, Any]:
        """Give the message, its entities and the certificate of its group, for JSON."""
        return {
            "text": self.text,
            "start": self.start,
            "words": self.message.words,
            "labels": list(self.labels),
            "entities": [
                {**asdict(entity), "confidence": round(entity.confidence, 6)}
                for entity in self.entities
            ],
            "group": self.group,
            "certificate": self.certificate.to_dict(),
        }
