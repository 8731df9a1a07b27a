"""Small projects that tests of pages begin with, made by the JSON interface."""

from __future__ import annotations

from pathlib import Path

import unlinkable as ul
from tests.studio.conftest import Served, described, wait

__all__ = ["PLAN", "sample_project", "small_hospital"]

PLAN = """
[data]
source = "uploads/{file}"
others = "drop"

[columns.patient_id]
role = "identifier"

[columns.age]
role = "quasi-identifier"
taxonomy = {{ intervals = [10, 20, 40] }}

[columns.sex]
role = "quasi-identifier"

[columns.diagnosis]
role = "sensitive"

[[privacy]]
model = "k-anonymity"
k = 4

[method]
name = "optimal"
suppression = 0.05
"""


def small_hospital(folder: Path, patients: int = 120) -> Path:
    """Write a table of a few invented patients."""
    file = folder / "patients.csv"
    ul.examples.hospital(patients, seed=5).write_csv(file)
    return file


def sample_project(
    served: Served, file: Path, name: str, *, plan: str = PLAN, runs: int = 1
) -> str:
    """Begin a project with a plan and some results, and give its key."""
    key = described(served, file, name)
    with served.client() as client:
        toml = plan.format(file=file.name)
        client.put(f"/projects/{key}/plan", json={"toml": toml}).raise_for_status()
        for _ in range(runs):
            wait(client, client.post(f"/projects/{key}/anonymize", json={}))
    return key
