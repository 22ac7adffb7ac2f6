"""Templates over codes: hashes against plain Python and recorded ones, values, and refusals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.features.reference import MASK, combine, mix, text_hash

from treaty.errors import UsageError
from treaty.features import CodeTemplates, PartFeatures

RECORDED_PAIRS = [
    [18291141817615209716, 13712665811569559671],
    [18291141817615209716, 7039052518554866698],
]
RECORDED_PLACES = [
    [112998, 64475, 126286, 144458, 127294, 37721],
    [112998, 64475, 34331, 155716, 127294, 37721],
]
CODES = ("a", "b", "s.type")
atoms = st.builds(
    lambda item, code: code if item is None else f"{item}.{code}",
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from(CODES),
)
templates = st.lists(st.lists(atoms, max_size=3).map(" ".join), max_size=4)
integers = st.integers(-(2**63), 2**63 - 1)


def reference(name, template, more, codes, part):
    """A feature's hash, from the definition."""
    h = text_hash(f"{name}: {template}")
    for atom in f"{template} {more}".split():
        item, _, code = atom.partition(".") if atom[0].isdigit() else ("0", ".", atom)
        h = combine(h, mix(int(codes[code][part[int(item)]]) & MASK))
    return mix(h)


@settings(deadline=None)
@given(templates, st.lists(st.lists(atoms, max_size=2).map(" ".join), min_size=1), st.data())
def test_hashes_equal_the_reference(own, each, data):
    items = data.draw(st.integers(1, 4))
    column = st.lists(integers, min_size=items, max_size=items)
    codes = {code: data.draw(column) for code in CODES}
    place = st.integers(0, items - 1)
    parts = data.draw(st.lists(st.tuples(place, place, place), max_size=4))
    compiled = CodeTemplates("f", own, codes=CODES, joined=3, each=each)
    found = compiled.hashes({k: np.array(v, np.int64) for k, v in codes.items()}, parts)
    assert found.shape == (len(parts), len(own) * len(each)) == (len(parts), len(compiled))
    assert found.tolist() == [
        [reference("f", t, e, codes, part) for t, e in itertools.product(own, each)]
        for part in parts
    ]


def test_hashes_are_those_that_models_were_trained_with():
    """Recorded before there was a kernel; shipped models depend on them."""
    pair = CodeTemplates("pair", ["", "0.same 1.same 0.far"], codes=["same", "far"], joined=2)
    found = pair.hashes({"same": [0, 1, 2], "far": [7, 8, 9]}, [[0, 1], [2, 0]])
    assert found.tolist() == RECORDED_PAIRS
    concept = CodeTemplates(
        "concept", ["", "stops", "*share"], codes=["stops", "genre"], numbers=["share"],
        each=("", "genre"),
    )  # fmt: skip
    codes = {"stops": [3, 0], "genre": [2, 2]}
    assert (
        concept.features(codes, {"share": [0.5, 1.0]}, bits=18).places.tolist() == RECORDED_PLACES
    )


def test_by_default_every_item_is_a_part():
    compiled = CodeTemplates("f", ["a", "", "b"], codes=CODES)
    codes = {"a": [1, 2, 1], "b": np.array([True, False, True])}
    found = compiled.hashes(codes)
    assert np.array_equal(found, compiled.hashes(codes, [[0], [1], [2]]))
    assert found[0].tolist() == found[2].tolist() != found[1].tolist()
    assert CodeTemplates("f", [""], codes=CODES).hashes(codes).shape == (3, 1)
    assert CodeTemplates("f", [""], codes=[]).hashes({}, [[5], [6]]).shape == (2, 1)
    assert CodeTemplates("f", [], codes=[]).hashes({}).shape == (0, 0)
    assert compiled.hashes({"a": [], "b": []}).shape == (0, 3)


def test_strings_are_codes_too():
    compiled = CodeTemplates("f", ["word"], codes=["word"])
    words = ["dog", "Hund", "dog", "", "\udcff", "a\0b", "a"]
    found = compiled.hashes({"word": words}).ravel().tolist()
    hashes = [text_hash(word) for word in ("dog", "Hund", "dog", "")]
    assert found[:4] == compiled.hashes({"word": np.array(hashes, np.uint64)}).ravel().tolist()
    assert len(set(found)) == 6
    assert compiled.hashes({"word": np.array(["dog"])}).ravel().tolist() == found[:1]


def test_numbers_are_values_of_features():
    compiled = CodeTemplates(
        "f",
        ["a", "*share of all", "*n"],
        codes=CODES,
        numbers=["share of all", "n"],
        each=("", "b"),
    )
    assert (compiled.codes, compiled.numbers) == (("a", "b"), ("share of all", "n"))
    codes = {"a": [1, 2], "b": [0, 0]}
    found = compiled.features(codes, {"share of all": [0.5, 2.0], "n": [3, -4]}, bits=12)
    assert found.values.tolist() == [[1, 1, 0.5, 0.5, 3, 3], [1, 1, 2, 2, -4, -4]]
    assert (found.places == compiled.hashes(codes) >> np.uint64(52)).all()
    assert CodeTemplates("f", ["a"], codes=CODES).features(codes, bits=12).values is None


@settings(deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_totals_are_scores_the_other_way_round(seed, with_values):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, 16, (5, 3)).astype(np.int32)
    features = PartFeatures(places, rng.normal(size=(5, 3)) if with_values else None)
    weights, amounts = rng.normal(size=16), rng.integers(-2, 3, 5).astype(float)
    assert len(features) == 5
    where, values = features.total(amounts)
    assert weights[where] @ values == pytest.approx(amounts @ features.scores(weights))
    some = features[[3, 1]]
    assert np.array_equal(some.scores(weights), features.scores(weights)[[3, 1]])


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("x", "there is no code 'x'; there are: a b s.type"),
        ("a 1.x", "there is no code 'x'"),
        ("2.a", "'2.a' names item 2; parts join 2"),
        ("a.", "there is no code 'a.'"),
        ("*a", "there is no number 'a'; there are: share"),
        ("*share a", "there is no number 'share a'"),
    ],
)
def test_templates_that_name_what_is_not_there_are_refused(template, message):
    with pytest.raises(UsageError, match=rf"f: template .*{message}"):
        CodeTemplates("f", [template], codes=CODES, numbers=["share"], joined=2)
    with pytest.raises(UsageError, match=message):
        CodeTemplates("f", [""], codes=CODES, numbers=["share"], joined=2, each=[template])


@pytest.mark.parametrize(
    ("codes", "parts", "message"),
    [
        ({"a": [1]}, None, "the code 'b' is missing"),
        ({"a": [1], "b": [1, 2]}, None, "2 values of 'b' and 1 of 'a'"),
        ({"a": [1.5], "b": [1]}, None, "put real numbers into bins"),
        ({"a": ["x", 1], "b": [1, 1]}, None, "has strings and others"),
        ({"a": [[1]], "b": [1]}, None, "expected integers or strings"),
        ({"a": [1], "b": [1]}, [[0, 0, 0]], "cannot reshape"),
        ({"a": [1], "b": [1]}, [[0, 1]], "an item that is not there"),
        ({"a": [1], "b": [1]}, [[0, -1]], "an item that is not there"),
    ],
)
def test_codes_that_do_not_fit_are_refused(codes, parts, message):
    compiled = CodeTemplates("f", ["a 1.b"], codes=["a", "b"], joined=2)
    with pytest.raises(UsageError, match=message):
        compiled.hashes(codes, [[0, 0]] if parts is None else parts)


def test_numbers_that_do_not_fit_are_refused():
    compiled = CodeTemplates("f", ["*n", "a"], codes=["a"], numbers=["n"])
    with pytest.raises(UsageError, match="the number 'n' is missing"):
        compiled.features({"a": [1]}, bits=10)
    with pytest.raises(UsageError, match="expected 1 values of 'n'"):
        compiled.features({"a": [1]}, {"n": [1.0, 2.0]}, bits=10)
    for bits in (0, 31):
        with pytest.raises(UsageError, match="1 to 30 bits"):
            compiled.features({"a": [1]}, {"n": [1.0]}, bits=bits)
