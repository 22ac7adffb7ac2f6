"""The raw text of treebanks, and sentences from spans of raw text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from treaty.text import Sentence, Token, sentence_from_spans
from treaty.text._spaces import space_after

__all__ = [
    "INSIDE",
    "SENTENCE",
    "TOKEN",
    "WORD",
    "Piece",
    "common_words",
    "joined",
    "paragraphs_of",
    "pieces_of",
    "sentence_of",
    "text_and_tags",
]

INSIDE, WORD, TOKEN, SENTENCE = range(4)
"""What starts at a character: nothing, a word within a multiword token, a token, a sentence."""
MOST_SENTENCES = 24
"""Number of sentences per paragraph, if the treebank does not mark paragraphs."""
OFTEN = 3
"""Number of times that a common word is seen."""
Span = tuple[int, int]


class Piece(NamedTuple):
    """A token of raw text."""

    form: str
    space: str  # white space after it
    tags: list[int]  # of its characters


def paragraphs_of(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Group the sentences of each paragraph."""
    paragraph: list[Sentence] = []
    for sentence in sentences:
        begins = any(line.startswith(("# newpar", "# newdoc")) for line in sentence.comments)
        if paragraph and (begins or len(paragraph) == MOST_SENTENCES):
            yield paragraph
            paragraph = []
        paragraph.append(sentence)
    if paragraph:
        yield paragraph


def text_and_tags(paragraph: Sequence[Sentence]) -> tuple[str, list[int]]:
    """Return the raw text of a paragraph, and what starts at each of its characters.

    White space characters have no tag.
    """
    return joined([piece for sentence in paragraph for piece in pieces_of(sentence)])


def pieces_of(sentence: Sentence) -> list[Piece]:
    """Return the tokens of a sentence, with the white space after them and their tags."""
    pieces: list[Piece] = []
    cuts = _word_lengths(sentence)
    for place, (form, misc) in enumerate(sentence.surface()):
        lengths = cuts.get(place, [len(form)])
        found: list[int] = []
        for length in lengths:
            found += [WORD if found else TOKEN] + [INSIDE] * (length - 1)
        if place == 0:
            found[0] = SENTENCE
        tags = [tag for char, tag in zip(form, found, strict=True) if not char.isspace()]
        pieces.append(Piece(form, space_after(misc), tags))
    return pieces


def joined(pieces: Iterable[Piece]) -> tuple[str, list[int]]:
    """Return the text of pieces and their tags."""
    text: list[str] = []
    tags: list[int] = []
    for piece in pieces:
        text += (piece.form, piece.space)
        tags += piece.tags
    return "".join(text), tags


def _word_lengths(sentence: Sentence) -> dict[int, list[int]]:
    """Return the word lengths, by position, of multiword tokens whose words make up their form."""
    lengths, earlier = {}, 0
    for token in sentence.multiword_tokens:
        words = [word.form for word in sentence.tokens[token.first - 1 : token.last]]
        if "".join(words) == token.form:
            lengths[token.first - 1 - earlier] = [len(word) for word in words]
        earlier += len(words) - 1
    return lengths


def common_words(sentences: Iterable[Sentence]) -> list[str]:
    """Return the words that are often in lower case."""
    counts = Counter(word for sentence in sentences for word in sentence.words if word.islower())
    return sorted(word for word, count in counts.items() if count >= OFTEN and word.isalpha())


def sentence_of(text: str, tokens: Sequence[Sequence[Span]]) -> Sentence:
    r"""Make a sentence from a span of text, given the words of each of its tokens.

    Examples
    --------
    >>> print(sentence_of("I don't.", [[(0, 1)], [(2, 4), (4, 7)], [(7, 8)]]).to_conllu())
    # text = I don't.
    1   I       _   _   _   _   _   _   _   _
    2-3 don't   _   _   _   _   _   _   _   SpaceAfter=No
    2   do      _   _   _   _   _   _   _   _
    3   n't     _   _   _   _   _   _   _   _
    4   .       _   _   _   _   _   _   _   SpaceAfter=No
    <BLANKLINE>
    """
    surface = sentence_from_spans(text, [(words[0][0], words[-1][1]) for words in tokens])
    made = Sentence([], surface.comments)
    for token, words in zip(surface.tokens, tokens, strict=True):
        first = len(made.tokens) + 1
        if len(words) == 1:
            made.tokens.append(token)
            continue
        made.tokens += [Token(text[start:end]) for start, end in words]
        columns = [f"{first}-{len(made.tokens)}", token.form, *["_"] * 7, token.misc]
        made.other_lines.append((first - 1, "\t".join(columns)))
    return made
