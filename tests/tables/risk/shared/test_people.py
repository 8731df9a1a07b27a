"""Columns that number people: they are recognized, and never published as quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

import unlinkable as ul
from unlinkable.errors import SchemaError
from unlinkable.tables.data import Role, as_table
from unlinkable.tables.publishing.anonymizing.run import run
from unlinkable.tables.risk import describe, safe_harbor
from unlinkable.tables.risk.shared.people import owner_column
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder

N = 400
"""Records of a drawn table."""


def role_of(name: str, values: Sequence[object]) -> Role:
    other = ["a", "b", "c", "d"] * (len(values) // 4 + 1)
    table = as_table({name: list(values), "ward": other[: len(values)]}, insensitive=[name, "ward"])
    return describe(table).columns[0].role


def numbers(n: int, of: int, digits: int = 6) -> list[int]:
    """Draw n records of people who have a number of so many digits, everybody at least one."""
    rng = np.random.default_rng(1)
    people = rng.choice(np.arange(10 ** (digits - 1), 10**digits), of, replace=False)
    who = np.concatenate([np.arange(of), rng.integers(0, of, n - of)])
    return [int(x) for x in people[who]]


NAMES = [
    "patient_id", "PatientID", "PATIENT_NO", "customer id", "customerNumber", "client_code",
    "EmployeeNumber", "PassengerId", "user_id", "subject_id", "member_no", "SSN", "case number",
    "Patientennummer", "PatNr", "Patienten-ID", "Kundennummer", "Kunden_Nr", "KundenNr.",
    "Versichertennummer", "Personalnummer", "Mitgliedsnummer", "Fallnummer", "Schülernummer",
    "numéro_patient", "Numéro de patient", "num_client", "id_client", "code client", "identifiant",
    "matricule", "numéro d'assuré", "id_paciente", "número de paciente", "Código del cliente",
    "numero_socio", "DNI", "codice_paziente", "numero cliente", "codice fiscale", "matricola",
    "número do utente", "código do cliente", "CPF", "klantnummer", "patiëntnummer", "BSN",
    "medewerkersnummer", "numer pacjenta", "nr klienta", "PESEL", "hasta_no", "Müşteri No",
    "TC Kimlik No", "müşteri numaras\u0131", "personnummer", "potilastunnus", "asiakasnumero",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_in_many_languages_give_numbers_of_people_away(name: str) -> None:
    assert role_of(name, numbers(N, N)) is Role.IDENTIFIER
    assert role_of(name, numbers(N, N // 2)) is Role.OWNER
    assert role_of(name, [f"{n}x" for n in numbers(N, N // 2)]) is Role.OWNER


@pytest.mark.parametrize(
    "name",
    [
        "Checking account status", "Telephone contract", "number of children", "n_patients",
        "number of patients", "nombre de clients", "Anzahl Kunden", "número de pacientes",
        "case_type", "user rating", "persons", "client segment", "patient satisfaction",
        "Kundengruppe", "customer region", "employees", "insurance", "card type", "member since",
    ],
)  # fmt: skip
def test_other_names_do_not(name: str) -> None:
    assert role_of(name, [1, 2, 3, 4] * 100) is Role.QUASI
    assert role_of(name, ["A11", "A12", "A13", "A14"] * 100) is Role.QUASI


@pytest.mark.parametrize(
    "values",
    [
        list(range(1, N + 1)),
        [str(n) for n in range(1000, 1000 + N)],
        numbers(N, N, digits=9),
        numbers(N, N // 2, digits=8),
        [f"P{n:05d}" for n in range(N)],
        [f"MRN-{n}" for n in numbers(N, N // 2)],
        [str(UUID(int=n * 7919)) for n in range(N)],
        [f"person{n}@example.org" for n in numbers(N, N // 2)],
        [f"756.{n:04d}.1234.56" for n in range(N)],
        [f"CH93 0076 2011 6238 {n:04d} 7" for n in range(N)],
        [f"{100 + n // 40}-{10 + n % 40}-1234" for n in range(N)],
    ],
)
def test_shapes_and_repetition_give_numbers_of_people_away(values: list[object]) -> None:
    is_unique = len(set(values)) == len(values)
    assert role_of("x", values) is (Role.IDENTIFIER if is_unique else Role.OWNER)


DAY = date(1930, 1, 1)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("zip", [str(10000 + 7 * n) for n in range(N)]),
        ("PLZ", [1000 + 3 * n for n in range(N)]),
        ("code postal", [f"{75000 + n}" for n in range(N)]),
        ("birth_date", [DAY + timedelta(days=61 * n) for n in range(N)]),
        ("Geburtsdatum", [DAY + timedelta(days=n) for n in range(N)]),
        ("birth", [f"{19300101 + n % 28 + 10000 * (n // 28)}" for n in range(N)]),
        ("age", list(range(100)) * 4),
        ("Alter", list(range(N))),
        ("height", list(range(1400, 1400 + N))),
        ("final_price", [1_000_000 + 37 * n for n in range(N)]),
        ("x", [0.5 + 1.37 * n for n in range(N)]),
        ("x", [int(n) for n in np.random.default_rng(2).integers(0, 10_000_000, N)]),
    ],
)
def test_what_others_know_stays_a_quasi_identifier(name: str, values: list[object]) -> None:
    assert role_of(name, values) is Role.QUASI


def test_one_column_tells_people_apart_and_the_others_are_identifiers() -> None:
    columns = {
        "visit_id": list(range(N)),
        "customer_no": numbers(N, 150),
        "Patientennummer": numbers(N, 100),
        "product_id": numbers(N, 300),
        "name": [f"Ann {n % 90}" for n in range(N)],
    }
    about = describe(as_table(columns, insensitive=list(columns)))
    roles = {p.name: p.role for p in about.columns}
    assert roles.pop("Patientennummer") is Role.OWNER
    assert set(roles.values()) == {Role.IDENTIFIER}


def test_nobody_is_told_apart_by_numbers_of_other_things() -> None:
    table = as_table({"product_id": numbers(N, 200)}, insensitive="product_id")
    assert owner_column(table, safe_harbor(table)) is None


@pytest.mark.parametrize(
    "taxonomy", [None, ul.Auto(), ul.Mask(6), ul.Intervals(1000, 100_000), ul.Flat()]
)
def test_a_number_of_people_cannot_be_a_quasi_identifier(
    taxonomy: TaxonomyBuilder | None,
) -> None:
    given = {} if taxonomy is None else {"Patientennummer": taxonomy}
    table = as_table(
        {"Patientennummer": numbers(N, 200), "sex": ["f", "m"] * 200},
        quasi=["sex", "Patientennummer"],
        taxonomies=given,
    )
    with pytest.raises(SchemaError, match="'Patientennummer' looks like medical record numbers"):
        ul.anonymize(table, privacy=ul.KAnonymity(2), method=ul.Mondrian())


def test_a_taxonomy_by_hand_says_that_values_are_categories() -> None:
    tree = ul.Tree({"north": [f"A{n:03d}" for n in range(20)], "south": ["B001", "B002"]})
    codes = [f"A{n % 20:03d}" for n in range(38)] + ["B001", "B002"]
    table = as_table(
        {"customer_code": codes}, quasi="customer_code", taxonomies={"customer_code": tree}
    )
    assert ul.anonymize(table, privacy=ul.KAnonymity(2)).holds


def test_several_records_of_one_person_without_an_owner_are_warned_of() -> None:
    table = as_table(
        {"Patientennummer": numbers(N, 200), "sex": ["f", "m"] * 200},
        quasi="sex",
        identifiers="Patientennummer",
    )
    with pytest.warns(UserWarning, match="400 records have 200 values of 'Patientennummer'"):
        ul.anonymize(table, privacy=ul.KAnonymity(2))


def test_so_are_those_of_a_column_that_a_plan_drops(tmp_path: Path) -> None:
    rows = "".join(f"{n},{'fm'[n % 2]}\n" for n in numbers(N, 200))
    (tmp_path / "visits.csv").write_text(f"Patientennummer,sex\n{rows}", encoding="utf-8")
    plan = {
        "data": {"source": "visits.csv", "others": "drop"},
        "columns": {"sex": {"role": "quasi-identifier"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    with pytest.warns(UserWarning, match="400 records have 200 values of 'Patientennummer'"):
        run(ul.Plan.from_dict(plan, tmp_path))


def test_a_number_that_is_published_as_it_stands_is_warned_of() -> None:
    table = as_table(
        {"Kundennr": numbers(N, N), "sex": ["f", "m"] * 200}, quasi="sex", insensitive="Kundennr"
    )
    with pytest.warns(UserWarning, match="'Kundennr' looks like numbers or codes of people"):
        ul.anonymize(table, privacy=ul.KAnonymity(2))


def test_nothing_is_warned_of_where_an_owner_is_given(recwarn: pytest.WarningsRecorder) -> None:
    table = as_table(
        {"Patientennummer": numbers(N, 200), "sex": ["f", "m"] * 200},
        quasi="sex",
        owner="Patientennummer",
    )
    assert ul.anonymize(table, privacy=ul.KAnonymity(2)).holds
    assert not recwarn.list
