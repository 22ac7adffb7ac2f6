"""What decoding gives: labels and what they are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.solve import Certificate, Certified, Solution

__all__ = ["Labeling"]


@dataclass(frozen=True, eq=False)
class Labeling(Certified):
    """The labels of an instance, with their certificate.

    Attributes
    ----------
    labels
        One label number per vertex.
    certificate
        What the labels are worth. The objective is ``-inf`` if no labeling was found, which is so
        only where the forbidden patterns leave none or hide it well.
    solution
        What the solver found, where one was needed: values, relaxation, trace.
    """

    labels: npt.NDArray[np.int32]
    certificate: Certificate
    solution: Solution | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give labels and certificate, for JSON."""
        return {"labels": self.labels.tolist(), "certificate": self.certificate.to_dict()}
