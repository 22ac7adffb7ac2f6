"""What is said of a cluster."""

from __future__ import annotations

import pytest

from treaty.cluster import examine
from treaty.cluster._doctor import _described, _status


def test_a_cluster_that_is_well(cluster):
    found = examine(cluster)
    assert found.is_well, found
    assert len(found.workers) == 2
    assert found.encrypted
    told = found.to_dict()
    assert told["is_well"]
    assert {"english", "entities"} <= set(told["workers"][0]["models"])


INFO = {
    "nthreads": 1, "memory_limit": 2**33, "metrics": {"memory": 2**28}, "nanny": "tcp://x",
    "host": "far",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"treaty": "0.0.1"}, "treaty 0.0.1, here"),
        ({"distributed": "1.0"}, "distributed 1.0, here"),
        ({"python": "3.8.1"}, "Python 3.8.1, here"),
        ({"models": {"english": "0" * 12}}, "has another model 'english'"),
        ({"clock": 500.0}, "its clock is 400 s ahead"),
        ({"clock": 0.0}, "its clock is 100 s behind"),
    ],
)
def test_differences_are_told(change, problem):
    own = {**_described(), "clock": 100.0}
    assert _status("tcp://a", INFO, own, own, 100.0).problems == []
    (found,) = _status("tcp://a", INFO, {**own, **change}, own, 100.0).problems
    assert found.startswith(problem)


def test_workers_without_memory_nanny_or_treaty_are_told_of():
    own = {**_described(), "clock": 100.0}
    small = {**INFO, "memory_limit": 2**29}
    (memory,) = _status("tcp://a", small, own, own, 100.0).problems
    assert "256 MB of memory are free" in memory
    (nanny,) = _status("tcp://a", {**INFO, "nanny": None}, own, own, 100.0).problems
    assert nanny.startswith("has no nanny")
    missing = ModuleNotFoundError("No module named 'treaty'")
    (package,) = _status("tcp://a", INFO, missing, own, 100.0).problems
    assert "install 'treaty[cluster]'" in package
    (silent,) = _status("tcp://a", INFO, None, own, 100.0).problems
    assert silent.startswith("does not answer")
