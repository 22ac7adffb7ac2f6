"""Smooth answers of factor graphs and their gradients."""

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
    "Gradient",
    "Marginals",
    "Smooth",
    "SmoothCertificate",
    "SparseSmooth",
    "WarmStarts",
    "lp_sparsemap",
    "lp_sparsemap_many",
    "marginals",
    "sparsemap",
]
