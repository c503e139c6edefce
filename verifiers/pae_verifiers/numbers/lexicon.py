"""The words and symbols that carry units and scales."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

# Symbols before or after an amount, longest first; letters before $ are part of the symbol.
CURRENCY_SYMBOLS = {
    "US$": "USD", "USD$": "USD", "U.S.$": "USD", "U.S. $": "USD", "u.s $": "USD", "US $": "USD",
    "HK$": "HKD", "HK $": "HKD", "HKD$": "HKD", "NT$": "TWD", "NT $": "TWD", "CA$": "CAD",
    "C$": "CAD",
    "C $": "CAD", "CAD$": "CAD", "CDN$": "CAD", "AU$": "AUD", "A$": "AUD", "AUD$": "AUD",
    "SG$": "SGD",
    "S$": "SGD", "SGD$": "SGD", "NZ$": "NZD", "NZD$": "NZD", "R$": "BRL", "MX$": "MXN",
    "Mex$": "MXN",
    "MXN$": "MXN", "$": "USD", "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR", "Rs.": "INR",
    "Rs": "INR",
    "₩": "KRW", "₽": "RUB", "₪": "ILS", "₺": "TRY", "฿": "THB", "₫": "VND", "₱": "PHP", "zł": "PLN",
}  # fmt: skip
_CODES = """
USD EUR GBP JPY CHF CNY HKD TWD SGD AUD NZD CAD INR KRW BRL MXN ZAR SEK NOK DKK PLN CZK HUF TRY RUB
ILS THB MYR IDR PHP VND AED SAR
"""
CURRENCY_CODES = frozenset(_CODES.split())
CODE_SYNONYMS = {"RMB": "CNY", "CNH": "CNY", "NTD": "TWD", "STG": "GBP"}
# Words after an amount. A bare "dollar" is the US dollar, as in the memos of US clients.
CURRENCY_WORDS = {
    "us dollar": "USD", "u.s. dollar": "USD", "dollar": "USD", "buck": "USD",
    "hong kong dollar": "HKD", "new taiwan dollar": "TWD", "taiwan dollar": "TWD",
    "singapore dollar": "SGD", "australian dollar": "AUD", "new zealand dollar": "NZD",
    "canadian dollar": "CAD", "euro": "EUR", "pound sterling": "GBP", "british pound": "GBP",
    "sterling": "GBP", "pound": "GBP", "quid": "GBP",
    "japanese yen": "JPY", "yen": "JPY", "swiss franc": "CHF",
    "franc": "CHF", "chinese yuan": "CNY", "yuan": "CNY", "renminbi": "CNY", "indian rupee": "INR",
    "rupee": "INR", "korean won": "KRW", "won": "KRW", "mexican peso": "MXN",
    "brazilian real": "BRL", "brazilian reais": "BRL", "reais": "BRL",
    "rand": "ZAR", "swedish krona": "SEK", "swedish kronor": "SEK", "norwegian krone": "NOK",
    "norwegian kroner": "NOK", "danish krone": "DKK", "danish kroner": "DKK", "zloty": "PLN",
    "turkish lira": "TRY", "lira": "TRY", "rouble": "RUB", "ruble": "RUB", "shekel": "ILS",
    "baht": "THB", "ringgit": "MYR", "rupiah": "IDR", "dirham": "AED", "riyal": "SAR",
}  # fmt: skip
CENTS = {"cent": "USD", "pence": "GBP", "eurocent": "EUR"}

SCALE_WORDS = {
    "hundred": Decimal(100), "thousand": Decimal(1000), "lakh": Decimal(10**5),
    "million": Decimal(10**6),
    "crore": Decimal(10**7), "billion": Decimal(10**9), "trillion": Decimal(10**12),
}  # fmt: skip
# Only after a number: "a grand total" is none.
SCALE_SLANG = {"mil": Decimal(10**6), "grand": Decimal(1000), "thou": Decimal(1000)}
SCALE_LETTERS = {
    "k": Decimal(1000), "m": Decimal(10**6), "mn": Decimal(10**6), "mm": Decimal(10**6),
    "mln": Decimal(10**6), "mio": Decimal(10**6), "b": Decimal(10**9), "bn": Decimal(10**9),
    "bln": Decimal(10**9), "tn": Decimal(10**12), "trn": Decimal(10**12), "cr": Decimal(10**7),
}  # fmt: skip

# Each is a tenth of a percent.
PER_MILLE = (
    "‰", "؉", "per mille", "per mil", "permille", "permil", "promille", "per thousand"
)  # fmt: skip
RATE_WORDS = {
    "percentage points": "pp", "percentage point": "pp", "per cent points": "pp", "%-points": "pp",
    "% points": "pp", "% point": "pp", "ppts": "pp", "ppt": "pp", "pps": "pp", "pp": "pp",
    "p.p.": "pp",
    "basis points": "bps", "basis point": "bps", "bps": "bps", "bp": "bps", "b.p.": "bps",
    "percentage": "percent", "percents": "percent",
    "percent": "percent", "per cent": "percent",
    "pct": "percent", "%": "percent", "per cents": "percent", "per centum": "percent",
    "p.c.": "percent", "pc": "percent", "perc": "percent", "prcnt": "percent", "procent": "percent",
    "prozent": "percent", "pour cent": "percent", "por ciento": "percent", "o/o": "percent",
    "per hundred": "percent", "in the hundred": "percent", "⁒": "percent",
    "‱": "bps", "per ten thousand": "bps",
    **dict.fromkeys(PER_MILLE, "percent"),
    "points": "pp", "point": "pp", "pts": "pp", "pt": "pp",
}  # fmt: skip
# "2 thirds", "12 hundredths": what a counted part is one of. Quarters are mostly of a year.
PART_WORDS = {
    "halves": Decimal(2), "thirds": Decimal(3), "fourths": Decimal(4), "fifths": Decimal(5),
    "sixths": Decimal(6), "sevenths": Decimal(7), "eighths": Decimal(8), "ninths": Decimal(9),
    "tenths": Decimal(10), "twelfths": Decimal(12), "twentieths": Decimal(20),
    "hundredths": Decimal(100), "thousandths": Decimal(1000),
}  # fmt: skip
TIME_WORDS = {
    "days": "day", "day": "day", "weeks": "week", "week": "week", "months": "month",
    "month": "month",
    "years": "year", "year": "year", "yrs": "year", "yr": "year",
}  # fmt: skip


def words(options: dict[str, object] | dict[str, str] | dict[str, Decimal]) -> str:
    """Alternatives for a pattern, longest first; a space also stands for a hyphen or a line end."""
    ordered = sorted(options, key=len, reverse=True)
    return "|".join(
        re.escape(word).replace(r"\ ", r"[\s-]+").replace(r"\-", "[- ]") for word in ordered
    )


@lru_cache(maxsize=4096)
def key(found: str) -> str:
    """The lexicon's form of what a pattern from ``words`` matched."""
    return re.sub(r"[\s-]+", " ", found).casefold()
