"""What a model is: the contract of every application, and all that follows from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, ClassVar, Self

from treaty.errors import ModelError, UsageError
from treaty.learn._model_file import ModelFile

__all__ = ["Model", "Sample"]


@dataclass(frozen=True)
class Sample:
    """Small data that a model class brings with it, for tests and examples.

    Parameters
    ----------
    examples
        What to train on; enough to learn something in a blink.
    inputs
        What to predict from; they need no gold structure.
    options
        Settings that make training fast, for `Model.train`.
    """

    examples: Sequence[Any]
    inputs: Sequence[Any]
    options: Mapping[str, Any] = field(default_factory=dict)


class Model(ABC):
    """A model: it learns from examples, predicts structures, and lives in one file.

    Training, evaluation, the registry, the command line and other machines know of a model only
    what is written here. A model pickles, deep-copies and goes through joblib by the bytes of its
    file. `treaty.testing.check_model` checks all of it.

    Attributes
    ----------
    task
        What the model does, such as ``"parser"``; its name in the registry.
    shipped
        The name of the model that comes with Treaty, and that `load` reads by default; None if
        there is none.
    also_reads
        Other tasks whose files hold such a model.
    info
        What is known of the model, for people: ``language``, ``data``, ``license``, ``training``
        (settings) and ``scores`` (on dev data).
    """

    task: ClassVar[str]
    shipped: ClassVar[str | None] = None
    also_reads: ClassVar[tuple[str, ...]] = ()
    info: dict[str, Any]

    # What each model writes

    # The first arguments of these three are positional; each model names and types them itself.

    @classmethod
    @abstractmethod
    def train(cls, *data: Any, **options: Any) -> Self:
        """Train a model: ``train(examples, dev=(), *, seed=1, threads=1, …)``.

        Every model takes these, and options of its own:

        Parameters
        ----------
        examples
            What to learn from.
        dev
            Held-out examples to score on after each epoch.
        seed, threads
            What the order of the examples depends on; how many are worked on at the same time, on
            which nothing depends.
        checkpoint, resume
            A path for the state after each epoch (models of several stages add their names to it),
            and whether to continue from it, to the same bytes as an uninterrupted run.
        progress
            Called with `treaty.Progress` events.
        info
            Kept in the model: language, data, license.
        """

    @abstractmethod
    def predict(self, *data: Any, **options: Any) -> Iterator[Any]:
        """Predict structures: ``predict(inputs, *, threads=1, …)``.

        There is one result for each input, in their order, as they come. Results give themselves
        for JSON (``to_dict``) and hold a `treaty.Certificate` where there is one. They do not
        depend on ``threads``.
        """

    @abstractmethod
    def evaluate(self, *data: Any, **options: Any) -> dict[str, float]:
        """Score the model on gold examples: ``evaluate(gold, *, threads=1, …)``.

        What the examples say is predicted anew, and compared by the measures of the task.
        """

    @abstractmethod
    def to_file(self) -> ModelFile:
        """Give what the model's file holds."""

    @classmethod
    @abstractmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a model of what a file holds, checking everything, or raise a `ModelError`."""

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
        """Make small data for tests."""

    # What follows from it

    @classmethod
    def load(cls, origin: str | Path | IO[bytes] | None = None) -> Self:
        """Read a model.

        Parameters
        ----------
        origin
            The name of a model that is installed, the path of a file, or an open binary stream; by
            default the model that comes with Treaty.

        Raises
        ------
        ModelError
            When the file cannot be read, is damaged, of another format or for another task.
        """
        from treaty.learn._registry import model_path

        named = cls.shipped if origin is None else origin
        if named is None:
            raise UsageError(f"no {cls.task} comes with Treaty: name a file, or train one")
        return cls._of(
            ModelFile.read(model_path(named) if isinstance(named, str | Path) else named)
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a model from the bytes of its file."""
        return cls._of(ModelFile.from_bytes(data))

    @classmethod
    def _of(cls, file: ModelFile) -> Self:
        if file.task not in (cls.task, *cls.also_reads):
            raise ModelError(
                f"{file.name}: a model for the task {file.task!r}; expected {cls.task!r}"
            )
        return cls.from_file(file)

    def save(self, path: str | Path) -> None:
        """Write the model to a file; it replaces an old one only when all of it is written."""
        self.to_file().write(path)

    def to_bytes(self) -> bytes:
        """Give the bytes of the model's file."""
        return self.to_file().to_bytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        about = [str(self.info[key]) for key in ("language", "data") if key in self.info]
        return f"<{type(self).__name__}{': ' if about else ''}{', '.join(about)}>"
