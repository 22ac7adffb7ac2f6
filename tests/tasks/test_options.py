"""Shared fields: their choices are those of the library, over HTTP without archives."""

from typing import get_args

from treaty.parse import ORDERS, LineMeaning
from treaty.solve import METHODS
from treaty.tasks import TASKS, _options
from treaty.tasks._options import input_format
from treaty.tasks._sources import SENTENCE_FORMATS, over_http
from treaty.text.formats import DOCUMENTS


def test_choices_are_those_of_the_library():
    assert get_args(_options.MethodName) == tuple(METHODS)
    assert get_args(_options.ParserOrder) == tuple(ORDERS)
    assert get_args(_options.LineMeaning) == get_args(LineMeaning)


def test_archives_are_no_formats_of_requests_over_http():
    archives = {one.name for one in DOCUMENTS if not one.is_text}
    assert archives
    assert set(over_http(SENTENCE_FORMATS)) == set(SENTENCE_FORMATS) - archives
    assert input_format(SENTENCE_FORMATS).http.default == "text"
    for task in TASKS.values():
        choices = {one.name: one.choices for one in task.asks.parameters("http")}
        assert archives.isdisjoint(choices.get("input_format", ()))


def test_a_name_has_one_meaning():
    """A field that several requests have is described by the same words."""
    texts = {}
    for task in TASKS.values():
        for one in task.asks.parameters():
            if one.name in _shared():
                texts.setdefault(one.name, set()).add(one.option.help)
    assert {name: helps for name, helps in texts.items() if len(helps) > 1} == {}


def _shared():
    return {
        "model", "input_format", "lines", "abbreviations", "confidences", "threads", "method",
        "iterations", "time_limit", "gap", "language", "parser", "short", "show_cuts", "order",
    }  # fmt: skip
