import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.features import reference

from treaty._native.features import Sequences, text_hash
from treaty.errors import UsageError
from treaty.features import attribute
from treaty.parse.trees._words import WORD_COLUMNS

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NAMES = ("prefix1", "prefix3", "suffix1", "suffix2", "shape", "form", "lower", "suffix3(lemma)")


@given(TEXT, st.sampled_from(NAMES))
@settings(max_examples=100, deadline=None)
def test_attributes_count_characters_not_bytes(text: str, name: str) -> None:
    assert attribute(name, WORD_COLUMNS).derive(text) == reference.derive(
        name, dict.fromkeys(WORD_COLUMNS, text)
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("prefix2", "日本語", "日本"),
        ("suffix2", "naïve", "ve"),
        ("suffix3", "naïve", "ïve"),
        ("suffix3", "no", "no"),
        ("prefix1", "🙂!", "🙂"),
        ("suffix1", "", ""),
        ("shape", "McDonald's-1999", "AaAaa'a-00"),
        ("shape", "Ünïcode", "uauaa"),
        ("shape", "", ""),
        ("shape", "a\0bcd\0\0\0", "a\0aa\0\0"),
        ("feats[Case]", "Case=Nom|Number=Plur", "Nom"),
        ("feats[Number]", "Case=Nom|Number=Plur", "Plur"),
        ("feats[Num]", "Case=Nom|Number=Plur", "_"),
        ("feats[Case]", "Case|Number=Plur", "_"),
        ("feats[Case]", "Case=|Case=Acc", ""),
        ("feats[Case]", "_", "_"),
        ("feats[Case]", "", "_"),
    ],
)
def test_examples(name: str, text: str, expected: str) -> None:
    assert attribute(name, WORD_COLUMNS).derive(text) == expected


@given(st.dictionaries(st.sampled_from("ABC"), TEXT.filter(lambda t: "|" not in t)), TEXT)
@settings(max_examples=50, deadline=None)
def test_features_by_key(feats: dict[str, str], noise: str) -> None:
    text = "|".join([f"{key}={value}" for key, value in feats.items()])
    for key in "ABCD":
        columns = {"feats": text}
        assert attribute(f"feats[{key}]", WORD_COLUMNS).derive(text) == reference.derive(
            f"feats[{key}]", columns
        )
        attribute(f"feats[{key}]", WORD_COLUMNS).derive(noise)  # whatever it is, it is read


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("", "write one like"),
        ("Form", "write one like"),
        ("form ", "write one like"),
        ("word", "there are form, lower"),
        ("suffix3(stem)", "there are form, lower"),
        ("suffix", "have a length"),
        ("form2", "have a length"),
        ("shape3", "have a length"),
        ("prefix0", "from 1"),
        ("suffix99999999999", "write one like"),
        ("form(lemma)", "write one like"),
        ("suffix3[Case]", "write one like"),
        ("feats[Case](form)", "write one like"),
    ],
)
def test_errors_tell_the_way_out(name: str, way_out: str) -> None:
    with pytest.raises(UsageError, match=way_out) as error:
        attribute(name, WORD_COLUMNS)
    assert repr(name) in str(error.value)


@given(TEXT)
@settings(max_examples=100, deadline=None)
def test_texts_are_hashed_as_defined(text: str) -> None:
    assert text_hash(text) == reference.text_hash(text)


def test_columns_have_one_length() -> None:
    sequences = Sequences([attribute("form", WORD_COLUMNS)], True)
    with pytest.raises(ValueError, match="different lengths"):
        sequences.add([["a", "b"], ["a"]])
    with pytest.raises(ValueError, match="not there"):
        Sequences([attribute("feats", WORD_COLUMNS)], True).add([["a"]])
    sequences.add([["a", "b"], ["a", "b"]])
    sequences.add([[], []])
    assert (len(sequences), sequences.length(0), sequences.length(1)) == (2, 3, 1)
    sequences.clear()
    assert len(sequences) == 0
