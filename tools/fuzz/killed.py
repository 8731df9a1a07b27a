"""A command that is sent a signal at its N-th step: ``killed.py FOLDER N SIGNAL ARGUMENTS``.

Steps in the file system are counted by audit events, so that the same N is the same moment. It
prints how many there were if it comes to its end.
"""

from __future__ import annotations

import os
import signal
import sys

_STEPS = ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.replace", "os.listdir")


def main() -> None:
    """Run the command."""
    folder, last, number, *arguments = sys.argv[1:]
    taken = 0

    def step(event: str, details: tuple[object, ...]) -> None:
        nonlocal taken
        if event in _STEPS and folder in str(details[0]):
            taken += 1
            if taken == int(last):
                os.kill(os.getpid(), int(number))

    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.addaudithook(step)
    sys.argv = ["unlinkable", *arguments]
    os.chdir(folder)
    from unlinkable.cli.app import main as command

    try:
        command()
    finally:
        print(f"steps: {taken}", flush=True)


if __name__ == "__main__":
    main()
