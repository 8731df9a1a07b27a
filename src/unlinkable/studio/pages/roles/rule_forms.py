"""Forms for the rules that make a taxonomy, and rules in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from nicegui import ui

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Rule
from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.formatting import join_words
from unlinkable.studio.taxonomy_editing.tree_files import BY_HAND

__all__ = [
    "DATE_PARTS",
    "KINDS",
    "Try",
    "describe_rule",
    "intervals_rule",
    "kind_of",
    "mask_rule",
    "rule_form",
    "start_rule",
]

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


def describe_rule(rule: Rule | None, type_: str) -> str:
    """Say a rule in a few words.

    Examples
    --------
    >>> describe_rule({"intervals": [5, 10]}, "number"), describe_rule(None, "category")
    ('intervals of 5 and 10', 'all or nothing')
    """
    match rule or {}:
        case {"intervals": [*widths], **ends}:
            told = f"intervals of {join_words([str(width) for width in widths])}"
            return f"{told}, with open ends" if {"low", "high"} & set(ends) else told
        case {"mask": length}:
            return f"masked, up to {length} characters"
        case {"dates": [*parts]}:
            return f"by {join_words([str(part) for part in parts])}"
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
        return quantity(len(tree), "value") if isinstance(tree, Sequence) else "no values"
    groups = sum(1 for below in tree.values() if below)
    alone = len(tree) - groups
    told = quantity(groups, "group")
    return f"{told} and {quantity(alone, 'single value')} on top" if alone else f"{told} on top"


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


Try = Callable[[Rule | None, str | None], None]
"""Called with a rule to be tried, or with None and what is wrong with what was filled in."""

_HINT = "text-sm muted"


def rule_form(kind: str, rule: Rule, longest: int, on_try: Try) -> None:
    """Draw the form for a kind of rule, filled in with a rule that stands in the plan.

    ``longest`` is how many characters the longest value has.
    """
    match kind:
        case "intervals":
            _intervals(rule, on_try)
        case "mask":
            _mask(rule, longest, on_try)
        case "dates":
            _dates(rule, on_try)
        case "auto":
            _auto(rule, on_try)
        case "flat":
            _hint("A value is published as it is, or not at all. Nothing is to be set.")


def start_rule(kind: str, rule: Rule, longest: int) -> Rule:
    """Give the rule that a form begins with."""
    if kind in rule:
        return rule
    begin: dict[str, Rule] = {
        "intervals": {"intervals": [5, 10, 20]},
        "mask": {"mask": longest},
        "dates": {"dates": ["month", "year"]},
        "auto": {"auto": True},
        "flat": {"flat": True},
    }
    return begin[kind]


def _intervals(rule: Rule, on_try: Try) -> None:
    given = rule.get("intervals", [5, 10, 20])

    def tried() -> None:
        _attempt(
            on_try,
            lambda: intervals_rule(
                widths.value or "", start.value or "", low.value or "", high.value or ""
            ),
        )

    widths = _text_field("Widths, from fine to coarse", ", ".join(map(str, given)), tried)
    widths.classes("w-full")
    _hint("Each width must be a multiple of the one before: 5, 10, 20.")
    with ui.row().classes("w-full gap-2"):
        low = _text_field("One group below", _text_of(rule.get("low")), tried)
        high = _text_field("One group from", _text_of(rule.get("high")), tried)
        start = _text_field("A range begins at", _text_of(rule.get("start")), tried)
    _hint("Optional. Below and above these numbers everything is one group, such as >=80.")


def _mask(rule: Rule, longest: int, on_try: Try) -> None:
    def tried() -> None:
        _attempt(
            on_try,
            lambda: mask_rule(length.value, keep.value or "", left=bool(side.value == "left")),
        )

    with ui.row().classes("w-full gap-2"):
        length = ui.number("Longest value", value=rule.get("mask", longest), min=1, step=1)
        length.props("outlined dense debounce=300 suffix=characters").classes("grow")
        length.on_value_change(tried)
        kept = ", ".join(map(str, rule.get("keep", [])))
        keep = _text_field("Characters to keep, by level", kept, tried)
    _hint("Leave the second field empty to star out one more character on each level.")
    side = ui.radio(
        {"right": "from the right: 105**", "left": "from the left: **547"},
        value="left" if rule.get("left") else "right",
        on_change=tried,
    ).props("inline dense")


def _dates(rule: Rule, on_try: Try) -> None:
    given = set(rule.get("dates", ["month", "year"]))
    boxes: dict[str, ui.checkbox] = {}

    def tried() -> None:
        parts = [part for part in DATE_PARTS if boxes[part].value]
        wrong = None if parts else "choose at least one part of the date"
        on_try({"dates": parts} if parts else None, wrong)

    _hint("Levels, from fine to coarse:")
    with ui.row().classes("gap-x-4 gap-y-0"):
        for part in DATE_PARTS:
            boxes[part] = ui.checkbox(part, value=part in given, on_change=tried)
    _hint("Weeks run across months and years, so nothing coarser can follow them.")


def _auto(rule: Rule, on_try: Try) -> None:
    def tried() -> None:
        groups = parts.value
        wrong = None if groups and groups >= 2 else "a node has at least 2 parts"
        on_try(None if wrong else {"auto": True, "groups": int(groups)}, wrong)

    parts = ui.number("Parts of each group", value=rule.get("groups", 2), min=2, max=50, step=1)
    parts.props("outlined dense debounce=300").classes("w-full").on_value_change(tried)
    _hint(
        "Groups that are made from the data disclose something about it: where the cuts are, "
        "which values are rare. A taxonomy that does not depend on the records does not."
    )


def _attempt(on_try: Try, make: Callable[[], Rule]) -> None:
    try:
        on_try(make(), None)
    except StudioError as error:
        on_try(None, str(error))


def _text_field(label: str, value: str, on_change: Callable[[], None]) -> ui.input:
    field = ui.input(label, value=value).props("outlined dense debounce=300").classes("grow w-28")
    field.on_value_change(lambda _: on_change())
    return field


def _hint(text: str) -> None:
    ui.label(text).classes(_HINT)


def _text_of(value: Any) -> str:
    return "" if value is None else str(value)
