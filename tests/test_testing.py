"""The conformance suite: it passes a sound model, and fails one that breaks a rule, by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.learn.broken_models import BROKEN, GivesAnotherClass
from tests.learn.packages import forget, install
from tests.learn.toy_model import Toy

from treaty.testing import CHECKS, check_model


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Register the toy for its task, as a package of others would."""
    classes = {made.task: f"{made.__module__}:{made.__name__}" for made in (Toy, GivesAnotherClass)}
    install(monkeypatch, tmp_path / "site", classes=classes)
    yield
    monkeypatch.undo()
    forget()


def test_a_sound_model_passes():
    check_model(Toy)


@pytest.mark.parametrize("name", CHECKS)
def test_a_sound_model_passes_each_check(name, tmp_path):
    CHECKS[name](Toy, tmp_path)


@pytest.mark.parametrize(
    ("check", "model", "match"), BROKEN, ids=[model.__name__ for _, model, _ in BROKEN]
)
def test_a_model_that_breaks_a_rule_fails_its_check(check, model, match, tmp_path):
    with pytest.raises(AssertionError, match=match):
        CHECKS[check](model, tmp_path)


def test_every_check_can_fail():
    assert {check for check, *_ in BROKEN} == set(CHECKS)


def test_all_checks_are_run(monkeypatch):
    run = []
    for name in CHECKS:
        monkeypatch.setitem(
            CHECKS, name, lambda model, folder, name=name: run.append((name, model, folder))
        )
    check_model(Toy)
    assert [name for name, *_ in run] == list(CHECKS)
    assert all(model is Toy for _, model, _ in run)
    assert len({folder for *_, folder in run}) == len(CHECKS), "each has a folder of its own"
