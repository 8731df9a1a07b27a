"""Invented people, and the tables that bundles and histories are made from."""

from __future__ import annotations

import csv
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

__all__ = ["ILLNESSES", "JOBS", "patient", "write_sources", "write_table"]

JOBS = {
    "Craft": {"Building": ["Mason", "Painter"], "Kitchen": ["Baker", "Cook"]},
    "Office": {"Law": ["Judge", "Lawyer"], "School": ["Lecturer", "Teacher"]},
}
ILLNESSES = {"Infection": ["Flu", "Hepatitis", "HIV"], "Injury": ["Burn", "Cut", "Fracture"]}


def write_sources() -> None:
    """Write the tables that the bundles are made from, and those that promises refer to."""
    people = [patient(i) for i in range(48)]
    write_table(Path("people.csv"), people)
    complete = [row | {"job": row["job"] or "Cook"} for row in people]
    write_table(Path("complete.csv"), complete)
    others = [patient(i) for i in range(48, 144)]
    known = ("age", "sex", "job")
    everybody = complete + [row | {"job": row["job"] or "Cook"} for row in others]
    write_table(Path("population.csv"), [{name: row[name] for name in known} for row in everybody])
    write_table(Path("visits.csv"), [_visit(i) for i in range(60)])
    towns = {"Lyon": "France", "Paris": "France", "Bonn": "Germany", "Oslo": "Norway"}
    regions = {"France": "South", "Germany": "South", "Norway": "North"}
    lines = [f"{town};{country};{regions[country]}" for town, country in towns.items()]
    Path("born.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    values = [(value, kind) for kind, listed in ILLNESSES.items() for value in listed]
    write_table(
        Path("distances.csv"),
        [
            {"from": one, "to": other, "distance": 0.5 if kind == another else 1}
            for i, (one, kind) in enumerate(values)
            for other, another in values[i + 1 :]
        ],
    )


def patient(i: int) -> dict[str, object]:
    """Invent a person, always the same one for the same number."""
    chance = random.Random(f"patient {i}")
    jobs = [job for branch in JOBS.values() for listed in branch.values() for job in listed]
    kind = chance.choice(list(ILLNESSES))
    return {
        "pid": f"P{i:03d}",
        "name": f"{chance.choice(['Ada', 'Bo', 'Cy', 'Di'])} {chance.choice(['Oak', 'Elm'])} {i}",
        "age": chance.randrange(18, 86),
        "sex": chance.choice("fm"),
        "zip": f"{chance.choice(['041', '213', '704'])}{chance.randrange(1, 12):02d}",
        "came": date(2024, 1, 1) + timedelta(days=chance.randrange(720)),
        "born": chance.choice(["Lyon", "Paris", "Bonn", "Oslo"]),
        "job": "" if chance.random() < 0.08 else chance.choice(jobs),
        "pay": chance.randrange(1500, 6000, 250) + 0.5,
        "ill": chance.choice(ILLNESSES[kind]),
        "minds": kind if chance.random() < 0.3 else "",
        "again": chance.choice(["no", "no", "yes"]),
    }


def write_table(file: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows as CSV, with a header."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _visit(i: int) -> dict[str, object]:
    """Invent one of several visits of a person."""
    owner = patient(i % 24)
    return {
        "pid": owner["pid"],
        "card": f"C-{1000 + i % 24}",
        "phone": f"0{5_550_100 + i % 24}",
        "age": owner["age"],
        "sex": owner["sex"],
        "drug": random.Random(f"visit {i}").choice(["A", "B", "C", "D"]),
        "stands_for": 1.5 + i % 3,
    }
