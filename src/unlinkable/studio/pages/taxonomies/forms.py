"""Forms for the rules that make a taxonomy: whatever is filled in is tried at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from unlinkable.studio.contracts import Rule
from unlinkable.studio.errors import StudioError
from unlinkable.studio.pages.taxonomies.rule_text import DATE_PARTS, intervals_rule, mask_rule

__all__ = ["Try", "rule_form", "start_rule"]

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

    widths = _text("Widths, from fine to coarse", ", ".join(map(str, given)), tried)
    widths.classes("w-full")
    _hint("Each width must be a multiple of the one before: 5, 10, 20.")
    with ui.row().classes("w-full gap-2"):
        low = _text("One group below", _said(rule.get("low")), tried)
        high = _text("One group from", _said(rule.get("high")), tried)
        start = _text("A range begins at", _said(rule.get("start")), tried)
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
        keep = _text("Characters to keep, by level", kept, tried)
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
        "Groups made from the data tell something of it: where the cuts lie, which values are "
        "rare. A taxonomy that was drawn up without looking at the records does not."
    )


def _attempt(on_try: Try, make: Callable[[], Rule]) -> None:
    try:
        on_try(make(), None)
    except StudioError as error:
        on_try(None, str(error))


def _text(label: str, value: str, on_change: Callable[[], None]) -> ui.input:
    field = ui.input(label, value=value).props("outlined dense debounce=300").classes("grow w-28")
    field.on_value_change(lambda _: on_change())
    return field


def _hint(text: str) -> None:
    ui.label(text).classes(_HINT)


def _said(value: Any) -> str:
    return "" if value is None else str(value)
