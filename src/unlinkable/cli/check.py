"""``unlinkable check``: judge a table as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from unlinkable.cli import options as o
from unlinkable.cli.output import print_json, print_models, print_table, progress_bar, say
from unlinkable.errors import ParameterError

if TYPE_CHECKING:
    from unlinkable.tables.publishing.judging import Finding

__all__ = ["check"]


def check(
    data: o.Data,
    *,
    quasi: o.Quasi = None,
    sensitive: o.Sensitive = None,
    privacy: o.Privacy = None,
    owner: o.Owner = None,
    guard: o.Guard = None,
    original: o.Original = None,
    join: o.Join = None,
    taxonomies: o.Taxonomies,
    reading: o.Reading,
    json: o.Json = False,
) -> None:
    """Judge a published table as it stands: which promises hold, and where they fail.

    Every distinct text is a value. Taxonomies matter only for sensitive columns, for promises
    that refer to how close values are.

    Example: unlinkable check data.csv -q age,zip -s disease -p "k-anonymity(k=3)"
    """
    from unlinkable.tables.publishing.anonymizing import read_table
    from unlinkable.tables.publishing.judging import check as judge
    from unlinkable.tables.publishing.releases import finding_document

    if not privacy:
        raise ParameterError('nothing to check: name a promise, like --privacy "k-anonymity(k=3)"')
    roles = {"quasi-identifier": o.names(quasi), "sensitive": o.names(sensitive)}
    meanings = taxonomies.of([*roles["quasi-identifier"], *roles["sensitive"]])
    roles |= {"owner": [owner] if owner else [], "guard": [guard] if guard else []}
    part = reading.data(data, others="insensitive", join=join)
    plan = o.plan_of(part, roles, meanings, privacy)
    with progress_bar("judging", quiet=json) as tell:
        finding = judge(
            read_table(plan),
            plan.models(),
            side=plan.side(),
            original=None if original is None else _read(original),
            progress=tell,
        )
    if json:
        print_json(finding_document(finding))
    else:
        _show(finding)
    raise typer.Exit(0 if finding.holds else 1)


def _read(original: Path) -> object:
    from unlinkable.tables.data.reading import ReadOptions, read_frame

    return read_frame(original, options=ReadOptions(may_be_one_column=True))


def _show(finding: Finding) -> None:
    say(f"{finding.n_records:,} records in {finding.n_groups:,} groups")
    print_models(finding.to_json())
    _print_worst(finding.to_json())


def _print_worst(models: list[dict[str, object]]) -> None:
    rows = []
    for model in models:
        worst = model["worst"]
        if not model["holds"] and isinstance(worst, dict):
            shown = ", ".join(f"{k} {v}" for k, v in worst["group"].items())
            rows.append((model["model"], shown, worst["records"], worst["why"]))
    if rows:
        header = ("promise", "group", "records", "why")
        print_table("Where it fails most", header, rows, right="records")
