"""Sentences as people type them, made from those of treebanks: more to learn from.

Treebanks have few headlines in capitals, chats in lower case, lists and short forms. Copies of
their sentences are changed: *PRICES RISE*, *prices rise*, *- book the van*, *pls call me*, *omg it
works lol*. Tags, lemmas and trees are those of the original.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from treaty.text import Sentence, Token

__all__ = ["as_typed", "bulleted", "inserted", "spelled", "with_remark"]

SPELLINGS = {
    "please": "pls plz",
    "thanks": "thx thnx tnx",
    "though": "tho",
    "something": "smth sth",
    "someone": "some1",
    "anyone": "any1",
    "everyone": "every1",
    "people": "ppl",
    "because": "cuz coz cos bc b/c",
    "you": "u ya",
    "your": "ur",
    "are": "r",
    "with": "w/",
    "without": "w/o",
    "about": "abt",
    "before": "b4",
    "really": "rly",
    "probably": "prob prolly",
    "definitely": "def",
    "tomorrow": "tmrw tmr",
    "tonight": "tonite",
    "night": "nite",
    "great": "gr8",
    "love": "luv",
    "what": "wat wut",
    "message": "msg",
    "messages": "msgs",
    "picture": "pic",
    "pictures": "pics",
    "minutes": "mins",
    "hours": "hrs",
    "week": "wk",
    "weeks": "wks",
    "weekend": "wknd",
    "birthday": "bday",
    "okay": "ok k",
    "ok": "k",
    "good": "gud",
    "yes": "yep yup ye",
    "no": "nope nah",
    "information": "info",
    "between": "btwn",
    "through": "thru",
    "enough": "enuf",
    "later": "l8r",
    "never": "nvr",
    "going": "goin",
    "nothing": "nothin",
    "doing": "doin",
}
"""How words are spelled in chats. Tags and lemmas stay those of the word."""
REMARKS = {
    "lol": ("INTJ", "UH"),
    "lmao": ("INTJ", "UH"),
    "haha": ("INTJ", "UH"),
    "hahaha": ("INTJ", "UH"),
    "omg": ("INTJ", "UH"),
    "wow": ("INTJ", "UH"),
    "ugh": ("INTJ", "UH"),
    "yay": ("INTJ", "UH"),
    "np": ("INTJ", "UH"),
    "ty": ("INTJ", "UH"),
    "jk": ("INTJ", "UH"),
    "pls": ("INTJ", "UH"),
    "thx": ("NOUN", "NN"),
    "btw": ("ADV", "RB"),
    "tbh": ("ADV", "RB"),
    "imo": ("ADV", "RB"),
    "fyi": ("ADV", "RB"),
    "asap": ("ADV", "RB"),
}
"""Short forms that comment on a sentence, with their tags in EWT."""
LEMMAS = {"pls": "please", "thx": "thanks", "asap": "ASAP"}
BULLETS = ("-", "-", "*", "•", "–")
LONGEST_ITEM, LONGEST_REMARKED = 15, 30
"""Number of words."""
ALONE = 0.1
"""Share of remarks that are a sentence of their own."""
AT_END = frozenset({"pls", "thx", "asap", "ty"})
SPELLED = 4.0
"""Spellings and remarks are made so many times as often as other changes."""


def as_typed(sentence: Sentence, share: float, drawn: random.Random) -> list[Sentence]:
    """Make copies of a sentence, with this probability for each change."""
    found = [change(sentence) for change in CHANGES if drawn.random() < share]
    if drawn.random() < share:
        found.append(bulleted(sentence, drawn))
    for change in (spelled, with_remark):
        if drawn.random() < SPELLED * share:
            found.append(_in_lower_case(change(sentence, drawn), drawn))
    return [copy for copy in found if copy is not None]


# Case and punctuation


def _upper(sentence: Sentence) -> Sentence | None:
    return _with_forms(sentence, str.upper) if len(sentence) > 1 else None


def _lower(sentence: Sentence) -> Sentence | None:
    return _with_forms(sentence, str.lower)


def _with_forms(sentence: Sentence, change: Callable[[str], str]) -> Sentence | None:
    tokens = [replace(token, form=change(token.form)) for token in sentence.tokens]
    same = all(a.form == b.form for a, b in zip(tokens, sentence.tokens, strict=True))
    return None if same else Sentence(tokens, [], [])


def _unended(sentence: Sentence) -> Sentence | None:
    last = sentence.tokens[-1] if len(sentence) > 1 else None
    if last is None or last.upos != "PUNCT" or last.form not in (".", "!", "?"):
        return None
    if any(token.head == len(sentence) for token in sentence.tokens):
        return None
    return Sentence([replace(token) for token in sentence.tokens[:-1]], [], [])


CHANGES: tuple[Callable[[Sentence], Sentence | None], ...] = (_upper, _lower, _unended)


def _in_lower_case(sentence: Sentence | None, drawn: random.Random) -> Sentence | None:
    """Most chats have no capitals, and no full stop."""
    if sentence is not None and drawn.random() < 0.7:
        sentence = _unended(sentence) or sentence
        sentence = _lower(sentence) or sentence
    return sentence


# Lists and chats


def inserted(sentence: Sentence, place: int, token: Token) -> Sentence:
    """Put a word before that of a place, counted from 0; its head is numbered as before."""
    moved = [
        replace(t, head=t.head + (t.head > place), misc="_", deps="_") for t in sentence.tokens
    ]
    own = replace(token, head=token.head + (token.head > place))
    return Sentence([*moved[:place], own, *moved[place:]], [], [])


def _root_of(sentence: Sentence) -> int:
    """Return the number of the root, 0 if there is none."""
    return next((i for i, token in enumerate(sentence.tokens, 1) if token.head == 0), 0)


def bulleted(sentence: Sentence, drawn: random.Random) -> Sentence | None:
    """Make a short sentence an item of a list, without a full stop."""
    root = _root_of(sentence)
    if not root or len(sentence) > LONGEST_ITEM or sentence.tokens[0].upos == "PUNCT":
        return None
    mark = drawn.choice(BULLETS)
    bullet = Token(mark, lemma=mark, upos="PUNCT", xpos="NFP", head=root, deprel="punct")
    item = inserted(_unended(sentence) or sentence, 0, bullet)
    first = item.tokens[1]
    if first.upos != "PROPN" and first.form != "I" and drawn.random() < 0.6:
        first.form = first.form[:1].lower() + first.form[1:]
    return item


def spelled(sentence: Sentence, drawn: random.Random) -> Sentence | None:
    """Spell a few words as in chats."""
    tokens = [replace(token) for token in sentence.tokens]
    meant = [t for t in tokens if t.upos != "PROPN" and t.form.lower() in SPELLINGS]
    for token in meant:
        token.form = drawn.choice(SPELLINGS[token.form.lower()].split())
    return Sentence(tokens, [], []) if meant and not sentence.other_lines else None


def with_remark(sentence: Sentence, drawn: random.Random) -> Sentence | None:
    """Begin or end a sentence with *lol*, *btw*, *thx*."""
    root = _root_of(sentence)
    if not root or sentence.other_lines or len(sentence) > LONGEST_REMARKED:
        return None
    word, (upos, xpos) = drawn.choice(list(REMARKS.items()))
    label = "advmod" if upos == "ADV" else "discourse"
    token = Token(word, lemma=LEMMAS.get(word, word), upos=upos, xpos=xpos, head=root, deprel=label)
    if drawn.random() < ALONE:
        return Sentence([replace(token, head=0, deprel="root")], [], [])
    own = _unended(sentence) or sentence
    at_end = word in AT_END or drawn.random() < 0.5
    return inserted(own, len(own) if at_end else 0, token)
