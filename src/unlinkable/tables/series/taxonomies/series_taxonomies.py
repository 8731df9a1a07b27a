"""Series taxonomies: the next release is published with the taxonomies of earlier ones.

A taxonomy that is made from the records would be another one for every release, and what two
releases show could not be compared: whoever came between two people of a published group would
stand in the middle of the set that it shows. So a series keeps the taxonomies that it began with,
and only adds values to them (`extended`, `with_masked_values`).

What a published text means never changes:

- A set, like ``{cook, nurse}``, lists its values. A value that comes later is in no set that is out
  already, and whoever was shown as one of a set has one of the values that it lists. New values
  stand where no published set is parted. A node that gets one is written with it from then on, and
  so is another text.
- An interval, like ``[21-24)``, holds all numbers between its ends, whether or not anybody had them
  when it was published. A new number between them was always in it, and whoever knows a number of a
  newcomer knows that too.
- ``*`` is everything, and a masked text everything that begins so: new values are in it.

So nobody who was published earlier is narrowed down, or taken for somebody else, by what is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import evolve

from unlinkable.tables.attacks.series import Edition
from unlinkable.tables.data import Schema, Table, distinct_texts
from unlinkable.tables.series.taxonomies.extension import extended
from unlinkable.tables.series.taxonomies.masked_extension import with_masked_values
from unlinkable.tables.taxonomies import Domain, Kind, Taxonomy, read_set
from unlinkable.tables.taxonomies.builders import Auto, Flat, Mask, ReadyMade

__all__ = ["keep_taxonomies"]


def keep_taxonomies(table: Table, editions: Sequence[Edition]) -> Table:
    """Give records the taxonomies of earlier releases, with their new values in them.

    Rules that do not look at the records (intervals, dates, trees, files) say themselves what new
    values are, and stay as they are.

    Parameters
    ----------
    table
        The records to be published.
    editions
        The earlier releases. The last one that has a column says how it was generalized.

    Examples
    --------
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> from unlinkable.tables.data import as_table
    >>> first = as_table({"job": ["cook", "nurse", "cook"]}, quasi="job")
    >>> out = Target(first.frame, ("job",), (), {"job": first.taxonomy("job")})
    >>> then = as_table({"job": ["cook", "lawyer", "nurse"]}, quasi="job")
    >>> then.taxonomy("job").domain.values.tolist()
    ['cook', 'lawyer', 'nurse']
    >>> kept = keep_taxonomies(then, [Edition(out)])
    >>> kept.taxonomy("job").domain.values.tolist()
    ['cook', 'nurse', 'lawyer']
    """
    kept = {name: _kept(table, name, editions) for name in table.schema.quasi}
    if all(given is None for given in kept.values()):
        return table
    columns = (
        plan if (given := kept.get(plan.name)) is None else evolve(plan, taxonomy=given)
        for plan in table.schema.columns
    )
    return Table(table.frame, Schema(columns), table.origin, table.source)


def _kept(table: Table, name: str, editions: Sequence[Edition]) -> ReadyMade | None:
    """Give the taxonomy to go on with; None if the rule of the column says what it is.

    The values that earlier releases had are there whatever the records have now.
    """
    builder = table.builder(name)
    last = [e.target.taxonomies[name] for e in editions if name in e.target.taxonomies][-1:]
    if not last or not isinstance(builder, Auto | Flat | Mask):
        return None
    old, observed = last[0], table.observed(name)
    if not old.domain.n_present or not _is_of_a_kind(old.domain, observed.domain):
        return None
    if isinstance(builder, Mask):
        is_text = old.domain.kind is Kind.CATEGORY
        sets = _published_sets(editions, name) if is_text else ()
        return _given(with_masked_values(old, builder, observed, sets), old) if is_text else None
    is_named = any(level.labels or level.edges for level in old.levels[1:-1])
    return None if is_named else _given(extended(old, builder, observed), old)


def _given(taxonomy: Taxonomy, old: Taxonomy) -> ReadyMade:
    is_listed = np.zeros(taxonomy.n, bool)
    is_listed[taxonomy.domain.find(old.domain)] = True
    return ReadyMade(taxonomy, is_listed)


def _is_of_a_kind(old: Domain, new: Domain) -> bool:
    """Whether values of both can stand in one domain, without losing anything of either."""
    types = {old.values.dtype, new.values.dtype}
    return old.kind is new.kind and (
        len(types) == 1 or types == {np.dtype(np.int64), np.dtype(np.float64)}
    )


def _published_sets(editions: Iterable[Edition], name: str) -> list[list[str]]:
    """List the sets of values that releases show."""
    shown = {
        text
        for edition in editions
        if name in edition.target.frame.columns
        for text in distinct_texts(edition.target.frame, name)
    }
    return [members for text in shown if text is not None and (members := read_set(text))]
