"""Units and scales in Chinese, after an amount and before it."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from pae_verifiers.numbers.chinese import numerals
from pae_verifiers.numbers.found import Found

_NAMES = """
USD 美元 美金 美圓 美圆 美幣 美币
HKD 港元 港幣 港币 港圓 港圆 港紙 港纸
TWD 新台幣 新臺幣 新台币 台幣 臺幣 台币 新台元 台元
EUR 歐元 欧元
GBP 英鎊 英镑
JPY 日圓 日元 日圆 日幣 日币
CNY 人民幣 人民币 元人民幣 元人民币
CHF 瑞士法郎 瑞郎
CAD 加拿大元 加元 加幣 加币
AUD 澳大利亞元 澳大利亚元 澳元 澳幣 澳币
NZD 新西蘭元 新西兰元 紐西蘭元 紐元 纽元 紐幣 纽币
SGD 新加坡元 新加坡幣 新加坡币 坡幣 坡币
KRW 韓元 韩元 韓圜 韩圜
INR 印度盧比 印度卢比 盧比 卢比
RUB 俄羅斯盧布 俄罗斯卢布 盧布 卢布
THB 泰銖 泰铢
VND 越南盾 越盾
IDR 印尼盾 印尼盧比 印尼卢比
MYR 馬幣 马币 令吉 林吉特
PHP 菲律賓披索 菲律宾比索
MXN 墨西哥披索 墨西哥比索
BRL 巴西雷亞爾 巴西雷亚尔 雷亞爾 雷亚尔
ZAR 南非蘭特 南非兰特 蘭特 兰特
TRY 土耳其里拉 里拉
SEK 瑞典克朗
NOK 挪威克朗
DKK 丹麥克朗 丹麦克朗
CZK 捷克克朗
PLN 波蘭茲羅提 波兰兹罗提 茲羅提 兹罗提
HUF 匈牙利福林 福林
ILS 謝克爾 谢克尔
AED 迪拉姆
SAR 沙特里亞爾 沙特里亚尔
"""
CURRENCIES = {
    name: code
    for code, *names in (line.split() for line in _NAMES.strip().splitlines())
    for name in names
}
_LAST_CHARACTERS = frozenset(name[-1] for name in CURRENCIES)
# Whose yuan or dollar this is, another word may say: 港幣 3 億元.
_PLAIN = ("元整", "元正", "元", "圓整", "圓", "圆")
_PIECES = "塊块"
_CENT = Decimal("0.01")
_PARTS = {
    "美分": ("USD", _CENT), "美仙": ("USD", _CENT), "港仙": ("HKD", _CENT),
    "便士": ("GBP", _CENT), "歐分": ("EUR", _CENT), "欧分": ("EUR", _CENT),
    "日本銭": ("JPY", _CENT), "日本錢": ("JPY", _CENT), "日本钱": ("JPY", _CENT),
}  # fmt: skip
RATES = {
    "個百分點": "pp", "个百分点": "pp", "個百分点": "pp", "百分點": "pp", "百分点": "pp",
    "個基點": "bps", "个基点": "bps", "基點": "bps", "基点": "bps",
}  # fmt: skip
# A tenth of the whole, or of the price that is left: 三成 is 30 %, 七五折 is 75 %.
_TEN = Decimal(10)
_TIMES = {
    "個交易日": "day", "个交易日": "day", "交易日": "day", "個工作天": "day", "个工作日": "day",
    "天": "day", "日": "day", "個星期": "week", "个星期": "week", "星期": "week", "週": "week",
    "周": "week", "個月": "month", "个月": "month", "年": "year",
}  # fmt: skip
_SCALES = "".join((*numerals.SMALL, *numerals.LARGE)).replace("廿", "").replace("卅", "")
_BEFORE_LONGEST = 12
_AROUND = 40  # white space around a number that stands alone


def _spaced(word: str) -> str:
    """The word's pattern, with the spaces that some texts put between its characters."""
    return " {0,3}".join(word)


@cache
def _scale() -> re.Pattern[str]:
    return re.compile(rf"[ \u00a0]?(?:[{_SCALES}](?! {{0,3}}分)){{1,5}}")


@cache
def _unit() -> re.Pattern[str]:
    rates = "|".join(_spaced(word) for word in RATES)
    named = "|".join(sorted((*CURRENCIES, *_PARTS), key=len, reverse=True))
    times = "|".join(sorted(_TIMES, key=len, reverse=True))
    return re.compile(
        rf"[ \u00a0]{{0,4}}(?:(?P<rate>{rates})|(?P<named>{named})"
        rf"|(?P<plain>{'|'.join(_PLAIN)})(?![月旦素件老首帥帅])(?P<whose>{named})?"
        rf"|(?P<piece>[{_PIECES}])(?:[錢钱]|(?P<dime>[\d{''.join(numerals.DIGITS)}])"
        rf"(?=[錢钱]|$|[^\w.])|(?=人民|[\d{''.join(numerals.DIGITS)}]|$|[^\w]))"
        r"|(?P<tenth>[角毛])[錢钱]?|(?P<hundredth>分)[錢钱]?(?![之點点位鐘钟類类析行])"
        r"|(?P<cheng>成)(?![本為为功立員员績绩果長长分交份熟就型都千])"
        r"|(?P<zhe>折)(?![線线疊叠舊旧合現现磨返算價价])"
        rf"|(?P<multiple>倍)|(?P<share>股)(?![票價价東东市息權权])|(?P<time>{times}))"
    )


@cache
def _prefix() -> re.Pattern[str]:
    named = "|".join(sorted(CURRENCIES, key=len, reverse=True))
    return re.compile(rf"(?P<named>{named})[ \u00a0]{{0,2}}$")


@cache
def _after_yuan() -> re.Pattern[str]:
    owned = "|".join(word for word in CURRENCIES if word[-1] in "元圓圆")
    return re.compile(rf"(?:{owned}|[元圓圆塊块角毛])[ \u00a0]?[又零]?[ \u00a0]?$")


def before(text: str, found: Found, floor: int) -> None:
    """Give the number the currency that is named before it, as in 港幣 3.5 億元."""
    start = max(floor, found.at - _BEFORE_LONGEST)
    near = text[start : found.at]
    match = _prefix().search(near) if near.rstrip(" \u00a0")[-1:] in _LAST_CHARACTERS else None
    if match:
        found.at, found.prefixed = start + match.start(), True
        found.unit = CURRENCIES[match["named"]]


def after(text: str, found: Found) -> None:
    """Give the number the Chinese scale and unit that follow it, as far as there are any."""
    scale = _scale().match(text, found.until) if found.kind == "quantity" else None
    if scale:
        size = numerals.scaling(scale.group().strip(" \u00a0"))
        found.until, found.scale = scale.end(), found.scale * size
    match = _unit().match(text, found.until)
    if match and (_give_currency(text, found, match) or _give_other(text, found, match)):
        found.until = match.end()


def _give_currency(text: str, found: Found, match: re.Match[str]) -> bool:
    """Give the number the currency that the match is; False where it is none."""
    named = match["named"] or match["whose"]
    if named in _PARTS:
        found.unit, size = _PARTS[named]
        found.scale *= size
    elif named:
        code = CURRENCIES[named]
        if found.prefixed and found.unit != code:
            found.at, found.prefixed = found.body, False
        found.unit = code
    elif match["dime"]:
        dime = numerals.DIGITS.get(match["dime"]) or int(match["dime"])
        found.value += Decimal(dime).scaleb(-1)
        found.quantum, found.unit = Decimal("0.1"), "CNY"
    elif match["plain"] or match["piece"]:
        found.unit = found.unit if found.prefixed else "CNY"
    elif not (match["tenth"] or match["hundredth"]) or found.prefixed:
        return False
    else:
        return _give_part_of_yuan(text, found, match)
    return True


def _give_part_of_yuan(text: str, found: Found, match: re.Match[str]) -> bool:
    """Give the number a tenth or a hundredth of a currency; False where none stands before it."""
    owned = _after_yuan().search(text, max(0, found.at - 8), found.at)
    if not owned and not match.group().endswith(("錢", "钱")):
        return False
    found.unit = CURRENCIES.get(owned.group().strip(" \u00a0又零"), "CNY") if owned else "CNY"
    found.scale *= Decimal("0.1") if match["tenth"] else _CENT
    return True


def _give_other(text: str, found: Found, match: re.Match[str]) -> bool:
    """Give the number another unit that the match is; False where it is none."""
    if found.prefixed:
        return False
    if match["rate"]:
        found.unit = RATES[match["rate"].replace(" ", "")]
    elif match["multiple"] or match["share"]:
        found.unit = "multiple" if match["multiple"] else "share"
    elif match["cheng"] or match["zhe"]:
        return _give_tenths(found, match)
    elif not match["time"]:
        return False
    elif text.startswith(("期", "線", "线", "均"), match.end()):
        found.kind, found.exempt = "label", True
    else:
        found.unit = _TIMES[match["time"]]
    return True


def _give_tenths(found: Found, match: re.Match[str]) -> bool:
    """Take "2.5成" as 25 %, and "75折" as the 75 % that is left; False for what is neither."""
    most = 100 if match["zhe"] else 10
    if found.scale != 1 or found.value > most or found.kind != "quantity":
        return False
    found.unit = "percent"
    found.scale = Decimal(1) if match["zhe"] and found.value >= 10 else _TEN
    return True


def yuan(text: str, found: Found) -> None:
    """In Chinese text ¥ is the yuan."""
    if found.unit == "JPY" and text.find("¥", found.at, found.until) >= 0:
        found.unit = "CNY"


def alone(text: str, found: Found) -> None:
    """Percentage points with nothing around them that could have changed are percent."""
    if found.unit != "pp" or found.at + len(text) - found.until > _AROUND:
        return
    if text[: found.at].strip() or text[found.until :].strip():
        return
    if "分" in text[found.stop : found.until]:
        found.unit = "percent"


@cache
def _header() -> re.Pattern[str]:
    named = "|".join(sorted(CURRENCIES, key=len, reverse=True))
    rates = "|".join(sorted(RATES, key=len, reverse=True))
    return re.compile(
        rf"(?P<scale>[{_SCALES}]{{0,3}})"
        rf"(?:(?P<named>{named})(?:(?P<inner>[{_SCALES}]{{0,3}})[元圓圆])?|(?P<plain>[元圓圆])(?![素件]))"
        rf"|(?P<rate>{rates})"
        r"|(?P<share>股[數数]|[(]股[)])|(?P<day>天[數数]|[(]天[)])|(?P<multiple>[(]倍[)]|倍[數数])"
    )


def stated_in(header: str) -> tuple[str | None, Decimal]:
    """The one unit that a table's header names in Chinese, and its scale; None for several."""
    units: dict[str, Decimal] = {}
    for match in _header().finditer(header):
        scale = Decimal(numerals.scaling(match["scale"] or match["inner"] or ""))
        others = (name for name in ("share", "day", "multiple") if match[name])
        code = CURRENCIES[match["named"]] if match["named"] else None
        rate = RATES[match["rate"]] if match["rate"] else None
        unit = code or rate or ("CNY" if match["plain"] else next(others))
        units[unit] = scale
    return next(iter(units.items())) if len(units) == 1 else (None, Decimal(1))
