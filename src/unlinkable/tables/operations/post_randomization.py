r"""Post-randomization (PRAM): categories are replaced by others, with known probabilities.

Nobody can be sure that a published category is a true one. Whoever knows the probabilities can
still estimate how often each category occurs: with :math:`P` the matrix and :math:`\lambda` the
published counts, :math:`(P^T)^{-1} \lambda` is unbiased. *Invariant* PRAM chooses the matrix such
that the published counts are unbiased as they stand [1]_.

References
----------
.. [1] J. M. Gouweleeuw, P. Kooiman, L. C. R. J. Willenborg, P.-P. de Wolf. "Post randomisation for
   statistical disclosure control: theory and implementation." Journal of Official Statistics 14(4),
   1998.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError
from unlinkable.noise import Event, Ledger, Mechanism, Neighbours
from unlinkable.params import Between, as_columns, exact, is_flag
from unlinkable.tables.data import (
    Frame,
    Role,
    Schema,
    Side,
    Table,
    is_listed,
    publishable_columns,
    with_codes,
)
from unlinkable.tables.operations.base.operation import Perturbation
from unlinkable.tables.operations.shared.columns import chosen_columns, require_columns
from unlinkable.tables.operations.shared.strata import strata_of, unit
from unlinkable.tables.operations.shared.transition import (
    Change,
    Moves,
    as_moves,
    by_frequency,
    draw_changes,
    draw_moves,
    epsilon_of_rows,
    invariant,
    matrix_of,
    read_moves,
    write_matrix,
)
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import CodeArray, Columns

__all__ = ["PostRandomization", "refuse_own_strata"]


@frozen
class PostRandomization(Perturbation):
    r"""Replace the values of some columns by others, each with a known probability.

    A value stays with the probability ``retention``, and else becomes another one as ``change``
    says:

    - ``uniform``: :math:`P(a \to b) = (1-p)/(m-1)` for each of the other m - 1 values.
    - ``frequency``: :math:`P(a \to b) = (1-p)\, n_b/(n-n_a)`, by the counts of the values.
    - ``invariant``: after a ``uniform`` step :math:`P` a second one takes each value back to where
      it may have come from, :math:`Q(k \to l) = P(l \to k)\, n_l / \sum_j P(j \to k)\, n_j`. Then
      :math:`n P Q = n`: the counts are expected to stay. How often values stay follows from both
      steps; it is more than ``retention`` for frequent values, and less for rare ones.

    Columns are replaced independently of each other. Missing values stay, unless ``answered``.

    Parameters
    ----------
    retention
        The probability p that a value stays, in [0, 1); that it stays in the first of two steps if
        the change is ``invariant``.
    change
        What it becomes otherwise.
    matrix
        The probabilities of one column instead: a list of a value, what it becomes, and with which
        probability, like ``[["cook", "clerk", 0.1]]``, or a file with the columns ``from``, ``to``
        and ``p``. What is left over is the probability to stay.
    columns
        Which ones. If not given, the quasi-identifying and sensitive columns that hold categories
        and make no strata.
    within
        Columns that make strata, other than those that are replaced. Values become others that
        occur in the same stratum, by the counts there, so that combinations that do not occur stay
        so.
    answered
        Whether missing values become values, too, all as likely. That somebody gave no answer is
        then hidden as well.

    Guarantees
    ----------
    Everybody can say that a published value is not the true one; how likely that is follows from
    the probabilities, which are published (`told`). For ``frequency`` and ``invariant`` these are
    made of the counts of the column, and tell them; a matrix of more than 400 probabilities, and
    those of strata, are not published. Nothing else is promised, unless there is a price.

    *A price.* The release is differentially private, each person by himself, if every published
    column is replaced without looking at counts (``uniform`` or a ``matrix`` without zeros, no
    strata), missing values are ``answered``, and the values of every column were listed beforehand,
    in a tree or a hierarchy file: ``ledger`` says so. A column costs the logarithm of the largest
    ratio of two probabilities of the same outcome. Neighbouring tables replace a person. The order
    of the records must not depend on their values.

    Probabilities are met exactly, as multiples of 2**-53 (of 2**-40 in a matrix).

    Cost
    ----
    O(n log n) for each column; O(m**2) for a matrix over m values.

    Raises
    ------
    ParameterError
        If options contradict each other, or the matrix does not fit the column.
    SchemaError, UnsupportedError
        If there is no such column, or it holds no categories.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> staff = as_table({"job": ["cook", "clerk", "cook", "clerk"]}, quasi="job")
    >>> PostRandomization("1/2").apply(staff, np.random.default_rng(3))["job"].to_list()
    ['cook', 'clerk', 'clerk', 'cook']
    """

    name: ClassVar[str] = "post-randomization"
    reference: ClassVar[str] = "Gouweleeuw, Kooiman, Willenborg and de Wolf 1998"

    retention: Fraction = field(
        default=Fraction(4, 5), converter=exact, validator=Between(0, 1, has_lowest=True)
    )
    change: Change = field(default=Change.UNIFORM, converter=Change, kw_only=True)
    matrix: str | Moves | None = field(default=None, converter=as_moves, kw_only=True)
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    within: Columns = field(default=(), converter=as_columns, kw_only=True)
    answered: bool = field(default=False, validator=is_flag, kw_only=True)
    _moves: Moves | None = field(default=None, kw_only=True, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.matrix is None:
            return
        if self.columns is None or len(self.columns) != 1:
            raise ParameterError("a matrix is about one column: name it")
        if self.within or self.change is not Change.UNIFORM:
            raise ParameterError("a matrix says all: leave out the kind of change, and the strata")

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        require_columns(schema, self.within or None, f"the strata of {self.name}")
        refuse_own_strata(self.columns, self.within)
        return self

    def apply(self, table: Table, rng: np.random.Generator) -> Frame:
        refuse_own_strata(self.columns, self.within)
        frame = table.frame
        for name in self.chosen(table):
            frame = self.replaced(table, name, frame, rng)
        return frame

    def ledger(self, table: Table) -> Ledger | None:
        columns = self.chosen(table)
        looks = self.change is not Change.UNIFORM or bool(self.within)
        if looks or not self.answered or table.schema.owner:
            return None
        if {*publishable_columns(table)} != {*columns}:
            return None
        if not all(is_listed(table, name) for name in columns):
            return None
        events = []
        for name in columns:
            if (cost := self.cost(table, name)) is None:
                return None
            events += cost
        return Ledger(events, Neighbours.REPLACE)

    def chosen(self, table: Table) -> Columns:
        """Find the columns that are meant."""
        kinds = list(Kind) if self.columns is not None else [Kind.CATEGORY]
        roles = [Role.QUASI, Role.SENSITIVE]
        found = chosen_columns(table, self.columns, roles, kinds, self.name)
        left = tuple(name for name in found if name not in self.within)
        if found and not left:
            raise ParameterError(
                f"every column that {self.name} could replace makes strata: leave one out of within"
            )
        return left

    def replaced(self, table: Table, name: str, frame: Frame, rng: np.random.Generator) -> Frame:
        """Draw new values for a column of the table, and put them into a frame."""
        codes, domain = table.codes(name).copy(), table.taxonomy(name).domain
        strata = strata_of(table, self.within)
        is_missing = codes == domain.missing
        there = np.flatnonzero(~is_missing)
        codes[there] = self._drawn(table, name, codes[there], strata[there], rng)
        if self.answered and domain.n_present:
            n = int(is_missing.sum())
            codes[is_missing] = rng.integers(0, domain.n_present, n)
        return with_codes(frame, table, name, codes)

    @property
    def _truth(self) -> float:
        """The probability to stay that is met exactly."""
        return min(int(self.retention * unit), unit - 1) / unit

    @property
    def _given(self) -> Moves:
        """The moves of the matrix, from its file if that was not read yet."""
        assert self.matrix is not None
        return read_moves(self.matrix) if self._moves is None else self._moves

    def opened(self, side: Side) -> Self:
        return self if self.matrix is None else evolve(self, moves=read_moves(self.matrix, side))

    def told(self, table: Table) -> dict[str, float | str]:
        """Say with which probabilities values stay and become others, so that counts can be mended.

        A matrix is told for ``frequency`` and ``invariant``, which is made of the counts of the
        column: whoever knows it knows these, out of all.
        """
        if self.matrix is not None:
            moves = (f"{old} to {new}: {float(p):g}" for old, new, p in self._given)
            return {"matrix": "; ".join(moves)}
        told: dict[str, float | str] = {"change": self.change.value}
        for name in self.chosen(table):
            told |= self._told_of(table, name)
        return told

    def _told_of(self, table: Table, name: str) -> dict[str, float | str]:
        """Say it for one column."""
        domain = table.taxonomy(name).domain
        step = " in the first step" if self.change is Change.INVARIANT else ""
        told: dict[str, float | str] = {f"retention of {name}{step}": self._truth}
        if self.within:
            why = "not told: it is another one in every stratum, and made of the counts there"
            return {**told, f"matrix of {name}": why}
        if self.change is Change.UNIFORM:
            return {**told, f"values of {name}": float(domain.n_present)}
        counts = np.bincount(table.codes(name), minlength=domain.n)[: domain.n_present]
        there = np.flatnonzero(counts)
        made = by_frequency if self.change is Change.FREQUENCY else invariant
        texts = [domain.text(code) for code in there.tolist()]
        return {**told, f"matrix of {name}": write_matrix(made(counts[there], self._truth), texts)}

    def _drawn(
        self, table: Table, name: str, codes: CodeArray, strata: CodeArray, rng: np.random.Generator
    ) -> CodeArray:
        domain = table.taxonomy(name).domain
        if self.matrix is not None:
            matrix = matrix_of(self._given, domain, name)
            return draw_moves(matrix, codes, rng)
        n_values = None if self.within else domain.n_present
        return draw_changes(self.change, self._truth, codes, strata, n_values, rng)

    def cost(self, table: Table, name: str) -> list[Event] | None:
        """Write down what a column costs; nothing if it has one value, None if there is no price.

        That holds if missing values are answered and nothing is taken from the counts.
        """
        domain, what = table.taxonomy(name).domain, f"every value of {name}"
        if (m := domain.n_present) < 2:
            return []
        truth = self._truth
        if self.matrix is None and truth >= 1 / m:
            told = {"truth": truth, "categories": m}
            return [Event(Mechanism.RANDOMIZED_RESPONSE, told, what=what)]
        if self.matrix is None:
            rows = np.full((m, m), (1 - truth) / (m - 1))
            np.fill_diagonal(rows, truth)
            epsilon = epsilon_of_rows(rows)
        else:
            epsilon = epsilon_of_rows(matrix_of(self._given, domain, name))
        if math.isinf(epsilon):
            return None
        return [Event(Mechanism.PURE, {"epsilon": epsilon}, what=what)]


def refuse_own_strata(columns: Columns | None, within: Columns) -> None:
    """Refuse to replace a column within strata that it makes itself: nothing would change.

    Raises
    ------
    ParameterError
        If there is such a column.
    """
    if both := [name for name in columns or () if name in within]:
        raise ParameterError(
            f"column {both[0]!r} is to be replaced, and to be the same for all records of a "
            "stratum: leave it out of one of them"
        )
