"""What every session of the app would work out anew, worked out once for all tests of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner

from compdp_core.mechanisms.planning import Blueprint


@pytest.fixture(scope="session", autouse=True)
def _once() -> Iterator[None]:
    """Every session looks through all that is installed for components that there are none of, and
    builds the lattice of the same few settings: a function of public settings alone.
    """
    with pytest.MonkeyPatch.context() as patch:
        scan = manifest_scanner.scan_component_manifests
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(scan))
        patch.setattr(Blueprint, "lattice", cache(Blueprint.lattice))
        yield
