"""What is kept or cut as a whole."""

from treaty.summarize import Rules
from treaty.summarize.cuts._ties import quotations


def test_quotations_are_found():
    marks = Rules.load().quotation_marks
    assert quotations(["a", '"', "b", "c", '"', "d"], marks) == [(1, 4)]
    assert quotations(["“", "a", "”", "b", "«", "c", "»"], marks) == [(0, 2), (4, 6)]
    assert quotations(["a", "„", "b", "“", "c"], marks) == [(1, 3)]
    assert quotations(["“", "a", '"', "b", "”"], marks) == [(0, 4)]
    assert quotations(["a", '"', "b"], marks) == [(1, 2)]
    assert quotations([], marks) == []
    assert quotations(["Workers", "’", "pay"], marks) == []
    assert quotations(["go", ",", '"', "he", "said"], marks, [0, 0, 0, 1, 2]) == [(0, 2)]
    assert quotations(["he", ",", '"', "go", "said"], marks, [0, 0, 1, 1, 2]) == [(2, 4)]
    assert quotations(["go", "”", "he", "”", "said"], marks) == [(0, 1)]
