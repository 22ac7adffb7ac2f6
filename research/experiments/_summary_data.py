"""Topics and compressions for `compressive.py`: sentences as the manifests split them, parsed once.

Parses are kept in a folder, under a name with the hash of the parser's model: another model parses
anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from research.report import ROOT
from treaty.learn import model_path
from treaty.parse import Pipeline
from treaty.summarize import Source
from treaty.text import Compression, Sentence, read_compressions, read_conllu, write_conllu

DATA = ROOT.parent / "shared" / "data"
PARSES = ROOT / "build" / "parses"
TOPICS = {
    "multiling": "summarization/multiling2011/en.jsonl",
    "opinosis": "summarization/opinosis/opinosis.jsonl",
    "amazon": "summarization/fewsum_amazon/fewsum_amazon.jsonl",
}
WORDS = {"multiling": 250, "opinosis": 20, "amazon": 50}
"""Lengths of summaries."""
COMPRESSIONS = ("google_eval", "simplewiki", "turkcorpus", "asset", "legal_uk")


@dataclass(frozen=True)
class Given:
    """A topic as it was read."""

    name: str
    sources: list[Source]
    titles: list[str]
    references: list[str]
    words: int
    split: str | None


@cache
def pipeline() -> Pipeline:
    return Pipeline.load("english")


def topics(dataset: str) -> list[Given]:
    """Read the topics of a data set with parsed sentences."""
    lines = (DATA / TOPICS[dataset]).read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    documents = [_documents(record) for record in records]
    plain = [_one(text) for texts in documents for document in texts for text in document]
    parsed = iter(_parsed(dataset, plain))
    found = []
    for record, texts in zip(records, documents, strict=True):
        sources = [
            Source(d, n, next(parsed))
            for d, document in enumerate(texts)
            for n in range(len(document))
        ]
        references = [r if isinstance(r, str) else r["text"] for r in record["references"]]
        titles = [d["title"] for d in record.get("documents", []) if d.get("title")]
        found.append(
            Given(record["topic"], sources, titles, references, WORDS[dataset], record.get("split"))
        )
    return found


def _documents(record: dict[str, Any]) -> list[list[str]]:
    """List the sentences of each document; of Opinosis, every sentence is one."""
    if "sentences" in record:
        return [[text] for text in record["sentences"] if text.strip()]
    found = []
    for document in record["documents"]:
        nested = ([s] if isinstance(s, str) else s for s in document["sentences"])
        found.append([text for texts in nested for text in texts if text.strip()])
    return found


def _one(text: str) -> Sentence:
    """Cut a sentence into tokens, but not into sentences."""
    tokenizer = pipeline().tokenizer
    assert tokenizer is not None
    return Sentence([token for sentence in tokenizer.sentences(text) for token in sentence.tokens])


def compressions(dataset: str) -> dict[str, list[Compression]]:
    """Read the compressions of a data set with parsed sentences, by split."""
    given = list(read_compressions(DATA / "compression" / f"{dataset}.jsonl"))
    parsed = _parsed(dataset, [compression.sentence for compression in given])
    found: dict[str, list[Compression]] = {"train": [], "dev": [], "test": []}
    for compression, sentence in zip(given, parsed, strict=True):
        found[compression.more["split"]].append(Compression(sentence, compression.keep))
    return found


def _parsed(name: str, sentences: Iterable[Sentence]) -> list[Sentence]:
    path = PARSES / f"{name}.{_model_hash()}.conllu"
    if not path.exists():
        PARSES.mkdir(parents=True, exist_ok=True)
        write_conllu((parse.sentence for parse in pipeline().predict(sentences)), path)
    return list(read_conllu(path))


@cache
def _model_hash() -> str:
    return hashlib.sha256(model_path("english").read_bytes()).hexdigest()[:12]
