"""The charts of a release: which there are, what they are about, and where they go."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.tables.publishing.saved_bundles import patients, release_of
from unlinkable.errors import BundleError, DataError
from unlinkable.tables.metrics import (
    Discernibility,
    ILoss,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.publishing import GeneralizedRelease, anonymize, open_bundle
from unlinkable.tables.publishing.releases.drawing import (
    charts_of,
    group_sizes_chart,
    loss_by_attribute,
    save_charts,
)


@pytest.fixture(scope="module")
def release() -> GeneralizedRelease:
    return release_of()


def test_a_release_draws_losses_sizes_and_values_before_and_after(
    release: GeneralizedRelease,
) -> None:
    drawn = release.charts()
    assert list(drawn) == ["loss", "group-sizes", "before-after"]
    assert [chart.title for chart in drawn.values()] == [
        "What each attribute lost",
        *(chart.title for chart in list(drawn.values())[1:]),
    ]
    assert len({chart.title for chart in drawn.values()}) == 3
    losses = release.loss_by_attribute()
    for name, loss in losses.items():
        assert f"{name} {loss:.1%}" in drawn["loss"].description


def test_a_bundle_draws_what_its_release_draws(release: GeneralizedRelease, tmp_path: Path) -> None:
    original = tmp_path / "patients.parquet"
    release.table.frame.write_parquet(original)
    opened = open_bundle(release.save(tmp_path / "release"))
    drawn = opened.charts(original)
    assert {name: chart.text for name, chart in drawn.items()} == {
        name: chart.text for name, chart in release.charts().items()
    }
    with pytest.raises(BundleError, match="came from no file: say where they are"):
        opened.charts()


def test_without_the_original_values_before_are_not_drawn(release: GeneralizedRelease) -> None:
    drawn = charts_of(release.shown, release.models, ILoss())
    assert list(drawn) == ["loss", "group-sizes"]


def test_losses_are_those_of_the_metric_if_it_has_any() -> None:
    penalized = anonymize(
        patients(), privacy=KAnonymity(2), metric=NormalizedCertaintyPenalty(), suppression="0.1"
    )
    by_size = anonymize(
        patients(), privacy=KAnonymity(2), metric=Discernibility(), suppression="0.1"
    )
    shown = penalized.shown
    assert (
        penalized.charts()["loss"].text
        == charts_of(shown, (), NormalizedCertaintyPenalty())["loss"].text
    )
    assert penalized.charts()["loss"].text != charts_of(shown, (), ILoss())["loss"].text
    assert by_size.charts()["loss"].text == charts_of(by_size.shown, (), ILoss())["loss"].text


def test_losses_that_are_no_shares_are_not_drawn_as_such(release: GeneralizedRelease) -> None:
    """Steps up a taxonomy are no share of a column."""
    shown = release.shown
    for metric in (ILoss(), NormalizedCertaintyPenalty()):
        losses, used = loss_by_attribute(shown, metric)
        assert used == metric
        assert losses == pytest.approx(metric.details(shown))
    losses, used = loss_by_attribute(shown, MinimalDistortion())
    assert used == ILoss()
    assert losses == ILoss().details(shown) == release.loss_by_attribute()


@pytest.mark.parametrize(
    ("models", "promised"),
    [
        ([KAnonymity(2), KAnonymity(3, qid=["age"]), DistinctLDiversity(2)], 3),
        ([KAnonymity(7)], 7),
        ([DistinctLDiversity(2)], None),
    ],
    ids=["the strongest", "one", "none"],
)
def test_the_promised_size_is_marked(
    release: GeneralizedRelease, models: list[object], promised: int
) -> None:
    drawn = group_sizes_chart(release.shown, models)  # type: ignore[arg-type]
    plain = group_sizes_chart(release.shown, [])
    assert (drawn.text == plain.text) == (promised is None)
    assert promised is None or f"k = {promised}" in drawn.text


def test_charts_are_saved_as_pictures_in_a_folder_that_is_made(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    place = tmp_path / "some" / "charts"
    save_charts(release.charts(), place)
    assert sorted(file.name for file in place.iterdir()) == [
        "before-after.svg",
        "group-sizes.svg",
        "loss.svg",
    ]
    assert place.stat().st_mode & 0o777 == 0o700
    for file in place.iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
        assert ET.fromstring(file.read_text(encoding="utf-8")).tag.endswith("svg")


@pytest.mark.parametrize("name", ["taken", "taken/inside"])
def test_says_so_if_charts_cannot_be_written(
    release: GeneralizedRelease, tmp_path: Path, name: str
) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match=r"taken.*: cannot write charts here: "):
        save_charts(release.charts(), tmp_path / name)
