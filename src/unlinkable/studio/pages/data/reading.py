"""How a file is read: separator, encoding and so on, tried on its first records as they are set."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from nicegui import ui

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Document, Preview, TrialPreview
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.pages.data.file_input import clear_pending, describe_file, file_input
from unlinkable.studio.pages.elements import ListEntry, StableList, tag
from unlinkable.studio.pages.live import Debounce, notify_errors
from unlinkable.studio.workbench import Workbench

__all__ = [
    "TYPE_WORDS",
    "ReadingPanel",
    "is_about_encoding",
    "plain_reading_error",
    "preview_table",
]

TYPE_WORDS = {"category": "text", "number": "number", "date": "date"}
"""What types are called."""

_CELL = """
<q-td :props="props"><span v-if="props.value === null" class="cell-missing">missing</span>
<template v-else>{{ props.value }}</template></q-td>
"""


def preview_table(preview: Preview, name: str) -> ui.table:
    """Draw the first records; a missing value differs from an empty text."""
    columns = [
        {
            "name": f"c{j}",
            "field": f"c{j}",
            "label": f"{column} · {TYPE_WORDS.get(type_, type_)}",
            "align": "right" if type_ == "number" else "left",
        }
        for j, (column, type_) in enumerate(zip(preview["columns"], preview["types"], strict=True))
    ]
    rows = [
        {"id": i} | {f"c{j}": cell for j, cell in enumerate(row)}
        for i, row in enumerate(preview["rows"])
    ]
    table = ui.table(columns=columns, rows=rows, row_key="id")
    table.props(f'dense flat bordered hide-pagination role=region tabindex=0 aria-label="{name}"')
    table.props(":rows-per-page-options=[0] separator=cell").classes("preview-table w-full")
    table.add_slot("body-cell", _CELL)
    return table


_NOT_UTF8 = "the file is not written in UTF-8"

_UPLOADS = "uploads/"

_WORDS = {
    "give its encoding (often 'cp1252' for files from Windows in Western Europe), or save it as "
    "UTF-8": "choose its encoding, or save it as UTF-8",
    "tell with header=False that the first line is a record": "say under “Names of the columns” "
    "that there is no such line",
}
"""What the library says to those who write code, and what it means here."""


def plain_reading_error(refusal: str) -> str:
    """Say what to do in the form, where the library says which argument to give.

    The folder of uploaded files is not shown.

    Examples
    --------
    >>> plain_reading_error("uploads/a.csv, line 1: rename one, or tell with header=False that the "
    ...                "first line is a record")
    'a.csv, line 1: rename one, or say under “Names of the columns” that there is no such line'
    """
    refusal = refusal.removeprefix(_UPLOADS)
    for said, meant in _WORDS.items():
        refusal = refusal.replace(said, meant)
    return refusal


def is_about_encoding(refusal: str) -> bool:
    """Whether the file is written in something else than was supposed."""
    return _NOT_UTF8 in refusal


_SEPARATORS = {"": "automatic", ",": "comma ,", ";": "semicolon ;", "\t": "tab", "|": "bar |"}

_ENCODINGS = {
    "": "automatic, or UTF-8",
    "utf-8": "UTF-8",
    "cp1252": "Windows, Western Europe (cp1252)",
    "cp1250": "Windows, Central Europe (cp1250)",
    "cp1251": "Windows, Cyrillic (cp1251)",
    "latin-1": "ISO Latin-1",
    "latin-9": "ISO Latin-9",
    "utf-16": "UTF-16",
    "cp932": "Japanese (cp932)",
    "gb18030": "Chinese (gb18030)",
}

_LIKELY = "cp1252"
"""What files are written in that are not UTF-8, most often."""

_HEADERS = {"": "automatic", "yes": "the first line names them", "no": "there is no such line"}

_TYPES = {
    "text": "text",
    "integer": "whole number",
    "number": "number",
    "date": "date, such as 2024-12-31",
    "%d.%m.%Y": "date, such as 31.12.2024",
    "%d/%m/%Y": "date, such as 31/12/2024",
    "%m/%d/%Y": "date, such as 12/31/2024",
    "datetime": "date and time",
    "boolean": "yes or no",
}

_TEXT = (".csv", ".tsv", ".txt", ".gz")

_SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


class ReadingPanel:
    """A form for the ways to read a file, beside its first records."""

    def __init__(self, work: Workbench, file: str, reading: Document, error: str | None) -> None:
        self.work, self.file, self.reading = work, file, dict(reading)
        self._error = error
        self._settling = Debounce(0.25)
        self._controls: dict[str, ui.select] = {}
        self._draw()
        if file.lower().endswith(_SHEETS):
            ui.timer(0, self._draw_sheets, once=True)
        ui.timer(0, self._try, once=True)

    def _draw(self) -> None:
        tag("h2", f"How to read {self.file}", "section-title")
        with ui.element("div").classes("data-reading"):
            with ui.card().props("flat bordered").classes("w-full gap-3"):
                self._form = ui.column().classes("w-full gap-3")
                with self._form:
                    self._fields()
                if self.work.plan is not None:
                    tag(
                        "p",
                        "Reading the table again starts a new plan: roles, taxonomies and "
                        "promises are suggested again.",
                        "m-0 text-sm muted",
                    )
                with ui.row().classes("w-full gap-2"):
                    self._go = ui.button("Read the table", icon="check", on_click=self._take)
                    self._go.props('no-caps data-testid="read-table"')
                    ui.button("Cancel", on_click=lambda: clear_pending(self.work)).props(
                        "no-caps flat"
                    )
                    file_input(self.work, is_small=True)
            with ui.column().classes("w-full gap-2 min-w-0"):
                self._words = tag("p", "", "m-0 muted").props("role=status")
                self._shown = StableList(ui.column().classes("w-full min-w-0"))
        if self._error:
            self._refuse(self._error)

    def _fields(self) -> None:
        lower = self.file.lower()
        if lower.endswith(_TEXT):
            known = self.reading.get("separator", "")
            options = {**_SEPARATORS, **({known: known} if known not in _SEPARATORS else {})}
            self._select("Separator", options, "separator")
            known = self.reading.get("encoding", "")
            options = {**_ENCODINGS, **({known: known} if known not in _ENCODINGS else {})}
            self._select("Encoding", options, "encoding")
        if lower.endswith(_SHEETS):
            self._sheet_box = ui.column().classes("w-full gap-2")
        if lower.endswith((*_TEXT, *_SHEETS)):
            header = {True: "yes", False: "no"}.get(self.reading.get("header"), "")  # type: ignore[arg-type]
            field = self._labelled(ui.select(_HEADERS, label="Names of the columns", value=header))
            field.on_value_change(
                lambda e: self._set("header", {"yes": True, "no": False}.get(e.value))
            )
        missing = ui.input(
            "Texts that mean missing", value=", ".join(self.reading.get("missing", []))
        ).props('placeholder="NA, ?, -" debounce=300')
        self._labelled(missing).on_value_change(
            lambda e: self._set("missing", [t for t in re.split(r"\s*,\s*", e.value.strip()) if t])
        )
        if lower.endswith(_TEXT):
            infer = ui.checkbox(
                "Recognise numbers and dates", value=self.reading.get("infer", True)
            )
            infer.on_value_change(lambda e: self._set("infer", None if e.value else False))
        self._type_fields()

    def _select(self, label: str, options: dict[str, str], key: str) -> None:
        field = ui.select(options, label=label, value=self.reading.get(key, ""))
        self._controls[key] = field
        self._labelled(field).on_value_change(lambda e: self._set(key, e.value or None))

    def _labelled(self, field: Any) -> Any:
        return field.props("outlined dense").classes("w-full")

    def _set(self, key: str, value: object) -> None:
        others = {k: v for k, v in self.reading.items() if k != key}
        is_set = value is not None and value != [] and value != {}
        self.reading = {**others, key: value} if is_set else others
        with self._form:
            ui.timer(0, self._try, once=True)

    async def _try(self) -> None:
        if not await self._settling.is_last():
            return
        asked = self.reading
        try:
            answer: TrialPreview | str = await self.work.try_reading(self.file, asked)
        except StudioError as error:
            answer = str(error)
            if isinstance(error, TaskError) and error.kind == "Cancelled":
                return
        if asked is not self.reading:
            return  # Something else was set meanwhile, and is being tried.
        if isinstance(answer, str):
            self._refuse(answer)
        else:
            self._show(answer)

    def _show(self, tried: TrialPreview) -> None:
        preview = tried["preview"]
        seen = quantity(preview["records"], "record")
        columns = quantity(len(preview["columns"]), "column")
        more = "" if tried["is_whole"] else " at the beginning of the file"
        self._words.text = f"With these settings there are {columns} and {seen}{more}."
        self._go.enable()
        self._shown.show(
            [
                ListEntry(
                    "preview",
                    preview,
                    lambda: preview_table(preview, "The first records, as read"),
                )
            ]
        )
        if preview["columns"] != self._column.options:
            self._column.set_options(preview["columns"])

    async def _draw_sheets(self) -> None:
        """Offer the sheets of a workbook, even if the one that is chosen cannot be read."""
        with notify_errors():
            sheets = await self.work.sheets(self.file)
            known = self.reading.get("sheet", 0)
            at = sheets.index(known) if known in sheets else int(known)
            with self._sheet_box:
                if len(sheets) > 1:
                    tag("p", f"This workbook has {len(sheets):,} sheets. Which one?", "m-0")
                field = ui.select(dict(enumerate(sheets)), label="Sheet", value=at)
                self._labelled(field).on_value_change(lambda e: self._set("sheet", e.value or None))

    def _type_fields(self) -> None:
        """Offer to say of what type a column is."""
        with ui.row().classes("w-full gap-2 no-wrap"):
            self._column = ui.select([], label="Column", with_input=True)
            self._type = ui.select(_TYPES, label="is read as")
            for field in (self._column, self._type):
                self._labelled(field).classes("min-w-0")
                field.on_value_change(self._add_type)
        self._types = StableList(ui.row().classes("gap-1"))
        self._draw_types()

    def _add_type(self) -> None:
        column, type_ = self._column.value, self._type.value
        if column and type_:
            self._column.set_value(None)
            self._type.set_value(None)
            self._set("types", {**self.reading.get("types", {}), column: type_})
            self._draw_types()

    def _draw_types(self) -> None:
        """List what was said of types, to be taken back."""
        given: dict[str, str] = self.reading.get("types", {})
        self._types.show(
            ListEntry(name, kind, partial(self._draw_type, name, kind))
            for name, kind in given.items()
        )

    def _draw_type(self, name: str, kind: str) -> ui.chip:
        chip = ui.chip(f"{name}: {_TYPES.get(kind, kind)}", removable=True).props("outline")
        chip.on_value_change(lambda: self._take_type_back(name))
        return chip

    def _take_type_back(self, name: str) -> None:
        given: dict[str, str] = self.reading.get("types", {})
        self._set("types", {k: v for k, v in given.items() if k != name})
        self._draw_types()

    def _refuse(self, error: str) -> None:
        self._words.text = ""
        self._go.disable()
        offers_encoding = "encoding" not in self.reading and is_about_encoding(error)
        seen = (plain_reading_error(error), offers_encoding)
        self._shown.show([ListEntry("refusal", seen, lambda: self._refusal(*seen))])

    def _refusal(self, words: str, offers_encoding: bool) -> ui.card:
        """Draw why it cannot be read like this, and what may help."""
        classes = "w-full no-wrap flex-row items-start gap-3 data-refused"
        with ui.card().props("flat bordered role=alert").classes(classes) as card:
            ui.icon("error", size="28px").classes("text-negative").props("aria-hidden=true")
            with ui.column().classes("gap-1 min-w-0"):
                tag("p", "The file cannot be read with these settings.", "m-0 font-semibold")
                tag("p", words, "m-0 break-words")
                if offers_encoding:
                    ui.button(
                        f"Try {_ENCODINGS[_LIKELY]}", on_click=lambda: self._encoding(_LIKELY)
                    ).props("no-caps outline")
        return card

    def _encoding(self, name: str) -> None:
        self._controls["encoding"].value = name

    async def _take(self) -> None:
        self._go.disable()
        with notify_errors():
            await describe_file(self.work, self.file, self.reading)
