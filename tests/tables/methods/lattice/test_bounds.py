"""What is said of nodes that were not looked at is true."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import finest_of
from tests.tables.methods.lattice.setting import Setting, settings
from unlinkable.tables.methods.lattice.shared.lattice import Node, is_below
from unlinkable.tables.methods.lattice.shared.node_groups import NodeGroups
from unlinkable.tables.methods.lattice.shared.node_judging import Finding
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    MinimalDistortion,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import Shown

METRICS = [
    ILoss(),
    NormalizedCertaintyPenalty(),
    MinimalDistortion(),
    Discernibility(),
    AverageClassSize(k=3),
]


def survey_of(setting: Setting) -> Survey:
    return Survey.of(finest_of(setting.random), setting.privacy, setting.task)


def between(survey: Survey, low: Node, high: Node) -> Iterator[tuple[Node, NodeGroups, Finding]]:
    for node in survey.lattice.nodes():
        if is_below(low, node) and is_below(node, high):
            groups, finding = survey.look(node)
            if finding.is_release:
                yield node, groups, finding


@st.composite
def two_nodes(draw: st.DrawFn, survey: Survey) -> tuple[Node, Node]:
    level = st.tuples(*[st.integers(0, h) for h in survey.lattice.heights])
    one, other = draw(level), draw(level)
    return tuple(map(min, one, other)), tuple(map(max, one, other))


@given(settings(metric=METRICS), st.data())
def test_no_release_between_two_nodes_loses_less_than_their_floor(
    setting: Setting, data: st.DataObject
) -> None:
    survey = survey_of(setting)
    low, high = data.draw(two_nodes(survey))
    groups, finding = survey.look(high)
    loss, suppression = survey.bounds.weigh(groups, finding)
    assert (loss is not None) == finding.is_release
    floor = max(survey.bounds.floor(low, suppression), survey.bounds.floor(low, None))
    for _, inside, found in between(survey, low, high):
        assert survey.bounds.measure(inside, found.keep) >= floor * (1 - 1e-12)


@given(settings(metric=METRICS), st.data())
def test_levels_that_are_taken_off_lose_too_much(setting: Setting, data: st.DataObject) -> None:
    survey = survey_of(setting)
    low, high = data.draw(two_nodes(survey))
    _, suppression = survey.bounds.weigh(*survey.look(high))
    for node, inside, found in between(survey, low, high):
        loss = survey.bounds.measure(inside, found.keep)
        assert is_below(node, survey.bounds.lower(low, high, suppression, loss * (1 + 1e-12)))
        assert is_below(node, survey.bounds.lower(low, high, None, loss * (1 + 1e-12)))


@given(settings(), st.data())
def test_no_release_is_below_a_hopeless_node(setting: Setting, data: st.DataObject) -> None:
    survey = survey_of(setting)
    _, high = data.draw(two_nodes(survey))
    _, finding = survey.look(high)
    if finding.is_hopeless:
        assert not finding.is_release
        assert not list(between(survey, survey.lattice.bottom, high))


@given(settings(), st.data())
def test_releases_below_leave_out_what_is_lost(setting: Setting, data: st.DataObject) -> None:
    survey = survey_of(setting)
    _, high = data.draw(two_nodes(survey))
    coarse, finding = survey.look(high)
    for _, inside, found in between(survey, survey.lattice.bottom, high):
        labels = survey.rollup.labels(inside, coarse)
        for g, lost in enumerate(finding.lost.tolist()):
            assert inside.sizes[(labels == g) & ~found.keep].sum() >= lost
        assert found.n_suppressed >= finding.n_lost


@given(settings(metric=METRICS), st.data())
def test_measures_what_the_metric_measures(setting: Setting, data: st.DataObject) -> None:
    survey = survey_of(setting)
    _, node = data.draw(two_nodes(survey))
    groups, finding = survey.look(node)
    if finding.is_release:
        shown = Shown.of(survey.rollup.partition(groups, finding.keep), setting.task.attributes)
        exact = setting.metric.value(shown)
        scale = 1.0
        if isinstance(setting.metric, MinimalDistortion):
            scale = setting.metric.scale(shown)
        assert survey.bounds.measure(groups, finding.keep) * scale == pytest.approx(
            exact, rel=1e-12
        )
