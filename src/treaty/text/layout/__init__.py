"""The layout of a text: which lines are sentences, which are something else, and who speaks."""

from treaty.text.layout._body import Body, body_of
from treaty.text.layout._forms import Forms, forms_of
from treaty.text.layout._layout import TextLayout, layout_of
from treaty.text.layout._lines import (
    ENDING,
    Line,
    LineMeaning,
    blocks_of,
    dateline_end,
    enclosed,
    is_within,
)
from treaty.text.layout._pages import joined_pages
from treaty.text.layout._quotations import speakers, within_quotations
from treaty.text.layout._turns import LONGEST_LABEL, label_size

__all__ = [
    "ENDING",
    "LONGEST_LABEL",
    "Body",
    "Forms",
    "Line",
    "LineMeaning",
    "TextLayout",
    "blocks_of",
    "body_of",
    "dateline_end",
    "enclosed",
    "forms_of",
    "is_within",
    "joined_pages",
    "label_size",
    "layout_of",
    "speakers",
    "within_quotations",
]
