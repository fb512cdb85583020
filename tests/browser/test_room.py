"""A class in a room: phones that add the noise themselves, the wall, and a teacher."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, ViewportSize, expect

from tests.architecture.test_commands import block
from tests.browser import sights
from tests.browser.driver import AppPage
from tests.browser.rooms import answer_field, open_room, received, send, wall_counts, what_left
from tests.browser.server import CHROMIUM_FLAGS, ROOT, Server, chromium, serving
from tests.browser.test_restart import DOWN, cut
from tests.browser.wire import Wire

Open = Callable[..., AppPage]
PHONE: ViewportSize = {"width": 390, "height": 844}
SCHOOL = "school.test"
TRUE = ("17.3141", "16.9273", "18.5519", "15.2657")
"""Answers with digits that nothing else has."""


def phone_of(open_window: Open, server: Server, **how: str) -> AppPage:
    return open_window(server, **PHONE, **how)


def breakable(phone: AppPage) -> AppPage:
    """A window whose connections can be cut, before it is opened."""
    phone.expect_console_error(DOWN)
    phone.page.add_init_script(
        "window.sockets = []; window.WebSocket = class extends window.WebSocket {"
        " constructor(...all) { super(...all); window.sockets.push(this); } };"
    )
    return phone


def test_a_class_answers_and_its_true_answers_are_nowhere(
    start_server: Callable[..., Server], open_window: Open, tmp_path: Path
) -> None:
    server = start_server()
    teacher = open_window(server)
    watched = [Wire(teacher.page)]
    link = open_room(teacher)
    noisy = []
    for answer in TRUE:
        phone = phone_of(open_window, server)
        watched.append(Wire(phone.page))
        phone.open(link)
        noisy.append(send(phone, answer))
        received(phone)
        # A rehearsal uses the true answer once more, and sends nothing.
        sent = len(watched[-1].sent)
        phone.page.get_by_role("button", name="Draw again").click()
        expect(phone.page.locator(".rehearsed")).to_contain_text("Rehearsal 1")
        phone.settle()
        assert not any(b"answer" in each for each in watched[-1].sent[sent:])
        kept = phone.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert noisy[-1] in kept
        assert answer not in kept + phone.page.url + repr(phone.page.context.cookies())
    wall_counts(teacher, 4)

    # What was drawn went over the wire; what was typed did not, in either direction.
    for wire, value in zip(watched[1:], noisy, strict=True):
        assert wire.said(value)
    for answer in TRUE:
        assert not any(wire.held(answer) for wire in watched)
        assert answer not in server.log()
    written = [path for path in server.log_file.parent.rglob("*") if path.is_file()]
    assert not any(answer.encode() in path.read_bytes() for answer in TRUE for path in written)

    # The file of the answers holds exactly what left, and opens with its card.
    _, data = teacher.download("Answers (CSV)")
    assert sorted(data.decode().split()[1:], key=float) == sorted(noisy, key=float)
    assert not any(answer.encode() in data for answer in TRUE)
    _, card = teacher.download("Card (JSON)")
    assert json.loads(card)["rows"]["count"] == len(TRUE)


def test_what_a_browser_writes_to_disk_holds_no_true_answer(
    server: Server, browser: Browser, open_window: Open, tmp_path: Path
) -> None:
    """A browser that keeps its profile, closed as a person closes it."""
    link = open_room(open_window(server))
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=chromium(), args=list(CHROMIUM_FLAGS)
    )
    phone = AppPage(context, server.url).open(link)
    noisy = send(phone, TRUE[0])
    received(phone)
    phone.page.reload()
    assert what_left(phone) == noisy
    context.close()
    written = [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_symlink()]
    assert any(noisy.encode() in path.read_bytes() for path in written), "the search finds nothing"
    assert not any(TRUE[0].encode() in path.read_bytes() for path in written)


def test_a_phone_that_is_cut_off_answers_once(server: Server, open_window: Open) -> None:
    teacher = open_window(server)
    link = open_room(teacher)
    phone = phone_of(open_window, server)
    breakable(phone).open(link)
    wire = Wire(phone.page)
    # Cut in mid-send: the answer goes out, and no word comes back.
    answer_field(phone).fill(TRUE[2])
    phone.page.evaluate(
        """() => {
          const real = WebSocket.prototype.send;
          WebSocket.prototype.send = function (data) {
            real.call(this, data);
            if (!document.body.dataset.cut) return;
            document.body.dataset.went = "yes";
            setTimeout(() => this.close());
          };
          document.body.dataset.cut = "yes";
        }"""
    )
    phone.page.get_by_role("button", name="Add noise and send").click()
    noisy = what_left(phone)
    phone.page.wait_for_function("document.body.dataset.went")
    phone.page.context.set_offline(True)
    expect(phone.page.locator(".state")).to_contain_text("Not sent yet")
    phone.page.evaluate("delete document.body.dataset.cut")
    phone.page.context.set_offline(False)
    received(phone)
    assert what_left(phone) == noisy
    # Loaded anew, it sends the same once more, and draws nothing.
    phone.page.reload()
    assert what_left(phone) == noisy
    received(phone)
    expect(phone.page.locator(".gone")).to_be_visible()
    # So does another tab of the same browser.
    other = phone.page.context.new_page()
    other.goto(server.url + link)
    expect(other.locator(".released")).to_contain_text(noisy.replace("-", "−"))
    wall_counts(teacher, 1)
    assert not wire.held(TRUE[2])


PRESS_AT = """
at => setTimeout(() => {
  for (const { shadowRoot } of document.querySelectorAll("*"))
    shadowRoot?.querySelector('[data-do="send"]')?.click();
}, at - Date.now())
"""


def test_one_answer_a_browser_whatever_is_pressed_when(server: Server, open_window: Open) -> None:
    teacher = open_window(server)
    link = open_room(teacher)
    phone = phone_of(open_window, server).open(link)
    other = phone.page.context.new_page()
    other.goto(server.url + link)
    for page in (phone.page, other):
        page.get_by_label("Your answer", exact=True).fill("18")
    at = phone.page.evaluate("Date.now() + 700")
    for page in (phone.page, other):
        page.evaluate(PRESS_AT, at)
    received(phone)
    expect(other.locator(".state")).to_contain_text("Received.")
    assert other.locator(".released strong").inner_text() == (
        phone.page.locator(".released strong").inner_text()
    )
    wall_counts(teacher, 1)

    # An answer that comes too late goes out again once the room is open again.
    late = breakable(phone_of(open_window, server)).open(link)
    cut(late)
    noisy = send(late, "17")
    expect(late.page.locator(".state")).to_contain_text("Not sent yet")
    teacher.press("End: no more answers")
    late.page.context.set_offline(False)
    expect(late.page.locator(".state")).to_contain_text("too late", timeout=30_000)
    teacher.press("Extend by 10 min")
    received(late)
    assert what_left(late) == noisy
    wall_counts(teacher, 2)

    # Where a browser keeps nothing, the page says what a reload would do.
    bare = phone_of(open_window, server)
    bare.page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('no'); } });"
    )
    bare.open(link)
    expect(bare.page.get_by_text("This browser keeps nothing")).to_be_visible()


def test_in_a_school_network_without_tls(browser: Browser, tmp_path: Path) -> None:
    """Started as README says; to a browser a page on plain http from another machine is no secure
    place, where much of what browsers can do is missing.
    """
    command = shlex.split(block("class"))
    options = [*command[command.index("app.py") + 1 : -1], SCHOOL]
    flags = [each.replace("MAP *", f"MAP {SCHOOL} 127.0.0.1, MAP *") for each in CHROMIUM_FLAGS]
    assert flags != list(CHROMIUM_FLAGS)
    with serving(ROOT / "app.py", tmp_path, *options) as server:
        window = browser.browser_type.launch(executable_path=chromium(), args=flags)
        url = server.url.replace("127.0.0.1", SCHOOL)
        teacher = AppPage(window.new_context(), url)
        link = open_room(teacher)
        expect(teacher.page.locator(".invitation .where")).to_have_text(f"{url}/room")
        expect(teacher.page.get_by_text("Phones cannot open")).to_have_count(0)
        phone = AppPage(window.new_context(viewport=PHONE), url).open(link)
        assert not phone.page.evaluate("isSecureContext")
        noisy = send(phone, TRUE[0])
        received(phone)
        phone.page.reload()
        assert what_left(phone) == noisy
        wall_counts(teacher, 1)
        assert not teacher.complaints() + phone.complaints()
        window.close()


def test_the_course_in_class_is_counted_and_outlives_a_reload(
    server: Server, open_window: Open
) -> None:
    teacher = open_window(server).open("/classroom")
    teacher.page.get_by_role("radio", name="Take the course together").click()
    teacher.settle()
    teacher.press("Open a class session")
    code = teacher.page.locator(".invitation .code")
    expect(code).to_be_visible()
    spoken = code.inner_text()
    # The code of the course leads to the course, also from the page for rooms.
    phone = phone_of(open_window, server)
    phone.expect_console_error("404")
    phone.open("/room")
    phone.page.get_by_role("textbox", name="Code on the wall").fill(spoken)
    phone.page.get_by_role("button", name="Join", exact=True).click()
    expect(phone.page.get_by_text("You are in the class session")).to_be_visible()
    phone.settle()
    sights.answer(phone, 0)
    expect(teacher.page.get_by_text("1 participant so far.")).to_be_visible(timeout=15_000)
    teacher.page.reload()
    expect(code).to_have_text(spoken)
    expect(teacher.page.get_by_text("1 participant so far.")).to_be_visible()


def test_the_whole_way_of_a_student_without_a_mouse(server: Server, open_window: Open) -> None:
    teacher = open_window(server)
    open_room(teacher, "yes_no")
    code = teacher.page.locator(".invitation .code").inner_text()
    phone = phone_of(open_window, server)
    phone.open("/room")
    keys = phone.page.keyboard
    field = phone.page.get_by_role("textbox", name="Code on the wall")
    tab_to(phone, field)
    keys.type("BBB BBB")
    keys.press("Enter")
    expect(phone.page.get_by_text("There is no room with this code now")).to_be_visible()
    tab_to(phone, field)
    keys.press("ControlOrMeta+a")
    keys.type(code.lower())
    keys.press("Enter")
    yes = phone.page.get_by_role("radio", name="yes")
    expect(yes).to_be_visible()
    tab_to(phone, yes)
    keys.press("Space")
    tab_to(phone, phone.page.get_by_role("button", name="Add noise and send"))
    keys.press("Enter")
    expect(phone.page.locator(".released")).to_be_focused()
    received(phone)
    tab_to(phone, phone.page.get_by_role("button", name="Draw again"))
    keys.press("Space")
    expect(phone.page.locator(".rehearsed")).to_contain_text("Rehearsal 1")
    # A reload of the page comes back to the room by its address.
    phone.page.reload()
    received(phone)


def tab_to(app: AppPage, wanted: Locator) -> None:
    """Press Tab until it has the focus, as often as the page may have stops."""
    for _ in range(60):
        app.page.keyboard.press("Tab")
        if wanted.evaluate("e => e.getRootNode().activeElement === e"):
            return
    raise AssertionError("the keyboard does not come there")


def test_a_teacher_asks_again_freezes_ends_and_removes(server: Server, open_window: Open) -> None:
    teacher = open_window(server).open("/")
    teacher.press("Set up a room")
    expect(teacher.page).to_have_title("Class · CompDP")
    link = open_room(teacher)
    phone = phone_of(open_window, server).open(link)
    send(phone, "17")
    received(phone)
    wall_counts(teacher, 1)

    # A reload of the teacher's page finds the room again; its address holds no key.
    teacher.page.reload()
    wall_counts(teacher, 1)
    teacher.settle()

    # Frozen, the wall stands still while answers arrive.
    teacher.press("Freeze the wall")
    second = phone_of(open_window, server).open(link)
    send(second, "19")
    received(second)
    expect(teacher.page.get_by_text("Frozen at 1 answer")).to_be_visible(timeout=10_000)
    teacher.press("Go on")
    wall_counts(teacher, 2)

    # The next question reaches the phones by itself, and says what it costs.
    teacher.page.get_by_text("Next question", exact=True).click()
    teacher.settle()
    teacher.press("Hours of sleep")
    expect(teacher.page.get_by_text("has then spent ε = 8")).to_be_visible()
    teacher.press("Ask this now")
    expect(phone.page.get_by_text("How many hours did you sleep last night?")).to_be_visible(
        timeout=15_000
    )
    expect(phone.page.get_by_text("together 8")).to_be_visible()
    send(phone, "7")
    received(phone)

    # After the end no answer is taken, and the page says so.
    teacher.press("End: no more answers")
    expect(second.page.get_by_text("it takes no more answers")).to_be_visible(timeout=15_000)
    teacher.page.get_by_text("Remove the room", exact=True).click()
    teacher.settle()
    teacher.press("Remove the room and its answers")
    expect(teacher.page.get_by_role("button", name="Open the room")).to_be_visible()
    expect(second.page.get_by_text("This room is over")).to_be_visible(timeout=15_000)
