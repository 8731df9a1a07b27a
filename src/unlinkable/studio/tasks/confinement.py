"""Confinement: a plan from the browser names nothing outside of its project.

What may be read besides was named on the command line, by the user of this machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from unlinkable.registry import make_from
from unlinkable.studio.errors import StudioError
from unlinkable.tables.publishing.plans import Plan

__all__ = ["named_files", "require_confined"]


def named_files(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield all files and addresses that a plan names, each with the place where it does."""
    form = plan.form
    yield "[data] source", form.data.source
    yield from (("[data] join", file) for file in form.data.join)
    for name, column in form.columns.items():
        if column.taxonomy is not None and isinstance(file := column.taxonomy.get("csv"), str):
            yield f"[columns.{name}] taxonomy", file
    for call in form.privacy:
        made = make_from("model", call.name, call.arguments)
        for source in made.sources:
            yield f"[[privacy]] {call.name}", source
        yield from _texts(f"[[privacy]] {call.name}", call.arguments, plan.folder)
    for call in filter(None, (form.method.call, form.utility.call, form.series.call)):
        yield from _texts(call.name, call.arguments, plan.folder)
    given = {
        "[pseudonyms] key": form.pseudonyms.key,
        "[release] sign": form.release.sign,
        "[release] out": form.release.out,
    }
    yield from ((place, file) for place, file in given.items() if file is not None)


def _texts(place: str, value: object, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield texts that name a file, wherever they stand among parameters."""
    match value:
        case str() if _looks_like_file(value, folder):
            yield place, value
        case Mapping():
            for item in value.values():
                yield from _texts(place, item, folder)
        case list() | tuple():
            for item in value:
                yield from _texts(place, item, folder)


def _looks_like_file(text: str, folder: Path) -> bool:
    if "://" in text or text.startswith(("/", "\\", "~")) or ".." in Path(text).parts:
        return True
    try:
        return (folder / text).exists()
    except (OSError, ValueError):
        return False


def require_confined(plan: Plan, folder: Path, granted: Sequence[str] = ()) -> None:
    """Refuse a plan that names what is outside of its project and was not granted.

    Raises
    ------
    StudioError
        If it does.
    """
    home = folder.resolve()
    for place, name in named_files(plan):
        if name in granted:
            continue
        if "://" in name:
            raise StudioError(
                f"{place}: the studio opens no databases by itself; open the plan with "
                "`unlinkable studio PLAN` to allow it"
            )
        whole = Path(os.path.normpath(home / name)).resolve()
        if not whole.is_relative_to(home) and str(whole) not in granted:
            raise StudioError(
                f"{place}: {name!r} is outside of the project, and the studio reads nothing there; "
                "upload the file, or open the plan with `unlinkable studio PLAN`"
            )
