"""A browser that acts as people do: on what they see, not on what is about to be drawn anew.

What is drawn anew between pressing and releasing a button takes the click with it. A test presses
within milliseconds of its last act, before the server has answered it; people do not.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

import pytest
from playwright.sync_api import Error, Locator

__all__ = ["SETTLED", "act_when_settled"]

ACTS = (
    "check",
    "click",
    "drag_to",
    "fill",
    "hover",
    "press",
    "press_sequentially",
    "select_option",
    "uncheck",
)

SETTLED = """async () => {
  if (!document.getElementById("popup")) return;  // Not a page of the studio.
  const pause = (time) => new Promise((done) => setTimeout(done, time));
  const until = performance.now() + 10000;
  while (!window.did_handshake && performance.now() < until) await pause(20);
  // The server takes events one by one: once it has answered this one, it has all before it.
  await Promise.race([
    new Promise((done) => window.socket.emit("event", {client_id: ""}, done)),
    pause(until - performance.now()),
  ]);
  let moved = performance.now();
  const watch = new MutationObserver(() => { moved = performance.now(); });
  watch.observe(document.body, {childList: true, subtree: true});
  while (performance.now() < Math.min(moved + 100, until)) await pause(20);
  watch.disconnect();
}"""
"""Wait until the server has answered and nothing has moved for a tenth of a second."""


def act_when_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every act of a test wait until the page stands still, at most for ten seconds."""
    for name in ACTS:
        monkeypatch.setattr(Locator, name, _when_settled(getattr(Locator, name)))


def _when_settled(act: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(act)
    def patient(self: Locator, *args: Any, **options: Any) -> Any:
        with suppress(Error):  # If the page is left meanwhile, Playwright waits for the next one.
            self.page.evaluate(SETTLED)
        return act(self, *args, **options)

    return patient
