"""Chinese words around numbers: minus, changes, bounds, dates, names, and vague amounts."""

from __future__ import annotations

import re
from functools import cache

from pae_verifiers.numbers.chinese import numerals
from pae_verifiers.numbers.model import Bound, QuantityKind

_ABOUT = "(?:大?[約约]|近|接近|逾|超[過过]|[將将]近)?"
_FELL = (
    r"下[跌降滑挫]|下[調调修]|[減减](?:少|低|弱)?|降低?|回落|跌|[虧亏](?:[損损])?|[損损]失|[縮缩]減?|"
    r"[縮缩]窄|收窄|跌幅|[減减]幅|降幅|落[後后]|跑[輸输]|削[減减]|[減减]持|低配|"
    r"(?<![最至偏減减降跌調调])低|短少|不足目[標标]|"
    r"(?:低[於于]|不及)[^\d，。；、\s]{0,6}(?:目[標标]|基準|基准)(?:[權权]重|水平|比例|配置|值)?"
)
# What each of these begins with.
FALLS = frozenset("下減减降回跌虧亏損损縮缩收落跑削低短不")
_BOUNDS: tuple[tuple[Bound, str], ...] = (
    ("+-", "正[負负]|上下浮[動动]"),
    ("<=", "不超[過过]|不高[於于]|不多[於于]|不大[於于]|不得超[過过]|最多|至多|最高|上限[為为]?"),
    (">=", "不低[於于]|不少[於于]|不小[於于]|至少|最少|最低|起[碼码]|下限[為为]?"),
    ("~", "大?[約约]|大概|大致|[將将]近|接近|近|差不多|略[高低]於|略[高低]于"),
    ("<", "低[於于]|少[於于]|小[於于]|不到|不足|未[達达]"),
    (">", "超[過过]|超出|高[於于]|多[於于]|大[於于]|逾|超"),
)
_YEAR = r"(?<!\d)(?:19|20)\d{2}"
_NUMERAL = "一二三四五六七八九十"
_MONTH = r"(?:1[0-2]|0?[1-9])"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])[日號号]"
_QUARTER = rf"第?[1-4{_NUMERAL}]季(?:度|報|报)?"
_DATES = (
    rf"{_YEAR} ?年(?: ?{_MONTH} ?月份?(?: ?{_DAY})?| ?{_QUARTER}|[上下]半年)?[底初末]?"
    rf"(?:[至到-]{_YEAR} ?年)?"
    rf"|(?<!\d){_MONTH} ?月(?: ?{_DAY}(?:[至到-]{_DAY})?|份|底|初|末|(?![\d個个]))"
    rf"|{_QUARTER}(?![\d%])|(?:上午|下午|早上|晚上)?\d{{1,2}}[時时](?:\d{{1,2}}分)?"
)
_INDICES = (
    "[標标][準准]?普[爾尔]?|[滬沪]深|富[時时]|[羅罗]素|日[經经]|恒生|上[證证]|中[證证]|"
    "[納纳]斯[達达]克|道[瓊琼]斯?|台[灣湾]|德[國国]"
)
_LABELS = (
    rf"第 ?(?:\d{{1,6}}|[{_NUMERAL}]{{1,4}}) ?[章節节頁页條条款項项期次名位屆届批筆笔]?"
    r"|(?:[圖图表]|附[註注錄录件]|[註注]|方案|步[驟骤]|情景)[ \u00a0]?\d{1,3}(?![\d%.]|[.,]\d)"
    rf"|(?:{_INDICES})[ \u00a0]?\d{{2,4}}(?![\d%.]|[.,]\d| ?[億亿萬万元])"
)
_RISK = (
    r"(?P<risk>\d{1,3}(?:\.\d{1,4})?) ?%的?(?:置信|信[賴赖心]|可信|[單单]日|[單单]月)"
    r"(?:[水區区][平準准間间]|度)?(?:風險值|风险值|風險價值|风险价值|VaR)?"
)
_VAGUE = (
    r"(?:[數数幾几][十百千萬万億亿兆]{1,4}|[十百千萬万億亿][幾几多餘余來来](?=[萬万億亿個个元筆笔天倍%])|"
    r"[兩两雙双三][位]?[數数](?=百分|的?[增跌升])|[兩两雙单單双]位[數数]|翻[一]?[倍番]|腰[斬斩]|[過过]半|大半|"
    r"(?<![零一二三四五六七八九])(?:一二|二三|兩三|两三|三四|三五|四五|五六|六七|七八|八九)(?![零一二三四五六七八九]))"
)


@cache
def minus() -> re.Pattern[str]:
    """負 before a number."""
    return re.compile(r"(?:負|负|零下)[ \u00a0]?$")


@cache
def fell() -> re.Pattern[str]:
    """A change for the worse, just before a number that is its size: 下跌了約."""
    return re.compile(rf"(?:{_FELL})[了達达為为]?{_ABOUT}[ \u00a0]?$")


@cache
def fall_after() -> re.Pattern[str]:
    """的跌幅, after a number."""
    return re.compile(r"[ \u00a0]?的?(?:跌幅|降幅|[虧亏][損损]|[損损]失|下[跌降滑]|[減减]幅)")


@cache
def bounds() -> tuple[tuple[Bound, re.Pattern[str]], ...]:
    """Bounds before a number."""
    return tuple((bound, re.compile(rf"(?:{words})[ \u00a0]?$")) for bound, words in _BOUNDS)


@cache
def any_bound() -> re.Pattern[str]:
    """One of them, whichever it is: most numbers have none."""
    return re.compile(rf"(?:{'|'.join(words for _, words in _BOUNDS)})[ \u00a0]?$")


@cache
def bounds_after() -> tuple[tuple[Bound, re.Pattern[str]], ...]:
    """Bounds after a number."""
    return (
        (">=", re.compile(r"[ \u00a0]?或?以上")),
        ("<=", re.compile(r"[ \u00a0]?或?(?:以下|以[內内])")),
        ("~", re.compile(r"[ \u00a0]?(?:左右|上下(?!浮)|[許许])")),
    )


@cache
def exempt() -> tuple[tuple[QuantityKind, re.Pattern[str]], ...]:
    """Dates, labels that carry a percentage (group ``risk``), and other labels."""
    return (
        ("date", re.compile(_DATES)),
        ("label", re.compile(_RISK)),
        ("label", re.compile(_LABELS)),
    )


@cache
def vague() -> re.Pattern[str]:
    """Amounts that say nothing a source could confirm: 數億, 二三十."""
    return re.compile(rf"{_VAGUE}(?:[{numerals.ALL}]{{1,4}})?")
