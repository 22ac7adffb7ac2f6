"""A tagger for one column: how it chooses, and what it reads and refuses in a file."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.tag_reference import Toy, toys
from tests.parse.tagged import sentences

from treaty import ModelError
from treaty._native import parse as native
from treaty.learn import ModelFile
from treaty.parse import Tagger
from treaty.parse import _column_tagger as module
from treaty.text import Sentence, Token


@settings(deadline=None, max_examples=60)
@given(toy=toys(), threads=st.integers(1, 3))
def test_the_answer_is_the_best_of_all_taggings(toy, threads):
    found = iter(native.tag(toy.model, toy.sequences, toy.choices, threads).tolist())
    for s, forms in enumerate(toy.texts):
        assert tuple(next(found) for _ in forms) == toy.best(s)


@pytest.mark.parametrize(
    ("class_of", "tags", "begin", "match"),
    [
        ([0], [0], [0, 1], "a class for every item"),
        ([0, 1], [0], [0, 1], "the index of a class is out of range"),
        ([0, 0], [0], [0, 0, 1], "a class has no tags"),
        ([0, 0], [0], [0, 2], "cover"),
        ([0, 0], [-1], [0, 1], "the index of a tag is out of range"),
    ],
)
def test_choices_that_make_no_sense_are_refused(class_of, tags, begin, match):
    toy = Toy([["a", "b"]], [[[0], [0]]], 1)
    arrays = [np.array(values, np.int32) for values in (class_of, tags, begin)]
    with pytest.raises(ValueError, match=match):
        native.TagChoices(toy.sequences, *arrays)


def test_tags_beyond_the_model_and_gold_beyond_the_choices_are_refused():
    toy, other = Toy([["a", "b"]], [[[0], [0]]], 1), Toy([["a", "b"]], [[[0, 1], [0]]], 2)
    with pytest.raises(ValueError, match="a tag that is not there"):
        native.tag(toy.model, other.sequences, other.choices)
    with pytest.raises(ValueError, match="not among the choices"):
        native.train_tagger(
            other.model, other.sequences, other.choices, np.array([0, 1], np.int32),
            np.array([0], np.int32), 0.1,
        )  # fmt: skip


def test_looking_up_many_words_does_not_fill_the_memory():
    tagger = Tagger.train(sentences(9), epochs=1, bits=8)
    column = tagger.taggers[0]
    column._looked_up.update({f"w{i}": ("?", 0, "", "") for i in range(2**17 + 1)})
    list(tagger.predict([Sentence.from_words(["new"])]))
    assert len(column._looked_up) == 1


def test_tokens_are_copied_and_filled():
    column = Tagger.train(sentences(9), epochs=1, bits=8).taggers[0]
    given_ = [Sentence([Token("the", "The", upos="X", xpos="Y")], ["# c"]), Sentence()]
    (made, empty) = module.tagged([column], given_, 1)
    assert given_[0].tokens[0].upos == "X"
    assert made.tokens == [Token("the", "The", upos="DET", xpos="Y")]
    assert (made.comments, len(empty)) == (["# c"], 0)


# Files


@pytest.fixture(scope="module")
def file():
    words = [Token("the", upos="DET", xpos="DT"), Token("cat", upos="NOUN", xpos="NN")]
    train = [Sentence(list(words)) for _ in range(120)]
    return Tagger.train(train, columns=("upos", "xpos"), epochs=1, bits=8).to_file()


def put(name, value, column="upos"):
    return lambda header, tensors: header[column].__setitem__(name, value)


def tensor(name, value):
    def change(header, tensors):
        assert f"upos.{name}" in tensors
        if value is None:
            del tensors[f"upos.{name}"]
        else:
            tensors[f"upos.{name}"] = value

    return change


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (put("column", "form"), "column: expected one of upos, xpos, feats"),
        (put("column", "upos", "xpos"), "not a valid order of columns at 'upos'"),
        (put("earlier", ["feats"]), "not a valid order of columns"),
        (put("earlier", None), "earlier: expected a list"),
        (put("tags", []), "tags: expected a list of strings .1 to"),
        (put("tags", ["DET"]), "classes.tags: expected numbers from 0 to 0"),
        (put("tags", ["DET", 7]), "tags: expected a list of strings"),
        (put("bits", 63), "bits: expected an integer from 1 to 26"),
        (put("bits", 9), "expected 512 weights, found 256"),
        (put("templates", []), "templates: expected 3 lists, found 0"),
        (put("templates", [["w.form", "nonsense"], [""], [""]]), "'nonsense' is no atom"),
        (put("templates", [["w+9.form"], [""], [""]]), "offsets go to 4"),
        (put("templates", [["w.deprel"], [""], [""]]), "no column 'deprel'"),
        (put("templates", [["h.form"], [""], [""]]), "no role 'h'"),
        (put("templates", 3), "templates: expected list"),
        (
            lambda header, _: header.__setitem__("columns", []),
            "columns: expected a list",
        ),
        (
            lambda header, _: header.__setitem__("columns", [3]),
            "columns: expected a list of strings",
        ),
        (lambda header, _: header.__setitem__("columns", ["feats"]), "feats: expected dict"),
        (
            lambda header, _: header.__setitem__("upos", header["xpos"]),
            "not a valid order of columns at 'xpos'",
        ),
        (lambda header, _: header.pop("info"), "info: expected dict"),
        (tensor("known", np.array([0xFF, 10], np.uint8)), "known: not valid UTF-8"),
        (tensor("known", None), "no tensor known"),
        (tensor("words.class", np.array([0], np.int32)), "expected a vector of 2 int32"),
        (
            tensor("words.class", np.array([0, 9], np.int32)),
            "words.class: expected numbers",
        ),
        (tensor("classes.begin", np.array([0, 0], np.int32)), "not valid classes"),
        (tensor("classes.begin", np.array([0, 2, 2, 4], np.int32)), "a class has no tags"),
        (
            tensor("classes.tags", np.array([0, 1, 0, -1], np.int32)),
            "tags: expected numbers from 0",
        ),
    ],
)
def test_files_that_are_refused(file, change, match):
    header, tensors = json.loads(json.dumps(file.header)), dict(file.tensors)
    change(header, tensors)
    with pytest.raises(ModelError, match=match):
        Tagger.from_file(replace(file, header=header, tensors=tensors))


def test_a_file_without_any_templates_works():
    train = sentences(4)
    file = Tagger.train(train, epochs=1, bits=8).to_file()
    header = {**file.header, "upos": {**file.header["upos"], "templates": [[], [], []]}}
    bare = Tagger.from_file(ModelFile(file.task, header, file.tensors))
    assert all(
        len(found) == len(given) for given, found in zip(train, bare.predict(train), strict=True)
    )
