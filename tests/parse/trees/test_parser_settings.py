"""Settings have ranges; templates with clusters have all the others."""

import pytest

from treaty.errors import UsageError
from treaty.parse import Clusters, Parser, ParserTemplates, Settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"order": "fourth"},
            "order: expected one of first, second, second",
        ),
        ({"heads": 0}, "heads: expected an integer from 1 to 100, found 0"),
        ({"modifiers": 2**31}, "modifiers: expected an integer from 1 to 1000"),
        ({"iterations": 0}, "iterations: expected an integer from 1 to 10000"),
        ({"pruner_bits": 0}, "pruner_bits: expected an integer from 1 to 26, found 0"),
        ({"parser_bits": 27}, "parser_bits: expected an integer from 1 to 26, found 27"),
        ({"threshold": 1.5}, "threshold: expected a number from 0 to 1, found 1.5"),
        ({"threshold": -0.1}, "threshold: expected a number from 0 to 1"),
        ({"threshold": float("nan")}, "threshold: expected a number from 0 to 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Settings(**settings)
    ends = {"heads": 1, "modifiers": 1000, "label_bits": 26, "threshold": 1}
    assert Settings(**ends).threshold == 1.0


def test_templates_with_clusters_have_all_the_others() -> None:
    plain, more = ParserTemplates(), ParserTemplates().with_clusters()
    for name, templates in plain.parser.items():
        assert set(templates.templates) < set(more.parser[name].templates), name
    assert set(plain.label.templates) < set(more.label.templates)
    Parser(Settings(), more, ["root"], {}, Clusters({"a": "01"}))
