"""The smallest model that keeps to the contract: it labels words by their first letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from treaty import Certificate, Model, UsageError
from treaty.errors import check_threads
from treaty.learn import ModelFile, Sample, fit
from treaty.text import read_text

LETTERS = 16
EXAMPLES = [("apple", "A"), ("ant", "A"), ("bee", "B"), ("boat", "B"), ("cat", "C"), ("car", "C")]


def letter(word: str) -> int:
    return ord(word[:1] or " ") % LETTERS


@dataclass(frozen=True)
class Answer:
    label: str
    certificate: Any

    def to_dict(self) -> dict[str, Any]:
        return {"label": self.label, "certificate": self.certificate.to_dict()}


class Toy(Model):
    """A perceptron with one feature."""

    task = "toy"

    def __init__(self, labels: Sequence[str], info: Mapping[str, Any]) -> None:
        self.labels, self.info = list(labels), dict(info)
        self.weights = np.zeros((len(self.labels), LETTERS))

    @classmethod
    def train(
        cls,
        examples: Iterable[tuple[str, str]],
        dev: Iterable[tuple[str, str]] = (),
        *,
        epochs: int = 3,
        seed: int = 1,
        threads: int = 1,
        checkpoint: Path | None = None,
        resume: bool = False,
        progress: Any = None,
        info: Mapping[str, Any] | None = None,
    ) -> Toy:
        check_threads(threads)
        pairs, held_out = list(examples), list(dev)
        if not pairs:
            raise UsageError("there is nothing to learn from")
        labels = sorted({label for _, label in pairs})
        made = cls(labels, {**(info or {}), "training": {"epochs": epochs, "seed": seed}})
        scores = fit(
            Learner(made, pairs),
            len(pairs),
            epochs=epochs,
            seed=seed,
            stage="words",
            evaluate=(lambda: made.evaluate(held_out)) if held_out else None,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
        )
        made.info |= {"scores": scores[-1]} if held_out else {}
        return made

    def label_of(self, word: str) -> int:
        return int(self.weights[:, letter(word)].argmax())

    def predict(self, inputs: Iterable[str], *, threads: int = 1) -> Iterator[Answer]:
        check_threads(threads)
        for word in inputs:
            best = self.label_of(word)
            certificate = Certificate.exact(float(self.weights[best, letter(word)]))
            yield Answer(self.labels[best], certificate)

    def evaluate(self, gold: Iterable[tuple[str, str]], *, threads: int = 1) -> dict[str, float]:
        pairs = list(gold)
        found = self.predict((word for word, _ in pairs), threads=threads)
        right = sum(a.label == label for a, (_, label) in zip(found, pairs, strict=True))
        return {"accuracy": right / max(len(pairs), 1)}

    def to_file(self) -> ModelFile:
        header = {"labels": self.labels, "info": self.info}
        return ModelFile(self.task, header, {"weights": self.weights.ravel()})

    @classmethod
    def from_file(cls, file: ModelFile) -> Toy:
        labels = file.strings("labels")
        if not labels:
            raise file.fault("there are no labels")
        made = cls(labels, file.info())
        size = made.weights.size
        made.weights[:] = file.tensor("weights", np.float64, size).reshape(made.weights.shape)
        return made

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[tuple[str, str]]:
        for line in read_text(origin).splitlines():
            word, _, label = line.partition("\t")
            yield word, label

    @classmethod
    def sample(cls) -> Sample:
        return Sample(EXAMPLES, ["ape", "bus", "", "cow"], {"epochs": 3})


class Learner:
    def __init__(self, model: Toy, examples: Sequence[tuple[str, str]]) -> None:
        self.model, self.examples = model, examples

    def learn(self, ids: Any) -> None:
        for word, label in (self.examples[i] for i in ids):
            gold, found = self.model.labels.index(label), self.model.label_of(word)
            self.model.weights[gold, letter(word)] += gold != found
            self.model.weights[found, letter(word)] -= 0.25 * (gold != found)
            self.model.weights *= 0.9375  # so that the order of the examples matters

    def state(self) -> dict[str, Any]:
        return {"weights": self.model.weights.ravel()}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.model.weights[:] = state["weights"].reshape(self.model.weights.shape)
