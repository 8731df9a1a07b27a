"""Kills at random moments: the old bundle or the new one is there, and the next run tidies up."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import unlinkable as ul
from tools.fuzz.commands import call
from tools.fuzz.trial import FailureError
from unlinkable.errors import UnlinkableError

__all__ = ["trial"]

_SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_ROWS = [(31, "cook", "flu"), (33, "clerk", "hiv"), (34, "cook", "cold"), (36, "cook", "flu")]
_LENGTHS: dict[str, int] = {}
"""How many steps a command takes if nobody kills it."""


def trial(r: random.Random, folder: Path) -> str:
    """Kill a command somewhere, look, and run it again."""
    command = r.choice(["anonymize", "anonymize", "publish"])
    _prepare(folder)
    first = call(_arguments(command), folder)
    if first.code != 0:
        raise FailureError(f"the first run ended with {first.code}: {first.err}")
    (folder / "data.csv").write_text(_table(4), encoding="utf-8")
    number = r.choice(_SIGNALS)
    length = _length(command, folder)
    at = r.randint(1, length) if r.random() < 0.5 else r.randint(length // 2, length)
    about = f"{command}, {number.name} at step {at} of {length}"
    code = _run(command, folder, at, number)[0]
    _look(command, folder, about=about, is_clean=number != signal.SIGKILL)
    again = call(_arguments(command), folder)
    if again.code != 0:
        raise FailureError(f"{about}: the next run ended with {again.code}: {again.err}")
    _look(command, folder, about=f"{about}, and run again", is_clean=True)
    return f"{command} {number.name} {'ended' if code in (0, 1, 2) else 'killed'}"


def _prepare(folder: Path) -> None:
    (folder / "data.csv").write_text(_table(3), encoding="utf-8")
    (folder / "notes.txt").write_text("of the user", encoding="utf-8")
    (folder / "plan.toml").write_text(_PLAN, encoding="utf-8")
    (folder / "tmp").mkdir()


def _table(times: int) -> str:
    lines = [
        f"p{number},{age + number % 2},{job},{ill}"
        for number, (age, job, ill) in enumerate(_ROWS * times)
    ]
    return "\n".join(["who,age,job,ill", *lines, ""])


_PLAN = """[data]
source = "data.csv"
[columns.who]
role = "identifier"
[columns.age]
role = "quasi-identifier"
taxonomy = { intervals = [5, 10] }
[columns.job]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
[[privacy]]
model = "k-anonymity"
k = 2
"""


def _arguments(command: str) -> list[str]:
    if command == "anonymize":
        return ["anonymize", "plan.toml", "--out", "out", "--overwrite"]
    policy = ["--policy", "incremental"]
    return ["publish", "plan.toml", "--history", "h.db", "--out", "series", *policy]


def _run(command: str, folder: Path, at: int, number: signal.Signals) -> tuple[int, str]:
    script = Path(__file__).with_name("killed.py")
    ran = subprocess.run(
        [sys.executable, str(script), str(folder), str(at), str(int(number)), *_arguments(command)],
        capture_output=True,
        text=True,
        timeout=500,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        check=False,
    )
    if "Traceback" in ran.stderr:
        raise FailureError(f"{command}, {number.name} at step {at}: {ran.stderr}")
    return ran.returncode, ran.stdout


def _length(command: str, folder: Path) -> int:
    """Count the steps once, in a run that nobody kills."""
    if command not in _LENGTHS:
        found = re.search(r"steps: (\d+)", _run(command, folder, 0, signal.SIGTERM)[1])
        if found is None:
            raise FailureError(f"{command} did not come to its end")
        _LENGTHS[command] = int(found[1])
    return _LENGTHS[command]


def _look(command: str, folder: Path, *, about: str, is_clean: bool) -> None:
    """Fail if a file of the user is gone, no bundle verifies, or something is left behind."""
    if (folder / "notes.txt").read_text(encoding="utf-8") != "of the user":
        raise FailureError(f"{about}: a file of the user was changed")
    left = sorted(
        str(path.relative_to(folder))
        for path in (*folder.iterdir(), *(folder / "tmp").iterdir(), *folder.glob("series/*"))
        if path.name.startswith(".") or path.parent.name == "tmp"
    )
    if left and is_clean:
        raise FailureError(f"{about}: left behind {left}")
    if command == "anonymize":
        places = [folder / "out", *(folder / name for name in left if name.endswith(".old"))]
        if not any(_verifies(place) for place in places):
            raise FailureError(
                f"{about}: neither the old bundle nor the new one is there; left {left}"
            )
        if is_clean and not _verifies(folder / "out"):
            raise FailureError(f"{about}: the bundle is not in its place")
        return
    for place in (folder / "series").glob("[0-9]*"):
        if not _verifies(place):
            raise FailureError(f"{about}: {place.name} does not verify")
    told = call(["history", "h.db", "--no-attacks"], folder)
    if told.code != 0:
        raise FailureError(f"{about}: history ended with {told.code}: {told.err}")


def _verifies(folder: Path) -> bool:
    try:
        return ul.verify(folder).holds
    except UnlinkableError:
        return False
