"""Labelings: labels with their certificate."""

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
        The certificate. The objective is ``-inf`` if no labeling was found, which happens only if
        the forbidden patterns leave none or few.
    solution
        The solver's solution, if one was used: values, relaxation, trace.
    """

    labels: npt.NDArray[np.int32]
    certificate: Certificate
    solution: Solution | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return labels and certificate, for JSON."""
        return {"labels": self.labels.tolist(), "certificate": self.certificate.to_dict()}
