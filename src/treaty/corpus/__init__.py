"""What comes in and goes out: tokens, sentences, documents, and their files."""

from treaty.corpus._conllu import read_conllu, read_tokens, write_conllu
from treaty.corpus._document import Document, sentence_from_spans, text_of
from treaty.corpus._lines import read_paragraphs, read_text
from treaty.corpus._sentence import EmptyNode, MultiwordToken, Sentence, Token
from treaty.corpus._thread import Link, Post, Thread, read_threads, write_threads
from treaty.corpus._tree import check_tree, is_projective, nonprojective_arcs

__all__ = [
    "Document",
    "EmptyNode",
    "Link",
    "MultiwordToken",
    "Post",
    "Sentence",
    "Thread",
    "Token",
    "check_tree",
    "is_projective",
    "nonprojective_arcs",
    "read_conllu",
    "read_paragraphs",
    "read_text",
    "read_threads",
    "read_tokens",
    "sentence_from_spans",
    "text_of",
    "write_conllu",
    "write_threads",
]
