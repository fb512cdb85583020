"""Which kind is offered for each column of real tables, as files and without a manual step.

    python -m tests.benchmarks.real_tables

Needs scikit-learn, statsmodels, vega_datasets and palmerpenguins beside the library; what is not
installed is passed over. A column is named with its first proposal, and why where that is none.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any

from compdp_core import read_csv
from compdp_core.tables.column_kinds import Proposal, proposals


def penguins(which: str) -> Callable[[], Any]:
    return lambda: getattr(import_module("palmerpenguins"), f"load_{which}")()


def vega(which: str) -> Callable[[], Any]:
    return lambda: getattr(import_module("vega_datasets").local_data, which)()


def statsmodels(which: str) -> Callable[[], Any]:
    return lambda: import_module(f"statsmodels.datasets.{which}").load_pandas().data


def sklearn(which: str) -> Callable[[], Any]:
    return lambda: getattr(import_module("sklearn.datasets"), f"load_{which}")(as_frame=True).frame


TABLES: dict[str, Callable[[], Any]] = {
    "palmerpenguins penguins": penguins("penguins"),
    "palmerpenguins raw": penguins("penguins_raw"),
    "vega cars": vega("cars"),
    "vega seattle_weather": vega("seattle_weather"),
    "vega stocks": vega("stocks"),
    "vega barley": vega("barley"),
    "vega airports": vega("airports"),
    "vega crimea": vega("crimea"),
    "statsmodels fair": statsmodels("fair"),
    "statsmodels anes96": statsmodels("anes96"),
    "statsmodels grunfeld": statsmodels("grunfeld"),
    "statsmodels china_smoking": statsmodels("china_smoking"),
    "statsmodels modechoice": statsmodels("modechoice"),
    "scikit-learn iris": sklearn("iris"),
    "scikit-learn diabetes": sklearn("diabetes"),
}


def described(proposal: Proposal) -> str:
    if proposal.kind == "none":
        return f"none: {proposal.why}"
    more = proposal.format.label if proposal.format else ", ".join(proposal.categories[:4])
    return f"{proposal.kind:9} {more}{' …' * (len(proposal.categories) > 4)}"


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    offered = left = tables = 0
    for name, load in TABLES.items():
        try:
            frame = load()
        except ModuleNotFoundError as missing:
            print(f"{name}: {missing.name} is not installed\n")
            continue
        table = read_csv(frame.to_csv(index=False).encode())
        tables += 1
        print(f"{name}, {table.row_count} rows")
        for column in table.columns:
            first, *others = proposals(table, column.position)
            offered, left = offered + (first.kind != "none"), left + (first.kind == "none")
            also = ", ".join(dict.fromkeys(each.kind for each in others))
            print(f"  {column.label[:28]:28} {described(first)[:70]:70} {also}")
        print()
    print(f"{tables} tables: {offered} columns are offered with a kind, {left} are not")


if __name__ == "__main__":
    main()
