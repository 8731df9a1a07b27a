"""The command line: what each command is called, and how it ends.

Exit codes: 0, done and all promises hold; 1, a promise does not hold; 2, wrong use or bad input;
130, stopped by Ctrl-C.
"""

from __future__ import annotations

import sys

import typer

from unlinkable import __version__
from unlinkable.cli import (
    anonymize,
    check,
    compare,
    demo,
    describe,
    explain,
    keys,
    measure,
    registry,
    verify,
)
from unlinkable.cli.output import report_error
from unlinkable.errors import InfeasibleError, UnlinkableError

__all__ = ["app", "main"]

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
    explain.explain,
    compare.compare,
    demo.demo,
    keys.key,
):
    app.command()(command)
app.command("list")(registry.list_registry)


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
    as_json = "--json" in sys.argv
    try:
        app()
    except InfeasibleError as error:
        report_error(str(error), as_json=as_json)
        sys.exit(1)
    except UnlinkableError as error:
        report_error(str(error), as_json=as_json)
        sys.exit(2)
    except (KeyboardInterrupt, EOFError):
        report_error("stopped; nothing was written", as_json=False)
        sys.exit(130)
    except BrokenPipeError:
        # The reader has gone (``| head``): there is nobody left to tell.
        sys.stderr.close()
        sys.exit(0)
