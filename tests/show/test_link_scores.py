"""Scores of links as tables and as JSON."""

import json

import pytest

from treaty.metrics import link_scores
from treaty.show import links_json, links_text
from treaty.text import Link, Post, Thread


def thread(*links):
    return Thread([Post(str(i)) for i in range(4)], [Link(*link) for link in links])


GOLD = [thread((1, 0), (2, 0), (3, 2))]
SYSTEM = [thread((1, 0), (2, 1), (3, 2))]
SCORES = link_scores(GOLD, SYSTEM)


def test_tables_are_in_percent():
    first, second, third = links_text(SCORES, link_scores(GOLD, GOLD)).split("\n\n")
    assert first.splitlines()[1].split()[:2] == ["links", "66.67"]
    rows = [line.split() for line in second.splitlines()]
    assert rows[0] == ["distance", "gold", "system", "correct", "precision", "recall", "F1"]
    assert rows[1] == ["1", "2", "3", "2", "66.67", "100.00", "80.00"]
    assert rows[-1][:4] == ["all", "3", "3", "2"]
    assert third.splitlines()[1].split()[:2] == ["links", "-33.33"]


def test_json_has_the_same_numbers_as_shares():
    record = json.loads(links_json(SCORES, link_scores(GOLD, GOLD)), parse_constant=pytest.fail)
    assert record["threads"] == 1
    assert record["links"]["f1"] == pytest.approx(2 / 3)
    assert record["by_distance"]["1"]["recall"] == 1.0
    assert record["interval"]["low"] <= 2 / 3 <= record["interval"]["high"]
    assert record["against"]["difference"]["value"] == pytest.approx(-1 / 3)


def test_threads_without_links_have_no_interval():
    nothing = link_scores([thread()], [thread()])
    assert links_text(nothing).splitlines()[1].split() == ["links", "-"]
    record = json.loads(links_json(nothing), parse_constant=pytest.fail)
    assert record["links"]["f1"] is None and "interval" not in record
