"""The JSON interface on a running server: the whole way, and what is refused."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.studio.conftest import Served, described, wait

TINY = "age,zip,disease\n" + "".join(
    f"{30 + i % 4},1011{i % 2},{'flu' if i % 3 else 'hiv'}\n" for i in range(40)
)


@pytest.fixture(scope="module")
def key(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A project with a small table."""
    file = tmp_path_factory.mktemp("tiny") / "tiny.csv"
    file.write_text(TINY)
    return described(served, file, "Tiny")


@pytest.fixture
def client(served: Served) -> Any:
    with served.client() as made:
        yield made


def printed(*arguments: str) -> Any:
    """What the command line prints with ``--json``."""
    command = [sys.executable, "-m", "unlinkable.cli", *arguments, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)


def announced(served: Served, path: str, size: int) -> bytes:
    """The first line of the answer to a request that says it will send so many bytes."""
    address = httpx.URL(served.home)
    with socket.create_connection((address.host, address.port or 80), timeout=10) as line:
        head = [
            f"PUT {path} HTTP/1.1",
            f"host: {address.netloc.decode()}",
            f"authorization: Bearer {served.bearer}",
            f"content-length: {size}",
        ]
        line.sendall("\r\n".join([*head, "", ""]).encode())
        return line.recv(1000).partition(b"\r\n")[0]


def test_the_description_is_that_of_the_command_line(
    client: httpx.Client, served: Served, key: str
) -> None:
    file = served.projects / key / "uploads" / "tiny.csv"
    assert client.get(f"/projects/{key}/description").json() == printed("describe", str(file))


def test_from_a_plan_to_a_bundle(client: httpx.Client, served: Served, key: str) -> None:
    outcome: Any = wait(client, client.post(f"/projects/{key}/anonymize", json={}))
    run, told = outcome["run"], outcome["release"]
    assert told["holds"]
    assert client.get(f"/projects/{key}/runs/{run}").json() == json.loads(json.dumps(outcome))
    folder = served.projects / key
    spoken = printed("anonymize", str(folder / "plan.toml"), "--out", str(folder / "by-hand"))
    assert told.keys() == spoken.keys()
    same = ("holds", "records", "suppressed", "groups", "models", "metrics", "method", "node")
    assert {k: told[k] for k in same} == {k: spoken[k] for k in same}

    published = wait(
        client, client.post(f"/projects/{key}/bundles", json={"run": run, "name": "b"})
    )
    assert published["verified"]
    assert printed("verify", str(folder / "bundles" / "b"))["holds"]
    assert client.get(f"/projects/{key}/bundles").json() == ["b"]
    answer = client.get(f"/projects/{key}/bundles/b")
    assert answer.headers["content-disposition"] == 'attachment; filename="b.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        data = archive.read("b/data.csv")
    assert {"b/data.csv", "b/release.json"} <= set(names)
    assert data == (folder / "bundles" / "b" / "public" / "data.csv").read_bytes()
    assert not [name for name in names if "private" in name]
    both = client.get(f"/projects/{key}/bundles/b", params={"half": "both"})
    with zipfile.ZipFile(io.BytesIO(both.content)) as archive:
        assert "b/private/provenance.json" in archive.namelist()
    sheet = client.get(f"/projects/{key}/bundles/b/spreadsheet")
    assert sheet.content.decode("utf-8-sig").splitlines() == data.decode().splitlines()
    report = client.get(f"/projects/{key}/bundles/b/report")
    assert "sandbox" in report.headers["content-security-policy"]
    taken = client.post(f"/projects/{key}/bundles", json={"run": run, "name": "b"})
    assert (taken.status_code, "already" in taken.json()["error"]) == (400, True)


def test_check_and_risk_are_those_of_the_command_line(
    client: httpx.Client, served: Served, key: str
) -> None:
    file = str(served.projects / key / "uploads" / "tiny.csv")
    body = {"privacy": ["k-anonymity(k=3)"]}
    found = wait(client, client.post(f"/projects/{key}/check", json=body))
    options = ("-q", "age,zip", "-s", "disease", "-p", "k-anonymity(k=3)")
    assert found == printed("check", file, *options)
    risk = wait(client, client.post(f"/projects/{key}/risk", json={}))
    assert risk == printed("risk", str(served.projects / key / "plan.toml"))


def test_attacks_on_the_table(client: httpx.Client, key: str) -> None:
    found: Any = wait(client, client.post(f"/projects/{key}/attack", json={"seconds": 0.2}))
    assert found["attacks"]["attacks"]
    assert "attacks were tried" in found["summary"]


def test_the_plan_is_shown_and_replaced(client: httpx.Client, key: str) -> None:
    shown = client.get(f"/projects/{key}/plan").json()
    assert client.get(f"/projects/{key}/plan.toml").text == shown["toml"]
    changed = shown["toml"].replace("k = 5", "k = 4")
    answer = client.put(f"/projects/{key}/plan", json={"toml": changed}).json()
    assert answer["plan"]["privacy"][0] == {"model": "k-anonymity", "k": 4}
    for wrong, message in [
        ("[data", "line 1"),
        (shown["toml"].replace("k-anonymity", "k-anonimity"), "did you mean 'k-anonymity'"),
        (shown["toml"].replace("uploads/tiny.csv", "/etc/passwd"), "outside of the project"),
    ]:
        refused = client.put(f"/projects/{key}/plan", json={"toml": wrong})
        assert refused.status_code == 400
        assert message in refused.json()["error"]
    assert client.get(f"/projects/{key}/plan").json() == answer
    client.put(f"/projects/{key}/plan", json={"toml": shown["toml"]}).raise_for_status()


def test_a_job_can_be_cancelled(client: httpx.Client, key: str) -> None:
    body = {"method": "genetic(idle=100000000)", "title": "too long"}
    answer = client.post(f"/projects/{key}/anonymize", json=body)
    assert answer.status_code == 202
    job = answer.json()["id"]
    until = time.monotonic() + 60
    while client.get(f"/jobs/{job}").json()["progress"] == 0 and time.monotonic() < until:
        time.sleep(0.05)
    assert client.get(f"/jobs/{job}/result").status_code == 409
    assert client.delete(f"/jobs/{job}").json()["state"] == "cancelled"
    assert client.get(f"/jobs/{job}/result").json() == {"error": "this was cancelled"}
    assert job in [j["id"] for j in client.get(f"/projects/{key}/jobs").json()]


def test_what_the_library_refuses_is_told_in_its_words(client: httpx.Client, key: str) -> None:
    answer = client.post(f"/projects/{key}/anonymize", json={"method": "mondriaan"})
    job = answer.json()
    until = time.monotonic() + 60
    while job["state"] in ("queued", "running") and time.monotonic() < until:
        time.sleep(0.05)
        job = client.get(f"/jobs/{job['id']}").json()
    assert job["state"] == "failed"
    assert "did you mean 'mondrian'" in job["error"]
    result = client.get(f"/jobs/{job['id']}/result")
    assert (result.status_code, result.json()) == (400, {"error": job["error"]})


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/projects/none", None, 404),
        ("GET", "/projects/..%2F..%2Fetc", None, 404),
        ("GET", "/jobs/none", None, 404),
        ("GET", "/projects/{key}/runs/99", None, 404),
        ("GET", "/projects/{key}/runs/0", None, 422),
        ("GET", "/projects/{key}/bundles/none", None, 404),
        ("GET", "/projects/{key}/bundles/..%2F..%2Fplan.toml", None, 404),
        ("GET", "/projects/{key}/bundles/none/report", None, 404),
        ("GET", "/registry/none", None, 404),
        ("GET", "/nowhere", None, 404),
        ("PATCH", "/projects", {}, 405),
        ("POST", "/projects", {}, 422),
        ("POST", "/projects", {"name": ""}, 422),
        ("POST", "/projects", {"name": "a", "more": 1}, 422),
        ("POST", "/projects", {"name": " \n "}, 400),
        ("POST", "/projects/{key}/describe", {"file": "../plan.toml"}, 404),
        ("POST", "/projects/{key}/describe", {"file": "none.csv"}, 404),
        ("POST", "/projects/{key}/bundles", {"run": 99, "name": "x"}, 404),
        ("POST", "/projects/{key}/attack", {"run": 99}, 404),
        ("POST", "/projects/{key}/attack", {"seconds": 1e9}, 422),
        ("DELETE", "/projects/none", None, 404),
        ("DELETE", "/projects/{key}/files/none.csv", None, 404),
    ],
)
def test_refusals_have_the_right_number_and_a_sentence(
    client: httpx.Client, key: str, method: str, path: str, body: Any, status: int
) -> None:
    answer = client.request(method, path.format(key=key), json=body)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert answer.json()["error"]


def test_a_body_that_is_no_json_is_told_so(client: httpx.Client) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/projects", content=b"{", headers=headers)
    assert answer.status_code == 422
    assert "error" in answer.json()


def test_files_are_confined_and_limited(served: Served, client: httpx.Client) -> None:
    key = client.post("/projects", json={"name": "Files"}).json()["key"]
    put = client.put(f"/projects/{key}/files/..%2F..%2Fx.csv", content=b"a\n1\n")
    # A slash in a name is no name: the address is not known, or the name alone is taken.
    assert put.status_code == 404 or put.json() == {"name": "x.csv"}
    assert client.put(f"/projects/{key}/files/a.exe", content=b"x").status_code == 400
    assert client.put(f"/projects/{key}/files/a.csv", content=b"").status_code == 400
    assert b" 413 " in announced(served, f"/api/v1/projects/{key}/files/a.csv", 1 << 50)
    assert client.put(f"/projects/{key}/files/a.csv", content=b"a\n1\n").status_code == 201
    assert client.put(f"/projects/{key}/taxonomies/t.csv", content=b"a;b\n").status_code == 201
    assert client.get(f"/projects/{key}").json()["files"] == ["a.csv"]
    assert client.post(f"/projects/{key}/anonymize", json={}).status_code == 400
    assert client.delete(f"/projects/{key}/files/a.csv").status_code == 204
    assert client.delete(f"/projects/{key}").status_code == 204
    assert not (served.projects / key).exists()


def test_the_registry_is_that_of_the_command_line(client: httpx.Client) -> None:
    for kind in ("model", "metric"):
        told = client.get(f"/registry/{kind}").json()
        spoken = printed("list", kind)
        assert [{k: entry[k] for k in line} for entry, line in zip(told, spoken, strict=True)] == (
            spoken
        )
        if kind == "model":
            assert all(entry["stops"] and entry["limit"] for entry in told)


def test_nothing_is_open_without_a_token(served: Served) -> None:
    for path in ("/api/v1/projects", "/api/v1/openapi.json", "/api/v1/"):
        assert httpx.get(served.home + path).status_code == 401


def test_what_is_described_is_what_there_is(client: httpx.Client, tmp_path: Path) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.")
    assert len(described["paths"]) > 20
    for methods in described["paths"].values():
        for operation in methods.values():
            assert operation.get("summary")
            assert "description" in operation
