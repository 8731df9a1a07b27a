"""How values are distributed: as they are published and, where it may be told, before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import nsmallest

import numpy as np

from unlinkable.errors import UnlinkableError
from unlinkable.release.report import listed, percent
from unlinkable.report import Bar, Bars, Block, Gallery, Pair, PairedBars, Paragraph, Section
from unlinkable.tables.data import TextCounts
from unlinkable.tables.metrics.base import Generalized, Perturbed
from unlinkable.tables.publishing.bundles.about import Distribution
from unlinkable.tables.publishing.bundles.approved import FEWEST
from unlinkable.tables.publishing.reported.public_view import PublicView

__all__ = ["both", "values_part"]

_MOST_BARS = 12
"""So many values of a column are drawn; the others are added up."""
_MOST_COLUMNS = 40
"""So many columns are drawn."""
_MISSING = "(missing)"
_LOWER_END = re.compile(r"^[\[(]?\s*(-?\d+(?:\.\d+)?)")


def values_part(view: PublicView, distributions: Iterable[Distribution] | None = None) -> Section:
    """Draw the values of every published column.

    Parameters
    ----------
    view
        The public half.
    distributions
        Values before and after, if the holder is told; else those that are approved.
    """
    known = list(view.about.distributions if distributions is None else distributions)
    blocks: list[Block] = [Paragraph(_explained(bool(known), is_holder=distributions is not None))]
    charts: list[Bars | PairedBars] = [_pairs(one) for one in known]
    drawn, skipped = {one.column for one in known}, []
    for name in view.with_role("quasi-identifier", "sensitive", "target", "insensitive", "made"):
        if name in drawn:
            continue
        bars = _bars(view, name) if len(drawn) < _MOST_COLUMNS else None
        if bars is None:
            skipped.append(name)
        else:
            drawn.add(name)
            charts.append(bars)
    if charts:
        blocks.append(Gallery(charts))
    if skipped:
        blocks.append(Paragraph(f"Not drawn: {listed(skipped)}."))
    return Section("How values are distributed", blocks)


def both(published: Generalized | Perturbed) -> list[Distribution]:
    """Compare the values of all columns before and after, for the holder."""
    from unlinkable.tables.charts import shares_of

    found = []
    for name in published.columns[:_MOST_COLUMNS]:
        try:
            shares = shares_of(published, name)
        except UnlinkableError:
            continue
        found.append(
            Distribution(
                column=name,
                labels=shares.labels,
                before=tuple(shares.before.tolist()),
                after=tuple(shares.after.tolist()),
            )
        )
    return found


def _explained(is_known: bool, *, is_holder: bool) -> str:
    if is_holder and is_known:
        return (
            "Before is the original, after is what the release says: a published range counts "
            "evenly for all its values."
        )
    if is_known:
        return (
            "The holder has approved that some columns are shown as they were before. Values that "
            f"fewer than {FEWEST} records had are shown together with others. All other charts are "
            "of published values."
        )
    return "All charts are of published values. How values were distributed before is not told."


def _pairs(one: Distribution) -> PairedBars:
    rows = list(zip(one.labels, one.before, one.after, strict=True))
    longest = max([max(b, a) for label, b, a in rows if not _is_rest(label)], default=0.0)

    def length(label: str, share: float) -> float:
        return 0.0 if _is_rest(label) or not longest else min(max(share / longest, 0.0), 1.0)

    pairs = [
        Pair(label, length(label, b), percent(b), length(label, a), percent(a))
        for label, b, a in rows
    ]
    return PairedBars(one.column, ("Value", "Before", "After"), pairs)


def _is_rest(label: str) -> bool:
    """Whether many values are told together: a bar for them would dwarf all others."""
    return label.startswith("(") and label.endswith("other values)")


def _bars(view: PublicView, name: str) -> Bars | None:
    """Draw a published column; None if nearly every record has a value of its own."""
    counts = view.counts(name)
    shown = None if counts is None else _shown(counts)
    if not shown or not (total := sum(n for _, n in shown)):
        return None
    longest = max([n for label, n in shown if not _is_rest(label)], default=total)
    bars = [
        Bar(label, 0.0 if _is_rest(label) else n / (longest or 1.0), percent(n / total))
        for label, n in shown
    ]
    return Bars(name, ("Value", "Share"), bars)


def _shown(counts: TextCounts) -> list[tuple[str, float]]:
    """Choose what is drawn: values one by one, by ranges, or the most frequent ones."""
    missing = [(_MISSING, counts.missing)] if counts.missing > 0 else []
    if counts.n > _MOST_BARS and (binned := _binned(counts)) is not None:
        return [*binned, *missing]
    if counts.n > max(_MOST_BARS, float(counts.counts.sum()) / 2):
        return []
    present = list(zip(counts.texts, counts.counts.tolist(), strict=True))
    return [*_ordered(present), *missing]


def _binned(counts: TextCounts) -> list[tuple[str, float]] | None:
    """Count numbers or dates by ranges; None if there are texts among them, or codes."""
    from unlinkable.tables.charts import bins_of

    found = None if any(map(_is_code, counts.texts)) else counts.numbers()
    if found is None:
        return None
    domain, numbers = found
    is_whole = bool(np.issubdtype(domain.values.dtype, np.integer))
    bins = bins_of(domain, whole=is_whole, most=_MOST_BARS)
    at = np.clip(bins.locate(numbers), 0, len(bins.labels) - 1)
    found_in = np.bincount(at, counts.counts, minlength=len(bins.labels))
    return list(zip(bins.labels, found_in.tolist(), strict=True))


def _is_code(text: str) -> bool:
    """Whether it is no number, though it has digits alone: a zip such as 04104."""
    return text[:1] == "0" and text[1:2].isdigit()


def _ordered(present: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Put ranges in their order, and other values by how often they occur."""
    if len(present) <= 3 * _MOST_BARS:
        ends = [_LOWER_END.match(text) for text, _ in present]
        if all(end or text == "*" for end, (text, _) in zip(ends, present, strict=True)):
            keys = [
                (float(end[1]) if end else float("inf"), text)
                for end, (text, _) in zip(ends, present, strict=True)
            ]
            return [present[i] for i in sorted(range(len(present)), key=keys.__getitem__)]
    most = nsmallest(_MOST_BARS, range(len(present)), key=lambda i: (-present[i][1], present[i][0]))
    told, others = [present[i] for i in most], len(present) - len(most)
    if not others:
        return told
    rest = sum(n for i, (_, n) in enumerate(present) if i not in most)
    return [*told, (f"({others:,} other values)", rest)]
