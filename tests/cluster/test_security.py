"""Encrypted clusters: certificates of both sides are checked."""

from __future__ import annotations

import datetime
import ipaddress
import shutil
import subprocess
import warnings
from pathlib import Path

import dask
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from distributed import LocalCluster
from distributed.security import Security

from treaty.cli import main
from treaty.cluster import ClusterError, connect, examine
from treaty.errors import TreatyError


def certificate(folder, name, signer=None):
    """Write a certificate and its key; without a signer, that of an authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer, signing = (title, key) if signer is None else signer
    now = datetime.datetime.now(datetime.UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(title)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=signer is None, path_length=None), critical=True)
        .add_extension(here, critical=False)
        .sign(signing, hashes.SHA256())
    )
    (folder / f"{name}.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / f"{name}.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return title, key


def settings(folder, authority, name):
    """What a user writes into ~/.config/dask/distributed.yaml."""
    own = {"cert": str(folder / f"{name}.pem"), "key": str(folder / f"{name}.key")}
    made = {"ca-file": str(folder / f"{authority}.pem")}
    for role in ("client", "scheduler", "worker"):
        made |= {f"{role}.{key}": value for key, value in own.items()}
    told = {f"distributed.comm.tls.{key}": value for key, value in made.items()}
    return {**told, "distributed.comm.require-encryption": True}


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    authority = certificate(folder, "authority")
    certificate(folder, "member", authority)
    stranger = certificate(folder, "stranger-authority")
    certificate(folder, "stranger", stranger)
    with warnings.catch_warnings(), dask.config.set(settings(folder, "authority", "member")):
        warnings.simplefilter("ignore")
        with LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, host="127.0.0.1", protocol="tls://",
            security=Security(), dashboard_address="127.0.0.1:0",
        ) as cluster:  # fmt: skip
            yield cluster.scheduler_address, folder


def test_a_command_works_on_an_encrypted_cluster(encrypted, capsys):
    address, folder = encrypted
    assert address.startswith("tls://")
    with dask.config.set(settings(folder, "authority", "member")):
        assert main(["tag", "Cats sleep.", "--cluster", address]) == 0
        far = capsys.readouterr().out
        with connect(address) as connection:
            assert examine(connection).encrypted
    assert main(["tag", "Cats sleep."]) == 0
    assert far == capsys.readouterr().out


@pytest.mark.parametrize("name", [None, "stranger"])
def test_who_has_no_certificate_of_the_cluster_is_refused(encrypted, name):
    address, folder = encrypted
    known = {} if name is None else settings(folder, f"{name}-authority", name)
    with dask.config.set(known), pytest.raises(TreatyError, match=address):
        connect(address, patience=0.0).open()


def test_a_stranger_that_trusts_the_authority_is_refused(encrypted):
    address, folder = encrypted
    wrong = settings(folder, "authority", "stranger")
    with dask.config.set(wrong), pytest.raises(ClusterError, match="no scheduler answers"):
        connect(address, patience=0.0).open()


def test_the_files_of_the_how_to_are_sound():
    """YAML that parses, with the keys that Dask and Kubernetes know; scripts that shells accept."""
    folder = Path(__file__).parents[2] / "examples" / "cluster"
    known = dask.config.collect_yaml([str(folder / "distributed.yaml")])[0]["distributed"]["comm"]
    assert known["require-encryption"]
    assert set(known["tls"]) == {"ca-file", "scheduler", "worker", "client"}
    kinds = [one["kind"] for one in yaml.safe_load_all((folder / "kubernetes.yaml").read_text())]
    assert kinds == ["Service", "Deployment", "Deployment", "NetworkPolicy"]
    for name in ("slurm.sh", "certificates.sh"):
        subprocess.run(["bash", "-n", str(folder / name)], check=True)


def test_certificates_of_the_script_are_of_the_authority(tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    script = Path(__file__).parents[2] / "examples" / "cluster" / "certificates.sh"
    subprocess.run(["sh", str(script), str(tmp_path / "tls")], check=True, capture_output=True)
    pem = {p.name: p.read_bytes() for p in (tmp_path / "tls").glob("*.pem")}
    authority, member = (
        x509.load_pem_x509_certificate(pem[f"{n}.pem"]) for n in ("authority", "member")
    )
    member.verify_directly_issued_by(authority)
    assert (tmp_path / "tls" / "member.key").stat().st_mode & 0o077 == 0
