"""The wheel, installed without extras into an empty environment: every command runs.

What needs an extra says which one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from unlinkable.cli.app import app

ROOT = Path(__file__).parent.parent

PLAN = """
[data]
source = "people.csv"
[columns]
age = { role = "quasi-identifier" }
sex = { role = "quasi-identifier" }
ill = { role = "sensitive" }
[[privacy]]
model = "k-anonymity"
k = 2
[method]
name = "mondrian"
[release]
out = "release"
"""

Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, and install it and what it asks for into an empty environment."""
    folder = tmp_path_factory.mktemp("installation")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "environment", with_pip=False)
    python = folder / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    constraints = str(ROOT / "constraints.txt")
    install = [*pip, "--python", str(python), "install", "--no-compile", str(wheel)]
    subprocess.run([*install, "--constraint", constraints], check=True)
    return python


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a table and a plan."""
    folder = tmp_path_factory.mktemp("work")
    rows = [f"{20 + i % 7},{'fm'[i % 2]},{('flu', 'hiv', 'cold')[i % 3]}" for i in range(40)]
    (folder / "people.csv").write_text("\n".join(["age,sex,ill", *rows, ""]), encoding="utf-8")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(environment: Path, folder: Path) -> Run:
    """Run a command as it was installed, with nothing of this checkout on the path."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
    surroundings = {key: value for key, value in os.environ.items() if key not in hidden}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        # One command compiles its kernels. For so few records Python is faster than the compiler.
        surroundings["NUMBA_DISABLE_JIT"] = "0" if arguments[0] == "anonymize" else "1"
        return subprocess.run(
            [str(environment), "-m", "unlinkable.cli", *arguments],
            cwd=folder,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    return run


COMMANDS = {
    "demo": "demo --out demo --patients 100",
    "describe": "describe people.csv --plan written.toml",
    "anonymize": "anonymize plan.toml",
    "verify": "verify release",
    "check": "check release/public/data.csv -q age,sex -p k-anonymity(k=2)",
    "measure": "measure release --metric iloss",
    "risk": "risk plan.toml",
    "attack": "attack attribute-linkage release",
    "explain": "explain release",
    "report": "report release --out report.html",
    "compare": "compare plan.toml",
    "choose-k": "choose-k plan.toml --k 2..3 --metric iloss",
    "list": "list",
    "key": "key holder.pem",
    "collect": "collect randomize people.csv --column age --out handed-in.csv "
    "--with bayes-reconstruction(scale=20,distribution=uniform)",
}
"""Commands that need nothing more, in an order in which they find what they need."""

EXTRAS = {
    "publish": ("publish plan.toml --history h.db --policy sequential", "history"),
    "history": ("history h.db", "history"),
    "studio": ("studio --no-browser", "studio"),
}
"""Commands that need an extra, and which one."""


def test_every_command_is_tried() -> None:
    named = {
        command.name or command.callback.__name__.replace("_", "-")
        for command in app.registered_commands
        if command.callback is not None
    }
    assert named | {group.name for group in app.registered_groups} == {*COMMANDS, *EXTRAS}


def test_every_command_runs_without_extras(run: Run) -> None:
    for command, line in COMMANDS.items():
        ran = run(*line.split())
        # An attack that passes its limit ends with 1.
        assert ran.returncode in ((0, 1) if command == "attack" else (0,)), (line, ran.stderr)


@pytest.mark.parametrize(("line", "extra"), EXTRAS.values(), ids=[*EXTRAS])
def test_what_needs_an_extra_names_it(run: Run, folder: Path, line: str, extra: str) -> None:
    (folder / "h.db").touch()
    ran = run(*line.split())
    assert ran.returncode == 2
    assert f"unlinkable[{extra}]" in ran.stderr


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("describe people.xlsx", "excel"),
        ("describe people.sav", "stats"),
        ("measure release --metric classification-error", "ml"),
        ("compare plan.toml --chart chart.svg", "charts"),
    ],
)
def test_an_option_that_needs_an_extra_names_it(
    run: Run, folder: Path, line: str, extra: str
) -> None:
    for name in ("people.xlsx", "people.sav"):
        (folder / name).touch()
    if not (folder / "release").exists():
        run("anonymize", "plan.toml")
    ran = run(*line.split())
    assert ran.returncode == 2
    assert f"unlinkable[{extra}]" in ran.stderr
