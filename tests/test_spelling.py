"""Written forms: what is written reads back, and what cannot be read says why."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import ClassVar

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.params import exact
from unlinkable.spelling import Argument, read_call, write_call


class Colour(Enum):
    """An option."""

    RED = "red"


@frozen
class Thing:
    """One parameter of every sort."""

    name: ClassVar[str] = "a-thing"

    k: int = 0
    share: Fraction = field(default=Fraction(0), converter=exact)
    is_open: bool = False
    text: str | None = None
    columns: tuple[str, ...] = ()
    weight: float = 0.5
    colour: Colour | None = None
    _hidden: int = 0


PLAIN = st.none() | st.booleans() | st.integers() | st.text()
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
ARGUMENTS = st.recursive(PLAIN | NUMBERS, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


def test_defaults_are_left_out() -> None:
    assert write_call(Thing()) == "a-thing"
    assert write_call(Thing(k=3)) == "a-thing(k=3)"
    assert write_call(Thing(hidden=3)) == "a-thing"


def test_every_sort_of_value_has_a_form() -> None:
    thing = Thing(
        k=-1,
        share="2/3",
        is_open=True,
        text='say "no"',
        columns=("age", "zip code"),
        weight=1e-9,
        colour=Colour.RED,
    )
    assert write_call(thing) == (
        'a-thing(k=-1, share="2/3", is_open=true, text="say \\"no\\"", '
        'columns=["age", "zip code"], weight=1e-09, colour="red")'
    )


@pytest.mark.parametrize(
    ("share", "text"), [("1/2", "0.5"), ("3", "3"), ("0.1", "0.1"), ("1/3", '"1/3"')]
)
def test_a_fraction_is_written_as_people_write_it(share: str, text: str) -> None:
    assert write_call(Thing(share=share)) == f"a-thing(share={text})"


@given(
    st.builds(
        Thing,
        k=st.integers(),
        share=st.fractions() | st.floats(-1e9, 1e9),
        is_open=st.booleans(),
        text=st.none() | st.text(),
        columns=st.lists(st.text()).map(tuple),
        weight=NUMBERS,
    )
)
def test_what_is_written_reads_back(thing: Thing) -> None:
    name, arguments = read_call(write_call(thing))
    assert name == "a-thing"
    lists = {k: tuple(v) if isinstance(v, list) else v for k, v in arguments.items()}
    assert Thing(**lists) == thing  # type: ignore[arg-type]


@given(st.dictionaries(st.from_regex(r"[a-z_]+", fullmatch=True), ARGUMENTS, max_size=3))
def test_any_arguments_read_back(arguments: dict[str, Argument]) -> None:
    inside = ", ".join(f"{k}={_written(v)}" for k, v in arguments.items())
    assert read_call(f"anything({inside})") == ("anything", arguments)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("k-anonymity", {}),
        ("  k-anonymity ( ) ", {}),
        ("m(k=5)", {"k": 5}),
        ("m( k = 5 , t = 0.5 )", {"k": 5, "t": 0.5}),
        ("m(strict=true, loose=False, none=null)", {"strict": True, "loose": False, "none": None}),
        ("m(metric=iloss)", {"metric": "iloss"}),
        ('m(a=[1, [2], "x,)"])', {"a": [1, [2], "x,)"]}),
        ("m(a=[], b=[1,])", {"a": [], "b": [1]}),
        ("m(t=2/3)", {"t": "2/3"}),
    ],
)
def test_people_may_write_as_they_like(text: str, arguments: dict[str, Argument]) -> None:
    assert read_call(text)[1] == arguments


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a name and its parameters, like k-anonymity"),
        ("5-anonymity", "expected a name and its parameters"),
        ("k-anonymity(k=5", "expected a name and its parameters"),
        ("m(5)", "write parameters as name=value"),
        ("m(k 5)", "write parameters as name=value"),
        ('m("k"=5)', "write parameters as name=value"),
        ("m(k=)", "write parameters as name=value"),
        ("m(k=5, k=6)", "'k' is given twice"),
        ("m(k=5 t=6)", "put a comma between parameters"),
        ("m(k=,)", "a value is missing"),
        ("m(k=[1, 2)", "a ']' is missing"),
        ("m(k=[1,,2])", "a value is missing"),
        ('m(k="open)', "from '\"open' on"),
        ('m(k="\\q")', "is no text"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match="cannot read") as caught:
        read_call(text)
    assert message in str(caught.value)


def _written(value: Argument) -> str:
    @frozen
    class Holder:
        name: ClassVar[str] = "x"
        v: object = field(default=...)

    return write_call(Holder(value)).removeprefix("x(v=").removesuffix(")")


def test_lists_in_lists_are_read_to_a_depth_and_refused_beyond() -> None:
    assert read_call("x(a=[[[1]]])") == ("x", {"a": [[[1]]]})
    for depth in (9, 100_000):
        with pytest.raises(ParameterError, match="lists may stand in lists 8 deep"):
            read_call(f"x(a={'[' * depth}1{']' * depth})")
