"""Ledgers of noise: written, read, and refused with a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import DataError, ParameterError
from unlinkable.noise import Event, Ledger, Mechanism

NUMBERS = st.floats(0.01, 100)
EVENTS = st.one_of(
    st.builds(
        lambda m, s, b, n: Event(m, {"sensitivity": s, "scale": b}, times=n, what="a count"),
        st.sampled_from([Mechanism.LAPLACE, Mechanism.GAUSSIAN, Mechanism.GEOMETRIC]),
        NUMBERS,
        NUMBERS,
        st.integers(1, 3),
    ),
    st.builds(
        lambda e, d: Event("approximate", {"epsilon": e, "delta": d}, partition="p", cell="c"),
        NUMBERS,
        st.floats(0, 0.5),
    ),
)


@given(st.lists(EVENTS, max_size=4), st.sampled_from(["add-remove", "replace"]))
def test_a_ledger_is_read_back_as_it_is_written(events: list[Event], neighbours: str) -> None:
    ledger = Ledger(events, neighbours)
    written = json.loads(json.dumps(ledger.to_json()))
    assert Ledger.from_json(written) == ledger


def test_a_ledger_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ledger.json"
    file.write_text('{"events": [{"mechanism": "pure", "epsilon": 0.5, "what": "chosen split"}]}')
    (event,) = Ledger.load(file).events
    assert (event.mechanism, event.parameters, event.what) == (
        Mechanism.PURE,
        {"epsilon": 0.5},
        "chosen split",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "it is not JSON"),
        ("[]", "an object with a list 'events'"),
        ('{"events": 3}', "an object with a list 'events'"),
        ('{"events": [], "format": 9}', "format 9, and this version reads 1"),
        ('{"events": [], "neigbours": ""}', "no key 'neigbours' among 3"),
        ('{"events": [], "neighbours": "swap"}', "no kind of neighbours 'swap' among 2"),
        ('{"events": [5]}', "event 1: an event must be an object"),
        ('{"events": [{"mechanism": "laplce"}]}', "no mechanism 'laplce' .* 'laplace'"),
        ('{"events": [{"mechanism": "pure"}]}', "event 1: pure needs a number for epsilon"),
        ('{"events": [{"mechanism": "pure", "rho": 1}]}', "no parameter 'rho' .* of pure"),
        ('{"events": [{"mechanism": "pure", "epsilon": 1, "times": 0}]}', "times must be at least"),
    ],
)
def test_what_is_no_ledger_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "ledger.json"
    file.write_text(text)
    with pytest.raises(DataError, match=message):
        Ledger.load(file)


def test_a_ledger_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read the ledger .*: No such file"):
        Ledger.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("mechanism", "parameters", "message"),
    [
        ("laplace", {"sensitivity": 1, "scale": 0}, "scale of laplace cannot be 0"),
        ("laplace", {"sensitivity": -1, "scale": 1}, "sensitivity of laplace cannot be -1"),
        ("laplace", {"sensitivity": True, "scale": 1}, "needs a number for sensitivity"),
        ("pure", {"epsilon": float("inf")}, "epsilon of pure cannot be inf"),
        ("randomized-response", {"truth": 0.5, "categories": 1}, "1 categories"),
        ("randomized-response", {"truth": 0.5, "categories": 2.5}, "2.5 categories"),
        ("randomized-response", {"truth": 0.2, "categories": 3}, r"must lie in \[1/3, 1\)"),
        ("randomized-response", {"truth": 1, "categories": 3}, r"must lie in \[1/3, 1\)"),
    ],
)
def test_events_that_mean_nothing_are_refused(
    mechanism: str, parameters: dict[str, float], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        Event(mechanism, parameters)


def test_a_cell_without_its_partition_is_refused() -> None:
    with pytest.raises(ParameterError, match="both the partition and its cell"):
        Event("pure", {"epsilon": 1}, cell="f")
