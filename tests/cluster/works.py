"""Work that workers of the tests do: it fails, dies or hangs when it is told to."""

from __future__ import annotations

import errno
import os
import signal
import time
from pathlib import Path
from typing import Any

from treaty.errors import OutputError


class Shouting:
    """Writes lines in capitals."""

    def __init__(self, model: str = "", slow: float = 0.0, mark: str = "") -> None:
        self.slow, self.mark = slow, mark
        if mark:
            with Path(mark).open("a") as stream:
                stream.write(f"{os.getpid()}\n")

    def __call__(self, content: Any, write: Any, kind: str = "") -> dict[str, Any]:
        lines = content
        if isinstance(content, str):
            lines = Path(content).read_text("utf-8").split("\n")
        faults = []
        count = 0
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            if line == "bad":
                faults.append(
                    {"path": content, "line": number, "message": f"{content}:{number}: bad"}
                )
                continue
            self._obey(line)
            write(f"{line.upper()}\n")
            count += 1
        time.sleep(self.slow)
        return {"results": count, "faults": faults}

    def _obey(self, line: str) -> None:
        if line == "raise":
            raise ValueError("this line is poison")
        if line == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if line == "hang":
            time.sleep(1000)
        if line == "full":
            raise OutputError("parts", OSError(errno.ENOSPC, "No space left on device"))
        if line.startswith("once ") and not Path(line[5:]).exists():
            Path(line[5:]).touch()
            os.kill(os.getpid(), signal.SIGKILL)
