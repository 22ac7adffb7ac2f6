"""Abbreviations, and other strings whose last mark need not end a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, Self

from treaty.errors import InputError, UsageError
from treaty.text import read_lines

__all__ = ["Abbreviations"]

CLASSES = ("never", "number", "date", "other", "name", "dates", "starts", "common")
"""What `Abbreviations` tells apart; see ``abbreviations/english.txt``."""
OPENING = "([{<\"'“‘«*_"
CLOSING = ")]}>\"'”’»*_.,;:!?"
INITIALS = re.compile(r"(?:[^\W\d_]\.-?)+")
FACE = re.compile(
    r"[<>]?[:;=8xX][-o*'^]?[])(dDpP/\\|}{@*3]+ | <3+ | \^_*\^ | [-oO;TxX]_+[-oO;TxX]"
    r"| [\u2190-\u2bff\U0001f000-\U0001faff\u200d\ufe0f\u203c]+",
    re.VERBOSE,
)
"""Emoticons and emoji."""


class Abbreviations:
    """The abbreviations that a tokenizer knows, by class.

    Parameters
    ----------
    words
        The words of each class. ``"never"``: what never ends a sentence (Mr.). ``"number"``: not
        before a number (Fig.). ``"date"``: not before a number, nor before one of the ``"dates"``,
        words such as Monday and EST (p.m.). ``"other"``: may end one (Inc.). ``"name"``: a name
        that ends in a mark (Yahoo!). None of them ends a sentence before a word in lower case.
        ``"starts"``: words that begin sentences; if there are any, initials (J. R.) do not end one
        before another word. ``"common"``: words that are not names; training adds those of its
        data, and at the beginning of a sentence they have capitals.

    Examples
    --------
    >>> known = Abbreviations({"never": ["Mr."], "other": ["Inc."]})
    >>> known.keeps_open("Mr.", "Hill"), known.keeps_open("Inc.", "Then")
    (True, False)
    >>> known.add(["Bgm."])
    >>> known.keeps_open("Bgm.", "Hill")
    True
    """

    def __init__(self, words: Mapping[str, Iterable[str]] | None = None) -> None:
        self._class: dict[str, str] = {}
        self._words: dict[str, set[str]] = {kind: set() for kind in ("dates", "starts", "common")}
        for kind, own in (words or {}).items():
            self.add(own, kind)

    @classmethod
    def of_language(cls, language: str) -> Self:
        """Return the list that comes with Treaty for a language, such as ``"english"``."""
        found = files(__package__) / "abbreviations" / f"{language}.txt"
        if not found.is_file():
            raise UsageError(f"there is no list of abbreviations for {language!r}")
        with found.open("rb") as stream:
            return cls(_classes_of(stream))

    @classmethod
    def of_file(cls, origin: str | Path | IO[Any] | None) -> Self:
        """Read a file, if there is one; see `read`."""
        return cls(_classes_of(origin) if origin is not None else None)

    def read(self, origin: str | Path | IO[Any]) -> None:
        """Add the words of a file: words by line, after ``class:`` or of the class "never"."""
        for kind, words in _classes_of(origin).items():
            self.add(words, kind)

    def add(self, words: Iterable[str], kind: str = "never") -> None:
        """Add words to a class."""
        if kind not in CLASSES:
            raise UsageError(f"{kind!r} is no class of abbreviations: {', '.join(CLASSES)}")
        if kind in self._words:
            self._words[kind].update(words)
        else:
            self._class.update((word, kind) for word in words)

    def to_dict(self) -> dict[str, list[str]]:
        """Return the words of each class, sorted."""
        words = {kind: sorted(own) for kind, own in self._words.items()}
        for word in sorted(self._class):
            words.setdefault(self._class[word], []).append(word)
        return {kind: words[kind] for kind in CLASSES if words.get(kind)}

    def class_of(self, chunk: str) -> str:
        """Return the class of a string between white space, or "".

        Initials ("initial"), emoticons and emoji ("face"), and common words with a capital
        ("common") have classes of their own.

        >>> Abbreviations({"never": ["Mr."]}).class_of("(Mr.")
        'never'
        """
        found = self._class.get(chunk)
        if found is None:
            bare = chunk.lstrip(OPENING)
            found = self._class.get(bare)
            if found is None:
                return self._kind(chunk, bare)
        return found

    def _kind(self, chunk: str, bare: str) -> str:
        if INITIALS.fullmatch(bare):
            return "initial"
        if bare[:1].isupper():
            word = bare.rstrip(CLOSING).lower()
            if word in self._words["common"] or word.partition("'")[0] in self._words["common"]:
                return "common"
        return "face" if FACE.fullmatch(chunk) else ""

    def keeps_open(self, chunk: str, following: str) -> bool:
        """Tell whether the mark at the end of a string cannot end a sentence."""
        kind = self.class_of(chunk)
        if kind in ("", "face", "common"):
            return False
        first = following[0]
        if kind == "never" or first.islower():
            return True
        if kind == "initial":
            names = bool(self._words["starts"]) and first.isupper()
            return INITIALS.fullmatch(following) is not None or (
                names and not self.begins(following)
            )
        if kind in ("number", "date") and first.isdigit():
            return True
        return kind == "date" and self._is_one(following, "dates")

    def begins(self, chunk: str) -> bool:
        """Tell whether a string is a word that begins sentences."""
        return self._is_one(chunk, "starts")

    def _is_one(self, chunk: str, kind: str) -> bool:
        return chunk in self._words[kind] or chunk.rstrip(".,;:!?)") in self._words[kind]


def _classes_of(origin: str | Path | IO[Any]) -> dict[str, list[str]]:
    classes: dict[str, list[str]] = {}
    for kind, words in _lines_of(origin):
        classes.setdefault(kind, []).extend(words)
    return classes


def _lines_of(origin: str | Path | IO[Any]) -> Iterator[tuple[str, list[str]]]:
    for line in read_lines(origin):
        if line.startswith("#"):
            continue
        kind, colon, rest = line.partition(": ")
        if colon and kind not in CLASSES:
            raise InputError(
                f"no class of abbreviations; expected one of {', '.join(CLASSES)}", text=kind
            )
        yield (kind, rest.split()) if colon else ("never", line.split())
