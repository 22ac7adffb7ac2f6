"""An input of a `GraphModel`: parts, their features, and the factors over them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind as FactorKind
from treaty.errors import UsageError
from treaty.features import CodeTemplates, PartFeatures
from treaty.graph import FactorGraph, Variable
from treaty.learn._parts import Groups, Kind, Parts
from treaty.solve import Certificate, Certified, Solution, k_best

if TYPE_CHECKING:
    from treaty.learn._graph_model import GraphModel

__all__ = ["PartGraph", "PartProblem", "PartScores", "Prediction", "TemplateCache"]

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
NO_SHAPE = np.zeros(0, np.int32)
Difference = tuple[npt.NDArray[np.int32], Floats]


@dataclass(frozen=True)
class Prediction(Certified):
    """A prediction of a `GraphModel`.

    Attributes
    ----------
    parts
        The keys of the chosen parts, in the order of the candidates.
    result
        The result of `GraphModel.result` for them, for JSON; None if there is no answer.
    certificate
        The certificate; `status`, `objective`, `bound` and the other properties are its fields.
    """

    parts: tuple[Any, ...]
    result: Mapping[str, Any] | None
    certificate: Certificate

    def to_dict(self) -> dict[str, Any]:
        """Return the result and the certificate, for JSON."""
        return {**(self.result or {}), "certificate": self.certificate.to_dict()}


class PartScores(NamedTuple):
    """Scores of the parts of an input, and of its groups by kind."""

    parts: Floats
    groups: list[Floats]


class PartProblem:
    """The candidate parts of an input with their features, ready to be scored."""

    def __init__(self, model: GraphModel, given: Any) -> None:
        self.model, self.given = model, given
        self.parts: Parts = model.parts(given)
        self.features = [
            (slice(kind.begin, kind.end), model._cache.features(name, kind))
            for name, kind in self.parts.kinds.items()
        ]
        self.groups = [
            (groups.members, model._cache.features(name, groups))
            for name, groups in self.parts.groups.items()
            if len(groups.members)
        ]

    @cached_property
    def base(self) -> FactorGraph:
        """The graph without learned scores: a variable per part, then the user's factors."""
        graph = FactorGraph()
        variables = graph.variables(np.zeros(len(self.parts)))
        named = dict(zip(self.parts.keys, variables, strict=True))
        self.model.factors(graph, MappingProxyType(named), self.given)
        return graph

    def scores(self, weights: Any, costs: Floats | None = None) -> PartScores:
        """Score the parts and groups by weights; costs are added to the scores of parts."""
        own = np.zeros(len(self.parts)) if costs is None else costs.copy()
        for part, features in self.features:
            own[part] += features.scores(weights)
        return PartScores(own, [features.scores(weights) for _, features in self.groups])

    def graph(self, scores: PartScores) -> FactorGraph:
        """Add the scores to the graph."""
        if not all(np.isfinite(own).all() for own in (scores.parts, *scores.groups)):
            raise UsageError("a part has a score that is not finite: check its numbers")
        graph = self.base.copy()
        own = self.base.scores[: len(self.parts)] + scores.parts
        for variable, score in enumerate(own.tolist()):
            graph.native.set_score(variable, score)
        for (members, _), together in zip(self.groups, scores.groups, strict=True):
            literals = (2 * members).astype(np.int32)
            for row in range(len(members)):
                reward = together[row : row + 1]
                graph.native.add(FactorKind.reward, literals[row], reward, NO_SHAPE)
        return graph

    # Assignments: which parts are on

    def mask(self, keys: Iterable[Hashable]) -> Mask:
        """Convert keys to an assignment, ignoring keys that are not candidates."""
        chosen = np.zeros(len(self.parts), bool)
        chosen[[self.parts.number(key) for key in keys if key in self.parts]] = True
        return chosen

    def scored(self) -> Mask:
        """Return which parts are scored."""
        return np.array([self.model.is_scored(key) for key in self.parts.keys], bool)

    def fixed_score(self, chosen: Mask) -> float:
        """Score an assignment by the user's factors alone; ``-inf`` if they forbid it."""
        graph = self.base.copy()
        for variable, on in zip(graph, chosen.tolist(), strict=False):
            graph.fix(variable, on)
        return graph.solve("ad3").objective

    def learned_score(self, chosen: Mask, scores: PartScores) -> float:
        """Score an assignment without the user's factors."""
        groups = zip(self.groups, scores.groups, strict=True)
        together = sum(float(_together(chosen, members) @ own) for (members, _), own in groups)
        return float(scores.parts @ chosen) + together

    def chosen(self, solution: Solution) -> Mask | None:
        """Return the assignment of a solution; None if there is no answer."""
        if not np.isfinite(solution.objective):
            return None
        return np.asarray(solution.values[: len(self.parts)] == 1)

    def difference(self, first: Mask, second: Mask) -> Difference:
        """Return the difference of the features of two assignments: indices and values."""
        amounts = first.astype(np.float64) - second.astype(np.float64)
        found = [features.total(amounts[part]) for part, features in self.features]
        for members, features in self.groups:
            found.append(features.total(_together(first, members) - _together(second, members)))
        places = [places for places, _ in found]
        values = [values for _, values in found]
        return (
            np.concatenate([np.zeros(0, np.int32), *places]),
            np.concatenate([np.zeros(0), *values]),
        )

    def prediction(self, solution: Solution) -> Prediction:
        """Make the prediction of a solution."""
        chosen = self.chosen(solution)
        if chosen is None:
            return Prediction((), None, solution.certificate)
        keys = tuple(self.parts.keys[v] for v in np.flatnonzero(chosen).tolist())
        return Prediction(keys, self.model.result(self.given, keys), solution.certificate)


def _together(chosen: Mask, members: npt.NDArray[np.int64]) -> Floats:
    """Return 1 for each group all of whose members are chosen, and 0 for the others."""
    return np.asarray(chosen[members].all(axis=1), np.float64)


class PartGraph:
    """The factor graph of an input; made by `GraphModel.graph`.

    Every candidate part is a variable, and the model's factors tie them: add yours to `graph`, then
    solve.

    Attributes
    ----------
    graph
        The graph.
    variables
        The variables of the parts, by key.
    """

    def __init__(self, problem: PartProblem) -> None:
        self._problem = problem
        self.graph = problem.graph(problem.scores(problem.model.weights))
        self.variables: Mapping[Any, Variable] = MappingProxyType(
            dict(zip(problem.parts.keys, self.graph, strict=False))
        )

    def solve(self, method: str = "ad3", **options: Any) -> Prediction:
        """Find the best structure that the graph allows; see `FactorGraph.solve`."""
        return self.read(self.graph.solve(method, **options))

    def k_best(self, k: int, method: str = "exact", **options: Any) -> list[Prediction]:
        """Find the k best structures, which differ in a part; see `treaty.solve.k_best`."""
        parts = self.variables.values()
        found = k_best(self.graph, k, method, variables=parts, **options)
        return [self.read(solution) for solution in found]

    def read(self, solution: Solution) -> Prediction:
        """Make the prediction of a solution of the graph."""
        return self._problem.prediction(solution)


class TemplateCache:
    """The templates of a model, compiled for the codes that its parts have."""

    def __init__(self, templates: Mapping[str, Sequence[str]], bits: int) -> None:
        self.templates, self.bits = templates, bits
        self._compiled: dict[tuple[Any, ...], CodeTemplates] = {}

    def features(self, name: str, given: Kind | Groups) -> PartFeatures:
        """Compute the features of the parts, or of the groups, of a kind."""
        if name not in self.templates:
            raise UsageError(
                f"there are no templates for parts of the kind {name!r}, only for "
                f"{', '.join(self.templates) or 'none'}"
            )
        numbers: Mapping[str, Any] = {}
        if isinstance(given, Groups):
            kind, members = given.of, given.members - given.of.begin
        else:
            kind, numbers = given, given.numbers
            members = np.arange(kind.end - kind.begin)[:, None]
        key = (name, members.shape[1], *kind.codes, None, *numbers)
        if key not in self._compiled:
            self._compiled[key] = CodeTemplates(
                name,
                self.templates[name],
                codes=kind.codes,
                numbers=numbers,
                joined=members.shape[1],
            )
        return self._compiled[key].features(kind.codes, numbers, members, bits=self.bits)
