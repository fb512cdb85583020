"""A teacher and students in a room, as they use the pages."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import AppPage


def open_room(teacher: AppPage, template: str = "marks") -> str:
    """Open a room from a template; its link, from its page on, as students get it."""
    teacher.open(f"/classroom?template={template}")
    teacher.press("Open the room")
    expect(teacher.page.get_by_role("img", name="QR code of the link to the room")).to_be_visible()
    return invited(teacher)


def invited(teacher: AppPage) -> str:
    """The students' link of the room that is open."""
    teacher.page.get_by_text("Links and address", exact=True).click()
    teacher.settle()
    link = teacher.page.get_by_test_id("stCode").first.inner_text().strip()
    teacher.page.get_by_text("Links and address", exact=True).click()
    teacher.settle()
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def open_room_with_answers(teacher: AppPage, answers: int) -> None:
    """A room in which so many devices answered, each in a tab of its own that forgets it is one."""
    link = open_room(teacher)
    for place in range(answers):
        phone = tab(teacher)
        phone.goto(teacher.url + link)
        phone.get_by_label("Your answer", exact=True).fill(str(15 + place % 5))
        phone.get_by_role("button", name="Add noise and send").click()
        expect(phone.locator(".state")).to_contain_text("Received.")
        phone.close()
        teacher.page.evaluate("localStorage.clear()")
    wall_counts(teacher, answers)


def join_and_answer(phone: AppPage) -> None:
    """Come into a room that a tab of the same browser opens, answer and rehearse."""
    other = AppPage(phone.page.context, phone.url)
    link = open_room(other)
    other.page.close()
    phone.open(link)
    send(phone, "17.5")
    received(phone)
    phone.page.get_by_role("button", name="Draw again").click()
    expect(phone.page.locator(".rehearsed")).to_contain_text("Rehearsal 1")


def tab(app: AppPage) -> Page:
    """Another tab of the same browser."""
    return app.page.context.new_page()


def answer_field(phone: AppPage) -> Locator:
    return phone.page.get_by_label("Your answer", exact=True)


def send(phone: AppPage, answer: str) -> str:
    """Type an answer and press once; the noisy number that left."""
    answer_field(phone).fill(answer)
    phone.page.get_by_role("button", name="Add noise and send").click()
    return what_left(phone)


def what_left(phone: AppPage) -> str:
    left = phone.page.locator(".released strong")
    expect(left).to_have_text(re.compile("[0-9]"))
    found = re.search(r"[−-]?[0-9.]+", left.inner_text())
    assert found is not None
    return found[0].replace("−", "-")


def wall_counts(teacher: AppPage, answers: int) -> None:
    """Wait until the wall shows so many answers."""
    figures = teacher.page.locator(".st-key-wall-figures").get_by_test_id("stMetricValue")
    expect(figures.first).to_have_text(str(answers))


def received(phone: AppPage) -> None:
    """Wait until the room has it."""
    expect(phone.page.locator(".state")).to_contain_text("Received.")
