"""Words for a total, in many languages, compared without regard to case by Unicode's rule."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from compdp_core.tables.number_parsing import Bytes, Mask, Places, cells_of

ANYWHERE = (
    "total", "totals", "grand total", "subtotal", "sub-total", "sub total", "overall total",
    "sum total", "summe", "gesamt", "insgesamt", "gesamtsumme", "zwischensumme", "endsumme",
    "totale", "totale generale", "totaal", "eindtotaal", "subtotaal", "celkem", "spolu", "somme",
    "total général", "sous-total", "razem", "ogółem", "łącznie", "suma", "suma total",
    "total general", "total geral", "soma total", "summa", "totalt", "delsumma", "mellansumma",
    "i alt", "ialt", "samtals", "yhteensä", "välisumma", "kokku", "kopā", "iš viso", "összesen",
    "ukupno", "skupaj", "toplam", "genel toplam", "ara toplam", "jumlah", "tổng", "tổng cộng",
    "всего", "итого", "суммарно", "сумма", "разом", "усього", "общо", "укупно",
    "σύνολο", "γενικό σύνολο", "μερικό σύνολο", "المجموع", "الإجمالي", "مجموع", "جمع",
    'סה"כ', 'סה""כ', "סה״כ", "סך הכל", "कुल", "योग", "รวม", "รวมทั้งหมด",
    "小计", "合计", "总计", "总和", "小計", "合計", "總計", "総計", "总数", "합계", "총계", "소계",
)  # fmt: skip
AT_THE_END = re.compile(
    r"(?:(?:grand|overall|class|group|column)[ -]|sub[ -]?)?"
    r"(?:totals?|sums?|means?|averages?|avg|counts?|median|std|mittelwert|durchschnitt|anzahl"
    r"|moyenne|media|média|promedio|gemiddelde|aantal|średnia|průměr|medelvärde|gennemsnit"
    r"|gjennomsnitt|keskiarvo|átlag|ortalama|среднее|μέσος όρος|المتوسط|ממוצע|rata-rata|平均|平均值"
    rf"|평균|{'|'.join(map(re.escape, ANYWHERE))}"
    r")(?!\w)\W*(?:[(=:].*|of .*)?|n\s*[=:].*",
    re.IGNORECASE | re.DOTALL,
)
_WORDS = frozenset(word.casefold() for word in ANYWHERE)
_MARKS = " \t\u200e\u200f"


def is_total(text: str) -> bool:
    """Whether a text is such a word and nothing else but a colon.

    >>> is_total("Итого"), is_total("YHTEENSÄ:"), is_total("Totaled")
    (True, True, False)
    """
    word = text.strip(_MARKS)
    return word.removesuffix(":").removesuffix("：").rstrip(_MARKS).casefold() in _WORDS


@lru_cache(maxsize=32)
def words_in(codec: str) -> Words:
    """The words as a text of that codec has them."""
    return Words(codec)


class Words:
    """Looks for the words in many trimmed cells at once."""

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self._first: dict[int, Mask] = {}
        """How cells of each length may begin."""
        self.may_begin = np.zeros(256, dtype=np.bool_)
        """How one may begin that is not trimmed yet, quotes included."""
        self.may_begin[list(b" \t\"'")] = True
        for word in ANYWHERE:
            for form in {word, word.upper(), word.capitalize()}:
                for end in ("", ":", " :", "："):
                    try:
                        typed = (form + end).encode(codec)
                    except UnicodeEncodeError:
                        continue
                    mask = self._first.setdefault(len(typed), np.zeros(256, dtype=np.bool_))
                    mask[typed[0]] = self.may_begin[typed[0]] = True

    def find(self, block: Bytes, starts: Places, stops: Places) -> Mask:
        """Which cells are such a word."""
        found = np.zeros(len(starts), dtype=np.bool_)
        lengths, first = stops - starts, block[starts]
        for length, begins in self._first.items():
            at = np.flatnonzero(lengths == length)
            at = at[begins[first[at]]]
            if len(at):
                cells, owners = np.unique(cells_of(block, stops[at], length), return_inverse=True)
                known = [is_total(cell.decode(self._codec, "replace")) for cell in cells.tolist()]
                found[at] = np.array(known)[owners]
        return found
