"""Plans to try: the least that one can say, that of the design, and random ones."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from hypothesis import strategies as st

from unlinkable.tables.publishing.plans.plan import Plan

DESIGNED = """
[data]
source = "adult.csv"                 # CSV, Parquet, Arrow, Excel, or a SQL address with a query

[columns.age]
role = "quasi-identifier"            # identifier · quasi-identifier · sensitive · target · ...
taxonomy = { intervals = [5, 10, 20] }

[columns.zip]
role = "quasi-identifier"
taxonomy = { mask = 5 }
weight = 2.0                         # importance for utility

[columns.occupation]
role = "sensitive"

[[privacy]]
model = "k-anonymity"
k = 5

[method]
name = "optimal"
suppression = 0.05                   # share of records that may be left out

[utility]
metric = "iloss"
"""


def document(**tables: object) -> dict[str, object]:
    """Give the least that a plan can say, and more."""
    columns = {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}
    return {"data": {"source": "a.csv"}, "columns": columns, **tables}


def plan(**tables: object) -> Plan:
    return Plan.from_dict(document(**tables))


def saved(folder: Path, text: str) -> Path:
    file = folder / "plan.toml"
    file.write_text(text, encoding="utf-8")
    return file


names = st.text(min_size=1, max_size=6)


shares = st.fractions(0, Fraction(99, 100), max_denominator=1000)


taxonomies = st.one_of(
    st.just({"flat": True}),
    st.builds(lambda n: {"mask": n}, st.integers(1, 9)),
    st.builds(lambda csv: {"csv": csv}, names),
    st.builds(lambda w: {"intervals": [w, 2 * w]}, st.integers(1, 1000) | st.just(0.5)),
    st.dictionaries(names, st.lists(names, min_size=1, max_size=30, unique=True), min_size=1).map(
        lambda tree: {"tree": tree}
    ),
)


columns = st.one_of(
    st.fixed_dictionaries(
        {"role": st.just("quasi-identifier")},
        optional={"taxonomy": taxonomies, "weight": st.floats(0.001, 1e9)},
    ),
    st.fixed_dictionaries({"role": st.just("sensitive")}, optional={"taxonomy": taxonomies}),
    st.fixed_dictionaries({"role": st.sampled_from(["identifier", "target", "insensitive"])}),
    st.fixed_dictionaries(
        {"role": st.just("identifier"), "treatment": st.just("mask")},
        optional={"keep_left": st.integers(0, 3), "fill": st.just("#")},
    ),
    st.fixed_dictionaries(
        {"role": st.just("identifier"), "treatment": st.just("pseudonym")},
        optional={"prefix": names, "length": st.integers(8, 48)},
    ),
)


models = st.one_of(
    st.builds(lambda k: {"model": "k-anonymity", "k": k}, st.integers(1, 10**6)),
    st.builds(
        lambda k, qid: {"model": "k-anonymity", "k": k, "qid": qid},
        st.integers(1, 9),
        st.lists(names, min_size=1),
    ),
    st.builds(
        lambda t, s: {"model": "t-closeness", "t": t, "sensitive": s, "distance": "ordered"},
        shares.map(str),
        names,
    ),
)


documents = st.fixed_dictionaries(
    {
        "data": st.fixed_dictionaries(
            {"source": names},
            optional={
                "query": st.text(),
                "separator": st.sampled_from(",;|"),
                "encoding": names,
                "header": st.booleans(),
                "infer": st.booleans(),
                "sheet": names | st.integers(0, 9),
                "missing": st.lists(st.text()),
                "types": st.dictionaries(names, st.sampled_from(["text", "%d/%m/%Y"])),
                "others": st.sampled_from(["drop", "insensitive"]),
            },
        ),
        "columns": st.dictionaries(names, columns, max_size=4),
        "pseudonyms": st.fixed_dictionaries({"key": names}),
    },
    optional={
        "privacy": st.lists(models, max_size=3),
        "method": st.fixed_dictionaries(
            {"name": st.sampled_from(["mondrian", "mondrian(strict=false)"])},
            optional={"suppression": shares | shares.map(float)},
        ),
        "utility": st.fixed_dictionaries(
            {"metric": st.sampled_from(["iloss", "discernibility"])},
            optional={"metrics": st.just(["average-class-size(k=3)"])},
        ),
        "release": st.fixed_dictionaries(
            {},
            optional={
                "out": names,
                "format": st.sampled_from(["csv", "parquet"]),
                "seed": st.integers(0),
                "sign": names,
            },
        ),
    },
)
