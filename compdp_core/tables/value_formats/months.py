"""Names of months, as tables write them in several languages."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "de", "es", "fr", "it", "nl", "pl", "pt", "sv"]

FULL: dict[str, tuple[str, ...]] = {
    language: tuple(names.split())
    for language, names in {
        "en": "January February March April May June July August September October November "
        "December",
        "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
        "diciembre",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre "
        "décembre",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre "
        "novembre dicembre",
        "nl": "januari februari maart april mei juni juli augustus september oktober november "
        "december",
        "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
        "listopada grudnia",
        "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
        "dezembro",
        "sv": "januari februari mars april maj juni juli augusti september oktober november "
        "december",
    }.items()
}

SHORT: dict[str, tuple[str, ...]] = {
    language: tuple(names.split())
    for language, names in {
        "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        "de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "es": "ene feb mar abr may jun jul ago sep oct nov dic",
        "fr": "janv févr mars avr mai juin juil août sept oct nov déc",
        "it": "gen feb mar apr mag giu lug ago set ott nov dic",
        "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
        "pl": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
        "pt": "jan fev mar abr mai jun jul ago set out nov dez",
        "sv": "jan feb mars apr maj juni juli aug sep okt nov dec",
    }.items()
}


def names_of(letter: str, language: str, *, capitals: bool = False) -> tuple[str, ...]:
    """The twelve names: ``B`` in full, ``b`` short, as ``strftime`` has it."""
    names = (FULL if letter == "B" else SHORT)[language]
    return tuple(map(str.upper, names)) if capitals else names


def spellings(name: str) -> set[str]:
    """How a name may be typed: case makes no difference."""
    return {name, name.upper(), name.lower(), name.title()}
