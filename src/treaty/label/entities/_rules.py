"""Rules of the user: phrases and patterns whose types the decoder is told."""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import IO, Any, NamedTuple

from treaty._streams import name_of
from treaty.errors import InputError, UsageError
from treaty.label.entities._messages import Message
from treaty.text import OUTSIDE
from treaty.text._data import read_toml
from treaty.text._lines import Fault, Lines
from treaty.text._records import object_of

__all__ = ["EntityRule", "EntityRules", "Match"]

NAME = "name"
"""The group of a pattern that is the entity, if it has a group of this name."""
LARGEST_WEIGHT = 1e6
LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.xz")
_ATOM = re.compile(r"\w+|[^\w\s]")
_HEADER = re.compile(r"\s*\[\[\s*rule\s*\]\]")


class Match(NamedTuple):
    """Words that a rule applies to: the first, the one after the last, and the rule."""

    first: int
    end: int
    rule: EntityRule


@dataclass(frozen=True, slots=True)
class EntityRule:
    r"""A phrase or a pattern, and the type that it has.

    Parameters
    ----------
    type
        A type of the labeler, or ``"O"`` for what is no entity.
    phrase
        The words of the name. How they are divided into tokens does not matter.
    pattern
        A regular expression instead, for the text of a sentence. The words that a match touches are
        the entity, or those of its group ``(?P<name>...)`` if it has one.
    weight
        How much the score of an entity grows that is as the rule says, spread over its words; a
        negative number speaks against it. None if the rule holds in any case.
    case
        Whether capital and small letters differ.
    place
        File and line, for messages.

    Examples
    --------
    >>> EntityRule("ORG", phrase="Acme Rockets").weight is None
    True
    >>> EntityRule("MISC", pattern=r"flight (?P<name>[A-Z]{2} ?\d+)", weight=4.0).pattern
    'flight (?P<name>[A-Z]{2} ?\\d+)'
    """

    type: str
    phrase: str | None = None
    pattern: str | None = None
    weight: float | None = None
    case: bool = True
    place: tuple[str, int] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.type or not isinstance(self.type, str):
            raise UsageError("a rule needs a type, such as PER, or O for what is no entity")
        if (self.phrase is None) == (self.pattern is None):
            raise UsageError("a rule needs a phrase or a pattern, and not both")
        if self.phrase is not None and not _ATOM.search(self.phrase):
            raise UsageError("the phrase of a rule has no words")
        if self.weight is not None and not abs(self.weight) <= LARGEST_WEIGHT:
            raise UsageError(
                "weight: expected a number of at most 1000000, or none for a firm rule"
            )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                re.compile(self.pattern or "")
        except (re.error, RecursionError, OverflowError, Warning) as error:
            raise UsageError(f"the pattern of a rule is no regular expression: {error}") from error


class EntityRules:
    """Rules for names, which an `EntityLabeler` takes as evidence.

    Parameters
    ----------
    rules
        The rules, as `EntityRule` objects or dictionaries of their fields. Of rules without weight
        that overlap, the one with more words counts, and then the first.

    Examples
    --------
    >>> rules = EntityRules([{"phrase": "Acme", "type": "ORG"}, {"phrase": "will", "type": "O"}])
    >>> len(rules), rules.types
    (2, ['O', 'ORG'])
    """

    def __init__(self, rules: Iterable[EntityRule | Mapping[str, Any]]) -> None:
        self.rules = [r if isinstance(r, EntityRule) else _rule_of(dict(r)) for r in rules]
        self._order = {id(rule): n for n, rule in enumerate(self.rules)}
        self._patterns = [
            (re.compile(rule.pattern, 0 if rule.case else re.IGNORECASE), rule)
            for rule in self.rules
            if rule.pattern is not None
        ]
        # By case, then by first atom: the atoms of phrases.
        self._phrases: dict[bool, dict[str, list[tuple[tuple[str, ...], EntityRule]]]] = {
            True: defaultdict(list),
            False: defaultdict(list),
        }
        for rule in self.rules:
            if rule.phrase is not None:
                text = rule.phrase if rule.case else rule.phrase.lower()
                atoms = tuple(_ATOM.findall(text))
                self._phrases[rule.case][atoms[0]].append((atoms, rule))

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> EntityRules:
        r"""Read rules from a TOML file with a table ``[[rule]]`` for each, or from JSON lines.

        Parameters
        ----------
        origin
            A path, ``"-"`` or an open stream; gzip and xz are decompressed. A name that ends in
            ``.jsonl`` or ``.ndjson`` is a file of JSON lines.

        Raises
        ------
        InputError
            With file, line and cause.

        Examples
        --------
        >>> import io
        >>> text = '[[rule]]\nphrase = "Acme Rockets"\ntype = "ORG"\nweight = 3\n'
        >>> EntityRules.read(io.StringIO(text)).rules[0].weight
        3.0
        """
        name = name_of(origin)
        return cls(_of_lines(origin) if name.endswith(LINES) else _of_toml(origin))

    @property
    def types(self) -> list[str]:
        """The types of all rules."""
        return sorted({rule.type for rule in self.rules})

    def __len__(self) -> int:
        return len(self.rules)

    def check(self, types: Sequence[str]) -> None:
        """Raise `InputError` or `UsageError` for a rule whose type is not one of these."""
        for rule in self.rules:
            if rule.type != OUTSIDE and rule.type not in types:
                cause = f"the model has no type {rule.type!r}: expected {', '.join(types)} or O"
                if rule.place is None:
                    raise UsageError(cause)
                raise InputError(cause, path=rule.place[0], line=rule.place[1] or None)

    def matches(self, message: Message) -> list[Match]:
        """Find the words that rules apply to; without the overlaps of rules without weight.

        Examples
        --------
        >>> from treaty.label.entities import message_of_words
        >>> rules = EntityRules([{"phrase": "AT&T", "type": "ORG"}])
        >>> [match[:2] for match in rules.matches(message_of_words(["at", "AT", "&", "T", "now"]))]
        [(1, 4)]
        """
        found = list(dict.fromkeys([*self._of_phrases(message), *self._of_patterns(message)]))
        firm = [match for match in found if match.rule.weight is None]
        firm.sort(key=lambda m: (m.first - m.end, self._order[id(m.rule)], m.first))
        taken: set[int] = set()
        kept = []
        for match in firm:
            if taken.isdisjoint(range(match.first, match.end)):
                taken.update(range(match.first, match.end))
                kept.append(match)
        return sorted(kept, key=lambda m: m.first) + [m for m in found if m.rule.weight is not None]

    def _of_phrases(self, message: Message) -> Iterator[Match]:
        """Match phrases by atoms, so that AT&T is found as one token or as three."""
        words = message.words
        pieces = [(atom, i) for i, word in enumerate(words) for atom in _ATOM.findall(word)]
        starts = [n == 0 or pieces[n - 1][1] != i for n, (_, i) in enumerate(pieces)]
        starts.append(True)
        for case, phrases in self._phrases.items():
            atoms = [atom if case else atom.lower() for atom, _ in pieces] if phrases else []
            for n, atom in enumerate(atoms):
                for phrase, rule in phrases.get(atom, ()) if starts[n] else ():
                    end = n + len(phrase)
                    if end <= len(atoms) and starts[end] and tuple(atoms[n:end]) == phrase:
                        yield Match(pieces[n][1], pieces[end - 1][1] + 1, rule)

    def _of_patterns(self, message: Message) -> Iterator[Match]:
        if not message.places:
            return
        begin, end = message.places[0][0], message.places[-1][1]
        text = message.text[begin:end]
        for pattern, rule in self._patterns:
            group = NAME if NAME in pattern.groupindex else 0
            for match in pattern.finditer(text):
                start, stop = (place + begin for place in match.span(group))
                places = enumerate(message.places) if start < stop else ()
                touched = [i for i, (a, b) in places if a < stop and start < b]
                if touched:
                    yield Match(touched[0], touched[-1] + 1, rule)


def _rule_of(record: dict[str, Any], place: tuple[str, int] | None = None) -> EntityRule:
    known = {field.name for field in fields(EntityRule)} - {"place"}
    for name in record:
        if name not in known:
            raise UsageError(f"a rule has no field {name!r}: expected {', '.join(sorted(known))}")
    for name, kind in (("type", str), ("phrase", str), ("pattern", str), ("case", bool)):
        if name in record and type(record[name]) is not kind:
            expected = "true or false" if kind is bool else "a string"
            raise UsageError(f"{name}: expected {expected}, not {type(record[name]).__name__}")
    weight = record.get("weight")
    if weight is not None:
        if type(weight) not in (int, float) or abs(weight) > LARGEST_WEIGHT:
            raise UsageError(
                "weight: expected a number of at most 1000000, or none for a firm rule"
            )
        record["weight"] = float(weight)
    return EntityRule(**{"type": "", **record}, place=place)


def _of_toml(origin: str | Path | IO[Any]) -> Iterator[EntityRule]:
    name, (data, text) = name_of(origin), read_toml(origin, "rules")
    lines = text.split("\n")
    tables = data.pop("rule", [])
    if data:
        key = next(iter(data))
        at = next((n for n, line in enumerate(lines, 1) if key in line), None)
        raise InputError(f"expected tables [[rule]], found {key!r}", path=name, line=at)
    starts = [n for n, line in enumerate(lines, 1) if _HEADER.match(line)]
    if not isinstance(tables, list) or len(starts) != len(tables):
        raise InputError("expected rules as tables [[rule]], with two brackets", path=name)
    for table, line in zip(tables, starts, strict=True):
        yield _placed(table, name, line)


def _of_lines(origin: str | Path | IO[Any]) -> Iterator[EntityRule]:
    lines = Lines(origin)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                lines.check([line], number)
                record = object_of(line)
            except Fault as fault:
                raise InputError(
                    fault.message, path=lines.name, line=number, text=fault.text
                ) from None
            yield _placed(record, lines.name, number)


def _placed(record: dict[str, Any], name: str, line: int) -> EntityRule:
    try:
        return _rule_of(dict(record), (name, line))
    except UsageError as error:
        raise InputError(error.message, path=name, line=line) from None
