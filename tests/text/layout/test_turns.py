"""Labels of chat turns, in words."""

import pytest

from treaty.text.layout import LONGEST_LABEL, label_size


@pytest.mark.parametrize(
    ("words", "size"),
    [
        ("[ 09:16 ] raj : forgot it", 5),
        ("[09:16] raj: forgot it", 2),
        ("09:16 raj : forgot it", 3),
        ("10:05 PM Dave Lee : good night", 5),
        ("12/03/2024 , 09:14 - Mum : are you there", 6),
        ("[ 2024-03-12 09:14:05 ] < mum > hi", 7),
        ("<mum> hi", 1),
        ("< mum > hi", 3),
        ("09:16 raj :", 0),  # no message
        ("</b> hi", 0),
        ("At 09:16 raj : forgot", 0),
        ("Note : it rains", 0),
        ("10:30 is late : go home", 0),
        ("", 0),
    ],
)
def test_the_label_of_a_turn_is_found(words, size):
    assert label_size(words.split()) == size


def test_a_label_is_found_at_the_beginning_alone():
    assert label_size(["x"] * LONGEST_LABEL + ["09:16", "raj", ":", "hi"]) == 0
