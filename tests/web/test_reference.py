"""docs/reference/http.md against the application."""

import dataclasses
import re
from pathlib import Path

from treaty.tasks import FactorRecord, SummaryWish
from treaty.tasks._wishes import NEEDS
from treaty.web._app import ROUTES
from treaty.web._caps import Caps
from treaty.web._metrics import STATUSES
from treaty.web._operations import OPERATIONS
from treaty.web._running import ACCEPTED

PAGE = (Path(__file__).parents[2] / "docs/reference/http.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ")
]


def kinds_of(record):
    return next(p.choices for p in record.parameters() if p.name == "kind")


def test_every_address_is_listed(client):
    listed = {row[0].strip("`") for row in ROWS if re.match("`(GET|POST) ", row[0])}
    schema = client.get("/api/openapi.json").json()["paths"]
    described = {f"{m.upper()} {path}" for path, own in schema.items() for m in own}
    assert listed == described | {"GET /", "GET /api/openapi.json"}
    assert ROUTES


def test_every_field_is_listed():
    for name, operation in OPERATIONS.items():
        (row,) = [row for row in ROWS if row[0] == name and re.match(r"`\w", row[1])]
        fields = set(operation.request.model_fields) - {"time_limit"}
        assert set(re.findall(r"`(\w+)`", row[1])) == fields, name


def test_every_cap_is_listed_with_its_number():
    rows = [row for row in ROWS if len(row) == 3 and re.fullmatch("[0-9,]+", row[1])]
    listed = {row[0].strip("`"): row[1] for row in rows}
    assert listed == {
        one.name: f"{getattr(Caps(), one.name):,}" for one in dataclasses.fields(Caps)
    }


def test_statuses_formats_constraints_and_factors_are_listed():
    statuses = {int(row[0]) for row in ROWS if row[0].isdecimal()}
    assert statuses == set(STATUSES) - {405, 499}
    assert set(re.findall(r"^\| `((?:application|text)/[\w-]+)", PAGE, re.M)) <= set(ACCEPTED)
    for kind in (*NEEDS, *kinds_of(SummaryWish)):
        assert f'"{kind}"' in PAGE or f"`{kind}`" in PAGE, kind
    for kind in kinds_of(FactorRecord):
        assert f"`{kind}`" in PAGE, kind
