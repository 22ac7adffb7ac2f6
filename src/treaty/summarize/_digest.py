"""What a summarizer returns: sentences that can be traced to their sources, and a certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treaty.solve import Certificate, Certified

__all__ = ["CompressedSentence", "Digest"]


@dataclass(frozen=True)
class CompressedSentence:
    """What is left of a sentence, and where it stands.

    Attributes
    ----------
    text
        What is left, as a reader sees it.
    tokens
        Of the whole sentence.
    spaces
        What stands behind each token in the source.
    kept
        Which tokens are left.
    score
        What it adds to the objective. For a sentence of a summary that is the score of the concepts
        that no sentence before it says, and of what is cut off it.
    number
        Its number in the document, from 1.
    document
        The number of the document, from 1.
    id, title, date, source
        What is known of the document.
    certificate
        What it is worth, if it was compressed by itself; a sentence of a summary has none.
    """

    text: str
    tokens: tuple[str, ...]
    spaces: tuple[str, ...]
    kept: tuple[bool, ...]
    score: float
    number: int
    document: int = 1
    id: str | int | None = None
    title: str | None = None
    date: str | None = None
    source: str | None = None
    certificate: Certificate | None = None

    @property
    def pieces(self) -> list[tuple[str, bool]]:
        """The sentence as it stands in the source, in pieces that are left or cut out."""
        found: list[tuple[str, bool]] = []
        for token, space, kept in zip(self.tokens, self.spaces, self.kept, strict=True):
            if found and found[-1][1] == kept:
                found[-1] = found[-1][0] + token + space, kept
            else:
                found.append((token + space, kept))
        return found

    def to_dict(self) -> dict[str, Any]:
        """List what is known of it, for JSON."""
        about = {name: getattr(self, name) for name in ("id", "title", "date", "source")}
        found = {
            "text": self.text,
            "document": self.document,
            **{name: value for name, value in about.items() if value is not None},
            "sentence": self.number,
            "score": round(self.score, 6),
            "tokens": list(self.tokens),
            "kept": [int(kept) for kept in self.kept],
        }
        if self.certificate is not None:
            found["certificate"] = self.certificate.to_dict()
        return found


@dataclass(frozen=True)
class Digest(Certified):
    """A summary with its certificate.

    Attributes
    ----------
    sentences
        In their order: documents by date if all have one, or as they were given; and as they stand
        in each document.
    words, limit
        How many words there are, and how many there might have been.
    mode
        ``"compressive"`` or ``"extractive"``.
    method
        The solver that made it.
    certificate
        What it is worth, see `treaty.summarize.Decoded`; the seconds are those of the whole.
    documents
        How many were summarized.
    id
        The name of the collection.
    """

    sentences: tuple[CompressedSentence, ...]
    words: int
    limit: int
    mode: str
    method: str
    certificate: Certificate
    documents: int
    id: str | int | None = None

    @property
    def text(self) -> str:
        """The summary as a paragraph."""
        return " ".join(sentence.text for sentence in self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """List all there is, for JSON; ``summary`` is what `treaty.corpus.read_summaries` reads."""
        return {
            "topic": self.id,
            "summary": [sentence.text for sentence in self.sentences],
            "words": self.words,
            "limit": self.limit,
            "documents": self.documents,
            "mode": self.mode,
            "method": self.method,
            "certificate": self.certificate.to_dict(),
            "sentences": [sentence.to_dict() for sentence in self.sentences],
        }
