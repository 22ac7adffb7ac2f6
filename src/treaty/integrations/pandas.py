"""The accessor ``treaty`` of pandas: a column of texts becomes documents, words or entities.

Import it once: ``import treaty.integrations.pandas``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pandas

from treaty.errors import UsageError
from treaty.integrations._models import model_of
from treaty.parse import Document, Pipeline

__all__ = ["TreatyAccessor"]

WORDS = ("sentence", "word", "form", "lemma", "upos", "xpos", "feats", "head", "deprel")
PLACE = ("start", "end")
CONFIDENCES = ("tag_confidence", "arc_confidence", "label_confidence")
CERTIFICATE = ("status", "objective", "bound", "gap")
Rows = Callable[[Document], Iterator[tuple[Any, ...]]]


@pandas.api.extensions.register_series_accessor("treaty")
class TreatyAccessor:
    """Methods ``series.treaty.…`` of a column of texts.

    Missing values have no document and no rows. Tables keep the index of the column, a row for
    each word, sentence or entity, so that ``frame.join(table)`` works.

    Parameters
    ----------
    series
        The texts, or documents that `documents` has made.

    Examples
    --------
    >>> import pandas
    >>> texts = pandas.Series(["Ada lived in London.", None], index=["first", "second"])
    >>> texts.treaty.entities()[["type", "text"]]
          type    text
    first  PER     Ada
    first  LOC  London
    >>> texts.treaty.words()["lemma"].tolist()
    ['Ada', 'live', 'in', 'London', '.']
    """

    def __init__(self, series: Any) -> None:
        for value in series.dropna():
            if not isinstance(value, str | Document):
                raise UsageError(
                    f"the column has a value of type {type(value).__name__}; expected texts or "
                    "documents of Treaty, such as from astype(str)"
                )
        self._series = series

    def documents(
        self, model: str | Pipeline = "english", *, entities: bool | str = False, **options: Any
    ) -> Any:
        """Parse the texts.

        Parameters
        ----------
        model
            The name or file of a pipeline, or itself.
        entities
            Whether to find named entities, too; see `Pipeline.pipe`.
        **options
            As in `Pipeline.pipe`, such as ``threads=4`` or ``confidences=True``.

        Returns
        -------
        pandas.Series
            The documents, None for missing values.
        """
        given = self._series
        is_text = given.map(lambda value: isinstance(value, str)).astype(bool)
        parsed = iter(model_of(model, Pipeline).pipe(given[is_text], entities=entities, **options))
        values = [
            next(parsed) if text else value for value, text in zip(given, is_text, strict=True)
        ]
        kept = [value if isinstance(value, Document) else None for value in values]
        return pandas.Series(kept, index=given.index, name=given.name, dtype=object)

    def words(self, model: str | Pipeline = "english", **options: Any) -> Any:
        """Parse the texts; the table has a row for each word.

        Its columns are those of CoNLL-U, the number of the sentence (from 0), and the position in
        the text. With ``confidences=True`` those are columns, too.
        """
        sure = CONFIDENCES if options.get("confidences") else ()

        def rows(document: Document) -> Iterator[tuple[Any, ...]]:
            for word in document:
                token = word.token
                columns = (
                    word.sentence_index,
                    word.id,
                    *(getattr(token, name) for name in WORDS[2:]),
                )
                yield (*columns, word.start, word.end, *(getattr(word, name) for name in sure))

        documents = self.documents(model, **options)
        return _table(documents, rows, (*WORDS, *PLACE, *sure))

    def sentences(self, model: str | Pipeline = "english", **options: Any) -> Any:
        """Parse the texts; the table has a row for each sentence, with its certificate."""

        def rows(document: Document) -> Iterator[tuple[Any, ...]]:
            certificates = [certificate.to_dict() for certificate in document.certificates]
            for number, (start, end) in enumerate(document.sentence_spans):
                known = certificates[number] if certificates else {}
                values = (known.get(name) for name in CERTIFICATE)
                yield (number, document.text[start:end], start, end, *values)

        documents = self.documents(model, **options)
        return _table(documents, rows, ("sentence", "text", *PLACE, *CERTIFICATE))

    def entities(self, model: str | Pipeline = "english", **options: Any) -> Any:
        """Find named entities; the table has a row for each.

        ``entities="mine.treaty"`` names another model for entities than that of the package.
        """

        def rows(document: Document) -> Iterator[tuple[Any, ...]]:
            for entity in document.entities:
                yield (entity.type, entity.text, entity.start, entity.end, entity.confidence)

        documents = self.documents(model, **{"entities": True, **options})
        return _table(documents, rows, ("type", "text", *PLACE, "confidence"))


def _table(documents: Any, rows: Rows, columns: Iterable[str]) -> Any:
    """Make a table of the rows of all documents, with the index of each as often as it has rows."""
    records, places = [], []
    for place, document in enumerate(documents):
        if document is not None:
            records_of_document = list(rows(document))
            records += records_of_document
            places += [place] * len(records_of_document)
    return pandas.DataFrame(records, columns=list(columns), index=documents.index.take(places))
