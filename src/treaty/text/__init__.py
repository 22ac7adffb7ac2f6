"""Text: tokens, sentences, threads and summaries, with their readers and writers."""

from treaty.text._article import Article, Section
from treaty.text._articles import read_article, read_articles
from treaty.text._entity import Entity
from treaty.text._lines import read_lines, read_paragraphs, read_text
from treaty.text._records import read_records
from treaty.text._schemes import (
    OUTSIDE,
    SCHEMES,
    Scheme,
    Span,
    convert_labels,
    labels_of_spans,
    scheme_named,
    spans_of_labels,
)
from treaty.text._sentence import EmptyNode, MultiwordToken, Sentence, Token
from treaty.text._spans import sentence_from_spans, text_of
from treaty.text._stems import stemmer
from treaty.text._stop_words import stop_words
from treaty.text._summary_examples import read_summary_examples
from treaty.text._tree import check_tree, is_projective, nonprojective_arcs
from treaty.text.formats._collections import Collection, read_collections
from treaty.text.formats._columns import ColumnSentence, read_columns, write_columns
from treaty.text.formats._compressions import Compression, read_compressions
from treaty.text.formats._conllu import read_conllu, read_tokens, write_conllu
from treaty.text.formats._format import Format
from treaty.text.formats._registry import KnownFile, recognize
from treaty.text.formats._summaries import Summary, read_summaries
from treaty.text.formats._threads import Link, Post, Thread, read_threads, write_threads

__all__ = [
    "OUTSIDE",
    "SCHEMES",
    "Article",
    "Collection",
    "ColumnSentence",
    "Compression",
    "EmptyNode",
    "Entity",
    "Format",
    "KnownFile",
    "Link",
    "MultiwordToken",
    "Post",
    "Scheme",
    "Section",
    "Sentence",
    "Span",
    "Summary",
    "Thread",
    "Token",
    "check_tree",
    "convert_labels",
    "is_projective",
    "labels_of_spans",
    "nonprojective_arcs",
    "read_article",
    "read_articles",
    "read_collections",
    "read_columns",
    "read_compressions",
    "read_conllu",
    "read_lines",
    "read_paragraphs",
    "read_records",
    "read_summaries",
    "read_summary_examples",
    "read_text",
    "read_threads",
    "read_tokens",
    "recognize",
    "scheme_named",
    "sentence_from_spans",
    "spans_of_labels",
    "stemmer",
    "stop_words",
    "text_of",
    "write_columns",
    "write_conllu",
    "write_threads",
]
