"""Labeling: generalized higher-order CRFs over chains, trees and other graphs."""

from treaty.label._crf import PatternCrf
from treaty.label._estimator import SequenceLabeler
from treaty.label._instances import Instances
from treaty.label._kinds import PatternKind
from treaty.label._labeling import Labeling
from treaty.label._sequences import LabeledSequence, SequenceModel
from treaty.label._training import TrainingOptions
from treaty.label.entities import (
    Entity,
    EntityLabeler,
    EntityRule,
    EntityRules,
    EntitySettings,
    Gazetteers,
    LabeledMessage,
    Message,
    group_messages,
    judged_entities,
    sentences_of_text,
    train_entities,
)
from treaty.label.threads import LinkedThread, ThreadLinker

__all__ = [
    "Entity",
    "EntityLabeler",
    "EntityRule",
    "EntityRules",
    "EntitySettings",
    "Gazetteers",
    "Instances",
    "LabeledMessage",
    "LabeledSequence",
    "Labeling",
    "LinkedThread",
    "Message",
    "PatternCrf",
    "PatternKind",
    "SequenceLabeler",
    "SequenceModel",
    "ThreadLinker",
    "TrainingOptions",
    "group_messages",
    "judged_entities",
    "sentences_of_text",
    "train_entities",
]
