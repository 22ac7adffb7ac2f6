import pytest

from research.experiments.turbo_figure2 import Attempt, Pair, compare, favorable, groups
from research.report.tables.turbo_figure2 import by_length, draw
from treaty.parse import Parser
from treaty.text import Sentence

FAST, SLOW = Attempt(0.001, True, 1.0), Attempt(0.004, True, 1.0)
LOOSE, TIGHT = Attempt(0.0001, False, 3.0), Attempt(0.01, False, 2.0)


def test_the_fastest_proof_is_favorable_and_without_one_the_lowest_bound():
    assert favorable([LOOSE, SLOW, FAST, TIGHT]) is FAST
    assert favorable([LOOSE, TIGHT]) is TIGHT


def test_lengths_fall_into_groups():
    pairs = [Pair(5, FAST, SLOW), Pair(6, FAST, TIGHT), Pair(10, SLOW, SLOW)]
    short, long, whole, both = groups(pairs)
    assert (short["group"], short["sentences"]) == ("1–5", 1)
    assert (long["first"], long["last"], long["sentences"]) == (6, 10, 2)
    assert long["ad3 seconds"] == pytest.approx(0.0025)
    assert long["subgradient seconds"] == pytest.approx(0.007)
    assert (long["ad3 optimal"], long["subgradient optimal"]) == (1.0, 0.5)
    assert (whole["sentences"], both["sentences"]) == (3, 2)
    table = by_length([short, long, whole, both])
    assert "| 6–10 | 2 | 2.500 | 7.000 | 2.8 | 100.0 | 50.0 |" in table
    assert "| Those that both solvers prove | 2 | 2.500 | 4.000 | 1.6 | 100.0 | 100.0 |" in table


def test_the_picture_is_the_same_each_time(tmp_path):
    runs = groups([Pair(5, FAST, SLOW), Pair(9, FAST, TIGHT)])
    for name in ("a", "b"):
        draw(runs, tmp_path / name)
    picture = (tmp_path / "a" / "turbo_figure2.svg").read_bytes()
    assert picture == (tmp_path / "b" / "turbo_figure2.svg").read_bytes()
    assert b"subgradient" in picture


def test_both_solvers_find_the_bound_of_an_easy_sentence():
    cats = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    parser = Parser.train([cats] * 3, order="second", epochs=1, parser_bits=12)
    pair = compare(parser, cats, 1000)
    assert pair.length == 2
    assert pair.ad3.is_optimal
    assert pair.subgradient.is_optimal
    assert pair.ad3.bound == pytest.approx(pair.subgradient.bound, abs=1e-4)
