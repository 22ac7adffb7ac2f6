"""The check of an installation finds what is wrong."""

import re
from dataclasses import replace

import pytest

from treaty import selftest
from treaty.errors import ModelError
from treaty.graph import FactorGraph
from treaty.solve import Certificate, Status


def test_all_is_well(capsys):
    assert selftest.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("treaty ")
    assert [line.split()[:2] for line in lines[1:-1]] == [
        ["ok", f"{name}:"] for name in selftest.CHECKS
    ]
    assert re.search(r"\d methods agree with exhaustive search on 20 graphs", lines[2])
    assert "english" in lines[4]
    assert lines[-1].startswith("all is well (")


def test_what_fails_is_named(capsys, monkeypatch):
    def broken():
        raise ModelError("toy.treaty: damaged")

    monkeypatch.setitem(selftest.CHECKS, "models", broken)
    monkeypatch.setitem(selftest.CHECKS, "solvers", lambda: "fine")
    assert selftest.main() == 1
    told = capsys.readouterr().out
    assert "FAILED  models: toy.treaty: damaged" in told
    assert "failed: models" in told


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"objective": 3.0, "bound": 3.0}, "is worth"),
        ({"bound": 0.5}, "but the best is"),
    ],
)
def test_wrong_certificates_are_noticed(change, message):
    graph = FactorGraph()
    graph.at_most_one(*graph.variables([1.0, 2.0]))
    right = graph.solve("exhaustive")
    wrong = replace(right, certificate=replace(right.certificate, **change))
    selftest._compare("right", graph, right, 2.0)
    with pytest.raises(selftest.Failure, match=message):
        selftest._compare("wrong", graph, wrong, 2.0)


def test_a_worse_answer_that_is_called_optimal_is_noticed():
    graph = FactorGraph()
    graph.at_most_one(*graph.variables([1.0, 2.0]))
    right = graph.solve("exhaustive")
    worse = replace(right, values=right.values[::-1].copy())
    worse = replace(worse, certificate=Certificate(Status.OPTIMAL, 1.0, 2.0))
    with pytest.raises(selftest.Failure, match="called optimal"):
        selftest._compare("worse", graph, worse, 2.0)


def test_an_answer_that_breaks_a_constraint_is_noticed():
    graph = FactorGraph()
    graph.at_most_one(*graph.variables([1.0, 2.0]))
    right = graph.solve("exhaustive")
    both = replace(right, values=right.values | 1)
    with pytest.raises(selftest.Failure, match="violated"):
        selftest._compare("both", graph, both, 2.0)


def test_without_models_it_says_how_to_install_them(monkeypatch):
    monkeypatch.setattr(selftest, "models", list)
    assert "pip install 'treaty[english]'" in selftest.check_models()
