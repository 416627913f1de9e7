"""The front page in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


@pytest.mark.parametrize("width", [360, 1280])
def test_the_front_page_is_accessible_and_breaks_no_policy(live_site: str, page: Page, width: int) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_viewport_size({"width": width, "height": 740})
    response = page.goto(live_site)
    assert response is not None
    assert response.status == 200
    assert page.get_by_role("heading", level=1).inner_text() == "Card games over days, move by move"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints == []
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
