"""Scores of entities as tables and as JSON."""

import json

import pytest

from treaty.metrics import span_scores
from treaty.show import spans_json, spans_text

GOLD = [["B-PER", "O", "B-LOC"], ["O", "B-LOC"]]
SYSTEM = [["B-PER", "O", "O"], ["O", "B-PER"]]
SCORES, BEST = span_scores(GOLD, SYSTEM), span_scores(GOLD, GOLD)


def test_tables_are_in_percent():
    values, types, difference = spans_text(SCORES, BEST).split("\n\n")
    rows = [line.split() for line in values.splitlines()]
    assert rows[1][:2] == ["micro", "40.00"]
    assert rows[2][:2] == ["macro", "33.33"]
    assert rows[3] == ["words", "60.00"]
    rows = [line.split() for line in types.splitlines()]
    assert rows[1] == ["LOC", "2", "0", "0", "-", "0.00", "0.00"]
    assert rows[2] == ["PER", "1", "2", "1", "50.00", "100.00", "66.67"]
    assert rows[3][:4] == ["all", "3", "2", "1"]
    assert [line.split()[:2] for line in difference.splitlines()[1:]] == [
        ["micro", "-60.00"],
        ["macro", "-66.67"],
    ]


def test_json_has_the_same_numbers_as_shares():
    record = json.loads(spans_json(SCORES, BEST), parse_constant=pytest.fail)
    assert (record["sentences"], record["micro_f1"]) == (2, pytest.approx(0.4))
    assert record["words"] == {"value": 0.6, "correct": 3, "total": 5}
    assert record["by_type"]["LOC"]["precision"] is None
    assert record["all"]["gold"] == 3
    assert record["against"]["macro"]["difference"]["value"] == pytest.approx(-2 / 3)
    assert set(record["intervals"]) == {"micro", "macro"}


def test_sentences_without_entities_have_no_interval():
    nothing = span_scores([["O"]], [["O"]])
    assert spans_text(nothing).splitlines()[1].split() == ["micro", "-"]
    record = json.loads(spans_json(nothing), parse_constant=pytest.fail)
    assert record["micro_f1"] is None and "intervals" not in record
