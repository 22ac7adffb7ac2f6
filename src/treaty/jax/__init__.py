"""Factor graphs as functions of JAX; requires ``pip install 'treaty[jax]'``.

They work under ``jit``, ``grad`` and ``vmap`` (a batch is one call). Solvers run on the CPU in
double precision, as callbacks; results have the precision of the scores. Reverse derivatives
only, and the first.
"""

from treaty.errors import UsageError

try:
    import jax
except ImportError as error:
    raise UsageError("treaty.jax requires JAX: pip install 'treaty[jax]'") from error

from treaty.jax._functions import (
    blackbox,
    hinge_loss,
    implicit_mle,
    log_loss,
    lp_sparsemap,
    marginals,
    perceptron_loss,
    perturbed_loss,
    sparsemap,
    sparsemap_loss,
    spo_plus_loss,
)

__all__ = [
    "blackbox",
    "hinge_loss",
    "implicit_mle",
    "log_loss",
    "lp_sparsemap",
    "marginals",
    "perceptron_loss",
    "perturbed_loss",
    "sparsemap",
    "sparsemap_loss",
    "spo_plus_loss",
]
del jax
