"""Learning: the model interface, training loop, checkpoints, model files and their registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treaty._lazy import imported
from treaty.learn._calibration import Calibration, logit
from treaty.learn._loop import Learner, TrainOptions, checkpoint_of, fit, remove_checkpoints
from treaty.learn._model import Model, ModelScores, Sample
from treaty.learn._model_file import ModelFile, string_tensor
from treaty.learn._packing import pack_weights, rows_to_keep
from treaty.learn._parts import Parts
from treaty.learn._ranges import Flag, Int, OneOf, Optional, Range, Real, Text, Texts, check_ranges
from treaty.learn._registry import (
    InstalledModel,
    check_needs,
    is_installed,
    load,
    model_class,
    model_path,
    models,
    needs,
    tasks,
)
from treaty.learn._weights import WeightsLearner, mean_of_trainings, restored_count

if TYPE_CHECKING:
    from treaty.learn._graph_model import GraphModel
    from treaty.learn._learners import LearnerOptions, TrainedScorer, train_scorer
    from treaty.learn._multi_task import (
        MultiTaskSvm,
        SparseVector,
        Task,
        TaskWeights,
        Violation,
        hinge_loss,
    )
    from treaty.learn._part_problem import PartGraph, Prediction
    from treaty.learn._scorers import Dense, HashedLinear, Scorer
    from treaty.learn._structure import Decoding, PartList, Structure

__all__ = [
    "Calibration",
    "Decoding",
    "Dense",
    "Flag",
    "GraphModel",
    "HashedLinear",
    "InstalledModel",
    "Int",
    "Learner",
    "LearnerOptions",
    "Model",
    "ModelFile",
    "ModelScores",
    "MultiTaskSvm",
    "OneOf",
    "Optional",
    "PartGraph",
    "PartList",
    "Parts",
    "Prediction",
    "Range",
    "Real",
    "Sample",
    "Scorer",
    "SparseVector",
    "Structure",
    "Task",
    "TaskWeights",
    "Text",
    "Texts",
    "TrainOptions",
    "TrainedScorer",
    "Violation",
    "WeightsLearner",
    "check_needs",
    "check_ranges",
    "checkpoint_of",
    "fit",
    "hinge_loss",
    "is_installed",
    "load",
    "logit",
    "mean_of_trainings",
    "model_class",
    "model_path",
    "models",
    "needs",
    "pack_weights",
    "remove_checkpoints",
    "restored_count",
    "rows_to_keep",
    "string_tensor",
    "tasks",
    "train_scorer",
]

_HOMES = {
    "treaty.learn._graph_model": ["GraphModel"],
    "treaty.learn._multi_task": [
        "MultiTaskSvm",
        "SparseVector",
        "Task",
        "TaskWeights",
        "Violation",
        "hinge_loss",
    ],
    "treaty.learn._learners": ["LearnerOptions", "TrainedScorer", "train_scorer"],
    "treaty.learn._part_problem": ["PartGraph", "Prediction"],
    "treaty.learn._scorers": ["Dense", "HashedLinear", "Scorer"],
    "treaty.learn._structure": ["Decoding", "PartList", "Structure"],
}
"""What is imported when it is first used."""


def __getattr__(name: str) -> Any:
    return imported(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
