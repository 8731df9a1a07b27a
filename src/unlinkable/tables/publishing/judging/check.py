"""Checking a table as it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Unpack

import numpy as np
from attrs import evolve

from unlinkable.errors import DataError, SchemaError, unknown
from unlinkable.tables.data import (
    ColumnPlan,
    ColumnRoles,
    Frame,
    Role,
    Schema,
    Side,
    Table,
    as_side,
    canonical_values,
    number_texts,
    population_table,
    table_of,
    texts_of,
)
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.groups import POPULATION_PREFIX
from unlinkable.tables.models.base import (
    All,
    BindingContext,
    GroupModel,
    bind_all,
    warn_of_unknown_value,
)
from unlinkable.tables.publishing.anonymizing.written import Promises, as_models, require_progress
from unlinkable.tables.publishing.judging.evidence import Evidence, Finding
from unlinkable.tables.taxonomies import Taxonomy, number, read_range
from unlinkable.tables.taxonomies.builders import (
    Flat,
    NodeValues,
    ReadyMade,
    TaxonomyBuilder,
    without_labels,
)

__all__ = ["check"]


def check(
    table: object,
    privacy: Promises,
    *,
    side: Mapping[str, object] | Side | None = None,
    original: object | None = None,
    progress: Callable[[float, str], None] | None = None,
    **roles: Unpack[ColumnRoles],
) -> Finding:
    """Judge promises on a table as it stands, every distinct text a value of its own.

    It does not matter who made the table, or how: a generalized value such as ``[30-35)`` is a
    text that records share or do not share. A sensitive column may show labels of its taxonomy
    beside values, and ``*``.

    Parameters
    ----------
    table
        The published records: a table with roles, or a frame of any kind or a file, whose columns
        get roles by the arguments of `as_table`.
    privacy
        What to judge, or its written form.
    side
        The tables that promises refer to, by name: populations, prior beliefs, and so on. What is
        not given is read from the file of that name.
    original
        The records as they were, row by row, in any kind of frame: for promises about what was
        there before it was generalized, or about columns that are not published.
    progress
        Whom to tell which promise is being judged.
    roles
        The roles of the columns of a frame, and their taxonomies.

    Examples
    --------
    >>> import unlinkable as ul
    >>> published = ul.as_table({"age": ["[30-40)"] * 3, "ill": ["flu", "flu", "hiv"]},
    ...     quasi="age", sensitive="ill")
    >>> finding = check(published, [ul.KAnonymity(3), ul.DistinctLDiversity(3)])
    >>> finding.holds, [v.achieved for v in finding.verdicts]
    (False, [{'k': 3}, {'l': 2}])
    """
    require_progress(progress)
    return _judged(table_of(table, roles), as_models(privacy), as_side(side), original, progress)


def _judged(
    table: Table,
    asked: Sequence[GroupModel],
    beside: Side,
    original: object | None,
    progress: Callable[[float, str], None] | None,
) -> Finding:
    context = evolve(BindingContext.of(table.schema, beside), taxonomy=partial(_taxonomy, table))
    models = bind_all(asked, context, warn_of_unknown_value)
    counted = {name for names in All(models).needs() for name in names}
    crowds = {
        name.removeprefix(POPULATION_PREFIX): population_table(
            beside.open(name.removeprefix(POPULATION_PREFIX)), table
        )
        for name in counted
        if name.startswith(POPULATION_PREFIX)
    }
    before = table.frame if original is None else _row_by_row(table, original)
    unseen = sorted(name for name in counted if _is_unseen(name, table, before))
    quasi = table.schema.quasi
    if not quasi and all(model.unsearchable for model in models):
        # Promises about noise are not about groups: any column will do to form some.
        quasi = tuple(table.frame.columns[:1])
    return Evidence(
        # A value is told in one way only: missing, whether there is nothing or no number.
        frame=canonical_values(table.frame, table.frame.columns),
        quasi=quasi,
        taxonomies={
            n: _builder(table, n, before) for n in counted if not n.startswith(POPULATION_PREFIX)
        },
        owner=table.schema.owner,
        hidden=before.select(unseen) if unseen else None,
        crowds=crowds,
    ).judge(models, progress)


def _is_unseen(name: str, table: Table, before: Frame) -> bool:
    """Whether what is to be counted is not what the table shows."""
    if name.startswith(POPULATION_PREFIX):
        return False
    if name not in before.columns and name not in table.frame.columns:
        raise SchemaError(f"{unknown('column', name, table.frame.columns)} to count")
    return name in before.columns and (
        name in table.schema.quasi or name not in table.frame.columns
    )


def _row_by_row(table: Table, original: object) -> Frame:
    """Take what records were; they must be the same records, in the same order."""
    frame, _ = to_frame(original)
    if frame.height != len(table):
        raise DataError(
            f"the original has {frame.height} records and the table has {len(table)}: they must be "
            "the same records, in the same order"
        )
    for name in table.schema.names:
        if name in frame.columns and (n := _n_others(table, frame, name)):
            raise DataError(
                f"column {name!r} of the original does not fit the table in {n} of {frame.height} "
                "rows: they must be the same records, in the same order"
            )
    return frame


def _n_others(table: Table, original: Frame, name: str) -> int:
    """Count the rows in which a column shows what cannot have come from the original."""
    is_quasi = name in table.schema.quasi
    was, shown = texts_of(original, name), texts_of(table.frame, name)
    if not is_quasi and not was.ne_missing(shown).any():
        return 0
    before = Table(
        original.select(name), Schema([ColumnPlan(name, Role.QUASI, _rule(table, name))])
    )
    taxonomy, numbered = before.taxonomy(name), before.numbered(name)
    codes = numbered.codes_in(taxonomy)[numbered.numbers]
    told = number_texts(table.frame, name)
    domain = told.observed.domain
    texts = [*domain.values.tolist(), *([None] if domain.has_missing else [])]
    # A label of a taxonomy that was not given may stand for anything, but not where most values
    # are as they were.
    anything = (0, taxonomy.n) if is_quasi else (0, 0)
    ranges = [_range(taxonomy, text, anything) for text in texts]
    lo, hi = np.array(ranges, np.int32).reshape(-1, 2)[told.codes[told.numbers]].T
    return int(((codes < lo) | (codes >= hi)).sum())


def _range(taxonomy: Taxonomy, text: str | None, otherwise: tuple[int, int]) -> tuple[int, int]:
    try:
        return read_range(taxonomy, text)
    except DataError:
        return otherwise


def _taxonomy(table: Table, name: str) -> Taxonomy | None:
    """Give the values of a column that promises may list, beside labels that it may show."""
    if name not in table.schema.names:
        return None
    observed, rule = table.numbered(name).observed, _rule(table, name)
    if name in table.schema.quasi:
        return Flat().build(observed)
    return rule.build(without_labels(observed, rule))


def _builder(table: Table, name: str, before: Frame) -> TaxonomyBuilder:
    """Give the taxonomy to count a column with, of the values that there were as far as known.

    What is hidden may show labels of its taxonomy among its values.
    """
    rule = _rule(table, name)
    if name not in table.schema.names or name in table.schema.quasi:
        return rule
    if name == table.schema.guard:
        # What is guarded may be called as the root is.
        return ReadyMade(table.taxonomy(name))
    observed = table.observed(name)
    if before is not table.frame and name in before.columns:
        kind = observed.domain.kind
        was = number(before.get_column(name)).observed
        observed = was if was.domain.kind is kind else number(texts_of(before, name)).observed
    return NodeValues(rule.build(without_labels(observed, rule)))


def _rule(table: Table, name: str) -> TaxonomyBuilder:
    if name not in table.schema.names:
        return Flat()
    if name in table.schema.quasi:
        return table.schema[name].taxonomy or Flat()
    return table.builder(name)
