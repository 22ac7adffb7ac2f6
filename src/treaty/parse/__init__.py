"""Dependency parsing: taggers, pruners, parsers, and the trees behind them.

Names are imported when they are first used, as in `treaty`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treaty.parse._clusters import Clusters
    from treaty.parse._language import LanguageWarning
    from treaty.parse._pipeline import Pipeline
    from treaty.parse._pipeline_training import train_pipeline
    from treaty.parse.documents._document import Document, certified
    from treaty.parse.documents._word import Phrase, Word
    from treaty.parse.tags._jackknife import jackknife
    from treaty.parse.tags._lemmatizer import Lemmatizer
    from treaty.parse.tags._tagger import Tagger
    from treaty.parse.tokens._abbreviations import Abbreviations
    from treaty.parse.tokens._tokenizer import Tokenizer
    from treaty.parse.trees._confidences import calibrate
    from treaty.parse.trees._constraints import (
        AtMostOne,
        Attach,
        Constraint,
        Leaf,
        Never,
        OneOf,
        Root,
    )
    from treaty.parse.trees._graph import AD3_OPTIONS, ParseGraph
    from treaty.parse.trees._parser import Parse, Parser
    from treaty.parse.trees._parser_settings import ORDERS, ParserTemplates, Settings
    from treaty.parse.trees._training import train_parser
    from treaty.parse.trees._trees import best_tree, projective_tree, tree_marginals
    from treaty.text.layout import LineMeaning

__all__ = [
    "AD3_OPTIONS",
    "ORDERS",
    "Abbreviations",
    "AtMostOne",
    "Attach",
    "Clusters",
    "Constraint",
    "Document",
    "LanguageWarning",
    "Leaf",
    "Lemmatizer",
    "LineMeaning",
    "Never",
    "OneOf",
    "Parse",
    "ParseGraph",
    "Parser",
    "ParserTemplates",
    "Phrase",
    "Pipeline",
    "Root",
    "Settings",
    "Tagger",
    "Tokenizer",
    "Word",
    "best_tree",
    "calibrate",
    "certified",
    "jackknife",
    "projective_tree",
    "train_parser",
    "train_pipeline",
    "tree_marginals",
]

_HOMES = {
    "treaty.parse.tokens._abbreviations": ("Abbreviations",),
    "treaty.parse._clusters": ("Clusters",),
    "treaty.parse.trees._confidences": ("calibrate",),
    "treaty.parse.trees._constraints": (
        "AtMostOne",
        "Attach",
        "Constraint",
        "Leaf",
        "Never",
        "OneOf",
        "Root",
    ),
    "treaty.parse.documents._document": ("Document", "certified"),
    "treaty.parse.trees._graph": ("AD3_OPTIONS", "ParseGraph"),
    "treaty.parse.tags._jackknife": ("jackknife",),
    "treaty.parse._language": ("LanguageWarning",),
    "treaty.text.layout": ("LineMeaning",),
    "treaty.parse.tags._lemmatizer": ("Lemmatizer",),
    "treaty.parse.trees._parser": ("Parse", "Parser"),
    "treaty.parse.trees._parser_settings": ("ORDERS", "ParserTemplates", "Settings"),
    "treaty.parse._pipeline": ("Pipeline",),
    "treaty.parse._pipeline_training": ("train_pipeline",),
    "treaty.parse.tags._tagger": ("Tagger",),
    "treaty.parse.tokens._tokenizer": ("Tokenizer",),
    "treaty.parse.trees._training": ("train_parser",),
    "treaty.parse.trees._trees": ("best_tree", "projective_tree", "tree_marginals"),
    "treaty.parse.documents._word": ("Phrase", "Word"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'treaty.parse' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
