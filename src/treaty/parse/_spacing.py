"""White space for treebanks that do not record it: as it is usual around marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from treaty.text import Sentence

__all__ = ["tells_spaces", "with_usual_spaces", "writes_spaces"]

CLOSING = re.compile(r"[.,;:!?…)\]}»”’%।؟،]+|''|n't|['’](?:s|S|m|re|ve|d|ll)")
"""Tokens without white space before them; quotation marks that are alike are counted."""
OPENING = re.compile(r"[(\[{«“‘¿¡]|``")
QUOTES = frozenset("\"'")
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that have no white space between words."""
MOST_UNSPACED = 0.3


def tells_spaces(sentences: Iterable[Sentence]) -> bool:
    """Return whether a treebank records where there is no white space."""
    return any("SpaceAfter=No" in misc for s in sentences for _, misc in s.surface())


def writes_spaces(sentences: Iterable[Sentence]) -> bool:
    """Return whether the script has white space between words.

    Examples
    --------
    >>> writes_spaces([Sentence.from_words(["Katte", "sover"])])
    True
    >>> writes_spaces([Sentence.from_words(["猫", "が", "寝る"])])
    False
    """
    size = unspaced = 0
    for sentence in sentences:
        for word in sentence.words:
            size += len(word)
            unspaced += len(UNSPACED.findall(word))
    return unspaced <= MOST_UNSPACED * size


def with_usual_spaces(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Leave out white space before closing marks and after opening ones.

    Sentences with multiword tokens are passed on as they are.

    Examples
    --------
    >>> hush = Sentence.from_words(["She", "said", ":", '"', "Hush", "!", '"'])
    >>> next(with_usual_spaces([hush])).text
    'She said: "Hush!"'
    """
    for sentence in sentences:
        if sentence.multiword_tokens:
            yield sentence
            continue
        touches = _touching([token.form for token in sentence.tokens])
        tokens = [
            replace(token, misc=_with(token.misc)) if touching else token
            for token, touching in zip(sentence.tokens, touches, strict=True)
        ]
        yield Sentence(tokens, sentence.comments, sentence.other_lines)


def _touching(forms: Sequence[str]) -> list[bool]:
    """Tell for each token whether the next one follows without white space."""
    touches = [False] * len(forms)
    is_open = dict.fromkeys(QUOTES, False)
    for place, form in enumerate(forms):
        opens, closes = bool(OPENING.fullmatch(form)), bool(CLOSING.fullmatch(form))
        if form in QUOTES:
            opens, closes = not is_open[form], is_open[form]
            is_open[form] = opens
        if opens:
            touches[place] = True
        if closes and place:
            touches[place - 1] = True
    if forms:
        touches[-1] = False
    return touches


def _with(misc: str) -> str:
    return "SpaceAfter=No" if misc == "_" else f"{misc}|SpaceAfter=No"
