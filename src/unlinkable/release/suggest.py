"""A starting plan, from a look at a table."""

from __future__ import annotations

from collections.abc import Mapping

from unlinkable.release.plan import Plan
from unlinkable.risk import Description
from unlinkable.table import Role

__all__ = ["suggested_plan"]


def suggested_plan(about: Description, data: Mapping[str, object]) -> Plan:
    """Write down the suggested roles and taxonomies, and a promise to begin with.

    It promises that five people look alike and, if there are sensitive columns, that the people
    who do have at least two different values on each. Its paths start from the current folder.
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
            "method": {"name": "optimal", "suppression": 0.05},
            "utility": {"metric": "iloss"},
            "release": {"out": "release"},
        }
    )
