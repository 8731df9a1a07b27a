r"""Differential privacy: nobody can tell from what is published whether you took part.

What is published is drawn at random, and any outcome is almost as likely without any one person
[1]_, [2]_. The guarantee is about how the data was published, so no published table shows it: it is
judged from a ledger of all noise.

References
----------
.. [1] C. Dwork. "Differential privacy." ICALP 2006. Definition 2.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.4.2. The scale of Laplace noise there (sigma >= epsilon / Delta f)
   is upside down: noise of scale b on a number of sensitivity s costs s / b.
.. [3] A. Machanavajjhala, D. Kifer, J. Abowd, J. Gehrke, L. Vilhuber. "Privacy: theory meets
   practice on the map." ICDE 2008.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError
from unlinkable.noise import Budget, Ledger, price
from unlinkable.params import at_least, exact
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.shared.ledger_model import LedgerModel

__all__ = ["DifferentialPrivacy", "epsilon_of"]


@frozen
class DifferentialPrivacy(LedgerModel):
    r"""Any outcome is about as likely whether or not any one person is in the table.

    A random :math:`F` is :math:`(\epsilon, \delta)`-differentially private if for all tables
    :math:`T_1, T_2` that differ in one person, and all sets :math:`S` of outcomes,
    :math:`P[F(T_1) \in S] \le e^\epsilon P[F(T_2) \in S] + \delta`.

    Parameters
    ----------
    epsilon
        The bound on the logarithm of the ratio.
    delta
        The probability that may be left over; 0 for pure differential privacy.
    ledger
        The JSON file in which all noise was written down: see the page on this model. If not
        given, it is the ledger of the release itself, which methods that use noise publish.

    Guarantees
    ----------
    Whatever somebody knows already, they learn almost nothing from what is published that they
    would not have learnt without the victim's record. It does not say that a published number is
    right, nor that nothing can be inferred about people: what is true of everybody is learnt of the
    victim as well. It rests on the ledger being complete and on the mechanisms being what it says.

    Probabilistic differential privacy [3]_ asks that all outcomes whose ratio is beyond
    :math:`e^{\epsilon}` together have a probability of at most :math:`\delta`. It implies this
    promise: :math:`P[F(T_1) \in S] \le P[F(T_1) \in S \setminus D] + P[F(T_1) \in D]` for these
    outcomes :math:`D`. The converse is false: outcomes with probabilities
    :math:`(1 \pm \delta) / 2` against :math:`(1 \mp \delta) / 2` keep :math:`(0, \delta)` here, and
    all of them disclose there. It follows with :math:`2 \epsilon` and
    :math:`\delta (1 + e^{-2 \epsilon}) / (1 - e^{-\epsilon})`.

    Merging
    -------
    None: groups of records are not judged. Composition takes its place: what is told one after the
    other adds up, what is told of different people does not.

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import unlinkable as ul
    >>> event = {"mechanism": "laplace", "sensitivity": 1, "scale": 2}
    >>> released = ul.as_table({"age": ["[20-30)"]}, quasi="age")
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ledger.json"
    ...     _ = file.write_text(json.dumps({"events": [event, event]}))
    ...     finding = ul.check(released, DifferentialPrivacy(1, ledger=str(file)))
    >>> finding.holds, finding.verdicts[0].achieved, finding.verdicts[0].basis.value
    (True, {'epsilon': 1.0}, 'ledger')
    """

    name: ClassVar[str] = "differential-privacy"
    reference: ClassVar[str] = "Dwork 2006"
    threats: ClassVar[Threat] = Threat.TABLE | Threat.PROBABILISTIC
    in_words: ClassVar[str] = (
        "Whatever is published would be about as likely if any one person were not in the data: "
        "the chance differs by a factor of at most {epsilon:exp} (epsilon {epsilon}, delta "
        "{delta})."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It does not say that a published number is right, nor how far off it is.",
        "What is true of everybody is learnt of each person as well.",
        "Every further release about the same people adds to what is spent.",
    )
    parameter: ClassVar[str] = "epsilon"
    higher_is_safer: ClassVar[bool] = False

    epsilon: Fraction = field(converter=exact, validator=at_least(0))
    delta: Fraction = field(default=Fraction(0), converter=exact, validator=at_least(0))
    ledger: str | None = field(default=None, kw_only=True)
    _spent: Ledger | None = field(default=None, eq=False, repr=False, kw_only=True)

    @delta.validator
    def _is_a_probability(self, attribute: object, value: Fraction) -> None:
        if value >= 1:
            raise ParameterError(f"delta must be less than 1, got {value}")

    def budget(self, n_records: int) -> Budget:
        return Budget(float(self.epsilon), float(self.delta))

    def cost(self, ledger: Ledger, n_records: int) -> float:
        return price(ledger).at(float(self.delta))

    def reached(self, groups: Groups, level: float) -> Mapping[str, float | None]:
        return {"epsilon": level}

    def witness(self, groups: Groups, at: int) -> str:
        spent, with_delta = self.cost(self.opened, groups.n_records), float(self.delta)
        n = quantity(len(self.opened.events), "entry", "entries")
        if math.isinf(spent):
            return f"{n} of the ledger cost more than delta = {with_delta:g} allows"
        beside = f" at delta = {with_delta:g}" if with_delta else ""
        return (
            f"{n} of the ledger cost epsilon = {spent:.6g}{beside}, and "
            f"{float(self.epsilon):g} may be spent"
        )

    def covers(self, other: GroupModel) -> bool:
        return (
            isinstance(other, DifferentialPrivacy)
            and self.ledger == other.ledger
            and self.epsilon <= other.epsilon
            and self.delta <= other.delta
        )

    def membership_ceiling(self) -> float:
        """Bound the advantage at chances that differ by a factor of at most exp(e)."""
        e = float(self.epsilon)
        return math.tanh(e / 2) + 2 * float(self.delta) / (1 + math.exp(e))

    def weaker(self) -> DifferentialPrivacy | None:
        return evolve(self, epsilon=2 * self.epsilon) if self.epsilon else None


def epsilon_of(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Give the epsilon between two distributions of outcomes; infinite if one rules one out.

    Examples
    --------
    >>> round(epsilon_of({"yes": 0.75, "no": 0.25}, {"yes": 0.25, "no": 0.75}), 4)
    1.0986
    """
    outcomes = sorted({*first, *second})
    p = np.array([[side.get(x, 0.0) for x in outcomes] for side in (first, second)])
    p = p[:, p.any(axis=0)]
    with np.errstate(divide="ignore"):
        return float(np.abs(np.log(p[0]) - np.log(p[1])).max(initial=0.0))
