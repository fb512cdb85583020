"""What every session of the app would work out anew, worked out once for all tests of the pages."""

from __future__ import annotations

from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from compdp_core.mechanisms.planning import Blueprint

_SCAN = cache(manifest_scanner.scan_component_manifests)
_LATTICE = cache(Blueprint.lattice)


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every session looks through all that is installed for components that there are none of, and
    builds the lattice of the same few settings: a function of public settings alone.
    """
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", _SCAN)
    monkeypatch.setattr(Blueprint, "lattice", _LATTICE)
