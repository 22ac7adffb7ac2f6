"""The accessor of pandas, against documents made one by one."""

import pytest

pandas = pytest.importorskip("pandas")

import treaty  # noqa: E402
import treaty.integrations.pandas  # noqa: E402
from treaty.integrations._models import model_of  # noqa: E402
from treaty.parse import Document, Pipeline  # noqa: E402

TEXTS = ["Ada Lovelace lived in London. She wrote.", None, "", "Mice run!", float("nan"), "Ok"]


@pytest.fixture(scope="module")
def english():
    return model_of("english", Pipeline)


@pytest.fixture
def texts():
    index = pandas.Index([7, 7, "x", "y", "z", None])
    return pandas.Series(TEXTS, index=index, name="body", dtype=object)


def test_documents(texts, english):
    made = texts.treaty.documents(english)
    assert made.index.equals(texts.index)
    assert made.name == "body"
    assert made.isna().tolist() == [False, True, False, False, True, False]
    assert made.iloc[0] == english(TEXTS[0])
    assert made.iloc[2].text == ""
    again = made.treaty.documents(english)
    assert again.iloc[0] is made.iloc[0]


def test_words_have_the_index_of_their_text(texts, english):
    table = texts.treaty.words(english)
    expected = [(w.form, w.lemma, w.token.head) for t in (0, 3, 5) for w in english(TEXTS[t])]
    assert list(table[["form", "lemma", "head"]].itertuples(index=False, name=None)) == expected
    assert table.loc["y", "form"].tolist() == ["Mice", "run", "!"]
    assert table["sentence"].tolist()[:9] == [0] * 6 + [1] * 3
    row = table.iloc[1]
    assert TEXTS[0][row["start"] : row["end"]] == "Lovelace"
    assert "arc_confidence" not in table
    sure = texts.treaty.words(english, confidences=True)
    assert sure["arc_confidence"].between(0, 1).all()


def test_sentences_have_certificates(texts, english):
    table = texts.treaty.sentences(english)
    assert table["text"].tolist() == [
        "Ada Lovelace lived in London.", "She wrote.", "Mice run!", "Ok",
    ]  # fmt: skip
    assert set(table["status"]) == {"OPTIMAL"}
    assert (table["bound"] >= table["objective"]).all()
    bare = pandas.Series([Document.from_spans("Hush", [[(0, 4)]])])
    assert bare.treaty.sentences(english)["status"].isna().all()


def test_entities(texts, english):
    table = texts.treaty.entities(english)
    assert table[["type", "text", "start"]].values.tolist() == [
        ["PER", "Ada Lovelace", 0],
        ["LOC", "London", 22],
    ]
    joined = texts.to_frame().iloc[2:].join(table, how="left")
    assert len(joined) == 4


def test_a_frame_without_texts_has_no_rows(english):
    for empty in (pandas.Series([], dtype=object), pandas.Series([None, None])):
        assert list(empty.treaty.words(english).columns)[:3] == ["sentence", "word", "form"]
        assert len(empty.treaty.entities(english)) == 0


def test_columns_of_strings_and_categories(english):
    for kind in ("string", "category"):
        given = pandas.Series(["Mice run!", None, "Mice run!"]).astype(kind)
        assert given.treaty.words(english)["form"].tolist() == ["Mice", "run", "!"] * 2


def test_faults(english):
    with pytest.raises(treaty.UsageError, match="type int"):
        pandas.Series([1, 2]).treaty  # noqa: B018
    with pytest.raises(treaty.UsageError, match="got one for 'threads'"):
        pandas.Series(["a"]).treaty.words("threads")
