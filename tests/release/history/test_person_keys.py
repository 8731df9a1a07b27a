"""Person keys: digests by which a history recognizes people."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import DataError
from unlinkable.release.history import PersonKeys, number_people


def test_new_people_follow_in_the_order_of_their_records() -> None:
    known, now = (np.frombuffer(text, "V1") for text in (b"zy", b"cyac"))
    numbers, new = number_people(known, now)
    assert numbers.tolist() == [2, 1, 3, 2]
    assert new.tobytes() == b"ca"


def test_two_histories_give_the_same_person_other_keys() -> None:
    keys = [PersonKeys(salt).digests(["p1"], "pid").tobytes() for salt in (b"one", b"two")]
    assert keys[0] != keys[1]


@pytest.mark.parametrize("missing", [None, ""])
def test_somebody_who_is_known_by_nothing_is_refused(missing: str | None) -> None:
    with pytest.raises(DataError, match="record 2 has no 'pid'"):
        PersonKeys(b"salt").digests(["p1", missing], "pid")
