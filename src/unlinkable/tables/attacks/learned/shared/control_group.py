"""Strangers: people who are not in the data, and how to see that a table holds no such people.

What a release gives away is measured against people of the same population whom it knows nothing
of. A table of them that is written in another way, or that holds the very people of the original,
makes everything look harmless or dangerous without a reason: both are refused.

References
----------
.. [1] I. J. Good. "The population frequencies of species and the estimation of population
   parameters." Biometrika 40(3-4), 1953. How likely the next one is one that was not seen yet.
"""

from __future__ import annotations

import numpy as np

from unlinkable.errors import DataError
from unlinkable.tables.attacks.base.target import Truth
from unlinkable.tables.attacks.learned.shared.column_axes import is_understood, read_axes
from unlinkable.tables.attacks.shared.rates import newcombe
from unlinkable.tables.data import Frame
from unlinkable.tables.groups import number_rows
from unlinkable.tables.taxonomies import ANY, Domain, Kind, Taxonomy, number
from unlinkable.typing import BoolArray, Columns, CountArray

__all__ = ["doubt_on", "refuse_unfit"]

_FEW = 1 / 10
"""Fewer values than this share of those that are expected are nearly none."""
_UNLIKELY = 1e-4
"""What is less likely than this is not put down to chance."""
_MOSTLY = 1 / 2
"""From this share on, most control people are records of the original."""


def refuse_unfit(name: str, control: Frame, truth: Truth, columns: Columns) -> float:
    """Refuse a control table that cannot hold other people of the same population.

    Every column must hold values of the same kind as the original: numbers or dates that can be
    read and of which more than a tenth lie between its least and its greatest, or texts of which
    some are its own, as far as its texts recur at all. Of two random samples, a person of one has a
    twin in the other as often as within it [1]_: if at least half of the control people have one,
    and clearly more than that, they are the people of the original. If fewer have one, it is said
    how many more than by chance, at least: a few of the original may be among them.

    Parameters
    ----------
    name
        What the control table is called.
    control, truth
        The control people, and the original.
    columns
        What people are compared by: columns of both.

    Cost
    ----
    O(n log n) for n records, and as much for all columns that both tables have.

    Raises
    ------
    DataError
        If a column is written in another way, or the control people are those of the original. No
        value is told.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.data import as_table
    >>> truth = Truth(as_table({"pay": list(range(1000))}, quasi="pay"))
    >>> refuse_unfit("control", pl.DataFrame({"pay": ["900 EUR"] * 9}), truth, ("pay",))
    Traceback (most recent call last):
        ...
    unlinkable.errors.DataError: column 'pay' of 'control' is not written as in the original: ...
    """
    for column in columns:
        if not _is_alike(control, truth, column):
            raise DataError(
                f"column {column!r} of {name!r} is not written as in the original: hardly any of "
                "its values are of the same kind or occur there; write it in the same way, or "
                "leave the column out"
            )
    known = truth.table.schema.names
    shared = tuple(c for c in known if c in control.columns and c in truth.table.frame.columns)
    beyond = 0.0
    for compared in dict.fromkeys((columns, shared)):
        twins, low = _twins(control, truth, compared)
        beyond = max(beyond, low)
        if twins >= _MOSTLY and low > 0:
            raise DataError(
                f"{name!r} holds people who are in the original: on {len(compared)} shared columns "
                "most of them are the same as a record of it; the control must be people who are "
                "not in the data, such as records that were put aside before"
            )
    return beyond


def doubt_on(name: str, share: float) -> str:
    """Say in a sentence that a share of the control people are in the data themselves."""
    if share <= 0:
        return ""
    return (
        f" At least {share:.1%} of {name!r} seem to be people who are in the data: leave them out, "
        "the release gives away more than is seen with them."
    )


def _is_alike(control: Frame, truth: Truth, column: str) -> bool:
    taxonomy = _taxonomy(truth, column)
    ours = number(truth.table.frame.get_column(column)).observed
    theirs = number(control.get_column(column)).observed
    if not (ours.domain.n_present and theirs.domain.n_present):
        return True
    kind = ours.domain.kind if taxonomy is None else taxonomy.domain.kind
    counts = theirs.counts[: theirs.domain.n_present]
    if kind is Kind.CATEGORY:
        own = ours.counts[: ours.domain.n_present]
        return _do_recur(own, counts, _occurs(theirs.domain, ours.domain, taxonomy), theirs.domain)
    if theirs.domain.kind is not kind:
        texts = map(theirs.domain.text_of, theirs.domain.values)
        are_read = np.array([is_understood(text, kind, taxonomy) for text in texts], bool)
        if counts[~are_read].sum() > _FEW * counts.sum():
            return False
    return _lies_between(ours.domain, theirs.domain, counts)


def _occurs(theirs: Domain, ours: Domain, taxonomy: Taxonomy | None) -> BoolArray:
    """Mark the texts that the original has, or that stand for several of its values."""
    known = {ANY, *map(ours.text_of, ours.values)}
    if taxonomy is not None:
        known |= {taxonomy.root, *taxonomy.named, *taxonomy.domain.values.tolist()}
    return np.array([theirs.text_of(value) in known for value in theirs.values], bool)


def _do_recur(own: CountArray, counts: CountArray, occurs: BoolArray, theirs: Domain) -> bool:
    """Say whether values are met as often as those of the original meet each other."""
    n_people, n_met = int(counts.sum()), int(counts[occurs].sum())
    if theirs.kind is not Kind.CATEGORY and not n_met:
        return False
    new = (int((own == 1).sum()) + 1) / (int(own.sum()) + 1)
    expected = (1 - new) * n_people
    return n_met >= _FEW * expected or new**n_people > _UNLIKELY


def _lies_between(ours: Domain, theirs: Domain, counts: CountArray) -> bool:
    """Say whether enough numbers lie between the least and the greatest of the original."""
    if ours.kind is not theirs.kind or ours.kind is Kind.CATEGORY:
        return True
    mine, others = ours.as_numbers()[: ours.n_present], theirs.as_numbers()[: theirs.n_present]
    # A person lies beyond n others with a chance of 2 / (n + 1).
    outside = min(2 / (ours.n_present + 1), 1.0)
    n_people = int(counts.sum())
    n_inside = int(counts[(others >= mine[0]) & (others <= mine[-1])].sum())
    expected = (1 - outside) * n_people
    return n_inside >= _FEW * expected or outside**n_people > _UNLIKELY


def _twins(control: Frame, truth: Truth, columns: Columns) -> tuple[float, float]:
    """Give the share of control people with a twin in the original, and how far above chance."""
    if not columns or not control.height:
        return 0.0, 0.0
    frame = truth.table.frame
    known = {c: t for c in columns if (t := _taxonomy(truth, c)) is not None}
    axes = read_axes(columns, [frame, control], known)
    codes = [np.concatenate(end) for axis in axes for end in (axis.lo, axis.hi)]
    labels, first = number_rows(np.column_stack(codes))
    mine, theirs = labels[: frame.height], labels[frame.height :]
    sizes = np.bincount(mine, minlength=first.size)
    twins, own = float((sizes[theirs] > 0).mean()), float((sizes[mine] > 1).mean())
    # Twins come in pairs: so many records say as much as half as many that are independent.
    low, _ = newcombe(twins, theirs.size, own, mine.size // 2, 1 - _UNLIKELY / 10)
    return twins, max(low, 0.0)


def _taxonomy(truth: Truth, column: str) -> Taxonomy | None:
    return truth.table.taxonomy(column) if column in truth.table.schema.names else None
