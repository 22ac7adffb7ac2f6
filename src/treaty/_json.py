"""Results as JSON, the same on the command line and over HTTP."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["json_line"]


def json_line(result: Any) -> str:
    r"""Write a dictionary, or a result that gives one, as a line of JSON.

    Examples
    --------
    >>> json_line({"text": "Hush!"})
    '{"text": "Hush!"}\n'
    """
    record = result if isinstance(result, dict) else result.to_dict()
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
