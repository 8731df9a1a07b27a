"""``unlinkable studio``: what it prints, opens and refuses."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.studio.conftest import serve


def refused(*arguments: str) -> str:
    """What the command says when it does not start."""
    command = [sys.executable, "-m", "unlinkable.cli", "studio", "--no-browser", *arguments]
    ran = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    return " ".join(ran.stderr.split())


def not_to_be_served(*settings: object) -> None:
    """Stand in for a server that would never end."""
    pytest.fail("the studio was started")


def test_a_plan_is_opened_as_a_project(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("age,ill\n30,flu\n40,hiv\n")
    plan = tmp_path / "study.toml"
    plan.write_text(
        '[data]\nsource = "patients.csv"\n[columns.age]\nrole = "quasi-identifier"\n'
        '[columns.ill]\nrole = "sensitive"\n[[privacy]]\nmodel = "k-anonymity"\nk = 2\n'
    )
    for _ in range(2):
        running = serve(tmp_path / "projects", str(plan))
        try:
            with running.client() as client:
                (project,) = client.get("/projects").json()
                assert (project["name"], project["has_plan"]) == ("study", True)
                job = client.post("/projects/study/check", json={}).json()
                while job["state"] in ("queued", "running"):
                    time.sleep(0.05)
                    job = client.get(f"/jobs/{job['id']}").json()
                assert job["result"]["records"] == 2
        finally:
            running.stop()


def test_a_folder_of_projects_is_opened(tmp_path: Path) -> None:
    running = serve(tmp_path / "one")
    with running.client() as client:
        client.post("/projects", json={"name": "a"})
    running.stop()
    assert (tmp_path / "one" / "a" / "studio.json").is_file()


def test_a_second_studio_with_the_same_projects_is_refused(tmp_path: Path) -> None:
    running = serve(tmp_path)
    try:
        said = refused("--projects", str(tmp_path))
        assert f"another studio is at work in {tmp_path}" in said
    finally:
        running.stop()
    serve(tmp_path).stop()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = refused("--port", port, "--projects", str(tmp_path))
        assert f"cannot listen at 127.0.0.1:{port} (Address already in use)" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.toml",), "there is no plan nothing.toml"),
        (("nothing.csv",), "neither a folder with projects nor a plan"),
        (("--host", "0.0.0.0"), "another --host needs a password"),
        (("--password", "x"), "--password is for another --host"),
        (("--host", "0.0.0.0", "--password", "no-such-file"), "no file no-such-file"),
        ((".", "--projects", "elsewhere"), "--projects names another"),
    ],
)
def test_wrong_use_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.setattr("unlinkable.studio.server.serve", not_to_be_served)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    ran = run("studio", "--no-browser", *arguments)
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


def test_a_short_password_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("unlinkable.studio.server.serve", not_to_be_served)
    (tmp_path / "password").write_text("short")
    ran = run("studio", "--no-browser", "--host", "0.0.0.0", "--password", "password")
    assert ran.code == 2
    assert "at least 12 characters" in ran.err
    assert "Others on the network can reach this server" in " ".join(ran.err.split())


def test_a_plan_that_is_none_is_told_with_its_line(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text("[data\n")
    assert "plan.toml, line 1" in refused(str(plan), "--projects", str(tmp_path / "projects"))


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['nicegui'] = None; sys.argv = ['unlinkable', 'studio'];"
        "from unlinkable.cli.app import main; main()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 2
    assert "pip install 'unlinkable[studio]'" in " ".join(ran.stderr.split())
