"""Make the pictures of the studio that the documentation shows.

Runs the test that goes the whole way in a browser, takes the pictures that it leaves, and writes
them as WebP below ``docs/tutorial/studio/``. They show invented patients alone.

    python -m tools.studio_pictures
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.studio.conftest import ARGUMENTS, chromium

ROOT = Path(__file__).resolve().parent.parent
SHOWN = {
    "journey-2-data-desktop": "data",
    "journey-3-roles-desktop": "roles",
    "journey-4-privacy-desktop": "privacy",
    "journey-5-explore-desktop": "explore",
    "journey-6-attack-desktop": "attack",
    "journey-7-publish-desktop": "publish",
    "journey-6-attack-phone": "attack-phone",
}
LARGEST = 80_000
CONVERT = """async ([source, quality]) => {
  const image = new Image(); image.src = source; await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width; canvas.height = image.height;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality);
}"""


def compact(page: Page, png: bytes) -> bytes:
    """Write a picture as WebP, as good as it can be below the largest size."""
    source = "data:image/png;base64," + base64.b64encode(png).decode()
    for quality in (0.9, 0.8, 0.7, 0.6, 0.5):
        made = base64.b64decode(page.evaluate(CONVERT, [source, quality]).partition(",")[2])
        if len(made) < LARGEST:
            return made
    raise SystemExit("a picture is too large: show less of the page")


def main() -> None:
    """Take the pictures, and put them where the documentation finds them."""
    target = ROOT / "docs" / "tutorial" / "studio"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        test = "tests/studio/test_journey.py::test_from_a_file_to_a_verified_bundle"
        variables = {**os.environ, "UNLINKABLE_SCREENSHOTS": folder}
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", test], env=variables, cwd=ROOT, check=True
        )
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            page = browser.new_page()
            for name, shown in SHOWN.items():
                made = compact(page, (Path(folder) / f"{name}.png").read_bytes())
                (target / f"{shown}.webp").write_bytes(made)
            browser.close()


if __name__ == "__main__":
    main()
