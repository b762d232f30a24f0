"""Screenshots of every place, at two sizes, light and dark: `./run screenshots [FOLDER]`."""

import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, chromium, serving
from tests.browser.people import still
from tests.browser.places import Places

SIZES = ((390, 844), (1280, 800))


def main() -> None:
    """Takes all screenshots."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)

        for width, height in SIZES:
            phone = {"has_touch": True, "is_mobile": True} if width < 500 else {}

            def new_page(width: int = width, height: int = height, phone: Any = phone) -> Page:
                context = browser.new_context(
                    base_url=server.url,
                    locale="en-GB",
                    reduced_motion="reduce",
                    viewport={"width": width, "height": height},
                    **phone,
                )
                context.set_default_timeout(20_000)
                return context.new_page()

            for name, page in Places(new_page, server).all():
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                    still(page)
                    page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
                page.emulate_media(color_scheme="light")
        browser.close()


if __name__ == "__main__":
    main()
