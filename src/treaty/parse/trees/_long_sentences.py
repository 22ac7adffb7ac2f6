"""Very long sentences, mostly text without full stops: they are cut before they are parsed.

The time and memory of a parse grow faster than the sentence (the pruner scores all pairs of words
and inverts a matrix). In parts of bounded length they grow like the text.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from treaty.errors import UsageError
from treaty.languages import Language
from treaty.parse.tokens._raw_text import Span, sentence_of
from treaty.solve import Certificate, Status
from treaty.text import Annotations, Part, Sentence

__all__ = [
    "LONGEST",
    "check_longest",
    "cuts",
    "is_in_parts",
    "joined_tree",
    "parts_of",
    "sentences_of",
]

LONGEST = 400
"""Number of words of a sentence above which it is cut, by default."""
ENDS = frozenset(";:.!?…。！？؟।") | {"...", ".."}
PAUSES = frozenset(",–—-()[]،、") | {"--"}
PARTS = "# parts = "
"""The comment of a sentence of a file that was parsed in parts."""
JOINING = ("parataxis", "conj", "dep")
"""Labels of the arc from the root of the first part to that of another, the best first."""


def check_longest(longest: int) -> None:
    """Raise `UsageError` unless it is a number of words."""
    if longest < 1:
        raise UsageError(f"longest must be at least 1 word, not {longest}")


def cuts(
    words: Sequence[str],
    longest: int,
    conjunctions: frozenset[str] = frozenset(),
    may_cut: Callable[[int], bool] = lambda _: True,
) -> list[int]:
    """Choose where to cut a sentence: after a mark, before a conjunction, or else anywhere.

    Parameters
    ----------
    words
        The words of the sentence.
    longest
        Maximum number of words of a part; parts have at least half of it, but for the last.
    conjunctions
        Words of the language before which it may be cut.
    may_cut
        Whether a part may begin with the word of this number.

    Returns
    -------
    list of int
        The first word of each part, and the number of words.

    Examples
    --------
    >>> cuts("we came , we saw and we won".split(), 4, frozenset(["and"]))
    [0, 3, 5, 8]
    """
    chosen = [0]
    while len(words) - (start := chosen[-1]) > longest:
        window = range(start + max(1, longest // 2), start + longest + 1)
        places = [place for place in window if may_cut(place)]
        best = max(
            places, key=lambda place: (_fitness(words, place, conjunctions), place), default=0
        )
        if not best:  # in the middle of a token of several hundred words
            after = range(window.stop, len(words))
            best = next((place for place in after if may_cut(place)), len(words))
        elif not _fitness(words, best, conjunctions):
            best = places[len(places) // 2]
        chosen.append(best)
    return chosen if chosen[-1] == len(words) else [*chosen, len(words)]


def _fitness(words: Sequence[str], place: int, conjunctions: frozenset[str]) -> int:
    before = words[place - 1]
    return 3 * (before in ENDS) or 2 * (before in PAUSES) or words[place].lower() in conjunctions


def sentences_of(
    text: str, tokens: Sequence[Sequence[Span]], longest: int, language: Language
) -> list[Sentence]:
    """Make a sentence from a span of text, or several if it is too long.

    Parameters
    ----------
    text, tokens
        As in `treaty.parse.tokens._raw_text.sentence_of`.
    longest
        Maximum number of words of a sentence; no token is cut.
    language
        Its conjunctions tell where to cut.
    """
    sizes = [len(words) for words in tokens]
    if sum(sizes) <= longest:
        return [sentence_of(text, tokens)]
    first = {}  # the token that begins with a word
    words: list[str] = []
    for number, spans in enumerate(tokens):
        first[len(words)] = number
        words += [text[start:end] for start, end in spans]
    places = [
        first.get(place, len(tokens))
        for place in cuts(words, longest, language.grammar.conjunctions, first.__contains__)
    ]
    parts = [sentence_of(text, tokens[start:end]) for start, end in pairwise(places)]
    for number, part in enumerate(parts, 1):
        part.annotations = Annotations(part=Part(number, len(parts)))
    return parts


def parts_of(
    sentences: Iterable[Sentence],
    longest: int,
    waiting: deque[tuple[Sentence, int]],
    language: Language,
) -> Iterator[Sentence]:
    """Cut long sentences; `waiting` gets every sentence, with the number of its parts."""
    known = language.grammar.conjunctions
    for sentence in sentences:
        if len(sentence) <= longest:
            waiting.append((sentence, 1))
            yield sentence
            continue
        places = cuts([token.form for token in sentence.tokens], longest, known)
        waiting.append((sentence, len(places) - 1))
        for start, end in pairwise(places):
            yield Sentence(sentence.tokens[start:end])


def joined_tree(
    sentence: Sentence,
    parts: Sequence[tuple[Sentence, Certificate]],
    labels: Sequence[str],
    single_root: bool,
) -> tuple[Sentence, Certificate]:
    """Join the trees of the parts of a sentence: the roots depend on that of the first part.

    The tree is not proved to be the best one of the whole sentence: the bound is infinite.
    """
    heads: list[int] = []
    names: list[str] = []
    top = 0
    label = next((name for name in JOINING if name in labels), None)
    for part, _ in parts:
        done = len(heads)
        for place, token in enumerate(part.tokens, 1):
            is_root = token.head == 0
            moved = is_root and single_root and top > 0
            heads.append(top if moved else 0 if is_root else token.head + done)
            names.append(label or token.deprel if moved else token.deprel)
            top = top or (done + place if is_root else 0)
    whole = sentence.with_tree(heads, names)
    for token, parsed in zip(
        whole.tokens, (t for part, _ in parts for t in part.tokens), strict=True
    ):
        token.misc = parsed.misc  # with confidences, which that of a moved root is not quite
    comments = [line for line in whole.comments if not line.startswith(PARTS)]
    known = replace(whole.annotations, parts=len(parts))
    whole = replace(whole, comments=comments, annotations=known)
    sums = Certificate.of_parts(certificate for _, certificate in parts)
    if sums.status is Status.INFEASIBLE:
        return whole, sums
    return whole, Certificate(Status.FEASIBLE, sums.objective, math.inf, sums.iterations)


def is_in_parts(sentence: Sentence) -> bool:
    """Return whether a sentence is the first part of a long one, or was parsed in parts.

    Examples
    --------
    >>> is_in_parts(Sentence.from_words(["Hush"]))
    False
    """
    known = (sentence.annotations, Annotations.of_comments(sentence.comments))  # of a file, too
    return any(one.parts > 0 or (one.part is not None and one.part.number == 1) for one in known)
