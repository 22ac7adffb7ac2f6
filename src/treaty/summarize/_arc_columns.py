"""Attributes of the arc from a word to its head, for feature templates."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from treaty.text import Sentence, Token

__all__ = ["ARC_COLUMNS", "arc_columns"]

OPEN_CLASSES = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X", "SYM"})
NEGATIONS = frozenset({
    "not", "n't", "n’t", "never", "no", "nor", "neither", "none", "nobody", "nothing", "without",
    "hardly",
})  # fmt: skip
TIMES = frozenset({
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "spring", "summer", "autumn", "winter", "today", "yesterday",
    "tomorrow", "tonight", "now", "then", "morning", "afternoon", "evening", "night", "noon",
    "midnight", "day", "week", "weekend", "month", "year", "decade", "century", "hour", "minute",
    "moment", "time", "days", "weeks", "months", "years", "decades", "hours", "minutes", "earlier",
    "later", "ago", "recently", "early", "late", "currently",
})  # fmt: skip
BRACKETS = frozenset({"(", ")", "[", "]", "{", "}", "-lrb-", "-rrb-", "–", "—", "--"})
QUOTES = frozenset({'"', "''", "``", "“", "”", "‘", "’"})
SIZES = (2, 3, 4, 6, 9, 13, 20)
LENGTHS = (8, 13, 18, 24, 31, 41)
SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
DISTANCES = (2, 3, 4, 6, 10, 16)
MOST_DEPTH, MOST_KIDS = 6, 4
TOP = "^"
"""Placeholder for the head of the root and anything above it."""
NONE = "-"


class _Tree:
    """A sentence and its tree: heads counted from 0, -1 for that of the root."""

    def __init__(self, sentence: Sentence) -> None:
        self.tokens = sentence.tokens
        self.lower = [token.form.lower() for token in self.tokens]
        self.head = [token.head - 1 for token in self.tokens]
        self.kids: list[list[int]] = [[] for _ in self.tokens]
        for word, head in enumerate(self.head):
            if head >= 0:
                self.kids[head].append(word)
        self.order = [word for word, head in enumerate(self.head) if head < 0]
        for word in self.order:  # it grows during iteration: heads come before their dependents
            self.order += self.kids[word]
        size = len(self.tokens)
        self.size, self.depth = [1] * size, [0] * size
        self.first, self.last = list(range(size)), list(range(size))
        self.negated = [word in NEGATIONS for word in self.lower]
        self.named = [token.upos == "PROPN" for token in self.tokens]
        self.numbered = [token.upos == "NUM" for token in self.tokens]
        for word in self.order:
            if self.head[word] >= 0:
                self.depth[word] = self.depth[self.head[word]] + 1
        for word in reversed(self.order):
            self._add_to_head(word)

    def _add_to_head(self, word: int) -> None:
        head = self.head[word]
        if head < 0:
            return
        self.size[head] += self.size[word]
        self.first[head] = min(self.first[head], self.first[word])
        self.last[head] = max(self.last[head], self.last[word])
        for mark in (self.negated, self.named, self.numbered):
            mark[head] = mark[head] or mark[word]

    def above(self, word: int, steps: int) -> Token | None:
        for _ in range(steps):
            word = self.head[word] if word >= 0 else -1
        return self.tokens[word] if word >= 0 else None


def _label(token: Token | None) -> str:
    return TOP if token is None else token.deprel


def _tag(token: Token | None) -> str:
    return TOP if token is None else token.upos


def _word(token: Token | None) -> str:
    return TOP if token is None else token.form.lower()


def _function(tree: _Tree, word: int) -> str:
    """Return the form of a function word, or the tag of any other word."""
    tag = tree.tokens[word].upos
    return tag if tag in OPEN_CLASSES else tree.lower[word]


def _marker(tree: _Tree, word: int) -> str:
    """Return the preposition, conjunction or relative word that introduces a subtree."""
    for kid in tree.kids[word]:
        if tree.tokens[kid].deprel.partition(":")[0] in ("case", "mark", "cc"):
            return tree.lower[kid]
    return NONE


def _clause(tree: _Tree, word: int) -> str:
    """Return whether a word has its own subject (s), object (o) and auxiliaries (a)."""
    labels = {tree.tokens[kid].deprel.partition(":")[0] for kid in tree.kids[word]}
    found = [
        "s" if labels & {"nsubj", "csubj", "expl"} else "",
        "o" if labels & {"obj", "iobj", "ccomp", "xcomp"} else "",
        "a" if labels & {"aux", "cop"} else "",
    ]
    return "".join(found) or NONE


def _border(tree: _Tree, word: int) -> str:
    """Return the punctuation around a subtree: commas, brackets, dashes, quotes, sentence ends."""
    marks = []
    for place in (tree.first[word] - 1, tree.last[word] + 1):
        if not 0 <= place < len(tree.lower):
            marks.append("|")
        elif tree.tokens[place].upos != "PUNCT":
            marks.append("w")
        else:
            form = tree.lower[place]
            marks.append("(" if form in BRACKETS else "'" if form in QUOTES else form[:1])
    return "".join(marks)


def _time(tree: _Tree, word: int) -> str:
    """Return whether a word is temporal (Friday), has a marker (on Friday), or has such a child."""
    if tree.lower[word] in TIMES:
        return "case" if _marker(tree, word) != NONE else "time"
    return "below" if any(tree.lower[kid] in TIMES for kid in tree.kids[word]) else NONE


def _siblings(tree: _Tree, word: int) -> tuple[str, str]:
    """Return the labels of the nearest siblings on both sides; the head counts as one."""
    head = tree.head[word]
    if head < 0:
        return TOP, TOP
    row = sorted([*tree.kids[head], head])
    at = row.index(word)

    def name(place: int) -> str:
        if not 0 <= place < len(row):
            return "|"
        return "head" if row[place] == head else tree.tokens[row[place]].deprel

    return name(at - 1), name(at + 1)


def _path(tree: _Tree, word: int) -> str:
    return " ".join(_label(tree.above(word, steps)) for steps in range(3))


def _bin(value: float, limits: Sequence[float]) -> str:
    return str(bisect(limits, value))


def _first_root(tree: _Tree, word: int) -> str:
    """Return whether a word is before, at or after the root of the sentence."""
    root = tree.order[0]
    return "=" if word == root else "<" if word < root else ">"


ARC_COLUMNS = (
    "lower", "tag", "fine", "label", "function", "htag", "hword", "hlabel", "gtag", "glabel",
    "path", "marker", "clause", "border", "time", "negated", "names", "before", "after", "size",
    "share", "depth", "side", "distance", "place", "kids", "length", "root", "hclause", "hmarker",
    "lemma",
)  # fmt: skip
"""h is the head, g the head's head; `before` and `after` are the labels of adjacent siblings."""


def arc_columns(sentence: Sentence) -> list[list[str]]:
    """Compute the attributes, in the order of `ARC_COLUMNS`."""
    tree = _Tree(sentence)
    size = len(tree.tokens)
    rows = [_row(tree, word, size) for word in range(size)]
    return [list(column) for column in zip(*rows, strict=True)]


def _row(tree: _Tree, word: int, size: int) -> tuple[str, ...]:
    token, head, grand = tree.tokens[word], tree.above(word, 1), tree.above(word, 2)
    at = tree.head[word]
    before, after = _siblings(tree, word)
    names = f"{'n' if tree.named[word] else ''}{'d' if tree.numbered[word] else ''}"
    return (
        tree.lower[word],
        token.upos,
        token.xpos,
        token.deprel,
        _function(tree, word),
        _tag(head),
        _word(head),
        _label(head),
        _tag(grand),
        _label(grand),
        _path(tree, word),
        _marker(tree, word),
        _clause(tree, word),
        _border(tree, word),
        _time(tree, word),
        "not" if tree.negated[word] else NONE,
        names or NONE,
        before,
        after,
        _bin(tree.size[word], SIZES),
        _bin(tree.size[word] / size, SHARES),
        str(min(tree.depth[word], MOST_DEPTH)),
        "<" if word < at else ">",
        _bin(abs(word - at), DISTANCES),
        str(8 * word // size),
        str(min(len(tree.kids[word]), MOST_KIDS)),
        _bin(size, LENGTHS),
        _first_root(tree, word),
        TOP if at < 0 else _clause(tree, at),
        TOP if at < 0 else _marker(tree, at),
        token.lemma.lower(),
    )
