"""Whether published records are what their manifest says, judged from their texts alone."""

from __future__ import annotations

from attrs import evolve

from unlinkable.errors import SchemaError, UnlinkableError, unknown
from unlinkable.release.bundle import Promise
from unlinkable.release.verify import Judgement
from unlinkable.tables.data import Frame, Side, as_kind, codes_of, distinct_texts
from unlinkable.tables.groups import population_column
from unlinkable.tables.methods.base import Buckets
from unlinkable.tables.metrics.base import Metric, SizeMetric
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.publishing.judging.evidence import Evidence, Finding
from unlinkable.tables.publishing.judging.published_taxonomies import Republished, misfit
from unlinkable.tables.publishing.judging.stated import is_close
from unlinkable.tables.publishing.judging.verified_private import PrivateSide
from unlinkable.tables.publishing.judging.visible import Visible, visible
from unlinkable.tables.taxonomies import taxonomy_from_json
from unlinkable.tables.taxonomies.builders import NodeValues, TaxonomyBuilder
from unlinkable.typing import Columns

__all__ = ["judge", "wrong_sizes", "wrong_texts"]

_REFERS = "refers to what only the holder has: it can be judged with the private half alone"


def wrong_texts(frame: Frame, manifest: Manifest) -> list[str]:
    """Say which quasi-identifiers hold texts that are no values of their taxonomy."""
    problems = []
    for column in manifest.columns:
        if column.role == "quasi-identifier" and column.taxonomy is not None:
            texts = distinct_texts(frame, column.name)
            if said := misfit(column.taxonomy, texts, column.name):
                problems.append(said)
    return problems


def wrong_sizes(finding: Finding, manifest: Manifest) -> list[str]:
    """Say which figures that depend on the sizes of groups alone differ from what is stated."""
    problems = []
    if finding.n_groups != manifest.groups:
        problems.append(
            f"the records form {finding.n_groups} groups, and the manifest says {manifest.groups}"
        )
    if (left_out := manifest.n_suppressed) is None:
        return problems
    for name, stated in manifest.metrics.items():
        try:
            metric = Metric.read(name)
        except UnlinkableError:
            continue
        if isinstance(metric, SizeMetric):
            found = metric.of_sizes(finding.sizes, left_out)
            if not is_close(found, stated):
                problems.append(f"the metric {name} is {found}, and the manifest says {stated}")
    return problems


def judge(
    frame: Frame, manifest: Manifest, side: PrivateSide | None, hidden: Frame | None = None
) -> Judgement:
    """Judge all promises again, from the published texts.

    Parameters
    ----------
    frame
        The published records.
    manifest
        What is promised.
    side
        What the private half adds to them, if it is at hand.
    hidden
        What whole buckets of them hide, if that is published.
    """
    policy = _unpromising_policy(manifest)
    if not manifest.models and not isinstance(manifest, MaskedManifest) and policy is None:
        return Judgement(None, ["nothing is promised"], [])
    has_half = side is not None and side.half is not None
    promises = [p for p in manifest.models if has_half or not p.refers]
    notes = [f"{p.model} {_REFERS}" for p in manifest.models if p not in promises]
    if not manifest.models and policy is not None:
        notes.append(
            f"nothing is promised of this release alone: it is one of a series by {policy}"
        )
    elif not manifest.models:
        notes.append("nothing is promised: what was done to the values is all that is known")
    elif not promises:
        notes.append("no promise was judged: the files are whole, and no more is known of them")
    try:
        evidence, context = _evidence(frame, manifest, side, hidden)
        models = tuple(_bound(promise.model, context) for promise in promises)
        _require_counted(models, evidence)
        finding = evidence.judge(models)
    except UnlinkableError as error:
        return Judgement(None, [f"the promises cannot be judged: {error}"], notes)
    problems = []
    for promise, model, found in zip(promises, models, finding.to_json(), strict=True):
        is_partial = promise.needs_private and not has_half and model.counts_people
        problems += _differences(promise, model, found, is_partial)
        if is_partial:
            notes.append(
                f"{promise.model} counts people, and which records belong to the same person is "
                "told in the private half alone: here it was checked for records"
            )
    return Judgement(finding, problems, notes)


def _unpromising_policy(manifest: Manifest) -> str | None:
    """Name the policy if its releases need not promise anything by themselves; None otherwise."""
    policy = manifest.policy
    return None if policy is None or getattr(policy.make, "needs_promise", True) else policy.name


def _bound(written: str, context: BindingContext) -> GroupModel:
    """Make a promise from its written form, and open what it refers to."""
    (model,) = GroupModel.read(written).bind(context)
    return model


def _require_counted(models: tuple[GroupModel, ...], evidence: Evidence) -> None:
    hidden = [] if evidence.hidden is None else evidence.hidden.columns
    there = [*evidence.frame.columns, *hidden, *map(population_column, evidence.crowds)]
    for name in sorted({name for names in All(models).needs() for name in names}):
        if name not in there:
            raise SchemaError(unknown("column", name, evidence.frame.columns))


def _evidence(
    frame: Frame, manifest: Manifest, side: PrivateSide | None, hidden: Frame | None
) -> tuple[Evidence, BindingContext]:
    """Take the published records together with what the holder has beside them."""
    roles = {c.name: c.role for c in manifest.columns}
    quasi = tuple(name for name, role in roles.items() if role == "quasi-identifier")
    sensitive = tuple(name for name, role in roles.items() if role == "sensitive")
    sought, ledger, is_row_by_row = quasi, None, True
    if isinstance(manifest, MaskedManifest):
        seen = _visible(frame, quasi, manifest, hidden)
        frame, sought, is_row_by_row = seen.frame, seen.quasi, seen.is_row_by_row
        ledger = manifest.ledger
    taxonomies: dict[str, TaxonomyBuilder] = {}
    for column in manifest.columns:
        if column.taxonomy is not None and column.name not in sought:
            taxonomies[column.name] = Republished(column.taxonomy)
            frame = as_kind(frame, column.name, column.taxonomy.kind)
    context = BindingContext(quasi, sensitive, ledger=ledger, side=Side.closed())
    if side is None or side.half is None:
        return Evidence(frame, sought, taxonomies), context
    half = side.half
    if not is_row_by_row:
        return Evidence(frame, sought, taxonomies), evolve(context, side=half.side())
    taxonomies |= _whole(frame, sought, half)
    owner = None if side.owner is None else half.provenance.owner
    if side.owner is not None and owner is not None:
        frame = frame.with_columns(side.owner.alias(owner))
    crowds = {} if isinstance(manifest, MaskedManifest) else half.crowds()
    evidence = Evidence(frame, sought, taxonomies, owner, half.hidden(), crowds)
    return evidence, evolve(context, owner=owner, side=half.side())


def _whole(frame: Frame, quasi: Columns, half: PrivateHalf) -> dict[str, TaxonomyBuilder]:
    """Give the taxonomies that the holder has: guards may name what nobody published has.

    A column that shows values that were not there before is read without.
    """
    whole = {n: taxonomy_from_json(told) for n, told in half.provenance.hidden.items()}
    for name, told in half.provenance.taxonomies.items():
        taxonomy = taxonomy_from_json(told)
        if name not in quasi and (codes_of(frame, name, taxonomy.domain) >= 0).all():
            whole.setdefault(name, taxonomy)
    return {name: NodeValues(taxonomy) for name, taxonomy in whole.items()}


def _visible(
    frame: Frame, quasi: Columns, manifest: MaskedManifest, hidden: Frame | None
) -> Visible:
    """Take published records for what can be seen of people in them."""
    column = manifest.buckets
    buckets = None if column is None or hidden is None else Buckets(column, hidden)
    models = [GroupModel.read(promise.model) for promise in manifest.models]
    return visible(frame, quasi, models, buckets=buckets, counts=manifest.counts)


def _differences(
    promise: Promise, model: GroupModel, found: dict[str, object], is_partial: bool
) -> list[str]:
    """Compare what is stated about a promise with what was found."""
    if not found["holds"]:
        n = found["violating_groups"]
        return [f"{promise.model} does not hold: {n} groups of records break it"]
    if not promise.holds:
        return [f"the manifest says that {promise.model} does not hold"]
    if promise.basis != found["basis"]:
        return [f"{promise.model} rests on {found['basis']}, and the manifest says {promise.basis}"]
    achieved = found["achieved"]
    assert isinstance(achieved, dict)
    if is_partial and model.higher_is_safer:
        # There are at most as many people as records.
        asked, stated = getattr(model, model.parameter), promise.achieved.get(model.parameter)
        most = achieved[model.parameter]
        # The bound itself was decided exactly: what is stated is a float, and may be a hair below.
        within = stated is not None and (
            is_close(asked, stated) or is_close(stated, most) or asked <= stated <= most
        )
    else:
        within = promise.achieved.keys() == achieved.keys() and all(
            is_close(achieved[name], stated) for name, stated in promise.achieved.items()
        )
    if within:
        return []
    return [f"{promise.model} reaches {achieved}, and the manifest says {promise.achieved}"]
