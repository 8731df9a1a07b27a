"""What guides a search over cuts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.cuts.shared.guides import (
    Guide,
    as_guide,
    class_asked,
    rounded,
    with_target,
)


def staff(target: str | None = None, sensitive: str | None = None) -> Table:
    data = {"age": [20, 30], "rich": ["n", "y"], "ill": ["y", "n"]}
    open_to_all = [name for name in ("rich", "ill") if name not in (target, sensitive)]
    told = [name for name in [target] if name]
    hidden = [name for name in [sensitive] if name]
    return as_table(data, quasi="age", insensitive=open_to_all, target=told, sensitive=hidden)


@pytest.mark.parametrize(
    ("roles", "guide", "target", "expected"),
    [
        ({}, None, None, (Guide.METRIC, None)),
        ({}, None, "ill", (Guide.CLASS, "ill")),
        ({"target": "rich"}, None, None, (Guide.CLASS, "rich")),
        ({"target": "rich"}, None, "ill", (Guide.CLASS, "ill")),
        ({"target": "rich"}, Guide.METRIC, "ill", (Guide.METRIC, None)),
        ({"sensitive": "ill"}, None, None, (Guide.METRIC, None)),
        ({"sensitive": "ill"}, Guide.CLASS, None, (Guide.CLASS, "ill")),
    ],
    ids=str,
)
def test_the_table_decides_what_was_left_open(
    roles: dict[str, str],
    guide: Guide | None,
    target: str | None,
    expected: tuple[Guide, str | None],
) -> None:
    assert with_target(staff(**roles).schema, guide, target) == expected


def test_refuses_a_class_that_is_not_there() -> None:
    with pytest.raises(SchemaError, match="no column has the role target"):
        with_target(staff().schema, Guide.CLASS, None)
    with pytest.raises(SchemaError, match="no class column 'job'"):
        with_target(staff().schema, None, "job")
    with pytest.raises(SchemaError, match="name it with target="):
        class_asked(Guide.CLASS, None)


def test_refuses_other_words() -> None:
    with pytest.raises(ParameterError, match="guide must be one of 'class', 'metric', got 1"):
        as_guide(1)  # type: ignore[arg-type]
    assert as_guide(None) is None


@given(st.floats(-1e9, 1e9))
def test_stays_within_one_part_in_a_hundred_billion(loss: float) -> None:
    assert rounded(loss) == pytest.approx(loss, rel=1e-11)
    assert rounded(rounded(loss)) == rounded(loss)


@given(st.permutations([0.1, 0.2, 0.3, 0.4, 1e-3, 7.0]))
def test_the_order_of_a_sum_does_not_matter(amounts: list[float]) -> None:
    assert rounded(sum(amounts)) == rounded(sum(sorted(amounts)))


def test_tells_apart_what_differs() -> None:
    assert rounded(0.123456789) < rounded(0.12345678901)
