"""Learning: the loop over epochs, checkpoints, and the files that models live in."""

from treaty.learn._loop import Learner, fit
from treaty.learn._model_file import ModelFile, describe, load_model, save_model
from treaty.learn._multi_task import (
    MultiTaskSvm,
    SparseVector,
    Task,
    TaskWeights,
    Violation,
    hinge_loss,
)
from treaty.learn._packing import pack_weights
from treaty.learn._weights import WeightsLearner, mean_of_trainings

__all__ = [
    "Learner",
    "ModelFile",
    "MultiTaskSvm",
    "SparseVector",
    "Task",
    "TaskWeights",
    "Violation",
    "WeightsLearner",
    "describe",
    "fit",
    "hinge_loss",
    "load_model",
    "mean_of_trainings",
    "pack_weights",
    "save_model",
]
