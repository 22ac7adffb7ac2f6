"""Parsers in files: what is saved comes back, what is damaged is refused."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.toy_parsers import random_sentence, randomize, toy_parser

from treaty.corpus import Sentence
from treaty.errors import ModelError
from treaty.learn import load_model, save_model
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


@pytest.fixture(scope="module", name="saved")
def _saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parser") / "parser.treaty"
    random_parser().save(path)
    return path


def test_what_is_saved_comes_back(saved: Path, tmp_path: Path) -> None:
    parser, loaded = random_parser(), Parser.load(saved)
    assert loaded.settings == parser.settings and loaded.labels == parser.labels
    assert loaded.templates == parser.templates and loaded.header() == parser.header()
    for name in ("pruner_model", "parser_model", "label_model"):
        before, after = getattr(parser, name).weights.values, getattr(loaded, name).weights.values
        # 127 levels on each side of zero, wider apart the farther from it.
        assert np.abs(before - after).max() <= np.abs(before).max() / 100
    assert [a.tolist() for a in loaded.label_model.seen] == [[3, 3, 9], [0, 2, 1]]
    for ours, theirs in zip(parser.predict(SENTENCES), loaded.parse(SENTENCES), strict=True):
        assert theirs.objective == pytest.approx(ours.objective, abs=1.0)
    # Weights that have been rounded once are rounded to themselves.
    loaded.save(tmp_path / "again.treaty")
    again = Parser.load(tmp_path / "again.treaty")
    assert list(again.parse(SENTENCES)) == list(loaded.parse(SENTENCES))


def test_whole_thresholds_come_back(tmp_path: Path) -> None:
    random_parser(threshold=0).save(tmp_path / "p.treaty")
    assert Parser.load(tmp_path / "p.treaty").settings.threshold == 0.0


def loads_and_parses(path: Path) -> None:
    """A file is refused, or what it holds parses: nothing else may happen."""
    try:
        parser = Parser.load(path)
    except ModelError as error:
        assert str(path) in str(error)
        return
    for parse in parser.predict([*SENTENCES, Sentence([])]):
        assert all(0 <= token.head <= len(parse.sentence) for token in parse.sentence.tokens)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_files_are_refused(saved: Path, data: st.DataObject) -> None:
    contents = bytearray(saved.read_bytes())
    size = 8 + int.from_bytes(contents[:8], "little")
    if data.draw(st.booleans(), "cut"):
        contents = contents[: data.draw(st.integers(0, len(contents) - 1))]
    for _ in range(data.draw(st.integers(0, 3), "changes")):
        end = data.draw(st.sampled_from([min(size, len(contents)), len(contents)]))
        if end:
            contents[data.draw(st.integers(0, end - 1))] = data.draw(st.integers(0, 255))
    damaged = saved.with_name("damaged.treaty")
    damaged.write_bytes(contents)
    loads_and_parses(damaged)


def set_at(*keys: str) -> Callable[[dict[str, Any], Any], None]:
    def change(header: dict[str, Any], value: Any) -> None:
        for key in keys[:-1]:
            header = header[key]
        header[keys[-1]] = value

    return change


SETTINGS = {
    "order": ["fourth", "", None, 3],
    "single_root": [1, "yes", None],
    "heads": [0, -1, 10.5, "10", 2**40, None, True],
    "threshold": [-1.0, 2.0, 1e300, 1, "x"],
    "modifiers": [0, -1, 2**40],
    "iterations": [0, -5, 2**70],
    "pruner_bits": [0, -1, 11, 27, 64, 2**40],
    "parser_bits": [9, 30],
    "label_bits": [9, 30],
}
HOSTILE = [
    *[(set_at("settings", key), value) for key, values in SETTINGS.items() for value in values],
    *[(set_at("settings"), value) for value in ([], {}, None)],
    *[(set_at("labels"), value) for value in ([], [1], "abc", {}, ["one"])],
    *[(set_at("templates"), value) for value in ([], {}, {"pruner": {}})],
    *[(set_at("templates", "pruner"), value) for value in ({}, {"arc": 1}, {"arc": {}})],
    *[
        (set_at("templates", which, "arc", "templates"), value)
        for which in ("pruner", "parser")
        for value in (None, [1], ["h.nonsense"], ["x.form"], ["h.form("], ["h+9.form"],
                      ["h.suffix99999999999"], ["h.suffix0"], ["\ud800"])
    ],
    *[
        (set_at("templates", "parser", "arc", "each"), value)
        for value in ([], [""] * 5, ["nonsense"], [1], "dir")
    ],
    (set_at("templates", "parser"), {}),
    (set_at("templates", "parser", "sibling"), {"each": [""], "templates": ["between.form"]}),
    (set_at("templates", "label", "label", "templates"), ["between.form"]),
    (set_at("info"), []),
]  # fmt: skip


@pytest.mark.parametrize(("change", "value"), HOSTILE)
def test_hostile_headers_are_refused(
    saved: Path, change: Callable[[dict[str, Any], Any], None], value: Any, tmp_path: Path
) -> None:
    model = load_model(saved)
    header = json.loads(json.dumps(dict(model.header)))
    change(header, value)
    path = tmp_path / "hostile.treaty"
    try:
        save_model(path, task="parser", header=header, tensors=model.tensors)
    except UnicodeEncodeError:
        return  # such a file cannot be written
    with pytest.raises(ModelError):
        Parser.load(path)


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
def test_hostile_tensors_are_refused(
    saved: Path, name: str, tensor: np.ndarray, tmp_path: Path
) -> None:
    model, path = load_model(saved), tmp_path / "hostile.treaty"
    header = dict(model.header)
    save_model(path, task="parser", header=header, tensors={**model.tensors, name: tensor})
    with pytest.raises(ModelError, match=path.name):
        Parser.load(path)


def test_other_models_are_refused(tmp_path: Path) -> None:
    save_model(tmp_path / "tagger.treaty", task="tagger", header={}, tensors={})
    with pytest.raises(ModelError, match="a model for 'tagger'"):
        Parser.load(tmp_path / "tagger.treaty")
    with pytest.raises(ModelError, match="cannot be read"):
        Parser.load(tmp_path / "nothing.treaty")
