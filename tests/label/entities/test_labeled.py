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


def test_entities_of_less_confidence_are_left_out():
    message = Message("New York or Ann", ((0, 3), (4, 8), (9, 11), (12, 15)))
    york = Entity("LOC", "New York", 0, 8, 0, 1, 0.6)
    ann = Entity("PER", "Ann", 12, 15, 3, 3, None)
    labels = ("B-LOC", "E-LOC", "O", "S-PER")
    labeled = LabeledMessage(message, labels, (york, ann), 0, Certificate.exact(2.0))
    assert labeled.at_least(0.6) == labeled
    left = labeled.at_least(0.61)
    assert (left.labels, left.entities) == (("O", "O", "O", "S-PER"), (ann,))
    assert left.certificate == labeled.certificate
