"""Stemming by the stemmers of the Snowball project."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock

from treaty.errors import UsageError

__all__ = ["stemmer"]

# English uses the stemmer of Porter (1980), as ROUGE and the papers that use it do.
ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "porter", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip


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

    known = snowballstemmer.algorithms()  # older versions have fewer
    languages = [code for code, algorithm in ALGORITHMS.items() if algorithm in known]
    if language not in languages:
        raise UsageError(
            f"there is no stemmer for the language {language!r}, only for {', '.join(languages)}"
        )
    engine = snowballstemmer.stemmer(ALGORITHMS[language])
    one_at_a_time = Lock()  # a Snowball stemmer holds the current word, so it is not thread-safe

    @cache
    def stem(word: str) -> str:
        with one_at_a_time:
            return str(engine.stemWord(word))

    return stem
