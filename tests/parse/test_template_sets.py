"""Template sets in model files: as many as there are families, each a list of templates."""

import pytest

from treaty.errors import ModelError
from treaty.learn import ModelFile
from treaty.parse._template_sets import template_sets


@pytest.mark.parametrize("templates", [None, [], [[]], [["a"], "b"], [[1], []], [["a " * 99], []]])
def test_other_lists_are_refused(templates):
    with pytest.raises(ModelError, match="template"):
        template_sets(ModelFile("toy", {"templates": templates}, {}), 2)


def test_sets_are_read_in_order():
    first, second = template_sets(ModelFile("toy", {"templates": [["a"], []]}, {}), 2)
    assert (first.templates, second.templates) == (("a",), ())
