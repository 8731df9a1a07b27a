r"""Distributional privacy: what is published tells about the population, not about the sample.

Two tables drawn from the same population should look alike when they are published, although they
may have nobody in common [1]_. That is more than differential privacy asks, which compares tables
that differ in one person [2]_.

References
----------
.. [1] A. Blum, K. Ligett, A. Roth. "A learning theory approach to non-interactive database
   privacy." STOC 2008. Definition 5.1.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.4.4.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar, Self

from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.noise import Budget, Ledger, Neighbours, price
from unlinkable.params import at_least, exact, is_share
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.binding_context import BindingContext
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.ledger_model import LedgerModel

__all__ = ["DistributionalPrivacy"]


@frozen
class DistributionalPrivacy(LedgerModel):
    r"""Two tables drawn from the same population are published almost alike.

    :math:`F` is :math:`(\alpha, \beta)`-distributionally private if for every distribution, two
    tables :math:`T_1, T_2` of :math:`n` records drawn from it, and every outcome :math:`o`,
    with probability at least :math:`1 - \beta` over the draw:
    :math:`P[F(T_1) = o] \le e^\alpha P[F(T_2) = o]`.

    It is judged by a condition that implies it. Two tables that differ in :math:`h` records are
    :math:`h` steps of differential privacy apart, so :math:`\alpha = h \epsilon` for a ledger that
    costs a pure :math:`\epsilon`. Of :math:`n` records over :math:`m` possible ones, two samples
    differ in :math:`h = \frac12 \sum_j |N_j - N'_j|` records. Its mean is at most
    :math:`\sqrt{n (m - 1) / 2}`, by Cauchy and Schwarz over the variances
    :math:`2 n p_j (1 - p_j)`; a single draw changes it by at most 1, so by McDiarmid's inequality
    over the :math:`2 n` draws it exceeds the mean by :math:`\sqrt{n \ln(1 / \beta)}` with
    probability at most :math:`\beta`. And it is never more than :math:`n`.

    Parameters
    ----------
    alpha
        The bound on the logarithm of the ratio.
    beta
        The probability of two samples that are published less alike.
    ledger
        The JSON file in which all noise was written down, as for differential privacy; if not
        given, it is the ledger of the release itself.
    cells
        How many different records are possible; if not given, samples may have nothing in common.
    people
        How many records are drawn, the n above, which is no secret. If not given it is the number
        of records that a release is made from, or that a table shows.

    Guarantees
    ----------
    What is published is about the population that the table was drawn from. It says nothing of
    what the population itself gives away about its members, and it takes far more noise than
    differential privacy. It rests on the ledger being complete.

    Merging
    -------
    None: groups of records are not judged.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import unlinkable as ul
    >>> event = {"mechanism": "laplace", "sensitivity": 1, "scale": 100}
    >>> released = ul.as_table({"age": ["[20-30)"] * 50}, quasi="age")
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ledger.json"
    ...     _ = file.write_text(json.dumps({"events": [event], "neighbours": "replace"}))
    ...     finding = ul.check(released, DistributionalPrivacy(0.5, 0.05, ledger=str(file)))
    >>> finding.holds, finding.verdicts[0].achieved
    (True, {'alpha': 0.5})
    """

    name: ClassVar[str] = "distributional-privacy"
    reference: ClassVar[str] = "Blum, Ligett and Roth 2008"
    threats: ClassVar[Threat] = Threat.TABLE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Two tables of people from the same population would be published almost alike (alpha "
        "{alpha}, beta {beta})."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It says nothing of what the population itself gives away about its members.",
    )
    parameter: ClassVar[str] = "alpha"
    higher_is_safer: ClassVar[bool] = False

    alpha: Fraction = field(converter=exact, validator=at_least(0))
    beta: Fraction = field(converter=exact, validator=is_share)
    ledger: str | None = field(default=None, kw_only=True)
    cells: int | None = field(default=None, validator=optional(at_least(1)), kw_only=True)
    people: int | None = field(default=None, validator=optional(at_least(1)), kw_only=True)
    _spent: Ledger | None = field(default=None, eq=False, repr=False, kw_only=True)

    def bind(self, context: BindingContext) -> tuple[Self, ...]:
        (bound,) = super().bind(context)
        if self.people is None and context.n_records:
            # Noisy counts do not show how many records there were.
            bound = evolve(bound, people=context.n_records)
        return (bound,)

    def budget(self, n_records: int) -> Budget:
        # Two steps for each record in which samples differ: to add and to remove.
        return Budget(float(self.alpha) / (2 * max(self.distance(n_records), 1)))

    def cost(self, ledger: Ledger, n_records: int) -> float:
        """Price the ledger for as many people as two samples may differ in."""
        epsilon = price(ledger).at(0.0)
        # To replace a person is to remove one and to add another.
        steps = 1 if ledger.neighbours is Neighbours.REPLACE else 2
        return steps * epsilon * self.distance(n_records) if epsilon else 0.0

    def distance(self, n_records: int) -> int:
        """Bound in how many records two samples differ, with probability 1 - beta.

        Examples
        --------
        >>> promise = DistributionalPrivacy(1, 0.05, ledger="ledger.json", cells=10)
        >>> promise.distance(10_000), promise.distance(20)
        (385, 17)
        """
        n_records = self._drawn(n_records)
        if self.cells is None:
            return n_records
        mean = math.sqrt(n_records * (self.cells - 1) / 2)
        beyond = math.sqrt(n_records * -math.log(self.beta))
        return min(n_records, math.floor(mean + beyond))

    def _drawn(self, n_shown: int) -> int:
        return n_shown if self.people is None else self.people

    def reading(self, groups: Groups) -> str:
        if empty := super().reading(groups):
            return empty
        return (
            "proved by group privacy: samples differ in at most "
            f"{self.distance(groups.n_records)} of {self._drawn(groups.n_records)} records"
        )

    def witness(self, groups: Groups, at: int) -> str:
        alpha = self.cost(self.opened, groups.n_records)
        return (
            f"two samples may differ in {self.distance(groups.n_records)} records, which the noise "
            f"of the ledger hides up to alpha = {alpha:.6g}, and {float(self.alpha):g} is allowed"
        )

    def covers(self, other: GroupModel) -> bool:
        return (
            isinstance(other, DistributionalPrivacy)
            and (self.ledger, self.cells, self.people) == (other.ledger, other.cells, other.people)
            and self.alpha <= other.alpha
            and self.beta <= other.beta
        )

    def membership_ceiling(self) -> float:
        """The table of a member is compared with another from the same population.

        That fails for a share beta of all tables.
        """
        return math.tanh(float(self.alpha) / 2) + float(self.beta)

    def weaker(self) -> DistributionalPrivacy | None:
        return evolve(self, alpha=2 * self.alpha) if self.alpha else None
