"""What the file of a graph model holds, and what it may not hold."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.learn.toy_graph_model import Picker, baskets

from treaty.errors import ModelError, UsageError
from treaty.learn import HashedLinear, ModelFile
from treaty.learn._graph_model import (
    checked_tables,
    read_settings,
    read_tables,
    read_templates,
    read_weights,
    table_tensors,
    weight_tensors,
)

EXAMPLES, FAST = baskets(12), {"bits": 12, "epochs": 3}


def file(header=None, tensors=None):
    return ModelFile("toy", header or {}, tensors or {})


@given(weights=arrays(np.float32, 16, elements=st.sampled_from([0.0, 0.5, -2.0])))
def test_weights_that_are_not_zero_come_back(weights):
    tensors = weight_tensors(weights)
    assert len(tensors["weights.places"]) == np.count_nonzero(weights)
    assert np.array_equal(read_weights(file(tensors=tensors), HashedLinear(4)), weights)


@pytest.mark.parametrize(
    ("places", "values"),
    [
        ([0, 0], [1, 1]),
        ([1, 0], [1, 1]),
        ([-1, 0], [1, 1]),
        ([0, 16], [1, 1]),
        ([0], [2e9]),
        ([0], [-2e9]),
        ([0, 1], [1]),
    ],
)
def test_weights_that_do_not_fit_are_refused(places, values):
    tensors = {
        "weights.places": np.array(places, np.int32),
        "weights.values": np.array(values, np.float32),
    }
    with pytest.raises(ModelError, match="weights"):
        read_weights(file(tensors=tensors), HashedLinear(4))
    assert (
        read_weights(file(tensors=weight_tensors(np.zeros(16, np.float32))), HashedLinear(4)).sum()
        == 0
    )


@given(table=st.dictionaries(st.text("abc ü", max_size=3), st.floats(-9, 9), max_size=5))
def test_tables_come_back_in_the_order_of_their_keys(table):
    made = checked_tables({"x": table, "y": {}}, ["x", "y"])
    assert list(made["x"]) == sorted(table)
    assert read_tables(file(tensors=table_tensors(made)), ["x", "y"]) == made


def test_tables_with_keys_in_disorder_are_refused():
    for keys in ({"b": 1.0, "a": 2.0}, {"a": 1.0}):
        tensors = table_tensors({"x": keys})
        if len(keys) == 1:
            tensors["table.x.values"] = np.zeros(2)
        with pytest.raises(ModelError, match=r"ascending keys|expected a vector of 1"):
            read_tables(file(tensors=tensors), ["x"])


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({}, "declares 'colors'"),
        ({"colors": {}, "more": {}}, "returned the tables 'colors', 'more'"),
        ({"colors": {"a\nb": 1.0}}, "strings without line breaks"),
        ({"colors": {"a": math.inf}}, "finite numbers"),
        ({"colors": {1: 1.0}}, "finite numbers"),
    ],
)
def test_tables_that_no_file_can_hold_are_refused(monkeypatch, tables, message):
    monkeypatch.setattr(Picker, "count", lambda self, examples: tables)
    with pytest.raises(UsageError, match=message):
        Picker.train(EXAMPLES, **FAST)


def test_templates_are_lists_of_strings_by_kind():
    assert read_templates(file({"templates": {"a": ["x", "y"], "b": []}})) == {
        "a": ("x", "y"), "b": (),
    }  # fmt: skip
    for wrong in ([], {"a": "x"}, {"a": [1]}):
        with pytest.raises(ModelError, match="templates"):
            read_templates(file({"templates": wrong}))


def test_settings_are_those_that_have_defaults_and_of_their_types():
    defaults = {"most": 3, "share": 0.5}
    assert read_settings(file({"settings": {"most": 1, "share": 2.0}}), defaults) == {
        "most": 1, "share": 2.0,
    }  # fmt: skip
    for wrong in ({}, {"most": 1}, {**defaults, "x": 1}, {"most": True, "share": 0.5}):
        with pytest.raises(ModelError, match="settings"):
            read_settings(file({"settings": wrong}), defaults)
