"""``unlinkable demo``: anonymize a generated table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.anonymize import show_release
from unlinkable.cli.output import console, print_json, progress_bar, say, seen_from_here
from unlinkable.errors import BundleError

if TYPE_CHECKING:
    from unlinkable.tables.publishing.plans import Plan

__all__ = ["demo"]


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for all files.")] = Path("demo"),
    patients: Annotated[
        int, typer.Option("--patients", help="Number of patients.", min=1)
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    json: o.Json = False,
) -> None:
    """Generate a hospital, publish its patients, and verify the bundle.

    Writes patients.csv, plan.toml and the bundle to a folder of their own; they are made anew
    each time.
    """
    from unlinkable.examples import hospital, hospital_plan
    from unlinkable.tables.data import write_frame
    from unlinkable.tables.publishing.anonymizing import changed, prepare, run, save
    from unlinkable.tables.publishing.judging import verify
    from unlinkable.tables.publishing.plans import Plan
    from unlinkable.tables.publishing.releases import release_document

    plan = changed(Plan.from_dict(hospital_plan("patients.csv"), out), out="release", seed=seed)
    _require_own_files(plan)
    prepare(plan, overwrite=True)
    out.mkdir(parents=True, exist_ok=True)
    plan.save(out / "plan.toml", overwrite=True)
    write_frame(hospital(patients, seed), out / "patients.csv")
    with progress_bar("searching", quiet=json) as tell:
        release = run(plan, progress=tell)
    folder = seen_from_here(save(release, plan, overwrite=True))
    result = verify(folder)
    if json:
        print_json(release_document(release, folder))
    else:
        console().rule(f"{patients:,} invented patients")
        show_release(release, folder)
        verdict = "whole, and every promise holds" if result.holds else "NOT AS IT SHOULD BE"
        say(f"Verified from its files alone: {verdict}.")
        say("Columns that are neither quasi-identifiers nor sensitive were published as they are.")
        say(f"Now try: unlinkable explain {folder} · unlinkable attack --all {folder}")
    raise typer.Exit(0 if release.holds and result.holds else 1)


def _require_own_files(plan: Plan) -> None:
    """Refuse to write over files that no earlier demo has made."""
    from unlinkable.tables.publishing.anonymizing import changed
    from unlinkable.tables.publishing.plans import Plan

    file = plan.path("plan.toml")
    is_own = file.is_file() and changed(Plan.load(file), seed=0) == changed(plan, seed=0)
    for taken in (file, plan.path("patients.csv")):
        if taken.exists() and not is_own:
            raise BundleError(f"{taken} is there, and is not of a demo: choose another --out")
