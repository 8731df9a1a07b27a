"""What a plan names, and a plan with some of its decisions changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from unlinkable.spelling import read_call
from unlinkable.tables.data import Frame, Role, Table, join_relations
from unlinkable.tables.data.reading import read_frame
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.taxonomies import Numbered

__all__ = ["as_planned", "changed", "read_records", "read_table"]


def read_table(plan: Plan) -> Table:
    """Read the records that a plan names, and give their columns the roles it says."""
    return as_planned(plan, read_records(plan))


def read_records(plan: Plan) -> Frame:
    """Read the records that a plan names, with those of further files beside them."""
    frame = read_frame(plan.source, options=plan.reading())
    owner = next((n for n, c in plan.form.columns.items() if c.role is Role.OWNER), None)
    return join_relations(frame, [plan.path(file) for file in plan.form.data.join], owner)


def as_planned(plan: Plan, frame: Frame, numbered: dict[str, Numbered] | None = None) -> Table:
    """Give the columns of records the roles that a plan says.

    ``numbered`` has columns of the same records that were numbered before, and takes up others:
    numbering does not depend on roles.
    """
    schema = plan.schema(frame.columns)
    schema.require(frame.columns)
    kept = frame.select(plan.keep(frame.columns))
    known = {} if numbered is None else numbered
    return Table(kept, schema, source=str(plan.source), numbered=known)


def changed(
    plan: Plan,
    *,
    source: str | None = None,
    method: str | None = None,
    metric: str | None = None,
    suppression: float | None = None,
    out: str | None = None,
    seed: int | None = None,
    file_format: str | None = None,
    sign: str | None = None,
    policy: str | None = None,
    person: str | None = None,
) -> Plan:
    """Give a plan with some of its decisions changed; paths start from the folder of the plan."""
    document = plan.to_dict()
    if source is not None:
        _part(document, "data")["source"] = source
    if method is not None:
        name, arguments = read_call(method)
        before = _part(document, "method").get("suppression", 0)
        document["method"] = {"name": name, **arguments, "suppression": before}
    if suppression is not None:
        _part(document, "method")["suppression"] = suppression
    if metric is not None:
        name, arguments = read_call(metric)
        metrics = _part(document, "utility").get("metrics", [])
        document["utility"] = {"metric": name, **arguments, "metrics": metrics}
    if policy is not None:
        document["series"] = {"policy": policy, "person": plan.form.series.person}
    if person is not None:
        _part(document, "series")["person"] = person
    given = {"out": out, "seed": seed, "format": file_format, "sign": sign}
    _part(document, "release").update({k: v for k, v in given.items() if v is not None})
    return Plan.from_dict(document, plan.folder, plan.file)


def _part(document: dict[str, object], name: str) -> dict[str, object]:
    part = document.setdefault(name, {})
    if isinstance(part, Mapping) and not isinstance(part, dict):
        part = document[name] = dict(part)
    return cast("dict[str, object]", part)
