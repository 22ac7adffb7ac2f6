import itertools

from treaty.errors import InputError
from treaty.web import _context
from treaty.web._context import Context
from treaty.web._stop import Stop


def test_the_first_group_is_worked_on_in_any_case():
    context = Context(None, Stop(1e-9))
    assert list(context.groups(range(10), 4)) == [[0, 1, 2, 3]]
    assert context.left_out == 6
    assert context.told()["left_out"] == 6
    assert "6 inputs are left out" in context.told()["notes"][0]


def test_with_time_all_groups_are():
    context = Context(None, Stop(60))
    assert list(context.groups(range(5), 2)) == [[0, 1], [2, 3], [4]]
    assert context.told() == {}


def test_counting_what_is_left_out_ends_soon(monkeypatch):
    monkeypatch.setattr(_context, "COUNTING", -1.0)
    context = Context(None, Stop(1e-9))
    assert list(context.groups(itertools.count(), 4)) == [[0, 1, 2, 3]]
    assert context.left_out == 5
    assert "at least 5 inputs are left out" in context.told()["notes"][0]


def test_many_faults_are_counted_and_few_are_told():
    context = Context(None, Stop(60))
    for number in range(30):
        context.fault(InputError(f"line {number}"))
    assert context.faults == 30
    assert len(context.told()["notes"]) == 10
