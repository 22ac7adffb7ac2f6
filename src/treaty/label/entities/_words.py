"""What is known of a word by itself, in the language of messages: names, tags, links, numbers."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["COLUMNS", "columns_of", "is_content_word", "kind_of", "normal_form"]

COLUMNS = ("form", "lower", "word", "kind", "caps", "cluster", "tag")
"""What templates may look at; `word` is the normal form, `caps` how the message uses capitals."""

USER = "<@MENTION>"
LINK = "<URL>"
_KINDS = (
    ("user", re.compile(r"@\w*|_Mention_|<@?mention>|@USER\d*", re.IGNORECASE)),
    ("link", re.compile(r"(https?:|www\.)\S+|\S+\.(com|org|net|ly|co)(/\S*)?", re.IGNORECASE)),
    ("link", re.compile(r"_URL_|URL\d*|<url>", re.IGNORECASE)),
    ("hash", re.compile(r"#\w+\W?")),
    ("retweet", re.compile(r"RT", re.IGNORECASE)),
    ("number", re.compile(r"[-+$£€]?\d[\d.,:/%-]*(st|nd|rd|th|am|pm|k|m)?", re.IGNORECASE)),
    ("word", re.compile(r".*\w.*", re.DOTALL)),
)  # fmt: skip
_DIGIT = re.compile(r"\d")


@lru_cache(2**16)
def kind_of(word: str) -> str:
    """Name the kind of token that a word is.

    Examples
    --------
    >>> [kind_of(word) for word in ("@ann", "#Rome", "http://t.co/x", "RT", "9.30", "Rome", ":)")]
    ['user', 'hash', 'link', 'retweet', 'number', 'word', 'sign']
    """
    return next((name for name, pattern in _KINDS if pattern.fullmatch(word)), "sign")


@lru_cache(2**16)
def normal_form(word: str) -> str:
    """Write a word as others of its sort are written.

    Names of users and links are all alike, digits are zeros, and case does not count.

    Examples
    --------
    >>> [normal_form(word) for word in ("@ann", "http://t.co/x", "Rome", "1969")]
    ['<@MENTION>', '<URL>', 'rome', '0000']
    """
    kind = kind_of(word)
    if kind == "user":
        return USER
    return LINK if kind == "link" else _DIGIT.sub("0", word.lower())


def is_content_word(word: str, stop_words: frozenset[str]) -> bool:
    """Whether a word tells what a message is about.

    Words and hash tags do, of two letters or more; names of users, links, numbers and the listed
    function words do not.

    Examples
    --------
    >>> [is_content_word(word, frozenset({"the"})) for word in ("The", "eclipse", "@ann", "x")]
    [False, True, False, False]
    """
    return kind_of(word) in ("word", "hash") and len(word) > 1 and word.lower() not in stop_words


def columns_of(words: list[str], clusters: list[str], tags: list[str]) -> list[list[str]]:
    """Fill the columns that templates look at, in the order of `COLUMNS`."""
    caps = _capitals(words)
    return [
        words,
        [word.lower() for word in words],
        [normal_form(word) for word in words],
        [kind_of(word) for word in words],
        [caps] * len(words),
        clusters,
        tags,
    ]


def _capitals(words: list[str]) -> str:
    """Say how much a capital letter means in a message: nothing where all or none have one."""
    plain = [word for word in words if kind_of(word) == "word"]
    begin = sum(word[0].isupper() for word in plain)
    if begin == 0:
        return "none"
    if 2 * sum(word.isupper() and len(word) > 1 for word in plain) > len(plain):
        return "upper"
    return "most" if 3 * begin > 2 * len(plain) else "some"
