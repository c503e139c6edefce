"""Sentences that say where markets, prices, rates, the economy or returns are heading.

They are known by their wording: a thing that has a price, a word that looks ahead and a verb of
movement close together, or a phrase that announces a view. Denials, conditions, odds and the
portfolio's own weights are not forecasts.
"""

from __future__ import annotations

import re

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.outlooks import announces
from pae_verifiers.judge.wording import Wording, Words


def forecasts(candidate: Candidate) -> tuple[str, ...]:
    """The sentences, list items, table rows and headings of the document that forecast."""
    return tuple(piece.quote for piece in candidate.pieces if is_forecast(piece.text))


def is_forecast(sentence: str) -> bool:
    """Whether a clause of the sentence forecasts; the sentence is as ``prose.plain`` gives it."""
    return any(
        (announces(clause) or _predicts(clause, sentence)) and not _DENIED(clause)
        for clause in _CLAUSES.compiled.split(sentence)
    )


def _predicts(clause: str, sentence: str) -> bool:
    return any(
        _is_meant(hit, clause, sentence)
        for prediction in _PREDICTIONS
        if (hit := prediction.search(clause))
    ) and not _TWO_WAYS(clause)


def _is_meant(hit: re.Match[str], clause: str, sentence: str) -> bool:
    """Whether what looks like a prediction is one of prices, and neither odds nor a condition."""
    before = clause[: hit.start()]
    found = _BY_THE_REVIEW.compiled.sub("", clause[hit.start() : hit.end() + 45])
    if _NOT_PRICES(found) or _NOT_OF_PRICES(before):
        return False
    if _CERTAIN_RECOVERY(sentence):
        return True
    down = hit["down"] if "up" in hit.groupdict() else _DOWN(hit.group())
    unsure = bool(down) and (
        _ODDS(sentence) or _POSSIBLE(before + hit.group()) or _ASSUMED(sentence)
    )
    return not unsure and not _SUPPOSED(sentence)


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
    next_{year,quarter,month} {year,months,quarter,quarters}_ahead s&p nasdaq ind{ex,ices,exes} oil
    mix money savings wealth profit{,s}
"""
_THING = Words(_THINGS + "20*")
_ASSET = rf"(?:{Words(_THINGS).pattern}|20\d\d)"
_UP = _forms("""
    rise climb gain grow rally rebound recover bounce outperform advance appreciate strengthen
    improve surge soar lead_the beat outpace pay_off do_well do_better hold_up perform turn pick_up
    go_up go_higher head_higher move_higher push_higher reward deliver be_strong be_stronger
    be_higher be_positive be_better be_a_good be_a_strong be_good be_kind return continue_to shine
    stay_strong keep come_back follow jump spike finish end_higher
    be_worth_{more,about,around,over,at,far_more,much_more,twice,double} reach be_back_above
    catch_up push lead grind broaden make_good end_the end_above benefit continue_{their,its}
    carry_on have_a_{good,strong,better,great}
""")
_DOWN = _forms("""
    fall drop decline slide weaken slump ease cool underperform lag come_down cut go_down go_lower
    head_lower soften disappoint be_weak be_weaker be_lower be_negative be_worse be_a_difficult
    be_difficult be_rough lose crash correct struggle suffer be_turbulent be_cut be_worth_less
""")
_MOVE = rf"(?:(?P<up>{_UP.pattern})|(?P<down>{_DOWN.pattern}))\b"
_GAP = r"(?:[ ,]+(?!or\b)[\w'-]+){0,5}?[ ,]+"
_SEEMS = "{is,are,look,looks,seem,seems,appear,appears,remain,remains}{,_*}_"
_LIKELY = """
    likely,expected,set,poised,bound,due,ready,positioned,on_course,on_track,forecast,projected,
    primed,destined,certain,sure,about
"""
_MODAL = Words(f"""
    will 'll should shall ought_to {{is,are}}_going_to promise{{,s}}_to
    {_SEEMS}{{{"".join(_LIKELY.split())}}}_{{to,for}}
""").pattern
_FUTURE = Words(f"will 'll should shall ought going promise{{,s}} {_LIKELY.replace(',', ' ')}")
_EXPECTING = Words("""
    expect* anticipat* foresee* predict* look_for looks_for looking_for we_see i_see bet_on
    betting_on count_on counting_on forecast{,s,ing} confident believe{,s} think{,s} reckon{,s}
    suspect{,s} convinced suggest{,s} consensus_has odds_are chances_are reason_to matter_of_time
    surprised {no,little}_doubt call{s,ing}_for see{,s} target{,s} pencil* project{,s}
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


_SEES = (
    r"(?<!you )expect(?:s|ing)?|anticipat\w+|foresee\w*|predict\w*|forecast(?:s|ing)?|look(?:s"
    r"|ing)? for|(?:we|i|analysts?|strategists?|economists?|experts?|many|most) see"
    r"|consensus (?:has|sees)|pencil\w+ in|surprised to see"
)
_HIGHER = "higher|up|stronger|rising|at"
_LOWER = "lower|down|weaker|falling"


_ECONOMIC = """
    interest_rate{,s} rates yields inflation {,the_}economy growth earnings profits
    {,stock_}market{,s}
    {share,stock,bond}_prices prices {,the_}dollar sterling {,the_}euro currencies recession
    wall_street
    central_bank{,s} {,the_}fed oil {,the_}s&p {,the_}nasdaq
"""
_ECONOMY = Words(_ECONOMIC).pattern
_EVEN = Words("""
    {,always_,also_,all_}{move,moving,change,changing,go_on,keep_moving,fluctuat*,swing,vary,wobble}
    differ decide tell show do go_next go_from go_wherever apply have_to need bring cause make hurt
    harm
    have_{moved,changed,drifted,gone}
    not push_{bond,share}_prices_down weigh take mean matter affect be_{reviewed,looked,known,used}*
    be_{checked,what,different,able,at_the,taxed,sold,bought,set,as,higher_or,lower_or,lower_and}*
    {rise,fall,go_up,go_down}_{and,or}_* hit continue_to_{move,swing,change,vary}
    keep_{moving,changing}
""").pattern
_CHANGE = (
    r"(?:decline|rise|fall|drop|increase|rebound|recovery|rally|correction|easing|cooling|pick-up"
    r"|upturn|downturn|slowdown|recession|growth|gains|climate|environment|run|year)"
)
_LOOKED_FOR = Words(_CHANGE[3:-1].replace("|", " "))


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
        r"|thinks?(?! of| about)|reckons?|suspects?|convinced|suggests?|odds are|chances are"
        r"|matter of time|reason to (?:believe|think|expect|hope)|surprised|(?:no|little) doubt)\b"
        rf"(?:[ ,]+[\w'-]+){{0,6}}?[ ,]+{_ASSET}{_GAP}{_MOVE}",
        *(_EXPECTING, _THING, _moves),
    ),
    Wording(
        rf"\b{_ASSET}{_GAP}{_MOVE}.{{0,40}}\b{_AHEAD}\b",
        *(_LATER, _THING, _moves),
    ),
    Wording(
        rf"\b(?:{_SEES})\b(?:[ ,]+[\w'&-]+){{0,6}}?[ ,]+{_ASSET}(?:[ ,]+[\w'&-]+){{0,5}}?"
        rf" (?:(?P<up>{_HIGHER})|(?P<down>{_LOWER}))\b",
        *(_EXPECTING, _THING, Words(f"{_HIGHER} {_LOWER} at".replace("|", " "))),
    ),
    Wording(
        rf"(?:\b(?:{_SEES}|call(?:s|ing) for)|(?<=\btarget)|(?<=\btargets)) (?:an? )?(?:\w+"
        rf" )?\d[\d.]*% (?:(?P<up>returns?|gains?|rises?"
        r"|growth|upside)|(?P<down>falls?|drops?|loss))\b",
        *(_EXPECTING, Words("return{,s} gain{,s} rise{,s} growth upside fall{,s} drop{,s} loss")),
    ),
    Wording(
        rf"\b{_ASSET}{_GAP}?(?:\b|(?='))(?:(?:is|are|looks?|seems?|appears?|remains?|'s|'re) )"
        r"(?:\w+ )?(?:(?:poised|primed|destined|gearing up|in line|well placed|positioned"
        r"|set(?= for)) (?:to|for) (?!return|be )|(?:headed|heading|pointing|trending) (?:higher"
        r"|lower|up|down|north|south|into|upwards?|downwards?|for))\b",
        _THING,
        Words("""
            poised primed set_for destined gearing_up in_line well_placed positioned headed heading
            pointing
            trending
        """),
    ),
    Wording(
        rf"\b(?:{_ASSET}|downturn|slump|sell-off){_GAP}?(?:won't|will not|can't|cannot)"
        r" (?:stay|remain|last|keep|go on)\b",
        Words("won't will_not can't cannot"),
    ),
    Wording(
        r"\b(?:we|i|they|analysts?|strategists?|economists?|experts?) (?:\w+ ){0,2}?(?:expect"
        r"|anticipate|foresee|predict|forecast|project|see|look for)s?"
        rf" (?:(?:an?|the|some|further|more|another) )?(?:\w+ ){{0,2}}?{_CHANGE}"
        r" (?:in|for|of|by|from|during|over|next|this|across)\b",
        *(_EXPECTING, _LOOKED_FOR),
    ),
    Wording(
        rf"\b(?:expect|think|believe|reckon|suspect)s?(?: that)? (?:them|they|it) (?:to|will|'ll"
        rf"|should) (?:\w+ )?{_MOVE}(?! due)",
        *(_EXPECTING, Words("them they it"), _moves),
    ),
    Wording(
        rf"\b{_ECONOMY}(?: here| abroad| overseas| prices)? {_MODAL}(?: not|(?: \w+ly)|still"
        rf"|again)* (?!{_EVEN}\b)\w+",
        *(_FUTURE, Words(_ECONOMIC)),
    ),
    Wording(
        rf"\b{_ECONOMY} (?:is|are) (?:\w+ )?(?P<trend>picking up|cooling|slowing|easing|improving"
        r"|recovering|strengthening|weakening|turning)\b",
        *(Words("is are"), Words(_ECONOMIC)),
    ),
    Wording(
        r"\b(?:in|buy\w*|bought|mov\w+|invest\w*)\b.{0,25}\b(?:before (?:prices|markets|rates"
        r"|shares|bonds|they) (?:move|rise|go|climb|run|recover)|ahead of (?:the|a) (?:rate|rally"
        r"|recovery|rebound|cuts?))\b",
        Words("before ahead_of"),
    ),
    Wording(
        r"\bpoint(?:s|ing)? to (?:\w+ )?(?:further|more|higher|lower|stronger|weaker|better|good"
        r"|gains|losses)\b",
        Words("point{,s,ing}_to"),
    ),
    Wording(
        r"\b(?:rate|interest-rate|interest rate) (?:cut|hike|rise|increase)s?\b"
        rf".{{0,40}}\b(?:{_AHEAD}|in 20\d\d|for 20\d\d)\b",
        Words("cut{,s} hike{,s} rise{,s} increase{,s}"),
    ),
    Wording(
        r"\b(?:fed|federal reserve|central banks?|ecb|policymakers)\b.{0,40}\b(?:more|another"
        r"|further|next) (?:\w+ )?(?:cuts?|hikes?|moves?|rises?|easing)\b",
        Words("fed federal_reserve central_bank{,s} ecb policymakers"),
    ),
)
_NOT_PRICES = Wording(
    r"\b(?:weights?|allocations?|targets?|bands?|ranges?|limits?|polic(?:y|ies)|proportion|share of"
    r"|fees?|costs?|charges?|tax\w*|bill|volatility|risk|swings?|trigger\w*|reviews?|tracking"
    r"|letter|memo|statement|trades?)\b|\b(?:return|returns|returning) (?:to|the|your|it|our|an?)\b"
    r"|\b(?:keep|continue) (?:to )?(?:be|being|pay\w*|hold\w*|follow\w*|swing\w*|mov\w+|watch\w*"
    r"|own\w*|make|drift\w*|count\w*|fluctuat\w+|vary\w*|review\w*|monitor\w*|the|your|it|our"
    r"|an?)\b|\blead to|\b(?:lose|fall|drop) less\b"
)
_BY_THE_REVIEW = Wording(r"\b(?:by|before|until|at) (?:the|our|your) (?:next )?review")
_NOT_OF_PRICES = Wording(
    r"(?:\b(?:tax|short-term|long-term|risk of (?:the|your)|(?:weights?|share|swings?|volatility"
    r"|proportion|size) (?:of|in)(?: the| your| our)?)|\b(?:what|where|how|how (?:far|much|low"
    r"|high)|whether|which way)(?: \w+){0,2}) $"
)
_ODDS = Wording(
    r"\b(?:one|five|\d+|nineteen|twenty|ninety-\w+)(?: \w+)? (?:in|out of|of every) \w+"
    r"|%[^.]{0,20}(?:days|months|years|of the time)|\b(?:confidence|from time to time|at some point"
    r"|at times|sometimes|rarely|value at risk)\b|\bin an? (?:\w+ )?(?:bad|poor|severe|rough"
    r"|difficult|weak|unusually \w+|very bad) "
)
_TWO_WAYS = Wording(
    r"\b(?:(?:rises?|go up|up)(?: \w+)? (?:and|or|as well as) (?:falls?|go down|down)|(?:falls?"
    r"|go down|down)(?: \w+)? (?:and|or|as well as) (?:rises?|go up|up))\b"
)
_POSSIBLE = Wording(r"\b(?:may|might|could|can|possible)\b")
_ASSUMED = Wording(
    r"\b(?:suppos\w+|assum\w+|imagin\w+|pictures?|provided|stress)\b"
    r"|(?<!base )(?<!central )(?<!main )(?<!core )\bscenario\b"
)
_CERTAIN_RECOVERY = Wording(
    rf"(?:[,;:]|\bthen\b) (?:\w+ ){{0,2}}?(?:they|it|(?:\w+ )?{_ASSET}) (?:will|always|must)"
    r" (?:\w+ )?(?:recover|rebound|bounce|come back|regain)",
    Words("recover rebound bounce come_back regain"),
)
_SUBJECT = rf"(?:{_ASSET}|weights?|value|losses|drift|(?:it|they) (?!is\b|are\b|was\b|were\b))"
_SUPPOSED = Wording(
    rf"\b(?:if|unless|in case|in the event|suppose|were)\b[^,;]{{0,70}}?\b{_SUBJECT}|(?:^"
    rf"|[,;:] )(?:should|were|had) (?:\w+ ){{0,4}}?{_ASSET}"
    rf"|\bwhen(?:ever)?\b[^,;]{{0,50}}?\b{_SUBJECT}(?!.*\b{_AHEAD})",
    Words("if unless in_case in_the_event suppose were should had when whenever"),
)
_DENIED = Wording(
    r"\bnothing (?:here|in (?:this|our) \w+) (?:should|is|may|can|must)\b|\b(?:do|does|did|can"
    r"|could|will|would)(?: not|n't) (?:\w+ )?(?:forecast|predict|know|try|attempt|say|claim|guess"
    r"|promise|assume|rely|depend|bet|offer|make|mean|imply|give|tell|rest|take|include|contain"
    r"|see into|let us|look for|allow|permit|act|trade)|\bcannot (?:\w+ )?(?:know|predict|say|tell"
    r"|promise|guarantee|forecast)|\bno(?:-one| one|body) (?:knows|can)|\bno (?:forecasts?"
    r"|predictions?|view|promise|guarantee|opinion|assumptions?|outlook|claim|position)\b"
    r"|\bnot (?:a|an|any|our|based on a|meant as a) (?:forecast|prediction|view|promise|market view"
    r"|outlook|guarantee)|\b(?:not because|neither|whether|unknowable|unreliable|impossible to"
    r"|never (?:forecast|predict)|not forecasts?|not (?:always|necessarily)"
    r"|without (?:\w+ )?(?:forecast|predict|guess|view|opinion|knowing)\w*|rather than (?:a |any "
    r"|our |on )?(?:forecast|guess|view|prediction)s?)\b|\b(?:are|is)(?: not"
    r"|n't)\b.{0,30}\b(?:forecast|prediction|memo|our business|basis|guarantee)"
)
