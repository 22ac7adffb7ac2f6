"""Parsers in files: what is saved comes back, and what no parser can have is refused."""

import json
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.parse.toy_parsers import random_sentence, randomize, toy_parser

from treaty.errors import ModelError
from treaty.learn import ModelFile
from treaty.parse import Parser

SENTENCES = [random_sentence(random.Random(seed), seed) for seed in range(1, 7)]


def random_parser(**settings: float) -> Parser:
    parser = toy_parser("third", bits=10, **settings)
    randomize(parser, 1)
    rng = np.random.default_rng(2)
    for model in (parser.pruner_model, parser.label_model):
        model.weights.values[:] = rng.normal(size=len(model.weights.values))
    parser.label_model.seen = (np.array([3, 3, 9], np.uint64), np.array([0, 2, 1], np.int32))
    return parser


@pytest.fixture(scope="module", name="file")
def _file() -> ModelFile:
    return random_parser().to_file()


def test_what_is_saved_comes_back(file: ModelFile) -> None:
    parser, loaded = random_parser(), Parser.from_file(file)
    assert loaded.settings == parser.settings and loaded.labels == parser.labels
    assert loaded.templates == parser.templates and loaded.info == parser.info
    for name in ("pruner_model", "parser_model", "label_model"):
        before, after = getattr(parser, name).weights.values, getattr(loaded, name).weights.values
        # 127 levels on each side of zero, wider apart the farther from it.
        assert np.abs(before - after).max() <= np.abs(before).max() / 100
    assert [a.tolist() for a in loaded.label_model.seen] == [[3, 3, 9], [0, 2, 1]]
    for ours, theirs in zip(parser.predict(SENTENCES), loaded.predict(SENTENCES), strict=True):
        assert theirs.objective == pytest.approx(ours.objective, abs=1.0)
    # Weights that have been rounded once are rounded to themselves.
    again = Parser.from_file(loaded.to_file())
    assert list(again.predict(SENTENCES)) == list(loaded.predict(SENTENCES))


def test_whole_thresholds_come_back() -> None:
    loaded = Parser.from_bytes(random_parser(threshold=0).to_bytes())
    assert loaded.settings.threshold == 0.0


SETTINGS = {
    "order": ["fourth", "", None, 3],
    "single_root": [1, "yes", None],
    "heads": [0, -1, 10.5, "10", 2**40, None, True],
    "threshold": [-1.0, 2.0, 1e300, True, "x"],
    "modifiers": [0, -1, 2**40],
    "iterations": [0, -5, 2**70],
    "pruner_bits": [0, -1, 11, 27, 64, 2**40],
    "parser_bits": [9, 30],
    "label_bits": [9, 30],
}
TEMPLATES = (
    None, [1], ["h.nonsense"], ["x.form"], ["h.form("], ["h+9.form"], ["h.suffix99999999999"],
    ["h.suffix0"],
)  # fmt: skip
REFUSED = [
    *[(f"settings {key}", value) for key, values in SETTINGS.items() for value in values],
    *[("settings", value) for value in ([], {}, None)],
    *[("labels", value) for value in ([], [1], "abc", {}, ["one"])],
    *[("templates", value) for value in ([], {}, {"pruner": {}})],
    *[("templates pruner", value) for value in ({}, {"arc": 1}, {"arc": {}})],
    *[("templates pruner arc templates", value) for value in TEMPLATES],
    *[("templates parser arc templates", value) for value in TEMPLATES],
    *[("templates parser arc each", value) for value in ([], [""] * 5, ["nonsense"], [1], "dir")],
    ("templates parser", {}),
    ("templates parser sibling", {"each": [""], "templates": ["between.form"]}),
    ("templates label label templates", ["between.form"]),
    ("info", []),
]


@pytest.mark.parametrize(("place", "value"), REFUSED)
def test_headers_that_no_parser_has_are_refused(file: ModelFile, place: str, value: Any) -> None:
    header = json.loads(json.dumps(file.header))
    *outer, last = place.split()
    entry = header
    for key in outer:
        entry = entry[key]
    assert last in entry
    entry[last] = value
    with pytest.raises(ModelError, match=r"p\.treaty: "):
        Parser.from_file(replace(file, header=header, name="p.treaty"))


HUGE = np.full(255, 3e38, np.float32)
TENSORS = {
    "labels.seen.labels": [np.array([0, 2, 3], np.int32), np.array([-1, 0, 0], np.int32)],
    "labels.seen.keys": [np.zeros(2, np.uint64), np.zeros(3), np.zeros((3, 1), np.uint64)],
    "trees.codes": [np.zeros(0, np.uint8), np.full(99, 255, np.uint8)],
    "trees.size": [np.array([2**62]), np.array([-1]), np.array([5]), np.zeros(0, np.int64)],
    "trees.levels": [np.zeros(3, np.float32), HUGE, -HUGE],
    "pruner.levels": [HUGE, HUGE * np.where(np.arange(255) % 2, 1, -1).astype(np.float32)],
    "labels.levels": [HUGE],
}


@pytest.mark.parametrize(("name", "tensor"), [(n, t) for n, ts in TENSORS.items() for t in ts])
def test_tensors_that_no_parser_has_are_refused(
    file: ModelFile, name: str, tensor: np.ndarray
) -> None:
    assert name in file.tensors
    with pytest.raises(ModelError, match=r"p\.treaty: "):
        Parser.from_file(replace(file, tensors={**file.tensors, name: tensor}, name="p.treaty"))
