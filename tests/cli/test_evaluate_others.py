"""``treaty evaluate`` on entities, links and compressions."""

import json

import pytest

from treaty.text import Link, Post, Thread, write_threads

COLUMNS = "Ann\tB-PER\nsleeps\tO\n\nin\tO\nRome\tB-LOC\n"
KEPT = [{"source_tokens": ["Cats", "sleep", "here"], "keep": [1, 1, 0]}] * 2


@pytest.fixture
def columns(tmp_path):
    paths = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    paths[0].write_text(COLUMNS)
    paths[1].write_text(COLUMNS.replace("B-LOC", "B-ORG"))
    return paths


@pytest.fixture
def threads(tmp_path):
    paths = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    posts = [Post("Tea?"), Post("Yes!"), Post("No.")]
    write_threads([Thread(posts, [Link(1, 0), Link(2, 0)])], paths[0])
    write_threads([Thread(posts, [Link(1, 0), Link(2, 1)])], paths[1])
    return paths


@pytest.fixture
def compressions(tmp_path):
    paths = tmp_path / "gold.json", tmp_path / "system.json"
    paths[0].write_text("".join(json.dumps(line) + "\n" for line in KEPT))
    other = {"tokens": KEPT[0]["source_tokens"], "kept": [1, 0, 0], "score": 1.0}
    paths[1].write_text("".join(json.dumps(line) + "\n" for line in [other] * 2))
    return paths


def test_entities(run, columns):
    code, out, _ = run("evaluate", *columns)
    assert code == 0
    assert out.splitlines()[1].split()[:2] == ["micro", "50.00"]
    record = json.loads(run("evaluate", *columns, "--format", "json")[1])
    assert record["by_type"]["PER"]["f1"] == 1.0
    record = json.loads(run("evaluate", *columns, "--against", columns[1], "--format", "json")[1])
    assert record["against"]["micro"]["p_value"] == 1.0


def test_links(run, threads):
    code, out, _ = run("evaluate", *threads)
    assert code == 0
    assert out.splitlines()[1].split()[:2] == ["links", "50.00"]
    record = json.loads(run("evaluate", *threads, "--against", threads[0], "--format", "json")[1])
    assert record["links"]["f1"] == 0.5
    assert record["against"]["difference"]["value"] == -0.5


def test_compressions(run, compressions):
    code, out, _ = run("evaluate", *compressions)
    assert code == 0
    assert out.splitlines()[1].split()[:5] == ["F1", "of", "kept", "words", "66.67"]
    against = ("--against", compressions[0], "--format", "json")
    record = json.loads(run("evaluate", *compressions, *against)[1])
    assert (record["rate"], record["gold_rate"]) == (1 / 3, 2 / 3)
    assert record["against"]["difference"]["value"] == pytest.approx(-1 / 3)


def test_other_sentences_are_not_compared(run, columns, compressions):
    for gold, system in (columns, compressions):
        system.write_text(system.read_text().replace("here", "there").replace("Rome", "Bonn"))
        code, out, err = run("evaluate", gold, system)
        assert (code, out) == (3, "")
        assert f"{system}: system: sentence " in err
        assert " has other words than gold" in err
        code, _, err = run("evaluate", gold, gold, "--against", system)
        assert (code, f"{system}: --against: sentence " in err) == (3, True)


def test_other_threads_are_not_compared(run, threads):
    threads[1].write_text("")
    code, _, err = run("evaluate", *threads)
    assert (code, "system.jsonl: the file is empty" in err) == (3, True)
    threads[1].write_text('{"posts": [{"text": "Tea?"}]}\n')
    code, _, err = run("evaluate", *threads)
    assert (code, "system.jsonl: system: " in err) == (3, True)
