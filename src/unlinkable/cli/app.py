"""The command line: what each command is called, and how it ends.

Exit codes: 0, done and all promises hold; 1, a promise does not hold; 2, wrong use or bad input;
130, stopped by Ctrl-C, 143 and 129, by the signals TERM and HUP; 141, whoever read the output has
gone.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TextIO

import typer

from unlinkable import __version__
from unlinkable.cli import (
    anonymize,
    attack,
    check,
    choose_k,
    collect,
    compare,
    demo,
    describe,
    explain,
    history,
    keys,
    measure,
    publish,
    registry,
    report,
    risk,
    studio,
    verify,
)
from unlinkable.cli.interrupts import ending_signals
from unlinkable.cli.options import flat
from unlinkable.cli.output import print_json, report_error, say
from unlinkable.errors import ChannelError, InfeasibleError, UnlinkableError

__all__ = ["app", "main"]

_STOPPED, _READER_GONE = 130, 141
"""Exit codes as shells give them: 128 and the number of the signal."""

app = typer.Typer(
    name="unlinkable",
    help="Publish data about people so that no one can be linked to it, and prove it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    describe.describe,
    anonymize.anonymize,
    check.check,
    verify.verify,
    measure.measure,
    risk.risk,
    attack.attack,
    publish.publish,
    history.history,
    explain.explain,
    report.report,
    compare.compare,
    choose_k.choose_k,
    studio.studio,
    demo.demo,
    keys.key,
):
    app.command()(flat(command))
app.command("list")(registry.list_registry)
app.add_typer(collect.app, name="collect")


def _show_version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"unlinkable {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", help="Print the version.", callback=_show_version, is_eager=True
    ),
) -> None:
    """Publish data about people so that no one can be linked to it, and prove it."""


def main() -> None:
    """Run the command line."""
    warnings.showwarning = _show_warning
    if sys.stdout is None or sys.stderr is None:  # They were closed by whoever started us.
        nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (open to the end)
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    as_json = "--json" in sys.argv[1:]
    with ending_signals(lambda: _report_stop(as_json=as_json)) as received:
        code = _run(as_json=as_json)
    sys.exit(128 + received[0] if received and code == _STOPPED else code)


def _run(*, as_json: bool) -> int:
    """Run a command; whatever ends it becomes an exit code and a message."""
    try:
        _command()()
    except SystemExit as stop:
        return _ended(stop, as_json=as_json)
    except KeyboardInterrupt:
        _report_stop(as_json=as_json)
        return _STOPPED
    except (ChannelError, InfeasibleError) as error:
        report_error(str(error), as_json=as_json)
        return 1
    except UnlinkableError as error:
        report_error(str(error), as_json=as_json)
        return 2
    except OSError as error:
        where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        report_error(f"{where}{error.strerror or error}: check the path", as_json=False)
        if as_json:
            _try_json({"error": f"{where}{error.strerror or error}"})
        return 2
    except MemoryError:
        report_error("the table does not fit into memory: read fewer columns", as_json=as_json)
        return 2
    except Exception as error:
        if _is_of_interrupt(error):
            _report_stop(as_json=as_json)
            return _STOPPED
        # A defect of ours. Only its place is told: the message may hold values of records.
        report_error(f"{_defect(error)}: please report it", as_json=as_json)
        return 2
    return 0


def _is_of_interrupt(error: BaseException | None) -> bool:
    """Whether an error came of an interrupt, which compiled code hands on as errors of its own."""
    while isinstance(error, SystemError):
        error = error.__cause__ or error.__context__
    return isinstance(error, KeyboardInterrupt)


@cache
def _command() -> Callable[[], None]:
    """Build all commands from their signatures, which takes longer than most of them do."""
    return typer.main.get_command(app)


def _defect(error: Exception) -> str:
    """Name the kind of a defect, and where it came up."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}, line {place.lineno}"
    return f"something went wrong inside unlinkable ({type(error).__name__} in {where})"


def _ended(stop: SystemExit, *, as_json: bool) -> int:
    """Say what is still to be said of a command that has ended by itself."""
    code = stop.code if isinstance(stop.code, int) else 0
    cause = stop.__context__
    if isinstance(cause, BrokenPipeError):
        # The reader has gone (``| head``): there is nobody left to tell, not even at the exit.
        _silence(sys.stdout, sys.stderr)
        return _READER_GONE
    if code == _STOPPED:
        _report_stop(as_json=as_json)
    elif as_json and code and (say_why := getattr(cause, "format_message", None)):
        print_json({"error": say_why()})
    return code


def _report_stop(*, as_json: bool) -> None:
    """Say that the command was stopped, unless the terminal has gone."""
    with suppress(OSError):
        report_error("stopped", as_json=as_json)


def _try_json(document: object) -> None:
    """Print a document, unless standard output is itself what has failed."""
    try:
        print_json(document)
    except OSError:
        _silence(sys.stdout)


def _silence(*streams: TextIO) -> None:
    """Throw away what is still to be written to a stream that takes no more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream.fileno())


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    say(f"warning: {message}")
