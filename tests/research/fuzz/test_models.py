"""A short run of the harnesses of model files, and what they and others once found."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from research.fuzz._run import judged
from research.fuzz.models import HARNESSES, trained
from treaty.errors import ModelError, UsageError
from treaty.learn import ModelFile, model_class, needs

HARNESS = {harness.name.removeprefix("model-"): harness for harness in HARNESSES}
INPUTS = 60


@cache
def contents(task: str) -> ModelFile:
    return ModelFile.from_bytes(trained(task)[0])


def changed(task: str, path: str, value: object) -> ModelFile:
    """Replace an entry of the header, such as ``settings.heads``."""
    file = contents(task)
    header = json.loads(json.dumps(file.header))
    *holders, last = path.split(".")
    place = header
    for key in holders:
        place = place[key]
    assert last in place, f"{task} files have no {path}"
    place[last] = value
    return ModelFile(task, header, file.tensors, "m.treaty")


@pytest.mark.parametrize("task", HARNESS)
def test_mutated_files_are_refused_or_work(task):
    harness, dice = HARNESS[task], random.Random(1)
    corpus = trained(task)
    assert judged(harness, corpus[0])[1] is None
    for _ in range(INPUTS):
        _, found, text = judged(harness, harness.mutate(dice, corpus, ()))
        assert found is None, text


@pytest.mark.parametrize(
    ("task", "path", "value"),
    [
        ("entities", "settings.most_in_group", 10**9),  # one giant group: hours
        ("entities", "settings.most_all_pairs", 10**9),
        ("entities", "settings.threshold", 10**18),
        ("entities", "templates", ["a" * 50_000]),  # quadratic in its length
        ("entities", "templates", ["w.form"] * 5000),
        ("entities", "templates", ["w.form " * 2000]),
        ("entities", "types", ["PER"] * 65),
        ("parser", "settings.heads", 2**31 - 1),
        ("parser", "settings.modifiers", 10**6),
        ("parser", "settings.iterations", 10**9),
        ("parser", "settings.threshold", 1e300),
        ("parser", "settings.single_root", 1),
        ("parser", "settings.parser_bits", 60),
        ("tagger", "upos.bits", 40),
        ("tagger", "upos.templates", [["w.form"] * 2000, [], []]),
        ("tagger", "columns", ["upos"] * 9),
        ("tokenizer", "templates", [[]] * 9),
        ("tokenizer", "bits", 10**18),
        ("threads", "calibration", {"link": [0.0, 1e300]}),  # infinite after a product
        ("threads", "calibration", {"link": [0.5]}),
        ("threads", "window", 10**9),
        ("threads", "posts", -1),
        ("threads", "order", "4d"),
        ("sequences", "columns", ["c"] * 2000),
        ("sequences", "crf.labels", ["a"] * 5000),
        ("sequences", "crf.kinds", []),
        ("summarizer", "concepts", 10**9),
        ("summarizer", "bits", 25),
        ("summarizer", "coverage", ["documents"] * 2000),
        ("grammar", "tags", []),
        ("grammar", "tags", ["N"] * 5000),
    ],
)
def test_everything_in_a_header_has_a_range(task, path, value):
    with pytest.raises(ModelError, match=r"^m\.treaty: "):
        model_class(task).from_file(changed(task, path, value))


def test_patterns_of_another_size_than_their_factors_are_refused():
    file = contents("threads")
    header = json.loads(json.dumps(file.header))
    names = [family["name"] for family in header["families"]]
    header["families"][names.index("targets")]["directions"] = []
    with pytest.raises(ModelError, match="targets: expected patterns of 1 labels"):
        model_class("threads").from_file(ModelFile("threads", header, file.tensors))


# Other models, by name and content


@pytest.mark.parametrize(
    "name", ["/dev/zero", "../x", "./english", "english.treaty", "danish", "", "\0", "/etc/passwd"]
)
@pytest.mark.parametrize(
    ("task", "path"), [("summarizer", "parser"), ("entities", "settings.language_model")]
)
def test_files_name_installed_models_alone(task, path, name):
    header = {**changed(task, path, name).header, "needs": {name: "0" * 64}}
    with pytest.raises(ModelError, match="is not installed"):
        model_class(task).from_file(ModelFile(task, header, contents(task).tensors))


@pytest.mark.parametrize(
    ("task", "path"), [("summarizer", "parser"), ("entities", "settings.language_model")]
)
def test_another_content_of_an_installed_model_is_refused(task, path):
    file = changed(task, path, "english")
    for needed, match in (
        ({"english": "0" * 64}, "needs another version of the model 'english'"),
        ({}, "needs: expected english"),
        ({"english": None}, "another version"),
        ({**needs("english"), "x": ""}, "needs: expected english"),
        (None, "needs: expected dict"),
    ):
        wrong = ModelFile(task, {**file.header, "needs": needed}, file.tensors)
        with pytest.raises(ModelError, match=match):
            model_class(task).from_file(wrong)
    right = ModelFile(task, {**file.header, "needs": needs("english")}, file.tensors)
    assert model_class(task).from_file(right).to_file().header["needs"] == needs("english")


@pytest.mark.parametrize("name", ["/etc/x", "../tagsets/coarse3", "x.toml", "/tmp/t.toml", ""])
def test_grammars_name_tagsets_of_treaty_alone(name):
    with pytest.raises(ModelError, match="tagset: expected one of upos, xpos, "):
        model_class("grammar").from_file(changed("grammar", "tagset", name))


def test_a_user_gives_no_limits_away():
    with pytest.raises(UsageError, match="most_in_group: expected an integer from 1 to 1024"):
        model_class("entities").train(
            model_class("entities").sample().examples, most_in_group=10**9, language_model=None
        )
