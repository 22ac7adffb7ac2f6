"""Feature templates as data, and their compilation for the native kernel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treaty._native.features import Templates, text_hash
from treaty.errors import UsageError, shortened

LARGEST_OFFSET = 4
"""Templates may look this many items past a role's own."""

MOST_TEMPLATES = 1000
"""Maximum number of templates of a family."""

LONGEST_TEMPLATE = 400
"""Maximum number of characters of a template."""

MOST_ATOMS = 16
"""Maximum number of atoms of a template."""

MOST_EACH = 4
"""Templates may be joined with this many combinations of values."""

_ATOM = re.compile(
    r"(?P<role>[a-z]+)(?P<offset>[+-]\d+)?\.(?P<attribute>[a-z]+\d*(\(\w+\))?(\[\w+\])?)"
)


@dataclass(frozen=True)
class Family:
    """The roles and values that templates over parts of one kind can use.

    Attributes
    ----------
    name : str
        The family's name; different families have different features.
    roles : tuple of str
        The items of a part, such as ``h`` and ``m`` of an arc. The role ``between`` stands for the
        items in between, one of each kind.
    values : tuple of str
        Properties that belong to no item, such as direction and distance.
    """

    name: str
    roles: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True)
class TemplateSet:
    """The templates of one family.

    Attributes
    ----------
    templates : tuple of str
        Each a conjunction of atoms ``role.attribute`` or ``role+offset.attribute``, as in
        ``"h.upos m.upos m-1.upos"``.
    each : tuple of str
        Every template counts once for each of these combinations of values; ``""`` is the template
        alone, ``"dir dist"`` joins it with direction and distance.
    """

    templates: tuple[str, ...]
    each: tuple[str, ...] = ("",)

    def __post_init__(self) -> None:
        check_templates((*self.templates, *self.each))

    @classmethod
    def of(cls, text: str, each: Sequence[str] = ("",)) -> TemplateSet:
        """Templates from a text, one per line; what follows a ``#`` is a comment."""
        lines = (line.split("#")[0].strip() for line in text.splitlines())
        return cls(
            tuple(dict.fromkeys(" ".join(line.split()) for line in lines if line)), tuple(each)
        )

    def with_more(self, text: str) -> TemplateSet:
        """Add templates, one per line."""
        return TemplateSet.of("\n".join((*self.templates, text)), self.each)

    def attributes(self) -> list[str]:
        """Names of all attributes in the templates, in order of appearance."""
        appearances = (match["attribute"] for t in self.templates for match in _ATOM.finditer(t))
        return list(dict.fromkeys(appearances))


def check_templates(templates: Sequence[str]) -> None:
    """Raise `UsageError` for more or longer templates than anyone needs: they take time and memory.

    Examples
    --------
    >>> check_templates(["w " * 20])
    Traceback (most recent call last):
        ...
    treaty.errors.UsageError: template 'w w w w w w w w w w w w w w w w w w w w ': expected at \
most 16 atoms
    """
    if len(templates) > MOST_TEMPLATES:
        raise UsageError(f"expected at most {MOST_TEMPLATES} templates, found {len(templates)}")
    for template in templates:
        if len(template) > LONGEST_TEMPLATE or len(template.split()) > MOST_ATOMS:
            raise UsageError(
                f"template {shortened(template)}: expected at most {MOST_ATOMS} atoms"
                + (f" in {LONGEST_TEMPLATE} characters" if len(template) > LONGEST_TEMPLATE else "")
            )


def compile_templates(
    family: Family, templates: TemplateSet, attributes: Sequence[str]
) -> Templates:
    """Compile the templates for items with these attributes, in this order.

    Examples
    --------
    >>> arcs = Family("arc", ("h", "m"), ("dir",))
    >>> len(compile_templates(arcs, TemplateSet.of("h.form m.form", each=["", "dir"]), ["form"]))
    1
    """
    plain = [t for t in templates.templates if not _uses_between(t)]
    spread = [t for t in templates.templates if _uses_between(t)]
    roles: list[int] = []
    places: list[int] = []
    begin = [0]
    for template in plain + spread:
        for role, place in _atoms(family, template, attributes):
            roles.append(role)
            places.append(place)
        begin.append(len(roles))
    if not 1 <= len(templates.each) <= MOST_EACH:
        raise UsageError(
            f"{family.name}: templates have 1 to {MOST_EACH} combinations of values, "
            f"found {len(templates.each)}"
        )
    each_values: list[int] = []
    each_begin = [0]
    for combination in templates.each:
        for value in combination.split():
            if value not in family.values:
                raise UsageError(
                    f"{family.name} has no value {value!r}; there are: {' '.join(family.values)}"
                )
            each_values.append(family.values.index(value))
        each_begin.append(len(each_values))
    int32 = np.int32
    return Templates(
        np.array(roles, int32),
        np.array(places, int32),
        np.array(begin, int32),
        np.array([text_hash(f"{family.name}: {t}") for t in plain + spread], np.uint64),
        len(plain),
        family.roles.index("between") if "between" in family.roles else -1,
        np.array(each_values, int32),
        np.array(each_begin, int32),
    )


def _uses_between(template: str) -> bool:
    return any(match["role"] == "between" for match in _ATOM.finditer(template))


def _atoms(family: Family, template: str, attributes: Sequence[str]) -> list[tuple[int, int]]:
    """Find the role of each atom of a template, and the atom's index in the role's row."""
    atoms = []
    for text in template.split():
        match = _ATOM.fullmatch(text)
        if match is None:
            raise UsageError(
                f"template {template!r}: {text!r} is not an atom; "
                "write role.attribute, as in h.form or m-1.upos"
            )
        role, attribute = match["role"], match["attribute"]
        offset = int(match["offset"] or 0)
        if role not in family.roles:
            raise UsageError(
                f"template {template!r}: {family.name} has no role {role!r}; "
                f"there are: {' '.join(family.roles)}"
            )
        if abs(offset) > LARGEST_OFFSET:
            raise UsageError(f"template {template!r}: offsets go to {LARGEST_OFFSET} at most")
        if attribute not in attributes:
            raise UsageError(
                f"template {template!r}: no attribute {attribute!r}; "
                f"there are: {' '.join(attributes)}"
            )
        atoms.append(
            (family.roles.index(role), offset * len(attributes) + attributes.index(attribute))
        )
    return atoms
