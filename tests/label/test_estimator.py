"""The estimator: tokens of every form, the API of scikit-learn, files."""

import copy
import inspect
import io
import pickle
import random

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.label import SequenceLabeler, SequenceModel
from treaty.learn import ModelFile
from treaty.metrics import span_scores
from treaty.text import read_columns

FORMS = {"templates": ["w.form"], "columns": ["form"]}
LEARNERS = ("likelihood", "mira", "perceptron")
CHUNKING = ["w-1.form", "w.form", "w+1.form", "w-1.pos", "w.pos", "w+1.pos", "w-1.pos w.pos"]


def toy(count=24, seed=1):
    """Words that name their label, all but x: it is X after A and Y elsewhere."""
    rng = random.Random(seed)
    texts = [[rng.choice("abcx") for _ in range(rng.randint(1, 6))] for _ in range(count)]
    labels = []
    for words in texts:
        found = []
        for word in words:
            after = "X" if found[-1:] == ["A"] else "Y"
            found.append(after if word == "x" else word.upper())
        labels.append(found)
    return texts, labels


def as_dicts(texts):
    return [[{"word": w, "first": i == 0} for i, w in enumerate(words)] for words in texts]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_chain_is_learned(learner):
    texts, y = toy()
    labeler = SequenceLabeler(learner, epochs=20).fit(as_dicts(texts), y)
    assert labeler.predict(as_dicts(texts)) == y
    assert labeler.score(as_dicts(texts), y) == 1.0
    assert labeler.classes_ == ["A", "B", "C", "X", "Y"]


def test_marginals_are_probabilities_and_prefer_the_prediction():
    texts, y = toy()
    labeler = SequenceLabeler().fit(as_dicts(texts), y)
    for row, labels in zip(labeler.predict_marginals(as_dicts(texts)), y, strict=True):
        assert [max(shares, key=shares.get) for shares in row] == labels
        assert all(sum(shares.values()) == pytest.approx(1.0) for shares in row)


@pytest.mark.parametrize(
    "form",
    [
        lambda words: [{"word": w, "first": i == 0} for i, w in enumerate(words)],
        lambda words: [[f"word={w}"] + ["first"] * (i == 0) for i, w in enumerate(words)],
        lambda words: [
            ({f"word={w}", "first"} if i == 0 else {f"word={w}"}) for i, w in enumerate(words)
        ],
        lambda words: [{f"word={w}": 1.0, "first": float(i == 0)} for i, w in enumerate(words)],
    ],
)
def test_tokens_may_be_written_in_many_ways(form):
    texts, y = toy()
    assert SequenceLabeler(epochs=20).fit(map(form, texts), y).predict(map(form, texts)) == y


def test_templates_read_attributes_of_tuples_and_dicts():
    texts, y = toy()
    templates = ["w.form", "w-1.form w.form", "w.suffix1(form)"]
    labeler = SequenceLabeler(epochs=20, templates=templates, columns=["form", "pos"])
    tuples = [[(w, "N") for w in words] for words in texts]
    dicts = [[{"form": w, "pos": "N", "more": "?"} for w in words] for words in texts]
    assert labeler.fit(tuples, y).predict(dicts) == y


def test_forbidden_transitions_never_come_out():
    texts = [["a", "b"]] * 5
    y = [["A", "B"]] * 4 + [["B", "B"]]
    labeler = SequenceLabeler("mira", forbidden=[("A", "B")]).fit(as_dicts(texts), y)
    assert all(p != ["A", "B"] for p in labeler.predict(as_dicts(texts)))


def test_values_of_features_count():
    sizes = [[{"size": value}] for value in (-2.0, -1.0, 1.0, 2.0)] * 5
    y = [["small"], ["small"], ["large"], ["large"]] * 5
    assert SequenceLabeler(epochs=20).fit(sizes, y).predict(
        [[{"size": 9.0}], [{"size": -9.0}]]
    ) == [
        ["large"],
        ["small"],
    ]


@pytest.mark.parametrize("learner", LEARNERS)
def test_threads_change_nothing(learner):
    texts, y = toy()
    models = []
    for threads in (1, 2):
        labeler = SequenceLabeler(learner, threads=threads, batch=3, dropout=0.1, epochs=4)
        models.append(labeler.fit(as_dicts(texts), y).model_.crf.native.weights.values.tobytes())
    assert models[0] == models[1]


def test_empty_sequences_and_unseen_features():
    texts, y = toy()
    labeler = SequenceLabeler().fit([[], *as_dicts(texts)], [[], *y])
    assert labeler.predict([]) == []
    empty, unseen = labeler.predict([[], [{"what": "is this"}]])
    assert empty == [] and len(unseen) == 1
    assert labeler.predict_marginals([[]]) == [[]]
    assert labeler.score([], []) == 1.0
    single = SequenceLabeler().fit([[{"a": 1}]], [["only"]])
    assert single.predict([[{"a": 1}, {"b": 1}]]) == [["only", "only"]]


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        ([[{}]], [["a", "b"]], {}, "one label per token"),
        ([[{}], [{}]], [["a"]], {}, "one label per token"),
        ([], [], {}, "no labels"),
        ([[{}]], [[3]], {}, "labels must be strings"),
        ([[{"a": object()}]], [["a"]], {}, "feature a: expected a number"),
        ([[{"a": float("nan")}]], [["a"]], {}, "not finite"),
        ([[3]], [["a"]], {}, "dict of features"),
        ([[{"a": "\ud800"}]], [["a"]], {}, "dict of features"),
        ([[{}]], [["a"]], {"templates": ["w.form"]}, "templates require columns"),
        ([["x"]], [["a"]], FORMS, "with the attributes form"),
        ([[(1,)]], [["a"]], FORMS, "must be strings"),
        ([[{"a": "b"}]], [["a"]], FORMS, "no attribute 'form'"),
        ([[("b",)]], [["a"]], {"templates": ["form"], "columns": ["form"]}, "is no atom"),
        ([[{}]], [["a"]], {"forbidden": [("a", "z")]}, "no label 'z'"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(X, y, options, message):  # noqa: N803
    with pytest.raises(UsageError, match=message):
        SequenceLabeler(**options).fit(X, y)


def test_an_estimator_that_has_learned_nothing_says_so():
    with pytest.raises(UsageError, match="call fit first"):
        SequenceLabeler().predict([])
    with pytest.raises(UsageError, match="no parameter 'depth'"):
        SequenceLabeler().set_params(depth=3)


def test_parameters_are_told_and_changed():
    labeler = SequenceLabeler("mira", epochs=3)
    assert labeler.get_params()["epochs"] == 3
    assert labeler.set_params(epochs=4, rate=0.3) is labeler
    assert repr(labeler) == "SequenceLabeler(learner='mira', epochs=4, rate=0.3)"
    assert SequenceLabeler(**labeler.get_params()).get_params() == labeler.get_params()


def test_scikit_learn_clones_validates_and_searches():
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score

    texts, y = toy()
    X = as_dicts(texts)  # noqa: N806
    labeler = SequenceLabeler("mira", epochs=5)
    assert clone(labeler).get_params() == labeler.get_params()
    assert cross_val_score(labeler, X, y, cv=3).min() > 0.8
    search = GridSearchCV(labeler, {"aggressiveness": [1e-6, 0.1]}, cv=3).fit(X, y)
    assert search.best_params_ == {"aggressiveness": 0.1}
    assert search.predict(X) == y


def through_joblib(labeler):
    joblib = pytest.importorskip("joblib")
    file = io.BytesIO()
    joblib.dump(labeler, file)
    file.seek(0)
    return joblib.load(file)


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), through_joblib]
)
def test_copies_have_parameters_and_predict_as_before(again):
    texts, y = toy()
    labeler = SequenceLabeler(epochs=20, threads=2, forbidden=[("B", "B")])
    assert again(labeler).get_params() == labeler.get_params()
    with pytest.raises(UsageError, match="call fit first"):
        again(labeler).predict([])
    allowed = [i for i, row in enumerate(y) if "BB" not in "".join(row)]
    X = [as_dicts(texts)[i] for i in allowed]  # noqa: N806
    labeler.fit(X, [y[i] for i in allowed])
    made = again(labeler)
    assert made.get_params() == labeler.get_params()
    assert made.predict(X) == labeler.predict(X) == [y[i] for i in allowed]


def test_parameters_from_numpy_can_be_kept():
    labeler = SequenceLabeler(epochs=np.arange(4)[3], rate=np.float32(0.5))
    labeler.fit(np.array([["a", "b"]]).reshape(1, 2, 1), np.array([["A", "B"]]))
    assert pickle.loads(pickle.dumps(labeler)).classes_ == ["A", "B"]


@pytest.mark.parametrize(
    ("form", "options"),
    [
        (as_dicts, {"learner": "mira", "warm_up": 2, "rate": 1}),
        (lambda texts: [[(w,) for w in words] for words in texts], FORMS),
    ],
)
def test_saved_labelers_have_parameters_and_predict_as_before(tmp_path, form, options):
    texts, y = toy()
    labeler = SequenceLabeler(epochs=20, **options).fit(form(texts), y)
    labeler.save(tmp_path / "model")
    loaded = SequenceLabeler.load(io.BytesIO((tmp_path / "model").read_bytes()))
    assert loaded.predict(form(texts)) == labeler.predict(form(texts)) == y
    assert loaded.get_params() == labeler.get_params()


@pytest.mark.parametrize("training", [None, 3, {"epochs": "many", "seed": None, "learner": 1}])
def test_files_without_parameters_have_the_usual_ones(tmp_path, training):
    model = SequenceModel.train([([["a"]], ["A"])], epochs=2)
    file = model.to_file()
    header = {**file.header, "info": {"training": training}}
    ModelFile(file.task, header, file.tensors).write(tmp_path / "model")
    loaded = SequenceLabeler.load(tmp_path / "model")
    assert loaded.get_params() == SequenceLabeler().get_params()
    assert loaded.predict([[["a"]]]) == [["A"]]


def test_usual_parameters_are_those_of_the_model():
    own = inspect.signature(SequenceLabeler).parameters
    models = inspect.signature(SequenceModel.train).parameters
    for name in own.keys() & models.keys():
        assert own[name].default == models[name].default, name
    trained = SequenceModel.train([([["a"]], ["A"])]).info["training"]
    labeler = SequenceLabeler().fit([[["a"]]], [["A"]])
    assert labeler.model_.info["training"] | trained == labeler.model_.info["training"]


@pytest.mark.data
@pytest.mark.parametrize("learner", LEARNERS)
def test_chunks_are_found(data_folder, learner):
    sentences = list(read_columns(data_folder / "chunking" / "conll2000" / "train.txt"))
    train, held_out = sentences[:3000], sentences[-500:]
    labeler = SequenceLabeler(learner, epochs=6, templates=CHUNKING, columns=["form", "pos"])
    labeler.fit((s.rows for s in train), [s.labels for s in train])
    found = labeler.predict(s.rows for s in held_out)
    assert span_scores([s.labels for s in held_out], found).micro_f1 > 0.9
