"""E-mails as articles."""

import pytest

from treaty.text import read_article
from treaty.text.formats._email import LONGEST_HEADER, article_of_email

PARTS = """Subject: =?utf-8?q?Caf=C3=A9?=
Date: Mon, 4 Mar 2024 09:12:00 +0000
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="x"

--x
Content-Type: text/html; charset="utf-8"

<p>It <b>rained</b>.</p>
--x{}--
"""


def test_the_text_of_a_message_is_read(tmp_path):
    path = tmp_path / "a.eml"
    path.write_text(PARTS.format(""))
    article = read_article(path)
    assert (article.title, article.text.strip()) == ("Café", "It rained.")
    plain = '\nContent-Type: text/plain; charset="utf-8"\n\nIt poured.\n--x'
    assert article_of_email(PARTS.format(plain)).text.strip() == "It poured."


@pytest.mark.parametrize("header", ["", "Content-Transfer-Encoding: 8bit\n"])
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_texts_of_eight_bits_keep_their_letters(header, kind, tmp_path):
    text = f"Subject: Café\n{header}Content-Type: text/{kind}; charset=utf-8\n\nTomás said “no”.\n"
    path = tmp_path / "a.eml"
    path.write_text(text, encoding="utf-8")
    article = read_article(path)
    assert (article.title, article.text.strip()) == ("Café", "Tomás said “no”.")


def test_other_encodings_are_those_that_the_message_tells(tmp_path):
    text = "Subject: x\nContent-Type: text/plain; charset=iso-8859-1\n\nTomás\0 salió.\n"
    path = tmp_path / "a.eml"
    path.write_bytes(text.encode("iso-8859-1"))
    assert read_article(path).text.strip() == "Tomás salió."


def test_messages_without_text():
    assert article_of_email("Content-Type: image/png\n\nx").text == ""
    assert article_of_email('Content-Type: text/plain; charset="no-such"\n\nx').title is None


@pytest.mark.parametrize("charset", ["punycode", "Punycode", "idna"])
def test_encodings_of_domain_names_are_not_those_of_messages(charset):
    assert article_of_email(f"Content-Type: text/plain; charset={charset}\n\nx-y").text == ""


def test_long_headers_are_cut_off():
    """The library's parser takes a time that grows with the square of some of them."""
    long = "\"'" * 40_000
    article = article_of_email(f"Subject: {long}\nContent-Type: text/html; {long}\n\n<p>Rain")
    assert article.title == long[: len(article.title)]
    assert 1000 < len(article.title) <= LONGEST_HEADER
    assert article.text.strip() == "Rain"


def test_html_in_a_text_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("<div><p>It rained.</p></div>")
    assert read_article(path).text == "It rained."


def test_the_author_is_the_sender():
    assert (
        article_of_email("From: =?utf-8?q?J=C3=B8rgen?= <j@a.b>\n\nHi").author == "Jørgen <j@a.b>"
    )
    assert article_of_email("Subject: x\n\nHi").author is None
