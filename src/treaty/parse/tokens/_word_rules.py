"""Rules of the tokenizer: strings that are one word, and places of cuts."""

from __future__ import annotations

import re
from functools import cache

from treaty.languages import Language

__all__ = ["cut_places", "one_word"]

ONE_WORD = r"""
    (?:https?://|ftp://|www\.)(?:[^\s<>"()]|\([^\s<>"()]*\))*
        (?:[^\s<>"().,;:!?'\]”’]|\([^\s<>"()]*\))                  # web addresses
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                                 # email addresses
    | (?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|co\.uk)
        (?:/[^\s<>"()]*[\w/])?(?!\w)                               # names of sites
    | (?<!\S)(?:[A-Za-z]:\\|~?(?:/[\w.-]+)+/)[^\s,;:"]*[\w/\\]     # paths of files
    | (?<!\S)(?:[:;=8][-o*']?[][)(dDpPoO/\\|}{@*]+ | <3 | \^_*\^ | [-oO;T]_+[-oO;T])(?!\S)
                                                                   # emoticons
    | </?(?:[abipu]|[bht]r|h[1-6]|[dou]l|li|t[dh]|em|strong|code|pre|div|span|font|table|img)/?>
    | &(?:[a-zA-Z]{2,8}|\#\d{1,6});                                # tags and entities of HTML
    | (?<!\w)[\#@][^\W\d_]\w*                                      # hashtags, names of users
    | (?<!\w)(?:C\+\+|[CF]\#)(?![\w+])                             # programming languages
    """
"""By rule: web addresses are too varied, emoticons too rare in treebanks; verbose."""
CUT = r"""
    (?<=\w)[—–] | (?<=[—–])(?=\w)            # dashes that touch words
    | (?<=[€£¥])(?=\d)                       # amounts
    | (?<=^[(\[])(?=[^\W_]|[€$£¥\#])         # what stands in brackets
    """
"""Where a token always starts; verbose."""


@cache
def one_word(language: Language) -> re.Pattern[str]:
    """Return the pattern of what is one word: addresses and the like, contractions of a language.

    >>> from treaty.languages import get
    >>> [bool(one_word(get(code)).match("goin'")) for code in ("en", "da")]
    [True, False]
    """
    return _joined(ONE_WORD, language.writing.one_word)


@cache
def cut_places(language: Language) -> re.Pattern[str]:
    """Return the pattern of the places where a token always starts.

    >>> from treaty.languages import get
    >>> cut_places(get("und")).search("3–4").start()
    1
    """
    return _joined(CUT, language.writing.cuts)


def _joined(neutral: str, alternatives: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join([f"(?x:{neutral})", *alternatives]))
