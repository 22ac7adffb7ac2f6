"""A Dask cluster over SSH: the first host has the scheduler, the others workers.

python examples/cluster/ssh.py scheduler-host worker1 worker2 --workers 8

Every host needs the same Python and treaty[cluster], and your key. The address is printed; the
cluster ends with this process (Ctrl-C).
"""

from __future__ import annotations

import argparse
import sys
import time

from distributed import SSHCluster


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("hosts", nargs="+")
    parser.add_argument("--workers", type=int, default=1, help="processes of each host")
    parser.add_argument("--port", type=int, default=22, help="of the SSH servers")
    parser.add_argument("--key", help="file of your private key")
    parser.add_argument("--interface", help="of the network, such as eth0")
    parser.add_argument("--known-hosts", help="file of the hosts' keys; by default yours")
    options = parser.parse_args()
    connection = {"port": options.port}
    if options.key:
        connection["client_keys"] = [options.key]
    if options.known_hosts:
        connection["known_hosts"] = options.known_hosts
    where = {"interface": options.interface} if options.interface else {}
    with SSHCluster(
        options.hosts,
        connect_options=connection,
        worker_options={"nthreads": 1, "n_workers": options.workers, **where},
        scheduler_options={"port": 0, "dashboard_address": ":8797", **where},
        remote_python=sys.executable,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        while True:
            time.sleep(60)


if __name__ == "__main__":
    main()
