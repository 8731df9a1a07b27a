"""sequential-join: the book's joins, every combination of records in loops, and the refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.attacks.series.joining import Plain, join, matches, releases, series_of, told
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.series.sequential_join import SequentialJoin
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.joins.nodes import MOST_PAIRS, Nodes, match
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Tree

RULES = ("a=A, c=c0", "b=b1, d=d0")
PLAIN_RULES = (("a", "A", "c", "c0"), ("b", "b1", "d", "d0"))


def frame_of(given: Mapping[str, Any], *without: str) -> pl.DataFrame:
    """Read a table of a worked example."""
    columns = dict(zip(given["columns"], zip(*given["rows"], strict=True), strict=True))
    return pl.DataFrame({n: list(v) for n, v in columns.items() if n not in without})


def meaning(nested: Mapping[str, Any]) -> Taxonomy:
    return Tree(nested, pad=True).build(observe("a column", []))


def series_from(*targets: Target, people: bool = False) -> Series:
    return Series(
        tuple(
            Edition(t, np.arange(len(t)) if people else None, f"release {i + 1}")
            for i, t in enumerate(targets)
        )
    )


def test_example_9_1_sharpens_weakens_and_infers() -> None:
    case = cases.load("book-ch09-ex9.1-sequential-join")
    stated, computed = case["expected"]["stated"], case["expected"]["computed"]
    first, second = (frame_of(case["input"][name], "Pid") for name in ("T1", "T2"))
    series = series_from(
        Target(first, ("Job",), ("Disease",)), Target(second, ("Name", "Job"), ()), people=True
    )

    both = SequentialJoin(x=("Name", "Disease"), y="Class").run(series)
    assert both.details["rows"] == stated["join_size"] == 7
    assert both.details["smallest_group"] == stated["size_{Bob,HIV}_in_join"] == 1
    assert both.details["true_matches"] == 5
    sizes = computed["group_sizes_on_{Name,Disease}"]
    assert both.details["groups"] == len(sizes)
    # {Bob, HIV} and {Bob, Cancer} have 1 row, Bob 2 records, HIV 2; {Alice, Cancer} has 4.
    assert (both.details["sharper"], both.details["weaker"]) == (2, 1)

    inferred = SequentialJoin(x="Name", limit="0.9").run(series)
    assert inferred.highest == stated["conf_Alice->Cancer"]
    learned = {v.who["Name"]: (v.confidence, dict(v.learned)) for v in inferred.victims}
    for name, shares in computed["confidences_Name->Disease"].items():
        assert learned[name][0] == max(shares.values())
    assert inferred.n_fallen == 3  # both Alices, and Cathy
    assert inferred.details["sure_of_Disease_alone"] == 0.6


def test_example_9_4_links_bankers_of_the_uk_to_hiv() -> None:
    case = cases.load("book-ch09-ex9.4-linkability-on-join")
    stated, computed = case["expected"]["stated"], case["expected"]["computed"]
    outcome = SequentialJoin(x=case["input"]["X"], y="Test=HIV", limit="0.9").run(_ex_9_4(case))
    assert outcome.highest == stated["L_HIV(X)"]
    assert outcome.details["rows"] == computed["join_size"]
    assert outcome.details["groups"] == len(computed["x_values"])
    assert outcome.details["matched_on"] == "PoB, Sex"
    assert outcome.victims[0].records == stated["joined_records_with_{Banker,UK,Z3}"]
    assert outcome.victims[0].who == {
        "PoB of release 1": "UK",
        "Zip": "Z3",
        "Job": "Banker",
        "PoB of release 2": "UK",
    }
    assert outcome.victims[0].learned == {"Test": "HIV"}
    assert outcome.n_fallen == 2
    assert outcome.details["dangling_1"] == outcome.details["dangling_2"] == 0


def test_example_9_5_counts_what_generalizing_does() -> None:
    case = cases.load("book-ch09-ex9.5-tds4sa-trees")
    europe = {"UK": "Europe", "FR": "Europe", "US": "US"}
    for shown, size, stated in (
        (
            dict.fromkeys(europe, "ANY_PoB"),
            "join_size_initial",
            case["expected"]["stated"]["initial"],
        ),
        (europe, "join_size_after", case["expected"]["stated"]["after"]),
    ):
        attack = SequentialJoin(x=case["input"]["X"], y="Test=HIV", limit="0.9")
        outcome = attack.run(_ex_9_4(case, shown))
        assert outcome.highest == pytest.approx(stated["L"])
        assert outcome.details["rows"] == case["expected"]["computed"][size]
        trees = [key for key in case["expected"]["computed"] if key.startswith("xtree")]
        tree = case["expected"]["computed"][trees[0 if "initial" in size else 1]]
        assert outcome.details["groups"] == len(tree)
        assert outcome.details["smallest_group"] == min(leaf["a(x)"] for leaf in tree)


def _ex_9_4(case: Mapping[str, Any], shown: Mapping[str, str] | None = None) -> Series:
    first, second = (frame_of(case["input"][name]) for name in ("T1", "T2"))
    if shown is not None:
        second = second.with_columns(pl.col("PoB").replace(shown), pl.lit("*").alias("Job"))
    pob = meaning(case["input"]["taxonomy"]["PoB"])
    return series_from(
        Target(first, ("PoB", "Sex", "Zip"), (), {"PoB": pob}),
        Target(second, ("Job", "PoB", "Sex"), ("Test",), {"PoB": pob}),
    )


def test_section_9_2_rises_after_a_record_dangles() -> None:
    case = cases.load("book-ch09-sec9.2-nonmonotone-without-population-relatedness")
    stated, taxonomy = case["expected"]["stated"], meaning(case["input"]["taxonomy"]["D"])
    first = frame_of(case["input"]["T1"])
    found = []
    for which in ("T2_before", "T2_after"):
        then = frame_of(case["input"][which])
        series = series_from(
            Target(first, ("D",), ("Y",), {"D": taxonomy}),
            Target(then, ("C", "D"), (), {"D": taxonomy}),
        )
        details = SequentialJoin(x=("C", "D"), limit=1).run(series).details
        found.append((details["rows"], details["fewest_values"], details["dangling_2"]))
    assert found == [
        (stated["matches_before"], stated["A_before"], 0),
        (stated["matches_after"], stated["A_after"], 1),
    ]


def test_example_8_1_joins_views_by_job() -> None:
    case = cases.load("book-ch08-ex8.1-join-attack")
    stated, computed = case["expected"]["stated"], case["expected"]["computed"]
    first, second = (frame_of(case["input"][name]) for name in ("T1", "T2"))
    series = series_from(
        Target(first, ("Age", "Job"), ()), Target(second, ("Job", "Birthplace"), ("Disease",))
    )
    outcome = SequentialJoin(x=case["input"]["X"]).run(series)
    assert outcome.details["rows"] == stated["join_size"]
    assert outcome.details["groups"] == len(computed["group_sizes_on_X_in_join"])
    assert outcome.details["smallest_group"] == computed["min_group_size_on_X"]
    assert outcome.highest == computed["L_Y(X)"]


def test_examples_9_2_and_9_3_are_about_one_release() -> None:
    case = cases.load("book-ch09-ex9.2-xy-anonymity-per-patient")
    visits, computed = frame_of(case["input"]["Inpatient"]), case["expected"]["computed"]
    series = series_from(Target(visits, ("Job", "Zip", "PoB"), ("Test",)))
    for y in ("Pid", "Test"):
        found = SequentialJoin(case["input"]["X"], y).joined(series)
        assert found.counts[0].kinds == computed[f"A_Y(X)_with_Y={y}"]
        assert found.counts[0].least == computed["records_per_X_group"]
    case = cases.load("book-ch09-ex9.3-linkability")
    visits, computed = frame_of(case["input"]["records"]), case["expected"]["computed"]
    series = series_from(Target(visits, ("Job", "Zip", "PoB"), ("Test",)))
    for limit in ("0.9", "0.89"):
        outcome = SequentialJoin(case["input"]["X"], "Test", limit=limit).attack(
            series, AdversaryKnowledge()
        )
        assert outcome.highest == computed["L_Y(X)"]
        assert outcome.succeeded != computed[f"satisfied_at_{limit}"]


@given(st.data())
def test_says_what_every_combination_of_records_says(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 3))
    drawn = data.draw(releases(n=n, max_people=6 if n == 2 else 4))
    there = sorted({name for r in drawn for name in r.rows[0]} - {"y"})
    x = data.draw(st.lists(st.sampled_from(there), min_size=1, unique=True))
    limit = data.draw(st.fractions(Fraction(1, 5), 1, max_denominator=6))
    k, ruled = data.draw(st.integers(1, 3)), data.draw(st.booleans())
    value = data.draw(st.sampled_from([None, "y0"]))
    attack = SequentialJoin(
        x,
        "y" if value is None else f"y={value}",
        k=k,
        limit=limit,
        inconsistent=RULES if ruled else (),
    )
    outcome = attack.run(series_of(drawn))
    rules = PLAIN_RULES if ruled else ()
    truth = told(drawn, x, "y", limit, k, value=value, rules=rules)
    rows = join(drawn, rules)
    assert outcome.highest == float(truth.highest)
    assert outcome.n_fallen == len(truth.falls)
    assert outcome.details["rows"] == len(rows)
    assert outcome.details["groups"] == len(truth.sizes)
    if rows:
        assert outcome.details["fewest_values"] == truth.fewest
        assert outcome.details["smallest_group"] == truth.smallest
    for i, release in enumerate(drawn):
        n_matched = len({at[i] for at in rows})
        assert outcome.details[f"dangling_{i + 1}"] == len(release.rows) - n_matched
    assert outcome.details["true_matches"] == _n_true(drawn, rules)
    assert (outcome.details["sharper"], outcome.details["weaker"]) == _effects(
        drawn, x, truth.sizes
    )
    for victim in outcome.victims:
        assert victim.confidence in {float(share) for share in truth.shares.values()}


def _n_true(drawn: list[Plain], rules: tuple[tuple[str, str, str, str], ...]) -> int:
    whose = [dict(zip(r.people or (), r.rows, strict=True)) for r in drawn]
    return sum(
        all(p in one for one in whose) and matches([one[p] for one in whose], rules)
        for p in range(10)
    )


def _effects(
    drawn: list[Plain], x: list[str], sizes: Mapping[tuple[str, ...], int]
) -> tuple[int, int]:
    """Compare every group of the join with the groups of the releases that know anything."""
    alone, widths = [], []
    for release in drawn:
        known = [name for name in x if name in release.rows[0]]
        widths.append(len(known))
        if known:
            alone.append(Counter(tuple(row[n] for n in known) for row in release.rows))
    sharper = weaker = 0
    for key, n in sizes.items():
        parts, at = [], 0
        for width in widths:
            if width:
                parts.append(key[at : at + width])
            at += width
        before = [groups[part] for groups, part in zip(alone, parts, strict=True)]
        sharper += n < min(before)
        weaker += n > max(before)
    return sharper, weaker


@given(releases(n=2), st.data())
def test_knowing_all_that_is_matched_looks_up_what_counting_rows_gives(
    drawn: list[Plain], data: st.DataObject
) -> None:
    shared = set(drawn[0].rows[0]) & set(drawn[1].rows[0])
    there = sorted(({*drawn[0].rows[0]} | {*drawn[1].rows[0]}) - {"y"})
    x = [name for name in there if name in shared or data.draw(st.booleans())] or there[:1]
    if "y" in shared:
        return
    outcome = SequentialJoin(x, limit=Fraction(1, 2)).run(series_of(drawn))
    truth = told(drawn, x, "y", Fraction(1, 2))
    assert (outcome.highest, outcome.n_fallen) == (float(truth.highest), len(truth.falls))


def test_generalizing_keeps_every_match_and_inconsistency_is_inherited() -> None:
    first = pl.DataFrame({"sex": ["Married_Male", "Single_Male", "Female"], "job": ["j", "k", "l"]})
    then = pl.DataFrame({"state": ["6_Month_Pregnant", "Well"], "ill": ["flu", "hiv"]})
    sex = meaning({"Male": ["Married_Male", "Single_Male"], "Female": {}})
    state = meaning({"Pregnant": ["6_Month_Pregnant", "9_Month_Pregnant"], "Well": {}})
    series = series_from(
        Target(first, ("sex", "job"), (), {"sex": sex}),
        Target(then, ("state",), ("ill",), {"state": state}),
    )
    rule = "sex=Male, state=Pregnant"
    assert SequentialJoin().run(series).details["rows"] == 6
    ruled = SequentialJoin(inconsistent=rule).run(series)
    assert ruled.details["rows"] == 4
    assert ruled.victims[0].learned  # two rows of the join tell what men have
    assert SequentialJoin(inconsistent="state=Pregnant, sex=Male").run(series).details["rows"] == 4


def test_numbers_take_part_only_if_asked() -> None:
    first = pl.DataFrame({"age": [30, 40], "job": ["a", "b"]})
    then = pl.DataFrame({"age": ["[30-35)", "[35-45)"], "ill": ["flu", "hiv"]})
    series = series_from(Target(first, ("age", "job"), ()), Target(then, ("age",), ("ill",)))
    assert SequentialJoin().run(series).details["rows"] == 4
    assert SequentialJoin(numbers=True).run(series).details["rows"] == 2


def test_each_value_may_have_a_bound_of_its_own() -> None:
    first = pl.DataFrame({"job": ["a"] * 10})
    then = pl.DataFrame({"job": ["a"] * 10, "ill": ["hiv"] * 2 + ["flu"] * 8})
    series = series_from(Target(first, ("job",), ()), Target(then, ("job",), ("ill",)))
    assert SequentialJoin(y=["ill=hiv<=0.2"]).run(series).n_fallen == 0
    assert SequentialJoin(y=["ill=hiv<=0.19"]).run(series).n_fallen == 10
    assert SequentialJoin(y=["ill<=0.8"]).run(series).n_fallen == 0
    attack = SequentialJoin(x="job", y=["ill=hiv<=0.2", "ill"], k=2, limit="2/3")
    assert str(attack) == (
        'sequential-join(x=["job"], y=["ill=hiv<=0.2", "ill"], k=2, limit="2/3")'
    )
    assert attack.run(series).n_fallen == 10


def test_many_releases_are_looked_up_without_counting_their_rows() -> None:
    n = 2_000
    frames = [
        pl.DataFrame({"id": [f"p{i}" for i in range(n)], f"q{j}": ["v"] * n}) for j in range(7)
    ]
    targets = [Target(f, tuple(f.columns), ()) for f in frames]
    last = pl.DataFrame({"s": ["x", "y"] * (n // 2)})
    series = series_from(*targets, Target(last.with_columns(q9=pl.lit("v")), ("q9",), ("s",)))
    outcome = SequentialJoin().run(series)
    assert outcome.highest == 0.5
    assert outcome.details["rows"] == n * n


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"y": ()}, "y must name at least one column"),
        ({"y": ["=HIV"]}, "cannot read '=HIV'"),
        ({"y": ["ill="]}, "cannot read 'ill='"),
        ({"y": ["ill<=2"]}, r"the bound of 'ill<=2' must lie in \(0, 1\], got 2"),
        ({"x": ()}, "x must name at least one column"),
        ({"x": "ill", "y": "ill=flu"}, "column 'ill' is in x and in y"),
        ({"inconsistent": "Male, Pregnant"}, "write two values that nobody has at once"),
        ({"inconsistent": "sex=m, sex=f"}, "names column 'sex' twice"),
        ({"inconsistent": ["a=1, b=1"] * 2}, "'a=1, b=1' is named twice: name each once"),
        (
            {"inconsistent": [f"a={i}, b=1" for i in range(63)]},
            "has 63 rules, and 62 are looked at at most",
        ),
        ({"k": 0}, "k must be at least 1"),
        ({"limit": 0}, "limit must lie in"),
        ({"numbers": 1}, "numbers must be true or false"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        SequentialJoin(**parameters)


def test_refuses_releases_that_it_cannot_join() -> None:
    told_ = pl.DataFrame({"job": ["a"], "age": [3]})
    plain = Target(told_, ("job",), ())
    with pytest.raises(SchemaError, match="no column is sensitive: name what is to stay hidden"):
        SequentialJoin().run(series_from(plain, plain))
    with pytest.raises(SchemaError, match="no column 'zip' among 2"):
        SequentialJoin(x="zip", y="job").run(series_from(plain, plain))
    with pytest.raises(SchemaError, match="no column is known to others"):
        SequentialJoin(y="job").run(series_from(plain, plain))
    with pytest.raises(SchemaError, match="a rule names column 'age', which holds numbers"):
        SequentialJoin("job", "age", inconsistent="age=3, job=a").run(series_from(plain, plain))
    with pytest.raises(UnsupportedError, match="release 2 has buckets"):
        SequentialJoin().run(series_from(plain, Target(told_, ("job",), (), bucket="age")))
    with pytest.raises(UnsupportedError, match="values of release 2 were replaced"):
        SequentialJoin().run(series_from(plain, Target(told_, ("job",), (), is_truthful=False)))


def test_refuses_what_cannot_be_counted() -> None:
    none = np.zeros((4, 0), np.int32)
    zeros = np.zeros(4, np.int64)
    nodes = Nodes(none, none, zeros, zeros)
    with pytest.raises(UnsupportedError, match="16 pairs of what two releases show match, and 15"):
        match(nodes, nodes, (), most=15)
    assert MOST_PAIRS == 50_000_000
    wide = pl.DataFrame({"q": [f"v{i}" for i in range(8_000)], "j": ["a", "b"] * 4_000})
    targets = [Target(wide.rename({"q": f"q{i}", "j": f"j{i}"}), (f"q{i}",), ()) for i in range(2)]
    last = Target(pl.DataFrame({"s": ["x", "y"], "j0": ["a", "b"]}), (), ("s",))
    with pytest.raises(UnsupportedError, match="the join of earlier releases has more than"):
        SequentialJoin(x=("q0", "q1")).run(series_from(*targets, last))
    short = [
        Target(pl.DataFrame({f"q{i}": ["v"] * 30_000, f"j{i}": ["a", "b"] * 15_000}), (), ())
        for i in range(5)
    ]
    last = Target(pl.DataFrame({"s": ["x", "y"], "j0": ["a", "b"]}), (), ("s",))
    with pytest.raises(UnsupportedError, match="may have more rows than can be counted"):
        SequentialJoin(x="q0").run(series_from(*short, last))
