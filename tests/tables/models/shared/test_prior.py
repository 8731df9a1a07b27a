"""Priors: what a side table may say, and what it may not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tables.models.people import Frame
from unlinkable.errors import DataError, SchemaError
from unlinkable.tables.data.side import Side
from unlinkable.tables.models.shared.prior import Prior


def read(frame: Frame) -> Prior:
    return Prior.read(Side.of({"us": frame}).open("us"))


def test_reads_who_has_what_how_likely() -> None:
    prior = read(
        {"sex": ["m", "m", None], "age": [1, 1, 2], "value": ["x", "y", None], "p": [0.1, 0.2, 1]}
    )
    assert prior.columns == ("sex", "age")
    assert prior.signatures == (("m", "1"), (None, "2"))
    assert prior.values == ("x", "y", None)
    nan = np.nan
    np.testing.assert_array_equal(prior.shares, [[0.1, 0.2, nan], [nan, nan, 1]])
    np.testing.assert_array_equal(prior.others, [[0.9, 0.8, nan], [nan, nan, 0]])
    assert prior.describe(1) == "sex missing, age 2"


def test_knows_what_is_left_of_nearly_everything() -> None:
    prior = read({"sex": ["m"], "value": ["x"], "p": [0.9999999999]})
    assert prior.others.tolist() == [[1e-10]]


def test_chances_may_add_up_to_one_up_to_rounding() -> None:
    third: Frame = {"sex": ["m"] * 3, "value": ["x", "y", "z"], "p": [1 / 3] * 3}
    read(third).refuse_less_than_all()
    with pytest.raises(DataError, match="less than 1 for 1 of 1 signatures: say how likely every"):
        read({**third, "p": [0.3] * 3}).refuse_less_than_all()


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"sex": ["m"], "p": [0.1]}, "no column 'value' among 2"),
        ({"sex": ["m"], "value": ["x"]}, "no column 'p' among 2"),
        ({"value": ["x"], "p": [0.1]}, "prior 'us' does not say whom it is about"),
        (
            {"sex": ["m", "m"], "value": ["x", "x"], "p": [0.1, 0.2]},
            "says twice how likely somebody has a value",
        ),
        ({"sex": ["m"], "value": ["x"], "p": [1.5]}, "from 0 to 1, and has 1.5 to 1.5"),
        ({"sex": ["m"], "value": ["x"], "p": [-0.5]}, "from 0 to 1, and has -0.5 to -0.5"),
        ({"sex": ["m"], "value": ["x"], "p": ["often"]}, "must hold a number in every row"),
        (
            {"sex": ["m", "m"], "value": ["x", "y"], "p": [0.6, 0.6]},
            "add up to more than 1 for 1 of 1 signatures: correct it",
        ),
    ],
)
def test_refuses_what_says_nothing_true(frame: Frame, message: str) -> None:
    with pytest.raises((DataError, SchemaError), match=message):
        read(frame)
