"""X and Y: which columns they may be, and when a search cannot help."""

from __future__ import annotations

import pytest

import unlinkable as ul
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.models import XYAnonymity, XYLinkability, XYPrivacy
from unlinkable.tables.models.base import BindingContext
from unlinkable.tables.models.shared.xy_model import XYModel

CONTEXT = BindingContext(quasi=("job", "age", "sex"), sensitive=("ill",), owner="who")


def models(**columns: object) -> list[XYModel]:
    return [
        XYAnonymity(2, **columns),  # type: ignore[arg-type]
        XYLinkability(0.5, **columns),  # type: ignore[arg-type]
        XYPrivacy(2, 0.5, **columns),  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize("promise", models(y="ill"), ids=str)
def test_x_is_the_whole_quasi_identifier_unless_it_is_named(promise: XYModel) -> None:
    (bound,) = promise.bind(CONTEXT)
    assert bound == promise
    assert bound.local
    assert bound.unsearchable is None
    assert bound.knows(CONTEXT.quasi).columns == CONTEXT.quasi


@pytest.mark.parametrize("promise", models(y=["ill", "who"], x=["sex", "job"]), ids=str)
def test_only_the_columns_of_x_are_known(promise: XYModel) -> None:
    (bound,) = promise.bind(CONTEXT)
    assert not bound.local
    assert bound.knows(CONTEXT.quasi).columns == ("job", "sex")
    assert ("ill", "who") in bound.needs()


@pytest.mark.parametrize("promise", models(y="job", x="sex"), ids=str)
def test_no_search_serves_what_it_would_generalize_itself(promise: XYModel) -> None:
    (bound,) = promise.bind(CONTEXT)
    assert bound == promise
    assert hash(bound) == hash(promise)
    assert str(bound) == str(promise)
    assert bound.unsearchable is not None
    assert bound.unsearchable.startswith("its y has 'job', which is quasi-identifying")
    people = ul.as_table({"job": ["cook", "clerk"], "sex": ["f", "f"]}, quasi=["job", "sex"])
    assert ul.check(people, promise).holds
    with pytest.raises(UnsupportedError, match=r"cannot keep xy-.*its y has 'job'"):
        ul.anonymize(people, privacy=promise)


def test_refuses_columns_that_do_not_fit() -> None:
    for promise in models(y="job"):
        with pytest.raises(SchemaError, match="tells of 'job', which is part of it: name the col"):
            promise.bind(CONTEXT)
    for promise in models(y="ill", x="zip"):
        with pytest.raises(SchemaError, match="no quasi-identifier 'zip' among 3"):
            promise.bind(CONTEXT)
    with pytest.raises(ParameterError, match="column 'job' is named twice: x is what is known"):
        models(y=["ill", "job"], x="job")
    with pytest.raises(ParameterError, match="'ill' is named twice: name each once"):
        models(y=["ill", "ill"])
    with pytest.raises(ParameterError, match="y must name at least one column"):
        models(y=[])
    with pytest.raises(ParameterError, match="x must name at least one column; leave it out"):
        models(y="ill", x=[])
