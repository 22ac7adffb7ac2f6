"""Models as functions of Dask's partitions."""

from __future__ import annotations

import json

import dask.bag
import pytest

from treaty.cluster import MappedModel, label, parse, predict
from treaty.parse import Pipeline

TEXTS = ["Cats sleep.", "Ada lives in London.", "It rains."]


def test_a_bag_is_parsed(cluster):
    bag = dask.bag.from_sequence(TEXTS, npartitions=2).map_partitions(parse("english"))
    found = cluster.client.compute(bag).result()
    wanted = [document.to_dict() for document in Pipeline.load("english").pipe(TEXTS)]
    assert [json.loads(line) for line in found] == wanted


def test_a_column_of_a_data_frame_is_parsed(cluster):
    pd = pytest.importorskip("pandas")
    series = pd.Series(TEXTS, index=[3, 5, 8], name="text")
    found = parse("english")(series)
    assert list(found.index) == [3, 5, 8]
    assert [json.loads(line)["text"] for line in found] == TEXTS
    dataframe = pytest.importorskip("dask.dataframe", exc_type=ImportError)
    column = dataframe.from_pandas(pd.DataFrame({"text": series}), npartitions=2)["text"]
    mapped = column.map_partitions(parse("english"), meta=("text", object))
    assert list(cluster.client.compute(mapped).result()) == list(found)


def test_an_empty_partition_stays_empty():
    assert predict("entities")([]) == []


def test_names_are_found():
    (line,) = label()(["Ada lives in London."])
    assert [entity["text"] for entity in json.loads(line)["entities"]] == ["Ada", "London"]
    assert isinstance(label(), MappedModel)
