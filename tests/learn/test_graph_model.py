"""Models of one's own: learners against brute force, and all that comes with the base class."""

from __future__ import annotations

import io
import itertools
import json

import numpy as np
import pytest
from tests.learn.toy_graph_model import (
    MOST,
    Basket,
    Picker,
    allowed,
    baskets,
    model_score,
)

from treaty import InputError, Status, UsageError
from treaty.learn import GraphModel, Parts, Sample
from treaty.learn import _graph_model as graph_model

EXAMPLES = baskets(12)
OTHERS = baskets(5, seed=1)
FAST = {"bits": 12, "epochs": 3}


# Prediction


@pytest.fixture(scope="module", name="model")
def _model() -> Picker:
    return Picker.train(EXAMPLES, bits=12)


@pytest.mark.parametrize("method", ["ad3", "exact", "ilp", "exhaustive"])
@pytest.mark.parametrize("threads", [1, 3])
def test_predictions_are_the_best_assignments(model, method, threads):
    inputs = iter([*OTHERS, *EXAMPLES])
    found = list(model.predict(inputs, method=method, threads=threads))
    for basket, prediction in zip([*OTHERS, *EXAMPLES], found, strict=True):
        objective = max(model_score(model, basket, on) for on in allowed(5))
        assert prediction.bound >= objective - 1e-6
        if method != "ad3" or prediction.status is Status.OPTIMAL:
            assert prediction.objective == pytest.approx(objective, abs=1e-6)
        assert prediction.result == {"basket": basket.name, "taken": list(prediction.parts)}
        told = json.loads(json.dumps(prediction.to_dict()))
        assert told["taken"] == list(prediction.parts)
        assert told["certificate"]["status"] == prediction.status


@pytest.mark.parametrize(("threads", "ahead"), [(1, 1), (2, 2 * graph_model.AT_A_TIME)])
def test_inputs_are_read_when_they_are_needed(model, threads, ahead):
    inputs = iter(EXAMPLES * 3)
    next(model.predict(inputs, threads=threads))
    assert len(list(inputs)) == 3 * len(EXAMPLES) - ahead


def test_limits_reach_the_solver(model):
    (stopped,) = model.predict(OTHERS[:1], iterations=1)
    assert stopped.iterations <= 1
    (close,) = model.predict(OTHERS[:1], gap=100.0, time_limit=10.0)
    assert close.gap <= 100.0
    with pytest.raises(UsageError, match="no option 'time_limit'"):
        list(model.predict(OTHERS, method="exhaustive", time_limit=1.0))
    with pytest.raises(UsageError, match="threads must be at least 1, not 0"):
        model.predict(OTHERS, threads=0)


def test_predictions_come_one_by_one(model):
    endless = itertools.cycle(OTHERS)
    assert next(model.predict(endless)).result["basket"] == "b0"
    assert next(model.predict(endless, threads=2)).result is not None


def test_inputs_without_parts(model):
    nothing = Basket("empty", (), (), ())
    (found,) = model.predict([nothing])
    assert (found.parts, found.status, found.objective) == ((), Status.OPTIMAL, 0.0)
    assert Picker.train([nothing, *EXAMPLES], **FAST).info["training"]["examples"] == 13


def test_scores_count_parts(model):
    scores = model.evaluate(OTHERS)
    pairs = [
        (set(found.parts), basket.taken)
        for found, basket in zip(model.predict(OTHERS), OTHERS, strict=True)
    ]
    both = sum(len(a & b) for a, b in pairs)
    assert scores["precision"] == both / sum(len(a) for a, _ in pairs)
    assert scores["recall"] == both / sum(len(b) for _, b in pairs)
    assert scores["exact"] == np.mean([a == b for a, b in pairs])
    nothing = Basket("empty", (), (), ())
    assert model.evaluate([nothing])["f1"] == 0.0
    missed = Basket("empty", (), (), (), frozenset([3]))
    assert model.evaluate([missed]) == {
        "precision": 0.0, "recall": 0.0, "f1": 0.0, "exact": 0.0, "optimal": 1.0
    }  # fmt: skip
    with pytest.raises(UsageError, match="no examples"):
        model.evaluate([])


class RedOnly(Picker):
    """Counts mistakes with small things only."""

    def is_scored(self, key):
        return key < 2


def test_parts_that_do_not_count(model):
    other = RedOnly.from_bytes(model.to_bytes())
    found = [set(p.parts) for p in model.predict(OTHERS)]
    both = sum(len({k for k in a & b.taken if k < 2}) for a, b in zip(found, OTHERS, strict=True))
    gold_parts = sum(len({k for k in b.taken if k < 2}) for b in OTHERS)
    assert other.evaluate(OTHERS)["recall"] == both / gold_parts


# Settings, templates, tables, files


def test_settings_are_kept_and_checked():
    model = Picker.from_bytes(Picker.train(EXAMPLES, most=1, **FAST).to_bytes())
    assert model.settings == {"most": 1}
    assert all(len(p.parts) <= 1 for p in model.predict(OTHERS))
    assert Picker.settings == {"most": MOST}
    with pytest.raises(UsageError, match="picker has no setting 'least'; there are: most"):
        Picker.train(EXAMPLES, least=1)
    with pytest.raises(UsageError, match="most: expected a value of type int"):
        Picker.train(EXAMPLES, most="many")


def test_tables_are_kept():
    model = Picker.from_bytes(Picker.train(EXAMPLES, **FAST).to_bytes())
    assert sum(model.tables["colors"].values()) == sum(len(b.colors) for b in EXAMPLES)


def test_examples_are_read_from_lines_of_json():
    lines = '{"name": "a", "colors": ["red"], "weights": [1], "prior": [0], "taken": [0]}\n\n'
    assert list(Picker.read(io.StringIO(lines))) == [
        Basket("a", ("red",), (1,), (0,), frozenset([0]))
    ]
    for line, message in (
        ('{"name": "a"}', "<stream>:1: the field 'colors' is missing"),
        ("[1]", "a line: expected an object"),
        ('{"name": 1, "colors": 3}', "not a valid record: 'int' object is not iterable"),
    ):
        with pytest.raises(InputError, match=message):
            list(Picker.read(io.StringIO(line)))


def test_progress_of_many_examples_is_told(monkeypatch):
    monkeypatch.setattr(graph_model, "REPORT_EVERY", 5)
    events = []
    Picker.train(EXAMPLES, progress=events.append, **FAST)
    assert [(e.done, e.total) for e in events if e.stage == "parts"] == [
        (5, 12),
        (10, 12),
        (12, 12),
    ]


def test_a_model_need_not_have_factors_or_results():
    class Plain(GraphModel):
        task = "plain"
        templates = {"word": ["word"]}  # noqa: RUF012

        def parts(self, given):
            return Parts().add("word", range(len(given[0])), {"word": given[0]})

        def gold(self, example):
            return example[1]

        @classmethod
        def sample(cls):
            return Sample([], [])

    model = Plain.train([(["a", "b"], [0]), (["b", "a"], [1])], epochs=3, bits=8)
    (found,) = model.predict([(["a", "b", "a"], [])])
    assert found.result == {"parts": [0, 2]}
