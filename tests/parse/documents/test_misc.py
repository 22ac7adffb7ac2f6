"""Attributes of MISC."""

from treaty.parse.documents._misc import with_misc


def test_attributes_are_set_and_removed():
    assert with_misc("_", {"A": "1"}) == "A=1"
    assert with_misc("B=2|A=0", {"A": "1"}) == "B=2|A=1"
    assert with_misc("Ab=2|A=0", {"A": None}) == "Ab=2"
    assert with_misc("odd|A", {"B": "x"}) == "odd|A|B=x"
    assert with_misc("A=0", {"A": None}) == "_"
