"""Retake docs/screenshots for the README: every Space on a desktop and on a phone. `make screenshots`."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "screenshots"
SECONDS = 120
COLORS = 256  # of the palette, which keeps the files small
VIEWS = {
    # name: width and height of the viewport, color scheme
    "desktop": (1280, 1000, "light"),
    "desktop-dark": (1280, 1000, "dark"),
    "phone": (390, 844, "light"),
}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


@contextmanager
def serve(directory: Path) -> Iterator[str]:
    """Run a Space, and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(  # our own script
        [sys.executable, "app.py"],
        cwd=directory,
        env={**os.environ, "GRADIO_SERVER_PORT": str(port)},
        stdout=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                with urllib.request.urlopen(url, timeout=5):  # an address of this machine
                    break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def shoot(browser: Any, url: str, view: str) -> bytes:
    """Take a screenshot of a page, or on a phone of its report."""
    width, height, scheme = VIEWS[view]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{url}/?__theme={scheme}")
    page.wait_for_selector(".report")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(500)
    if view == "phone":
        page.evaluate("window.scrollTo(0, document.querySelector('.report').getBoundingClientRect().top - 16)")
        page.wait_for_timeout(200)
    picture: bytes = page.screenshot()
    context.close()
    return picture


def main() -> int:
    """Write the screenshots, and print their sizes."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        print("Chromium is not installed. On Debian: apt-get install chromium")
        return 2
    TARGET.mkdir(parents=True, exist_ok=True)
    directories = [path.parent for path in sorted(ROOT.glob("metrics/[!_]*/app.py"))] + [ROOT / "spaces" / "gallery"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        for directory in directories:
            with serve(directory) as url:
                for view in VIEWS:
                    picture = Image.open(BytesIO(shoot(browser, url, view))).convert("RGB")
                    path = TARGET / f"{directory.name}-{view}.png"
                    picture.quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)
                    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
