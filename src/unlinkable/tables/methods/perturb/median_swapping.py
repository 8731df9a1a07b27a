"""Median swapping: values reconstructed from what they say about a class, then generalized.

Closeness hides what a group says about its members, not who they are. Here the quasi-identifying
values are reconstructed as well: numbers become medians of stretches that mean the same for the
sensitive value, categories are drawn anew so that they go together with it as they did [1]_.

Numbers are cut where that tells most about the class, as long as the cut is worth the words that it
takes to describe it [2]_; each number becomes the median of its stretch (section 5.3.2 of [1]_,
whose example is cut where neither rule would, and whose two medians follow no one rule for an even
number of values). Categories are drawn by algorithm 5.1 of [1]_, after the data swapping of [3]_,
for any number of categories and with its indices repaired: it begins with the second column, and
divides by the number of columns before.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Chapter 5.
.. [2] U. M. Fayyad, K. B. Irani. "Multi-interval discretization of continuous-valued attributes for
   classification learning." IJCAI 1993.
.. [3] S. P. Reiss. "Practical data-swapping: the first steps." ACM Transactions on Database Systems
   9(1), 1984.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.perturbation import best_class_cut
from unlinkable.params import Choice, exact, is_share
from unlinkable.tables.data import Schema, Table, numbers_of, with_codes, with_numbers
from unlinkable.tables.groups import POPULATION_PREFIX
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Search, Task
from unlinkable.tables.methods.perturb.shared.generalizing_method import (
    generalize,
    is_written_search,
    only_sensitive,
    searcher,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations import happens, kind_of
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Median", "MedianSwapping", "class_cuts", "discrete_medians", "draw_second_order"]


class Median(Choice):
    """What the median of an even number of values is."""

    LOW = "low"
    """The smaller of the two in the middle: a value that somebody has."""
    HIGH = "high"
    """The larger of the two."""
    AVERAGE = "average"
    """What lies between them."""


@frozen
class MedianSwapping(RecordMethod):
    """Reconstruct the quasi-identifier, and generalize it until the promise holds.

    1. Every numeric quasi-identifier is cut where that tells most about the sensitive value, as
       long as that pays (`class_cuts`), and each number becomes the median of its stretch. If no
       cut pays the column says nothing of the sensitive value, and all of it becomes one median.
    2. The categories of the other quasi-identifiers are drawn anew, one column after the other,
       such that their counts together with the sensitive column, and with each other, are kept
       nearly (`draw_second_order`).
    3. The reconstructed table is generalized by a search that keeps the promise.

    The thesis anonymizes first and reconstructs afterwards. Reconstructed values fall into other
    groups than the original ones, and the promise would then hold for groups that nobody sees. So
    reconstruction comes first here, and the search works on what is published.

    Promises
    --------
    Whatever the search can keep about groups: ``n-t-closeness``, ``hellinger-closeness``,
    ``t-closeness`` and others. It is judged from the published values, as for generalized tables.
    Sensitive values are true; the quasi-identifying ones beside them were drawn at random. Promises
    that refer to a population of true values, to people with several records, or to what people
    were before (``r-robustness``, ``bt-privacy`` and others) are refused.

    Publishes
    ---------
    Generalized medians and categories, and all other columns as they were. The cuts and what was
    drawn stay private.

    Parameters
    ----------
    sensitive
        The column that guides both steps. If not given, the only sensitive one.
    median
        What the median of an even number of values is: ``low``, ``high`` or ``average``.
    share
        The share of the records whose categories are drawn anew, in (0, 1].
    generalization
        The written form of the method that generalizes. If not given, ``mondrian``; for promises
        that it cannot keep, such as ``n-t-closeness``, ``optimal``.

    Cost
    ----
    O(n log n) for each column and each level of cuts, and the cost of the search.

    Raises
    ------
    SchemaError
        If it is not clear which column is meant.
    ParameterError
        If there is no such generalizing method.
    UnsupportedError, InfeasibleError
        If the promise cannot be kept.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": list(range(20, 40)), "ill": ["flu", "hiv"] * 10}, quasi="age",
    ...     sensitive="ill")
    >>> masked = ul.anonymize(people, privacy=ul.TCloseness("1/10", sensitive="ill"),
    ...     method=ul.MedianSwapping(), seed=1).masked
    >>> masked.frame["age"].unique().to_list()
    ['29']
    """

    name: ClassVar[str] = "median-swapping"
    reference: ClassVar[str] = "Babu 2013"

    sensitive: str | None = None
    median: Median = field(default=Median.LOW, converter=Median, kw_only=True)
    share: Fraction = field(default=Fraction(1), converter=exact, validator=is_share, kw_only=True)
    generalization: str | None = field(
        default=None, validator=optional(is_written_search), kw_only=True
    )

    def bind(self, schema: Schema) -> Self:
        chosen = only_sensitive(schema, self.sensitive, f"{self.name} is guided by")
        return evolve(self, sensitive=chosen)

    def refusal(self, model: GroupModel) -> str | None:
        if model.unsearchable is not None:
            return model.unsearchable
        if model.needs_owner or any(
            POPULATION_PREFIX in name for names in model.needs() for name in names
        ):
            return (
                "reconstructed values are nobody's, and cannot be compared with those of other "
                "people: use a method that generalizes"
            )
        if model.about_originals:
            return (
                "it is about people as they were, and reconstructed values are nobody's: use a "
                "method that generalizes"
            )
        return None

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        self._search(privacy, may_suppress=may_suppress)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Reconstruct, and generalize.

        The effort is that of the search, and ``cuts``, how many were made. They are also a fact.
        """
        method = self.bind(table.schema)
        self.require(privacy, may_suppress=task.suppression > 0)
        if table.schema.owner is not None:
            raise UnsupportedError(
                f"{self} reconstructs records one by one, and people have several here (column "
                f"{table.schema.owner!r}): keep one record of each person"
            )
        reconstructed, n_cuts = method._reconstructed(table, task)
        task.progress(0.5, "reconstructed; looking for groups")
        search = self._search(privacy, may_suppress=task.suppression > 0)
        found = generalize(search, reconstructed, privacy, task)
        return MaskedRecords(
            found.frame,
            found.rows,
            n_suppressed=len(table) - found.rows.size,
            effort={**found.solution.effort, "cuts": n_cuts},
            is_complete=found.solution.is_complete,
        )

    def _search(self, privacy: All, *, may_suppress: bool) -> Search:
        """Make the method that generalizes, which must be able to keep the promise."""
        search = searcher(self.generalization or "mondrian")
        try:
            search.require(privacy, may_suppress=may_suppress)
        except UnsupportedError:
            if self.generalization is not None:
                raise
            search = searcher("optimal")
            search.require(privacy, may_suppress=may_suppress)
        return search

    def _reconstructed(self, table: Table, task: Task) -> tuple[Table, int]:
        """Give the table with reconstructed values, and count the cuts."""
        assert self.sensitive is not None
        classes, frame, n_cuts = table.codes(self.sensitive), table.frame, 0
        categories = [n for n in table.schema.quasi if kind_of(table, n) is Kind.CATEGORY]
        for name in table.schema.quasi:
            if name in categories:
                continue
            numbers = numbers_of(frame, name)
            there = np.isfinite(numbers)
            cuts = class_cuts(numbers[there], classes[there])
            numbers[there] = discrete_medians(numbers[there], cuts, self.median)
            frame, n_cuts = with_numbers(frame, name, numbers), n_cuts + cuts.size
        original = [table.codes(name) for name in categories]
        drawn = draw_second_order(classes, original, task.rng)
        is_drawn = happens(float(self.share), len(table), task.rng)
        for name, old, new in zip(categories, original, drawn, strict=True):
            frame = with_codes(frame, table, name, np.where(is_drawn, new, old))
        # Categories keep their taxonomies, whichever of their values still occur.
        same = (*categories, *table.schema.sensitive)
        taxonomies = {name: table.taxonomy(name) for name in same}
        return Table(frame, table.schema, taxonomies=taxonomies), n_cuts


def class_cuts(numbers: FloatArray, classes: CodeArray) -> FloatArray:
    r"""Find where numbers are cut to tell classes apart, in rising order.

    Of n records the cut with the largest information gain is taken if the gain is more than
    :math:`(\log_2(n-1) + \log_2(3^k-2) - kH + k_1 H_1 + k_2 H_2)/n`, with k, k1 and k2 the numbers
    of classes in the whole and the parts and H their entropies; then both parts are cut in the same
    way. A cut lies in the middle between two neighbouring numbers. Of equal gains the lowest cut is
    taken.

    Examples
    --------
    >>> class_cuts(np.arange(20.0), (np.arange(20) > 9).astype(np.int32)).tolist()
    [9.5]
    """
    order = np.argsort(numbers, kind="stable")
    sorted_numbers = np.ascontiguousarray(numbers[order])
    sorted_classes = np.ascontiguousarray(classes[order])
    room = np.zeros((2, int(classes.max(initial=-1)) + 1), np.int64)
    found, open_parts = [], [(0, numbers.size)]
    while open_parts:
        start, stop = open_parts.pop()
        at = int(best_class_cut(sorted_numbers, sorted_classes, start, stop, *room))
        if at >= 0 and _pays(sorted_classes[start:stop], at - start):
            found.append((sorted_numbers[at - 1] + sorted_numbers[at]) / 2)
            open_parts += [(start, at), (at, stop)]
    return np.sort(np.array(found, float))


def discrete_medians(
    numbers: FloatArray, cuts: FloatArray, median: Median = Median.LOW
) -> FloatArray:
    """Replace every number by the median of those between the same two cuts.

    A number that equals a cut lies below it.

    Examples
    --------
    >>> discrete_medians(np.array([9.0, 1.0, 2.0, 5.0]), np.array([4.0])).tolist()
    [5.0, 1.0, 1.0, 5.0]
    """
    part = np.searchsorted(cuts, numbers, side="left")
    ordered = np.sort(numbers)
    sizes = np.bincount(part, minlength=cuts.size + 1)
    start: CountArray = np.cumsum(sizes) - sizes
    last = max(numbers.size - 1, 0)
    low = np.minimum(start + np.maximum(sizes - 1, 0) // 2, last)
    high = np.minimum(start + sizes // 2, last)
    if not numbers.size:
        return numbers
    match median:
        case Median.LOW:
            middle = ordered[low]
        case Median.HIGH:
            middle = ordered[high]
        case Median.AVERAGE:
            middle = (ordered[low] + ordered[high]) / 2
    return np.asarray(middle[part], float)


def _pays(classes: CodeArray, at: int) -> bool:
    """Whether a cut gains more than it takes to describe it."""
    n = classes.size
    whole, low, high = (_entropy(part) for part in (classes, classes[:at], classes[at:]))
    gain = whole[0] - at / n * low[0] - (n - at) / n * high[0]
    spread = whole[1] * whole[0] - low[1] * low[0] - high[1] * high[0]
    # Of many classes, 3**k - 2 is 3**k to within any precision, and would not fit into a float.
    words = np.log2(3.0 ** whole[1] - 2) if whole[1] < 30 else whole[1] * np.log2(3.0)
    return bool(gain > (np.log2(n - 1) + words - spread) / n)


def _entropy(classes: CodeArray) -> tuple[float, int]:
    """Give the entropy of classes in bits, and how many there are."""
    shares = np.unique(classes, return_counts=True)[1] / classes.size
    return float(-(shares * np.log2(shares)).sum()), shares.size


def draw_second_order(
    kept: CodeArray, columns: Sequence[CodeArray], rng: np.random.Generator
) -> list[CodeArray]:
    r"""Draw new codes for columns, one after the other, given a column that is kept.

    Column j of a record becomes b with the mean, over the columns k before it (the kept one is the
    first), of :math:`F_2[v_k = a_k, v_j = b] / F_1[v_k = a_k]`, where :math:`a_k` is what the
    record has on k by now, and F are counts of the original. That is: one of the columns before is
    drawn, then one of the records that have that value there, and its value on j is taken.
    O(n v log n) for v columns.

    Parameters
    ----------
    kept
        The codes of the column that stays as it is: what is predicted from the others.
    columns
        The codes of the columns to be drawn anew.
    rng
        The source of chance.
    """
    before, made = [kept, *columns], [kept]
    places = [_Places(codes) for codes in before[:-1]]
    for j, codes in enumerate(columns, start=1):
        guide = rng.integers(0, j, codes.size)
        drawn = np.empty_like(codes)
        for k in range(j):
            at = np.flatnonzero(guide == k)
            drawn[at] = codes[places[k].draw(made[k][at], rng)]
        made.append(drawn)
    return made[1:]


class _Places:
    """Where each code of a column occurs."""

    def __init__(self, codes: CodeArray) -> None:
        self._order = np.argsort(codes, kind="stable")
        self._sizes = np.bincount(codes, minlength=1)
        self._start = np.cumsum(self._sizes) - self._sizes

    def draw(self, codes: CodeArray, rng: np.random.Generator) -> CountArray:
        """Draw for each code one of the records that have it."""
        found: CountArray = self._order[self._start[codes] + rng.integers(0, self._sizes[codes])]
        return found
