"""A saver of bundles that is stopped by a signal at a chosen file operation.

Tests run it in processes of their own. Modules are loaded when it is imported; nothing is computed
then, which would start threads that a forked process waits for.
"""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from unlinkable.cli.app import main

__all__ = ["NOHUP", "PEOPLE", "PLAN", "save_by_command"]

NOHUP = "nohup"
"""An option of the tests: the signal that a terminal has gone is ignored from the start."""

PEOPLE = "age,ill\n" + "".join(f"{30 + i % 3},{('flu', 'hiv')[i % 2]}\n" for i in range(12))

PLAN = """
[data]
source = "people.csv"
[columns]
age = { role = "quasi-identifier" }
ill = { role = "sensitive" }
[[privacy]]
model = "k-anonymity"
k = 2
[release]
out = "out/release"
"""

OPERATIONS = {"open", "os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree"}


def stop_at(number: int, what: signal.Signals, folder: Path, counted: Synchronized[int]) -> None:
    """Send this process a signal at the n-th operation on files of a folder, and count them."""
    place = str(folder)

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event in OPERATIONS and str(arguments[0]).startswith(place):
            counted.value += 1
            if counted.value == number:
                os.kill(os.getpid(), what)

    sys.addaudithook(watch)


def save_by_command(
    folder: str, number: int, what: int, options: list[str], counted: Synchronized[int]
) -> None:
    """Anonymize by the command line."""
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if NOHUP in options:
        options.remove(NOHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # However the tests were started, these have an effect.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["unlinkable", "anonymize", "plan.toml", *options]
    stop_at(number, signal.Signals(what), Path(folder) / "out", counted)
    main()
