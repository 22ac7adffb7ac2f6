"""Generalized higher-order CRFs: scores of sparse label patterns anywhere in a graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty._native.solve import Cancel
from treaty._threads import Clock, spread
from treaty.errors import ModelError, TreatyError, UsageError, check_threads
from treaty.graph import FactorGraph
from treaty.label._instances import Instances
from treaty.label._kinds import PatternKind
from treaty.label._labeling import Labeling
from treaty.learn import Int, ModelFile, Text, Texts, TrainOptions, pack_weights, rows_to_keep
from treaty.progress import OnProgress
from treaty.solve import METHODS, Certificate, Solution, Status, k_best, options_of, solve

if TYPE_CHECKING:
    from treaty.label._structure import InstancesStructure

__all__ = ["PatternCrf"]

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

GENERAL = "two-slave"
"""Default method for instances that are neither chains nor trees."""
TOLERANCE = 1e-6
"""Relative tolerance for a score to equal its bound."""
TASK = "crf"
MOST_LABELS, MOST_KINDS, LONGEST_PATTERN = 2**12, 256, 16
LEAST_WEIGHT = 1e-3
"""Rows whose weights are all smaller are not stored."""


class PatternCrf:
    """A model that scores label patterns by their features, and finds the best labeling.

    It is a part of other models and stored in their files; it is pickled as the bytes of its own.

    Parameters
    ----------
    labels
        The names of the labels; label numbers are their indices.
    kinds
        The kinds of factors.

    Attributes
    ----------
    labels, kinds
        As in the parameters.

    Examples
    --------
    A chain with two labels that learns to change the label after feature 7:

    >>> kinds = [PatternKind.every("word", 2, 1), PatternKind.every("next", 2, 2)]
    >>> instances = Instances(kinds)
    >>> _ = instances.start(3)
    >>> instances.add("word", [[0], [1], [2]], [[5], [6], [5]])
    >>> instances.add("next", [[0, 1], [1, 2]], [[7], [8]])
    >>> crf = PatternCrf(["out", "in"], kinds)
    >>> _ = crf.train(instances, [0, 1, 1], epochs=5)
    >>> [labeling] = crf.decode(instances)
    >>> labeling.labels.tolist(), labeling.status.value, labeling.gap
    ([0, 1, 1], 'OPTIMAL', 0.0)
    """

    def __init__(self, labels: Sequence[str], kinds: Sequence[PatternKind]) -> None:
        self.labels, self.kinds = tuple(labels), tuple(kinds)
        if not self.labels or len(set(self.labels)) < len(self.labels):
            raise UsageError("labels: expected at least one label, without duplicates")
        if len({kind.name for kind in self.kinds}) < len(self.kinds):
            raise UsageError("two kinds have the same name; names must be unique")
        flat = [[np.array(p, np.int32).ravel() for p in (k.patterns, k.forbidden)] for k in kinds]
        try:
            self.native = native.Model(
                len(self.labels),
                np.array([kind.size for kind in self.kinds], np.int32),
                [patterns for patterns, _ in flat],
                [forbidden for _, forbidden in flat],
                [kind.tied for kind in self.kinds],
            )
        except ValueError as error:
            raise UsageError(f"PatternCrf: {error}") from error

    # Learning

    def train(
        self,
        instances: Instances,
        gold: npt.ArrayLike,
        *,
        learner: str = "perceptron",
        decoder: str = "auto",
        epochs: int = 10,
        seed: int = 1,
        threads: int = 1,
        batch: int = 1,
        sets: npt.ArrayLike | None = None,
        dev_score: Callable[[PatternCrf], Mapping[str, float]] | None = None,
        checkpoint: Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        stage: str = "training",
        **options: Any,
    ) -> list[dict[str, float]]:
        """Train the weights from zero on labeled instances.

        Parameters
        ----------
        instances
            The examples.
        gold
            The gold label number of every vertex of all instances. With `sets`, the number of
            labels plus s stands for any label of set s.
        learner
            ``"perceptron"`` (averaged), ``"mira"`` (cost-augmented, averaged) or ``"likelihood"``
            (regularized maximum likelihood, for chains and trees).
        decoder
            Decoding method, as in `decode`.
        epochs, seed
            Number of passes over the examples, and the seed of their order.
        threads, batch
            Number of threads, and number of examples decoded before the weights are updated; the
            result depends on the batch but not on the threads.
        sets
            Sets of labels, for vertices whose label is known only in part: a row per set, with a
            flag for each label. Only for likelihood, which then sums over all labelings that agree.
        dev_score
            Called with this model after each epoch, with the averaged weights; its scores are
            reported and returned.
        checkpoint, resume
            A file for the state after each epoch, and whether to continue from it, to the same
            bytes as an uninterrupted run.
        progress, stage
            Called with `treaty.Progress` events; the name of the stage in these events.
        **options
            Settings of the learner, see `treaty.label.TrainingOptions`.

        Returns
        -------
        list of dict
            The scores after each epoch.
        """
        from treaty.label._training import Gold, TrainingOptions, train

        flags = self._checked_sets(learner, sets)
        return train(
            self,
            instances,
            Gold(self._checked_gold(instances, gold, len(flags)), flags),
            TrainingOptions(learner, decoder, epochs, seed, threads, batch, **options),
            run=TrainOptions(
                epochs=epochs,
                seed=seed,
                threads=threads,
                checkpoint=checkpoint,
                resume=resume,
                progress=progress,
            ),
            stage=stage,
            dev_score=dev_score,
        )

    # Decoding

    def decode(
        self,
        instances: Instances,
        *,
        method: str = "auto",
        threads: int = 1,
        scores: Floats | None = None,
        **limits: Any,
    ) -> list[Labeling]:
        """Find the best labeling of each instance.

        Parameters
        ----------
        instances
            The instances to label.
        method
            ``"auto"`` is exact dynamic programming for chains and trees, and otherwise the best
            available dual decomposition; or the name of a solver, see `treaty.solve.solve`.
        threads
            Number of threads; the results do not depend on it.
        scores
            A score for each part (see `PatternParts`) in place of those of the model.
        **limits
            ``iterations`` and other options of the solver; ``time_limit`` is that of all instances
            together: those that are not reached get the answer of dynamic programming on a
            spanning tree, and no bound.

        Returns
        -------
        list of Labeling
            The labelings, in the order of the instances. They contain no forbidden pattern.
        """
        check_method(method)
        check_threads(threads)
        with Clock(limits.pop("time_limit", None)) as clock:
            bound = self.bind(instances, threads)
            flat, totals, exact = native.decode(self.native, bound, threads, scores)
            labels = list(instances.split(flat))
            by_tree = [
                Labeling(row, Certificate.exact(score))
                for row, score in zip(labels, totals.tolist(), strict=True)
            ]
            hard = [i for i in range(len(labels)) if method != "auto" or not exact[i]]
            cancel, solver = Cancel(), GENERAL if method == "auto" else method
            if "cancel" in options_of(solver):
                cancel = limits.setdefault("cancel", cancel)

            def solved(i: int) -> Labeling:
                if clock.left == 0.0:
                    return _by_tree_alone(by_tree[i], exact=bool(exact[i]))
                graph = FactorGraph._of(native.make_graph(self.native, bound, i, scores))
                return self._better(by_tree[i], solve(graph, solver, **{**limits, **clock.limits}))

            for i, improved in zip(
                hard, spread(solved, hard, threads, on_stop=cancel.set), strict=True
            ):
                by_tree[i] = improved
        return by_tree

    def marginals(self, instances: Instances, *, threads: int = 1) -> list[Floats]:
        """Compute the probability of each label of each vertex (forward-backward).

        Parameters
        ----------
        instances
            Chains or trees.
        threads
            As for `decode`.

        Returns
        -------
        list of array
            For each instance a row per vertex and a column per label; rows sum to one.
        """
        bound = self.bind(instances, threads)
        try:
            flat, _ = native.marginals(self.native, bound, threads)
        except ValueError as error:
            raise UsageError(str(error)) from error
        return list(instances.split(flat.reshape(-1, len(self.labels))))

    def n_best(self, instances: Instances, n: int) -> list[list[Labeling]]:
        """Find the n best labelings of each instance, best first; fewer if there are no more.

        Parameters
        ----------
        instances
            Chains or trees.
        n
            Number of labelings per instance.
        """
        if n < 1:
            raise UsageError(f"n must be at least 1, not {n}")
        bound = self.bind(instances)
        lists = []
        for i, vertices in enumerate(instances.sizes.tolist()):
            try:
                flat, scores = native.n_best(self.native, bound, i, n)
            except ValueError as error:
                raise UsageError(str(error)) from error
            some = flat.reshape(len(scores), vertices)
            top = float(scores[0]) if len(scores) else -math.inf
            lists.append(
                [
                    Labeling(
                        labels, Certificate(Status.FEASIBLE if k else Status.OPTIMAL, score, top)
                    )
                    for k, (labels, score) in enumerate(zip(some, scores.tolist(), strict=True))
                ]
            )
        return lists

    def scores(self, instances: Instances, labels: npt.ArrayLike) -> Floats:
        """Score a labeling of each instance; ``-inf`` if it has a forbidden pattern.

        Parameters
        ----------
        instances
            The instances.
        labels
            The label number of every vertex of all instances.
        """
        flat = self._checked_gold(instances, labels)
        return native.score(self.native, self.bind(instances), flat)

    def graph(self, instances: Instances, number: int) -> FactorGraph:
        """Return an instance as a factor graph, to add your own constraints and solve it.

        Its categorical variables are the vertices, in order.

        Parameters
        ----------
        instances, number
            The instance.
        """
        if not 0 <= number < len(instances):
            raise UsageError(
                f"there is no instance {number}: expected a number below {len(instances)}"
            )
        return FactorGraph._of(native.make_graph(self.native, self.bind(instances), number))

    def graphs(self, instances: Instances) -> list[FactorGraph]:
        """Make the factor graphs of all instances; see `graph`."""
        bound = self.bind(instances)
        return [
            FactorGraph._of(native.make_graph(self.native, bound, number))
            for number in range(len(instances))
        ]

    def k_best(
        self, instances: Instances, number: int, k: int, method: str = "exact", **options: Any
    ) -> list[Labeling]:
        """Find the k best labelings of an instance, the best first.

        Parameters
        ----------
        instances, number
            The instance.
        k, method, **options
            As in `treaty.solve.k_best`. With ``distance=d``, any two labelings differ in at least
            d vertices.
        """
        graph = self.graph(instances, number)
        vertices = graph.categoricals
        solutions = k_best(graph, k, method, variables=vertices, **options)
        return [Labeling(self.labels_of(s, len(vertices)), s.certificate, s) for s in solutions]

    def structure(self, **decoding: Any) -> InstancesStructure:
        """Return the structure of the CRF, to decode other scores of its patterns.

        Parameters
        ----------
        **decoding
            The usual method and limits of `decode`.

        Examples
        --------
        >>> kinds = [PatternKind.every("word", 2, 1), PatternKind.every("next", 2, 2)]
        >>> instances = Instances(kinds)
        >>> _ = instances.start(2)
        >>> instances.add("word", [[0], [1]], [[5], [6]])
        >>> instances.add("next", [[0, 1]], [[7]])
        >>> structure = PatternCrf(["out", "in"], kinds).structure()
        >>> parts = structure.parts(instances)
        >>> parts.kinds
        {'word': slice(0, 4, None), 'next': slice(4, 8, None)}
        >>> scores = np.array([0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 2.0, 0.0])
        >>> decoding = structure.decode(parts, scores)
        >>> parts.labels(decoding.amounts).tolist(), decoding.objective
        ([1, 0], 3.0)
        """
        from treaty.label._structure import InstancesStructure

        return InstancesStructure(self, **decoding)

    def bind(self, instances: Instances, threads: int = 1) -> native.BoundInstances:
        """Look up the features of instances."""
        if [k.size for k in instances.kinds] != [k.size for k in self.kinds]:
            raise UsageError("the instances were made with other kinds than the model's")
        return native.BoundInstances(self.native, instances.native, threads)

    def _checked_sets(self, learner: str, sets: npt.ArrayLike | None) -> npt.NDArray[np.uint8]:
        if sets is None:
            return np.zeros((0, len(self.labels)), np.uint8)
        flags = np.ascontiguousarray(np.asarray(sets, bool), np.uint8)
        if flags.ndim != 2 or flags.shape[1] != len(self.labels) or not flags.any(axis=1).all():
            raise UsageError(
                f"sets: expected rows of {len(self.labels)} flags, at least one of them true"
            )
        if learner != "likelihood":
            raise UsageError(f"sets of labels need the learner 'likelihood', not {learner!r}")
        return flags

    def _checked_gold(self, instances: Instances, labels: npt.ArrayLike, sets: int = 0) -> Ints:
        flat = np.ascontiguousarray(labels, np.int32).ravel()
        if len(flat) != instances.native.all_vertices:
            raise UsageError(
                f"expected a label for each of {instances.native.all_vertices} vertices, "
                f"found {len(flat)}"
            )
        if len(flat) and not 0 <= flat.min() <= flat.max() < len(self.labels) + sets:
            raise UsageError(f"expected label numbers from 0 to {len(self.labels) - 1}")
        return flat

    def _better(self, by_tree: Labeling, solution: Solution) -> Labeling:
        """Choose the better of the spanning tree's answer and the solver's."""
        labels, score = by_tree.labels, by_tree.objective
        if solution.objective > score:
            labels, score = self.labels_of(solution, len(labels)), solution.objective
        status = solution.status
        if math.isfinite(score) and solution.bound - score <= TOLERANCE * (1 + abs(score)):
            status = Status.OPTIMAL
        elif math.isfinite(score) and status is Status.UNKNOWN:
            status = Status.FEASIBLE
        bound, spent = max(solution.bound, score), (solution.iterations, solution.seconds)
        return Labeling(labels, Certificate(status, score, bound, *spent), solution)

    def labels_of(self, solution: Solution, vertices: int) -> Ints:
        """Read the labels from a solution of an instance's graph."""
        states = solution.values[: vertices * len(self.labels)].reshape(vertices, -1)
        labels: Ints = states.argmax(axis=1).astype(np.int32)
        return labels

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file.

        Weights are rounded to 255 levels, and rows of negligible weights are left out.
        """
        return file_of_crf(self)

    @classmethod
    def from_file(cls, file: ModelFile) -> PatternCrf:
        """Make a model from the contents of a file; raise `ModelError` if anything is invalid."""
        return crf_of_file(file)

    def __reduce__(self) -> tuple[Any, ...]:
        return crf_of_bytes, (self.to_file().to_bytes(),)

    def weights(self) -> list[npt.NDArray[np.float32]]:
        """Return the weights of each kind: a row per feature, a column per pattern (no copy).

        Tied patterns share one column.
        """
        shown, begin = [], 0
        for number, kind in enumerate(self.kinds):
            rows, width = len(self.native.features(number)), kind.columns
            flat = self.native.weights.values[begin : begin + rows * width]
            shown.append(flat.reshape(rows, width))
            begin += rows * width
        return shown

    def __repr__(self) -> str:
        names = ", ".join(kind.name for kind in self.kinds)
        return f"<PatternCrf: {len(self.labels)} labels, {names}>"


def _by_tree_alone(labeling: Labeling, *, exact: bool) -> Labeling:
    """Certify an answer of a spanning tree that no solver has improved."""
    if exact:
        return labeling
    status = Status.FEASIBLE if labeling.objective > -math.inf else Status.UNKNOWN
    return Labeling(labeling.labels, Certificate(status, labeling.objective, math.inf))


def check_method(method: str) -> None:
    """Raise `UsageError` for a method that is neither ``"auto"`` nor a solver."""
    if method != "auto" and method not in METHODS:
        raise UsageError(
            f"there is no method {method!r}: choose auto or one of {', '.join(METHODS)}"
        )


def file_of_crf(crf: PatternCrf) -> ModelFile:
    """Return the contents of a CRF's file: labels and kinds in the header, features and weights."""
    tensors: dict[str, Any] = {}
    for number, (kind, rows) in enumerate(zip(crf.kinds, crf.weights(), strict=True)):
        kept = rows_to_keep(rows, LEAST_WEIGHT)
        tensors[f"{kind.name}.features"] = crf.native.features(number)[kept]
        tensors |= pack_weights(f"{kind.name}.weights", rows[kept].ravel())
    return ModelFile(TASK, crf_header(crf.labels, crf.kinds), tensors)


def crf_header(labels: Sequence[str], kinds: Sequence[PatternKind]) -> dict[str, Any]:
    """Return all of a CRF but its arrays, as JSON values."""
    entries = [
        {
            "name": kind.name,
            "patterns": _lists(kind.patterns),
            "forbidden": _lists(kind.forbidden),
            **({"tied": True} if kind.tied else {}),
        }
        for kind in kinds
    ]
    return {"labels": list(labels), "kinds": entries}


def _lists(patterns: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(pattern) for pattern in patterns]


def crf_of_bytes(data: bytes) -> PatternCrf:
    """Make a CRF from the bytes of its file."""
    return crf_of_file(ModelFile.from_bytes(data, task=TASK))


def crf_of_file(file: ModelFile) -> PatternCrf:
    """Make a CRF from the contents of a file; raise `ModelError` if anything is invalid."""
    labels, entries = file.strings("labels", Texts(1, MOST_LABELS)), file.value("kinds", list)
    if not 1 <= len(entries) <= MOST_KINDS:
        raise file.fault(f"kinds: expected 1 to {MOST_KINDS}, found {len(entries)}")
    try:
        crf = PatternCrf(labels, [_kind(file, entry) for entry in entries])
        features = [file.tensor(f"{kind.name}.features", np.uint64) for kind in crf.kinds]
        weights = [
            file.weights(f"{kind.name}.weights", len(rows) * kind.columns)
            for kind, rows in zip(crf.kinds, features, strict=True)
        ]
        crf.native.index_features(features)
    except ModelError:
        raise
    except (TreatyError, ValueError) as error:
        raise file.fault(f"not a valid labeler ({error})") from error
    crf.native.weights.values[:] = np.concatenate([*weights, np.zeros(0, np.float32)])
    return crf


def _kind(file: ModelFile, entry: object) -> PatternKind:
    fields = file.checked(entry, dict, "kinds")
    patterns, forbidden = (
        tuple(_pattern(file, p) for p in file.checked(fields.get(key), list, key))
        for key in ("patterns", "forbidden")
    )
    name = file.checked(fields.get("name"), Text(), "name")
    tied = file.checked(fields.get("tied", False), bool, "tied")
    return PatternKind(name, patterns, forbidden, tied)


def _pattern(file: ModelFile, entry: object) -> tuple[int, ...]:
    labels = file.checked(entry, list, "patterns")
    if len(labels) > LONGEST_PATTERN:
        raise file.fault(f"patterns: expected at most {LONGEST_PATTERN} labels")
    return tuple(file.checked(label, Int(0, MOST_LABELS), "patterns") for label in labels)
