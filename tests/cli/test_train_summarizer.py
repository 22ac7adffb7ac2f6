"""The command that trains summarizers."""

from __future__ import annotations

import json
from pathlib import Path

LINE = {
    "language": "fr",
    "documents": [
        "Il a plu lundi à Lisbonne toute la journée. Le maire de Lisbonne dort encore, dit-on.",
        "Lundi il a plu à Lisbonne. Personne ne sait quand la pluie va finir là-bas.",
    ],
    "references": ["Il a plu à Lisbonne."],
}


def test_a_model_is_trained_and_used(run, tmp_path: Path) -> None:
    topics, out = tmp_path / "topics.jsonl", tmp_path / "french.treaty"
    topics.write_text("\n".join([json.dumps(LINE)] * 2), "utf-8")
    code, _, _ = run(
        "train", "summarizer", "--train", topics, "-o", out, "--epochs", 1, "--parts", 7,
        "--license", "ours", "--quiet",
    )  # fmt: skip
    assert code == 0
    assert not Path(f"{out}.checkpoint").exists()
    code, told, _ = run("info", out, "--format", "json")
    assert code == 0
    info = json.loads(told)["info"]
    assert info["license"] == "ours"
    assert info["training"]["parts"] == 7
    articles = tmp_path / "articles.jsonl"
    articles.write_text(json.dumps(LINE), "utf-8")
    code, text, _ = run("summarize", articles, "--model", out, "--words", 8, "--quiet")
    assert code == 0
    assert "Lisbonne" in text


def test_faults_are_told(run, tmp_path: Path) -> None:
    topics, out = tmp_path / "topics.jsonl", tmp_path / "french.treaty"
    topics.write_text(json.dumps({**LINE, "references": []}), "utf-8")
    code, _, error = run("train", "summarizer", "--train", topics, "-o", out)
    assert code == 2
    assert "references" in error
    topics.write_text(json.dumps(LINE), "utf-8")
    short = tmp_path / "short.jsonl"
    short.write_text('{"source_tokens": ["a"], "keep": [2]}', "utf-8")
    code, _, error = run("train", "summarizer", "--train", topics, "--train", short, "-o", out)
    assert code == 3
    assert "short.jsonl:1" in error
    assert not out.exists()
