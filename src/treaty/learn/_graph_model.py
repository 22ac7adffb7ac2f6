"""Structured models of one's own: parts, factors, templates; everything else comes with it."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError, check_several, check_threads
from treaty.graph import FactorGraph, Variable
from treaty.learn._learners import LearnerOptions, Prepared, train_scorer
from treaty.learn._loop import TrainOptions
from treaty.learn._model import Model, ModelScores
from treaty.learn._model_file import ModelFile, string_tensor
from treaty.learn._part_problem import (
    GraphStructure,
    PartGraph,
    PartProblem,
    Prediction,
    TemplateCache,
)
from treaty.learn._parts import Parts
from treaty.learn._ranges import Int
from treaty.learn._scorers import MOST_BITS, HashedLinear, Scorer, check_bits, scorer_of_file
from treaty.metrics import Retrieval
from treaty.progress import OnProgress, Progress
from treaty.solve import Status
from treaty.text import read_records

__all__ = ["GraphModel"]

ITERATIONS = 200
"""Iterations of AD3 in training: a rounded answer is good enough to learn from."""
AT_A_TIME = 8
"""Number of inputs per thread in a batch."""
REPORT_EVERY = 256
Tables = dict[str, dict[str, float]]
Tensors = dict[str, npt.NDArray[Any]]

MOST_WEIGHT = 1e9
"""Limit on the size of weights: far above any learned weight, and sums of them stay finite."""


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
    scorer, weights
        The scorer of parts, `HashedLinear` by default, and its weights.

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
    scorer: Scorer
    weights: npt.NDArray[np.floating[Any]]

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
        scorer: Scorer | None = None,
        weights: npt.NDArray[np.floating[Any]] | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> None:
        cls = type(self)
        given = cls.templates if templates is None else templates
        self.bits, self.info = bits, dict(info or {})
        self.templates = {kind: tuple(lines) for kind, lines in given.items()}
        self.settings = {**cls.settings, **(settings or {})}
        self.tables = dict(tables or {})
        self.scorer = HashedLinear(bits) if scorer is None else scorer
        self.weights = self.scorer.initial(1) if weights is None else weights
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
        scorer: Scorer | None = None,
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
        scorer
            What scores parts instead of ``HashedLinear(bits)``, such as `treaty.learn.Dense`.
        seed, threads, checkpoint, resume, progress, info
            See `treaty.Model.train`.
        **settings
            Settings that the model declares.
        """
        learning = LearnerOptions(
            learner, aggressiveness, regularization, batch, _limits(method, iterations)
        )
        options = TrainOptions(
            epochs=epochs,
            seed=seed,
            threads=threads,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
        )
        check_bits(bits)
        seen, held_out = list(examples), list(dev)
        if not seen:
            raise UsageError("there are no examples to learn from")
        if epochs < 1:
            raise UsageError(f"epochs must be at least 1, not {epochs}")
        model = cls(
            bits=bits,
            templates=templates,
            settings=checked_settings(cls.task, cls.settings, settings),
            scorer=scorer,
            info=info,
        )
        model.tables = checked_tables(model.count(seen), cls.table_names)
        structure = model.structures()[cls.task]
        ready = Prepared.of(structure, model._reported(seen, progress))
        allowed = [np.isfinite(structure.fixed_score(*one)) for one in zip(*ready, strict=True)]
        if not any(allowed):
            raise UsageError("the factors allow the gold parts of no example: check factors()")
        tested = [structure.parts(example) for example in held_out]

        def score(weights: npt.NDArray[np.floating[Any]]) -> dict[str, float]:
            model.weights = weights
            return model._scores(held_out, model._predicted(tested, threads))

        trained = train_scorer(
            structure,
            model.scorer,
            seen,
            learning,
            options,
            prepared=ready,
            evaluate=score if held_out else None,
            made_from={
                "settings": [model.settings, model.templates, model.tables],
                "data": [seen, *ready.gold],
            },
        )
        model.weights = trained.weights
        about = {
            "examples": len(seen),
            "epochs": epochs,
            "seed": seed,
            "learner": learner,
            "aggressiveness": aggressiveness,
            "regularization": regularization,
            "bits": bits,
            "batch": batch,
            "method": method,
            "iterations": iterations,
            "forbidden": allowed.count(False),
        }
        model.info |= {"training": about, **({"scores": trained.dev} if held_out else {})}
        return model

    def _reported(self, examples: Sequence[Any], progress: OnProgress | None) -> Iterator[Any]:
        for done, example in enumerate(examples, 1):
            yield example
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
        structure = self.structures()[self.task]
        lists = (structure.parts(given) for given in inputs)
        return self._predicted(lists, threads, method=method, **options)

    def _predicted(
        self, lists: Iterable[PartProblem], threads: int, **options: Any
    ) -> Iterator[Prediction]:
        structure, rest = self.structures()[self.task], iter(lists)
        while batch := list(islice(rest, AT_A_TIME * threads if threads > 1 else 1)):
            scores = [self.scorer.scores(parts, self.weights) for parts in batch]
            decodings = structure.decode_all(batch, scores, threads=threads, **options)
            for parts, decoding in zip(batch, decodings, strict=True):
                yield structure.read(parts, decoding)

    def structures(self) -> dict[str, GraphStructure]:
        """Return the structure that the model's parts and factors make."""
        return {self.task: GraphStructure(self)}

    def scored(self, structure: str = "") -> ModelScores:
        """Return the scorer and its weights."""
        return ModelScores(self.scorer, self.weights)

    def graph(self, given: Any) -> PartGraph:
        """Return the factor graph of an input, to add constraints to it and solve it."""
        structure = self.structures()[self.task]
        parts = structure.parts(given)
        return PartGraph(structure, parts, self.scorer.scores(parts, self.weights))

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
        if isinstance(self.scorer, HashedLinear):
            weights = weight_tensors(self.weights)
        else:
            header["scorer"] = self.scorer.to_header()
            weights = {"weights": self.weights}
        tensors = {**weights, **table_tensors(tables)}
        return ModelFile(self.task, header, tensors)

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a model from the contents of a file; raise `ModelError` if anything is invalid."""
        bits = file.value("bits", Int(1, MOST_BITS))
        scorer: Scorer = HashedLinear(bits)
        if "scorer" in file.header:
            scorer = scorer_of_file(file, file.value("scorer", dict))
        return cls(
            bits=bits,
            templates=read_templates(file),
            settings=read_settings(file, cls.settings),
            tables=read_tables(file, cls.table_names),
            scorer=scorer,
            weights=read_weights(file, scorer),
            info=file.info(),
        )

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Any]:
        """Read examples or inputs from a file with one JSON object per line; see `example`."""
        return read_records(origin, cls.example)


def _limits(method: str, iterations: int | None) -> dict[str, Any]:
    """Return the solver and its limits in training."""
    if iterations is None and method == "ad3":
        iterations = ITERATIONS
    return {"method": method, **({} if iterations is None else {"iterations": iterations})}


def weight_tensors(weights: npt.NDArray[np.float32]) -> Tensors:
    """Store the nonzero weights."""
    (places,) = np.nonzero(weights)
    return {"weights.places": places.astype(np.int32), "weights.values": weights[places]}


def read_weights(file: ModelFile, scorer: Scorer) -> npt.NDArray[np.floating[Any]]:
    """Read the weights of a scorer: of a hashed one, those that `weight_tensors` has stored."""
    limits = {"least": -MOST_WEIGHT, "most": MOST_WEIGHT}
    if not isinstance(scorer, HashedLinear):
        return file.tensor("weights", np.float64, scorer.size, **limits)
    places = file.tensor("weights.places", np.int32, least=0, most=scorer.size - 1)
    values = file.tensor("weights.values", np.float32, len(places), **limits)
    if not (np.diff(places) > 0).all():
        raise file.fault("weights.places: expected ascending numbers")
    weights = scorer.initial(0)
    weights[places] = values
    return weights


def checked_tables(tables: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> Tables:
    """Raise `UsageError` for tables that the model does not declare or a file cannot store."""
    if set(tables) != set(names):
        raise UsageError(
            f"count() returned the tables {', '.join(map(repr, tables)) or 'none'}, but the model "
            f"declares {', '.join(map(repr, names)) or 'none'}"
        )
    for name, table in tables.items():
        for key, value in table.items():
            if not isinstance(key, str) or "\n" in key or not np.isfinite(value):
                raise UsageError(
                    f"table {name!r}: expected strings without line breaks and finite numbers, "
                    f"found {key!r}: {value!r}"
                )
    return {name: {key: float(tables[name][key]) for key in sorted(tables[name])} for name in names}


def table_tensors(tables: Tables) -> Tensors:
    """Store tables made by `checked_tables`."""
    tensors: Tensors = {}
    for name, table in tables.items():
        tensors[f"table.{name}.keys"] = string_tensor(table)
        tensors[f"table.{name}.values"] = np.array([*table.values()], np.float64)
    return tensors


def read_tables(file: ModelFile, names: Sequence[str]) -> Tables:
    """Invert `table_tensors`."""
    tables: Tables = {}
    for name in names:
        keys = file.string_list(f"table.{name}.keys")
        values = file.tensor(f"table.{name}.values", np.float64, len(keys))
        if any(first >= second for first, second in pairwise(keys)):
            raise file.fault(f"table {name!r}: expected ascending keys")
        tables[name] = dict(zip(keys, values.tolist(), strict=True))
    return tables


def read_templates(file: ModelFile) -> dict[str, tuple[str, ...]]:
    """Read the templates of each kind."""
    templates = file.value("templates", dict)
    return {
        file.checked(kind, str, "templates"): tuple(
            file.checked_strings(own, f"templates of {kind}")
        )
        for kind, own in templates.items()
    }


def checked_settings(
    task: str, defaults: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the given settings; raise `UsageError` for names and types unlike the defaults'."""
    checked = dict(given)
    for name, value in given.items():
        if name not in defaults:
            known = ", ".join(defaults) or "none"
            raise UsageError(f"{task} has no setting {name!r}; there are: {known}")
        kind = type(defaults[name])
        if kind is float and type(value) is int:
            checked[name] = float(value)
        elif type(value) is not kind:
            raise UsageError(f"{name}: expected a value of type {kind.__name__}, found {value!r}")
    return checked


def read_settings(file: ModelFile, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Read the settings, which must have the same names and types as the defaults."""
    settings = file.value("settings", dict)
    if set(settings) != set(defaults):
        raise file.fault(f"settings: expected {', '.join(defaults) or 'none'}")
    return {
        name: file.checked(settings[name], type(default), f"settings: {name}")
        for name, default in defaults.items()
    }
