"""Features for scikit-learn, against its own checks and counts made by hand."""

import warnings
from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import check_estimator

import treaty
from treaty.integrations._models import model_of
from treaty.integrations.sklearn import FEATURES, ParseFeatures
from treaty.parse import Pipeline

TEXTS = ["Cats chase mice. Cats sleep.", "The mice didn't chase cats.", ""]


@pytest.fixture(scope="module")
def english():
    return model_of("english", Pipeline)


def rows(made, table):
    names = made.get_feature_names_out()
    return [{names[j]: int(row[0, j]) for j in row.indices} for row in table]


CHECKS = [
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
]
"""Those of `check_estimator` that need no table of numbers; for texts it has no others."""


@pytest.mark.parametrize("name", CHECKS)
def test_the_checks_of_scikit_learn_pass(name):
    getattr(estimator_checks, name)("ParseFeatures", ParseFeatures())


def test_the_estimator_takes_texts_and_must_be_fitted():
    with pytest.raises(NotFittedError):
        ParseFeatures().transform(TEXTS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        assert all(one["status"] == "passed" for one in check_estimator(ParseFeatures()))


def test_counts_are_those_of_the_words(english):
    made = ParseFeatures(["lemma", "tag", "fine_tag", "label"], model=english)
    table = made.fit_transform(TEXTS)
    for row, text in zip(rows(made, table), TEXTS, strict=True):
        expected: Counter[str] = Counter()
        for word in english(text):
            expected[f"lemma={word.lemma.lower()}/{word.upos}"] += 1
            expected[f"tag={word.upos}"] += 1
            expected[f"fine_tag={word.xpos}"] += 1
            expected[f"label={word.deprel}"] += 1
        assert row == dict(expected)


def test_arcs_and_morphology(english):
    made = ParseFeatures(["arc", "tag_arc", "morphology"], model=english)
    (first, *_) = rows(made, made.fit_transform(TEXTS))
    assert first["arc=nsubj chase cat"] == first["arc=obj chase mouse"] == 1
    assert first["arc=root root chase"] == 1
    assert first["tag_arc=nsubj VERB NOUN"] == 2
    assert first["morphology=Number=Plur"] == 5
    assert set(FEATURES) >= {"arc", "tag_arc", "morphology"}


def test_unknown_features_are_ignored_and_rare_ones_left_out(english):
    made = ParseFeatures(["lemma"], model=english, min_df=2, binary=True).fit(TEXTS)
    assert list(made.get_feature_names_out()) == [
        "lemma=./PUNCT", "lemma=cat/NOUN", "lemma=chase/VERB", "lemma=mouse/NOUN",
    ]  # fmt: skip
    (row,) = rows(made, made.transform(["Zebras chase zebras. They chase us."]))
    assert row == {"lemma=./PUNCT": 1, "lemma=chase/VERB": 1}


def test_it_works_in_a_pipeline():
    texts = ["She sang it.", "He sold them.", "It was sung by her.", "They were sold by him."] * 4
    is_passive = np.array([0, 0, 1, 1] * 4)
    made = make_pipeline(ParseFeatures(["label"]), LogisticRegression())
    assert cross_val_score(clone(made), texts, is_passive, cv=2).min() == 1.0


def test_threads_do_not_matter(english):
    one, two = (ParseFeatures(model=english, threads=n).fit_transform(TEXTS) for n in (1, 2))
    assert (one != two).nnz == 0


def test_faults(english):
    with pytest.raises(ValueError, match="several texts"):
        ParseFeatures(model=english).fit("one text")
    with pytest.raises(ValueError, match="there are no texts"):
        ParseFeatures(model=english).fit([])
    with pytest.raises(ValueError, match="the texts have no words"):
        ParseFeatures(model=english).fit([""])
    with pytest.raises(ValueError, match="lower min_df"):
        ParseFeatures(model=english, min_df=9).fit(TEXTS)
    with pytest.raises(treaty.UsageError, match="some of lemma, tag"):
        ParseFeatures(["nonsense"], model=english).fit(TEXTS)
    with pytest.raises(treaty.UsageError, match="not NoneType"):
        ParseFeatures(model=english).fit([None])
    with pytest.raises(treaty.UsageError, match="got one for 'threads'"):
        ParseFeatures(model="threads").fit(TEXTS)
