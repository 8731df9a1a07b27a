r"""Perturbed generalization: safe even if all other people tell what they have.

If the neighbours of a victim in a group give their values away, what is left over is the victim's
(a *corruption attack*). Here a group publishes one of its records only, whose sensitive value may
be a false one: whatever the others tell, it stays open whose the value is and whether it is true
[1]_.

One record of a group of k people is published, with a sensitive value that was kept with
probability p and else drawn evenly from a domain of m values; let :math:`u = (1-p)/m`. An adversary
who believes beforehand with :math:`w` that the victim has the published value believes afterwards
that the record is the victim's with probability at most :math:`h = (pw+u)/(pw+ku)`: each of the
k - 1 others, even if their true value is known, shows it with probability at least u. Only in that
case is anything learnt, so the belief in any property Q of the value rises from P(Q) by at most
:math:`h\,pw(1-P(Q))/(pw+u) = pw(1-P(Q))/(pw+ku)` ([1]_, theorems 2 and 3). The paper bounds h by
its value at the largest w; here both factors are taken at the same w, which is tighter.

References
----------
.. [1] Y. Tao, X. Xiao, J. Li, D. Zhang. "On anti-corruption privacy preserving publication." ICDE
   2008.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.5.3.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import (
    InfeasibleError,
    UnsupportedError,
)
from unlinkable.params import Between, exact, is_share
from unlinkable.tables.data import (
    Schema,
    Table,
    column_from_codes,
    free_name,
    keep_rows,
    with_column,
)
from unlinkable.tables.groups import number_rows
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Search, Task
from unlinkable.tables.methods.perturb.shared.generalizing_method import (
    Generalized,
    generalize,
    is_written_search,
    only_sensitive,
    searcher,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations import happens
from unlinkable.tables.taxonomies import number
from unlinkable.typing import CodeArray, CountArray

__all__ = ["PerturbedGeneralization", "largest_belief", "largest_growth"]


@frozen
class PerturbedGeneralization(RecordMethod):
    r"""Generalize, replace sensitive values at random, and publish one record of every group.

    1. Every sensitive value is kept with probability p, and else drawn from all values that the
       column may have, all as likely, its own among them.
    2. The quasi-identifier is generalized until groups are large enough. This step does not look at
       sensitive values.
    3. Of each group one record is drawn, and published with the number of people in the group.

    Counts are estimated from the published records, each as often as its group is large: with y the
    number of those with a value, n all people and m values, :math:`(y - n(1-p)/m)/p`.

    Promises
    --------
    ``k-anonymity`` and other promises about the size of groups: judged from the published counts,
    in which every record stands for so many people. In addition the release says by how much
    anybody's belief in any property of a victim's sensitive value can grow, *whatever other people
    give away*: ``growth``, for the smallest published group (see `largest_growth`). This rests on
    the mechanism, not on the published values, so it is stated and not verified. Promises about
    sensitive values are refused: one value is shown for a group, and it may be false.

    Publishes
    ---------
    The generalized quasi-identifier, one sensitive column, and how many people each record stands
    for. No other columns: whoever knows them of the victim would know whether the record is theirs.
    Whose record was drawn stays private: rows are in the order of what they show of the
    quasi-identifier, whatever the order of the source.

    Parameters
    ----------
    retention
        The probability p that a sensitive value is kept, in [0, 1).
    sensitive
        The column that is published. If not given, the only sensitive one.
    skew
        The most that anybody believes in any one value of a victim beforehand, in (0, 1]. It is
        used for ``growth`` only; 1 assumes nothing.
    generalization
        The written form of the method that generalizes.

    Cost
    ----
    That of the generalizing method, and O(n log n).

    Raises
    ------
    SchemaError
        If it is not clear which column is meant.
    ParameterError
        If there is no such generalizing method.
    UnsupportedError
        If people have several records, or the generalizing method looks at sensitive values.
    InfeasibleError
        If the promise cannot be kept, or a domain of one value leaves nothing to hide in.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 21, 60, 61, 62], "ill": ["flu", "hiv", "flu", "hiv",
    ...     "flu"]}, quasi="age", sensitive="ill")
    >>> masked = ul.anonymize(people, privacy=ul.KAnonymity(2),
    ...     method=ul.PerturbedGeneralization("1/2"), seed=1).masked
    >>> masked.frame.select("age", "count").rows(), round(masked.told["growth"], 3)
    ([('[20-22)', 2), ('[60-63)', 3)], 0.172)
    """

    name: ClassVar[str] = "perturbed-generalization"
    reference: ClassVar[str] = "Tao, Xiao, Li and Zhang 2008"

    retention: Fraction = field(
        default=Fraction(3, 10), converter=exact, validator=Between(0, 1, has_lowest=True)
    )
    sensitive: str | None = field(default=None, kw_only=True)
    skew: Fraction = field(default=Fraction(1), converter=exact, validator=is_share, kw_only=True)
    generalization: str = field(default="mondrian", validator=is_written_search, kw_only=True)

    def bind(self, schema: Schema) -> Self:
        chosen = only_sensitive(schema, self.sensitive, f"{self.name} publishes")
        return evolve(self, sensitive=chosen)

    def refusal(self, model: GroupModel) -> str | None:
        if model.unsearchable is not None:
            return model.unsearchable
        if model.needs() or model.relative:
            return (
                "one value is published for a whole group, and it may be false, so that groups "
                "show nothing of what their members have: promise k-anonymity, and read what is "
                "told of the growth of beliefs"
            )
        return None

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        searcher(self.generalization).require(privacy, may_suppress=may_suppress)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Generalize, replace and draw.

        The effort is that of the generalizing method.
        """
        method = self.bind(table.schema)
        self.require(privacy, may_suppress=task.suppression > 0)
        assert method.sensitive is not None
        if (m := table.taxonomy(method.sensitive).n) < 2:
            raise InfeasibleError(
                f"column {method.sensitive!r} has {m} value: there is no other to hide it among"
            )
        search = self._search(table, task)
        found = generalize(search, table, privacy, task)
        groups, n_groups = _alike(found, table)
        drawn, sizes = _one_of_each(groups, n_groups, task.rng)
        codes = self._perturbed(table.codes(method.sensitive), m, task.rng)[found.rows[drawn]]
        frame = found.frame.select(table.schema.quasi)
        frame = keep_rows(frame, drawn).with_columns(
            column_from_codes(table, method.sensitive, codes)
        )
        counts = free_name("count", table.frame.columns)
        k = int(sizes.min(initial=len(table)))
        growth = largest_growth(float(self.retention), m, k, float(self.skew))
        # In the order of what they show: that of the source would tell where members were in it.
        ordered = with_column(frame, counts, sizes).sort(table.schema.quasi)
        return MaskedRecords(
            ordered,
            None,
            counts=counts,
            told={"growth": growth, "smallest group": k, "values": m},
            n_suppressed=len(table) - found.rows.size,
            effort=found.solution.effort,
            is_complete=found.solution.is_complete,
        )

    def _search(self, table: Table, task: Task) -> Search:
        """Make the generalizing method, which must not look at what is hidden."""
        if table.schema.owner is not None:
            raise UnsupportedError(
                f"{self} publishes one record of a group, and people have several here (column "
                f"{table.schema.owner!r}): keep one record of each person"
            )
        search = searcher(self.generalization).bind(table.schema)
        needs = {*search.needs(table.schema), *task.metric.needs(table.schema)}
        looked_at = {name for names in needs for name in names}
        if looked_at & {*table.schema.sensitive}:
            raise UnsupportedError(
                f"{self.generalization}, or the metric that guides it, looks at sensitive "
                "values, and groups would tell of them: use mondrian"
            )
        return search

    def _perturbed(self, codes: CodeArray, n_values: int, rng: np.random.Generator) -> CodeArray:
        stays = happens(float(self.retention), codes.size, rng)
        return np.where(stays, codes, rng.integers(0, n_values, codes.size)).astype(np.int32)


def _alike(found: Generalized, table: Table) -> tuple[CodeArray, int]:
    """Number records so that those are in one group that show the same."""
    shown = [number(found.frame.get_column(name)) for name in table.schema.quasi]
    codes = np.column_stack([column.codes[column.numbers] for column in shown])
    groups, first = number_rows(codes)
    return groups, first.size


def _one_of_each(
    groups: CodeArray, n_groups: int, rng: np.random.Generator
) -> tuple[CountArray, CountArray]:
    """Draw one record of every group, and count its records."""
    mixed = rng.permutation(groups.size)
    drawn = np.empty(n_groups, np.int64)
    drawn[groups[mixed]] = mixed
    return drawn, np.bincount(groups, minlength=n_groups)


def largest_growth(p: float, n_values: int, k: int, skew: float = 1.0) -> float:
    r"""Give by how much the belief in any property of a victim can grow: the delta of delta-growth.

    The largest :math:`pw(1-w)/(pw+ku)` over all w up to ``skew``; the top is where
    :math:`w = \sqrt{c^2+c}-c` with :math:`c = ku/p`.

    Parameters
    ----------
    p
        The probability that a value is kept.
    n_values
        The number of values in the domain.
    k
        The least number of people in a group.
    skew
        The most that anybody believes in any value of the victim beforehand.

    Examples
    --------
    >>> round(largest_growth(0.3, 50, 6, 0.1), 4)
    0.2368
    """
    if not p:
        return 0.0
    c = k * (1 - p) / n_values / p
    w = min(skew, math.sqrt(c * c + c) - c)
    return w * (1 - w) / (w + c) if w > 0 else 1.0


def largest_belief(before: float, p: float, n_values: int, k: int, skew: float = 1.0) -> float:
    r"""Give how sure one can become who was at most so sure: the upper rho of rho1-to-rho2.

    Examples
    --------
    >>> round(largest_belief(0.2, 0.3, 50, 6, 0.1), 4)
    0.4105
    """
    if not p:
        return before
    w, u = min(skew, before), (1 - p) / n_values
    return before + p * w * (1 - before) / (p * w + k * u) if w else before
