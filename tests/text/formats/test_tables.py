"""Tables: quotes, line breaks, separators, ids; a faulty row is reported, the rest goes on."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.errors import InputError
from treaty.text.formats._tables import rows_of


def rows(text, field="text", id_field=None, errors=None):
    data = text.encode() if isinstance(text, str) else text
    found = rows_of(io.BytesIO(data), field, id_field, None if errors is None else errors.append)
    return [(row.number, row.id, row.text) for row in found]


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"))


@given(st.lists(st.tuples(CELLS, CELLS)), st.sampled_from(",\t;"))
def test_what_python_writes_is_read(cells, separator):
    made = io.StringIO()
    writer = csv.writer(made, delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerows([("name", "text"), *cells])
    expected = [(n, name, text) for n, (name, text) in enumerate(cells, 1)]
    assert rows(made.getvalue(), id_field="name") == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("text\n", []),
        ("text\nCats\n\nDogs\n", [(1, None, "Cats"), (2, None, "Dogs")]),
        ("id,text\r\nk,Cats\r\n", [(1, "k", "Cats")]),
        ('id\ttext\nk\t"Cats,\nand ""dogs"""\n', [(1, "k", 'Cats,\nand "dogs"')]),
        ('"a, b",text\nx,y\n', [(1, None, "y")]),
        ("\ufeffid,text\nk,Cats", [(1, "k", "Cats")]),
        ("id,text\nk,\n", [(1, "k", "")]),
        ('{"text": "Cats"}\n{"text": "Dogs", "id": 7}\n', [(1, None, "Cats"), (2, "7", "Dogs")]),
        ('{"text": null}\n', [(1, None, "")]),
    ],
)
def test_tables_of_all_kinds(text, found):
    assert rows(text) == found


@pytest.mark.parametrize(
    ("text", "line", "cause", "left"),
    [
        ("id,text\nk,a\nb\nc,d\n", 3, "expected 2 fields as in the header, found 1", ["k", "c"]),
        ('id,text\nk,a\nc,"d\nl,e\n', 3, "unexpected end of data", ["k"]),
        (b"id,text\nk,caf\xe9\nc,d\n", 2, "not UTF-8", ["c"]),
        ('{"id": "k"}\n{"id": "c", "text": "d"}\n', 1, "there is no field 'text'", ["c"]),
        ('{"text": "a"\n{"id": "c", "text": "d"}\n', 1, "", ["c"]),
        ('{"text": 5}\n{"id": "c", "text": "d"}\n', 1, "is not a text", ["c"]),
    ],
)
def test_a_faulty_row(text, line, cause, left):
    errors = []
    assert [key for _, key, _ in rows(text, errors=errors)] == left
    assert (errors[0].line, cause in str(errors[0]), len(errors)) == (line, True, 1)
    with pytest.raises(InputError):
        rows(text)


@pytest.mark.parametrize(("field", "id_field"), [("body", None), ("text", "key")])
def test_a_field_that_is_not_there(field, id_field):
    with pytest.raises(InputError, match=f"no field '{id_field or field}': there are 'id', 'text'"):
        rows("id,text\nk,a\n", field, id_field)
