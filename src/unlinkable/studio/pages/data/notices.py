"""Notices: what to look at before going on, said once for all columns that it is about."""

from __future__ import annotations

from attrs import frozen
from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.elements import tag
from unlinkable.studio.pages.formatting import join_words, percent, plural

__all__ = ["Notice", "draw_notices", "notices_of"]

_MUCH_MISSING = 0.05

_NAMED = 5
"""How many columns a title names."""

_MOSTLY_ALONE = 0.5


@frozen
class Notice:
    """Something to look at.

    Attributes
    ----------
    icon, title
        A sign, and a sentence that says it without the sign.
    text
        What to do about it.
    details
        A line for each case; shown when asked for.
    """

    icon: str
    title: str
    text: str
    details: tuple[str, ...] = ()


def notices_of(description: Document) -> list[Notice]:
    """Say what there is to look at in a described table, the most pressing first."""
    columns, n = description["columns"], max(description["records"], 1)
    found = [
        _names([c["name"] for c in columns if c["role"] == "identifier"]),
        _alone([c for c in columns if c["unique"] >= _MOSTLY_ALONE and c["role"] != "identifier"]),
        _together([s for s in description["smallest"] if len(s["columns"]) > 1]),
        _safe_harbor(description["safe_harbor"]),
        _missing([(c["name"], c["missing"] / n) for c in columns]),
        _constant([c["name"] for c in columns if c["distinct"] + (c["missing"] > 0) <= 1]),
    ]
    return [notice for notice in found if notice is not None]


def draw_notices(notices: list[Notice]) -> None:
    """Draw a list of what there is to look at."""
    if not notices:
        with ui.row().classes("items-center gap-2"):
            ui.icon("check_circle").classes("text-positive").props("aria-hidden=true")
            tag("p", "Nothing in this table calls for attention at first sight.", "m-0")
        return
    with ui.element("ul").classes("notices"):
        for notice in notices:
            with ui.element("li"):
                ui.icon(notice.icon, size="24px").classes("notice-icon").props("aria-hidden=true")
                with ui.column().classes("gap-1 min-w-0"):
                    tag("p", notice.title, "m-0 font-semibold")
                    tag("p", notice.text, "m-0 muted")
                    if notice.details:
                        _draw_details(notice.details)


def _draw_details(lines: tuple[str, ...]) -> None:
    with ui.element("details"):
        tag("summary", f"Show {plural(len(lines), 'case')}")
        with ui.element("ul").classes("notice-details"):
            for line in lines[:100]:
                tag("li", line)


def _names(columns: list[str]) -> Notice | None:
    if not columns:
        return None
    verb, are = ("names", "It is") if len(columns) == 1 else ("name", "They are")
    return Notice(
        "badge",
        f"{join_words(columns, _NAMED)} probably {verb} people",
        f"{are} left out of the release unless you decide otherwise on the next page.",
        _if_many(columns),
    )


def _alone(columns: list[Document]) -> Notice | None:
    if not columns:
        return None
    return Notice(
        "fingerprint",
        f"{join_words([c['name'] for c in columns], _NAMED)}: most values occur only once",
        "Whoever knows such a value of a person finds the record.",
        tuple(f"{c['name']}: {percent(c['unique'])} of the values occur once" for c in columns),
    )


def _together(sets: list[Document]) -> Notice | None:
    if not sets:
        return None
    first = sets[0]
    return Notice(
        "join_inner",
        f"{join_words(first['columns'])} together single out {percent(first['unique'])} of the "
        "records",
        "No single column names a person here, but a few of them together do.",
        tuple(
            f"{join_words(s['columns'])}: {percent(s['unique'])} of the records are unique"
            for s in sets
        ),
    )


def _safe_harbor(flags: list[Document]) -> Notice | None:
    if not flags:
        return None
    columns = list(dict.fromkeys(str(flag["column"]) for flag in flags))
    return Notice(
        "gavel",
        f"HIPAA Safe Harbor lists {join_words(columns, _NAMED)}",
        "Under that rule they must be removed or made coarser before health data are passed on.",
        tuple(
            f"{flag['column']}, item {flag['item']} ({flag['kind']}): {flag['why']}. "
            f"{_sentence(flag['remedy'])}"
            for flag in flags
        ),
    )


def _missing(shares: list[tuple[str, float]]) -> Notice | None:
    many = [(name, share) for name, share in shares if share >= _MUCH_MISSING]
    if not many:
        return None
    return Notice(
        "rule",
        f"Values are missing in {join_words([name for name, _ in many], _NAMED)}",
        "A missing value is a value of its own in the release. If a text such as NA stands for "
        "it, say so under “Read it differently”.",
        tuple(f"{name}: missing in {percent(share)} of the records" for name, share in many),
    )


def _constant(columns: list[str]) -> Notice | None:
    if not columns:
        return None
    return Notice(
        "horizontal_rule",
        f"{join_words(columns, _NAMED)}: the same value everywhere",
        "Such a column tells nothing about anybody.",
        _if_many(columns),
    )


def _if_many(columns: list[str]) -> tuple[str, ...]:
    """Name all columns where a title does not."""
    return tuple(columns) if len(columns) > _NAMED + 1 else ()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
