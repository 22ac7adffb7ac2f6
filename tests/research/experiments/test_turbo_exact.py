from tests.parse.treebank import small, treebank

from research.experiments import _exactness
from research.experiments._exactness import by_length, solved
from research.report.tables import turbo_exact as tables
from treaty.parse import Parser


def test_sentences_are_solved_with_other_settings_and_those_are_put_back():
    bank = treebank(8)
    parser = Parser.train(bank, **small(order="third"))
    usual = parser.settings
    runs = []
    for pruning, iterations in _exactness.TRIES:
        run = solved(parser, bank, pruning, iterations, order="second")
        assert run["optimal"] + run["fractional"] <= run["sentences"] == 8
        assert run["right"] <= run["words"] == sum(map(len, bank))
        runs.append({"model": "toy", "order": "second", "asked": 8, **run})
    assert parser.settings is usual
    assert len(tables.shares(runs).splitlines()) == 2 + len(_exactness.TRIES)
    few, many = tables.by_length(runs).splitlines()[2:]
    assert few.startswith("| second | 200 |") and many.startswith("| second | 10,000 |")


def test_lengths_are_counted_in_buckets():
    bank = treebank(8)
    parser = Parser.train(bank, **small(order="first"))
    counts = by_length(list(parser.predict(bank)))
    assert sum(sentences for sentences, _, _ in counts.values()) == 8
    assert all(sentences == optimal for sentences, optimal, _ in counts.values())


def test_shares_are_of_the_sentences():
    run = {
        "model": "toy", "order": "third", "pruning": "usual", "iterations": 200, "asked": 4,
        "sentences": 4, "optimal": 2, "fractional": 1, "right": 3, "words": 8, "seconds": 1.0,
        "by length": {"1–10": [4, 2, 1]},
    }  # fmt: skip
    row = "| third | usual | 200 | 4 | 50.0 | 25.0 | 25.0 | 37.50 | 1.0 |"
    assert row in tables.shares([run])
    assert "| third | 200 | 50.0 |" in tables.by_length([run])
