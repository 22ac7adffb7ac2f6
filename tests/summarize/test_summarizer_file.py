"""What model files hold of summarizers, and what they do not; see `treaty.testing` for the rest."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from treaty.errors import ModelError, UsageError
from treaty.learn import ModelFile, model_path
from treaty.parse import Pipeline
from treaty.summarize import Rules, Summarizer, phrases


@cache
def summarizer() -> Summarizer:
    sample = Summarizer.sample()
    made = Summarizer.train(sample.examples, **sample.options)
    return Summarizer.from_bytes(made.to_bytes())


@cache
def pipeline() -> Pipeline:
    sample = Pipeline.sample()
    return Pipeline.train(sample.examples, **sample.options)


def test_the_summarizer_that_comes_with_treaty_is_saved_as_it_was() -> None:
    shipped = Summarizer.load()
    assert (shipped.language, shipped.parser) == ("en", "english")
    assert shipped.to_bytes() == model_path("summarizer").read_bytes()


def test_what_a_file_does_not_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.treaty"
    for field, own in (
        ("parser", pipeline()),
        ("parser", "other.treaty"),
        ("parser", model_path("english")),
        ("concepts", phrases(["big boats"], str)),
        ("rules", Rules()),
    ):
        with pytest.raises(UsageError, match=rf"your own {field}: save .*{field}="):
            replace(summarizer(), **{field: own}).save(path)
    with pytest.raises(UsageError, match="learned weights"):
        Summarizer().save(path)
    assert not path.exists()
    replace(summarizer(), rules=Rules.load()).save(path)
    assert path.read_bytes() == summarizer().to_bytes()


@pytest.mark.parametrize("parser", ["english.treaty", "/dev/zero", "elvish", "x" * 5000, "\0"])
def test_files_name_installed_parsers_only(parser: str) -> None:
    file = summarizer().to_file()
    header = json.loads(json.dumps({**file.header, "parser": parser}))
    with pytest.raises(ModelError, match=r"which is not installed|expected a string"):
        Summarizer.from_file(ModelFile(file.task, header, file.tensors))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bits", 40),
        ("coverage", ["color"]),
        ("coverage", []),
        ("arcs", ["m.color"]),
        ("arcs", []),
        ("language", "elvish"),
        ("concepts", "words"),
        ("concepts", True),
    ],
)
def test_what_no_summarizer_has_is_refused(key: str, value: object) -> None:
    file = summarizer().to_file()
    with pytest.raises(ModelError):
        Summarizer.from_file(ModelFile(file.task, {**file.header, key: value}, file.tensors))


def test_pickles_keep_what_files_do_not() -> None:
    own = replace(summarizer(), parser=pipeline(), rules=Rules())
    text = "The cat sees a dog."
    for made in (pickle.loads(pickle.dumps(own)), copy.deepcopy(own)):
        assert made.parser.to_bytes() == pipeline().to_bytes()
        assert made.rules == Rules()
        assert replace(made, parser=None, rules=None).to_bytes() == summarizer().to_bytes()
        assert [s.text for s in made.compress(text)] == [s.text for s in own.compress(text)]
    simple = pickle.loads(pickle.dumps(Summarizer(parser="other.treaty", language="fr")))
    assert (simple.scorer, simple.parser, simple.language) == (
        Summarizer().scorer, "other.treaty", "fr",
    )  # fmt: skip
