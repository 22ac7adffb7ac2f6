import pytest

from treaty._json import json_line
from treaty.solve import Certificate


def test_results_and_dictionaries_are_lines():
    assert json_line(Certificate.exact(1.5)).startswith('{"status": "OPTIMAL", "objective": 1.5')
    assert json_line({"a": "é"}) == '{"a": "é"}\n'


def test_what_json_does_not_have_is_refused():
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_line({"a": float("nan")})
