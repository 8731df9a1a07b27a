"""Columns in every order, through every command.

The order in which quasi-identifiers are given means nothing: everything comes out as it does in the
order of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.conftest import Run
from tests.tables.publishing.saved_bundles import rewrite_provenance
from unlinkable.release.bundle.manifest_json import written_json

Order = tuple[str, ...]

QUASI: Order = ("age", "sex", "zip")
ORDERS = [order for order in permutations(QUASI) if order != QUASI]
PROMISES = ["k-anonymity(k=3)", 'k-map(k=4, population="people.csv")']
METRICS = ["query-error", "iloss", "nonuniform-entropy", "kl-divergence"]
TREATED = {"age": "intervals = [5, 10, 20]", "zip": "mask = 5", "sex": "flat = true"}
UNTOLD = {"seconds", "bundle", "created", "folder", "source", "file", "worst", "victims"}
"""Places and times, and which of several groups or people is named first."""


def patients() -> pl.DataFrame:
    """Give patients, the sensitive column amid those that others know."""
    ills, n = ("flu", "cold", "hiv"), 48
    rows = [
        (f"p{i}", 20 + i % 24, "fm"[i // 3 % 2], ills[i % 3], f"0{130 + i // 8}") for i in range(n)
    ]
    return pl.DataFrame(rows, ["pid", "age", "sex", "ill", "zip"], orient="row")


def write_tables(folder: Path) -> None:
    """Write patients, the town that they are from, and the patients with their columns mixed."""
    records = patients()
    records.write_csv(folder / "patients.csv")
    records.select("zip", "ill", "sex", "pid", "age").write_csv(folder / "mixed.csv")
    pl.concat([records, records]).select("zip", "age", "sex").write_csv(folder / "people.csv")


def write_plan(folder: Path, order: Order) -> None:
    """Write a plan that lists the columns in this order, the sensitive one among them."""
    lines = ['data = {source = "patients.csv", types = {zip = "text"}}', "[columns]"]
    for name in (order[0], "ill", *order[1:]):
        role = "sensitive" if name == "ill" else "quasi-identifier"
        taxonomy = f", taxonomy = {{{TREATED[name]}}}" if name in TREATED else ""
        lines.append(f'{name} = {{role = "{role}"{taxonomy}}}')
    lines += ['pid = {role = "identifier"}', "[[privacy]]", 'model = "k-anonymity"', "k = 3"]
    lines += ["[release]", "seed = 1"]
    (folder / "plan.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def options(order: Order) -> list[str]:
    """Say on the command line what the columns are."""
    treated = ["-t", "age=intervals:5,10,20", "-t", "zip=mask:5", "--as", "zip=text"]
    return ["-q", ",".join(order), "-s", "ill", *treated]


def commands(order: Order) -> Iterator[tuple[str, list[str]]]:
    """Give every command that is about columns, with what it is asked for in this order."""
    asked = options(order)
    promised = [part for promise in PROMISES for part in ("-p", promise)]
    measured = [part for metric in METRICS for part in ("--metric", metric)]
    made = ["--identifier", "pid", "-m", "mondrian", "--seed", "1", "-o", "release"]
    people, published = ["--external", "people.csv", "--seed", "1"], "release/public/data.csv"
    both = ["--original", "patients.csv", "--released", published, "--plan", "plan.toml"]
    series = [
        "--history",
        "series.db",
        "--person",
        "pid",
        "--policy",
        "incremental",
        "-o",
        "series",
    ]
    yield "anonymize", ["anonymize", "patients.csv", *asked, *promised, *made]
    yield "verify", ["verify", "release"]
    yield "verify the public half", ["verify", "release/public"]
    yield "measure", ["measure", "release", *measured]
    yield "measure a file with its columns mixed", ["measure", "release", "--original", "mixed.csv"]
    yield "measure two tables", ["measure", *both, *measured[:4]]
    yield "attack", ["attack", "--all", "release", "--seed", "1", "--seconds", "0.2"]
    yield "attack a bundle", ["attack", "record-linkage", "release", *people]
    yield "attack a table", ["attack", "record-linkage", published, *asked, *people]
    yield "explain", ["explain", "release"]
    yield "risk", ["risk", "patients.csv", *asked[:2], "--population", "people.csv"]
    yield "risk of a bundle", ["risk", "release"]
    yield "check", ["check", published, *asked, *promised]
    yield "compare", ["compare", "plan.toml", "-m", "mondrian", "-m", "optimal", "-p", PROMISES[0]]
    yield "choose-k", ["choose-k", "plan.toml", "--k", "2,4", "-m", "mondrian"]
    yield "publish", ["publish", "plan.toml", *series]
    yield (
        "publish a file with its columns mixed",
        ["publish", "plan.toml", *series, "--source", "mixed.csv"],
    )
    yield "history", ["history", "series.db", "--seed", "1"]
    yield "verify a series", ["verify", "series/002"]
    yield "report", ["report", "release", "--holder"]


def answer(found: Any) -> Any:
    """Take from a document what the order of columns could change.

    Of an attack that draws, that it was tried is all that can be compared; whether one that draws
    as long as it has time came to an end, not even that.
    """
    if isinstance(found, list):
        return [answer(item) for item in found if not _depends_on_more(item)]
    if not isinstance(found, dict):
        return found
    if not found.get("sureness", "computed").startswith("computed"):
        return found["attack"]
    return {key: answer(value) for key, value in found.items() if key not in UNTOLD}


def _depends_on_more(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    is_timed = str(item.get("attack", "")).startswith(("minimality", "definetti"))
    return is_timed or item.get("title") == "Where it came from"


def answers(run: Run, order: Order) -> dict[str, Any]:
    """Run every command in the folder where we are, and give what each says."""
    write_tables(Path())
    write_plan(Path(), order)
    said = {}
    for name, arguments in commands(order):
        ran = run(*arguments, "--json")
        assert ran.code in (0, 1), (name, ran.err)
        said[name] = ran.code, answer(ran.json)
    return said


@pytest.fixture
def in_order(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Say what every command says where columns are given as they stand in the file."""
    (tmp_path / "in order").mkdir()
    monkeypatch.chdir(tmp_path / "in order")
    return answers(run, QUASI)


def test_every_command_says_the_same_in_whatever_order_columns_are_given(
    run: Run, tmp_path: Path, in_order: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(in_order[name][0] == 0 for name in ("anonymize", "verify", "verify a series"))
    assert len(in_order["attack"][1]["attacks"]) >= 8
    for order in ORDERS:
        (tmp_path / "-".join(order)).mkdir()
        monkeypatch.chdir(tmp_path / "-".join(order))
        said = answers(run, order)
        assert [name for name in said if said[name] != in_order[name]] == [], order


def test_a_report_tries_the_same_attacks_in_another_order_of_columns(
    run: Run, tmp_path: Path
) -> None:
    write_tables(tmp_path)
    made = ["--identifier", "pid", "-p", PROMISES[0], "-m", "mondrian", "-o", "release"]
    assert run("anonymize", "patients.csv", *options(("zip", "sex", "age")), *made).code == 0
    ran = run("report", "release", "--holder", "--attacks", "--json")
    told = dict(next(b for b in ran.json["lead"] if b["block"] == "facts")["rows"])
    assert told["Attacks"]["text"].startswith("10 attacks tried")


def test_a_bundle_whose_private_half_has_its_own_order_of_columns_opens(
    run: Run, tmp_path: Path
) -> None:
    write_tables(tmp_path)
    promised = [part for promise in PROMISES for part in ("-p", promise)]
    made = ["--identifier", "pid", *promised, "-m", "mondrian", "-o", "release"]
    assert run("anonymize", "patients.csv", *options(QUASI), *made).code == 0
    asked = ["measure", "release", "--metric", "query-error", "--metric", "iloss", "--json"]
    before = run(*asked).json
    in_another_order(tmp_path / "release" / "private")
    assert run("verify", "release").code == 0
    assert run(*asked).json == before
    assert run("explain", "release").code == 0


def in_another_order(private: Path) -> None:
    """List groups and taxonomies in the reverse order, as bundles of earlier versions may."""
    taxonomies = json.loads((private / "taxonomies.json").read_text(encoding="utf-8"))
    (private / "taxonomies.json").write_bytes(written_json(dict(reversed(taxonomies.items()))))
    groups, n = pl.read_parquet(private / "groups.parquet"), len(taxonomies)
    boxes = {f"{side} {j}": f"{side} {n - 1 - j}" for side in ("lo", "hi") for j in range(n)}
    groups.rename(boxes).write_parquet(private / "groups.parquet")
    rewrite_provenance(private)
