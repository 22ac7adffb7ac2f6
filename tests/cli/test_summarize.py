"""``treaty summarize``."""

import json
from pathlib import Path

import pytest

ARTICLES = Path(__file__).parents[2] / "examples" / "articles"
SIMPLE = ("--model", "simple")
FRENCH = ("--language", "fr", *SIMPLE)
RAIN = "Il a plu lundi sur la ville de Lisbonne. Le maire dort depuis mardi matin, dit-on.\n"


@pytest.fixture
def rain(tmp_path):
    path = tmp_path / "pluie.txt"
    path.write_text(RAIN)
    return path


def test_a_folder_becomes_a_text(run):
    code, printed, told = run("summarize", ARTICLES, "--words", 50, *SIMPLE)
    assert (code, told) == (0, "")
    assert 30 < len(printed.split()) <= 50
    assert printed.startswith("Lightning struck")


def test_cuts_are_shown_with_a_certificate(run):
    text = "However, the mayor of Lisbon, who was tired, closed the door on Monday."
    code, printed, _ = run("summarize", text, "--words", 11, "--show-cuts", *SIMPLE)
    assert code == 0
    assert "[" in printed
    code, printed, _ = run("summarize", ARTICLES, "--words", 40, "--show-cuts", *SIMPLE)
    assert "of 40 words, from 5 documents, compressive." in printed
    code, printed, _ = run("summarize", ARTICLES, "--words", 40, "--mode", "extractive", *SIMPLE)
    assert "[" not in printed


def test_collections_become_lines_that_can_be_evaluated(run, tmp_path):
    topics = tmp_path / "topics.jsonl"
    lines = [
        {
            "topic": n,
            "language": "fr",
            "documents": [RAIN],
            "references": ["Il a plu sur Lisbonne."],
        }
        for n in ("a", "b")
    ]
    topics.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = tmp_path / "found.jsonl"
    code, _, _ = run("summarize", topics, "--words", 9, "--format", "json", *SIMPLE, "-o", found)
    assert code == 0
    records = [json.loads(line) for line in found.read_text().splitlines()]
    assert [record["topic"] for record in records] == ["a", "b"]
    assert records[0]["mode"] == "extractive"
    assert run("evaluate", topics, found)[0] == 0
    code, printed, _ = run("summarize", topics, "--words", 9, *SIMPLE)
    assert printed.count("\n\n") == 1


def test_standard_input_may_be_html(run, stdin):
    stdin(f"<html><title>Pluie</title><p>{RAIN}</p></html>")
    code, printed, _ = run("summarize", "--format", "html", "--words", 9, *FRENCH)
    assert code == 0
    assert "Pluie: sentence 1" in printed
    stdin(json.dumps({"documents": [RAIN]}))
    code, printed, _ = run("summarize", "-", "--input-format", "json", "--words", 9, *FRENCH)
    assert (code, printed) == (0, "Il a plu lundi sur la ville de Lisbonne.\n")


def test_concepts_of_the_users_own(run, rain, tmp_path):
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("maire\n\nmardi matin\n")
    for concepts, beginning in ((wanted, "Le maire"), ("unigrams", "Il a"), ("3", "Il a")):
        code, printed, _ = run("summarize", rain, "--words", 9, "--concepts", concepts, *FRENCH)
        assert code == 0
        assert printed.startswith(beginning) or concepts != wanted
    (tmp_path / "none.txt").write_text("\n")
    assert run("summarize", rain, "--concepts", tmp_path / "none.txt", *FRENCH)[0] == 3


def test_a_budget_of_nothing_gives_a_note(run, rain):
    code, printed, told = run("summarize", rain, "--words", 0, *FRENCH)
    assert (code, printed) == (4, "\n")
    assert "no sentence fits within 0 words" in told


def test_faulty_collections_are_told_and_the_others_summarized(run, tmp_path):
    topics = tmp_path / "topics.jsonl"
    topics.write_text(
        f'{{"documents": []}}\n{{"documents": ["..."]}}\n{json.dumps({"documents": [RAIN]})}\n'
    )
    code, printed, told = run("summarize", topics, "--words", 9, *FRENCH)
    assert (code, printed) == (3, "Il a plu lundi sur la ville de Lisbonne.\n")
    assert "topics.jsonl:1" in told
    assert "no sentences" in told


@pytest.mark.parametrize(
    ("arguments", "code", "cause"),
    [
        (["nothing.txt", *FRENCH], 3, "nothing.txt"),
        (["empty.txt", *FRENCH], 3, "empty.txt: the file is empty"),
        (["empty.jsonl", *FRENCH], 3, "empty.jsonl"),
        (["binary.txt", *FRENCH], 3, "binary.txt"),
        (["dots.txt", *FRENCH], 3, "no sentences"),
        (["pluie.txt", *SIMPLE, "--language", "xx"], 2, "no stemmer for the language 'xx'"),
        (["pluie.txt", *FRENCH, "--mode", "compressive"], 2, "requires a parser"),
        (["pluie.txt", *FRENCH, "--concepts", "nothing"], 3, "nothing"),
        (["pluie.txt", *FRENCH, "--rules", "pluie.txt"], 3, "pluie.txt:1: is not valid TOML"),
        (["pluie.txt", *FRENCH, "--parser", "pluie.txt"], 5, "pluie.txt"),
        (["pluie.txt", *FRENCH, "--words", "-1"], 2, "--words"),
        (["pluie.txt", *FRENCH, "--method", "magic"], 2, "magic"),
        (["pluie.txt", *FRENCH, "-o", "none/x.txt"], 3, "no directory"),
    ],
)
def test_mistakes(run, rain, tmp_path, monkeypatch, arguments, code, cause):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").touch()
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "dots.txt").write_text("... !\n")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 4)
    found, printed, told = run("summarize", *arguments)
    assert (found, printed) == (code, "")
    assert cause in told
    assert rain.exists()
