"""Summarization: extractive and compressive summaries, sentence compression, baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treaty._lazy import imported
from treaty.summarize._digest import CompressedSentence, Cut, Digest
from treaty.summarize._summarizer import Summarizer
from treaty.summarize.cuts._arc_features import ArcFeatures
from treaty.summarize.cuts._compression_structure import Costs
from treaty.summarize.cuts._rules import Rule, Rules
from treaty.summarize.cuts._second_look import Look, SecondLook
from treaty.summarize.decoding._candidates import candidates, simple_scores
from treaty.summarize.decoding._constraints import SummaryConstraints
from treaty.summarize.decoding._decode import Decoded, decode, objective_of
from treaty.summarize.decoding._graph import SummaryGraph, compressive_graph, extractive_graph
from treaty.summarize.decoding._problem import Mentions, Occurrences, Problem
from treaty.summarize.decoding._writing import write_sentence
from treaty.summarize.scores._concepts import k_grams, phrases
from treaty.summarize.scores._coverage_features import CoverageFeatures
from treaty.summarize.scores._scorers import LinearScorer, Scorer, SimpleScorer
from treaty.summarize.sentences._frames import Frames
from treaty.summarize.sentences._source import Source, sources_of

if TYPE_CHECKING:
    from treaty.summarize.baselines._centroid import centroid
    from treaty.summarize.baselines._lead import lead
    from treaty.summarize.baselines._mmr import mmr
    from treaty.summarize.cuts._check import broken_rules
    from treaty.summarize.cuts._compressor import Compressor
    from treaty.summarize.scores._training import LearningSettings, Trainer, train_summarizer

__all__ = [
    "ArcFeatures",
    "CompressedSentence",
    "Compressor",
    "Costs",
    "CoverageFeatures",
    "Cut",
    "Decoded",
    "Digest",
    "Frames",
    "LearningSettings",
    "LinearScorer",
    "Look",
    "Mentions",
    "Occurrences",
    "Problem",
    "Rule",
    "Rules",
    "Scorer",
    "SecondLook",
    "SimpleScorer",
    "Source",
    "Summarizer",
    "SummaryConstraints",
    "SummaryGraph",
    "Trainer",
    "broken_rules",
    "candidates",
    "centroid",
    "compressive_graph",
    "decode",
    "extractive_graph",
    "k_grams",
    "lead",
    "mmr",
    "objective_of",
    "phrases",
    "simple_scores",
    "sources_of",
    "train_summarizer",
    "write_sentence",
]

_HOMES = {
    "treaty.summarize.baselines._centroid": ["centroid"],
    "treaty.summarize.cuts._check": ["broken_rules"],
    "treaty.summarize.cuts._compressor": ["Compressor"],
    "treaty.summarize.baselines._lead": ["lead"],
    "treaty.summarize.baselines._mmr": ["mmr"],
    "treaty.summarize.scores._training": ["LearningSettings", "Trainer", "train_summarizer"],
}
"""Names that are imported when they are first used."""


def __getattr__(name: str) -> Any:
    return imported(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
