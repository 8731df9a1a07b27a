"""What people see, and what programs read.

People read standard error: tables, progress, warnings. Programs read standard output: with
``--json`` one document, and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from unlinkable.release import Listing

__all__ = [
    "as_options",
    "console",
    "number",
    "print_json",
    "print_listing",
    "print_models",
    "print_table",
    "progress_bar",
    "report_error",
    "say",
    "seen_from_here",
]

_PASSWORD = re.compile(r"(?<=:)[^\s:/@]+(?=@)")
"""Between a colon and an at sign."""

_OPTIONS = {
    r"\b(external|population|known|prior|control)=\.\.\.": r"--\1 FILE",
    r"\bas '(external|population|known|prior|control)'": r"with --\1 FILE",
    r"\bheader=False\b": "--no-header",
}
"""How arguments are written on the command line that messages of the library name."""

_WIDTH_OF_FILES = 160
"""How wide tables may be where there is no terminal, in a file or a pipe."""


def console() -> Console:
    """Give the terminal of the people who watch. What is printed there is text, never markup."""
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            raise  # The error that is being handled: the command line knows what to do with it.

    is_known = sys.stderr.isatty() or "COLUMNS" in os.environ
    width = None if is_known else _WIDTH_OF_FILES
    return Terminal(stderr=True, highlight=False, markup=False, emoji=False, width=width)


def say(text: str, *, alarm: str = "") -> None:
    """Tell people something; ``alarm`` is a word in red before it."""
    from rich.text import Text

    said = Text(f"{alarm} ", style="bold red") if alarm else Text()
    said.append("\n".join(_printable(line) for line in text.split("\n")), style="not bold default")
    console().print(said, soft_wrap=True)


def seen_from_here(path: Path) -> Path:
    """Name a path by what is below the current folder, or in full."""
    whole, here = path.resolve(), Path.cwd().resolve()
    return whole.relative_to(here) if whole.is_relative_to(here) else whole


def print_json(document: object) -> None:
    """Print the one document that programs read, in ASCII, which every stream can carry."""
    sys.stdout.write(json.dumps(document, allow_nan=False) + "\n")
    sys.stdout.flush()


def report_error(message: str, *, as_json: bool) -> None:
    """Say what is wrong and what to do, but no password out of an address."""
    message = as_options(_PASSWORD.sub("***", message))
    say(message, alarm="error:")
    if as_json:
        print_json({"error": message})


def as_options(message: str) -> str:
    """Name options where a message names the arguments of Python.

    Examples
    --------
    >>> as_options("give the list of people with external=...")
    'give the list of people with --external FILE'
    """
    for pattern, option in _OPTIONS.items():
        message = re.sub(pattern, option, message)
    return message


def print_table(
    title: str,
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: str | Sequence[str] = "",
) -> None:
    """Print a table; the columns of ``right``, names or a list of words, are set to the right."""
    from rich.table import Table as RichTable

    table, numbers = RichTable(box=None), right.split() if isinstance(right, str) else right
    for name in header:
        table.add_column(name, justify="right" if name in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*("" if cell is None else _printable(str(cell)) for cell in row))
    terminal = console()
    terminal.print(title, style="bold", soft_wrap=True)
    terminal.print(table)


def print_listing(listing: Listing) -> None:
    """Print a listing as a table."""
    print_table(listing.title, listing.header, listing.rows, right=listing.right)


def _printable(text: str) -> str:
    """Write what would move the cursor or change colours as it is written in Python."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def number(value: object) -> str:
    """Write a number for people: whole ones whole, others with four digits that matter."""
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def print_models(models: Sequence[Mapping[str, object]]) -> None:
    """Print what was promised and what is reached."""
    rows = []
    for model in models:
        achieved = model["achieved"]
        assert isinstance(achieved, Mapping)
        said = {k: "none" if v is None else number(v) for k, v in achieved.items()}
        reached = ", ".join(f"{k} = {v}" for k, v in said.items())
        rows.append(
            (
                model["model"],
                "holds" if model["holds"] else "DOES NOT HOLD",
                reached,
                model.get("violating_groups", ""),
                model["basis"],
            )
        )
    header = ("promised", "verdict", "reached", "violating", "basis")
    print_table("Promises", header, rows, right="violating")
    for model in models:
        if reading := model.get("reading"):
            say(f"{model['model']}: {reading}")
        if by := model.get("implied_by"):
            assert isinstance(by, list)
            say(f"{model['model']} follows from {' and '.join(by)}: it adds nothing")


@contextmanager
def progress_bar(words: str, *, quiet: bool = False) -> Iterator[Callable[[float, str], None]]:
    """Show how far a search is, with an estimate of what is left, once it takes over a second."""
    started = time.perf_counter()
    is_watched = not quiet and sys.stderr.isatty()
    bars: list[tuple[Progress, TaskID]] = []

    def tell(share: float, what: str) -> None:
        if is_watched and not bars and time.perf_counter() - started > 1:
            bars.append(_started_bar(words))
        for bar, task in bars:
            bar.update(task, completed=share, description=_printable(what or words))

    try:
        yield tell
    finally:
        for bar, _ in bars:
            bar.stop()


def _started_bar(words: str) -> tuple[Progress, TaskID]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        console=console(),
        transient=True,
    )
    task = bar.add_task(words, total=1.0)
    bar.start()
    return bar, task
