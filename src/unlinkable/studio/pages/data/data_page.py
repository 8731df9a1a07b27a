"""The page Data: which records it is about, how they are read, and what to look at in them."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen
from nicegui import ui

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.data.file_input import (
    add_file,
    add_sample,
    current_reading,
    describing_job,
    file_input,
    pending_file,
    set_pending,
)
from unlinkable.studio.pages.data.reading import TYPE_WORDS, ReadingPanel, preview_table
from unlinkable.studio.pages.elements import draw_when_ready, job_progress, tag
from unlinkable.studio.pages.formatting import join_words, percent, sentence
from unlinkable.studio.pages.live import live, notify_errors
from unlinkable.studio.workbench import Workbench

__all__ = ["Notice", "draw_notices", "notices_of", "page"]


def page(work: Workbench) -> None:
    """Show the data of a project, or where to put them."""
    drawn: list[object] = []

    @ui.refreshable
    def body() -> None:
        with ui.column().classes("w-full gap-6 min-w-0").props('aria-live="off"'):
            _draw(work)

    def changed() -> None:
        """Redraw only if something else is to be shown: forms keep their values."""
        now = _state(work)
        if drawn != [now]:
            drawn[:] = [now]
            body.refresh()

    drawn[:] = [_state(work)]
    body()
    live(work, changed, on={"plan", "data", "state", "jobs"})


def _state(work: Workbench) -> object:
    """Say what is to be seen, to know when that is something else.

    A file that arrives changes nothing yet: the place where it was dropped is still needed.
    """
    job = describing_job(work)
    considered = pending_file(work)
    if job is not None:
        return "looking", job.key
    if considered is not None:
        return "considering", considered
    if work.plan is None:
        return "nothing"
    described = work.description or {}
    return "data", work.plan["data"], described.get("description", {}).get("records")


def _draw(work: Workbench) -> None:
    job = describing_job(work)
    considered = pending_file(work)
    if job is not None:
        with ui.card().props("flat bordered").classes("w-full gap-3"):
            tag("h2", job.title, "section-title")
            job_progress(work, job, job.title)
    elif considered is not None:
        ReadingPanel(work, considered["file"], considered["reading"], considered["error"])
    elif work.plan is None:
        _draw_welcome(work)
    else:
        _draw_overview(work)


def _draw_welcome(work: Workbench) -> None:
    """Draw the place for a file, an invented table, and what was opened before."""
    tag("h2", "Add your data", "section-title")
    tag(
        "p",
        "The table stays on this machine, in the folder of this project. Nothing is sent "
        "anywhere, and nothing is published before you say so.",
        "m-0 muted max-w-prose",
    )
    with ui.element("div").classes("data-welcome"):
        file_input(work)
        with ui.column().classes("gap-4 min-w-0"):
            _draw_sample(work)
            _draw_earlier_files(work)


def _draw_sample(work: Workbench) -> None:
    with ui.card().props("flat bordered").classes("w-full gap-2"):
        tag("h3", "No table at hand?", "text-lg font-semibold m-0")
        tag(
            "p",
            "Try everything with 10,000 generated patients of a hospital. Roles and taxonomies "
            "are filled in for you.",
            "m-0 muted",
        )

        async def invented() -> None:
            button.disable()
            button.props("loading")
            try:
                with notify_errors():
                    await add_sample(work)
            finally:
                if not button.is_deleted:
                    button.props(remove="loading")
                    button.enable()

        button = ui.button("Try with a sample hospital", icon="local_hospital")
        button.props('no-caps outline data-testid="invent"').on_click(invented)


def _draw_earlier_files(work: Workbench) -> None:
    """List the files that are here already, and plans that were opened before."""
    files = work.project.files()
    recent = [
        (plan, key) for plan, key in work.studio.projects.recent.items() if _is_there(work, key)
    ]
    if files:
        with ui.card().props("flat bordered").classes("w-full gap-1"):
            tag("h3", "Files of this project", "text-lg font-semibold m-0")
            for file in files:
                _file_button(work, file)
    if recent:
        with ui.card().props("flat bordered").classes("w-full gap-1"):
            tag("h3", "Plans opened before", "text-lg font-semibold m-0")
            for plan, key in recent[:8]:
                path = Path(plan)
                link = ui.link(f"{path.parent.name}/{path.name}", f"/project/{key}/data")
                link.tooltip(plan)


def _file_button(work: Workbench, file: str) -> None:
    async def chosen() -> None:
        with notify_errors():
            await add_file(work, file)

    ui.button(file, icon="description", on_click=chosen).props("no-caps flat align=left dense")


def _is_there(work: Workbench, key: str) -> bool:
    return (work.studio.projects.home / key / "studio.json").is_file()


_MISSING = """
<q-td :props="props" class="cell-share">
  <span v-if="props.row.share" class="share-bar" aria-hidden="true">
    <span :style="{width: props.row.share * 100 + '%'}"></span></span>
  {{ props.value }}
</q-td>
"""


def _draw_overview(work: Workbench) -> None:
    """Draw what there is to see of the data of a plan."""
    described = (work.description or {}).get("description")
    _draw_head(work, described)
    if described is not None:
        with ui.card().props("flat bordered").classes("w-full gap-2"):
            tag("h2", "Check these first", "section-title")
            draw_notices(notices_of(described))
        with ui.column().classes("w-full gap-2"):
            tag("h2", "Columns", "section-title")
            _draw_columns(described)
    with ui.column().classes("w-full gap-2 min-w-0"):
        tag("h2", "The first records", "section-title")
        draw_when_ready(work.preview, lambda found: preview_table(found, "The first records"))


def _draw_head(work: Workbench, described: Document | None) -> None:
    source = work.source or ""
    with ui.row().classes("w-full items-center gap-x-6 gap-y-2"):
        ui.icon("table_view", size="40px", color="primary").props("aria-hidden=true")
        with ui.column().classes("gap-0 grow min-w-0"):
            tag("h2", source, "text-xl font-semibold m-0 break-words").props("data-testid=source")
            if described is not None:
                size = quantity(described["records"], "record")
                width = quantity(len(described["columns"]), "column")
                tag("p", f"{size} · {width}", "m-0 muted").props("data-testid=size")
        with ui.row().classes("gap-2 items-center"):
            again = ui.button("Change how it is read", icon="tune")
            again.props('no-caps outline data-testid="read-again"')
            again.on_click(lambda: set_pending(work, source, current_reading(work)))
            file_input(work, is_small=True)
            ui.button("Continue to roles", icon="arrow_forward").props(
                f'no-caps unelevated href="/project/{work.project.key}/roles"'
            )


def _draw_columns(described: Document) -> None:
    n = max(described["records"], 1)
    fields = {
        "name": ("Column", "left"),
        "type": ("Type", "left"),
        "distinct": ("Distinct values", "right"),
        "alone": ("Occur once", "right"),
        "missing": ("Missing", "left"),
    }
    columns = [
        {"name": key, "label": label, "field": key, "align": align}
        for key, (label, align) in fields.items()
    ]
    rows = [
        {
            "name": c["name"],
            "type": TYPE_WORDS.get(c["type"], c["type"]),
            "distinct": f"{c['distinct']:,}",
            "alone": percent(c["unique"]),
            "missing": percent(c["missing"] / n) if c["missing"] else "none",
            "share": c["missing"] / n,
        }
        for c in described["columns"]
    ]
    table = ui.table(columns=columns, rows=rows, row_key="name")
    table.props('dense flat bordered hide-pagination role=region tabindex=0 aria-label="Columns"')
    table.props(":rows-per-page-options=[0]").classes("columns-table w-full")
    table.add_slot("body-cell-missing", _MISSING)


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
        _naming([c["name"] for c in columns if c["role"] == "identifier"]),
        _unique([c for c in columns if c["unique"] >= _MOSTLY_ALONE and c["role"] != "identifier"]),
        _unique_together([s for s in description["smallest"] if len(s["columns"]) > 1]),
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
            tag("p", "Nothing in this table calls for attention.", "m-0")
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
        tag("summary", f"Show {quantity(len(lines), 'case')}")
        with ui.element("ul").classes("notice-details"):
            for line in lines[:100]:
                tag("li", line)


def _naming(columns: list[str]) -> Notice | None:
    if not columns:
        return None
    verb, are = ("names", "It is") if len(columns) == 1 else ("name", "They are")
    return Notice(
        "badge",
        f"{join_words(columns, _NAMED)} probably {verb} people",
        f"{are} left out of the release unless you decide otherwise on the next page.",
        _if_many(columns),
    )


def _unique(columns: list[Document]) -> Notice | None:
    if not columns:
        return None
    return Notice(
        "fingerprint",
        f"{join_words([c['name'] for c in columns], _NAMED)}: most values occur only once",
        "An adversary who knows such a value of a person finds the record.",
        tuple(f"{c['name']}: {percent(c['unique'])} of the values occur once" for c in columns),
    )


def _unique_together(sets: list[Document]) -> Notice | None:
    if not sets:
        return None
    first = sets[0]
    return Notice(
        "join_inner",
        f"{join_words(first['columns'])} together identify {percent(first['unique'])} of the "
        "records",
        "No single column identifies a person here, but a few of them together do.",
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
            f"{sentence(flag['remedy'])}"
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
        "it, say so under “Change how it is read”.",
        tuple(f"{name}: missing in {percent(share)} of the records" for name, share in many),
    )


def _constant(columns: list[str]) -> Notice | None:
    if not columns:
        return None
    return Notice(
        "horizontal_rule",
        f"{join_words(columns, _NAMED)}: the same value everywhere",
        "Such a column contains no information.",
        _if_many(columns),
    )


def _if_many(columns: list[str]) -> tuple[str, ...]:
    """Name all columns where a title does not."""
    return tuple(columns) if len(columns) > _NAMED + 1 else ()
