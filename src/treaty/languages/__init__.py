"""Languages: a folder of words, rules and conventions for each, found by code."""

from treaty.languages._language import (
    UNKNOWN,
    Calendar,
    Discourse,
    Grammar,
    Language,
    Layout,
    Names,
    Posts,
    Pronouns,
    Writing,
    codes,
    default_model,
    get,
    guess,
)

__all__ = [
    "UNKNOWN",
    "Calendar",
    "Discourse",
    "Grammar",
    "Language",
    "Layout",
    "Names",
    "Posts",
    "Pronouns",
    "Writing",
    "codes",
    "default_model",
    "get",
    "guess",
]
