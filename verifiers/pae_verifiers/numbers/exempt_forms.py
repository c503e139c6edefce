"""The patterns of what looks like a number and states none, piece by piece; see ``exempt``."""

from __future__ import annotations

_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|"
    r"Aug(?:ust|\.)?|"
    r"Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
RATE_AHEAD = (
    r"[\s-]?(?:[%‰‱]|(?:percent|per\s?cent|pct|bps?|basis\spoints?|pp|percentage\spoints?|hundred|"
    r"thousand|million|billion|trillion)(?![a-z]))"
)
MONEY_AHEAD = (
    r"\s?(?:(?:(?:US\s)?dollars?|euros?|pounds?|francs?|USD|EUR|GBP|CHF|JPY|yen|shares?|times)\b|"
    r"[€£¥]|[xX×](?!\w))"
)
UNIT_AHEAD = (
    r"(?!\s?(?:[%‰‱]|percent|per\scent|pct|bps?\b|basis|pp\b|points?\b|hundred\b|thousand|million|"
    rf"billion|trillion|[kmb]n?\b)|{MONEY_AHEAD})"
)
_DAY_NUMBER = r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_DAY = rf"{_DAY_NUMBER}(?:st|nd|rd|th)?(?![\d.,]{{0,20}}\d){UNIT_AHEAD}"
_YEAR = r"(?:19|20)\d{2}(?![\d%])(?![.,]\d)"
TH = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
# "The thirty-first of March": days of one word are ordinals and no numbers.
_DAY_IN_WORDS = rf"(?i:twenty[\s-](?:{TH})|thirty[\s-]first)"
DATES = (
    rf"\d{{4}}-{_MONTH_NUMBER}-{_DAY_NUMBER}"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)",
    rf"\d{{4}}[/.]{_MONTH_NUMBER}[/.]{_DAY_NUMBER}(?![\d/])",
    rf"{_DAY_NUMBER}/{_DAY_NUMBER}/(?:\d{{4}}|\d{{2}})(?![\d/])",
    rf"{_DAY_NUMBER}\.{_DAY_NUMBER}\.(?:19|20)\d{{2}}(?!\d)",
    rf"(?:{_DAY_NUMBER}(?:st|nd|rd|th)?\s?(?:-|–|to|and)\s?)?{_DAY_NUMBER}(?:st|nd|rd|"
    rf"th)?(?:\sof)?[\s-]{_MONTH}"
    rf"(?![A-Za-z])(?:,?[\s-]{_YEAR})?",
    rf"{_MONTH}(?:\s{_DAY}(?:\s?[-–]\s?{_DAY})?(?:,?\s{_YEAR})?|[\s-]{_YEAR}"
    rf"|[-'\s]'?\d{{2}}(?![\d.,]{{0,20}}\d){UNIT_AHEAD})",
    rf"{_DAY_IN_WORDS}\sof\s{_MONTH}(?![A-Za-z])(?:,?\s{_YEAR})?",
    rf"{_MONTH}\s(?:the\s)?{_DAY_IN_WORDS}(?!\w)(?:,?\s{_YEAR})?",
    r"(?:[QH][1-4]|[1-4][QH])\s?(?:[-–]\s?[QH][1-4]\s?)?(?:FY\s?)?(?:'?\d{4}|"
    r"'?\d{2})?(?![\w%])(?![.,]\d)",
    r"(?:19|20)\d{2}\s?[QH][1-4](?!\w)",
    r"(?:FY|CY|YE)\s?'?(?:\d{4}|\d{2})(?:[/-]\d{2,4})?(?![\w%])(?![.,]\d)",
    r"(?:fiscal|tax|calendar)\s(?:year\s)?(?:19|20)\d{2}(?:[/–-]\d{2,4})?(?!\d)",
    r"(?:19|20)\d{2}\s?[/–-]\s?(?:(?:19|20)\d{2}|\d{2})(?![\d%/-])(?![.,]\d)",
    r"(?:19|20)\d0s(?!\w)",
    r"(?<!ratio\sof\s)(?<!split\sof\s)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?"
    r"(?!\s(?:ratio|split|mix|odds))(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:UTC|GMT|E[SD]T|CET|HKT|BST))?(?!\d)",
    r"\d{1,2}\s?[ap]\.?m\b\.?",
    r"(?:first|second|third|fourth|1st|2nd|3rd|4th)\s(?:fiscal\s)?(?:quarter|"
    r"half)(?:\sof\s(?:19|20)\d{2})?",
)
_SPELLED_ORDINAL = r"(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
ORDINALS = (
    r"\d{1,6}(?:st|nd|rd|th)(?!\w)(?:\spercentile)?",
    rf"(?<=the\s)(?:{_SPELLED_ORDINAL}|(?:{_TENS})[\s-](?:{TH}))(?!\w)"
    r"(?!\sof\s(?:the|all|its|our|your)\b)",
)
URLS = (
    r"(?:https?://|www\.)[^\s<>\"]{1,2000}",
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}",
)
_HORIZON = r"(?:(?:\d{1,4}|one|two|five|ten|thirty)[-\s](?:day|week|month|year)s?\s)?"
_RISK = r"(?:VaR|CVaR|C-VaR|value[- ]at[- ]risk|expected\sshortfall|ES|confidence|conf\.)"
NAMES = (
    r"S&P/ASX\s?\d{2,3}|S&P\s?(?:[1-6]00|900|1[0125]00)(?!\d)|"
    r"FTSE(?:\sNAREIT)?\s\d{2,4}|Russell\s\d{4}|Nasdaq[- ]100|"
    r"NASDAQ[- ]100|Nikkei[- ]225|"
    r"(?:Euro\s)?S(?:toxx|TOXX)(?:\sEurope)?\s\d{2,3}|CAC\s?40|DAX\s?\d{2}|CSI\s?\d{3}|"
    r"TOPIX\s?\d{2,4}|KOSPI\s?\d{2,4}|"
    r"Nifty\s?\d{2,3}|TSX\s?\d{2,3}|ASX\s?\d{2,3}|Fortune\s\d{2,4}|Wilshire\s\d{2,4}|"
    r"Dow(?:\sJones)?\s30|Hang\sSeng\s\d{2,3}|"
    r"MSCI\s[A-Z][\w ]{0,24}?\s\d{3,4}(?=\s[Ii]ndex)",
    r"40[13]\((?:k|b)\)|\b529\b(?=\splan)|1031\sexchange|COVID-19|10-[KQ]\b|W-\d\b|24/7(?!\d)|"
    r"(?:IFRS|IAS|ASC|MiFID|UCITS|Basel|Reg|Form|Schedule|SFDR\sArticle|"
    r"Article)\s\d{1,4}[A-Za-z]?(?:-\d{1,4})?\b",
    r"[A-Z]{2}[A-Z0-9]{9}\d(?!\w)",
    r"\d{4,6}\.(?:HK|SS|SZ|T|TW|KS)(?!\w)",
    r"3M(?=\s(?:Company|Co\b|Corp|Inc))",
    # "12m volatility" is that of twelve months.
    r"(?:[1-9]|[1-5]\d|60)[mM](?=[\s-](?:rolling|trailing|forward|volatilit|vol\b|returns?\b|VaR|"
    r"T-bill|[Tt]reasur|bills?\b|LIBOR|SOFR|Euribor|EURIBOR|horizon|window|tenor|deposit|"
    r"average|moving|momentum|beta|correlation|yield|rate|performance|period|look))",
)
_NAMED = (
    r"(?:[Pp]ages?|[Pp]p?\.|[Ss]ections?|[Ss]ec\.|§{1,2}|"
    r"[Cc]hapters?|"
    r"[Aa]ppendix|[Ee]xhibits?|[Ff]ootnotes?|[Aa]rticles?|"
    r"[Cc]lauses?|[Rr]ules?|"
    r"[Vv]ersions?|v\.?|Nos?\.|#|[Ll]ots?|Series|"
    r"Accounts?|Ref\.?|Invoice|Equations?|Eq\.|[Ss]eed|[Aa]nnex|[Pp]aragraphs?|[Pp]ara\.|"
    r"Room|Suite)"
)
# Of these there are never a thousand.
_COUNTED = (
    r"(?:Figures?|(?:(?<=see\s)|(?<=in\s)|(?<=of\s)|(?<=from\s)|(?<=and\s)|(?<=\())figures?|"
    r"[Ff]ig\.|[Tt]ables?|Notes?|Items?|[Ss]teps?|Part|[Tt]ranches?|Level|[Pp]hase|Class|[Tt]ier|Option|"
    r"[Ss]cenarios?|Question|Point|Trade|Day|[Bb]ox|Unit)"
)
LABELS = (
    rf"(?:{_NAMED}\s?#?\d{{1,9}}|{_COUNTED}\s\d{{1,3}})(?:\.\d{{1,9}}){{0,4}}[a-wyz]?(?:(?:\s?(?:[-–]|and|to|or)\s?|,\s)\d{{1,9}}(?:\.\d{{1,9}}){{0,4}}(?![\d.,]{{0,20}}\d)"
    rf"{UNIT_AHEAD}){{0,8}}(?![\w%])(?![.,]\d){UNIT_AHEAD}(?!\s(?:of\s\d|shares?\b|days?\b|"
    rf"trades\b))",
    r"\[\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}\]",
    r"v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:\.\d{1,9}){0,6}(?:-?(?:rc|beta|alpha|post|"
    r"dev)\.?\d*)?(?![\d%,])",
    r"\+(?=(?:[\s().-]{0,2}\d){9,15}(?!\d))\d{1,3}[\s.-]\(?\d{1,4}\)?(?:[\s.-]\d{2,4}){1,4}(?!\d)",
    r"\(\d{3}\)\s?\d{3}-\d{4}(?!\d)",
    r"\d{1,20}(?:-\d{1,20}){2,8}(?![\d%])",
)
# Labels that carry a unit: these exist only where the sources have them.
RISK_LABELS = (
    rf"(?<![\w.])(?P<risk1>\d{{1,3}}(?:\.\d{{1,4}})?)\s?(?:%|percent|"
    rf"per\scent)[-,\s]\s?{_HORIZON}(?:{_RISK})(?!\w)",
    rf"{_RISK}(?:\s(?:level|interval))?(?:\sof|"
    rf"\sat(?:\sthe)?)?\s?\(?(?P<risk2>\d{{1,3}}(?:\.\d{{1,4}})?)\s?(?:%|percent|per\scent)",
    r"at\s(?:the|a)\s(?P<risk3>\d{1,3}(?:\.\d{1,4})?)\s?(?:%|percent|per\scent)\s(?=level)",
)
