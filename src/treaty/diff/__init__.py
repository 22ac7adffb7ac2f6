"""Smooth answers of factor graphs and their gradients."""

from treaty.diff._smooth import (
    Gradient,
    Smooth,
    SmoothCertificate,
    lp_sparsemap,
    lp_sparsemap_many,
)
from treaty.diff._warm import WarmStarts

__all__ = [
    "Gradient",
    "Smooth",
    "SmoothCertificate",
    "WarmStarts",
    "lp_sparsemap",
    "lp_sparsemap_many",
]
