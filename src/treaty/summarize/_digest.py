"""Results of a summarizer: sentences that can be traced to their sources, with a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from treaty.solve import Certificate, Certified
from treaty.summarize._second_look import Look

__all__ = ["Change", "CompressedSentence", "Cut", "Digest"]

Change = Literal["kept", "cut", "added"]


@dataclass(frozen=True)
class Cut:
    """A phrase that was cut.

    Attributes
    ----------
    text
        Its words.
    kind
        The rule that calls it safe, or ``"other"``.
    """

    text: str
    kind: str


@dataclass(frozen=True)
class CompressedSentence:
    """A compressed sentence and its source.

    Attributes
    ----------
    text
        The remaining text, as readers see it.
    tokens
        The tokens of the whole sentence.
    spaces
        The white space after each token in the source.
    kept
        Whether each token is kept.
    score
        What it adds to the objective. For a sentence of a summary, this is the score of the
        concepts that no earlier sentence covers, and of its cuts.
    number
        Its number in the document, from 1.
    document
        The number of the document, from 1.
    id, title, date, source
        Metadata of the document.
    certificate
        The certificate, if it was compressed on its own; None for a sentence of a summary.
    cuts
        The phrases that were cut.
    look
        The second look at it; None if nothing was cut, or there is no parser.
    span
        Where the whole sentence begins and ends in the text of its document, in characters.
    added
        Words that stand before a token in the text but not in the source: the first names of
        people that the summary mentions first. By the number of the token.
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
    cuts: tuple[Cut, ...] = ()
    look: Look | None = None
    span: tuple[int, int] | None = None
    added: Mapping[int, str] = field(default_factory=dict)

    @property
    def words(self) -> int:
        """Number of words of the remaining text, as limits count them."""
        return sum(any(map(str.isalnum, word)) for word in self.text.split())

    @property
    def source_words(self) -> int:
        """Number of words of the whole sentence."""
        whole = "".join(
            token + space for token, space in zip(self.tokens, self.spaces, strict=True)
        )
        return sum(any(map(str.isalnum, word)) for word in whole.split())

    @property
    def pieces(self) -> list[tuple[str, Change]]:
        """The sentence as in the source, in pieces that are kept, cut or added."""
        found: list[tuple[str, Change]] = []
        for number, (token, space) in enumerate(zip(self.tokens, self.spaces, strict=True)):
            if number in self.added:
                found.append((f"{self.added[number]} ", "added"))
            change: Change = "kept" if self.kept[number] else "cut"
            if found and found[-1][1] == change:
                found[-1] = found[-1][0] + token + space, change
            else:
                found.append((token + space, change))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, for JSON."""
        about = {name: getattr(self, name) for name in ("id", "title", "date", "source")}
        found = {
            "text": self.text,
            "document": self.document,
            **{name: value for name, value in about.items() if value is not None},
            "sentence": self.number,
            "score": round(self.score, 6),
            "tokens": list(self.tokens),
            "kept": [int(kept) for kept in self.kept],
            "cuts": [{"text": cut.text, "kind": cut.kind} for cut in self.cuts],
        }
        if self.added:
            found["added"] = [{"token": n, "text": text} for n, text in self.added.items()]
        if self.span is not None:
            found["span"] = list(self.span)
        if self.look is not None:
            found["second_look"] = self.look.to_dict()
        if self.certificate is not None:
            found["certificate"] = self.certificate.to_dict()
        return found


@dataclass(frozen=True)
class Digest(Certified):
    """A summary with its certificate.

    Attributes
    ----------
    sentences
        The sentences: documents by date if all have one, or else in the given order, and sentences
        in the order of each document.
    words, limit
        The number of words, and the limit on it.
    mode
        ``"compressive"`` or ``"extractive"``.
    method
        The solver.
    certificate
        The certificate, see `treaty.summarize.Decoded`; the seconds include all steps.
    documents
        Number of documents.
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
        """Return all fields, for JSON; `treaty.text.read_summaries` reads ``summary``."""
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
