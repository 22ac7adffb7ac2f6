"""File formats: a module and a line in the registry for each."""

from treaty.text.formats._format import Beginning, Cut, Format
from treaty.text.formats._registry import (
    DOCUMENTS,
    FORMATS,
    KnownFile,
    document_format,
    format_named,
    recognize,
    suffix_of,
)

__all__ = [
    "DOCUMENTS",
    "FORMATS",
    "Beginning",
    "Cut",
    "Format",
    "KnownFile",
    "document_format",
    "format_named",
    "recognize",
    "suffix_of",
]
