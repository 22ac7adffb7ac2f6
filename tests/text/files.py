"""Files in CoNLL-U that hypothesis makes."""

from __future__ import annotations

from hypothesis import strategies as st

FIELD = st.one_of(
    st.just("_"),
    st.text(st.characters(exclude_characters="\t\n\r\0", codec="utf-8"), min_size=1, max_size=6),
)
COMMENT = st.text(st.characters(exclude_characters="\n\r\0", codec="utf-8"), max_size=9)


@st.composite
def sentences_as_text(draw, *, other_lines: bool = True) -> str:
    """A sentence as it stands in a file, blank line and all."""
    size = draw(st.integers(1, 5))
    rows = []
    free = 1  # the first token that no multiword token holds
    for token in range(size + 1):
        nodes = draw(st.integers(0, 2)) if other_lines else 0
        names = [str(token)] if token else []
        names += [f"{token}.{index}" for index in range(1, nodes + 1)]
        if other_lines and free <= token + 1 <= size and draw(st.booleans()):
            free = draw(st.integers(token + 1, size)) + 1
            names.append(f"{token + 1}-{free - 1}")
        for name in names:
            columns = draw(st.lists(FIELD, min_size=9, max_size=9))
            head = str(draw(st.integers(-1, size))).replace("-1", "_")
            rows.append("\t".join([name, *columns[:5], head, *columns[6:]]))
    comments = draw(st.lists(COMMENT, max_size=3)) if other_lines else []
    return "\n".join([*(f"#{comment}" for comment in comments), *rows, "\n"])


FILES = st.lists(sentences_as_text(), max_size=4).map("".join)
