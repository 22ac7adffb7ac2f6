"""The conformance suite: what every model must do, whoever wrote it.

`check_model` runs all checks; `CHECKS` lists them by name, for test runners that report each one
separately.
"""

from __future__ import annotations

import copy
import io
import json
import pickle
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from treaty.errors import InputError, ModelError, SolverError, TreatyError, UsageError
from treaty.learn import (
    Decoding,
    Dense,
    HashedLinear,
    LearnerOptions,
    Model,
    ModelFile,
    Sample,
    Scorer,
    SparseVector,
    Structure,
    TaskWeights,
    TrainOptions,
    hinge_loss,
    load,
    model_class,
    train_scorer,
)
from treaty.learn._learners import LEARNERS, Examples, Prepared
from treaty.progress import Progress
from treaty.solve import Certificate, Status

__all__ = ["CHECKS", "check_model"]

HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1e300,
    "",
    "x",
    "\udcff",
    [],
    [[]],
    {},
    [None],
    {"a": {}},
)
"""Replacement values, each tried in turn for every entry of a header."""
MOST_DAMAGES = 150
"""Number of damaged files of each kind to try."""
TOLERANCE, ROUNDING = 1e-6, 1e-4
"""Relative errors of sums in double and in single precision."""
STEP = 1e-5
"""Of finite differences."""
Check = Callable[[type[Model], Path], None]


def check_model(model: type[Model]) -> None:
    """Check that a model class implements the `treaty.learn.Model` interface.

    The class is trained on its own `sample`, so that it needs no other data.

    Parameters
    ----------
    model
        The class.

    Raises
    ------
    AssertionError
        With a description of what is wrong.

    Examples
    --------
    >>> from treaty.parse import Tokenizer
    >>> check_model(Tokenizer)
    """
    for check in CHECKS.values():
        with TemporaryDirectory() as folder:
            check(model, Path(folder))


def check_registered(model: type[Model], folder: Path) -> None:
    """Check that the registry finds the class by its task, and by its files."""
    _require(
        model_class(model.task) is model, f"the task {model.task!r} is registered for another class"
    )
    path = folder / "model.treaty"
    _trained(model).save(path)
    for origin in (path, io.BytesIO(path.read_bytes())):
        _require(type(load(origin)) is model, "treaty.load returns another class")


def check_round_trip(model: type[Model], folder: Path) -> None:
    """Check that a loaded model is saved to the same bytes and predicts the same."""
    path = folder / "model.treaty"
    _trained(model).save(path)
    loaded = model.load(path)
    _require(loaded.to_bytes() == path.read_bytes(), "saving a loaded model gives other bytes")
    again = model.load(path)
    _require(
        _results(loaded) == _results(again), "loading twice gives models that predict differently"
    )
    _require(loaded.info == again.info, "loading twice gives different info")


def check_same_training(model: type[Model], folder: Path) -> None:
    """Check that the same training gives the same bytes, for any number of threads."""
    once = _trained(model).to_bytes()
    _require(_trained(model).to_bytes() == once, "training again gives other bytes")
    _require(_trained(model, threads=3).to_bytes() == once, "the model depends on threads")


def check_seed(model: type[Model], folder: Path) -> None:
    """Check that another seed is accepted and stored in the file."""
    trained = _trained(model, seed=7)
    _require(trained.info["training"]["seed"] == 7, "info['training']['seed'] is not the seed")


def check_threads(model: type[Model], folder: Path) -> None:
    """Check that predictions and scores do not depend on `threads`, which must be at least 1."""
    trained, sample = _loaded(model), model.sample()
    gold = sample.examples
    _require(
        _results(trained, threads=1) == _results(trained, threads=3), "results depend on threads"
    )
    _require(
        trained.evaluate(gold, threads=1) == trained.evaluate(gold, threads=3),
        "scores depend on threads",
    )
    _raises(UsageError, lambda: _trained(model, threads=0), "train with threads=0")
    _raises(
        UsageError,
        lambda: list(trained.predict(sample.inputs, threads=0)),
        "predict with threads=0",
    )
    _raises(UsageError, lambda: trained.evaluate(gold, threads=0), "evaluate with threads=0")


def check_predictions(model: type[Model], folder: Path) -> None:
    """Check that each input gets a result that converts to JSON, and that inputs are unchanged."""
    sample, trained = model.sample(), _loaded(model)
    before = pickle.dumps(sample.inputs)
    results = list(trained.predict(sample.inputs))
    _require(len(results) == len(sample.inputs), "expected one result for each input")
    _require(pickle.dumps(sample.inputs) == before, "predict has changed its inputs")
    for result in results:
        try:
            json.dumps(result.to_dict(), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise AssertionError(f"to_dict of a result is not JSON: {error}") from error
        certificate = getattr(result, "certificate", _NO_CERTIFICATE)
        _require(
            isinstance(certificate, Certificate), "a result's certificate is not a Certificate"
        )
    _require(
        _results(trained, inputs=iter(sample.inputs)) == _results(trained),
        "results from an iterator differ from those from a list",
    )


def check_empty_input(model: type[Model], folder: Path) -> None:
    """Check that empty input gives empty output, and that training on no examples is rejected."""
    _require(list(_loaded(model).predict([])) == [], "there are results without inputs")
    _raises(UsageError, lambda: model.train([], **model.sample().options))


def check_evaluation(model: type[Model], folder: Path) -> None:
    """Check that evaluating gold examples returns named scores."""
    _check_scores(_loaded(model).evaluate(model.sample().examples), "evaluate")


def check_dev(model: type[Model], folder: Path) -> None:
    """Check that held-out examples are accepted, and that info has the scores on them."""
    sample = model.sample()
    trained = model.train(sample.examples, sample.examples, **{"seed": 1, **sample.options})
    _check_scores(trained.info.get("scores"), "info")


def check_reading(model: type[Model], folder: Path) -> None:
    """Check that unreadable files raise `InputError`."""
    garbage = folder / "garbage"
    garbage.write_bytes(b"\xff\xfe\0\0 x\t1\n")
    for path in (folder / "missing", garbage):
        _raises(InputError, lambda: list(model.read(path)))  # noqa: B023


def check_resume(model: type[Model], folder: Path) -> None:
    """Check that training interrupted at any point resumes to the same bytes."""
    whole = _trained(model).to_bytes()
    events: list[Progress] = []
    _trained(model, progress=events.append)
    last = len(events) - 1
    for stop in sorted({1, 2, last // 3, 2 * last // 3, last} & set(range(1, last + 1))):
        checkpoint = folder / f"{stop}.checkpoint"
        left = iter(range(stop))

        def interrupt(_: Progress, left: Any = left) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt

        _raises(
            KeyboardInterrupt,
            lambda: _trained(model, checkpoint=checkpoint, progress=interrupt),  # noqa: B023
        )
        resumed = _trained(model, checkpoint=checkpoint, resume=True)
        _require(resumed.to_bytes() == whole, f"resumed after event {stop}, the bytes differ")


def check_progress(model: type[Model], folder: Path) -> None:
    """Check that progress within each stage runs from start to end."""
    events: list[Progress] = []
    _trained(model, progress=events.append)
    _require(bool(events), "there are no progress events")
    for stage in dict.fromkeys(event.stage for event in events):
        stage_events = [event for event in events if event.stage == stage]
        done = [event.done for event in stage_events]
        _require(done == sorted(done), f"{stage} goes backwards: {done}")
        _require(stage_events[-1].share in (None, 1.0), f"{stage} ends at {stage_events[-1].share}")


def check_pickling(model: type[Model], folder: Path) -> None:
    """Check that models can be pickled and deep-copied, with the same bytes as their files."""
    trained = _loaded(model)
    for copied in (pickle.loads(pickle.dumps(trained)), copy.deepcopy(trained)):
        _require(type(copied) is type(trained), "a pickle is of another class")
        _require(copied.to_bytes() == trained.to_bytes(), "a pickle has other bytes")
        _require(_results(copied) == _results(trained), "a pickle predicts differently")


def check_description(model: type[Model], folder: Path) -> None:
    """Check that a model has a short repr, and that its info is stored in its file."""
    trained = _trained(model, info={"language": "Elvish", "license": "CC0", "data": "songs"})
    again = model.from_bytes(trained.to_bytes())
    for described in (trained, again):
        given = {"language", "license", "data"} <= described.info.keys()
        _require(given, "info given to train is lost")
        _require("training" in described.info, "info does not have the training settings")
        for part in (type(described).__name__, "Elvish"):
            _require(part in repr(described), f"the repr does not contain {part}")
        _require(
            len(repr(described)) <= 200 and "\n" not in repr(described), "the repr is too long"
        )
    _require(again.info == json.loads(json.dumps(trained.info)), "the file has other info")


def check_other_files(model: type[Model], folder: Path) -> None:
    """Check that files of another task, missing and empty files raise `ModelError`."""
    other = ModelFile("another task", {"info": {}}, {}).to_bytes()
    for data in (other, b"", b"\0" * 100, b"not a model"):
        _raises(ModelError, lambda: model.from_bytes(data))  # noqa: B023
    _raises(ModelError, lambda: model.load(folder / "missing.treaty"))
    _raises(ModelError, lambda: model.load(folder))


def check_damaged_files(model: type[Model], folder: Path) -> None:
    """Check that truncated and damaged files raise `ModelError` or load into a working model."""
    data, chance = _trained(model).to_bytes(), random.Random(1)
    for end in [*range(0, len(data), max(1, len(data) // MOST_DAMAGES)), len(data) - 1]:
        _raises(ModelError, lambda: model.from_bytes(data[:end]))  # noqa: B023
    header = 8 + int.from_bytes(data[:8], "little")
    for number in range(2 * MOST_DAMAGES):
        damaged = bytearray(data)
        place = chance.randrange(header if number % 2 else len(data))
        damaged[place] = chance.randrange(256)
        _loads_or_is_refused(model, bytes(damaged))


def check_hostile_files(model: type[Model], folder: Path) -> None:
    """Check that files with any entry or tensor replaced raise `ModelError` or still work."""
    file, chance = _trained(model).to_file(), random.Random(1)
    header = json.loads(json.dumps(file.header))
    changes = [(path, value) for path in _paths(header) for value in HOSTILE]
    for path, value in chance.sample(changes, min(len(changes), 2 * MOST_DAMAGES)):
        edited = _edited(header, path, value)
        try:
            data = ModelFile(file.task, edited, file.tensors).to_bytes()
        except UsageError:
            continue  # cannot be stored in a file
        _loads_or_is_refused(model, data)
    for name, tensor in list(file.tensors.items())[:MOST_DAMAGES]:
        for other in (None, tensor[:-1], tensor[:0], tensor.reshape(1, -1), tensor[::-1]):
            rest = {key: value for key, value in file.tensors.items() if key != name}
            tensors = rest if other is None else {**rest, name: other}
            _loads_or_is_refused(model, ModelFile(file.task, header, tensors).to_bytes())


def check_structures(model: type[Model], folder: Path) -> None:
    """Check that each structure of a model decodes any scores, and what its answers certify."""
    trained = _loaded(model)
    for name, structure in trained.structures().items():
        scored, chance = trained.scored(name), np.random.default_rng(1)
        for parts, gold in zip(*_prepared(model, structure), strict=True):
            _check_kinds(name, parts)
            _require(gold.shape == (len(parts),), f"{name}: gold has no amount for each part")
            by_model, noise = scored(parts), chance.normal(size=len(parts))
            _require(by_model.shape == (len(parts),), f"{name}: there is no score for each part")
            for scores in (by_model, noise, np.zeros(len(parts))):
                decoding = structure.decode(parts, scores)
                _check_certificate(name, decoding, scores)
                if scores is noise:
                    _check_graph(name, structure, parts, scores, decoding)
                    _check_marginals(name, structure, parts, scores, chance)
                right = _total(scores, gold) + structure.fixed_score(parts, gold)
                bound = decoding.bound + TOLERANCE * (1 + abs(decoding.bound))
                _require(
                    right <= bound, f"{name}: gold scores {right}, more than the bound {bound}"
                )


def check_decoding_is_prediction(model: type[Model], folder: Path) -> None:
    """Check that decoding scores of the model's weights gives what `predict` does."""
    trained = _loaded(model)
    structures = trained.structures()
    if not structures or not all(one.reads_all for one in structures.values()):
        return
    for given in model.sample().inputs:
        result = given
        for name, structure in structures.items():
            parts = structure.parts(result)
            scores = trained.scored(name)(parts)
            decoding, fast = structure.decode(parts, scores), structure.fused(parts)
            if fast is not None:
                _check_fused(name, decoding, fast, scores)
            result = structure.read(parts, decoding if fast is None else fast)
        (predicted,) = trained.predict([given])
        one, other = (_uncertified(_timeless(r.to_dict())) for r in (result, predicted))
        _require(one == other, f"decoded {one}, but predicted {other}")


def check_backward(model: type[Model], folder: Path) -> None:
    """Check the gradients of every scorer over the model's parts by finite differences."""
    chance = np.random.default_rng(1)
    for name, structure in _loaded(model).structures().items():
        for scorer in _scorers(structure):
            for parts in _prepared(model, structure).lists[:3]:
                _check_gradient(f"{name}, {scorer}", scorer, parts, chance)


def check_scorers(model: type[Model], folder: Path) -> None:
    """Check that each structure of a model learns under every scorer, by every learner."""
    structures = _loaded(model).structures()
    learned = [
        _check_learning(f"{name}, {scorer}", model, structure, scorer, learner)
        for name, structure in structures.items()
        for scorer in _scorers(structure)
        for learner in LEARNERS
    ]
    _require(any(learned) or not structures, "there is nothing to learn from the sample's examples")


CHECKS: dict[str, Check] = {
    name.removeprefix("check_"): check
    for name, check in list(globals().items())
    if name.startswith("check_") and name != "check_model"
}
"""All checks by name; each takes the class and an empty folder."""

_NO_CERTIFICATE = Certificate.exact(0.0)
_FILES: dict[type[Model], bytes] = {}


def _trained(model: type[Model], **options: Any) -> Model:
    sample: Sample = model.sample()
    return model.train(sample.examples, **{"seed": 1, **sample.options, **options})


def _loaded(model: type[Model]) -> Model:
    """Return a trained model loaded from its bytes; it is trained once for all checks."""
    if model not in _FILES:
        _FILES[model] = _trained(model).to_bytes()
    return model.from_bytes(_FILES[model])


def _results(model: Model, inputs: Iterable[Any] | None = None, threads: int = 1) -> list[Any]:
    """Predict, and leave out the timings."""
    given = type(model).sample().inputs if inputs is None else inputs
    results = [result.to_dict() for result in model.predict(given, threads=threads)]
    return [_timeless(result) for result in results]


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(item) for key, item in value.items() if key != "seconds"}
    return [_timeless(item) for item in value] if isinstance(value, list) else value


def _taken(model: type[Model], structure: Structure[Any]) -> list[Any]:
    """List the sample's examples that the structure is for."""
    taken = [example for example in model.sample().examples if structure.takes(example)]
    _require(bool(taken), f"the sample has no example for {type(structure).__name__}")
    return taken


def _prepared(model: type[Model], structure: Structure[Any]) -> Prepared:
    return Prepared.of(structure, _taken(model, structure))


def _scorers(structure: Structure[Any]) -> list[Scorer]:
    return [HashedLinear(structure.bits), Dense(16), Dense(12, hidden=3)]


def _check_kinds(name: str, parts: Any) -> None:
    at = 0
    for kind, part in parts.kinds.items():
        _require(part.start == at, f"{name}: the parts {kind!r} do not follow those before them")
        at = part.stop
    _require(at == len(parts), f"{name}: some parts are of no kind")


def _total(scores: Any, amounts: Any) -> float:
    on = np.flatnonzero(amounts)  # what is forbidden and not chosen counts nothing
    return float(scores[on] @ amounts[on])


def _check_certificate(name: str, decoding: Decoding, scores: Any) -> None:
    if not decoding.is_answer:
        _require(decoding.status is not Status.OPTIMAL, f"{name}: there is no answer, but OPTIMAL")
        return
    total = _total(scores, decoding.amounts) + decoding.fixed
    _require(
        abs(total - decoding.objective) <= TOLERANCE * (1 + abs(total)),
        f"{name}: the objective is {decoding.objective}, but the parts score {total}",
    )
    _require(decoding.gap >= -TOLERANCE, f"{name}: the bound is below the objective")


def _check_graph(
    name: str, structure: Structure[Any], parts: Any, scores: Any, decoding: Decoding
) -> None:
    """Compare a decoder with an exact search of the structure's graph, where it shows one."""
    try:
        exact = structure.decode_with(parts, scores, lambda graph: None)
    except UsageError:
        return
    _check_certificate(name, exact, scores)
    slack = TOLERANCE * (1 + abs(exact.objective))
    better, bound = decoding.objective - exact.objective, decoding.bound
    _require(
        exact.status is not Status.OPTIMAL or better <= slack,
        f"{name}: an answer scores {better} more than the best one of the graph",
    )
    _require(
        exact.objective <= bound + slack,
        f"{name}: the graph has an answer of {exact.objective}, above the bound {bound}",
    )


def _check_marginals(
    name: str, structure: Structure[Any], parts: Any, scores: Any, chance: np.random.Generator
) -> None:
    """Check that marginals are probabilities, and the gradient of some function of the scores."""

    def slope(way: Any) -> Any:
        ahead, behind = (structure.marginals(parts, scores + s * way) for s in (1e-4, -1e-4))
        return (ahead - behind) / 2e-4

    try:
        expected = structure.marginals(parts, scores)
    except (SolverError, UsageError):
        return
    inside = bool(((expected >= -TOLERANCE) & (expected <= 1 + TOLERANCE)).all())
    _require(inside, f"{name}: a marginal is not a probability")
    one, other = chance.normal(size=(2, len(parts)))
    across, along = float(slope(one) @ other), float(slope(other) @ one)
    _require(
        abs(across - along) <= 1e-4 * (1 + abs(along)) and float(slope(one) @ one) >= -1e-4,
        f"{name}: marginals are not the gradient of a convex function of the scores",
    )


def _check_fused(name: str, decoding: Decoding, fast: Decoding, scores: Any) -> None:
    """Compare two decodings that sum the same weights in another order, in single precision."""
    total = _total(scores, fast.amounts) + fast.fixed
    for one, other, what in (
        (total, fast.objective, "the parts of the fast path score"),
        (decoding.objective, fast.objective, "the best answer scores"),
    ):
        exact = what.startswith("the parts") or {decoding.status, fast.status} == {Status.OPTIMAL}
        near = abs(one - other) <= ROUNDING * (1 + abs(one))
        _require(near or not exact, f"{name}: {what} {one}, but the fast path says {other}")


def _check_gradient(what: str, scorer: Scorer, parts: Any, chance: np.random.Generator) -> None:
    weights = chance.normal(size=scorer.size)
    gradient = chance.normal(size=len(parts))
    slope = scorer.backward(parts, weights, gradient)
    for _ in range(3):
        way = chance.normal(size=scorer.size)
        along = float(
            slope.values @ way[slope.places] if isinstance(slope, SparseVector) else slope @ way
        )
        ahead, behind = (
            float(scorer.scores(parts, weights + sign * STEP * way) @ gradient) for sign in (1, -1)
        )
        difference = (ahead - behind) / (2 * STEP)
        _require(
            abs(difference - along) <= 1e-4 * (1 + abs(along)),
            f"{what}: backward says {along}, finite differences {difference}",
        )


def _check_learning(
    what: str, model: type[Model], structure: Structure[Any], scorer: Scorer, learner: str
) -> bool:
    """Train, and return whether there was anything to learn."""
    learning, data = LearnerOptions(learner, batch=2), _taken(model, structure)
    weights, again = (
        train_scorer(
            structure, scorer, data, learning, TrainOptions(epochs=4, threads=threads)
        ).weights
        for threads in (1, 2)
    )
    _require(weights.tobytes() == again.tobytes(), f"{what}, {learner}: threads change the weights")
    _require(bool(np.isfinite(weights).all()), f"{what}, {learner}: a weight is not finite")
    if learner == "perceptron":
        return False  # it does not minimize this loss
    examples = Examples(structure, scorer, Prepared.of(structure, data), LearnerOptions("svm"))

    def loss(numbers: Any) -> float:
        current = np.asarray(numbers, np.float64)
        some = [examples.violation(i, TaskWeights((current, 1.0))) for i in range(len(examples))]
        return sum(hinge_loss(one, current) for one in some)

    before, after = loss(scorer.initial(1)), loss(weights)
    better = after < before or before == after == 0.0
    _require(better, f"{what}, {learner}: training changes the loss {before} to {after}")
    return before > 0.0


def _uncertified(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _uncertified(item) for key, item in value.items() if key != "certificate"}
    return [_uncertified(item) for item in value] if isinstance(value, list) else value


def _check_scores(scores: Any, what: str) -> None:
    _require(isinstance(scores, dict) and bool(scores), f"{what} has no scores")
    for name, score in scores.items():
        _require(isinstance(name, str), f"{name!r} is not a name")
        _require(isinstance(score, float), f"{name}: {score!r} is not a float")
        _require(score == score, f"{name} is not a number")


def _require(condition: bool, message: str) -> None:
    """Raise `AssertionError`, also when Python runs with assertions disabled."""
    if not condition:
        raise AssertionError(message)


def _raises(expected: type[BaseException], action: Callable[[], object], what: str = "") -> None:
    place = f"{what}: " if what else ""
    try:
        action()
    except expected:
        return
    except BaseException as error:
        raise AssertionError(f"{place}expected {expected.__name__}, found {error!r}") from error
    raise AssertionError(f"{place}expected {expected.__name__}, but nothing was raised")


def _loads_or_is_refused(model: type[Model], data: bytes) -> None:
    try:
        loaded = model.from_bytes(data)
    except ModelError:
        return
    except BaseException as error:
        raise AssertionError(f"expected ModelError, found {error!r}") from error
    try:
        for result in loaded.predict(model.sample().inputs):
            result.to_dict()
    except TreatyError:
        return
    except BaseException as error:
        raise AssertionError(f"a damaged file was loaded and failed later: {error!r}") from error


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        inner: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list):
        inner = list(enumerate(value))[:2]
    else:
        inner = ()
    here = [path] if path else []
    return here + [path_below for key, item in inner for path_below in _paths(item, (*path, key))]


def _edited(header: Any, path: tuple[Any, ...], value: Any) -> Any:
    edited = copy.deepcopy(header)
    place = edited
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return edited
