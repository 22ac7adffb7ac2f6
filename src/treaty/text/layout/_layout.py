"""The reader of layout: one for all commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from treaty.languages import Language
from treaty.text._article import Article
from treaty.text.layout._body import Body, body_of
from treaty.text.layout._forms import NEUTRAL
from treaty.text.layout._lines import Line, LineMeaning, blocks_of

__all__ = ["TextLayout", "layout_of"]


@dataclass(frozen=True)
class TextLayout:
    r"""The layout of a text; made by `layout_of`.

    Attributes
    ----------
    article
        The text, with title and date if its file tells them.
    language
        Its language, for words such as those of greetings and bylines.
    lines
        How lines are meant.

    Examples
    --------
    >>> from treaty.languages import get
    >>> layout = layout_of("Rain\n\nBy Ann Lee\n\nIt rained.\n- mud", get("en"))
    >>> layout.body.title, layout.body.text.split()
    ('Rain', ['It', 'rained.'])
    >>> [[line.begins for line in block] for block in layout.blocks()]
    [[True], [True], [True, True]]
    """

    article: Article
    language: Language = NEUTRAL
    lines: LineMeaning = "auto"

    def blocks(self) -> Iterator[list[Line]]:
        """Return the lines in blocks with blank lines between: where sentences begin and end."""
        return blocks_of(self.article.text, self.lines, self.language)

    @cached_property
    def body(self) -> Body:
        """The text without headline, byline, captions and the like; and what these say."""
        return body_of(self.article, self.language)


def layout_of(
    text: str | Article, language: Language = NEUTRAL, lines: LineMeaning = "auto"
) -> TextLayout:
    """Read the layout of a text, or of an article, whose title and date are known.

    Parameters
    ----------
    text
        What to read.
    language
        Its language.
    lines
        How lines are meant, see `treaty.parse.Tokenizer.split`.
    """
    return TextLayout(text if isinstance(text, Article) else Article(text), language, lines)
