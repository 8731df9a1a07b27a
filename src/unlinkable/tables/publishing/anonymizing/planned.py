"""The records that a plan names, with the roles that it says."""

from __future__ import annotations

from unlinkable.tables.data import Frame, Role, Table, join_relations
from unlinkable.tables.data.reading import read_frame
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.taxonomies import Numbered

__all__ = ["as_planned", "read_records", "read_table"]


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
