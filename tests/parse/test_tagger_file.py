"""Taggers in model files: what is read is what was written, and nothing hostile gets through."""

import io
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import ModelError
from treaty.corpus import Sentence, Token
from treaty.learn import load_model, save_model
from treaty.parse import Tagger

WORDS = [Token("the", upos="DET", xpos="DT"), Token("cat", upos="NOUN", xpos="NN")]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.treaty"
    sentences = [Sentence(list(WORDS)) for _ in range(120)]
    info = {"language": "en", "license": "CC BY-SA 4.0"}
    Tagger.train(sentences, columns=("upos", "xpos"), epochs=1, bits=8, info=info).save(path)
    return path


def test_what_is_written_is_read(path, tmp_path):
    tagger = Tagger.load(path)
    assert tagger.columns == ("upos", "xpos")
    assert tagger.info["license"] == "CC BY-SA 4.0"
    made = tagger.tag_one(Sentence.from_words(["the", "cat"]))
    assert [(t.upos, t.xpos) for t in made] == [("DET", "DT"), ("NOUN", "NN")]
    tagger.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def changed(path, target, change):
    """Write the model again after a change of its header and tensors."""
    model = load_model(path)
    header, tensors = json.loads(json.dumps(model.header)), dict(model.tensors)
    change(header, tensors)
    save_model(target, task="tagger", header=header, tensors=tensors)
    return target


def put(name, value, column=0):
    return lambda header, tensors: header["columns"][column].__setitem__(name, value)


def tensor(name, value):
    def change(header, tensors):
        if value is None:
            del tensors[f"tagger.upos.{name}"]
        else:
            tensors[f"tagger.upos.{name}"] = value

    return change


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (put("column", "form"), "the column 'form' cannot be filled"),
        (put("column", "upos", 1), "the column 'upos' cannot be filled"),
        (put("earlier", ["feats"]), "cannot be filled"),
        (put("earlier", None), "earlier: expected list"),
        (put("tags", []), "tags, bits or templates"),
        (put("tags", ["DET"]), "not the classes of 1 tags"),
        (put("tags", ["DET", 7]), "tags: expected a list of texts"),
        (put("bits", 63), "tags, bits or templates"),
        (put("bits", 9), "expected 512 weights, found 256"),
        (put("templates", []), "tags, bits or templates"),
        (put("templates", [["w.form", "nonsense"], [""], [""]]), "'nonsense' is no atom"),
        (put("templates", [["w+9.form"], [""], [""]]), "offsets go to 4"),
        (put("templates", [["w.deprel"], [""], [""]]), "no column 'deprel'"),
        (put("templates", [["h.form"], [""], [""]]), "no role 'h'"),
        (put("templates", 3), "templates: expected list"),
        (lambda header, _: header.__setitem__("columns", []), "fills no column"),
        (lambda header, _: header.__setitem__("columns", [3]), "columns: expected dict"),
        (lambda header, _: header.pop("info"), "info: expected dict"),
        (tensor("known", np.array([0xFF, 10], np.uint8)), "known: not UTF-8"),
        (tensor("known", None), "no tensor tagger.upos.known"),
        (tensor("words.class", np.array([0], np.int32)), "expected a list of 2 int32"),
        (tensor("words.class", np.array([0, 9], np.int32)), "a class that is not there"),
        (tensor("classes.begin", np.array([0, 0], np.int32)), "not the classes"),
        (tensor("classes.begin", np.array([0, 2, 2, 4], np.int32)), "a class without tags"),
        (tensor("classes.tags", np.array([0, 1, 0, -1], np.int32)), "not the classes of 2 tags"),
    ],
)
def test_models_that_are_refused(path, tmp_path, change, match):
    with pytest.raises(ModelError, match=match):
        Tagger.load(changed(path, tmp_path / "m", change))


def test_models_for_other_tasks_are_refused(tmp_path):
    save_model(tmp_path / "m", task="parser", header={}, tensors={})
    with pytest.raises(ModelError, match="a model for 'parser'; it has no tagger"):
        Tagger.load(tmp_path / "m")


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_damaged_models_are_refused_or_tag(path, data):
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place] ^= 1 << data.draw(st.integers(0, 7))
    try:
        tagger = Tagger.load(io.BytesIO(bytes(raw)))
    except ModelError:
        return
    assert len(tagger.tag_one(Sentence.from_words(["the", "cat"]))) == 2
