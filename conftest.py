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

from tests.sampling import go_deep, is_deep

# Tests run side by side already. Threads of a library on top of that wait for each other, busily:
# on two processors classifiers take three times as long. It is read when numpy is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What a change must pass is the same in every run; what is tried without end is always new.
settings.register_profile("test", max_examples=10, deadline=None, derandomize=True, database=None)
settings.register_profile("deep", max_examples=300, deadline=None, derandomize=False)
settings.register_profile("nightly", max_examples=5000, deadline=None, derandomize=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which everything is tried."""
    parser.addoption("--deep", action="store_true", help="try everything: make test-deep")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how much is tried, before tests are read."""
    if config.getoption("--deep"):
        go_deep()
    usual = "deep" if is_deep() else "test"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or usual)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what `make test-deep` is for, unless it is called by its name."""
    if is_deep():
        return
    named = {arg.partition("::")[2].partition("[")[0] for arg in config.args}
    deep = {
        item for item in items if {"deep", "statistical"} & {m.name for m in item.iter_markers()}
    }
    left_out = {item for item in deep if getattr(item, "originalname", item.name) not in named}
    if left_out:
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """Search garbage rarely, and not among what was imported and collected and stays anyway."""
    gc.freeze()
    gc.set_threshold(5_000, 20, 20)


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what the secure source decides by the name of the test, so that a run can be repeated.

    Where everything is tried, every run draws anew, and finds what holds by chance alone.
    """
    if not is_deep():
        monkeypatch.setattr(secrets, "randbits", random.Random(request.node.nodeid).getrandbits)


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Treat interrupts as Python does by default, however the tests were started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
