"""Scores as tables and as JSON."""

import json

import pytest

from treaty.metrics import aligned_scores, attachment_scores, tagging_scores
from treaty.show import Scores, scores_json, scores_text
from treaty.text import Sentence, Token


def tree(heads, labels="xxxx"):
    words = ["a", "b", "c", "."][: len(heads)]
    return Sentence.from_words(words).with_tree(heads, labels[: len(heads)])


GOLD, SYSTEM = [tree([3, 4, 0, 3]), tree([0])], [tree([3, 3, 0, 3], "xyxx"), tree([0])]


@pytest.fixture
def scores():
    return Scores(
        trees=attachment_scores(GOLD, SYSTEM),
        tags=tagging_scores(GOLD, SYSTEM, known={"a"}),
        against=attachment_scores(GOLD, GOLD),
    )


def test_tables_are_in_percent_and_aligned(scores):
    tables = scores_text(scores, by=["length", "label", "label"]).split("\n\n")
    assert [table.split()[0] for table in tables] == [
        "all", "arcs", "difference", "length", "label", "tags",
    ]  # fmt: skip
    lines = [line.split() for line in tables[0].splitlines()]
    assert lines[1:3] == [["words", "5", "4"], ["UAS", "80.00", "75.00", "75.00", "to", "100.00"]]
    assert tables[1].splitlines()[1].split() == [
        "non-projective", "1", "0", "0", "-", "0.00", "0.00",
    ]  # fmt: skip
    assert tables[2].splitlines()[1].split()[:2] == ["UAS", "-20.00"]
    assert "unknown" in tables[5].splitlines()[0]
    for table in tables:
        first, *others = table.rstrip("\n").splitlines()
        assert all(len(line) <= len(first) for line in others)


def test_json_has_everything_and_no_numbers_that_are_none(scores):
    record = json.loads(scores_json(scores), parse_constant=pytest.fail)
    assert (record["uas"], record["words"], record["sentences"]) == (0.8, 5, 2)
    assert record["nonprojective"]["precision"] is None
    assert record["by_label"]["y"] == {
        "precision": 0.0, "recall": None, "f1": 0.0, "correct": 0, "gold": 0, "system": 1,
    }  # fmt: skip
    assert record["against"]["uas"]["difference"]["value"] == pytest.approx(-0.2)
    assert record["tags"]["known"]["upos"] == {"value": 1.0, "correct": 2, "total": 2}
    assert record["intervals"]["uas"]["low"] <= 0.8 <= record["intervals"]["uas"]["high"]


def test_only_punctuation_leaves_nothing_to_score():
    dots = [Sentence.from_words(["."]).with_tree([0], ["root"])]
    scores = Scores(trees=attachment_scores(dots, dots, punctuation=False))
    assert scores_text(scores).splitlines()[2].split() == ["UAS", "100.00", "-"]
    record = json.loads(scores_json(scores), parse_constant=pytest.fail)
    assert (record["uas"], "intervals" in record) == (None, False)


def test_aligned_scores():
    text = scores_text(Scores(aligned=aligned_scores(GOLD, SYSTEM)))
    assert [line.split()[0] for line in text.splitlines()] == [
        "aligned", "tokens", "sentences", "words", "upos", "xpos", "feats", "lemmas", "uas", "las",
    ]  # fmt: skip


def test_lemmas_have_a_line_if_there_are_any():
    with_lemma = [Sentence([Token("cats", lemma="cat"), Token("x")])]
    without = [Sentence.from_words(["cats", "x"])]
    table = scores_text(Scores(tags=tagging_scores(with_lemma, without)))
    assert table.splitlines()[-1].split() == ["LEMMA", "0.00"]
    tags = tagging_scores(without, with_lemma)
    assert "LEMMA" not in scores_text(Scores(tags=tags))
    assert json.loads(scores_json(Scores(tags=tags)))["tags"]["lemma"]["value"] is None
