"""Commands as users run them, in this process: nothing but ``python -m unlinkable.cli``."""

from __future__ import annotations

import io
import json
import runpy
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

__all__ = ["Ran", "run"]


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        return json.loads(self.out)


def run(*arguments: object) -> Ran:
    """Run a command, and give its exit code and what it printed."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["unlinkable", *map(str, arguments)]
    code = 0
    try:
        with redirect_stdout(out), redirect_stderr(err):
            runpy.run_module("unlinkable.cli", run_name="__main__")
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    finally:
        sys.argv = before
    return Ran(code, out.getvalue(), err.getvalue())
