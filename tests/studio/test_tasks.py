"""What workers do, compared with the library itself and with plain definitions."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import unlinkable as ul
from tests.studio.test_confinement import silent
from unlinkable.errors import InfeasibleError, ParameterError, PlanError, TaxonomyError
from unlinkable.release.plan import Plan
from unlinkable.release.planned import read_records
from unlinkable.release.run import rerun
from unlinkable.studio.by_hand.written import read_nested, to_rule
from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.project import Project
from unlinkable.studio.projects import Projects
from unlinkable.studio.tasks import cards, data, effects, findings, lattices, plans, publishing
from unlinkable.studio.tasks import runs as running
from unlinkable.studio.tasks.by_hand import by_hand
from unlinkable.studio.tasks.catalogue import find_task
from unlinkable.studio.tasks.limits import LIMITS
from unlinkable.studio.tasks.session import Session
from unlinkable.studio.tasks.taxonomies import taxonomy

ROWS = [
    (f"p{i}", 20 + (7 * i) % 40, ["10115", "10117", "20095", "20097"][i % 4], ["f", "m"][i % 2])
    for i in range(60)
]
ILLS = ["flu", "hiv", "angina"]
PLAN: dict[str, Any] = {
    "data": {"source": "uploads/a.csv"},
    "columns": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "taxonomy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi-identifier", "taxonomy": {"mask": 5, "keep": [5, 3, 0]}},
        "sex": {"role": "quasi-identifier", "taxonomy": {"flat": True}},
        "ill": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}],
    "method": {"name": "optimal", "suppression": 0.1},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Projects(tmp_path).create("tasks")
    lines = [f"{i},{a},{z},{s},{ILLS[n % 3]}" for n, (i, a, z, s) in enumerate(ROWS)]
    (made.uploads / "a.csv").write_text("\n".join(["id,age,zip,sex,ill", *lines]) + "\n")
    return made


@pytest.fixture
def session(project: Project, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session that takes its time: on a busy machine, nothing is left open."""
    for module, name in ((effects, "_PATIENCE"), (effects, "_SEARCH"), (lattices, "_PATIENCE")):
        monkeypatch.setattr(module, name, 600.0)
    return Session(project.folder)


def asked(**tables: Any) -> dict[str, Any]:
    return {"plan": {**PLAN, **tables}, "granted": []}


def run_of(session: Session, project: Project, **options: Any) -> Any:
    given = {"method": None, "levels": None, "title": None, **asked(), **options}
    return running.anonymize(session, silent, run=project.new_run(), **given)


# Data


def test_the_first_records_are_shown_as_they_are(session: Session) -> None:
    shown = data.preview(session, silent, rows=2, **asked())
    assert shown["columns"] == ["id", "age", "zip", "sex", "ill"]
    assert shown["types"] == ["category", "number", "number", "category", "category"]
    assert shown["rows"][0] == ["p0", "20", "10115", "f", "flu"]
    assert (len(shown["rows"]), shown["records"]) == (2, 60)


def test_a_look_describes_warns_and_begins_a_plan(session: Session) -> None:
    found = data.look_at(session, silent, {"source": "uploads/a.csv"})
    assert found["description"]["records"] == 60
    assert ("id", "identifier") in [(w["column"], w["kind"]) for w in found["warnings"]]
    plan = Plan.from_dict(found["plan"], session.folder)
    assert plan.models()
    assert Plan.from_dict(json.loads(json.dumps(found["plan"])), session.folder) == plan


def test_records_are_read_once_until_the_file_changes(
    session: Session, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Plan] = []

    def counted(plan: Plan) -> Any:
        read.append(plan)
        return read_records(plan)

    monkeypatch.setattr("unlinkable.studio.tasks.session.read_records", counted)
    plan = session.plan(PLAN)
    first = session.table(plan)
    assert session.table(plan) is first
    other = {**PLAN, "columns": {**PLAN["columns"], "sex": {"role": "insensitive"}}}
    assert session.table(session.plan(other)).schema.quasi == ("age", "zip")
    assert len(read) == 1
    file = project.uploads / "a.csv"
    file.write_text(file.read_text() + "p99,33,10115,f,flu\n")
    assert len(session.table(plan)) == 61
    assert len(read) == 2


# Taxonomies


def test_a_tree_counts_the_records_below_every_node(session: Session) -> None:
    shown = taxonomy(session, silent, column="age", rule=None, **asked())
    assert shown["height"] == 4
    assert shown["tree"]["records"] == 60

    def check(node: Any) -> None:
        if node["children"]:
            assert node["records"] == sum(child["records"] for child in node["children"])
            assert node["values"] == sum(child["values"] for child in node["children"])
        for child in node["children"]:
            check(child)

    check(shown["tree"])
    ages = Counter(str(row[1]) for row in ROWS)
    assert {v["levels"][0]: v["records"] for v in shown["preview"]}.items() <= ages.items()
    assert ["40", "[40-45)", "[40-50)", "[40-60)", "*"] in [v["levels"] for v in shown["preview"]]


def test_a_rule_is_tried_without_the_plan_knowing(session: Session) -> None:
    shown = taxonomy(session, silent, column="zip", rule={"flat": True}, **asked())
    assert (shown["height"], shown["rule"]) == (1, {"flat": True})
    shown = taxonomy(session, silent, column="ill", rule={"tree": {"bad": ILLS}}, **asked())
    assert shown["tree"]["label"] == "bad"
    shown = taxonomy(session, silent, column="id", rule={"mask": 3}, **asked())
    assert shown["column"] == "id"


@pytest.mark.parametrize(
    ("column", "rule"),
    [
        ("age", None),
        ("zip", None),
        ("sex", {"auto": True}),
        ("ill", {"auto": True}),
        ("ill", {"tree": {"bad": ILLS[:1], "L" * 300: ILLS[1:2], "good": ILLS[2:]}}),
    ],
)
def test_any_taxonomy_goes_on_by_hand_with_the_same_labels(
    session: Session, column: str, rule: Any
) -> None:
    shown = taxonomy(session, silent, column=column, rule=rule, **asked())
    whole = by_hand(session, silent, column=column, rule=rule, **asked())
    written = to_rule(read_nested(whole["root"], whole["nested"]))
    again = taxonomy(session, silent, column=column, rule=written, **asked())
    assert sorted(v["levels"] for v in again["preview"]) == sorted(
        v["levels"] for v in shown["preview"]
    )
    assert again["nodes"] == shown["nodes"]


def test_a_rule_that_does_not_fit_is_told(session: Session) -> None:
    with pytest.raises(TaxonomyError, match="angina"):
        taxonomy(session, silent, column="ill", rule={"tree": {"bad": ["flu"]}}, **asked())


# Effects


@pytest.mark.parametrize("k", [2, 3, 4, 10, 100])
def test_an_effect_is_the_share_that_would_be_left_out(session: Session, k: int) -> None:
    levels = {"age": 2, "zip": 1, "sex": 0}
    found = effects.effect(
        session, silent, promise=0, parameter="k", values=[k], levels=levels, **asked()
    )
    coarse = Counter((age // 10, code[:3], sex) for _, age, code, sex in ROWS)
    raw = Counter(row[1:] for row in ROWS)
    assert found["raw"] == [sum(n for n in raw.values() if n < k) / 60]
    assert found["coarse"] == [sum(n for n in coarse.values() if n < k) / 60]
    assert found["groups"] == len(raw)


def test_effects_compare_with_the_levels_that_lose_least(session: Session) -> None:
    found = effects.effect(session, silent, promise=0, parameter="k", values=[3, 0, 30], **asked())
    release = ul.anonymize(
        session.table(session.plan(PLAN)), privacy=ul.KAnonymity(3), suppression="1/10"
    )
    assert found["levels"] == dict(release.node or {})
    shares = found["coarse"]
    assert shares[0] is not None
    assert shares[0] <= Fraction(1, 10)
    assert shares[1] is None
    assert found["words"][1] == "at k=0 it is not known in time"
    assert "of the records would be left out" in found["words"][2]
    with pytest.raises(ParameterError, match="no promise number 3"):
        effects.effect(session, silent, promise=2, parameter="k", values=[1], **asked())


def test_an_effect_counts_all_other_promises_too(session: Session) -> None:
    both = asked(privacy=[*PLAN["privacy"], {"model": "distinct-l-diversity", "l": 2}])
    levels = {"age": 1, "zip": 1, "sex": 1}
    found = effects.effect(
        session, silent, promise=1, parameter="l", values=[2, 3], levels=levels, **both
    )
    groups: dict[Any, list[str]] = {}
    for n, (_, age, code, _sex) in enumerate(ROWS):
        groups.setdefault((age // 5, code[:3]), []).append(ILLS[n % 3])
    for at, least in enumerate((2, 3)):
        lost = [g for g in groups.values() if len(g) < 3 or len(set(g)) < least]
        assert found["coarse"][at] == sum(map(len, lost)) / 60


# The lattice


def test_every_node_is_told_as_the_library_judges_it(session: Session) -> None:
    shown = lattices.lattice(session, silent, **asked())
    assert shown["complete"]
    assert shown["columns"] == ["age", "zip", "sex"]
    by_levels = {tuple(node["levels"]): node for node in shown["nodes"]}
    assert list(by_levels) == list(product(range(5), range(3), range(2)))
    table = session.table(session.plan(PLAN))
    for levels, node in by_levels.items():
        chosen = ul.Optimal(levels=levels)
        try:
            release = ul.anonymize(
                table, privacy=ul.KAnonymity(3), method=chosen, suppression="1/10"
            )
        except InfeasibleError:
            assert node["state"] in ("invalid", "pruned")
        else:
            assert node["state"] == "valid"
            assert node["loss"] == pytest.approx(release.measure())
            assert (node["suppressed"], node["groups"]) == (release.n_suppressed, release.n_groups)
    best = ul.anonymize(table, privacy=ul.KAnonymity(3), suppression="1/10")
    assert shown["best"] == list((best.node or {}).values())
    assert {node["state"] for node in shown["nodes"]} >= {"valid", "invalid"}


def test_a_node_is_looked_at_more_closely(session: Session) -> None:
    found = lattices.node(session, silent, levels=[2, 1, 0], **asked())
    groups = Counter((age // 10, code[:3], sex) for _, age, code, sex in ROWS)
    assert found["smallest"] == min(groups.values())
    assert found["average"] == pytest.approx(60 / len(groups))
    assert "[20-30)" in found["examples"]["age"]
    assert found["examples"]["zip"] == ["101**", "200**"]
    wrongs: list[Any] = [[9, 0, 0], [0, 0], [0, 0, -1], ["0", 0, 0]]
    for wrong in wrongs:
        with pytest.raises(ParameterError, match="levels go from 0"):
            lattices.node(session, silent, levels=wrong, **asked())


# Runs


def test_a_run_keeps_what_the_command_line_would_have_made(
    session: Session, project: Project
) -> None:
    outcome = run_of(session, project, title="first")
    kept = project.outcome(1)
    assert json.loads(json.dumps(outcome)) == kept
    release = ul.anonymize(
        session.table(session.plan(PLAN)), privacy=ul.KAnonymity(3), suppression="1/10"
    )
    assert kept["release"]["node"] == dict(release.node or {})
    assert kept["loss"] == pytest.approx(release.measure())
    assert sum(band["records"] for band in kept["sizes"]) == release.n_records
    exposed, before = kept["exposure"], kept["exposure_before"]
    assert exposed is not None
    assert before is not None
    assert exposed["highest"] <= 1 / 3 < before["highest"]
    assert [a["name"] for a in kept["attributes"]] == ["age", "zip", "sex"]
    for attribute in kept["attributes"]:
        for shares in (attribute["before"], attribute["after"]):
            assert sum(share for _, share in shares) == pytest.approx(1)
    bundle = project.run_folder(1) / "bundle"
    assert ul.verify(bundle).holds
    assert rerun(bundle).node == release.node
    assert Plan.load(project.run_folder(1) / "plan.toml").form.privacy


def test_a_node_that_was_chosen_is_published_and_can_be_repeated(
    session: Session, project: Project
) -> None:
    outcome = run_of(session, project, levels=[3, 2, 1])
    assert outcome["release"]["node"] == {"age": 3, "zip": 2, "sex": 1}
    assert outcome["release"]["method"] == "optimal(levels=[3, 2, 1])"
    assert outcome["plan"]["method"]["levels"] == [3, 2, 1]
    assert rerun(project.run_folder(1) / "bundle").node == outcome["release"]["node"]


def test_methods_that_replace_values_are_run_too(session: Session, project: Project) -> None:
    columns = {**PLAN["columns"], "zip": {"role": "insensitive"}, "sex": {"role": "insensitive"}}
    outcome = run_of(session, project, method="mdav", **asked(columns=columns))
    assert (outcome["kind"], outcome["attributes"], outcome["loss"]) == ("perturbed", [], None)
    outcome = run_of(
        session,
        project,
        method="anatomize",
        **asked(privacy=[{"model": "distinct-l-diversity", "l": 2}]),
    )
    assert outcome["kind"] == "bucketized"


def test_findings_are_about_the_run_that_is_named(session: Session, project: Project) -> None:
    run_of(session, project)
    assert (
        findings.risk(session, silent, run=1, **asked())["records"]
        == 60 - (project.outcome(1)["release"]["suppressed"])
    )
    assert findings.risk(session, silent, **asked())["records"] == 60
    assert findings.check(session, silent, **asked())["holds"] is False
    told = findings.explain(session, silent, run=1, **asked())
    assert told["metric"] == "iloss"
    attacked = findings.attack(session, silent, run=1, seconds=0.2, **asked())
    assert attacked["run"] == 1
    with pytest.raises(NotFoundError, match="no run 9"):
        findings.risk(session, silent, run=9, **asked())


# Publishing


def test_what_is_published_is_what_was_explored(session: Session, project: Project) -> None:
    run_of(session, project)
    told = publishing.publish(session, silent, run=1, name="first", **asked())
    assert told["verified"]
    made, kept = project.bundle("first"), project.run_folder(1) / "bundle"
    files = [file.relative_to(kept) for file in kept.rglob("*") if file.is_file()]
    assert files
    for file in files:
        assert (made / file).read_bytes() == (kept / file).read_bytes()


def test_a_run_that_was_tampered_with_is_not_published(session: Session, project: Project) -> None:
    run_of(session, project)
    file = project.run_folder(1) / "bundle" / "public" / "data.csv"
    file.write_bytes(file.read_bytes().replace(b"flu", b"hiv"))
    with pytest.raises(ul.errors.BundleError, match="nothing was published"):
        publishing.publish(session, silent, run=1, name="first", **asked())
    assert project.bundle_names() == []
    assert list(project.bundles.iterdir()) == []


def test_releases_over_time_go_into_the_history(session: Session, project: Project) -> None:
    series = asked(series={"policy": "incremental", "person": "id"})
    tried = publishing.publish_next(session, silent, recipient="a", dry_run=True, **series)
    assert tried["document"]["published"] is False
    assert publishing.history(session, silent, **asked()) == []
    first = publishing.publish_next(session, silent, recipient=None, dry_run=False, **series)
    assert first["name"] == "history/001"
    assert project.bundle_names() == ["history/001"]
    (line,) = publishing.history(session, silent, **asked())
    assert (line["number"], line["bundle"]) == (1, "bundles/history/001")


# Plans


def edited(session: Session, *changes: dict[str, Any]) -> Any:
    suggested = {"ill": {"auto": True}, "id": None}
    folder = str(session.folder)
    return plans.edit_plan(session, silent, folder, PLAN, changes, suggested)["plan"]


def test_changes_are_made_together_or_not_at_all(session: Session) -> None:
    made = edited(
        session,
        {"set": ["columns", "age", "weight"], "to": 2.0},
        {"drop": ["columns", "zip", "taxonomy"]},
        {"set": ["privacy"], "to": [{"model": "k-anonymity", "k": 7}]},
        {"metric": "discernibility"},
        {"method": "mondrian(strict=true)", "suppression": None},
    )
    assert made["columns"]["age"]["weight"] == 2.0
    assert "taxonomy" not in made["columns"]["zip"]
    assert made["privacy"] == [{"model": "k-anonymity", "k": 7}]
    assert made["utility"] == {"metric": "discernibility"}
    assert made["method"]["name"] == "mondrian"
    assert made["method"]["suppression"] == 0.1
    assert PLAN["columns"]["zip"]["taxonomy"] == {"mask": 5, "keep": [5, 3, 0]}


def test_a_role_brings_and_takes_what_belongs_to_it(session: Session) -> None:
    columns = edited(session, {"role": "age", "to": "sensitive"})["columns"]
    assert columns["age"] == {"role": "sensitive", "taxonomy": {"intervals": [5, 10, 20]}}
    columns = edited(session, {"role": "age", "to": "insensitive"})["columns"]
    assert columns["age"] == {"role": "insensitive"}
    columns = edited(session, {"role": "ill", "to": "quasi-identifier"})["columns"]
    assert columns["ill"] == {"role": "quasi-identifier", "taxonomy": {"auto": True}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"role": "age", "to": "hero"}, "no role 'hero'"),
        ({"set": ["privacy"], "to": [{"model": "k-anonymity", "k": 0}]}, "k must be at least 1"),
        ({"set": [], "to": 1}, "a place in a plan"),
        ({"set": ["columns", 3], "to": 1}, "a place in a plan"),
        ({"set": ["nonsense"], "to": 1}, "nonsense"),
        ({"method": "optimal("}, "optimal"),
        ({"what": 1}, "no such change"),
        ({"drop": ["data", "source"]}, "source"),
    ],
)
def test_what_makes_no_plan_is_refused(
    session: Session, change: dict[str, Any], message: str
) -> None:
    with pytest.raises((PlanError, ParameterError), match=message):
        edited(session, change)


def test_the_equivalent_program_makes_the_same_release(
    session: Session, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.folder)
    plan = {**PLAN, "utility": {"metric": "discernibility"}}
    plan["columns"] = {**PLAN["columns"], "age": {**PLAN["columns"]["age"], "weight": 2.0}}
    told = plans.texts(session, silent, str(project.folder), plan, "out")
    made: dict[str, Any] = {}
    exec(told["python"], made)
    release = made["release"]
    expected = run_of(session, project, **asked(**plan))
    assert dict(release.node) == expected["release"]["node"]
    assert ul.verify("out").holds
    assert told["shell"].startswith("unlinkable anonymize plan.toml --out out")
    assert Plan.from_dict(PLAN).form.data.source in told["toml"]


def test_a_plan_that_says_more_is_loaded_from_its_file(session: Session) -> None:
    plan = {**PLAN, "data": {"source": "uploads/a.csv", "missing": ["?"]}}
    told = plans.texts(session, silent, str(session.folder), plan, "o'ut")
    assert 'ul.Plan.load("plan.toml")' in told["python"]
    assert "--out 'o'\"'\"'ut'" in told["shell"]
    compile(told["python"], "told", "exec")


# Cards


def test_every_model_says_what_it_stops_and_what_not() -> None:
    shown = cards.told_entries("model")
    assert {card["name"] for card in shown} == set(LIMITS)
    for card in shown:
        assert card["stops"]
        assert card["limit"]


def test_limits_are_the_first_words_of_the_reference() -> None:
    pages = Path(__file__).parents[2] / "docs" / "reference" / "models"
    for name, words in LIMITS.items():
        text = (pages / f"{name}.md").read_text(encoding="utf-8")
        part = text.partition("## What this does not promise")[2]
        plain = " ".join(part.replace("**", "").replace("`", "").split())
        assert words in plain, name


def test_methods_say_whether_they_have_a_lattice() -> None:
    shown = {card["name"]: card for card in cards.told_entries("method")}
    assert shown["optimal"]["full_domain"]
    assert not shown["mondrian"]["full_domain"]
    assert shown["mondrian"]["generalizes"]
    assert not shown["mdav"]["generalizes"]


def test_every_task_can_be_found() -> None:
    from unlinkable.studio.tasks.catalogue import _HOMES

    for name in _HOMES:
        assert callable(find_task(name))
