"""Promises in words, why they cannot be kept, and which methods can keep them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unlinkable as ul
from unlinkable.studio.tasks.lattices import lattice
from unlinkable.studio.tasks.promises import promises, serving
from unlinkable.studio.tasks.session import Session


def quiet(share: float, words: str) -> None:
    """Tell nobody."""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("project")
    ul.examples.hospital(200, seed=5).write_csv(folder / "patients.csv")
    return Session(Path(folder))


def plan(*privacy: dict[str, Any], suppression: float = 0.05) -> dict[str, Any]:
    return {
        "data": {"source": "patients.csv", "others": "drop"},
        "columns": {
            "age": {"role": "quasi-identifier", "taxonomy": {"intervals": [10, 20, 40]}},
            "sex": {"role": "quasi-identifier"},
            "diagnosis": {"role": "sensitive"},
        },
        "privacy": list(privacy),
        "method": {"name": "optimal", "suppression": suppression},
    }


def test_a_promise_is_told_with_its_gaps(session: Session) -> None:
    (told,) = promises(session, quiet, plan({"model": "k-anonymity", "k": 5}), [])
    assert told["model"] == "k-anonymity(k=5)"
    assert "at least 4 other people" in told["promised"]
    assert any("in common" in gap for gap in told["not_promised"])
    assert told["problem"] is None


def test_nothing_is_told_of_no_promise(session: Session) -> None:
    assert promises(session, quiet, plan(), []) == []


@pytest.mark.parametrize(
    ("promise", "words"),
    [
        ({"model": "k-anonymity", "k": 201}, "200"),
        ({"model": "distinct-l-diversity", "l": 150}, "ask for l of at most"),
        ({"model": "distinct-l-diversity", "l": 2, "sensitive": "ward"}, "ward"),
    ],
)
def test_what_stands_in_the_way_is_told(
    session: Session, promise: dict[str, Any], words: str
) -> None:
    (told,) = promises(session, quiet, plan(promise), [])
    assert words in (told["problem"] or "")


def test_methods_say_whether_they_serve(session: Session) -> None:
    asked = plan({"model": "t-closeness", "t": 0.4}, {"model": "k-anonymity", "k": 3})
    told = {entry["method"]: entry["refusal"] for entry in serving(session, quiet, asked, [])}
    assert told["optimal"] is None
    assert told["mondrian"] is None
    assert "k-anonymity" in (told["anatomize"] or "")
    assert "suppression" in (told["flash"] or "")


def test_the_best_nodes_of_a_vast_lattice_are_those_of_all(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = plan({"model": "k-anonymity", "k": 3})
    whole = lattice(session, quiet, asked, [])
    assert whole["complete"]
    monkeypatch.setattr("unlinkable.studio.tasks.lattices._MOST_NODES", 1)
    some = lattice(session, quiet, asked, [])
    assert not some["complete"]
    assert some["best"] == whole["best"]
    valid = [node["loss"] for node in whole["nodes"] if node["loss"] is not None]
    assert [node["loss"] for node in some["nodes"]] == sorted(valid)
