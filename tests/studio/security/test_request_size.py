"""A request may not be large, whether it says its length or not."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi.testclient import TestClient

from tests.studio.security.gate_clients import OWN


def test_a_request_may_not_be_large(inside: TestClient) -> None:
    small, large = b"x" * 1000, b"x" * (5 * 1024 * 1024)
    assert inside.post("/api/v1/x", content=small, headers=OWN).json() == {"bytes": 1000}
    assert inside.post("/api/v1/x", content=large, headers=OWN).status_code == 413

    def parts() -> Iterator[bytes]:  # Without a length: counted as it comes in.
        for _ in range(10):
            yield large[: 1024 * 1024]

    answer = inside.post("/api/v1/x", content=parts(), headers=OWN)
    assert answer.status_code == 413
    assert "at most" in answer.json()["error"]
    assert inside.put("/api/v1/x", content=parts(), headers=OWN).status_code == 200
