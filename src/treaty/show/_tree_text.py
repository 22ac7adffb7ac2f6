"""Trees in the terminal: a line per word, with the tree drawn to the left of the words.

A head is on the vertical line that joins its dependents, where a heavy line leads to the word; its
dependents are one step to the right. Lines that must cross, in nonprojective trees, pass behind
each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.show._arcs import arcs_of, certificate_line, drawn_parts, shown, tag_of

if TYPE_CHECKING:
    from treaty.solve import Certificate
    from treaty.text import Sentence

__all__ = ["tree_text"]

# Characters by the directions of their lines: to dependents above and below, to the head left.
HEAD_SIGNS = {
    (True, False, True): "┶",
    (False, True, True): "┮",
    (True, True, True): "┾",
    (True, False, False): "┕",
    (False, True, False): "┍",
    (True, True, False): "┝",
}
ASCII = str.maketrans(
    dict.fromkeys("╭╰├┶┮┾┕┍┝", "+") | {"│": "|", "─": "-", "━": "=", "·": ";", "…": "~"}
)


@dataclass(slots=True)
class _Node:
    """A word: its column, and the lines that its dependents occupy."""

    head: int
    dependents: list[int]
    column: int = 0

    def reach(self, word: int) -> tuple[int, int]:
        return min([word, *self.dependents]), max([word, *self.dependents])


def tree_text(
    sentence: Sentence,
    *,
    tags: bool = True,
    encoding: str = "utf-8",
    certificate: Certificate | None = None,
) -> str:
    """Draw a dependency tree with characters.

    Parameters
    ----------
    sentence
        The sentence.
    tags
        Whether to show tags (UPOS, or else XPOS) after the words.
    encoding
        Encoding of the terminal: the tree is drawn in ASCII if box characters cannot be encoded,
        and so are the words.
    certificate
        The certificate, to be shown below the tree: anything with status, bound and gap.

    Returns
    -------
    str
        A line per word, with tag and label.

    Raises
    ------
    InputError
        When a head is not in the sentence.

    Examples
    --------
    >>> from treaty.text import Sentence, Token
    >>> words = [("She", 2, "nsubj"), ("read", 0, "root"), ("a", 4, "det"), ("book", 2, "obj")]
    >>> sentence = Sentence([Token(form, head=head, deprel=label) for form, head, label in words])
    >>> print(tree_text(sentence), end="")
    ╭─── She   nsubj
    ┝━━━ read  root
    │ ╭─ a     det
    ╰─┶━ book  obj
    """
    text = "".join(f"{line}\n" for part in drawn_parts(sentence) for line in _lines(part, tags))
    if certificate is not None:
        text += f"\n{certificate_line(certificate)}\n"
    return text if _can_write(encoding) else _plain(text, encoding)


def _lines(sentence: Sentence, tags: bool) -> list[str]:
    nodes = _nodes(sentence)
    _assign_columns(nodes)
    drawing = _drawing(nodes)
    columns = [[shown(token.form) for token in sentence.tokens]]
    if tags:
        columns.append([tag_of(token) for token in sentence.tokens])
    columns.append([shown(token.deprel) for token in sentence.tokens])
    return [
        f"{tree} {'  '.join(cells)}".rstrip()
        for tree, *cells in zip(drawing, *_aligned(columns), strict=True)
    ]


def _nodes(sentence: Sentence) -> list[_Node]:
    """Make nodes of the words by their ids; the children of node 0 are attached to no word."""
    nodes = [_Node(0, []) for _ in range(len(sentence) + 1)]
    for arc in arcs_of(sentence):
        nodes[arc.word].head = arc.head
        if arc.head:
            nodes[arc.head].dependents.append(arc.word)
    return nodes


def _assign_columns(nodes: list[_Node]) -> None:
    """Assign every head the first column right of its own head where its line meets no other."""
    taken: list[list[tuple[int, int]]] = []
    for word in _from_the_top(nodes):
        node = nodes[word]
        node.column = nodes[node.head].column + 1 if node.head else 0
        if not node.dependents:
            continue
        first, last = node.reach(word)
        while any(a <= last and first <= b for a, b in _at(taken, node.column)):
            node.column += 1
        _at(taken, node.column).append((first, last))


def _from_the_top(nodes: list[_Node]) -> list[int]:
    """Order words so that heads come first; cycles are broken at one of their words."""
    order: list[int] = []
    seen = {0}
    starts = [word for word in range(1, len(nodes)) if nodes[word].head == 0]
    for start in [*starts, *range(1, len(nodes))]:
        if start in seen:
            continue
        if nodes[start].head:
            nodes[nodes[start].head].dependents.remove(start)
            nodes[start].head = 0
        seen.add(start)
        level = [start]
        while level:
            order += level
            level = [d for word in level for d in nodes[word].dependents if d not in seen]
            seen.update(level)
    return order


def _at(taken: list[list[tuple[int, int]]], column: int) -> list[tuple[int, int]]:
    while len(taken) <= column:
        taken.append([])
    return taken[column]


def _drawing(nodes: list[_Node]) -> list[str]:
    """Draw the tree: two characters per column, with vertical lines in front."""
    width = 2 * max(node.column for node in nodes if node.dependents or not node.head) + 2
    grid = [[" "] * width for _ in nodes]
    for word, node in enumerate(nodes[1:], 1):
        leader = "━" if node.dependents else "─"
        grid[word][2 * node.column :] = leader * (width - 2 * node.column)
        if node.head:
            left = 2 * nodes[node.head].column
            grid[word][left : 2 * node.column] = "─" * (2 * node.column - left)
    for word, node in enumerate(nodes[1:], 1):
        if node.dependents:
            _draw_line(grid, word, node)
    return ["".join(row) for row in grid[1:]]


def _draw_line(grid: list[list[str]], word: int, node: _Node) -> None:
    first, last = node.reach(word)
    column = 2 * node.column
    for row in range(first, last + 1):
        grid[row][column] = "│"
    for dependent in node.dependents:
        grid[dependent][column] = {first: "╭", last: "╰"}.get(dependent, "├")
    grid[word][column] = HEAD_SIGNS[first < word, last > word, node.head > 0]


def _aligned(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pad cells to the same display width; drop empty columns."""
    from rich.cells import cell_len

    aligned = []
    for cells in columns:
        broadest = max(map(cell_len, cells), default=0)
        if broadest:
            aligned.append([cell + " " * (broadest - cell_len(cell)) for cell in cells])
    return aligned


def _can_write(encoding: str) -> bool:
    try:
        "╭━┶·".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _plain(text: str, encoding: str) -> str:
    try:
        return text.translate(ASCII).encode(encoding, "replace").decode(encoding)
    except LookupError:  # an unknown encoding
        return text.translate(ASCII).encode("ascii", "replace").decode("ascii")
