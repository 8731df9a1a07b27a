"""Trade-offs: what counts as information, and how anonymous nobody is."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.registry.lookup import make
from unlinkable.tables.data.schema import Schema
from unlinkable.tables.metrics import IGPL, ILPG
from unlinkable.tables.metrics.shared.trade_off import Gain, TradeOff, anonymity

KINDS = [IGPL, ILPG]


@pytest.mark.parametrize("kind", KINDS)
def test_distortion_needs_no_class(kind: type[TradeOff]) -> None:
    schema = Schema.of(quasi="a")
    by_distortion = kind(Gain.DISTORTION)
    assert by_distortion.needs(schema) == frozenset()
    assert by_distortion.bind(schema) is by_distortion
    with pytest.raises(SchemaError, match="no column has the role target"):
        kind(Gain.INFORMATION).bind(schema)


@pytest.mark.parametrize("text", ['igpl(gain="distortion")', 'ilpg(target="y")', "igpl"])
def test_reads_back_what_it_writes(text: str) -> None:
    assert str(make("metric", text)) == text


def test_anonymity_is_the_size_of_the_smallest_group() -> None:
    assert anonymity(np.array([3, 0, 2]), 9) == 2
    assert anonymity(np.array([], np.int64), 9) == 9


@pytest.mark.parametrize("kind", KINDS)
def test_refuses_other_gains(kind: type[TradeOff]) -> None:
    with pytest.raises(ParameterError, match="no gain 'entropy' among 2"):
        kind("entropy")
