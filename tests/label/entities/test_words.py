"""What is known of a word by itself."""

from treaty.label.entities._words import columns_of, kind_of


def test_capitals_are_judged_by_the_message():
    texts = ("all is low", "ALL IS UP", "Ann sees me", "Ann Sees Bob", ":) 9")
    found = [columns_of(text.split(), [], [])[4][0] for text in texts]
    assert found == ["none", "upper", "some", "most", "none"]


def test_kinds():
    kinds = [kind_of(w) for w in ("@", "bit.ly/x", "#", "10th", "$5.50", "e.g.", "…")]
    assert kinds == ["user", "link", "sign", "number", "number", "word", "sign"]
