"""Features of factors: templates and values, and templates that are refused."""

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.label.threads._models import MODELS
from treaty.label.threads._templates import Family, check_templates, hashed, mixed


def test_a_feature_is_its_template_and_values():
    family = Family("f", ("right",), ("", "0.same 1.same", "1.same", "0.same"), ((1, 1),))
    values = {"same": mixed(np.array([0, 1, 0, 1], np.uint64))}
    pairs = np.array([[0, 1], [2, 3], [1, 0], [0, 2]])
    found = hashed(family, values, pairs)
    assert found[0].tolist() == found[1].tolist()  # the same codes, the same features
    assert len(set(found[:, 0].tolist())) == 1
    assert len(set(found[:, 1].tolist())) == 3
    assert len(set(found.ravel().tolist())) == 1 + 3 + 2 + 2


def test_all_templates_are_sound():
    for families in MODELS.values():
        for family in families:
            check_templates(family)
            assert len(set(family.templates)) == len(family.templates)


@pytest.mark.parametrize("template", ["nonsense", "2.same", "same.", "0.same 1.x"])
def test_other_templates_are_refused(template):
    with pytest.raises(UsageError, match="is not a code of its 2 pairs"):
        check_templates(Family("f", ("right",), (template,), ((1, 1),)))
