"""Joining releases with other columns, compared with matching record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.witness import joins as witness
from tests.witness.models import Row
from tests.witness.releases import frame_of
from tests.witness.tree import Tree
from unlinkable.tables import attacks
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series

OWN = ("b", "c", "d")
"""Columns that one release alone has."""


@dataclass(frozen=True)
class Parted:
    """Releases that share some columns; ``s`` is in one of them."""

    rows: list[list[Row]]
    quasi: list[tuple[str, ...]]
    trees: dict[str, Tree]
    told: int

    def series(self) -> Series:
        taxonomies = {name: taxonomy_of(tree) for name, tree in self.trees.items()}
        return Series(
            tuple(
                Edition(
                    Target(
                        frame_of(rows, [*quasi, *(["s"] if i == self.told else [])]),
                        quasi,
                        ("s",) if i == self.told else (),
                        {name: taxonomies[name] for name in quasi},
                    )
                )
                for i, (rows, quasi) in enumerate(zip(self.rows, self.quasi, strict=True))
            )
        )


@st.composite
def parted(draw: st.DrawFn) -> Parted:
    shared = [f"a{i}" for i in range(draw(st.integers(1, 2)))]
    n_releases = draw(st.integers(2, 3))
    told = draw(st.integers(0, n_releases - 1))
    known = {
        name: draw(trees(name, 3, 2).filter(lambda t: len(t.leaves) > 1))
        for name in (*shared, *OWN[:n_releases])
    }
    quasi, rows = [], []
    for i in range(n_releases):
        others = [name for name in shared[1:] if draw(st.booleans())]
        quasi.append((shared[0], *others, OWN[i]))
        levels = {name: draw(st.integers(0, known[name].height)) for name in quasi[-1]}
        release: list[Row] = []
        for _ in range(draw(st.integers(1, 4))):
            row: dict[str, Hashable] = {
                name: known[name].generalize(draw(st.sampled_from(known[name].leaves)), level)
                for name, level in levels.items()
            }
            release.append({**row, "s": draw(st.sampled_from("xyz"))} if i == told else row)
        rows.append(release)
    return Parted(rows, quasi, known, told)


@given(
    parted(),
    st.data(),
    st.integers(1, 3),
    st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)]),
)
def test_matches(releases: Parted, data: st.DataObject, k: int, limit: Fraction) -> None:
    named = list(dict.fromkeys(name for quasi in releases.quasi for name in quasi))
    x = data.draw(st.lists(st.sampled_from(named), unique=True, min_size=1))
    assume(all(set(x) & set(quasi) for quasi in releases.quasi))
    value = data.draw(st.sampled_from([None, "x"]))
    assume(value is None or any(row["s"] == value for row in releases.rows[releases.told]))
    rules = []
    if data.draw(st.booleans()):
        b, c = (
            data.draw(st.sampled_from(sorted({str(row[n]) for row in rows})))
            for n, rows in zip(OWN[:2], releases.rows[:2], strict=True)
        )
        assume("*" not in (b, c))
        rules = [("b", b, "c", c)]
    attack = attacks.SequentialJoin(
        x=x,
        y="s" if value is None else f"s={value}",
        k=k,
        limit=limit,
        inconsistent=[f"{a}={v}, {b}={w}" for a, v, b, w in rules],
    )
    outcome = attack.run(releases.series())

    matches = list(witness.join(releases.rows, releases.trees, rules))
    groups: dict[tuple[Hashable, ...], Counter[Hashable]] = {}
    shown = []
    for match in matches:
        rows = [release[i] for release, i in zip(releases.rows, match, strict=True)]
        shown.append(witness.known_by(rows, x))
        groups.setdefault(shown[-1], Counter())[rows[releases.told]["s"]] += 1
    sure = {
        group: Fraction(max(values.values()) if value is None else values[value], values.total())
        for group, values in groups.items()
    }
    telling = {
        group
        for group, values in groups.items()
        if sure[group] > limit or (value is None and len(values) < k)
    }
    told = {match[-1] for match, group in zip(matches, shown, strict=True) if group in telling}
    assert outcome.details["rows"] == len(matches)
    assert outcome.details["groups"] == len(groups)
    assert outcome.details["too_telling"] == len(telling)
    assert outcome.highest == pytest.approx(float(max(sure.values(), default=Fraction(0))))
    assert outcome.n_fallen == len(told)
    for i, release in enumerate(releases.rows):
        matched = {match[i] for match in matches}
        assert outcome.details[f"dangling_{i + 1}"] == len(release) - len(matched)
    if groups:
        assert outcome.details["smallest_group"] == min(v.total() for v in groups.values())
