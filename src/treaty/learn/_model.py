"""The `Model` interface of all applications, and what is derived from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from treaty.errors import ModelError, UsageError
from treaty.learn._model_file import ModelFile

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from treaty.learn._scorers import Scorer
    from treaty.learn._structure import PartList, Structure

__all__ = ["Model", "ModelScores", "Sample"]


class ModelScores(NamedTuple):
    """The scorer of a model and its weights."""

    scorer: Scorer
    weights: npt.NDArray[np.floating[Any]]

    def __call__(self, parts: PartList) -> npt.NDArray[np.float64]:
        """Score the parts of an input."""
        return self.scorer.scores(parts, self.weights)


@dataclass(frozen=True)
class Sample:
    """Small data that a model class provides for tests and examples.

    Parameters
    ----------
    examples
        Examples to train on; enough to learn something within a second.
    inputs
        Inputs to predict for; they need no gold structure.
    options
        Settings for `Model.train` that make training fast.
    """

    examples: Sequence[Any]
    inputs: Sequence[Any]
    options: Mapping[str, Any] = field(default_factory=dict)


class Model(ABC):
    """A model: it is trained on examples, predicts structures, and is stored in one file.

    Training, evaluation, the registry, the command line and cluster runs use only this interface. A
    model is pickled, deep-copied and sent through joblib as the bytes of its file.
    `treaty.testing.check_model` checks the whole interface.

    Attributes
    ----------
    task
        What the model does, such as ``"parser"``; its name in the registry.
    shipped
        The name of the model that comes with Treaty, which `load` reads by default; None if there
        is none.
    also_reads
        Other tasks whose files contain such a model.
    info
        Metadata: ``language``, ``data``, ``license``, ``training`` (settings) and ``scores`` (on
        dev data).
    """

    task: ClassVar[str]
    shipped: ClassVar[str | None] = None
    also_reads: ClassVar[tuple[str, ...]] = ()
    info: dict[str, Any]

    # What each model implements

    # The first arguments of these three are positional; each model names and types them itself.

    @classmethod
    @abstractmethod
    def train(cls, *data: Any, **options: Any) -> Self:
        """Train a model: ``train(examples, dev=(), *, seed=1, threads=1, …)``.

        Every model takes these arguments, and its own options:

        Parameters
        ----------
        examples
            Training examples.
        dev
            Held-out examples to score on after each epoch.
        seed, threads
            The seed of the order of the examples; the number of threads, which does not affect the
            result.
        checkpoint, resume
            Path for the state after each epoch (models of several stages append their names), and
            whether to continue from it, to the same bytes as an uninterrupted run.
        progress
            Called with `treaty.Progress` events.
        info
            Stored in the model: language, data, license.
        """

    @abstractmethod
    def predict(self, *data: Any, **options: Any) -> Iterator[Any]:
        """Predict structures: ``predict(inputs, *, threads=1, …)``.

        Yields one result per input, in order, as they are computed. Results convert to JSON
        (``to_dict``) and hold a `treaty.Certificate` where there is one. They do not depend on
        ``threads``.
        """

    @abstractmethod
    def evaluate(self, *data: Any, **options: Any) -> dict[str, float]:
        """Score the model on gold examples: ``evaluate(gold, *, threads=1, …)``.

        The gold structures are predicted again and compared by the measures of the task.
        """

    @abstractmethod
    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""

    @classmethod
    @abstractmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a model from the contents of a file; raise `ModelError` if anything is invalid."""

    @classmethod
    @abstractmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Any]:
        """Read a file in the task's usual format, for `train`, `evaluate` and `predict` alike.

        What is read is an example, and `predict` takes it as an input, too: ``treaty predict`` and
        ``treaty evaluate`` read by this method.
        """

    @classmethod
    @abstractmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""

    def structures(self) -> Mapping[str, Structure[Any]]:
        """Return the structures that the model decodes, by name.

        A model that is made of others, such as a pipeline, has none of its own. Those of one model
        are computed one after the other, the next one from the result of the last; or they are for
        inputs of different kinds.
        """
        return {}

    def scored(self, structure: str) -> ModelScores:
        """Return the scorer of a structure and its weights, as trained."""
        raise UsageError(f"{self.task}: there is no structure {structure!r}")

    # What is derived from it

    @classmethod
    def load(cls, origin: str | Path | IO[bytes] | None = None) -> Self:
        """Load a model.

        Parameters
        ----------
        origin
            The name of an installed model, the path of a file, or an open binary stream; by
            default the model that comes with Treaty.

        Raises
        ------
        ModelError
            When the file cannot be read, is damaged, of another format or for another task.
        """
        from treaty.learn._registry import model_path

        named = cls.shipped if origin is None else origin
        if named is None:
            raise UsageError(
                f"no {cls.task} comes with Treaty: give the path of a model file, or train one"
            )
        return cls._of(
            ModelFile.read(model_path(named) if isinstance(named, str | Path) else named)
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Load a model from the bytes of its file."""
        return cls._of(ModelFile.from_bytes(data))

    @classmethod
    def _of(cls, file: ModelFile) -> Self:
        if file.task not in (cls.task, *cls.also_reads):
            raise ModelError(
                f"{file.name}: this is a model for the task {file.task!r}; expected {cls.task!r}"
            )
        return cls.from_file(file)

    def save(self, path: str | Path) -> None:
        """Write the model to a file, replacing an existing one only when all is written."""
        self.to_file().write(path)

    def to_bytes(self) -> bytes:
        """Return the bytes of the model's file."""
        return self.to_file().to_bytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        about = [str(self.info[key]) for key in ("language", "data") if key in self.info]
        return f"<{type(self).__name__}{': ' if about else ''}{', '.join(about)}>"
