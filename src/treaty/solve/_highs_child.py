"""HiGHS in a process of its own: reads a model from stdin, writes what it finds to stdout.

Run as a file by `treaty.solve._highs_process`, it imports nothing of treaty. Each message is a
pickle: improved integer points on the way, and the result at last.
"""

from __future__ import annotations

import pickle
import sys
import time
from typing import Any, BinaryIO

import highspy
import numpy as np

INFO = (
    "simplex_iteration_count", "ipm_iteration_count", "mip_node_count", "mip_dual_bound",
    "objective_function_value", "primal_solution_status",
)  # fmt: skip


def main(source: BinaryIO, sink: BinaryIO) -> None:
    """Solve one model."""
    model = pickle.load(source)
    highs = load(model["lp"])
    limit = model["options"].pop("time_limit", None)
    for option, setting in model["options"].items():
        highs.setOptionValue(option, setting)
    if limit is not None:
        highs.setOptionValue("time_limit", max(0.0, limit - (time.time() - model["sent"])))

    def improved(event: Any) -> None:
        found = event.data_out
        send(sink, {
            "col_value": np.array(found.mip_solution),
            "objective_function_value": found.objective_function_value,
            "mip_dual_bound": found.mip_dual_bound,
            "mip_node_count": found.mip_node_count,
        })  # fmt: skip

    if len(model["lp"]["integrality"]):
        highs.cbMipImprovingSolution += improved
    highs.run()
    info, solution = highs.getInfo(), highs.getSolution()
    result = {name: getattr(info, name) for name in INFO}
    status = highs.getModelStatus()
    wants_ray = model["wants_ray"] and status == highspy.HighsModelStatus.kInfeasible
    _, has_ray, ray = highs.getDualRay() if wants_ray else (None, False, [])
    send(sink, result | {
        "primal_solution_status": int(info.primal_solution_status),
        "model_status": int(status),
        "col_value": np.array(solution.col_value),
        "row_dual": np.array(solution.row_dual),
        "ray": np.array(ray) if has_ray else None,
    })  # fmt: skip


def load(arrays: dict[str, Any]) -> Any:
    """Load a model from its arrays."""
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(arrays["col_cost"]), len(arrays["row_lower"])
    lp.offset_ = arrays["offset"]
    for name in ("col_cost", "col_lower", "col_upper", "row_lower", "row_upper"):
        setattr(lp, f"{name}_", arrays[name])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    for name in ("start", "index", "value"):
        setattr(lp.a_matrix_, f"{name}_", arrays[name])
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    lp.integrality_ = [kinds[kind] for kind in arrays["integrality"].tolist()]
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    if highs.passModel(lp) == highspy.HighsStatus.kError:
        raise SystemExit("HiGHS rejected the linear program")
    return highs


def send(sink: BinaryIO, message: dict[str, Any]) -> None:
    """Write a message at once."""
    pickle.dump(message, sink, protocol=5)
    sink.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
