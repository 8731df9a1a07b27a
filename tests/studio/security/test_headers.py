"""What goes out: headers, the scripts that may run, and nothing of a defect."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.studio.security.gate_clients import HOME
from unlinkable.studio.security.gate import report_policy, script_hashes


def test_everything_carries_headers(inside: TestClient) -> None:
    for path in ("/", "/file", "/api/v1/x", "/login", "/nowhere"):
        headers = inside.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "http" not in headers["content-security-policy"]
    assert inside.get("/").headers["cache-control"] == "no-store"
    assert inside.get("/file").headers["cache-control"] == "max-age=9"


def test_only_the_scripts_of_a_page_are_run(inside: TestClient) -> None:
    policy = inside.get("/").headers["content-security-policy"]
    (expected,) = script_hashes(b"<script>let a = 1</script>")
    (scripts,) = [part for part in policy.split("; ") if part.startswith("script-src")]
    assert scripts == f"script-src 'self' 'unsafe-eval' {expected}"


def test_a_report_is_a_page_of_nobody() -> None:
    policy = report_policy(b"<style></style><script>1</script>").decode()
    assert "default-src 'none'" in policy
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert script_hashes(b"<script>1</script>")[0] in policy
    assert "script-src 'none'" in report_policy(b"<p>").decode()


def test_a_defect_says_nothing(inside: TestClient) -> None:
    quiet = TestClient(inside.app, base_url=HOME, raise_server_exceptions=False)
    quiet.cookies = inside.cookies
    answer = quiet.get("/api/v1/defect")
    assert answer.status_code == 500
    assert "record" not in answer.text
