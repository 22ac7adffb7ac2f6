"""Scores of trees, tags, words, entities, links and summaries; intervals and significance tests."""

from treaty.metrics._aligned import AlignedScores, aligned_scores
from treaty.metrics._attachment import (
    LENGTHS,
    Attachment,
    AttachmentScores,
    attachment_scores,
    is_punctuation,
)
from treaty.metrics._compression import CompressionScores, compression_scores
from treaty.metrics._counts import Accuracy, Retrieval
from treaty.metrics._links import LinkScores, link_scores
from treaty.metrics._reliability import Reliability, ReliabilityBin, reliability
from treaty.metrics._rouge import (
    RougeOptions,
    RougeScore,
    RougeScores,
    rouge,
    rouge_scores,
)
from treaty.metrics._significance import Comparison, Interval, compare, confidence_interval
from treaty.metrics._spans import SpanScores, compare_spans, span_scores
from treaty.metrics._tagging import TaggingScores, tagging_scores
from treaty.metrics._undirected import DependencyAccuracy, dependency_accuracy

__all__ = [
    "LENGTHS",
    "Accuracy",
    "AlignedScores",
    "Attachment",
    "AttachmentScores",
    "Comparison",
    "CompressionScores",
    "DependencyAccuracy",
    "Interval",
    "LinkScores",
    "Reliability",
    "ReliabilityBin",
    "Retrieval",
    "RougeOptions",
    "RougeScore",
    "RougeScores",
    "SpanScores",
    "TaggingScores",
    "aligned_scores",
    "attachment_scores",
    "compare",
    "compare_spans",
    "compression_scores",
    "confidence_interval",
    "dependency_accuracy",
    "is_punctuation",
    "link_scores",
    "reliability",
    "rouge",
    "rouge_scores",
    "span_scores",
    "tagging_scores",
]
