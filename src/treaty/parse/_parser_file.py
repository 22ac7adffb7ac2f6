"""Parsers in model files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from treaty.errors import TreatyError, UsageError
from treaty.features import TemplateSet
from treaty.learn import ModelFile, Texts, pack_weights
from treaty.parse._clusters import Clusters
from treaty.parse._confidences import ParserCalibration
from treaty.parse._parser import Parser
from treaty.parse._parser_settings import ParserTemplates, Settings

__all__ = ["file_of_parser", "parser_of_file"]


def file_of_parser(parser: Parser) -> ModelFile:
    """Return the contents of a parser's model file: everything but the weights in the header."""
    header = {
        "settings": asdict(parser.settings),
        "labels": list(parser.labels),
        "templates": {
            "pruner": _written(parser.templates.pruner),
            "parser": _written(parser.templates.parser),
            "label": _written({"label": parser.templates.label}),
        },
        "info": parser.info,
        **parser.calibration.header(),
    }
    keys, labels = parser.label_model.seen
    first, second = parser.label_model.exclusions
    tensors = {
        **pack_weights("pruner", parser.pruner_model.weights.values),
        **pack_weights("trees", parser.parser_model.weights.values),
        **pack_weights("labels", parser.label_model.weights.values),
        "labels.seen.keys": keys,
        "labels.seen.labels": labels,
        "labels.exclusions.first": first,
        "labels.exclusions.second": second,
        **(parser.clusters.tensors() if parser.clusters is not None else {}),
    }
    return ModelFile(Parser.task, header, tensors)


def _written(sets: Mapping[str, TemplateSet]) -> dict[str, Any]:
    return {
        name: {"each": list(s.each), "templates": list(s.templates)} for name, s in sets.items()
    }


def parser_of_file(file: ModelFile, clusters: Clusters | None) -> Parser:
    """Make a parser from the contents of a model file and validate it."""
    settings = Settings(**file.settings("settings", Settings.ranges))
    labels = file.strings("labels", Texts(1))
    templates = file.value("templates", dict)
    sets = {
        name: _template_sets(file, templates.get(name), name)
        for name in ("pruner", "parser", "label")
    }
    if "label" not in sets["label"]:
        raise file.fault("the templates of labels are missing")
    try:
        parser = Parser(
            settings,
            ParserTemplates(sets["pruner"], sets["parser"], sets["label"]["label"]),
            labels,
            file.info(),
            clusters,
        )
    except (TreatyError, ValueError) as error:
        raise file.fault(f"not a valid parser: {error}") from error
    for name, model in (
        ("pruner", parser.pruner_model),
        ("trees", parser.parser_model),
        ("labels", parser.label_model),
    ):
        model.weights.freeze(*file.codes(name, len(model.weights)))
    parser.calibration = ParserCalibration.from_file(file)
    keys = file.tensor("labels.seen.keys", np.uint64)
    first = file.tensor("labels.exclusions.first", np.int32)
    second = file.tensor("labels.exclusions.second", np.int32, len(first))
    try:
        parser.label_model.exclusions = first, second
        parser.label_model.seen = (keys, file.tensor("labels.seen.labels", np.int32, len(keys)))
    except ValueError as error:
        raise file.fault(str(error)) from error
    return parser


def _template_sets(file: ModelFile, value: object, what: str) -> dict[str, TemplateSet]:
    sets = {}
    for name, entry in file.checked(value, dict, what).items():
        parts = file.checked(entry, dict, name)
        templates, each = (
            tuple(file.checked_strings(parts.get(key), name)) for key in ("templates", "each")
        )
        try:
            sets[name] = TemplateSet(templates, each)
        except UsageError as error:
            raise file.fault(error.message) from error
    return sets
