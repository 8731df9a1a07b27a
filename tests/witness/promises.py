"""Privacy models as a search asks for them: which records are in a group that breaks one.

The checks of a single group are those of `models`, on a table of that group alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.witness import models
from tests.witness.emd import shares
from tests.witness.models import Distance, Row, groups

__all__ = [
    "Promise",
    "distinct_l_diverse",
    "entropy_l_diverse",
    "good_records",
    "hold",
    "k_anonymous",
    "recursive_cl_diverse",
    "t_close",
]


@dataclass(frozen=True)
class Promise:
    """A bound on every group, given the group and the whole published table.

    ``qid`` is the quasi-identifier that this promise is about, if it is not that of the table.
    """

    name: str
    keeps: Callable[[Sequence[Row], Sequence[Row]], bool]
    qid: tuple[str, ...] | None = None

    def good(self, rows: Sequence[Row], qid: Sequence[str]) -> list[bool]:
        """Say of every record whether its group keeps the promise."""
        columns = qid if self.qid is None else self.qid
        verdict = {key: self.keeps(group, rows) for key, group in groups(rows, columns).items()}
        return [verdict[tuple(row[column] for column in columns)] for row in rows]


def k_anonymous(k: int, *, owner: str | None = None, qid: Sequence[str] | None = None) -> Promise:
    """At least k records, or k different owners, in every group."""
    return Promise(
        f"k-anonymity(k={k})",
        lambda group, whole: models.is_k_anonymous(group, [([], k)], owner),
        None if qid is None else tuple(qid),
    )


def distinct_l_diverse(l: int, sensitive: str) -> Promise:  # noqa: E741
    """At least l different sensitive values in every group."""
    return Promise(
        f"distinct-l-diversity(l={l})",
        lambda group, whole: models.is_distinct_l_diverse(group, [], sensitive, l),
    )


def entropy_l_diverse(l: Fraction | int, sensitive: str) -> Promise:  # noqa: E741
    """Entropy at least log l in every group."""
    return Promise(
        f"entropy-l-diversity(l={l})",
        lambda group, whole: models.is_entropy_l_diverse(group, [], sensitive, l),
    )


def recursive_cl_diverse(
    c: Fraction | int,
    l: int,  # noqa: E741
    sensitive: str,
    *,
    strict: bool = True,
) -> Promise:
    """f(1) < c * (f(l) + ... + f(m)) in every group."""
    return Promise(
        f"recursive-cl-diversity(c={c}, l={l}, strict={strict})",
        lambda group, whole: models.is_recursive_cl_diverse(
            group, [], sensitive, c, l, strict=strict
        ),
    )


def t_close(t: Fraction, sensitive: str, distance: Distance) -> Promise:
    """Every group within t of the whole published table."""
    return Promise(
        f"t-closeness(t={t})",
        lambda group, whole: (
            distance(
                shares(row[sensitive] for row in group), shares(row[sensitive] for row in whole)
            )
            <= t
        ),
    )


def good_records(
    promises: Iterable[Promise], rows: Sequence[Row], qid: Sequence[str]
) -> list[bool]:
    """Say of every record whether its groups keep all promises."""
    verdicts = [promise.good(rows, qid) for promise in promises]
    return [all(verdict[i] for verdict in verdicts) for i in range(len(rows))]


def hold(promises: Iterable[Promise], rows: Sequence[Row], qid: Sequence[str]) -> bool:
    """Whether a published table keeps all promises."""
    return all(good_records(promises, rows, qid))
