"""The command line inside this process: what a command says, and how it ends."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.fuzz.trial import FailureError
from unlinkable.cli.app import main

__all__ = ["Ended", "call"]

_INSIDE = ("Traceback (most recent call last)", "something went wrong inside", "defect")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


def call(arguments: Sequence[str], folder: Path) -> Ended:
    """Run a command in a folder; fail if it ends in an error of its own or says nothing."""
    out, err = io.StringIO(), io.StringIO()
    argv, where, show = sys.argv, Path.cwd(), warnings.showwarning
    sys.argv = ["unlinkable", *arguments]
    code = 0
    try:
        os.chdir(folder)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException as error:
        raise FailureError(f"{list(arguments)}: {type(error).__name__}: {error}") from error
    finally:
        os.chdir(where)
        sys.argv, warnings.showwarning = argv, show
    ended = Ended(code, out.getvalue(), err.getvalue())
    told = ended.out + ended.err
    if code not in (0, 1, 2):
        raise FailureError(f"{list(arguments)} ended with {code}\n{told}")
    if any(text in told for text in _INSIDE):
        raise FailureError(f"{list(arguments)} ended inside\n{told}")
    if code == 2 and not told.strip():
        raise FailureError(f"{list(arguments)} ended with 2 and said nothing")
    return ended
