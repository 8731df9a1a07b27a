"""Comparing: every setting once, in any number of processes, and going on where it was cut off."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen

from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import MinGen, Mondrian, Optimal
from unlinkable.tables.metrics import (
    ClassificationError,
    ClassificationMetric,
    Discernibility,
    DistinctiveAttribute,
    ILoss,
)
from unlinkable.tables.metrics.base import GroupMetric, Measurement, Metric, Published, Shown
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, KMap
from unlinkable.tables.publishing import Compared, anonymize, choose_k, compare
from unlinkable.tables.taxonomies.builders import Intervals

# The package exports a function of the same name.
comparing = import_module("unlinkable.tables.publishing.comparing.compare")


def patients(**roles: Any) -> Table:
    data = {
        "age": [30, 31, 45, 46, 47, 60, 61, 62],
        "sex": ["f", "m"] * 4,
        "ill": ["flu", "hiv", "flu", "flu", "cold", "hiv", "cold", "flu"],
    }
    return as_table(data, **{"quasi": ["age", "sex"], "sensitive": "ill", **roles})


GRID: dict[str, Any] = {
    "methods": [Optimal(), Mondrian()],
    "privacy": [[KAnonymity(2)], [KAnonymity(3), DistinctLDiversity(2)], [KAnonymity(9)]],
    "metrics": [ILoss(), Discernibility()],
    "suppression": [0, "1/8"],
}
N = 12


def told(outcome: Compared) -> dict[str, object]:
    """All that does not depend on how fast the machine is."""
    return {**outcome.to_json(), "seconds": 0, "setting": outcome.setting}


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the setting of every search."""
    settings: list[str] = []

    def counted(table: Table, **asked: Any) -> Any:
        promised = " and ".join(map(str, asked["privacy"]))
        settings.append(f"{asked['method']}: {promised}, {asked['suppression']}")
        return anonymize(table, **asked)

    monkeypatch.setattr(comparing, "anonymize", counted)
    return settings


def test_compares_methods_and_reports_what_has_no_release() -> None:
    data = as_table({"age": [30, 31, 45, 46]}, quasi="age")
    outcomes = compare(
        data,
        methods=[Optimal(), Mondrian()],
        privacy=[[KAnonymity(2)], [KAnonymity(9)]],
        metrics=[ILoss(), Discernibility()],
    )
    assert [o.problem is None for o in outcomes] == [True, True, False, False]
    assert set(outcomes[0].metrics) == {"iloss", "discernibility"}
    assert outcomes[0].optimal is True
    assert "at most 4" in str(outcomes[2].problem)


def test_every_outcome_is_what_its_release_is() -> None:
    """Each setting again, by itself; the risks are counted from the published rows."""
    table, found = patients(), iter(compare(patients(), **GRID))
    for suppression in GRID["suppression"]:
        for privacy in GRID["privacy"]:
            for method in GRID["methods"]:
                outcome = next(found)
                asked = {"privacy": privacy, "method": method, "suppression": suppression}
                assert outcome.method == str(method)
                assert outcome.privacy == " and ".join(map(str, privacy))
                assert outcome.suppression == {0: "0", "1/8": "0.125"}[suppression]
                if privacy == [KAnonymity(9)]:
                    assert outcome.risk is None
                    assert outcome.metrics == {}
                    continue
                release = anonymize(table, **asked, metric=ILoss(), seed=0)
                rows = release.applied.frame.rows()
                shown = [row[:2] for row in rows]
                assert outcome.n_groups == len(set(shown)) == release.n_groups
                assert outcome.n_suppressed == 8 - len(rows)
                assert outcome.metrics == {
                    "iloss": release.measure(ILoss()),
                    "discernibility": release.measure(Discernibility()),
                }
                assert outcome.risk is not None
                assert outcome.risk.highest == 1 / min(map(shown.count, shown))
                assert outcome.risk.average == len(set(shown)) / len(shown)
                assert outcome.risk.attribute == max(
                    sum(r == row for r in rows) / shown.count(row[:2]) for row in rows
                )
    assert next(found, None) is None


def test_the_same_setting_is_run_once(searched: list[str]) -> None:
    asked = {**GRID, "methods": [Optimal(), Optimal()], "suppression": [0.125, "1/8"]}
    assert len(compare(patients(), **asked)) == len(searched) == 3


def test_the_first_metric_guides_the_searches() -> None:
    data = as_table(
        {"a": ["x"] * 2 + ["y"] * 8, "b": ["u", "v"] * 5},
        quasi=["a", "b"],
        importance={"a": 9.0},
    )
    asked: dict[str, Any] = {"methods": [Optimal()], "privacy": [[KAnonymity(2)]]}
    metrics = [ILoss(), Discernibility()]
    by_loss = compare(data, **asked, metrics=metrics)
    by_size = compare(data, **asked, metrics=metrics[::-1])
    assert by_loss.metrics == ("iloss", "discernibility")
    assert by_size.metrics == ("discernibility", "iloss")
    for metric in map(str, metrics):
        guided = by_loss if metric == "iloss" else by_size
        others = by_size if metric == "iloss" else by_loss
        assert guided[0].metrics[metric] <= others[0].metrics[metric]
    assert by_loss[0].metrics["iloss"] < by_size[0].metrics["iloss"]


def test_of_gains_more_is_better() -> None:
    found = compare(patients(), **{**GRID, "metrics": [ILoss(), DistinctiveAttribute()]})
    assert found.gains == ("distinctive-attribute",)
    best = max(x.metrics["distinctive-attribute"] for x in found if x.risk is not None)
    frontier = found.frontier("distinctive-attribute")
    assert frontier[-1].metrics["distinctive-attribute"] == best


@frozen
class Own(GroupMetric):
    """A metric that is in no registry."""

    name: ClassVar[str] = "own"
    reference: ClassVar[str] = "none"
    higher_is_better: ClassVar[bool] = True

    def value(self, shown: Shown) -> float:
        return float(len(shown.sizes))


def test_metrics_of_users_own_can_be_compared() -> None:
    found = compare(patients(), **{**GRID, "metrics": [Own()]})
    assert found.gains == ("own",)
    assert all(x.metrics["own"] == x.n_groups for x in found if x.risk is not None)
    assert 0 < len(found.frontier()) < N


@frozen
class Never(Metric):
    """A metric that finds nothing to measure where a record is left out."""

    name: ClassVar[str] = "never"
    reference: ClassVar[str] = "none"

    def _measure(self, published: Published, progress: object = None) -> Measurement:
        if published.n_records < 8:
            raise UnsupportedError("too few records are left")
        return Measurement(1.0)


def test_a_release_that_cannot_be_measured_stops_nothing() -> None:
    found = compare(
        as_table({"a": ["x"] * 7 + ["y"]}, quasi="a"),
        methods=[Optimal()],
        privacy=[[KAnonymity(2)]],
        metrics=[ILoss(), Never()],
        suppression=["1/8", 0],
    )
    assert [x.problem for x in found] == ["too few records are left", None]
    assert [dict(x.metrics) for x in found] == [{}, {"iloss": 0.5, "never": 1.0}]
    assert found.dominated() == [True, False]


def test_people_of_a_population_do_not_count_as_published() -> None:
    population = {"age": [30, 31, 45, 46, 47, 60, 61, 62, 99] * 3, "sex": ["f", "m", "f"] * 9}
    found = compare(
        patients(),
        methods=[Mondrian()],
        privacy=[[KMap(3, population="people")]],
        metrics=[ILoss()],
        side={"people": population},
    )
    assert found[0].problem is None
    assert found[0].risk is not None
    assert found[0].risk.average == found[0].n_groups / 8


def test_several_processes_find_what_one_finds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first ones are run here, until it is clear that the rest takes longer."""
    monkeypatch.setattr(comparing, "_PATIENCE", 0.005)
    said: list[tuple[float, str]] = []
    asked = {**GRID, "progress": lambda share, words: said.append((share, words))}
    several = compare(patients(), **asked, jobs=2, keep=tmp_path / "kept")
    shares = [share for share, _ in said]
    (started,) = [i for i, (_, words) in enumerate(said) if words.endswith("at a time")]
    assert said.pop(started) == (started / N, f"{N - started} settings, 2 at a time")
    assert sorted(words for _, words in said) == sorted(x.setting for x in several)
    one = compare(patients(), **GRID, jobs=1)
    assert [*map(told, several)] == [*map(told, one)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    monkeypatch.setattr(comparing, "anonymize", None)
    again = compare(patients(), **GRID, jobs=2, keep=tmp_path / "kept")
    assert [x.to_json() for x in again] == [x.to_json() for x in several]


def test_every_search_starts_from_the_same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def noted(table: Table, **asked: Any) -> Any:
        seeds.append(asked["seed"])
        return anonymize(table, **asked)

    monkeypatch.setattr(comparing, "anonymize", noted)
    compare(patients(), **GRID, seed=11)
    choose_k(patients(), ks=[2, 3], seed=12)
    assert seeds == [11] * N + [12] * 2


def test_short_comparisons_start_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "_PATIENCE", 1e9)
    monkeypatch.setattr(comparing, "Workers", None)
    assert len(compare(patients(), **GRID, jobs=8)) == N


def test_a_run_that_was_cut_off_goes_on_from_there(tmp_path: Path, searched: list[str]) -> None:
    kept = tmp_path / "kept"
    first = compare(patients(), **GRID, keep=kept)
    assert len(searched) == N
    order = list(searched)
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + N
    kept.write_text("".join(lines[:5]) + lines[5][:30], encoding="utf-8")
    searched.clear()
    again = compare(patients(), **GRID, keep=kept)
    assert searched == order[4:]
    assert [*map(told, again)] == [*map(told, first)]
    assert [x.seconds for x in again][:4] == [x.seconds for x in first][:4]
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 1 + N
    searched.clear()
    compare(patients(), **GRID, keep=kept)
    assert searched == []


def test_what_was_found_before_an_interruption_is_kept(tmp_path: Path, searched: list[str]) -> None:
    kept = tmp_path / "kept"

    def stop(share: float, words: str) -> None:
        if share >= 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(patients(), **GRID, keep=kept, progress=stop)
    assert len(searched) == N // 2
    compare(patients(), **GRID, keep=kept)
    assert len(searched) == N


def test_a_larger_grid_takes_what_a_smaller_one_found(tmp_path: Path, searched: list[str]) -> None:
    asked = {**GRID, "suppression": 0}
    compare(patients(), **asked, keep=tmp_path / "kept")
    found = compare(patients(), **GRID, keep=tmp_path / "kept")
    assert len(searched) == len(found) == N


def test_a_kept_outcome_is_what_is_told(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    compare(patients(), **GRID, keep=kept)
    lines = kept.read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[1])
    lines[1] = json.dumps({**first, "metrics": {"iloss": None, "discernibility": -1.0}})
    kept.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = compare(patients(), **GRID, keep=kept)
    assert found[0].metrics == {"iloss": np.inf, "discernibility": -1.0}


def other_records() -> Table:
    table = patients()
    frame = table.frame.with_columns(ill=table.frame["ill"].reverse())
    return Table(frame, table.schema)


POPULATION_PREFIX = {"people": {"age": [30, 45, 60] * 3, "sex": ["f", "m", "f"] * 3}}
FEWER = {"people": {"age": [30, 45, 60] * 2, "sex": ["f", "m", "f"] * 2}}


@pytest.mark.parametrize(
    ("table", "changes"),
    [
        (other_records, {}),
        (lambda: patients(importance={"age": 2.0}), {}),
        (patients, {"metrics": [Discernibility(), ILoss()]}),
        (patients, {"metrics": [ILoss()]}),
        (patients, {"seed": 1}),
        (patients, {"side": FEWER}),
    ],
    ids=["records", "importance", "guide", "metrics", "seed", "population"],
)
def test_refuses_outcomes_of_something_else(
    tmp_path: Path, table: Callable[[], Table], changes: dict[str, Any]
) -> None:
    asked = {**GRID, "privacy": [[KMap(2, population="people")]], "side": POPULATION_PREFIX}
    kept = tmp_path / "kept"
    compare(patients(), **asked, keep=kept)
    before = kept.read_bytes()
    with pytest.raises(DataError, match="holds outcomes for other records, roles or metrics"):
        compare(table(), **{**asked, **changes}, keep=kept)
    assert kept.read_bytes() == before


def test_comparing_promises_on_a_column_that_is_not_there_is_an_error() -> None:
    data = as_table({"age": [30, 31], "ill": ["x", "y"]}, quasi="age", sensitive="ill")
    with pytest.raises(SchemaError, match="no sensitive column 'pay'"):
        compare(
            data,
            methods=[Optimal()],
            privacy=[[DistinctLDiversity(2, sensitive="pay")]],
            metrics=[ILoss()],
        )


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"methods": []}, ParameterError, "give at least one method, one set of promises and one"),
        ({"privacy": []}, ParameterError, "give at least one method, one set of promises and one"),
        ({"metrics": []}, ParameterError, "give at least one method, one set of promises and one"),
        ({"suppression": []}, ParameterError, "give at least one method, one set of promises"),
        ({"suppression": [0, 1]}, ParameterError, r"suppression must lie in \[0, 1\), got 1"),
        ({"suppression": "much"}, ParameterError, "expected a number or a fraction"),
        ({"jobs": 0}, ParameterError, "jobs must be at least 1, got 0"),
        ({"privacy": [[]]}, ParameterError, "nothing is promised"),
        ({"metrics": [ClassificationError()]}, UnsupportedError, "but not guide the search"),
    ],
    ids=[
        "no method",
        "no promise",
        "no metric",
        "no suppression",
        "all may go",
        "no number",
        "no jobs",
        "an empty promise",
        "a task as guide",
    ],
)
def test_refuses(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        compare(patients(), **{**GRID, **changes})


def test_a_metric_without_its_column_is_refused_before_any_search(searched: list[str]) -> None:
    metrics = [ILoss(), ClassificationMetric(target="pay")]
    with pytest.raises(SchemaError, match="no class column 'pay'"):
        compare(patients(), **{**GRID, "metrics": metrics})
    assert searched == []


def test_outcomes_cannot_be_kept_where_nothing_can_be_written(
    tmp_path: Path, searched: list[str]
) -> None:
    with pytest.raises(DataError, match="cannot keep outcomes here"):
        compare(patients(), **GRID, keep=tmp_path / "nowhere" / "kept")
    assert searched == []


def test_a_setting_that_takes_too_long_is_told_and_not_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    columns = {f"q{j}": rng.integers(0, 40, 300) for j in range(14)}
    wide = as_table(
        columns, quasi=[*columns], taxonomies=dict.fromkeys(columns, Intervals(2, 4, 8))
    )
    file = tmp_path / "outcomes.jsonl"
    # MinGen looks at all nodes of the lattice, of which there are 5 to the power of 14.
    found = compare(
        wide, methods=[MinGen()], privacy=[[KAnonymity(2)]], metrics=[ILoss()], time=1, keep=file
    )
    (late,) = found
    assert late.problem is not None
    assert late.problem.startswith("not finished within 1 seconds")
    assert late.setting not in file.read_text("utf-8")


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(ParameterError, match="time"):
        compare(patients(), **{**GRID, "time": -1})
