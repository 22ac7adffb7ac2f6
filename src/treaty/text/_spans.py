"""Sentences from spans of raw text, and the text of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treaty.errors import UsageError
from treaty.text._sentence import Sentence, Token
from treaty.text._spaces import escape, misc_value, raw_form, space_after, unescape

__all__ = ["Span", "sentence_from_spans", "text_of"]

Span = tuple[int, int]


def sentence_from_spans(text: str, spans: Sequence[Span]) -> Sentence:
    r"""Make a sentence from a span of text, given the positions of its tokens.

    MISC keeps the white space: ``SpaceAfter=No`` where there is none, ``SpacesAfter`` where it is
    not a single space, ``SpacesBefore`` at the start of the text, ``SpacesInToken`` for a token
    that contains tabs or line breaks. `text_of` restores the text.

    Parameters
    ----------
    text
        The text, of which the sentence may be a part.
    spans
        ``(start, end)`` of each token, in order: the token is ``text[start:end]``. Between tokens
        must be white space only.

    Examples
    --------
    >>> sentence = sentence_from_spans("Cats\nsleep. Dogs bark.", [(0, 4), (5, 10), (10, 11)])
    >>> [(token.form, token.misc) for token in sentence]
    [('Cats', 'SpacesAfter=\\n'), ('sleep', 'SpaceAfter=No'), ('.', '_')]
    >>> sentence.text
    'Cats sleep.'
    """
    _check_spans(text, spans)
    tokens = []
    following = [start for start, _ in spans[1:]] + [_end_of_space(text, spans[-1][1])]
    for (start, end), next_start in zip(spans, following, strict=True):
        form = text[start:end]
        tokens.append(Token(_one_line(form), misc=_misc(form, text[end:next_start])))
    start = spans[0][0]
    if start and _start_of_space(text, start) == 0:
        first = tokens[0]
        rest = "" if first.misc == "_" else f"|{first.misc}"
        first.misc = f"SpacesBefore={escape(text[:start])}{rest}"
    shown = "".join(token.form + (" " if space_after(token.misc) else "") for token in tokens)
    return Sentence(tokens, [f"# text = {shown.strip()}"])


def text_of(sentences: Iterable[Sentence]) -> str:
    r"""Restore the text of sentences, including white space.

    The text is exact if the sentences come from `sentence_from_spans` (directly or through a file),
    or from a treebank that records white space in MISC as UDPipe does.

    Examples
    --------
    >>> text = "  Cats\nsleep.\n\n"
    >>> text_of([sentence_from_spans(text, [(2, 6), (7, 12), (12, 13)])]) == text
    True
    """
    parts = []
    for sentence in sentences:
        for form, misc in sentence.surface():
            before = misc_value(misc, "SpacesBefore")
            parts.append(unescape(before) if before else "")
            parts += [raw_form(form, misc), space_after(misc)]
    return "".join(parts)


def _check_spans(text: str, spans: Sequence[Span]) -> None:
    if not spans:
        raise UsageError("expected at least one token; leave out empty sentences")
    last = spans[0][0]
    for start, end in spans:
        gap = text[last:start]
        if not 0 <= last <= start < end <= len(text) or text[start:end].isspace():
            raise UsageError(
                f"({start}, {end}) is not a valid token span: expected spans in order, within the "
                f"{len(text)} characters of the text, not only white space"
            )
        if gap and not gap.isspace():
            raise UsageError(
                f"{gap.strip()!r} at {last} is in no token; only white space may be left out"
            )
        last = end


def _start_of_space(text: str, end: int) -> int:
    start = end
    while start and text[start - 1].isspace():
        start -= 1
    return start


def _end_of_space(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end].isspace():
        end += 1
    return end


def _one_line(form: str) -> str:
    """Replace tabs and line breaks in a token by spaces."""
    return form if {"\t", "\n", "\r"}.isdisjoint(form) else " ".join(form.split())


def _misc(form: str, space: str) -> str:
    items = []
    if _one_line(form) != form:
        items.append(f"SpacesInToken={escape(form)}")
    if not space:
        items.append("SpaceAfter=No")
    elif space != " ":
        items.append(f"SpacesAfter={escape(space)}")
    return "|".join(items) or "_"
