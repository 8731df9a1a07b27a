"""Session: what a worker keeps in memory, so that the second question is answered at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from unlinkable.studio.tasks.confinement import require_confined
from unlinkable.tables.data import Frame, Table
from unlinkable.tables.publishing.anonymizing import as_planned, read_records
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.taxonomies import Numbered

__all__ = ["Session"]


class Session:
    """The records of one project as they were read last, and the table that was made of them.

    Attributes
    ----------
    folder
        The project.
    kept
        Whatever tasks want to find again, as long as the table is the same.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: dict[str, Any] = {}
        self._records: tuple[str, Frame] | None = None
        self._numbered: dict[str, Numbered] = {}
        self._table: tuple[str, Table] | None = None

    def plan(self, document: Mapping[str, object], granted: Sequence[str] = ()) -> Plan:
        """Take a plan, if it is one and names nothing that it may not.

        Raises
        ------
        PlanError
            If it is none.
        StudioError
            If it names files outside of the project that were not granted.
        """
        plan = Plan.from_dict(document, self.folder, "plan.toml")
        require_confined(plan, self.folder, granted)
        return plan

    def table(self, plan: Plan) -> Table:
        """Give the table of a plan; records are read again only if they may have changed."""
        stamp = f"{self._stamp(plan)} {_columns(plan)}"
        if self._table is None or self._table[0] != stamp:
            records = self.records(plan)
            self._table = stamp, as_planned(plan, records, self._numbered)
            self.kept = {}
        return self._table[1]

    def tried(self, plan: Plan) -> Table:
        """Give the table of a plan that is only tried, beside the one that is kept."""
        return as_planned(plan, self.records(plan), self._numbered)

    def records(self, plan: Plan) -> Frame:
        """Give the records that a plan names."""
        stamp = self._stamp(plan)
        if self._records is None or self._records[0] != stamp:
            self._records = self._table = None
            self._numbered, self.kept = {}, {}
            self._records = stamp, read_records(plan)
        return self._records[1]

    def _stamp(self, plan: Plan) -> str:
        """Tell apart what was read: from where, how, and the file as it is now."""
        owner = [n for n, c in plan.form.columns.items() if c.role.value == "owner"]
        data = {**plan.form.data.to_plain(), "others": None}
        files = [plan.source, *(plan.path(file) for file in plan.form.data.join)]
        when = [_age(file) for file in files if isinstance(file, Path)]
        return json.dumps([data, when, owner if plan.form.data.join else []], default=str)


def _columns(plan: Plan) -> str:
    """Tell apart what is said of columns, and the hierarchy files that it names."""
    rules = [column.taxonomy or {} for column in plan.form.columns.values()]
    files = [plan.path(str(rule["csv"])) for rule in rules if "csv" in rule]
    told = plan.to_dict()
    return json.dumps([told.get("data"), told.get("columns"), [_age(file) for file in files]])


def _age(file: Path) -> tuple[int, int] | None:
    """Tell one state of a file from another."""
    if not file.is_file():
        return None
    stat = file.stat()
    return stat.st_mtime_ns, stat.st_size
