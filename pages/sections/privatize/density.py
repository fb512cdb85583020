"""Step 4: the mechanism at work, for any true value. Explores; releases nothing."""

from __future__ import annotations

from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.density import Scene, scene_chart
from pages.sections.shared.made_up import made_up
from pages.sections.shared.setup import ChosenColumn
from pages.session.fragments import fragment
from pages.shell.panels import fold, step

LABEL = "What one true value may turn into"


def see_step(column: ChosenColumn, mechanism: CompositeMechanism, released: bool) -> None:
    with step(4, "See it", "Public settings only: no value of your table is used here."):
        fold("privatize.see", released, LABEL, lambda: _live(column, mechanism))


@fragment
def _live(column: ChosenColumn, mechanism: CompositeMechanism) -> None:
    # Only this part runs again when the slider moves.
    label = "True value, between your bounds"
    value = made_up(label, column.inputs, column.setting("see"), whole=column.whole)
    scene_chart(
        "see",
        Scene.of(mechanism, value),
        axis=f"released {column.label}",
        unit=column.unit,
        title=LABEL,
    ).draw()
