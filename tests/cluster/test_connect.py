"""Connections to clusters."""

from __future__ import annotations

import builtins
import gc
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import distributed
import pytest
import uvicorn

from treaty.cli import main
from treaty.cluster import ClusterError, connect
from treaty.errors import UsageError


@pytest.mark.parametrize("address", ["local:", "local:x", "local:-1", "local:0", "local:9999", ""])
def test_addresses_that_make_no_sense_are_refused(address):
    with pytest.raises(UsageError, match="--cluster"):
        connect(address)


def test_a_scheduler_that_does_not_answer_is_told():
    with pytest.raises(ClusterError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        connect("tcp://127.0.0.1:9", patience=0.0).open()


def test_an_unknown_protocol_is_a_wrong_call():
    with pytest.raises(UsageError, match="--cluster"):
        connect("smoke://signals:1", patience=0.0).open()


def test_without_dask_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "distributed":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UsageError, match=r"pip install 'treaty\[cluster\]'"):
        connect("local:1")


def test_a_connection_knows_its_workers(cluster):
    assert cluster.threads() == 2
    assert cluster.dashboard is None
    cluster.wait()


INTRUDER = """
    import json, os, socket, ssl, sys, tempfile
    import distributed.client, concurrent.futures.thread, encodings.idna
    from distributed import Client
    from distributed.security import Security
    scheduler, *ports = json.loads(sys.argv[1])
    other = Security.temporary()
    if os.getuid() == 0:
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
    ask, told = b"GET /info/main/workers.html HTTP/1.0" + 2 * bytes([13, 10]), {}

    def answer(port, wrap):
        try:
            with socket.create_connection(("127.0.0.1", port), 2) as plain:
                with wrap(plain) as connection:
                    connection.sendall(ask)
                    return connection.recv(99)
        except OSError:  # refused, reset, closed, an alert of TLS, or no answer
            return b""

    for port in ports:
        any_one = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        any_one.check_hostname, any_one.verify_mode = False, ssl.CERT_NONE
        with_another = other.get_connection_args("client")["ssl_context"]
        with_another.verify_mode = ssl.CERT_NONE
        for name, context in (("plain", None), ("any", any_one), ("another", with_another)):
            wrap = (lambda s: s) if context is None else context.wrap_socket
            found = answer(port, wrap)
            if found and found[0] != 21 and b" 404 " not in found:  # 21: an alert
                told[port, name] = found
    for name, security in (("tcp", Security()), ("tls", other)):
        try:
            client = Client(f"{name}://127.0.0.1:{scheduler}", security=security, timeout=2)
            told[name] = client.run_on_scheduler(os.getuid)
        except (OSError, TypeError):  # no certificate, or a wrong one
            pass
    print(os.getuid(), told, flush=True)
    os._exit(0)
"""
"""What another user of the machine may try; the first part needs files that only root can read."""


def listening(processes):
    """Return the ports at which some processes listen."""
    found = set()
    for process in processes:
        sockets = set()
        for handle in Path(f"/proc/{process}/fd").iterdir():
            try:
                sockets.add(str(handle.readlink()))
            except FileNotFoundError:  # closed meanwhile
                continue
        for table in ("tcp", "tcp6"):
            lines = Path(f"/proc/{process}/net/{table}").read_text().splitlines()
            rows = [line.split() for line in lines[1:]]
            found |= {
                int(row[1].rpartition(":")[2], 16)
                for row in rows
                if row[3] == "0A" and f"socket:[{row[9]}]" in sockets
            }
    return sorted(found)


def served_here():
    """Return the ports of web servers that other tests run in this process."""
    web = [one for one in gc.get_objects() if type(one) is uvicorn.Server]
    sockets = [s for one in web for part in getattr(one, "servers", ()) for s in part.sockets]
    return {int(s.getsockname()[1]) for s in sockets}


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_nobody_else_can_connect_to_a_local_cluster(cluster):
    """Who reaches a scheduler or a worker runs code as its owner, and any user reaches its port."""
    assert cluster.client.scheduler.address.startswith("tls://127.0.0.1:")
    workers = cluster.client.run(os.getpid)
    nannies = cluster.client.run(os.getpid, nanny=True)
    ports = listening({os.getpid(), *workers.values(), *nannies.values()})
    ports = sorted(set(ports) - served_here())
    scheduler = int(cluster.client.scheduler.address.rpartition(":")[2])
    assert scheduler in ports
    assert {int(address.rpartition(":")[2]) for address in workers} <= set(ports)
    command = [sys.executable, "-c", textwrap.dedent(INTRUDER)]
    command.append(json.dumps([scheduler, *ports]))
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    user = 65534 if os.getuid() == 0 else os.getuid()
    assert done.stdout.split("\n")[0] == f"{user} {{}}", (done.stdout, done.stderr)


def test_a_local_cluster_says_what_it_lacks(monkeypatch):
    def missing():
        raise ImportError("Using `Security.temporary` requires `cryptography`")

    monkeypatch.setattr("distributed.security.Security.temporary", missing)
    with pytest.raises(UsageError, match=r"needs the package cryptography.*treaty\[cluster\]"):
        connect("local:1").open()


@pytest.mark.parametrize("error", [RuntimeError("Nanny failed to start."), OSError("no memory")])
def test_processes_that_do_not_start_are_told(error, monkeypatch, capsys):
    def fails(**_):
        raise error

    monkeypatch.setattr(distributed, "LocalCluster", fails)
    assert main(["tag", "Cats sleep.", "--cluster", "local:1"]) == ClusterError.exit_code
    told = capsys.readouterr().err
    assert f"the processes of local:1 did not start ({error})" in told
    assert "Traceback" not in told
