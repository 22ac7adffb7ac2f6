"""Labels that are known in part: how they are read, and that labelers learn from them."""

import pytest
from tests.label.entities.toy import make_messages

from treaty.errors import InputError
from treaty.label.entities import EntityLabeler
from treaty.label.entities._partial import check_partial, known_part, label_numbers, types_of
from treaty.text import ColumnSentence

BIESO = ["O", "B-PER", "I-PER", "E-PER", "S-PER", "B-LOC", "I-LOC", "E-LOC", "S-LOC"]


def sets_of(labels, scheme="BIESO", names=BIESO):
    numbers, flags = label_numbers([labels], names, scheme)
    return [
        names[n]
        if n < len(names)
        else {x for x, on in zip(names, flags[n - len(names)], strict=True) if on}
        for n in numbers.tolist()
    ]


def test_labels_are_converted_and_alternatives_are_sets():
    assert sets_of(["B-PER", "I-PER", "O"]) == ["B-PER", "E-PER", "O"]
    assert sets_of(["B-LOC|PER", "I-LOC|PER"]) == [{"B-LOC", "B-PER"}, {"E-LOC", "E-PER"}]
    assert sets_of(["?LOC"]) == [{"O", "B-LOC", "I-LOC", "E-LOC", "S-LOC"}]
    assert sets_of(["?", "S-PER"]) == [set(BIESO), "S-PER"]
    assert sets_of(["B-LOC", "?"])[0] == "S-LOC"


def test_equal_sets_have_one_number():
    numbers, flags = label_numbers([["?", "?LOC", "O"], ["?LOC"]], BIESO, "BIESO")
    assert len(flags) == 2
    assert numbers.tolist() == [9, 10, 0, 10]


def test_types_and_what_is_known():
    assert types_of("?") == types_of("O") == []
    assert types_of("?LOC|PER") == types_of("I-LOC|PER") == ["LOC", "PER"]
    assert known_part(["?", "B-LOC|PER"]) == ["O", "B-LOC|PER"]


@pytest.mark.parametrize("label", ["X-LOC", "B", "B-LOC|", "?LOC|", "B-|LOC"])
def test_labels_that_are_none_are_refused(label):
    with pytest.raises(InputError, match="not a valid entity label"):
        check_partial([label])


def test_a_type_that_some_data_leave_open_is_learned_from_the_others():
    """Half of the messages leave out places; only where that is marked are places still found."""
    full = make_messages(30)

    def without(message, mark):
        rows = zip(message.words, message.labels, strict=True)
        return ColumnSentence([(w, mark if y.endswith("LOC") else y) for w, y in rows])

    found = []
    for mark in ("?LOC", "O"):
        partly = [without(message, mark) for message in make_messages(300, seed=5)]
        labeler = EntityLabeler.train(full + partly, language_model=None, tags=False, epochs=8)
        (labeled,) = labeler.predict([["Ann", "lives", "in", "Oslo"]])
        found.append([entity.type for entity in labeled.entities])
    assert found == [["PER", "LOC"], ["PER"]]
