"""The teacher's page: a room with its wall, or the way to one; the course in class beside it."""

from __future__ import annotations

import streamlit as st

from pages.inputs import links
from pages.inputs.options import segments
from pages.sections.classroom import settings as to
from pages.sections.classroom.course_class import course_class
from pages.sections.classroom.keyring import WAY, taught
from pages.sections.classroom.opening import opening
from pages.sections.classroom.room_view import projected, room_view
from pages.shell.page_list import Page, page

WAYS = {"room": "Ask a question", "course": "Take the course together"}


def live(row: Page) -> None:
    to.arrive()
    room, course = taught()
    if room is not None and projected():
        room_view(room)
        return
    if room is None and course is None:
        st.title(row.title, anchor=False)
        st.markdown(row.lead)
        plan = page("lesson_plan")
        st.page_link(plan.path, label="A lesson of 45 or 90 minutes with it", icon=plan.icon)
    links.notices(to.PAGE)
    with st.container(key="classroom-way"):
        way = segments("What to do with the class", WAYS, WAY, "room")
    if way == "course":
        course_class(course)
    elif room is not None:
        room_view(room)
    else:
        opening()
