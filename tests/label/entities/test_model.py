"""The model of English entities that comes with Treaty."""

import pytest

from treaty.label import EntityLabeler
from treaty.parse import model_path


@pytest.fixture(scope="module")
def labeler():
    return EntityLabeler.load()


def test_it_is_small_and_says_where_it_comes_from(labeler):
    assert model_path("entities").stat().st_size < 15e6
    assert labeler.info["license"] == "CC BY 4.0"
    assert labeler.types == ["LOC", "ORG", "PER"]
    assert all(name.startswith("geonames/") for name in labeler.features.gazetteers.names)
    assert len(labeler.features.clusters) == 0


def test_it_finds_names_in_text(labeler):
    text = "Ada Lovelace was born in London. My friend John Smith works for Google in Paris."
    found = {(e.type, e.text) for x in labeler.label_text(text) for e in x.entities}
    assert found == {
        ("PER", "Ada Lovelace"),
        ("LOC", "London"),
        ("PER", "John Smith"),
        ("ORG", "Google"),
        ("LOC", "Paris"),
    }


def test_messages_help_each_other(labeler):
    messages = ["Watching Kishan play in Mumbai", "kishan is amazing @bcci", "Go Kishan go"]
    together = list(labeler.label(messages))
    assert {x.group for x in together} == {0}
    assert [[e.text for e in x.entities] for x in together[1:]] == [["kishan"], ["Kishan"]]
    assert all(x.status == "OPTIMAL" for x in together)
