"""Docstrings: what a class says of itself and of its parameters, as plain text.

They are read here rather than by docstring_parser: that library takes the lines of sections it does
not know, such as *Guarantees*, *Merging* and *Range*, for parameters.
"""

from __future__ import annotations

import inspect
import re
from itertools import pairwise

__all__ = ["parameters_of", "section_of", "summary_of"]

_MARKUP = re.compile(r"``?|:\w+:|(?<=\w)_(?=\s|$)")


def summary_of(cls: type) -> str:
    """Give the first line.

    Examples
    --------
    >>> from unlinkable.tables.metrics import ILoss
    >>> summary_of(ILoss)
    'How many other values a published value could stand for, out of all.'
    """
    return _text(_lines(cls)[:1])


def section_of(cls: type, title: str) -> str:
    """Give what a section says.

    Examples
    --------
    >>> from unlinkable.tables.metrics import ILoss
    >>> section_of(ILoss, "Range")
    'From 0, all values are published as they were, to 1, all records are left out.'
    """
    return _text(_section(_lines(cls), title))


def parameters_of(cls: type) -> dict[str, str]:
    """Give what the section on parameters says of each of them.

    Examples
    --------
    >>> from unlinkable.tables.models import KAnonymity
    >>> parameters_of(KAnonymity)["k"]
    'The least number of people who look alike.'
    """
    lines = _lines(cls)
    told: dict[str, list[str]] = {}
    names: list[str] = []
    for line in _section(lines, "Parameters") or _section(lines, "Attributes"):
        if line.startswith(" "):
            for name in names:
                told[name].append(line)
        elif line:
            names = [name.strip() for name in line.partition(":")[0].split(",")]
            told.update({name: [] for name in names})
    return {name: _text(text) for name, text in told.items()}


def _lines(cls: type) -> list[str]:
    # Only the class's own words: inspect.getdoc would fall back to those of its base.
    return inspect.cleandoc(cls.__doc__ or "").splitlines()


def _section(lines: list[str], title: str) -> list[str]:
    rules = [i for i, line in enumerate(lines) if line and set(line) == {"-"}]
    for start, end in pairwise([*rules, len(lines) + 1]):
        if lines[start - 1] == title:
            return lines[start + 1 : end - 1]
    return []


def _text(lines: list[str]) -> str:
    return _MARKUP.sub("", " ".join(line.strip() for line in lines)).strip()
