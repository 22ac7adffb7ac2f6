"""The multi-task SVM against quadratic programs, finite differences and its own limits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from treaty.errors import ModelError, UsageError
from treaty.learn import MultiTaskSvm, SparseVector, TaskWeights, Violation, fit, hinge_loss

FEATURES, CLASSES = 3, 3


class Classes:
    """Examples of one of three classes; the cost of a wrong one is how far its number is off."""

    def __init__(self, seed: int, examples: int, *, sparse: bool = False, skip: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.inputs = rng.normal(size=(examples, FEATURES))
        self.gold = rng.integers(CLASSES, size=examples)
        self.inputs[:, 0] += self.gold
        self.inputs[:, :skip] = 0.0
        self.sparse = sparse

    def __len__(self) -> int:
        return len(self.gold)

    def features(self, example: int, answer: int) -> np.ndarray:
        vector = np.zeros(FEATURES * CLASSES)
        vector[answer * FEATURES : (answer + 1) * FEATURES] = self.inputs[example]
        return vector

    def violation(self, example: int, weights: TaskWeights) -> Violation:
        gold = int(self.gold[example])
        all_weights = np.array(weights[:])
        worth = [
            abs(answer - gold) + all_weights @ self.features(example, answer)
            for answer in range(CLASSES)
        ]
        answer = int(np.argmax(worth))
        vectors = self.features(example, answer), self.features(example, gold)
        if self.sparse:
            vectors = SparseVector.of(vectors[0]), SparseVector.of(vectors[1])
        return Violation(float(abs(answer - gold)), *vectors)


def objective_of(tasks: list[Classes], x: np.ndarray, strengths: list[float]) -> float:
    """Eq. 10, written down from the definition; x holds w and the v_k one after another."""
    w, *own = x.reshape(len(tasks) + 1, -1)
    total = sum(s / 2 * float(v @ v) for s, v in zip(strengths, [w, *own], strict=True))
    for task, v in zip(tasks, own, strict=True):
        losses = []
        for i in range(len(task)):
            scores = [float((w + v) @ task.features(i, a)) for a in range(CLASSES)]
            gold = int(task.gold[i])
            losses.append(max(abs(a - gold) + scores[a] for a in range(CLASSES)) - scores[gold])
        total += sum(losses) / len(losses)
    return total


def optimum(tasks: list[Classes], strengths: list[float]) -> float:
    """Solve eq. 10 as a quadratic program: slacks, and a row for every answer of every example."""
    width = FEATURES * CLASSES * (len(tasks) + 1)
    diagonal = np.repeat(strengths, FEATURES * CLASSES)
    rows, offsets, share = [], [], []
    for number, task in enumerate(tasks):
        for i in range(len(task)):
            share.append(1 / len(task))
            for answer in range(CLASSES):
                difference = task.features(i, answer) - task.features(i, int(task.gold[i]))
                row = np.zeros(width)
                row[: FEATURES * CLASSES] = difference
                at = (number + 1) * FEATURES * CLASSES
                row[at : at + FEATURES * CLASSES] = difference
                rows.append((row, len(share) - 1))
                offsets.append(abs(answer - int(task.gold[i])))
    slacks = len(share)
    matrix = np.zeros((len(rows), width + slacks))
    for number, (row, slack) in enumerate(rows):
        matrix[number, :width], matrix[number, width + slack] = -row, 1.0
    weights = np.concatenate([np.zeros(width), share])
    found = minimize(
        lambda x: 0.5 * diagonal @ x[:width] ** 2 + weights @ x,
        np.concatenate([np.zeros(width), np.full(slacks, 2.0)]),
        jac=lambda x: np.concatenate([diagonal * x[:width], np.zeros(slacks)]) + weights,
        constraints={
            "type": "ineq",
            "fun": lambda x: matrix @ x - offsets,
            "jac": lambda _: matrix,
        },
        method="SLSQP",
        options={"maxiter": 300},
    )
    assert found.success
    return float(found.fun)


def trained(tasks: dict[str, Classes], epochs: int = 300, **options: object) -> MultiTaskSvm:
    svm = MultiTaskSvm(tasks, FEATURES * CLASSES, **options)
    fit(svm, len(svm), epochs=epochs, seed=1)
    return svm


@pytest.mark.parametrize("strengths", [[0.2, 0.2, 0.2], [0.3, 0.1, 0.5]])
def test_the_optimum_is_that_of_the_quadratic_program(strengths: list[float]) -> None:
    tasks = [Classes(1, 8), Classes(2, 5, sparse=True)]
    best = optimum(tasks, strengths)
    svm = trained(
        {"a": tasks[0], "b": tasks[1]},
        600,
        regularization=strengths[0],
        own_regularization={"a": strengths[1], "b": strengths[2]},
        warm_up=1500,
    )
    assert best - 1e-6 <= svm.objective() <= best * 1.01
    w = svm.shared_weights()
    x = np.concatenate([w, svm.weights("a") - w, svm.weights("b") - w])
    assert svm.objective() == pytest.approx(objective_of(tasks, x, strengths))


def test_violations_are_subgradients_of_the_loss() -> None:
    task = Classes(3, 6)
    rng = np.random.default_rng(0)
    for example in range(len(task)):
        at = rng.normal(size=FEATURES * CLASSES)
        found = task.violation(example, TaskWeights((at, 1.0)))
        gradient = np.asarray(found.predicted) - np.asarray(found.gold)
        for place in range(len(at)):
            step = np.zeros(len(at))
            step[place] = 1e-6
            sides = [
                hinge_loss(task.violation(example, TaskWeights((x, 1.0))), x)
                for x in (at + step, at - step)
            ]
            assert (sides[0] - sides[1]) / 2e-6 == pytest.approx(gradient[place], abs=1e-6)


def test_sparse_and_dense_vectors_teach_the_same() -> None:
    dense = trained({"a": Classes(4, 7), "b": Classes(5, 4)}, 5)
    sparse = trained({"a": Classes(4, 7, sparse=True), "b": Classes(5, 4, sparse=True)}, 5)
    assert np.allclose(dense.weights("a"), sparse.weights("a"))


@pytest.mark.parametrize(("shared", "warm_up"), [(True, 0), (True, 5), (False, 0)])
def test_steps_are_those_of_the_update_rule(shared: bool, warm_up: int) -> None:
    """A twin with plain vectors: shrink, add, and the mean of what follows the warm-up."""
    tasks = {"a": Classes(1, 8), "b": Classes(2, 4, sparse=True)}
    usual = {} if warm_up else {"regularization": 0.01, "first_step": 0.1, "warm_up": 0}
    svm = MultiTaskSvm(
        tasks, FEATURES * CLASSES, shared=shared, **({"warm_up": warm_up} if warm_up else {})
    )
    named = MultiTaskSvm(tasks, FEATURES * CLASSES, shared=shared, **usual)
    assert np.array_equal(svm.weights("a"), np.zeros(FEATURES * CLASSES))
    w, own = np.zeros(9), {name: np.zeros(9) for name in tasks}
    means = {name: [] for name in tasks}
    for step, identity in enumerate([0, 9, 3, 11, 8, 7, 7, 0, 10, 1, 2]):
        name, example = ("a", identity) if identity < 8 else ("b", identity - 8)
        found = tasks[name].violation(example, TaskWeights((w + own[name], 1.0)))
        gold, answer = (
            np.zeros(9) + (v if isinstance(v, np.ndarray) else dense(v))
            for v in (found.gold, found.predicted)
        )
        length = 0.1 / (1 + 0.1 * 0.01 * step)
        kappa = 12 / len(tasks[name])
        w, own = w * (1 - length * 0.01), {k: v * (1 - length * 0.01) for k, v in own.items()}
        w = w + shared * length * kappa * (gold - answer)
        own[name] = own[name] + length * kappa * (gold - answer)
        for each, kept in means.items():
            kept.append(w + own[each])
        for learner in (svm, named):
            learner.learn(np.array([identity], np.int32))
    for name in tasks:
        assert svm.weights(name) == pytest.approx(np.mean(means[name][warm_up:], axis=0))
        assert warm_up or np.array_equal(named.weights(name), svm.weights(name))


@pytest.mark.parametrize("name", ["own a.values", "shared.late", "own a.past", "shared.clock"])
@pytest.mark.parametrize("shape", [(1,), (4,), (3, 1)])
def test_states_of_other_sizes_are_refused(name: str, shape: tuple[int, ...]) -> None:
    svm = MultiTaskSvm({"a": Classes(1, 2)}, FEATURES * CLASSES)
    assert name in svm.state()
    with pytest.raises(ValueError, match=r"expected (9 weights|a scale)"):
        svm.restore({**svm.state(), name: np.zeros(shape)})


def dense(vector: SparseVector) -> np.ndarray:
    found = np.zeros(FEATURES * CLASSES)
    found[vector.places] = vector.values
    return found


def test_regularization_counts_where_it_is_used() -> None:
    tasks = {"a": Classes(1, 2)}
    MultiTaskSvm(tasks, 9, regularization=-1.0, own_regularization=0.1, shared=False)
    for options in (
        {"regularization": -1.0, "own_regularization": 0.1},
        {"regularization": 0.0},
        {"regularization": 0.1, "own_regularization": 0.0},
        {"regularization": 0.5, "first_step": 2.0},
        {"regularization": 0.1, "own_regularization": 0.5, "first_step": 2.0},
        {"first_step": 0.0},
    ):
        with pytest.raises(UsageError, match="regularization must be positive"):
            MultiTaskSvm(tasks, 9, **options)


def test_averages_are_the_mean_of_the_weights_of_all_steps() -> None:
    svm = MultiTaskSvm({"a": Classes(6, 9)}, FEATURES * CLASSES, warm_up=4, regularization=0.5)
    seen = []
    for step in range(20):
        svm.learn(np.array([step % 9], np.int32))
        seen.append(np.array(svm._current("a")[:]))
    assert np.allclose(svm.weights("a"), np.mean(seen[4:], axis=0))


def test_without_a_shared_vector_every_task_learns_alone() -> None:
    tasks = {"a": Classes(7, 6), "b": Classes(8, 4)}
    apart = trained(tasks, 400, shared=False, regularization=0.2, warm_up=800)
    alone = trained({"a": tasks["a"]}, 400, shared=False, regularization=0.2, warm_up=480)
    assert not apart.shared_weights().any()
    assert np.abs(apart.weights("a") - alone.weights("a")).max() < 0.05
    far = trained(tasks, 400, regularization=40.0, own_regularization=0.2, first_step=0.02)
    assert np.abs(far.shared_weights()).max() < 0.05  # towards the limit


def test_a_task_left_out_gets_what_the_others_share() -> None:
    # The tasks have no feature in common: at the optimum w is half of what each learned.
    svm = trained({"b": Classes(9, 6, skip=1)}, 500, regularization=0.2, warm_up=500)
    assert np.array_equal(svm.weights("a"), svm.shared_weights())
    assert np.abs(2 * svm.weights("a") - svm.weights("b")).max() < 1e-9


def test_tasks_weigh_the_same_however_many_examples_they_have() -> None:
    many = Classes(10, 6)
    twice = Classes(10, 6)
    twice.inputs, twice.gold = np.tile(many.inputs, (4, 1)), np.tile(many.gold, 4)
    other = Classes(11, 6)
    once = trained({"a": many, "b": other}, 500, regularization=0.3, warm_up=1000)
    again = trained({"a": twice, "b": other}, 500, regularization=0.3, warm_up=2500)
    assert np.abs(once.weights("b") - again.weights("b")).max() < 0.05


def test_a_broken_training_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    def learner() -> MultiTaskSvm:
        return MultiTaskSvm({"a": Classes(1, 8), "b": Classes(2, 5)}, FEATURES * CLASSES, warm_up=7)

    whole, broken = learner(), learner()
    fit(whole, 13, epochs=6, seed=3)
    path = tmp_path / "checkpoint"
    fit(broken, 13, epochs=2, seed=3, checkpoint=path)
    resumed = learner()
    fit(resumed, 13, epochs=6, seed=3, checkpoint=path, resume=True)
    for name in ("a", "b"):
        assert resumed.weights(name).tobytes() == whole.weights(name).tobytes()
    other = MultiTaskSvm({"c": Classes(1, 13)}, FEATURES * CLASSES)
    with pytest.raises(ModelError, match="not a checkpoint of this model"):
        fit(other, 13, epochs=6, seed=3, checkpoint=path, resume=True)


@pytest.mark.parametrize(
    "options",
    [
        {"regularization": 0.0},
        {"regularization": 10.0, "first_step": 0.1},
        {"own_regularization": {"b": 1.0}},
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        MultiTaskSvm({"a": Classes(1, 2)}, FEATURES * CLASSES, **options)


def test_tasks_without_examples_are_refused() -> None:
    with pytest.raises(UsageError, match="at least one example"):
        MultiTaskSvm({"a": Classes(1, 0)}, FEATURES * CLASSES)
