"""Which result people go on with, the same on all pages and in all tabs."""

from __future__ import annotations

from unlinkable.studio.contracts import Outcome
from unlinkable.studio.workbench import Workbench

__all__ = ["choose", "chosen", "result_name"]

_KEY = "chosen"


def chosen(work: Workbench) -> Outcome | None:
    """Give the result that was chosen, or else the last one; None if there is none."""
    runs = work.runs()
    number = work.project.state.get(_KEY)
    named = [outcome for outcome in runs if outcome["run"] == number]
    return next(iter(named or runs[-1:]), None)


def choose(work: Workbench, run: int) -> None:
    """Go on with another result."""
    if work.project.state.get(_KEY) != run:
        work.project.remember(**{_KEY: run})


def result_name(outcome: Outcome) -> str:
    """Say which result it is."""
    return f"Result {outcome['run']}: {outcome['title']}"
