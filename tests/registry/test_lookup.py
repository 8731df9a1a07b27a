"""The registry: what is exported is known, and what is written is made."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from enum import StrEnum
from fractions import Fraction
from importlib import import_module
from typing import ClassVar

import attrs
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.collection import Collection
from unlinkable.errors import ParameterError, UnlinkableError
from unlinkable.params import as_columns, at_least, exact, is_share
from unlinkable.registry.entry import Entry
from unlinkable.registry.lookup import entries, entry_kinds, find, make
from unlinkable.release.attacks import Adversary
from unlinkable.tables.data import IdentifierTreatment
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations import Operation, Pseudonymization
from unlinkable.tables.risk.base import RiskMeasure
from unlinkable.tables.series.policy import Policy

BASES: dict[str, type] = {
    "model": GroupModel,
    "metric": Metric,
    "method": Method,
    "operation": Operation,
    "collection": Collection,
    "attack": Adversary,
    "risk": RiskMeasure,
    "policy": Policy,
}
PACKAGES = {
    "model": "unlinkable.tables.models",
    "metric": "unlinkable.tables.metrics",
    "method": "unlinkable.tables.methods",
    "operation": "unlinkable.tables.operations",
    "collection": "unlinkable.collection",
    "attack": "unlinkable.tables.attacks",
    "risk": "unlinkable.tables.risk",
    "policy": "unlinkable.tables.series",
}


class Ground(StrEnum):
    """A choice."""

    EQUAL = "equal"
    ORDERED = "ordered"


@frozen
class Example:
    """Keep ``k`` of everything.

    Parameters
    ----------
    k, t
        How many,
        and how far.
    ground : Ground
        By which distance.

    Examples
    --------
    >>> 1
    1
    """

    name: ClassVar[str] = "example"

    k: int = field(validator=at_least(2))
    t: Fraction = field(default=Fraction(1, 3), converter=exact, validator=is_share)
    ground: Ground = Ground.EQUAL
    qid: tuple[str, ...] | None = field(default=None, converter=as_columns)
    extra: tuple[int, ...] = field(factory=tuple)
    _cache: int = field(default=0, repr=False)


NEED_ONE_OF_TWO = {"confidence-bounding", "multi-level-perturbation"}
"""What needs one of several parameters, none of which is needed by itself."""

EXAMPLE = Entry.of("model", "example", "Nobody 2026", Example)


@pytest.mark.parametrize("kind", entry_kinds())
def test_what_a_package_exports_is_what_is_known(kind: str) -> None:
    package = import_module(PACKAGES[kind])
    exported = [getattr(package, name) for name in package.__all__]
    concrete = {
        thing
        for thing in exported
        if inspect.isclass(thing)
        and issubclass(thing, BASES[kind])
        and getattr(thing, "reference", None)
    }
    assert {entry.make for entry in entries(kind)} == concrete
    assert concrete


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.kind} {entry.name}")
def test_every_entry_explains_itself(entry: Entry) -> None:
    assert issubclass(entry.make, BASES[entry.kind])
    assert entry.summary.endswith(".")
    assert entry.reference
    assert all(parameter.about for parameter in entry.parameters)
    assert json.loads(json.dumps(entry.to_json()))["name"] == entry.name
    assert find(entry.kind, entry.name) == entry


def test_names_are_unique_and_in_order() -> None:
    for kind in entry_kinds():
        names = [entry.name for entry in entries(kind)]
        assert names == sorted(set(names))
    assert [entry for kind in entry_kinds() for entry in entries(kind)] == list(entries())


def test_an_entry_is_read_from_the_class() -> None:
    k, t, ground, qid, extra = EXAMPLE.parameters
    assert EXAMPLE.summary == "Keep k of everything."
    assert (k.name, k.type, k.required, k.default) == ("k", "whole number", True, None)
    assert (k.bounds, k.about) == ("at least 2", "How many, and how far.")
    assert (t.type, t.default, t.bounds, t.about) == ("number", "1/3", "in (0, 1]", k.about)
    assert (ground.default, ground.bounds) == ("equal", "one of equal, ordered")
    assert ground.about == "By which distance."
    assert (qid.type, qid.required, qid.default) == ("list of text or none", False, None)
    assert (extra.default, extra.about) == ([], "")
    assert EXAMPLE.usage == "example(k=...)"


def test_an_entry_as_json_has_the_keys_of_the_command_line() -> None:
    told = find("model", "k-anonymity").to_json()
    assert list(told) == ["kind", "name", "summary", "parameters", "reference"]
    assert json.loads(json.dumps(told))["parameters"][0] == {
        "name": "k",
        "type": "whole number",
        "required": True,
        "default": None,
        "bounds": "at least 1",
        "about": "The least number of people who look alike.",
    }


def test_a_written_form_becomes_what_it_says() -> None:
    assert make("model", "k-anonymity(k=5)") == KAnonymity(5)
    assert make("model", 'k-anonymity(k=5, qid=["age", zip])') == KAnonymity(5, qid=("age", "zip"))
    treated = make("operation", 'pseudonymization(treatment="mask", keep_left=1)')
    assert treated == Pseudonymization(treatment=IdentifierTreatment.MASK, keep_left=1)


@given(st.integers(1, 2**63 - 1), st.none() | st.lists(st.text(), min_size=1, unique=True))
def test_a_model_is_the_same_after_writing_and_reading(k: int, qid: list[str] | None) -> None:
    model = KAnonymity(k, qid=qid)
    assert make("model", str(model)) == model
    assert str(make("model", str(model))) == str(model)


@given(st.sampled_from(IdentifierTreatment), st.integers(8, 48), st.text(), st.integers(0, 9))
def test_an_operation_is_the_same_after_writing_and_reading(
    treatment: IdentifierTreatment, length: int, prefix: str, keep: int
) -> None:
    operation = Pseudonymization(treatment=treatment, length=length, prefix=prefix, keep_right=keep)
    assert make("operation", str(operation)) == operation


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.kind} {entry.name}")
def test_what_needs_nothing_can_be_made_from_its_name(entry: Entry) -> None:
    if any(parameter.required for parameter in entry.parameters):
        with pytest.raises(ParameterError, match=f"{entry.name} needs a value for"):
            entry.construct({})
    elif entry.name in NEED_ONE_OF_TWO:
        with pytest.raises(ParameterError, match=f"{entry.name}: .*(give .* or|say how)"):
            entry.construct({})
    else:
        assert str(entry.construct({})) == entry.name


def test_parameters_are_read_by_their_types() -> None:
    made = EXAMPLE.construct({"k": 2, "t": 0.5, "ground": "ordered", "qid": ["a"], "extra": [1]})
    assert made == Example(2, Fraction(1, 2), Ground.ORDERED, ("a",), (1,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("k-anonymty(k=5)", r"no model 'k-anonymty' among \d+ \(did you mean 'k-anonymity'\?\)"),
        ("k-anonymity", r"k-anonymity needs a value for 'k': write k-anonymity\(k=\.\.\.\)"),
        ("k-anonymity(K=5)", r"k-anonymity: no parameter 'K' among 2 \(there are 'k', 'qid'\)"),
        ("k-anonymity(k=0)", "k-anonymity: k must be at least 1, got 0"),
        ("k-anonymity(k=5, qid=[1])", "k-anonymity: qid must be text, got 1"),
        ("k-anonymity(5)", "write parameters as name=value"),
        ('k-anonymity(k="\\q")', "is no text"),
        ("K 5", "expected a name and its parameters"),
    ],
)
def test_refuses_what_means_nothing(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make("model", text)


def test_refuses_parameters_where_there_are_none() -> None:
    with pytest.raises(ParameterError, match="iloss has no parameters, got 'k': leave it out"):
        make("metric", "iloss", {"k": 5})


def test_a_private_field_is_no_parameter() -> None:
    with pytest.raises(ParameterError, match="example: no parameter 'cache' among 5"):
        EXAMPLE.construct({"k": 2, "cache": 1})


def test_refuses_an_unknown_kind() -> None:
    with pytest.raises(ParameterError, match=r"no kind 'models' among \d+ \(did you mean 'model'"):
        entries("models")


@given(st.text() | st.from_regex(r"k-anonymity\([a-z]{1,3}=.{0,10}\)", fullmatch=True))
def test_any_text_is_made_or_refused(text: str) -> None:
    try:
        made = make("model", text)
    except UnlinkableError:
        return
    assert make("model", str(made)) == made


@given(
    st.dictionaries(
        st.sampled_from(["k", "t", "ground", "qid", "extra", "other"]),
        st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists),
    )
)
def test_any_arguments_are_taken_or_refused(arguments: dict[str, object]) -> None:
    try:
        made = EXAMPLE.construct({"k": 2, **arguments})
    except ParameterError:
        return
    assert isinstance(made, Example)
    assert attrs.evolve(made) == made


def test_looking_a_name_up_loads_nothing_else() -> None:
    code = (
        "import sys\n"
        "from unlinkable.registry import look_up\n"
        "assert look_up('policy', 'optimal') is None\n"
        "rooms = ('unlinkable.tables.attacks.', 'unlinkable.tables.series.', 'scipy.s')\n"
        "print([name for name in sys.modules if name.startswith(rooms)])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
