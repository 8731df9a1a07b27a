"""Series by continuous, against plain definitions of what is left of everybody."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.attacks.series.generators import most_alike
from tests.tables.series.growing import JOBS, Growing, growing, publish_all
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.correspondence import Correspondence
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.next_release import Next

POLICIES = st.builds(
    Continuous,
    targets=st.sampled_from(["possible", "actual"]),
    numbers=st.sampled_from(["split", "taxonomy"]),
)


@given(growing(n_people=12, n_columns=2, missing=True), POLICIES)
def test_after_every_release_enough_is_left_of_everybody(
    grown: Growing, policy: Continuous
) -> None:
    for n, _, past in publish_all(policy, grown):
        for person in range(n):
            left = left_of(past.editions, person)
            assert sum(left.values()) >= grown.k
            for column in range(2):
                by_value: dict[str, int] = {}
                for value, records in left.items():
                    by_value[value[column]] = by_value.get(value[column], 0) + records
                assert max(by_value.values()) <= grown.c * sum(left.values())


@given(growing(n_people=7, n_releases=1))
def test_two_releases_leave_enough_in_all_possible_originals(grown: Growing) -> None:
    releases = [past for _, _, past in publish_all(Continuous(), evolve_c(grown))]
    assume(len(releases) == 2)
    records = [plain(edition) for edition in releases[-1].editions]
    domain = [[*map(str, range(20, 30)), "none"], [job for below in JOBS.values() for job in below]]
    sizes = [len(records[0]), len(records[1]) - len(records[0])]
    for (since, _), most in most_alike(records, domain).items():
        assert not sizes[since] or sum(most.values()) >= grown.k


@given(growing(n_people=14, n_releases=2))
def test_for_actual_targets_no_single_further_step_can_be_made(grown: Growing) -> None:
    known = evolve_c(grown)
    policy = Continuous(targets="actual", numbers="taxonomy")
    for _, made, past in publish_all(policy, known):
        # What was stopped earlier, because somebody fell to another attack, could go on.
        for frame in [] if made.refused else one_step_on(made):
            edition = Edition(
                Target(frame, ("age", "job"), ("s0",), made.edition.target.taxonomies),
                made.edition.people,
            )
            sizes = frame.group_by("age", "job").len().get_column("len")
            attack = Correspondence(known.k, limit=1, targets="actual")
            series = Series((*past.editions[:-1], edition))
            is_open = len(series) < 2 or not attack.run(series).succeeded
            assert sizes.min() < known.k or not is_open  # type: ignore[operator]


@given(growing(n_people=10))
def test_the_same_series_comes_out_again(grown: Growing) -> None:
    runs = [
        [
            made.edition.target.frame.sort(pl.all())
            for _, made, _ in publish_all(Continuous(), grown)
        ]
        for _ in range(2)
    ]
    assert all(a.equals(b) for a, b in zip(*runs, strict=True))


def evolve_c(grown: Growing) -> Growing:
    """Promise nothing of values: possible people who hide all the same are no harm."""
    return Growing(grown.ages, grown.jobs, grown.hidden, grown.ends, grown.k, Fraction(1))


def one_step_on(made: Next) -> list[pl.DataFrame]:
    """Tell jobs more precisely, one value at a time."""
    frame = made.edition.target.frame
    assert made.edition.people is not None
    raw = made.release.table.frame.get_column("job").gather(made.edition.people)
    branch = {job: above for above, below in JOBS.items() for job in below}
    found = []
    for value in {"*", *JOBS} & {*frame.get_column("job")}:
        finer = [
            text if text != value else (branch[job] if value == "*" else job)
            for text, job in zip(frame.get_column("job"), raw, strict=True)
        ]
        found.append(frame.with_columns(pl.Series("job", finer)))
    return found


def left_of(editions: tuple[Edition, ...], person: int) -> dict[str, int]:
    """Count what is left of somebody by value, with the words of the definitions."""
    known = [plain(edition) for edition in editions]
    where = [np.flatnonzero(e.people == person) for e in editions]
    since = next(i for i, found in enumerate(where) if found.size)
    mine = {i: known[i][where[i][0]][0] for i in range(since, len(editions))}
    left = {}
    for value in {hidden for records in known for _, hidden in records}:
        bounds = [sum(r == (mine[i], value) for r in known[i]) for i in mine]
        for i, h in product(mine, range(since)):
            before = [r for r in known[h] if r[1] == value and meet(r[0], mine[i])]
            after = [r for r in known[i] if r[1] == value and any(meet(r[0], b) for b, _ in before)]
            if before:
                bounds.append(len(after) - len(before))
        left[value] = min(bounds)
    return left


def meet(a: tuple[frozenset[str], ...], b: tuple[frozenset[str], ...]) -> bool:
    return all(x & y for x, y in zip(a, b, strict=True))


def plain(edition: Edition) -> list[tuple[tuple[frozenset[str], ...], str]]:
    """Read a release as sets of raw values."""
    frame = edition.target.frame
    hidden = [name for name in frame.columns if name not in ("age", "job")]
    return [
        ((ages(row["age"]), jobs(row["job"])), "".join(row[name] for name in hidden))
        for row in frame.with_columns(pl.col("age").cast(pl.String)).iter_rows(named=True)
    ]


def ages(text: str | None) -> frozenset[str]:
    if text is None:
        return frozenset({"none"})
    if text == "*":
        return frozenset({*map(str, range(20, 30)), "none"})
    lo, _, hi = text.strip("[)").partition("-")
    return frozenset(map(str, range(int(lo), int(hi) if hi else int(lo) + 1)))


def jobs(text: str) -> frozenset[str]:
    leaves = [job for below in JOBS.values() for job in below]
    return frozenset(leaves if text == "*" else JOBS.get(text, [text]))
