"""Articles hold what files say about a document."""

from treaty.text import Article, Section


def test_sections_have_their_places():
    text = "One\n\nIt rained.\n\nTwo\n\nIt poured."
    article = Article(text, author="Ann", sections=(Section("One", 0), Section("Two", 17)))
    assert [text[section.start :].split("\n")[0] for section in article.sections] == ["One", "Two"]
    assert Article("x").sections == ()
    assert Article("x").author is None
