import os

import pytest

from treaty.web._metrics import Metrics


def values(metrics):
    rows = [line.rsplit(" ", 1) for line in metrics.text().splitlines() if line[0] != "#"]
    return {name: float(value) for name, value in rows}


def test_requests_are_counted_by_route_and_status():
    metrics = Metrics(["parse", "tag"])
    metrics.count("parse", 200, 0.003, 10)
    metrics.count("parse", 200, 0.3, 20)
    metrics.count("parse", 413, 0.001, 5)
    metrics.count("nonsense", 404, 0.001, 0)
    metrics.gauge(working=2, waiting=1)
    metrics.ends({"time": 3, "closed": 9})
    found = values(metrics)
    assert found['treaty_requests_total{route="parse",status="200"}'] == 2
    assert found['treaty_requests_total{route="parse",status="413"}'] == 1
    assert found['treaty_requests_total{route="other",status="404"}'] == 1
    assert found['treaty_request_seconds_bucket{route="parse",le="0.005"}'] == 2
    assert found['treaty_request_seconds_bucket{route="parse",le="+Inf"}'] == 3
    assert found['treaty_request_seconds_count{route="parse"}'] == 3
    assert found['treaty_request_seconds_sum{route="parse"}'] == pytest.approx(0.304)
    assert found['treaty_response_bytes_total{route="parse"}'] == 35
    assert (found["treaty_requests_working"], found["treaty_requests_waiting"]) == (2, 1)
    assert found['treaty_ended_total{reason="time"}'] == 3
    assert found["treaty_requests_overdue"] == 0


def test_every_name_has_help_and_a_type():
    metrics = Metrics(["parse"])
    metrics.count("parse", 200, 0.1, 1)
    lines = metrics.text().splitlines()
    typed = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    for line in lines:
        if line[0] != "#":
            name = line.partition("{")[0].partition(" ")[0]
            base = name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count")
            assert name in typed or base in typed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_workers_share_the_counts():
    metrics = Metrics(["parse"], workers=2)
    metrics.count("parse", 200, 0.1, 1)
    child = os.fork()
    if child == 0:
        metrics.row = 1
        metrics.count("parse", 200, 0.1, 1)
        os._exit(0)
    os.waitpid(child, 0)
    assert values(metrics)['treaty_requests_total{route="parse",status="200"}'] == 2
