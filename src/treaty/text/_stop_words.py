"""Stop words: articles, pronouns, prepositions, auxiliaries."""

from __future__ import annotations

from treaty.errors import UsageError

__all__ = ["stop_words"]


def stop_words(language: str = "en") -> frozenset[str]:
    """Return the stop words of a language, in lower case.

    The lists are short and made for Treaty: function words only, nothing that could be a topic.

    Parameters
    ----------
    language
        ISO 639-1 code: de, el, en, es, fr, it, nl or pt.

    Examples
    --------
    >>> "the" in stop_words(), "treaty" in stop_words()
    (True, False)
    """
    from treaty import languages  # when it is needed: commands start without it

    found = languages.get(language).stop_words
    if not found:
        known = ", ".join(code for code in languages.codes() if languages.get(code).stop_words)
        raise UsageError(
            f"there are no stop words for the language {language!r}, only for {known}: "
            "give your own"
        )
    return found
