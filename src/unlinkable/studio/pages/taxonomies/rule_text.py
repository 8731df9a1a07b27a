"""Rules of taxonomies, as people fill them into a form and as they are told in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from unlinkable.studio.by_hand.kept import BY_HAND
from unlinkable.studio.contracts import Rule
from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.said import counted, listed

__all__ = ["DATE_PARTS", "KINDS", "intervals_rule", "kind_of", "mask_rule", "told_rule"]

KINDS: dict[str, tuple[str, str, str]] = {
    "intervals": (
        "Intervals",
        "straighten",
        "Numbers become ranges of equal width: 37 is [35-40).",
    ),
    "dates": ("Parts of the date", "event", "Days become months, quarters or years."),
    "mask": ("Mask characters", "password", "Characters are starred out: 10547 is 105**."),
    "auto": ("Automatic", "auto_awesome", "Groups are made from the data, of similar size."),
    "flat": ("All or nothing", "visibility_off", "A value is shown as it is, or not at all."),
    "csv": (
        "From a file",
        "upload_file",
        "A table that you have: a row per value, then its groups.",
    ),
    "tree": ("By hand", "account_tree", "Arrange groups yourself: drag values in the tree."),
}
"""What each kind of rule is called, its sign, and what it does."""

DATE_PARTS = ("day", "week", "month", "quarter", "year", "decade")


def kind_of(rule: Rule | None, type_: str) -> str:
    """Say which kind a rule is; without one, the default for the type of the column."""
    if not rule:
        return "flat" if type_ == "category" else "auto"
    if BY_HAND in str(rule.get("csv")):
        return "tree"
    return next((kind for kind in KINDS if kind in rule), "auto")


def intervals_rule(widths: str, start: str = "", low: str = "", high: str = "") -> Rule:
    """Make a rule of what was filled in.

    Raises
    ------
    StudioError
        If there is no width, or something is no number.

    Examples
    --------
    >>> intervals_rule("5, 10 20", low="20")
    {'intervals': [5, 10, 20], 'low': 20}
    """
    found = [_number("Widths", part) for part in re.split(r"[\s,;]+", widths) if part]
    if not found:
        raise StudioError("give at least one width, for example 5, 10, 20")
    ends = {"start": start, "low": low, "high": high}
    given = {key: _number(key.title(), text) for key, text in ends.items() if text.strip()}
    return {"intervals": found, **given}


def mask_rule(length: float | None, keep: str = "", *, left: bool = False) -> Rule:
    """Make a rule of what was filled in.

    Raises
    ------
    StudioError
        If there is no length, or something is no number.

    Examples
    --------
    >>> mask_rule(5, "3, 2")
    {'mask': 5, 'keep': [3, 2]}
    """
    if length is None:
        raise StudioError("say how many characters the longest value has")
    kept = [_number("Characters to keep", part) for part in re.split(r"[\s,;]+", keep) if part]
    if any(after >= before for before, after in pairwise(kept)):
        raise StudioError("keep fewer characters on every further level, for example 3, 2, 0")
    found: Rule = {"mask": int(length)}
    if left:
        found["left"] = True
    return {**found, "keep": kept} if kept else found


def told_rule(rule: Rule | None, type_: str) -> str:
    """Say a rule in a few words.

    Examples
    --------
    >>> told_rule({"intervals": [5, 10]}, "number"), told_rule(None, "category")
    ('intervals of 5 and 10', 'all or nothing')
    """
    match rule or {}:
        case {"intervals": [*widths], **ends}:
            told = f"intervals of {listed([str(width) for width in widths])}"
            return f"{told}, with open ends" if {"low", "high"} & set(ends) else told
        case {"mask": length}:
            return f"masked, up to {length} characters"
        case {"dates": [*parts]}:
            return f"by {listed([str(part) for part in parts])}"
        case {"csv": str(file)}:
            return "by hand" if BY_HAND in file else f"from {_file(file)}"
        case {"tree": tree}:
            return f"by hand, {_top(tree)}"
        case {"flat": _}:
            return "all or nothing"
        case {"auto": _}:
            return "made from the data"
    return "all or nothing" if type_ == "category" else "made from the data"


def _top(tree: object) -> str:
    if isinstance(tree, dict) and len(tree) == 1:
        (only,) = tree.values()
        return _top(only) if only else "1 value"
    if not isinstance(tree, dict):
        return counted(len(tree), "value") if isinstance(tree, Sequence) else "no values"
    groups = sum(1 for below in tree.values() if below)
    alone = len(tree) - groups
    told = counted(groups, "group")
    return f"{told} and {counted(alone, 'single value')} on top" if alone else f"{told} on top"


def _file(path: str) -> str:
    return re.sub(r"-[0-9a-f]{10}(?=\.csv$)", "", path.rpartition("/")[2])


def _number(what: str, text: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        raise StudioError(f"{what}: {text!r} is no number") from None
    if value != value or value in (float("inf"), float("-inf")):
        raise StudioError(f"{what}: {text!r} is no number")
    return int(value) if value.is_integer() else value
