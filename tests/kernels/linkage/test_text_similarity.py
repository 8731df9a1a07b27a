"""The similarity of Jaro and Winkler: known values, and a literal twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.linkage.text_similarity import jaro_winkler, similar_pairs


def letters(text: str) -> np.ndarray:
    return np.array([ord(letter) for letter in text], np.int32)


def by_definition(a: str, b: str) -> float:
    if not a or not b:
        return float(a == b)
    reach = max(max(len(a), len(b)) // 2 - 1, 0)
    left, matched = list(enumerate(b)), []
    for i, letter in enumerate(a):
        here = [(j, other) for j, other in left if other == letter and abs(i - j) <= reach]
        if here:
            matched.append((letter, here[0][0]))
            left.remove(here[0])
    if not matched:
        return 0.0
    in_b = [b[j] for j in sorted(j for _, j in matched)]
    moved = sum(x != y for (x, _), y in zip(matched, in_b, strict=True))
    c = len(matched)
    jaro = (c / len(a) + c / len(b) + (c - moved / 2) / c) / 3
    same = 0
    while same < 4 and a[same : same + 1] == b[same : same + 1] != "":
        same += 1
    return jaro + same * 0.1 * (1 - jaro)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("MARTHA", "MARHTA", 0.9611), ("DWAYNE", "DUANE", 0.84), ("DIXON", "DICKSONX", 0.8133)],
)
def test_gives_the_values_that_winkler_printed(a: str, b: str, expected: float) -> None:
    assert jaro_winkler(letters(a), letters(b)) == pytest.approx(expected, abs=1e-4)


texts = st.text("abc", max_size=7)


@given(texts, texts)
def test_says_what_the_definition_says(a: str, b: str) -> None:
    assert jaro_winkler(letters(a), letters(b)) == pytest.approx(by_definition(a, b))


@given(st.lists(texts, min_size=1, max_size=8, unique=True), st.floats(0.1, 1))
def test_lists_all_pairs_that_are_alike(words: list[str], least: float) -> None:
    ends = np.cumsum([len(word) for word in words])
    every = np.arange(len(words), dtype=np.int32)
    left, right, alike = similar_pairs(letters("".join(words)), ends, every, every, least)
    found = dict(zip(zip(left.tolist(), right.tolist(), strict=True), alike.tolist(), strict=True))
    expected = {
        (i, j): by_definition(a, b)
        for i, a in enumerate(words)
        for j, b in enumerate(words)
        if i != j
    }
    for pair, value in expected.items():
        if abs(value - least) > 1e-9:
            assert (pair in found) == (value > least)


def test_makes_room_for_many_pairs() -> None:
    words = ["a" * n for n in range(40, 80)]
    ends = np.cumsum([len(word) for word in words])
    every = np.arange(len(words), dtype=np.int32)
    left, _, _ = similar_pairs(letters("".join(words)), ends, every, every, 0.5)
    assert left.size == 40 * 39
