"""Grammars: in and out of files, and refused where they are none."""

import io

import numpy as np
import pytest
from tests.induce.reference import random_corpus

from treaty.errors import InputError, UsageError
from treaty.induce import Counts, Grammar


def test_texts_bring_grammars_back() -> None:
    grammar = Grammar.estimate(random_corpus(1, [4, 5]).count([2, 0, 2, 3, 0, 1, 2, 3, 4]), "ANV")
    assert (grammar.flat == -np.inf).any()
    again = Grammar.from_text(io.StringIO(grammar.to_text()))
    assert again.tags == grammar.tags
    assert np.allclose(np.exp(again.flat), np.exp(grammar.flat), atol=1e-12)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("root A", "expected"),
        ("root A x", "expected"),
        ("root A 2", "expected"),
        ("twig A 1", "expected"),
        ("child A up A 1", "not known"),
        ("decision A left first go 1", "not known"),
        ("root A 0.5", "sum to 1"),
    ],
)
def test_bad_texts(line: str, cause: str) -> None:
    text = Grammar.uniform("A").to_text().replace("root A 1\n", f"{line}\n")
    with pytest.raises(InputError, match=cause):
        Grammar.from_text(io.StringIO(text))


def test_bad_grammars() -> None:
    with pytest.raises(UsageError, match="different tags"):
        Grammar.uniform("AA")
    with pytest.raises(UsageError, match="negative"):
        Grammar.estimate(Counts.from_flat(np.zeros(11)), "A", smoothing=-1)
