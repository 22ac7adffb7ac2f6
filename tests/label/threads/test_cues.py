"""Types of posts."""

import pytest

from treaty.label.threads._cues import TYPES, type_of, words_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Any sheep?", "question"),
        ("well can you wait", "question"),
        ("have sheep", "statement"),
        ("thx a lot", "thanks"),
        ("ok", "agreement"),
        ("nope", "refusal"),
        (":-)", "silence"),
        ("", "silence"),
        ("the game is young", "statement"),
    ],
)
def test_types(text, kind):
    assert TYPES[type_of(words_of(text))] == kind
