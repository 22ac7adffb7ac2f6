"""Labels of turns of a chat, in words: ``[ 09:16 ] raj :``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treaty.text.layout._lines import DATE, TIME

__all__ = ["LONGEST_LABEL", "label_size"]

TURN = re.compile(
    rf"""
    (?: [\[(]?[ ]?(?:{DATE}[ ]?,?[ ])?{TIME}(?:[ ]?[\])])?(?:[ ][-–])?[ ]
        (?: <[ ]?[^<>\s]{{1,30}}[ ]?> | [^\s:<>]{{1,30}}(?:[ ][A-Z][^\s:<>]{{0,29}})?[ ]?: )
    | <[ ]?[^<>\s/]{{2,30}}[ ]?> )[ ](?=\S)""",
    re.VERBOSE,
)
"""Words with spaces between them: time and speaker, or ``<speaker>``."""
LONGEST_LABEL = 12
"""Maximum number of words of a label and the next word."""


def label_size(words: Sequence[str]) -> int:
    """Return how many words at the beginning of a turn are its label.

    Examples
    --------
    >>> label_size("[ 09:16 ] raj : forgot to run it".split())
    5
    >>> label_size("At 09:16 raj forgot it".split())
    0
    """
    label = TURN.match(" ".join(words[:LONGEST_LABEL]))
    return label[0].count(" ") if label else 0
