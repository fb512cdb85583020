"""``compdp answer``: one statistic of a file, released once."""

from __future__ import annotations

import argparse
import json
import uuid
from dataclasses import replace
from pathlib import Path

from compdp_core.accounting import decimal_text, exact_text
from compdp_core.commands.card_file import CardFile
from compdp_core.commands.foresight import ledger_line
from compdp_core.commands.given import (
    EACH_ROW,
    RunLedger,
    check_columns,
    check_targets,
    in_memory_size,
    path_of,
    settings_of,
)
from compdp_core.commands.output import aligned, check_output, reason_of, say, settle
from compdp_core.commands.stopping import charged, untouched
from compdp_core.engines.files import BrokenRunError, LandedRunError, StoppedRunError
from compdp_core.errors import CompdpError
from compdp_core.release import statistic
from compdp_core.release.statistic import Answer, Forecast, mechanism_for
from compdp_core.report.answer_card import card_of_answer
from compdp_core.report.card import Card
from compdp_core.report.settings import StatisticSettings
from compdp_core.statistics import Count
from compdp_core.tables import Table
from compdp_core.tables.sources import read_csv
from compdp_core.text import alike, number, percent

HELP = "release one statistic of a file"
DESCRIPTION = """\
Release a statistic, such as a mean or counts of groups, as settings say that the page Release a
statistic saves. The ledger is charged before anything is drawn; the answer is drawn once.
"""
EXAMPLES = """\
examples:
  compdp answer patients.csv --settings mean.json --dry-run
  compdp answer patients.csv --settings mean.json --ledger ledger.json --card card.html

private: the input and the ledger. The answer may be handed on, and the card is made for it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said."""
    parser.add_argument("source", type=Path, metavar="IN", help="the file to ask")
    parser.add_argument(
        "--settings", type=Path, required=True, metavar="JSON",
        help="settings, as the page Release a statistic saves them",
    )  # fmt: skip
    parser.add_argument("--ledger", type=Path, metavar="JSON", help="charge this ledger")
    parser.add_argument(
        "--card", type=Path, metavar="FILE", help="also write the privacy card (.html or .json)"
    )
    parser.add_argument("--json", action="store_true", help="the answer as JSON")
    parser.add_argument(
        EACH_ROW, action="store_true", dest="each_row",
        help="no person has two rows; only needed for settings that do not say it",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="replace the card")
    parser.add_argument(
        "--dry-run", action="store_true", help="say cost and error; nothing is drawn or charged"
    )


def run(asked: argparse.Namespace) -> int:
    """Ask once, or say what an answer would be."""
    source = path_of("the input", asked.source)
    settings = settings_of(asked.settings, StatisticSettings, each_row=asked.each_row)
    read = (source, asked.settings, asked.ledger)
    check_targets(read, (asked.card,), force=asked.force or asked.dry_run)
    check_output()
    place, book = CardFile(asked.card, replace=asked.force), RunLedger.at(asked.ledger)
    in_memory_size(source)
    with untouched():
        question = AnswerRun(read_csv(source), settings)
    if asked.dry_run:
        say(f"an answer costs {question.cost}")
        say(aligned(question.error_rows()))
        foreseen = None if book is None else book.foresee(*question.spends)
        say(ledger_line(foreseen, question.spends, "would be"))
        return 0
    lost = "no answer was given"
    with charged(question.spends, asked.ledger, "the card was out", lost), place as card:
        _ask(question, book, card, as_json=asked.json)
    ids = [each.id for each in question.spends]
    ledger = None if book is None else book.finish(*ids)
    if not asked.json:
        say(ledger_line(ledger, question.spends, "is"))
    return 0


def _ask(question: AnswerRun, book: RunLedger | None, card: CardFile, *, as_json: bool) -> None:
    """Charge, draw once, and give the card and the answer."""
    ledger, is_carded = None if book is None else book.charge(*question.spends), False
    try:
        answers = question.answers()
        card.write(question.card(answers))
        card.land()
        is_carded = card.path is not None
        say(_as_json(answers) if as_json else _as_text(answers, question))
        settle()
    except KeyboardInterrupt:
        raise StoppedRunError(ledger, is_out=is_carded) from None
    except (CompdpError, OSError) as error:
        reason = reason_of(error)
        if is_carded and card.path is not None:
            reason = f"the answer in it could not be said: {reason}"
            raise LandedRunError(card.path, reason, ledger) from error
        raise BrokenRunError(Path("the answer"), reason, ledger) from error


class AnswerRun:
    """What is asked of one table. Nothing is drawn yet, and what can be refused is."""

    def __init__(self, table: Table, settings: StatisticSettings) -> None:
        self.table, self.settings, self.query = table, settings, settings.inquiry
        if not isinstance(self.query.statistic, Count):
            check_columns(table, [(self.query.position, settings.label)])
        grouping = self.query.grouping
        names = (None,) if grouping is None else grouping.categories
        self.ids: dict[str | None, str] = {name: uuid.uuid4().hex for name in names}
        self.forecasts = {name: self._forecast(name) for name in names}
        self.spends = self.query.spends(table, settings.epsilon, self.ids)

    def _forecast(self, name: str | None) -> Forecast:
        said, plan = self.settings, self.query.plan(self.table, name)
        made = mechanism_for(plan, said.epsilon, pair=said.pair, steps=said.steps)
        made.certificate.require()
        return Forecast(plan, made)

    @property
    def cost(self) -> str:
        """What all answers cost together."""
        whom = "person" if self.query.person is not None else "row"
        return f"each {whom}: epsilon {decimal_text(self.query.cost(self.settings.epsilon))}"

    def error_rows(self) -> list[tuple[str, ...]]:
        """How far off answers will be, from public settings alone."""
        return [
            (
                each.plan.text,
                f"typical error {number(each.typical_error)} {each.plan.unit}".rstrip(),
                f"95 % within ±{number(each.half_width)}",
            )
            for each in self.forecasts.values()
        ]

    def answers(self) -> dict[str | None, Answer]:
        """Each drawn once, now."""
        said = self.settings
        return {
            name: replace(
                statistic.answer(each, said.epsilon, pair=said.pair, steps=said.steps),
                identifier=self.ids[name],
            )
            for name, each in self.query.questions(self.table).items()
        }

    def card(self, answers: dict[str | None, Answer]) -> Card:
        """The card of them."""
        named = {str(name): each for name, each in answers.items()}
        each = answers[None] if self.query.grouping is None else named
        return card_of_answer(each, self.query, self.table, self.settings.source)


def _as_text(answers: dict[str | None, Answer], question: AnswerRun) -> str:
    rows = []
    for each in answers.values():
        low, high = each.interval
        value, *ends = alike(0.5 * (high - low), each.value, low, high)
        written = [question.query.written(one) for one in (each.value, low, high)]
        if all(written):
            value, *ends = written
        unit = "" if all(written) else each.plan.unit
        level = percent(each.level)
        rows.append((each.plan.text, value, unit, f"{level} interval {ends[0]} … {ends[1]}"))
    return aligned(rows, "")


def _as_json(answers: dict[str | None, Answer]) -> str:
    said = [
        {
            "what": each.plan.text,
            "group": name,
            "value": each.value,
            "low": each.interval[0],
            "high": each.interval[1],
            "level": each.level,
            "unit": each.plan.unit,
            "epsilon": exact_text(each.epsilon),
            "id": each.identifier,
        }
        for name, each in answers.items()
    ]
    return json.dumps(said, indent=2, ensure_ascii=False, allow_nan=False)
