"""Connections to clusters."""

from __future__ import annotations

import builtins

import pytest

from treaty.cluster import ClusterError, connect
from treaty.errors import UsageError


@pytest.mark.parametrize("address", ["local:", "local:x", "local:-1", "local:0", "local:9999", ""])
def test_addresses_that_make_no_sense_are_refused(address):
    with pytest.raises(UsageError, match="--cluster"):
        connect(address)


def test_a_scheduler_that_does_not_answer_is_told():
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        connect("tcp://127.0.0.1:9", patience=0.0).open()


def test_an_unknown_protocol_is_a_wrong_call():
    with pytest.raises(UsageError, match="--cluster"):
        connect("smoke://signals:1", patience=0.0).open()


def test_without_dask_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "distributed":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UsageError, match=r"pip install 'treaty\[cluster\]'"):
        connect("local:1")


def test_a_connection_knows_its_workers(cluster):
    assert cluster.threads() == 2
    assert cluster.dashboard is None
    cluster.wait()
