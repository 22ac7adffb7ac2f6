"""Texts as people write them, made from treebanks, which keep no line breaks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random

from treaty.parse._raw_text import INSIDE, SENTENCE, TOKEN, Piece, joined, paragraphs_of, pieces_of
from treaty.text import Sentence

__all__ = ["typeset"]

WIDTHS = (28, 90)
"""Least and greatest line width of wrapped text."""
SLACK = (0, 0, 4, 10)
"""By how much lines are shorter than they could be, at most."""
MOST_JOINED = 6
"""Number of paragraphs joined at most, with line breaks but no blank lines between."""
MARKS = ".!?…"
FACES = (":)", ":-)", ":(", ";)", ":D", "<3", "😀", "😂", "👍", "🎉", "❤️", "😭", "🙏")
ENDS = ("…", "...", "..", "!!!", "!!", "??", "?!")


def typeset(sentences: Iterable[Sentence], seed: int = 1) -> Iterator[tuple[str, list[int]]]:
    """Set the paragraphs of a treebank in lines, in various ways.

    Yields
    ------
    text, tags
        As `text_and_tags`: paragraphs in wrapped lines, one sentence a line, one paragraph a line
        (with its headline), some without final marks, some in one case.
    """
    random, rest = Random(seed), paragraphs_of(sentences)
    while group := list(islice(rest, random.choice((1, 1, random.randint(2, MOST_JOINED))))):
        paragraphs = [[pieces_of(sentence) for sentence in paragraph] for paragraph in group]
        style = random.random()
        width = random.randint(*WIDTHS) if style < 0.6 else 10**9
        by_sentence, slack = style > 0.8, random.choice(SLACK)
        change, bare, apart = random.random(), random.random() < 0.3, random.random() < 0.5
        lines: list[list[Piece]] = [[]]
        for paragraph in paragraphs:
            for pieces in paragraph:
                if lines[-1] and (by_sentence or (apart and not _is_marked(lines[-1]))):
                    lines.append([])
                lines[-1] += _ended(pieces, bare and by_sentence, random)
            lines.append([])
        text = [
            piece for line in filter(None, lines) for piece in _wrapped(line, width, random, slack)
        ]
        yield joined(_in_case(text, change))


def _is_marked(pieces: Sequence[Piece]) -> bool:
    return any(piece.form[-1] in MARKS for piece in pieces[-2:])


def _ended(pieces: list[Piece], bare: bool, random: Random) -> list[Piece]:
    """End a sentence in another way: without its mark, with another one, or with a face."""
    last, rest = pieces[-1], pieces[:-1]
    if not rest or last.form not in MARKS:
        return pieces
    if bare:
        return rest
    chance = random.random()
    if chance < 0.03:
        form = random.choice(FACES)
        face = Piece(form, " ", [TOKEN] + [INSIDE] * (len(form) - 1))
        marked = random.random() < 0.5
        return [*rest, last._replace(space=" "), face] if marked else [*_spaced(rest), face]
    if chance < 0.06:
        form = random.choice(ENDS)
        return [*rest, Piece(form, last.space, [TOKEN] + [INSIDE] * (len(form) - 1))]
    return pieces


def _spaced(pieces: list[Piece]) -> list[Piece]:
    return [*pieces[:-1], pieces[-1]._replace(space=" ")]


def _wrapped(line: Sequence[Piece], width: int, random: Random, slack: int) -> Iterator[Piece]:
    """Break a line where the next string would go beyond the width, and at its end."""
    column, most = 0, width
    for place, piece in enumerate(line):
        column += len(piece.form) + len(piece.space)
        if place == len(line) - 1:
            yield piece._replace(space="\n")
        elif piece.space and column + _string(line, place + 1) > most:
            yield piece._replace(space="\n")
            column, most = 0, width - random.randint(0, slack)
        else:
            yield piece


def _string(line: Sequence[Piece], place: int) -> int:
    """Return the number of characters up to the next white space."""
    size = 0
    for piece in islice(line, place, None):
        size += len(piece.form)
        if piece.space:
            break
    return size


def _in_case(pieces: list[Piece], change: float) -> list[Piece]:
    """Set some texts in lower case, a few in capitals, or without capitals at beginnings."""
    if change > 0.2:
        return pieces
    made = []
    for piece in pieces:
        form = piece.form
        if change < 0.08:
            form = form.lower()
        elif change < 0.12:
            form = form.upper()
        elif piece.tags and piece.tags[0] == SENTENCE:
            form = form.lower()
        made.append(piece._replace(form=form) if len(form) == len(piece.form) else piece)
    return made
