"""Sentences that say where markets, prices, rates, the economy or returns are heading.

They are known by their wording: a thing that has a price, a word that looks ahead and a verb of
movement close together, or a phrase that announces a view. Denials, conditions, odds and the
portfolio's own weights are not forecasts.
"""

from __future__ import annotations

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.wording import Wording, Words


def forecasts(candidate: Candidate) -> tuple[str, ...]:
    """The sentences, list items, table rows and headings of the document that forecast."""
    return tuple(piece.quote for piece in candidate.pieces if is_forecast(piece.text))


def is_forecast(sentence: str) -> bool:
    """Whether a clause of the sentence forecasts; the sentence is as ``prose.plain`` gives it."""
    return any(
        (_announces(clause) or _predicts(clause, sentence)) and not _DENIED(clause)
        for clause in _CLAUSES.compiled.split(sentence)
    )


def _announces(clause: str) -> bool:
    return any(view(clause) for view in _VIEWS) and not _OF_THE_BILL(clause)


def _predicts(clause: str, sentence: str) -> bool:
    hits = [hit for prediction in _PREDICTIONS if (hit := prediction.search(clause))]
    said = any(
        not _NOT_PRICES(clause[hit.start() : hit.end() + 45])
        and not (hit["down"] and _ODDS(sentence))
        for hit in hits
    )
    return said and not _TWO_WAYS(clause) and not _SUPPOSED(sentence)


def _forms(verbs: str) -> Words:
    """Base form, third person and -ing of each verb; ``_`` joins a phrase."""
    forms: set[str] = set()
    for verb in verbs.split():
        head, joint, rest = verb.partition("_")
        stem = head[:-1] if head.endswith("e") and head != "be" else head
        forms |= {form + joint + rest for form in (head, head + "s", head + "es", stem + "ing")}
    return Words(" ".join(sorted(forms, key=lambda form: (-len(form), form))))


_CLAUSES = Wording(
    r"[;:—–]|,? (?:but|although|though|however|nevertheless|nonetheless|still,|that said|yet)[ ,]"
    r"|, (?:so|and) "
)

# A thing with a price, a word that looks ahead, a verb of movement.

_THINGS = """
    market{,s} stock{,s} share{,s} equit{y,ies} bond{,s} gilt{,s} treasur{y,ies}
    {small,large,mid}{-,_}cap{,s} price{,s} return{,s} yield{,s} rate{,s} inflation econom{y,ies}
    growth earnings gold commodit{y,ies} real_estate property reit{,s} credit currenc{y,ies} dollar
    sterling euro portfolio investment{,s} holding{,s} fund{,s} sector{,s} technology tech
    rall{y,ies} recovery recession central_bank{,s} fed federal_reserve wall_street volatility
    next_{year,quarter,month} {year,months,quarter,quarters}_ahead
"""
_THING = Words(_THINGS + "20*")
_ASSET = rf"(?:{Words(_THINGS).pattern}|20\d\d)"
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
_MOVE = rf"(?:(?P<up>{_UP.pattern})|(?P<down>{_DOWN.pattern}))\b"
_GAP = r"(?:[ ,]+(?!or\b)[\w'-]+){0,5}?[ ,]+"
_SEEMS = "{is,are,look,looks,seem,seems,appear,appears,remain,remains}{,_*}_"
_LIKELY = """
    likely,expected,set,poised,bound,due,ready,positioned,on_course,on_track,forecast,projected,
    primed,destined,certain,sure
"""
_MODAL = Words(f"""
    will 'll should shall ought_to {{is,are}}_going_to promise{{,s}}_to
    {_SEEMS}{{{"".join(_LIKELY.split())}}}_{{to,for}}
""").pattern
_FUTURE = Words(f"will 'll should shall ought going promise{{,s}} {_LIKELY.replace(',', ' ')}")
_EXPECTING = Words("""
    expect* anticipat* foresee* predict* look_for looks_for looking_for we_see i_see bet_on
    betting_on count_on counting_on forecast{,s,ing} confident believe{,s} think{,s} reckon{,s}
    suspect{,s} convinced suggest{,s}
""")
_SPAN = "{over,in,during,for,through,into,across}_{,the_}{next,coming}_{,*_}"
_AHEAD = Words(rf"""
    {_SPAN}{{week,month,quarter,year}}{{,s}} {_SPAN}decade {{week,month,quarter,year}}{{,s}}_ahead
    next_{{year,quarter,spring,summer,autumn,fall,winter}} {{in,by,through,throughout}}_20\d\d
    this_{{spring,summer,autumn,winter}} going_forward soon later_this_year by_year{{-,_}}end
    from_here before_long
""").pattern
_LATER = Words("""
    next coming ahead {in,by,through,throughout}_20* this going soon later_this_year year-end
    year_end from_here before_long
""")


def _moves(clause: str) -> bool:
    return _UP(clause) or _DOWN(clause)


_PREDICTIONS = (
    Wording(
        rf"\b{_ASSET}{_GAP}?(?:\b|(?=')){_MODAL}{_GAP}{_MOVE}",
        *(_FUTURE, _THING, _moves),
    ),
    Wording(
        r"\b(?:(?<!you )expect(?:s|ing)?|anticipat\w+|foresee\w*|predict\w*|look(?:s|ing)? for"
        r"|(?:we|i) see|bet(?:ting)? on|count(?:ing)? on|forecast(?:s|ing)?|confident|believes?"
        r"|thinks?|reckons?|suspects?|convinced|suggests?)\b"
        rf"(?:[ ,]+[\w'-]+){{0,6}}?[ ,]+{_ASSET}{_GAP}{_MOVE}",
        *(_EXPECTING, _THING, _moves),
    ),
    Wording(
        rf"\b{_ASSET}{_GAP}{_MOVE}.{{0,40}}\b{_AHEAD}\b",
        *(_LATER, _THING, _moves),
    ),
)
_NOT_PRICES = Wording(
    r"\b(?:weights?|allocations?|targets?|bands?|ranges?|limits?|polic(?:y|ies)|proportion"
    r"|share of|fees?|costs?|charges?|tax\w*|bill|volatility|risk|swings?|trigger\w*|reviews?"
    r"|tracking|letter|memo|statement|trades?)\b|\b(?:return|returns|returning|keep"
    r"|continue) (?:to|the|your|it|our|a|an|being|watching) (?!rise|climb|gain|grow|rally|recover"
    r"|fall)|\b(?:lose|fall|drop) less\b"
)
_ODDS = Wording(
    r"\b(?:one|five|\d+|nineteen|twenty|ninety-\w+)(?: \w+)? (?:in|out of|of every) \w+"
    r"|%[^.]{0,20}(?:days|months|years|of the time)|\b(?:confidence|from time to time"
    r"|at some point|at times|sometimes|rarely|value at risk)\b|\bin an? (?:\w+ )?(?:bad|poor"
    r"|severe|rough|difficult|weak|unusually \w+|very bad) "
)
_TWO_WAYS = Wording(
    r"\b(?:(?:rises?|go up|up)(?: \w+)? (?:and|or|as well as) (?:falls?|go down|down)|(?:falls?"
    r"|go down|down)(?: \w+)? (?:and|or|as well as) (?:rises?|go up|up))\b"
)
_SUPPOSED = Wording(
    rf"\b(?:if|unless|in case|in the event|suppose|were)\b[^,;]{{0,70}}?\b(?:{_ASSET}|weights?"
    r"|value|losses|drift)\b"
    rf"|^should (?:\w+ ){{0,4}}?{_ASSET}|\bwhen(?:ever)?\b[^,;]{{0,50}}?\b(?:{_ASSET}|weights?"
    rf"|value)\b(?!.*\b{_AHEAD})",
    Words("if unless in_case in_the_event suppose were should when whenever"),
)

# A phrase that announces a view.

_FRAME = Words("""
    outlook base_case house_view market_view forecast{,s} prediction{,s} projection{,s}
""")
_MOOD = Words("""
    bullish bearish optimistic upbeat constructive pessimistic sanguine positive hopeful
""")
_QUALITY = Words("brighter better good strong{,er} difficult rough tough hard bumpy lean happy")
_TURN = Words("rally rebound recovery recession crash correction downturn upturn bull_run boom")
_VIEWS = (
    Words("""
        room_to_{run,grow,rise} further_to_{run,climb,go,fall,rise} {new,next}_{bull,bear}_market
        {more,further,plenty_of,significant,considerable,see,the}_upside soft_landing
        upside_{potential,ahead,from_here} {tail,head}wind{,s}_{for,ahead,will,should,remain}*
        the_worst_{is,seems,appears} tide_{is,has}_turn* next_leg_{up,higher,down}
        coming_{week,month,quarter,year}{,s}_{look,seem,promise}{,s} good_{year,quarter}_for_
    """),
    Wording(
        rf"\b{_FRAME.pattern}\b.{{0,60}}?\b(?:is|are|remains?|looks?|calls? for|points? to|sees?"
        r"|favou?rs?|stays?|suggests?)\b",
        _FRAME,
    ),
    Wording(rf"\b{_MOOD.pattern} (?:on|about|that)\b", _MOOD),
    Wording(
        rf"\b{_QUALITY.pattern} (?:days?|times?|years?|months?|quarters?|patch|road|ride|returns?"
        r"|gains?|performance)\b.{0,25}\b(?:ahead|lies?|to come|coming|await|beckons?|in store)\b",
        *(_QUALITY, Words("ahead lie{,s} to_come coming await beckon{,s} in_store")),
    ),
    Wording(
        rf"\b{_TURN.pattern}\b.{{0,12}}\b(?:is|are) (?:coming|around the corner|on the way"
        r"|under way|overdue|imminent|inevitable)",
        *(_TURN, Words("is are")),
    ),
    Wording(
        r"\b(?:expect\w*|anticipat\w+|likely|projected|target|look for\w*|count on|should|will)\b"
        r"[^.;]{0,40}\b(?:returns?|gains?|growth) of (?:about |around |roughly |some |at least "
        r"|up to )?[$£€]?\d",
        Words("{return,returns,gain,gains,growth}_of"),
    ),
    Wording(
        r"\b(?:expect\w*|anticipat\w+|foresee\w*|predict\w*|look for) (?:\w+ )?(?:strong(?:er)?"
        r"|higher|better|lower|weak(?:er)?|positive|negative|solid|modest|good|poor) (?:\w+ )?"
        r"(?:returns?|gains?|growth|prices|markets)\b",
        *(
            Words("expect* anticipat* foresee* predict* look_for"),
            Words("return{,s} gain{,s} growth prices markets"),
        ),
    ),
)
_OF_THE_BILL = Words("tax* cost* not")
_DENIED = Wording(
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
