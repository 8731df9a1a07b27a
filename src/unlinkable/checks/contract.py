"""Contracts: names, docstrings and written forms of everything that has a name."""

from __future__ import annotations

import inspect
import re
from itertools import accumulate

from unlinkable.registry import Entry
from unlinkable.spelling import read_call

__all__ = [
    "SECTIONS",
    "BrokenContractError",
    "check_docstring",
    "check_name",
    "check_written_form",
    "require",
]


class BrokenContractError(AssertionError):
    """Something is not what it claims to be. It is a defect of its author, never of its user."""


def require(holds: bool, claim: str) -> None:
    """Refuse what does not hold."""
    if not holds:
        raise BrokenContractError(claim)


SECTIONS = {
    "model": ("Guarantees", "Merging", "Examples"),
    "metric": ("Range", "Examples"),
    "method": ("Cost",),
    "operation": ("Guarantees", "Examples"),
    "collection": ("Guarantees", "Cost", "Examples"),
    "attack": ("Cost", "Examples"),
    "risk": ("Cost", "Examples"),
    "policy": ("Raises", "Examples"),
}
"""What the docstring of each kind must speak of."""


def check_name(entry: Entry) -> None:
    """Check that the class is called as its name in the registry, in CamelCase.

    Every word of the name begins with a capital in the class name, and otherwise the letters are
    the same: ``k-anonymity`` is `KAnonymity`, ``recursive-cl-diversity`` `RecursiveCLDiversity`.
    """
    words, called = entry.name.split("-"), entry.make.__name__
    starts = [0, *accumulate(map(len, words))][:-1]
    fits = called.lower() == "".join(words) and all(called[start].isupper() for start in starts)
    require(fits, f"{called} is not the CamelCase of {entry.name!r}")


def check_docstring(entry: Entry) -> None:
    """Check that the docstring says what its kind requires, and what every parameter means."""
    text = inspect.getdoc(entry.make) or ""
    require(bool(entry.summary), f"{entry.name} has no summary")
    require(bool(entry.reference), f"{entry.name} does not say where it is defined")
    for section in SECTIONS[entry.kind]:
        found = re.search(rf"^{section}\n-{{{len(section)}}}\n(?!\n)", text, re.MULTILINE)
        require(bool(found), f"the docstring of {entry.name} has no section {section}")
    for parameter in entry.parameters:
        says = f"the docstring of {entry.name} does not say what {parameter.name} means"
        require(bool(parameter.about), says)


def check_written_form(entry: Entry, thing: object) -> None:
    """Check that what is written is read back as the same thing, by its one name."""
    text = str(thing)
    name, arguments = read_call(text)
    require(name == entry.name, f"{text} is called {entry.name!r} in the registry")
    again = entry.construct(arguments)
    require(again == thing, f"{text} is read back as {again!r}, not as {thing!r}")
    require(hash(again) == hash(thing), f"{text} is read back with another hash")
