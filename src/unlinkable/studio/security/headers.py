"""Headers: what a browser is told not to do with what the studio sends."""

from __future__ import annotations

import base64
import hashlib
import re

__all__ = ["FIXED", "page_policy", "report_policy", "script_hashes"]

_INLINE = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)

FIXED = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Sent with everything."""


def script_hashes(page: bytes) -> list[str]:
    """Name the scripts that stand in a page, so that no others are run.

    Examples
    --------
    >>> script_hashes(b"<script>1</script><script src='x.js'></script>")
    ["'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"]
    """
    found = (hashlib.sha256(script).digest() for script in _INLINE.findall(page))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in found]


def page_policy(scripts: list[str], host: str) -> bytes:
    """Say where a page may take things from: this server, and nowhere else.

    Templates are compiled in the browser, which counts as evaluating text; scripts that stand in
    a page are allowed one by one.
    """
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "'unsafe-eval'", *scripts]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": f"'self' ws://{host} wss://{host}",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items()).encode()


def report_policy(page: bytes) -> bytes:
    """Say what the report of a bundle may do: show itself, and nothing with this server.

    A report is a file that may have come from elsewhere: in its sandbox it is a page of nobody.
    """
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(script_hashes(page)) or "'none'",
        "style-src": "'unsafe-inline'",
        "img-src": "data:",
        "font-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "sandbox": "allow-scripts",
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items()).encode()
