"""Pipelines in model files: each part's tensors have its name before theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import ModelError, UsageError
from treaty.learn import ModelFile, load_model, save_model
from treaty.parse._clusters import Clusters
from treaty.parse._models import model_path
from treaty.parse._parser_file import TASK as PARSER
from treaty.parse._parser_file import parser_from, parser_tensors
from treaty.parse._pipeline import Pipeline
from treaty.parse._tagger_file import tagger_from, tagger_header, tagger_tensors
from treaty.parse._tokenizer_file import tokenizer_from, tokenizer_header, tokenizer_tensors

__all__ = ["load_pipeline", "save_pipeline"]

TASK = "pipeline"


def save_pipeline(pipeline: Pipeline, path: str | Path) -> None:
    """Write a pipeline to a model file."""
    header: dict[str, Any] = {"info": pipeline.info, "parser": pipeline.parser.header()}
    tensors: dict[str, npt.NDArray[np.generic]] = {
        f"parser.{name}": tensor for name, tensor in parser_tensors(pipeline.parser).items()
    }
    if pipeline.tagger is not None:
        header["tagger"] = tagger_header(pipeline.tagger)
        tensors |= tagger_tensors(pipeline.tagger, "tagger.")
    if pipeline.tokenizer is not None:
        header["tokenizer"] = tokenizer_header(pipeline.tokenizer)
        tensors |= tokenizer_tensors(pipeline.tokenizer, "tokenizer.")
    if (clusters := _shared_clusters(pipeline)) is not None:
        tensors |= clusters.tensors()
    save_model(path, task=TASK, header=header, tensors=tensors)


def load_pipeline(name: str | Path) -> Pipeline:
    """Read a pipeline from a model file, or a parser alone from its own."""
    file = load_model(model_path(name))
    clusters = Clusters.of_model(file)
    if file.header["task"] == PARSER:
        return Pipeline(parser_from(file, dict(file.header), clusters))
    if file.header["task"] != TASK:
        raise ModelError(
            f"{file.name}: a model for {file.header['task']!r}; expected one that parses"
        )
    info = file.value("info", dict)
    header = file.value("parser", dict)
    tagger = tokenizer = None
    if "tagger" in file.header:
        tagger = tagger_from(file, file.value("tagger", dict), clusters, "tagger.")
    if "tokenizer" in file.header:
        tokenizer = tokenizer_from(file, file.value("tokenizer", dict), "tokenizer.")
    parser = parser_from(_part(file, "parser."), header, clusters)
    return Pipeline(parser, tagger, tokenizer, info)


def _shared_clusters(pipeline: Pipeline) -> Clusters | None:
    own = pipeline.parser.clusters
    others = pipeline.tagger.clusters if pipeline.tagger is not None else None
    if own is not None and others is not None and own.paths != others.paths:
        raise UsageError("tagger and parser have different clusters; train both with the same")
    return others if own is None else own


def _part(file: ModelFile, prefix: str) -> ModelFile:
    """See the tensors of one part, under their own names."""
    own = {
        name.removeprefix(prefix): tensor
        for name, tensor in file.tensors.items()
        if name.startswith(prefix)
    }
    return ModelFile(file.name, file.header, own)
