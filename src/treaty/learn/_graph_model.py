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

from treaty.corpus import read_records
from treaty.errors import UsageError
from treaty.evaluate import Retrieval
from treaty.graph import FactorGraph, Variable
from treaty.learn._graph_file import (
    MOST_BITS,
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
from treaty.progress import OnProgress, Progress
from treaty.solve import Status

__all__ = ["GraphModel"]

AT_A_TIME = 8
"""Inputs that each thread is given at a time."""
REPORT_EVERY = 256


class GraphModel(Model):
    """A structured model of one's own.

    A subclass says what the candidate parts of an input are and what is known of them (`parts`),
    which factors tie them (`factors`), which parts are right (`gold`), and how the chosen ones are
    written down (`result`). Training, prediction with certificates, evaluation, model files,
    checkpoints and the command line come with this class.

    Attributes
    ----------
    templates
        The features of each kind of parts and groups; see `treaty.features.CodeTemplates`.
    settings
        Options of the model's own and their defaults, which `train` takes, the file keeps, and
        methods find in ``self.settings``. A setting has the type of its default.
    table_names
        What is counted in the training data; see `count`.
    tables
        What was counted: numbers by string, for each of these names.
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

    # What each model says

    @abstractmethod
    def parts(self, given: Any) -> Parts:
        """List the candidate parts of an input, and what is known of them."""

    @abstractmethod
    def gold(self, example: Any) -> Iterable[Hashable]:
        """Name the parts that are right for an example, by their keys.

        Right parts that are no candidates count as missed when the model is evaluated.
        """

    def factors(self, graph: FactorGraph, parts: Mapping[Any, Variable], given: Any) -> None:
        """Tie the parts: add factors over their variables to the graph; by default none.

        Variables of the model's own may be added too.
        """

    def result(self, given: Any, chosen: Sequence[Any]) -> Mapping[str, Any]:
        """Write down the structure that the chosen parts make, for JSON; by default their keys."""
        return {"parts": list(chosen)}

    def count(self, examples: Sequence[Any]) -> Mapping[str, Mapping[str, float]]:
        """Count what `parts` needs to know of the training data: a table for each of `table_names`.

        A table has numbers by string. Methods find it in ``self.tables``, and the file keeps it.
        """
        return {}

    def is_scored(self, key: Any) -> bool:
        """Tell whether a part counts when the model is evaluated; by default all do."""
        return True

    @classmethod
    def example(cls, record: dict[str, Any]) -> Any:
        """Make an example, or an input, of a line of JSON; by default it stays a dictionary."""
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
            What to learn from; scores on `dev` are told after every epoch, nothing is tuned on
            them.
        learner
            ``"perceptron"`` (averaged), ``"mira"`` (cost-augmented, with Hamming cost) or ``"svm"``
            (structured, by stochastic subgradient).
        epochs
            How often the examples are seen.
        bits
            There are ``2**bits`` weights.
        aggressiveness
            The longest step of MIRA.
        regularization
            lambda of the SVM, in ``lambda/2 |w|^2`` plus the mean of the losses.
        batch
            Examples that are solved with the same weights before these are changed, by perceptron
            and MIRA. The result depends on it, and not on `threads`.
        method, iterations
            How examples are solved in training: a method of `treaty.solve`, and its limit. AD3
            stops after 200 iterations by default.
        templates
            Features other than the usual.
        seed, threads
            What the order of the examples depends on; how many are solved at the same time, on
            which nothing depends.
        checkpoint, resume
            A path for the state after each epoch, and whether to continue from it, to the same
            bytes as an uninterrupted run.
        progress
            Called with `treaty.Progress` events.
        info
            Kept in the model: language, data, license.
        **settings
            Those that the model declares.
        """
        options = LearningOptions(
            learner, bits, aggressiveness, regularization, batch, method, iterations
        )
        seen, held_out = list(examples), list(dev)
        if not seen:
            raise UsageError("there are no examples to learn from")
        if threads < 1 or epochs < 1:
            raise UsageError(f"threads and epochs must be 1 or more, not {threads} and {epochs}")
        model = cls(bits=bits, templates=templates, settings=cls._checked(settings), info=info)
        model.tables = checked_tables(model.count(seen), cls.table_names)
        problems = list(model._prepared(seen, progress))
        gold = [
            Gold(chosen := problem.mask(model.gold(example)), problem.fixed_score(chosen))
            for problem, example in zip(problems, seen, strict=True)
        ]
        forbidden = sum(not right.allowed for right in gold)
        if forbidden == len(gold):
            raise UsageError("the factors allow the gold parts of no example: look at factors()")
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

    @classmethod
    def _checked(cls, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        checked = dict(settings)
        for name, value in settings.items():
            if name not in cls.settings:
                known = ", ".join(cls.settings) or "none"
                raise UsageError(f"{cls.task} has no setting {name!r}; there are: {known}")
            kind = type(cls.settings[name])
            if kind is float and type(value) is int:
                checked[name] = float(value)
            elif type(value) is not kind:
                raise UsageError(
                    f"{name}: expected a value of type {kind.__name__}, found {value!r}"
                )
        return checked

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
        """Predict structures for inputs as they come.

        Parameters
        ----------
        inputs
            What to predict from.
        threads
            Inputs that are solved at the same time; the results do not depend on it.
        method, iterations, time_limit, gap, **options
            The solver and its limits for each input; see `treaty.solve.solve`.

        Yields
        ------
        Prediction
            The chosen parts, the result that was read from them, and the certificate.
        """
        limits = {"iterations": iterations, "time_limit": time_limit, "gap": gap}
        options |= {name: limit for name, limit in limits.items() if limit is not None}
        if threads < 1:
            raise UsageError(f"threads must be 1 or more, not {threads}")
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
        """Give the factor graph of an input, to add constraints of one's own and solve it."""
        return PartGraph(PartProblem(self, given))

    def evaluate(
        self, gold: Iterable[Any], *, threads: int = 1, **options: Any
    ) -> dict[str, float]:
        """Predict anew what gold examples say, and compare the parts.

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
        """Give what the model's file holds."""
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
        """Make a model of what a file holds, checking everything."""
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
        """Read examples or inputs from a file of JSON, one a line; see `example`."""
        return read_records(origin, cls.example)
