r"""Randomized response: people lie now and then, and nobody knows who did.

Everybody draws by themselves whether to tell the truth. What one person said can always be denied;
how many people lied is known, so that the shares of the answers can be put right [1]_. No holder
has to be trusted: what is true never leaves the person.

References
----------
.. [1] S. L. Warner. "Randomized response: a survey technique for eliminating evasive answer bias."
   Journal of the American Statistical Association 60, 1965.
.. [2] P. Kairouz, S. Oh, P. Viswanath. "Extremal mechanisms for local differential privacy." JMLR
   17, 2016. The k-ary form.
.. [3] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Sections 1.1 and 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from attrs import field, frozen
from attrs.converters import optional
from numpy.typing import NDArray

from unlinkable.collection.base import Collection
from unlinkable.collection.estimate import Estimate, exact_interval
from unlinkable.errors import DataError, ParameterError
from unlinkable.noise import Event, Ledger, Mechanism, Neighbours
from unlinkable.tables.data import Column, codes_of, frame_of
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["Answers", "RandomizedResponse"]

Answers = Sequence[object] | NDArray[Any] | Column
"""One answer per person."""

_NEAR = 1e-6
"""How near truth and epsilon must be to each other if both are given."""
_LARGEST = 20
"""With a larger epsilon one answer in hundreds of millions is a lie."""
_ULPS = 32
"""By so many steps of a float truth is rounded down, so that it never costs more than epsilon."""


def _as_values(values: Iterable[str]) -> tuple[str, ...]:
    return (values,) if isinstance(values, str) else tuple(values)


@frozen
class RandomizedResponse(Collection):
    r"""Everybody tells the truth with a known probability, and else another answer at random.

    Of k possible answers, the true one is given with probability :math:`p`, and each of the others
    with :math:`q = (1 - p) / (k - 1)`. For two answers this is Warner's design, in which chance
    decides whether the question is asked or its opposite. A share :math:`\lambda` of an answer
    among those given stands for a share :math:`\hat\pi = (\lambda - q) / (p - q)` among the true
    ones, without bias and with the standard error
    :math:`\sqrt{\lambda (1 - \lambda) / (n - 1)} / (p - q)`.

    Intervals are exact ones for :math:`\lambda` (Clopper and Pearson), put through the same
    formula: they cover the share among all people from whom those who answered are a random sample
    with at least the probability ``level``, and the share among those who answered more often
    still.

    Parameters
    ----------
    values
        All possible answers, at least two. They are part of the question, and never taken from the
        answers: an answer that only one person could give would give that person away. Whoever may
        leave the question open needs an answer for that, too.
    truth
        The probability of telling the truth, more than 1/k and less than 1.
    epsilon
        The privacy of every answer instead: an answer is at most :math:`e^\epsilon` times as likely
        for one truth as for another, :math:`\epsilon = \ln (p / q)`. One of truth and epsilon is
        enough, and the other one follows.
    level
        How sure the intervals of an estimate are.

    Guarantees
    ----------
    Local differential privacy at ``epsilon``, against the holder and everybody else, for each
    answer of a person; several answers of one person add up. It rests on everybody drawing from a
    source that nobody else sees (`unlinkable.noise.secure_generator`). Answers that have been given
    are not truthful.

    Cost
    ----
    O(n) to randomize and to estimate n answers. The standard error is :math:`1 / (p - q)` times, at
    least, what it would be without lies: with truth = 0.75 and two answers, four times as many
    people give the same precision.

    Raises
    ------
    ParameterError
        If there are fewer than two answers, or truth or epsilon mean nothing.
    DataError
        If an answer is missing, or is none of ``values``.

    Examples
    --------
    >>> ask = RandomizedResponse(["yes", "no"], truth=0.75)
    >>> round(ask.epsilon, 4)
    1.0986
    >>> told = ask.estimate(["yes"] * 40 + ["no"] * 60)
    >>> told.shares.round(3).tolist(), told.errors.round(3).tolist()
    ([0.3, 0.7], [0.098, 0.098])
    >>> told.low.round(3).tolist(), told.high.round(3).tolist()
    ([0.107, 0.494], [0.506, 0.893])
    """

    name: ClassVar[str] = "randomized-response"
    reference: ClassVar[str] = "Warner 1965"

    values: tuple[str, ...] = field(converter=_as_values)
    truth: float = field(default=None, converter=optional(float))
    epsilon: float = field(default=None, converter=optional(float))
    level: float = field(default=0.95, converter=float, kw_only=True)

    @values.validator
    def _are_answers(self, attribute: object, values: tuple[str, ...]) -> None:
        if len(values) < 2 or len(set(values)) < len(values):
            raise ParameterError(
                f"values must be two or more different answers, got {len(values)}, "
                f"{len(set(values))} of them different"
            )

    @level.validator
    def _is_a_level(self, attribute: object, value: float) -> None:
        if not 0 < value < 1:
            raise ParameterError(f"level must lie in (0, 1), got {value}")

    def __attrs_post_init__(self) -> None:
        if self.truth is None and self.epsilon is None:
            raise ParameterError("give truth, the probability of telling it, or epsilon")
        if self.truth is None:
            object.__setattr__(self, "truth", self._truth_at(self.epsilon))
        if not 1 / self.k < self.truth < 1:
            raise ParameterError(
                f"truth must lie between 1/{self.k}, where answers tell nothing, and 1, where "
                f"nobody is protected: got {self.truth:g}"
            )
        costs = math.log(self.truth / self.lie)
        if self.epsilon is None:
            object.__setattr__(self, "epsilon", costs)
        elif abs(costs - self.epsilon) > _NEAR * max(1.0, costs):
            raise ParameterError(
                f"truth = {self.truth:g} has epsilon = {costs:g}, not {self.epsilon:g}: give one"
            )

    @classmethod
    def keeping(cls, values: Iterable[str], keep: float, *, level: float = 0.95) -> Self:
        """Make the form in which the truth is kept with a probability, and else any answer given.

        "Any" includes the true one: the truth is told with keep + (1 - keep) / k. It is how a die
        or a spinner is used (forced response).

        Examples
        --------
        >>> RandomizedResponse.keeping("abcd", 0.6).truth
        0.7
        """
        listed = tuple(values)
        if not 0 < keep < 1:
            raise ParameterError(f"keep must lie in (0, 1), got {keep}")
        return cls(listed, keep + (1 - keep) / max(len(listed), 1), level=level)

    @property
    def k(self) -> int:
        """Number of possible answers."""
        return len(self.values)

    @property
    def lie(self) -> float:
        """The probability of each answer that is not true."""
        return (1 - self.truth) / (self.k - 1)

    @property
    def transition(self) -> FloatArray:
        """The probability of every answer (columns) for every truth (rows)."""
        return np.full((self.k, self.k), self.lie) + (self.truth - self.lie) * np.eye(self.k)

    def randomize(self, answers: Answers, rng: np.random.Generator) -> NDArray[np.object_]:
        """Give the answer that each person hands in, in place of the true one."""
        true = self.codes(answers)
        # Both are drawn for everybody, so that the time taken does not tell who lies.
        lies, shift = rng.random(true.size) >= self.truth, rng.integers(1, self.k, true.size)
        told: NDArray[np.object_] = np.array(self.values, object)[(true + lies * shift) % self.k]
        return told

    def estimate(self, answers: Answers) -> Estimate:
        """Estimate from the answers that were given how often each is true."""
        return self.estimate_counts(np.bincount(self.codes(answers), minlength=self.k))

    def estimate_counts(self, counts: CountArray | Sequence[int]) -> Estimate:
        """Estimate from the number of times that each answer was given how often it is true.

        Raises
        ------
        DataError
            If there are fewer than two answers, or not one number for each of ``values``.
        """
        given = np.asarray(counts, np.int64)
        n = int(given.sum())
        if given.shape != (self.k,) or (given < 0).any() or n < 2:
            raise DataError(f"an estimate needs two or more answers, counted by {self.k} values")
        observed = given / n
        widen = 1 / (self.truth - self.lie)
        low, high = exact_interval(given, n, self.level)
        return Estimate(
            self.values,
            given,
            shares=(observed - self.lie) * widen,
            errors=np.sqrt(observed * (1 - observed) / (n - 1)) * widen,
            low=np.clip((low - self.lie) * widen, 0.0, 1.0),
            high=np.clip((high - self.lie) * widen, 0.0, 1.0),
            level=self.level,
        )

    def event(self, *, times: int = 1, what: str = "") -> Event:
        """Give the ledger entry for the answers of a person who is asked ``times`` times."""
        told = {"truth": self.truth, "categories": self.k}
        return Event(Mechanism.RANDOMIZED_RESPONSE, told, times=times, what=what)

    def ledger(self, *, times: int = 1, what: str = "") -> Ledger:
        """Write down all that people told: how many took part is no secret, what is true is one."""
        return Ledger([self.event(times=times, what=what)], Neighbours.REPLACE)

    def codes(self, answers: Answers) -> CodeArray:
        """Give the number of each answer among ``values``."""
        if isinstance(answers, Column):
            frame = answers.to_frame("answer")
        else:
            frame = frame_of({"answer": answers})
        domain = Domain(Kind.CATEGORY, np.array(self.values, object))
        codes = codes_of(frame, frame.columns[0], domain)
        if n := int((codes < 0).sum()):
            raise DataError(
                f"{n} of {codes.size} answers are missing or none of the {self.k} that are listed: "
                "list every possible answer in values, and one for people who do not answer"
            )
        return codes

    def _truth_at(self, epsilon: float) -> float:
        if not 0 < epsilon <= _LARGEST:
            raise ParameterError(
                f"epsilon must be greater than 0 and at most {_LARGEST}, where nobody is protected "
                f"any more: got {epsilon:g}"
            )
        truth = 1 / (1 + (self.k - 1) * math.exp(-epsilon))
        return truth - _ULPS * math.ulp(truth)
