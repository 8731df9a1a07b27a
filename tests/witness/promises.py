"""Privacy models as a search asks for them: which records are in a group that breaks one.

The checks of a single group are those of `models`, on a table of that group alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tests.witness import closeness, confidence, models, numbers
from tests.witness.emd import shares
from tests.witness.models import Distance, Row, groups

__all__ = [
    "Promise",
    "alpha_k_anonymous",
    "beta_like",
    "confident_at_most",
    "crowded",
    "delta_disclosing",
    "distinct_l_diverse",
    "entropy_l_diverse",
    "epsilon_m_anonymous",
    "frequency_l_diverse",
    "good_records",
    "hold",
    "k_anonymous",
    "ke_anonymous",
    "lkc_private",
    "nearly_close",
    "recursive_cl_diverse",
    "t_close",
    "variance_diverse",
    "xy_anonymous",
    "xy_linkable",
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
    return _compared(f"t-closeness(t={t})", sensitive, distance, lambda far: far <= t)


def nearly_close(t: float, sensitive: str, distance: closeness.FloatDistance) -> Promise:
    """Every group within t of the whole published table, by a distance in floating point."""
    return _compared(f"closeness(t={t})", sensitive, distance, lambda far: far <= t + 1e-12)


def delta_disclosing(delta: float, sensitive: str) -> Promise:
    """Every value of the table in every group, the log of its share changed by less than delta."""
    return _compared(f"delta {delta}", sensitive, closeness.log_ratio, lambda far: far < delta)


def beta_like(beta: Fraction, sensitive: str, *, enhanced: bool = False) -> Promise:
    """No value gains more than beta in a group."""
    measure = closeness.enhanced_gain if enhanced else closeness.gain
    return _compared(f"beta-likeness(beta={beta})", sensitive, measure, lambda far: far <= beta)


def frequency_l_diverse(l: Fraction | int, sensitive: str) -> Promise:  # noqa: E741
    """No value with more than 1/l of a group."""
    return Promise(
        f"frequency-l-diversity(l={l})",
        lambda group, whole: confidence.is_frequency_l_diverse(group, [], sensitive, l),
    )


def confident_at_most(
    h: Fraction, sensitive: str, value: Hashable, *, qid: Sequence[str] | None = None
) -> Promise:
    """At most a share h of one value in every group: a template."""
    return alpha_k_anonymous(h, 1, sensitive, values=[value], qid=qid)


def alpha_k_anonymous(
    alpha: Fraction,
    k: int,
    sensitive: str,
    *,
    values: Collection[Hashable] | None = None,
    qid: Sequence[str] | None = None,
) -> Promise:
    """At least k records in every group, at most a share alpha of each value; (k, c) as well."""
    return Promise(
        f"alpha-k-anonymity(alpha={alpha}, k={k})",
        lambda group, whole: confidence.is_alpha_k_anonymous(
            group, [], sensitive, alpha, k, values=values
        ),
        None if qid is None else tuple(qid),
    )


def lkc_private(
    qid: Sequence[str],
    sensitive: str,
    *,
    L: int,
    K: int,
    C: Fraction,
    values: Collection[Hashable] | None = None,
) -> list[Promise]:
    """Give one promise for every set of at most L columns: K records, and a share of at most C."""
    return [
        alpha_k_anonymous(C, K, sensitive, values=values, qid=columns)
        for length in range(1, min(L, len(qid)) + 1)
        for columns in combinations(qid, length)
    ]


def xy_anonymous(k: int, y: Sequence[str], *, x: Sequence[str] | None = None) -> Promise:
    """At least k different values on Y in every group."""
    return Promise(
        f"xy-anonymity(k={k})",
        lambda group, whole: confidence.xy_anonymity(group, [], y) >= k,  # type: ignore[operator]
        None if x is None else tuple(x),
    )


def xy_linkable(h: Fraction, y: Sequence[str], *, x: Sequence[str] | None = None) -> Promise:
    """At most a share h of any value on Y in every group."""
    return Promise(
        f"xy-linkability(h={h})",
        lambda group, whole: confidence.is_xy_linkable(group, [], y, h),
        None if x is None else tuple(x),
    )


def ke_anonymous(k: int, e: Fraction | int, sensitive: str) -> Promise:
    """At least k different numbers in every group, the largest e or more above the least."""
    return Promise(
        f"ke-anonymity(k={k}, e={e})",
        lambda group, whole: numbers.is_ke_anonymous(group, [], sensitive, k, e),
    )


def epsilon_m_anonymous(
    epsilon: Fraction | int, m: Fraction | int, sensitive: str, *, relative: bool = False
) -> Promise:
    """At most 1/m of a group close to any of its numbers."""
    return Promise(
        f"epsilon-m-anonymity(epsilon={epsilon}, m={m})",
        lambda group, whole: numbers.is_epsilon_m_anonymous(
            group, [], sensitive, epsilon, m, relative=relative
        ),
    )


def variance_diverse(v: Fraction | int, sensitive: str) -> Promise:
    """A variance of at least v in every group."""
    return Promise(
        f"squared-error-diversity(v={v})",
        lambda group, whole: numbers.is_variance_diverse(group, [], sensitive, v),
    )


def crowded(bits: Fraction | int, *, owner: str | None = None) -> Promise:
    """An entropy of at least so many bits of whose a record of a group is."""
    return Promise(
        f"crowd-entropy(bits={bits})",
        lambda group, whole: numbers.has_owners_for_bits(group, [], bits, owner),
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


def _compared(
    name: str,
    sensitive: str,
    distance: closeness.FloatDistance,
    fits: Callable[[Fraction | float], bool],
) -> Promise:
    def keeps(group: Sequence[Row], whole: Sequence[Row]) -> bool:
        here, all_over = (shares(row[sensitive] for row in rows) for rows in (group, whole))
        return fits(distance(here, all_over))

    return Promise(name, keeps)
