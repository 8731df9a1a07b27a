"""UCI Adult for methods that make regions."""

from __future__ import annotations

import pytest

from tests.adult import SEVEN, records, trees
from unlinkable.tables.data import Table, as_table


@pytest.fixture(scope="module")
def adult() -> Table:
    """Eight quasi-identifiers, and the occupation to hide. Ask for it with `needs_adult`."""
    quasi = [*SEVEN, "salary-class"]
    frame = records(*quasi, "occupation")
    return as_table(frame, quasi=quasi, sensitive="occupation", taxonomies=trees(quasi))
