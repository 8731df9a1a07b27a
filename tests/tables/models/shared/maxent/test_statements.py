"""Tables of statements: what is refused."""

from __future__ import annotations

import pytest

from tests.tables.models.shared.maxent.people import Known, counted, pairs
from unlinkable.errors import DataError, SchemaError


@pytest.mark.parametrize(
    ("known", "error", "message"),
    [
        ({"p": [1]}, SchemaError, "no column 'value' among 1"),
        ({"value": ["h"]}, SchemaError, "no column 'p' among 1"),
        (
            {"sx": ["f"], "value": ["h"], "p": [1]},
            SchemaError,
            r"no quasi-identifier 'sx' among 2 \(did you mean 'sex'\?\) in 'known'",
        ),
        ({"value": ["h"], "p": ["?"]}, DataError, "p in row 1 of 'known' must be a number"),
        ({"value": ["h"], "p": [2]}, DataError, r"p in row 1 of 'known' must lie in \[0, 1\]"),
        (
            {"id": [1, 1], "value": ["h", "i"], "p": [1, 0]},
            DataError,
            "id 1 of 'known' has several p",
        ),
        (
            {"id": [1, 1], "value": ["h", "i"], "p": [None, None]},
            DataError,
            "p in id 1 of 'known' must be a number",
        ),
        (
            {"value": ["h"], "p": [1], "weight": ["?"]},
            DataError,
            "the weight in row 1 of 'known' must be a number",
        ),
    ],
)
def test_refuses_tables_of_statements_that_are_none(
    known: Known, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        counted(pairs(1, 1, "hi"), known)
