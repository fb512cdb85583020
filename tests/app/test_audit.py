"""The Audit page without a browser."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from compdp_core import CompositeMechanism
from compdp_core.auditing.attacks import FAULTY
from compdp_core.auditing.privacy_loss import log_ratio_curve
from compdp_core.auditing.self_check import self_check
from compdp_core.auditing.sequential import DRAWS, Growth, audit_growth
from pages.inputs.mechanisms import mechanism_choices
from pages.sections.audit import settings as to
from pages.sections.audit.attack_bounds import OTHERS
from pages.sections.audit.checks import as_json
from pages.sections.audit.evidence import FOUND, JOB, FoundEvidence
from pages.sections.audit.settings import AuditSubject
from pages.session.jobs import Job
from tests.app.driving import Driven

PAGE = "pages/audit.py"
BUTTON = "Draw up to 1,000,000 times"


def opened(**link: str) -> Driven:
    return Driven(PAGE, **link)


def test_every_mechanism_can_be_audited_and_keeps_its_claim() -> None:
    app = opened()
    offered = app._of("selectbox", "Mechanism").options
    assert len(offered) == len(mechanism_choices()) + len(FAULTY)
    for key in mechanism_choices():
        app.select("Mechanism", key)
        assert not app.messages("error")[:-1], key
        assert any("kept." in text for text in app.messages("success")), key


@pytest.mark.parametrize("key", FAULTY)
def test_what_is_broken_is_marked_and_its_claim_is_broken(key: str) -> None:
    app = opened(mechanism=to.BROKEN + key)
    shown = app._of("selectbox", "Mechanism")
    label = next(o for o in shown.options if FAULTY[key]().name in o)
    assert label.startswith("⚠ Broken on purpose")
    text = " ".join(app.messages("error"))
    assert "The mistake." in text
    assert "broken." in text
    assert "Not met" in text
    assert any("The fix." in each for each in app.messages("success"))
    assert "ε, exactly" not in app.labels("text_input")


def test_the_picture_shows_the_claim_and_the_worst_point() -> None:
    app = opened(mechanism="A2B1", epsilon="2", sensitivity="20", neighbour="10")
    mechanism = CompositeMechanism(2.0, (0, 100), pair="A2B1", sensitivity=20)
    curve = log_ratio_curve(mechanism, (10.0, 30.0))
    data = app.traces("audit-loss")
    claim = [trace["y"] for trace in data if trace.get("line", {}).get("dash") == "dash"]
    assert claim == [[2.0, 2.0], [-2.0, -2.0]]
    worst = next(trace for trace in data if trace["name"].startswith("worst: "))
    assert worst["y"] == [pytest.approx(curve.at_worst)]
    assert worst["x"] == [pytest.approx(curve.worst_output)]
    assert any(trace["name"] == "worst of any two neighbours" for trace in data)


def test_delta_is_asked_for_where_it_matters_only() -> None:
    app = opened(mechanism="analytic_gaussian")
    assert "δ" in app.labels("text_input")
    assert "least δ" in app.said()
    app.select("Mechanism", "laplace")
    assert "δ" not in app.labels("text_input")


def test_a_broken_mechanism_is_convicted_in_words() -> None:
    app = opened(mechanism="broken_half").press(BUTTON).awaited()
    assert any("Refuted with confidence 99.9 %" in text for text in app.messages("error"))
    names = {trace["name"] for trace in app.traces("audit-evidence")}
    assert "a look: refuted" in names
    found: Growth = app.kept[FOUND].growth
    assert found.refuted
    assert len(found.looks) == len(DRAWS)


def test_a_sound_mechanism_is_not_refuted_and_an_old_run_says_so() -> None:
    app = opened().press(BUTTON).awaited()
    assert any("can convict, not acquit" in text for text in app.messages("info"))
    app.text("ε, exactly", "0.5")
    assert any("The settings have changed since" in c.value for c in app.at.caption)
    app.go("app.py").go(PAGE)
    assert app.kept[FOUND].name == "Composite A1B1"
    assert app.chart("audit-evidence")


def test_cancelling_keeps_the_looks_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = CompositeMechanism.simulate

    def simulate(self: CompositeMechanism, values: Any, *, seed: int) -> Any:
        time.sleep(0.1)
        return slow(self, values, seed=seed)

    monkeypatch.setattr(CompositeMechanism, "simulate", simulate)
    app = opened().press(BUTTON)
    job = app.kept[JOB]
    while job.part is None:
        time.sleep(0.02)
    job.cancel()
    app.awaited()
    assert 0 < len(app.kept[FOUND].growth.looks) < len(DRAWS)
    assert app.chart("audit-evidence")


def test_a_run_that_is_stopped_before_its_first_look_does_not_cost_the_last_one() -> None:
    broken = FAULTY["half"]()
    growth = audit_growth(broken.simulate, 1.0, broken.neighbours, draws=(400,), seed=1)
    last = FoundEvidence(broken.name, growth, ())
    app = opened()
    app.kept[FOUND] = last
    app.kept[JOB] = Job(lambda job: FoundEvidence("next", Growth(1.0, 0.999), ()))
    app.awaited()
    assert app.kept[FOUND] is last
    assert app.chart("audit-evidence")


def test_the_file_says_what_was_checked_and_whether_it_is_met() -> None:
    broken = FAULTY["half"]()
    subject = AuditSubject(broken.name, broken, broken.neighbours, ())
    content = json.loads(as_json(subject, self_check(broken)))
    assert content["epsilon"] == 1.0
    verdicts = {check["name"]: check["met"] for check in content["checks"]}
    assert verdicts["privacy loss"] == "no"
    assert verdicts["mass"] == "yes"


@pytest.mark.parametrize("attack", to.ATTACKS)
def test_every_attack_stands_beside_its_fix(attack: str) -> None:
    app = opened(attack=attack)
    assert any("The attack." in text for text in app.messages("error"))
    assert any("The fix." in text for text in app.messages("success"))


@pytest.mark.parametrize("top", [46, 68, 99])
def test_the_published_interval_gives_the_top_value_away(top: int) -> None:
    app = opened(attack="bounds")
    app.at.slider[0].set_value(top)

    def guess() -> list[float]:
        traces = app.traces("audit-bounds")
        return next(list(t["x"]) for t in traces if t["name"] == "the attacker's guess")

    app.run()
    assert guess() == pytest.approx([OTHERS[0], top], abs=0.1)
    app.press("One less")
    assert guess()[1] == pytest.approx(max(top - 1, 46), abs=0.1)


def test_settings_come_back_from_a_link_and_nonsense_is_named() -> None:
    app = opened(mechanism="nonsense", epsilon="-3", lower="7", confidence="0.95")
    notice = app.messages("warning")[0]
    assert "nonsense" in notice
    assert "-3" in notice
    assert app.written("Smallest input") == "7"
    assert app.kept[to.CONFIDENCE.name] == "0.95"


def test_impossible_inputs_are_refused_with_what_to_do() -> None:
    app = opened(lower="10", upper="5")
    assert app.messages("error")
    app.text("Smallest input", "0")
    assert any("kept." in text for text in app.messages("success"))


def test_neighbours_that_lie_close_are_told_apart_in_words() -> None:
    app = opened(mechanism="analytic_gaussian", sensitivity="0.01", neighbour="50")
    verdict = next(text for text in app.messages("success") if "least δ" in text)
    assert "For 50 and 50.01 " in verdict
    assert "kept" in verdict
    assert any("All 3 checks met" in text for text in app.messages("success"))
