"""Attributes of single words of messages: names, tags, links, numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from treaty._threads import MANY, checked

__all__ = ["COLUMNS", "columns_of", "is_content_word", "kind_of", "normal_form", "runs_of"]

COLUMNS = (
    "form", "lower", "word", "kind", "caps", "style", "cluster", "kin", "tag", "lists",
    "first", "last", "before", "after", "size",
)  # fmt: skip
"""Attributes for templates. `word` is the normal form, `caps` the message's use of capitals,
`style` whether it is a message of a social network; `cluster` and `kin` are paths in two sets of
clusters, `lists` the lists of names that a phrase with the word is in. The last five are those of
the run of capitalized words around it: its first and last word, the words before and after, its
size."""

NO_RUN = ""
_JOINING = frozenset({"of", "for", "the", "and", "&", "-", "de", "la", "del", "van", "von", "al"})
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
    """Return the kind of token of a word.

    Examples
    --------
    >>> [kind_of(word) for word in ("@ann", "#Rome", "http://t.co/x", "RT", "9.30", "Rome", ":)")]
    ['user', 'hash', 'link', 'retweet', 'number', 'word', 'sign']
    """
    return next((name for name, pattern in _KINDS if pattern.fullmatch(word)), "sign")


@lru_cache(2**16)
def normal_form(word: str) -> str:
    """Normalize a word.

    All user names are the same, and so are all links; digits become zeros, and case is ignored.

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
    """Return whether a word is about the content of a message.

    True for words and hash tags of two letters or more; False for user names, links, numbers and
    the listed function words.

    Examples
    --------
    >>> [is_content_word(word, frozenset({"the"})) for word in ("The", "eclipse", "@ann", "x")]
    [False, True, False, False]
    """
    return kind_of(word) in ("word", "hash") and len(word) > 1 and word.lower() not in stop_words


def columns_of(
    words: list[str], clusters: list[list[str]], tags: list[str], lists: list[str]
) -> list[list[str]]:
    """Fill the attributes that templates use, in the order of `COLUMNS`."""
    kinds = [kind_of(word) for word in checked(words, MANY)]
    normal = [normal_form(word) for word in checked(words, MANY)]
    return [
        words,
        [word.lower() for word in words],
        normal,
        kinds,
        [_capitals(words)] * len(words),
        [_style(kinds)] * len(words),
        *clusters,
        tags,
        lists,
        *_runs(words, normal),
    ]


def runs_of(words: Sequence[str]) -> list[tuple[int, int]]:
    """Find the runs of capitalized words, as (start, end); ``of``, ``&`` and the like join two.

    Examples
    --------
    >>> runs_of("The Bank of New York said Ann left".split())
    [(0, 5), (6, 7)]
    """
    runs: list[tuple[int, int]] = []
    for i, word in enumerate(words):
        if not (word[0].isupper() or (word[0] == "#" and word[1:2].isupper())):
            continue
        if runs and (runs[-1][1] == i or (runs[-1][1] == i - 1 and words[i - 1] in _JOINING)):
            runs[-1] = (runs[-1][0], i + 1)
        else:
            runs.append((i, i + 1))
    return runs


def _runs(words: Sequence[str], normal: Sequence[str]) -> list[list[str]]:
    rows = [[NO_RUN] * len(words) for _ in range(5)]
    for start, end in runs_of(words):
        before = normal[start - 1] if start else "<start>"
        after = normal[end] if end < len(words) else "<end>"
        size = str(min(end - start, 6))
        for row, cell in zip(
            rows, (normal[start], normal[end - 1], before, after, size), strict=True
        ):
            row[start:end] = [cell] * (end - start)
    return rows


def _style(kinds: list[str]) -> str:
    """Return whether words look like a message of a social network."""
    marks = sum(kind in ("user", "hash", "retweet", "link") for kind in kinds)
    return "message" if marks else "text"


def _capitals(words: list[str]) -> str:
    """Return how informative capitals are in a message: not if all or no words have them."""
    plain = [word for word in words if kind_of(word) == "word"]
    begin = sum(word[0].isupper() for word in plain)
    if begin == 0:
        return "none"
    if 2 * sum(word.isupper() and len(word) > 1 for word in plain) > len(plain):
        return "upper"
    return "most" if 3 * begin > 2 * len(plain) else "some"
