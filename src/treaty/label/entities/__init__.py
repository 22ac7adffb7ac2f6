"""Named entity recognition: messages to entities with types, confidences and certificates."""

from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._groups import common_words, group_messages
from treaty.label.entities._judged import judged_entities
from treaty.label.entities._labeled import Entity, LabeledMessage
from treaty.label.entities._labeler import EntityLabeler
from treaty.label.entities._messages import (
    Message,
    message_of_text,
    message_of_words,
    sentences_of_text,
)
from treaty.label.entities._phrases import PhrasePair, phrase_pairs
from treaty.label.entities._rules import EntityRule, EntityRules
from treaty.label.entities._settings import ORDERS, EntitySettings
from treaty.label.entities._training import train_entities

__all__ = [
    "ORDERS",
    "Entity",
    "EntityLabeler",
    "EntityRule",
    "EntityRules",
    "EntitySettings",
    "Gazetteers",
    "LabeledMessage",
    "Message",
    "PhrasePair",
    "common_words",
    "group_messages",
    "judged_entities",
    "message_of_text",
    "message_of_words",
    "phrase_pairs",
    "sentences_of_text",
    "train_entities",
]
