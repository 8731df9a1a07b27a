"""sequential as it is written, the method that it makes, and the refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tables.series.sequential.small_series import run_of_the_book
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.series.sequential.sequential import Sequential


def test_the_written_form_reads_back() -> None:
    policy = Sequential(x=["a"], y=["y=v<=0.1", "z"], k=2, h="2/3", inconsistent="a=1, b=2")
    assert str(policy) == (
        'sequential(x=["a"], y=["y=v<=0.1", "z"], k=2, h="2/3", inconsistent=["a=1, b=2"])'
    )


def test_the_method_is_a_search_with_the_name_of_the_policy() -> None:
    tests, past = run_of_the_book()
    method = Sequential(h="0.9").method_for(Request(tests, np.arange(8)), past)
    assert isinstance(method, Search)
    assert (method.name, str(method)) == ("sequential", "sequential(h=0.9)")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"y": ()}, "y must name at least one column"),
        ({"x": ("a",), "y": "a=b"}, "column 'a' is in x and in y"),
        ({"inconsistent": "a"}, "write two values that nobody has at once"),
        ({"h": 0}, "h must lie in"),
        ({"k": 0}, "k must be at least 1"),
        ({"score": "best"}, "no score 'best'"),
        ({"priced": 1}, "priced must be true or false"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Sequential(**parameters)


def test_refuses_what_it_cannot_publish() -> None:
    tests, past = run_of_the_book()
    request = Request(tests, np.arange(8))
    with pytest.raises(UnsupportedError, match=r"in a way of its own: leave .* mondrian"):
        Sequential().method_for(Request(tests, np.arange(8), method=Mondrian()), past)
    with pytest.raises(ParameterError, match="nothing is to stay hidden"):
        Sequential(h=1).method_for(request, past)
    with pytest.raises(
        SchemaError, match=r"no column 'Zpi' .* of this table or an earlier release"
    ):
        Sequential(x=["Zpi"]).method_for(request, past)
    only = as_table({"a": ["1", "2"]}, sensitive="a")
    with pytest.raises(SchemaError, match="no column is known to others"):
        Sequential().method_for(Request(only, np.arange(2)), Past())
    target = Target(tests.frame, ("Job",), ("Test",), bucket="Class")
    bucketed = Past((Edition(target, np.arange(8), "release 1"),), {}, 8)
    with pytest.raises(
        UnsupportedError, match="sequential joins all releases: release 1 has buckets"
    ):
        Sequential().method_for(request, bucketed)
