"""Smooth answers of factor graphs, losses, and their gradients."""

from treaty.diff._estimators import Decoded, blackbox, implicit_mle
from treaty.diff._losses import (
    Loss,
    hinge_loss,
    log_loss,
    perceptron_loss,
    perturbed_loss,
    sparsemap_loss,
    spo_plus_loss,
)
from treaty.diff._marginals import Marginals, marginals
from treaty.diff._smooth import (
    Gradient,
    Smooth,
    SmoothCertificate,
    lp_sparsemap,
    lp_sparsemap_many,
)
from treaty.diff._sparsemap import SparseSmooth, sparsemap
from treaty.solve import WarmStarts

__all__ = [
    "Decoded",
    "Gradient",
    "Loss",
    "Marginals",
    "Smooth",
    "SmoothCertificate",
    "SparseSmooth",
    "WarmStarts",
    "blackbox",
    "hinge_loss",
    "implicit_mle",
    "log_loss",
    "lp_sparsemap",
    "lp_sparsemap_many",
    "marginals",
    "perceptron_loss",
    "perturbed_loss",
    "sparsemap",
    "sparsemap_loss",
    "spo_plus_loss",
]
