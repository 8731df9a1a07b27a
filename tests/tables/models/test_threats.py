"""Which attacks a promise guards against, as Table 2.1 of the book has it."""

from __future__ import annotations

import pytest

from tests import cases
from unlinkable.tables.models import (
    AlphaKAnonymity,
    ConfidenceBounding,
    CTIsolation,
    DeltaPresence,
    DGammaPrivacy,
    DifferentialPrivacy,
    DistinctLDiversity,
    DistributionalPrivacy,
    EntropyLDiversity,
    EpsilonMAnonymity,
    FrequencyLDiversity,
    KAnonymity,
    KEAnonymity,
    MultirelationalKAnonymity,
    PersonalizedPrivacy,
    RecursiveCLDiversity,
    TCloseness,
    XYPrivacy,
)
from unlinkable.tables.models.base import GroupModel

ROWS: list[tuple[str, type[GroupModel]]] = [
    ("k-Anonymity", KAnonymity),
    ("MultiR k-Anonymity", MultirelationalKAnonymity),
    ("l-Diversity", FrequencyLDiversity),
    ("Confidence Bounding", ConfidenceBounding),
    ("(alpha,k)-Anonymity", AlphaKAnonymity),
    ("(X,Y)-Privacy", XYPrivacy),
    ("l-Diversity", DistinctLDiversity),
    ("l-Diversity", EntropyLDiversity),
    ("l-Diversity", RecursiveCLDiversity),
    ("(k,e)-Anonymity", KEAnonymity),
    ("(epsilon,m)-Anonymity", EpsilonMAnonymity),
    ("Personalized Privacy", PersonalizedPrivacy),
    ("t-Closeness", TCloseness),
    ("delta-Presence", DeltaPresence),
    ("(c,t)-Isolation", CTIsolation),
    ("epsilon-Differential Privacy", DifferentialPrivacy),
    ("(d,gamma)-Privacy", DGammaPrivacy),
    ("Distributional Privacy", DistributionalPrivacy),
]


@pytest.mark.parametrize(("row", "model"), ROWS, ids=lambda row: str(row))
def test_guards_against_what_the_table_says(row: str, model: type[GroupModel]) -> None:
    case = cases.load("book-ch02-table2.1-model-attack-matrix")
    (thwarts,) = (m["thwarts"] for m in case["expected"]["models"] if m["model"] == row)
    assert [str(threat.name).lower() for threat in model.threats] == thwarts
