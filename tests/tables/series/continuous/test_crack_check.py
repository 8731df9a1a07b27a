"""Crack check: what the search takes to be left of people is what the attack finds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.series.growing import Growing, growing, publish_all
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.crack_candidates import Targets, survey_kinds
from unlinkable.tables.attacks.series.shared.record_classes import Numbers, crossing
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.cuts.shared.node_tree import Tree
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.continuous.crack_check import Bounds, CrackCheck
from unlinkable.tables.series.continuous.earlier_releases import EarlierReleases
from unlinkable.tables.series.continuous.next_classes import NextClasses
from unlinkable.tables.series.policy import Past
from unlinkable.tables.taxonomies.published_values import write_ranges
from unlinkable.typing import CodeArray

Cuts = list[CodeArray]
"""For every column and each code, the first code of the node that it is shown as, and the end."""


@st.composite
def cuts_of(draw: st.DrawFn, table: Table) -> Cuts:
    """Draw a cut through the taxonomy of every column."""
    found = []
    for attribute in table.attributes:
        tree, shown = Tree.of(attribute.taxonomy), np.zeros((attribute.taxonomy.n, 2), np.int32)
        nodes = [0]
        while nodes:
            node = nodes.pop()
            below = tree.children(node).tolist()
            if below and draw(st.booleans()):
                nodes += below
            else:
                shown[tree.lo[node] : tree.hi[node]] = tree.lo[node], tree.hi[node]
        found.append(shown)
    return found


def published(table: Table, cuts: Cuts) -> Target:
    texts = {}
    for attribute, shown in zip(table.attributes, cuts, strict=True):
        mine = shown[table.codes(attribute.name)]
        texts[attribute.name] = write_ranges(attribute.taxonomy, mine[:, 0], mine[:, 1]).tolist()
    frame = pl.DataFrame(texts, schema=dict.fromkeys(texts, pl.String)).with_columns(
        table.frame.select(table.schema.sensitive)
    )
    taxonomies = {a.name: a.taxonomy for a in table.attributes}
    return Target(frame, table.schema.quasi, table.schema.sensitive, taxonomies)


def state_of(table: Table, cuts: Cuts) -> NextClasses:
    """Sort the distinct records by what they show."""
    keys = count(table).finest.keys
    occurring = [np.append(np.unique(keys[:, j]), len(cuts[j])) for j in range(keys.shape[1])]
    shown = tuple(
        codes[np.searchsorted(codes, cut[:, 0])].astype(np.int32)
        for codes, cut in zip(occurring, cuts, strict=True)
    )
    rows = np.column_stack([shown[j][keys[:, j]] for j in range(keys.shape[1])])
    _, labels, sizes = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(labels.ravel(), kind="stable").astype(np.int32)
    end = np.cumsum(sizes).astype(np.int64)
    return NextClasses(order, end - sizes, end, shown)


def history(grown: Growing) -> tuple[Past, Table]:
    """Publish all but the last batch, in some way."""
    *earlier, last = grown.ends
    before = Growing(grown.ages, grown.jobs, grown.hidden, earlier, 1, Fraction(1))
    made = [past for _, _, past in publish_all(Continuous(numbers="taxonomy"), before)]
    return made[-1] if made else Past(), grown.table(last)


@given(growing(n_people=12, n_columns=2), st.data(), st.sampled_from(Targets))
def test_the_search_sees_what_the_attack_sees(
    grown: Growing, data: st.DataObject, targets: Targets
) -> None:
    past, table = history(grown)
    assume(len(past))
    cuts = data.draw(cuts_of(table))
    edition = Edition(published(table, cuts), np.arange(len(table)), "now")
    series = Series((*past.editions, edition))
    numbers = Numbers.of(series)
    assume(crossing(numbers.classes, series.quasi) is None)
    people = None
    if targets is Targets.ACTUAL:
        people = np.full((len(table), len(series)), -1, np.int32)
        for i, (some, classes) in enumerate(zip(series.editions, numbers.classes, strict=True)):
            people[some.people, i] = classes.labels
    attacked = Counter(
        pair
        for kinds in survey_kinds(numbers, people)
        for pair in zip(kinds.left.tolist(), kinds.peak.tolist(), strict=True)
    )
    backdrop = EarlierReleases.of(grown.request(grown.ends[-1]), past, targets)
    watch = CrackCheck(backdrop, Bounds(1, Fraction(1), targets is Targets.ACTUAL), Counter())
    watched = Counter(
        pair
        for left, peak in watch.remaining(state_of(table, cuts))
        for pair in zip(left.tolist(), peak.tolist(), strict=True)
    )
    if targets is Targets.ACTUAL:
        # People who are alike in all releases may be listed by each of their records.
        assert watched.keys() == attacked.keys()
    else:
        assert watched == attacked


@given(growing(n_people=14), st.data(), st.sampled_from(Targets), st.integers(1, 2))
def test_a_step_concerns_only_what_shows_the_value_that_it_refines(
    grown: Growing, data: st.DataObject, targets: Targets, k: int
) -> None:
    past, table = history(grown)
    assume(len(past))
    before = data.draw(cuts_of(table))
    column = data.draw(st.integers(0, len(before) - 1))
    taxonomy = table.attributes[column].taxonomy
    tree, shown = Tree.of(taxonomy), before[column]
    is_open = ~tree.is_leaf & (shown[tree.lo] == np.column_stack([tree.lo, tree.hi])).all(axis=1)
    assume(is_open.any())
    node = data.draw(st.sampled_from(np.flatnonzero(is_open).tolist()))
    after = [cut.copy() for cut in before]
    for child in tree.children(node).tolist():
        after[column][tree.lo[child] : tree.hi[child]] = tree.lo[child], tree.hi[child]
    for cuts in (before, after):
        series = Series((*past.editions, Edition(published(table, cuts), np.arange(len(table)))))
        assume(crossing(Numbers.of(series).classes, series.quasi) is None)
    refined = (column, int(tree.lo[node]), int(tree.hi[node]))
    codes = table.codes(table.attributes[column].name)
    assume(((codes >= refined[1]) & (codes < refined[2])).any())
    backdrop = EarlierReleases.of(grown.request(grown.ends[-1]), past, targets)
    watch = CrackCheck(backdrop, Bounds(k, grown.c, targets is Targets.ACTUAL), Counter())
    then, now = state_of(table, before), state_of(table, after)
    was_good, is_good = watch.holds(then), watch.holds(now)
    assert watch.holds(now, refined) or not is_good
    if was_good:
        assert watch.holds(now, refined) == is_good
    # Theorem 10.5: what is left never rises, of those who are there, and of those who are new.
    for at, ((old, _), (new, _)) in enumerate(
        zip(watch.remaining(then), watch.remaining(now), strict=True)
    ):
        is_last = backdrop.n_new > 0 and at == len(backdrop.cohorts)
        if targets is Targets.ACTUAL or is_last:
            assert new.min() <= old.min()
