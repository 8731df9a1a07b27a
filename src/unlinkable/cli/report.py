"""``unlinkable report``: a bundle explained on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, progress_bar, say, seen_from_here
from unlinkable.cli.output_files import require_place
from unlinkable.errors import ParameterError

__all__ = ["report"]


def report(
    bundle: o.BundleOrHalf,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write: .html, .md or .json.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="html, markdown or json, if --out does not tell.")
    ] = None,
    holder: Annotated[
        bool,
        typer.Option(
            "--holder/--public", help="With figures about the original, or for recipients."
        ),
    ] = False,
    original: Annotated[
        Path | None, typer.Option("--original", help="The original table, if it has moved.")
    ] = None,
    attacks: Annotated[
        bool, typer.Option("--attacks", help="Run all attacks; with --holder.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain what would reduce the loss; with --holder.")
    ] = False,
    published_by: Annotated[
        str | None, typer.Option("--by", help="Publisher of the release.")
    ] = None,
    recipient: Annotated[
        str | None, typer.Option("--recipient", help="Recipient of the release.")
    ] = None,
    purpose: Annotated[
        str | None, typer.Option("--purpose", help="Purpose of the release.")
    ] = None,
    overwrite: o.Overwrite = False,
    json: o.Json = False,
) -> None:
    """Explain a release on one page, for recipients or for its holder.

    The page opens anywhere, also offline, and can be printed. Every bundle has one for recipients
    in its public half, and one for the holder in its private half.

    Example: unlinkable report release --out report.html

    Example: unlinkable report release --holder --attacks --out for-us.html
    """
    from unlinkable.release.plan import Statement
    from unlinkable.report import form_of
    from unlinkable.tables.publishing.bundles import open_bundle
    from unlinkable.tables.publishing.reported import report_of_bundle

    if out is None and not json:
        raise ParameterError("say where the report goes: --out FILE, or --json to print it")
    if out is not None:
        require_place(out, [bundle, original], overwrite=overwrite)
        form = form or form_of(out)
    stated = Statement(holder=published_by, recipient=recipient, purpose=purpose)
    with progress_bar("reading the release", quiet=json) as tell:
        made = report_of_bundle(
            open_bundle(bundle),
            holder=holder,
            original=original,
            statement=stated,
            attacks=attacks,
            explain=explain,
            progress=tell,
        )
    if out is not None:
        made.save(out, form=form, overwrite=overwrite, private=holder)
        if not json:
            say(f"Report: {seen_from_here(out)}")
            if holder:
                say("It is for you alone: it shows figures about the original records.")
    if json:
        print_json(made.to_json())
