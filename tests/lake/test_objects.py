"""A lake in an object store: the same records, and what becomes of them and of the key when the store refuses, is away, or comes back."""

import importlib.util
import io
import ipaddress
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pytest

from records.formats import to_json
from service.accounts import custody
from service.client import Client, Refused
from service.desk import Desk, now
from service.errors import ConfigError, StoreBroken
from service.jsons import dumps
from service.lake.store import LakeStore
from service.samples.season import season
from service.store import Store
from tests.lake.conftest import Lake, Sheet
from tests.lake.objects import BUCKET, Door, Objects
from tests.lake.test_turns import whole
from tests.servers import servers

GAMES = 15
"""Whole games whose rows are too many for the catalogue: they go into files at once."""


def test_servers_write_into_one_bucket_which_goes_away_and_comes_back(bucket_lake: Lake, objects: Objects, sheet: Sheet) -> None:
    lake = bucket_lake
    acknowledged: list[str] = []
    refused: list[int] = []

    def send(address: str, first: int) -> None:
        with Client(address) as client:
            for points in range(first, first + 12):
                try:
                    acknowledged.append(client.send(sheet(points, -points))["record"])
                except Refused as error:
                    refused.append(error.status)

    def finished(client: Client, job: str) -> dict[str, Any]:
        while (found := client.job(job))["state"] in ("queued", "running"):
            time.sleep(0.1)
        return found

    games = [dumps(to_json(record)) for record in islice(season(), 2 * GAMES)]
    with servers(lake.folder / "server.log", lambda: lake.environ) as serve, ThreadPoolExecutor() as pool:
        addresses = [serve()[1], serve()[1]]
        with Client(addresses[0]) as here, Client(addresses[1]) as there:
            job = here.start_import(iter([b"\n".join(games[:GAMES])]), "club.jsonl")["id"]
            found = finished(here, job)
            assert (found["state"], found["stored"]) == ("done", GAMES)
            assert objects.names(f"{lake.name}/")

            sending = [pool.submit(send, address, 100 * place) for place, address in enumerate(addresses, start=1)]
            while len(acknowledged) < 6 and not all(each.done() for each in sending):
                time.sleep(0.01)
            objects.door.shut()
            for client in (here, there):
                with pytest.raises(Refused) as failing:
                    client.health()
                assert failing.value.status == 503
                with pytest.raises(Refused) as failing:
                    client.export("actions", "csv", io.BytesIO())
                assert (failing.value.status, failing.value.wait) == (503, 5)
                assert "The store cannot answer at the moment" in str(failing.value)
            more = here.start_import(iter([b"\n".join(games[GAMES:])]), "more.jsonl")["id"]
            found = finished(here, more)
            assert (found["state"], found["stored"]) == ("failed", 0)
            assert "nothing was stored" in found["reason"]
            for each in sending:
                each.result()
            assert set(refused) <= {503}

            objects.door.open()
            for client in (here, there):
                assert client.health()["status"] == "ok"
            here.ask("POST", f"/imports/{more}/resume")
            found = finished(here, more)
            assert (found["state"], found["stored"], found["known"]) == ("done", GAMES, 0)
            stored = [record["id"] for record in there.records(sort="sent", limit="200")]
            assert set(acknowledged) <= set(stored)
            assert len(stored) == len(set(stored)) == 2 * GAMES + len(acknowledged)
    copy = lake.folder / "copy.duckdb"
    lake.hanafu("backup", str(copy))
    with Store(copy) as single:
        whole(single, len(stored))
    assert lake.hanafu("check") == f"{len(stored):,} records, 0 faults\n"


def lying(objects: Objects, lake: Lake) -> str:
    """All rows of all files of a lake in one text: as they lie in the bucket, whatever the catalogue says of them."""
    rows = []
    for name in objects.names(f"{lake.name}/"):
        file = lake.folder / "object.parquet"
        file.write_bytes(objects.bytes(name))
        rows += duckdb.execute(f"SELECT * FROM read_parquet('{file}')").fetchall()
    return repr(rows)


@pytest.fixture
def two_records(bucket_lake: Lake, sheet: Sheet) -> list[bytes]:
    """The ids of two records in files of the lake, the second one with Keahi."""
    with bucket_lake.open() as store:
        raws = sheet(3, -3), sheet(1, -1, players=[{"name": "Keahi"}, {"name": "Kimo"}])
        return [bytes.fromhex(Desk(store).add(raw).id) for raw in raws]


def test_a_withdrawn_record_leaves_every_object_of_the_bucket(
    bucket_lake: Lake, objects: Objects, two_records: list[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    assert "Keahi" in lying(objects, bucket_lake)
    (name,) = objects.names(f"{bucket_lake.name}/main/records/")
    left = name.replace("ducklake-", "ducklake-left-")  # as of a process that was killed before its commit
    others = f"{bucket_lake.name}/hanafu.dump", name.replace("/main/", "/main/other/main/")  # of another lake
    for key in (left, *others):
        objects.client().put_object(Bucket=BUCKET, Key=key, Body=objects.bytes(name))
    with bucket_lake.open() as store:
        custody.withdraw(store, two_records[1], now())
        whole(store, 1)
        assert left not in objects.names("")
        assert set(others) <= set(objects.names(""))
        for key in others:
            objects.client().delete_object(Bucket=BUCKET, Key=key)
        assert "Keahi" not in lying(objects, bucket_lake)
        assert "Kimo" in lying(objects, bucket_lake)
        assert "Keahi" not in bucket_lake.run("pg_dump", bucket_lake.name)
    assert caplog.get_records("setup") + caplog.records == []  # what could not be tidied would be told


def test_what_could_not_be_erased_is_erased_when_the_store_is_back(
    bucket_lake: Lake, objects: Objects, two_records: list[bytes], sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bucket_lake.open() as store:
        tidy = store._tidy

        def cut_off() -> None:
            objects.door.shut()
            tidy()

        with monkeypatch.context() as patch:
            patch.setattr(store, "_tidy", cut_off)
            custody.withdraw(store, two_records[1], now())
        assert "Keahi" in lying(objects, bucket_lake)
        objects.door.open()
        assert store._owed > time.monotonic()
        monkeypatch.setattr(store, "_owed", 0.0)  # a minute goes by
        assert Desk(store).add(sheet()).new
        assert "Keahi" not in lying(objects, bucket_lake)
        whole(store, 2)


def test_what_a_killed_process_had_still_to_erase_the_next_one_erases(
    bucket_lake: Lake, objects: Objects, two_records: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, bucket_lake.open() as store:
        patch.setattr(store, "_tidy", lambda: None)
        custody.withdraw(store, two_records[1], now())
    bucket_lake.open().close()  # a command that only reads changes nothing
    assert "Keahi" in lying(objects, bucket_lake)
    with bucket_lake.open(serving=True) as store:
        assert "Keahi" not in lying(objects, bucket_lake)
        whole(store, 1)


def test_a_bucket_that_cannot_be_used_is_told_with_what_is_wrong(
    bucket_lake: Lake, objects: Objects, two_records: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = bucket_lake
    at = f"{lake.data} at http://127.0.0.1:{objects.door.port}: "
    listless = objects.other_key("writer", "s3:PutObject", "s3:GetObject", "s3:DeleteObject")
    for environ, words in (
        ({"AWS_SECRET_ACCESS_KEY": "wiliwili"}, f"{at}the key of AWS_ACCESS_KEY_ID is refused, .* \\(SignatureDoesNotMatch\\)"),
        ({"AWS_ACCESS_KEY_ID": "wiliwili"}, f"{at}the key of AWS_ACCESS_KEY_ID is refused, .* \\(InvalidAccessKeyId\\)"),
        (listless, f"{at}the key .* may not list what is there \\(AccessDenied\\)"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, f"{lake.data} at http://127.0.0.1:1: cannot be reached: Could not connect"),
    ):
        with monkeypatch.context() as patch:
            for name, value in environ.items():
                patch.setenv(name, value)
            with pytest.raises(StoreBroken, match=words) as refused:
                lake.open()
            assert objects.secret not in str(refused.value)
    with monkeypatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.delenv(name)
        patch.setenv("AWS_ENDPOINT_URL", "https://aya:wiliwili@objects.example")
        patch.setenv("AWS_CA_BUNDLE", "/nowhere.pem")
        with pytest.raises(ConfigError) as lacking:
            lake.open()
        told = [line.partition(": ")[2] for line in str(lacking.value).splitlines()]
        assert told == [
            "AWS_ACCESS_KEY_ID is not set",
            "AWS_SECRET_ACCESS_KEY is not set",
            "AWS_ENDPOINT_URL is not of the form https://HOST:PORT or http://HOST:PORT",
            "AWS_CA_BUNDLE names /nowhere.pem, which is no file",
        ]
        patch.delenv("AWS_ENDPOINT_URL")
        with pytest.raises(ConfigError, match="neither AWS_REGION, for Amazon's own store, nor AWS_ENDPOINT_URL"):
            lake.open()
    with monkeypatch.context() as patch:
        find = importlib.util.find_spec
        patch.setattr(importlib.util, "find_spec", lambda name: None if name.endswith("httpfs") else find(name))
        with pytest.raises(StoreBroken, match=r"a lake needs the extra \[lake\]"):
            lake.open()
    with pytest.raises(StoreBroken, match=f"has its files in {lake.data}, not in s3://{BUCKET}/elsewhere"):
        LakeStore(lake.where, f"s3://{BUCKET}/elsewhere/", lake.folder / "here", memory_limit="256MB")
    LakeStore(lake.where, "", lake.folder / "here", memory_limit="256MB").close()
    lake.run("createdb", f"{lake.name}_other")
    for place, words in (
        ("s3://nowhere/lake", "there is no such bucket \\(NoSuchBucket\\)"),
        (lake.data, "holds files of another lake already"),
    ):
        with pytest.raises(StoreBroken, match=words):
            LakeStore(f"{lake.where}_other", place, lake.folder / "other", memory_limit="256MB")


def test_the_key_of_an_object_store_is_shown_nowhere(
    bucket_lake: Lake, objects: Objects, sheet: Sheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = bucket_lake
    with servers(lake.folder / "server.log", lambda: lake.environ | {"HANAFU_LOG": "debug"}) as serve:
        process, address = serve()
        with Client(address) as client:
            client.send(sheet())
            objects.door.shut()
            with pytest.raises(Refused):
                client.health()
            objects.door.open()
        process.terminate()
        process.wait()
    told = (lake.folder / "server.log").read_text()
    assert "cannot be reached" in told
    told += lake.hanafu("config") + lake.run("pg_dump", lake.name)
    with lake.open() as store:
        for sql in ("FROM duckdb_secrets()", "FROM duckdb_settings()", "FROM duckdb_databases()"):
            told += repr(store.cursor().execute(sql).fetchall())
    assert "secret=redacted" in told
    assert objects.secret not in told


def test_a_lake_reaches_its_own_part_of_the_bucket_and_nothing_else(bucket_lake: Lake, objects: Objects) -> None:
    with bucket_lake.open() as store:
        for sql in (
            f"COPY (SELECT 1) TO 's3://{BUCKET}/elsewhere.csv'",
            f"COPY (SELECT 1) TO '{bucket_lake.data}-elsewhere.csv'",
            f"FROM read_text('s3://{BUCKET}/**')",
            "FROM read_text('s3://elsewhere/some.csv')",
            f"FROM read_text('http://127.0.0.1:{objects.door.target}/{BUCKET}')",
        ):
            with pytest.raises(duckdb.PermissionException):
                store.cursor().execute(sql).fetchall()


def test_an_object_store_is_believed_by_its_certificate_alone(
    bucket_lake: Lake, objects: Objects, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate = tmp_path / "certificate.pem"
    door = Door(objects.door.target, tls=_tls(certificate))
    door.open()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"https://127.0.0.1:{door.port}")
    with pytest.raises(StoreBroken, match="cannot be reached: SSL peer certificate"):
        bucket_lake.open()
    monkeypatch.setenv("AWS_CA_BUNDLE", str(certificate))
    bucket_lake.open().close()
    door.shut()


def _tls(file: Path) -> ssl.SSLContext:
    """With a certificate for this machine that was signed by nobody else, which it writes to a file."""
    x509: Any = import_module("cryptography.x509")  # comes with what the lake's tests need
    ec, hashes, serialization = (
        import_module(f"cryptography.hazmat.primitives.{name}") for name in ("asymmetric.ec", "hashes", "serialization")
    )
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "objects")])
    today = datetime.now(UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, today - timedelta(days=1), today + timedelta(days=1))
    made = made.add_extension(here, critical=False).add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    file.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    secret = file.with_name("key.pem")
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, secret)
    return context
