"""Corpora: tokens, sentences, threads and summaries, with their readers and writers."""

from treaty.corpus._articles import read_article, read_articles
from treaty.corpus._collection import Article, Collection, read_collections
from treaty.corpus._columns import ColumnSentence, read_columns, write_columns
from treaty.corpus._compressions import Compression, read_compressions
from treaty.corpus._conllu import read_conllu, read_tokens, write_conllu
from treaty.corpus._entity import Entity
from treaty.corpus._kinds import FileKind, KnownFile, recognize
from treaty.corpus._lines import read_lines, read_paragraphs, read_text
from treaty.corpus._records import read_records
from treaty.corpus._schemes import (
    OUTSIDE,
    SCHEMES,
    Scheme,
    Span,
    convert_labels,
    labels_of_spans,
    scheme_named,
    spans_of_labels,
)
from treaty.corpus._sentence import EmptyNode, MultiwordToken, Sentence, Token
from treaty.corpus._spans import sentence_from_spans, text_of
from treaty.corpus._stems import stemmer
from treaty.corpus._stop_words import stop_words
from treaty.corpus._summaries import Summary, read_summaries
from treaty.corpus._summary_examples import read_summary_examples
from treaty.corpus._thread import Link, Post, Thread, read_threads, write_threads
from treaty.corpus._tree import check_tree, is_projective, nonprojective_arcs

__all__ = [
    "OUTSIDE",
    "SCHEMES",
    "Article",
    "Collection",
    "ColumnSentence",
    "Compression",
    "EmptyNode",
    "Entity",
    "FileKind",
    "KnownFile",
    "Link",
    "MultiwordToken",
    "Post",
    "Scheme",
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
