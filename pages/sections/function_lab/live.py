"""Everything that follows the controls, in one fragment: the rest of the page stays as it is."""

from __future__ import annotations

import streamlit as st

from compdp_core.design.privacy_loss import PrivacyLoss, loss
from pages.inputs import links
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.controls import more_controls, pair_controls, parameter_controls
from pages.sections.function_lab.optimum import jump_buttons
from pages.sections.function_lab.own import own_shape
from pages.sections.function_lab.tiles import picture, tiles, words
from pages.sections.function_lab.trial import Result, bench
from pages.sections.function_lab.verdict import constraint_table, verdict
from pages.sections.function_lab.views import views
from pages.session.fragments import fragment
from pages.session.state import memo
from pages.shell.address import follow


@fragment
def live() -> None:
    links.notices(lab.PAGE)
    now = bench()
    verdict(now)
    found = None if now.result is None else _loss(now.result)
    seen, controls = st.columns([7, 5], gap="large")
    with seen:
        with st.container(key="lab-picture"):
            picture(now)
        if now.result is not None and found is not None:
            tiles(now, now.result, found)
    with controls:
        pair_controls()
        jump_buttons()
        parameter_controls(now)
        more_controls()
        links.share(lab.PAGE, lab.SETTINGS)
    if now.result is not None and found is not None:
        words(now, now.result, found)
    constraint_table(now.rows)
    views(now, found)
    own_shape()
    follow(lab.PAGE, lab.SETTINGS)


def _loss(result: Result) -> PrivacyLoss:
    """Kept while the density stays: neither the input nor the declared ε changes it."""
    design = result.design
    return memo(
        f"{lab.PAGE}.loss",
        (design.pair, design.mu, design.kappa, design.peak, result.neighbours),
        lambda: loss(result.design, result.neighbours),
    )
