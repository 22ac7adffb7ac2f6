"""HiGHS for large programs, in a process that can be killed.

HiGHS looks at the time and at interrupts now and then only: while it loads a large program, sets up
its search or solves one linear program of it, minutes may pass. A process of its own ends when it
must, and takes its memory with it. It has the methods of `highspy.Highs` that this package uses.
"""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import highspy
import numpy as np

__all__ = ["HighsProcess", "is_large"]

LARGE = 10**5
"""Coefficients of a program for which a process is worth its start, a tenth of a second."""
GRACE = 0.1
"""Seconds after its limit that HiGHS has to come to an end by itself."""
CHILD = Path(__file__).with_name("_highs_child.py")


def is_large(coefficients: int) -> bool:
    """Whether a program should be solved in a process of its own."""
    return coefficients > LARGE and bool(sys.executable) and CHILD.is_file()


class HighsProcess:
    """A program to be solved once.

    Parameters
    ----------
    lp
        The arrays of the program, by their names in `highspy.HighsLp`.
    wants_ray
        Whether the multipliers of an infeasible program are needed.
    """

    def __init__(self, lp: dict[str, Any], *, wants_ray: bool) -> None:
        self.HandleUserInterrupt = False
        self._message: dict[str, Any] = {"lp": lp, "options": {}, "wants_ray": wants_ray}
        self._process: subprocess.Popen[bytes] | None = None
        self._cancelled = False
        self._result: dict[str, Any] = {
            "simplex_iteration_count": 0, "ipm_iteration_count": 0, "mip_node_count": 0,
            "mip_dual_bound": -math.inf, "objective_function_value": math.inf,
            "primal_solution_status": 0, "col_value": np.zeros(0), "row_dual": np.zeros(0),
            "ray": None, "model_status": int(highspy.HighsModelStatus.kTimeLimit),
        }  # fmt: skip

    def setOptionValue(self, option: str, value: Any) -> None:  # noqa: N802 - as in highspy
        """Set an option of HiGHS."""
        self._message["options"][option] = value

    def run(self) -> None:
        """Solve; what is known when the time is out, or at a cancellation, is the result."""
        limit = self._message["options"].get("time_limit", math.inf)
        ends = time.perf_counter() + limit + GRACE
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-P", str(CHILD)]
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        ) as process:
            self._process = process
            if self._cancelled:
                process.kill()
            clock = threading.Timer(
                min(ends - time.perf_counter(), threading.TIMEOUT_MAX), process.kill
            )
            clock.daemon = True
            clock.start()
            try:
                self._talk(process)
            finally:
                clock.cancel()
                process.kill()

    def _talk(self, process: subprocess.Popen[bytes]) -> None:
        """Send the program, and take in what comes until the child ends."""
        assert process.stdin is not None and process.stdout is not None
        try:
            pickle.dump({**self._message, "sent": time.time()}, process.stdin, protocol=5)
            process.stdin.close()
            while "row_dual" not in (message := pickle.load(process.stdout)):
                feasible = highspy.SolutionStatus.kSolutionStatusFeasible
                self._result |= message | {"primal_solution_status": int(feasible)}
            self._result |= message
        except (EOFError, OSError, pickle.UnpicklingError):  # it was killed
            pass

    def cancelSolve(self) -> None:  # noqa: N802
        """End the process."""
        self._cancelled = True
        if self._process is not None:
            self._process.kill()

    def getRunTime(self) -> float:  # noqa: N802
        """Return the time of earlier runs: there are none."""
        return 0.0

    def getModelStatus(self) -> Any:  # noqa: N802
        """Return how the run ended."""
        return highspy.HighsModelStatus(self._result["model_status"])

    def modelStatusToString(self, status: Any) -> str:  # noqa: N802
        """Return the name of a status."""
        return str(status)

    def getInfo(self) -> Any:  # noqa: N802
        """Return counts, values and bounds."""
        status = highspy.SolutionStatus(self._result["primal_solution_status"])
        return SimpleNamespace(**self._result | {"primal_solution_status": status})

    def getSolution(self) -> Any:  # noqa: N802
        """Return the point and the multipliers."""
        return SimpleNamespace(
            col_value=self._result["col_value"], row_dual=self._result["row_dual"]
        )

    def getDualRay(self) -> tuple[None, bool, Any]:  # noqa: N802
        """Return multipliers that prove infeasibility."""
        ray = self._result["ray"]
        return None, ray is not None, ray
