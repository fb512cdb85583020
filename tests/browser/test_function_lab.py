"""The Function lab in a browser: change, look, leave, return; link, file; points by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.driver import AppPage
from tests.browser.server import Server

FEASIBLE = "Feasible: all 7 constraints hold."


def field(app: AppPage, label: str) -> Locator:
    return app.page.get_by_role("textbox", name=label, exact=True)


def picture(app: AppPage) -> Locator:
    return app.page.locator(".st-key-chart-function_lab-own, .st-key-chart-lab").first


def test_on_a_fresh_server_change_look_leave_return_and_nothing_is_lost(
    start_server: Callable[..., Server], open_window: Callable[..., AppPage]
) -> None:
    app = open_window(start_server())
    app.open("/function_lab")
    expect(app.page.get_by_text(FEASIBLE)).to_be_visible()
    before = picture(app).locator(".trace path").first.get_attribute("d")
    app.slider("Height of the base y", "0.35")
    expect(field(app, "y =")).to_have_value("0.35")
    assert picture(app).locator(".trace path").first.get_attribute("d") != before
    app.text("k =", "0.7")
    expect(app.page.get_by_text("Not feasible: 2 of 7 constraints.")).to_be_visible()
    expect(app.page.get_by_text("As set, though not feasible")).to_be_visible()
    app.press("Mean")
    expect(app.page.get_by_text(FEASIBLE)).to_be_visible()
    kept = {label: field(app, label).input_value() for label in ("ε =", "k =", "m =", "y =")}
    app.page.get_by_role("radio", name="What is feasible").click()
    app.settle()
    app.go("Home")
    app.go("Function lab")
    for label, value in kept.items():
        expect(field(app, label)).to_have_value(value)
    expect(app.page.get_by_text("How much of the outputs the inputs can fill")).to_be_visible()
    assert app.exceptions() == []


def test_settings_travel_by_the_address_and_as_a_file_and_nonsense_is_named(
    app: AppPage,
) -> None:
    page = app.open("/function_lab").page
    entries = page.evaluate("history.length")
    slider = page.get_by_role("slider", name="Height of the activation k")
    slider.focus()
    for _ in range(8):
        slider.press("ArrowLeft")
    app.settle()
    expect(page).to_have_url(re.compile(r"\?k=0\.42$"))
    assert page.evaluate("history.length") == entries
    app.text("C_p / C =", "0.5")
    expect(page).to_have_url(re.compile(r"\?k=0\.42&position=0\.5$"))
    page.reload()
    app.settle()
    expect(field(app, "k =")).to_have_value("0.42")
    expect(field(app, "True value (data unit)")).to_have_value("75")
    app.text("k =", "0.5")
    app.text("C_p / C =", "-0.4")
    expect(page).to_have_url(re.compile(r"/function_lab$"))

    app.text("k =", "0.44")
    app.press("Link and file")
    name, content = app.download("Save settings")
    assert (name, json.loads(content)["settings"]) == ("function_lab-settings.json", {"k": "0.44"})
    app.page.keyboard.press("Escape")
    app.text("k =", "0.3")
    app.press("Link and file")
    app.upload("Open settings", name, content, kind="application/json")
    expect(field(app, "k =")).to_have_value("0.44")
    wrong = json.dumps({"page": "function_lab", "settings": {"k": "seven", "epsilon": "2"}})
    if not app.page.get_by_text("Open settings").is_visible():
        app.press("Link and file")
    app.upload("Open settings", name, wrong.encode(), kind="application/json")
    expect(
        app.page.get_by_text("“k=seven” is not used, 0.5 is: it must be a number.")
    ).to_be_visible()
    expect(field(app, "k =")).to_have_value("0.5")
    expect(field(app, "ε =")).to_have_value("2")


class Late:
    """Between a page and the server: holds back what the server says."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.held: list[Callable[[], None]] = []
        self.holds = False
        page.route_web_socket(re.compile("_stcore/stream"), self._between)

    def _between(self, page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)

        def answered(message: str | bytes) -> None:
            self.held.append(lambda: page_side.send(message))
            if not self.holds:
                self._deliver()

        server_side.on_message(answered)

    def _deliver(self) -> None:
        while self.held:
            self.held.pop(0)()

    def hold(self) -> None:
        self.holds = True

    def release(self) -> None:
        """Once the server has said all."""
        count = -1
        while len(self.held) != count:
            count = len(self.held)
            self.page.wait_for_timeout(700)
        self.holds = False
        self._deliver()


def test_a_late_answer_takes_nothing_from_who_types(app: AppPage) -> None:
    page = app.page
    late = Late(page)
    app.open("/function_lab")
    for elsewhere, label, around in (
        ("Height of the activation k", "k =", ("0.7", "25")),
        ("Input C_p, as a share of its limit C", "True value (data unit)", ("6", "2.5")),
    ):
        late.hold()
        page.get_by_role("slider", name=elsewhere).press("ArrowRight")
        field(app, label).click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(around[0])
        # The field, which followed the slider, is then another one.
        before = field(app, label).element_handle()
        late.release()
        app.settle()
        assert not before.evaluate("field => field.isConnected")
        expect(field(app, label)).to_be_focused()
        page.keyboard.type(around[1])
        page.keyboard.press("Enter")
        app.settle()
        expect(field(app, label)).to_have_value("".join(around))
        page.reload()
        app.settle()
        expect(field(app, label)).to_have_value("".join(around))


def test_points_are_drawn_with_the_keyboard_alone_and_a_formula_is_kept(app: AppPage) -> None:
    lab = app.open("/function_lab")
    lab.page.get_by_text("Make a shape of your own", exact=True).click()
    lab.settle()
    lab.page.get_by_role("radio", name="Draw points").press("Space")
    lab.settle()
    expect(lab.page.get_by_text("Certified", exact=True)).to_be_visible()
    grid = lab.page.get_by_test_id("data-grid-canvas")
    grid.focus()
    lab.page.keyboard.press("Control+Home")
    lab.page.keyboard.press("ArrowRight")
    _type_into(lab, "glide-cell-2-0", "0.5")
    # One side alone is no shape, and the reason says so.
    expect(lab.page.get_by_text("The shape is not symmetric")).to_be_visible()
    expect(lab.page.get_by_text("As typed: this is no shape")).to_be_visible()
    for row in (2, 3):
        lab.page.keyboard.press("ArrowDown")
        expect(_cell(lab, f"glide-cell-2-{row}")).to_have_attribute("aria-selected", "true")
    _type_into(lab, "glide-cell-2-3", "0.5")
    expect(lab.page.get_by_text("Certified", exact=True)).to_be_visible()
    # Leaving and returning keeps the points.
    lab.go("Home")
    lab.go("Function lab")
    expect(_cell(lab, "glide-cell-2-3")).to_have_text("0.5")
    expect(lab.page.get_by_text("Certified", exact=True)).to_be_visible()
    lab.page.get_by_role("radio", name="Type a formula").press("Space")
    lab.settle()
    a_typed_formula_is_refused_or_certified_and_then_offered_elsewhere(lab)


def a_typed_formula_is_refused_or_certified_and_then_offered_elsewhere(lab: AppPage) -> None:
    formula = "Formula in v, from 0 to 1"
    lab.text(formula, "v")
    expect(lab.page.get_by_text("The shape is not symmetric")).to_be_visible()
    lab.press("Dome")
    expect(field(lab, formula)).to_have_value("1 - (2*v-1)^4")
    expect(lab.page.get_by_text("Certified", exact=True)).to_be_visible()
    lab.press("Keep F1, for this page and the others")
    expect(lab.page.get_by_role("combobox", name="Activation", exact=True)).to_have_value(
        re.compile("^F1")
    )
    expect(lab.page.get_by_text(FEASIBLE)).to_be_visible()
    # Its link carries what the shape is made of: another session makes and certifies it again.
    expect(lab.page).to_have_url(re.compile("activation=F1"))
    lab.page.reload()
    lab.settle()
    expect(lab.page.get_by_role("combobox", name="Activation", exact=True)).to_have_value(
        re.compile("^F1")
    )
    expect(lab.page.get_by_text(FEASIBLE)).to_be_visible()


def _cell(lab: AppPage, cell: str) -> Locator:
    return lab.page.locator(f"[data-testid=data-grid-canvas] [id={cell}]")


def _type_into(lab: AppPage, cell: str, text: str) -> None:
    """Enter opens the selected cell, a number, Enter closes it."""
    expect(_cell(lab, cell)).to_have_attribute("aria-selected", "true")
    lab.page.keyboard.press("Enter")
    editor = lab.page.get_by_test_id("stDataFrameOverlay").locator("input")
    box = editor if editor.count() else lab.page.locator("#portal input, .gdg-input").first
    box.wait_for()
    box.fill(text)
    box.press("Enter")
    lab.settle()
