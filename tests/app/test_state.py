"""Settings that outlive their widgets, also where a click interrupts the first drawing."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.inputs import entry
from pages.session import state
from tests.app.driving import Driven, wrong_starts


def _field(at: AppTest) -> Any:
    assert not at.exception
    return at.text_input[0]


def _one_field() -> None:
    import streamlit as st

    from pages.session.state import edits

    st.text_input("Unit", **edits("unit", "cm"))


def test_what_was_typed_is_kept_and_never_sent_back() -> None:
    at = AppTest.from_function(_one_field).run()
    _field(at).set_value("")
    at.run()
    assert _field(at).value == ""
    assert not _field(at).proto.set_value
    assert at.session_state["kept"]["unit"] == ""


def _two_pages() -> None:
    import streamlit as st

    from pages.session.state import edits, note_page

    elsewhere = st.checkbox("Elsewhere")
    note_page("two" if elsewhere else "one")
    if not elsewhere:
        st.text_input("Unit", **edits("unit", "cm"))


def test_a_setting_comes_back_with_a_widget_of_its_own() -> None:
    at = AppTest.from_function(_two_pages).run()
    first = _field(at).set_value("m").proto.id
    at.run()
    at.checkbox[0].check()
    at.run()
    at.checkbox[0].uncheck()
    at.run()
    assert (_field(at).value, _field(at).proto.default) == ("m", "m")
    # Whatever a browser still holds of the first visit is of another widget.
    assert _field(at).proto.id != first


def _set_from_elsewhere() -> None:
    import streamlit as st

    from pages.session.state import edits, forget, keep

    st.button("Metres", on_click=keep, args=("unit", "m"))
    st.button("Forget", on_click=forget, args=("un",))
    st.text_input("Unit", **edits("unit", "cm"))


def test_a_setting_changed_from_elsewhere_gets_a_new_widget() -> None:
    at = AppTest.from_function(_set_from_elsewhere).run()
    ids = [_field(at).proto.id]
    for button, expected in ((0, "m"), (0, "m"), (1, "cm")):
        _field(at).set_value("km")
        at.run()
        assert _field(at).proto.id == ids[-1]  # what its own widget says leaves that one alone
        at.button[button].click()
        at.run()
        assert (_field(at).value, _field(at).proto.default) == (expected, expected)
        ids.append(_field(at).proto.id)
    assert len(set(ids)) == len(ids)


def _narrowing() -> None:
    import streamlit as st

    from pages.session.state import one_of, picks

    few = st.checkbox("Few")
    options = ["a"] if few else ["a", "b"]
    st.selectbox("Choice", **one_of("choice", "a", options))
    st.selectbox("Perhaps", **one_of("perhaps", None, options))
    st.multiselect("Several", options, **picks("several", ("a",), allowed=options))


def test_a_choice_that_is_no_longer_offered_falls_back() -> None:
    at = AppTest.from_function(_narrowing).run()
    assert [each.value for each in at.selectbox] == ["a", None]
    for each in at.selectbox:
        each.set_value("b")
    at.multiselect[0].set_value(["a", "b"])
    at.run()
    at.checkbox[0].check()
    at.run()
    assert not at.exception
    assert [each.value for each in at.selectbox] == ["a", None]
    assert at.multiselect[0].value == ["a"]
    kept = at.session_state["kept"]
    assert [kept[name] for name in ("choice", "perhaps", "several")] == ["a", None, ["a"]]


@pytest.mark.parametrize(
    ("page", "name", "before", "after"),
    [
        ("compare_mechanisms", "chosen", ["A1B1", "F1B1"], ["A1B1"]),
        ("compare_mechanisms", "chosen", ["F1B1"], None),
        ("optimizer", "pair", "F1B1", "A1B1"),
        ("audit", "subject", "F1B1", "A1B1"),
    ],
)
def test_what_is_in_force_is_what_is_shown_once_an_own_shape_is_taken_away(
    page: str, name: str, before: object, after: object
) -> None:
    app = Driven()
    app.kept[f"{page}.{name}"] = before
    app.go(f"pages/{page}.py")
    shown = (app.at.multiselect if isinstance(before, list) else app.at.selectbox)[0].value
    assert app.kept[f"{page}.{name}"] == shown
    assert after in (None, shown)
    assert not [text for text in app.messages("error") if "F1B1" in text]


def _said_once() -> None:
    import streamlit as st

    st.session_state.setdefault("edit.unit", "cm")
    st.session_state.setdefault("edit.view", "b")
    st.session_state.setdefault("edit.ends", 3)
    st.session_state.setdefault("edit.pair", "b")
    st.text_input("Unit", key="edit.unit")
    st.segmented_control("View", ["a", "b"], key="edit.view")
    st.select_slider("Ends", [1, 2, 3], key="edit.ends")
    st.selectbox("Pair", ["a", "b"], key="edit.pair")


def test_a_widget_whose_first_value_is_said_once_is_noticed() -> None:
    at = AppTest.from_function(_said_once).run().run()
    assert sorted(wrong_starts(at)) == [
        "button_group View", "select_slider Ends", "selectbox Pair", "text_input Unit",
    ]  # fmt: skip


class Stopped(Exception):
    """A click came in, and the run looked up what is kept."""


def _fill(number: Decimal) -> None:
    # As the Function lab does for what follows from other numbers.
    if state.recall("x") != number:
        entry.fill("x", number)


def _visit(page: str) -> None:
    state.note_page(page)


@pytest.mark.parametrize(
    ("run", "before", "after"), [(_fill, Decimal(1), Decimal(2)), (_visit, "one", "two")]
)
@pytest.mark.parametrize("stop", range(12))
def test_a_run_that_is_stopped_anywhere_is_made_up_for_by_the_next(
    monkeypatch: pytest.MonkeyPatch, stop: int, run: Callable[[Any], None], before: Any, after: Any
) -> None:
    everything: dict[str, Any] = {}
    left = [10**6]

    def kept() -> dict[str, Any]:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped
        return everything

    for module in (state, entry):
        monkeypatch.setattr(module, "kept", kept)
    run(before)
    first = state.widget_key("x.typed")
    left[0] = stop
    try:
        run(after)
    except Stopped:
        left[0] = 10**6
        run(after)
    left[0] = 10**6
    assert everything.get("x.typed") in (None, "2")
    assert everything.get("page.visits") in (None, 2)
    assert state.widget_key("x.typed") != first


@pytest.mark.parametrize(
    ("page", "label"), [("function_lab", "ε ="), ("compare_mechanisms", "ε, exactly")]
)
def test_the_way_back_leads_to_the_settings_as_they_were_left(page: str, label: str) -> None:
    app = Driven(f"pages/{page}.py", epsilon="1.1")
    assert app.written(label) == "1.1"
    # The link it came from does not undo it.
    assert app.text(label, "1.5").written(label) == "1.5"
    assert app.run().written(label) == "1.5"
    # By the menu, and then back twice: to an entry of the history that is older than the change.
    for said in ({}, {"epsilon": "1.1"}, {}, {"epsilon": "1.1"}):
        app.go("app.py")
        app.at.query_params.clear()
        app.at.query_params.update(said)
        app.go(f"pages/{page}.py")
        assert app.written(label) == "1.5"
    app.go("app.py")
    app.at.query_params["epsilon"] = "3"
    app.go(f"pages/{page}.py")
    assert app.written(label) == "3"
