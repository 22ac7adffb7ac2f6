"""The how-to for SSH, on loopback with an SSH server of the test; skipped where there is none."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from treaty.cli import main

ROOT = Path(__file__).parents[2]
SSHD = shutil.which("sshd") or ("/usr/sbin/sshd" if Path("/usr/sbin/sshd").exists() else None)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def server(tmp_path):
    """An SSH server that lets in one key; yields its port."""
    for name in ("host", "user"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)], check=True
        )
    shutil.copy(tmp_path / "user.pub", tmp_path / "authorized")
    (tmp_path / "authorized").chmod(0o600)
    port = free_port()
    known = (tmp_path / "host.pub").read_text()
    (tmp_path / "known").write_text(f"[127.0.0.1]:{port} {known}")
    (tmp_path / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {tmp_path / 'host'}\n"
        f"AuthorizedKeysFile {tmp_path / 'authorized'}\nStrictModes no\nUsePAM no\n"
        f"PasswordAuthentication no\nPidFile {tmp_path / 'pid'}\nAllowUsers {getpass.getuser()}\n"
    )
    Path("/run/sshd").mkdir(exist_ok=True)
    process = subprocess.Popen([SSHD, "-D", "-f", str(tmp_path / "config")])
    yield port
    process.terminate()
    process.wait()


@pytest.mark.long
@pytest.mark.skipif(SSHD is None or os.getuid() != 0, reason="needs sshd, as root")
def test_a_cluster_over_ssh_does_the_work(server, tmp_path, capsys):
    pytest.importorskip("asyncssh")
    command = [sys.executable, str(ROOT / "examples/cluster/ssh.py"), "127.0.0.1", "127.0.0.1"]
    command += ["--port", str(server), "--key", str(tmp_path / "user")]
    command += ["--known-hosts", str(tmp_path / "known"), "--interface", "lo"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 240
        while not (lines := [x for x in (tmp_path / "log").read_text().splitlines()
                             if x.startswith("tcp://")]):  # fmt: skip
            assert process.poll() is None and time.monotonic() < end, (tmp_path / "log").read_text()
            time.sleep(0.5)
        assert main(["tag", "Cats sleep.", "--cluster", lines[0], "-q"]) == 0
        far = capsys.readouterr().out
    finally:
        process.terminate()
        process.wait()
    assert main(["tag", "Cats sleep.", "-q"]) == 0
    assert far == capsys.readouterr().out
