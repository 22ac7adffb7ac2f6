"""Texts in other encodings than UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain

from treaty._streams import Origin, Unreadable, chunks_of, name_of
from treaty.errors import UsageError
from treaty.text._lines import BYTE_ORDER_MARK

__all__ = ["Recoded", "check_encoding"]


def check_encoding(name: str) -> None:
    """Raise `UsageError` if there is no text encoding of a name.

    Examples
    --------
    >>> check_encoding("latin-1")
    >>> check_encoding("latin-99")
    Traceback (most recent call last):
    treaty.errors.UsageError: there is no encoding 'latin-99': names are such as latin-1, cp1252,
    utf-16
    """
    try:
        is_text = codecs.lookup(name)._is_text_encoding
    except (LookupError, ValueError):  # ValueError: NUL in the name
        is_text = False
    if not is_text:
        raise UsageError(
            f"there is no encoding {name!r}: names are such as latin-1, cp1252, utf-16"
        )


class Recoded:
    r"""A text stream that decodes a file; one with a byte order mark of UTF-8 is UTF-8.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.
    encoding
        The name of the encoding.

    Examples
    --------
    >>> import io
    >>> Recoded(io.BytesIO(b"caf\xe9"), "latin-1").read()
    'café'
    """

    def __init__(self, origin: Origin, encoding: str) -> None:
        check_encoding(encoding)
        self.name, self._parts = name_of(origin), _decoded(origin, encoding)

    def read(self, _size: int = -1) -> str:
        """Return the next part of the text; ``""`` at the end."""
        return next(self._parts, "")


def _decoded(origin: Origin, encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    for chunk in chain(filter(None, chunks_of(origin)), [b""]):
        if not done and chunk.startswith(BYTE_ORDER_MARK):  # it says that it is UTF-8
            decoder = codecs.getincrementaldecoder("utf-8-sig")()
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeError as error:
            cause = error.reason if isinstance(error, UnicodeDecodeError) else error
            raise Unreadable(
                f"is not {encoding} ({cause}, after byte {done:,}); give its encoding by --encoding"
            ) from error
        done += len(chunk)
        if text:
            yield text
