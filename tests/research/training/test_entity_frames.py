"""News that are made up: every frame is filled, with labels that fit."""

import re

from research.training.entity_frames import made_up_news
from treaty.label.entities._partial import check_partial
from treaty.text import spans_of_labels


def test_frames_are_filled():
    news = made_up_news(3, ["Zorgson"], seed=2)
    words = [word for sentence in news for word in sentence.words]
    assert not any(re.search(r"[{}]", word) for word in words)
    assert "Zorgson" in words
    for sentence in news:
        check_partial(sentence.labels)
    assert [s.rows for s in made_up_news(1, ["A"])] == [s.rows for s in made_up_news(1, ["A"])]


def test_companies_and_universities_are_whole():
    news = made_up_news(5, ["Zorgson"])
    names = {
        " ".join(s.words[start:end]): kind
        for s in news
        for start, end, kind in spans_of_labels(s.labels)
    }
    assert any(re.fullmatch(r"\w+ & \w+ (Corp|Inc|Ltd|AG|Plc|SA|Co|Group|Holdings)\.?", n)
               for n, kind in names.items() if kind == "ORG")  # fmt: skip
    assert any(name.startswith("University of ") for name in names)
    assert all(kind == "ORG" for name, kind in names.items() if name.endswith(" University"))


def test_storms_particles_and_companies_named_after_people():
    news = made_up_news(40, ["Zorgson"])
    names = [
        (" ".join(s.words[start:end]), kind)
        for s in news
        for start, end, kind in spans_of_labels(s.labels)
    ]
    assert {kind for name, kind in names if name.startswith("Typhoon ")} == {"MISC"}
    assert any(re.search(r"\w da \w", name) and kind == "PER" for name, kind in names)
    assert {"PER", "ORG"} <= {kind for name, kind in names if name == "Zorgson"}
    assert ("Ford", "ORG") in names
