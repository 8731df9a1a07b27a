"""What was published before, and what came of the last try to publish again."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.job import Job, JobState
from unlinkable.studio.pages.attacks.people import people
from unlinkable.studio.pages.attacks.words import fallen, sentence, title_of
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.said import counted
from unlinkable.studio.pages.scrolling import scrolled
from unlinkable.studio.workbench import Workbench

__all__ = ["in_plain_words", "last_try", "outcome_of_try", "past", "said_of"]

_TITLES = ("When", "To whom", "Records", "New people", "By", "Promised")


def last_try(work: Workbench) -> Job | None:
    """Find the job that published, or tried to, last."""
    return next((job for job in work.jobs() if job.task == "publish_next"), None)


def said_of(document: Document, *, dry_run: bool) -> str:
    """Tell in a sentence what was published, or would be."""
    to_whom = document["recipient"] or "everybody"
    done = "would be published" if dry_run else "was published"
    return (
        f"Release {document['number']} {done} to {to_whom}: "
        f"{counted(document['records'], 'record')} in {counted(document['groups'], 'group')}, "
        f"{document['suppressed']:,} left out, "
        f"{counted(document['new_people'], 'person', 'people')} for the first time."
    )


def outcome_of_try(job: Job) -> None:
    """Show what came of a try: published, would be, refused, or given up."""
    if job.state is JobState.DONE:
        dry = bool(job.arguments["dry_run"])
        with _box("check_circle", "text-positive", "It could go out" if dry else "Published"):
            tag("p", said_of(job.result["document"], dry_run=dry))
            _withstood(job.result["document"]["attacks"])
    elif job.state is JobState.CANCELLED:
        tag("p", "The last try was cancelled: nothing was published.", "studio-note")
    elif job.state is JobState.FAILED:
        _refused(job)


def _withstood(outcomes: list[Document]) -> None:
    if not outcomes:
        tag("p", "There is no earlier release that it could be put together with.")
    for outcome in outcomes:
        tag("p", f"{title_of(outcome['attack'])}: {outcome['found']}", "text-sm")


def _refused(job: Job) -> None:
    """Say why nothing was published, and whom it would have harmed."""
    channels = (job.details or {}).get("channels", []) if isinstance(job.details, dict) else []
    with _box("block", "text-negative", "Refused: nothing was published"):
        if not channels:
            tag("p", sentence(in_plain_words(job.error or "")))
            return
        tag("p", "Whoever holds this release and the earlier ones could find out about people:")
        for outcome in channels:
            with ui.element("div").classes("border-l-4 pl-3 flex flex-col gap-1"):
                tag("strong", f"{title_of(outcome['attack'])}: {fallen(outcome)} would fall")
                tag("p", outcome["found"])
                tag("p", f"What helps: {sentence(outcome['remedy'])}")
                people(outcome)


def in_plain_words(refusal: str) -> str:
    """Name the field above, where the library names arguments and options."""
    return refusal.replace(
        "say by which column people are known from one release to the next: person=..., "
        "--person COLUMN, or person in [series]",
        "choose the column that tells who is who, by which people are known from one release to "
        "the next",
    )


def _box(icon: str, colour: str, title: str) -> ui.element:
    box = ui.card().classes("w-full gap-2").props("flat bordered role=status")
    with box, ui.row().classes("items-center gap-2 no-wrap"):
        ui.icon(icon).classes(f"text-2xl {colour}").props("aria-hidden=true")
        tag("strong", title)
    return box


def past(lines: list[Document]) -> None:
    """List what was published before."""
    if not lines:
        tag("p", "Nothing was published into the history yet.", "studio-quiet")
        return
    with scrolled("What was published before"), ui.element("table") as table:
        table.classes("w-full text-left studio-table studio-stacked")
        tag("caption", "What was published into the history", "sr-only")
        with ui.element("thead"), ui.element("tr"):
            for title in ("Release", *_TITLES):
                tag("th", title, "py-1 pr-4").props("scope=col")
        with ui.element("tbody"):
            for line in lines:
                with ui.element("tr").classes("align-top"):
                    tag("th", f"Release {line['number']}", "py-1 pr-4").props("scope=row")
                    for title, text in zip(_TITLES, _cells(line), strict=True):
                        tag("td", text, "py-1 pr-4").props(f'data-title="{title}"')


def _cells(line: Document) -> tuple[str, ...]:
    return (
        str(line["created"])[:16].replace("T", " "),
        line["recipient"] or "everybody",
        f"{line['records']:,}",
        f"{line['new_people']:,}",
        line["policy"],
        ", ".join(line["promises"]),
    )
