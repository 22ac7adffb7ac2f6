"""Models that break the rules of the conformance suite, one for each way to break one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from tests.learn.toy_graph_model import Picker
from tests.learn.toy_model import EXAMPLES, Answer, Learner, Toy

from treaty import Certificate, Progress
from treaty.learn import Decoding, Model, ModelFile, Sample
from treaty.learn._part_problem import GraphStructure

NUMBERS = itertools.count()
"""What differs each time it is asked for."""
BROKEN: list[tuple[str, type[Model], str]] = []
"""The check that each of the models below fails, the model, and a part of the message."""


def breaks(check: str, match: str) -> Callable[[type[Model]], type[Model]]:
    def note(model: type[Model]) -> type[Model]:
        BROKEN.append((check, model, match))
        return model

    return note


@breaks("registered", "the task 'toy' is registered for another class")
class Unregistered(Toy):
    pass


@breaks("registered", "returns another class")
class GivesAnotherClass(Toy):
    task = "other"

    @classmethod
    def from_file(cls, file: ModelFile) -> Toy:
        return Toy.from_file(file)


@breaks("round_trip", "other bytes")
class SavesSomethingElseEachTime(Toy):
    def to_file(self) -> ModelFile:
        file = super().to_file()
        return replace(file, header={**file.header, "saved": next(NUMBERS)})


@breaks("round_trip", "loading twice gives different info")
class DescribesItselfAnewEachTime(Toy):
    def to_file(self) -> ModelFile:
        file = super().to_file()
        kept = {key: value for key, value in self.info.items() if key != "loaded"}
        return replace(file, header={**file.header, "info": kept})

    @classmethod
    def from_file(cls, file: ModelFile) -> Toy:
        made = super().from_file(file)
        made.info["loaded"] = next(NUMBERS)
        return made


@breaks("round_trip", "loading twice gives models that predict differently")
class LoadsSomethingElseEachTime(Toy):
    def predict(self, inputs: Any, **options: Any) -> Iterator[Answer]:
        for answer in super().predict(inputs, **options):
            yield replace(answer, label=f"{answer.label} {next(NUMBERS)}")


@breaks("same_training", "training again gives other bytes")
class LearnsSomethingElseEachTime(Toy):
    @classmethod
    def train(cls, *data: Any, **options: Any) -> Toy:
        made = super().train(*data, **options)
        made.weights += next(NUMBERS)
        return made


@breaks("same_training", "depends on threads")
class LearnsByThreads(Toy):
    @classmethod
    def train(cls, *data: Any, threads: int = 1, **options: Any) -> Toy:
        made = super().train(*data, **options)
        made.weights += threads
        return made


@breaks("seed", "is not the seed")
class ForgetsTheSeed(Toy):
    @classmethod
    def train(cls, *data: Any, **options: Any) -> Toy:
        made = super().train(*data, **options)
        made.info["training"] = {"epochs": 3, "seed": 1}
        return made


@breaks("threads", "results depend on threads")
class PredictsByThreads(Toy):
    def predict(self, inputs: Any, *, threads: int = 1) -> Iterator[Answer]:
        for answer in super().predict(inputs):
            yield replace(answer, label=f"{answer.label}{threads}")


@breaks("threads", "scores depend on threads")
class ScoresByThreads(Toy):
    def evaluate(self, gold: Any, *, threads: int = 1) -> dict[str, float]:
        return {"accuracy": 1.0 / threads}


@breaks("threads", "train with threads=0: expected UsageError, but nothing")
class TrainsWithoutThreads(Toy):
    @classmethod
    def train(cls, *data: Any, threads: int = 1, **options: Any) -> Toy:
        return super().train(*data, **options)


@breaks("threads", "predict with threads=0: expected UsageError, found ZeroDivisionError")
class DividesByThreads(Toy):
    def predict(self, inputs: Any, *, threads: int = 1) -> Iterator[Answer]:
        _ = 1 / threads
        return super().predict(inputs)


@breaks("threads", "evaluate with threads=0: expected UsageError, but nothing")
class ScoresWithoutThreads(Toy):
    def evaluate(self, gold: Any, *, threads: int = 1) -> dict[str, float]:
        return super().evaluate(gold)


@breaks("predictions", "one result for each input")
class LeavesOutResults(Toy):
    def predict(self, inputs: Any, **options: Any) -> Iterator[Answer]:
        return super().predict([word for word in inputs if word])


@breaks("predictions", "changed its inputs")
class ChangesInputs(Toy):
    @classmethod
    def sample(cls) -> Sample:
        return replace(super().sample(), inputs=[["ape"], ["bus"]])

    def predict(self, inputs: Any, **options: Any) -> Iterator[Answer]:
        for words in inputs:
            yield from super().predict([words[0]])
            words.append("seen")


@breaks("predictions", "not JSON: Out of range")
class GivesNoJson(Toy):
    def predict(self, inputs: Any, **options: Any) -> Iterator[Answer]:
        class Odd(Answer):
            def to_dict(self) -> dict[str, Any]:
                return {"score": float("nan")}

        for answer in super().predict(inputs):
            yield Odd(answer.label, answer.certificate)


@breaks("predictions", "certificate is not a Certificate")
class GivesACertificateOfItsOwn(Toy):
    def predict(self, inputs: Any, **options: Any) -> Iterator[Answer]:
        class Own:
            def to_dict(self) -> dict[str, Any]:
                return {"status": "fine"}

        return (replace(answer, certificate=Own()) for answer in super().predict(inputs))


@breaks("predictions", "results from an iterator differ")
class ReadsInputsTwice(Toy):
    def predict(self, inputs: Any, **options: Any) -> Iterator[Answer]:
        count = len([*inputs])
        return super().predict([*inputs][:count])


@breaks("empty_input", "results without inputs")
class PredictsFromNothing(Toy):
    def predict(self, inputs: Any, **options: Any) -> Iterator[Answer]:
        return super().predict([*inputs] or ["nothing"])


@breaks("empty_input", "expected UsageError, but nothing was raised")
class LearnsFromNothing(Toy):
    @classmethod
    def train(cls, examples: Any, *more: Any, **options: Any) -> Toy:
        return super().train([*examples] or EXAMPLES, *more, **options)


@breaks("empty_input", "expected UsageError, found IndexError")
class FailsOnNothing(Toy):
    @classmethod
    def train(cls, examples: Any, *more: Any, **options: Any) -> Toy:
        _ = examples[0]
        return super().train(examples, *more, **options)


@breaks("evaluation", "evaluate has no scores")
class HasNoScores(Toy):
    def evaluate(self, *data: Any, **options: Any) -> dict[str, float]:
        return {}


@breaks("evaluation", "accuracy: 1 is not a float")
class CountsInWholeNumbers(Toy):
    def evaluate(self, *data: Any, **options: Any) -> dict[str, float]:
        return {name: round(score) for name, score in super().evaluate(*data).items()}


@breaks("evaluation", "accuracy is not a number")
class ScoresNan(Toy):
    def evaluate(self, *data: Any, **options: Any) -> dict[str, float]:
        return {"accuracy": float("nan")}


@breaks("dev", "info has no scores")
class ForgetsItsScores(Toy):
    @classmethod
    def train(cls, *data: Any, **options: Any) -> Toy:
        made = super().train(*data, **options)
        made.info.pop("scores", None)
        return made


@breaks("reading", "expected InputError, found FileNotFoundError")
class ReadsByItself(Toy):
    @classmethod
    def read(cls, origin: Any) -> Iterator[tuple[str, str]]:
        return iter(Path(origin).read_text(encoding="utf-8").splitlines())


@breaks("reading", "expected InputError, but nothing was raised")
class ReadsGarbage(Toy):
    @classmethod
    def read(cls, origin: Any) -> Iterator[tuple[str, str]]:
        return super().read(origin) if Path(origin).name == "missing" else iter([])


@breaks("resume", "the bytes differ")
class ForgetsWhereItWas(Toy):
    @classmethod
    def train(cls, *data: Any, **options: Any) -> Toy:
        kept = Learner.restore
        Learner.restore = lambda self, state: None  # type: ignore[method-assign]
        try:
            return super().train(*data, **options)
        finally:
            Learner.restore = kept  # type: ignore[method-assign]


@breaks("resume", "the bytes differ")
class KeepsNotesOfItsOwn(Toy):
    @classmethod
    def train(cls, *data: Any, resume: bool = False, **options: Any) -> Toy:
        made = super().train(*data, resume=resume, **options)
        made.info["training"]["resumed"] = resume
        return made


@breaks("progress", "no progress events")
class TellsNothing(Toy):
    @classmethod
    def train(cls, *data: Any, progress: Any = None, **options: Any) -> Toy:
        return super().train(*data, **options)


@breaks("progress", "words ends at 0.5")
class EndsHalfWay(Toy):
    @classmethod
    def train(cls, *data: Any, progress: Any = None, **options: Any) -> Toy:
        def tell(event: Progress) -> None:
            progress(replace(event, total=2 * event.total))

        return super().train(*data, progress=progress and tell, **options)


@breaks("progress", "words goes backwards")
class GoesBackwards(Toy):
    @classmethod
    def train(cls, *data: Any, progress: Any = None, **options: Any) -> Toy:
        def tell(event: Progress) -> None:
            progress(replace(event, done=event.total - event.done, total=None))

        return super().train(*data, progress=progress and tell, **options)


@breaks("pickling", "other bytes")
class PicklesWithoutItsWeights(Toy):
    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.labels, self.info)


@breaks("pickling", "another class")
class PicklesAsAnother(Toy):
    def __reduce__(self) -> tuple[Any, ...]:
        return Toy.from_bytes, (self.to_bytes(),)


@breaks("description", "info given to train is lost")
class LosesItsInfo(Toy):
    @classmethod
    def train(cls, *data: Any, info: Any = None, **options: Any) -> Toy:
        return super().train(*data, **options)


@breaks("description", "training settings")
class HasNoSettings(Toy):
    @classmethod
    def train(cls, *data: Any, **options: Any) -> Toy:
        made = super().train(*data, **options)
        del made.info["training"]
        return made


@breaks("description", "does not contain Elvish")
class SaysNothing(Toy):
    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


@breaks("description", "repr is too long")
class SaysTooMuch(Toy):
    def __repr__(self) -> str:
        return super().__repr__() + 200 * "!"


@breaks("description", "the file has other info")
class LosesInfoInItsFile(Toy):
    def to_file(self) -> ModelFile:
        file = super().to_file()
        return replace(file, header={**file.header, "info": {**self.info, "license": "none"}})


@breaks("other_files", "expected ModelError, but nothing was raised")
class ReadsAnything(Toy):
    @classmethod
    def _of(cls, file: ModelFile) -> Toy:
        return cls.from_file(file) if file.task == cls.task else cls(["A"], {})


@breaks("other_files", "expected ModelError, found FileNotFoundError")
class OpensFilesItself(Toy):
    @classmethod
    def load(cls, origin: Any = None) -> Toy:
        return cls.from_bytes(Path(origin).read_bytes())


@breaks("damaged_files", "expected ModelError, but nothing was raised")
class MendsTruncatedFiles(Toy):
    @classmethod
    def from_bytes(cls, data: bytes) -> Toy:
        whole = len(super().train(EXAMPLES).to_bytes())
        return cls(["A"], {}) if len(data) < whole - 100 else super().from_bytes(data)


@breaks("damaged_files", "expected ModelError, found IndexError")
class TrustsItsBytes(Toy):
    @classmethod
    def from_bytes(cls, data: bytes) -> Toy:
        made = super().from_bytes(data)
        _ = [0][int(not np.isclose(np.abs(made.weights).max(), 0.8, atol=0.5))]
        return made


@breaks("hostile_files", "expected ModelError, found KeyError")
class TrustsTheHeader(Toy):
    @classmethod
    def from_file(cls, file: ModelFile) -> Toy:
        _ = [{"A": 0, "B": 0, "C": 0}[label] for label in file.strings("labels")]
        return super().from_file(file)


@breaks("hostile_files", "expected ModelError, found KeyError")
class TrustsTheTensors(Toy):
    @classmethod
    def from_file(cls, file: ModelFile) -> Toy:
        _ = file.tensors["weights"]
        return super().from_file(file)


@breaks("hostile_files", "failed later: ")
class FailsLater(Toy):
    @classmethod
    def from_file(cls, file: ModelFile) -> Toy:
        made = cls(["A", "B", "C"], file.info())
        weights = file.tensors.get("weights")
        made.weights = np.zeros((0, 16)) if weights is None else made.weights
        made.labels = file.strings("labels")
        return made


# Structures


class Loose(GraphStructure):
    """States a bound that is too low."""

    def decode_all(self, lists, scores, **options):
        return [
            replace(one, certificate=replace(one.certificate, bound=one.bound - 9, objective=-9.0))
            for one in super().decode_all(lists, scores, **options)
        ]


class Boastful(GraphStructure):
    """States more than its parts score."""

    def decode_all(self, lists, scores, **options):
        better = [
            (one, replace(one.certificate, objective=one.objective + 1, bound=one.bound + 1))
            for one in super().decode_all(lists, scores, **options)
        ]
        return [replace(one, certificate=certificate) for one, certificate in better]


class Disordered(GraphStructure):
    """Lists the kinds of parts in another order than the parts."""

    def parts(self, given):
        parts = super().parts(given)
        parts.kinds = dict(reversed(parts.kinds.items()))
        return parts


class Hasty(GraphStructure):
    """Has a fast path that says that it found more than there is."""

    def fused(self, parts):
        scored = self.model.scored(self.model.task)(parts)
        decoding = self.decode(parts, scored)
        return replace(
            decoding, certificate=replace(decoding.certificate, objective=decoding.objective + 1)
        )


class Wrong(GraphStructure):
    """Sums up twice the features that it scores."""

    def parts(self, given):
        parts = super().parts(given)
        parts._rows = [(part, Twice(rows)) for part, rows in parts.features]
        return parts


class Twice:
    def __init__(self, rows):
        self.rows = rows

    def scores(self, weights):
        return self.rows.scores(weights)

    def total(self, amounts):
        return self.rows.total(2 * amounts)

    def entries(self):
        return self.rows.entries()


class Blind(GraphStructure):
    """Gives its parts no features, so that nothing can be learned."""

    def parts(self, given):
        parts = super().parts(given)
        parts._rows = []
        return parts


class Unlikely(GraphStructure):
    """Gives marginals that are those of other scores for half of the parts."""

    def marginals(self, parts, scores):
        changed = np.where(np.arange(len(parts)) % 2, scores, 0.5 * scores)
        return super().marginals(parts, changed)


class Timid(GraphStructure):
    """Decodes worse than its graph, and calls that the best."""

    def decode_all(self, lists, scores, **options):
        none = [np.zeros(len(parts)) for parts in lists]
        return [Decoding(amounts, Certificate.exact(0.0)) for amounts in none]


class Threaded(GraphStructure):
    """Decodes differently in threads."""

    def decode_all(self, lists, scores, *, threads=1, **options):
        return super().decode_all(lists, [one * (3 - 2 * threads) for one in scores], **options)


def _with(structure: type[GraphStructure], check: str, match: str) -> None:
    class Broken(Picker):
        def structures(self):
            return {self.task: structure(self)}

    Broken.__name__ = f"Is{structure.__name__}"
    breaks(check, match)(Broken)


_with(Loose, "structures", "the objective is")
_with(Boastful, "structures", "but the parts score")
_with(Disordered, "structures", "do not follow those before them")
_with(Unlikely, "structures", "marginals are not the gradient")
_with(Timid, "structures", "more than the bound")
_with(Hasty, "decoding_is_prediction", "but the fast path says")
_with(Wrong, "backward", "backward says")
_with(Blind, "scorers", "training changes the loss")
_with(Threaded, "scorers", "threads change the weights")


@breaks("decoding_is_prediction", "but predicted")
class PredictsSomethingElse(Picker):
    def result(self, given, chosen):
        return {"taken": next(NUMBERS)}
