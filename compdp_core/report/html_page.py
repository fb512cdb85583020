"""HTML pages that need nothing else: no script, no outside request, light and dark, fit for
printing. What they are made of lies beside this module: ``page.html`` and ``parts.html``.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template

from compdp_core.report.wording import visible


def template(package: str, file: str, **known: object) -> Template:
    """The template in that file of a package, which may call what is ``known`` to it."""
    page = Environment(
        autoescape=True,
        finalize=_seen,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(lambda name: _text(__package__, name)),
    )
    page.globals = known
    return page.from_string(_text(package, file))


def _text(package: str, file: str) -> str:
    return resources.files(package).joinpath(file).read_text("utf-8")


def _seen(value: Any) -> Any:
    """What is inserted anywhere: every text visible. Written as UTF-8, which has no surrogates."""
    # What has a form as HTML was made by the template itself.
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
