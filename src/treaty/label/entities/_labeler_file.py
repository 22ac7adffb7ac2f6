"""Entity labelers in model files."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from treaty.errors import ModelError, TreatyError
from treaty.features import TemplateSet
from treaty.label._crf import PatternCrf
from treaty.label._crf_file import crf_header
from treaty.label.entities._features import Features
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._kinds import kinds_of
from treaty.label.entities._labeler import EntityLabeler
from treaty.label.entities._settings import EntitySettings
from treaty.learn import Calibration, ModelFile, Texts, check_needs, needs, string_tensor
from treaty.parse import Clusters, Tagger
from treaty.text import scheme_named

__all__ = ["file_of_labeler", "labeler_of_file"]

CRF, CLUSTERS, GAZETTEERS = "crf", "clusters.", "gazetteers."
MOST_TYPES = 64


def file_of_labeler(labeler: EntityLabeler) -> ModelFile:
    """Return the contents of a labeler's model file."""
    features = labeler.features
    header: dict[str, Any] = {
        "types": labeler.types,
        "settings": asdict(labeler.settings),
        "templates": list(features.templates.templates),
        "gazetteers": features.gazetteers.names,
        "calibration": {"entity": labeler.calibration.to_list()},
        "needs": needs(*_needed(labeler.settings)),
        "info": labeler.info,
    }
    tensors = {
        "stop_words": string_tensor(sorted(labeler.stop_words)),
        **features.clusters.tensors(CLUSTERS),
        **features.gazetteers.tensors(GAZETTEERS),
    }
    file = ModelFile(EntityLabeler.task, {}, tensors).with_part(CRF, labeler.crf.to_file())
    # The labels and kinds of the CRF follow from types and settings, and are not stored.
    file = ModelFile(file.task, header, file.tensors)
    if labeler.own_tagger is not None:
        file = file.with_part(Tagger.task, labeler.own_tagger.to_file())
    return file


def labeler_of_file(file: ModelFile) -> EntityLabeler:
    """Make a labeler from the contents of a model file and validate it."""
    types, info = file.strings("types", Texts(1, MOST_TYPES)), file.info()
    try:
        settings = EntitySettings(**file.settings("settings", EntitySettings.ranges))
        own = Tagger.from_file(file.part(Tagger.task)) if Tagger.task in file.header else None
        features = Features(
            TemplateSet(tuple(file.strings("templates"))),
            clusters=Clusters.from_file(file, CLUSTERS),
            gazetteers=Gazetteers.from_file(file, GAZETTEERS, file.strings("gazetteers")),
            tagger=_tagger(file, settings, own),
        )
        crf = _crf(file, types, settings)
    except ModelError:
        raise
    except TreatyError as error:
        raise file.fault(error.message) from error
    stop_words = frozenset(file.string_list("stop_words"))
    made = EntityLabeler(
        types, settings, features, crf, own_tagger=own, stop_words=stop_words, info=info
    )
    made.calibration = Calibration.from_file(file, "entity", 1)
    return made


def _crf(file: ModelFile, types: list[str], settings: EntitySettings) -> PatternCrf:
    header = crf_header(scheme_named(settings.scheme).labels(types), kinds_of(settings, types))
    return PatternCrf.from_file(
        ModelFile(file.task, {CRF: header}, file.tensors, file.name).part(CRF)
    )


def _tagger(file: ModelFile, settings: EntitySettings, own: Tagger | None) -> Tagger | None:
    """Return the tagger, if the features use tags."""
    check_needs(file, *_needed(settings))
    if not settings.tags or own is not None:
        return own if settings.tags else None
    if settings.language_model is None:
        raise file.fault("the features use tags, but there is no tagger")
    return Tagger.load(settings.language_model)


def _needed(settings: EntitySettings) -> tuple[str, ...]:
    return () if settings.language_model is None else (settings.language_model,)
