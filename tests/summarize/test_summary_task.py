"""Summaries as a task to be learned: costs and subgradients."""

from __future__ import annotations

import numpy as np
import pytest
from tests.summarize.subgradients import BITS, check_subgradient
from tests.summarize.test_topic import topic

from treaty.learn import TaskWeights
from treaty.summarize._summary_task import SummaryTask


@pytest.mark.parametrize("compressive", [False, True])
def test_summary_tasks_give_subgradients(compressive: bool) -> None:
    task = SummaryTask([topic(1), topic(2)], compressive=compressive, iterations=2000)
    for example in range(2):
        check_subgradient(task, example, example, tolerance=0.02)


def test_saying_nothing_costs_all_and_less_after_a_step() -> None:
    task = SummaryTask([topic(1)], compressive=False, iterations=2000)
    zero = task.violation(0, TaskWeights((np.zeros(2**BITS), 1.0)))
    assert zero.cost == pytest.approx(1.0)
    good = np.zeros(2**BITS)
    np.add.at(good, zero.gold.places, 1e3 * zero.gold.values)
    np.add.at(good, zero.found.places, -1e3 * zero.found.values)
    better = task.violation(0, TaskWeights((good, 1.0)))
    assert better.cost < 0.5
