"""Collections and compressions in one file."""

import io

import pytest

from treaty import InputError
from treaty.text import Collection, Compression, read_summary_examples

LINES = [
    '{"topic": "rain", "documents": ["It rained."]}',
    '{"source_tokens": ["Cats", "sleep", "soundly"], "keep": [1, 1, 0]}',
    '{"sentences": ["It rained."]}',
]


def test_lines_are_told_apart():
    found = list(read_summary_examples(io.StringIO("\n".join(LINES))))
    assert [type(example) for example in found] == [Collection, Compression, Collection]
    assert found[0].id == "rain"
    assert found[1].words == ["Cats", "sleep"]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ('{"source_tokens": ["a"]}', "expected 'source_tokens' and 'keep'"),
        ('{"source_tokens": ["a"], "keep": [2]}', "1 or 0"),
        ('{"keep": [1]}', "no 'documents'"),
        ("[]", "an object"),
        ("{", "not valid JSON"),
    ],
)
def test_faults_are_told_with_their_line(line, cause):
    errors = []
    found = list(
        read_summary_examples(io.StringIO("\n".join([*LINES, line])), on_error=errors.append)
    )
    assert len(found) == 3
    assert [(error.line, cause in error.message) for error in errors] == [(4, True)]
    with pytest.raises(InputError, match=cause):
        list(read_summary_examples(io.StringIO(line)))
