"""Scores of analyses of raw text, where system and gold words may differ.

As in the CoNLL-2018 shared task, words are aligned by the characters they cover, ignoring white
space. The words of a multiword token (``don't``) all cover the whole token: within it, the longest
common subsequence of forms is aligned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treaty.errors import InputError
from treaty.metrics._counts import Retrieval
from treaty.metrics._pairs import name_of

if TYPE_CHECKING:
    from treaty.text import Sentence, Token

__all__ = ["AlignedScores", "aligned_scores"]

ROOT = -1  # the head of a root; other heads are word indices, -2 if unknown


@dataclass(frozen=True, slots=True)
class AlignedScores:
    """The result of `aligned_scores`: a `Retrieval` for each measure; the task reports ``f1``.

    Parameters
    ----------
    tokens, sentences
        Spans of the text that are one token (a multiword token counts as one) or one sentence.
    words
        Syntactic words that could be aligned.
    upos, xpos, feats, lemmas, uas, las
        Aligned words with the right tag, features (all of them), lemma, head, and head and label.
        Any lemma is right where the gold data have none.
    """

    tokens: Retrieval
    sentences: Retrieval
    words: Retrieval
    upos: Retrieval
    xpos: Retrieval
    feats: Retrieval
    lemmas: Retrieval
    uas: Retrieval
    las: Retrieval


@dataclass(frozen=True, slots=True)
class _Word:
    """A word, the characters it covers, and the index of its head among all words."""

    token: Token
    start: int
    end: int
    multiword: bool
    head: int


@dataclass(slots=True)
class _Side:
    """All data of one file."""

    text: str = ""
    tokens: list[tuple[int, int]] = field(default_factory=list)
    sentences: list[tuple[int, int]] = field(default_factory=list)
    words: list[_Word] = field(default_factory=list)


def aligned_scores(
    gold: Iterable[Sentence], system: Iterable[Sentence], *, subtypes: bool = True
) -> AlignedScores:
    """Score sentences, tokens, tags, lemmas and trees predicted from raw text.

    Parameters
    ----------
    gold, system
        Sentences of the same text.
    subtypes
        Whether label subtypes (after the colon) must agree too; not in the CoNLL-2018 task.

    Returns
    -------
    AlignedScores
        Precision, recall and F1 of each measure.

    Raises
    ------
    InputError
        When the texts differ in more than white space, with the position.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> gold = [Sentence.from_words(["do", "n't", "go", "!"])]
    >>> system = [Sentence.from_words(["don't", "go", "!"])]
    >>> scores = aligned_scores(gold, system)
    >>> scores.tokens, scores.sentences.f1
    (Retrieval(correct=2, gold=4, system=3), 1.0)
    """
    gold, system = list(gold), list(system)
    ours, theirs = _read(gold), _read(system)
    if ours.text != theirs.text:
        raise _difference(ours, theirs, gold, system)
    partner = dict(_align(ours.words, theirs.words))
    heads = {**partner, ROOT: ROOT}
    counts = dict.fromkeys(("upos", "xpos", "feats", "lemmas", "uas", "las"), 0)
    for i, j in partner.items():
        for name, agrees in _agreement(ours.words[i], theirs.words[j], heads, subtypes).items():
            counts[name] += agrees
    sizes = len(ours.words), len(theirs.words)
    return AlignedScores(
        tokens=_common(ours.tokens, theirs.tokens),
        sentences=_common(ours.sentences, theirs.sentences),
        words=Retrieval(len(partner), *sizes),
        **{name: Retrieval(count, *sizes) for name, count in counts.items()},
    )


def _read(sentences: list[Sentence]) -> _Side:
    side, texts, end = _Side(), [], 0
    for sentence in sentences:
        begin, offset = end, len(side.words)
        multiwords = {word.first: word for word in sentence.multiword_tokens}
        place = 1
        while place <= len(sentence):
            multiword = multiwords.get(place)
            last = multiword.last if multiword else place
            form = multiword.form if multiword else sentence.tokens[place - 1].form
            texts.append("".join(form.split()))
            start, end = end, end + len(texts[-1])
            side.tokens.append((start, end))
            for token in sentence.tokens[place - 1 : last]:
                head = token.head - 1 + (offset if token.head > 0 else 0)
                side.words.append(_Word(token, start, end, multiword is not None, head))
            place = last + 1
        side.sentences.append((begin, end))
    side.text = "".join(texts)
    return side


def _common(gold: list[tuple[int, int]], system: list[tuple[int, int]]) -> Retrieval:
    return Retrieval(len(set(gold) & set(system)), len(gold), len(system))


def _agreement(
    gold: _Word, system: _Word, heads: dict[int, int], subtypes: bool
) -> dict[str, bool]:
    ours, theirs = gold.token, system.token
    labels = ours.deprel, theirs.deprel
    if not subtypes:
        labels = labels[0].partition(":")[0], labels[1].partition(":")[0]
    head = heads.get(gold.head) == system.head
    return {
        "upos": ours.upos == theirs.upos,
        "xpos": ours.xpos == theirs.xpos,
        "feats": set(ours.feats.split("|")) == set(theirs.feats.split("|")),
        "lemmas": ours.lemma in ("_", theirs.lemma),
        "uas": head,
        "las": head and labels[0] == labels[1],
    }


def _align(gold: list[_Word], system: list[_Word]) -> Iterator[tuple[int, int]]:
    i = j = 0
    while i < len(gold) and j < len(system):
        ours, theirs = gold[i], system[j]
        if ours.multiword or theirs.multiword:
            if not ours.multiword and ours.start < theirs.start:
                i += 1
            elif not theirs.multiword and theirs.start < ours.start:
                j += 1
            else:
                next_i, next_j = _stretch(gold, i, system, j)
                yield from _common_subsequence(gold, range(i, next_i), system, range(j, next_j))
                i, j = next_i, next_j
        elif (ours.start, ours.end) == (theirs.start, theirs.end):
            yield i, j
            i, j = i + 1, j + 1
        elif ours.end <= theirs.end:
            i += 1
        else:
            j += 1


def _stretch(gold: list[_Word], i: int, system: list[_Word], j: int) -> tuple[int, int]:
    """Find the end of a multiword token, including all multiword tokens that overlap it."""
    first = min((word for word in (gold[i], system[j]) if word.multiword), key=lambda w: w.start)
    # A token of white space covers no characters, but must be skipped.
    end = max(first.end, first.start + 1)
    while True:
        if i < len(gold) and gold[i].start < end:
            end = max(end, gold[i].end) if gold[i].multiword else end
            i += 1
        elif j < len(system) and system[j].start < end:
            end = max(end, system[j].end) if system[j].multiword else end
            j += 1
        else:
            return i, j


def _common_subsequence(
    gold: list[_Word], ours: range, system: list[_Word], theirs: range
) -> Iterator[tuple[int, int]]:
    """Align as many words with equal forms (ignoring case) as possible, in order."""
    a = [gold[i].token.form.lower() for i in ours]
    b = [system[j].token.form.lower() for j in theirs]
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]  # of the suffixes from i and j
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            longest[i][j] = (
                1 + longest[i + 1][j + 1]
                if a[i] == b[j]
                else max(longest[i + 1][j], longest[i][j + 1])
            )
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield ours[i], theirs[j]
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1


def _difference(
    ours: _Side, theirs: _Side, gold: list[Sentence], system: list[Sentence]
) -> InputError:
    """Make the error that says where two texts differ."""
    pairs = zip(ours.text, theirs.text, strict=False)
    shorter = min(len(ours.text), len(theirs.text))
    at = next((place for place, (a, b) in enumerate(pairs) if a != b), shorter)
    where = []
    for name, side, sentences in (("gold", ours, gold), ("system", theirs, system)):
        if at == len(side.text):
            where.append(f"{name} ends")
            continue
        number = next(n for n, (_, end) in enumerate(side.sentences) if at < end)
        place = name_of(sentences[number], number + 1)
        where.append(f"{name} has {side.text[at : at + 20]!r} in {place}")
    return InputError(
        f"the texts differ: {', '.join(where)}; both must be analyses of the same text"
    )
