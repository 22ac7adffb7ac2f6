"""Summaries in, and every fault of a line."""

import io

import pytest

from treaty.errors import InputError
from treaty.text import Summary, read_summaries


def read(text, **options):
    stream = io.BytesIO(text.encode())
    stream.name = "a.jsonl"
    return list(read_summaries(stream, **options))


def test_summaries_are_lists_of_sentences_or_lines_of_text():
    text = '{"topic": "a", "summary": ["Rain.", "Snow."], "method": "m"}\n\n'
    text += '{"id": 7, "summary": "Rain.\\n\\nSnow.\\n"}\n{"summary": ""}'
    assert read(text) == [
        Summary(["Rain.", "Snow."], "a", {"method": "m"}),
        Summary(["Rain.", "Snow."], 7),
        Summary([]),
    ]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Rain.", "not valid JSON"),
        ('{"topic": "a"}', "the record has no 'summary'"),
        ('{"summary": 1}', "summary: expected a string (found '1')"),
        ('{"summary": ["a", 1]}', "a sentence of the summary: expected a string"),
        ('{"summary": "a", "topic": []}', "topic: expected a string"),
    ],
)
def test_faults_are_named_with_file_and_line(line, cause):
    with pytest.raises(InputError) as caught:
        read(f'{{"summary": "a"}}\n{line}')
    assert caught.value.message.startswith("a.jsonl:2: ")
    assert cause in caught.value.message
