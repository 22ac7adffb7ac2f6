"""Articles of text and HTML, folders, standard input; and what is no article."""

import gzip
import io
import lzma
import os

import pytest

from treaty.errors import InputError, UsageError
from treaty.text import read_article, read_articles

PAGE = """\
<!DOCTYPE html>
<html><head>
<meta charset="utf-8"><meta property="article:published_time" content="2024-05-01">
<title>Rain &mdash;
 again</title><style>p { color: red }</style>
</head><body>
<nav><ul><li>Home</li></ul></nav>
<h1>Rain</h1>
<p>It <b>rain</b>ed &amp; <i>poured</i>
  all day.
<p>Then<br>it stopped.<br><br>Sun.
<script>if (a < b) alert("<p>no</p>")</script>
<svg><title>no</title><text>no</text></svg>
<table><tr><td>one<td>two</table>
<footer>no</footer></body></html>
"""


def named(text, name):
    stream = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    stream.name = name
    return stream


def test_plain_text_is_kept_as_it_is():
    article = read_article(named("\ufeffIt  rained.\r\n\r\nIt poured.\n", "x/a.txt"))
    assert article.text == "It  rained.\n\nIt poured.\n"
    assert (article.id, article.source, article.title) == ("a.txt", "x/a.txt", None)


def test_html_is_stripped_to_its_paragraphs():
    article = read_article(named(PAGE, "a.html"))
    assert article.title == "Rain — again"
    assert article.date == "2024-05-01"
    assert article.text == (
        "Rain\n\nIt rained & poured all day.\n\nThen\nit stopped.\n\nSun.\n\none\n\ntwo"
    )


def test_html_is_known_by_its_beginning_where_the_name_says_nothing():
    assert read_article(named(PAGE, "page")).title == "Rain — again"
    assert read_article(named(PAGE, "page.txt")).title == "Rain — again"
    assert read_article(named(PAGE, "page.txt"), format="text").text == PAGE
    assert read_article(named("<p>x", "page")).text == "x"
    assert read_article(named("<3 you", "page")).text == "<3 you"
    assert read_article(named("<p>x", "page"), format="html").text == "x"
    assert read_article(named(PAGE, "a.html"), format="text").text == PAGE


def test_the_title_and_date_of_a_page_may_stand_elsewhere():
    page = '<meta name="og:title" content=" Sun "><title>Sun - News</title><time datetime="1999">x'
    article = read_article(named(page, "a.htm"))
    assert (article.title, article.date, article.text) == ("Sun", "1999", "x")


def test_an_article_of_five_megabytes():
    assert len(read_article(named("It rained. " * 500_000, "a.txt")).text) == 5_500_000
    page = "<p>" + "It rained. It <b>poured</b>.\n" * 20_000
    assert len(read_article(named(page, "a.html")).text) == 440_000 - 1


def test_a_folder_is_read_in_the_order_of_names(tmp_path):
    (tmp_path / "c.txt").write_text("c")
    (tmp_path / "B.HTML.gz").write_bytes(gzip.compress(b"<p>b", mtime=0))
    (tmp_path / "a.txt.xz").write_bytes(lzma.compress(b"a"))
    (tmp_path / ".hidden.txt").write_text("no")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "folder.txt").mkdir()
    found = read_articles(tmp_path)
    assert [article.text for article in found.articles] == ["b", "a", "c"]
    assert [article.id for article in found.articles] == ["B.HTML.gz", "a.txt.xz", "c.txt"]
    both = read_articles([str(tmp_path / "c.txt"), tmp_path])
    assert [article.text for article in both.articles] == ["c", "b", "a", "c"]


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Hé.".encode())))
    (article,) = read_articles("-").articles
    assert (article.text, article.source) == ("Hé.", "<stdin>")


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (b"", "a.txt: the file is empty"),
        (b" \n\t\n", "a.txt: the file has no words"),
        (b"ab\n\xff\xfe\x00", "a.txt:2: a NUL byte"),
        (b"ab\ncaf\xe9", r"a.txt:2: not UTF-8 \(byte 0xE9\)"),
        (gzip.compress(b"ab", mtime=0)[:-9], "a.txt: the compressed data are truncated"),
    ],
)
def test_what_is_no_article(data, cause):
    with pytest.raises(InputError, match=cause):
        read_article(named(data, "a.txt"))


def test_a_page_without_text():
    with pytest.raises(InputError, match=r"a\.html: the file has no words"):
        read_article(named("<html><script>x</script></html>", "a.html"))


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_articles(tmp_path / "none.txt")
    with pytest.raises(InputError, match="the folder has no articles"):
        read_articles(tmp_path)
    with pytest.raises(UsageError, match="at least one"):
        read_articles([])
    with pytest.raises(UsageError, match="one of text, html, subtitles, email, epub, office, pdf"):
        read_article(named("x", "a"), format="docx")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_is_closed(tmp_path):
    tmp_path.chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        read_articles(tmp_path)
