"""Features of tokens: their names, and templates for columns."""

import numpy as np

from treaty._native import label as native
from treaty._native.features import text_hash
from treaty.label._tokens import template_reader, usual_templates


def hashes_of(token):
    features, begin, values = native.item_features([token])
    assert begin.tolist() == [0, len(features)]
    counts = values.tolist() or [1.0] * len(features)
    return dict(zip(features.tolist(), counts, strict=True))


def test_names_of_features_are_those_of_crfsuite():
    token = {
        "plain": 2.5, "text": "é", "yes": True, "no": False, "many": ["p", "q"],
        "inner": {"deep": "z", "number": -1, "more": {"last": 3}}, "count": np.float32(0.5),
    }  # fmt: skip
    names = {
        "plain": 2.5, "text=é": 1.0, "yes": 1.0, "many:p": 1.0, "many:q": 1.0,
        "inner:deep=z": 1.0, "inner:number": -1.0, "inner:more:last": 3.0, "count": 0.5,
    }  # fmt: skip
    assert hashes_of(token) == {text_hash(name): value for name, value in names.items()}


def test_usual_templates_see_neighbors_and_affixes():
    read = template_reader(usual_templates(["form", "b"]), ["form", "b"])

    def first(*tokens):
        features, begin, _ = read(tokens)
        return set(features[: begin[1]].tolist())

    plain = first(("running", "VBG"), ("fast", "RB"))
    assert plain == first(("running", "VBG"), ("fast", "RB"), ("x", "y"))
    for other in (("walking", "VBG"), ("running", "NN")):
        assert plain & first(other, ("fast", "RB"))
        assert plain != first(other, ("fast", "RB"))
    assert plain != first(("running", "VBG"), ("slow", "RB"))
