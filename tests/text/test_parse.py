"""Every fault of a file gives an InputError with file, line, text and cause, and nothing else."""

import io

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from treaty.errors import InputError
from treaty.text import read_conllu

GOOD = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n"


def row(*columns):
    return "\t".join([*map(str, columns), *"_" * (10 - len(columns))])


def token(identity, head="_"):
    return row(identity, "a", "_", "_", "_", "_", head)


FAULTS = {  # the lines of the second sentence, the line at fault in it, text, cause
    "too few columns": (
        [token(1), "2\tb\tc"],
        2,
        "2\tb\tc",
        "10 columns separated by tabs, found 3",
    ),
    "too many": ([token(1) + "\t_"], 1, None, "10 columns separated by tabs, found 11"),
    "spaces": (["1 a b c d e 0 f g h"], 1, "1 a b c d e 0 f g h", "spaces where tabs should be"),
    "space": ([token(1).replace("a\t", "a ")], 1, None, "found 9; there are spaces where tabs"),
    "empty column": ([token(1).replace("a\t_", "a\t")], 1, None, "the column LEMMA is empty"),
    "empty last column": ([token(1)[:-1]], 1, None, "the column MISC is empty"),
    "empty id": ([token("")], 1, "", None),
    "id 0": ([token(0)], 1, "0", "expected the id 1: ids are 1, 2, 3… in every sentence"),
    "gap": ([token(1), token(3)], 2, "3", "expected the id 2"),
    "same id": ([token(1), token(2), token(2)], 3, "2", "expected the id 3"),
    "no blank line": (
        [token(1), token(2), token(1)],
        3,
        "1",
        "expected the id 3; is a blank line missing between two",
    ),
    "comment within": ([token(1), "# text", token(2)], 2, "# text", "a comment inside a sentence"),
    "leading zero": ([token("01")], 1, "01", "expected the id 1"),
    "other digits": ([token("١")], 1, "١", "expected the id 1"),
    "huge id": ([token("9" * 5000)], 1, "9" * 5000, "expected the id 1"),
    "negative id": ([token("-1")], 1, "-1", "expected the id 1"),
    "word for an id": ([token("x")], 1, "x", "expected the id 1"),
    "head word": ([token(1), token(2, "x")], 2, "x", "expected a head: the id of a token, 0 for"),
    "head below 0": ([token(1, "-1")], 1, "-1", "expected a head"),
    "head with sign": ([token(1, "+1")], 1, "+1", "expected a head"),
    "head in fractions": ([token(1, "0.5")], 1, "0.5", "expected a head"),
    "head with underscore": ([token(1, "1_0")], 1, "1_0", "expected a head"),
    "head too large": (
        [token(1, 0), token(2, 3)],
        2,
        "3",
        "not in the sentence, whose last id is 2",
    ),
    "head above 999": ([token(1, 0), token(2, 1234)], 2, "1234", "whose last id is 2"),
    "only comments": (["# a", "# b"], 1, "# a", "a sentence without tokens"),
    "only a node": ([token("0.1")], 1, None, "a sentence without tokens"),
    "range too late": ([token(1), token("1-2"), token(2)], 2, "1-2", "expected the id 2"),
    "range backwards": ([token("1-0"), token(1)], 1, "1-0", "expected the id 1"),
    "range too long": ([token("1-3"), token(1), token(2)], 1, "1-3", "beyond the last id, 2"),
    "ranges overlap": (
        [token("1-2"), token(1), token("2-3"), token(2), token(3)],
        3,
        "2-3",
        "two multiword tokens contain the token 2",
    ),
    "comments before": (
        ["# a", "# b", token("1-3"), token(1), token(2)],
        3,
        "1-3",
        "beyond the last id, 2",
    ),
    "nodes of two words": (
        [token(1), token("1.1"), token(2), token("2.1"), token("2.1")],
        5,
        "2.1",
        "expected the id 2.2 of an empty node",
    ),
    "node elsewhere": ([token(1), token("2.1"), token(2)], 2, "2.1", "expected the id 2"),
    "node's gap": ([token(1), token("1.1"), token("1.3")], 3, "1.3", "expected the id 1.2"),
    "node twice": ([token(1), token("1.1"), token("1.1")], 3, "1.1", "expected the id 1.2"),
    "NUL": ([token(1), row(2, "b\0")], 2, None, "a NUL byte"),
    "carriage return": ([token(1), row(2, "b\r")], 2, None, "a carriage return within the line"),
    "surrogate": ([token(1), row(2, "b\ud800")], 2, None, "not UTF-8"),
}


def faulty(lines):
    text = f"# first\n{GOOD}\n\n" + "\n".join(lines) + f"\n\n{GOOD}"
    stream = io.StringIO(text, newline="")
    stream.name = "a.conllu"
    return stream


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_file_line_text_and_cause(name):
    lines, line, text, cause = FAULTS[name]
    sentences = read_conllu(faulty(lines))
    assert next(sentences).words == ["a", "b"]
    with pytest.raises(InputError) as caught:
        next(sentences)
    assert str(caught.value).startswith(f"a.conllu:{5 + line}: ")
    assert caught.value.line == 5 + line
    assert (cause or "") in str(caught.value)
    if text is not None:
        assert caught.value.text == text


@pytest.mark.parametrize("name", FAULTS)
def test_reading_goes_on_after_a_faulty_sentence(name):
    errors = []
    found = list(read_conllu(faulty(FAULTS[name][0]), on_error=errors.append))
    assert [sentence.words for sentence in found] == [["a", "b"], ["a", "b"]]
    assert [error.line for error in errors] == [5 + FAULTS[name][1]]


def test_lines_that_are_sound():
    lines = [
        "# a", "#b", token("0.1"), token("1-1"), token(1), token("1.1"), token("1.2"), token("2-3"),
        token(2), token("2.1"), token(3), token("3.1"),
    ]  # fmt: skip
    _, found, _ = read_conllu(faulty(lines))
    assert found.comments == ["# a", "#b"]
    assert len(found) == 3
    assert [(m.first, m.last) for m in found.multiword_tokens] == [(1, 1), (2, 3)]
    assert [line for _, line in found.other_lines] == [x for x in lines[2:] if x[1] in ".-"]


TREES = {
    "no head": ([1, "_"], 2, "has no head"),
    "no root": ([2, 1], 1, "no token has the head 0"),
    "cycle": ([0, 3, 2], 2, "2 → 3 → 2"),
    "loop": ([0, 2], 2, "2 → 2"),
    "long cycle": ([0, 3, 4, 5, 6, 7, 2], 2, "→ …; expected a tree"),
}


@pytest.mark.parametrize("name", TREES)
def test_faulty_trees_are_errors_where_trees_are_asked_for(name):
    heads, line, cause = TREES[name]
    lines = ["# comment", token("0.1"), *(token(i, head) for i, head in enumerate(heads, 1))]
    assert len(list(read_conllu(faulty(lines)))) == 3
    with pytest.raises(InputError, match=rf"a\.conllu:{7 + line}: .*{cause}.* \(found 'a'\)"):
        list(read_conllu(faulty(lines), trees=True))
    errors = []
    assert len(list(read_conllu(faulty(lines), trees=True, on_error=errors.append))) == 2
    assert len(errors) == 1


def test_several_roots_are_a_tree():
    assert len(list(read_conllu(faulty([token(1, 0), token(2, 0)]), trees=True))) == 3


def test_conllx_has_no_other_lines():
    with pytest.raises(InputError, match=r":6: CoNLL-X has no multiword tokens or empty nodes"):
        list(read_conllu(faulty([token("1-2"), token(1), token(2)]), format="conllx"))
    with pytest.raises(InputError, match="the column PDEPREL is empty"):
        list(read_conllu(faulty([token(1)[:-1]]), format="conllx"))


# Fuzzing


def attempt(data, **options):
    """Read some bytes; nothing but an InputError with a line may come of it."""
    stream = io.BytesIO(data)
    stream.name = "a.conllu"
    lines = data.count(b"\n") + 1
    errors = []
    try:
        list(read_conllu(stream, on_error=errors.append, **options))
    except InputError as error:
        assert "compressed data" in error.message
        return
    for error in errors:
        assert str(error).startswith(f"a.conllu:{error.line}: ")
        assert 1 <= error.line <= lines
    assert len({error.line for error in errors}) == len(errors)


PIECES = [
    *(b"\t", b"\n", b"\n\n", b" ", b"", b"\r", b"\r\n", b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80"),
    *(b"#", b"_", b"-", b".", b"0", b"1", b"7", b"99999999999", b"1-2", b"0.1", b"-1", b"1.5"),
    *("٣".encode(), "²".encode(), "\u2028".encode(), b"\xef\xbb\xbf", b"\x1f\x8b", b"\xfd7zXZ\x00"),
]


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_mutations(sample, data):
    mutant = sample.encode()
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(mutant)))
        end = data.draw(st.integers(begin, min(begin + 5, len(mutant))))
        mutant = mutant[:begin] + data.draw(st.sampled_from(PIECES)) + mutant[end:]
    attempt(mutant)
    attempt(mutant, trees=True)
    attempt(mutant, format="conllx")


@settings(deadline=None, max_examples=100)
@given(data=st.binary(max_size=300))
@example(data=b"\x00" * 1000)
@example(data=b"\xff\xfe1\x00")
@example(data=b"\t" * 9 + b"\n" + b"1" + b"\t" * 9)
@example(data=b"\x1f\x8b")
@example(data=b"\xfd7zXZ\x00")
def test_any_bytes(data):
    attempt(data, trees=True)


def test_every_truncation(sample):
    for end in range(len(sample)):
        attempt(sample.encode()[:end], trees=True)
