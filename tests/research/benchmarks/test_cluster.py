"""The simulation of clusters, where its results are known."""

from __future__ import annotations

import pytest

from research.benchmarks import _cluster_simulation
from research.benchmarks._cluster_simulation import Costs, simulate


def test_ideal_workers_scale(monkeypatch):
    monkeypatch.setattr(_cluster_simulation, "STRAGGLERS", ())
    costs = Costs((1.0,), 0.0, 0.0)
    found = simulate(costs, 10, parts=1000, failures=0.0)
    assert found["hours"] == pytest.approx(100 / 3600, abs=1e-3)
    assert found["efficiency"] == 1.0


def test_the_client_is_the_limit(monkeypatch):
    monkeypatch.setattr(_cluster_simulation, "STRAGGLERS", ())
    costs = Costs((1.0,), 0.1, 0.0)
    found = simulate(costs, 100, parts=2000, failures=0.0)
    assert found["speed-up"] == pytest.approx(10.0, rel=0.05)  # a part each 0.1 s
    assert found["client busy"] == pytest.approx(1.0, abs=0.02)


def test_parts_of_dead_workers_are_done_again():
    found = simulate(Costs((5.0,), 0.001, 10.0), 20, parts=2000, failures=20.0)
    assert found["lost"] > 0
    assert found == simulate(Costs((5.0,), 0.001, 10.0), 20, parts=2000, failures=20.0)
    assert found["efficiency"] < 1.0
