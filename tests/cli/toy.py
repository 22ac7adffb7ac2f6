"""A model of another package: words that learn their labels, one a line."""

from __future__ import annotations

import io

from tests.learn.toy_model import Toy as Base

from treaty.errors import InputError
from treaty.text import read_lines


class Toy(Base):
    """Reads lines of word and label; the label is missing where it is to be predicted."""

    def predict(self, inputs, *, threads=1, backwards=False):
        words = (item if isinstance(item, str) else item[0] for item in inputs)
        return super().predict(word[::-1] if backwards else word for word in words)

    @classmethod
    def read(cls, origin):
        for number, line in enumerate(read_lines(origin), 1):
            word, _, label = line.partition("\t")
            if " " in word:
                name = getattr(origin, "name", origin)
                known = name if not isinstance(origin, io.StringIO) else None
                raise InputError("one word too many", path=known, line=number, text=word)
            yield word, label
