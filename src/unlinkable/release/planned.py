"""What a plan names, and a plan with some of its decisions changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from unlinkable.release.plan import Plan
from unlinkable.spelling import read_call
from unlinkable.table import Role, Table
from unlinkable.table.reading import read_frame
from unlinkable.table.table import join_relations

__all__ = ["changed", "read_table"]


def read_table(plan: Plan) -> Table:
    """Read the records that a plan names, and give their columns the roles it says."""
    frame = read_frame(plan.source, options=plan.reading())
    owner = next((n for n, c in plan.form.columns.items() if c.role is Role.OWNER), None)
    frame = join_relations(frame, [plan.path(file) for file in plan.form.data.join], owner)
    schema = plan.schema(frame.columns)
    schema.require(frame.columns)
    return Table(frame.select(plan.keep(frame.columns)), schema, source=str(plan.source))


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
    given = {"out": out, "seed": seed, "format": file_format, "sign": sign}
    _part(document, "release").update({k: v for k, v in given.items() if v is not None})
    return Plan.from_dict(document, plan.folder, plan.file)


def _part(document: dict[str, object], name: str) -> dict[str, object]:
    part = document.setdefault(name, {})
    if isinstance(part, Mapping) and not isinstance(part, dict):
        part = document[name] = dict(part)
    return cast("dict[str, object]", part)
