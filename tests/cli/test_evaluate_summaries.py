"""``treaty evaluate`` on summaries, as a user meets it."""

import gzip
import json

import pytest

TOPICS = [
    {"topic": "a", "documents": ["x"], "references": ["Rain fell.", "It rained all day."]},
    {"topic": "b", "documents": ["x"], "references": [{"text": "Snow fell."}], "language": "en"},
]
SUMMARIES = [
    {"topic": "b", "summary": "Snow falls."},
    {"topic": "a", "summary": ["Rain fell.", "It rained."]},
]


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def files(tmp_path):
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("gold", "system")}
    paths["gold"].write_text(lines(*TOPICS))
    paths["system"].write_text(lines(*SUMMARIES))
    return paths


def test_summaries_are_found_by_their_topics(run, files):
    code, out, err = run("evaluate", files["gold"], files["system"])
    assert (code, err) == (0, "")
    assert out.startswith("2 summaries  recall  precision")
    assert out.splitlines()[1].split()[:3] == ["ROUGE-1", "58.33", "50.00"]


def test_json_names_the_topics(run, files):
    arguments = ("evaluate", files["gold"], files["system"])
    record = json.loads(run(*arguments, "--format", "json", "--stem")[1])
    assert [topic["topic"] for topic in record["by_topic"]] == ["a", "b"]
    assert record["by_topic"][1]["ROUGE-1"]["recall"] == 0.5  # fell is no form of fall's
    assert record["summaries"] == 2
    assert set(record["intervals"]["ROUGE-L"]) == {"value", "low", "high", "level"}
    short = json.loads(run(*arguments, "--format", "json", "--words", 1)[1])
    assert short["by_topic"][1]["ROUGE-1"] == {"recall": 1.0, "precision": 1.0, "f": 1.0}
    jackknife = json.loads(run(*arguments, "--format", "json", "--jackknife")[1])
    assert jackknife["by_topic"][0]["ROUGE-1"]["recall"] == 0.75  # of 2/2 and 2/4
    greek = json.loads(run(*arguments, "--format", "json", "--language", "el")[1])
    assert greek["mean"] == json.loads(run(*arguments, "--format", "json")[1])["mean"]


def test_systems_are_compared(run, files, tmp_path):
    worse = tmp_path / "worse.jsonl.gz"
    worse.write_bytes(gzip.compress(lines({"summary": "x"}, {"summary": "y"}).encode()))
    code, out, _ = run("evaluate", files["gold"], files["system"], "--against", worse)
    assert code == 0
    assert out.split("\n\n")[1].splitlines()[1].split()[:2] == ["ROUGE-1", "+58.33"]


def test_a_text_against_a_folder_of_texts(run, tmp_path):
    folder = tmp_path / "humans"
    folder.mkdir()
    (folder / "1.txt").write_text("Rain fell.")
    (folder / "2.txt").write_text("It rained all day.")
    (tmp_path / "summary.txt").write_text("Rain fell.\nIt rained.")
    code, out, _ = run("evaluate", folder, tmp_path / "summary.txt")
    assert code == 0
    assert out.splitlines()[0].startswith("1 summary ")
    assert out.splitlines()[1].split()[:3] == ["ROUGE-1", "66.67", "50.00"]


def test_standard_input_is_of_the_other_files_kind(run, files, tmp_path, stdin):
    stdin(files["system"].read_text())
    assert run("evaluate", files["gold"], "-")[0] == 0
    stdin("Rain fell.")
    (tmp_path / "human.txt").write_text("Rain fell.")
    assert "100.00" in run("evaluate", tmp_path / "human.txt", "-")[1]


@pytest.mark.parametrize(
    ("gold", "system", "cause"),
    [
        (TOPICS, SUMMARIES[:1], "system.jsonl: there is no summary of topic a"),
        (TOPICS, [], "system.jsonl: the file is empty"),
        (TOPICS, SUMMARIES + SUMMARIES, "several summaries have the same topic"),
        (TOPICS, [{"topic": "a"}], "system.jsonl: holds JSON lines of an unknown kind"),
        (TOPICS, [*SUMMARIES, {"topic": "a"}], "system.jsonl:3: the record has no 'summary'"),
        ([], SUMMARIES, "gold.jsonl: the file is empty"),
        ([{"topic": "a", "documents": ["x"]}], SUMMARIES, "topic a has no 'references'"),
    ],
)
def test_files_that_do_not_fit(run, files, gold, system, cause):
    files["gold"].write_text(lines(*gold))
    files["system"].write_text(lines(*system))
    code, out, err = run("evaluate", files["gold"], files["system"])
    assert (code, out) == (3, "")
    assert cause in err


def test_options_of_other_tasks(run, files, tmp_path):
    columns = tmp_path / "gold.tsv"
    columns.write_text("Rome\tB-LOC\n")
    code, _, err = run("evaluate", columns, columns, "--stem")
    assert code == 2
    assert "are for summaries" in err
    arguments = ("evaluate", files["gold"], files["system"])
    code, _, err = run(*arguments, "--by", "label", "--no-punctuation")
    assert code == 2
    assert "--no-punctuation, --by: only for trees, and" in err
    assert run(*arguments, "--words", 0)[0] == 2
    assert "no stemmer" in run(*arguments, "--stem", "--language", "xx")[2]
