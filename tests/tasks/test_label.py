"""Labeling: input formats, phrases, batches, and the numbers of groups."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tasks.conftest import Looks

from treaty.errors import UsageError
from treaty.label import EntityLabeler
from treaty.tasks import LabelRequest, Run, Text
from treaty.tasks import _label as label
from treaty.tasks._label import Labeling, renumbered

POSTS = "\n".join(f"Ada met Babbage in town {n}" for n in range(12))


def names(labeled):
    return [(e.type, e.text) for one in labeled for e in one.message.entities]


def test_names_are_those_of_the_library(perform, models):
    text = "Ada Lovelace was born in London. Lovelace met Babbage."
    mine, twin = perform("label", text), models.load(EntityLabeler, "entities").label_text(text)
    assert [m.to_dict() for m in mine] == [m.to_dict() for m in twin]
    assert ("PER", "Ada Lovelace") in names(mine)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ada slept in Rome\nBob slept", "messages"),
        ("Ada slept in Rome\nBob slept", "tokens"),
        ("Ada\nslept\nin\nRome\n\nBob\nslept\n", "columns"),
        ("<html><p>Ada slept in Rome.</p><p>Bob slept.</p></html>", "html"),
    ],
)
def test_every_input_format(perform, text, kind):
    assert len(perform("label", text, input_format=kind)) == 2


def test_phrases_force_and_forbid_names(perform):
    text = "Apple opens a shop in May."
    phrases = [{"phrase": "May", "type": "PER"}, {"phrase": "Apple", "type": "O"}]
    labeled = perform("label", text, phrases=phrases)
    assert names(labeled) == [("PER", "May")]
    assert labeled[0].certificate.status == "OPTIMAL"
    with pytest.raises(UsageError, match="the model has no type 'CITY'"):
        perform("label", text, phrases=[{"phrase": "May", "type": "CITY"}])


def test_a_file_of_rules_is_the_same_as_phrases(perform, tmp_path):
    path = tmp_path / "names.toml"
    path.write_text('[[rule]]\nphrase = "May"\ntype = "PER"\n')
    text = "Apple opens a shop in May."
    by_phrases = perform("label", text, phrases=[{"phrase": "May", "type": "PER"}])
    by_file = perform("label", text, rules=str(path))
    assert names(by_file) == names(by_phrases)


def test_columns_keep_their_rows(run):
    task = Labeling(LabelRequest(input_format="columns"), run)
    written = "".join(task.written(task.read([Text("Ada\tx\tO\nslept\ty\tO\n\n")]), "columns"))
    assert [line.split("\t")[:2] for line in written.splitlines() if "\t" in line] == [
        ["Ada", "x"],
        ["slept", "y"],
    ]


def test_groups_of_batches_are_counted_on(perform, models, monkeypatch):
    monkeypatch.setattr(label, "MESSAGES", 5)
    fields = {"input_format": "messages"}
    alone = [
        group
        for start in (0, 5, 10)
        for group in _groups(perform, "\n".join(POSTS.splitlines()[start : start + 5]), start)
    ]
    run = Run(models, Looks(100))
    groups = [one.message.group for one in perform("label", POSTS, run=run, **fields)]
    assert len(groups) == 12
    assert [_same(groups[i : i + 5]) for i in (0, 5, 10)] == [
        _same(alone[i : i + 5]) for i in (0, 5, 10)
    ]
    assert set(groups[:5]).isdisjoint(groups[5:10])
    late = Run(models, Looks(1))
    done = perform("label", POSTS, run=late, **fields)
    assert late.left_out == 12 - len(done) > 0


def _groups(perform, text, first):
    return [100 * first + one.message.group
            for one in perform("label", text, input_format="messages")]  # fmt: skip


def _same(groups):
    return [groups.index(group) for group in groups]


def test_parts_of_a_cluster_run_give_the_same(models, monkeypatch):
    monkeypatch.setattr(label, "ALONE", 5)
    request = LabelRequest(input_format="messages", chain_only=True)
    task = Labeling(request, Run(models))
    whole = "".join(task.written(task.read([Text(POSTS)]), "json"))
    first, joined = 0, []
    parts = list(task.parts([Text(POSTS)]))
    assert [source for source, _ in parts] == ["0"] * 3
    for _, items in parts:
        text, first = renumbered("".join(task.written(iter(items), "json")), first)
        joined.append(text)
    assert _timeless("".join(joined)) == _timeless(whole)


def _timeless(text):
    return re.sub(r'"seconds": [0-9.e-]+', "", text)


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(0, 99))
def test_renumbered_groups_are_moved_by_the_same_number(groups, first):
    columns = "".join(f"# group = {g}\nAnn\tB-PER\n\n" for g in groups)
    moved, after = renumbered(columns, first)
    assert [int(n) for n in re.findall(r"group = (\d+)", moved)] == [first + g for g in groups]
    assert after == first + max(groups) + 1
    certificate = {"status": "OPTIMAL", "bound": 1.0}
    lines = "".join(
        json.dumps({"text": '"group": 3', "group": g, "certificate": certificate}) + "\n"
        for g in groups
    )
    moved, after = renumbered(lines, first)
    records = [json.loads(line) for line in moved.splitlines()]
    assert [record["group"] for record in records] == [first + g for g in groups]
    assert {record["text"] for record in records} == {'"group": 3'}
    assert after == first + max(groups) + 1
