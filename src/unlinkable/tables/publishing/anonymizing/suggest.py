"""A starting plan, from a look at a table."""

from __future__ import annotations

from collections.abc import Mapping

from unlinkable.tables.data import Role
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.risk import Description

__all__ = ["suggested_plan"]

_MOST_QUASI, _MOST_RECORDS = 10, 1_000_000
"""With more quasi-identifiers or records, few nodes of the lattice are checked within seconds."""

_SECONDS = 20
"""So long the search of a starting plan may take."""


def suggested_plan(about: Description, data: Mapping[str, object]) -> Plan:
    """Write down the suggested roles and taxonomies, and a promise to begin with.

    It promises that five people look alike and, if there are sensitive columns, that the people
    who do have at least two different values on each. Its method ends in seconds: `optimal` has a
    time, and where the lattice or the table is too large for it, `mondrian` cuts the table. Its
    paths start from the current folder.
    """
    columns: dict[str, object] = {}
    for profile in about.columns:
        column: dict[str, object] = {"role": profile.role.value}
        if profile.taxonomy is not None:
            column["taxonomy"] = profile.taxonomy
        columns[profile.name] = column
    sensitive = [p.name for p in about.columns if p.role is Role.SENSITIVE]
    diversity = [{"model": "distinct-l-diversity", "l": 2, "sensitive": s} for s in sensitive]
    return Plan.from_dict(
        {
            "data": {k: v for k, v in data.items() if k != "others"},
            "columns": columns,
            "privacy": [{"model": "k-anonymity", "k": 5}, *diversity],
            "method": _method(about),
            "utility": {"metric": "iloss"},
            "release": {"out": "release"},
        }
    )


def _method(about: Description) -> dict[str, object]:
    """Choose a method that ends in seconds, by the size of the lattice and of the table."""
    n_quasi = sum(p.role is Role.QUASI for p in about.columns)
    if n_quasi > _MOST_QUASI or about.n_records > _MOST_RECORDS:
        return {"name": "mondrian"}
    return {"name": "optimal", "time": _SECONDS, "suppression": 0.05}
