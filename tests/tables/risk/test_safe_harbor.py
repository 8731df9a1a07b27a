"""Safe Harbor: what is flagged, and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from tests.adult import FILE, needs_adult
from unlinkable.examples import hospital, transfusions
from unlinkable.tables.data import as_table, read
from unlinkable.tables.risk import IdentifierKind as Kind
from unlinkable.tables.risk import safe_harbor
from unlinkable.tables.risk.shared.identifiers import words_of

PEOPLE = ["Ann", "Bob", "Cem", "Dua"] * 10


def flagged(name: str, values: Sequence[object]) -> Kind | None:
    found = safe_harbor(as_table({name: list(values)}, insensitive=name))
    return found[0].kind if found else None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("name", Kind.NAME), ("LastName", Kind.NAME), ("patient_surname", Kind.NAME),
        ("maiden-name", Kind.NAME), ("street", Kind.ADDRESS), ("homeAddress", Kind.ADDRESS),
        ("county", Kind.PLACE), ("postal_code", Kind.PLACE), ("latitude", Kind.PLACE),
        ("phone", Kind.PHONE), ("home_telephone", Kind.PHONE), ("mobile number", Kind.PHONE),
        ("fax", Kind.FAX), ("e-mail", Kind.EMAIL), ("email_address", Kind.EMAIL),
        ("SSN", Kind.SOCIAL_SECURITY), ("social_security_number", Kind.SOCIAL_SECURITY),
        ("MRN", Kind.MEDICAL_RECORD), ("medical record number", Kind.MEDICAL_RECORD),
        ("insurance_number", Kind.HEALTH_PLAN), ("member_id", Kind.HEALTH_PLAN),
        ("account_no", Kind.ACCOUNT), ("IBAN", Kind.ACCOUNT), ("passport", Kind.CERTIFICATE),
        ("license_number", Kind.CERTIFICATE), ("VIN", Kind.VEHICLE),
        ("license_plate", Kind.VEHICLE), ("device_serial", Kind.DEVICE), ("imei", Kind.DEVICE),
        ("homepage", Kind.URL), ("ip_address", Kind.IP), ("clientIP", Kind.IP),
        ("fingerprint", Kind.BIOMETRIC), ("photo", Kind.PHOTO),
    ],
)  # fmt: skip
def test_names_of_columns_give_identifiers_away(name: str, kind: Kind) -> None:
    assert flagged(name, list(PEOPLE)) is kind


@pytest.mark.parametrize(
    "name",
    [
        "drug_name", "hospital name", "country", "native-country", "state", "insurance",
        "insurance_type", "stage", "language", "vehicle_type", "license_type", "weekday", "dosage",
        "account_balance", "phone_model", "city_size", "township_type", "provider_type", "recipe",
        "description", "ward_id", "email_consent", "curriculum", "vinegar", "shipping",
    ],
)  # fmt: skip
def test_names_of_other_columns_do_not(name: str) -> None:
    assert flagged(name, list(PEOPLE)) is None


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["ann@x.org", "bob.b@y.co.uk"], Kind.EMAIL),
        (["https://x.org/ann", "www.bob.net"], Kind.URL),
        (["10.0.0.1", "192.168.255.3"], Kind.IP),
        (["00:1b:44:11:3a:b7", "00-1B-44-11-3A-B8"], Kind.DEVICE),
        (["123-45-6789", "987-65-4321"], Kind.SOCIAL_SECURITY),
        (["CH93 0076 2011 6238 5295 7", "DE89370400440532013000"], Kind.ACCOUNT),
        (["4111 1111 1111 1111", "5500-0000-0000-0004"], Kind.ACCOUNT),
        (["1HGBH41JXMN109186", "JH4KA7561PC008269"], Kind.VEHICLE),
        (["+41 44 632 11 11", "(212) 555-0100"], Kind.PHONE),
        (["2024-03", "2023-11"], Kind.DATE),
        (["17.03.2024", "3/17/1999"], Kind.DATE),
        (["2024-Q1", "2023 Q4"], Kind.DATE),
        (["13053-1234", "90210-0001"], Kind.PLACE),
        (["12 Main Street", "4b Old Mill Rd."], Kind.ADDRESS),
        ([f"123e4567-e89b-12d3-a456-42661417400{i}" for i in range(3)], Kind.OTHER),
        ([f"person {i}" for i in range(40)], Kind.OTHER),
    ],
)  # fmt: skip
def test_values_give_identifiers_away(values: list[object], kind: Kind) -> None:
    assert flagged("x", values) is kind


@pytest.mark.parametrize(
    "values",
    [
        ["flu", "cold"], [1, 2, 3], [1.5, 2.25], ["1999", "2004"], ["30-35", "40-45"],
        ["1.2.3", "4.5.6"], ["[30-35)", "*"], ["A12.3", "B20"], ["3/4", "1/2"], ["yes", "no"],
        [f"{i}.25" for i in range(50)], [f"[{i}-{i + 1})" for i in range(50)], [None, None],
        ["120/80", "135/90"], ["12:30", "14:45"], ["300.10", "999.99"],
    ],
)  # fmt: skip
def test_other_values_do_not(values: list[object]) -> None:
    assert flagged("x", values) is None


@pytest.mark.parametrize(
    ("values", "is_flagged"),
    [
        (["13053", "90210"], True), ([13053, 90210], True), ([501, 544], False),
        (["130**", "902**"], False), (["036**", "130**"], True), (["036", "130"], True),
        (["1305*", "130**"], True), (["*", "*"], False), (["{130**, 131**}", "*"], False),
        (["13053-1234", "13054-1234"], True), ([8001, 8002], True),
    ],
)  # fmt: skip
def test_zip_codes_may_have_three_digits_where_enough_people_live(
    values: list[object], is_flagged: bool
) -> None:
    assert flagged("zip", values) is (Kind.PLACE if is_flagged else None)


@pytest.mark.parametrize(
    ("values", "is_flagged"),
    [
        ([17, 89], False), ([17, 90], False), ([17, 91], True), ([17, 90, 91], True),
        (["[80-85)", "[85-90)"], False), (["[80-90)", "[90-100)"], False),
        (["[85-90)", "[90-95)", "[95-100)"], True), (["young", "old"], False),
        (["[80-95)", "[95-110)"], True), (["88", "93"], True), (["88", "*"], False),
        ([17.5, 89.0], False), ([17.5, 90.5], True),
    ],
)  # fmt: skip
def test_ages_may_be_told_up_to_89(values: list[object], is_flagged: bool) -> None:
    assert flagged("age", values) is (Kind.AGE if is_flagged else None)


def test_ages_in_months_are_no_ages_over_89() -> None:
    assert flagged("age_in_months", [90, 120]) is None


@pytest.mark.parametrize(
    ("name", "values", "is_flagged"),
    [
        ("admitted", [date(2024, 3, 1), date(2024, 4, 2)], True),
        ("admitted", [date(2024, 1, 1), date(2023, 1, 1)], False),
        ("admitted", ["[2024-01-01-2025-01-01)", "[2023-01-01-2024-01-01)"], False),
        ("admitted", ["[2024-01-01-2024-04-01)", "[2023-01-01-2024-01-01)"], True),
        ("birth_year", [1950, 1990], False),
        ("birth_year", [1920, 2015], True),
        ("birth_weight", [900, 4300], False),
        ("dob", ["17 March 1950", "1 May 1987"], True),
        ("date_of_birth", ["1950", "1987"], False),
        ("admission_date", [2021, 2022], False),
        ("admission_date", [20210317, 20220401], True),
    ],
)
def test_dates_may_be_told_as_years(name: str, values: list[object], is_flagged: bool) -> None:
    assert flagged(name, values) is (Kind.DATE if is_flagged else None)


def test_numbers_of_wards_are_no_numbers_of_people() -> None:
    assert flagged("ward_id", [1, 2, 3, 4] * 10) is None
    assert flagged("record_id", list(range(40))) is Kind.OTHER
    assert flagged("user_id", list(range(300)) * 10) is Kind.PERSON
    assert flagged("patient_id", [1, 2, 3, 4] * 10) is Kind.MEDICAL_RECORD
    assert flagged("email", ["yes", "no"] * 20) is None
    assert flagged("phone", [True, False] * 20) is None
    assert flagged("phone", [0, 1] * 20) is None


def test_flags_of_a_hospital() -> None:
    patients = hospital(2_000)
    found = safe_harbor(as_table(patients, insensitive=patients.columns))
    assert {f.column: f.kind for f in found} == {
        "patient_id": Kind.MEDICAL_RECORD,
        "name": Kind.NAME,
        "age": Kind.AGE,
        "zip": Kind.PLACE,
        "admission_date": Kind.DATE,
    }


def test_flags_of_transfusions() -> None:
    given = transfusions(2_000)
    found = safe_harbor(as_table(given, insensitive=given.columns))
    assert {f.column: f.kind for f in found} == {"age": Kind.AGE}


@needs_adult
def test_adult_has_no_flags() -> None:
    header = FILE.read_text("utf-8").partition("\n")[0].split(";")
    assert safe_harbor(read(FILE, insensitive=header)) == ()


def test_flags_tell_what_to_do_and_no_values() -> None:
    found = safe_harbor(as_table({"mail": ["ann@x.org", "bob@y.org"]}, insensitive="mail"))
    told = found[0].to_json()
    assert told == {
        "column": "mail",
        "item": "F",
        "kind": "email addresses",
        "why": "its values look like that",
        "remedy": "drop the column",
    }


def test_only_some_columns_are_looked_at() -> None:
    table = as_table({"name": ["a"], "mail": ["ann@x.org"]}, insensitive=["name", "mail"])
    assert [f.column for f in safe_harbor(table, ("mail",))] == ["mail"]


def test_all_18_items_of_the_rule_are_there() -> None:
    assert sorted({kind.letter for kind in Kind}) == list("ABCDEFGHIJKLMNOPQR")


def test_names_are_taken_apart() -> None:
    assert words_of("HTTPServerName2_id") == "http server name 2 id"


@pytest.mark.parametrize("values", [["Essex", "Suffolk"], ["Essex"]])
def test_one_or_two_places_are_places(values: list[str]) -> None:
    """The rule knows no number of counties from which on they may be told."""
    assert flagged("county", values * 20) is Kind.PLACE
    assert flagged("surname", values * 20) is Kind.NAME
