"""Entity labelers in model files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, Any

from treaty.corpus import scheme_named
from treaty.errors import ModelError, TreatyError
from treaty.features import TemplateSet
from treaty.label._crf import PatternCrf
from treaty.label.entities._features import Features
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._kinds import chain_kinds, phrase_kinds
from treaty.label.entities._labeler import EntityLabeler
from treaty.label.entities._settings import EntitySettings
from treaty.learn import ModelFile, load_model, save_model
from treaty.parse import Clusters, Tagger, model_path
from treaty.parse._texts import text_tensor, texts_of

__all__ = ["load_labeler", "save_labeler"]

TASK = "entities"
MOST_TYPES = 64


def save_labeler(labeler: EntityLabeler, path: str | Path) -> None:
    """Write a labeler to a model file."""
    features = labeler.features
    header = {
        "types": labeler.types,
        "settings": asdict(labeler.settings),
        "templates": list(features.templates.templates),
        "gazetteers": features.gazetteers.names,
        "info": labeler.info,
    }
    tensors = {
        "stop_words": text_tensor(sorted(labeler.stop_words)),
        **features.clusters.tensors("clusters."),
        **features.gazetteers.tensors("gazetteers."),
        **labeler.crf.tensors("crf."),
    }
    save_model(path, task=TASK, header=header, tensors=tensors)


def load_labeler(name: str | Path | IO[bytes]) -> EntityLabeler:
    """Read a labeler from a model file, checking everything."""
    origin = model_path(name) if isinstance(name, str | Path) else name
    file = load_model(origin, task=TASK)
    types = file.texts(file.header.get("types"), "types")
    if not 1 <= len(types) <= MOST_TYPES:
        raise file.fault(f"types: expected 1 to {MOST_TYPES}, found {len(types)}")
    info = file.value("info", dict)
    try:
        settings = _settings(file, file.value("settings", dict))
        templates = TemplateSet(tuple(file.texts(file.header.get("templates"), "templates")))
        features = Features(
            templates,
            clusters=Clusters.from_file(file, "clusters."),
            gazetteers=Gazetteers.from_file(
                file, "gazetteers.", file.texts(file.header.get("gazetteers"), "gazetteers")
            ),
            tagger=_tagger(settings),
        )
        crf = PatternCrf.from_tensors(file, _crf_header(types, settings), "crf.")
    except ModelError:
        raise
    except TreatyError as error:
        raise file.fault(error.message) from error
    stop_words = frozenset(texts_of(file, "stop_words"))
    return EntityLabeler(types, settings, features, crf, stop_words=stop_words, info=info)


def _crf_header(types: list[str], settings: EntitySettings) -> dict[str, Any]:
    """Make the kinds anew: they follow from types and settings, and the file cannot contradict."""
    scheme = scheme_named(settings.scheme)
    kinds = chain_kinds(scheme, types)
    if settings.order == "global":
        kinds += phrase_kinds(scheme, types, settings.longest_phrase)
    entries = [
        {"name": kind.name, "patterns": _lists(kind.patterns), "forbidden": _lists(kind.forbidden)}
        for kind in kinds
    ]
    return {"labels": scheme.labels(types), "kinds": entries}


def _lists(patterns: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(pattern) for pattern in patterns]


def _settings(file: ModelFile, entry: Mapping[str, Any]) -> EntitySettings:
    usual = EntitySettings()
    kinds: dict[str, tuple[type, ...]] = {
        field.name: (type(getattr(usual, field.name)),) for field in fields(EntitySettings)
    }
    kinds["language_model"] = (str, type(None))
    if set(entry) != set(kinds):
        raise file.fault("settings: not those of an entity labeler")
    for name, value in entry.items():
        if type(value) not in kinds[name]:
            raise file.fault(f"settings: {name} is a {type(value).__name__}")
    return EntitySettings(**entry)


def _tagger(settings: EntitySettings) -> Tagger | None:
    return Tagger.load(model_path(settings.language_model or "")) if settings.tags else None
