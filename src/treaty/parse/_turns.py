"""Turns of a chat: time and speaker before a message are parsed apart from it.

In ``[09:16] raj: forgot to run it`` the label is no part of the message's grammar. It would mislead
tagger and parser, which have seen few.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from treaty.parse._layout import DATE, TIME
from treaty.parse._parser import Parse
from treaty.solve import Certificate
from treaty.text import Sentence

__all__ = ["label_size", "parsed_apart"]

TURN = re.compile(
    rf"""
    (?: [\[(]?[ ]?(?:{DATE}[ ]?,?[ ])?{TIME}(?:[ ]?[\])])?(?:[ ][-–])?[ ]
        (?: <[ ]?[^<>\s]{{1,30}}[ ]?> | [^\s:<>]{{1,30}}(?:[ ][A-Z][^\s:<>]{{0,29}})?[ ]?: )
    | <[ ]?[^<>\s/]{{2,30}}[ ]?> )[ ](?=\S)""",
    re.VERBOSE,
)
"""Words with spaces between them: time and speaker, or ``<speaker>``."""
JOINING = ("dep", "parataxis", "discourse")
"""Labels of the arc from the message to the label before it, the best first."""
LONGEST = 12
"""Maximum number of words of a label and the next word."""
Predict = Callable[[Iterable[Sentence]], Iterator[Parse]]


def label_size(words: Sequence[str]) -> int:
    """Return how many words at the beginning of a turn are its label.

    Examples
    --------
    >>> label_size("[ 09:16 ] raj : forgot to run it".split())
    5
    >>> label_size("At 09:16 raj forgot it".split())
    0
    """
    label = TURN.match(" ".join(words[:LONGEST]))
    return label[0].count(" ") if label else 0


def parsed_apart(
    sentences: Iterable[Sentence],
    bare: Callable[[Sentence], bool],
    labels: Sequence[str],
    predict: Predict,
) -> Iterator[Parse]:
    """Parse sentences; where tags are not given, the labels of turns apart from the messages.

    The certificate is that of both trees: they are the best with the label apart.
    """
    waiting: deque[tuple[Sentence, int]] = deque()
    parses = predict(_parts(sentences, bare, waiting))
    for first in parses:
        sentence, size = waiting.popleft()
        yield _joined(sentence, [first, *islice(parses, 1)], labels) if size else first


def _parts(
    sentences: Iterable[Sentence],
    bare: Callable[[Sentence], bool],
    waiting: deque[tuple[Sentence, int]],
) -> Iterator[Sentence]:
    for sentence in sentences:
        words = [token.form for token in sentence.tokens[:LONGEST]]
        size = label_size(words) if bare(sentence) else 0
        waiting.append((sentence, size))
        if size:
            yield Sentence(sentence.tokens[:size])
            yield Sentence(sentence.tokens[size:])
        else:
            yield sentence


def _joined(sentence: Sentence, parts: Sequence[Parse], labels: Sequence[str]) -> Parse:
    """Attach the tree of a label to that of its message."""
    label, message = (part.sentence for part in parts)
    size = len(label)
    top = next((place for place, head in enumerate(message.heads, size + 1) if not head), 0)
    name = next((name for name in JOINING if name in labels), None)
    for token in label.tokens:
        if token.head == 0:
            token.head, token.deprel = top, name or token.deprel
    for token in message.tokens:
        if token.head:
            token.head += size
    tokens = [*label.tokens, *message.tokens]
    whole = Sentence(tokens, list(sentence.comments), list(sentence.other_lines))
    return Parse(whole, Certificate.of_parts(part.certificate for part in parts))
