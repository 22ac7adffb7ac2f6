"""The structure of entity labelers: labels of words under any scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treaty.errors import UsageError
from treaty.label._instances import Instances
from treaty.label._structure import PatternParts, PatternStructure
from treaty.label.entities._labeled import LabeledMessage
from treaty.label.entities._partial import label_numbers
from treaty.learn import Decoding
from treaty.text import ColumnSentence

if TYPE_CHECKING:
    from treaty.label.entities._labeler import EntityLabeler

__all__ = ["EntityStructure"]


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
