"""Plain text is read as it is, with LF at the end of lines."""

import io

from treaty.text.formats import Beginning
from treaty.text.formats._plain import TEXT


def test_line_ends():
    article = TEXT.article(io.BytesIO(b"# a\r\nb\rc"))
    assert (article.text, article.title, article.sections) == ("# a\nb\nc", None, ())


def test_whatever_has_words_is_text():
    assert TEXT.matches(Beginning(b"a"))
    assert not TEXT.matches(Beginning(b" \n"))
