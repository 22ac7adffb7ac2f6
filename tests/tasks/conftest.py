"""What the tests of tasks share: models that are loaded once, and clocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import pytest

from treaty.tasks import TASKS, Run, Text
from treaty.tasks._run import Models


class Kept(Models):
    """Models that are loaded once."""

    @cache  # noqa: B019 - as long as the tests
    def load(self, kind, name):
        return super().load(kind, name)


class Strict(Run):
    """A run that ends at the first fault."""

    def fault(self, error):
        raise error


@dataclass
class Looks:
    """A deadline that is reached after a number of looks, whatever the time."""

    looks: int
    seconds: float = 60.0
    left: float = 60.0
    cancel: object = field(default=None)

    @property
    def is_late(self):
        self.looks -= 1
        return self.looks < 0


KEPT = Kept()


@pytest.fixture
def run():
    return Run(KEPT)


@pytest.fixture
def models():
    return KEPT


@pytest.fixture
def perform():
    """Perform a task by its name on texts; returns its results."""

    def perform(name, *texts, run=None, **fields):
        task = TASKS[name]
        request = task.asks.from_dict(fields)
        return list(task(request, run or Strict(KEPT))(map(Text, texts)))

    return perform
