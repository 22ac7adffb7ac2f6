"""``treaty train linker``."""

import pytest
from tests.label.threads.toy import toy_threads

from treaty.label import ThreadLinker
from treaty.text import write_threads


@pytest.fixture
def files(tmp_path):
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("train", "dev")}
    write_threads(toy_threads(20), paths["train"])
    write_threads(toy_threads(4, seed=1), paths["dev"])
    return paths


def test_a_linker_is_trained_and_told_of(run, files, tmp_path):
    out = tmp_path / "toy.treaty"
    code, printed, told = run(
        "train", "linker", "--train", files["train"], "--dev", files["dev"], "-o", out,
        "--order", "2d", "--window", 5, "--epochs", 2, "--license", "CC0",
    )  # fmt: skip
    assert (code, printed) == (0, "")
    assert told.startswith(f"treaty: note: {out}: F1 ")
    linker = ThreadLinker.load(out)
    assert (linker.order, linker.window, linker.info["license"]) == ("2d", 5, "CC0")
    assert not list(tmp_path.glob("*.checkpoint*"))


def test_training_needs_links(run, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"posts": [{"text": "a"}]}\n')
    code, _, err = run("train", "linker", "--train", path, "-o", tmp_path / "m.treaty")
    assert code == 2
    assert "links" in err
