"""Fixtures of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.learn import packages


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Install packages for one test."""
    yield lambda **options: packages.install(monkeypatch, tmp_path / "site", **options)
    monkeypatch.undo()
    packages.forget()
