"""What the tokenizer takes for one word, and where it cuts, by rule."""

from __future__ import annotations

import re

__all__ = ["CUT", "ONE_WORD"]

ONE_WORD = re.compile(
    r"""
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
    | (?<![\w/])[wW]/(?:o(?:ut)?)?(?![\w/])                        # with, without
    | (?<!\w)(?:[^\W\d_]{2,}['’][io]|(?i:qur['’]an|(?:int|nat)['’]l|rock['’]n['’]roll))(?!\w)
                                                                   # Hawai'i, Eto'o
    | (?<!\S)['’](?:(?i:bout|cause|cuz|round|till?)(?!\w)|[tT](?=is\b|was\b))
                                                                   # 'cause, 'til, 't of 'tis
    | (?<![\w'’])(?i:go|do|(?:any|every|no|some)th|gett|com|talk|look|think|try|mak|feel|liv|lov
        |tak|work|say|play|runn|walk|wait|be|hav|putt|sitt|morn)in['’](?!\w)     # goin'
    """,
    re.VERBOSE,
)
"""By rule: web addresses are too varied, emoticons and contractions too rare in treebanks."""
CUT = re.compile(
    r"""
    (?<=\w)[—–] | (?<=[—–])(?=\w)            # dashes that touch words
    | (?<=[€£¥])(?=\d)                       # amounts
    | (?<=^[(\[])(?=[^\W_]|[€$£¥\#])         # what stands in brackets
    | (?<=^['’][tT])(?=is\b|was\b)           # the verb of 'tis
    """,
    re.VERBOSE,
)
"""Where a token always starts."""
