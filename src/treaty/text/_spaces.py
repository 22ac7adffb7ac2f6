"""White space around tokens, as recorded in MISC.

``SpaceAfter=No`` is defined by Universal Dependencies. White space other than a single space is
stored as UDPipe does: ``SpacesAfter``, ``SpacesBefore`` and ``SpacesInToken`` with escapes.
"""

from __future__ import annotations

import re

__all__ = ["escape", "misc_value", "raw_form", "space_after", "unescape"]

ESCAPES = {" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r", "|": r"\p", "\\": r"\\"}
MEANINGS = {escaped: character for character, escaped in ESCAPES.items()}
ESCAPED = re.compile(r"\\(?:[stnrp\\]|u(?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})")  # no surrogates


def escape(text: str) -> str:
    r"""Escape white space for MISC.

    >>> escape("\n ")
    '\\n\\s'
    """
    return "".join(ESCAPES.get(character, character) for character in text)


def unescape(text: str) -> str:
    r"""Invert `escape`; also accept code points, which treebanks use for rarer white space.

    >>> unescape(r"\n\s\u00A0")
    '\n \xa0'
    """
    return ESCAPED.sub(lambda match: MEANINGS.get(match[0]) or chr(int(match[0][2:], 16)), text)


def misc_value(misc: str, key: str) -> str | None:
    """Return the value of an attribute of MISC.

    >>> misc_value("Gloss=cat|SpaceAfter=No", "SpaceAfter")
    'No'
    """
    if key not in misc:
        return None
    for item in misc.split("|"):
        name, equals, value = item.partition("=")
        if equals and name == key:
            return value
    return None


def space_after(misc: str) -> str:
    """Return the white space between a token and the next."""
    if misc == "_":
        return " "
    spaces = misc_value(misc, "SpacesAfter")
    if spaces is not None:
        return unescape(spaces)
    return "" if misc_value(misc, "SpaceAfter") == "No" else " "


def raw_form(form: str, misc: str) -> str:
    r"""Return a token as it is in the text, with its tabs and line breaks.

    >>> raw_form("10 000", r"SpacesInToken=10\n000")
    '10\n000'
    """
    inside = misc_value(misc, "SpacesInToken")
    return unescape(inside) if inside else form
