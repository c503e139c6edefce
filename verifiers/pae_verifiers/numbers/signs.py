"""Direction: words that make a change negative, such as "fell by" and "below target"."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from pae_verifiers.numbers import chinese
from pae_verifiers.numbers.found import Found
from pae_verifiers.numbers.starts import Starts

_ADVERB = (
    r"(?:(?:a\s(?:further|mere|total|net)|another|an\s(?:additional|estimated)|only|just|"
    r"roughly|about|"
    r"approximately|around|nearly|almost|some|as\smuch\sas|up\sto|at\sleast|more\sthan|"
    r"less\sthan|over|a|an|"
    r"the|exactly|precisely)\s)*"
)
_FELL = (
    r"f[ae]ll(?:s|en|ing)?|declin(?:e|es|ed|ing)|drop(?:s|ped|ping)?|slip(?:s|ped|ping)?|"
    r"slid(?:es?)?|sank|sunk|"
    r"tumbl(?:ed|es|ing)|plung(?:ed|es|ing)|decreas(?:e|es|ed|ing)|contract(?:ed|s|ing)|"
    r"shr[aiu]nk(?:s|ing)?|"
    r"los(?:t|es|ing|e)|down|retreat(?:ed|s|ing)|eas(?:ed|es|ing)|underperform(?:ed|s|ing)?|"
    r"narrow(?:ed|s|ing)?|shed(?:s|ding)?|slump(?:ed|s|ing)?|dipp(?:ed|ing)|sink(?:s|ing)?|"
    r"sliding|g[ai]v(?:e|es|en|ing)\sup|(?:edg|mov|drift|head|nudg)(?:ed|es|ing)\slower|"
    r"lagg(?:ed|ing)|lags?|"
    r"trail(?:ed|s|ing)?|gave\sback"
)
_CUT = (
    r"cut(?:s|ting)?|lower(?:s|ed|ing)?|reduc(?:e|es|ed|ing)|trim(?:s|med|ming)?|par(?:e|es|ed|"
    r"ing)|"
    r"decreas(?:e|es|ed|ing)|shav(?:e|ed|es|ing)|shrink(?:s|ing)?|shrank|scal(?:e|ed|es|ing)\sback|"
    r"narrow(?:s|ed|ing)?|eas(?:ed|es|ing)|pull(?:s|ed|ing)?\sback|"
    r"(?:br(?:ing|ings|inging|ought)|mov(?:e|es|ed|ing)|c(?:o|a)m(?:e|es|ing)|w?(?:e|go)(?:nt|"
    r"es|ing)?|took|"
    r"take[sn]?)\s(?:\w+\s){0,3}down|f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|declin(?:e|es|ed|"
    r"ing)|down"
)
_NOUN = (
    r"(?<!stop[\s-])loss(?:es)?|reductions?|declines?|drops?|falls?|decreases?|contractions?|shortfalls?|"
    r"cuts?|dips?|"
    r"underweights?|under-weights?|underperformance|slides?|outflows?"
)
# "The loss on these lots came to $512"; a limit on losses, or an allowance for them, is none.
_LOSS_WAS = (
    r"\b(?<!monthly\s)(?<!daily\s)(?<!weekly\s)(?<!yearly\s)(?<!expected\s)(?<!worst\s)"
    r"(?<!stop[\s-])(?<!less\s)(?<!minus\s)(?<!and\s)(?<!or\s)(?<!after\s)(?<!before\s)(?<!net\sof\s)"
    r"loss(?:es)?\b(?![\s-](?:limit|allowance|carr|harvest|budget|threshold|trigger))"
    r"(?:(?!\b(?:and|but|so|or|while|which|because|gains?|month|day|week|limit|allowance|drawdown|"
    r"allowed|allows)\b)(?:\([^()\d\n]{0,50}\)|[^.,;:!?\d\n()])){0,50}?"
    r"(?:\s?[:=]\s?|\s(?:was|were|is|are|(?:amount|total|come|came|stand|stood|total?l)(?:s|ed)?"
    r"(?:\s(?:to|at))?|of)\s)"
)
_BEFORE = re.compile(
    rf"(?:\b(?:{_FELL})\s(?:by\s)?"
    rf"|\b(?:{_NOUN})\s(?:of|by|at|totall?ing|amounting\sto|worth)\s"
    r"|\b(?:underweight|under-weight)(?:\sby)?\s"
    r"|\b(?:short|below(?:\s[\w-]+){0,3}|under(?:\s[\w-]+){0,3}|lower|less|fewer|"
    rf"smaller)\sby\s){_ADVERB}$",
    re.IGNORECASE,
)
_NEAR = 70
_FAR = 110
# "0.8 points below its upper limit" is room left, and "$5 million under management" no change.
_ROOM = (
    r"(?!\s(?:(?!lower)[\w'%.]+[\s-]){0,3}"
    r"(?:upper|limit|ceiling|cap|maximum|threshold|budget|trigger|allowance)\b)"
)
_NO_TARGET = (
    r"(?!\s(?:the\s)?(?:new|policy|plan|ips|rule|agreement|terms|proposed|current|this|that|review|"
    r"our\spolicy|management|advice|administration|custody|contract)\b)"
)
_AFTER = re.compile(
    r"[\s-](?:(?:of\s\w+\s)?(?:"
    rf"below(?!-){_ROOM}|beneath{_ROOM}|under(?=\s){_ROOM}{_NO_TARGET}|"
    r"short\b(?!-|\s(?:term|sale|selling|position))|underweight|under-weight|shy\sof)"
    r"|(?:lower|smaller|less|fewer)\b(?!-|\s(?:bound|limit|band|end|edge|half|of\b))"
    r"|down\b(?!-|\s(?:payment|from)))",
    re.IGNORECASE,
)
_AFTER_NOUN = re.compile(
    r"[\s-](?:(?!and|or|of|to|in|on|for|from|with|as|is|was|were|by|at|if|when|would|will|could|"
    r"the|gain|gains|rise|"
    r"increase|that)[a-z]+\s)?(?:fall|decline|drop|loss|decrease|reduction|cut|contraction|dip|"
    r"slide|shortfall|"
    r"underweight|underperformance|sell-?off|outflow)\b(?!-|\s(?:limit|allowance|carry|harvest|"
    r"budget))",
    re.IGNORECASE,
)
# "We took 2.1 points off US shares".
_TAKEN = re.compile(
    rf"\b(?:cut(?:s|ting)?|trim(?:s|med|ming)?|shav(?:e|ed|es|ing)|t(?:ook|akes?|aking|aken)|"
    rf"kn(?:ock|ocked)|lopp?(?:ed)?)\s(?:off\s)?{_ADVERB}$",
    re.IGNORECASE,
)
_OFF = re.compile(r"\s(?:off|from|out\sof)\b|\s?[.;,]|$")
_LEVEL_BEFORE = re.compile(r"\b(?:at|to|from|near)\s(?:the\s)?$", re.IGNORECASE)
_LEVEL_WORDS = frozenset({"at", "to", "from", "near", "the"})
_LAST = """
by of at totaling totalling to worth was were is are amount amounts amounted total totals totalled
totaled come comes came stand stands stood stoods underweight weight further mere net another
additional estimated only just roughly about approximately around nearly almost some as much least
more less than over a an the exactly precisely lower up back : =
"""
# Every word of direction before a number ends in one of these, or begins with one of those.
_LAST_WORDS = frozenset(_LAST.split())
_LAST_BEGINNINGS = (
    "fell", "fall", "fal", "declin", "drop", "slip", "slid", "sank", "sunk", "tumbl", "plung",
    "decreas", "contract", "shr", "los", "down", "retreat", "eas", "underperform", "narrow",
    "shed", "slump", "dip", "sink", "lag", "trail", "cut", "trim", "shav", "took", "tak", "kn",
    "lop", "off",
)  # fmt: skip
# Between a word of direction and its number, and how such a word begins; "by" may be far from it.
_BETWEEN_WORDS = """
a further mere total net another an additional estimated only just roughly about approximately
around nearly almost some as much up to at least more than less over the exactly precisely of
"""
_BETWEEN = frozenset(_BETWEEN_WORDS.split())
_HEADS = (
    *_LAST_BEGINNINGS, "giv", "gav", "reduc", "under", "weight", "outflow", "back", "lower",
    "by", "total", "amount", "worth", "up",
)  # fmt: skip
_TAKERS = ("cut", "trim", "shav", "took", "tak", "kn", "lop", "off")
_ALL_HEADS = (*_HEADS, *_TAKERS)
# These end no other words of direction than those that begin with a loss.
_AFTER_LOSS = frozenset({"was", "were", "is", "are", "came", "come", "comes", ":"})
LOSS_WORDS = frozenset({"up", "loss", "losses"})
_NOUNS_AFTER = """
fall decline drop loss decrease reduction cut contraction dip slide shortfall underweight
underperformance sell selloff outflow
"""
FALL_NOUNS = frozenset(_NOUNS_AFTER.split())
# What the words that make the number before them negative begin with.
_AFTER_LETTERS = frozenset("oObBuUsSlLfFdD")
# The words that are asked for in a text's vocabulary.
WORDS = LOSS_WORDS | FALL_NOUNS
_GAPS = (" ", "\n", "\t", "-", "\u00a0")
_CHANGES = frozenset({"percent", "bps", "pp"})
_NO_CHANGE = frozenset({"share", "day", "week", "month", "year"})


def direction(
    text: str, places: Starts, found: Found, start: int, sentence: int, last: str, level: bool
) -> None:
    """Give the number the sign that a direction word gives it, where it is a change.

    ``start`` is where the number begins with its bound's words, ``sentence`` where its sentence
    does, ``last`` the last word before them; ``level`` says that those ("below") make it a level.
    """
    if found.negative or found.bound == "+-" or (found.kind == "spelled" and found.unit is None):
        return
    if (
        (any(may_be_last(last)) and _says_fall(text, places, found, start, sentence, level))
        or (places.chinese and _fell_in_chinese(text, found, max(sentence, found.at - 24)))
        or (_falls_after(text, places, found) and not _is_level(text, found, last, start, sentence))
    ):
        found.negative = found.sign_from_word = True


def may_be_last(word: str) -> tuple[bool, bool]:
    """Whether the words of direction before a number can end so, and those of a loss alone."""
    may = word in _LAST_WORDS or word.startswith(_LAST_BEGINNINGS)
    return may and word not in _AFTER_LOSS, may and word in _AFTER_LOSS


@lru_cache(maxsize=4096)
def _may_be_head(word: str) -> bool:
    """Whether a word of direction with nothing but adverbs behind it can be this one."""
    return word.startswith(_ALL_HEADS)


def _says_fall(
    text: str, places: Starts, found: Found, start: int, sentence: int, level: bool
) -> bool:
    """Whether the words before a number make it a change for the worse."""
    floor = max(sentence, start - _FAR)
    head, at = places.word_before(start, floor, _BETWEEN)
    if not (_may_be_head(head) or not places.vocabulary.isdisjoint(LOSS_WORDS)):
        return False
    before = text[floor:start]
    if not level and _is_fall(before, head, start - at):
        return True
    if found.unit not in _CHANGES or not head.startswith(_TAKERS):
        return False
    return bool(_TAKEN.search(before) and _OFF.match(text, found.until))


def _falls_after(text: str, places: Starts, found: Found) -> bool:
    """Whether the words after a number do so: "0.8 points below target", "a 2% fall"."""
    gap = text[found.until : found.until + 2]
    if found.unit in _NO_CHANGE or gap[:1] not in _GAPS or not gap[1:].isalpha():
        return False
    if gap[1] in _AFTER_LETTERS and _AFTER.match(text, found.until):
        return True
    if found.unit is None or places.vocabulary.isdisjoint(FALL_NOUNS):
        return False
    return _AFTER_NOUN.match(text, found.until) is not None


def _is_level(text: str, found: Found, last: str, start: int, sentence: int) -> bool:
    """ "To 4.1 percent below": what the words before it call a level is no change."""
    if found.unit == "pp" or last not in _LEVEL_WORDS:
        return False
    return _LEVEL_BEFORE.search(text[max(sentence, start - _FAR) : start]) is not None


@cache
def _cut_by() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_CUT})\b[^.;:!?\d\n]{{0,70}}?\bby\s{_ADVERB}$", re.IGNORECASE)


@cache
def _loss() -> re.Pattern[str]:
    return re.compile(rf"{_LOSS_WAS}{_ADVERB}$", re.IGNORECASE)


def _is_fall(before: str, head: str, distance: int) -> bool:
    """Whether the words before a number say that it is the size of a fall.

    ``head`` is the last of them that is no adverb, ``distance`` how far it is from the number.
    """
    near = before[-_NEAR:].lower()
    begins = distance <= _NEAR and head.startswith(_HEADS)
    if (begins or " up " in near) and _BEFORE.search(before[-_NEAR:]):
        return True
    if head == "by" and _cut_by().search(before):
        return True
    return "loss" in before.lower() and _loss().search(before) is not None


def _fell_in_chinese(text: str, found: Found, start: int) -> bool:
    """下跌 3.2%, or 3.2% 的跌幅."""
    if found.unit in _NO_CHANGE or found.unit is None:
        return False
    falls = not chinese.words.FALLS.isdisjoint(text[start : found.at])
    if falls and chinese.words.fell().search(text, start, found.at):
        return True
    after = text[found.until : found.until + 6]
    return chinese.has_chinese(after) and chinese.words.fall_after().match(after) is not None
