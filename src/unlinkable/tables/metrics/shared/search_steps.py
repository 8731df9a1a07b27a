"""Steps: what a search may do next, all candidates at once.

Read downwards, a step is a specialization: the value v is replaced by its children in all records
that hold it. Read upwards, the same step is a generalization of the children to v. Scores say which
step is the best; whether it may be made is for the promise to say.
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol, Self

import numpy as np
from attrs import define, field
from numpy.typing import ArrayLike

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.groups import Histogram
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray

__all__ = ["Score", "Steps", "mean_anonymity", "sum_of_squares"]


def _as_counts(value: ArrayLike) -> CountArray:
    return np.asarray(value, np.int64)


def _as_counts_if_given(value: ArrayLike | None) -> CountArray | None:
    return None if value is None else np.asarray(value, np.int64)


def _as_floats_if_given(value: ArrayLike | None) -> FloatArray | None:
    return None if value is None else np.asarray(value, np.float64)


@define(eq=False, frozen=True, slots=False, kw_only=True)
class Steps:
    """Candidate steps ``v -> child(v)`` of a search, one row each.

    Attributes
    ----------
    above
        ``above[s, c]`` counts the records of class c that hold the value v of step s. Without a
        class, one column counts the records.
    starts, below
        Rows ``starts[s]:starts[s + 1]`` of ``below`` count the same for the children of v. They add
        up to ``above[s]``.
    anonymity_above, anonymity_below
        A(QID), the size of the smallest group, with v and with its children in the table; the mean
        over all quasi-identifiers that contain the attribute, as `mean_anonymity` gives it.
    squares_above, squares_below
        The squared sizes of the groups that contain v, added up, and of those that contain a child
        of v, as `sum_of_squares` gives them.
    distortion
        Units of minimal distortion that lie between v and its children; one for every record that
        holds v if not given.

    Examples
    --------
    >>> steps = Steps(above=[[5, 6], [5, 6]], starts=[0, 2, 4],
    ...     below=[[5, 1], [0, 5], [3, 4], [2, 2]])
    >>> len(steps), steps.n_records.tolist()
    (2, [11, 11])
    """

    above: CountArray = field(converter=_as_counts)
    starts: CountArray = field(converter=_as_counts)
    below: CountArray = field(converter=_as_counts)
    anonymity_above: FloatArray | None = field(default=None, converter=_as_floats_if_given)
    anonymity_below: FloatArray | None = field(default=None, converter=_as_floats_if_given)
    squares_above: CountArray | None = field(default=None, converter=_as_counts_if_given)
    squares_below: CountArray | None = field(default=None, converter=_as_counts_if_given)
    distortion: FloatArray = field(converter=_as_floats_if_given)

    @distortion.default
    def _one_unit_a_record(self) -> FloatArray:
        units: FloatArray = self.above.sum(axis=-1).astype(float)
        return units

    def __attrs_post_init__(self) -> None:
        n, n_classes = self.above.shape if self.above.ndim == 2 else (-1, -1)
        if self.starts.shape != (n + 1,) or self.below.shape != (self.starts[-1], n_classes):
            raise ParameterError(
                f"classes of {self.above.shape} values and of {self.below.shape} children do not "
                f"fit together, with {self.starts.size} starts"
            )
        for amounts in (
            self.anonymity_above,
            self.anonymity_below,
            self.squares_above,
            self.squares_below,
            self.distortion,
        ):
            if amounts is not None and amounts.shape != (n,):
                raise ParameterError(f"expected one number for each of {n} steps")
        together = np.zeros_like(self.above)
        np.add.at(together, self.step_of_child, self.below)
        if (together != self.above).any():
            raise ParameterError("the records of the children are not those of the values above")

    @classmethod
    def splitting(cls, counts: ArrayLike) -> Self:
        """Cut an interval in two before each of its values but the first.

        ``counts[i, c]`` counts the records of class c with the i-th value. Step s puts the first
        s + 1 values to the left.

        Examples
        --------
        >>> Steps.splitting([[0, 3], [2, 1], [4, 0]]).below.tolist()
        [[0, 3], [6, 1], [2, 4], [4, 0]]
        """
        left = np.cumsum(_as_counts(counts), axis=0)
        return cls._of_two(left[-1], left[:-1])

    @classmethod
    def disclosing(cls, counts: ArrayLike) -> Self:
        """Disclose one of the values of a column that are all suppressed, and no other.

        ``counts[i, c]`` counts the records of class c with the i-th suppressed value. What is
        suppressed splits into the records with that value and the rest.

        Examples
        --------
        >>> Steps.disclosing([[0, 3], [2, 1], [4, 0]]).below.tolist()
        [[0, 3], [6, 1], [2, 1], [4, 3], [4, 0], [2, 4]]
        """
        each = _as_counts(counts)
        return cls._of_two(each.sum(axis=0), each)

    @classmethod
    def _of_two(cls, whole: CountArray, first: CountArray) -> Self:
        """Split the same records in two, in several ways."""
        n = len(first)
        below = np.stack([first, whole - first], axis=1).reshape(2 * n, whole.size)
        above = np.tile(whole, (n, 1))
        return cls(above=above, starts=np.arange(0, 2 * n + 1, 2), below=below)

    def __len__(self) -> int:
        return len(self.above)

    @property
    def n_records(self) -> CountArray:
        """Number of records that each step concerns."""
        n: CountArray = self.above.sum(axis=1)
        return n

    @cached_property
    def step_of_child(self) -> CodeArray:
        """For every child the step that it belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))

    @property
    def histograms(self) -> tuple[Histogram, Histogram]:
        """The classes of the values and of their children, without those that do not occur."""
        return _sparse(self.above), _sparse(self.below)

    @property
    def anonymity_between(self) -> FloatArray:
        """The anonymity that each step loses downwards, and gains upwards.

        Raises
        ------
        UnsupportedError
            If it is not known.
        """
        if self.anonymity_above is None or self.anonymity_below is None:
            raise UnsupportedError("how much anonymity the steps cost is not known here")
        return self.anonymity_above - self.anonymity_below

    @property
    def squares(self) -> tuple[CountArray, CountArray]:
        """The squared sizes of groups above and below.

        Raises
        ------
        UnsupportedError
            If they are not known.
        """
        if self.squares_above is None or self.squares_below is None:
            raise UnsupportedError("which groups the steps concern is not known here")
        return self.squares_above, self.squares_below


class Score(Protocol):
    """Says of each step how good it is."""

    @property
    def higher_is_better(self) -> bool:
        """Whether the step with the greatest score is the best, or that with the least."""

    def score(self, steps: Steps) -> FloatArray:
        """Give one number for each step."""


def mean_anonymity(sizes: ArrayLike, contains: BoolArray) -> FloatArray:
    """Take the mean over the quasi-identifiers that contain the attribute of a step.

    ``sizes[s, j]`` is the size of the smallest group on quasi-identifier j at step s, and
    ``contains[s, j]`` tells whether it contains the attribute. 0 if none does: then a step costs no
    anonymity.

    Examples
    --------
    >>> mean_anonymity([[34, 12], [34, 12]], np.array([[True, False], [True, True]])).tolist()
    [34.0, 23.0]
    """
    total = np.where(contains, np.asarray(sizes, np.float64), 0.0).sum(axis=1)
    mean: FloatArray = total / np.maximum(contains.sum(axis=1), 1)
    return mean


def sum_of_squares(sizes: CountArray, steps: CodeArray, n_steps: int) -> CountArray:
    """Add up the squared sizes of the groups of each step; ``steps[i]`` is that of ``sizes[i]``.

    Exact for groups of up to 2^31 records.

    Examples
    --------
    >>> sum_of_squares(np.array([6, 5, 11]), np.array([0, 0, 1], np.int32), 2).tolist()
    [61, 121]
    """
    return sum_by_label(sizes * sizes, steps, n_steps)


def _sparse(counts: CountArray) -> Histogram:
    row, values = np.nonzero(counts)
    indptr = np.searchsorted(row, np.arange(len(counts) + 1))
    return Histogram(indptr, values.astype(np.int32), counts[row, values], counts.shape[1])
