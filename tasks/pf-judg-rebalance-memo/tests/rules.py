"""The rules judge of the rebalancing memo: one deterministic function per judged rubric item.

A stand-in for a model: it reads sentences, not meaning, so it looks for several signs of a
statement close together and knows how honest writers say the opposite. `facts` is results.json.
Every function answers with quotes that are exact substrings of the memo.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from pae_verifiers.judge.rules import Candidate, Finding

WHAT, COST, RISKS, NEXT = (
    "what changed and why",
    "cost and tax impact",
    "what risks remain",
    "what would trigger the next rebalance",
)
MEAN_WORDS, MOST_WORDS, UNEXPLAINED = 28, 65, 1
LONGEST = 1500  # characters read as one sentence: what is longer is cut, for time's sake


# The memo as pieces: sentences, list items, table rows.


@dataclass(frozen=True)
class Piece:
    """A sentence or table row: ``text`` as :func:`_plain` gives it, ``quote`` as written."""

    text: str
    quote: str
    prose: bool
    headings: tuple[str, ...]

    @property
    def words(self) -> int:
        return len(self.text.split())


Window = tuple[Piece, ...]


def _pieces(candidate: Candidate, *, prose_only: bool = True) -> list[Piece]:
    """The memo's sentences and table rows in order; headings and code too unless ``prose_only``."""
    text, pieces = candidate.document.text, []
    skipped = ("heading", "code") if prose_only else ()
    for row, group in groupby(candidate.document.blocks, key=lambda block: block.row):
        blocks = [block for block in group if block.kind not in skipped]
        spans = [(s.at, s.until, block) for block in blocks for s in block.sentences]
        if row and blocks:
            spans = [(blocks[0].span.at, blocks[-1].span.until, blocks[0])]
        for start, end, block in spans:
            for at in range(start, end, LONGEST):
                until = min(at + LONGEST, end)
                if text[at:until].strip():
                    above = tuple(_plain(heading) for heading in block.headings)
                    quote = _quote(candidate, at, until)
                    pieces.append(Piece(_plain(text[at:until]), quote, not row, above))
    return pieces


def _quote(candidate: Candidate, at: int, until: int) -> str:
    """The source of a stretch of rendered text."""
    document = candidate.document
    return document.source[document.offsets[at] : document.ends[until - 1]]


def _plain(text: str) -> str:
    """Folded case, straight quotes, single spaces, no markup at the edges."""
    text = text.translate({0x2019: "'", 0x2018: "'", 0x201C: '"', 0x201D: '"', 0xA0: " "})
    return re.sub(r"\s+", " ", text).strip(" *_#").casefold()


def _under(pieces: list[Piece], heading: str) -> list[Piece]:
    """The pieces below a heading; all of them where it is missing, which another item grades."""
    return [p for p in pieces if any(heading in above for above in p.headings)] or pieces


def _alone(pieces: Iterable[Piece]) -> Iterator[Window]:
    return ((piece,) for piece in pieces)


def _pairs(pieces: list[Piece]) -> Iterator[Window]:
    return pairwise(pieces)


def _first(windows: Iterable[Window], *signs: re.Pattern[str]) -> tuple[str, ...]:
    """The quotes of the first window in which every sign occurs."""
    for window in windows:
        text = " ".join(piece.text for piece in window)
        if all(sign.search(text) for sign in signs):
            return tuple(piece.quote for piece in window)
    return ()


def _required(evidence: tuple[str, ...], met: str, unmet: str) -> Finding:
    return Finding(bool(evidence), met if evidence else unmet, evidence)


def _any(vocabulary: str) -> str:
    """A pattern for any of the whitespace-separated alternatives; ``_`` is a space."""
    return "(?:" + "|".join(word.replace("_", " ") for word in vocabulary.split()) + ")"


def _words(vocabulary: str) -> re.Pattern[str]:
    return re.compile(rf"\b{_any(vocabulary)}\b")


# Required items.

_DEPARTED = _words("""
    drift\\w* stray\\w* wander\\w* exceed\\w* above below outside beyond past over under grown
    swollen slid fallen risen slipped sunk shrunk short away off more_than out_of in_line too_\\w+
    back_(?:in|to|inside|within|towards?)
""")
_MIX = _words("targets? ranges? bands? limits? polic(?:y|ies) drift\\w* agreed plan(?:ned)? mix")
_TRADED = _words("""
    buy(?:s|ing)? bought s(?:ell|ells|old|elling|ale|ales) purchase[sd]? add(?:ed|ing)? cut
    trimm?(?:ed|ing)? reduc\\w+ increas\\w+ trad(?:es?|ed|ing) top(?:ped)?_up
""")
_AMOUNT = re.compile(r"\d|\b(?:nil|zero|none|no|nothing)\b")
_TWO_AMOUNTS = re.compile(r"\d[\d.,]*(?!\d).*?[^\d.,].*?\d")
_COST = _words("costs? commissions? spreads? fees? charges? expenses?")
_TAX = _words("tax(?:es)?")
_TAX_OR_GAIN = _words("tax\\w* gains? reali[sz]ed")
_ESTIMATE = _words("""
    estimat\\w+ provisional\\w* approximation indicative preliminary projected likely best_guess
    not_(?:yet_)?final (?:may|could|might|can)_(?:still_)?(?:differ|change|vary|be_different)
    depends?_on (?:actual|final)_(?:bill|tax|amount|figure) (?:we|you)_(?:should_)?expect
""")
_RISK = _words("""
    volatility swings? swung value[-_]at[-_]risk var drawdowns? tracking loss(?:es)? lose risks?
    falls? fluctuat\\w+ ups_and_downs decline var(?:y|ies) differs? bumpy crash cris[ei]s stress
""")
_THEN_NOW = re.compile(
    r"\bfrom\b.*\bto\b|\bbefore\b|\bafter(?:wards)?\b|\b(?:was|were)\b.*\bnow\b|\bnow\b.*\bwas\b|→"
    r"|->|\bold\b.*\bnew\b|\bnew\b.*\bold\b|\|.*\d.*\|.*\d|\b(?:against|compared|previously"
    r"|earlier|used to|had been|instead of|rather than|down from|up from)\b"
)
_SOURCE = _words("""
    shares? stocks? equit(?:y|ies) bonds? credit (?:interest_)?rates? currenc\\w+ exchange_rates?
    dollar inflation property real_estate reits? gold commodit\\w+ concentrat\\w+ markets? prices?
    cash compan(?:y|ies) borrowers? issuers? portfolio your_(?:money|holdings?|investments?)
    liquid\\w* models? measures? history estimates?
""")
_HARM = _words("""
    fall(?:s|ing)? los(?:e|es|ing|s|ses) risk(?:s|y|ier)? drops? expos\\w+ swings? hurt\\w*
    declin\\w+ vulnerable worse\\w* damag\\w+ suffers? volatil\\w+ default\\w* down bad crash\\w*
    shocks? fluctuat\\w* sharp\\w* drawdown below uncertain\\w* sensitive
    eat(?:s|en)?_(?:into|away) erod\\w+ wrong under_pressure less_than
""")
_CONDITION = _words("""
    if when(?:ever)? once should triggers? triggered beyond outside above below exceeds? more_than
    less_than reach\\w* breach\\w* leaves? passes crosses moves? drifts? rises? falls? any_of until
    next_review either
""")
_LIMIT = re.compile(r"\d|\b(?:january|february|march|april|may|june|july)\b|\b\w+(?:ber|ust)\b")
_LEFT = re.compile(
    r"\b(?<!you )(?:did|do|have|has|was|were)(?: not|n't) (?:\w+ )?(?:trade|sell|sold|buy|bought"
    r"|touch|move|change|make|made|use|act|go|reach|replace|close|add|trim|harvest|reali[sz]e"
    r"|done)\w*\b|\b(?:left|leav\w+|let)\b.*\b(?:alone|as|where|in place|out|it|them)\b"
    r"|\buntouched\b|\bunchanged\b|\b(?:held|holding) off\b|\bchose not\b|\bdecided (?:not"
    r"|against)\b|\bkept\b|\bno trades? (?:was|were|is|in)\b|\bnot (?:been )?(?:traded|sold|bought"
    r"|done|touched)\b|\bwaited\b|\bskipped\b|\bstayed\b|\bpassed over\b|\bavoided\b"
    r"|\bstopped short\b|\bno action\b|\bwe left\b|\bnothing (?:was|has been) (?:done|sold|bought"
    r"|traded)\b"
)
_REASON = re.compile(
    r"\b(?:because|since|as|so|within|inside|would|too small|in order to|rather than|reason|below"
    r"|to (?:avoid|save|keep|spare|limit|stay)|for (?:now|tax)|not (?:worth|needed|necessary)"
    r"|well in|close (?:enough )?to|need(?:s|ed)?|does not)\b|:"
)
_JARGON = {
    "value at risk": _words("value[-_]at[-_]risk var"),
    "tracking error": _words("tracking_error"),
    "drawdown": _words("drawdowns?"),
    "volatility": _words("volatility"),
    "basis points": _words("basis_points? bps?"),
    "percentage points": _words("pp ppts?"),
    "turnover": _words("turnover"),
    "standard deviation": _words("standard_deviations?"),
    "notional": _words("notional"),
}
_GLOSS = re.compile(
    r"[(:—–]|\b(?:that(?: is|'s)|mean(?:s|ing)|in other words|i\.e\.|measur\w+|how (?:much|far"
    r"|widely|closely)|which is|called|known? as|or|hundredths?|worst|day-to-day|put simply"
    r"|plainly|it is the|gauge|the (?:usual|size|amount|most|share|value)|one (?:day|month|year)"
    r"|stands for|tells|describes|yardstick|in \d+|out of|expected to|you (?:could|might"
    r"|should))\b"
)
_SECOND_PERSON = _words("you your yours you'(?:re|ve|ll|d)")
_NAMES = {  # what people call the sleeves, beside their names in results.json
    "us_large_cap": "large[-_](?:(?:us|american)_)?(?:cap|compan) us_(?:shares|stocks) american",
    "us_small_cap": "small(?:er)?[-_](?:(?:us|american)_)?(?:cap|compan)",
    "intl_developed": "international foreign overseas developed",
    "emerging_markets": "emerging",
    "ig_bonds": "investment[-_]grade corporate_bonds?",
    "treasuries": "treasur government_bonds?",
    "tips": "inflation[-_](?:linked|protected) tips",
    "real_estate": "real[-_]estate property reits?",
    "gold": "gold",
}


def explains_why(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """The first section says what had departed from the agreed mix, and what was traded."""
    pieces = [p for p in _under(_pieces(candidate), WHAT) if p.words >= 5]
    departed = _first(_alone(pieces), _MIX, _DEPARTED)
    traded = _first(_alone(p for p in pieces if not _LEFT.search(p.text)), _TRADED)
    return _required(
        tuple(dict.fromkeys(departed + traded)) if departed and traded else (),
        "it says what had departed from the agreed mix, and what was traded",
        "it does not say which departure from the agreed mix made the trades necessary",
    )


def names_largest_moves(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """The largest sale and the largest purchase, each by name beside a word for trading."""
    pieces = _pieces(candidate)
    evidence: list[str] = []
    for side in ("sell", "buy"):
        trades = [trade for trade in facts["trades"] if trade["side"] == side]
        largest = max(trades, key=lambda trade: abs(trade["amount_usd"]), default=None)
        if largest is None:
            continue
        known = [re.escape(_plain(str(largest[key]))) for key in ("name", "ticker", "fund")]
        called = re.compile(rf"\b(?:{'|'.join(known)}|{_any(_NAMES.get(largest['sleeve'], 'x'))})")
        quotes = _first(_alone(pieces), called, _TRADED) or _first(_pairs(pieces), called, _TRADED)
        if not quotes:
            return Finding(False, f"the largest {side}, {largest['name']}, is not named", ())
        evidence += quotes
    return Finding(True, "the largest sale and purchase are named", tuple(dict.fromkeys(evidence)))


def cost_and_tax_separate(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """One statement with a cost and an amount, one with tax and an amount (or none due)."""
    pieces = _under(_pieces(candidate), COST)
    alone = [p for p in pieces if _COST.search(p.text) and not _TAX.search(p.text)]
    cost = _first(_alone(alone), _AMOUNT) or _first(_alone(pieces), _COST, _TAX, _TWO_AMOUNTS)
    tax = _first(_alone(pieces), _TAX, _AMOUNT)
    return _required(
        tuple(dict.fromkeys(cost + tax)) if cost and tax else (),
        "cost and tax each have a statement and an amount",
        "cost and tax are not both stated, each with its own amount",
    )


def tax_is_estimate(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A sentence or row that calls the tax an estimate, or two neighbours in its section."""
    pieces = _pieces(candidate)
    return _required(
        _first(_alone(pieces), _TAX, _ESTIMATE)
        or _first(_pairs(_under(pieces, COST)), _TAX, _ESTIMATE),
        "the tax is called an estimate",
        "nothing says that the tax figure is an estimate",
    )


def risk_before_and_after(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A measure of risk with two figures, then and now."""
    pieces = [p for p in _pieces(candidate) if not _TAX_OR_GAIN.search(p.text)]
    signs = (_RISK, _THEN_NOW, _TWO_AMOUNTS)
    here = _under(pieces, RISKS)
    return _required(
        _first(_alone(here), *signs)
        or _first(_pairs(here), *signs)
        or _first(_alone(pieces), *signs),
        "a measure of risk is given before and after",
        "no measure of risk is given both before and after",
    )


def remaining_risks(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Two or more statements on what could still go wrong."""
    found = [
        p.quote
        for p in _under(_pieces(candidate), RISKS)
        if p.words >= 5 and _SOURCE.search(p.text) and _HARM.search(p.text)
    ]
    return _required(
        tuple(found[:3]) if len(found) >= 2 else (),
        f"{len(found)} statements say where losses could come from",
        "fewer than two statements say where losses could come from",
    )


def trigger_concrete(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A condition with a figure or date, and the thing that it applies to."""
    pieces = [p for p in _under(_pieces(candidate), NEXT) if p.words >= 4]
    return _required(
        _first(_alone(pieces), _CONDITION, _LIMIT),
        "a trigger can be checked",
        "no trigger names a limit, range or date to check",
    )


def explains_restraint(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Something left alone, with its reason in the same or the next sentence."""
    pieces = [p for p in _pieces(candidate) if p.words >= 4]
    return _required(
        _first(_alone(pieces), _LEFT, _REASON) or _first(_pairs(pieces), _LEFT, _REASON),
        "what was left alone is said, with a reason",
        "nothing says what was left alone, and why",
    )


def plain_language(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Sentences of at most 28 words on average and 65 at most, and jargon explained beside it."""
    pieces = _pieces(candidate)
    prose = [p for p in pieces if p.prose and p.words >= 4]
    if not prose:
        return Finding(False, "there is no prose", ())
    longest = max(prose, key=lambda piece: piece.words)
    if sum(p.words for p in prose) > MEAN_WORDS * len(prose) or longest.words > MOST_WORDS:
        return Finding(False, "the sentences are too long", (longest.quote,))
    explained: list[str] = [prose[0].quote]
    bare: list[str] = []
    for name, term in _JARGON.items():
        uses = [i for i, p in enumerate(pieces) if term.search(p.text)]
        gloss = _first((tuple(pieces[max(0, i - 1) : i + 2]) for i in uses), _GLOSS)
        explained += gloss
        bare += [name] if uses and not gloss else []
    if len(bare) > UNEXPLAINED:
        return Finding(False, f"not explained: {', '.join(bare)}", ())
    return Finding(True, "moderate sentences, terms explained", tuple(dict.fromkeys(explained)))


def addressed_to_client(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A sentence or heading that says "you" or "your", or the client's name."""
    name = _plain(str(facts.get("client", {}).get("name", "")))
    spoken = [
        p.quote
        for p in _pieces(candidate, prose_only=False)
        if _SECOND_PERSON.search(p.text) or (name and name.split()[-1] in p.text)
    ]
    return _required(
        tuple(spoken[:2]), "it speaks to the client", "it does not speak to the client"
    )


# Forecasts.


def _forms(verbs: str) -> str:
    """Base form, third person and -ing of each verb; ``_`` joins a phrase."""
    forms: set[str] = set()
    for verb in verbs.split():
        head, joint, rest = verb.partition("_")
        stem = head[:-1] if head.endswith("e") and head != "be" else head
        forms |= {form + joint + rest for form in (head, head + "s", head + "es", stem + "ing")}
    return _any(" ".join(sorted(forms, key=len, reverse=True)))


_ASSET = _any("""
    markets? stocks? shares? equit(?:y|ies) bonds? gilts? treasur(?:y|ies)
    (?:small|large|mid)[-_]caps? prices? returns? yields? rates? inflation econom(?:y|ies) growth
    earnings gold commodit(?:y|ies) real_estate property reits? credit currenc(?:y|ies) dollar
    sterling euro portfolio investments? holdings? funds? sectors? technology tech rall(?:y|ies)
    recovery recession central_banks? fed federal_reserve wall_street volatility 20\\d\\d
    next_(?:year|quarter|month) (?:year|months|quarters?)_ahead
""")
_MODAL = _any("""
    will 'll should shall ought_to (?:is|are)_going_to promises?_to
    (?:is|are|looks?|seems?|appears?|remains?)(?:_\\w+)?_(?:likely|expected|set|poised|bound|due|ready|positioned|on_course|on_track|forecast|projected|primed|destined|certain|sure)_(?:to|for)
""")
_UP = _forms("""
    rise climb gain grow rally rebound recover bounce outperform advance appreciate strengthen
    improve surge soar lead_the beat outpace pay_off do_well do_better hold_up perform turn pick_up
    go_up go_higher head_higher move_higher push_higher reward deliver be_strong be_stronger
    be_higher be_positive be_better be_a_good be_a_strong be_good be_kind return continue_to shine
    stay_strong keep come_back
""")
_DOWN = _forms("""
    fall drop decline slide weaken slump ease cool underperform lag come_down cut go_down go_lower
    head_lower soften disappoint be_weak be_weaker be_lower be_negative be_worse be_a_difficult
    be_difficult be_rough lose crash correct struggle suffer be_turbulent be_cut
""")
_MOVE = rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b"
_GAP = r"(?:[ ,]+(?!or\b)[\w'-]+){0,5}?[ ,]+"
_AHEAD = _any("""
    (?:over|in|during|for|through|into|across)_(?:the_)?(?:next|coming)_(?:\\w+_)?(?:weeks?|months?|quarters?|years?|decade)
    (?:weeks?|months?|quarters?|years?)_ahead
    next_(?:year|quarter|spring|summer|autumn|fall|winter) (?:in|by|through|throughout)_20\\d\\d
    this_(?:spring|summer|autumn|winter) going_forward soon later_this_year by_year[-_]end
    from_here before_long
""")
_PREDICTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_ASSET}{_GAP}?(?:\b|(?=')){_MODAL}{_GAP}{_MOVE}",
        r"\b(?:(?<!you )expect(?:s|ing)?|anticipat\w+|foresee\w*|predict\w*|look(?:s|ing)? for"
        r"|(?:we|i) see|bet(?:ting)? on|count(?:ing)? on|forecast(?:s|ing)?|confident|believes?"
        r"|thinks?|reckons?|suspects?"
        rf"|convinced|suggests?)\b(?:[ ,]+[\w'-]+){{0,6}}?[ ,]+{_ASSET}{_GAP}{_MOVE}",
        rf"\b{_ASSET}{_GAP}{_MOVE}.{{0,40}}\b{_AHEAD}\b",
    )
)
_FRAMED = re.compile(
    r"\b(?:outlook|base case|house view|market view|forecasts?|predictions?"
    r"|projections?)\b.{0,60}?\b(?:is|are|remains?|looks?|calls? for|points? to|sees?|favou?rs?"
    r"|stays?|suggests?)\b|\b(?:bullish|bearish|optimistic|upbeat|constructive|pessimistic"
    r"|sanguine|positive|hopeful) (?:on|about|that)\b|\broom to (?:run|grow|rise)\b"
    r"|\bfurther to (?:run|climb|go|fall|rise)\b|\b(?:new|next) (?:bull|bear) market\b|\b(?:more"
    r"|further|plenty of|significant|considerable|see|the) upside\b|\bupside (?:potential|ahead"
    r"|from here)\b|\b(?:tail|head)winds? (?:for|ahead|will|should|remain)|\bthe worst (?:is|seems"
    r"|appears)\b|\bsoft landing\b|\bcoming (?:weeks?|months?|quarters?|years?) (?:look|seem"
    r"|promise)s?\b|\btide (?:is|has) turn\w+|\bnext leg (?:up|higher|down)\b|\bgood (?:year"
    r"|quarter) for |\b(?:brighter|better|good|strong|stronger|difficult|rough|tough|hard|bumpy"
    r"|lean|happy) (?:days?|times?|years?|months?|quarters?|patch|road|ride|returns?|gains?"
    r"|performance)\b.{0,25}\b(?:ahead|lies?|to come|coming|await|beckons?|in store)\b|\b(?:rally"
    r"|rebound|recovery|recession|crash|correction|downturn|upturn|bull run|boom)\b.{0,12}\b(?:is"
    r"|are) (?:coming|around the corner|on the way|under way|overdue|imminent|inevitable)"
    r"|\b(?:expect\w*|anticipat\w+|likely|projected|target|look for\w*|count on|should"
    r"|will)\b[^.;]{0,40}\b(?:returns?|gains?|growth) of (?:about |around |roughly |some "
    r"|at least |up to )?[$£€]?\d|\b(?:expect\w*|anticipat\w+|foresee\w*|predict\w*"
    r"|look for) (?:\w+ )?(?:strong(?:er)?|higher|better|lower|weak(?:er)?|positive|negative|solid"
    r"|modest|good|poor) (?:\w+ )?(?:returns?|gains?|growth|prices|markets)\b"
)
_NEGATED = re.compile(
    r"\b(?:do|does|did|can|could|will|would)(?: not|n't) (?:\w+ )?(?:forecast|predict|know|try"
    r"|attempt|say|claim|guess|promise|assume|rely|depend|bet|offer|make|mean|imply|give|tell|rest"
    r"|take|include|contain|see into)|\bcannot (?:\w+ )?(?:know|predict|say|tell|promise|guarantee"
    r"|forecast)|\bno(?:-one| one|body) (?:knows|can)|\bno (?:forecasts?|predictions?|view|promise"
    r"|guarantee|opinion|assumptions?|outlook|claim|position)\b|\bnot (?:a|an|any|our|based on a"
    r"|meant as a) (?:forecast|prediction|view|promise|market view|outlook|guarantee)"
    r"|\b(?:not because|neither|whether|unknowable|unreliable|impossible to|never (?:forecast"
    r"|predict)|not forecasts?|not (?:always|necessarily)|without (?:\w+ )?(?:forecast|predict"
    r"|guess|view|opinion|knowing)\w*|rather than (?:a |any |our |on )?(?:forecast|guess|view"
    r"|prediction)s?)\b|\b(?:are|is)(?: not|n't)\b.{0,30}\b(?:forecast|prediction|memo"
    r"|our business|basis|guarantee)"
)
_SUPPOSED = re.compile(
    rf"\b(?:if|unless|in case|in the event|suppose|were)\b[^,;]{{0,70}}?\b(?:{_ASSET}|weights?"
    r"|value|losses|drift)\b"
    rf"|^should (?:\w+ ){{0,4}}?{_ASSET}|\bwhen(?:ever)?\b[^,;]{{0,50}}?\b(?:{_ASSET}|weights?"
    rf"|value)\b(?!.*\b{_AHEAD})"
)
_ODDS = re.compile(
    r"\b(?:one|five|\d+|nineteen|twenty|ninety-\w+)(?: \w+)? (?:in|out of|of every) \w+"
    r"|%[^.]{0,20}(?:days|months|years|of the time)|\b(?:confidence|from time to time"
    r"|at some point|at times|sometimes|rarely|value at risk)\b|\bin an? (?:\w+ )?(?:bad|poor"
    r"|severe|rough|difficult|weak|unusually \w+|very bad) "
)
_TWO_WAYS = re.compile(
    r"\b(?:(?:rises?|go up|up)(?: \w+)? (?:and|or|as well as) (?:falls?|go down|down)|(?:falls?"
    r"|go down|down)(?: \w+)? (?:and|or|as well as) (?:rises?|go up|up))\b"
)
_NOT_PRICES = re.compile(
    r"\b(?:weights?|allocations?|targets?|bands?|ranges?|limits?|polic(?:y|ies)|proportion"
    r"|share of|fees?|costs?|charges?|tax\w*|bill|volatility|risk|swings?|trigger\w*|reviews?"
    r"|tracking|letter|memo|statement|trades?)\b|\b(?:return|returns|returning|keep"
    r"|continue) (?:to|the|your|it|our|a|an|being|watching) (?!rise|climb|gain|grow|rally|recover"
    r"|fall)|\b(?:lose|fall|drop) less\b"
)
_CLAUSES = re.compile(
    r"[;:—–]|,? (?:but|although|though|however|nevertheless|nonetheless|still,|that said|yet)[ ,]"
    r"|, (?:so|and) "
)


def _forecasts(sentence: str) -> bool:
    """Whether a clause of the sentence says where prices, the economy or returns are heading."""
    supposed = bool(_SUPPOSED.search(sentence))
    for clause in _CLAUSES.split(sentence):
        if _NEGATED.search(clause):
            continue
        if _FRAMED.search(clause) and not re.search(r"\btax|\bcost|\bnot\b", clause):
            return True
        if supposed or _TWO_WAYS.search(clause):
            continue
        for hit in filter(None, (pattern.search(clause) for pattern in _PREDICTIONS)):
            about_prices = not _NOT_PRICES.search(clause[hit.start() : hit.end() + 45])
            if about_prices and not (hit["down"] and _ODDS.search(sentence)):
                return True
    return False


def market_forecast(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Triggered by any sentence, list item or table row that predicts."""
    pieces = _pieces(candidate, prose_only=False)
    found = tuple(p.quote for p in pieces if _forecasts(p.text))
    if found:
        return Finding(False, "it says where markets or returns are heading", found)
    return Finding(True, "nothing says where markets or returns are heading", ())


# Advice beyond the policy.

_ACT = _any("""
    buy(?:ing)? sell(?:ing)? invest(?:ing)? put(?:ting)? mov(?:e|ing) shift(?:ing)? add(?:ing)?
    increas(?:e|ing) reduc(?:e|ing) cut(?:ting)? hold(?:ing)? switch(?:ing)? transfer(?:ring)?
    top(?:ping)?_up contribut(?:e|ing) pay(?:ing)?_(?:off|down) refinanc\\w+ remortgag\\w+
    tak(?:e|ing)_(?:out|advantage|more|less|on|some|a_loan) consolidat\\w+ open(?:ing)?
    lock(?:ing)?_in harvest\\w* claim convert\\w* max(?:ing)?_out borrow\\w* gift\\w* defer\\w*
    delay\\w* retir(?:e|ing) sav(?:e|ing) avoid\\w* accept(?:ing)?_more diversif\\w+ own(?:ing)?
    wait stay(?:ing)?_(?:invested|out|away|the_course) cash_(?:in|out) draw_down withdraw\\w*
    rebalanc\\w+ hedg(?:e|ing) load_up pick_up get_(?:into|out) sit_tight spend\\w* insur\\w+
    set(?:ting)?_up (?:rais|lower)(?:e|ing|)_your build(?:ing)?_(?:up_)?(?:a|an|your) us(?:e|ing)
    keep_(?:more|less|some|buying)
""")
_AFFAIR = _any("""
    mortgage pension (?:your|spare|other|personal|emergency|extra)_(?:savings|cash|money|accounts?)
    isas? iras? savings_account 401\\(?k\\)? roth insurance estate_plan\\w* will trust debts? loan
    credit_cards? emergency_fund college retirement_(?:account|savings|plan|date) bonus inheritance
    annuit\\w+ crypto\\w* bitcoin house second_home charit\\w+ spouse children
    risk_(?:appetite|tolerance|profile)
""")
_TALK = _words("""
    tell let_us_know call contact ask speak talk discuss inform note know see read bear remember
    feel hear receive reply write get_in_touch check_with consult
    rais(?:e|ing)_(?:it|this|any|that)_with mention be_aware expect
""")
_MUST = (
    r"you(?:'d| would| may| might| could)? (?:\w+ly )?(?:should|ought to|must|need to|had better"
    r"|(?:may|might) (?:also |well |therefore |now )?(?:want|wish|like|prefer) to|do well to"
    r"|consider|be (?:wise|better off|well advised|smart)(?: to| if you)?|are well placed to"
    r"|have (?:an|the) opportunity to|can take advantage)"
)
_DIRECTED = re.compile(
    rf"\b{_MUST}(?: (?:also|now|probably|definitely|really|at least|perhaps|not|seriously|always"
    r"|never|simply|just"
    rf"|think about|consider|look at))* (?:{_ACT}\b|.{{0,60}}\b{_AFFAIR}\b)"
    r"|\byou (?:should|might|may|could) (?:also |want to |now |well )?consider\b"
    rf"|\bperhaps you could\b.{{0,30}}\b{_ACT}\b|\byou (?:could|can|might"
    rf"|may) (?:also )?{_ACT}\b.{{0,60}}\b{_AFFAIR}\b"
    r"|\bif i were you\b|\bin your (?:place|shoes|position)\b"
)
_URGED = re.compile(
    r"\b(?:we|i|we'd|i'd|our team)(?: (?:would|do|also|now|therefore|still|\w+ly))* (?:recommend"
    r"|suggest|advise|urge"
    rf"|encourage|propose|counsel)\b(?: that)?(?: you\b| (?:\w+ )?{_ACT}\b)"
    r"|\b(?:our|my) (?:advice|recommendation|suggestion|tip)(?: to you| for you)?,? (?:is|would be"
    r"|remains)\b"
)
_IMPERATIVE = re.compile(
    r"(?:^|[,;:—–] |\b(?:and|so|then|please|do|but) )(?:(?:please |do |just |also )?(?:consider"
    r"|think about|why not|make sure (?:you|to)|be sure to|try to|do not|don't|never|go ahead and"
    r"|(?:it(?:'s| is) )?time to) "
    rf"(?:\w+ing|{_ACT})\b"
    r"|(?:please )?(?:put|move|use|invest|sell|buy|top up|pay (?:off|down)|take|shift|increase"
    r"|reduce|keep|raise|hold) (?:some of |all of |part of |more of |any )?(?:your|spare)\b"
    r"|take advantage\b|(?:buy|sell|hold|invest)\b.{0,50}\b(?:now|while|before prices|on the dip"
    r"|on dips|yourself)\b)"
)
_APPRAISED = re.compile(
    r"\b(?:it )?(?:would be|is|may be|might be|'s) (?:\w+ )?(?:wise|sensible|prudent|smart|worth"
    r"|advisable|best|better|worthwhile|time|a (?:good|great|sound) (?:idea|time|moment)"
    r"|the (?:time|moment))"
    rf"(?: for (?:you|clients|investors|anyone))?(?: to)? (?:{_ACT}|considering)\b"
    rf"|\bmakes? (?:good |a lot of )?sense (?:for you )?to {_ACT}\b|\bnow is (?:a"
    r"|the) (?:\w+ )?(?:time|moment)\b|\bworth (?:your )?(?:considering|putting|moving|adding)\b"
    rf"|\byour (?:\w+ )?{_AFFAIR}\b.{{0,20}}\b(?:should|ought to|needs? to|must)\b"
    r"|\b(?:spare|extra|other) (?:cash|money|savings)\b.{0,25}\b(?:should|belongs?|would be better"
    r"|is better)\b"
)
_PERSONAL = re.compile(rf"\b(?:you|your|{_AFFAIR}|now is|investors|clients|anyone)\b")
_NO_ADVICE = re.compile(
    r"\b(?:do|does|did)(?: not|n't) (?:\w+ )?(?:need|have|recommend|suggest|advise|propose|mean)"
    r"|\bneedn't\b|\bno need\b|\bnothing (?:that )?(?:you|for you)\b|\bnot (?:\w+ )?(?:advice"
    r"|a recommendation|recommending|suggesting|advising|asking)\b|\bno (?:advice|recommendation"
    r"|action)\b|\bif you (?:want|wish|would like|plan|intend|need|decide|prefer|expect"
    r"|are thinking|think)\b.*\b(?:tell|call|contact|let us know|ask|speak|write|talk)\b"
)
_TURN = re.compile(r"[;—–]|,? (?:but|however|though|yet) |, (?:and|so) ")


def _advises(sentence: str) -> bool:
    """Whether a clause tells the client what to do with their own money or affairs."""
    if _NO_ADVICE.search(sentence) and not re.search(r"\b(?:but|however|though|yet)\b", sentence):
        return False
    for clause in _TURN.split(sentence):
        if _NO_ADVICE.search(clause):
            continue
        directed, urged = _DIRECTED.search(clause), _URGED.search(clause)
        if (
            (directed and not _TALK.search(clause[directed.start() : directed.end() + 15]))
            or (urged and not _TALK.search(clause[urged.end() : urged.end() + 25]))
            or _IMPERATIVE.search(clause)
            or (_APPRAISED.search(clause) and _PERSONAL.search(clause))
        ):
            return True
    return False


def individual_advice(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Triggered by any sentence that advises beyond what the policy statement covers."""
    pieces = _pieces(candidate, prose_only=False)
    found = tuple(p.quote for p in pieces if p.prose and _advises(p.text))
    if found:
        return Finding(False, "it advises the client beyond the policy statement", found)
    return Finding(True, "nothing advises the client beyond the policy statement", ())
