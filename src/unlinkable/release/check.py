"""Checking a table as it stands."""

from __future__ import annotations

from collections.abc import Iterable

from unlinkable.privacy.base import All, GroupModel
from unlinkable.release.evidence import Evidence, Finding
from unlinkable.table import Table
from unlinkable.table.builders.given import Given

__all__ = ["check"]


def check(table: Table, privacy: GroupModel | Iterable[GroupModel]) -> Finding:
    """Judge promises on a table as it stands, every distinct text a value of its own.

    It does not matter who made the table, or how: a generalized value such as ``[30-35)`` is a
    text that records share or do not share.

    Examples
    --------
    >>> import unlinkable as ul
    >>> published = ul.as_table({"age": ["[30-40)"] * 3, "ill": ["flu", "flu", "hiv"]},
    ...     quasi="age", sensitive="ill")
    >>> finding = check(published, [ul.KAnonymity(3), ul.DistinctLDiversity(3)])
    >>> finding.holds, [v.achieved for v in finding.verdicts]
    (False, [{'k': 3}, {'l': 2}])
    """
    asked = [privacy] if isinstance(privacy, GroupModel) else list(privacy)
    models = tuple(bound for model in asked for bound in model.bind(table.schema.sensitive))
    hidden = {name for names in All(models).needs() for name in names}
    given = {name: Given(table.taxonomy(name)) for name in hidden if name in table.schema.names}
    schema = table.schema
    return Evidence(table.frame, schema.quasi, given, schema.owner).judge(models)
