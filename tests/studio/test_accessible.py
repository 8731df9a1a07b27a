"""Every page by the rules of WCAG 2.1, levels A and AA, on a desk and on a phone, light and dark.

The rules are those of axe-core. What a page folds away is opened first: it counts as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import unlinkable as ul
from tests.studio.conftest import PATIENCE, Served, log_in, wait
from tests.studio.page_settled import SETTLED, act_when_settled
from tests.studio.sample_projects import sample_project

SLOW = 120_000
ANIMATIONS_OVER = """() => Promise.all(document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().endTime !== Infinity)
  .map((each) => each.finished.catch(() => null)))"""
"""Wait until what slides or fades has done so."""
VIEWS: tuple[tuple[int, Literal["light", "dark"]], ...] = (
    (1400, "light"),
    (1400, "dark"),
    (390, "light"),
)
"""Colours are the same in every width."""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
AT_REST = """
*, *::before, *::after { transition: none !important; animation: none !important }
.q-dialog__backdrop { display: none }
"""
"""Colours are judged as they stay, not on their way; the veil behind a dialog is not its ground."""
AXE = Axe()


@pytest.fixture(scope="module")
def work(served: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A project in which everything was done once: two results, attacks, a bundle."""
    file = tmp_path_factory.mktemp("data") / "patients.csv"
    ul.examples.hospital(160, seed=5).write_csv(file)
    key = sample_project(served, file, "All done", runs=2)
    with served.client() as client:
        for form in ({"seconds": 2}, {"run": 2, "seconds": 2}):
            wait(client, client.post(f"/projects/{key}/attack", json=form))
        wait(client, client.post(f"/projects/{key}/bundles", json={"run": 2, "name": "first"}))
    return key


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    act_when_settled(monkeypatch)


@pytest.fixture(scope="module")
def tab(browser: Browser, served: Served) -> Iterator[Page]:
    """One tab for all pages, logged in."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    yield log_in(context.new_page(), served)
    context.close()


def violations(page: Page) -> set[str]:
    """Say which rules are broken, and by which elements, in every width and look."""
    found: set[str] = set()
    page.add_style_tag(content=AT_REST)
    for width, look in VIEWS:
        page.set_viewport_size({"width": width, "height": 1000})
        page.emulate_media(color_scheme=look)
        for broken in AXE.run(page, options=RULES).response["violations"]:
            found |= {f"{width} px, {look}: {told}" for told in _told(broken)}
    return found


def _told(broken: dict[str, Any]) -> Iterator[str]:
    for node in broken["nodes"]:
        because = " ".join(
            check["message"] for check in (*node["any"], *node["all"], *node["none"])
        )
        yield f"{broken['id']}: {node['html'][:300]} ({because})"


def unfold(page: Page) -> None:
    """Open everything that is folded away."""
    folded = ".q-expansion-item--collapsed .q-expansion-item__container > .q-item"
    for _ in range(5):  # What was folded may have something folded in it.
        page.evaluate("q => document.querySelectorAll(q).forEach(each => each.click())", folded)
        page.evaluate(SETTLED)
        page.evaluate(ANIMATIONS_OVER)
        if not page.locator(folded).count():
            return
    pytest.fail("something stays folded")


def filled_data(page: Page) -> None:
    page.get_by_role("cell", name="P0000").first.wait_for(timeout=SLOW)


def filled_roles(page: Page) -> None:
    page.locator(".role-examples").first.wait_for(timeout=SLOW)


def filled_taxonomy(page: Page) -> None:
    page.locator(".level-table").first.wait_for(timeout=SLOW)


def filled_privacy(page: Page) -> None:
    effect = page.get_by_test_id("promise-0").get_by_test_id("effect")
    expect(effect).to_contain_text("suppressed", timeout=SLOW)


def filled_explore(page: Page) -> None:
    page.get_by_test_id("run-methods").wait_for(timeout=SLOW)
    page.get_by_test_id("results").wait_for()


def filled_map(page: Page) -> None:
    page.get_by_role("tab", name="Map of levels").click()
    page.get_by_test_id("draw-lattice").click()
    page.get_by_test_id("lattice").locator("[data-node]").first.click(timeout=SLOW)
    page.get_by_role("button", name="Use this one").wait_for(timeout=SLOW)


def filled_comparison(page: Page) -> None:
    page.get_by_role("tab", name="Compare").click()
    page.get_by_test_id("comparison").wait_for()
    page.get_by_test_id("jobs").click()
    page.get_by_test_id("drawer").get_by_text("Jobs", exact=True).wait_for()


def filled_attack(page: Page) -> None:
    page.get_by_role("table", name="Attacks on the table as it").wait_for(timeout=SLOW)


def shown_people(page: Page) -> None:
    page.get_by_role("button", name="Show the people affected").first.click(timeout=SLOW)
    page.get_by_role("dialog").wait_for()


def filled_publish(page: Page) -> None:
    page.get_by_role("heading", name="first", exact=True).wait_for(timeout=SLOW)
    page.get_by_role("region", name="the text: Plan file").wait_for(timeout=SLOW)


STEPS: dict[str, Callable[[Page], None]] = {
    "data": filled_data,
    "roles": filled_roles,
    "roles?column=age": filled_taxonomy,
    "roles?column=sex": filled_taxonomy,
    "privacy": filled_privacy,
    "explore": filled_explore,
    "explore#map": filled_map,
    "explore#comparison": filled_comparison,
    "attack": filled_attack,
    "attack#people": shown_people,
    "publish": filled_publish,
}


@pytest.mark.parametrize("step", STEPS)
def test_every_step_of_a_finished_work(served: Served, work: str, tab: Page, step: str) -> None:
    tab.set_viewport_size({"width": 1400, "height": 1000})
    tab.goto(f"{served.home}/project/{work}/{step}")
    STEPS[step](tab)
    unfold(tab)
    found = violations(tab)
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("address", ["/login", "/", "/leave", "/project/none/data"])
def test_pages_around_projects(served: Served, work: str, tab: Page, address: str) -> None:
    tab.goto(f"{served.home}{address}")
    tab.wait_for_load_state("networkidle")
    found = violations(tab)
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("half", ["public", "private"])
def test_reports(served: Served, work: str, tab: Page, half: str) -> None:
    tab.goto(f"{served.home}/api/v1/projects/{work}/bundles/first/report?half={half}")
    tab.get_by_role("heading").first.wait_for()
    found = violations(tab)
    assert not found, "\n".join(sorted(found))
