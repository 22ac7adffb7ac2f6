"""Pages of HTML: what a reader sees, and nothing is ever refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.text.formats._html import IN_A_LINE, NO_TEXT, Page


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<nav>b<nav>c</nav>d</nav>e", "a\n\ne"),
        ("<p>a</nav>b", "a\n\nb"),
        ("a<svg><style>b</style></svg>c", "a\n\nc"),
        ("a<hr/>b<br/>c", "a\n\nb\nc"),
        ("a &lt;b&gt; &#233; &unknown;", "a <b> é &unknown;"),
        ("a<!-- b -->c", "ac"),
        ("<pre>a\n  b</pre>", "a b"),
        ("a\xa0b", "a b"),
        ("<nav>a<p>b</nav>c", "c"),
        ("<nav>a<aside>b</nav>c</aside>d", "c\n\nd"),
        ("<aside>a<nav>b</aside>c", "c"),
        ("<script/>a", "a"),
        ("a<br></br>b", "a\nb"),
        ("a<br><br>b", "a\n\nb"),
        ("a<p></p><p></p>b", "a\n\nb"),
        ("a<![if x]>b<![endif]>c", "abc"),
        ("a<![CDATA[b]]>c", "ac"),
        ("a&#99999999999;b&#x110000;c", "a\ufffdb\ufffdc"),
        ("a<P>b</P>c<EM>d</EM>", "a\n\nb\n\ncd"),
    ],
)
def test_odd_pages(html, text):
    assert Page(f"<html>{html}").text == text


@pytest.mark.parametrize("tag", sorted(NO_TEXT))
def test_elements_without_text(tag):
    assert Page(f"a <{tag}>b</{tag}>c").text == "a\n\nc"


@pytest.mark.parametrize("tag", sorted(IN_A_LINE))
def test_elements_within_a_line(tag):
    assert Page(f"a<{tag}>b</{tag}>c").text == "abc"


@pytest.mark.parametrize(
    ("html", "title", "date"),
    [
        ("<title>a\n b</title>c", "a b", ""),
        ("<title>a</title><title>b</title>", "ab", ""),
        ("<svg><title>a</title></svg><title>b</title>", "b", ""),
        ('<title>a</title><meta property="og:title" content=" b  c ">', "b c", ""),
        ('<meta name="DC.title" content="b"><meta name="og:title" content="">', "b", ""),
        ('<meta name="pubdate" content="1999"><time datetime="2000">', "", "1999"),
        ('<time datetime="2000"><time datetime="2001">', "", "2000"),
        ('<time datetime="2000"><meta name="date" content="1999">', "", "1999"),
        ('<time datetime="2000"><meta name="date" content="">', "", "2000"),
        ("<meta name=x content=1999><meta><time>2000</time>", "", ""),
    ],
)
def test_titles_and_dates(html, title, date):
    page = Page(html)
    assert (page.title, page.date) == (title, date)


def test_a_title_is_not_in_the_text():
    assert Page("<title>a</title>b").text == "b"


PIECES = st.sampled_from(
    ["<", ">", "</", "<p", "<p>", "<!", "<![", "]>", "<!--", "-->", "<?", "&", "&#", "&#x", ";",
     "a", '"', "'", "=", "<nav>", "</nav>", "<br/>", "<title>", "</title>", "\0", "\n", "9" * 5000]
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(html=st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join)))
def test_any_text_is_a_page(html):
    page = Page(html)
    assert page.text == page.text.strip()
    assert "\n\n\n" not in page.text and "  " not in page.text


@pytest.mark.parametrize(
    "unit",
    ["<", "<a", "</", "<!", "<![", "<!--", "<?", "<a x='", '<a x=">" ', "<a = ", "<a '\">", "&#",
     "<p>", "<script>", "<nav>", "<title>", "<meta a=", "= "],
)  # fmt: skip
def test_markup_that_does_not_end_is_read_in_linear_time(unit):
    """Quadratic time would be minutes."""
    assert len(Page(unit * 100_000).text) <= len(unit) * 100_000


@pytest.mark.parametrize("name", ["author", "article:author", "DC.creator"])
def test_the_author_of_a_page(name):
    assert Page(f'<meta name="{name}" content=" Ann  Lee "><p>x').author == "Ann Lee"
    assert Page("<p>x").author == ""
