"""Unseen values: what a policy is to hide by name, and nobody has or had.

A value that is written in another way than in the records hides nobody, and all attacks on it find
nothing. It is no error: somebody may have it in a later release.
"""

from __future__ import annotations

from unlinkable.errors import unknown
from unlinkable.tables.data import Table, canonical_values, texts_of
from unlinkable.tables.series.policy import Past, Policy

__all__ = ["unseen_values"]


def unseen_values(policy: Policy, table: Table, past: Past) -> tuple[str, ...]:
    """Say which named values neither the table nor an earlier release has, and what may be meant.

    Parameters
    ----------
    policy
        How to publish again.
    table
        The records of the next release.
    past
        What was published before.
    """
    told = []
    frames = [table.frame, *(edition.target.frame for edition in past.editions)]
    for column, value in policy.named_values(table.schema):
        there: dict[str, None] = {}
        for frame in frames:
            if column in frame.columns:
                texts = texts_of(canonical_values(frame.select(column), [column]), column)
                there.update(dict.fromkeys(texts.unique(maintain_order=True).drop_nulls()))
        if value not in there:
            told.append(f"{unknown('value', value, there)} of {column!r}")
    return tuple(told)
