"""The tags of a grammar: a column of the corpus, optionally mapped by a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treaty._streams import Origin, name_of
from treaty.errors import InputError, UsageError
from treaty.text import Sentence
from treaty.text._data import read_toml

__all__ = ["Tagset"]

TAGSETS = Path(__file__).parent / "tagsets"
PUNCTUATION = ("PUNCT", ".")
NOT_PUNCTUATION = ("$", "#")
"""Penn tags that the universal tag ``.`` includes besides punctuation."""
NONE = "_"


@dataclass(frozen=True)
class Tagset:
    """Rules to read tags from the tokens of a treebank.

    Parameters
    ----------
    column
        ``"upos"`` or ``"xpos"``.
    tags
        A mapping of the tags of that column; empty for no mapping.
    other
        The name of tags that are not in `tags`; without it they are an error.
    auxiliary, auxiliary_forms
        The tag of verbs of these forms if another verb follows, with only adverbs in between.

    Examples
    --------
    >>> Tagset.named("coarse3").tags["PROPN"]
    'N'
    """

    column: str = "upos"
    tags: Mapping[str, str] = field(default_factory=dict)
    other: str | None = None
    auxiliary: str | None = None
    auxiliary_forms: frozenset[str] = frozenset()

    @classmethod
    def named(cls, name: Origin | Mapping[str, str]) -> Tagset:
        """Return a tagset: ``upos``, ``xpos``, one of Treaty, a TOML file, or a mapping."""
        if isinstance(name, Mapping):
            return cls(tags=dict(name))
        if name in ("upos", "xpos"):
            return cls(column=str(name))
        origin: Origin = name
        if isinstance(name, str | Path) and Path(name).suffix != ".toml":
            origin = TAGSETS / f"{name}.toml"
            if not origin.is_file():
                known = ", ".join(sorted(path.stem for path in TAGSETS.iterdir()))
                raise UsageError(
                    f"no tagset {str(name)!r}; expected upos, xpos, {known} or a .toml file"
                )
        try:
            return cls._from_table(read_toml(origin, "a tagset")[0])
        except TypeError as error:
            raise InputError(f"not a valid tagset: {error}", path=name_of(origin)) from error

    @classmethod
    def _from_table(cls, table: dict[str, Any]) -> Tagset:
        forms = frozenset(table.pop("auxiliary_forms", ()))
        tagset = cls(**table, auxiliary_forms=forms)
        if tagset.column not in ("upos", "xpos") or not isinstance(tagset.tags, dict):
            raise TypeError("expected column = 'upos' or 'xpos' and a table [tags]")
        named = [*tagset.tags.values(), tagset.other or "", tagset.auxiliary or "", *forms]
        if not all(isinstance(name, str) for name in named):
            raise TypeError("expected strings as tags and forms")
        return tagset

    def read(self, sentence: Sentence) -> list[str | None]:
        """Return the tag of each token, None for punctuation.

        Raises
        ------
        KeyError
            With the tag that is not in the tagset.
        """
        raw = [NONE if is_punctuation(t) else getattr(t, self.column) for t in sentence.tokens]
        found: list[str | None] = []
        for i, (token, tag) in enumerate(zip(sentence.tokens, raw, strict=True)):
            if is_punctuation(token):
                found.append(None)
            elif token.form.lower() in self.auxiliary_forms and self._helps(raw, i):
                found.append(self.auxiliary)
            else:
                found.append(self._name(tag))
        return found

    def _name(self, tag: str) -> str:
        if tag == NONE:
            raise KeyError(f"a token has no {self.column.upper()}")
        if not self.tags:
            return tag
        if tag not in self.tags and self.other is None:
            raise KeyError(f"the tag {tag} is not in the tagset")
        return self.tags.get(tag, self.other or "")

    def _helps(self, raw: list[str], place: int) -> bool:
        """Return whether a verb follows this one, with only adverbs in between."""
        verb = self.tags.get("VB")
        if self.tags.get(raw[place]) != verb:
            return False
        rest = (self.tags.get(tag) for tag in raw[place + 1 :])
        return next((tag for tag in rest if tag != self.tags.get("RB")), None) == verb


def is_punctuation(token: Any) -> bool:
    """Return whether a token is punctuation by its universal tag; Penn's $ and # are not."""
    return token.upos in PUNCTUATION and token.xpos not in NOT_PUNCTUATION
