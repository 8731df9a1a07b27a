"""Publishing again: the next release of a series, checked against all earlier ones."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.form import ParameterForm
from unlinkable.studio.pages.promises.parameters import fields_of
from unlinkable.studio.workbench import Workbench

__all__ = ["policy_names", "series_form", "written_series"]

_POLICIES = {
    "incremental": "New people come in, nobody leaves",
    "continuous": "New people come in; one cut for each column",
    "m-invariance": "People come and go, their values stay",
    "hd-composition": "People come and go, and values change",
    "sequential": "New columns of the same people",
    "multiple-views": "Other views of one table for other recipients",
    "marginals": "Counts of chosen columns beside a release",
    "multi-level-perturbation": "More or less noise for recipients of different trust",
}
"""What changes from one release to the next, by policy: the usual ones first."""

_TELLING = ("owner", "identifier")
"""Roles of columns that can tell who is who."""


def policy_names(entries: list[Document]) -> dict[str, str]:
    """Name the policies that there are by what changes between releases."""
    known = {entry["name"] for entry in entries}
    named = {name: f"{words} ({name})" for name, words in _POLICIES.items() if name in known}
    return named | {name: name for name in sorted(known - set(named))}


def written_series(policy: str, person: str | None, values: Document) -> Document:
    """Write what was filled in as it stands in a plan.

    Examples
    --------
    >>> written_series("m-invariance", "pid", {"m": 3})
    {'policy': 'm-invariance', 'm': 3, 'person': 'pid'}
    """
    return {"policy": policy, **values, **({"person": person} if person else {})}


def series_form(work: Workbench, entries: list[Document]) -> None:
    """Draw the form: policy, person, recipient, and buttons to try and to publish."""
    form = _Form(work, entries)
    form.draw()
    tag("p", "Trying does everything but publish: nothing is written, and nobody gets anything.")
    with ui.row().classes("gap-2"):
        for text, icon, dry, look in (
            ("Try without publishing", "science", True, "outline"),
            ("Publish into the history", "history_edu", False, "unelevated"),
        ):
            button = ui.button(text, icon=icon).props(f"no-caps {look}")
            button.on_click(lambda dry=dry: form.publish(dry_run=dry))


def _likely(work: Workbench, people: list[str]) -> str | None:
    """Propose the column that tells who is who: the only one, or the only one without repeats."""
    described = (work.description or {}).get("description") or {}
    alone = [c["name"] for c in described.get("columns", []) if c["unique"] == 1]
    found = people if len(people) == 1 else [name for name in people if name in alone]
    return found[0] if len(found) == 1 else None


class _Form:
    """What is filled in, until it is sent off."""

    def __init__(self, work: Workbench, entries: list[Document]) -> None:
        self.work = work
        self.entries = {entry["name"]: entry for entry in entries}
        series = (work.plan or {}).get("series") or {}
        self.policy = str(series.get("policy", "incremental"))
        self.person: str | None = series.get("person")
        self.recipient = ""

    def draw(self) -> None:
        """Draw all fields; those of a policy are another form, drawn anew with it."""
        names = policy_names(list(self.entries.values()))
        if self.policy not in names:
            self.policy = "incremental"
        with ui.element("div").classes("grid grid-cols-1 md:grid-cols-2 gap-4 w-full"):
            policy = ui.select(names, value=self.policy)
            policy.props('outlined label="What changes from one release to the next"')
            policy.classes("w-full").on_value_change(lambda e: self._choose(e.value))
            self._draw_person()
            ui.input("Recipient, if not everybody").bind_value(self, "recipient").props(
                "outlined"
            ).classes("w-full")
        self._place = ui.column().classes("w-full max-w-screen-md gap-1")
        self._choose(self.policy)

    def _draw_person(self) -> None:
        people = [name for role in _TELLING for name in self.work.columns(role)]
        if self.person is None:
            self.person = _likely(self.work, people)
        elif self.person is not None and self.person not in people:
            people.append(self.person)
        ui.select(people, label="Column that tells who is who", clearable=True).bind_value(
            self, "person"
        ).props('outlined hint="An identifier: it is not published"').classes("w-full")

    def _choose(self, policy: str) -> None:
        entry = self.entries[policy]
        fields = fields_of(entry)
        series = (self.work.plan or {}).get("series") or {}
        given = series if series.get("policy") == policy else {}
        self.policy = policy
        self.parameters = ParameterForm(self.work, policy, fields)
        self._place.clear()
        with self._place:
            tag("p", entry["summary"], "m-0 text-sm muted")
            starts = {f.name: f.start for f in fields if f.start is not None}
            self.parameters.draw({**starts, **given})

    async def publish(self, *, dry_run: bool) -> None:
        """Write the series into the plan, if it has changed, and have the release made."""
        if missing := self.parameters.missing():
            ui.notify(f"Please fill in: {', '.join(missing)}.", type="warning")
            return
        with told():
            written = written_series(self.policy, self.person, self.parameters.values())
            if written != (self.work.plan or {}).get("series"):
                await self.work.edit({"set": ["series"], "to": written})
            self.work.publish_next(self.recipient.strip() or None, dry_run=dry_run)
