"""Scores of summaries as tables and as JSON."""

import json

import pytest

from treaty.metrics import RougeOptions, rouge_scores
from treaty.show import rouge_json, rouge_text

OPTIONS = RougeOptions(["ROUGE-1", "ROUGE-2"])
REFERENCES = [["it rained all day"], ["the sun shone"]]
SCORES = rouge_scores(["it rained", "the sun shone"], REFERENCES, OPTIONS)
BEST = rouge_scores([texts[0] for texts in REFERENCES], REFERENCES, OPTIONS)


def test_tables_are_in_percent():
    table, difference = rouge_text(SCORES, BEST).split("\n\n")
    rows = [line.split() for line in table.splitlines()]
    assert rows[0][:5] == ["2", "summaries", "recall", "precision", "F"]
    assert rows[1][:3] == ["ROUGE-1", "75.00", "100.00"]
    assert [row[0] for row in rows[1:]] == ["ROUGE-1", "ROUGE-2"]
    assert difference.splitlines()[1].split()[:2] == ["ROUGE-1", "-25.00"]


def test_json_has_means_intervals_and_topics():
    record = json.loads(rouge_json(SCORES, BEST, topics=["rain", 7]), parse_constant=pytest.fail)
    assert record["summaries"] == 2
    assert record["mean"]["ROUGE-1"]["recall"] == 0.75
    assert record["intervals"]["ROUGE-1"]["value"] == 0.75
    assert [topic["topic"] for topic in record["by_topic"]] == ["rain", 7]
    assert record["by_topic"][0]["ROUGE-1"] == {"recall": 0.5, "precision": 1.0, "f": 2 / 3}
    assert record["against"]["ROUGE-2"]["difference"]["value"] < 0
    assert [t["topic"] for t in json.loads(rouge_json(SCORES))["by_topic"]] == [None, None]
    assert "against" not in json.loads(rouge_json(SCORES))
