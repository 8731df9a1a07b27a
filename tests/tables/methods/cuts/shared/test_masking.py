"""Methods that are guided by a class, from their written form."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.methods.cuts.shared.masking import masker
from unlinkable.tables.methods.regions import InfoGainMondrian, Labels


def test_the_class_is_put_in_where_the_method_takes_one() -> None:
    assert masker("infogain-mondrian", "c") == InfoGainMondrian("c")
    written = 'infogain-mondrian(labels="taxonomy", strict=false)'
    assert masker(written, "c") == InfoGainMondrian("c", labels=Labels.TAXONOMY, strict=False)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("infogain-mondrain", "no method 'infogain-mondrain' .*did you mean 'infogain-mondrian'"),
        ("mondrian", "no method 'mondrian' .*guided by a class"),
        ("cluster-framework", "no method 'cluster-framework' .*guided by a class"),
        ('infogain-mondrian(targets="x")', "guided by the clusters, leave out targets"),
        ("infogain-mondrian(strikt=false)", "infogain-mondrian: no parameter 'strikt'"),
        ("infogain-mondrian(strict=7)", "strict must be true or false, got 7"),
    ],
)
def test_refuses_what_cannot_be_guided(written: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        masker(written, "c")
