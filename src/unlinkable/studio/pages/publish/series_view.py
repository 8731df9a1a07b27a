"""Publishing again: the form for the next release, what came of the last try, and past releases."""

from __future__ import annotations

from nicegui import ui

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Document
from unlinkable.studio.jobs import Job, JobState
from unlinkable.studio.pages.attack.attack_findings import (
    draw_people,
    exposed_words,
    title_of,
)
from unlinkable.studio.pages.elements import scroll_area, tag, text_table
from unlinkable.studio.pages.formatting import sentence
from unlinkable.studio.pages.live import notify_errors
from unlinkable.studio.pages.parameter_form import ParameterForm, fields_of
from unlinkable.studio.workbench import Workbench

__all__ = [
    "draw_last_try",
    "draw_past_releases",
    "last_try",
    "plain_series_error",
    "policy_names",
    "release_sentence",
    "series_form",
    "series_table",
]

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

_NAMING = ("owner", "identifier")
"""Roles of columns that can tell who is who."""


def policy_names(entries: list[Document]) -> dict[str, str]:
    """Name the policies that there are by what changes between releases."""
    known = {entry["name"] for entry in entries}
    named = {name: f"{words} ({name})" for name, words in _POLICIES.items() if name in known}
    return named | {name: name for name in sorted(known - set(named))}


def series_table(policy: str, person: str | None, values: Document) -> Document:
    """Write what was filled in as it stands in a plan.

    Examples
    --------
    >>> series_table("m-invariance", "pid", {"m": 3})
    {'policy': 'm-invariance', 'm': 3, 'person': 'pid'}
    """
    return {"policy": policy, **values, **({"person": person} if person else {})}


def series_form(work: Workbench, entries: list[Document]) -> None:
    """Draw the form: policy, person, recipient, and buttons to try and to publish."""
    form = _Form(work, entries)
    form.draw()
    tag("p", "A try does everything but publish: nothing is written.")
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
        people = [name for role in _NAMING for name in self.work.columns(role)]
        if self.person is None:
            self.person = _likely(self.work, people)
        elif self.person is not None and self.person not in people:
            people.append(self.person)
        ui.select(people, label="Column that identifies people", clearable=True).bind_value(
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
        with notify_errors():
            written = series_table(self.policy, self.person, self.parameters.values())
            if written != (self.work.plan or {}).get("series"):
                await self.work.edit({"set": ["series"], "to": written})
            self.work.publish_next(self.recipient.strip() or None, dry_run=dry_run)


_TITLES = ("Release", "When", "To whom", "Records", "New people", "By", "Promised")


def last_try(work: Workbench) -> Job | None:
    """Find the job that published, or tried to, last."""
    return next((job for job in work.jobs() if job.task == "publish_next"), None)


def release_sentence(document: Document, *, dry_run: bool) -> str:
    """Tell in a sentence what was published, or would be."""
    to_whom = document["recipient"] or "everybody"
    done = "would be published" if dry_run else "was published"
    return (
        f"Release {document['number']} {done} to {to_whom}: "
        f"{quantity(document['records'], 'record')} in {quantity(document['groups'], 'group')}, "
        f"{document['suppressed']:,} suppressed, "
        f"{quantity(document['new_people'], 'person', 'people')} for the first time."
    )


def draw_last_try(job: Job) -> None:
    """Show what came of a try: published, would be, refused, or given up."""
    if job.state is JobState.DONE:
        dry = bool(job.arguments["dry_run"])
        with _box("check_circle", "text-positive", "It could go out" if dry else "Published"):
            tag("p", release_sentence(job.result["document"], dry_run=dry))
            _draw_attacks(job.result["document"]["attacks"])
    elif job.state is JobState.CANCELLED:
        tag("p", "The last try was cancelled: nothing was published.", "studio-note")
    elif job.state is JobState.FAILED:
        _draw_refusal(job)


def _draw_attacks(outcomes: list[Document]) -> None:
    if not outcomes:
        tag("p", "There is no earlier release that it could be put together with.")
    for outcome in outcomes:
        tag("p", f"{title_of(outcome['attack'])}: {outcome['found']}", "text-sm")


def _draw_refusal(job: Job) -> None:
    """Explain why nothing was published, and who would have been exposed."""
    channels = (job.details or {}).get("channels", []) if isinstance(job.details, dict) else []
    with _box("block", "text-negative", "Refused: nothing was published"):
        if not channels:
            tag("p", sentence(plain_series_error(job.error or "")))
            return
        tag("p", "This release and the earlier ones together would expose people:")
        for outcome in channels:
            with ui.element("div").classes("border-l-4 pl-3 flex flex-col gap-1"):
                tag(
                    "strong",
                    f"{title_of(outcome['attack'])}: {exposed_words(outcome)} would be exposed",
                )
                tag("p", outcome["found"])
                tag("p", f"Remedy: {sentence(outcome['remedy'])}")
                draw_people(outcome)


def plain_series_error(refusal: str) -> str:
    """Name the field above, where the library names arguments and options."""
    return refusal.replace(
        "say by which column people are known from one release to the next: person=..., "
        "--person COLUMN, or person in [series]",
        "choose the column that identifies people from one release to the next",
    )


def _box(icon: str, colour: str, title: str) -> ui.element:
    box = ui.card().classes("w-full gap-2").props("flat bordered role=status")
    with box, ui.row().classes("items-center gap-2 no-wrap"):
        ui.icon(icon).classes(f"text-2xl {colour}").props("aria-hidden=true")
        tag("strong", title)
    return box


def draw_past_releases(lines: list[Document]) -> None:
    """List what was published before."""
    if not lines:
        tag("p", "Nothing was published into the history yet.", "studio-quiet")
        return
    with scroll_area("What was published before"):
        text_table("What was published into the history", _TITLES, map(_cells, lines))


def _cells(line: Document) -> tuple[str, ...]:
    return (
        f"Release {line['number']}",
        str(line["created"])[:16].replace("T", " "),
        line["recipient"] or "everybody",
        f"{line['records']:,}",
        f"{line['new_people']:,}",
        line["policy"],
        ", ".join(line["promises"]),
    )
