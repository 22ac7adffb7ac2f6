"""``treaty cluster``."""

from __future__ import annotations

import json

from treaty.cli import main


def test_status_and_doctor_tell_of_a_cluster(cluster, capsys):
    address = cluster.client.scheduler.address
    assert main(["cluster", "status", address]) == 0
    told = capsys.readouterr().out
    assert f"scheduler  {address} (encrypted)\n" in told
    assert "workers    2 with 2 threads\n" in told
    assert main(["cluster", "doctor", address]) == 0
    assert capsys.readouterr().out.endswith("nothing is wrong\n")
    assert main(["cluster", "doctor", address, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["is_well"]


def test_a_scheduler_that_is_not_there_is_told(capsys, monkeypatch):
    monkeypatch.setattr("treaty.cli._cluster.PATIENCE", 0.0)
    assert main(["cluster", "status", "tcp://127.0.0.1:9"]) == 3
    assert "no scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err


def test_a_wrong_address_is_a_wrong_call(capsys):
    assert main(["cluster", "status", "local:none"]) == 2
    assert "takes a number of processes" in capsys.readouterr().err
