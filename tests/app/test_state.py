"""Settings that outlive their widgets, also where a click interrupts the first drawing."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest


def _interrupted() -> None:
    import streamlit as st

    from pages.furniture.state import begin_run, edits, end_run

    begin_run()
    st.text_input("Unit", **edits("unit", "cm"))
    if "again" not in st.session_state:
        st.session_state.again = True
        st.rerun()
    end_run()


def _field(at: AppTest) -> Any:
    assert not at.exception
    return at.text_input[0]


def test_a_first_value_is_sent_until_a_run_reached_its_end() -> None:
    at = AppTest.from_function(_interrupted).run()
    # The browser may never have seen the run that was interrupted.
    assert _field(at).proto.set_value
    assert _field(at).proto.value == "cm"
    at.run()
    assert not _field(at).proto.set_value
    assert _field(at).value == "cm"


def test_what_was_typed_is_kept_and_never_sent_back() -> None:
    at = AppTest.from_function(_interrupted).run()
    _field(at).set_value("")
    at.run()
    assert _field(at).value == ""
    assert not _field(at).proto.set_value
    assert at.session_state["kept"]["unit"] == ""


def _two_pages() -> None:
    import streamlit as st

    from pages.furniture.state import begin_run, edits, end_run

    begin_run()
    if not st.checkbox("Elsewhere"):
        st.text_input("Unit", **edits("unit", "cm"))
    end_run()


def test_a_setting_comes_back_with_its_widget() -> None:
    at = AppTest.from_function(_two_pages).run()
    _field(at).set_value("m")
    at.run()
    at.checkbox[0].check()
    at.run()
    at.checkbox[0].uncheck()
    at.run()
    assert _field(at).value == "m"
    assert _field(at).proto.set_value


def _narrowing() -> None:
    import streamlit as st

    from pages.furniture.state import begin_run, edits, end_run

    begin_run()
    few = st.checkbox("Few")
    options = ["a"] if few else ["a", "b"]
    st.selectbox("Choice", options, **edits("choice", "a", allowed=options))
    end_run()


def test_a_choice_that_is_no_longer_offered_falls_back() -> None:
    at = AppTest.from_function(_narrowing).run()
    at.selectbox[0].set_value("b")
    at.run()
    at.checkbox[0].check()
    at.run()
    assert not at.exception
    assert at.selectbox[0].value == "a"
