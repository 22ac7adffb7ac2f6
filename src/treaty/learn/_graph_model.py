"""Structured models of one's own: parts, factors, templates; everything else comes with it."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError, check_several, check_threads
from treaty.graph import FactorGraph, Variable
from treaty.learn._graph_file import (
    MOST_BITS,
    checked_settings,
    checked_tables,
    read_settings,
    read_tables,
    read_templates,
    read_weights,
    table_tensors,
    weight_tensors,
)
from treaty.learn._graph_training import Gold, LearningOptions, learn_weights, solve_all
from treaty.learn._model import Model
from treaty.learn._model_file import ModelFile
from treaty.learn._part_problem import PartGraph, PartProblem, Prediction, TemplateCache
from treaty.learn._parts import Parts
from treaty.learn._ranges import Int
from treaty.metrics import Retrieval
from treaty.progress import OnProgress, Progress
from treaty.solve import Status
from treaty.text import read_records

__all__ = ["GraphModel"]

AT_A_TIME = 8
"""Number of inputs per thread in a batch."""
REPORT_EVERY = 256


class GraphModel(Model):
    """Base class for structured models: a factor graph over parts of an input.

    A subclass defines the candidate parts of an input and their properties (`parts`), the factors
    over them (`factors`), the correct parts of an example (`gold`), and the output for the chosen
    parts (`result`). This class provides training, prediction with certificates, evaluation, model
    files, checkpoints and the commands.

    Attributes
    ----------
    templates
        The features of each kind of parts and groups; see `treaty.features.CodeTemplates`.
    settings
        The model's own options and their defaults. `train` accepts them, the file stores them, and
        methods read them from ``self.settings``. A setting has the type of its default.
    table_names
        The names of the tables that `count` returns.
    tables
        The tables that were counted in the training data: numbers by string.
    weights
        The weights, ``2**bits`` of them.

    Examples
    --------
    Choose two of some numbers, the larger the better:

    >>> from treaty.learn import Parts, Sample
    >>> class Two(GraphModel):
    ...     task = "two"
    ...     templates = {"number": ["", "*size"]}
    ...     def parts(self, given):
    ...         return Parts().add("number", given, numbers={"size": given})
    ...     def factors(self, graph, parts, given):
    ...         graph.exactly(2, parts.values())
    ...     def gold(self, example):
    ...         return sorted(example)[-2:]
    ...     @classmethod
    ...     def sample(cls):
    ...         return Sample([[1, 5, 3], [4, 2, 9, 1]], [[3, 1, 2]])
    >>> model = Two.train([[1, 5, 3], [4, 2, 9, 1]], epochs=5)
    >>> (found,) = model.predict([[7, 2, 8]])
    >>> found.parts, found.status.value
    ((7, 8), 'OPTIMAL')
    """

    templates: Mapping[str, Sequence[str]] = {}
    settings: Mapping[str, Any] = {}
    table_names: Sequence[str] = ()
    tables: Mapping[str, Mapping[str, float]]
    weights: npt.NDArray[np.float32]

    # What each model defines

    @abstractmethod
    def parts(self, given: Any) -> Parts:
        """List the candidate parts of an input and their properties."""

    @abstractmethod
    def gold(self, example: Any) -> Iterable[Hashable]:
        """Return the keys of the correct parts of an example.

        Correct parts that are not candidates count as missed in evaluation.
        """

    def factors(self, graph: FactorGraph, parts: Mapping[Any, Variable], given: Any) -> None:
        """Add factors over the variables of the parts to the graph; by default none.

        Other variables may be added, too.
        """

    def result(self, given: Any, chosen: Sequence[Any]) -> Mapping[str, Any]:
        """Convert the chosen parts to the output structure, for JSON; by default their keys."""
        return {"parts": list(chosen)}

    def count(self, examples: Sequence[Any]) -> Mapping[str, Mapping[str, float]]:
        """Count statistics of the training data for `parts`: a table for each of `table_names`.

        A table maps strings to numbers. Methods read it from ``self.tables``; the file stores it.
        """
        return {}

    def is_scored(self, key: Any) -> bool:
        """Return whether a part counts in evaluation; by default all do."""
        return True

    @classmethod
    def example(cls, record: dict[str, Any]) -> Any:
        """Make an example, or an input, from a line of JSON; by default it is the dictionary."""
        return record

    # Training

    def __init__(
        self,
        *,
        bits: int,
        templates: Mapping[str, Sequence[str]] | None = None,
        settings: Mapping[str, Any] | None = None,
        tables: Mapping[str, Mapping[str, float]] | None = None,
        weights: npt.NDArray[np.float32] | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> None:
        cls = type(self)
        own = cls.templates if templates is None else templates
        self.bits, self.info = bits, dict(info or {})
        self.templates = {kind: tuple(lines) for kind, lines in own.items()}
        self.settings = {**cls.settings, **(settings or {})}
        self.tables = dict(tables or {})
        self.weights = np.zeros(2**bits, np.float32) if weights is None else weights
        self._cache = TemplateCache(self.templates, bits)

    @classmethod
    def train(
        cls,
        examples: Iterable[Any],
        dev: Iterable[Any] = (),
        *,
        learner: str = "mira",
        epochs: int = 10,
        bits: int = 18,
        aggressiveness: float = 0.1,
        regularization: float = 0.01,
        batch: int = 4,
        method: str = "ad3",
        iterations: int | None = None,
        templates: Mapping[str, Sequence[str]] | None = None,
        seed: int = 1,
        threads: int = 1,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> Self:
        """Train a model.

        Parameters
        ----------
        examples, dev
            Training examples, and held-out examples to score on after each epoch; nothing is tuned
            on them.
        learner
            ``"perceptron"`` (averaged), ``"mira"`` (cost-augmented, with Hamming cost) or ``"svm"``
            (structured, by stochastic subgradient).
        epochs
            Number of passes over the examples.
        bits
            Logarithm of the number of weights.
        aggressiveness
            Maximum step size of MIRA.
        regularization
            lambda of the SVM, in ``lambda/2 |w|^2`` plus the mean of the losses.
        batch
            Number of examples solved with the same weights before an update, for perceptron and
            MIRA. The result depends on it, but not on `threads`.
        method, iterations
            The method of `treaty.solve` for training examples, and its limit. AD3 stops after 200
            iterations by default.
        templates
            Templates to use instead of those of the class.
        seed, threads, checkpoint, resume, progress, info
            See `treaty.Model.train`.
        **settings
            Settings that the model declares.
        """
        options = LearningOptions(
            learner, bits, aggressiveness, regularization, batch, method, iterations
        )
        seen, held_out = list(examples), list(dev)
        if not seen:
            raise UsageError("there are no examples to learn from")
        check_threads(threads)
        if epochs < 1:
            raise UsageError(f"epochs must be at least 1, not {epochs}")
        model = cls(
            bits=bits,
            templates=templates,
            settings=checked_settings(cls.task, cls.settings, settings),
            info=info,
        )
        model.tables = checked_tables(model.count(seen), cls.table_names)
        problems = list(model._prepared(seen, progress))
        gold = [
            Gold(chosen := problem.mask(model.gold(example)), problem.fixed_score(chosen))
            for problem, example in zip(problems, seen, strict=True)
        ]
        forbidden = sum(not right.allowed for right in gold)
        if forbidden == len(gold):
            raise UsageError("the factors allow the gold parts of no example: check factors()")
        tested = [PartProblem(model, example) for example in held_out]

        def score(weights: npt.NDArray[np.float32]) -> dict[str, float]:
            model.weights = weights
            return model._scores(held_out, model._solved(tested, threads))

        model.weights, scores = learn_weights(
            problems,
            gold,
            options,
            epochs=epochs,
            seed=seed,
            threads=threads,
            score=score if held_out else None,
            checkpoint=None if checkpoint is None else Path(checkpoint),
            resume=resume,
            progress=progress,
            made_from={
                "settings": [model.settings, model.templates, model.tables],
                "data": [seen, *(right.chosen for right in gold)],
            },
        )
        about = {"examples": len(seen), "epochs": epochs, "seed": seed, **asdict(options)}
        about["forbidden"] = forbidden
        model.info |= {"training": about, **({"scores": scores} if scores else {})}
        return model

    def _prepared(
        self, examples: Sequence[Any], progress: OnProgress | None
    ) -> Iterator[PartProblem]:
        for done, example in enumerate(examples, 1):
            yield PartProblem(self, example)
            if progress is not None and (done % REPORT_EVERY == 0 or done == len(examples)):
                progress(Progress("parts", done, len(examples)))

    # Prediction

    def predict(
        self,
        inputs: Iterable[Any],
        *,
        threads: int = 1,
        method: str = "ad3",
        iterations: int | None = None,
        time_limit: float | None = None,
        gap: float | None = None,
        **options: Any,
    ) -> Iterator[Prediction]:
        """Predict structures for inputs as they arrive.

        Parameters
        ----------
        inputs
            The inputs.
        threads
            Number of threads; the results do not depend on it.
        method, iterations, time_limit, gap, **options
            The solver and its limits for each input; see `treaty.solve.solve`.

        Yields
        ------
        Prediction
            The chosen parts, the result made from them, and the certificate.
        """
        check_several(inputs, "inputs")
        limits = {"iterations": iterations, "time_limit": time_limit, "gap": gap}
        options |= {name: limit for name, limit in limits.items() if limit is not None}
        check_threads(threads)
        return self._solved((PartProblem(self, i) for i in inputs), threads, method, **options)

    def _solved(
        self, problems: Iterable[PartProblem], threads: int, method: str = "ad3", **options: Any
    ) -> Iterator[Prediction]:
        rest = iter(problems)
        while batch := list(islice(rest, AT_A_TIME * threads if threads > 1 else 1)):
            graphs = [problem.graph(problem.scores(self.weights)) for problem in batch]
            solutions = solve_all(graphs, method, threads, options)
            for problem, solution in zip(batch, solutions, strict=True):
                yield problem.prediction(solution)

    def graph(self, given: Any) -> PartGraph:
        """Return the factor graph of an input, to add constraints to it and solve it."""
        return PartGraph(PartProblem(self, given))

    def evaluate(
        self, gold: Iterable[Any], *, threads: int = 1, **options: Any
    ) -> dict[str, float]:
        """Predict the parts of gold examples again, and compare them.

        Parameters
        ----------
        gold
            The examples.
        threads, **options
            As in `predict`.

        Returns
        -------
        dict
            ``precision``, ``recall`` and ``f1`` of the parts (see `is_scored`); ``exact``, the
            share of examples all of whose parts are right; and ``optimal``, the share of answers
            that are proved to be the best.
        """
        examples = list(gold)
        if not examples:
            raise UsageError("there are no examples to score")
        return self._scores(examples, self.predict(examples, threads=threads, **options))

    def _scores(self, gold: Sequence[Any], found: Iterable[Prediction]) -> dict[str, float]:
        counts: Counter[str] = Counter()
        for example, prediction in zip(gold, found, strict=True):
            right = {key for key in self.gold(example) if self.is_scored(key)}
            answer = {key for key in prediction.parts if self.is_scored(key)}
            counts["both"] += len(right & answer)
            counts["gold"] += len(right)
            counts["found"] += len(answer)
            counts["exact"] += right == answer
            counts["optimal"] += prediction.status is Status.OPTIMAL
        parts = Retrieval(counts["both"], counts["gold"], counts["found"])
        scores = {name: getattr(parts, name) for name in ("precision", "recall", "f1")}
        scores |= {name: counts[name] / len(gold) for name in ("exact", "optimal")}
        return {name: score if np.isfinite(score) else 0.0 for name, score in scores.items()}

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        header = {
            "bits": self.bits,
            "templates": {kind: list(lines) for kind, lines in self.templates.items()},
            "settings": dict(self.settings),
            "info": self.info,
        }
        tables = checked_tables(self.tables, type(self).table_names)
        tensors = {**weight_tensors(self.weights), **table_tensors(tables)}
        return ModelFile(self.task, header, tensors)

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a model from the contents of a file; raise `ModelError` if anything is invalid."""
        bits = file.value("bits", Int(1, MOST_BITS))
        return cls(
            bits=bits,
            templates=read_templates(file),
            settings=read_settings(file, cls.settings),
            tables=read_tables(file, cls.table_names),
            weights=read_weights(file, bits),
            info=file.info(),
        )

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Any]:
        """Read examples or inputs from a file with one JSON object per line; see `example`."""
        return read_records(origin, cls.example)
