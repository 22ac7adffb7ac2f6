"""Scores of a summarizer on gold examples."""

from __future__ import annotations

from collections.abc import Sequence

from treaty.metrics import RougeOptions, compression_scores, rouge_scores
from treaty.summarize._digest import Digest
from treaty.summarize._source import Bools
from treaty.text import Collection, Compression

__all__ = ["scores_of_compressions", "scores_of_digests"]

METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")


def scores_of_digests(
    gold: Sequence[Collection], found: Sequence[Digest], language: str
) -> dict[str, float]:
    """Compute the recall of ROUGE with stemming; no scores without collections."""
    if not gold:
        return {}
    rouge = rouge_scores(
        [[sentence.text for sentence in digest.sentences] for digest in found],
        [collection.references for collection in gold],
        RougeOptions(METRICS, language=language, stem=True),
    )
    return {f"{metric} recall": mean.recall for metric, mean in rouge.mean.items()}


def scores_of_compressions(gold: Sequence[Compression], found: Sequence[Bools]) -> dict[str, float]:
    """Compute F1 of the words kept; no scores without compressions."""
    if not gold:
        return {}
    scores = compression_scores([right.keep for right in gold], [keep.tolist() for keep in found])
    return {"compression F1": scores.kept.f1}
