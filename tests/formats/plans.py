"""The plans of what is written: one for each kind of bundle and of history."""

from __future__ import annotations

from typing import Any

from tests.formats.people import ILLNESSES, JOBS

__all__ = ["BUNDLES", "HISTORIES", "KEYED", "MONTHS", "Section"]

Section = dict[str, Any]
"""A table of a plan."""

QUASI: Section = {"role": "quasi-identifier"}
SENSITIVE: Section = {"role": "sensitive"}
AGE = QUASI | {"taxonomy": {"intervals": [5, 10, 20], "low": 20, "high": 80}}
SEX = QUASI | {"taxonomy": {"tree": ["f", "m"]}}
JOB = QUASI | {"taxonomy": {"tree": JOBS}}
ILL = SENSITIVE | {"taxonomy": {"tree": ILLNESSES}}
PEOPLE: Section = {"source": "people.csv", "others": "drop"}
COMPARED: Section = {"metrics": ["reconstruction-error", "propensity"]}
COMPLETE: Section = {"source": "complete.csv", "others": "drop"}

BUNDLES: dict[str, Section] = {
    "mondrian": {
        "data": PEOPLE,
        "columns": {
            "name": {"role": "identifier"},
            "age": QUASI,
            "sex": QUASI,
            "zip": QUASI,
            "ill": SENSITIVE,
            "again": {"role": "target"},
        },
        "privacy": [
            {"model": "k-anonymity", "k": 4},
            {"model": "entropy-l-diversity", "l": 2, "sensitive": "ill"},
        ],
        "method": {"name": "mondrian"},
        "utility": {"metric": "iloss", "metrics": ["average-class-size(k=4)", "kl-divergence"]},
        "release": {
            "holder": "An invented hospital",
            "recipient": "An invented registry",
            "purpose": "To see that it opens",
            "approve": ["risk-before", "distribution:age"],
        },
    },
    "full-domain": {
        "data": PEOPLE,
        "columns": {
            "age": AGE,
            "sex": QUASI | {"taxonomy": {"flat": True}},
            "zip": QUASI | {"taxonomy": {"mask": 5, "keep": [3, 1]}, "weight": 2.0},
            "came": QUASI | {"taxonomy": {"dates": ["month", "quarter", "year"]}},
            "job": JOB,
            "born": QUASI | {"taxonomy": {"csv": "born.csv"}},
            "pay": QUASI | {"taxonomy": {"auto": True, "groups": 3}},
            "ill": SENSITIVE,
        },
        "privacy": [
            {"model": "k-anonymity", "k": 2},
            {"model": "recursive-cl-diversity", "c": 3.0, "l": 2},
        ],
        "method": {"name": "optimal", "suppression": 0.2},
        "release": {"format": "parquet"},
    },
    "anatomy": {
        "data": PEOPLE,
        "columns": {"age": QUASI, "sex": QUASI, "job": QUASI, "ill": ILL},
        "privacy": [
            {"model": "distinct-l-diversity", "l": 3},
            {"model": "frequency-l-diversity", "l": 2},
        ],
        "method": {"name": "anatomize", "l": 3},
        "utility": COMPARED,
    },
    "microaggregated": {
        "data": PEOPLE,
        "columns": {"age": QUASI, "pay": QUASI, "ill": SENSITIVE},
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "method": {"name": "mdav"},
        "utility": COMPARED,
        "release": {"format": "parquet"},
    },
    "swapped": {
        "data": PEOPLE,
        "columns": {"age": QUASI, "pay": QUASI, "ill": SENSITIVE},
        "method": {"name": "rank-swapping", "p": 10},
        "utility": COMPARED,
    },
    "randomized": {
        "data": COMPLETE,
        "columns": {"sex": SEX, "job": JOB, "ill": ILL},
        "privacy": [{"model": "differential-privacy", "epsilon": 4.0}],
        "method": {"name": "pram"},
    },
    "personalized": {
        "data": PEOPLE,
        "columns": {
            "age": AGE,
            "job": JOB,
            "ill": ILL,
            "minds": {"role": "guard"},
        },
        "privacy": [{"model": "personalized-privacy", "p": 0.5}],
        "method": {"name": "greedy-personalized"},
    },
    "population": {
        "data": COMPLETE,
        "columns": {"age": AGE, "sex": SEX, "job": JOB},
        "privacy": [
            {"model": "delta-presence", "low": 0, "high": 0.6, "population": "population.csv"},
            {"model": "k-map", "k": 4, "population": "population.csv"},
        ],
        "method": {"name": "optimal"},
        "release": {"format": "parquet"},
    },
    "noisy-counts": {
        "data": COMPLETE,
        "columns": {
            "age": QUASI | {"taxonomy": {"intervals": [20], "low": 20, "high": 80}},
            "sex": SEX,
            "ill": ILL,
        },
        "privacy": [{"model": "differential-privacy", "epsilon": 1.0}],
        "method": {"name": "dp-histogram", "marginals": [["age", "sex"], ["ill"]]},
    },
    "synthetic": {
        "data": PEOPLE,
        "columns": {"age": QUASI, "sex": QUASI, "came": QUASI, "ill": SENSITIVE},
        "method": {"name": "synthetic", "n": 30, "leaf": 8},
        "utility": COMPARED,
    },
    "signed": {
        "data": {"source": "visits.csv"},
        "columns": {
            "pid": {"role": "owner"},
            "card": {"role": "identifier", "treatment": "pseudonym", "prefix": "P"},
            "phone": {"role": "identifier", "treatment": "mask", "keep_right": 2},
            "age": AGE,
            "sex": SEX,
            "drug": SENSITIVE,
            "stands_for": {"role": "weight"},
        },
        "pseudonyms": {"key": "pseudonyms.key"},
        "privacy": [
            {"model": "k-anonymity", "k": 3},
            {"model": "distinct-l-diversity", "l": 2},
        ],
        "method": {"name": "top-down-specialization"},
        "release": {"sign": "holder"},
    },
    "close": {
        "data": PEOPLE,
        "columns": {"age": AGE, "job": JOB, "ill": SENSITIVE, "pay": SENSITIVE},
        "privacy": [
            {"model": "k-anonymity", "k": 3},
            {"model": "t-closeness", "t": 0.4, "sensitive": "pay", "distance": "ordered"},
            {
                "model": "t-closeness",
                "t": 0.5,
                "sensitive": "ill",
                "distance": "given",
                "ground": "distances.csv",
            },
        ],
        "method": {"name": "mondrian", "labels": "taxonomy"},
    },
}
"""The plans of the bundles, without their seed."""

SERIES: Section = {"pid": {"role": "identifier"}, "age": QUASI, "sex": SEX, "ill": SENSITIVE}
SHARES: Section = {"model": "kc-anonymity", "k": 2, "c": 0.5}

HISTORIES: dict[str, Section] = {
    "incremental": {
        "columns": SERIES,
        "privacy": [SHARES],
        "series": {"policy": "incremental", "person": "pid"},
    },
    "continuous": {
        "columns": SERIES | {"age": AGE},
        "privacy": [SHARES],
        "series": {"policy": "continuous", "person": "pid"},
    },
    "m-invariance": {
        "columns": SERIES,
        "series": {"policy": "m-invariance", "m": 2, "person": "pid"},
    },
}
"""The plans of the histories, without their source and seed."""

MONTHS = {
    "incremental": [range(20), range(32), range(44)],
    "continuous": [range(20), range(32), range(44)],
    "m-invariance": [range(24), range(16, 34), range(20, 44)],
}
"""Who is in the table when a history goes on: the last one is published by the tests."""

KEYED = "m-invariance"
"""The history whose people are known by a key."""
