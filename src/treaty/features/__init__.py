"""Feature templates, written as data and executed by one native kernel for every application."""

from treaty.features._attributes import WORD_COLUMNS, attribute
from treaty.features._hashing import combined, mixed
from treaty.features._templates import LARGEST_OFFSET, Family, TemplateSet, compile_templates

__all__ = [
    "LARGEST_OFFSET",
    "WORD_COLUMNS",
    "Family",
    "TemplateSet",
    "attribute",
    "combined",
    "compile_templates",
    "mixed",
]
