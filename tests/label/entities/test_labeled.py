"""Labeled messages as dicts."""

from treaty.label.entities import Entity, LabeledMessage, Message
from treaty.solve import Certificate, Status


def test_a_dict_has_places_entities_and_the_certificate():
    entity = Entity("LOC", "Rome", 10, 14, 1, 1, 0.87654321)
    certificate = Certificate(Status.FEASIBLE, 1.5, 1.75, 9)
    message = Message("Well, see Rome!", ((6, 9), (10, 14)))
    labeled = LabeledMessage(message, ("O", "S-LOC"), (entity,), 3, certificate)
    assert (labeled.gap, labeled.iterations) == (0.25, 9)
    assert labeled.to_dict() == {
        "text": "see Rome",
        "start": 6,
        "words": ["see", "Rome"],
        "labels": ["O", "S-LOC"],
        "entities": [
            {
                "type": "LOC",
                "text": "Rome",
                "start": 10,
                "end": 14,
                "first": 1,
                "last": 1,
                "confidence": 0.876543,
            }
        ],
        "group": 3,
        "certificate": certificate.to_dict(),
    }


def test_a_message_without_words_is_empty():
    labeled = LabeledMessage(Message(" ", ()), (), (), 0, Certificate.exact(0.0))
    assert (labeled.text, labeled.start, labeled.end) == ("", 0, 0)
