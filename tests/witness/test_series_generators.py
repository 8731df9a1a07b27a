"""F-, C- and B-attack, compared with all ways in which records can belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import trees
from tests.tables.groups.plain import taxonomy_of
from tests.witness import generators as witness
from tests.witness.models import Row
from tests.witness.releases import frame_of
from tests.witness.tree import Tree
from unlinkable.tables import attacks
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series


@dataclass(frozen=True)
class Growing:
    """Two releases of a growing table, each by one cut of every taxonomy; row i is of person i."""

    rows: tuple[list[Row], list[Row]]
    qid: tuple[str, ...]
    trees: dict[str, Tree]

    def series(self) -> Series:
        taxonomies = {name: taxonomy_of(tree) for name, tree in self.trees.items()}
        return Series(
            tuple(
                Edition(Target(frame_of(rows), self.qid, ("s",), taxonomies), np.arange(len(rows)))
                for rows in self.rows
            )
        )

    def targets(self) -> list[witness.Target]:
        return witness.targets(*self.rows, self.qid, "s", self.trees)

    def only_new(self) -> list[int]:
        """Give the sizes of classes of the second release that are like none of the first."""
        found = [
            tuple(row[c] for c in self.qid)
            for row in self.rows[1]
            if not any(witness.comparable(row, one, self.qid, self.trees) for one in self.rows[0])
        ]
        return list(Counter(found).values())

    def exists(self, target: witness.Target) -> bool:
        """Whether there is somebody in these classes who came when he came."""
        then = [tuple(row[c] for c in self.qid) for row in self.rows[1]]
        first = [tuple(row[c] for c in self.qid) for row in self.rows[0]]
        first += [None] * (len(then) - len(first))  # type: ignore[list-item]
        return target.classes in list(zip(first, then, strict=True))


@st.composite
def cuts(draw: st.DrawFn, tree: Tree) -> dict[Hashable, Hashable]:
    """Draw a cut of a taxonomy: what each leaf is published as."""
    found = {}
    expanded: dict[tuple[int, Hashable], bool] = {}
    for leaf in tree.leaves:
        level = tree.height
        while level > 0:
            node = level, tree.generalize(leaf, level)
            if node not in expanded:
                expanded[node] = draw(st.booleans())
            if not expanded[node]:
                break
            level -= 1
        found[leaf] = tree.generalize(leaf, level)
    return found


@st.composite
def growing(draw: st.DrawFn) -> Growing:
    qid = tuple(f"q{i}" for i in range(draw(st.integers(1, 2))))
    known = {name: draw(trees(name, 4, 2).filter(lambda t: len(t.leaves) > 1)) for name in qid}
    n = draw(st.integers(2, 7))
    people = [
        {
            **{name: draw(st.sampled_from(known[name].leaves)) for name in qid},
            "s": draw(st.sampled_from("xyz")),
        }
        for _ in range(n)
    ]
    n_first = draw(st.integers(1, min(n, 4)))
    published: list[list[Row]] = []
    for members in (people[:n_first], people):
        cut = {name: draw(cuts(known[name])) for name in qid}
        published.append(
            [{**{name: cut[name][row[name]] for name in qid}, "s": row["s"]} for row in members]
        )
    return Growing((published[0], published[1]), qid, known)


def fewest(found: Sequence[witness.Target], *, late: bool, attacked: int) -> int | None:
    return min(
        (
            target.n_left
            for target in found
            if (target.classes[0] is None) == late and target.attacked == attacked
        ),
        default=None,
    )


@given(growing(), st.booleans(), st.integers(1, 4))
def test_what_is_left_of_everybody(both: Growing, only_actual: bool, k: int) -> None:
    attack = attacks.Correspondence(k=k, limit=1, targets="actual" if only_actual else "possible")
    outcome = attack.run(both.series())
    has_new = len(both.rows[0]) < len(both.rows[1])
    found = [t for t in both.targets() if has_new or t.classes[0] is not None]
    if only_actual:
        found = [target for target in found if both.exists(target)]
    assert outcome.details["FA"] == fewest(found, late=False, attacked=0)
    attacked = fewest(found, late=False, attacked=1)
    # A class that nobody of the first release can be in counts whole (definition 10.4).
    whole = [] if only_actual else both.only_new()
    assert outcome.details["CA"] == min(n for n in (*whole, attacked) if n is not None)
    assert outcome.details["BA"] == fewest(found, late=True, attacked=1)
    assert outcome.succeeded == any(target.n_left < k for target in found)
    if only_actual:
        fallen = {target.classes for target in found if target.n_left < k}
        shown = [[tuple(row[c] for c in both.qid) for row in rows] for rows in both.rows]
        n = sum(
            ((shown[0][i] if i < len(shown[0]) else None), late) in fallen
            for i, late in enumerate(shown[1])
        )
        assert outcome.n_fallen == n


@given(growing(), st.booleans(), st.sampled_from([Fraction(1, 2), Fraction(2, 3)]))
def test_shares_of_what_is_left(both: Growing, only_actual: bool, limit: Fraction) -> None:
    attack = attacks.Correspondence(
        k=1, limit=limit, targets="actual" if only_actual else "possible"
    )
    outcome = attack.run(both.series())
    has_new = len(both.rows[0]) < len(both.rows[1])
    found = [t for t in both.targets() if has_new or t.classes[0] is not None]
    if only_actual:
        found = [target for target in found if both.exists(target)]
    shares = [Fraction(max(t.left.values()), t.n_left) for t in found if t.n_left]
    assert outcome.highest == pytest.approx(float(max(shares, default=Fraction(0))))
    is_short = any(target.n_left < 1 for target in found)
    assert outcome.succeeded == (is_short or any(share > limit for share in shares))
