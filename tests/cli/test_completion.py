"""Completion, installed by the command and asked for by real shells."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ASK = {
    "bash": (
        "source ~/.bash_completions/treaty.sh; COMP_WORDS=({line}); COMP_CWORD={last}; "
        "_treaty_completion treaty; printf '%s\\n' ${{COMPREPLY[@]}}"
    ),
    "zsh": '_TREATY_COMPLETE=complete_zsh _TYPER_COMPLETE_ARGS="{line}" treaty',
    "fish": 'complete -C "{line}"',
}


def run(shell, code, home):
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"HOME": str(home), "PATH": beside, "XDG_CONFIG_HOME": str(home / ".config")}
    environment = {**os.environ, **own}
    done = subprocess.run([shell, "-c", code], env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.parametrize("shell", ASK)
def test_a_command_installs_completion(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    told = run(shell, "treaty --install-completion; true", tmp_path)
    assert f"{shell} completion installed" in told
    assert any("treaty" in p.name and p.read_text() for p in tmp_path.rglob("*") if p.is_file())
    for line, expected in (("treaty summ", "summarize"), ("treaty solve --method exh", "exhausti")):
        asked = ASK[shell].format(line=line, last=line.count(" "))
        found = run(shell, asked, tmp_path)
        assert expected in found, found
        assert "induce" not in found
