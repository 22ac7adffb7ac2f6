"""Solvers with one interface; each answer comes with a certificate."""

from treaty.solve._batch import BatchSolution, solve_batch
from treaty.solve._certificate import Certificate, Certified, Status
from treaty.solve._check import Check, check
from treaty.solve._k_best import MaxMarginals, k_best, max_marginals
from treaty.solve._marginals import LogPartition, log_partition, marginals
from treaty.solve._methods import METHODS, Limits, Method, MethodOption, SolveOptions
from treaty.solve._relaxation import Relaxation, linear_relaxation
from treaty.solve._solution import Solution, Trace
from treaty.solve._solve import options_of, solve, solve_many
from treaty.solve._warm_starts import WarmStarts

__all__ = [
    "METHODS",
    "BatchSolution",
    "Certificate",
    "Certified",
    "Check",
    "Limits",
    "LogPartition",
    "MaxMarginals",
    "Method",
    "MethodOption",
    "Relaxation",
    "Solution",
    "SolveOptions",
    "Status",
    "Trace",
    "WarmStarts",
    "check",
    "k_best",
    "linear_relaxation",
    "log_partition",
    "marginals",
    "max_marginals",
    "options_of",
    "solve",
    "solve_batch",
    "solve_many",
]
