"""Types of posts."""

import pytest

from treaty.label.threads._cues import TYPES, type_of, words_of
from treaty.languages import get


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
    assert TYPES[type_of(words_of(text), get("en").posts)] == kind


def test_other_languages_have_no_english_cues():
    """What "ok" or "no" is in another language is not known."""
    neutral = get("da").posts
    kinds = [TYPES[type_of(words_of(text), neutral)] for text in ("ok", "no", "Kan du?", ":-)")]
    assert kinds == ["statement", "statement", "question", "silence"]
