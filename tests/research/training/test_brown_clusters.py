"""The script that reads Brown clusters from a package of tables, on a package that is made up."""

from __future__ import annotations

import gzip
import json
import zipfile

from research.training import brown_clusters
from treaty.parse import Clusters


def write_wheel(path, **tables):
    with zipfile.ZipFile(path, "w") as wheel:
        for name, values in tables.items():
            packed = gzip.compress(json.dumps(values).encode())
            wheel.writestr(f"{brown_clusters.FOLDER}/en_lexeme_{name}.json.gz", packed)


def test_the_most_frequent_words_are_kept_with_their_paths(tmp_path, monkeypatch, capsys):
    # The lowest bit is the first step: 6 is 0110 backwards, and 0 is no path.
    clusters = {"may": 6, "May": 9, "rome": 6, "Rome": 6, "rare": 1, "?": 0, "a b": 5}
    logarithms = {"may": -1.0, "May": -2.0, "rome": -3.0, "Rome": -4.0, "rare": -9.0, "?": -0.5}
    wheel, out = tmp_path / "tables.whl", tmp_path / "clusters.tsv.xz"
    write_wheel(wheel, cluster=clusters, prob=logarithms)
    command = f"brown_clusters --wheel {wheel} --out {out} --words 4"
    monkeypatch.setattr("sys.argv", command.split())
    brown_clusters.main()
    assert "3 words, 2 clusters" in capsys.readouterr().out
    read = Clusters.read(out)
    assert read.paths == {"may": "0110", "May": "1001", "rome": "0110"}
    assert read.path("Rome") == "0110"
