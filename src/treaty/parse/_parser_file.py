"""Parsers in model files."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import TreatyError
from treaty.features import TemplateSet
from treaty.learn import ModelFile, load_model, pack_weights, save_model
from treaty.parse._clusters import Clusters
from treaty.parse._parser import Parser, ParserTemplates, Settings

TASK = "parser"


def save_parser(parser: Parser, path: str | Path) -> None:
    """Write a parser to a model file of its own."""
    clusters = parser.clusters.tensors() if parser.clusters is not None else {}
    tensors = {**parser_tensors(parser), **clusters}
    save_model(path, task=TASK, header=parser.header(), tensors=tensors)


def load_parser(path: str | Path) -> Parser:
    """Read a parser from a model file of its own."""
    file = load_model(path, task=TASK)
    return parser_from(file, dict(file.header), Clusters.of_model(file))


def parser_tensors(parser: Parser) -> dict[str, npt.NDArray[Any]]:
    """All numbers of a parser, packed, but for its clusters, which a tagger may share."""
    keys, labels = parser.label_model.seen
    return {
        **pack_weights("pruner", parser.pruner_model.weights.values),
        **pack_weights("trees", parser.parser_model.weights.values),
        **pack_weights("labels", parser.label_model.weights.values),
        "labels.seen.keys": keys,
        "labels.seen.labels": labels,
    }


def parser_from(file: ModelFile, header: dict[str, Any], clusters: Clusters | None) -> Parser:
    """Make a parser of what a model file holds, checking everything."""
    settings = _settings(file, file.checked(header.get("settings"), dict, "settings"))
    labels = file.texts(header.get("labels"), "labels")
    templates = file.checked(header.get("templates"), dict, "templates")
    sets = {
        name: _template_sets(file, templates.get(name), name)
        for name in ("pruner", "parser", "label")
    }
    if not labels or "label" not in sets["label"]:
        raise file.fault("labels or templates are missing")
    info = file.checked(header.get("info"), dict, "info")
    try:
        parser = Parser(
            settings,
            ParserTemplates(sets["pruner"], sets["parser"], sets["label"]["label"]),
            labels,
            info,
            clusters,
        )
    except (TreatyError, ValueError) as error:
        raise file.fault(f"no parser can be made of it: {error}") from error
    for name, model in (
        ("pruner", parser.pruner_model),
        ("trees", parser.parser_model),
        ("labels", parser.label_model),
    ):
        model.weights.freeze(*file.codes(name, len(model.weights)))
    keys = file.tensor("labels.seen.keys", np.uint64)
    try:
        parser.label_model.seen = (keys, file.tensor("labels.seen.labels", np.int32, len(keys)))
    except ValueError as error:
        raise file.fault(str(error)) from error
    return parser


def _settings(file: ModelFile, values: dict[str, Any]) -> Settings:
    checked = {
        f.name: file.checked(values.get(f.name), type(getattr(Settings(), f.name)), f.name)
        for f in fields(Settings)
    }
    try:
        return Settings(**checked)
    except TreatyError as error:
        raise file.fault(str(error)) from error


def _template_sets(file: ModelFile, value: object, what: str) -> dict[str, TemplateSet]:
    sets = {}
    for name, entry in file.checked(value, dict, what).items():
        parts = file.checked(entry, dict, name)
        templates, each = (
            file.texts(parts.get("templates"), name),
            file.texts(parts.get("each"), name),
        )
        sets[name] = TemplateSet(tuple(templates), tuple(each))
    return sets
