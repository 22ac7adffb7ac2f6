"""Corpora of names are brought to the same conventions."""

import lzma

from research.training import entity_sources as sources
from treaty.text import ColumnSentence


def rows(text):
    pairs = (piece.rpartition("/") for piece in text.split())
    return ColumnSentence([(word, label) for word, _, label in pairs])


def shown(sentence):
    return " ".join(f"{word}/{label}" for word, label in sentence.rows)


def write(path, *sentences):
    lines = ("".join(f"{word}\t{label}\n" for word, label in s.rows) for s in sentences)
    path.write_text("\n".join(lines))
    return path


def test_signs_are_joined_and_users_are_no_names(tmp_path):
    (tmp_path / "btc").mkdir()
    message = rows("RT/O @/B-PER ann/B-PER :/O #/O Rome/B-LOC @/O ,/O")
    write(tmp_path / "btc" / "train.tsv", message)
    (found,) = sources.read_messages(tmp_path, "btc", "train")
    assert shown(found) == "RT/O @ann/O :/O #Rome/B-LOC @/O ,/O"


def test_types_of_crossner_are_mapped(tmp_path):
    path = write(
        tmp_path / "x.tsv",
        rows("Emperor/B-person Otto/I-person of/O Rome/B-country read/O Time/B-magazine"),
        rows("rock/B-musicgenre and/O Britpop/B-musicgenre by/O Blur/B-band"),
        rows("President/B-politician won/O"),
        rows("1972/B-event Summer/I-event Olympics/I-event heats/I-event"),
        rows("2011/B-election Oslo/I-election municipal/I-election Election/I-election"),
    )
    assert [shown(s) for s in sources.read_cross([path])] == [
        "Emperor/O Otto/B-PER of/O Rome/B-LOC read/O Time/B-MISC|ORG",
        "rock/O and/O Britpop/?MISC by/O Blur/B-ORG",
        "President/O won/O",
        "1972/O Summer/B-MISC Olympics/I-MISC heats/O",
        "2011/O Oslo/? municipal/? Election/?",
    ]


def test_sentences_with_mostly_misc_are_about_things():
    texts = ("Shrek/B-MISC by/O Ann/B-PER", "Ann/B-PER", "no/O", "A/?MISC Ann/B-PER Bo/B-PER")
    assert [sources.is_about_things(rows(text)) for text in texts] == [True, False, False, False]


def test_capitalized_words_may_be_misc_and_nationalities_are():
    (found,) = sources.with_open_misc([rows("The/O German/O team/O saw/O Shrek/O in/O Rome/B-LOC")])
    assert shown(found) == "The/?MISC German/B-MISC team/O saw/O Shrek/?MISC in/O Rome/B-LOC"
    (found,) = sources.with_open_misc([rows("Today/O we/O won/O ./O Great/O #fun/O")])
    assert shown(found) == "Today/O we/O won/O ./O Great/O #fun/?MISC"


GUM = [
    ("President", "NNP", "(1-person-new-n-cf1-1,2,3-coref-X"),
    ("Ann", "NNP", "_"),
    ("Lee", "NNP", "1)"),
    ("left", "VBD", "_"),
    ("Portland", "NNP", "(2-place-new-n-cf1-1-sgl-Portland"),
    (",", ",", "_"),
    ("Oregon", "NNP", "(3-place-new-n-cf1-1-sgl)2)"),
    ("in", "IN", "_"),
    ("May", "NNP", "(4-time-new-n-cf1-1-sgl)"),
    ("for", "IN", "_"),
    ("the", "DT", "(5-organization-new-n-cf1-2,4-sgl-Y"),
    ("Bank", "NNP", "_"),
    ("of", "IN", "_"),
    ("Japan", "NNP", "(6-place-new-n-cf1-1-sgl-Japan)5)"),
    ("by", "IN", "_"),
    ("Danish", "JJ", "(7-object-new-n-cf1-2-sgl"),
    ("ship", "NN", "7)"),
    ("Zorg", "NNP", "_"),
]


def test_names_of_gum_come_from_its_brackets(tmp_path):
    lines = [
        "\t".join([str(n), form, "_", "_", tag, "_", "0", "dep", "_", f"Entity={entity}"])
        for n, (form, tag, entity) in enumerate(GUM, 1)
    ]
    text = "# text = x\n" + "\n".join(lines) + "\n\n# a comment alone\n"
    plain, packed = tmp_path / "gum.conllu", tmp_path / "gum.conllu.xz"
    plain.write_text(text)
    packed.write_bytes(lzma.compress(text.encode()))
    (found,) = sources.read_gum(plain)
    assert [found.rows] == [s.rows for s in sources.read_gum(packed)]
    assert shown(found) == (
        "President/? Ann/B-PER Lee/I-PER left/O Portland/B-LOC ,/O Oregon/B-LOC in/O May/O for/O "
        "the/O Bank/B-ORG of/I-ORG Japan/I-ORG by/O Danish/B-MISC ship/O Zorg/?"
    )
    (known,) = sources.known([found])
    assert known.labels[0] == known.labels[-1] == "O"


def test_news_of_our_own_are_read_and_types_left_out():
    for name in ("news_dev.txt", "news_held_out.txt"):
        news = sources.read_news(sources.HERE / name)
        assert len(news) > 30
        assert {y[2:] for s in news for y in s.labels} == {"", "PER", "LOC", "ORG", "MISC"}
    kept = sources.only(news, {"PER"})
    assert {y[2:] for s in kept for y in s.labels} == {"", "PER"}


def test_lists_have_no_empty_phrases():
    assert len(sources.LISTS) <= 50
    assert all(phrases and all(phrases) for phrases in sources.LISTS.values())
