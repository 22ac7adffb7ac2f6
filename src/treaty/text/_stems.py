"""Stemming by the stemmers of the Snowball project."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock

from treaty.errors import UsageError

__all__ = ["stemmer"]


@cache
def stemmer(language: str = "en") -> Callable[[str], str]:
    """Return the stemmer of a language.

    Parameters
    ----------
    language
        ISO 639-1 code, such as ``"en"`` or ``"fr"``.

    Returns
    -------
    Callable
        From a lower-case word to its stem. Stems are cached.

    Raises
    ------
    UsageError
        When there is no stemmer for the language.

    Examples
    --------
    >>> stem = stemmer("en")
    >>> stem("summaries"), stem("summary")
    ('summari', 'summari')
    """
    import snowballstemmer

    from treaty import languages  # when it is needed: commands start without it

    known = snowballstemmer.algorithms()  # older versions have fewer
    algorithm = languages.get(language).stemmer
    if algorithm not in known:
        others = [code for code in languages.codes() if languages.get(code).stemmer in known]
        raise UsageError(
            f"there is no stemmer for the language {language!r}, only for {', '.join(others)}"
        )
    engine = snowballstemmer.stemmer(algorithm)
    one_at_a_time = Lock()  # a Snowball stemmer holds the current word, so it is not thread-safe

    @cache
    def stem(word: str) -> str:
        with one_at_a_time:
            return str(engine.stemWord(word))

    return stem
