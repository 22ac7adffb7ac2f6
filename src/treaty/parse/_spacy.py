"""Documents of spaCy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from treaty.errors import UsageError
from treaty.parse._word import Word
from treaty.text import Entity, Span, labels_of_spans

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    from treaty.parse._document import Document

__all__ = ["doc_of_tokens", "spacy_document", "spacy_tokens"]

Token = tuple[str, bool, list[Word]]
"""A text, whether a space follows, and the words that it stands for: none if it is white space."""


def spacy_document(document: Document, vocab: Vocab | None = None) -> Doc:
    """Convert a document; see `Document.to_spacy`."""
    try:
        import spacy  # noqa: F401
    except ImportError:
        message = "to_spacy needs spaCy; install it with: pip install 'treaty[spacy]'"
        raise UsageError(message) from None
    made = _vocab() if vocab is None else vocab
    return doc_of_tokens(list(spacy_tokens(document)), made, document.entities)


def doc_of_tokens(tokens: Sequence[Token], vocab: Vocab, entities: Sequence[Entity] = ()) -> Doc:
    """Make a document of spaCy from its tokens, with tags, lemmas, trees and entities."""
    from spacy.parts_of_speech import IDS
    from spacy.tokens import Doc

    tops = [_top(words) for _, _, words in tokens]
    place = {word.index: i for i, (_, _, words) in enumerate(tokens) for word in words}
    tags = ["SPACE" if top is None else _filled(top.upos) for top in tops]
    return Doc(
        vocab,
        words=[text for text, _, _ in tokens],
        spaces=[space for _, space, _ in tokens],
        pos=[tag if tag in IDS else "X" for tag in tags],
        tags=["_SP" if top is None else _filled(top.xpos) for top in tops],
        morphs=["" if top is None else _filled(top.token.feats) for top in tops],
        lemmas=[
            text if top is None else _filled(top.lemma)
            for (text, _, _), top in zip(tokens, tops, strict=True)
        ],
        ents=_entities(entities, place, len(tokens)),
        **_trees(tops, place),
    )


@cache
def _vocab() -> Vocab:
    """Return the vocabulary that documents share unless they are given another one."""
    import spacy

    made: Vocab = spacy.blank("xx").vocab
    return made


def spacy_tokens(document: Document) -> Iterator[Token]:
    """Cut the text as spaCy does: what is not a single space after a token is a token."""
    text, at = document.text, 0
    held: Token | None = None  # the last token, whose space is not known yet
    groups = groupby(document, key=lambda word: (word.start, word.end))
    spans: list[tuple[tuple[int, int], list[Word]]] = [(span, list(own)) for span, own in groups]
    for (start, end), words in [*spans, ((len(text), len(text)), [])]:
        gap = text[at:start]
        if held is not None:
            yield (held[0], gap.startswith(" "), held[2])
            gap = gap.removeprefix(" ")
        if gap:
            yield (gap, False, [])
        held, at = (text[start:end], False, words), end


def _top(words: Sequence[Word]) -> Word | None:
    """Return the word that stands for a token: one whose head is outside."""
    return next((word for word in words if word.head not in words), words[0] if words else None)


def _trees(tops: Sequence[Word | None], place: Mapping[int, int]) -> dict[str, Any]:
    """Return heads and labels, or only where sentences start if there are no trees."""
    if any(top is not None and top.token.head < 0 for top in tops):
        return {"sent_starts": [top is not None and top.id == 1 for top in tops]}
    heads, labels = list[int](), list[str]()
    roots: dict[int, int] = {}  # the first root of each sentence: others depend on it
    for i, top in enumerate(tops):
        if top is None:
            heads.append(i - 1 if i else min(1, len(tops) - 1))
            labels.append("dep")
        elif top.head is None:
            root = roots.setdefault(top.sentence_index, i)
            heads.append(root)
            labels.append("ROOT" if root == i else _filled(top.deprel) or "dep")
        else:
            heads.append(place[top.head.index])
            labels.append(_filled(top.deprel) or "dep")
    return {"heads": heads, "deps": labels}


def _entities(
    entities: Sequence[Entity], place: Mapping[int, int], tokens: int
) -> list[str] | None:
    if not entities:
        return None
    spans = [Span(place[e.first], place[e.last] + 1, e.type) for e in entities]
    return labels_of_spans(spans, tokens, "BIO")


def _filled(column: str) -> str:
    return "" if column == "_" else column
