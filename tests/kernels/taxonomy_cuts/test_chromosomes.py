"""The kernels that pass genes on do what their names say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.taxonomy_cuts import chromosomes

chances = st.floats(0, 1, exclude_max=True)


@st.composite
def genomes(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Draw a parent for every gene, and where the genes of each column begin."""
    parent: list[int] = []
    starts = [0]
    for _ in range(draw(st.integers(1, 3))):
        for i in range(draw(st.integers(1, 5))):
            above = draw(st.integers(-1, i - 1))
            parent.append(above if above < 0 else starts[-1] + above)
        starts.append(len(parent))
    return parent, starts


def closed(bits: list[int], parent: list[int]) -> list[int]:
    out: list[int] = []
    for bit, above in zip(bits, parent, strict=True):
        out.append(bit if above < 0 or out[above] else 0)
    return out


def drawn(data: st.DataObject, parent: list[int]) -> list[int]:
    n = len(parent)
    return closed(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), parent)


def as_bits(bits: list[int]) -> chromosomes.BitArray:
    return np.array(bits, np.uint8)


@given(genomes(), st.data())
def test_close(genome: tuple[list[int], list[int]], data: st.DataObject) -> None:
    parent, _ = genome
    n = len(parent)
    bits = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    found = as_bits(bits)
    chromosomes.close(found, np.array(parent, np.int32))
    assert found.tolist() == closed(bits, parent)


@given(genomes(), st.lists(chances, min_size=4, max_size=4), st.data())
def test_breed(
    genome: tuple[list[int], list[int]], chance: list[float], data: st.DataObject
) -> None:
    parent, starts = genome
    one, other = drawn(data, parent), drawn(data, parent)
    ends = []
    for column, gene in (chance[:2], chance[2:]):
        j = int(column * (len(starts) - 1))
        ends.append(starts[j] + int(gene * (starts[j + 1] - starts[j])))
    begin, end = ends
    inside = [
        begin <= g < end if begin <= end else g >= begin or g < end for g in range(len(parent))
    ]
    expected = [a if is_in else b for a, b, is_in in zip(one, other, inside, strict=True)]
    found = chromosomes.breed(
        as_bits(one),
        as_bits(other),
        np.array(parent, np.int32),
        np.array(starts),
        np.array(chance),
    )
    assert found.tolist() == closed(expected, parent)


@given(genomes(), chances, chances, st.data())
def test_flip(
    genome: tuple[list[int], list[int]], column: float, gene: float, data: st.DataObject
) -> None:
    parent, starts = genome
    bits = drawn(data, parent)
    j = int(column * (len(starts) - 1))
    may = [g for g in range(starts[j], starts[j + 1]) if parent[g] < 0 or bits[parent[g]]]
    at = may[int(gene * len(may))]
    expected = closed([1 - b if g == at else b for g, b in enumerate(bits)], parent)
    found = as_bits(bits)
    chromosomes.flip(found, np.array(parent, np.int32), np.array(starts), column, gene)
    assert found.tolist() == expected
