"""Edit scripts: how a form becomes its lemma, in a way that other words can share."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher

from treaty.learn import ModelFile

__all__ = ["SAME", "Script", "Tree", "apply_script", "read_script", "script_of"]

Tree = tuple[str, str] | tuple[int, int, "Tree", "Tree"] | None
"""An edit tree (Chrupała 2008): None keeps a string, ``(old, new)`` replaces it, and ``(before,
after, left, right)`` keeps its middle, and edits that many characters before and after it."""
Script = tuple[str, Tree]
"""A change of case, and an edit tree."""

LONGEST = 100
"""Number of characters of the longest form or lemma that is compared character by character."""
DEEPEST = 2 * LONGEST
NOT_IN_WORDS = frozenset("\t\n\r\0")


def _keep(text: str) -> str:
    return text


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]


CASES: dict[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "lower": (str.lower, _keep),
    "keep": (_keep, _keep),
    "title": (str.lower, _title),
    "upper": (str.lower, str.upper),
}
"""Changes of a form before the edits, and of the lemma after them; the first that fits wins.
"""
SAME: tuple[Script, ...] = (("lower", None), ("keep", None))


def script_of(form: str, lemma: str) -> Script:
    """Find the script with the fewest edits.

    Examples
    --------
    >>> script_of("Dogs", "dog"), script_of("PARIS", "Paris")
    (('lower', (0, 1, None, ('s', ''))), ('title', None))
    >>> script_of("gesagt", "sagen")
    ('lower', (2, 1, ('ge', ''), ('t', 'en')))
    """
    small = lemma.lower()
    scripts = []
    for case, (prepare, finish) in CASES.items():
        wanted = lemma if case == "keep" else small
        if finish(wanted) == lemma:
            scripts.append((case, _tree_of(prepare(form), wanted)))
    return min(scripts, key=lambda script: _edits(script[1]))


def apply_script(script: Script, form: str) -> str | None:
    """Make a lemma; None if the script does not fit the form.

    Examples
    --------
    >>> apply_script(("lower", (0, 1, None, ("s", ""))), "Cats")
    'cat'
    """
    prepare, finish = CASES[script[0]]
    lemma = _apply(script[1], prepare(form))
    return finish(lemma) if lemma else None


def _tree_of(form: str, lemma: str) -> Tree:
    if form == lemma:
        return None
    if max(len(form), len(lemma)) > LONGEST:
        return form, lemma
    match = SequenceMatcher(None, form, lemma, autojunk=False).find_longest_match()
    if match.size == 0:
        return form, lemma
    end, lemma_end = match.a + match.size, match.b + match.size
    left = _tree_of(form[: match.a], lemma[: match.b])
    return match.a, len(form) - end, left, _tree_of(form[end:], lemma[lemma_end:])


def _edits(tree: Tree) -> int:
    """Count the characters that a tree takes away and puts in."""
    if tree is None:
        return 0
    if len(tree) == 2:
        return len(tree[0]) + len(tree[1])
    return _edits(tree[2]) + _edits(tree[3])


def _apply(tree: Tree, text: str) -> str | None:
    if tree is None:
        return text
    if len(tree) == 2:
        return tree[1] if text == tree[0] else None
    before, after, left, right = tree
    end = len(text) - after
    if before >= end:
        return None
    first = _apply(left, text[:before])
    last = None if first is None else _apply(right, text[end:])
    return None if first is None or last is None else first + text[before:end] + last


def read_script(value: object, file: ModelFile) -> Script:
    """Read a script from the header of a model file, and validate it."""
    match value:
        case [str(case), tree] if case in CASES:
            return case, _read_tree(tree, file)
    raise file.fault("not a valid edit script")


def _read_tree(value: object, file: ModelFile, depth: int = 0) -> Tree:
    match value:
        case None:
            return None
        case [str(old), str(new)] if NOT_IN_WORDS.isdisjoint(new):
            return old, new
        case [int(before), int(after), left, right] if depth < DEEPEST and min(before, after) >= 0:
            first, last = (_read_tree(side, file, depth + 1) for side in (left, right))
            return int(before), int(after), first, last
    raise file.fault("not a valid edit tree")
