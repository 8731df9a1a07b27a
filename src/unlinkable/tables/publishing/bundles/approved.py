"""Approved: figures about the original records that a holder lets recipients see.

Only records that are published count. Values or ranges of values with fewer than `FEWEST` of them
are never told by themselves. Nothing is told under a promise about noise: it was counted without
any, and would have to be paid for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError, UnsupportedError, unknown
from unlinkable.release.plan import DISTRIBUTION, Statement, approval
from unlinkable.tables.data import Table, published_records
from unlinkable.tables.engines import count
from unlinkable.tables.metrics.base import Generalized, Perturbed, Shown
from unlinkable.tables.publishing.bundles.about import About, Distribution, LossByColumn, RiskBefore
from unlinkable.tables.publishing.releases.drawing import loss_by_attribute
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.risk import AdversaryView, ReIdentification, ReIdentified
from unlinkable.typing import CountArray, FloatArray

__all__ = ["FEWEST", "about", "merge_rare", "risk_before"]

FEWEST = 10
"""What fewer records have is told together with something else."""

_DIGITS = 3
"""Shares about the original are told with so many digits."""


def about(
    release: Release, shown: Shown | None = None, statement: Statement | None = None
) -> About:
    """Put together what recipients are told beside the manifest.

    Parameters
    ----------
    release
        The release.
    shown
        Its groups, each of them once, if values were generalized.
    statement
        What the holder says, and approves.

    Raises
    ------
    UnsupportedError
        If something is approved that would have to be paid for, or that cannot be told safely.
    ParameterError
        If it is about a column that is not published.
    """
    stated = statement or Statement()
    asked = [approval(text) for text in stated.approve]
    if asked and isinstance(release, MaskedRelease) and release.promises_noise:
        raise UnsupportedError(
            f"{stated.approve[0]!r} cannot be approved: it is counted from the original records "
            "without noise, and the release makes a promise about noise, which would have to pay "
            "for it; approve nothing"
        )
    columns = [column for name, column in asked if name == DISTRIBUTION and column is not None]
    is_asked = any(name != DISTRIBUTION for name, _ in asked)
    return About(
        holder=stated.holder,
        recipient=stated.recipient,
        purpose=stated.purpose,
        loss=None if shown is None else _loss(release, shown),
        unchanged=_unchanged(release),
        risk_before=_risk(release) if is_asked else None,
        distributions=tuple(_distribution(release, column) for column in columns),
    )


def risk_before(release: Release) -> ReIdentified:
    """Tell how likely people are found in the original records."""
    own = release.counted if isinstance(release, GeneralizedRelease) else None
    # Where a promise refers to a population, there are groups without records.
    is_usable = own is not None and bool((own.finest.sizes > 0).all())
    counted = own if own is not None and is_usable else count(release.table)
    return ReIdentification().of(AdversaryView(counted.finest, counted.labels))


def _loss(release: Release, shown: Shown) -> LossByColumn:
    assert isinstance(release, GeneralizedRelease)
    losses, metric = loss_by_attribute(shown, release.metric)
    told = {name: min(max(float(x), 0.0), 1.0) for name, x in losses.items()}
    return LossByColumn(metric=str(metric), columns=told)


def _unchanged(release: Release) -> tuple[str, ...] | None:
    """Name the columns that a method left as they were which replaces values.

    Nothing is told of releases whose records are nobody's, nor under a promise about noise.
    """
    if not isinstance(release, MaskedRelease) or release.method.truthful or release.promises_noise:
        return None
    shares = release.replaced
    return tuple(name for name, share in shares.items() if share == 0) if shares else None


def _risk(release: Release) -> RiskBefore:
    """Tell how likely those people were found before whose records are published."""
    counted = count(published_records(release.table, release.published_rows))
    found = ReIdentification().of(AdversaryView(counted.finest, counted.labels))
    return RiskBefore(
        highest=found.prosecutor.highest,
        average=round(found.prosecutor.average, _DIGITS),
        threshold=float(found.threshold),
        above=round(found.prosecutor.above, _DIGITS),
        unique=round(found.alone, _DIGITS),
    )


def _distribution(release: Release, column: str) -> Distribution:
    from unlinkable.tables.charts import shares_of

    published = release.published_alone()
    if column not in published.columns:
        raise ParameterError(f"{unknown('column', column, published.columns)} that is published")
    if not isinstance(published, Generalized | Perturbed):
        raise UnsupportedError(
            f"the distribution of {column!r} need not be approved: in buckets values are published "
            "as they were"
        )
    _require_plain_records(published.original, column)
    found = shares_of(published, column)
    counts = np.rint(found.before * len(published.original)).astype(np.int64)
    kind = published.original.taxonomy(column).domain.kind
    merged = merge_rare(found.labels, counts, found.after, ordered=kind.value != "category")
    total = max(int(merged.counts.sum()), 1)
    return Distribution(
        column=column,
        labels=merged.labels,
        before=tuple(round(n / total, _DIGITS) for n in merged.counts.tolist()),
        after=tuple(round(share, _DIGITS) for share in merged.after.tolist()),
    )


def _require_plain_records(table: Table, column: str) -> None:
    """Refuse where a number of records is not a number of people."""
    for role, name in (("an owner", table.schema.owner), ("a weight", table.schema.weight)):
        if name is not None:
            raise UnsupportedError(
                f"the distribution of {column!r} cannot be approved: records have {role} "
                f"({name!r}), and few people may have many records"
            )


@define(eq=False, frozen=True)
class _Merged:
    labels: tuple[str, ...]
    counts: CountArray
    after: FloatArray


def merge_rare(
    labels: Sequence[str], counts: CountArray, after: FloatArray, *, ordered: bool
) -> _Merged:
    """Tell nothing by itself that fewer than `FEWEST` records have.

    Neighbours are put together if values have an order; otherwise all that is rare is one value,
    and with it what is next rarest if that is not enough.

    Examples
    --------
    >>> found = merge_rare("abcd", np.array([20, 4, 3, 15]), np.zeros(4), ordered=False)
    >>> found.labels, found.counts.tolist()
    (('a', '(other values)'), [20, 22])
    >>> found = merge_rare("abcd", np.array([20, 4, 3, 15]), np.zeros(4), ordered=True)
    >>> found.labels, found.counts.tolist()
    (('a', 'b … d'), [20, 22])
    """
    parts = _neighbours(counts) if ordered else _rarest(counts)
    names = []
    for part in parts:
        joined = f"{labels[part[0]]} … {labels[part[-1]]}" if ordered else "(other values)"
        names.append(labels[part[0]] if len(part) == 1 else joined)
    return _Merged(
        tuple(names),
        np.array([counts[part].sum() for part in parts], np.int64),
        np.array([after[part].sum() for part in parts], float),
    )


def _neighbours(counts: CountArray) -> list[list[int]]:
    parts: list[list[int]] = []
    open_part: list[int] = []
    for i in range(counts.size):
        open_part.append(i)
        if counts[open_part].sum() >= FEWEST:
            parts.append(open_part)
            open_part = []
    if open_part:
        parts = [*parts[:-1], [*parts[-1], *open_part]] if parts else [open_part]
    return parts


def _rarest(counts: CountArray) -> list[list[int]]:
    rare = [i for i in range(counts.size) if counts[i] < FEWEST]
    others = [i for i in range(counts.size) if counts[i] >= FEWEST]
    while rare and others and counts[rare].sum() < FEWEST:
        least = min(others, key=lambda i: (counts[i], i))
        others.remove(least)
        rare.append(least)
    return [[i] for i in others] + ([sorted(rare)] if rare else [])
