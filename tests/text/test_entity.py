"""Entities are values."""

from dataclasses import FrozenInstanceError

import pytest

from treaty import label
from treaty.text import Entity


def test_entities_are_equal_by_value_and_cannot_be_changed():
    rome = Entity("LOC", "Rome", 10, 14, 1, 1)
    assert rome == Entity("LOC", "Rome", 10, 14, 1, 1, None)
    assert rome != Entity("LOC", "Rome", 10, 14, 1, 1, 0.5)
    with pytest.raises(FrozenInstanceError):
        rome.type = "PER"


def test_there_is_one_class_of_entities():
    assert label.Entity is Entity
