"""Debian's Chromium, driven by Playwright; pages that fail the test when they complain."""

from __future__ import annotations

import importlib.resources
import os
import shutil
import time
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser_path() -> str:
    """Find the browser, or skip the test."""
    named = os.environ.get("TREATY_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium, or set TREATY_CHROMIUM to its path")
    return found


@contextmanager
def open_browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    path = browser_path()
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def open_page(browser, client, address="/", refused=False, **options):
    """Open an address of the server; errors on the console fail the test, and so do dialogs."""
    context = browser.new_context(
        base_url=str(client.base_url), **{"viewport": {"width": 1100, "height": 900}, **options}
    )
    context.set_default_timeout(30_000)
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    own = f"{client.base_url.host}:{client.base_url.port}"
    page.on("request", lambda r: None if own in r.url or r.url.startswith("blob:") else
            complaints.append(f"outside request: {r.url}"))  # fmt: skip
    page.goto(address)
    yield page
    if refused:  # browsers report refused requests themselves
        complaints = [c for c in complaints if "Failed to load resource" not in c]
    assert complaints == []
    context.close()


def until(page, condition, seconds=60):
    """Wait for a condition in JavaScript; Playwright's own way to wait breaks the page's policy."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(25)


def serious_faults(page) -> list[str]:
    """Ask axe-core what people with other senses, or other tools, would stumble over."""
    axe = importlib.resources.files("axe_playwright_python") / "axe.min.js"
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['target']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
