"""All code of a publisher, loaded once: processes that are forked from here need not do it again.

Nothing is published in this process: that starts threads, which a forked one would wait for.
"""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import tempfile
from typing import Any

from numba.core.dispatcher import Dispatcher

from tests.tables.series.publisher import publish_next
from unlinkable.registry.lookup import entries
from unlinkable.report import Report

Kernels = list[tuple[str, str, Any]]


def code_of_a_publisher() -> tuple[list[str], Kernels]:
    """Let another process publish something, and say which modules and kernels it has loaded."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "wb") as told, tempfile.TemporaryDirectory() as home:
            publish_next(f"{home}/history.db", f"{home}/releases")
            modules = {n: m for n, m in sys.modules.items() if getattr(m, "__spec__", None)}
            kernels = [
                (name, attribute, kernel.signatures)
                for name, module in modules.items()
                if name.startswith("unlinkable.kernels.")
                for attribute, kernel in vars(module).items()
                if isinstance(kernel, Dispatcher)
            ]
            pickle.dump(([*modules], kernels), told)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        found: tuple[list[str], Kernels] = pickle.load(told)
    os.waitpid(child, 0)
    return found


def load() -> None:
    modules, kernels = code_of_a_publisher()
    for name in (*modules, "psycopg", "sqlalchemy.dialects.postgresql.psycopg"):
        importlib.import_module(name)
    for module, attribute, signatures in kernels:
        for signature in signatures:
            getattr(sys.modules[module], attribute).compile(signature)
    entries("metric")
    Report("A page", "", ()).to_html()


load()
