"""Very long sentences, mostly text without full stops: they are cut before they are parsed.

The time and memory of a parse grow faster than the sentence (the pruner scores all pairs of words
and inverts a matrix). In parts of bounded length they grow like the text.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from treaty.errors import UsageError
from treaty.parse._raw_text import Span, sentence_of
from treaty.solve import Certificate, Status
from treaty.text import Sentence

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
CONJUNCTIONS = frozenset({
    "and", "because", "but", "if", "nor", "or", "so", "that", "then", "when", "where", "which",
    "while", "who", "yet", "aber", "denn", "oder", "und", "weil", "donc", "et", "mais", "ou",
    "parce", "pero", "porque", "ma", "mas", "perché",
})  # fmt: skip
PART, PARTS = "# part = ", "# parts = "
"""Comments of a sentence that is a part of a longer one, and of one that was parsed in parts."""
JOINING = ("parataxis", "conj", "dep")
"""Labels of the arc from the root of the first part to that of another, the best first."""


def check_longest(longest: int) -> None:
    """Raise `UsageError` unless it is a number of words."""
    if longest < 1:
        raise UsageError(f"longest must be at least 1 word, not {longest}")


def cuts(
    words: Sequence[str], longest: int, may_cut: Callable[[int], bool] = lambda _: True
) -> list[int]:
    """Choose where to cut a sentence: after a mark, before a conjunction, or else anywhere.

    Parameters
    ----------
    words
        The words of the sentence.
    longest
        Maximum number of words of a part; parts have at least half of it, but for the last.
    may_cut
        Whether a part may begin with the word of this number.

    Returns
    -------
    list of int
        The first word of each part, and the number of words.

    Examples
    --------
    >>> cuts("we came , we saw and we won".split(), 4)
    [0, 3, 5, 8]
    """
    found = [0]
    while len(words) - (start := found[-1]) > longest:
        window = range(start + max(1, longest // 2), start + longest + 1)
        places = [place for place in window if may_cut(place)]
        best = max(places, key=lambda place: (_worth(words, place), place), default=0)
        if not best:  # in the middle of a token of several hundred words
            after = range(window.stop, len(words))
            best = next((place for place in after if may_cut(place)), len(words))
        elif not _worth(words, best):
            best = places[len(places) // 2]
        found.append(best)
    return found if found[-1] == len(words) else [*found, len(words)]


def _worth(words: Sequence[str], place: int) -> int:
    before = words[place - 1]
    return 3 * (before in ENDS) or 2 * (before in PAUSES) or words[place].lower() in CONJUNCTIONS


def sentences_of(text: str, tokens: Sequence[Sequence[Span]], longest: int) -> list[Sentence]:
    """Make a sentence from a span of text, or several if it is too long.

    Parameters
    ----------
    text, tokens
        As in `treaty.parse._raw_text.sentence_of`.
    longest
        Maximum number of words of a sentence; no token is cut.
    """
    sizes = [len(words) for words in tokens]
    if sum(sizes) <= longest:
        return [sentence_of(text, tokens)]
    first = {}  # the token that begins with a word
    words: list[str] = []
    for number, spans in enumerate(tokens):
        first[len(words)] = number
        words += [text[start:end] for start, end in spans]
    places = [first.get(place, len(tokens)) for place in cuts(words, longest, first.__contains__)]
    parts = [sentence_of(text, tokens[start:end]) for start, end in pairwise(places)]
    for number, part in enumerate(parts, 1):
        part.comments.append(f"{PART}{number} of {len(parts)}")
    return parts


def parts_of(
    sentences: Iterable[Sentence], longest: int, waiting: deque[tuple[Sentence, int]]
) -> Iterator[Sentence]:
    """Cut long sentences; `waiting` gets every sentence, with the number of its parts."""
    for sentence in sentences:
        if len(sentence) <= longest:
            waiting.append((sentence, 1))
            yield sentence
            continue
        places = cuts([token.form for token in sentence.tokens], longest)
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
    for token, own in zip(whole.tokens, (t for part, _ in parts for t in part.tokens), strict=True):
        token.misc = own.misc  # with confidences, which that of a moved root is not quite
    comments = [line for line in whole.comments if not line.startswith(PARTS)]
    whole = Sentence(whole.tokens, [*comments, f"{PARTS}{len(parts)}"], whole.other_lines)
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
    begins = (f"{PART}1 of ", PARTS)
    return any(line.startswith(begins) for line in sentence.comments)
