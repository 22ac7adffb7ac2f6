"""The lexicon of the English tagger, from made-up word lists."""

from __future__ import annotations

import gzip
import json
import zipfile

from research.training import make_lexicon
from treaty.parse import Clusters

INDEX = {
    "noun": ["bark", "city", "corn", "rate"],
    "verb": ["bark", "corn", "rate", "try", "go"],
    "adj": ["tall"],
    "adv": ["often"],
}
EXCEPTIONS = {"noun": {"feet": ["foot"]}, "verb": {"went": ["go"]}, "adj": {}, "adv": {}}
CHANCES = {"bark": -5.0, "barked": -5.0, "barking": -5.0, "corn": -3.0, "corning": -12.0}
WORDS = [
    "Bark", "barks", "barked", "barking", "cities", "corn", "rating", "rated", "tried", "feet",
    "went", "tall", "often", "xyzzy",
]  # fmt: skip


def test_forms_have_their_properties(tmp_path, monkeypatch, capsys):
    wheel, words, out = (tmp_path / name for name in ("w.whl", "words.tsv", "lexicon.tsv"))
    with zipfile.ZipFile(wheel, "w") as stream:
        tables = {"lemma_index": INDEX, "lemma_exc": EXCEPTIONS, "lexeme_prob": CHANCES}
        for name, table in tables.items():
            data = gzip.compress(json.dumps(table).encode())
            stream.writestr(f"spacy_lookups_data/data/en_{name}.json.gz", data)
    words.write_text("".join(f"0\t{word}\n" for word in WORDS))
    command = f"make --wheel {wheel} --words {words} --out {out}"
    monkeypatch.setattr("sys.argv", command.split())
    make_lexicon.main()
    assert "13 words" in capsys.readouterr().out
    made = Clusters.read(out)
    names = {
        word: {n for n, bit in zip(make_lexicon.PROPERTIES, bits, strict=False) if bit == "1"}
        for word, bits in made.paths.items()
    }
    assert names["bark"] == {"noun", "verb"} and names["barks"] == {"plural", "-s"}
    assert names["rated"] == {"-ed"} and names["rating"] == {"-ing"} and names["tried"] == {"-ed"}
    assert names["cities"] == names["feet"] == {"plural"} and names["went"] == {"-ed"}
    assert names["tall"] == {"adj"} and names["often"] == {"adv"}
    assert made.paths["bark"][-2:] == "11" and made.paths["corn"][-2:] == "00"
    assert make_lexicon.verbs_and_nouns(made) == ["bark"]
