"""Labels and what they are worth."""

import json

import numpy as np

from treaty import Certificate, Status
from treaty.label._labeling import Labeling


def test_a_labeling_reads_its_certificate_and_gives_itself_as_a_dict():
    found = Labeling(np.array([1, 0], np.int32), Certificate(Status.FEASIBLE, 1.0, 1.5))
    assert (found.status, found.gap, found.solution) == (Status.FEASIBLE, 0.5, None)
    told = json.loads(json.dumps(found.to_dict()))
    assert told["labels"] == [1, 0] and told["certificate"]["bound"] == 1.5
