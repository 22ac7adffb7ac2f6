"""Kinds of factors: what is refused."""

import pytest

from treaty.errors import UsageError
from treaty.label import PatternCrf, PatternKind

KINDS = [PatternKind.every("word", 2, 1), PatternKind.every("pair", 2, 2)]


@pytest.mark.parametrize(
    ("patterns", "forbidden", "message"),
    [
        (((0,), (0, 1)), (), "of one size, found 1, 2"),
        ((), (), "found none"),
        (((),), (), "found 0"),
        (((0, 1), (0, 1)), (), "a pattern is given twice"),
        (((0,),), ((0, 1),), "of one size"),
    ],
)
def test_kinds_that_make_no_sense_are_refused(patterns, forbidden, message):
    with pytest.raises(UsageError, match=message):
        PatternKind("odd", patterns, forbidden)


def test_too_many_patterns_are_refused():
    with pytest.raises(UsageError, match="list only those that matter"):
        PatternKind.every("all", 22, 5)
    with pytest.raises(UsageError, match="out of range"):
        PatternCrf(["a"], KINDS)
    with pytest.raises(UsageError, match="without duplicates"):
        PatternCrf(["a", "a"], KINDS)
