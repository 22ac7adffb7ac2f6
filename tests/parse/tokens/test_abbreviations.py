"""Abbreviations: classes, what keeps a sentence open, files."""

import io

import pytest

from treaty import InputError, UsageError
from treaty.parse import Abbreviations


@pytest.fixture(scope="module")
def english():
    return Abbreviations.of_language("en")


@pytest.mark.parametrize(
    ("chunk", "following", "is_open"),
    [
        ("Mrs.", "Hill", True),
        ("(Mrs.", "Hill", True),
        ("Mrs", "Hill", False),
        ("Fig.", "3", True),
        ("Fig.", "Then", False),
        ("p.m.", "Monday", True),
        ("p.m.", "EST.", True),
        ("p.m.", "The", False),
        ("Jan.", "9", True),
        ("Inc.", "has", True),
        ("Inc.", "The", False),
        ("J.", "R.", True),
        ("J.", "Hill", True),
        ("J.", "The", False),
        ("Yahoo!", "in", True),
        ("Yahoo!", "In", False),
        ("sleep.", "they", False),
        (":)", "they", False),
    ],
)
def test_what_keeps_a_sentence_open(english, chunk, following, is_open):
    assert english.keeps_open(chunk, following) is is_open


def test_faces_and_initials_have_classes_of_their_own():
    known = Abbreviations()
    assert [known.class_of(chunk) for chunk in (":-)", "🎉🎉", "J.R.", "end.", "")] == [
        "face", "face", "initial", "", "",
    ]  # fmt: skip


def test_common_words_have_a_class_if_they_have_capitals():
    known = Abbreviations({"common": ["these", "do", "a"], "never": ["Do."]})
    assert known.class_of("A.") == "initial"
    assert [known.class_of(chunk) for chunk in ("These", "“These,", "Don't", "Hill", "these")] == [
        "common", "common", "", "", "",
    ]  # fmt: skip
    assert known.class_of("Do's") == "common"
    assert known.class_of("Do.") == "never"
    assert not known.keeps_open("These.", "are")


def test_files_have_classes():
    known = Abbreviations()
    known.read(io.StringIO("# mine\nBgm. Hr.\nnumber: Abs.\n"))
    assert known.to_dict() == {"never": ["Bgm.", "Hr."], "number": ["Abs."]}
    assert Abbreviations(known.to_dict()).to_dict() == known.to_dict()


def test_what_is_refused():
    with pytest.raises(InputError, match="no class of abbreviations"):
        Abbreviations().read(io.StringIO("maybe: Abs.\n"))
    with pytest.raises(UsageError, match="'maybe' is no class"):
        Abbreviations().add(["Abs."], "maybe")
    with pytest.raises(UsageError, match="no list of abbreviations for 'x'"):
        Abbreviations.of_language("x")
