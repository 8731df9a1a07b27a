"""Grids: which lists are alternatives, and which are what the parameter wants."""

from __future__ import annotations

from itertools import product
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.registry.grid import expanded
from unlinkable.registry.lookup import entries, make
from unlinkable.tables.models import DistinctLDiversity, KAnonymity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k-anonymity(k=5)", ["k-anonymity(k=5)"]),
        ("k-anonymity(k=[5])", ["k-anonymity(k=5)"]),
        ("k-anonymity(k=[9, 2])", ["k-anonymity(k=9)", "k-anonymity(k=2)"]),
        ("k-anonymity(k=5, qid=[age, zip])", ['k-anonymity(k=5, qid=["age", "zip"])']),
        (
            "k-anonymity(k=[2, 3], qid=[age, zip])",
            ['k-anonymity(k=2, qid=["age", "zip"])', 'k-anonymity(k=3, qid=["age", "zip"])'],
        ),
        (
            "k-anonymity(k=2, qid=[[age], [age, zip]])",
            ['k-anonymity(k=2, qid=["age"])', 'k-anonymity(k=2, qid=["age", "zip"])'],
        ),
        (
            "distinct-l-diversity(l=2, sensitive=[ill, pay])",
            [
                'distinct-l-diversity(l=2, sensitive="ill")',
                'distinct-l-diversity(l=2, sensitive="pay")',
            ],
        ),
        (
            't-closeness(t=[0.2, "1/3"])',
            ["t-closeness(t=0.2)", 't-closeness(t="1/3")'],
        ),
        (
            "skyline-privacy(points=[[1, 2, 0, 0.5], [0, 3, 4, 0.9]])",
            ["skyline-privacy(points=[[1, 2, 0, 0.5], [0, 3, 4, 0.9]])"],
        ),
    ],
)
def test_a_list_stands_for_alternatives_unless_the_parameter_wants_a_list(
    text: str, expected: list[str]
) -> None:
    assert [str(model) for model in expanded("model", text)] == expected


def test_methods_have_grids_too() -> None:
    made = expanded("method", "optimal(steps=[10, 20])")
    assert [str(method) for method in made] == ["optimal(steps=10)", "optimal(steps=20)"]
    labels = expanded("method", "mondrian(labels=[taxonomy, intervals])")
    assert labels == [
        make("method", "mondrian(labels=taxonomy)"),
        make("method", "mondrian(labels=intervals)"),
    ]


numbers = st.lists(st.integers(1, 50), min_size=1, max_size=4)
columns = st.lists(st.sampled_from(["ill", "pay", "a b"]), min_size=1, max_size=3)


@given(numbers, columns)
def test_all_combinations_are_made_the_last_parameter_changing_first(
    ls: list[int], sensitive: list[str]
) -> None:
    quoted = ", ".join(f'"{name}"' for name in sensitive)
    made = expanded("model", f"distinct-l-diversity(l={ls}, sensitive=[{quoted}])")
    assert made == [DistinctLDiversity(n, sensitive=c) for n, c in product(ls, sensitive)]


@given(st.integers(1, 9), st.none() | st.lists(st.sampled_from("abc"), min_size=1, unique=True))
def test_without_alternatives_it_makes_what_is_written(k: int, qid: list[str] | None) -> None:
    model = KAnonymity(k, qid=qid)
    assert expanded("model", str(model)) == [model]


SCALARS = [
    (entry.kind, entry.name, parameter.name)
    for kind in ("model", "method")
    for entry in entries(kind)
    for parameter in entry.parameters
    if "list" not in parameter.type
]


@pytest.mark.parametrize(("kind", "name", "parameter"), SCALARS, ids=str)
def test_every_parameter_that_wants_no_list_can_have_alternatives(
    kind: Literal["model"], name: str, parameter: str
) -> None:
    with pytest.raises(ParameterError, match=f"list of values for '{parameter}' is empty"):
        expanded(kind, f"{name}({parameter}=[])")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k-anonymity(k=[])", "k-anonymity: the list of values for 'k' is empty"),
        ("distinct-l-diversity(l=2, sensitive=[])", "values for 'sensitive' is empty"),
        ("k-anonymity(k=2, qid=[])", "qid must name at least one column"),
        ("k-anonimity(k=2)", "did you mean 'k-anonymity'"),
        ("k-anonymity(kk=[2, 3])", r"no parameter 'kk' among 2 \(did you mean 'k'\?\)"),
        ("k-anonymity(k=[2, x])", "k must be a whole number, got 'x'"),
        ("k-anonymity(k=[[2]])", r"k must be a whole number, got \[2\]"),
        ("k-anonymity(k=[2, 0])", "k must be at least 1, got 0"),
        ("k-anonymity", "needs a value for 'k'"),
        ("k-anonymity(k=[2", "cannot read"),
    ],
)
def test_refuses_what_means_nothing(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        expanded("model", text)
