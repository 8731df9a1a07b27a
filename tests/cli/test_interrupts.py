"""Ctrl-C ends a command, whatever it is doing, and leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from unlinkable.cli import app

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")

IN_COMPILED_CODE = """
from numba import njit
from unlinkable.cli import app

@njit(nogil=True)
def spin(n):
    x = 1
    for i in range(n):
        x = (x * 6364136223846793005 + i) & 0xFFFFFFFF
    return x

def stay():
    print("ready", flush=True)
    spin(10**14)

spin(1)
app._command = lambda: stay
app.main()
"""

WITH_WORKERS = """
import time
from unlinkable.release.compare.workers import Workers

def stay(n):
    print("ready", flush=True)
    time.sleep(600)

if __name__ == "__main__":
    for _ in Workers(stay, 2).run([1, 2]):
        pass
"""


_RUN = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # It may be ignored where tests run.
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def _interrupted(script: Path, n_ready: int) -> int:
    """Press Ctrl-C when a script is ready; give its exit code once all its processes are gone."""
    with subprocess.Popen(
        [sys.executable, "-c", _RUN, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        try:
            for _ in range(n_ready):
                assert running.stdout.readline() == "ready\n"
            os.killpg(running.pid, signal.SIGINT)
            # The end of the output is the end of all processes that hold it.
            running.communicate(timeout=120)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
        return running.returncode


def test_compiled_code_does_not_hold_up_an_interrupt(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(IN_COMPILED_CODE, encoding="utf-8")
    assert _interrupted(script, 1) == 130


def test_workers_end_with_an_interrupt_of_the_one_who_started_them(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(WITH_WORKERS, encoding="utf-8")
    assert _interrupted(script, 2) in (-signal.SIGINT, 1)


@pytest.mark.parametrize(
    ("errors", "code", "message"),
    [
        ((KeyboardInterrupt(),), 130, "error: stopped"),
        ((SystemError(), KeyboardInterrupt()), 130, "error: stopped"),
        ((SystemError(), SystemError(), KeyboardInterrupt()), 130, "error: stopped"),
        ((ValueError(), KeyboardInterrupt()), 2, "something went wrong inside unlinkable"),
        ((SystemError(),), 2, "something went wrong inside unlinkable"),
    ],
)
def test_an_interrupt_stops_the_command_however_it_is_handed_on(
    errors: tuple[BaseException, ...],
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for outer, inner in pairwise(errors):
        outer.__cause__ = inner

    def run() -> None:
        raise errors[0]

    monkeypatch.setattr(app, "_command", lambda: run)
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == code
    assert message in capsys.readouterr().err
