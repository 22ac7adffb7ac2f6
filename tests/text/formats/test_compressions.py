"""Files of compressions."""

from __future__ import annotations

import io
import json

import pytest

from treaty.errors import InputError
from treaty.text import read_compressions

GOOD = {"id": 7, "source_tokens": ["Cats", "sleep", "."], "keep": [1, 0, 1], "split": "dev"}


def test_all_fields_are_read() -> None:
    (found,) = read_compressions(io.StringIO(json.dumps(GOOD)))
    assert found.words == ["Cats", "."]
    assert (found.id, found.keep, found.more) == (7, [True, False, True], {"split": "dev"})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"keep": None}, "keep: expected a list"),
        ({"keep": [1, 0]}, "3 words but 2 entries of keep"),
        ({"keep": [1, 0, 2]}, "expected 1 or 0"),
        ({"source_tokens": [], "keep": []}, "0 words"),
        ({"source_tokens": ["a", 1, "b"]}, "expected a string"),
        ({"source_tokens": ["a", "", "b"]}, "is not a word"),
    ],
)
def test_faults_are_told_with_their_line(changed: dict[str, object], message: str) -> None:
    text = json.dumps(GOOD) + "\n" + json.dumps({**GOOD, **changed})
    with pytest.raises(InputError, match=message) as caught:
        list(read_compressions(io.StringIO(text)))
    assert caught.value.line == 2
    skipped: list[InputError] = []
    assert len(list(read_compressions(io.StringIO(text), on_error=skipped.append))) == 1
    assert len(skipped) == 1


def test_a_line_without_words_is_refused() -> None:
    with pytest.raises(InputError, match="expected 'source_tokens' and 'keep'"):
        list(read_compressions(io.StringIO('{"source_tokens": ["a"]}')))


def test_what_treaty_compress_writes_is_read():
    line = '{"text": "Cats", "tokens": ["Cats", "sleep"], "kept": [1, 0], "score": 1.0}'
    (found,) = read_compressions(io.StringIO(line))
    assert (found.words, found.more) == (["Cats"], {"text": "Cats", "score": 1.0})
    with pytest.raises(InputError, match="kept: expected 1 or 0"):
        list(read_compressions(io.StringIO(line.replace("[1, 0]", "[2, 0]"))))
    with pytest.raises(InputError, match="expected 'source_tokens' and 'keep'"):
        list(read_compressions(io.StringIO('{"kept": [1]}')))
