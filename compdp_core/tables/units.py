"""Which letters behind a number are a unit: ``172 cm`` is a length, ``7a`` is a class."""

from __future__ import annotations

# No single capitals: 7A and 7B are classes far more often than amperes and bytes.
_BY_KIND = {
    "signs": "% ‰ ° \" ' $ € £ ¥ ₹ ₽ ₩ ₺ ₫ ฿ ¢ µ μ Ω kΩ MΩ",
    "length": "pm nm µm μm mm cm dm m km in inch inches ft yd mi mile miles",
    "area": "mm² cm² m² km² mm2 cm2 m2 km2 ha acre acres qm sqm sqft",
    "volume": "µl μl ml mL cl dl dL l L hl m³ m3 cm³ cm3 ccm cc gal",
    "mass": "ng µg μg mcg mg g gr kg t lb lbs oz st",
    "time": "ns µs μs ms s sec secs second seconds min mins minute minutes h hr hrs hour hours "
    "d day days wk wks week weeks mo mos month months yr yrs year years y/o "
    "Std Stunden Tag Tage Woche Wochen Monat Monate Jahr Jahre J. ans mois jours años meses",
    "temperature": "°C °F ºC ºF ℃ ℉ °K",
    "pressure": "Pa hPa kPa MPa bar mbar mmHg psi atm",
    "energy": "kJ MJ cal kcal Wh kWh MWh W kW MW GW",
    "physics": "mV kV mA Ah mAh Hz kHz MHz GHz dB kN Nm",
    "concentration": "mol mmol µmol nmol mM ppm ppb IU IE",
    "rate": "bpm rpm mph kmh kph",
    "data": "KB kB MB GB TB KiB MiB GiB bit bits byte bytes",
    "count": "pt pts point points Punkte pcs x times people persons",
}
CURRENCIES = (
    "USD EUR GBP CHF JPY CNY INR AUD CAD NZD SEK NOK DKK PLN CZK HUF RON BGN RUB UAH TRY BRL MXN "
    "ZAR KRW SGD HKD TWD THB ILS AED SAR"
)
_MONEY = "kr kr. Kč zł Ft lei Rs Rs. Euro euro euros dollars"
_SIMPLE = frozenset(" ".join([*_BY_KIND.values(), CURRENCIES, _MONEY]).split())
_BELOW = _SIMPLE | {"100g", "1.73m²", "cell", "cells", "person"}
"""What may stand below a slash."""
_POWERS = frozenset(
    {"k", "K", "M", "Mio", "Mio.", "Mrd", "Mrd.", "mn", "mln", "bn", "million", "thousand"}
)


def is_unit(suffix: str) -> bool:
    """A unit in common use, or two of them with a slash or dot between, such as ``mg/dL``.

    >>> [is_unit(suffix) for suffix in ("cm", "mg/dL", "kg/m²", "a", "th")]
    [True, True, True, False, False]
    """
    parts = suffix.replace("·", "/").split("/")
    return suffix in _SIMPLE or (len(parts) > 1 and all(p in _BELOW for p in parts))


def is_power(suffix: str) -> bool:
    """Stands for a thousand or a million: not the unit of the plain numbers beside it.

    >>> is_power("k"), is_power("kg")
    (True, False)
    """
    return suffix in _POWERS
