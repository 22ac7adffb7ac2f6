"""Best answers for rows of scores, gold answers, and how often each parameter counts in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native import diff as native
from treaty.diff._smooth import Doubles
from treaty.errors import SolverError, UsageError
from treaty.graph._parameters import rows_of_scores

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = [
    "Answers", "Gold", "Limits", "all_parameters", "counts_of", "decode", "gold_answers",
    "perturbed", "score_of",
]  # fmt: skip

Bits = npt.NDArray[np.int8]
Limits = dict[str, Any]
PROVED = 1e-9
"""A bound that exceeds the score by no more, relative to the score, is that of the best answer."""


class Answers(NamedTuple):
    """The answers of a batch, their scores, and bounds on those of the best."""

    values: Bits
    score: Doubles
    bound: Doubles


class Gold(NamedTuple):
    """Gold answers, how often each parameter counts in them, and their scores."""

    values: Bits
    counts: Doubles
    score: Doubles
    hidden: Doubles
    """The scores that factors of users add."""


def all_parameters(
    what: str, graph: FactorGraph, scores: npt.ArrayLike | None
) -> tuple[Doubles, bool]:
    """Convert scores to rows of all parameters; also says whether they are a batch."""
    rows = rows_of_scores(what if ":" in what else f"{what}: scores", graph, scores)
    is_batch = scores is not None and np.ndim(scores) == 2
    parameters = graph.native.parameters
    missing = len(parameters) - rows.shape[1]
    if missing:
        of_factors = np.broadcast_to(parameters[-missing:], (len(rows), missing))
        rows = np.concatenate([rows, of_factors], axis=1)
    return rows, is_batch


def counts_of(graph: FactorGraph, values: Bits) -> Doubles:
    """How often each parameter counts in the score of each assignment."""
    counts: Doubles = native.count(graph.native, np.ascontiguousarray(values, np.int8))[0]
    return counts


def score_of(counts: Doubles, rows: Doubles) -> Doubles:
    """Add up the scores of assignments with such counts; what does not count may be -inf."""
    score: Doubles = np.where(counts != 0.0, rows, 0.0)
    return np.asarray((score * counts).sum(axis=1))


def gold_answers(what: str, graph: FactorGraph, gold: npt.ArrayLike, rows: Doubles) -> Gold:
    """Check gold answers: zeros and ones that every factor allows."""
    variables = graph.native.variables
    array = np.asarray(gold)
    given = array[None] if array.ndim == 1 else array
    if array.dtype.kind not in "biuf" or given.ndim != 2 or given.shape[1] != variables:
        raise UsageError(
            f"{what}: gold: expected 0 or 1 for each of the {variables} variables, got an array "
            f"of shape {array.shape}"
        )
    if len(given) not in (1, len(rows)):
        raise UsageError(f"{what}: got {len(rows)} rows of scores but {len(given)} gold answers")
    if not ((given == 0) | (given == 1)).all():
        item, variable = np.argwhere((given != 0) & (given != 1))[0].tolist()
        _refuse(what, item, f"{graph.name_of(variable)} is {given[item, variable]}, not 0 or 1")
    values = np.ascontiguousarray(given, np.int8)
    counts, refused, hidden = native.count(graph.native, values)
    for item in np.flatnonzero(refused >= 0)[:1]:
        _refuse(what, item, f"{graph.factors[int(refused[item])]!r} does not allow it")
    for c in graph.categoricals:
        states = values[:, c.first : c.first + c.size].sum(axis=1)
        for item in np.flatnonzero(states != 1)[:1]:
            _refuse(what, item, f"{states[item]} states of {c!r} are on, not one")
    evidence = graph.native.evidence
    wrong = (evidence >= 0) & (values != evidence)
    for item, variable in np.argwhere(wrong)[:1].tolist():
        _refuse(what, item, f"{graph.name_of(variable)} is fixed to {evidence[variable]}")
    if len(values) < len(rows):
        values = np.broadcast_to(values, (len(rows), variables))
        counts = np.broadcast_to(counts, rows.shape)
        hidden = np.broadcast_to(hidden, (len(rows),))
    score = score_of(counts, rows) + hidden
    for item in np.flatnonzero(~np.isfinite(score))[:1]:
        _refuse(what, item, "a score of -inf forbids it")
    return Gold(values, counts, score, hidden)


def _refuse(what: str, item: int, why: str) -> None:
    raise UsageError(f"{what}: gold answer {item}: {why}")


def decode(
    what: str, graph: FactorGraph, rows: Doubles, is_batch: bool, exact: bool, limits: Limits
) -> Answers:
    """Find the best answer of each row by AD3, or exactly where AD3 proves nothing."""
    solutions = graph.batch(rows, **limits)
    values, score = solutions.values.copy(), solutions.objective.copy()
    bound = solutions.bound.copy()
    missing = np.asarray(np.isneginf(score))
    reached, proved = np.where(missing, 0.0, score), np.where(missing, 0.0, bound)
    unproved = proved - reached > PROVED * np.maximum(1.0, np.abs(reached))
    if exact and (missing | unproved).any():
        copy = graph.copy()
        for item in np.flatnonzero(missing | unproved).tolist():
            copy.set_scores(parameters=rows[item])
            solution = copy.solve(method="exact")
            if (solution.values < 0).any():
                continue
            values[item], missing[item] = solution.values, False
            score[item], bound[item] = solution.objective, solution.bound
    for item in np.flatnonzero(missing)[:1]:
        where = f"item {item}: " if is_batch else ""
        why = solutions.status[item].value
        raise SolverError(
            f"{what}: {where}decoding has no answer ({why}); allow more iterations, or exact=True"
        )
    return Answers(values, score, bound)


def perturbed(
    what: str, graph: FactorGraph, rows: Doubles, moves: Doubles, exact: bool, limits: Limits
) -> Answers:
    """Find the best answers under noise; `moves` has a row for each sample of each item."""
    items, samples, variables = moves.shape
    many = np.repeat(rows, samples, axis=0)
    many[:, :variables] += moves.reshape(items * samples, variables)
    return decode(what, graph, many, False, exact, limits)
