"""Publishing again while people come and go: a tenth of the records is new each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import polars as pl

from benchmarks.measure import Row, cpu
from unlinkable.examples import hospital
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.series.composition.hd_composition import HDComposition
from unlinkable.tables.series.invariance.m_invariance import MInvariance
from unlinkable.tables.series.next_release import Next, next_release
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.typing import CountArray

N = 100_000
"""Records of a release."""

LIMIT = 10.0
"""Seconds for a release of so many records, made and attacked together with all earlier ones."""

QUASI = ("age", "sex", "zip", "profession")
PERMANENT = ("A15 Tuberculosis", "A41 Sepsis")
N_RELEASES = 5


def rows(large: bool) -> Iterator[Row]:
    """Time the last release of a series: from the records to one that withstands the attack."""
    n = N if large else N // 5
    for policy in (MInvariance(4), HDComposition(4, permanent=PERMANENT)):
        _last(policy, 1000)
        seconds, note = _last(policy, n)
        task = f"{policy.name}, release {N_RELEASES} of {n:,} records, 10 % churn"
        yield Row(task, seconds, LIMIT * n / N, 1, 0.5, "limit", note, is_limit=True)


def churn(n: int, share: float, seed: int = 0) -> Iterator[CountArray]:
    """Say who is in each release: of twice as many people, some leave and as many others come."""
    rng = np.random.default_rng(seed)
    is_in = np.arange(2 * n) < n
    while True:
        yield np.flatnonzero(is_in)
        leave = rng.choice(np.flatnonzero(is_in), int(n * share), replace=False)
        come = rng.choice(np.flatnonzero(~is_in), int(n * share), replace=False)
        is_in[leave], is_in[come] = False, True


def _last(policy: Policy, n: int) -> tuple[float, str]:
    pool = hospital(2 * n, seed=0).select(*QUASI, "diagnosis")
    past, seconds = Past(n_people=2 * n), 0.0
    for _, people in zip(range(N_RELEASES), churn(n, 0.1), strict=False):
        request = Request(_table(pool[people]), people, suppression=Fraction(1, 10))
        seconds, _, made = cpu(_work(policy, request, past))
        past = Past((*past.editions, made.edition), made.memory, 2 * n)
    assert isinstance(made.release, MaskedRelease)
    masked = made.release.masked
    left_out = f", {masked.n_suppressed:,} left out" if masked.n_suppressed else ""
    return seconds, f"{masked.told['counterfeits']} counterfeits{left_out}"


def _work(policy: Policy, request: Request, past: Past) -> Callable[[], Next]:
    return lambda: next_release(policy, request, past)


def _table(frame: pl.DataFrame) -> Table:
    return as_table(frame, quasi=QUASI, sensitive="diagnosis")
