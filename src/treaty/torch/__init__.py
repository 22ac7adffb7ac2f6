"""Factor graphs as layers and losses of PyTorch; requires ``pip install 'treaty[torch]'``.

Solvers run on the CPU in double precision: tensors of a GPU are copied there and back, and those
of float32 and float16 are converted. The layers work inside of ``torch.compile`` (which runs them
as they are, between what it compiles) and have first derivatives only.
"""

from treaty.errors import UsageError

try:
    import torch
except ImportError as error:
    raise UsageError("treaty.torch requires PyTorch: pip install 'treaty[torch]'") from error

from treaty.torch._functions import (
    blackbox,
    hinge_loss,
    implicit_mle,
    log_loss,
    log_partition,
    lp_sparsemap,
    marginals,
    perceptron_loss,
    perturbed_loss,
    sparsemap,
    sparsemap_loss,
    spo_plus_loss,
)
from treaty.torch._modules import (
    Blackbox,
    HingeLoss,
    ImplicitMLE,
    LogLoss,
    LPSparseMAP,
    Marginals,
    PerceptronLoss,
    PerturbedLoss,
    SparseMAP,
    SparseMAPLoss,
    SPOPlusLoss,
)

__all__ = [
    "Blackbox",
    "HingeLoss",
    "ImplicitMLE",
    "LPSparseMAP",
    "LogLoss",
    "Marginals",
    "PerceptronLoss",
    "PerturbedLoss",
    "SPOPlusLoss",
    "SparseMAP",
    "SparseMAPLoss",
    "blackbox",
    "hinge_loss",
    "implicit_mle",
    "log_loss",
    "log_partition",
    "lp_sparsemap",
    "marginals",
    "perceptron_loss",
    "perturbed_loss",
    "sparsemap",
    "sparsemap_loss",
    "spo_plus_loss",
]
del torch
