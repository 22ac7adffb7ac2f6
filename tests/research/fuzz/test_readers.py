"""A short run of every harness with a fixed seed, and every case that once broke something."""

import pytest

from research.fuzz.__main__ import harnesses
from research.fuzz._run import CASES, fuzz, judged

ALL = {harness.name: harness for harness in harnesses([])}
SLOW = {"tokenizer", "drawn-trees", "drawn-threads", "templates", "uai", "rules"}
READERS = [
    name for name, harness in ALL.items() if harness.run.__module__ == "research.fuzz.readers"
]


@pytest.mark.parametrize("name", READERS)
def test_a_short_run_finds_nothing(name):
    report = fuzz(ALL[name], inputs=40 if name in SLOW else 250, seed=5)
    assert dict(report.found) == {}
    assert report.inputs > 0


@pytest.mark.parametrize(
    "path", sorted(CASES.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_what_once_broke_is_mended(path):
    assert judged(ALL[path.parent.name], path.read_bytes())[1] is None


@pytest.mark.parametrize("name", READERS)
def test_the_corpus_is_valid(name):
    harness = ALL[name]
    outcomes = [judged(harness, data) for data in harness.make_corpus()]
    assert [what for _, what, _ in outcomes] == [None] * len(outcomes)
    assert () in {outcome for outcome, _, _ in outcomes}
