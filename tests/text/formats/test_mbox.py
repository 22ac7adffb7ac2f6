"""Mailboxes are divided where mails begin, and nowhere else."""

import io
import mailbox

import pytest

from treaty.text import recognize
from treaty.text.formats._email import article_of_email
from treaty.text.formats._mbox import mails_of

FIRST = "From ann@x.org Mon Mar  4 10:00:00 2024"


def box(*mails):
    return "\n".join(f"{FIRST}\n{mail}" for mail in mails)


def test_python_divides_in_the_same_way(tmp_path):
    texts = ["It rained.\nFrom noon on it poured.\n", "\n", "From here\n\nFrom there\n", "é\n"]
    path = tmp_path / "in.mbox"
    other = mailbox.mbox(path)
    for number, text in enumerate(texts):
        message = mailbox.mboxMessage(f"Subject: {number}\n\n{text}".encode())
        message.set_from("ann@x.org", (2024, 3, 4, 10, 0, 0, 0, 64, 0))
        other.add(message)
    other.close()
    found = [article_of_email(mail) for mail in mails_of(path)]
    assert [article.title for article in found] == ["0", "1", "2", "3"]
    assert [article.text.strip() for article in found] == [text.strip() for text in texts]


@pytest.mark.parametrize(
    ("text", "mails"),
    [
        ("", []),
        ("\n\n", []),
        (box("A: b\n\nc\n"), ["A: b\n\nc"]),
        (box("A: b\n\nc\n", "D: e\n\nf"), ["A: b\n\nc\n", "D: e\n\nf"]),
        (box("A: b\n\n>From c\n>>From d\n>From: e\n"), ["A: b\n\nFrom c\n>From d\n>From: e"]),
        (f"A: b\n\nc\n{FIRST}\nno blank line before it\n", None),
        ("Subject: no mailbox\n\nc\n", ["Subject: no mailbox\n\nc"]),
        (box("A: b\n\nFrom now on, all is well.\n"), ["A: b\n\nFrom now on, all is well."]),
    ],
)
def test_where_mails_begin(text, mails):
    found = list(mails_of(io.StringIO(text)))
    if mails is None:
        assert len(found) == 1
    else:
        assert found == mails


def test_line_ends_and_bytes_that_are_not_utf_8():
    data = f"{FIRST}\r\nContent-Type: text/plain; charset=latin-1\r\n\r\ncaf\xe9\r\n".encode(
        "latin-1"
    )
    (mail,) = mails_of(io.BytesIO(data))
    assert article_of_email(mail).text.strip() == "café"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (box("Subject: a\n\nb\n"), "mbox"),
        (FIRST + "\n\nb\n", "mbox"),
        ("From noon on it rained.\nIt was cold.\n", "text"),
        ("From London at 10:00 on 4 March 2024\nAll is well here.\n", "text"),
    ],
)
def test_recognized_by_its_first_lines(text, name):
    assert recognize(io.StringIO(text)).format.name == name
