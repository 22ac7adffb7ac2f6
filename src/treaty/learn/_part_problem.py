"""The structure of a `GraphModel`: the parts of an input, their features, the factors over them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind as FactorKind
from treaty.errors import UsageError
from treaty.features import CodeTemplates, PartFeatures
from treaty.graph import FactorGraph, Variable
from treaty.learn._parts import Groups, Kind, Parts
from treaty.learn._structure import Decoding, PartList, Structure
from treaty.solve import (
    Certificate,
    Certified,
    Solution,
    SolveOptions,
    k_best,
    marginals,
    solve,
    solve_many,
)

if TYPE_CHECKING:
    from treaty.learn._graph_model import GraphModel

__all__ = ["GraphStructure", "PartGraph", "PartProblem", "Prediction", "TemplateCache"]

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
NO_SHAPE = np.zeros(0, np.int32)
Members = npt.NDArray[np.int64]


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


class PartProblem(PartList):
    """The candidate parts of an input of a `GraphModel`, then its groups, with their features."""

    def __init__(self, model: GraphModel, given: Any) -> None:
        self.model, self.given = model, given
        self.candidates: Parts = model.parts(given)
        self.kinds, rows, size = {}, [], len(self.candidates)
        for name, kind in self.candidates.kinds.items():
            self.kinds[name] = slice(kind.begin, kind.end)
            rows.append((self.kinds[name], model._cache.features(name, kind)))
        self.groups: list[Members] = []
        for name, groups in self.candidates.groups.items():
            if len(groups.members):
                self.kinds[name] = slice(size, size + len(groups.members))
                rows.append((self.kinds[name], model._cache.features(name, groups)))
                self.groups.append(groups.members)
                size += len(groups.members)
        self._rows = rows

    @property
    def features(self) -> Sequence[tuple[slice, PartFeatures]]:
        """The features of the parts of each kind."""
        return self._rows

    def projected(self, width: int) -> tuple[Floats, Mask]:
        """Return the vectors that parts were added with, and projections in the other columns."""
        given = {
            name: kind.vectors
            for name, kind in self.candidates.kinds.items()
            if kind.vectors is not None
        }
        taken = max((rows.shape[1] for rows in given.values()), default=0)
        if taken > width:
            raise UsageError(f"parts have vectors of {taken} numbers: use Dense({taken}) or more")
        rows, has = np.zeros((len(self), width)), np.zeros(len(self), bool)
        if width > taken:
            rows[:, taken:], has = super().projected(width - taken)
        for name, vectors in given.items():
            rows[self.kinds[name], : vectors.shape[1]] = vectors
            has[self.kinds[name]] = True
        return rows, has

    @cached_property
    def base(self) -> FactorGraph:
        """The graph without learned scores: a variable per part, then the user's factors."""
        graph = FactorGraph()
        variables = graph.variables(np.zeros(len(self.candidates)))
        named = dict(zip(self.candidates.keys, variables, strict=True))
        self.model.factors(graph, MappingProxyType(named), self.given)
        return graph

    # Assignments: which parts are on

    def mask(self, keys: Iterable[Hashable]) -> Mask:
        """Convert keys to an assignment, ignoring keys that are not candidates."""
        chosen = np.zeros(len(self.candidates), bool)
        known = [self.candidates.number(key) for key in keys if key in self.candidates]
        chosen[known] = True
        return chosen

    def amounts(self, chosen: Mask) -> Floats:
        """Return the amounts of an assignment: a group counts if all its members do."""
        together = [chosen[members].all(axis=1) for members in self.groups]
        return np.concatenate([chosen, *together]).astype(np.float64)

    def chosen(self, amounts: Floats) -> Mask:
        """Return the assignment of amounts."""
        return amounts[: len(self.candidates)] > 0

    def by_group(self, numbers: Floats) -> list[Floats]:
        """Split an array over all parts into those of single parts, and of each kind of groups."""
        sizes = [len(self.candidates), *(len(members) for members in self.groups)]
        return np.split(numbers, np.cumsum(sizes)[:-1])


class GraphStructure(Structure[PartProblem]):
    """The structure of a `GraphModel`: its parts and factors, decoded by a solver."""

    def __init__(self, model: GraphModel) -> None:
        self.model, self.bits = model, model.bits

    def parts(self, given: Any) -> PartProblem:
        """List the candidate parts of an input."""
        return PartProblem(self.model, given)

    def gold(self, parts: PartProblem, example: Any) -> Floats:
        """Return the amounts of the gold parts."""
        return parts.amounts(parts.mask(self.model.gold(example)))

    def costs(self, parts: PartProblem, gold: Floats) -> Floats:
        """Hamming cost: 1 for each scored candidate that is wrongly chosen or left out."""
        scored = [self.model.is_scored(key) for key in parts.candidates.keys]
        costs = np.zeros(len(parts))
        costs[: len(scored)] = np.where(parts.chosen(gold), -1.0, 1.0) * np.array(scored, float)
        return costs

    def fixed_score(self, parts: PartProblem, amounts: Floats) -> float:
        """Score an assignment by the user's factors alone; ``-inf`` if they forbid it."""
        graph = parts.base.copy()
        for variable, on in zip(graph, parts.chosen(amounts).tolist(), strict=False):
            graph.fix(variable, on)
        return graph.solve("ad3").objective

    def graph(self, parts: PartProblem, scores: Floats) -> FactorGraph:
        """Add scores of parts and groups to the factors."""
        if not np.isfinite(scores).all():
            raise UsageError("a part has a score that is not finite: check its numbers")
        graph = parts.base.copy()
        single, *together = parts.by_group(scores)
        for variable, score in enumerate((parts.base.scores[: len(single)] + single).tolist()):
            graph.native.set_score(variable, score)
        for members, rewards in zip(parts.groups, together, strict=True):
            literals = (2 * members).astype(np.int32)
            for row in range(len(members)):
                reward = rewards[row : row + 1]
                graph.native.add(FactorKind.reward, literals[row], reward, NO_SHAPE)
        return graph

    def of_solution(
        self, parts: PartProblem, solution: Solution, scores: Floats | None = None
    ) -> Decoding:
        """Return the decoding of a solution of the graph; `scores` are those of the graph."""
        if not np.isfinite(solution.objective):
            return Decoding.none(len(parts), solution.certificate)
        amounts = parts.amounts(np.asarray(solution.values[: len(parts.candidates)] == 1))
        if scores is None:
            return Decoding(amounts, solution.certificate)
        single, *groups = zip(parts.by_group(scores), parts.by_group(amounts), strict=True)
        together = sum(float(on @ some) for some, on in groups)
        learned = float(single[0] @ single[1]) + together
        return Decoding(amounts, solution.certificate, solution.objective - learned)

    def decode(
        self, parts: PartProblem, scores: Floats, method: str = "ad3", **limits: Any
    ) -> Decoding:
        """Solve the graph."""
        return self.decode_all([parts], [scores], method=method, **limits)[0]

    def decode_all(
        self,
        lists: Sequence[PartProblem],
        scores: Sequence[Floats],
        *,
        threads: int = 1,
        method: str = "ad3",
        **limits: Any,
    ) -> list[Decoding]:
        """Solve the graphs, in parallel threads only if that is faster."""
        graphs = [self.graph(parts, some) for parts, some in zip(lists, scores, strict=True)]
        if threads == 1 or len(graphs) == 1:
            solutions = [solve(graph, method, **limits) for graph in graphs]
        else:
            threads = min(threads, len(graphs))
            solutions = solve_many(graphs, method, threads=threads, **limits)
        return [self.of_solution(*one) for one in zip(lists, solutions, scores, strict=True)]

    def k_best(
        self, parts: PartProblem, scores: Floats, k: int, method: str = "exact", **options: Any
    ) -> list[Decoding]:
        """Find the k best structures, which differ in a part; see `treaty.solve.k_best`."""
        graph = self.graph(parts, scores)
        options = {"variables": list(graph)[: len(parts.candidates)], **options}
        solutions = k_best(graph, k, method, **options)
        return [self.of_solution(parts, solution).with_fixed(scores) for solution in solutions]

    def marginals(self, parts: PartProblem, scores: Floats) -> Floats:
        """Return the probability of each part and group, by bucket elimination if it is small.

        Raises
        ------
        SolverError
            When the tables would be too large, or nothing is allowed.
        """
        graph = self.graph(parts, scores)
        groups = [row for members in parts.groups for row in members.tolist()]
        for row in groups:
            graph.and_with_output([graph[member] for member in row], graph.variable())
        beliefs, single = marginals(graph), len(parts.candidates)
        chosen = [*beliefs[:single], *(beliefs[-len(groups) :] if groups else [])]
        return np.array([belief[1] for belief in chosen], np.float64)

    def read(self, parts: PartProblem, decoding: Decoding) -> Prediction:
        """Return the prediction of a decoding."""
        if not decoding.is_answer:
            return Prediction((), None, decoding.certificate)
        on = np.flatnonzero(parts.chosen(decoding.amounts)).tolist()
        keys = tuple(parts.candidates.keys[part] for part in on)
        return Prediction(keys, self.model.result(parts.given, keys), decoding.certificate)


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

    def __init__(self, structure: GraphStructure, parts: PartProblem, scores: Floats) -> None:
        self._structure, self._parts = structure, parts
        self.graph = structure.graph(parts, scores)
        self.variables: Mapping[Any, Variable] = MappingProxyType(
            dict(zip(parts.candidates.keys, self.graph, strict=False))
        )

    def solve(self, method: str = "ad3", **options: Unpack[SolveOptions]) -> Prediction:
        """Find the best structure that the graph allows; see `FactorGraph.solve`."""
        return self.read(self.graph.solve(method, **options))

    def k_best(
        self, k: int, method: str = "exact", **options: Unpack[SolveOptions]
    ) -> list[Prediction]:
        """Find the k best structures, which differ in a part; see `treaty.solve.k_best`."""
        parts = self.variables.values()
        solutions = k_best(self.graph, k, method, variables=parts, **options)
        return [self.read(solution) for solution in solutions]

    def read(self, solution: Solution) -> Prediction:
        """Make the prediction of a solution of the graph."""
        return self._structure.read(self._parts, self._structure.of_solution(self._parts, solution))


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
