"""The feature kernel once more, in plain Python: hashes, attributes, templates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from treaty.features import Family, TemplateSet

MASK = 2**64 - 1
PADDING = 4

Row = Mapping[str, int]
"""The hashed attributes of an item, by name."""
Place = tuple[Sequence[Row], int]
"""An item's place among rows, so that offsets can be added to it."""


def mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def text_hash(text: str) -> int:
    h = 0xCBF29CE484222325
    for byte in text.encode():
        h = ((h ^ byte) * 0x100000001B3) & MASK
    return mix(h)


def combine(h: int, value: int) -> int:
    return ((h ^ value) * 0xD6E8FEB86659FD93) & MASK


def value_of(number: int) -> int:
    return mix(number ^ 0x5851F42D4C957F2D)


def derive(name: str, columns: Mapping[str, str]) -> str:
    """The text of an attribute, from those of the columns."""
    match = re.fullmatch(r"(prefix|suffix)(\d+)(?:\((\w+)\))?", name)
    if match:
        text, length = columns[match[3] or "lower"], int(match[2])
        return text[:length] if match[1] == "prefix" else text[-length:]
    if name == "shape":
        return shape(columns["form"])
    match = re.fullmatch(r"feats\[(\w+)\]", name)
    if match:
        pairs = [pair.partition("=") for pair in columns["feats"].split("|")]
        return next((value for key, equals, value in pairs if equals and key == match[1]), "_")
    return columns[name]


def shape(text: str) -> str:
    """Upper case, lower case, digits and others; no more than two alike in a row."""
    kinds = "".join(_kind(c) for c in text)
    return re.sub(r"(.)\1\1+", r"\1\1", kinds, flags=re.DOTALL)


def _kind(c: str) -> str:
    if not c.isascii():
        return "u"
    return "A" if c.isupper() else "a" if c.islower() else "0" if c.isdigit() else c


def rows_of(words: Sequence[Mapping[str, str]], attributes: Sequence[str], root: bool) -> list[Row]:
    """The rows of a sequence between its padding; item i is at PADDING + i."""

    def constant(text: str) -> Row:
        return dict.fromkeys(attributes, text_hash(text))

    items = [{name: text_hash(derive(name, word)) for name in attributes} for word in words]
    rooted = [constant("<root>"), *items] if root else items
    return [constant("<before>")] * PADDING + rooted + [constant("<after>")] * PADDING


def block(attributes: Sequence[str], text: str) -> Place:
    """An item that stands for nothing in the sentence, whichever way one looks from it."""
    return [dict.fromkeys(attributes, text_hash(text))] * (2 * PADDING + 1), PADDING


def features(
    family: Family,
    templates: TemplateSet,
    places: Mapping[str, Place],
    values: Mapping[str, int],
    between: Sequence[Place] = (),
) -> list[int]:
    """The hashes of a part's features: all templates, once for each `each`."""
    found = []
    for template in templates.templates:
        atoms = [
            re.fullmatch(r"([a-z]+)([+-]\d+)?\.(.+)", atom).groups() for atom in template.split()
        ]
        spread = any(role == "between" for role, _, _ in atoms)
        for place in between if spread else [None]:
            at = {**places, "between": place}
            h = text_hash(f"{family.name}: {template}")
            for role in family.roles:  # hashes grow role by role
                for own, offset, attribute in atoms:
                    if own == role:
                        rows, i = at[role]
                        h = combine(h, rows[i + int(offset or 0)][attribute])
            found += [combine(h, each_value(k, e, values)) for k, e in enumerate(templates.each)]
    return found


def each_value(k: int, combination: str, values: Mapping[str, int]) -> int:
    h = mix(k)
    for name in combination.split():
        h = mix(h ^ values[name])
    return h


def bucket(feature: int, bits: int) -> int:
    return feature >> (64 - bits)
