"""Lists of answers that are known beforehand, in their order: yes and no, agreement, frequency."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

_PAIRS = """
yes;no / y;n / true;false / t;f / on;off / ja;nein / j;n / wahr;falsch / oui;non / o;n / vrai;\
faux
sí;no / si;no / s;n / verdadero;falso / sì;no / vero;falso / sim;não / sim;nao / ja;nee / waar;\
onwaar
ja;nej / ja;nei / kyllä;ei / jah;ei / tak;nie / prawda;fałsz / ano;ne / áno;nie / da;ne / da;nu
igen;nem / evet;hayır / ναι;όχι / да;нет / так;ні / да;не / taip;ne / jā;nē / ya;tidak / có;\
không
はい;いいえ / 是;否 / 有;无 / 有;無 / 예;아니요 / 네;아니요 / نعم;لا / כן;לא / हाँ;नहीं
بله;خیر / ใช่;ไม่ใช่
present;absent / positive;negative / pos;neg / positiv;negativ / pass;fail / passed;\
failed / bestanden;nicht bestanden
male;female / m;f / m;w / männlich;weiblich / homme;femme / hombre;mujer / alive;dead / case;\
control
checked;unchecked / selected;not selected / ☑;☐ / ✓;✗ / +;-
"""

_SCALES = """
strongly disagree;disagree;neutral|neither agree nor disagree|neither|undecided|not sure|\
unsure;agree;strongly agree
strongly disagree;disagree;somewhat disagree|slightly disagree;neutral|\
neither agree nor disagree|neither|undecided;somewhat agree|slightly agree;agree;strongly agree
strongly disagree;somewhat disagree;neutral|neither agree nor disagree|neither|undecided;\
somewhat agree;strongly agree
completely disagree;disagree;neutral|neither agree nor disagree;agree;completely agree
totally disagree;disagree;neutral|neither agree nor disagree;agree;totally agree
never;rarely|seldom|hardly ever;sometimes|occasionally;often|frequently|usually;always
never;almost never|rarely|seldom;sometimes|occasionally;often|frequently|fairly often|usually;\
almost always|very often;always
never;yearly|once a year;monthly|once a month;weekly|once a week;daily|every day
never;less than monthly;monthly;weekly;daily or almost daily
not at all;several days;more than half the days;nearly every day
terrible;poor;fair|average;good;very good;excellent
very bad;bad;fair|average|ok|okay|neutral;good;very good
bad;fair|average|ok|okay|medium;good
very poor;poor;fair|average|acceptable;good;very good
very dissatisfied;dissatisfied;neutral|neither satisfied nor dissatisfied;satisfied;\
very satisfied
very unlikely;unlikely;neutral|neither likely nor unlikely|possible;likely;very likely
not at all;a little|slightly|a little bit;somewhat|moderately;quite a bit|very|very much;\
extremely
not important;slightly important;moderately important|important;very important;\
extremely important
extra small|xs;small|s;medium|m;large|l;extra large|xl;xxl
very small;small;medium;large|big;very large|very big
tiny;small;medium;large|big;huge
very low;low;medium|moderate|middle|average|normal;high;very high
low;medium|moderate|middle|average|mid|normal;high
none;low;medium|moderate;high
none;mild|slight|minimal;moderate;severe;very severe
absent;mild;moderate;severe
none;some;many
none;a little;some;a lot
less;same|about the same|no change;more
much worse;worse;same|about the same|no change|unchanged;better;much better
slow;medium|moderate;fast
short;medium;tall
easy;medium|moderate;hard|difficult
very easy;easy;medium|neutral;difficult|hard;very difficult|very hard
beginner;intermediate;advanced;expert
junior;middle|intermediate;senior
child;teenager|adolescent;adult;senior|elderly
young;middle aged;old
third;second;first
first;second;third;fourth;fifth
one;two;three;four;five;six;seven;eight;nine;ten
i;ii;iii;iv;v;vi
no schooling|none;primary|elementary;secondary|high school;tertiary|college|university
less than high school;high school|high school graduate;some college;college|bachelor|\
bachelor's degree;master|master's degree|graduate;doctorate|phd
primary;secondary;tertiary
no education;primary;secondary;higher
bronze;silver;gold;platinum
d;c;b;a
f;e;d;c;b;a
f;d-;d;d+;c-;c;c+;b-;b;b+;a-;a;a+
fail;pass;merit;distinction
fair;good;very good;premium;ideal
stimme gar nicht zu|stimme überhaupt nicht zu|trifft gar nicht zu|trifft überhaupt nicht zu|\
lehne stark ab;stimme nicht zu|stimme eher nicht zu|trifft eher nicht zu|trifft nicht zu|\
lehne ab;teils teils|teils, teils|weder noch|neutral|unentschieden;stimme zu|stimme eher zu|\
trifft eher zu|trifft zu;stimme voll zu|stimme völlig zu|stimme voll und ganz zu|\
trifft voll zu|trifft völlig zu|trifft voll und ganz zu
trifft nicht zu;trifft eher nicht zu;teils teils|teils, teils;trifft eher zu;trifft zu
stimme nicht zu;stimme eher nicht zu;neutral|weder noch|teils teils|teils, teils;\
stimme eher zu;stimme zu
nie|niemals;selten;manchmal|gelegentlich;oft|häufig|meistens;immer
nie|niemals;fast nie|selten;manchmal|gelegentlich;oft|häufig;sehr oft|sehr häufig|fast immer;\
immer
sehr schlecht;schlecht;mittel|mittelmäßig|mäßig|befriedigend;gut;sehr gut
ungenügend;mangelhaft;ausreichend;befriedigend;gut;sehr gut
sehr unzufrieden;unzufrieden;neutral|teils teils;zufrieden;sehr zufrieden
sehr niedrig;niedrig|gering;mittel;hoch;sehr hoch
sehr klein;klein;mittel;groß;sehr groß
keine|kein;leicht;mittel|mäßig|mittelschwer;schwer|stark
leicht;mittel;schwer
wenig;mittel;viel
pas du tout d'accord;pas d'accord|plutôt pas d'accord;neutre|ni d'accord ni pas d'accord|\
sans opinion;d'accord|plutôt d'accord;tout à fait d'accord
jamais;rarement;parfois|quelquefois;souvent;toujours
très mauvais;mauvais;moyen|passable;bon;très bon;excellent
très faible;faible|bas;moyen;élevé|haut|fort;très élevé
petit;moyen;grand
pas du tout satisfait;peu satisfait|insatisfait;neutre;satisfait;très satisfait
totalmente en desacuerdo|muy en desacuerdo;en desacuerdo;neutral|\
ni de acuerdo ni en desacuerdo;de acuerdo;totalmente de acuerdo|muy de acuerdo
nunca;rara vez|casi nunca;a veces|algunas veces;a menudo|frecuentemente|casi siempre;siempre
muy malo;malo;regular;bueno;muy bueno;excelente
muy bajo;bajo;medio;alto;muy alto
pequeño;mediano;grande
discordo totalmente;discordo;neutro|nem concordo nem discordo;concordo;concordo totalmente
nunca;raramente;às vezes;frequentemente|muitas vezes;sempre
muito ruim;ruim;regular;bom;muito bom;ótimo|excelente
baixo;médio;alto
per niente d'accordo|fortemente in disaccordo;in disaccordo|poco d'accordo;neutrale|\
né d'accordo né in disaccordo;d'accordo;molto d'accordo|completamente d'accordo
mai;raramente;a volte|qualche volta;spesso;sempre
pessimo;scarso;sufficiente;buono;ottimo|eccellente
basso;medio;alto
helemaal mee oneens|zeer oneens;oneens|mee oneens;neutraal;eens|mee eens;helemaal mee eens|\
zeer eens
nooit;zelden;soms;vaak;altijd
laag;midden|gemiddeld;hoog
zdecydowanie się nie zgadzam;nie zgadzam się;nie mam zdania;zgadzam się;zdecydowanie się zgadzam
nigdy;rzadko;czasami|czasem;często;zawsze
niski;średni;wysoki
никогда;редко;иногда;часто;всегда
низкий;средний;высокий
"""

_CYCLES = """
mon|monday;tue|tues|tuesday;wed|wednesday;thu|thur|thurs|thursday;fri|friday;sat|saturday;sun|\
sunday
mo|montag;di|dienstag;mi|mittwoch;do|donnerstag;fr|freitag;sa|samstag|sonnabend;so|sonntag
lundi;mardi;mercredi;jeudi;vendredi;samedi;dimanche
lunes;martes;miércoles;jueves;viernes;sábado;domingo
jan|january;feb|february;mar|march;apr|april;may;jun|june;jul|july;aug|august;sep|sept|\
september;oct|october;nov|november;dec|december
januar|jan;februar|feb;märz|mär;april|apr;mai;juni|jun;juli|jul;august|aug;september|sep;\
oktober|okt;november|nov;dezember|dez
"""

_NO_ANSWERS = """
don't know;don’t know;do not know;dk;no opinion;not applicable;n/a;na;no answer;refused;unknown
prefer not to say;weiß nicht;keine angabe;k.a.;ne sait pas;nsp;no sabe;no contesta;ns/nc
"""


@dataclass(frozen=True)
class AnswerList:
    """A known list of answers; each may be worded in several ways."""

    steps: tuple[tuple[str, ...], ...]

    @cached_property
    def places(self) -> dict[str, int]:
        """Which step each wording is."""
        return {word: i for i, words in enumerate(self.steps) for word in words}

    def worded(self, seen: Sequence[str]) -> tuple[str, ...]:
        """All steps, in the wording that was seen first, or, where none was, in the same case."""
        found = {self.places[plain(text)]: text for text in reversed(seen)}
        style = next((each for each in _STYLES if all(each(t) == t for t in seen)), str)
        return tuple(found.get(i, style(words[0])) for i, words in enumerate(self.steps))


_STYLES: tuple[Callable[[str], str], ...] = (str.lower, str.upper, str.capitalize, str.title)


def plain(text: str) -> str:
    """A text without what does not tell answers apart: case, and what stands between words.

    >>> plain(" Strongly_Disagree "), plain("A-")
    ('strongly disagree', 'a-')
    """
    text = text.strip().casefold()
    return text if len(text) < 3 else " ".join(re.sub(r"[\s_/–-]+", " ", text).split())


def pair(seen: Iterable[str]) -> AnswerList | None:
    """The known pair of answers that these are, or this one is, such as yes and no."""
    words = {plain(text) for text in seen}
    return next((each for each in _known(_PAIRS) if words <= each.places.keys()), None)


def scale(seen: Iterable[str]) -> AnswerList | None:
    """The shortest known list in which all of these are steps, two of them at least.

    >>> scale(["agree", "strongly agree"]).worded(["agree", "strongly agree"])
    ('strongly disagree', 'disagree', 'neutral', 'agree', 'strongly agree')
    """
    return _ordered(_SCALES, seen)


def cycle(seen: Iterable[str]) -> AnswerList | None:
    """The known list, without a first and a last step, in which all of these are: days, months."""
    return _ordered(_CYCLES, seen)


def is_no_answer(text: str) -> bool:
    """Whether it stands beside a scale and is no step of it, as "don't know" does."""
    return any(plain(text) in each.places for each in _known(_NO_ANSWERS))


def _ordered(lists: str, seen: Iterable[str]) -> AnswerList | None:
    words = {plain(text) for text in seen}
    fits = (each for each in _known(lists) if words <= each.places.keys())
    return next((f for f in fits if len({f.places[w] for w in words}) > 1), None)


@cache
def _known(text: str) -> list[AnswerList]:
    lines = [each for line in text.strip().splitlines() for each in line.split(" / ")]
    made = [
        AnswerList(tuple(tuple(map(plain, step.split("|"))) for step in line.split(";")))
        for line in lines
    ]
    return sorted(made, key=lambda each: len(each.steps))
