"""Small tables, an algorithm of a few lines that publishes them, and all tables one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from attrs import evolve, frozen
from hypothesis import assume
from hypothesis import strategies as st

import unlinkable as ul
from unlinkable.errors import InfeasibleError
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Oracle, Target
from unlinkable.tables.data import Table
from unlinkable.tables.data.side import Side
from unlinkable.tables.publishing.anonymizing.oracle import MethodOracle
from unlinkable.tables.publishing.attacking.targets import truth_of
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.taxonomies import observe

Row = tuple[Any, ...]
Posterior = dict[tuple[int, Any], Fraction]

JOBS = ul.Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})


def permutations(values: Sequence[Any]) -> Iterator[Row]:
    """Give every way to deal values out, each once."""
    if not values:
        yield ()
        return
    for value in dict.fromkeys(values):
        rest = list(values)
        rest.remove(value)
        for others in permutations(rest):
            yield (value, *others)


def by_enumeration(
    people: Sequence[Row], told: Sequence[Row], publish: Callable[[Sequence[Row]], list[Row] | None]
) -> tuple[int, Posterior]:
    """Run an algorithm on all tables of these people and values; keep those it makes this of.

    Gives the number of tables kept, and for each person and value the share of them.
    """
    shown, kept = Counter(told), []
    for values in permutations([row[-1] for row in told]):
        answer = publish([(*person, value) for person, value in zip(people, values, strict=True)])
        if answer is not None and Counter(answer) == shown:
            kept.append(values)
    found = Counter((i, value) for values in kept for i, value in enumerate(values))
    return len(kept), {key: Fraction(n, len(kept)) for key, n in found.items()}


@frozen
class Plain:
    """An algorithm of a few lines: the first recoding in which no value has too large a share.

    It writes values like ``a0`` as they are, as ``a`` or as ``*``, all values of a column alike.
    """

    share: Fraction
    is_random: bool = False

    @property
    def algorithm(self) -> str:
        return "the first recoding that will do"

    def recoded(self, rows: Sequence[Row]) -> list[Row] | None:
        """Give the rows as they are published; None if no recoding will do."""
        for levels in product((2, 1, 0), repeat=len(rows[0]) - 1):
            found = [
                (*(v[:n] or "*" for v, n in zip(row[:-1], levels, strict=True)), row[-1])
                for row in rows
            ]
            groups: dict[Row, list[str]] = {}
            for row in found:
                groups.setdefault(row[:-1], []).append(row[-1])
            if all(max(Counter(g).values()) <= self.share * len(g) for g in groups.values()):
                return found
        return None

    def publish(self, table: Table, rng: np.random.Generator) -> Target:
        found = self.recoded(table.frame.rows())
        if found is None:
            raise InfeasibleError("nothing keeps the promise")
        return told_of(found)


def told_of(rows: Sequence[Row]) -> Target:
    """Take rows for a release, the last column being sensitive."""
    names = tuple(f"q{j}" for j in range(len(rows[0]) - 1))
    tree = ul.Tree({"a": ["a0", "a1"], "b": ["b0", "b1"]}).build(observe("q", ["a0"]))
    frame = pl.DataFrame(rows, schema=[*names, "s"], orient="row")
    return Target(frame, names, ("s",), dict.fromkeys(names, tree))


def against(
    people: Sequence[Row], told: Sequence[Row], oracle: Oracle
) -> tuple[Target, AdversaryKnowledge]:
    """Take a release, and a list of people who are called by their number."""
    target = told_of(told)
    listed: dict[str, list[str]] = {"name": [f"{i}" for i in range(len(people))]}
    listed |= {name: [row[j] for row in people] for j, name in enumerate(target.quasi)}
    return target, AdversaryKnowledge(Side.of({"external": listed}), oracle=oracle)


def knowledge_of(release: Release, **changes: Any) -> AdversaryKnowledge:
    """Arm whoever attacks a release as its holder would."""
    quasi = release.table.frame.select(release.table.schema.quasi)
    knowledge = AdversaryKnowledge(
        Side.of({"external": quasi}), truth_of(release), MethodOracle(release)
    )
    return evolve(knowledge, **changes)


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[Row], list[Row], Plain]:
    """Draw people, what is published of them, and the algorithm that did."""
    n, width = draw(st.integers(2, 6)), draw(st.integers(1, 2))
    values = st.sampled_from(["a0", "a1", "b0", "b1"])
    people = draw(st.lists(st.tuples(*[values] * width), min_size=n, max_size=n))
    hidden = draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    plain = Plain(Fraction(draw(st.integers(1, 4)), 4))
    told = plain.recoded([(*p, v) for p, v in zip(people, hidden, strict=True)])
    assume(told is not None)
    assert told is not None
    return people, told, plain


def believed(outcome: Outcome) -> dict[int, float]:
    """Say how sure the adversary is of each person."""
    return {int(v.who["name"]): v.confidence for v in outcome.victims}


def surest(posterior: Posterior, n: int) -> list[Fraction]:
    return [max(p for (who, _), p in posterior.items() if who == i) for i in range(n)]


def small_table(seed: int, n: int = 6) -> Table:
    rng = np.random.default_rng(seed)
    return ul.as_table(
        {
            "age": rng.integers(20, 50, n).tolist(),
            "job": rng.choice(["Engineer", "Lawyer", "Dancer", "Writer"], n).tolist(),
            "ill": ["flu"] * (n // 2)
            + ["hiv", *rng.choice(["flu", "cold", "hiv"], n - n // 2 - 1)],
        },
        quasi=["age", "job"],
        sensitive="ill",
        taxonomies={"job": JOBS, "age": ul.Intervals(10)},
    )
