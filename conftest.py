"""How all tests run: how much they try, what they draw, what interrupts them."""

from __future__ import annotations

import gc
import os
import random
import secrets
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Tests run side by side already. Threads of a library on top of that wait for each other, busily:
# on two processors classifiers take three times as long. It is read when numpy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("development", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=50, deadline=None)
settings.register_profile("nightly", max_examples=5000, deadline=None)

is_ci = os.environ.get("CI", "").lower() not in ("", "0", "false")
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if is_ci else "development"))


def pytest_collection_finish() -> None:
    """Search garbage rarely, and not among what was imported and collected and stays anyway."""
    gc.freeze()
    gc.set_threshold(5_000, 20, 20)


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what the secure source decides by the name of the test, so that CI can be repeated.

    Elsewhere every run draws anew, and finds what holds by chance alone.
    """
    if is_ci:
        monkeypatch.setattr(secrets, "randbits", random.Random(request.node.nodeid).getrandbits)


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Treat interrupts as Python does by default, however the tests were started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
