import io
import pickle
import time

import numpy as np
import pytest

from treaty.solve import _highs_child as child


def program(integral: bool) -> dict:
    """Maximize 2 x + 3 y + 2 z with at most 1.5 of them in all."""
    return {
        "col_cost": np.array([-2.0, -3.0, -2.0]), "offset": 1.0,
        "col_lower": np.zeros(3), "col_upper": np.ones(3),
        "row_lower": np.array([-np.inf]), "row_upper": np.array([1.5]),
        "start": np.array([0, 3], np.int32), "index": np.arange(3, dtype=np.int32),
        "value": np.ones(3), "integrality": np.ones(3 if integral else 0, np.int8),
    }  # fmt: skip


def messages(lp, **options):
    source, sink = io.BytesIO(), io.BytesIO()
    pickle.dump({"lp": lp, "options": options, "wants_ray": True, "sent": time.time()}, source)
    source.seek(0)
    child.main(source, sink)
    sink.seek(0)
    found = []
    while sink.tell() < len(sink.getvalue()):
        found.append(pickle.load(sink))
    return found


@pytest.mark.parametrize(("integral", "value"), [(False, -3.0), (True, -2.0)])
def test_the_last_message_is_the_optimum(integral, value):
    *improved, last = messages(program(integral), time_limit=60.0)
    assert last["objective_function_value"] == pytest.approx(value)
    assert all(each["objective_function_value"] >= value - 1e-9 for each in improved)
    assert len(last["col_value"]) == 3


def test_an_infeasible_program_comes_with_its_proof():
    lp = program(False) | {"row_lower": np.array([4.0]), "row_upper": np.array([np.inf])}
    [last] = messages(lp, presolve="off", solver="simplex")
    assert last["ray"] is not None
    assert last["ray"][0] != 0.0


def test_a_rejected_program_ends_the_child():
    lp = program(False) | {"index": np.array([0, 1, 7], np.int32)}
    with pytest.raises(SystemExit, match="rejected"):
        messages(lp)
