"""A linear chain on real data."""

import pytest

from treaty.corpus import read_columns
from treaty.evaluate import span_scores
from treaty.label import SequenceLabeler

TEMPLATES = ["w-1.form", "w.form", "w+1.form", "w-1.pos", "w.pos", "w+1.pos", "w-1.pos w.pos"]


@pytest.mark.data
@pytest.mark.parametrize("learner", ["likelihood", "mira", "perceptron"])
def test_chunks_are_found(data_folder, learner):
    sentences = list(read_columns(data_folder / "chunking" / "conll2000" / "train.txt"))
    train, held_out = sentences[:3000], sentences[-500:]
    labeler = SequenceLabeler(learner, epochs=6, templates=TEMPLATES, columns=["form", "pos"])
    labeler.fit((s.rows for s in train), [s.labels for s in train])
    found = labeler.predict(s.rows for s in held_out)
    assert span_scores([s.labels for s in held_out], found).micro_f1 > 0.9
