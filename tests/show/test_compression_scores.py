"""Scores of compressed sentences as a table and as JSON."""

import json

import pytest

from treaty.metrics import compression_scores
from treaty.show import compressions_json, compressions_text

GOLD, SYSTEM = [[1, 1, 0, 0], [1, 0]], [[1, 0, 0, 0], [1, 0]]
SCORES, BEST = compression_scores(GOLD, SYSTEM), compression_scores(GOLD, GOLD)


def test_a_table_in_percent():
    rows = dict(line.rsplit("  ", 1) for line in compressions_text(SCORES).splitlines()[2:])
    assert {name.strip(): float(value) for name, value in rows.items()} == {
        "F1 by sentence": 83.33,
        "right words": 83.33,
        "right sentences": 50.0,
        "kept by gold": 50.0,
        "kept by system": 33.33,
    }
    assert compressions_text(SCORES).splitlines()[1].split()[4] == "80.00"


def test_systems_are_compared():
    last = compressions_text(SCORES, BEST).split("\n\n")[1].splitlines()[1]
    assert last.split()[2] == "-20.00"


def test_json_has_the_same_numbers_as_shares():
    record = json.loads(compressions_json(SCORES, BEST), parse_constant=pytest.fail)
    assert record["sentences"] == 2
    assert record["kept"]["f1"] == pytest.approx(0.8)
    assert record["mean_f1"] == pytest.approx(5 / 6)
    assert (record["rate"], record["gold_rate"]) == (pytest.approx(1 / 3), 0.5)
    assert record["right_sentences"]["value"] == 0.5
    assert record["interval"]["low"] <= 0.8 <= record["interval"]["high"]
    assert record["against"]["difference"]["value"] == pytest.approx(-0.2)
