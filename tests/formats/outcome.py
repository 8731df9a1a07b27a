"""What is recorded of a bundle or a history when it is written, and compared for ever after."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.formats.commands import run
from unlinkable.tables.publishing.bundles.opened import open_bundle

__all__ = [
    "PEOPLE_KEY",
    "Outcome",
    "of_bundle",
    "of_history",
    "of_next_release",
    "of_verification",
    "publish_command",
]

PEOPLE_KEY = "people.key"
"""The key that the people of a history are known by, where there is one."""

FIGURES = ("succeeded", "attacked", "highest_confidence", "limit")
"""What is recorded of an attack."""

Outcome = dict[str, Any]
"""Texts, numbers, lists and nested tables, as they stand in ``expected.json``."""


def of_bundle(bundle: Path, plan: Path) -> Outcome:
    """Give what is said of a bundle, with and without its private half.

    The source of its plan lies beside the plan. It is named wherever originals are needed: they are
    not where they were when the bundle was written. What a command refuses is None.
    """
    asked = tomllib.loads(plan.read_text(encoding="utf-8"))
    stated = [f"--metric={metric}" for metric in asked.get("utility", {}).get("metrics", [])]
    original = ["--original", plan.parent / asked["data"]["source"]]
    public = bundle / "public"
    frame = open_bundle(public).frame
    return {
        "table": {"columns": list(frame.columns), "rows": frame.height},
        "public half": of_verification(public),
        "both halves": of_verification(bundle),
        "metrics, by the holder": _answer(["measure", bundle], "metrics"),
        "metrics, by recipients": _answer(["measure", public, *stated], "metrics"),
        "metrics, with the original": [
            _answer(["measure", bundle, *original, "--metric", metric], "metrics")
            for metric in ("kl-divergence", "reconstruction-error")
        ],
        "risk": _risk(public),
        "record linkage": _attack("record-linkage", bundle, *original),
        "attribute linkage": _attack("attribute-linkage", public),
        "report, for recipients": run("report", public, "--json").code,
        "report, for the holder": run("report", bundle, "--holder", *original, "--json").code,
    }


def of_verification(bundle: Path, *options: object) -> Outcome:
    """Give what ``verify`` says of a bundle or of its public half."""
    ran = run("verify", bundle, *options, "--json")
    counts = ("holds", "origin_checked", "records", "suppressed", "groups", "problems")
    told = _chosen(ran.json, *counts, "metrics", "method", "optimal", "node", "promised", "judged")
    models = [
        _chosen(model, "model", "holds", "basis", "achieved", "violating_groups")
        for model in ran.json["models"]
    ]
    return {"exit code": ran.code, **told, "models": models}


def of_history(folder: Path) -> Outcome:
    """Give what is on record in a history, and what its bundles say."""
    bundles = sorted((folder / "releases").iterdir())
    return {
        "record": _record(folder),
        "bundles": {bundle.name: of_verification(bundle) for bundle in bundles},
    }


def of_next_release(folder: Path, number: int) -> Outcome:
    """Publish the next release of a history, and give what is said of it."""
    ran = run(*publish_command(folder, number), "--json")
    counts = ("published", "number", "policy", "holds", "records", "suppressed", "new_people")
    told = _chosen(ran.json, *counts, "groups", "told")
    return {"exit code": ran.code, **told, "attacks": _attacks(ran.json["attacks"])}


def publish_command(folder: Path, number: int) -> list[object]:
    """Give the command that publishes a release of a history, by the plan of its month."""
    return ["publish", folder / f"month-{number}.toml", "--history", *_database(folder)]


def _record(folder: Path) -> Outcome:
    """Give what is on record in a history, and what all of its releases tell together."""
    ran = run("history", *_database(folder), "--json")
    fields = ("number", "recipient", "policy", "method", "promises", "records", "suppressed")
    releases = [_chosen(line, *fields, "new_people") for line in ran.json["releases"]]
    attacks = _attacks(ran.json["attacks"]["attacks"])
    return {"exit code": ran.code, "releases": releases, "attacks": attacks}


def _database(folder: Path) -> list[object]:
    """Give the file of a history, and its key if people are known by one."""
    key = folder / PEOPLE_KEY
    return [folder / "history.db", *(["--key", key] if key.is_file() else [])]


def _attacks(found: list[Mapping[str, Any]]) -> Outcome:
    return {outcome["attack"]: _chosen(outcome, *FIGURES) for outcome in found}


def _attack(attack: str, bundle: Path, *options: object) -> Outcome | None:
    return _answer(["attack", attack, bundle, *options], "attack", *FIGURES)


def _risk(bundle: Path) -> Outcome | None:
    ran = run("risk", bundle, "--json")
    if ran.code > 1:
        return None
    adversaries = _chosen(ran.json["re_identification"], "prosecutor", "journalist", "marketer")
    return adversaries | {"unique": ran.json["uniqueness"]["sample"]}


def _answer(command: list[Any], *fields: str) -> Outcome | None:
    ran = run(*command, "--json")
    return {"exit code": ran.code, **_chosen(ran.json, *fields)} if ran.code <= 1 else None


def _chosen(document: Mapping[str, Any], *fields: str) -> Outcome:
    return {field: document[field] for field in fields}
