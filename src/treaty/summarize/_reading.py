"""From articles to sentences for summarization."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from treaty._threads import MANY, checked
from treaty.summarize._body import body_of
from treaty.summarize._source import HEADLINE, Source
from treaty.summarize._split import all_words, split_sentences, split_text, words_of
from treaty.text import Article, Sentence
from treaty.text._spaces import raw_form

__all__ = ["chronological", "read_sources"]

Splitter = Callable[[str], list[Sentence]]

LARGE = 400_000
"""Number of characters above which only some sentences of a text are read."""
SKIMMED_WORDS = 20_000
FEWEST_IN_HEADLINE = 4
"""Words of a headline that says more than a name."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
BLANK_LINE, NEW_LINE = re.compile(r"\n\s*\n"), re.compile(r"\n")
ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
DATE = re.compile(r"(?:(\d{1,2})\.? +)?([A-Za-z]{3})[a-z]*\.?,? +(?:(\d{1,2}),? +)?(\d{4})")


def read_sources(
    articles: Sequence[Article], split: Splitter = split_text, *, headline: bool = False
) -> list[Source]:
    """Split articles into sentences; headlines, bylines, captions and the like are left out.

    Of very long texts, only the most likely sentences are used: those whose words are frequent in
    the article, and the first ones.

    Parameters
    ----------
    articles
        The articles.
    split
        Function that splits a text into sentences, from a tokenizer or by rules.
    headline
        Whether the headline of a single article is taken too: it often says what speeches,
        interviews and chapters are about, which no sentence of them does.

    Examples
    --------
    >>> sources = read_sources([Article("LISBON (AP) - It rained. It poured.")])
    >>> [(source.sentence.text, source.span) for source in sources]
    [('It rained.', (14, 24)), ('It poured.', (25, 35))]
    """
    share = SKIMMED_WORDS // max(1, len(articles))
    large = sum(len(article.text) for article in articles) > LARGE
    found = _headline(articles[0], split) if headline and len(articles) == 1 else []
    for document, article in enumerate(articles):
        body = body_of(article)
        text = body.text
        pieces: Iterator[tuple[int, int, Sentence]]
        if large and len(text) > LARGE // len(articles):
            pieces = ((n, at, s) for n, at, piece in _skimmed(text, share) for s in split(piece))
        elif body.is_chat:
            pieces = _of_lines(text, split)
        else:
            pieces = ((n, 0, sentence) for n, sentence in enumerate(split(text)))
        end = place = 0
        parted = BLANK_LINE.search(text.strip()) and not body.is_chat
        between = BLANK_LINE if parted else NEW_LINE
        for number, at, sentence in checked(pieces):
            span = span_of(sentence, text, max(at, end))
            begins = span is not None and between.search(text, end, span[0]) is not None
            place = 0 if begins or not end else place + 1
            end = end if span is None else span[1]
            found.append(Source(document, number, sentence, span, place, body.is_chat))
    return found


def _of_lines(text: str, split: Splitter) -> Iterator[tuple[int, int, Sentence]]:
    """Split a chat, where no sentence goes on in the next line; as `_skimmed`."""
    number = end = 0
    for sentence in split(text):
        span = span_of(sentence, text, end)
        begin, end = span or (end, end)
        parts = text[begin:end].split("\n")
        own = [s for part in parts for s in split(part)] if len(parts) > 1 else [sentence]
        for one in own:
            yield number, begin, one
            number += 1


def _headline(article: Article, split: Splitter) -> list[Source]:
    """Return the headline as a source, if it is one sentence that says something."""
    title = body_of(article).title or ""
    sentences = split(title) if len(title.split()) >= FEWEST_IN_HEADLINE else []
    if len(sentences) != 1:
        return []
    begin = article.text.find(title)
    span = None if begin < 0 else (begin, begin + len(title))
    return [Source(0, HEADLINE, sentences[0], span)]


def span_of(sentence: Sentence, text: str, start: int) -> tuple[int, int] | None:
    """Find where a sentence of a text begins and ends, from a place on; None if it is not there.

    >>> span_of(Sentence.from_words(["It", "rained", "."]), "So. It rained.", 3)
    (4, 14)
    """
    begin = place = -1
    for form, misc in sentence.surface():
        place = text.find(raw_form(form, misc), start)
        if place < 0:
            return None
        begin = place if begin < 0 else begin
        start = place + len(raw_form(form, misc))
    return (begin, start) if begin >= 0 else None


def _skimmed(text: str, words: int) -> Iterator[tuple[int, int, str]]:
    """Choose sentences by the frequency of their words (Nenkova and Vanderwende 2005).

    Yields
    ------
    (number, start, text)
        The chosen sentences, in the order of the text.
    """
    spans = list(checked(split_sentences(text), MANY))
    frequency = Counter(checked(all_words(text), MANY))
    worth, lengths = [], []
    for number, (start, end) in enumerate(checked(spans, MANY)):
        own = words_of(text[start:end])
        mean = sum(frequency[word] for word in own) / max(1, len(own))
        worth.append(mean * (2.0 if number < words // 100 else 1.0))
        lengths.append(len(own))
    chosen = []
    for number in sorted(range(len(spans)), key=lambda n: -worth[n]):
        words -= lengths[number]
        if words < 0:
            break
        chosen.append(number)
    for number in sorted(chosen):
        start, end = spans[number]
        yield number, start, text[start:end]


def chronological(articles: Sequence[Article]) -> list[int]:
    """Sort articles by date if all have a valid one; otherwise keep the given order.

    Returns
    -------
    list
        Their indices.

    Examples
    --------
    >>> chronological([Article("b", date="May 2, 2024"), Article("a", date="2024-05-01T09:30")])
    [1, 0]
    >>> chronological([Article("b", date="May 2, 2024"), Article("a")])
    [0, 1]
    """
    dates = [_date(article.date or "") for article in articles]
    order = list(range(len(articles)))
    return order if None in dates else sorted(order, key=lambda n: dates[n] or ())


def _date(text: str) -> tuple[int, ...] | None:
    if found := ISO_DATE.search(text):
        return tuple(map(int, found.groups()))
    found = DATE.search(text)
    if found is None or found[2].lower() not in MONTHS:
        return None
    return int(found[4]), MONTHS.index(found[2].lower()) + 1, int(found[1] or found[3] or 0)
