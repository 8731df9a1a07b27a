"""Tasks that assess a table or a run: attacks, risk, verdicts, and why a release came out so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unlinkable.studio.contracts import AttackSuite, Document
from unlinkable.studio.files import private_folder, write_json
from unlinkable.studio.tasks.runs import bundle_folder, bundle_of, finite
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data import Frame, Table, beside
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.publishing.anonymizing import rerun
from unlinkable.tables.publishing.attacking import Attackable
from unlinkable.tables.publishing.judging import check as judge
from unlinkable.tables.publishing.judging import verify as verify_bundle
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.publishing.releases import finding_document, risk_of
from unlinkable.tables.risk import Assessment
from unlinkable.typing import Progress

__all__ = ["attack", "check", "explain", "risk", "verify"]


def attack(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    run: int | None,
    seconds: float,
) -> AttackSuite:
    """Try all attacks that apply, on a run or on the table as it stands."""
    tell(0.01, "opening what is attacked")
    if run is None:
        table = session.table(session.plan(plan, granted))
        attacked, known = Attackable.of_table(table), _everybody(table)
        found = attacked.attack_all(seconds=seconds, progress=tell, external=known)
    else:
        found = Attackable.of_bundle(bundle_of(session, run)).attack_all(
            seconds=seconds, progress=tell
        )
    made = {part: plan.get(part) for part in ("data", "columns")}
    told: AttackSuite = {
        "run": run,
        "plan": made,
        "attacks": finite(found.to_json()),
        "summary": found.summary,
    }
    folder = private_folder(session.folder / "findings")
    write_json(folder / ("attack-table.json" if run is None else f"attack-{run:03d}.json"), told)
    return told


def _everybody(table: Table) -> Frame:
    """List everybody in a table, as the worst adversary has it: with all that they show."""
    names = to_frame({"record": [f"{i + 1}" for i in range(len(table))]})[0]
    return beside(names, table.frame, list(table.schema.quasi))


def risk(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    run: int | None = None,
    asked: Mapping[str, Any] | None = None,
) -> Document:
    """Assess the table as it stands, or a run beside it, as ``risk --json`` does."""
    assessment = Assessment(**(asked or {}))
    source = session.table(session.plan(plan, granted)) if run is None else bundle_of(session, run)
    return risk_of(source, assessment, progress=tell).to_json()


def check(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    privacy: Sequence[str] | None = None,
) -> Document:
    """Judge the table of a plan as it stands, as ``check --json`` does.

    By promises in written form, or by those of the plan.
    """
    given = plan if privacy is None else {**plan, "privacy": [{"model": p} for p in privacy]}
    made: Plan = session.plan(given, granted)
    finding = judge(session.table(made), made.models(), side=made.side(), progress=tell)
    return finding_document(finding)


def explain(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str], run: int
) -> Document:
    """Say why a run came out so, as ``explain --json`` does; the words are beside it."""
    bundle_of(session, run)
    explanation = rerun(bundle_folder(session, run), progress=tell).explain()
    return {**explanation.to_json(), "sentences": list(explanation.sentences())}


def verify(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str], bundle: str
) -> Document:
    """Check a published bundle from its files, as ``verify --json`` does."""
    return verify_bundle(session.folder / "bundles" / bundle).to_json()
