"""Losses of tasks against the planes that their violations tell."""

from __future__ import annotations

import numpy as np

from treaty.learn import Task, TaskWeights, hinge_loss

BITS = 10


def check_subgradient(task: Task, example: int, seed: int, tolerance: float) -> None:
    """The loss is convex: it lies above the plane that a violation tells."""
    rng = np.random.default_rng(seed)
    at = 0.3 * rng.normal(size=2**BITS)
    found = task.violation(example, TaskWeights((at, 1.0)))
    gradient = np.zeros(2**BITS)
    np.add.at(gradient, found.predicted.places, found.predicted.values)
    np.add.at(gradient, found.gold.places, -found.gold.values)
    loss = hinge_loss(found, at)
    assert loss >= -tolerance
    slack = []
    for _ in range(30):
        step = rng.choice([0.01, 0.1, 1.0]) * rng.normal(size=2**BITS) * (gradient != 0)
        there = at + step
        after = hinge_loss(task.violation(example, TaskWeights((there, 1.0))), there)
        slack.append(after - loss - float(gradient @ step))
    assert min(slack) >= -tolerance
    assert min(slack) <= tolerance  # near by, it is the plane
